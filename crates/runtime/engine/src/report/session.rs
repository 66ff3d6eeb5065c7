//! The writes of one run: progress, records, the finalizer and the end, one after
//! another, each against what the API server is known to have.

use std::convert::Infallible;
use std::sync::{self, Arc, MutexGuard, PoisonError};
use std::time::Duration;

use k8s_openapi::apimachinery::pkg::apis::meta::v1::ObjectMeta;
use kube::ResourceExt;
use serde::de::DeserializeOwned;
use serde_json::{Value, json};
use sluice_api::meta::FINALIZER;
use tokio::sync::{Mutex, Notify};
use tokio::time::Instant;

use super::patch::{StatusPatch, is_new_state, is_same_work, rebase, says_nothing};
use super::{ReportError, Reporter};
use crate::key::ObjectKey;
use crate::kind::{Kind, StatusOf};
use crate::reconcile::{Failure, Finalizer, Notice, Outcome, Requeue, Retry};
use crate::watch::decode::LAST_APPLIED;

/// Messages younger than this are usually overtaken by the next one.
const HOLD_BACK: Duration = Duration::from_millis(250);
/// Nothing is said of an object for this long when nothing was ever said: most are done by then,
/// and where many are made at once, the first words of each slow down all the others.
const FIRST_WORDS: Duration = Duration::from_secs(3);

/// Why a status that was kept can be read.
const OWN_TEXT: &str = "it was written by the same library";

/// How often a write is tried again after somebody else wrote in between.
const MAX_CONFLICTS: usize = 8;

/// See the module's documentation.
pub(crate) struct Session<K: Kind> {
    reporter: Arc<Reporter<K>>,
    key: ObjectKey,
    uid: Option<String>,
    /// What the run began with, and what notices are about; the version may be older than what is
    /// written.
    object: Arc<K>,
    state: Mutex<State<K>>,
    /// What is to be shown and was not yet.
    held: sync::Mutex<Option<StatusText>>,
    /// Something new is.
    holding: Notify,
}

