//! Reconciles `HelmRelease`s.
//!
//! ```text
//! spec      the parsed spec                                              pure
//! model     the steps, their reports, and the facts                      data
//! observe   the chart object, the dependencies, the source               reads only
//! plan      the chart object, the source, the chart, then the release    pure
//! state     the state of the release                                     pure
//! journal   records of a run that was killed                             pure
//! next      the action for the state                                     pure
//! recheck   releases that become healthy after their last retry          pure
//! perform   one step: read, load, compare, act
//! steps     the effect of a step on the facts                            pure
//! results   the effect of an action on the status                        pure
//! conclude  conditions, events, requeue                                  pure
//! ```
//!
//! A run repeats: determine the state, perform the action for it. It ends when the release is in
//! sync, when an action type would repeat, or after a remediation. The status names the action
//! before it begins. A record that a killed process left pending is unlocked by the next run.
//!
//! `draft` is the status during a run. Only `steps` and `conclude` change it. Waits hold no worker,
//! and charts render on blocking threads.

mod chart_object;
mod conclude;
mod controller;
mod digest;
mod draft;
mod drift;
mod fault;
mod history;
mod journal;
mod messages;
mod model;
mod next;
mod observe;
mod options;
mod perform;
mod plan;
mod policy;
mod recheck;
mod results;
mod session;
mod source;
mod spec;
mod state;
mod steps;
mod strategy;
mod watches;

use std::sync::Arc;
use std::time::Duration;

use sluice_api::helm::{HelmRelease, HelmReleaseStatus};
use sluice_consumer::WaitingObjects;
use sluice_engine::{Decision, End, ObjectKey, Outcome, Progress, Reconciler, Run, Times};

pub(crate) use controller::controller;
use fault::Fault;
use model::Step;
use observe::Sources;
use perform::{Performer, RunState};
use policy::Policy;

/// Reconciles `HelmRelease`s.
pub(crate) struct HelmReleaseReconciler {
    policy: Arc<Policy>,
    sources: Sources,
    performer: Performer,
    waiting: WaitingObjects,
}

impl Reconciler for HelmReleaseReconciler {
    type Object = HelmRelease;
    type Facts = RunState;
    type Step = Step;
    type Fault = Fault;

    async fn observe(&self, object: &Arc<HelmRelease>, run: &Run<HelmRelease>) -> RunState {
        RunState::new(observe::observe(self, object, run))
    }

    fn plan(&self, object: &HelmRelease, state: &RunState) -> Decision<Step, Fault> {
        plan::plan(object, &state.facts)
    }

    fn progress(
        &self,
        _object: &Arc<HelmRelease>,
        state: &RunState,
        step: &Step,
        times: Times,
    ) -> Progress<HelmReleaseStatus> {
        conclude::progress(&state.facts, step, times)
    }

    fn time_limit(&self, object: &HelmRelease, _: &Self::Facts, step: &Step) -> Duration {
        step.time_limit(&object.spec)
    }

    async fn perform(
        &self,
        step: Step,
        object: &Arc<HelmRelease>,
        state: &mut RunState,
        run: &Run<HelmRelease>,
    ) -> Result<(), Fault> {
        steps::begin(&mut state.facts, &step, run.times().now);
        let report = Box::pin(perform::perform(self, step, object, state, run)).await?;
        let ended = steps::end(&mut state.facts, report, run.times().now);
        for notice in state.facts.draft.notices.drain(..) {
            run.notify(notice);
        }
        ended
    }

    fn ended(&self, key: &ObjectKey, end: &End<RunState, Fault>) {
        // Waiting objects are added before their dependencies are read.
        let is_waiting = matches!(end, End::Stopped(_, fault) if fault.is_for_dependencies());
        if !is_waiting {
            self.waiting.remove(key);
        }
    }

    fn conclude(
        &self,
        object: &HelmRelease,
        end: End<RunState, Fault>,
        times: Times,
    ) -> Outcome<HelmReleaseStatus> {
        conclude::conclude(object, end.map(|state| state.facts), times)
    }

    fn forget(&self, key: &ObjectKey) {
        self.performer.metrics.forget(key);
        self.waiting.remove(key);
    }
}

#[cfg(test)]
mod tests;
