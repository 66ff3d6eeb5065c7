//! Statuses, events and requeues at the end of a run.

use serde_json::json;
use sluice_api::meta::{Condition, ConditionStatus, Conditions};
use sluice_engine::{Audience, Severity};

use super::super::model::Start;
use super::super::plan::tests::{kustomization, plan_of, policy, ready, with_status};
use super::*;

fn at(text: &str) -> Timestamp {
    text.parse().unwrap()
}

fn end(object: &Kustomization, ending: RunEnd) -> Outcome<KustomizationStatus> {
    let times = Times {
        started: at("2026-01-01T10:00:00Z"),
        now: at("2026-01-01T10:00:02.5Z"),
    };
    conclude_run(object, ending, times)
}

/// `Type=Status/Reason: message` of each condition.
fn conditions(conditions: &Conditions) -> Vec<String> {
    let line = |c: &Condition| format!("{}={}/{}: {}", c.type_, c.status, c.reason, c.message);
    conditions.iter().map(line).collect()
}

fn done(failure: Option<ReportedFailure>) -> RunReport {
    RunReport {
        is_attempted: true,
        digest: Some("sha256:aa".to_owned()),
        inventory: Some(Inventory::parse([("apps_web_apps_Deployment", "v1")]).unwrap()),
        recorded: None,
        health: Health::Unchecked,
        phase: Some(Phase::Detecting),
        failure,
    }
}

fn worked(object: &Kustomization, done: RunReport) -> Outcome<KustomizationStatus> {
    end(
        object,
        RunEnd::Worked(Arc::new(plan_of(object, "main@sha1:2")), done),
    )
}

#[expect(clippy::unnecessary_wraps, reason = "callers also pass `None`")]
fn failed(reason: &'static str) -> Option<ReportedFailure> {
    Some(ReportedFailure::retry(reason, "it broke"))
}

fn notices(outcome: &Outcome<KustomizationStatus>) -> Vec<(Audience, Severity, &str, &str)> {
    outcome
        .notices
        .iter()
        .map(|n| {
            (
                n.audience,
                n.severity,
                n.reason.as_ref(),
                n.message.as_str(),
            )
        })
        .collect()
}

#[test]
fn success_reports_revision_and_next_run() {
    let mut object = ready("a", "main@sha1:1");
    object.metadata.annotations = Some(
        [(
            "reconcile.fluxcd.io/requestedAt".to_owned(),
            "now".to_owned(),
        )]
        .into(),
    );
    let outcome = worked(&object, done(None));
    let status = outcome.status.as_ref().unwrap();
    assert_eq!(
        conditions(&status.conditions),
        ["Ready=True/ReconciliationSucceeded: Applied revision: main@sha1:2"]
    );
    assert_eq!(status.conditions[0].observed_generation, Some(2));
    assert_eq!(status.observed_generation, Some(2));
    assert_eq!(status.last_applied_revision.as_deref(), Some("main@sha1:2"));
    assert_eq!(
        status.last_attempted_revision.as_deref(),
        Some("main@sha1:2")
    );
    assert_eq!(outcome.next, Requeue::Interval(Duration::from_mins(10)));
    assert_eq!(
        notices(&outcome),
        [(
            Audience::Everyone,
            Severity::Info,
            "ReconciliationSucceeded",
            "Reconciliation finished in 2.5s, next run in 10m0s"
        )]
    );
    let metadata = &outcome.notices[0].metadata;
    assert_eq!(
        metadata["kustomize.toolkit.fluxcd.io/revision"],
        "main@sha1:2"
    );
    assert_eq!(
        metadata["kustomize.toolkit.fluxcd.io/commit_status"],
        "update"
    );
}

