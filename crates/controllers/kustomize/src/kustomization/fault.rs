//! Why a run ends early, and the event that reports it.

use std::borrow::Cow;

use sluice_api::meta::reason;
use sluice_engine::{Failure, ReportError, Retry};

use super::model::Pending;

/// Why a run ended early.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Fault {
    /// The object cannot be reconciled.
    Refused(ReportedFailure),
    /// The source or a dependency is not ready.
    Waiting(Pending),
    /// A step failed.
    Failed(ReportedFailure),
    /// The objects of a deleted Kustomization could not be removed.
    NotRemoved(String),
}

impl From<ReportError> for Fault {
    fn from(error: ReportError) -> Self {
        let reason = reason::RECONCILIATION_FAILED;
        Self::Failed(Failure::new(reason, Retry::Backoff, &error).into())
    }
}

impl From<ReportedFailure> for Fault {
    fn from(failure: ReportedFailure) -> Self {
        Self::Failed(failure)
    }
}

/// A failure, and the event that reports it.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct ReportedFailure {
    pub(super) failure: Failure,
    pub(super) event: FailureEvent,
}

/// The event that reports a failure. The status always does.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum FailureEvent {
    /// An error with the message of the failure.
    Error,
    /// None, because the failure is transient.
    None,
    /// Information with this message: the run was superseded, and another one follows at once.
    Superseded(String),
}

impl From<Failure> for ReportedFailure {
    fn from(failure: Failure) -> Self {
        Self {
            failure,
            event: FailureEvent::Error,
        }
    }
}

impl ReportedFailure {
    /// A failed step. `spec.retryInterval` replaces the back-off.
    pub(super) fn retry(reason: impl Into<Cow<'static, str>>, message: impl Into<String>) -> Self {
        Failure::message(reason, Retry::Backoff, message).into()
    }
}
