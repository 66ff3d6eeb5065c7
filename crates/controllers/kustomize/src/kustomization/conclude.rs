//! Computes the status, events and requeue of a run, without side effects.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

use jiff::Timestamp;
use sluice_api::event::metadata;
use sluice_api::history::{MAX_SNAPSHOTS, Snapshot};
use sluice_api::inventory::{ResourceInventory, ResourceRef};
use sluice_api::kustomize::{self, Kustomization, KustomizationStatus};
use sluice_api::meta::condition::{HEALTHY, READY, RECONCILING, STALLED};
use sluice_api::meta::{self, reason};
use sluice_apply::Inventory;
use sluice_engine::{End, Failure, Notice, Outcome, Progress, Requeue, Retry, Times};

use super::fault::{FailureEvent, Fault, Pending, ReportedFailure};
use super::model::{Facts, Health, Phase, Plan, RunReport, Step, Work};
use super::plan;
use super::timing::{Timing, text};

#[cfg(test)]
#[path = "tests/conclude.rs"]
mod tests;

type Draft = sluice_engine::Draft<KustomizationStatus>;

/// Time in which a new object may lack its source without a status. Both are often created at once.
const NEW_OBJECT_DELAY: Duration = Duration::from_secs(5);

/// How a run ended.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum RunEnd {
    /// The object is suspended.
    Suspended,
    /// The object cannot be reconciled.
    Refused(ReportedFailure),
    /// The source or a dependency is not ready.
    Waiting(Pending),
    /// The plan was executed, completely or in part.
    Worked(Arc<Plan>, RunReport),
    /// The objects of a deleted Kustomization were removed, or not.
    Removed(Result<(), String>),
}

impl RunEnd {
    /// The ending of a run, from its state.
    pub(super) fn of(end: End<Facts, Fault>) -> Self {
        match end {
            End::Suspended => Self::Suspended,
            End::Stopped(_, Fault::Refused(failure)) => Self::Refused(failure),
            End::Stopped(_, Fault::Waiting(pending)) => Self::Waiting(pending),
            End::Stopped(_, Fault::NotRemoved(message)) => Self::Removed(Err(message)),
            End::Stopped(facts, Fault::Failed(failure)) => match facts.work {
                Some(work) => Self::failed(work, failure),
                None => Self::Removed(Err(failure.failure.message)),
            },
            End::Settled(facts) => match facts.work {
                Some(Work {
                    plan, mut report, ..
                }) => {
                    if report.health == Health::NotReached {
                        report.health = Health::Unchecked;
                    }
                    Self::Worked(plan, report)
                }
                None => Self::Removed(Ok(())),
            },
        }
    }

    fn failed(work: Work, failure: ReportedFailure) -> Self {
        // The engine may have failed to record the status before the next step.
        let next = plan::next_step(&work).and_then(|step| step.phase());
        let Work {
            plan, mut report, ..
        } = work;
        report.phase = next.or(report.phase);
        report.failure = Some(failure);
        Self::Worked(plan, report)
    }
}

/// The status to show while a step works.
pub(super) fn progress(
    object: &Arc<Kustomization>,
    facts: &Facts,
    step: &Step,
    times: Times,
) -> Progress<KustomizationStatus> {
    let now = times.now;
    let (plan, mut report) = match (step, &facts.work) {
        (Step::Remove(_), _) => return Progress::Silent,
        (Step::Fetch(plan), _) => (Arc::clone(plan), RunReport::default()),
        (_, Some(work)) => (Arc::clone(&work.plan), work.report.clone()),
        (_, None) => return Progress::Silent,
    };
    report.phase = step.phase();
    let is_recorded = match step {
        Step::Apply {
            recorded: Some(inventory),
        } => {
            report.inventory = Some(inventory.clone());
            true
        }
        Step::Prune(stale) => {
            let applied = report.inventory.take().unwrap_or_default();
            report.record_deleting(&applied, stale);
            false
        }
        Step::CheckHealth { is_recorded } => *is_recorded,
        _ => false,
    };
    if is_recorded {
        return Progress::Record(progress_status(object, &plan, &report, now));
    }
    let object = Arc::clone(object);
    Progress::WhenSlow(Box::new(move |now| {
        progress_status(&object, &plan, &report, now)
    }))
}