#[test]
fn failure_keeps_last_applied_revision_and_notifies() {
    let object = ready("a", "main@sha1:1");
    let outcome = worked(&object, done(failed("PruneFailed")));
    let status = outcome.status.as_ref().unwrap();
    assert_eq!(
        conditions(&status.conditions),
        [
            "Reconciling=True/ProgressingWithRetry: Detecting drift for revision main@sha1:2 with a timeout of 9m30s",
            "Ready=False/PruneFailed: it broke",
        ]
    );
    assert_eq!(status.last_applied_revision.as_deref(), Some("main@sha1:1"));
    assert_eq!(
        status.last_attempted_revision.as_deref(),
        Some("main@sha1:2")
    );
    assert_eq!(outcome.next, Requeue::After(Duration::from_mins(10)));
    assert_eq!(
        notices(&outcome),
        [
            (
                Audience::Log,
                Severity::Error,
                "PruneFailed",
                "Reconciliation failed after 2.5s, next try in 10m0s"
            ),
            (
                Audience::Everyone,
                Severity::Error,
                "PruneFailed",
                "it broke"
            ),
        ]
    );
}

#[test]
fn fetch_failure_keeps_inventory_and_history() {
    let object = ready("a", "main@sha1:1");
    let early = RunReport {
        phase: Some(Phase::Fetching),
        failure: failed("ArtifactFailed"),
        ..RunReport::default()
    };
    let status = worked(&object, early).status.unwrap();
    let before = object.status.as_ref().unwrap();
    assert_eq!(status.inventory, before.inventory);
    assert_eq!(status.history, before.history);
    assert_eq!(
        status.last_attempted_revision,
        before.last_attempted_revision
    );
}

#[test]
fn transient_failure_is_only_logged() {
    let object = kustomization("a", |_| ());
    let retry = Retry::After(Duration::from_secs(30));
    let failure = ReportedFailure {
        failure: Failure::message("ArtifactFailed", retry, "not yet"),
        event: FailureEvent::None,
    };
    let outcome = worked(
        &object,
        RunReport {
            failure: Some(failure),
            ..RunReport::default()
        },
    );
    assert_eq!(outcome.next, Requeue::After(Duration::from_secs(30)));
    assert!(
        outcome
            .notices
            .iter()
            .all(|notice| notice.audience == Audience::Log)
    );
}

#[test]
fn refusal_stalls_until_edited() {
    let object = with_status(
        "a",
        json!({"conditions": [{"type": "Reconciling", "status": "True", "reason": "Progressing",
        "message": "", "lastTransitionTime": "2026-01-01T00:00:00Z"}]}),
    );
    let failure = Failure::message("AccessDenied", Retry::Stalled, "no");
    let outcome = end(&object, RunEnd::Refused(failure.into()));
    let status = outcome.status.as_ref().unwrap();
    assert_eq!(
        conditions(&status.conditions),
        [
            "Stalled=True/AccessDenied: no",
            "Ready=False/AccessDenied: no"
        ]
    );
    assert_eq!(status.observed_generation, Some(2));
    assert!(matches!(outcome.next, Requeue::Stalled(_)));
    assert_eq!(
        notices(&outcome),
        [(Audience::Everyone, Severity::Error, "AccessDenied", "no")]
    );
}

#[test]
fn unreadable_source_is_shown_and_handles_request() {
    let mut object = ready("a", "main@sha1:1");
    let annotation = ("reconcile.fluxcd.io/requestedAt", "now");
    let annotations = [annotation].map(|(key, value)| (key.to_owned(), value.to_owned()));
    object.metadata.annotations = Some(annotations.into());
    let message = "unable to get source 'apps/source': it is forbidden";
    let failure = ReportedFailure {
        event: FailureEvent::None,
        ..ReportedFailure::retry("ArtifactFailed", message)
    };
    let outcome = end(&object, RunEnd::Refused(failure));
    let status = outcome.status.as_ref().unwrap();
    assert_eq!(
        conditions(&status.conditions),
        ["Ready=False/ArtifactFailed: unable to get source 'apps/source': it is forbidden"]
    );
    assert_eq!(status.last_applied_revision.as_deref(), Some("main@sha1:1"));
    assert!(matches!(outcome.next, Requeue::Backoff(_)));
    assert_eq!(notices(&outcome), [], "the requeue logs the failure");
}

