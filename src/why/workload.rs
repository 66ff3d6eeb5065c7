//! What is wrong with an object that Flux does not reconcile: a workload, its Pods, a custom
//! resource.

use serde_json::Value;
use sluice_object::Object;

use super::snapshot::Snapshot;
use super::state::{condition, conditions};
use crate::resource::{at, text};

/// Conditions that are bad news while they are true.
const BAD: [&str; 5] = ["Failed", "Stalled", "Degraded", "ReplicaFailure", "Error"];
/// Conditions that are bad news while they are false.
const GOOD: [&str; 4] = ["Ready", "Available", "Healthy", "Progressing"];
/// What waiting containers are blamed for; anything else is on its way.
const ON_THE_WAY: [&str; 2] = ["ContainerCreating", "PodInitializing"];

/// Everything that its conditions and Pods complain of.
pub(super) fn complaints(snapshot: &Snapshot, object: &Object) -> Vec<String> {
    let mut complaints: Vec<String> = conditions(object)
        .filter(|condition| {
            (condition.is("True") && BAD.contains(&condition.type_()))
                || (condition.is("False") && GOOD.contains(&condition.type_()))
                || (condition.is("False") && sounds_bad(condition.reason()))
        })
        .map(|condition| format!("{}: {}", condition.reason(), condition.message()))
        .collect();
    if object.kind() == "Deployment" && at(object, "/spec/replicas") == Some(&Value::from(0)) {
        complaints.push("scaled to zero: spec.replicas is 0".to_owned());
    }
    for pod in pods(snapshot, object) {
        let mut of_pod = of_pod(pod);
        if of_pod.is_empty() && condition(pod, "Ready").is_some_and(|ready| ready.is("False")) {
            let warning = last_warning(snapshot, pod);
            of_pod.extend(warning.map(|warning| format!("Pod {}: {warning}", pod.name())));
        }
        complaints.extend(of_pod);
    }
    if complaints.is_empty() {
        complaints.extend(last_warning(snapshot, object));
    }
    complaints
}

/// Whether the reason of a condition that nobody here knows speaks of a failure.
fn sounds_bad(reason: &str) -> bool {
    let reason = reason.to_lowercase();
    let bad = ["fail", "error", "denied", "invalid"];
    bad.iter().any(|word| reason.contains(word))
}

/// The newest warning that Kubernetes wrote of an object: some faults are told nowhere else.
fn last_warning(snapshot: &Snapshot, object: &Object) -> Option<String> {
    let is_of = |event: &&Object| {
        let of = |field: &str| text(event, &format!("/involvedObject/{field}"));
        text(event, "/type") == "Warning"
            && of("kind") == object.kind()
            && of("name") == object.name()
            && of("namespace") == object.namespace()
    };
    let time = |event: &&Object| {
        ["/lastTimestamp", "/eventTime", "/firstTimestamp"]
            .map(|field| text(event, field).to_owned())
            .into_iter()
            .find(|time| !time.is_empty())
    };
    let event = snapshot.of_kind("Event").filter(is_of).max_by_key(time)?;
    let (reason, message) = (text(event, "/reason"), text(event, "/message"));
    Some(format!("{reason}: {message}"))
}

/// The Pods of a workload: those that its selector finds, or that it owns.
pub(super) fn pods<'s>(
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
        if !reason.is_empty() && !ON_THE_WAY.contains(&reason.as_str()) {
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
