//! The failure of a run, and the event that reports it.

use std::borrow::Cow;

use sluice_engine::{Failure, Retry};

/// A failure, and the event that reports it.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Fault {
    pub(super) failure: Failure,
    pub(super) event: FaultEvent,
}

/// The event that reports a failure. The status always does.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum FaultEvent {
    /// An error with the message of the failure.
    Error,
    /// None, because the failure is transient.
    None,
    /// Information with this message: the run was superseded, and another one follows at once.
    Superseded(String),
}

impl From<Failure> for Fault {
    fn from(failure: Failure) -> Self {
        Self {
            failure,
            event: FaultEvent::Error,
        }
    }
}

impl Fault {
    /// A failed step. `spec.retryInterval` replaces the back-off.
    pub(super) fn retry(reason: impl Into<Cow<'static, str>>, message: impl Into<String>) -> Self {
        Failure::message(reason, Retry::Backoff, message).into()
    }
}
