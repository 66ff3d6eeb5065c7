//! The reconciler of every kind of source.
//!
//! [`SourceReconciler`] removes the artifacts of a deleted object, checks the stored artifact and
//! waits for the first round. A [`SourceKind`] adds its spec, its steps and their facts. Each of its
//! files implements one trait: `spec.rs` [`SourceSpec`], `plan.rs` [`Plan`], `perform.rs`
//! [`Perform`] and `conclude.rs` [`Conclude`]. The pure ones see the run as a [`Source`].

use std::future::Future;
use std::sync::Arc;
use std::time::Duration;

use jiff::Timestamp;
use kube::Resource;
use kube::core::object::HasStatus;
use sluice_api::Artifact;
use sluice_api::meta::condition::{READY, RECONCILING, STALLED};
use sluice_api::meta::{HandledRequest, ToolkitResource, reason};
use sluice_engine::conditions::Table;
use sluice_engine::request::is_requested;
use sluice_engine::{
    Decision, End, Failure, Kind, Notice, ObjectKey, Outcome, Progress, Reconciler, Requeue, Retry,
    Run, StatusOf, Times,
};
use sluice_producer::{KindStorage, StorageFailure, TidyReport};

use crate::draft::{Draft, SourceStatus, is_edited};
use crate::fault::Fault;
use crate::retry_after::RetryAfterLimit;

/// The types of one kind of source. Its files implement the traits below.
pub(crate) trait SourceTypes: Sized + Send + Sync + 'static {
    /// The kind in the API.
    type Object: Kind + ToolkitResource + HasStatus<Status: SourceStatus + HandledRequest>;
    /// The parsed spec.
    type Spec: SourceSpec<Object = Self::Object>;
    /// One step, with all of its decisions made.
    type Step: Copy + Send;
    /// The results of the steps so far.
    type Facts: Default + Send + Sync;

    /// The conditions that `Ready` summarizes.
    const CONDITIONS: Table;
}

/// The parsed spec of a kind. Pure.
pub(crate) trait SourceSpec: Sized + Send + Sync {
    /// The kind in the API.
    type Object;

    /// Parses the spec.
    fn parse(object: &Self::Object) -> Result<Self, Failure>;

    /// The poll interval. Zero disables polling.
    fn interval(&self) -> Duration;
}

/// The decisions of a kind. Pure.
pub(crate) trait Plan: SourceTypes {
    /// The next step, or `None` if the source is up to date.
    fn plan(source: &Source<'_, Self>) -> Option<Self::Step>;
}

/// The effects of a kind.
pub(crate) trait Perform: SourceTypes {
    /// Performs one step and adds its result to the facts.
    fn perform(
        &self,
        step: Self::Step,
        object: &Self::Object,
        spec: &Self::Spec,
        facts: &mut Self::Facts,
        run: &Run<Self::Object>,
    ) -> impl Future<Output = Result<(), Fault>> + Send;
}

/// The statuses of a kind. Pure.
pub(crate) trait Conclude: SourceTypes {
    /// Whether the status is shown while a step works.
    fn is_shown(source: &Source<'_, Self>, step: Self::Step) -> bool;

    /// Applies the spec to a new draft, for example its warnings.
    fn apply_spec(_object: &Self::Object, _draft: &mut Draft<StatusOf<Self::Object>>) {}

    /// Applies the facts to a draft, except for a new artifact.
    fn apply_facts(source: &Source<'_, Self>, draft: &mut Draft<StatusOf<Self::Object>>);

    /// Applies the result of a successful run to a draft.
    fn apply_result(source: &Source<'_, Self>, draft: &mut Draft<StatusOf<Self::Object>>);
}

/// One kind of source.
pub(crate) trait SourceKind: Plan + Perform + Conclude {
    /// The storage of the kind.
    fn source_storage(&self) -> &KindStorage;

    /// Drops cached data of an object that no longer exists.
    fn forget(&self, _key: &ObjectKey) {}
}

/// A source with a valid spec during a run.
pub(crate) struct Source<'a, K: SourceTypes> {
    pub(crate) object: &'a K::Object,
    pub(crate) spec: &'a K::Spec,
    pub(crate) facts: &'a K::Facts,
    /// Whether the storage has no valid artifact of the object.
    is_lost: bool,
}

impl<'a, K: SourceTypes> Source<'a, K> {
    /// The artifact in the status, if the storage has it.
    pub(crate) fn artifact(&self) -> Option<&'a Artifact> {
        self.object.status().filter(|_| !self.is_lost)?.artifact()
    }

    /// Whether the status changes before the remote is contacted.
    pub(crate) fn has_news(&self) -> bool {
        self.is_lost || is_edited(self.object) || is_requested(self.object)
    }
}

/// One step of a run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Step<S> {
    /// Remove all artifacts of an object in deletion.
    Delete,
    /// Remove old artifacts and check the current one.
    Tidy,
    /// A step of the kind.
    Kind(S),
}

/// The results of the steps so far.
pub(crate) struct Facts<K: SourceTypes> {
    pub(crate) spec: Result<K::Spec, Fault>,
    /// Whether an edit or a request caused the run.
    pub(crate) is_prompt: bool,
    /// Number of consecutive earlier runs that ended with a delay that the remote asked for.
    pub(crate) delays: u32,
    /// Whether artifacts of an object in deletion were found and removed.
    pub(crate) deleted: Option<bool>,
    /// The state of the storage.
    pub(crate) tidied: Option<TidyReport>,
    /// The facts of the kind.
    pub(crate) own: K::Facts,
}

impl<K: SourceTypes> Facts<K> {
    /// The facts at the start of a run.
    pub(crate) fn new(object: &K::Object, is_prompt: bool) -> Self {
        Self {
            spec: K::Spec::parse(object).map_err(Fault::fetch),
            is_prompt,
            delays: 0,
            deleted: None,
            tidied: None,
            own: K::Facts::default(),
        }
    }

