//! Plans the steps of a `HelmRepository` from the object and the facts of the run. No client, no
//! clock.

use super::HelmRepositoryKind;
use super::model::Step;
use crate::reconcile::{Plan, Source};

impl Plan for HelmRepositoryKind {
    fn plan(source: &Source<'_, Self>) -> Option<Step> {
        let facts = source.facts;
        if facts.remote.is_none() {
            return Some(Step::Connect);
        }
        let Some(fetched) = &facts.fetched else {
            return Some(Step::Fetch);
        };
        let revision = fetched.revision();
        let is_current = source
            .artifact()
            .is_some_and(|artifact| artifact.revision == revision);
        if is_current || facts.stored.is_some() {
            None
        } else if facts.checked.is_none() {
            Some(Step::Check)
        } else {
            Some(Step::Store)
        }
    }
}