#[test]
fn unreadable_status_is_retried() {
    let mut object = ready("a", "1");
    let status = object.status.as_mut().unwrap();
    status.inventory.as_mut().unwrap().entries[0].id = "nonsense".to_owned();
    let stored = status.inventory.clone();
    object.metadata.deletion_timestamp =
        Some(serde_json::from_value(json!("2026-01-01T00:00:00Z")).unwrap());
    let Err(Start::Refuse(failure)) = plan::decide_from_spec(&object, &policy()) else {
        panic!("the status is unreadable");
    };
    let outcome = end(&object, RunEnd::Refused(failure));
    assert!(
        matches!(outcome.next, Requeue::Backoff(_)),
        "a repaired status does not wake the object: {:?}",
        outcome.next
    );
    let status = outcome.status.unwrap();
    assert!(status.conditions.is_false("Ready"));
    assert!(status.conditions.find("Stalled").is_none());
    assert_eq!(status.inventory, stored);
}

#[test]
fn waiting_object_is_not_stalled() {
    let object = with_status(
        "a",
        json!({"conditions": [
        {"type": "Stalled", "status": "True", "reason": "AccessDenied", "message": "", "lastTransitionTime": "2026-01-01T00:00:00Z"}]}),
    );
    let pending = Pending {
        reason: "DependencyNotReady",
        message: "dependency 'apps/b' is not ready".to_owned(),
        after: Duration::from_secs(30),
        notice: Some("Dependencies do not meet ready condition, retrying in 30s".to_owned()),
        revision: Some("main@sha1:2".to_owned()),
        origin_revision: None,
        log: Some("circular dependency detected: apps/a -> apps/b -> apps/a".to_owned()),
        is_expected: false,
    };
    let outcome = end(&object, RunEnd::Waiting(pending));
    let status = outcome.status.as_ref().unwrap();
    assert_eq!(
        conditions(&status.conditions),
        ["Ready=False/DependencyNotReady: dependency 'apps/b' is not ready"]
    );
    assert_eq!(
        notices(&outcome),
        [
            (
                Audience::Log,
                Severity::Error,
                "DependencyNotReady",
                "circular dependency detected: apps/a -> apps/b -> apps/a"
            ),
            (
                Audience::Everyone,
                Severity::Info,
                "DependencyNotReady",
                "Dependencies do not meet ready condition, retrying in 30s"
            )
        ]
    );
}

#[test]
fn terminal_failure_stalls() {
    let message = "no client";
    let failure = Failure::message("ReconciliationFailed", Retry::Stalled, message);
    let object = kustomization("a", |_| ());
    let outcome = worked(&object, done(Some(failure.into())));
    let status = outcome.status.as_ref().unwrap();
    assert!(status.conditions.is_true("Stalled") && status.conditions.is_false("Ready"));
    assert!(status.conditions.find("Reconciling").is_none());
    assert_eq!(status.observed_generation, object.metadata.generation);
    assert!(matches!(outcome.next, Requeue::Stalled(_)));
}