    /// The source, unless its spec is invalid.
    pub(crate) fn source<'a>(&'a self, object: &'a K::Object) -> Result<Source<'a, K>, &'a Fault> {
        Ok(Source {
            object,
            spec: self.spec.as_ref()?,
            facts: &self.own,
            is_lost: self.tidied.as_ref().is_some_and(TidyReport::is_lost),
        })
    }
}

/// The next step of a run.
pub(crate) fn plan<K: Plan>(
    object: &K::Object,
    facts: &Facts<K>,
) -> Decision<Step<K::Step>, Fault> {
    if object.meta().deletion_timestamp.is_some() {
        return match facts.deleted {
            None => Decision::Work(Step::Delete),
            Some(_) => Decision::Settled,
        };
    }
    if facts.tidied.is_none() {
        return Decision::Work(Step::Tidy);
    }
    match facts.source(object) {
        Ok(source) => {
            K::plan(&source).map_or(Decision::Settled, |step| Decision::Work(Step::Kind(step)))
        }
        Err(fault) => Decision::Stop(fault.clone()),
    }
}

/// The status to show while a step works.
pub(crate) fn progress<K: Conclude>(
    object: &K::Object,
    facts: &Facts<K>,
    step: Step<K::Step>,
    now: Timestamp,
    url: impl Fn(&str) -> String,
) -> Progress<StatusOf<K::Object>> {
    match (step, facts.source(object)) {
        (Step::Kind(step), Ok(source)) if K::is_shown(&source, step) => {
            Progress::Show(draft(object, facts, now, url).status())
        }
        _ => Progress::Silent,
    }
}

/// The result of a run.
pub(crate) fn conclude<K: Conclude>(
    object: &K::Object,
    end: End<Facts<K>, Fault>,
    times: Times,
    url: impl Fn(&str) -> String,
) -> Outcome<StatusOf<K::Object>> {
    let now = times.started;
    let is_deleted = object.meta().deletion_timestamp.is_some();
    match end {
        End::Suspended => begin::<K>(object, now, url).suspended(),
        End::Settled(facts) if is_deleted => finish_deletion(Ok(facts.deleted == Some(true))),
        End::Stopped(_, fault) if is_deleted => finish_deletion(Err(fault)),
        End::Settled(facts) => {
            let mut draft = draft(object, &facts, now, url);
            let mut interval = Duration::ZERO;
            if let Ok(source) = facts.source(object) {
                K::apply_result(&source, &mut draft);
                interval = source.spec.interval();
            }
            draft.done(interval)
        }
        End::Stopped(facts, fault) => draft(object, &facts, now, url).failed(fault),
    }
}

/// Ends the run of a deleted object: its finalizer goes after its files are removed.
pub(crate) fn finish_deletion<S>(deletion: Result<bool, Fault>) -> Outcome<S> {
    match deletion {
        Err(Fault { failure, .. }) => {
            let notice = Notice::error(failure.reason.clone(), failure.message.clone());
            let retry = Failure {
                retry: Retry::Backoff,
                ..failure
            };
            Outcome::untouched(retry.requeue()).with_notice(notice)
        }
        Ok(found) => {
            let outcome = Outcome::untouched(Requeue::Never);
            if found {
                outcome.with_notice(Notice::trace(
                    reason::GARBAGE_COLLECTION_SUCCEEDED,
                    "garbage collected artifacts for deleted resource",
                ))
            } else {
                outcome
            }
        }
    }
}

/// Begins a draft. `url` returns the current URL of a stored path.
pub(crate) fn begin<K: Conclude>(
    object: &K::Object,
    now: Timestamp,
    url: impl Fn(&str) -> String,
) -> Draft<StatusOf<K::Object>> {
    let mut draft = Draft::begin(object, K::CONDITIONS, now, url);
    if !object.suspended() {
        K::apply_spec(object, &mut draft);
    }
    draft
}

