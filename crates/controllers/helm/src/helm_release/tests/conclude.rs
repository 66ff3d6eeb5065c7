//! Table of the ends of a run. Expectations are those of the reference:
//! `internal/controller/helmrelease_controller.go`.

use sluice_api::helm::HelmReleaseStatus;
use sluice_api::meta::Condition;
use sluice_engine::{Audience, End, Outcome, Requeue, Times};

use super::*;
use crate::helm_release::conclude::conclude;

fn end(object: &HelmRelease, end: End<Facts, Fault>) -> Outcome<HelmReleaseStatus> {
    let at = |text: &str| text.parse().unwrap();
    let times = Times {
        started: at("2026-01-01T10:00:00Z"),
        now: at("2026-01-01T10:00:02Z"),
    };
    conclude(object, end, times)
}

/// `Type=Status/Reason` of each condition, the observed generation, and the requeue.
fn shown(outcome: &Outcome<HelmReleaseStatus>) -> String {
    let next = match &outcome.next {
        Requeue::Backoff(failure) => format!("Backoff: {}", failure.message),
        Requeue::Stalled(failure) => format!("Stalled: {}", failure.message),
        next => format!("{next:?}"),
    };
    let Some(status) = &outcome.status else {
        return format!("untouched; {next}");
    };
    let word = |one: &Condition| format!("{}={}/{}", one.type_, one.status, one.reason);
    let mut words: Vec<String> = status.conditions.iter().map(word).collect();
    words.sort_unstable();
    let generation = status.observed_generation.unwrap_or_default();
    format!("{}; {generation}; {next}", words.join(" "))
}

/// The status of a release after its last run, on the generation before.
fn released() -> Value {
    let condition = |type_: &str| {
        json!({"type": type_, "status": "True", "reason": "UpgradeSucceeded", "message": "released",
            "observedGeneration": 1, "lastTransitionTime": "2026-01-01T00:00:00Z"})
    };
    json!({"history": [snapshot(1, "deployed")], "observedGeneration": 1,
        "conditions": [condition("Released"), condition("Ready")]})
}

/// Ends a run early.
fn stop(fault: Fault) -> Outcome<HelmReleaseStatus> {
    let object = Arc::new(release(&json!({}), &released()));
    end(&object, End::Stopped(facts(&object), fault))
}

#[test]
fn settled_run_is_ready_for_its_interval() {
    let object = Arc::new(release(&json!({}), &released()));
    let mut facts = facts(&object);
    facts.assessment = Some(Assessment {
        state: State::InSync,
        is_forced: false,
    });
    let outcome = end(&object, End::Settled(facts));
    let expected = "Ready=True/UpgradeSucceeded Released=True/UpgradeSucceeded; 2; Interval(3600s)";
    assert_eq!(shown(&outcome), expected);
    assert_eq!(outcome.notices, []);
}

