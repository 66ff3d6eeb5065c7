//! The one shape of a reconciler, and the loop that joins its parts.
//!
//! ```text
//! observe   async  reads only                       the facts, as data
//! plan      pure   object, facts                    the next step, or the end
//! perform   async  one step, bounded                adds its result to the facts
//! ended            key, end                         notes of the reconciler for its next runs
//! conclude  pure   object, end, times               status, notices, requeue
//! ```
//!
//! [`Reconciliation`] repeats `plan` and `perform` until the plan has no step or a step fails. It
//! owns suspension, the finalizer, handled requests and progress, so no kind writes them again.
//!
//! A reconciler may keep notes between runs, such as a cache or a count of failures. Only `perform`
//! and `ended` write them. The one exception is a subscription to what `observe` reads, because a
//! later subscription would miss a change.

use std::future::Future;
use std::pin::pin;
use std::sync::Arc;
use std::time::Duration;

use jiff::Timestamp;
use kube::Resource;
use kube::core::object::HasStatus;
use sluice_api::meta::{HandledRequest, ToolkitResource, reason};
use sluice_golang::duration::GoDuration;
use sluice_system::timed;

use crate::key::ObjectKey;
use crate::kind::{Kind, StatusOf};
use crate::outcome::{Failure, Finalizer, Outcome, Requeue, Retry};
use crate::report::ReportError;
use crate::request;
use crate::run::{Run, Times};
use crate::runner::Runner;

/// Delay before a slow step reports progress. Most steps end sooner, and an extra write would add
/// load when the API server is already slow.
const SLOW_STEP: Duration = Duration::from_secs(2);

/// The most time that a step may take, unless its kind says otherwise.
pub const MAX_STEP_TIME: Duration = Duration::from_hours(1);

/// A step that the engine ended at its time limit.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("the step exceeds its time limit of {}", GoDuration::from_std(*limit))]
pub struct StepTimeout {
    /// See [`Reconciler::time_limit`].
    pub limit: Duration,
}

/// The reconciliation of one kind, in parts.
pub trait Reconciler: Send + Sync + 'static {
    /// The kind.
    type Object: Kind + ToolkitResource + HasStatus<Status: HandledRequest>;
    /// The state that the plan depends on. Steps add their results.
    type Facts: Send;
    /// One step, with all of its decisions made.
    type Step: Send;
    /// The reason why a run ended early.
    type Fault: From<ReportError> + From<StepTimeout> + Send;

    /// The finalizer that this controller puts on its objects.
    const FINALIZER: &'static str = sluice_api::meta::FINALIZER;

    /// Reads the facts for the first plan, without effects. Read errors are facts too. It may
    /// subscribe to changes of what it reads.
    fn observe(
        &self,
        object: &Arc<Self::Object>,
        run: &Run<Self::Object>,
    ) -> impl Future<Output = Self::Facts> + Send;

    /// Decides the next step. Pure: the same inputs yield the same step.
    fn plan(&self, object: &Self::Object, facts: &Self::Facts)
    -> Decision<Self::Step, Self::Fault>;

    /// The status to show while a step works. Pure.
    fn progress(
        &self,
        _object: &Arc<Self::Object>,
        _facts: &Self::Facts,
        _step: &Self::Step,
        _times: Times,
    ) -> Progress<StatusOf<Self::Object>> {
        Progress::Silent
    }

    /// The most time that a step may take. The engine drops a step that takes longer, whatever it
    /// waits for: a server that sends a byte per second, or a thread that computes. Pure.
    fn time_limit(
        &self,
        _object: &Self::Object,
        _facts: &Self::Facts,
        _step: &Self::Step,
    ) -> Duration {
        MAX_STEP_TIME
    }

    /// Performs one step and adds its result to the facts.
    fn perform(
        &self,
        step: Self::Step,
        object: &Arc<Self::Object>,
        facts: &mut Self::Facts,
        run: &Run<Self::Object>,
    ) -> impl Future<Output = Result<(), Self::Fault>> + Send;

    /// Notes how a run ended, for the next runs of this object or of others.
    fn ended(&self, _key: &ObjectKey, _end: &End<Self::Facts, Self::Fault>) {}

    /// Computes the result of the run. Pure. The engine adds the finalizer and the handled request.
    fn conclude(
        &self,
        object: &Self::Object,
        end: End<Self::Facts, Self::Fault>,
        times: Times,
    ) -> Outcome<StatusOf<Self::Object>>;

    /// Drops cached data of an object that no longer exists.
    fn forget(&self, _key: &ObjectKey) {}
}

/// The next step of a run, or its end.
#[derive(Debug, Clone, PartialEq)]
pub enum Decision<Step, Fault> {
    /// A step remains.
    Work(Step),
    /// No step remains. Of an object in deletion: the finalizer goes.
    Settled,
    /// The run cannot go on.
    Stop(Fault),
}

/// How a run ended.
#[derive(Debug, Clone, PartialEq)]
pub enum End<Facts, Fault> {
    /// The object is suspended. Nothing was observed.
    Suspended,
    /// All steps were performed.
    Settled(Facts),
    /// A plan or a step failed.
    Stopped(Facts, Fault),
}