/// The status during a run.
pub(super) fn progress_status(
    object: &Kustomization,
    plan: &Plan,
    done: &RunReport,
    now: Timestamp,
) -> KustomizationStatus {
    let mut draft = Draft::begin(object, now);
    let message = done
        .phase
        .map(|phase| phase.message(plan))
        .unwrap_or_default();
    let conditions = &mut draft.condition_set;
    conditions.set_unknown(READY, reason::PROGRESSING, "Reconciliation in progress");
    conditions.set_true(RECONCILING, reason::PROGRESSING, &message);
    conditions.remove(STALLED);
    if done.phase == Some(Phase::CheckingHealth) {
        conditions.set_unknown(HEALTHY, reason::PROGRESSING, &message);
    }
    set_results(&mut draft, plan, done);
    draft.into_status()
}

/// Status, events and requeue at the end of a run.
pub(super) fn conclude(
    object: &Kustomization,
    end: End<Facts, Fault>,
    times: Times,
) -> Outcome<KustomizationStatus> {
    conclude_run(object, RunEnd::of(end), times)
}

/// Status, events and requeue of a run that ended so.
pub(super) fn conclude_run(
    object: &Kustomization,
    end: RunEnd,
    times: Times,
) -> Outcome<KustomizationStatus> {
    let (took, now) = (times.elapsed(), times.now);
    match end {
        RunEnd::Refused(failure) => refused(object, failure, now),
        RunEnd::Waiting(pending) => conclude_pending(object, pending, now),
        RunEnd::Suspended => suspended(object, now),
        RunEnd::Worked(plan, done) => match done.failure.clone() {
            None => succeeded(object, &plan, &done, took, now),
            Some(failure) => failed(object, &plan, &done, failure, took, now),
        },
        RunEnd::Removed(Ok(())) => removed(object, took),
        RunEnd::Removed(Err(message)) => {
            let mut draft = Draft::begin(object, now);
            let reason = reason::PRUNE_FAILED;
            draft.condition_set.set_false(READY, reason, &message);
            let failure = Failure::message(reason, Retry::Backoff, message);
            Outcome::new(draft.into_status(), failure.requeue())
        }
    }
}

/// As in Flux, the last run of a ready object reports its end and the next run, which never comes.
fn removed(object: &Kustomization, took: Duration) -> Outcome<KustomizationStatus> {
    let outcome = Outcome::untouched(Requeue::Never);
    let status = object.status.as_ref();
    let is_ready = status.is_some_and(|status| status.conditions.is_true(READY));
    match Timing::of(&object.spec) {
        Ok(timing) if is_ready && !object.spec.suspend => {
            let notice = finished(took, timing.interval);
            outcome.with_notice(with_last_applied_revision(object, notice))
        }
        _ => outcome,
    }
}

/// The notice at the end of a successful run.
fn finished(took: Duration, interval: Duration) -> Notice {
    let message = format!(
        "Reconciliation finished in {}, next run in {}",
        text(took),
        text(interval)
    );
    Notice::info(reason::RECONCILIATION_SUCCEEDED, message)
        .with(key(metadata::COMMIT_STATUS), metadata::COMMIT_STATUS_UPDATE)
}

fn suspended(object: &Kustomization, now: Timestamp) -> Outcome<KustomizationStatus> {
    let mut draft = Draft::begin(object, now);
    let notice = draft.suspend();
    Outcome::new(draft.into_status(), Requeue::Never).with_notice(notice)
}

fn refused(
    object: &Kustomization,
    failure: ReportedFailure,
    now: Timestamp,
) -> Outcome<KustomizationStatus> {
    let ReportedFailure { failure, event } = failure;
    let mut draft = Draft::begin(object, now);
    let (reason, message) = (failure.reason.clone(), failure.message.clone());
    draft.condition_set.set_false(READY, &reason, &message);
    if failure.retry == Retry::Stalled {
        draft.set_stalled(&failure);
    } else {
        draft.condition_set.remove(STALLED);
        draft.condition_set.set_retrying();
    }
    let outcome = Outcome::new(draft.into_status(), failure.requeue());
    let Some(message) = event.error_message(&message) else {
        return outcome;
    };
    let mut notice = Notice::error(reason, message);
    if let FailureEvent::About {
        revision,
        origin_revision,
    } = event
    {
        notice = with_revisions(notice, Some(&revision), origin_revision.as_deref());
    }
    outcome.with_notice(notice)
}

