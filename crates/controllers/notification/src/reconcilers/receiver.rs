//! Reconciles a Receiver: checks its spec, reads its token and publishes its path.
//!
//! Parity: notification-controller: `internal/controller/receiver_controller.go`.

mod conclude;
mod fault;
mod model;
mod observe;
mod perform;
mod plan;
mod spec;

use std::sync::Arc;

use sluice_api::notification::{Receiver, ReceiverStatus};
use sluice_engine::{Decision, End, Outcome, Reconciler, Run, Times};
use sluice_host::Secrets;

use fault::Fault;
use model::{Facts, Step};

/// The conditions that the controller sets.
pub(crate) const CONDITIONS: [&str; 3] = ["Ready", "Reconciling", "Stalled"];

/// Reconciles Receivers.
pub(crate) struct ReceiverReconciler {
    pub(crate) secrets: Secrets,
}

impl Reconciler for ReceiverReconciler {
    type Object = Receiver;
    type Facts = Facts;
    type Step = Step;
    type Fault = Fault;

    async fn observe(&self, receiver: &Arc<Receiver>, _: &Run<Receiver>) -> Facts {
        observe::observe(receiver)
    }

    fn plan(&self, receiver: &Receiver, facts: &Facts) -> Decision<Step, Fault> {
        plan::plan(receiver, facts)
    }

    async fn perform(
        &self,
        step: Step,
        receiver: &Arc<Receiver>,
        facts: &mut Facts,
        _: &Run<Receiver>,
    ) -> Result<(), Fault> {
        perform::perform(self, step, receiver, facts).await
    }

    fn conclude(
        &self,
        receiver: &Receiver,
        end: End<Facts, Fault>,
        times: Times,
    ) -> Outcome<ReceiverStatus> {
        conclude::conclude(receiver, end, times)
    }
}

#[cfg(test)]
mod tests;
