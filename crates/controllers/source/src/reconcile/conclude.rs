//! The statuses of every kind of source, during a run and at its end. Pure.

use std::time::Duration;

use jiff::Timestamp;
use sluice_api::meta::condition::{READY, RECONCILING, STALLED};
use sluice_api::meta::{ToolkitResource, reason};
use sluice_client::typed::Resource;
use sluice_engine::{End, Failure, Notice, Outcome, Progress, Requeue, Retry, StatusOf, Times};

use super::model::{Conclude, Facts, SourceSpec as _, SourceTypes, Step};
use crate::draft::Draft;
use crate::fault::Fault;

/// The status to show while a step works.
pub(crate) fn progress<K: Conclude>(
    object: &K::Object,
    facts: &Facts<K>,
    step: Step<K::Step>,
    now: Timestamp,
    url: impl Fn(&str) -> String,
) -> Progress<StatusOf<K::Object>> {
    match (step, facts.source(object)) {
        (Step::Kind(step), Ok(source)) if K::is_shown(&source, step) => {
            Progress::Show(draft(object, facts, now, url).status())
        }
        _ => Progress::Silent,
    }
}

/// The result of a run.
pub(crate) fn conclude<K: Conclude>(
    object: &K::Object,
    end: End<Facts<K>, Fault>,
    times: Times,
    url: impl Fn(&str) -> String,
) -> Outcome<StatusOf<K::Object>> {
    let now = times.started;
    let is_deleted = object.meta().deletion_timestamp.is_some();
    match end {
        End::Suspended => begin::<K>(object, now, url).suspended(),
        End::Settled(facts) if is_deleted => finish_deletion(Ok(facts.deleted == Some(true))),
        End::Stopped(_, fault) if is_deleted => finish_deletion(Err(fault)),
        End::Settled(facts) => {
            let mut draft = draft(object, &facts, now, url);
            let mut interval = Duration::ZERO;
            if let Ok(source) = facts.source(object) {
                K::apply_result(&source, &mut draft);
                interval = source.spec.interval();
            }
            draft.finish(interval)
        }
        End::Stopped(facts, fault) => draft(object, &facts, now, url).failed(fault),
    }
}

/// Ends the run of a deleted object: its finalizer goes after its files are removed.
pub(crate) fn finish_deletion<S>(deletion: Result<bool, Fault>) -> Outcome<S> {
    match deletion {
        Err(Fault { failure, .. }) => {
            let notice = Notice::error(failure.reason.clone(), failure.message.clone());
            let retry = Failure {
                retry: Retry::Backoff,
                ..failure
            };
            Outcome::untouched(retry.requeue()).with_notice(notice)
        }
        Ok(found) => {
            let outcome = Outcome::untouched(Requeue::Never);
            if found {
                outcome.with_notice(Notice::trace(
                    reason::GARBAGE_COLLECTION_SUCCEEDED,
                    "garbage collected artifacts for deleted resource",
                ))
            } else {
                outcome
            }
        }
    }
}

/// Begins a draft. `url` returns the current URL of a stored path.
pub(crate) fn begin<K: Conclude>(
    object: &K::Object,
    now: Timestamp,
    url: impl Fn(&str) -> String,
) -> Draft<StatusOf<K::Object>> {
    let mut draft = Draft::begin(object, K::CONDITIONS, now, url);
    if !object.suspended() {
        K::apply_spec(object, &mut draft);
    }
    draft
}

/// The draft after the steps so far, without the one that stores an artifact.
fn draft<K: Conclude>(
    object: &K::Object,
    facts: &Facts<K>,
    now: Timestamp,
    url: impl Fn(&str) -> String,
) -> Draft<StatusOf<K::Object>> {
    let mut draft = begin::<K>(object, now, url);
    draft.is_prompt = facts.is_prompt;
    if let Some(tidied) = &facts.tidied {
        draft.apply_tidy(tidied.clone());
    }
    if let Ok(source) = facts.source(object) {
        K::apply_facts(&source, &mut draft);
    }
    draft
}

/// The conditions that the controller of a kind owns.
pub(crate) fn owned_conditions<K: SourceTypes>() -> Vec<&'static str> {
    let summarized = K::CONDITIONS.iter().map(|(type_, _)| *type_);
    summarized.chain([READY, RECONCILING, STALLED]).collect()
}
