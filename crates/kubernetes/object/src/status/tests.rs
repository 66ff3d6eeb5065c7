//! One table per rule: object, status and message.

use serde_json::json;

use super::*;

mod schema;
mod workloads;

const NOW: &str = "2026-01-01T00:01:00Z";

fn now() -> Timestamp {
    NOW.parse().expect("a timestamp")
}

fn object(api_version: &str, kind: &str, body: impl std::borrow::Borrow<Value>) -> Object {
    let mut value = json!({"apiVersion": api_version, "kind": kind, "metadata": {"name": "a", "namespace": "n"}});
    crate::merge::apply(&mut value, body.borrow());
    Object::try_from(value).expect("a complete object")
}

fn check(api_version: &str, kind: &str, table: Vec<(Value, Status, &str)>) {
    for (body, status, message) in table {
        let health = compute(&object(api_version, kind, &body), now());
        assert_eq!(
            (health.status, health.message.as_str()),
            (status, message),
            "{kind} {body}"
        );
    }
}

use Status::{Current, Failed, InProgress, Terminating, Unknown};

#[test]
fn general_conditions_apply_to_any_kind() {
    check(
        "example.com/v1",
        "Widget",
        vec![
            (json!({}), Current, "Resource is current"),
            (
                json!({"metadata": {"deletionTimestamp": NOW, "generation": 2}, "status": {"observedGeneration": 1}}),
                Terminating,
                "Resource scheduled for deletion",
            ),
            (
                json!({"metadata": {"generation": 2}, "status": {"observedGeneration": 1}}),
                InProgress,
                "Widget generation is 2, but latest observed generation is 1",
            ),
            (
                json!({"metadata": {"generation": 2}, "status": {"observedGeneration": 2}}),
                Current,
                "Resource is current",
            ),
            (
                json!({"metadata": {"generation": 2}, "status": {"observedGeneration": "2"}}),
                Unknown,
                "looking up status.observedGeneration from resource: .status.observedGeneration accessor error: 2 is of the type string, expected int64",
            ),
            (
                json!({"metadata": {"generation": 2}, "status": {}}),
                Current,
                "Resource is current",
            ),
            (
                json!({"status": {"conditions": [{"type": "Reconciling", "status": "True", "message": "busy"}]}}),
                InProgress,
                "busy",
            ),
            (
                json!({"status": {"conditions": [
                    {"type": "Reconciling", "status": "False", "message": "busy"},
                    {"type": "Stalled", "status": "True", "message": "stuck"}]}}),
                Failed,
                "stuck",
            ),
            (
                json!({"status": {"conditions": [
                    {"type": "Stalled", "status": "True", "message": "stuck"},
                    {"type": "Reconciling", "status": "True", "message": "busy"}]}}),
                Failed,
                "stuck",
            ),
            (
                json!({"status": {"conditions": [{"type": "Ready", "status": "True", "message": "x"}]}}),
                Current,
                "Resource is Ready",
            ),
            (
                json!({"status": {"conditions": [{"type": "Ready", "status": "False", "message": "no"}]}}),
                InProgress,
                "no",
            ),
            (
                json!({"status": {"conditions": [{"type": "Ready", "status": "Unknown", "message": "?"}]}}),
                InProgress,
                "?",
            ),
            (
                json!({"status": {"conditions": [{"type": "Ready", "status": "Maybe"}]}}),
                Current,
                "Resource is current",
            ),
        ],
    );
}

#[test]
fn malformed_conditions_are_unknown() {
    for conditions in [
        json!("text"),
        json!({}),
        json!(["text"]),
        json!([{"type": 1}]),
        json!([{"type": "Ready", "status": true}]),
        json!([{"type": "Ready", "status": "True", "message": {}}]),
    ] {
        for (api_version, kind) in [
            ("example.com/v1", "Widget"),
            ("apps/v1", "Deployment"),
            ("batch/v1", "Job"),
        ] {
            let body = json!({"status": {"conditions": conditions}});
            let health = compute(&object(api_version, kind, body), now());
            assert_eq!(health.status, Unknown, "{kind} {conditions}");
        }
    }
    check(
        "example.com/v1",
        "Widget",
        vec![
            (json!({"status": "text"}), Current, "Resource is current"),
            (
                json!({"status": {"conditions": null}}),
                Current,
                "Resource is current",
            ),
        ],
    );
}

fn pod(phase: &str, conditions: impl Into<Value>) -> Value {
    json!({"status": {"phase": phase, "conditions": conditions.into()}})
}

