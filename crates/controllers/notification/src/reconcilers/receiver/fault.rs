//! Why a run ends early, and the event that reports it.

use std::borrow::Cow;

use sluice_api::meta::reason;
use sluice_engine::{Failure, ReportError, Retry, StepTimeout};

/// Reason for a token that cannot be read.
const TOKEN_NOT_FOUND: &str = "TokenNotFound";

/// A failure, and the event that reports it.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Fault {
    pub(super) failure: Failure,
    /// Reason of the event.
    pub(super) event_reason: Cow<'static, str>,
    /// Whether the path of the webhook must not stay published.
    pub(super) is_path_invalid: bool,
}

impl From<Failure> for Fault {
    fn from(failure: Failure) -> Self {
        Self {
            event_reason: failure.reason.clone(),
            failure,
            is_path_invalid: false,
        }
    }
}

impl From<ReportError> for Fault {
    fn from(error: ReportError) -> Self {
        Failure::new(reason::PATCH_OPERATION_FAILED, Retry::Backoff, &error).into()
    }
}

impl From<StepTimeout> for Fault {
    fn from(error: StepTimeout) -> Self {
        Failure::new(reason::FAILED, Retry::Backoff, &error).into()
    }
}

impl Fault {
    /// The token cannot be read.
    pub(super) fn token(message: impl Into<String>) -> Self {
        Self {
            failure: Failure::message(TOKEN_NOT_FOUND, Retry::Backoff, message),
            event_reason: reason::FAILED.into(),
            is_path_invalid: true,
        }
    }
}
