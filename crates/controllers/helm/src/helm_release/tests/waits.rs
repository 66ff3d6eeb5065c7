//! Releases that wait: for the health of their objects after the last retry, for another client.
//! The behaviour is ours. `docs/differences.md` compares it with that of Flux.

use sluice_api::helm::HelmReleaseStatus;
use sluice_engine::{Decision, End, Outcome, Requeue, Times};

use super::*;
use crate::helm_release::conclude::conclude;
use crate::helm_release::model::{Observation, Report, SourceState, Step};
use crate::helm_release::plan::plan;
use crate::helm_release::steps;

const HOUR: Duration = Duration::from_hours(1);

fn now() -> Timestamp {
    "2026-01-01T10:00:00Z".parse().unwrap()
}

/// A release whose only upgrade has failed by an error, and that has stalled.
fn stalled(error: &str) -> HelmRelease {
    let condition = |type_: &str, status: &str, reason: &str, message: &str| {
        json!({"type": type_, "status": status, "reason": reason, "message": message,
            "observedGeneration": 2, "lastTransitionTime": "2026-01-01T00:00:00Z"})
    };
    let failed = format!("Helm upgrade failed for release apps/web with chart web@1.0.0: {error}");
    let attempts = "Failed to upgrade after 1 attempt(s)";
    let mut status = with_history(&[snapshot(2, "failed"), snapshot(1, "deployed")]);
    let fields = json!({"lastAttemptedReleaseAction": "upgrade", "lastAttemptedGeneration": 2,
        "lastAttemptedRevision": "1.0.0", "failures": 1, "upgradeFailures": 1,
        "storageNamespace": "apps", "conditions": [
            condition("Stalled", "True", "RetriesExceeded", attempts),
            condition("Ready", "False", "UpgradeFailed", &failed),
            condition("Released", "False", "UpgradeFailed", &failed)]});
    let fields = fields.as_object().unwrap().clone();
    status.as_object_mut().unwrap().extend(fields);
    release(&json!({}), &status)
}

const UNHEALTHY: &str = "timeout waiting for: [Deployment/apps/web status: 'InProgress']";

/// The facts of a run that has read a failed record.
fn determined(object: &HelmRelease) -> Facts {
    let mut facts = Facts::begin(&Arc::new(object.clone()), &policy(), now());
    facts.observation = Some(Observation {
        unmet: None,
        source: SourceState::Ready(Box::default()),
    });
    facts.loaded = Some(Arc::new(loaded()));
    facts.is_connected = true;
    steps::begin(&mut facts, &Step::Determine, now());
    add(&mut facts, Report::Determined(Some(record(Status::FAILED))));
    facts
}

fn add(facts: &mut Facts, report: Report) {
    steps::end(facts, report, now()).unwrap();
}

fn end(object: &HelmRelease, end: End<Facts, Fault>) -> Outcome<HelmReleaseStatus> {
    let times = Times {
        started: now(),
        now: now(),
    };
    conclude(object, end, times)
}

fn stop(object: &HelmRelease, facts: Facts) -> Outcome<HelmReleaseStatus> {
    let Decision::Stop(fault) = plan(object, &facts) else {
        panic!("the run goes on");
    };
    end(object, End::Stopped(facts, fault))
}

#[test]
fn unhealthy_release_is_checked_without_a_change_of_its_status() {
    let object = stalled(UNHEALTHY);
    let mut facts = determined(&object);
    assert_eq!(plan(&object, &facts), Decision::Work(Step::CheckHealth));
    add(&mut facts, Report::HealthChecked(false));
    let outcome = stop(&object, facts);
    let status = outcome.status.unwrap();
    assert_eq!(
        status.conditions.find("Stalled"),
        object.status.as_ref().unwrap().conditions.find("Stalled")
    );
    let before = object.status.clone().unwrap();
    let sorted = |status: &HelmReleaseStatus| {
        let mut status = serde_json::to_value(status).unwrap();
        let conditions = status["conditions"].as_array_mut().unwrap();
        conditions.sort_by_key(|condition| condition["type"].to_string());
        // The first attempt of our controller adds the digest of the values.
        status["lastAttemptedConfigDigest"].take();
        status
    };
    assert_eq!(sorted(&status), sorted(&before));
    assert_eq!(outcome.next, Requeue::Interval(HOUR));
    let audiences = outcome.notices.iter().map(|notice| &notice.audience);
    assert!(
        audiences
            .into_iter()
            .all(|audience| *audience == sluice_engine::Audience::Log)
    );
}

