//! Defines the steps of a Receiver's run, and their results.

use sluice_engine::{Failure, ReportError, Retry};

use crate::receiver::SpecError;

/// Results of the steps so far.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Facts {
    /// Error of the spec.
    pub(super) spec_error: Option<SpecError>,
    /// Path of the webhook.
    pub(super) path: Option<String>,
}

/// One step.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Step {
    /// Compute the path with the token of this Secret. Without a Secret the token is empty.
    ComputePath {
        /// Name of the Secret.
        secret: Option<String>,
    },
}

/// Reason why a run ended early.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum ReceiverFailure {
    /// The spec is invalid.
    Spec(SpecError),
    /// The token cannot be read.
    Token(String),
    /// The finalizer cannot be written.
    Report(Failure),
}

impl From<ReportError> for ReceiverFailure {
    fn from(error: ReportError) -> Self {
        Self::Report(Failure::new(
            sluice_api::meta::reason::PATCH_OPERATION_FAILED,
            Retry::Backoff,
            &error,
        ))
    }
}
