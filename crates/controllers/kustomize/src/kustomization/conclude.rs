//! What a Kustomization's status says during and after a run, who is told, and when
//! to look again: pure.

use std::collections::BTreeMap;
use std::time::Duration;

use jiff::Timestamp;
use sluice_api::event::metadata;
use sluice_api::history::{MAX_SNAPSHOTS, Snapshot};
use sluice_api::inventory::{ResourceInventory, ResourceRef};
use sluice_api::kustomize::{self, Kustomization, KustomizationStatus};
use sluice_api::meta::condition::{HEALTHY, READY, RECONCILING, STALLED};
use sluice_api::meta::{self, Condition, ConditionStatus, ToolkitResource as _, reason};
use sluice_apply::Inventory;
use sluice_engine::{Failure, Finalizer, Notice, Outcome, ReportError, Requeue, Retry};

use super::perform::{Done, Failed, Health, Next};
use super::plan::{Decision, Pending, Plan, Refusal};
use super::removal::Removed;
use super::timing::text;

#[cfg(test)]
#[path = "tests/conclude.rs"]
mod tests;

/// A source that is made together with an object is usually there by then.
const SILENCE: Duration = Duration::from_secs(5);

/// How a run ended.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum End {
    /// Nothing was to be done, or could be.
    Idle(Decision),
    /// The plan was carried out, as far as it went.
    Worked(Box<Plan>, Done),
    /// The object's things were taken out, or not.
    Removed(Removed),
}

/// The steps of a run that users see.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Phase {
    Fetching,
    Building,
    Detecting,
    CheckingHealth,
}

impl Phase {
    fn message(self, plan: &Plan) -> String {
        let revision = plan.revision();
        let timeout = text(plan.timing.timeout);
        match self {
            Self::Fetching => {
                format!("Fetching manifests for revision {revision} with a timeout of {timeout}")
            }
            Self::Building => {
                format!("Building manifests for revision {revision} with a timeout of {timeout}")
            }
            Self::Detecting => {
                format!("Detecting drift for revision {revision} with a timeout of {timeout}")
            }
            Self::CheckingHealth => {
                format!("Running health checks for revision {revision} with a timeout of {timeout}")
            }
        }
    }
}

/// The status while a plan is carried out.
pub(super) fn progress(
    object: &Kustomization,
    plan: &Plan,
    done: &Done,
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
        status.unknown_health(&message);
    }
    status.facts(plan, done);
    status.status
}

/// The end of a run.
pub(super) fn conclude(
    object: &Kustomization,
    end: End,
    started: Timestamp,
    now: Timestamp,
) -> Outcome<KustomizationStatus> {
    let took = Duration::try_from(now.duration_since(started)).unwrap_or_default();
    match end {
        End::Idle(Decision::Refuse(refusal)) => refused(object, refusal, now),
        End::Idle(Decision::Wait(pending)) => waiting(object, pending, now),
        End::Idle(_) => suspended(object, now),
        End::Worked(plan, done) => match done.failure.clone() {
            None => succeeded(object, &plan, &done, took, now),
            Some(failed) => failed_with(object, &plan, &done, failed, took, now),
        },
        End::Removed(Removed::Yes) => {
            Outcome::untouched(Requeue::Never).with_finalizer(Finalizer::Remove)
        }
        End::Removed(Removed::No(message)) => {
            let mut status = Draft::of(object, now);
            status.set(
                READY,
                ConditionStatus::False,
                reason::PRUNE_FAILED,
                &message,
            );
            status.handled(object);
            let failure = Failure::message(reason::PRUNE_FAILED, Retry::Backoff, message);
            Outcome::new(status.status, failure.requeue())
        }
    }
}

