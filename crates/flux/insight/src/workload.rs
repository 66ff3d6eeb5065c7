//! Faults of objects that Flux does not reconcile: workloads, Pods, custom resources.

use jiff::Timestamp;
use serde_json::Value;
use sluice_object::status::{self, Status};
use sluice_object::{Object, ObjectId};

use crate::fields::{at, inventory, text};
use crate::snapshot::{Id, Snapshot};
use crate::state::{condition, conditions};
use crate::wait_report;

/// Conditions that report a problem when true.
const BAD: [&str; 5] = ["Failed", "Stalled", "Degraded", "ReplicaFailure", "Error"];
/// Conditions that report a problem when false.
const GOOD: [&str; 4] = ["Ready", "Available", "Healthy", "Progressing"];
/// Waiting reasons of containers that are starting.
const STARTING: [&str; 2] = ["ContainerCreating", "PodInitializing"];

/// Kinds whose health is checked.
const CHECKED_KINDS: [&str; 8] = [
    "Deployment",
    "StatefulSet",
    "DaemonSet",
    "ReplicaSet",
    "Job",
    "Pod",
    "PersistentVolumeClaim",
    "HelmRelease",
];

/// The objects that a running health check of a Kustomization waits for. Of a whole inventory,
/// those of Kubernetes that are healthy once they exist are left out.
pub(crate) fn awaited(object: &Object) -> Vec<Id> {
    if condition(object, "Healthy").is_none_or(|healthy| !healthy.is("Unknown")) {
        return Vec::new();
    }
    let has_state = |id: &ObjectId| {
        CHECKED_KINDS.contains(&id.kind.as_str())
            || (id.group.contains('.') && !id.group.ends_with(".k8s.io"))
    };
    wait_report::awaited(object)
        .into_iter()
        .filter(has_state)
        .map(|id| Id::new(id.kind, id.namespace, id.name))
        .collect()
}

/// The status of an object and its reason, unless it is healthy.
pub(crate) fn unfinished(object: &Object) -> Option<String> {
    let health = status::compute(object, Timestamp::UNIX_EPOCH);
    match (health.status, health.message.as_str()) {
        (Status::Current, _) => None,
        (status, "") => Some(status.to_string()),
        (status, message) => Some(format!("{status}: {message}")),
    }
}

/// The workloads of an inventory.
pub(crate) fn applied(object: &Object) -> Vec<Id> {
    inventory(object)
        .filter_map(|(id, _)| ObjectId::parse_inventory(id).ok())
        .filter(|id| CHECKED_KINDS.contains(&id.kind.as_str()))
        .map(|id| Id::new(id.kind, id.namespace, id.name))
        .collect()
}

/// Whether an object failed, or is in progress with a problem. A first start is not a problem.
pub(crate) fn is_unhealthy(snapshot: &Snapshot, object: &Object) -> bool {
    match status::compute(object, Timestamp::UNIX_EPOCH).status {
        Status::Failed => true,
        Status::InProgress => {
            let of_pods = pods(snapshot, object).any(|pod| !of_pod(pod).is_empty());
            let is_starting = condition(object, "Progressing")
                .is_some_and(|progressing| progressing.reason() == "ReplicaSetUpdated");
            let of_itself = object.kind() == "Pod" && !of_pod(object).is_empty();
            of_pods
                || of_itself
                || is_paused(object)
                || (!is_starting && of_conditions(object).next().is_some())
        }
        _ => false,
    }
}

/// Whether `kubectl logs` finds the Pods of the object.
pub(crate) fn has_logs(object: &Object) -> bool {
    matches!(
        object.kind(),
        "Deployment" | "StatefulSet" | "DaemonSet" | "ReplicaSet" | "Job"
    )
}

pub(crate) fn is_paused(object: &Object) -> bool {
    object.kind() == "Deployment" && at(object, "/spec/paused") == Some(&Value::Bool(true))
}

pub(crate) fn is_scaled_to_zero(object: &Object) -> bool {
    matches!(object.kind(), "Deployment" | "StatefulSet" | "ReplicaSet")
        && at(object, "/spec/replicas") == Some(&Value::from(0))
}

/// The problems that its conditions and Pods report.
pub(crate) fn complaints(snapshot: &Snapshot, object: &Object) -> Vec<String> {
    let mut complaints: Vec<String> = of_conditions(object).collect();
    if is_scaled_to_zero(object) {
        complaints.push("scaled to zero: spec.replicas is 0".to_owned());
    }
    if is_paused(object) {
        complaints.push("paused: spec.paused is true".to_owned());
    }
    let itself = Some(object).filter(|object| object.kind() == "Pod");
    for pod in itself.into_iter().chain(pods(snapshot, object)) {
        let mut of_pod = of_pod(pod);
        if condition(pod, "Ready").is_none_or(|ready| ready.is("False")) {
            if of_pod.is_empty() {
                let newest = warning(snapshot, pod);
                of_pod.extend(newest.map(|newest| format!("Pod {}: {newest}", pod.name())));
            }
            of_pod.extend(of_volumes(snapshot, pod));
        }
        complaints.extend(of_pod);
    }
    if complaints.is_empty() {
        complaints.extend(warning(snapshot, object));
    }
    complaints
}

