//! Image updates: markers in YAML files, the edits of their values, and commits.
//!
//! A marker is a comment such as `# {"$imagepolicy": "flux-system:podinfo:tag"}`. [`setter`] reads
//! it and knows its new value. [`edit`] edits one file, [`update`] a directory. [`result`] lists
//! the changes, and [`message`] renders the commit message from them. [`push`] decides where the
//! commit goes. [`dry_run`] shows the next commit without Git.
//!
//! Parity: image-automation-controller 1.2.4: internal/{policy,source,update}.

pub mod dry_run;
pub mod edit;
pub mod message;
pub mod push;
pub mod result;
pub mod setter;
pub mod update;
