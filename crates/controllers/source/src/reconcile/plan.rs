//! The next step of every kind of source. Pure.

use sluice_client::typed::Resource;
use sluice_engine::Decision;

use super::model::{Facts, Plan, Step};
use crate::fault::Fault;

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
