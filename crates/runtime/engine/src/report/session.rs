//! The writes of one run: progress, records, the finalizer and the outcome, in turn, each compared
//! with the last known state.

use std::convert::Infallible;
use std::sync::{self, Arc, MutexGuard, PoisonError};
use std::time::Duration;

use jiff::Timestamp;
use k8s_openapi::apimachinery::pkg::apis::meta::v1::ObjectMeta;
use kube::ResourceExt;
use serde::de::DeserializeOwned;
use serde_json::{Value, json};
use sluice_api::meta::reason;
use tokio::sync::{Mutex, Notify};
use tokio::time::Instant;

use super::patch::{StatusPatch, has_no_condition, is_new_state, is_same_work, rebase};
use super::{ReportError, Reporter};
use crate::key::ObjectKey;
use crate::kind::{Kind, StatusOf};
use crate::outcome::{Failure, Finalizer, Notice, Outcome, Requeue, Retry};
use crate::watch::decode::LAST_APPLIED;

/// Minimum time between two progress writes. Most messages are outdated by then.
const PROGRESS_INTERVAL: Duration = Duration::from_millis(250);
/// Delay of the first progress of an object without conditions. Most objects are ready by then, and
/// the first writes of many new objects would delay all of them.
const FIRST_PROGRESS_DELAY: Duration = Duration::from_secs(3);

const OWN_TEXT: &str = "the text was encoded by the same library";

/// Attempts of one write after conflicts.
const MAX_CONFLICTS: usize = 8;

/// See the module's documentation.
pub(crate) struct Session<K: Kind> {
    reporter: Arc<Reporter<K>>,
    key: ObjectKey,
    uid: Option<String>,
    /// The object at the start of the run, for notices. Its version may be outdated.
    object: Arc<K>,
    state: Mutex<State<K>>,
    /// Progress that was not written yet.
    pending: sync::Mutex<Option<StatusText>>,
    /// Notifies of new pending progress.
    has_pending: Notify,
}

struct State<K: Kind> {
    /// The object as it was last read. Later writes are in the fields below, not in a copy.
    read: Arc<K>,
    /// Its last known version.
    resource_version: Option<String>,
    /// Its last known finalizers.
    finalizers: Option<Vec<String>>,
    /// Its last known status.
    known: StatusText,
    /// Statuses that were sent and may have been written.
    unanswered: Vec<StatusText>,
    /// Progress is not written before this moment.
    not_before: Option<Instant>,
    /// Whether another writer changed more than conditions (an earlier run that this one did not
    /// see, an earlier leader). This run then started from an outdated status and writes nothing
    /// more. The next run starts from the live status.
    is_outdated: bool,
    ended: bool,
}

/// A status as JSON text. A tree takes several times the memory, and thousands of runs may wait.
struct StatusText(Box<str>);

impl StatusText {
    fn new(status: &Value) -> Self {
        Self(status.to_string().into())
    }

    fn value(&self) -> Value {
        serde_json::from_str(&self.0).expect(OWN_TEXT)
    }

    /// The typed status, if there is one and the kind can decode it.
    fn status<S: DeserializeOwned>(&self) -> Option<S> {
        let is_empty = &*self.0 == "{}";
        (!is_empty)
            .then(|| serde_json::from_str(&self.0).ok())
            .flatten()
    }
}

impl<K: Kind> Session<K> {
    pub(crate) fn new(reporter: Arc<Reporter<K>>, object: Arc<K>) -> Arc<Self> {
        let known = status_value(object.as_ref());
        let not_before = has_no_condition(&known).then(|| Instant::now() + FIRST_PROGRESS_DELAY);
        let known = StatusText::new(&known);
        Arc::new(Self {
            reporter,
            key: ObjectKey::of(object.as_ref()),
            uid: object.meta().uid.clone(),
            object: Arc::clone(&object),
            state: Mutex::new(State {
                resource_version: object.meta().resource_version.clone(),
                finalizers: object.meta().finalizers.clone(),
                read: object,
                known,
                unanswered: Vec::new(),
                not_before,
                is_outdated: false,
                ended: false,
            }),
            pending: sync::Mutex::default(),
            has_pending: Notify::new(),
        })
    }

    /// See [`crate::Run::object`].
    pub(crate) fn object(&self) -> Arc<K> {
        Arc::clone(&self.object)
    }

    /// The present, by the clock of the engine.
    pub(crate) fn now(&self) -> Timestamp {
        self.reporter.now()
    }

    pub(crate) fn notify(&self, notice: Notice) {
        self.reporter.notify(&self.object, notice);
    }

