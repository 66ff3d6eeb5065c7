//! The result of a run, as plain data: status, finalizer, notices, and the time of the next run.
//!
//! All types are `Debug` and `PartialEq`, made by pure functions and compared whole in table tests.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::error::Error;
use std::fmt;
use std::time::Duration;

use sluice_golang::error::chain;

/// The result of a run. The reporter turns it into writes.
#[derive(Debug, Clone, PartialEq)]
pub struct Outcome<S> {
    /// The whole status; only differences are written. `None` leaves the status unchanged.
    pub status: Option<S>,
    /// The change of the finalizer.
    pub finalizer: Finalizer,
    /// Messages for users, in order.
    pub notices: Vec<Notice>,
    /// When the object runs next.
    pub next: Requeue,
}

impl<S> Outcome<S> {
    /// Ends with this status.
    pub fn new(status: S, next: Requeue) -> Self {
        Self {
            status: Some(status),
            finalizer: Finalizer::Keep,
            notices: Vec::new(),
            next,
        }
    }

    /// Ends without changing the status.
    pub fn untouched(next: Requeue) -> Self {
        Self {
            status: None,
            finalizer: Finalizer::Keep,
            notices: Vec::new(),
            next,
        }
    }

    /// Changes the finalizer.
    #[must_use]
    pub fn with_finalizer(mut self, finalizer: Finalizer) -> Self {
        self.finalizer = finalizer;
        self
    }

    /// Adds a notice.
    #[must_use]
    pub fn with_notice(mut self, notice: Notice) -> Self {
        self.notices.push(notice);
        self
    }
}

/// The change of the controller's finalizer at the end of a run.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Finalizer {
    /// No change.
    #[default]
    Keep,
    /// Add it. The run must not have created anything before.
    Add,
    /// Remove it, so that the object can go. The status is not written any more.
    Remove,
}

/// When an object runs next, unless an event enqueues it earlier.
#[derive(Debug, Clone, PartialEq)]
pub enum Requeue {
    /// Only after an event.
    Never,
    /// At once, behind the objects that wait already. After several times in a row the object is
    /// delayed like a failing one.
    Now,
    /// After exactly this time.
    After(Duration),
    /// After this interval, with the configured jitter.
    Interval(Duration),
    /// After the exponential back-off of the object: counted and logged as an error.
    Backoff(Failure),
    /// Only after an event, because retries cannot help: counted and logged as terminal.
    Stalled(Failure),
    /// Like [`Stalled`](Self::Stalled), but also after this interval, with the configured jitter.
    StalledInterval(Failure, Duration),
}

/// An error with its reason and its retry policy.
#[derive(Debug, Clone, PartialEq)]
pub struct Failure {
    /// Flux's reason constant: condition reason and event reason.
    pub reason: Cow<'static, str>,
    /// The error chain, joined with `: `.
    pub message: String,
    /// The retry policy.
    pub retry: Retry,
}

/// The retry policy of a [`Failure`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Retry {
    /// No retry until the object or its references are edited.
    Stalled,
    /// Retry after this time.
    After(Duration),
    /// Retry with exponential back-off.
    Backoff,
}

impl Failure {
    /// Classifies an error.
    pub fn new(reason: impl Into<Cow<'static, str>>, retry: Retry, error: &dyn Error) -> Self {
        Self {
            reason: reason.into(),
            message: chain(error),
            retry,
        }
    }

    /// Makes a failure without an error value.
    pub fn message(
        reason: impl Into<Cow<'static, str>>,
        retry: Retry,
        message: impl Into<String>,
    ) -> Self {
        Self {
            reason: reason.into(),
            message: message.into(),
            retry,
        }
    }

    /// The requeue by the retry policy.
    pub fn requeue(self) -> Requeue {
        match self.retry {
            Retry::Stalled => Requeue::Stalled(self),
            Retry::After(delay) => Requeue::After(delay),
            Retry::Backoff => Requeue::Backoff(self),
        }
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

/// One message for users: a Kubernetes event, a Flux event and a log line.
#[derive(Debug, Clone, PartialEq)]
pub struct Notice {
    /// Good or bad news.
    pub severity: Severity,
    /// The recipients.
    pub audience: Audience,
    /// Event reason.
    pub reason: Cow<'static, str>,
    /// Event message.
    pub message: String,
    /// Event metadata: keys with their group prefix
    /// (`kustomize.toolkit.fluxcd.io/revision`).
    pub metadata: BTreeMap<String, String>,
}

/// Whether a [`Notice`] is good or bad news.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Severity {
    /// Kubernetes `Normal`.
    Info,
    /// Kubernetes `Warning`.
    Error,
}

/// The recipients of a [`Notice`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Audience {
    /// Kubernetes event, notification-controller and log.
    Everyone,
    /// Kubernetes event and debug log: Flux's "trace" events.
    Cluster,
    /// Log only.
    Log,
}

impl Notice {
    /// Good news for everyone.
    pub fn info(reason: impl Into<Cow<'static, str>>, message: impl Into<String>) -> Self {
        Self::of(Severity::Info, reason.into(), message.into())
    }

    /// Bad news for everyone.
    pub fn error(reason: impl Into<Cow<'static, str>>, message: impl Into<String>) -> Self {
        Self::of(Severity::Error, reason.into(), message.into())
    }

    /// A Kubernetes event without alerts.
    pub fn trace(reason: impl Into<Cow<'static, str>>, message: impl Into<String>) -> Self {
        Self {
            audience: Audience::Cluster,
            ..Self::info(reason, message)
        }
    }

    fn of(severity: Severity, reason: Cow<'static, str>, message: String) -> Self {
        Self {
            severity,
            audience: Audience::Everyone,
            reason,
            message,
            metadata: BTreeMap::new(),
        }
    }

    /// Adds a metadata entry.
    #[must_use]
    pub fn with(mut self, key: impl Into<String>, value: impl Into<String>) -> Self {
        self.metadata.insert(key.into(), value.into());
        self
    }

    /// Restricts it to the log.
    #[must_use]
    pub fn only_log(mut self) -> Self {
        self.audience = Audience::Log;
        self
    }
}