#[test]
fn cancelled_health_check_names_trigger_and_requeues() {
    let notice =
        "Health checks canceled due to new reconciliation triggered by GitRepository/apps/source";
    let message = "New reconciliation triggered by GitRepository/apps/source";
    let failure = ReportedFailure {
        event: FailureEvent::Superseded(notice.to_owned()),
        ..ReportedFailure::retry("HealthCheckCanceled", message)
    };
    let mut object = ready("a", "main@sha1:1");
    let healthy = Condition::new("Healthy", ConditionStatus::True, "Succeeded", "");
    let before = object.status.as_mut().unwrap();
    before.conditions.set(healthy, at("2026-01-01T00:00:00Z"));
    let cancelled = RunReport {
        health: Health::Cancelled,
        phase: Some(Phase::CheckingHealth),
        ..done(Some(failure))
    };
    let outcome = worked(&object, cancelled);
    assert_eq!(outcome.next, Requeue::Now);
    let status = outcome.status.as_ref().unwrap();
    assert!(
        conditions(&status.conditions).contains(
            &"Healthy=Unknown/Progressing: Running health checks for revision main@sha1:2 with a timeout of 9m30s"
                .to_owned()
        ),
        "{:?}",
        status.conditions
    );
    assert_eq!(status.history, object.status.unwrap().history);
    let ready = status.conditions.find("Ready").unwrap();
    assert_eq!(
        (ready.reason.as_str(), ready.message.as_str()),
        (
            "HealthCheckCanceled",
            "New reconciliation triggered by GitRepository/apps/source"
        )
    );
    assert_eq!(
        notices(&outcome),
        [(
            Audience::Everyone,
            Severity::Info,
            "HealthCheckCanceled",
            "Health checks canceled due to new reconciliation triggered by GitRepository/apps/source"
        )]
    );
}

#[test]
fn healthy_condition_shows_check_result() {
    let object = ready("a", "main@sha1:1");
    let shown = |health: Health| {
        let status = worked(
            &object,
            RunReport {
                health,
                ..done(None)
            },
        )
        .status
        .unwrap();
        conditions(&status.conditions)
            .into_iter()
            .find(|line| line.starts_with("Healthy"))
    };
    assert_eq!(shown(Health::Unchecked), None);
    assert_eq!(
        shown(Health::Passed(Duration::from_millis(1500))).unwrap(),
        "Healthy=True/Succeeded: Health check passed in 1.5s"
    );
    assert_eq!(
        shown(Health::Failed("no".to_owned())).unwrap(),
        "Healthy=False/HealthCheckFailed: no"
    );
}

#[test]
fn progress_names_revision_and_timeout() {
    let object = kustomization("a", |spec| spec["timeout"] = json!("1m"));
    let plan = plan_of(&object, "main@sha1:2");
    let shown = |phase| {
        let status = progress_status(
            &object,
            &plan,
            &RunReport {
                phase: Some(phase),
                ..RunReport::default()
            },
            at("2026-01-01T00:00:00Z"),
        );
        conditions(&status.conditions)
    };
    assert_eq!(
        shown(Phase::Fetching),
        [
            "Reconciling=True/Progressing: Fetching manifests for revision main@sha1:2 with a timeout of 1m0s",
            "Ready=Unknown/Progressing: Reconciliation in progress",
        ]
    );
    assert_eq!(
        shown(Phase::CheckingHealth)[2],
        "Healthy=Unknown/Progressing: Running health checks for revision main@sha1:2 with a timeout of 1m0s"
    );
}

#[test]
fn history_counts_repeats_and_keeps_five() {
    let mut object = kustomization("a", |_| ());
    for (digest, outcome) in [
        ("1", None),
        ("1", None),
        ("1", failed("PruneFailed")),
        ("2", None),
        ("3", None),
        ("4", None),
        ("1", None),
        ("5", None),
    ] {
        let done = RunReport {
            digest: Some(digest.to_owned()),
            ..done(outcome)
        };
        object.status = worked(&object, done).status;
    }
    let history = &object.status.as_ref().unwrap().history;
    let lines: Vec<String> = history
        .iter()
        .map(|s| {
            format!(
                "{} {} {}",
                s.digest, s.last_reconciled_status, s.total_reconciliations
            )
        })
        .collect();
    assert_eq!(
        lines,
        [
            "5 ReconciliationSucceeded 1",
            "1 ReconciliationSucceeded 3",
            "4 ReconciliationSucceeded 1",
            "3 ReconciliationSucceeded 1",
            "2 ReconciliationSucceeded 1",
        ]
    );
    assert_eq!(history[0].metadata["revision"], "main@sha1:2");
    assert_eq!(history[0].last_reconciled_duration.as_str(), "2.5s");
}

