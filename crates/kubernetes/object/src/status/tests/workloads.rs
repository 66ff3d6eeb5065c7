//! Deployments, replica sets, stateful sets and daemon sets.

use serde_json::json;

use super::*;

fn rolled_out(replicas: i64) -> Value {
    json!({
        "spec": {"replicas": replicas, "progressDeadlineSeconds": 600},
        "status": {
            "replicas": replicas, "updatedReplicas": replicas,
            "availableReplicas": replicas, "readyReplicas": replicas,
            "conditions": [
                {"type": "Progressing", "status": "True", "reason": "NewReplicaSetAvailable"},
                {"type": "Available", "status": "True"},
            ],
        },
    })
}

fn deployment(change: &Value) -> Value {
    let mut body = rolled_out(2);
    crate::merge::apply(&mut body, change);
    body
}

#[test]
fn deployment_is_current_when_available() {
    let available_only =
        json!({"status": {"conditions": [{"type": "Available", "status": "True"}]}});
    check(
        "apps/v1",
        "Deployment",
        vec![
            (
                deployment(&json!({})),
                Current,
                "Deployment is available. Replicas: 2",
            ),
            (
                rolled_out(0),
                Current,
                "Deployment is available. Replicas: 0",
            ),
            (json!({}), InProgress, "Replicas: 0/1"),
            (
                json!({"spec": {"replicas": 0}}),
                InProgress,
                "Deployment not Available",
            ),
            (
                deployment(&json!({"status": {"replicas": 1}})),
                InProgress,
                "Replicas: 1/2",
            ),
            (
                deployment(&json!({"status": {"updatedReplicas": 1}})),
                InProgress,
                "Updated: 1/2",
            ),
            (
                deployment(&json!({"status": {"replicas": 3}})),
                InProgress,
                "Pending termination: 1",
            ),
            (
                deployment(&json!({"status": {"availableReplicas": null}})),
                InProgress,
                "Available: 0/2",
            ),
            (
                deployment(&json!({"status": {"readyReplicas": 1}})),
                InProgress,
                "Ready: 1/2",
            ),
            (
                deployment(&available_only),
                InProgress,
                "ReplicaSet not Available",
            ),
            (
                deployment(&json!({"spec": {"progressDeadlineSeconds": null},
                    "status": {"conditions": [{"type": "Available", "status": "True"}]}})),
                Current,
                "Deployment is available. Replicas: 2",
            ),
            (
                deployment(&json!({"spec": {"progressDeadlineSeconds": 2_147_483_647},
                    "status": {"conditions": [{"type": "Available", "status": "True"}]}})),
                Current,
                "Deployment is available. Replicas: 2",
            ),
            (
                deployment(&json!({"status": {"conditions": [
                    {"type": "Progressing", "status": "True", "reason": "NewReplicaSetAvailable"},
                    {"type": "Available", "status": "False"}]}})),
                InProgress,
                "Deployment not Available",
            ),
            (
                deployment(&json!({"status": {"conditions": [
                    {"type": "Progressing", "status": "False", "reason": "ProgressDeadlineExceeded"}]}})),
                Failed,
                "Progress deadline exceeded",
            ),
            (
                deployment(
                    &json!({"metadata": {"generation": 2}, "status": {"observedGeneration": 1}}),
                ),
                InProgress,
                "Deployment generation is 2, but latest observed generation is 1",
            ),
        ],
    );
}

#[test]
fn deployment_of_another_group_has_no_rule() {
    check(
        "example.com/v1",
        "Deployment",
        vec![(
            json!({"spec": {"replicas": 3}}),
            Current,
            "Resource is current",
        )],
    );
}

