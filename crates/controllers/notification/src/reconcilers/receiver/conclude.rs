//! Computes status, events and requeue of a run.

use std::time::Duration;

use jiff::Timestamp;
use sluice_api::meta::condition::{READY, RECONCILING, STALLED};
use sluice_api::meta::reason;
use sluice_api::notification::{Receiver, ReceiverStatus};
use sluice_engine::{ConditionSet, End, Failure, Notice, Outcome, Requeue, Retry, Times};
use sluice_golang::duration::GoDuration;

use super::model::{Facts, ReceiverFailure};

/// Default interval of a Receiver.
const DEFAULT_INTERVAL: Duration = Duration::from_mins(10);
/// Reason for a token that cannot be read.
const TOKEN_NOT_FOUND: &str = "TokenNotFound";
/// Prefix of messages about an invalid spec.
const TERMINAL: &str = "Reconciliation failed terminally due to configuration error";

/// Returns the outcome of a run.
pub(super) fn conclude(
    receiver: &Receiver,
    end: End<Facts, ReceiverFailure>,
    times: Times,
) -> Outcome<ReceiverStatus> {
    let mut draft = Draft::of(receiver, times.now);
    match end {
        End::Suspended => {
            if draft.is_ready() {
                draft.settle();
            }
            let notice = Notice::info(
                reason::SUSPENDED,
                "Reconciliation is suspended for this object",
            );
            finished(receiver, draft, Requeue::Never).with_notice(notice.only_log())
        }
        End::Stopped(_, ReceiverFailure::Report(failure)) => Outcome::untouched(failure.requeue()),
        End::Stopped(_, ReceiverFailure::Spec(error)) => {
            let message = format!("{TERMINAL}: {}", error.message);
            let conditions = &mut draft.conditions;
            conditions.set_false(READY, error.reason, &message);
            conditions.remove(RECONCILING);
            conditions.set_true(STALLED, error.reason, &message);
            draft.status.observed_generation = Some(draft.generation);
            let failure = Failure::message(error.reason, Retry::Stalled, message.clone());
            draft
                .into_outcome(failure.requeue())
                .with_notice(Notice::error(error.reason, message))
        }
        End::Stopped(_, ReceiverFailure::Token(message)) => {
            let conditions = &mut draft.conditions;
            conditions.set_false(READY, TOKEN_NOT_FOUND, &message);
            conditions.remove(STALLED);
            conditions.set_true(
                RECONCILING,
                reason::PROGRESSING_WITH_RETRY,
                "Reconciliation in progress",
            );
            draft.status.webhook_path = None;
            let failure = Failure::message(TOKEN_NOT_FOUND, Retry::Backoff, message.clone());
            draft
                .into_outcome(failure.requeue())
                .with_notice(Notice::error(reason::FAILED, message))
        }
        End::Settled(Facts { path: None, .. }) => Outcome::untouched(Requeue::Never),
        End::Settled(Facts {
            path: Some(path), ..
        }) => {
            let message = format!("Receiver initialized for path: {path}");
            draft
                .conditions
                .set_true(READY, reason::SUCCEEDED, &message);
            draft.settle();
            let is_new = draft.status.webhook_path.as_ref() != Some(&path);
            draft.status.webhook_path = Some(path);
            let next = Requeue::Interval(interval(receiver));
            let outcome = finished(receiver, draft, next);
            if is_new {
                let notice = Notice::info(reason::SUCCEEDED, message).only_log();
                return outcome.with_notice(notice);
            }
            outcome
        }
    }
}

/// Returns an outcome with the event that the reference emits after each ready run.
fn finished(receiver: &Receiver, draft: Draft, next: Requeue) -> Outcome<ReceiverStatus> {
    let is_ready = draft.is_ready();
    let outcome = draft.into_outcome(next);
    if !is_ready {
        return outcome;
    }
    let interval = GoDuration::from(interval(receiver));
    let message = format!("Reconciliation finished, next run in {interval}");
    outcome.with_notice(Notice::info(reason::SUCCEEDED, message))
}

/// Returns the interval. The default replaces an invalid one, which an older schema accepted.
fn interval(receiver: &Receiver) -> Duration {
    let interval = receiver.spec.interval.as_ref();
    let parsed = interval.and_then(|interval| interval.parse().ok());
    parsed.unwrap_or(DEFAULT_INTERVAL)
}

/// The status of a Receiver during a run.
struct Draft {
    status: ReceiverStatus,
    conditions: ConditionSet,
    generation: i64,
}

impl Draft {
    fn of(receiver: &Receiver, now: Timestamp) -> Self {
        let mut status = receiver.status.clone().unwrap_or_default();
        let generation = receiver.metadata.generation.unwrap_or_default();
        let conditions = std::mem::take(&mut status.conditions);
        Self {
            status,
            conditions: ConditionSet::new(conditions, generation, now),
            generation,
        }
    }

    /// Records that the generation is reconciled.
    fn settle(&mut self) {
        self.conditions.remove(RECONCILING);
        self.conditions.remove(STALLED);
        self.status.observed_generation = Some(self.generation);
    }

    fn is_ready(&self) -> bool {
        self.conditions.conditions().is_true(READY)
    }

    fn into_outcome(self, next: Requeue) -> Outcome<ReceiverStatus> {
        let conditions = self.conditions.into_conditions();
        Outcome::new(
            ReceiverStatus {
                conditions,
                ..self.status
            },
            next,
        )
    }
}
