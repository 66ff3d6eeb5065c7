//! The failure of a run. `Ready` reports it.

use sluice_api::meta::reason;
use sluice_engine::{Failure, ReportError, Retry};

/// A failure of a run.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Fault(pub(crate) Failure);

impl Fault {
    /// A failure that stands until an edit.
    pub(crate) fn stalled(reason: &'static str, message: impl Into<String>) -> Self {
        Self(Failure::message(reason, Retry::Stalled, message))
    }

    /// A failure that is retried with back-off.
    pub(crate) fn retried(reason: &'static str, message: impl Into<String>) -> Self {
        Self(Failure::message(reason, Retry::Backoff, message))
    }
}

impl From<ReportError> for Fault {
    fn from(error: ReportError) -> Self {
        Self(Failure::new(reason::FAILED, Retry::Backoff, &error))
    }
}
