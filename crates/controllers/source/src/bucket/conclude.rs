//! The status and the notices of a `Bucket`, from the facts of a run. Pure.

use sluice_api::meta::reason;
use sluice_api::source::BucketStatus;
use sluice_api::source::condition::FETCH_FAILED;

use super::BucketKind;
use super::model::Step;
use crate::draft;
use crate::reconcile::{Conclude, Plan, Source};

type Draft = draft::Draft<BucketStatus>;

impl Conclude for BucketKind {
    fn is_shown(source: &Source<'_, Self>, step: Step) -> bool {
        step == Step::Store || (step == Step::Connect && source.has_news())
    }

    fn apply_facts(source: &Source<'_, Self>, draft: &mut Draft) {
        if let (Some(Step::Store), Some(listing)) = (Self::plan(source), &source.facts.listing) {
            let revision = listing.revision();
            draft.new_revision(&format!("new upstream revision '{revision}'"));
        }
    }

    fn apply_result(source: &Source<'_, Self>, draft: &mut Draft) {
        let (spec, facts) = (&source.object.spec, source.facts);
        draft.condition_set.remove(FETCH_FAILED);
        let mut objects = 0;
        if let Some(stored) = &facts.stored {
            draft.set_artifact(stored.artifact.clone());
            draft.set_link(&stored.link);
            draft.status.observed_ignore.clone_from(&spec.ignore);
            objects = stored.objects;
        } else if let Some(listing) = &facts.listing {
            let revision = listing.revision();
            let message = format!("artifact up-to-date with remote revision: '{revision}'");
            draft.unchanged(reason::ARTIFACT_UP_TO_DATE, message);
            objects = listing.index.len();
        }
        let bucket = &spec.bucket_name;
        draft.keep_artifact(
            |artifact| format!("stored artifact: revision '{}'", artifact.revision),
            |_| format!("stored artifact with {objects} fetched files from '{bucket}' bucket"),
        );
    }
}
