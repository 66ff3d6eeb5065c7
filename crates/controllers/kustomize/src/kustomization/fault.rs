//! Why a run ends early, and the event that reports it. Pure.

use std::borrow::Cow;
use std::time::Duration;

use sluice_api::meta::reason;
use sluice_engine::{Failure, ReportError, Retry, StepTimeout};

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

impl From<StepTimeout> for Fault {
    fn from(error: StepTimeout) -> Self {
        let reason = reason::RECONCILIATION_FAILED;
        Self::Failed(Failure::new(reason, Retry::Backoff, &error).into())
    }
}

impl From<ReportedFailure> for Fault {
    fn from(failure: ReportedFailure) -> Self {
        Self::Failed(failure)
    }
}

/// A source or dependency that is not ready.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Pending {
    pub(super) reason: &'static str,
    pub(super) message: String,
    /// Requeue interval, in case that no watch wakes the object.
    pub(super) after: Duration,
    /// Message of the event, if any.
    pub(super) notice: Option<String>,
    /// The revision that waits, and its upstream revision.
    pub(super) revision: Option<String>,
    pub(super) origin_revision: Option<String>,
    /// Message for the log only. Without a notice it replaces `message` there.
    pub(super) log: Option<String>,
    /// Whether a new object delays its status for a while.
    pub(super) is_expected: bool,
}

impl Pending {
    /// Whether it waits for a dependency.
    pub(super) fn is_for_dependencies(&self) -> bool {
        self.reason == reason::DEPENDENCY_NOT_READY
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
    /// An error with the message of the failure behind this text.
    Prefixed(&'static str),
    /// An error with the message of the failure, about this revision.
    About {
        revision: String,
        origin_revision: Option<String>,
    },
    /// None, because the failure is transient.
    None,
    /// Information with this message: the run was superseded, and another one follows at once.
    Superseded(String),
}

impl FailureEvent {
    /// Message of an event that reports the failure as an error.
    pub(super) fn error_message(&self, message: &str) -> Option<String> {
        match self {
            Self::Error | Self::About { .. } => Some(message.to_owned()),
            Self::Prefixed(prefix) => Some(format!("{prefix}{message}")),
            Self::None | Self::Superseded(_) => None,
        }
    }
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
