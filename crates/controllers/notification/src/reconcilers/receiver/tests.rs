//! A Receiver gets its path and conditions from the facts.

use jiff::Timestamp;
use serde_json::{Value, json};
use sluice_api::meta::reason;
use sluice_engine::{Decision, Failure, Requeue, Retry};

use super::conclude::conclude;
use super::plan::plan;
use super::*;

const TIMES: Times = Times {
    started: Timestamp::UNIX_EPOCH,
    now: Timestamp::UNIX_EPOCH,
};

fn receiver(spec: &Value) -> Receiver {
    let mut whole = json!({ "type": "generic", "resources": [], "secretRef": { "name": "token" } });
    for (key, value) in spec.as_object().unwrap() {
        whole[key] = value.clone();
    }
    serde_json::from_value(json!({
        "apiVersion": "notification.toolkit.fluxcd.io/v1",
        "kind": "Receiver",
        "metadata": { "name": "web", "namespace": "apps", "generation": 3 },
        "spec": whole,
    }))
    .unwrap()
}

fn with_path() -> Facts {
    Facts {
        path: Some("/hook/abc".into()),
        ..observe::observe(&receiver(&json!({})))
    }
}

fn conditions(outcome: &Outcome<ReceiverStatus>) -> Vec<(String, String, String)> {
    let status = outcome.status.as_ref().unwrap();
    let conditions = serde_json::to_value(&status.conditions).unwrap();
    let text = |value: &Value| value.as_str().unwrap().to_owned();
    let conditions = conditions.as_array().unwrap().iter();
    conditions
        .map(|it| (text(&it["type"]), text(&it["status"]), text(&it["reason"])))
        .collect()
}

fn condition(type_: &str, status: &str, reason: &str) -> (String, String, String) {
    (type_.into(), status.into(), reason.into())
}

/// From `TestReceiverReconciler_Reconcile` of the reference.
#[test]
fn path_makes_receiver_ready() {
    let facts = with_path();
    let outcome = conclude(&receiver(&json!({})), End::Settled(facts), TIMES);
    assert_eq!(
        conditions(&outcome),
        [condition("Ready", "True", "Succeeded")]
    );
    let status = outcome.status.as_ref().unwrap();
    assert_eq!(status.webhook_path.as_deref(), Some("/hook/abc"));
    assert_eq!(status.observed_generation, Some(3));
    assert_eq!(
        outcome.next,
        Requeue::Interval(std::time::Duration::from_mins(10))
    );
    assert_eq!(
        outcome.notices[0].message,
        "Reconciliation finished, next run in 10m0s"
    );
}

#[test]
fn interval_of_receiver_is_the_next_run() {
    let object = receiver(&json!({ "interval": "90s" }));
    let outcome = conclude(&object, End::Settled(with_path()), TIMES);
    let next = std::time::Duration::from_secs(90);
    assert_eq!(outcome.next, Requeue::Interval(next));
}

#[test]
fn missing_token_clears_path_and_retries() {
    let mut old = receiver(&json!({}));
    old.status = Some(ReceiverStatus {
        webhook_path: Some("/hook/abc".into()),
        ..ReceiverStatus::default()
    });
    let failure = Fault::token("no token");
    let outcome = conclude(&old, End::Stopped(observe::observe(&old), failure), TIMES);
    assert_eq!(
        conditions(&outcome),
        [
            condition("Reconciling", "True", "ProgressingWithRetry"),
            condition("Ready", "False", "TokenNotFound"),
        ]
    );
    assert_eq!(outcome.status.as_ref().unwrap().webhook_path, None);
    assert_eq!(outcome.status.as_ref().unwrap().observed_generation, None);
    assert!(matches!(outcome.next, Requeue::Backoff(_)));
    assert_eq!(outcome.notices[0].reason, reason::FAILED);
}

#[test]
fn invalid_spec_stalls() {
    let object = receiver(&json!({ "resourceFilter": "has(" }));
    let facts = observe::observe(&object);
    let Decision::Stop(failure) = plan(&object, &facts) else {
        panic!("a plan");
    };
    let outcome = conclude(&object, End::Stopped(facts, failure), TIMES);
    assert_eq!(
        conditions(&outcome),
        [
            condition("Stalled", "True", "InvalidCELExpression"),
            condition("Ready", "False", "InvalidCELExpression"),
        ]
    );
    let Requeue::Stalled(failure) = outcome.next else {
        panic!("a retry");
    };
    assert_eq!(failure.retry, Retry::Stalled);
    assert!(
        failure
            .message
            .starts_with("Reconciliation failed terminally due to configuration error: ")
    );
}

#[test]
fn suspension_keeps_status_and_reports_ready_run() {
    let mut object = receiver(&json!({ "suspend": true, "interval": "1m" }));
    let outcome = conclude(&object, End::Suspended, TIMES);
    assert_eq!(outcome.notices.len(), 1);
    let facts = with_path();
    object.status = conclude(&object, End::Settled(facts), TIMES).status;
    let outcome = conclude(&object, End::Suspended, TIMES);
    assert_eq!(outcome.status, object.status);
    assert_eq!(outcome.next, Requeue::Never);
    assert_eq!(
        outcome.notices[0].message,
        "Reconciliation finished, next run in 1m0s"
    );
}

#[test]
fn deleted_receiver_settles_at_once() {
    let mut object = receiver(&json!({}));
    object.metadata.deletion_timestamp = Some(
        k8s_openapi::apimachinery::pkg::apis::meta::v1::Time(Timestamp::UNIX_EPOCH),
    );
    let mut facts = observe::observe(&object);
    assert_eq!(plan(&object, &facts), Decision::Settled);
    facts.spec = Err(Failure::message("x", Retry::Stalled, "y").into());
    assert_eq!(plan(&object, &facts), Decision::Settled);
}