#[test]
fn replica_set_is_current_when_all_replicas_are_ready() {
    let body = |change: Value| {
        let mut body = json!({"spec": {"replicas": 2}, "status": {
            "replicas": 2, "fullyLabeledReplicas": 2, "availableReplicas": 2, "readyReplicas": 2}});
        crate::merge::apply(&mut body, &change);
        body
    };
    check(
        "apps/v1",
        "ReplicaSet",
        vec![
            (
                body(json!({})),
                Current,
                "ReplicaSet is available. Replicas: 2",
            ),
            (
                body(json!({"status": {"fullyLabeledReplicas": 1}})),
                InProgress,
                "Labelled: 1/2",
            ),
            (
                body(json!({"status": {"availableReplicas": 1}})),
                InProgress,
                "Available: 1/2",
            ),
            (
                body(json!({"status": {"readyReplicas": 1}})),
                InProgress,
                "Ready: 1/2",
            ),
            (
                body(json!({"status": {"replicas": 4}})),
                InProgress,
                "Pending termination: 2",
            ),
            (
                body(
                    json!({"status": {"conditions": [{"type": "ReplicaFailure", "status": "True"}]}}),
                ),
                InProgress,
                "Replica Failure condition. Check Pods",
            ),
            (json!({}), InProgress, "Labelled: 0/1"),
        ],
    );
}

#[test]
fn stateful_set_is_current_when_revisions_agree() {
    let body = |change: Value| {
        let mut body = json!({"spec": {"replicas": 3}, "status": {
            "replicas": 3, "readyReplicas": 3, "currentReplicas": 3, "updatedReplicas": 3,
            "currentRevision": "r1", "updateRevision": "r1"}});
        crate::merge::apply(&mut body, &change);
        body
    };
    let partition = |count: i64| {
        json!({"spec": {"updateStrategy": {"rollingUpdate": {"partition": 2}}},
            "status": {"updatedReplicas": count}})
    };
    check(
        "apps/v1",
        "StatefulSet",
        vec![
            (
                body(json!({})),
                Current,
                "All replicas scheduled as expected. Replicas: 3",
            ),
            (
                json!({"spec": {"updateStrategy": {"type": "OnDelete"}}}),
                Current,
                "StatefulSet is using the ondelete update strategy",
            ),
            (json!({}), InProgress, "Replicas: 0/1"),
            (
                body(json!({"status": {"replicas": 2}})),
                InProgress,
                "Replicas: 2/3",
            ),
            (
                body(json!({"status": {"readyReplicas": 1}})),
                InProgress,
                "Ready: 1/3",
            ),
            (
                body(json!({"status": {"replicas": 4}})),
                InProgress,
                "Pending termination: 1",
            ),
            (
                body(json!({"status": {"currentReplicas": 2}})),
                InProgress,
                "current: 2/3",
            ),
            (
                body(json!({"status": {"updateRevision": "r2"}})),
                InProgress,
                "Waiting for updated revision to match current",
            ),
            (body(partition(0)), InProgress, "updated: 0/1"),
            (
                body(partition(1)),
                Current,
                "Partition rollout complete. updated: 1",
            ),
        ],
    );
}

#[test]
fn daemon_set_needs_an_observed_generation() {
    let body = |change: Value| {
        let mut body = json!({"metadata": {"generation": 1}, "status": {
            "observedGeneration": 1, "desiredNumberScheduled": 4, "currentNumberScheduled": 4,
            "updatedNumberScheduled": 4, "numberAvailable": 4, "numberReady": 4}});
        crate::merge::apply(&mut body, &change);
        body
    };
    check(
        "apps/v1",
        "DaemonSet",
        vec![
            (
                body(json!({})),
                Current,
                "All replicas scheduled as expected. Replicas: 4",
            ),
            (
                body(json!({"status": {"desiredNumberScheduled": 0}})),
                Current,
                "All replicas scheduled as expected. Replicas: 0",
            ),
            (
                body(json!({"metadata": {"generation": null}})),
                InProgress,
                "DaemonSet metadata.generation not found",
            ),
            (
                body(json!({"status": {"observedGeneration": null}})),
                InProgress,
                "DaemonSet status.observedGeneration not found",
            ),
            (
                body(json!({"status": {"desiredNumberScheduled": null}})),
                InProgress,
                "Missing .status.desiredNumberScheduled",
            ),
            (
                body(json!({"status": {"currentNumberScheduled": 3}})),
                InProgress,
                "Current: 3/4",
            ),
            (
                body(json!({"status": {"updatedNumberScheduled": 3}})),
                InProgress,
                "Updated: 3/4",
            ),
            (
                body(json!({"status": {"numberAvailable": 3}})),
                InProgress,
                "Available: 3/4",
            ),
            (
                body(json!({"status": {"numberReady": 3}})),
                InProgress,
                "Ready: 3/4",
            ),
        ],
    );
}
