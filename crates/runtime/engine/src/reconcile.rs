//! The contract between a controller and the runtime: a [`Reconciler`] looks at
//! one object and returns an [`Outcome`], plain data that says what its status
//! shall be, what users shall be told and when to look again.
//!
//! A reconciler performs its own effects (fetch, apply, store) but never writes
//! status, finalizers, events, metrics or requeue times: [`crate::report`] is the
//! only writer. Everything here is data: `Debug`, `PartialEq`, made by pure
//! functions and compared whole in table tests.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::error::Error;
use std::fmt;
use std::future::Future;
use std::sync::Arc;
use std::time::Duration;

use crate::key::ObjectKey;
use crate::kind::{Kind, StatusOf};
use crate::run::Run;
use sluice_golang::error::chain;

/// One kind's reconciliation.
///
/// It is called for an object that exists, at most once at a time per object. It
/// may be dropped at any await point while it waits in [`Run::release`] and the
/// process drains, so what it does must be resumable from the cluster's state.
pub trait Reconciler: Send + Sync + 'static {
    /// The kind.
    type Object: Kind;

    /// Brings the world closer to what `object` asks for.
    fn reconcile(
        &self,
        object: Arc<Self::Object>,
        run: &Run<Self::Object>,
    ) -> impl Future<Output = Outcome<StatusOf<Self::Object>>> + Send;

    /// Drops whatever is remembered about an object that no longer exists.
    fn forget(&self, _key: &ObjectKey) {}
}

/// What a run ended with. The reporter turns it into writes.
#[derive(Debug, Clone, PartialEq)]
pub struct Outcome<S> {
    /// The whole status as it shall be; only what differs is written. `None`
    /// leaves it alone.
    pub status: Option<S>,
    /// What happens to the finalizer.
    pub finalizer: Finalizer,
    /// What users are told, in order.
    pub notices: Vec<Notice>,
    /// When to look again.
    pub next: Requeue,
}

impl<S> Outcome<S> {
    /// Ends with this status, looking again as told.
    pub fn new(status: S, next: Requeue) -> Self {
        Self {
            status: Some(status),
            finalizer: Finalizer::Keep,
            notices: Vec::new(),
            next,
        }
    }

    /// Ends without touching the status.
    pub fn untouched(next: Requeue) -> Self {
        Self {
            status: None,
            finalizer: Finalizer::Keep,
            notices: Vec::new(),
            next,
        }
    }

    /// Adds or removes the finalizer.
    #[must_use]
    pub fn with_finalizer(mut self, finalizer: Finalizer) -> Self {
        self.finalizer = finalizer;
        self
    }

    /// Tells users something.
    #[must_use]
    pub fn with_notice(mut self, notice: Notice) -> Self {
        self.notices.push(notice);
        self
    }
}

/// What happens to Flux's finalizer (`api::meta::FINALIZER`) at the end of a run.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Finalizer {
    /// Stays as it is.
    #[default]
    Keep,
    /// Is added; nothing may have been created before that.
    Add,
    /// Is removed: the object may go. The status is then no longer written.
    Remove,
}

/// When an object is looked at again, unless something wakes it earlier.
#[derive(Debug, Clone, PartialEq)]
pub enum Requeue {
    /// Not before something changes.
    Never,
    /// At once, behind whoever already waits. An object that asks for this many
    /// times in a row is slowed down as if it failed.
    Now,
    /// After exactly this time.
    After(Duration),
    /// After this interval, give or take the configured jitter.
    Interval(Duration),
    /// After this object's exponential back-off: counted and logged as an error.
    Backoff(Failure),
    /// Not before something changes, because of an error that waiting cannot cure:
    /// counted and logged as terminal.
    Stalled(Failure),
}

/// An error that knows its reason and what to do about it.
#[derive(Debug, Clone, PartialEq)]
pub struct Failure {
    /// Flux's reason constant: condition reason and event reason.
    pub reason: Cow<'static, str>,
    /// The whole chain, joined with `: `.
    pub message: String,
    /// What can be done.
    pub retry: Retry,
}

/// What can be done about a [`Failure`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Retry {
    /// Nothing until the object or its references are edited.
    Stalled,
    /// Try again after this time.
    After(Duration),
    /// Try again with exponential back-off.
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

    /// States a failure that has no error value behind it.
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

    /// The requeue that this failure asks for.
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

/// One message to users: a Kubernetes event, a Flux event and a log line.
#[derive(Debug, Clone, PartialEq)]
pub struct Notice {
    /// Good or bad.
    pub severity: Severity,
    /// Who hears it.
    pub audience: Audience,
    /// Event reason.
    pub reason: Cow<'static, str>,
    /// What happened.
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

/// Who hears a [`Notice`].
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

    /// A Kubernetes event that nobody is alerted about.
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

    /// Keeps it out of events: a log line that is decided purely.
    #[must_use]
    pub fn only_log(mut self) -> Self {
        self.audience = Audience::Log;
        self
    }
}

/// Why an object was enqueued.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Cause {
    /// Found at start, or after the watch had to begin anew.
    Listed,
    /// Created while we watched.
    Created,
    /// Its generation changed.
    Edited,
    /// `reconcile.fluxcd.io/requestedAt` changed.
    Requested,
    /// Its deletion began.
    Deleted,
    /// Its interval passed.
    Interval,
    /// A retry was due, or it asked for another run at once.
    Retry,
    /// Another object changed that it refers to.
    Related(Origin),
}

impl Cause {
    /// Whether a person or a change asked for this run, rather than a timer or the
    /// initial list. Such runs overtake the others of their namespace.
    pub fn is_prompt(&self) -> bool {
        !matches!(self, Self::Listed | Self::Interval | Self::Retry)
    }
}

/// The object whose change enqueued another one. Prints as `Kind/namespace/name`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Origin {
    /// Its kind.
    pub kind: Cow<'static, str>,
    /// Its name.
    pub key: ObjectKey,
}

impl fmt::Display for Origin {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.kind, self.key)
    }
}