    /// See [`crate::Run::progress`].
    pub(crate) fn progress(&self, status: &StatusOf<K>) {
        self.set_pending(Some(StatusText::new(&to_value(status))));
        self.has_pending.notify_one();
    }

    /// Replaces the pending progress and returns the older one.
    fn set_pending(&self, progress: Option<StatusText>) -> Option<StatusText> {
        std::mem::replace(&mut self.pending(), progress)
    }

    fn pending(&self) -> MutexGuard<'_, Option<StatusText>> {
        self.pending.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn has_pending(&self) -> bool {
        self.pending().is_some()
    }

    /// See [`crate::Run::record`].
    pub(crate) async fn record(&self, status: &StatusOf<K>) -> Result<(), ReportError> {
        self.set_pending(None);
        let mut state = self.state.lock().await;
        self.write(&mut state, to_value(status)).await
    }

    /// Writes pending progress when it is due, as long as this is polled.
    ///
    /// It is part of the run, not a task of its own: a run that is dropped after the loss of the
    /// lease writes nothing more.
    pub(crate) async fn keep_flushing(&self) -> Infallible {
        loop {
            self.has_pending.notified().await;
            while self.has_pending() {
                if let Some(not_before) = self.progress_delay().await {
                    tokio::select! {
                        () = tokio::time::sleep_until(not_before) => {}
                        // The new progress may be more urgent.
                        () = self.has_pending.notified() => {}
                    }
                    continue;
                }
                let _permit = self.reporter.progress_permit().await;
                // Meanwhile the run may have written something newer, or may have ended.
                if self.has_pending() && self.progress_delay().await.is_none() {
                    Box::pin(self.flush()).await;
                }
            }
        }
    }

    /// When the pending progress is due; `None` if it is due already.
    async fn progress_delay(&self) -> Option<Instant> {
        let state = self.state.lock().await;
        let not_before = state.not_before.filter(|moment| *moment > Instant::now())?;
        let known = state.known.value();
        drop(state);
        let wanted = self.pending().as_ref()?.value();
        (has_no_condition(&known) || !is_new_state(&known, &wanted)).then_some(not_before)
    }

    async fn flush(&self) {
        let mut state = self.state.lock().await;
        let pending = self.set_pending(None);
        if state.ended {
            return;
        }
        if let Some(pending) = pending
            && let Err(error) = self.write(&mut state, pending.value()).await
        {
            // The next write meets the same failure, if it persists.
            tracing::debug!(error = %sluice_golang::error::chain(&error), "failed to write progress");
        }
    }

    /// See [`crate::Run::ensure_finalizer`].
    pub(crate) async fn ensure_finalizer(&self) -> Result<(), ReportError> {
        let mut state = self.state.lock().await;
        self.change_finalizer(&mut state, true).await
    }

    /// Ends the run: finalizer, status, notices. A failed write makes the run a failure, which is
    /// retried.
    pub(crate) async fn conclude(&self, outcome: Outcome<StatusOf<K>>) -> Requeue {
        let Outcome {
            status,
            finalizer,
            notices,
            next,
        } = outcome;
        self.set_pending(None);
        let mut state = self.state.lock().await;
        state.ended = true;
        let written = self.finish(&mut state, status, finalizer).await;
        drop(state);
        for notice in notices {
            self.notify(notice);
        }
        match written {
            Ok(()) => next,
            Err(ReportError::Gone) => Requeue::Never,
            Err(error) => {
                let reason = reason::PATCH_OPERATION_FAILED;
                Requeue::Backoff(Failure::new(reason, Retry::Backoff, &error))
            }
        }
    }

    async fn finish(
        &self,
        state: &mut State<K>,
        status: Option<StatusOf<K>>,
        finalizer: Finalizer,
    ) -> Result<(), ReportError> {
        match finalizer {
            Finalizer::Keep => {}
            Finalizer::Add => self.change_finalizer(state, true).await?,
            Finalizer::Remove => {
                self.change_finalizer(state, false).await?;
                if state.finalizers.as_ref().is_none_or(Vec::is_empty) {
                    // The object is gone without finalizers, and its status with it.
                    return Ok(());
                }
            }
        }
        match status {
            Some(status) => self.write(state, to_value(&status)).await,
            None => Ok(()),
        }
    }

