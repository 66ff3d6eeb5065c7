//! The data of a run of a Receiver: its steps, and the results of the steps so far.

use super::fault::Fault;
use super::spec::Spec;

/// The results of the steps so far.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Facts {
    pub(super) spec: Result<Spec, Fault>,
    /// Path of the webhook.
    pub(super) path: Option<String>,
}

/// One step of a run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Step {
    /// Compute the path with the token of this Secret. Without a Secret the token is empty.
    ComputePath {
        /// Name of the Secret.
        secret: Option<String>,
    },
}