#[test]
fn pod_status_follows_phase_readiness_and_crash_loops() {
    let looping = json!({"status": {"phase": "Running", "containerStatuses": [
        {"name": "one", "state": {"waiting": {"reason": "CrashLoopBackOff"}}},
        {"name": "two", "state": {"running": {}}},
        {"name": "three", "state": {"waiting": {"reason": "CrashLoopBackOff"}}},
        {"name": "four"},
    ]}});
    check(
        "v1",
        "Pod",
        vec![
            (json!({}), InProgress, "Pod phase not available"),
            (
                pod("Succeeded", json!([])),
                Current,
                "Pod has completed successfully",
            ),
            (
                pod("Failed", json!([])),
                Current,
                "Pod has completed, but not successfully",
            ),
            (
                pod("Running", json!([{"type": "Ready", "status": "True"}])),
                Current,
                "Pod is Ready",
            ),
            (
                pod("Running", json!([{"type": "Ready", "status": "False"}])),
                InProgress,
                "Pod is running but is not Ready",
            ),
            (looping, Failed, "Containers in CrashLoop state: one,three"),
            (
                pod("Pending", json!([])),
                InProgress,
                "Pod is in the Pending phase",
            ),
            (pod("Weird", json!([])), Unknown, "unknown phase Weird"),
        ],
    );
}

#[test]
fn unschedulable_pod_fails_after_its_window() {
    let unscheduled = |created: &str| {
        let mut body = pod(
            "Pending",
            json!([{"type": "PodScheduled", "status": "False", "reason": "Unschedulable"}]),
        );
        body["metadata"] = json!({"creationTimestamp": created});
        object("v1", "Pod", body)
    };
    let young = compute(&unscheduled("2026-01-01T00:00:50Z"), now());
    assert_eq!(young.status, InProgress);
    assert_eq!(young.message, "Pod has not been scheduled");
    assert_eq!(
        young.valid_until,
        Some("2026-01-01T00:01:05Z".parse().expect("a timestamp"))
    );
    let old = compute(&unscheduled("2026-01-01T00:00:45Z"), now());
    assert_eq!(old, Health::failed("Pod could not be scheduled"));
}

#[test]
fn job_is_current_when_complete_or_suspended() {
    check(
        "batch/v1",
        "Job",
        vec![
            (json!({}), InProgress, "Job not started. active: 0/1"),
            (
                json!({"spec": {"parallelism": 3}}),
                InProgress,
                "Job not started. active: 0/3",
            ),
            (
                json!({"spec": {"suspend": true}}),
                Current,
                "Job is suspended",
            ),
            (
                json!({"status": {"startTime": NOW, "active": 1}}),
                InProgress,
                "Job in progress. success:0, active: 1, failed: 0",
            ),
            (
                json!({"status": {"startTime": NOW, "succeeded": 1, "conditions": [{"type": "Complete", "status": "True"}]}}),
                Current,
                "Job Completed. succeeded: 1/1",
            ),
            (
                json!({"spec": {"completions": 4}, "status": {"startTime": NOW, "failed": 2, "conditions": [{"type": "Failed", "status": "True"}]}}),
                Failed,
                "Job Failed. failed: 2/4",
            ),
            (
                json!({"metadata": {"deletionTimestamp": NOW}, "status": {"succeeded": 1, "conditions": [{"type": "Complete", "status": "True"}]}}),
                Current,
                "Job Completed. succeeded: 1/1",
            ),
        ],
    );
}

#[test]
fn claim_is_current_when_bound() {
    check(
        "v1",
        "PersistentVolumeClaim",
        vec![
            (
                json!({"status": {"phase": "Bound"}}),
                Current,
                "PVC is Bound",
            ),
            (
                json!({"status": {"phase": "Pending"}}),
                InProgress,
                "PVC is not Bound. phase: Pending",
            ),
            (json!({}), InProgress, "PVC is not Bound. phase: unknown"),
        ],
    );
}

#[test]
fn only_load_balancer_needs_a_cluster_ip() {
    check(
        "v1",
        "Service",
        vec![
            (json!({}), Current, "Service is ready"),
            (
                json!({"spec": {"type": "NodePort"}}),
                Current,
                "Service is ready",
            ),
            (
                json!({"spec": {"type": "LoadBalancer"}}),
                InProgress,
                "ClusterIP not set. Service type: LoadBalancer",
            ),
            (
                json!({"spec": {"type": "LoadBalancer", "clusterIP": ""}}),
                InProgress,
                "ClusterIP not set. Service type: LoadBalancer",
            ),
            (
                json!({"spec": {"type": "LoadBalancer", "clusterIP": "10.0.0.1"}}),
                Current,
                "Service is ready",
            ),
        ],
    );
}

#[test]
fn kinds_without_a_lifecycle_are_always_current() {
    for (api_version, kind, message) in [
        ("v1", "Secret", "Resource is always ready"),
        ("v1", "ConfigMap", "Resource is always ready"),
        ("batch/v1", "CronJob", "Resource is always ready"),
        (
            "policy/v1",
            "PodDisruptionBudget",
            "AllowedDisruptions has been computed.",
        ),
    ] {
        check(api_version, kind, vec![(json!({}), Current, message)]);
    }
}

