//! Generates objects in every state that a status rule distinguishes, and in some invalid ones.

use serde_json::{Map, Value, json};
use sluice_oracle::Random;

/// The kinds with a rule, and one without.
pub(crate) const KINDS: [(&str, &str); 14] = [
    ("apps/v1", "Deployment"),
    ("apps/v1", "StatefulSet"),
    ("apps/v1", "ReplicaSet"),
    ("apps/v1", "DaemonSet"),
    ("v1", "Pod"),
    ("v1", "Service"),
    ("v1", "PersistentVolumeClaim"),
    ("v1", "ConfigMap"),
    ("v1", "Secret"),
    ("batch/v1", "Job"),
    ("batch/v1", "CronJob"),
    ("policy/v1", "PodDisruptionBudget"),
    ("apiextensions.k8s.io/v1", "CustomResourceDefinition"),
    ("example.com/v1", "Widget"),
];

/// An object with its pods.
pub(crate) fn question(random: &mut Random) -> Value {
    // The kinds with the most rules are the most frequent.
    let (api_version, kind) = if random.once_in(2) {
        KINDS[random.below(5)]
    } else {
        KINDS[random.below(KINDS.len())]
    };
    let mut object = json!({
        "apiVersion": api_version, "kind": kind,
        "metadata": metadata(random), "spec": spec(random, kind), "status": status(random, kind),
    });
    if random.once_in(25) {
        object.as_object_mut().unwrap().remove("status");
    }
    // Servers reject workloads without a selector, and Flux's reader does not handle them.
    let selects = matches!(kind, "Deployment" | "StatefulSet" | "ReplicaSet");
    if !selects && random.once_in(25) {
        object.as_object_mut().unwrap().remove("spec");
    }
    let mut question = json!({"object": object});
    if matches!(kind, "StatefulSet" | "ReplicaSet") {
        let pods: Vec<Value> = (0..random.below(3)).map(|at| pod(random, at)).collect();
        question["pods"] = json!(pods);
    }
    question
}

fn metadata(random: &mut Random) -> Value {
    let mut metadata = json!({"name": "a", "namespace": "n"});
    if !random.once_in(4) {
        metadata["generation"] = json!(1 + random.below(2));
    }
    if random.once_in(20) {
        metadata["deletionTimestamp"] = json!("2025-01-01T00:00:00Z");
    }
    // Far in the past or future, so that results do not depend on the date.
    let created = random.pick(&["2020-01-01T00:00:00Z", "2999-01-01T00:00:00Z"]);
    metadata["creationTimestamp"] = json!(created);
    metadata
}

fn sometimes(random: &mut Random, map: &mut Map<String, Value>, field: &str, bound: usize) {
    if !random.once_in(3) {
        map.insert(field.to_owned(), json!(random.below(bound)));
    }
}

fn spec(random: &mut Random, kind: &str) -> Value {
    let mut spec = Map::new();
    spec.insert("selector".to_owned(), json!({"matchLabels": {"app": "a"}}));
    sometimes(random, &mut spec, "replicas", 4);
    match kind {
        "Deployment" if random.once_in(2) => {
            let deadline = [600, 2_147_483_647][random.below(2)];
            spec.insert("progressDeadlineSeconds".to_owned(), json!(deadline));
        }
        "StatefulSet" => {
            let strategy = match random.below(4) {
                0 => json!({"type": "OnDelete"}),
                1 => {
                    json!({"type": "RollingUpdate", "rollingUpdate": {"partition": random.below(4)}})
                }
                2 => json!({"type": "RollingUpdate"}),
                _ => json!({}),
            };
            spec.insert("updateStrategy".to_owned(), strategy);
        }
        "Job" => {
            sometimes(random, &mut spec, "parallelism", 4);
            sometimes(random, &mut spec, "completions", 4);
            if random.once_in(5) {
                spec.insert("suspend".to_owned(), json!(random.once_in(2)));
            }
        }
        "Service" => {
            let type_ = random.pick(&["LoadBalancer", "NodePort", "ClusterIP"]);
            spec.insert("type".to_owned(), json!(type_));
            if random.once_in(2) {
                spec.insert(
                    "clusterIP".to_owned(),
                    json!(random.pick(&["", "10.0.0.1"])),
                );
            }
        }
        _ => {}
    }
    Value::Object(spec)
}

