//! Image updates: markers in YAML files, the edits of their values, and commits.
//!
//! A marker is a comment such as `# {"$imagepolicy": "flux-system:podinfo:tag"}`. [`setter`] reads
//! it and knows its new value. [`edit`] edits one file, [`update`] a directory or the files of a
//! commit, which [`tree`] collects. [`result`] lists the changes, and [`message`] renders the commit
//! message from them. [`push`] decides where the commit goes. [`dry_run`] shows the next commit
//! without Git.
//!
//! Start at [`run`], then at the reconciler `image_update_automation`. `source` and `repository`
//! are the settings and the access of its repository.
//!
//! Parity: image-automation-controller 1.2.4: internal/{policy,source,update}. Differences, each
//! with a test:
//! - only the bytes of marked values change
//! - a push that another writer overtook is repeated on the new commit
//! - a push branch that was merged goes on from the branch of the checkout
//! - problems at markers are an event

mod args;
pub mod dry_run;
pub mod edit;
mod image_update_automation;
pub mod message;
mod metrics;
pub mod push;
mod repository;
pub mod result;
mod serve;
pub mod setter;
mod source;
pub mod tree;
pub mod update;

pub use args::{Args, GATES, NAME};
pub use serve::{Error, run};