    async fn write(&self, state: &mut State<K>, mut wanted: Value) -> Result<(), ReportError> {
        if state.is_outdated {
            return Err(ReportError::Conflict);
        }
        for _ in 0..MAX_CONFLICTS {
            let Some(patch) = StatusPatch::between(&state.known.value(), &wanted) else {
                return Ok(());
            };
            let uid = self.uid.as_deref();
            let body = patch.body(uid, state.resource_version.as_deref());
            match self.reporter.patch(&self.key, Some("status"), &body).await {
                Ok(meta) => {
                    state.not_before = Some(Instant::now() + PROGRESS_INTERVAL);
                    state.known = StatusText::new(&wanted);
                    state.unanswered.clear();
                    self.record_write(state, &meta);
                    return Ok(());
                }
                Err(ReportError::Conflict) => {
                    state.unanswered.push(StatusText::new(&wanted));
                    self.reread(state).await?;
                    wanted = rebase(&wanted, &state.known.value(), self.reporter.owned());
                }
                Err(error) => {
                    state.unanswered.push(StatusText::new(&wanted));
                    return Err(error);
                }
            }
        }
        Err(ReportError::Conflict)
    }

    async fn change_finalizer(
        &self,
        state: &mut State<K>,
        wanted: bool,
    ) -> Result<(), ReportError> {
        if state.is_outdated {
            return Err(ReportError::Conflict);
        }
        for _ in 0..MAX_CONFLICTS {
            let own = self.reporter.finalizer();
            let mut finalizers = state.finalizers.clone().unwrap_or_default();
            if finalizers.iter().any(|finalizer| finalizer == own) == wanted {
                return Ok(());
            }
            if wanted {
                finalizers.push(own.to_owned());
            } else {
                finalizers.retain(|finalizer| finalizer != own);
            }
            let body = json!({ "metadata": {
                "uid": self.uid,
                "resourceVersion": state.resource_version,
                "finalizers": finalizers,
            } });
            match self.reporter.patch(&self.key, None, &body).await {
                Ok(meta) => {
                    self.record_write(state, &meta);
                    return Ok(());
                }
                // The object is gone, as intended.
                Err(ReportError::Gone) if !wanted => {
                    return Err(ReportError::Gone);
                }
                // Both directions depend on the status: the removal on the objects to clean up, and
                // work after an addition on the objects that exist.
                Err(ReportError::Conflict) => self.reread(state).await?,
                Err(error) => return Err(error),
            }
        }
        Err(ReportError::Conflict)
    }

    /// Records the response to a write, and puts it into the store for the next run.
    fn record_write(&self, state: &mut State<K>, meta: &ObjectMeta) {
        state.resource_version.clone_from(&meta.resource_version);
        state.finalizers.clone_from(&meta.finalizers);
        // Other metadata of the response may belong to a newer spec. The watch delivers both.
        let read = state.read.meta();
        let is_same_spec = read.generation == meta.generation
            && read_annotations(read).eq(read_annotations(meta))
            && read.labels == meta.labels;
        if !is_same_spec {
            return;
        }
        let mut object = K::clone(&state.read);
        if let Some(status) = state.known.status() {
            *object.status_mut() = Some(status);
        }
        let own = object.meta_mut();
        own.resource_version.clone_from(&meta.resource_version);
        own.finalizers.clone_from(&meta.finalizers);
        own.deletion_timestamp.clone_from(&meta.deletion_timestamp);
        self.reporter.update_store(Arc::new(object));
    }

    /// Reads the live state, unless another writer has worked meanwhile. The live status may be one
    /// that this run sent: its response was lost, or the request was sent twice.
    async fn reread(&self, state: &mut State<K>) -> Result<(), ReportError> {
        let live = self.reporter.get(&self.key).await?;
        if live.uid() != self.uid {
            return Err(ReportError::Gone);
        }
        let known = status_value(&live);
        let is_same = |sent: &StatusText| is_same_work(&sent.value(), &known);
        if !is_same(&state.known) && !state.unanswered.iter().any(is_same) {
            state.is_outdated = true;
            return Err(ReportError::Conflict);
        }
        state.known = StatusText::new(&known);
        state.unanswered.clear();
        state
            .resource_version
            .clone_from(&live.meta().resource_version);
        state.finalizers.clone_from(&live.meta().finalizers);
        state.read = Arc::new(live);
        Ok(())
    }
}

/// The annotations without those that a watch drops.
fn read_annotations(meta: &ObjectMeta) -> impl Iterator<Item = (&String, &String)> {
    meta.annotations
        .iter()
        .flatten()
        .filter(|(key, _)| *key != LAST_APPLIED)
}

fn status_value<K: Kind>(object: &K) -> Value {
    object.status().map_or_else(|| json!({}), to_value)
}

fn to_value<S: serde::Serialize>(status: &S) -> Value {
    serde_json::to_value(status).expect("a status has string keys and finite numbers")
}