/// That it sleeps is as it should be: who is ready stays so, in this generation too.
fn suspended(object: &Kustomization, now: Timestamp) -> Outcome<KustomizationStatus> {
    let notice = Notice::info(
        reason::SUSPENDED,
        "Reconciliation is suspended for this object",
    );
    let mut status = Draft::of(object, now);
    status.handled(object);
    if status.status.conditions.is_true(READY) {
        status.remove(RECONCILING);
        status.remove(STALLED);
        status.observed();
    }
    Outcome::new(status.status, Requeue::Never)
        .with_finalizer(Finalizer::Add)
        .with_notice(notice.only_log())
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
        is_told,
    } = refusal;
    let mut status = Draft::of(object, now);
    status.set(READY, ConditionStatus::False, reason, &message);
    if retry == Retry::Stalled {
        status.set(STALLED, ConditionStatus::True, reason, &message);
        status.remove(RECONCILING);
        status.observed();
    } else {
        status.remove(STALLED);
        status.retrying();
    }
    status.handled(object);
    let failure = Failure::message(reason, retry, message.clone());
    let outcome = Outcome::new(status.status, failure.requeue()).with_finalizer(added(object));
    if is_told {
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
        is_usual,
    } = pending;
    if is_usual && let Some(rest) = silence(object, now) {
        return Outcome::untouched(Requeue::After(rest));
    }
    let mut status = Draft::of(object, now);
    status.set(READY, ConditionStatus::False, reason, &message);
    status.remove(STALLED);
    status.retrying();
    status.handled(object);
    let mut outcome =
        Outcome::new(status.status, Requeue::After(after)).with_finalizer(added(object));
    if let Some(log) = log {
        outcome = outcome.with_notice(Notice::error(reason, log).only_log());
    }
    match notice {
        Some(notice) => {
            let notice = Notice::info(reason, notice);
            let (revision, origin) = (revision.as_deref(), origin_revision.as_deref());
            outcome.with_notice(of_revision(notice, revision, origin))
        }
        None => outcome.with_notice(Notice::info(reason, message).only_log()),
    }
}

/// For how long nothing needs to be said of a new object of which nothing was said before.
/// Where many are made at once, each word about one slows down all the others.
fn silence(object: &Kustomization, now: Timestamp) -> Option<Duration> {
    let told = object
        .status
        .as_ref()
        .is_some_and(|status| !status.conditions.is_empty());
    let created = object.metadata.creation_timestamp.as_ref()?.0;
    // A server whose clock is ahead must not make us silent for longer.
    let age = Duration::try_from(now.duration_since(created)).unwrap_or(SILENCE);
    SILENCE
        .checked_sub(age)
        .filter(|rest| !told && !rest.is_zero())
}

fn succeeded(
    object: &Kustomization,
    plan: &Plan,
    done: &Done,
    took: Duration,
    now: Timestamp,
) -> Outcome<KustomizationStatus> {
    let mut status = Draft::of(object, now);
    status.facts(plan, done);
    let message = format!("Applied revision: {}", plan.revision());
    status.set(
        READY,
        ConditionStatus::True,
        reason::RECONCILIATION_SUCCEEDED,
        &message,
    );
    status.remove(RECONCILING);
    status.remove(STALLED);
    status.observed();
    status.handled(object);
    status.status.last_applied_revision = Some(plan.revision().to_owned());
    status
        .status
        .last_applied_origin_revision
        .clone_from(&plan.origin_revision);
    status.remember(plan, done, reason::RECONCILIATION_SUCCEEDED, took);
    let interval = plan.timing.interval;
    let message = format!(
        "Reconciliation finished in {}, next run in {}",
        text(took),
        text(interval)
    );
    let notice = about(
        plan,
        Notice::info(reason::RECONCILIATION_SUCCEEDED, message),
    )
    .with(key(metadata::COMMIT_STATUS), metadata::COMMIT_STATUS_UPDATE);
    Outcome::new(status.status, plan.timing.after_success()).with_notice(notice)
}