/// The draft after the steps so far, without the one that stores an artifact.
fn draft<K: Conclude>(
    object: &K::Object,
    facts: &Facts<K>,
    now: Timestamp,
    url: impl Fn(&str) -> String,
) -> Draft<StatusOf<K::Object>> {
    let mut draft = begin::<K>(object, now, url);
    draft.is_prompt = facts.is_prompt;
    if let Some(tidied) = &facts.tidied {
        draft.apply_tidy(tidied.clone());
    }
    if let Ok(source) = facts.source(object) {
        K::apply_facts(&source, &mut draft);
    }
    draft
}

/// The conditions that the controller of a kind owns.
pub(crate) fn owned_conditions<K: SourceTypes>() -> Vec<&'static str> {
    let summarized = K::CONDITIONS.iter().map(|(type_, _)| *type_);
    summarized.chain([READY, RECONCILING, STALLED]).collect()
}

/// Reconciles the objects of one kind.
pub(crate) struct SourceReconciler<K> {
    kind: K,
    retry_after: RetryAfterLimit,
}

impl<K: SourceKind> SourceReconciler<K> {
    /// `retry_delays` are the minimum and maximum back-off after a failure.
    pub(crate) fn new(kind: K, retry_delays: (Duration, Duration)) -> Self {
        let (least, most) = retry_delays;
        Self {
            kind,
            retry_after: RetryAfterLimit::new(least, most),
        }
    }

    fn url(&self) -> impl Fn(&str) -> String {
        |path| self.kind.source_storage().url(path)
    }

    /// Removes old artifacts of an object and checks the current one.
    async fn tidy(
        &self,
        object: &K::Object,
        spec: &Result<K::Spec, Fault>,
        run: &Run<K::Object>,
    ) -> Result<TidyReport, StorageFailure> {
        let source_storage = self.kind.source_storage();
        let artifact = object.status().and_then(SourceStatus::artifact);
        let tidying = source_storage.tidy(run.key(), artifact, run.started());
        match (tidying.await, spec) {
            // No run follows until an edit, so a lost artifact must not stay advertised.
            // The stall matters more than a failure to check.
            (Err(StorageFailure(error)), Err(_)) => {
                tracing::warn!(%error, "failed to check the storage of a stalled object");
                Ok(TidyReport::unknown())
            }
            (tidied, _) => tidied,
        }
    }
}

impl<K: SourceKind> Reconciler for SourceReconciler<K> {
    type Object = K::Object;
    type Facts = Facts<K>;
    type Step = Step<K::Step>;
    type Fault = Fault;

    async fn observe(&self, object: &Arc<K::Object>, run: &Run<K::Object>) -> Facts<K> {
        Facts {
            delays: self.retry_after.delays(run.key()),
            ..Facts::<K>::new(object, run.cause().is_prompt())
        }
    }

    fn plan(&self, object: &K::Object, facts: &Facts<K>) -> Decision<Step<K::Step>, Fault> {
        plan(object, facts)
    }

    fn progress(
        &self,
        object: &Arc<K::Object>,
        facts: &Facts<K>,
        step: &Step<K::Step>,
        times: Times,
    ) -> Progress<StatusOf<K::Object>> {
        progress::<K>(object, facts, *step, times.started, self.url())
    }

    async fn perform(
        &self,
        step: Step<K::Step>,
        object: &Arc<K::Object>,
        facts: &mut Facts<K>,
        run: &Run<K::Object>,
    ) -> Result<(), Fault> {
        let source_storage = self.kind.source_storage();
        // Also where the step panics, so that it does not delay the other objects.
        let _checked = source_storage.first_round.mark_on_drop(run.key());
        match step {
            Step::Delete => facts.deleted = Some(source_storage.delete(run.key()).await?),
            Step::Tidy => facts.tidied = Some(self.tidy(object, &facts.spec, run).await?),
            Step::Kind(step) => {
                source_storage.first_round.wait_for_others(run).await;
                let spec = facts.spec.as_ref().map_err(Clone::clone)?;
                let performing = self.kind.perform(step, object, spec, &mut facts.own, run);
                performing.await?;
            }
        }
        Ok(())
    }

    fn ended(&self, key: &ObjectKey, end: &End<Facts<K>, Fault>) {
        self.kind.source_storage().first_round.mark_checked(key);
        match end {
            End::Stopped(_, fault) if RetryAfterLimit::is_delay(fault) => {
                self.retry_after.count(key);
            }
            _ => self.retry_after.forget(key),
        }
    }

    fn conclude(
        &self,
        object: &K::Object,
        end: End<Facts<K>, Fault>,
        times: Times,
    ) -> Outcome<StatusOf<K::Object>> {
        let end = match end {
            End::Stopped(facts, fault) => {
                let fault = self.retry_after.bound_delay(fault, facts.delays);
                End::Stopped(facts, fault)
            }
            end => end,
        };
        conclude(object, end, times, self.url())
    }

    fn forget(&self, key: &ObjectKey) {
        self.kind.source_storage().first_round.mark_checked(key);
        self.retry_after.forget(key);
        self.kind.forget(key);
    }
}