struct State<K: Kind> {
    /// The object as it was read. What was written since is beside it and not in a copy of it: a
    /// thousand runs may wait at once.
    read: Arc<K>,
    /// Its version, as far as we know.
    resource_version: Option<String>,
    /// Its finalizers, as they are there.
    finalizers: Option<Vec<String>>,
    /// Its status, as it is there.
    known: StatusText,
    /// What was sent of which it is not known whether it was taken.
    unanswered: Vec<StatusText>,
    /// Until when messages are held back.
    quiet: Option<Instant>,
    /// Whether somebody else did work of the same kind as ours (a run that this one did not see
    /// yet, a leader before us). What this run found out rests on an old status and must not
    /// replace theirs: it writes nothing any more, and the next one starts from what there is.
    overtaken: bool,
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
        let quiet = says_nothing(&known).then(|| Instant::now() + FIRST_WORDS);
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
                quiet,
                overtaken: false,
                ended: false,
            }),
            held: sync::Mutex::default(),
            holding: Notify::new(),
        })
    }

    /// See [`crate::Run::object`].
    pub(crate) fn object(&self) -> Arc<K> {
        Arc::clone(&self.object)
    }

    pub(crate) fn notify(&self, notice: Notice) {
        self.reporter.notify(&self.object, notice);
    }

    /// See [`crate::Run::progress`].
    pub(crate) fn progress(&self, status: &StatusOf<K>) {
        self.hold(Some(StatusText::new(&to_value(status))));
        self.holding.notify_one();
    }

    /// Holds this back in the place of what was held back, which is older.
    fn hold(&self, shown: Option<StatusText>) -> Option<StatusText> {
        std::mem::replace(&mut self.held(), shown)
    }

    fn held(&self) -> MutexGuard<'_, Option<StatusText>> {
        self.held.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn holds_back(&self) -> bool {
        self.held().is_some()
    }

    /// See [`crate::Run::record`].
    pub(crate) async fn record(&self, status: &StatusOf<K>) -> Result<(), ReportError> {
        self.hold(None);
        let mut state = self.state.lock().await;
        self.write(&mut state, to_value(status)).await
    }

    /// Writes what is held back when its time and its turn have come, for as long as this is
    /// polled.
    ///
    /// It is a part of the run and no task of its own: a run that is dropped because its
    /// lease was lost writes nothing from that moment on.
    pub(crate) async fn keep_flushing(&self) -> Infallible {
        loop {
            self.holding.notified().await;
            while self.holds_back() {
                if let Some(quiet) = self.quiet().await {
                    tokio::select! {
                        () = tokio::time::sleep_until(quiet) => {}
                        // What is to be shown now may be more urgent.
                        () = self.holding.notified() => {}
                    }
                    continue;
                }
                let _turn = self.reporter.turn_to_show().await;
                // That took a while: the run may have written what is newer, or have ended, and is
                // at it perhaps. Others are not to wait for that.
                if self.holds_back() && self.quiet().await.is_none() {
                    Box::pin(self.flush()).await;
                }
            }
        }
    }

    /// Until when what is held back is to stay so, if its time has not come.
    async fn quiet(&self) -> Option<Instant> {
        let state = self.state.lock().await;
        let quiet = state.quiet.filter(|quiet| *quiet > Instant::now())?;
        let known = state.known.value();
        drop(state);
        let wanted = self.held().as_ref()?.value();
        (says_nothing(&known) || !is_new_state(&known, &wanted)).then_some(quiet)
    }

    async fn flush(&self) {
        let mut state = self.state.lock().await;
        let held = self.hold(None);
        if state.ended {
            return;
        }
        if let Some(held) = held
            && let Err(error) = self.write(&mut state, held.value()).await
        {
            // Only a message; whatever ails the API server will meet the next write.
            tracing::debug!(error = %sluice_golang::error::chain(&error), "progress was not shown");
        }
    }

    /// See [`crate::Run::ensure_finalizer`].
    pub(crate) async fn ensure_finalizer(&self) -> Result<(), ReportError> {
        let mut state = self.state.lock().await;
        self.change_finalizer(&mut state, true).await
    }

    /// Ends the run: finalizer, status, notices. What could not be written makes the
    /// run a failure that is tried again.
    pub(crate) async fn conclude(&self, outcome: Outcome<StatusOf<K>>) -> Requeue {
        let Outcome {
            status,
            finalizer,
            notices,
            next,
        } = outcome;
        self.hold(None);
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
                Requeue::Backoff(Failure::new("PatchOperationFailed", Retry::Backoff, &error))
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
                    // Nothing holds the object any longer: there is no status to write.
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
        if state.overtaken {
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
                    state.quiet = Some(Instant::now() + HOLD_BACK);
                    state.known = StatusText::new(&wanted);
                    state.unanswered.clear();
                    self.wrote(state, &meta);
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
        if state.overtaken {
            return Err(ReportError::Conflict);
        }
        for _ in 0..MAX_CONFLICTS {
            let mut finalizers = state.finalizers.clone().unwrap_or_default();
            if finalizers.iter().any(|finalizer| finalizer == FINALIZER) == wanted {
                return Ok(());
            }
            if wanted {
                finalizers.push(FINALIZER.to_owned());
            } else {
                finalizers.retain(|finalizer| finalizer != FINALIZER);
            }
            let body = json!({ "metadata": {
                "uid": self.uid,
                "resourceVersion": state.resource_version,
                "finalizers": finalizers,
            } });
            match self.reporter.patch(&self.key, None, &body).await {
                Ok(meta) => {
                    self.wrote(state, &meta);
                    return Ok(());
                }
                // Gone is what the removal was for.
                Err(ReportError::Gone) if !wanted => {
                    return Err(ReportError::Gone);
                }
                // Letting go rests on what the status said was there to clean up, and work after
                // an addition on what it said was there to begin with.
                Err(ReportError::Conflict) => self.reread(state).await?,
                Err(error) => return Err(error),
            }
        }
        Err(ReportError::Conflict)
    }

    /// Takes over what a write answered, and lets the next run see it.
    fn wrote(&self, state: &mut State<K>, meta: &ObjectMeta) {
        state.resource_version.clone_from(&meta.resource_version);
        state.finalizers.clone_from(&meta.finalizers);
        // Anything else in the answer's metadata may belong to a spec we have not
        // seen; the watch brings both together.
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
        self.reporter.wrote(Arc::new(object));
    }

    /// Takes over what the API server has, unless somebody else has worked meanwhile. What is there
    /// may be our own: an answer that was lost, a request that was carried out twice.
    async fn reread(&self, state: &mut State<K>) -> Result<(), ReportError> {
        let live = self.reporter.get(&self.key).await?;
        if live.uid() != self.uid {
            return Err(ReportError::Gone);
        }
        let known = status_value(&live);
        let is_ours = |ours: &StatusText| is_same_work(&ours.value(), &known);
        if !is_ours(&state.known) && !state.unanswered.iter().any(is_ours) {
            state.overtaken = true;
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

/// The annotations that are kept of what is watched; the server answers with all of them.
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
    serde_json::to_value(status).expect("a status has string keys and no non-finite numbers")
}
