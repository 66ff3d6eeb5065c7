//! The reconciler of every kind of source.
//!
//! [`SourceReconciler`] removes the artifacts of a deleted object, checks the stored artifact and
//! waits for the first round. A [`SourceKind`] adds its spec, its steps and their facts. Each of
//! its files implements one trait of `model`: `spec.rs` [`SourceSpec`], `plan.rs` [`Plan`],
//! `perform.rs` [`Perform`] and `conclude.rs` [`Conclude`]. The pure ones see the run as a
//! [`Source`].

mod conclude;
mod model;
mod plan;

use std::sync::Arc;
use std::time::Duration;

use sluice_client::typed::HasStatus;
use sluice_engine::{
    Decision, End, MAX_STEP_TIME, ObjectKey, Outcome, Progress, Reconciler, Run, StatusOf, Times,
};
use sluice_producer::{StorageFailure, TidyReport};

use crate::draft::SourceStatus;
use crate::fault::Fault;
use crate::retry_after::RetryAfterLimit;
use crate::timing;
#[cfg(test)]
pub(crate) use conclude::begin;
pub(crate) use conclude::{conclude, finish_deletion, owned_conditions, progress};
pub(crate) use model::{
    Conclude, Facts, Perform, Plan, Source, SourceKind, SourceSpec, SourceTypes, Step,
};
pub(crate) use plan::plan;

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
            ..Facts::<K>::new(object, !run.cause().is_timer())
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

    fn time_limit(&self, _: &K::Object, facts: &Facts<K>, _: &Step<K::Step>) -> Duration {
        let timeout = facts.spec.as_ref().map_or(MAX_STEP_TIME, K::Spec::timeout);
        timing::step_limit(timeout)
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
