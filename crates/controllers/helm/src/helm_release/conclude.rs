//! Computes the status, events and requeue of a run, without side effects.

use sluice_api::helm::{HelmRelease, HelmReleaseStatus};
use sluice_api::meta::condition::READY;
use sluice_api::meta::reason;
use sluice_engine::request::is_requested;
use sluice_engine::{End, Notice, Outcome, Progress, Requeue, Times};

use super::draft::Draft;
use super::fault::{Fault, RetryTime};
use super::model::{Facts, Step};
use super::{next, recheck, steps};

/// The status to show while a step works.
pub(super) fn progress(facts: &Facts, step: &Step, times: Times) -> Progress<HelmReleaseStatus> {
    match step {
        Step::Act(action) => {
            let mut draft = facts.draft.clone();
            draft.condition_set.set_now(times.now);
            let assessment = facts.assessment.as_ref();
            let retries_by_default = facts.policy.retries_by_default;
            steps::begin_action(&mut draft, assessment, action, retries_by_default);
            Progress::Record(draft.status())
        }
        // Most runs find nothing to do, and need no write for it.
        Step::Look(..) | Step::Load(_) | Step::Compare(_) => {
            let draft = facts.draft.clone();
            Progress::WhenSlow(Box::new(move |now| {
                let mut draft = draft;
                draft.condition_set.set_now(now);
                draft.status()
            }))
        }
        _ => Progress::Silent,
    }
}

/// The result of a run.
pub(super) fn conclude(
    object: &HelmRelease,
    end: End<Facts, Fault>,
    times: Times,
) -> Outcome<HelmReleaseStatus> {
    match end {
        End::Suspended => suspended(object),
        End::Settled(_) if object.metadata.deletion_timestamp.is_some() => {
            Outcome::untouched(Requeue::Never)
        }
        End::Settled(mut facts) => {
            facts.draft.condition_set.set_now(times.now);
            if let Some(assessment) = &facts.assessment {
                let retries_by_default = facts.policy.retries_by_default;
                next::settle(&mut facts.draft, &assessment.state, retries_by_default);
            }
            facts.draft.observe_generation();
            let interval = facts.spec.as_ref().map(|spec| spec.interval);
            let next = Requeue::Interval(interval.unwrap_or_default());
            finish(facts.draft, next)
        }
        End::Stopped(mut facts, fault) => {
            facts.draft.condition_set.set_now(times.now);
            let interval = facts.spec.as_ref().map(|spec| spec.interval);
            let interval = interval.unwrap_or_default();
            if recheck::is_unchanged(&facts, &fault) && !is_requested(object) {
                stop(&mut facts.draft, fault, false);
                facts.draft.condition_set.keep_transition_times();
                return finish(facts.draft, Requeue::Interval(interval));
            }
            let requeue = fault.requeue(interval);
            let has_read_record = facts.has_read_record();
            stop(&mut facts.draft, fault, has_read_record);
            finish(facts.draft, requeue)
        }
    }
}

fn finish(mut draft: Draft, next: Requeue) -> Outcome<HelmReleaseStatus> {
    let notices = std::mem::take(&mut draft.notices);
    let outcome = Outcome::new(draft.status(), next);
    notices.into_iter().fold(outcome, Outcome::with_notice)
}

/// Shows an early end.
fn stop(draft: &mut Draft, fault: Fault, has_read_record: bool) {
    let is_pause = fault.is_pause();
    let Fault {
        reason,
        message,
        sets_ready,
        stalled,
        notices,
        next,
        is_observed,
        wait: _,
        is_interrupted,
    } = fault;
    if is_pause {
        next::show_pause(draft, &next);
    }
    if sets_ready {
        draft.condition_set.set_false(READY, &reason, &message);
        if matches!(next, RetryTime::After(_) | RetryTime::Interval(_)) {
            draft.notices.push(Notice::info(reason, message).only_log());
        }
    }
    if next == RetryTime::Backoff && has_read_record && !is_interrupted {
        next::show_retry(draft);
    }
    if let Some((reason, message)) = stalled.map(|stalled| *stalled) {
        draft.set_stalled(reason, message);
    }
    draft.notices.extend(notices);
    if is_observed {
        draft.observe_generation();
    }
}

/// Suspension changes nothing but the observed generation.
fn suspended(object: &HelmRelease) -> Outcome<HelmReleaseStatus> {
    let notice = Notice::info(
        reason::SUSPENDED,
        "reconciliation is suspended for this object",
    );
    let mut status = object.status.clone().unwrap_or_default();
    status.observed_generation = object.metadata.generation;
    Outcome::new(status, Requeue::Never).with_notice(notice.only_log())
}
