//! Decides the next step of a Receiver.

use sluice_api::notification::Receiver;
use sluice_engine::Decision;

use super::model::{Facts, ReceiverFailure, Step};

/// Returns the next step.
pub(super) fn plan(receiver: &Receiver, facts: &Facts) -> Decision<Step, ReceiverFailure> {
    if receiver.metadata.deletion_timestamp.is_some() || facts.path.is_some() {
        return Decision::Settled;
    }
    if let Some(error) = &facts.spec_error {
        return Decision::Stop(ReceiverFailure::Spec(error.clone()));
    }
    let secret = receiver.spec.secret_ref.as_ref();
    Decision::Work(Step::ComputePath {
        secret: secret.map(|reference| reference.name.clone()),
    })
}
