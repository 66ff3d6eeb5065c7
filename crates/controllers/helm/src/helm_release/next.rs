//! The next action on a release, by its state. Pure.
//!
//! Parity: `helm-controller: internal/reconcile/atomic_release.go`.

use std::time::Duration;

use jiff::Timestamp;
use sluice_api::helm::condition::{RELEASED, REMEDIATED};
use sluice_api::helm::{DriftDetectionMode, ReleaseSnapshot, RemediationStrategy};
use sluice_api::meta::condition::{READY, RECONCILING};
use sluice_api::meta::reason;
use sluice_engine::Notice;
use sluice_golang::duration::GoDuration;

use super::draft::Draft;
use super::fault::{Fault, RECONCILE_ERROR, RETRIES_EXCEEDED, RetryTime};
use super::model::{Action, ActionType, Assessment, Drift, State, Verification};
use super::strategy::{self, Remediation};
use super::{drift, history, journal, messages};

/// The condition type of drift.
pub(super) const DRIFTED: &str = "Drifted";

/// The time between two reads of a record that another client may change.
const HELD_INTERVAL: Duration = Duration::from_secs(30);

/// The next action of a run, or its end.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum NextAction {
    /// Nothing.
    Done,
    /// An action.
    Act(Action),
    /// Read the record to roll back to first.
    Verify(Box<ReleaseSnapshot>),
    /// The run cannot go on.
    Stop(Fault),
}

/// The action for a state, without the limit of actions per run.
pub(super) fn action(
    draft: &Draft,
    assessment: &Assessment,
    verification: Option<&Verification>,
    retries_by_default: bool,
) -> NextAction {
    let (spec, status) = (draft.spec(), &draft.status);
    let is_forced = assessment.is_forced;
    match &assessment.state {
        State::InSync if is_forced => NextAction::Act(Action::Upgrade),
        State::InSync => NextAction::Done,
        State::Locked(_) => NextAction::Act(Action::Unlock),
        State::Held(..) if is_forced => NextAction::Act(Action::Unlock),
        State::Held(why, until) => NextAction::Stop(locked_record(draft, why, *until)),
        State::Absent(_) => {
            if Remediation::of_install(spec).is_exhausted(status) && !is_forced {
                return exceeded(draft, "cannot install release");
            }
            NextAction::Act(Action::Install)
        }
        State::Unmanaged(_) => NextAction::Act(Action::Upgrade),
        State::OutOfSync(_) => {
            if Remediation::of_upgrade(spec).is_exhausted(status) && !is_forced {
                return exceeded(draft, "cannot upgrade release");
            }
            NextAction::Act(Action::Upgrade)
        }
        State::Drifted(drift) => {
            let mode = spec.drift_detection.as_ref();
            let mode = mode.and_then(|detection| detection.mode.as_ref());
            if mode == Some(&DriftDetectionMode::Enabled) {
                NextAction::Act(Action::Correct(drift.clone()))
            } else {
                NextAction::Done
            }
        }
        State::Untested => NextAction::Act(Action::Test),
        State::Failed(_) => failed(draft, is_forced, verification, retries_by_default),
    }
}

fn failed(
    draft: &Draft,
    is_forced: bool,
    verification: Option<&Verification>,
    retries_by_default: bool,
) -> NextAction {
    let (spec, status) = (draft.spec(), &draft.status);
    if strategy::active_retry(spec, status, retries_by_default).is_some() {
        return NextAction::Act(Action::Upgrade);
    }
    let Some(remediation) = Remediation::active(spec, status) else {
        return NextAction::Act(Action::Upgrade);
    };
    // Without a counted failure, the conditions of the failure have changed.
    if remediation.failures(status) <= 0 || is_forced {
        return NextAction::Act(Action::Upgrade);
    }
    if remediation.is_exhausted(status) && !remediation.remediates_last() {
        return exceeded(draft, "cannot remediate failed release");
    }
    match remediation.strategy() {
        RemediationStrategy::Uninstall => NextAction::Act(Action::Uninstall),
        RemediationStrategy::Rollback => {
            let previous = history::previous(&status.history, remediation.ignores_tests(spec));
            let Some(previous) = previous else {
                return missing_target();
            };
            match verification {
                None => NextAction::Verify(Box::new(previous.clone())),
                Some(Verification::Verified) => {
                    NextAction::Act(Action::Rollback(Box::new(previous.clone())))
                }
                Some(Verification::Changed(_)) => NextAction::Act(Action::Upgrade),
                Some(Verification::Failed(why)) => NextAction::Stop(Fault::returned(format!(
                    "cannot verify previous release to roll back to: {why}"
                ))),
            }
        }
        RemediationStrategy::Other(other) => NextAction::Stop(Fault::returned(format!(
            "unknown remediation strategy: {other}"
        ))),
    }
}

