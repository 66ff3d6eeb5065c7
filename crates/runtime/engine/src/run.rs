//! What a reconciler holds while it works on one object: the way to wait without a
//! worker, to hear that it is overtaken by events, and to show progress.

use std::future::Future;
use std::sync::Arc;

use jiff::Timestamp;
use tracing::Span;

use crate::key::ObjectKey;
use crate::kind::{Kind, StatusOf};
use crate::reconcile::{Cause, Notice, Origin};
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

    /// Why this run happens.
    pub fn cause(&self) -> &Cause {
        self.permit.cause()
    }

    /// The `reconcileID` of the log lines.
    pub fn id(&self) -> &str {
        &self.id
    }

    /// When this run began, by the host's clock.
    pub fn started(&self) -> Timestamp {
        self.started
    }

    /// The log span of this run, for work that is moved to another task or thread.
    pub fn span(&self) -> &Span {
        &self.span
    }

    /// Awaits `waiting` while another object uses this run's worker, then stands in
    /// line for a worker again, ahead of those who have not begun.
    ///
    /// For everything that waits for the cluster: health, dependencies, termination.
    /// When the process drains, the run is dropped here; what must survive has to be
    /// recorded before (see [`Run::record`]). Progress that is held back is written
    /// meanwhile, when its time has come.
    ///
    /// Who releases speaks for the whole run. Calls may overlap and may be dropped
    /// half-way; neither hangs, and [`Permit::release_during`] says what becomes of the worker.
    pub fn release<F: Future>(&self, waiting: F) -> impl Future<Output = F::Output> {
        self.permit.release_during(waiting)
    }

    /// Resolves when the object was enqueued again during this run, with what did it.
    /// Prints as `Kind/namespace/name`.
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

    /// Resolves when the process begins to drain: a long step may end early.
    pub async fn draining(&self) {
        self.permit.draining().await;
    }

    /// Shows a status mid-way, while the run goes on. Changes of a condition's type, status or
    /// reason are written at once, unless many others have something to show too; anything else
    /// younger than 250 ms since the last write is held back and usually never sent, because
    /// something newer follows. Of an object without any condition nothing is said for three
    /// seconds: it is usually ready by then.
    ///
    /// Who does not come to write it (the object is gone, or somebody else has worked on it) learns
    /// so with what is recorded next, or at the end.
    pub fn progress(&self, status: &StatusOf<K>) {
        self.session.progress(status);
    }

    /// Writes a status mid-way and returns when the API server has it: what must not
    /// be lost when the process dies in the next step (an inventory).
    pub async fn record(&self, status: &StatusOf<K>) -> Result<(), ReportError> {
        self.session.record(status).await
    }

    /// Adds Flux's finalizer now, so that effects may follow in the same run.
    /// Does nothing when it is there.
    pub async fn ensure_finalizer(&self) -> Result<(), ReportError> {
        self.session.ensure_finalizer().await
    }

    /// Tells users something before the run ends. Never waits.
    pub fn notify(&self, notice: Notice) {
        self.session.notify(notice);
    }
}
