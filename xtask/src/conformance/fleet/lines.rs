//! Describes a cluster as comparable lines: applied objects, states of Flux's objects, events.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::{Value, json};
use sluice_api::Event;
use sluice_testkit::outcome::{self, Outcome};

#[path = "../../../../crates/controllers/helm/tests/cluster/reference/lines.rs"]
mod releases;

/// Field managers of Flux.
const MANAGERS: &[&str] = &[
    "kustomize-controller",
    "helm-controller",
    "source-controller",
    "source-watcher",
    "notification-controller",
    "image-reflector-controller",
    "image-automation-controller",
];

/// Events that only repeat while an object waits for another one. Their number depends on time.
const WAITING: &[&str] = &["DependencyNotReady"];

/// Replacements of texts that differ between the sides.
pub(super) type Addresses = Vec<(String, &'static str)>;

/// Whether a group is Flux's.
pub(super) fn is_flux(group: &str) -> bool {
    group.ends_with(".fluxcd.io")
}

/// Whether a controller of Flux wrote a part of an object.
pub(super) fn is_applied(object: &Value) -> bool {
    let entries = object["metadata"]["managedFields"].as_array();
    let mut managers = entries.into_iter().flatten().map(|entry| &entry["manager"]);
    managers.any(|manager| MANAGERS.iter().any(|known| manager == known))
}

/// Describes an object, and its state if it is Flux's.
pub(super) fn describe(object: &Value, group: &str, addresses: &Addresses, outcome: &mut Outcome) {
    let metadata = &object["metadata"];
    let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    // Some kinds have the name of a built-in one.
    let kind = if is_flux(group) || !group.contains('.') {
        text(&object["kind"])
    } else {
        format!("{}.{group}", text(&object["kind"]))
    };
    let title = format!(
        "{kind}/{}/{}",
        text(&metadata["namespace"]),
        text(&metadata["name"])
    );
    if object["type"] == "helm.sh/release.v1" {
        let encoded = object["data"]["release"].as_str().unwrap_or_default();
        let release = releases::decode(encoded).unwrap_or_default();
        let lines = releases::of_record(object, &release);
        outcome.push(format!("create {title}"), masked(&lines, addresses));
        return;
    }
    let lines = masked(&outcome::of_object(object), addresses);
    outcome.push(format!("create {title}"), lines);
    if is_flux(group) {
        let lines = masked(&state(object, addresses), addresses);
        outcome.push(format!("status {title}"), lines);
    }
}

fn masked(lines: &[String], addresses: &Addresses) -> Vec<String> {
    let lines = lines.iter().map(|line| outcome::masked(line, addresses));
    lines.collect()
}

/// Describes finalizers, conditions, inventory, history and the rest of a status.
fn state(object: &Value, addresses: &Addresses) -> Vec<String> {
    let mut object = object.clone();
    if is_packaged(&object)
        && let Some(artifact) = object.pointer_mut("/status/artifact")
    {
        artifact["digest"] = json!("*");
        artifact["size"] = json!("*");
    }
    let status = &mut object["status"];
    if let Some(digest) = status.get_mut("observedSourcesDigest") {
        // It covers the address of the storage.
        *digest = json!("*");
    }
    for entry in status["history"].as_array_mut().into_iter().flatten() {
        // The number of retries depends on time.
        if entry.get("totalReconciliations").is_some() {
            entry["totalReconciliations"] = json!("*");
        }
    }
    match object["kind"].as_str() {
        Some("Kustomization") => outcome::of_kustomization(&object, addresses),
        _ => releases::of_release(&object, addresses),
    }
}

/// Whether a controller packs the chart of an object. Such an archive contains times.
fn is_packaged(object: &Value) -> bool {
    let spec = &object["spec"];
    object["kind"] == "HelmChart"
        && (spec["sourceRef"]["kind"] != "HelmRepository" || spec["valuesFiles"].is_array())
}

/// Describes events, as a set for each object.
pub(super) fn describe_events(events: &[Event], addresses: &Addresses, outcome: &mut Outcome) {
    let mut by_object: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    for event in events {
        if WAITING.contains(&event.reason.as_str()) {
            continue;
        }
        let object = &event.involved_object;
        let title = format!(
            "events {}/{}/{}",
            object.kind, object.namespace, object.name
        );
        let line = outcome::of_event(event, addresses);
        let line = outcome::masked(&line, addresses);
        by_object.entry(title).or_default().insert(line);
    }
    for (title, lines) in by_object {
        outcome.push(title, lines.into_iter().collect());
    }
}