fn conclude_pending(
    object: &Kustomization,
    pending: Pending,
    now: Timestamp,
) -> Outcome<KustomizationStatus> {
    let Pending {
        reason,
        message,
        after,
        notice,
        revision,
        origin_revision,
        log,
        is_expected,
    } = pending;
    if is_expected && let Some(rest) = remaining_delay(object, now) {
        return Outcome::untouched(Requeue::After(rest));
    }
    let mut draft = Draft::begin(object, now);
    draft.condition_set.set_false(READY, reason, &message);
    draft.condition_set.remove(STALLED);
    draft.condition_set.set_retrying();
    let mut outcome = Outcome::new(draft.into_status(), Requeue::After(after));
    let Some(notice) = notice else {
        let log = log.unwrap_or(message);
        return outcome.with_notice(Notice::info(reason, log).only_log());
    };
    if let Some(log) = log {
        outcome = outcome.with_notice(Notice::error(reason, log).only_log());
    }
    let notice = Notice::info(reason, notice);
    let (revision, origin) = (revision.as_deref(), origin_revision.as_deref());
    outcome.with_notice(with_revisions(notice, revision, origin))
}

/// The remaining time in which a new object without conditions needs no status. When many objects
/// are created at once, these writes would slow down the others.
fn remaining_delay(object: &Kustomization, now: Timestamp) -> Option<Duration> {
    let has_conditions = object
        .status
        .as_ref()
        .is_some_and(|status| !status.conditions.is_empty());
    let created = object.metadata.creation_timestamp.as_ref()?.0;
    // A server clock that is ahead must not extend the delay.
    let age = Duration::try_from(now.duration_since(created)).unwrap_or(NEW_OBJECT_DELAY);
    NEW_OBJECT_DELAY
        .checked_sub(age)
        .filter(|rest| !has_conditions && !rest.is_zero())
}

fn succeeded(
    object: &Kustomization,
    plan: &Plan,
    done: &RunReport,
    took: Duration,
    now: Timestamp,
) -> Outcome<KustomizationStatus> {
    let mut draft = Draft::begin(object, now);
    set_results(&mut draft, plan, done);
    let reason = reason::RECONCILIATION_SUCCEEDED;
    let message = format!("Applied revision: {}", plan.revision());
    draft.condition_set.set_true(READY, reason, message);
    draft.settle();
    let status = &mut draft.status;
    status.last_applied_revision = Some(plan.revision().to_owned());
    status
        .last_applied_origin_revision
        .clone_from(&plan.origin_revision);
    add_to_history(&mut draft, plan, done, reason, took);
    let notice = with_revision(plan, finished(took, plan.timing.interval));
    Outcome::new(draft.into_status(), plan.timing.after_success()).with_notice(notice)
}

fn failed(
    object: &Kustomization,
    plan: &Plan,
    done: &RunReport,
    failure: ReportedFailure,
    took: Duration,
    now: Timestamp,
) -> Outcome<KustomizationStatus> {
    let ReportedFailure { failure, event } = failure;
    let mut draft = Draft::begin(object, now);
    set_results(&mut draft, plan, done);
    let phase = done
        .phase
        .map(|phase| phase.message(plan))
        .unwrap_or_default();
    let (reason, message) = (failure.reason.clone(), failure.message.clone());
    let conditions = &mut draft.condition_set;
    conditions.set_true(RECONCILING, reason::PROGRESSING_WITH_RETRY, phase);
    conditions.set_false(READY, &reason, &message);
    if failure.retry == Retry::Stalled {
        draft.set_stalled(&failure);
    } else {
        conditions.remove(STALLED);
    }
    // A superseding run says nothing about the apply, and its entry would displace another one.
    if done.digest.is_some() && done.health != Health::Cancelled {
        add_to_history(&mut draft, plan, done, &reason, took);
    }
    let about_revision = |notice| with_revision(plan, notice);
    let error = event.error_message(&message).unwrap_or_default();
    let (next, notices) = match (event, failure.retry) {
        (FailureEvent::Superseded(message), _) => (
            Requeue::Now,
            vec![about_revision(Notice::info(reason, message))],
        ),
        (FailureEvent::None, _) => (
            failure.requeue(),
            vec![Notice::info(reason, message).only_log()],
        ),
        (_, Retry::Backoff) => {
            let retry = plan.timing.retry_interval;
            let log = format!(
                "Reconciliation failed after {}, next try in {}",
                text(took),
                text(retry)
            );
            let log = Notice::error(reason.clone(), log)
                .with("revision", plan.revision())
                .only_log();
            (
                Requeue::After(retry),
                vec![log, about_revision(Notice::error(reason, error))],
            )
        }
        (_, Retry::Stalled | Retry::After(_)) => (
            failure.requeue(),
            vec![about_revision(Notice::error(reason, error))],
        ),
    };
    Outcome {
        notices,
        ..Outcome::new(draft.into_status(), next)
    }
}

