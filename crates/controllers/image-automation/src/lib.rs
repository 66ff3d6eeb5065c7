//! Image updates: markers in YAML files, the edits of their values, and commits.
//!
//! Markers, their edits and the commit message are in `sluice_images`. [`push`] decides where the
//! commit goes, and [`pull_request`] what becomes of its pull request.
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
//! - the annotation `sluice.dev/pull-request` opens pull requests

mod args;
mod image_update_automation;
mod metrics;
pub mod pull_request;
pub mod push;
mod repository;
mod serve;
mod source;

pub use args::{Args, GATES, NAME};
pub use serve::{Error, run};
