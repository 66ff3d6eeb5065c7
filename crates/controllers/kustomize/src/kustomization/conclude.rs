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
use sluice_api::meta::{self, Condition, ConditionStatus, reason};
use sluice_apply::Inventory;
use sluice_engine::{End, Failure, Notice, Outcome, Progress, Requeue, Retry, Times};

use super::model::{
    Facts, FailureRetry, Health, Pending, Phase, Plan, Refusal, RunFailure, RunReport, Step, Work,
    WorkFailure,
};
use super::plan;
use super::timing::text;

#[cfg(test)]
#[path = "tests/conclude.rs"]
mod tests;

/// Time in which a new object may lack its source without a status. Both are often created at once.
const NEW_OBJECT_DELAY: Duration = Duration::from_secs(5);

/// How a run ended.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Ending {
    /// The object is suspended.
    Suspended,
    /// The object cannot be reconciled.
    Refused(Refusal),
    /// The source or a dependency is not ready.
    Waiting(Pending),
    /// The plan was executed, completely or in part.
    Worked(Arc<Plan>, RunReport),
    /// The objects of a deleted Kustomization were removed, or not.
    Removed(Result<(), String>),
}

impl Ending {
    /// The ending of a run, from its state.
    pub(super) fn of(end: End<Facts, RunFailure>) -> Self {
        match end {
            End::Suspended => Self::Suspended,
            End::Stopped(_, RunFailure::Refused(refusal)) => Self::Refused(refusal),
            End::Stopped(_, RunFailure::Waiting(pending)) => Self::Waiting(pending),
            End::Stopped(_, RunFailure::NotRemoved(message)) => Self::Removed(Err(message)),
            End::Stopped(facts, RunFailure::Failed(failure)) => match facts.work {
                Some(work) => Self::failed(work, failure),
                None => Self::Removed(Err(failure.message)),
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

    fn failed(work: Work, failure: WorkFailure) -> Self {
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
pub(super) fn step_progress(
    object: &Arc<Kustomization>,
    facts: &Facts,
    step: &Step,
    now: Timestamp,
) -> Progress<KustomizationStatus> {
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
        return Progress::Record(progress(object, &plan, &report, now));
    }
    let object = Arc::clone(object);
    Progress::WhenSlow(Box::new(move |now| progress(&object, &plan, &report, now)))
}

/// The status during a run.
pub(super) fn progress(
    object: &Kustomization,
    plan: &Plan,
    done: &RunReport,
    now: Timestamp,
) -> KustomizationStatus {
    let mut status = Draft::of(object, now);
    let message = done
        .phase
        .map(|phase| phase.message(plan))
        .unwrap_or_default();
    status.set(
        READY,
        ConditionStatus::Unknown,
        reason::PROGRESSING,
        "Reconciliation in progress",
    );
    status.set(
        RECONCILING,
        ConditionStatus::True,
        reason::PROGRESSING,
        &message,
    );
    status.remove(STALLED);
    if done.phase == Some(Phase::CheckingHealth) {
        status.set_health_unknown(&message);
    }
    status.set_results(plan, done);
    status.status
}

/// Status, events and requeue at the end of a run.
pub(super) fn conclude(
    object: &Kustomization,
    ending: Ending,
    times: Times,
) -> Outcome<KustomizationStatus> {
    let (took, now) = (times.elapsed(), times.now);
    match ending {
        Ending::Refused(refusal) => refused(object, refusal, now),
        Ending::Waiting(pending) => waiting(object, pending, now),
        Ending::Suspended => suspended(object, now),
        Ending::Worked(plan, done) => match done.failure.clone() {
            None => succeeded(object, &plan, &done, took, now),
            Some(failed) => failed_with(object, &plan, &done, failed, took, now),
        },
        Ending::Removed(Ok(())) => Outcome::untouched(Requeue::Never),
        Ending::Removed(Err(message)) => {
            let mut status = Draft::of(object, now);
            status.set(
                READY,
                ConditionStatus::False,
                reason::PRUNE_FAILED,
                &message,
            );
            let failure = Failure::message(reason::PRUNE_FAILED, Retry::Backoff, message);
            Outcome::new(status.status, failure.requeue())
        }
    }
}

/// Suspension leaves Ready unchanged and records the generation.
fn suspended(object: &Kustomization, now: Timestamp) -> Outcome<KustomizationStatus> {
    let notice = Notice::info(
        reason::SUSPENDED,
        "Reconciliation is suspended for this object",
    );
    let mut status = Draft::of(object, now);
    if status.status.conditions.is_true(READY) {
        status.remove(RECONCILING);
        status.remove(STALLED);
        status.set_observed_generation();
    }
    Outcome::new(status.status, Requeue::Never).with_notice(notice.only_log())
}

fn refused(
    object: &Kustomization,
    refusal: Refusal,
    now: Timestamp,
) -> Outcome<KustomizationStatus> {
    let Refusal {
        reason,
        message,
        retry,
        has_event,
    } = refusal;
    let mut status = Draft::of(object, now);
    status.set(READY, ConditionStatus::False, reason, &message);
    if retry == Retry::Stalled {
        status.set(STALLED, ConditionStatus::True, reason, &message);
        status.remove(RECONCILING);
        status.set_observed_generation();
    } else {
        status.remove(STALLED);
        status.set_retrying();
    }
    let failure = Failure::message(reason, retry, message.clone());
    let outcome = Outcome::new(status.status, failure.requeue());
    if has_event {
        outcome.with_notice(Notice::error(reason, message))
    } else {
        outcome
    }
}

fn waiting(
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
    let mut status = Draft::of(object, now);
    status.set(READY, ConditionStatus::False, reason, &message);
    status.remove(STALLED);
    status.set_retrying();
    let mut outcome = Outcome::new(status.status, Requeue::After(after));
    if let Some(log) = log {
        outcome = outcome.with_notice(Notice::error(reason, log).only_log());
    }
    match notice {
        Some(notice) => {
            let notice = Notice::info(reason, notice);
            let (revision, origin) = (revision.as_deref(), origin_revision.as_deref());
            outcome.with_notice(with_revisions(notice, revision, origin))
        }
        None => outcome.with_notice(Notice::info(reason, message).only_log()),
    }
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
    let mut status = Draft::of(object, now);
    status.set_results(plan, done);
    let message = format!("Applied revision: {}", plan.revision());
    status.set(
        READY,
        ConditionStatus::True,
        reason::RECONCILIATION_SUCCEEDED,
        &message,
    );
    status.remove(RECONCILING);
    status.remove(STALLED);
    status.set_observed_generation();
    status.status.last_applied_revision = Some(plan.revision().to_owned());
    status
        .status
        .last_applied_origin_revision
        .clone_from(&plan.origin_revision);
    status.add_to_history(plan, done, reason::RECONCILIATION_SUCCEEDED, took);
    let interval = plan.timing.interval;
    let message = format!(
        "Reconciliation finished in {}, next run in {}",
        text(took),
        text(interval)
    );
    let notice = with_revision(
        plan,
        Notice::info(reason::RECONCILIATION_SUCCEEDED, message),
    )
    .with(key(metadata::COMMIT_STATUS), metadata::COMMIT_STATUS_UPDATE);
    Outcome::new(status.status, plan.timing.after_success()).with_notice(notice)
}

fn failed_with(
    object: &Kustomization,
    plan: &Plan,
    done: &RunReport,
    failed: WorkFailure,
    took: Duration,
    now: Timestamp,
) -> Outcome<KustomizationStatus> {
    let WorkFailure {
        reason,
        message,
        next,
    } = failed;
    let mut status = Draft::of(object, now);
    status.set_results(plan, done);
    let phase = done
        .phase
        .map(|phase| phase.message(plan))
        .unwrap_or_default();
    status.set(
        RECONCILING,
        ConditionStatus::True,
        reason::PROGRESSING_WITH_RETRY,
        &phase,
    );
    status.set(READY, ConditionStatus::False, reason, &message);
    if next == FailureRetry::Stalled {
        status.set(STALLED, ConditionStatus::True, reason, &message);
        status.remove(RECONCILING);
        status.set_observed_generation();
    } else {
        status.remove(STALLED);
    }
    // A superseding run says nothing about the apply, and its entry would displace another one.
    if done.digest.is_some() && done.health != Health::Cancelled {
        status.add_to_history(plan, done, reason, took);
    }
    let (after, notices) = match next {
        FailureRetry::Now(notice) => (
            Requeue::Now,
            vec![with_revision(plan, Notice::info(reason, notice))],
        ),
        FailureRetry::Stalled => (
            Failure::message(reason, Retry::Stalled, message.clone()).requeue(),
            vec![with_revision(plan, Notice::error(reason, message))],
        ),
        FailureRetry::Dependency => (
            Requeue::After(plan.requeue_dependency),
            vec![Notice::info(reason, message).only_log()],
        ),
        FailureRetry::Retry => {
            let retry = plan.timing.retry_interval;
            let log = format!(
                "Reconciliation failed after {}, next try in {}",
                text(took),
                text(retry)
            );
            let log = Notice::error(reason, log)
                .with("revision", plan.revision())
                .only_log();
            (
                Requeue::After(retry),
                vec![log, with_revision(plan, Notice::error(reason, message))],
            )
        }
    };
    Outcome {
        notices,
        ..Outcome::new(status.status, after)
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

/// A status under construction.
struct Draft {
    status: KustomizationStatus,
    generation: i64,
    now: Timestamp,
}

impl Draft {
    fn of(object: &Kustomization, now: Timestamp) -> Self {
        Self {
            status: object.status.clone().unwrap_or_default(),
            generation: object.metadata.generation.unwrap_or_default(),
            now,
        }
    }

    fn set(&mut self, type_: &str, status: ConditionStatus, reason: &str, message: &str) {
        let condition = Condition::new(type_, status, reason, message).observed_at(self.generation);
        self.status.conditions.set(condition, self.now);
    }

    fn remove(&mut self, type_: &str) {
        self.status.conditions.remove(type_);
    }

    fn set_health_unknown(&mut self, message: &str) {
        self.set(
            HEALTHY,
            ConditionStatus::Unknown,
            reason::PROGRESSING,
            message,
        );
    }

    /// Marks a standing Reconciling condition as retrying.
    fn set_retrying(&mut self) {
        if let Some(standing) = self.status.conditions.find(RECONCILING) {
            let message = standing.message.clone();
            self.set(
                RECONCILING,
                ConditionStatus::True,
                reason::PROGRESSING_WITH_RETRY,
                &message,
            );
        }
    }

    fn set_observed_generation(&mut self) {
        self.status.observed_generation = Some(self.generation);
    }

    /// Sets the results of a run, even of an incomplete one.
    fn set_results(&mut self, plan: &Plan, done: &RunReport) {
        if done.is_attempted {
            self.status.last_attempted_revision = Some(plan.revision().to_owned());
        }
        if let Some(inventory) = &done.inventory {
            self.status.inventory = Some(stored(inventory));
        }
        match &done.health {
            Health::NotReached => {}
            // This revision was not checked, so the last result does not apply.
            Health::Cancelled => self.set_health_unknown(&Phase::CheckingHealth.message(plan)),
            Health::Unchecked => self.remove(HEALTHY),
            Health::Passed(took) => self.set(
                HEALTHY,
                ConditionStatus::True,
                reason::SUCCEEDED,
                &passed_message(*took),
            ),
            Health::Failed(message) => {
                self.set(
                    HEALTHY,
                    ConditionStatus::False,
                    reason::HEALTH_CHECK_FAILED,
                    message,
                );
            }
        }
    }

    /// Adds an outcome to the history. A repeated outcome moves to the front, and the oldest entries
    /// are dropped.
    fn add_to_history(&mut self, plan: &Plan, done: &RunReport, outcome: &str, took: Duration) {
        let digest = done.digest.clone().unwrap_or_default();
        let history = &mut self.status.history;
        let same = history.iter().position(|snapshot| {
            snapshot.digest == digest && snapshot.last_reconciled_status == outcome
        });
        let mut snapshot = match same {
            Some(index) => history.remove(index),
            None => Snapshot {
                digest,
                first_reconciled: self.now.into(),
                last_reconciled_status: outcome.to_owned(),
                ..Snapshot::default()
            },
        };
        snapshot.last_reconciled = self.now.into();
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
}

fn stored(inventory: &Inventory) -> ResourceInventory {
    let entries = inventory
        .format()
        .map(|(id, version)| ResourceRef { id, version });
    ResourceInventory {
        entries: entries.collect(),
    }
}