impl<Facts, Fault> End<Facts, Fault> {
    /// Converts the facts.
    pub fn map<F>(self, convert: impl FnOnce(Facts) -> F) -> End<F, Fault> {
        match self {
            Self::Suspended => End::Suspended,
            Self::Settled(facts) => End::Settled(convert(facts)),
            Self::Stopped(facts, fault) => End::Stopped(convert(facts), fault),
        }
    }
}

/// How a status is shown while a step works.
pub enum Progress<S> {
    /// Not at all.
    Silent,
    /// In the background, at once.
    Show(S),
    /// In the background, if the step takes longer than two seconds. The status is computed then,
    /// because thousands of runs may be in a step.
    WhenSlow(Box<dyn FnOnce(Timestamp) -> S + Send>),
    /// Before the step begins. The step is not performed if the write fails.
    Record(S),
}

/// Runs a [`Reconciler`] as a [`Runner`].
#[derive(Debug)]
pub struct Reconciliation<R>(R);

impl<R: Reconciler> Reconciliation<R> {
    /// Wraps a reconciler.
    pub fn new(reconciler: R) -> Self {
        Self(reconciler)
    }

    /// Alternates plans and steps until the run ends. Fails only without the finalizer.
    async fn work(
        &self,
        object: &Arc<R::Object>,
        run: &Run<R::Object>,
    ) -> Result<End<R::Facts, R::Fault>, ReportError> {
        let mut facts = timed(self.0.observe(object, run)).await;
        let mut needs_finalizer = !is_in_deletion(object.as_ref());
        loop {
            let step = match self.0.plan(object, &facts) {
                Decision::Work(step) => step,
                Decision::Settled => return Ok(End::Settled(facts)),
                Decision::Stop(fault) => return Ok(End::Stopped(facts, fault)),
            };
            if needs_finalizer {
                // The finalizer must exist before the first effect that it has to undo.
                Box::pin(run.ensure_finalizer()).await?;
                needs_finalizer = false;
            }
            if let Err(fault) = self.step(step, object, &mut facts, run).await {
                return Ok(End::Stopped(facts, fault));
            }
        }
    }

    /// Performs one step and shows its progress.
    async fn step(
        &self,
        step: R::Step,
        object: &Arc<R::Object>,
        facts: &mut R::Facts,
        run: &Run<R::Object>,
    ) -> Result<(), R::Fault> {
        let slow_status = match self.0.progress(object, facts, &step, run.times()) {
            Progress::Silent => None,
            Progress::Show(status) => {
                run.progress(&status);
                None
            }
            Progress::Record(status) => {
                Box::pin(run.record(&status)).await?;
                None
            }
            Progress::WhenSlow(status) => Some(status),
        };
        let limit = self.0.time_limit(object, facts, &step);
        let performing = timed(self.0.perform(step, object, facts, run));
        let mut performing = pin!(end_within(limit, performing));
        if let Some(status) = slow_status {
            if let Ok(performed) = tokio::time::timeout(SLOW_STEP, &mut performing).await {
                return performed;
            }
            run.progress(&status(run.times().now));
        }
        performing.await
    }
}

impl<R: Reconciler> Runner for Reconciliation<R> {
    type Object = R::Object;

    const FINALIZER: &'static str = R::FINALIZER;

    async fn run(
        &self,
        object: Arc<R::Object>,
        run: &Run<R::Object>,
    ) -> Outcome<StatusOf<R::Object>> {
        let is_asleep = object.suspended() && !is_in_deletion(object.as_ref());
        let end = if is_asleep {
            End::Suspended
        } else {
            match timed(self.work(&object, run)).await {
                Ok(end) => end,
                Err(error) => return Outcome::untouched(requeue_unreported(&error)),
            }
        };
        self.0.ended(run.key(), &end);
        let has_settled = matches!(end, End::Settled(_));
        let outcome = self.0.conclude(&object, end, run.times());
        complete(object.as_ref(), has_settled, outcome)
    }

    fn forget(&self, key: &ObjectKey) {
        self.0.forget(key);
    }
}

/// Performs a step, and drops it at its time limit.
async fn end_within<F>(
    limit: Duration,
    performing: impl Future<Output = Result<(), F>>,
) -> Result<(), F>
where
    F: From<StepTimeout>,
{
    let performed = tokio::time::timeout(limit, performing).await;
    performed.unwrap_or_else(|_| Err(StepTimeout { limit }.into()))
}

/// Adds the finalizer and the handled request to an outcome.
///
/// An outcome without a status leaves an object as it is, unless a deletion has settled.
fn complete<K>(
    object: &K,
    has_settled: bool,
    mut outcome: Outcome<StatusOf<K>>,
) -> Outcome<StatusOf<K>>
where
    K: ToolkitResource + HasStatus<Status: HandledRequest>,
{
    if is_in_deletion(object) {
        if has_settled {
            outcome.finalizer = Finalizer::Remove;
        }
    } else if outcome.status.is_some() {
        outcome.finalizer = Finalizer::Add;
    }
    if let Some(status) = &mut outcome.status {
        status.set_handled_request(request::handled(object));
    }
    outcome
}

/// The requeue after the finalizer could not be written.
fn requeue_unreported(error: &ReportError) -> Requeue {
    match error {
        ReportError::Gone => Requeue::Never,
        error => Failure::new(reason::PATCH_OPERATION_FAILED, Retry::Backoff, error).requeue(),
    }
}

fn is_in_deletion(object: &impl Resource) -> bool {
    object.meta().deletion_timestamp.is_some()
}

#[cfg(test)]
mod tests;