#[test]
fn only_deletion_matters_for_kinds_without_a_changing_status() {
    for (api_version, kind, expected) in [
        ("v1", "ConfigMap", true),
        ("v1", "Service", true),
        ("rbac.authorization.k8s.io/v1", "Role", true),
        ("networking.k8s.io/v1", "Ingress", true),
        ("v1", "Pod", false),
        ("apps/v1", "Deployment", false),
        ("policy/v1", "PodDisruptionBudget", false),
        ("example.com/v1", "Secret", false),
    ] {
        let object = Object::new(api_version, kind, "shop", "a");
        assert_eq!(only_deletion_matters(&object), expected, "{kind}");
    }
}

#[test]
fn definition_is_current_when_established() {
    let conditions = |list: Value| json!({"status": {"conditions": list}});
    check(
        "apiextensions.k8s.io/v1",
        "CustomResourceDefinition",
        vec![
            (json!({}), InProgress, "Install in progress"),
            (
                conditions(
                    json!([{"type": "NamesAccepted", "status": "True"}, {"type": "Established", "status": "True"}]),
                ),
                Current,
                "CRD is established",
            ),
            (
                conditions(
                    json!([{"type": "Established", "status": "False", "reason": "Installing"}]),
                ),
                InProgress,
                "Install in progress",
            ),
            (
                conditions(
                    json!([{"type": "Established", "status": "False", "reason": "Other", "message": "broken"}]),
                ),
                Failed,
                "broken",
            ),
            (
                conditions(
                    json!([{"type": "NamesAccepted", "status": "False", "message": "taken"}, {"type": "Established", "status": "True"}]),
                ),
                Failed,
                "taken",
            ),
        ],
    );
}

#[test]
fn workload_in_progress_fails_with_its_pods() {
    let crashed = object(
        "v1",
        "Pod",
        json!({"status": {"phase": "Running", "containerStatuses": [
            {"name": "c", "state": {"waiting": {"reason": "CrashLoopBackOff"}}}]}}),
    );
    let mut leaving = crashed.clone();
    leaving
        .metadata_mut()
        .insert("deletionTimestamp".into(), NOW.into());
    let unschedulable = object(
        "v1",
        "Pod",
        pod(
            "Pending",
            json!([{"type": "PodScheduled", "status": "False", "reason": "Unschedulable"}]),
        ),
    );
    let busy = Health::in_progress("Ready: 0/2");
    for (pods, judged) in [
        (vec![], busy.clone()),
        (vec![&leaving], busy.clone()),
        (vec![&unschedulable], busy.clone()),
        (
            vec![&crashed, &crashed, &leaving],
            Health::failed("2 pods have failed"),
        ),
    ] {
        assert_eq!(with_pods(busy.clone(), pods, now()), judged);
    }
    let done = Health::current("fine");
    assert_eq!(with_pods(done.clone(), [&crashed], now()), done);
    assert!(depends_on_pods("apps", "StatefulSet") && depends_on_pods("apps", "ReplicaSet"));
    assert!(!depends_on_pods("apps", "Deployment") && !depends_on_pods("apps", "DaemonSet"));
}

#[test]
fn failed_takes_precedence_over_unknown() {
    for (statuses, sum) in [
        (vec![], Current),
        (vec![Current, Current], Current),
        (vec![Current, InProgress], InProgress),
        (vec![Current, Status::NotFound, Terminating], InProgress),
        (vec![InProgress, Unknown, Current], Unknown),
        (vec![Unknown, InProgress, Failed], Failed),
    ] {
        assert_eq!(aggregate(statuses.clone()), sum, "{statuses:?}");
    }
}

#[test]
fn pod_selector_has_query_syntax() {
    let workload = |selector: Value| {
        object(
            "apps/v1",
            "StatefulSet",
            json!({"spec": {"selector": selector}}),
        )
    };
    for (selector, query) in [
        (
            json!({"matchLabels": {"app": "web", "tier": "front"}}),
            Some("app=web,tier=front"),
        ),
        (
            json!({"matchLabels": {"app": "web"}, "matchExpressions": [
                {"key": "a", "operator": "In", "values": ["x", "y"]},
                {"key": "b", "operator": "NotIn", "values": ["z"]},
                {"key": "c", "operator": "Exists"},
                {"key": "d", "operator": "DoesNotExist"}]}),
            Some("app=web,a in (x,y),b notin (z),c,!d"),
        ),
        (json!({}), None),
        (
            json!({"matchExpressions": [{"key": "a", "operator": "Odd"}]}),
            None,
        ),
    ] {
        assert_eq!(pod_selector(&workload(selector)).as_deref(), query);
    }
}

#[test]
fn only_custom_objects_await_a_first_status() {
    for (api_version, body, silent) in [
        ("example.com/v1", json!({}), true),
        ("example.com/v1", json!({"status": {}}), false),
        (
            "example.com/v1",
            json!({"metadata": {"deletionTimestamp": NOW}}),
            false,
        ),
        ("networking.k8s.io/v1", json!({}), false),
        ("apps/v1", json!({}), false),
        ("v1", json!({}), false),
    ] {
        assert_eq!(
            awaits_first_status(&object(api_version, "Widget", body)),
            silent,
            "{api_version}"
        );
    }
}
