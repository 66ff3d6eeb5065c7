//! Why a run ended early, and what the status shows of it.

use std::borrow::Cow;
use std::time::Duration;

use sluice_api::meta::reason;
use sluice_engine::{Failure, Notice, ReportError, Requeue, Retry, StepTimeout};

use super::messages;

/// Reason of invalid fields, and of errors that the reference returns without a condition.
pub(super) const RECONCILE_ERROR: &str = "ReconcileError";
/// Reason of `Stalled` if the retries of an action are used up.
pub(super) const RETRIES_EXCEEDED: &str = "RetriesExceeded";
/// Prefix of errors that only an edit of the object lifts.
const TERMINAL: &str = "Reconciliation failed terminally due to configuration error";

/// When the object runs next.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum RetryTime {
    /// After this time.
    After(Duration),
    /// After this time, with jitter.
    Interval(Duration),
    /// After the interval of the spec.
    Scheduled,
    /// At once.
    Now,
    /// With back-off, because of an error.
    Backoff,
    /// After an edit.
    Edit,
    /// After an edit, or after the interval of the spec if the objects are healthy by then.
    Recheck,
}

/// Why a release waits.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Wait {
    /// A pause between two actions, which `Reconciling` shows.
    Pause,
    /// A dependency is not ready.
    Dependencies,
}

/// Why a run ended early.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Fault {
    /// Reason and message of the error.
    pub(super) reason: Cow<'static, str>,
    pub(super) message: String,
    /// Whether `Ready` becomes false with reason and message.
    pub(super) sets_ready: bool,
    /// Reason and message of `Stalled`.
    pub(super) stalled: Option<Box<(&'static str, String)>>,
    /// The events and lines of the log.
    pub(super) notices: Vec<Notice>,
    pub(super) next: RetryTime,
    /// Whether the generation counts as observed.
    pub(super) is_observed: bool,
    /// The reason to wait, if the run ended for one.
    pub(super) wait: Option<Wait>,
    /// Whether a step did not end, so that its effects are unknown.
    pub(super) is_interrupted: bool,
}

impl Fault {
    /// An error that is retried with back-off. `Ready` becomes false.
    pub(super) fn retry(reason: impl Into<Cow<'static, str>>, message: impl Into<String>) -> Self {
        Self {
            reason: reason.into(),
            message: message.into(),
            sets_ready: true,
            stalled: None,
            notices: Vec::new(),
            next: RetryTime::Backoff,
            is_observed: false,
            wait: None,
            is_interrupted: false,
        }
    }

    /// An error that is retried with back-off. The conditions are set already.
    pub(super) fn returned(message: impl Into<String>) -> Self {
        Self {
            sets_ready: false,
            ..Self::retry(RECONCILE_ERROR, message)
        }
    }

    /// An error that only an edit of the object lifts.
    pub(super) fn terminal(reason: &'static str, message: impl Into<String>) -> Self {
        let message = message.into();
        Self {
            stalled: Some(Box::new((reason, message.clone()))),
            notices: vec![Notice::error(reason, message.clone())],
            next: RetryTime::Edit,
            is_observed: true,
            ..Self::retry(reason, message)
        }
    }

    /// An invalid expression.
    pub(super) fn expression(error: &str) -> Self {
        let reason = reason::INVALID_CEL_EXPRESSION;
        Self {
            notices: vec![Notice::error(reason, error)],
            ..Self::terminal(reason, format!("{TERMINAL}: {error}"))
        }
    }

    /// The state of the release cannot be determined.
    pub(super) fn unknown_state(error: &str) -> Self {
        let message = format!("Could not determine release state: {error}");
        Self::retry(messages::STATE_ERROR, message)
    }

    /// Stops without an error, and runs again.
    pub(super) fn again(next: RetryTime) -> Self {
        let is_observed = !matches!(next, RetryTime::Now);
        Self {
            next,
            is_observed,
            ..Self::returned("")
        }
    }

    /// Pauses between two actions.
    pub(super) fn pause(next: RetryTime) -> Self {
        Self {
            wait: Some(Wait::Pause),
            ..Self::again(next)
        }
    }

    /// A prerequisite is not met.
    pub(super) fn prerequisite(
        reason: &'static str,
        message: impl Into<String>,
        next: RetryTime,
    ) -> Self {
        Self {
            next,
            ..Self::retry(reason, message)
        }
    }

    /// A dependency is not ready.
    pub(super) fn dependency(message: impl Into<String>, after: Duration) -> Self {
        let reason = reason::DEPENDENCY_NOT_READY;
        Self {
            wait: Some(Wait::Dependencies),
            ..Self::prerequisite(reason, message, RetryTime::After(after))
        }
    }

    /// Whether the retries of an action are used up.
    pub(super) fn is_for_retries(&self) -> bool {
        let stalled = self.stalled.as_ref();
        stalled.is_some_and(|stalled| stalled.0 == RETRIES_EXCEEDED)
    }

    /// Whether it is a pause between two actions.
    pub(super) fn is_pause(&self) -> bool {
        self.wait == Some(Wait::Pause)
    }

    /// Whether it waits for a dependency.
    pub(super) fn is_for_dependencies(&self) -> bool {
        self.wait == Some(Wait::Dependencies)
    }

    /// Also sends an event.
    #[must_use]
    pub(super) fn with_notice(mut self, notice: Notice) -> Self {
        self.notices.push(notice);
        self
    }

    /// Sends an event with the text of the error.
    #[must_use]
    pub(super) fn with_event(self) -> Self {
        let notice = Notice::error(self.reason.clone(), self.message.clone());
        self.with_notice(notice)
    }

    /// The requeue of an object with an interval.
    pub(super) fn requeue(&self, interval: Duration) -> Requeue {
        let failure = |retry| Failure::message(self.reason.clone(), retry, self.message.clone());
        match self.next {
            RetryTime::After(delay) => Requeue::After(delay),
            RetryTime::Interval(delay) => Requeue::Interval(delay),
            RetryTime::Scheduled => Requeue::Interval(interval),
            RetryTime::Now => Requeue::Now,
            RetryTime::Backoff => failure(Retry::Backoff).requeue(),
            RetryTime::Edit => failure(Retry::Stalled).requeue(),
            RetryTime::Recheck => Requeue::StalledInterval(failure(Retry::Stalled), interval),
        }
    }
}

impl From<ReportError> for Fault {
    fn from(error: ReportError) -> Self {
        Self::returned(sluice_golang::error::chain(&error))
    }
}

impl From<StepTimeout> for Fault {
    fn from(error: StepTimeout) -> Self {
        Self {
            is_interrupted: true,
            ..Self::returned(error.to_string())
        }
    }
}
