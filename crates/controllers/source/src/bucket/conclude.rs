//! The status and the notices of a `Bucket`, from the facts of a run. Pure.

use jiff::Timestamp;
use kube::Resource;
use sluice_api::meta::reason;
use sluice_api::source::condition::FETCH_FAILED;
use sluice_api::source::{Bucket, BucketStatus};
use sluice_engine::{Decision, End, Outcome, Progress};

use super::model::{Facts, Step};
use super::{RULES, plan};
use crate::draft::Draft;
use crate::source_storage::{Fault, finish_deletion};

/// The status to show while a step works.
pub(super) fn progress(
    object: &Bucket,
    facts: &Facts,
    step: Step,
    now: Timestamp,
    url: impl Fn(&str) -> String,
) -> Progress<BucketStatus> {
    if !matches!(step, Step::Connect | Step::Store) {
        return Progress::Silent;
    }
    let draft = draft(object, facts, now, url);
    if step == Step::Store || draft.has_news {
        Progress::Show(draft.status())
    } else {
        Progress::Silent
    }
}

/// The result of a run.
pub(super) fn conclude(
    object: &Bucket,
    end: End<Facts, Fault>,
    now: Timestamp,
    url: impl Fn(&str) -> String,
) -> Outcome<BucketStatus> {
    let is_deleted = object.meta().deletion_timestamp.is_some();
    match end {
        End::Suspended => Draft::begin(object, &RULES, now, url).suspended(),
        End::Settled(facts) if is_deleted => finish_deletion(Ok(facts.first.deleted == Some(true))),
        End::Stopped(_, fault) if is_deleted => finish_deletion(Err(fault)),
        End::Settled(facts) => settled(object, facts, now, url),
        End::Stopped(facts, fault) => draft(object, &facts, now, url).failed(fault),
    }
}

fn settled(
    object: &Bucket,
    facts: Facts,
    now: Timestamp,
    url: impl Fn(&str) -> String,
) -> Outcome<BucketStatus> {
    let mut draft = draft(object, &facts, now, url);
    draft.condition_set.remove(FETCH_FAILED);
    let mut objects = facts
        .listing
        .as_ref()
        .map_or(0, |listing| listing.index.len());
    match (facts.stored, facts.listing) {
        (Some(stored), _) => {
            draft.set_artifact(stored.artifact);
            draft.set_link(stored.link);
            draft.status.observed_ignore.clone_from(&object.spec.ignore);
            objects = stored.objects;
        }
        (None, Some(listing)) => {
            let revision = listing.revision();
            let message = format!("artifact up-to-date with remote revision: '{revision}'");
            draft.unchanged(reason::ARTIFACT_UP_TO_DATE, message, facts.first.is_prompt);
        }
        (None, None) => {}
    }
    let bucket = &object.spec.bucket_name;
    draft.keep_artifact(
        |artifact| format!("stored artifact: revision '{}'", artifact.revision),
        |_| format!("stored artifact with {objects} fetched files from '{bucket}' bucket"),
    );
    draft.done(facts.first.interval(|work| work.interval))
}

/// The draft after the steps so far, without the one that stores an artifact.
fn draft(
    object: &Bucket,
    facts: &Facts,
    now: Timestamp,
    url: impl Fn(&str) -> String,
) -> Draft<BucketStatus> {
    let mut draft = Draft::begin(object, &RULES, now, url);
    if let Some(tidied) = &facts.first.tidied {
        draft.apply_tidy(tidied.clone());
    }
    if let (Decision::Work(Step::Store), Some(listing)) =
        (plan::plan(object, facts), &facts.listing)
    {
        let revision = listing.revision();
        draft.new_revision(&format!("new upstream revision '{revision}'"));
    }
    draft
}
