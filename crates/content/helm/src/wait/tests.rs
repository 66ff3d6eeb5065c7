//! Goals decide when a wait for an object ends, and with which message.

use serde_json::{Value, json};
use sluice_object::Object;
use sluice_object::status::Status;

use super::{Goal, health, is_awaited, problem};

fn object(group_version: &str, kind: &str, spec: Value, status: Value) -> Object {
    let mut object = Object::new(group_version, kind, "apps", "web");
    let fields = object.as_map_mut();
    fields.insert("spec".to_owned(), spec);
    fields.insert("status".to_owned(), status);
    object
}

fn job(status: Value) -> Object {
    object("batch/v1", "Job", json!({ "completions": 2 }), status)
}

/// The error that a wait would end with, or nothing for a ready object.
fn error(object: &Object, goal: Goal) -> String {
    let health = health(Some(object), goal, jiff::Timestamp::UNIX_EPOCH);
    problem(object, &health, goal).unwrap_or_default()
}

#[test]
fn job_of_a_hook_must_be_complete() {
    let condition = |kind| json!({ "conditions": [{ "type": kind, "status": "True" }] });
    let complete = job(condition("Complete"));
    let failed = job(condition("Failed"));
    let started = job(json!({ "startTime": "2024-05-06T07:08:09Z", "active": 1 }));
    for goal in [Goal::HookDone, Goal::ReadyWithJobs] {
        assert_eq!(error(&complete, goal), "");
        let expected = "resource Job/apps/web not ready. status: Failed, message: Job Failed. \
                        failed: 0/2";
        assert_eq!(error(&failed, goal), expected);
        let expected =
            "resource Job/apps/web not ready. status: InProgress, message: Job in progress";
        assert_eq!(error(&started, goal), expected);
    }
}

#[test]
fn job_of_a_release_must_only_be_started() {
    let started = job(json!({ "startTime": "2024-05-06T07:08:09Z", "active": 1 }));
    assert_eq!(error(&started, Goal::Ready), "");
    let expected = "resource Job/apps/web not ready. status: InProgress, message: Job not started";
    assert_eq!(error(&job(json!({})), Goal::Ready), expected);
}

#[test]
fn pod_of_a_hook_must_succeed() {
    let pod = |phase: &str| object("v1", "Pod", json!({}), json!({ "phase": phase }));
    assert_eq!(error(&pod("Succeeded"), Goal::HookDone), "");
    let expected = "resource Pod/apps/web not ready. status: Failed, message: pod web failed";
    assert_eq!(error(&pod("Failed"), Goal::HookDone), expected);
    let expected = "resource Pod/apps/web not ready. status: InProgress, message: Pod in progress";
    assert_eq!(error(&pod("Running"), Goal::HookDone), expected);
}

#[test]
fn other_hook_is_ready_as_soon_as_it_exists() {
    let deployment = object("apps/v1", "Deployment", json!({}), json!({}));
    assert_eq!(error(&deployment, Goal::HookDone), "");
    assert_ne!(error(&deployment, Goal::Ready), "");
}

#[test]
fn deleted_object_ends_the_wait_for_its_deletion() {
    let secret = Object::new("v1", "Secret", "apps", "web");
    let gone = health(None, Goal::Deleted, jiff::Timestamp::UNIX_EPOCH);
    assert_eq!(gone.status, Status::NotFound);
    assert_eq!(problem(&secret, &gone, Goal::Deleted), None);
    let expected = "resource Secret/apps/web still exists. status: Current, message: Resource is \
                    always ready";
    assert_eq!(error(&secret, Goal::Deleted), expected);
}

#[test]
fn paused_deployment_is_not_awaited() {
    let deployment = |paused| {
        let spec = json!({ "paused": paused });
        object("apps/v1", "Deployment", spec, json!({}))
    };
    assert!(!is_awaited(&deployment(true)) && is_awaited(&deployment(false)));
}