#[test]
fn healthy_release_is_upgraded_once_with_a_new_count() {
    let object = stalled(UNHEALTHY);
    let mut facts = determined(&object);
    add(&mut facts, Report::HealthChecked(true));
    let status = &facts.draft.status;
    assert_eq!((status.failures, status.upgrade_failures), (0, 0));
    let reasons: Vec<&str> = facts
        .draft
        .notices
        .iter()
        .map(|notice| &*notice.reason)
        .collect();
    assert!(reasons.contains(&"HealthRecovered"), "{reasons:?}");
    assert_eq!(
        plan(&object, &facts),
        Decision::Work(Step::Act(Action::Upgrade))
    );
    // The upgrade fails by the same wait. The next check is in the next run.
    steps::begin(&mut facts, &Step::Act(Action::Upgrade), now());
    let report = ActionReport {
        writes: vec![write(3, "failed")],
        error: Some(ActionError::Failed(UNHEALTHY.to_owned())),
        ..ActionReport::default()
    };
    add(&mut facts, Report::Acted(Action::Upgrade, Box::new(report)));
    add(&mut facts, Report::Determined(Some(record(Status::FAILED))));
    let outcome = stop(&object, facts);
    assert!(
        matches!(outcome.next, Requeue::StalledInterval(_, HOUR)),
        "{:?}",
        outcome.next
    );
    assert!(outcome.status.unwrap().conditions.is_true("Stalled"));
}

#[test]
fn release_that_failed_otherwise_waits_for_an_edit() {
    let object = stalled("field is immutable");
    let outcome = stop(&object, determined(&object));
    assert!(
        matches!(outcome.next, Requeue::Stalled(_)),
        "{:?}",
        outcome.next
    );
}

#[test]
fn requested_check_reports_the_failure_again() {
    let mut object = stalled(UNHEALTHY);
    let requested = (
        "reconcile.fluxcd.io/requestedAt".to_owned(),
        "now".to_owned(),
    );
    object.metadata.annotations = Some([requested].into());
    let mut facts = determined(&object);
    add(&mut facts, Report::HealthChecked(false));
    let outcome = stop(&object, facts);
    assert!(
        matches!(outcome.next, Requeue::StalledInterval(_, HOUR)),
        "{:?}",
        outcome.next
    );
}

/// The state of a pending record that another client has begun at a time.
fn pending(since: &str) -> State {
    let object = Arc::new(release(
        &json!({}),
        &with_history(&[snapshot(1, "deployed")]),
    ));
    let facts = Facts::begin(&object, &policy(), now());
    let last = LastRecord {
        held_since: Some(since.parse().unwrap()),
        identity: Err(state::NOT_OBSERVED),
        ..record(Status::PENDING_UPGRADE)
    };
    state::determine(Some(&last), &facts.draft, &loaded()).unwrap()
}

#[test]
fn record_of_another_client_is_held_for_the_timeout() {
    for (since, expected) in [
        ("2026-01-01T10:00:00Z", "held"),
        ("2026-01-01T09:55:01Z", "held"),
        ("2026-01-01T09:55:00Z", "locked"),
        // The clock of the other client, or ours, is wrong.
        ("2026-01-01T10:00:01Z", "locked"),
    ] {
        assert_eq!(name(&pending(since)), expected, "{since}");
    }
}

#[test]
fn held_release_is_read_again_and_unlocked_by_force() {
    let draft = |now: Timestamp| {
        let object = Arc::new(release(&json!({}), &json!({})));
        Draft::begin(&object, Algorithm::Sha256, now)
    };
    let decide = |since: &str, is_forced: bool| {
        let state = pending(since);
        let assessment = Assessment { state, is_forced };
        next::action(&draft(now()), &assessment, None, false)
    };
    let NextAction::Stop(fault) = decide("2026-01-01T09:58:00Z", false) else {
        panic!("the run goes on");
    };
    assert_eq!(fault.reason, "PendingRelease");
    assert_eq!(
        fault.message,
        "release with status 'pending-upgrade' was not written for this object: it is unlocked at \
         2026-01-01T10:03:00Z"
    );
    assert_eq!(fault.next, RetryTime::After(Duration::from_secs(30)));
    let NextAction::Stop(fault) = decide("2026-01-01T09:55:10Z", false) else {
        panic!("the run goes on");
    };
    assert_eq!(fault.next, RetryTime::After(Duration::from_secs(10)));
    let forced = decide("2026-01-01T09:58:00Z", true);
    assert_eq!(forced, NextAction::Act(Action::Unlock));
}