/// Message of a passed health check.
pub(super) fn passed_message(took: Duration) -> String {
    format!("Health check passed in {}", text(took))
}

/// Adds the revision of the plan to a notice.
pub(super) fn with_revision(plan: &Plan, notice: Notice) -> Notice {
    let origin = plan.origin_revision.as_deref();
    with_revisions(notice, Some(plan.revision()), origin)
}

/// Adds a revision and its upstream revision to a notice.
fn with_revisions(notice: Notice, revision: Option<&str>, origin: Option<&str>) -> Notice {
    let about = [
        (metadata::REVISION, revision),
        (metadata::ORIGIN_REVISION, origin),
    ];
    about
        .into_iter()
        .fold(notice, |notice, (name, value)| match value {
            Some(value) => notice.with(key(name), value),
            None => notice,
        })
}

/// Adds the revision that was applied last, if any, to a notice.
pub(super) fn with_last_applied_revision(object: &Kustomization, notice: Notice) -> Notice {
    let Some(status) = &object.status else {
        return notice;
    };
    let origin = status.last_applied_origin_revision.as_deref();
    with_revisions(notice, status.last_applied_revision.as_deref(), origin)
}

/// Reason of the Ready condition, or `otherwise` without one.
pub(super) fn ready_reason(object: &Kustomization, otherwise: &str) -> String {
    let status = object.status.as_ref();
    let ready = status.and_then(|status| status.conditions.find(READY));
    ready.map_or_else(|| otherwise.to_owned(), |ready| ready.reason.clone())
}

fn key(name: &str) -> String {
    format!("{}/{name}", kustomize::GROUP)
}

/// Sets the results of a run, even of an incomplete one.
fn set_results(draft: &mut Draft, plan: &Plan, done: &RunReport) {
    if done.is_attempted {
        draft.status.last_attempted_revision = Some(plan.revision().to_owned());
    }
    // A failed run that applied nothing adds no inventory to the status, as in Flux.
    let is_nothing = |inventory: &Inventory| {
        inventory.is_empty() && done.failure.is_some() && draft.status.inventory.is_none()
    };
    if let Some(inventory) = done.inventory.as_ref().filter(|some| !is_nothing(some)) {
        draft.status.inventory = Some(stored(inventory));
    }
    let conditions = &mut draft.condition_set;
    match &done.health {
        Health::NotReached => {}
        // This revision was not checked, so the last result does not apply.
        Health::Cancelled => {
            let message = Phase::CheckingHealth.message(plan);
            conditions.set_unknown(HEALTHY, reason::PROGRESSING, message);
        }
        Health::Unchecked => conditions.remove(HEALTHY),
        Health::Passed(took) => {
            conditions.set_true(HEALTHY, reason::SUCCEEDED, passed_message(*took));
        }
        Health::Failed(message) => {
            conditions.set_false(HEALTHY, reason::HEALTH_CHECK_FAILED, message);
        }
    }
}

/// Adds an outcome to the history. A repeated outcome moves to the front, and the oldest entries
/// are dropped.
fn add_to_history(draft: &mut Draft, plan: &Plan, done: &RunReport, outcome: &str, took: Duration) {
    let now = draft.condition_set.now();
    let digest = done.digest.clone().unwrap_or_default();
    let history = &mut draft.status.history;
    let same = history.iter().position(|snapshot| {
        snapshot.digest == digest && snapshot.last_reconciled_status == outcome
    });
    let mut snapshot = match same {
        Some(index) => history.remove(index),
        None => Snapshot {
            digest,
            first_reconciled: now.into(),
            last_reconciled_status: outcome.to_owned(),
            ..Snapshot::default()
        },
    };
    snapshot.last_reconciled = now.into();
    snapshot.last_reconciled_duration = meta::Duration::new(text(took).to_string());
    snapshot.total_reconciliations += 1;
    snapshot.metadata =
        BTreeMap::from([(metadata::REVISION.to_owned(), plan.revision().to_owned())]);
    if let Some(origin) = &plan.origin_revision {
        snapshot
            .metadata
            .insert(metadata::ORIGIN_REVISION.to_owned(), origin.clone());
    }
    history.insert(0, snapshot);
    history.truncate(MAX_SNAPSHOTS);
}

fn stored(inventory: &Inventory) -> ResourceInventory {
    let entries = inventory
        .format()
        .map(|(id, version)| ResourceRef { id, version });
    ResourceInventory {
        entries: entries.collect(),
    }
}
