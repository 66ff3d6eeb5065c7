//! Plans the steps of a `Bucket` from the object and the facts of the run. No client, no clock.

use super::BucketKind;
use super::model::Step;
use crate::reconcile::{Plan, Source};

impl Plan for BucketKind {
    fn plan(source: &Source<'_, Self>) -> Option<Step> {
        let facts = source.facts;
        if facts.remote.is_none() {
            return Some(Step::Connect);
        }
        let Some(listing) = &facts.listing else {
            return Some(Step::List);
        };
        let revision = listing.revision();
        let is_current = source
            .artifact()
            .is_some_and(|artifact| artifact.revision == revision);
        (!is_current && facts.stored.is_none()).then_some(Step::Store)
    }
}
