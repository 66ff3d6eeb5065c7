//! The tools of a reconciler during one run: waits without a permit, notifications of new events,
//! progress and records.

use std::future::Future;
use std::sync::Arc;
use std::time::Duration;

use jiff::Timestamp;
use tracing::Span;

use crate::cause::{Cause, Origin};
use crate::key::ObjectKey;
use crate::kind::{Kind, StatusOf};
use crate::outcome::Notice;
use crate::report::{ReportError, Session};
use crate::workers::Permit;

/// One run of one object.
pub struct Run<K: Kind> {
    permit: Permit,
    session: Arc<Session<K>>,
    id: String,
    started: Timestamp,
    span: Span,
}

/// The start of a run and the present, by the clock of the engine.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Times {
    /// The start of the run.
    pub started: Timestamp,
    /// The present.
    pub now: Timestamp,
}

impl Times {
    /// The duration of the run so far.
    pub fn elapsed(&self) -> Duration {
        Duration::try_from(self.now.duration_since(self.started)).unwrap_or_default()
    }
}

impl<K: Kind> Run<K> {
    pub(crate) fn new(
        permit: Permit,
        session: Arc<Session<K>>,
        id: String,
        started: Timestamp,
        span: Span,
    ) -> Self {
        Self {
            permit,
            session,
            id,
            started,
            span,
        }
    }

    /// The object's name.
    pub fn key(&self) -> &ObjectKey {
        self.permit.key()
    }

    /// The object as it was when this run began.
    pub fn object(&self) -> Arc<K> {
        self.session.object()
    }

    /// The cause of this run.
    pub fn cause(&self) -> &Cause {
        self.permit.cause()
    }

    /// The `reconcileID` of the log lines.
    pub fn id(&self) -> &str {
        &self.id
    }

    /// The start of this run, by the clock of the engine.
    pub fn started(&self) -> Timestamp {
        self.started
    }

    /// The start of this run and the present.
    pub fn times(&self) -> Times {
        Times {
            started: self.started,
            now: self.session.now(),
        }
    }

    /// The log span of this run, for work on another task or thread.
    pub fn span(&self) -> &Span {
        &self.span
    }

    /// Awaits `waiting` without the permit of this run, then queues for a new one. It is ahead
    /// of objects that have not started.
    ///
    /// For waits on the cluster: health, dependencies, termination. When the process drains, the
    /// run is dropped here, so record data that must survive before (see [`Run::record`]). Pending
    /// progress is written meanwhile.
    ///
    /// Calls may overlap and may be dropped early; see [`Permit::release_during`].
    pub fn release<F: Future>(&self, waiting: F) -> impl Future<Output = F::Output> {
        self.permit.release_during(waiting)
    }

    /// Like [`Run::release`], but returns `None` when the process drains. The run then has the time
    /// of the grace to record its end. For actions that must not be left half-done.
    pub fn release_until_drain<F: Future>(
        &self,
        waiting: F,
    ) -> impl Future<Output = Option<F::Output>> {
        self.permit.release_until_drain(waiting)
    }

    /// Resolves when the object was enqueued again during this run, with the object that caused it.
    pub async fn superseded(&self) -> Origin {
        match self.permit.superseded().await {
            Cause::Related(origin) => origin,
            _ => Origin {
                kind: K::kind(&()),
                key: self.key().clone(),
            },
        }
    }

    /// Whether the object was enqueued again during this run.
    pub fn is_superseded(&self) -> bool {
        self.permit.is_superseded()
    }

    /// Resolves when the process begins to drain, so that a long step can end early.
    pub async fn draining(&self) {
        self.permit.draining().await;
    }

    /// Writes a status in the background while the run goes on. A new type, status or reason of a
    /// condition is written at once, up to a limit of concurrent writes. Other changes wait for 250
    /// ms after the last write, and are often replaced by newer ones. An object without conditions
    /// gets its first progress after three seconds, because it is usually ready by then.
    ///
    /// A failure of the write is reported by the next record, or at the end.
    pub fn progress(&self, status: &StatusOf<K>) {
        self.session.progress(status);
    }

    /// Writes a status and waits for the API server: for data that must survive the death of the
    /// process in the next step (an inventory).
    pub async fn record(&self, status: &StatusOf<K>) -> Result<(), ReportError> {
        self.session.record(status).await
    }

    /// Adds the finalizer if it is missing, so that effects may follow in the same run.
    pub async fn ensure_finalizer(&self) -> Result<(), ReportError> {
        self.session.ensure_finalizer().await
    }

    /// Reports a notice before the run ends. Never waits.
    pub fn notify(&self, notice: Notice) {
        self.session.notify(notice);
    }
}