#[test]
fn stopped_run_shows_its_fault() {
    let waiting = Fault::dependency("no db", Duration::from_secs(30));
    let source = Fault::prerequisite(
        "SourceNotReady",
        "no artifact",
        RetryTime::Interval(Duration::from_secs(30)),
    );
    let exceeded = Fault {
        stalled: Some(Box::new((
            "RetriesExceeded",
            "Failed to upgrade".to_owned(),
        ))),
        next: RetryTime::Edit,
        is_observed: true,
        ..Fault::returned("exceeded maximum retries")
    };
    let retry = RetryTime::Interval(Duration::from_mins(5));
    let released = "Released=True/UpgradeSucceeded";
    for (fault, ready, progress, end) in [
        (
            waiting,
            "Ready=False/DependencyNotReady",
            "Reconciling=True/Progressing",
            "1; After(30s)",
        ),
        (
            source,
            "Ready=False/SourceNotReady",
            "Reconciling=True/Progressing",
            "1; Interval(30s)",
        ),
        (
            Fault::retry("ArtifactFailed", "no answer"),
            "Ready=False/ArtifactFailed",
            "Reconciling=True/Progressing",
            "1; Backoff: no answer",
        ),
        (
            Fault::returned("no answer"),
            "Ready=True/UpgradeSucceeded",
            "Reconciling=True/Progressing",
            "1; Backoff: no answer",
        ),
        (
            Fault::pause(RetryTime::Now),
            "Ready=True/UpgradeSucceeded",
            "Reconciling=True/ProgressingWithRetry",
            "1; Now",
        ),
        (
            Fault::pause(retry),
            "Ready=True/UpgradeSucceeded",
            "Reconciling=True/ProgressingWithRetry",
            "2; Interval(300s)",
        ),
    ] {
        let expected = format!("{ready} {progress} {released}; {end}");
        assert_eq!(shown(&stop(fault)), expected);
    }
    assert_eq!(
        shown(&stop(Fault::pause(RetryTime::Scheduled))),
        format!("Ready=True/UpgradeSucceeded {released}; 2; Interval(3600s)")
    );
    let stalled = "Stalled=True/RetriesExceeded; 2; Stalled: exceeded maximum retries";
    assert_eq!(
        shown(&stop(exceeded)),
        format!("Ready=True/UpgradeSucceeded {released} {stalled}")
    );
    let outcome = stop(Fault::terminal("AccessDenied", "not allowed"));
    let stalled = "Stalled=True/AccessDenied; 2; Stalled: not allowed";
    assert_eq!(
        shown(&outcome),
        format!("Ready=False/AccessDenied {released} {stalled}")
    );
    assert_eq!(
        outcome.notices,
        [Notice::error("AccessDenied", "not allowed")]
    );
}

/// `Reconciling` of a run that ends with an error after its action began.
fn progress_of(fault: Fault, has_ended: bool) -> String {
    let mut status = released();
    let running = json!({"type": "Reconciling", "status": "True", "reason": "Progressing",
        "message": "Running 'upgrade' action with timeout of 5m0s",
        "lastTransitionTime": "2026-01-01T00:00:00Z"});
    status["conditions"].as_array_mut().unwrap().push(running);
    let object = Arc::new(release(&json!({}), &status));
    let mut facts = facts(&object);
    if has_ended {
        facts.performed.push(ActionType::Release);
    }
    let status = end(&object, End::Stopped(facts, fault)).status.unwrap();
    let reconciling = status.conditions.find("Reconciling").unwrap();
    format!("{}: {}", reconciling.reason, reconciling.message)
}

#[test]
fn only_a_running_action_is_named_as_running() {
    let retry = "ProgressingWithRetry: released";
    assert_eq!(progress_of(Fault::returned("no answer"), true), retry);
    // The record of a killed run was not read, or the step did not end.
    let running = "Progressing: Running 'upgrade' action with timeout of 5m0s";
    assert_eq!(progress_of(Fault::returned("no answer"), false), running);
    let interrupted = Fault {
        is_interrupted: true,
        ..Fault::returned("out of time")
    };
    assert_eq!(progress_of(interrupted, true), running);
}

#[test]
fn suspended_release_keeps_its_conditions() {
    let object = release(&json!({"suspend": true}), &released());
    let outcome = end(&object, End::Suspended);
    let expected = "Ready=True/UpgradeSucceeded Released=True/UpgradeSucceeded; 2; Never";
    assert_eq!(shown(&outcome), expected);
    let audiences = outcome.notices.iter().map(|notice| notice.audience);
    assert_eq!(audiences.collect::<Vec<_>>(), [Audience::Log]);
}

#[test]
fn deleted_release_keeps_its_status_once_settled() {
    let mut object = release(&json!({}), &released());
    let deleted_at = json!("2026-01-01T00:00:00Z");
    object.metadata.deletion_timestamp = Some(serde_json::from_value(deleted_at).unwrap());
    let object = Arc::new(object);
    let outcome = end(&object, End::Settled(facts(&object)));
    assert_eq!(shown(&outcome), "untouched; Never");
    let fault = Fault::returned("no answer");
    let outcome = end(&object, End::Stopped(facts(&object), fault));
    let expected = "Ready=True/UpgradeSucceeded Released=True/UpgradeSucceeded; 1; \
        Backoff: no answer";
    assert_eq!(shown(&outcome), expected);
}
