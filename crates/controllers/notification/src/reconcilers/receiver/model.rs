//! The steps of a Receiver and the facts that they find.

use sluice_engine::{Failure, ReportError, Retry};

use crate::receiver::SpecError;

/// The facts of a run.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Facts {
    /// Why the spec cannot work.
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

/// Why a run ended early.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum ReceiverFailure {
    /// The spec cannot work.
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