#[test]
fn failed_removal_reports_cause_and_retries() {
    let object = ready("a", "1");
    let outcome = end(&object, RunEnd::Removed(Err("delete failed".to_owned())));
    assert_eq!(
        conditions(&outcome.status.as_ref().unwrap().conditions),
        ["Ready=False/PruneFailed: delete failed"]
    );
    assert!(matches!(outcome.next, Requeue::Backoff(_)));
}

#[test]
fn removal_of_a_ready_object_ends_with_an_event() {
    let object = ready("a", "1");
    let gone = end(&object, RunEnd::Removed(Ok(())));
    assert_eq!((gone.status, gone.next), (None, Requeue::Never));
    let messages: Vec<&str> = gone.notices.iter().map(|notice| &*notice.message).collect();
    assert_eq!(
        messages,
        ["Reconciliation finished in 2.5s, next run in 10m0s"]
    );
    let failed = kustomization("a", |_| {});
    let gone = end(&failed, RunEnd::Removed(Ok(())));
    assert_eq!(gone, Outcome::untouched(Requeue::Never));
}

#[test]
fn suspended_ready_object_is_only_observed() {
    let mut object = ready("a", "1");
    let before = object.status.clone().unwrap();
    object.metadata.generation = Some(7);
    let outcome = end(&object, RunEnd::Suspended);
    let expected = KustomizationStatus {
        observed_generation: Some(7),
        ..before
    };
    assert_eq!(outcome.status, Some(expected));
    assert_eq!(outcome.next, Requeue::Never);
    assert!(
        outcome
            .notices
            .iter()
            .all(|notice| notice.audience == Audience::Log)
    );
}

/// Flux's controller can leave such a status behind.
#[test]
fn suspended_ready_object_loses_stalled() {
    let mut object = ready("a", "1");
    let before = object.status.clone().unwrap();
    let status = object.status.as_mut().unwrap();
    let stalled = Condition::new(STALLED, ConditionStatus::True, "Failed", "it did");
    status.conditions.set(stalled, at("2026-01-01T09:00:00Z"));
    let outcome = end(&object, RunEnd::Suspended);
    let found = conditions(&outcome.status.unwrap().conditions);
    assert_eq!(found, conditions(&before.conditions));
}

#[test]
fn new_object_delays_missing_source_status() {
    let waiting = |object: &Kustomization, is_expected: bool| {
        let pending = Pending {
            reason: "ArtifactFailed",
            message: "Source artifact not found, retrying in 30s".to_owned(),
            after: Duration::from_secs(30),
            log: None,
            notice: None,
            revision: None,
            origin_revision: None,
            is_expected,
        };
        end(object, RunEnd::Waiting(pending))
    };
    let created = |object: Kustomization, when: &str| Kustomization {
        metadata: k8s_openapi::apimachinery::pkg::apis::meta::v1::ObjectMeta {
            creation_timestamp: Some(at(when).into()),
            ..object.metadata
        },
        ..object
    };
    let new = || kustomization("a", |_| ());
    let silent = waiting(&created(new(), "2026-01-01T10:00:00Z"), true);
    assert!(silent.status.is_none() && silent.notices.is_empty());
    assert!(
        matches!(silent.next, Requeue::After(rest) if rest == Duration::from_millis(2500)),
        "{:?}",
        silent.next
    );
    let reported = json!({"conditions": [
        {"type": "Ready", "status": "Unknown", "reason": "Progressing", "message": "", "lastTransitionTime": "2026-01-01T00:00:00Z"}]});
    for (object, is_expected) in [
        (created(new(), "2026-01-01T09:59:57Z"), true),
        (created(new(), "2026-01-01T11:00:00Z"), true),
        (created(new(), "2026-01-01T10:00:00Z"), false),
        (
            created(with_status("a", reported), "2026-01-01T10:00:00Z"),
            true,
        ),
        (new(), true),
    ] {
        let status = waiting(&object, is_expected).status.unwrap();
        assert!(status.conditions.is_false("Ready"), "{object:?}");
    }
}