fn of_conditions(object: &Object) -> impl Iterator<Item = String> + use<'_> {
    conditions(object)
        .filter(|condition| {
            (condition.is("True") && BAD.contains(&condition.type_()))
                || (condition.is("False") && GOOD.contains(&condition.type_()))
                || (condition.is("False") && sounds_bad(condition.reason()))
        })
        .map(|condition| format!("{}: {}", condition.reason(), condition.message()))
}

/// Warnings about the volume claims of a Pod.
fn of_volumes(snapshot: &Snapshot, pod: &Object) -> Vec<String> {
    let volumes = at(pod, "/spec/volumes").and_then(Value::as_array);
    volumes
        .into_iter()
        .flatten()
        .filter_map(|volume| volume["persistentVolumeClaim"]["claimName"].as_str())
        .filter_map(|claim| {
            let id = Id::new("PersistentVolumeClaim", pod.namespace(), claim);
            let (reason, message) = warning_of(snapshot, &id)?;
            Some(format!("{id}: {reason}: {message}"))
        })
        .collect()
}

/// Whether an unknown reason of a condition reports a failure.
fn sounds_bad(reason: &str) -> bool {
    let reason = reason.to_lowercase();
    let bad = ["fail", "error", "denied", "invalid"];
    bad.iter().any(|word| reason.contains(word))
}

/// The newest warning event of an object; some faults are reported only there.
fn warning(snapshot: &Snapshot, object: &Object) -> Option<String> {
    let (reason, message) = last_warning(snapshot, object)?;
    Some(format!("{reason}: {message}"))
}

/// Reason and message of the newest warning of an object.
pub(crate) fn last_warning<'s>(
    snapshot: &'s Snapshot,
    object: &Object,
) -> Option<(&'s str, &'s str)> {
    warning_of(snapshot, &Id::of(object))
}

fn warning_of<'s>(snapshot: &'s Snapshot, id: &Id) -> Option<(&'s str, &'s str)> {
    let is_of = |event: &&Object| {
        let of = |field: &str| text(event, &format!("/involvedObject/{field}"));
        text(event, "/type") == "Warning"
            && of("kind") == id.kind
            && of("name") == id.name
            && of("namespace") == id.namespace
    };
    let time = |event: &&Object| {
        ["/lastTimestamp", "/eventTime", "/firstTimestamp"]
            .map(|field| text(event, field).to_owned())
            .into_iter()
            .find(|time| !time.is_empty())
    };
    let event = snapshot.of_kind("Event").filter(is_of).max_by_key(time)?;
    Some((text(event, "/reason"), text(event, "/message")))
}

/// The Pods that a workload selects or owns.
pub(crate) fn pods<'s>(
    snapshot: &'s Snapshot,
    workload: &'s Object,
) -> impl Iterator<Item = &'s Object> {
    let selector = at(workload, "/spec/selector/matchLabels").and_then(Value::as_object);
    snapshot.of_kind("Pod").filter(move |pod| {
        let is_selected = selector.is_some_and(|selector| {
            let mut labels = selector.iter();
            labels.all(|(key, value)| pod.label(key) == value.as_str())
        });
        let owners = at(pod, "/metadata/ownerReferences").and_then(Value::as_array);
        let is_owned = owners.into_iter().flatten().any(|owner| {
            owner["kind"].as_str() == Some(workload.kind())
                && owner["name"].as_str() == Some(workload.name())
        });
        pod.namespace() == workload.namespace() && (is_selected || is_owned)
    })
}

/// Whether a container of a Pod terminated; its last output may have the reason.
pub(crate) fn has_ended(pod: &Object) -> bool {
    let containers = at(pod, "/status/containerStatuses").and_then(Value::as_array);
    containers.into_iter().flatten().any(|container| {
        ["state", "lastState"]
            .iter()
            .any(|state| container[*state]["terminated"].is_object())
            || container["state"]["waiting"]["reason"] == "CrashLoopBackOff"
    })
}

fn of_pod(pod: &Object) -> Vec<String> {
    let name = pod.name();
    let mut complaints = Vec::new();
    if let Some(scheduled) = condition(pod, "PodScheduled").filter(|found| found.is("False")) {
        let (reason, message) = (scheduled.reason(), scheduled.message());
        complaints.push(format!("Pod {name}: {reason}: {message}"));
    }
    let lists = ["/status/initContainerStatuses", "/status/containerStatuses"];
    let containers = lists
        .into_iter()
        .filter_map(|list| at(pod, list)?.as_array())
        .flatten();
    for container in containers {
        let field = |value: &Value, name: &str| value[name].as_str().unwrap_or_default().to_owned();
        let called = format!("Pod {name}, container {}", field(container, "name"));
        let (waiting, ended) = (
            &container["state"]["waiting"],
            [
                &container["state"]["terminated"],
                &container["lastState"]["terminated"],
            ],
        );
        let reason = field(waiting, "reason");
        if !reason.is_empty() && !STARTING.contains(&reason.as_str()) {
            let (message, image) = (field(waiting, "message"), field(container, "image"));
            complaints.push(format!("{called}: {reason}: {message} (image {image})"));
        }
        for ended in ended {
            let code = ended["exitCode"].as_i64().unwrap_or_default();
            if code != 0 {
                let reason = field(ended, "reason");
                complaints.push(format!("{called}: ended with {code}: {reason}"));
            }
        }
    }
    if complaints.is_empty() && text(pod, "/status/phase") == "Failed" {
        let (reason, message) = (text(pod, "/status/reason"), text(pod, "/status/message"));
        complaints.push(format!("Pod {name}: failed: {reason} {message}"));
    }
    complaints
}