fn failed_with(
    object: &Kustomization,
    plan: &Plan,
    done: &Done,
    failed: Failed,
    took: Duration,
    now: Timestamp,
) -> Outcome<KustomizationStatus> {
    let Failed {
        reason,
        message,
        next,
    } = failed;
    let mut status = Draft::of(object, now);
    status.facts(plan, done);
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
    if next == Next::Stalled {
        status.set(STALLED, ConditionStatus::True, reason, &message);
        status.remove(RECONCILING);
        status.observed();
    } else {
        status.remove(STALLED);
    }
    status.handled(object);
    // That something newer came is no outcome of what was applied; it would only push one out.
    if done.digest.is_some() && done.health != Health::Cancelled {
        status.remember(plan, done, reason, took);
    }
    let (after, notices) = match next {
        Next::Now(told) => (Requeue::Now, vec![about(plan, Notice::info(reason, told))]),
        Next::Stalled => (
            Failure::message(reason, Retry::Stalled, message.clone()).requeue(),
            vec![about(plan, Notice::error(reason, message))],
        ),
        Next::Dependency => (
            Requeue::After(plan.requeue_dependency),
            vec![Notice::info(reason, message).only_log()],
        ),
        Next::Retry => {
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
                vec![log, about(plan, Notice::error(reason, message))],
            )
        }
    };
    Outcome {
        status: Some(status.status),
        finalizer: Finalizer::Keep,
        notices,
        next: after,
    }
}

/// What a failed write of the finalizer asks for.
pub(super) fn unwritable(error: &ReportError) -> Requeue {
    match error {
        ReportError::Gone => Requeue::Never,
        error => Failure::new(reason::RECONCILIATION_FAILED, Retry::Backoff, error).requeue(),
    }
}

/// The message of a passed health check.
pub(super) fn passed(took: Duration) -> String {
    format!("Health check passed in {}", text(took))
}

/// Says which revision a notice is about.
pub(super) fn about(plan: &Plan, notice: Notice) -> Notice {
    let origin = plan.origin_revision.as_deref();
    of_revision(notice, Some(plan.revision()), origin)
}

/// Says that a notice is about a revision, and about the one that it was made from.
fn of_revision(notice: Notice, revision: Option<&str>, origin: Option<&str>) -> Notice {
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

/// Says that a notice is about the revision that was applied last, if any was.
pub(super) fn of_last_applied(object: &Kustomization, notice: Notice) -> Notice {
    let Some(status) = &object.status else {
        return notice;
    };
    let origin = status.last_applied_origin_revision.as_deref();
    of_revision(notice, status.last_applied_revision.as_deref(), origin)
}

/// The reason of `Ready`, or this where there is none.
pub(super) fn ready_reason(object: &Kustomization, otherwise: &str) -> String {
    let status = object.status.as_ref();
    let ready = status.and_then(|status| status.conditions.find(READY));
    ready.map_or_else(|| otherwise.to_owned(), |ready| ready.reason.clone())
}

fn key(name: &str) -> String {
    format!("{}/{name}", kustomize::GROUP)
}

/// An object that goes cannot be given a finalizer any more.
fn added(object: &Kustomization) -> Finalizer {
    if object.metadata.deletion_timestamp.is_some() {
        Finalizer::Keep
    } else {
        Finalizer::Add
    }
}

/// A status in the making.
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

    fn unknown_health(&mut self, message: &str) {
        self.set(
            HEALTHY,
            ConditionStatus::Unknown,
            reason::PROGRESSING,
            message,
        );
    }

    /// A reconciliation that goes on although this run has ended.
    fn retrying(&mut self) {
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

    fn observed(&mut self) {
        self.status.observed_generation = Some(self.generation);
    }

    fn handled(&mut self, object: &Kustomization) {
        if let Some(requested) = object.reconcile_requested_at() {
            self.status.last_handled_reconcile_at = Some(requested.to_owned());
        }
    }

    /// What a run has brought about, finished or not.
    fn facts(&mut self, plan: &Plan, done: &Done) {
        if done.is_attempted {
            self.status.last_attempted_revision = Some(plan.revision().to_owned());
        }
        if let Some(inventory) = &done.inventory {
            self.status.inventory = Some(stored(inventory));
        }
        match &done.health {
            Health::NotReached => {}
            // Nobody has checked this revision, whatever was said of the one before.
            Health::Cancelled => self.unknown_health(&Phase::CheckingHealth.message(plan)),
            Health::Unchecked => self.remove(HEALTHY),
            Health::Passed(took) => self.set(
                HEALTHY,
                ConditionStatus::True,
                reason::SUCCEEDED,
                &passed(*took),
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

    /// Counts this outcome in the history: one that is the same as before moves to
    /// the front, and the oldest fall off.
    fn remember(&mut self, plan: &Plan, done: &Done, outcome: &str, took: Duration) {
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
