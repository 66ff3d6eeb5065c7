//! The status and the notices of an `ImageRepository`, from the facts of a run. Pure.

use std::time::Duration;

use jiff::Timestamp;
use sluice_api::image::{ImageRepository, ImageRepositoryStatus, ScanResult};
use sluice_api::meta::reason;
use sluice_client::typed::Resource as _;
use sluice_engine::draft::is_edited;
use sluice_engine::ready::{self, Fault};
use sluice_engine::request::is_requested;
use sluice_engine::{Draft, End, Notice, Outcome, Progress, Requeue, Times};
use sluice_images::scan::{ScanDecision, ScanReason, ready_message, trace_message};

use super::model::{Facts, ScanRecord, Step};
use super::plan::decision;
use super::spec::Spec;

/// The reason of the notice about tags that cannot be stored.
const TAGS_REJECTED: &str = "TagsRejected";
/// The reason of the notice about many tags.
const TOO_MANY_TAGS: &str = "TooManyTags";

/// The status while a step works.
pub(super) fn progress(
    repository: &ImageRepository,
    facts: &Facts,
    step: &Step,
    times: Times,
) -> Progress<ImageRepositoryStatus> {
    let now = times.now;
    if facts.spec.is_err() {
        return Progress::Silent;
    }
    let is_news = is_edited(repository) || is_requested(repository);
    match step {
        Step::Connect { .. } if is_news => {
            Progress::Show(progress_status(repository, facts.scan_reason, now))
        }
        // Policies see a transition when an empty store is filled again.
        Step::List {
            reason: reason @ ScanReason::NoTags,
        } => Progress::Show(progress_status(repository, Some(*reason), now)),
        Step::List { reason } => {
            let (repository, reason) = (repository.clone(), *reason);
            Progress::WhenSlow(Box::new(move |now| {
                progress_status(&repository, Some(reason), now)
            }))
        }
        _ => Progress::Silent,
    }
}

fn progress_status(
    repository: &ImageRepository,
    reason: Option<ScanReason>,
    now: Timestamp,
) -> ImageRepositoryStatus {
    let mut draft = ready::begin(repository, now);
    if let Some(reason) = reason {
        let is_outdated = reason == ScanReason::NoTags;
        let message = format!("scanning: {reason}");
        draft.condition_set.set_progress(is_outdated, &message);
    }
    draft.into_status()
}

/// Returns the outcome of a run.
pub(super) fn conclude(
    repository: &ImageRepository,
    end: End<Facts, Fault>,
    times: Times,
) -> Outcome<ImageRepositoryStatus> {
    let now = times.now;
    if repository.meta().deletion_timestamp.is_some() {
        return match end {
            End::Stopped(_, Fault(failure)) => Outcome::untouched(failure.requeue()),
            _ => Outcome::untouched(Requeue::Never),
        };
    }
    match end {
        End::Suspended => ready::suspend(repository),
        End::Stopped(_, Fault(failure)) => ready::fail(ready::begin(repository, now), failure),
        End::Settled(facts) => {
            let draft = ready::begin(repository, now);
            match &facts.spec {
                Ok(spec) => settle(draft, repository, spec, &facts),
                Err(Fault(failure)) => ready::fail(draft, failure.clone()),
            }
        }
    }
}

/// Ends a run that scanned, or that has nothing to do.
fn settle(
    mut draft: Draft<ImageRepositoryStatus>,
    repository: &ImageRepository,
    spec: &Spec,
    facts: &Facts,
) -> Outcome<ImageRepositoryStatus> {
    let before = draft.status.last_scan_result.clone();
    let mut warnings = Vec::new();
    let next = if let Some(record) = &facts.scanned {
        warnings = self::warnings(record, before.as_ref(), facts.tag_count_warning);
        draft.status.last_scan_result = Some(record.result.clone());
        Requeue::Interval(spec.interval)
    } else {
        match decision(repository, spec, facts) {
            ScanDecision::Wait(remaining) => Requeue::After(remaining),
            ScanDecision::Scan(_) => Requeue::Interval(spec.interval),
        }
    };
    draft.status.canonical_image_name = Some(spec.image.to_string());
    draft
        .status
        .observed_exclusion_list
        .clone_from(&spec.exclusions);
    let result = draft.status.last_scan_result.clone().unwrap_or_default();
    let is_changed = before.is_none_or(|before| before.revision != result.revision);
    let rest = match &next {
        Requeue::After(rest) | Requeue::Interval(rest) => *rest,
        _ => Duration::ZERO,
    };
    let trace = trace_message(facts.scanned.is_some(), is_changed, rest);
    let trace = Notice::trace(reason::SUCCEEDED, trace);
    // A timer must not cause the only writes of an idle cluster.
    let trace = if facts.is_prompt {
        trace
    } else {
        trace.only_log()
    };
    let mut outcome = ready::succeed(draft, ready_message(&result), trace, next);
    outcome.notices.extend(warnings);
    outcome
}

/// Warnings about the tags of a scan, if they are new.
fn warnings(record: &ScanRecord, before: Option<&ScanResult>, limit: usize) -> Vec<Notice> {
    let mut warnings = Vec::new();
    let result = &record.result;
    let is_same = before.is_some_and(|before| before.revision == result.revision);
    if is_same {
        return warnings;
    }
    let count = |result: &ScanResult| usize::try_from(result.tag_count).unwrap_or_default();
    let is_large = |result: &ScanResult| limit > 0 && count(result) > limit;
    if is_large(result) && !before.is_some_and(is_large) {
        let message = format!(
            "the repository has {} tags, more than {limit}: exclude tags with spec.exclusionList, \
             or remove old tags from the registry",
            result.tag_count
        );
        warnings.push(Notice::error(TOO_MANY_TAGS, message));
    }
    if record.rejected > 0 {
        let message = format!(
            "the registry lists {} tags that are too long or have control characters: they are \
             ignored",
            record.rejected
        );
        warnings.push(Notice::error(TAGS_REJECTED, message));
    }
    warnings
}