fn status(random: &mut Random, kind: &str) -> Value {
    let mut status = Map::new();
    if !random.once_in(3) {
        let observed = match random.below(24) {
            0 => json!("2"),
            1 => json!(1.5),
            other => json!(1 + other % 2),
        };
        status.insert("observedGeneration".to_owned(), observed);
    }
    let counts: &[&str] = match kind {
        "Deployment" => &[
            "replicas",
            "updatedReplicas",
            "availableReplicas",
            "readyReplicas",
        ],
        "StatefulSet" => &[
            "replicas",
            "updatedReplicas",
            "readyReplicas",
            "currentReplicas",
        ],
        "ReplicaSet" => &[
            "replicas",
            "fullyLabeledReplicas",
            "availableReplicas",
            "readyReplicas",
        ],
        "DaemonSet" => &[
            "desiredNumberScheduled",
            "currentNumberScheduled",
            "updatedNumberScheduled",
            "numberAvailable",
            "numberReady",
        ],
        "Job" => &["active", "succeeded", "failed"],
        _ => &[],
    };
    // Counts are mostly complete, so that the last rules are reached as well.
    let usual = random.below(4);
    for count in counts {
        if !random.once_in(12) {
            let value = if random.once_in(5) {
                random.below(4)
            } else {
                usual
            };
            status.insert((*count).to_owned(), json!(value));
        }
    }
    match kind {
        "StatefulSet" => {
            for field in ["currentRevision", "updateRevision"] {
                status.insert(field.to_owned(), json!(random.pick(&["a", "a", "b"])));
            }
        }
        "Job" if random.once_in(2) => {
            status.insert("startTime".to_owned(), json!("2025-01-01T00:00:00Z"));
        }
        "Pod" => pod_status(random, &mut status),
        "PersistentVolumeClaim" if !random.once_in(4) => {
            status.insert(
                "phase".to_owned(),
                json!(random.pick(&["Bound", "Pending", "Lost"])),
            );
        }
        _ => {}
    }
    if !random.once_in(5) {
        status.insert("conditions".to_owned(), conditions(random, kind));
    }
    Value::Object(status)
}

fn conditions(random: &mut Random, kind: &str) -> Value {
    if random.once_in(40) {
        return [
            json!("text"),
            json!(null),
            json!(["text"]),
            json!([{"type": 1}]),
        ][random.below(4)]
        .clone();
    }
    let types: &[&str] = match kind {
        "Deployment" => &["Progressing", "Available", "ReplicaFailure"],
        "ReplicaSet" => &["ReplicaFailure"],
        "Pod" => &["Ready", "PodScheduled"],
        "Job" => &["Complete", "Failed", "Suspended"],
        "CustomResourceDefinition" => &["NamesAccepted", "Established"],
        _ => &["Ready"],
    };
    let list = (0..random.below(4)).map(|_| {
        let type_ = if random.once_in(8) {
            random.pick(&["Reconciling", "Stalled", "Ready"])
        } else {
            random.pick(types)
        };
        let reason = random.pick(&[
            "NewReplicaSetAvailable",
            "ProgressDeadlineExceeded",
            "Unschedulable",
            "Installing",
            "Other",
        ]);
        let mut condition = json!({
            "type": type_, "status": random.pick(&["True", "True", "False", "Unknown"]),
            "reason": reason, "message": random.pick(&["one", "two", ""]),
        });
        if random.once_in(12) {
            let field = random.pick(&["status", "reason", "message"]);
            condition.as_object_mut().unwrap().remove(field);
        }
        condition
    });
    Value::Array(list.collect())
}

fn pod_status(random: &mut Random, status: &mut Map<String, Value>) {
    if !random.once_in(10) {
        let phase = random.pick(&[
            "Running",
            "Running",
            "Pending",
            "Pending",
            "Succeeded",
            "Failed",
            "Odd",
        ]);
        status.insert("phase".to_owned(), json!(phase));
    }
    let containers = (0..random.below(3)).map(|at| {
        let state = match random.below(3) {
            0 => json!({"waiting": {"reason": random.pick(&["CrashLoopBackOff", "ContainerCreating"])}}),
            1 => json!({"running": {}}),
            _ => json!({}),
        };
        json!({"name": format!("c{at}"), "state": state})
    });
    let containers: Vec<Value> = containers.collect();
    status.insert("containerStatuses".to_owned(), json!(containers));
}

fn pod(random: &mut Random, at: usize) -> Value {
    let mut metadata = metadata(random);
    metadata["name"] = json!(format!("pod-{at}"));
    json!({"apiVersion": "v1", "kind": "Pod", "metadata": metadata, "status": status(random, "Pod")})
}
