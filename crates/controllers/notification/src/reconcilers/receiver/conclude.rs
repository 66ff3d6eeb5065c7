//! Computes status, events and requeue of a run.

use sluice_api::meta::condition::{READY, RECONCILING, STALLED};
use sluice_api::meta::reason;
use sluice_api::notification::{Receiver, ReceiverStatus};
use sluice_engine::{End, Notice, Outcome, Requeue, Retry, Times};
use sluice_golang::duration::GoDuration;

use super::fault::Fault;
use super::model::Facts;
use super::spec::interval;

type Draft = sluice_engine::Draft<ReceiverStatus>;

/// Returns the outcome of a run.
pub(super) fn conclude(
    receiver: &Receiver,
    end: End<Facts, Fault>,
    times: Times,
) -> Outcome<ReceiverStatus> {
    let draft = Draft::begin(receiver, times.now);
    match end {
        End::Suspended => suspended(receiver, draft),
        End::Stopped(_, fault) => failed(draft, fault),
        End::Settled(facts) => match facts.path {
            Some(path) => succeeded(receiver, draft, path),
            // Only a deleted Receiver settles without a path.
            None => Outcome::untouched(Requeue::Never),
        },
    }
}

fn suspended(receiver: &Receiver, mut draft: Draft) -> Outcome<ReceiverStatus> {
    let notice = draft.suspend();
    finished(receiver, draft, Requeue::Never).with_notice(notice)
}

fn failed(mut draft: Draft, fault: Fault) -> Outcome<ReceiverStatus> {
    let Fault {
        failure,
        event_reason,
        is_path_invalid,
    } = fault;
    let (reason, message) = (&failure.reason, &failure.message);
    draft.condition_set.set_false(READY, reason, message);
    if failure.retry == Retry::Stalled {
        draft.set_stalled(&failure);
    } else {
        draft.condition_set.remove(STALLED);
        draft.condition_set.set_true(
            RECONCILING,
            reason::PROGRESSING_WITH_RETRY,
            "Reconciliation in progress",
        );
    }
    if is_path_invalid {
        draft.status.webhook_path = None;
    }
    let notice = Notice::error(event_reason, failure.message.clone());
    Outcome::new(draft.into_status(), failure.requeue()).with_notice(notice)
}

fn succeeded(receiver: &Receiver, mut draft: Draft, path: String) -> Outcome<ReceiverStatus> {
    let message = format!("Receiver initialized for path: {path}");
    draft
        .condition_set
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

/// Returns an outcome with the event that the reference emits after each ready run.
fn finished(receiver: &Receiver, draft: Draft, next: Requeue) -> Outcome<ReceiverStatus> {
    let is_ready = draft.is_ready();
    let outcome = Outcome::new(draft.into_status(), next);
    if !is_ready {
        return outcome;
    }
    let interval = GoDuration::from(interval(receiver));
    let message = format!("Reconciliation finished, next run in {interval}");
    outcome.with_notice(Notice::info(reason::SUCCEEDED, message))
}
