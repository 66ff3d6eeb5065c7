//! Plans the steps of a `Bucket` from the object and the facts of the run. No client, no clock.

use sluice_api::source::Bucket;
use sluice_engine::Decision;

use super::model::{Facts, Step};
use crate::source_storage::Fault;

/// The next step of a run.
pub(super) fn plan(object: &Bucket, facts: &Facts) -> Decision<Step, Fault> {
    if let Err(decision) = facts.first.plan(object) {
        return decision;
    }
    if facts.remote.is_none() {
        return Decision::Work(Step::Connect);
    }
    let Some(listing) = &facts.listing else {
        return Decision::Work(Step::List);
    };
    let revision = listing.revision();
    let is_current = facts
        .first
        .artifact(object)
        .is_some_and(|artifact| artifact.revision == revision);
    if is_current || facts.stored.is_some() {
        Decision::Settled
    } else {
        Decision::Work(Step::Store)
    }
}
