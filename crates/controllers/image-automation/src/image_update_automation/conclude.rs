//! The status and the notices of an `ImageUpdateAutomation`, from the facts of a run. Pure.

use sluice_api::image::{GROUP, ImageUpdateAutomation, ImageUpdateAutomationStatus};
use sluice_api::meta::reason;
use sluice_client::typed::Resource as _;
use sluice_engine::draft::is_edited;
use sluice_engine::ready::{self, Fault};
use sluice_engine::request::is_requested;
use sluice_engine::{Draft, End, Notice, Outcome, Progress, Requeue, Times};
use sluice_git::ResolvedReference;

use super::model::{Facts, ProposalRecord, Step};

/// The message of `Ready`.
const UP_TO_DATE: &str = "repository up-to-date";
/// The reason of the notice about markers without effect.
const MARKERS_IGNORED: &str = "MarkersIgnored";

/// The reason of the notice about a pull request.
const PROPOSED: &str = "PullRequestUpdated";

/// The status to show before the first step after an edit or a request.
pub(super) fn progress(
    automation: &ImageUpdateAutomation,
    step: Step,
    times: Times,
) -> Progress<ImageUpdateAutomationStatus> {
    if step == Step::Connect && (is_edited(automation) || is_requested(automation)) {
        return Progress::Show(ready::begin(automation, times.now).into_status());
    }
    Progress::Silent
}

/// Returns the outcome of a run.
pub(super) fn conclude(
    automation: &ImageUpdateAutomation,
    end: End<Facts, Fault>,
    times: Times,
) -> Outcome<ImageUpdateAutomationStatus> {
    if automation.meta().deletion_timestamp.is_some() {
        return match end {
            End::Stopped(_, Fault(failure)) => Outcome::untouched(failure.requeue()),
            End::Settled(facts) => delete(&facts),
            End::Suspended => Outcome::untouched(Requeue::Never),
        };
    }
    let begin = || {
        let mut draft = ready::begin(automation, times.now);
        draft.status.last_automation_run_time = Some(times.started.into());
        draft
    };
    match end {
        End::Suspended => ready::suspend(automation),
        End::Stopped(facts, Fault(failure)) => {
            let mut draft = begin();
            // A later step than the push may fail.
            let summary = record_push(&mut draft, &facts, times);
            let mut outcome = ready::fail(draft, failure);
            outcome.notices.splice(0..0, summary);
            with_findings(outcome, &facts)
        }
        End::Settled(facts) => with_findings(settle(begin(), automation, &facts, times), &facts),
    }
}

/// Ends a deletion. A pull request that cannot be changed is reported, and does not keep the
/// object.
fn delete(facts: &Facts) -> Outcome<ImageUpdateAutomationStatus> {
    let outcome = Outcome::untouched(Requeue::Never);
    match &facts.withdrawn {
        Some(Ok(ProposalRecord {
            change: Some(change),
        })) => outcome.with_notice(Notice::info(PROPOSED, change)),
        Some(Err(Fault(failure))) => {
            let (reason, message) = (failure.reason.clone(), failure.message.clone());
            outcome.with_notice(Notice::error(reason, message))
        }
        _ => outcome,
    }
}

/// Ends a successful run.
fn settle(
    mut draft: Draft<ImageUpdateAutomationStatus>,
    automation: &ImageUpdateAutomation,
    facts: &Facts,
    times: Times,
) -> Outcome<ImageUpdateAutomationStatus> {
    let (Ok(spec), Ok(images), Ok(source)) = (&facts.spec, &facts.images, &facts.source) else {
        return Outcome::untouched(Requeue::Never);
    };
    let status = &mut draft.status;
    let is_skipped = facts.is_unchanged(automation);
    if !is_skipped {
        status.observed_policies.clone_from(&images.observed);
        let checkout = facts.resolved.as_ref().map(ResolvedReference::revision);
        status.observed_source_revision = match &facts.pushed {
            Some(pushed) if !source.source.target.is_switched => Some(pushed.revision.clone()),
            _ => checkout,
        };
    }
    let summary = record_push(&mut draft, facts, times);
    let unchanged = if is_skipped {
        "no change since last reconciliation"
    } else {
        UP_TO_DATE
    };
    let trace = Notice::trace(reason::SUCCEEDED, unchanged);
    // A timer must not cause the only writes of an idle cluster.
    let trace = if facts.is_prompt {
        trace
    } else {
        trace.only_log()
    };
    let next = Requeue::Interval(spec.interval);
    let mut outcome = ready::succeed(draft, UP_TO_DATE.to_owned(), trace, next);
    if let Some(summary) = summary {
        // The commit says more than the recovery.
        outcome.notices = vec![summary];
    }
    let proposed = facts.proposed.as_ref();
    if let Some(change) = proposed.and_then(|proposed| proposed.change.as_ref()) {
        outcome = outcome.with_notice(Notice::info(PROPOSED, change));
    }
    outcome
}

/// Records a pushed commit in the status, and returns its notice.
fn record_push(
    draft: &mut Draft<ImageUpdateAutomationStatus>,
    facts: &Facts,
    times: Times,
) -> Option<Notice> {
    let (Some(pushed), Ok(source)) = (&facts.pushed, &facts.source) else {
        return None;
    };
    draft.status.last_push_commit = Some(pushed.commit.clone());
    draft.status.last_push_time = Some(times.now.into());
    let target = &source.source.target;
    let summary = target.summary(&pushed.commit, &pushed.message);
    Some(
        Notice::info(reason::SUCCEEDED, summary)
            .with(format!("{GROUP}/revision"), &pushed.revision),
    )
}

/// Reports the problems at markers, if they are new.
fn with_findings(
    outcome: Outcome<ImageUpdateAutomationStatus>,
    facts: &Facts,
) -> Outcome<ImageUpdateAutomationStatus> {
    let known = facts.known_findings.as_deref().unwrap_or_default();
    match facts.findings.as_deref() {
        Some(findings) if !findings.is_empty() && findings != known => {
            let message = format!("markers without effect:\n{findings}");
            outcome.with_notice(Notice::trace(MARKERS_IGNORED, message))
        }
        _ => outcome,
    }
}