/// Another client may perform an action. Its end wakes no run, so the record is read from time to
/// time.
fn locked_record(draft: &Draft, why: &str, until: Timestamp) -> Fault {
    let left = until.duration_since(draft.condition_set.now());
    let left = Duration::try_from(left).unwrap_or_default();
    let next = RetryTime::After(left.min(HELD_INTERVAL));
    Fault::prerequisite(
        messages::PENDING_RELEASE,
        messages::locked_record(why, until),
        next,
    )
}

/// The retries are used up.
fn exceeded(draft: &Draft, what: &str) -> NextAction {
    NextAction::Stop(stalled_by_retries(
        draft,
        format!("exceeded maximum retries: {what}"),
    ))
}

fn stalled_by_retries(draft: &Draft, error: String) -> Fault {
    let (spec, status) = (draft.spec(), &draft.status);
    let action = status.last_attempted_release_action.as_ref();
    let action = action.map_or("", |action| action.as_str());
    let failures =
        Remediation::active(spec, status).map_or(0, |remediation| remediation.failures(status));
    Fault {
        stalled: Some(Box::new((
            RETRIES_EXCEEDED,
            format!("Failed to {action} after {failures} attempt(s)"),
        ))),
        next: RetryTime::Edit,
        is_observed: true,
        ..Fault::returned(error)
    }
}

fn missing_target() -> NextAction {
    let error = "missing target release for rollback: cannot remediate failed release";
    NextAction::Stop(Fault {
        stalled: Some(Box::new((
            "MissingRollbackTarget",
            format!("Failed to perform remediation: {error}"),
        ))),
        next: RetryTime::Edit,
        is_observed: true,
        ..Fault::returned(error)
    })
}

/// The next step of a run. A run performs one action of each type.
pub(super) fn next(
    draft: &Draft,
    assessment: &Assessment,
    verification: Option<&Verification>,
    performed: &[ActionType],
    retries_by_default: bool,
) -> NextAction {
    let next = action(draft, assessment, verification, retries_by_default);
    match next {
        NextAction::Act(action) if performed.contains(&action.kind()) => {
            match pause(draft, retries_by_default) {
                Some(fault) => NextAction::Stop(fault),
                None => NextAction::Stop(Fault::pause(RetryTime::Scheduled)),
            }
        }
        next => next,
    }
}

/// Why a run stops between two actions; `None` if the retries are used up.
fn pause(draft: &Draft, retries_by_default: bool) -> Option<Fault> {
    let (spec, status) = (draft.spec(), &draft.status);
    if let Some(interval) = strategy::active_retry(spec, status, retries_by_default) {
        return Some(Fault::pause(RetryTime::Interval(interval)));
    }
    let remediation = Remediation::active(spec, status);
    let is_exhausted = remediation.is_some_and(|own| own.is_exhausted(status));
    (!is_exhausted).then(|| Fault::pause(RetryTime::Now))
}

/// Shows a pause in the status.
pub(super) fn show_pause(draft: &mut Draft, time: &RetryTime) {
    match time {
        RetryTime::Interval(interval) => set_retrying(draft, *interval),
        RetryTime::Now => set_progressing_with_retry(draft),
        _ => draft.condition_set.remove(RECONCILING),
    }
}

/// Shows the retry of a run whose actions have ended. Only a running action is named as running.
pub(super) fn show_retry(draft: &mut Draft) {
    if journal::running(draft.condition_set.conditions()).is_some() {
        set_progressing_with_retry(draft);
    }
}

fn set_progressing_with_retry(draft: &mut Draft) {
    let message = draft.ready_message();
    draft.set_reconciling(reason::PROGRESSING_WITH_RETRY, message);
}

fn set_retrying(draft: &mut Draft, interval: std::time::Duration) {
    let interval = GoDuration::from_std(interval);
    draft.set_reconciling(
        reason::PROGRESSING_WITH_RETRY,
        format!("retrying after {interval}"),
    );
}

