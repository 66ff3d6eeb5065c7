//! Decides the next step of a Receiver.

use sluice_api::notification::Receiver;
use sluice_engine::Decision;

use super::fault::Fault;
use super::model::{Facts, Step};

/// Returns the next step.
pub(super) fn plan(receiver: &Receiver, facts: &Facts) -> Decision<Step, Fault> {
    if receiver.metadata.deletion_timestamp.is_some() || facts.path.is_some() {
        return Decision::Settled;
    }
    match &facts.spec {
        Ok(spec) => Decision::Work(Step::ComputePath {
            secret: spec.secret.clone(),
        }),
        Err(fault) => Decision::Stop(fault.clone()),
    }
}
