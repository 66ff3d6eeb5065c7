//! Image updates as decisions: the tags that count, the policy that selects one, and the edits.
//!
//! Two controllers and the command line share them. They know no cluster and no registry.
//!
//! From tags to an image: [`image`] is the name, [`scan`] decides when to scan and which tags
//! count, [`revision`] is their checksum. A [`policy::Selector`] selects one, [`policy::explain()`]
//! answers why, and [`digest`] decides on its digest. [`budget`] limits the time of patterns.
//!
//! From an image to a commit: a marker is a comment such as
//! `# {"$imagepolicy": "flux-system:podinfo:tag"}`. [`setter`] reads it and knows its new value.
//! [`edit`] edits one file, [`update`] a directory or the files of a commit, which [`tree`]
//! collects. [`result`] lists the changes, and [`message`] renders the commit message from them.
//! [`dry_run`] shows the next commit without Git. [`selector`] reads the selector of policies.
//!
//! Parity: image-reflector-controller 1.2.4: `internal/policy`; image-automation-controller 1.2.4:
//! `internal/{policy,update}`.

pub mod budget;
pub mod digest;
pub mod dry_run;
pub mod edit;
pub mod image;
pub mod message;
pub mod policy;
pub mod result;
pub mod revision;
pub mod scan;
pub mod selector;
pub mod setter;
pub mod tree;
pub mod update;