/// How a run goes on after an action; `None` to look for the next one. `error` is set if the action
/// has not changed the release.
pub(super) fn after_action(
    draft: &mut Draft,
    action: &Action,
    error: Option<String>,
    retries_by_default: bool,
) -> Option<Fault> {
    let retry = strategy::active_retry(draft.spec(), &draft.status, retries_by_default);
    if let Some(error) = error {
        if let Some(interval) = retry {
            let message = format!("failed to run '{}' action: {error}", action.name());
            let notice = Notice::error(RECONCILE_ERROR, message).only_log();
            draft.notices.push(notice);
            set_retrying(draft, interval);
            return Some(Fault::again(RetryTime::Interval(interval)));
        }
        if draft.is_true(READY) {
            draft
                .condition_set
                .set_false(READY, RECONCILE_ERROR, error.clone());
        }
        return Some(Fault::returned(error));
    }
    if action.kind() != ActionType::Remediate {
        return None;
    }
    if let Some(interval) = retry {
        set_retrying(draft, interval);
        return Some(Fault::again(RetryTime::Interval(interval)));
    }
    let remediation = Remediation::active(draft.spec(), &draft.status);
    let is_over =
        remediation.is_some_and(|own| own.is_exhausted(&draft.status) && !own.uninstalls_upgrade());
    if is_over {
        let error = "exceeded maximum retries".to_owned();
        return Some(stalled_by_retries(draft, error));
    }
    set_progressing_with_retry(draft);
    Some(Fault::again(RetryTime::Now))
}

/// Changes the status before an action, by the state that demands it.
pub(super) fn prepare(draft: &mut Draft, assessment: &Assessment, retries_by_default: bool) {
    match &assessment.state {
        State::InSync => truncate(draft, retries_by_default),
        State::Unmanaged(_) => draft.clear_history(),
        State::Untested => restore_released(draft),
        State::Drifted(found) => report_drift(draft, found),
        State::Failed(_) => {
            if strategy::active_retry(draft.spec(), &draft.status, retries_by_default).is_some() {
                history::truncate_to_newest(&mut draft.status.history);
                return;
            }
            let remediation = Remediation::active(draft.spec(), &draft.status);
            let Some(remediation) = remediation else {
                return;
            };
            if remediation.failures(&draft.status) > 0 && !assessment.is_forced {
                let ignores = remediation.ignores_tests(draft.spec());
                history::truncate(&mut draft.status.history, ignores);
            }
        }
        State::Absent(_) | State::Locked(_) | State::Held(..) | State::OutOfSync(_) => {}
    }
}

/// Changes the status at the end of a run without a further action.
pub(super) fn settle(draft: &mut Draft, state: &State, retries_by_default: bool) {
    match state {
        State::Drifted(found) => report_drift(draft, found),
        State::InSync => {
            truncate(draft, retries_by_default);
            restore_released(draft);
            repair_released(draft);
            let detection = draft.spec().drift_detection.as_ref();
            if detection.is_some_and(|detection| drift::detects(detection.mode.as_ref())) {
                let message = "No drift detected against the cluster state";
                draft
                    .condition_set
                    .set_false(DRIFTED, "NoDriftDetected", message);
            }
        }
        _ => {}
    }
    draft.condition_set.remove(RECONCILING);
    draft.summarize();
}

/// Removes the history up to the previous release.
fn truncate(draft: &mut Draft, retries_by_default: bool) {
    let spec = draft.spec();
    if strategy::active_retry(spec, &draft.status, retries_by_default).is_some() {
        history::truncate_to_newest(&mut draft.status.history);
        return;
    }
    let remediation = Remediation::active(spec, &draft.status);
    let ignores = match remediation {
        Some(remediation) => remediation.ignores_tests(spec),
        None => strategy::ignores_tests(spec),
    };
    history::truncate(&mut draft.status.history, ignores);
}

/// Replaces `Remediated` of a release that a roll-back has brought into the desired state.
fn restore_released(draft: &mut Draft) {
    if !draft.is_true(REMEDIATED) {
        return;
    }
    let Some(current) = history::latest(&draft.status.history) else {
        return;
    };
    let message = messages::succeeded("upgrade", current);
    draft.replace_condition(REMEDIATED, RELEASED, messages::UPGRADE_SUCCEEDED, message);
}

/// Repairs the conditions of a release whose success was not recorded.
fn repair_released(draft: &mut Draft) {
    if draft.is_true(READY) && draft.is_true(RELEASED) {
        return;
    }
    let (reason, action) = match draft.reason_of(RELEASED) {
        messages::INSTALL_FAILED => (messages::INSTALL_SUCCEEDED, "install"),
        messages::UPGRADE_FAILED => (messages::UPGRADE_SUCCEEDED, "upgrade"),
        _ => return,
    };
    let Some(current) = history::latest(&draft.status.history) else {
        return;
    };
    let message = messages::succeeded(action, current);
    draft.condition_set.set_true(RELEASED, reason, message);
    draft.summarize();
}

fn report_drift(draft: &mut Draft, found: &[Drift]) {
    let current = history::latest(&draft.status.history);
    let release = current.map(history::release_name).unwrap_or_default();
    let message = format!(
        "Cluster state of release {release} has drifted from the desired state:\n{}",
        drift::summary(found)
    );
    draft
        .condition_set
        .set_true(DRIFTED, reason::DRIFT_DETECTED, message.clone());
    draft
        .notices
        .push(Notice::error(reason::DRIFT_DETECTED, message));
}
