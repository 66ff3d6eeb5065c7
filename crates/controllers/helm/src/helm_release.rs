//! Reconciles `HelmRelease`s.
//!
//! ```text
//! spec      the parsed spec                                              pure
//! model     the steps, and the facts that they find                      data
//! plan      the chart object, the source, the chart, then the release    pure
//! state     the state of the release                                     pure
//! next      the action for the state                                     pure
//! perform   one step: read, load, compare, act
//! results   the effect of an action on the status                        pure
//! conclude  conditions, events, requeue                                  pure
//! ```
//!
//! A run repeats: determine the state, perform the action for it. It ends when the release is in
//! sync, when an action type would repeat, or after a remediation. The status names the action
//! before it begins. A record that a killed process left pending is unlocked by the next run.
//!
//! `draft` is the status during a run. Waits hold no worker, and charts render on blocking threads.

mod chart_object;
mod conclude;
mod controller;
mod digest;
mod draft;
mod drift;
mod fault;
mod history;
mod messages;
mod model;
mod next;
mod options;
mod perform;
mod plan;
mod policy;
mod results;
mod session;
mod source;
mod spec;
mod state;
mod strategy;
mod watches;

use std::sync::Arc;

use sluice_api::helm::{HelmRelease, HelmReleaseStatus};
use sluice_consumer::WaitingObjects;
use sluice_engine::{Decision, End, ObjectKey, Outcome, Progress, Reconciler, Run, Times};

pub(crate) use controller::controller;
use fault::Fault;
use model::{Facts, Step};
use perform::Performer;
use policy::Policy;

/// Reconciles `HelmRelease`s.
pub(crate) struct HelmReleaseReconciler {
    policy: Policy,
    performer: Performer,
    waiting: WaitingObjects,
}

impl Reconciler for HelmReleaseReconciler {
    type Object = HelmRelease;
    type Facts = Facts;
    type Step = Step;
    type Fault = Fault;

    async fn observe(&self, object: &Arc<HelmRelease>, run: &Run<HelmRelease>) -> Facts {
        Facts::begin(object, &self.policy, run.times().now)
    }

    fn plan(&self, object: &HelmRelease, facts: &Facts) -> Decision<Step, Fault> {
        plan::plan(object, &self.policy, facts)
    }

    fn progress(
        &self,
        _object: &Arc<HelmRelease>,
        facts: &Facts,
        step: &Step,
        times: Times,
    ) -> Progress<HelmReleaseStatus> {
        conclude::progress(facts, step, &self.policy, times)
    }

    async fn perform(
        &self,
        step: Step,
        object: &Arc<HelmRelease>,
        facts: &mut Facts,
        run: &Run<HelmRelease>,
    ) -> Result<(), Fault> {
        let performed = Box::pin(self.step(step, object, facts, run)).await;
        for notice in facts.draft.notices.drain(..) {
            run.notify(notice);
        }
        performed
    }

    fn ended(&self, key: &ObjectKey, end: &End<Facts, Fault>) {
        // Waiting objects are added before their dependencies are read.
        let reason = sluice_api::meta::reason::DEPENDENCY_NOT_READY;
        let is_waiting = matches!(end, End::Stopped(_, fault) if fault.reason == reason);
        if !is_waiting {
            self.waiting.remove(key);
        }
    }

    fn conclude(
        &self,
        object: &HelmRelease,
        end: End<Facts, Fault>,
        times: Times,
    ) -> Outcome<HelmReleaseStatus> {
        conclude::conclude(object, end, &self.policy, times)
    }

    fn forget(&self, key: &ObjectKey) {
        self.waiting.remove(key);
    }
}

#[cfg(test)]
mod tests;
