//! Lines about releases and their records, for the comparison of two controllers.

use std::io::Read as _;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde_json::{Value, json};
use sluice_testkit::{Reference, outcome};

/// Fields of a status with lines of their own, or that differ in each run.
const FIELDS: &[&str] = &[
    "conditions",
    "inventory",
    "history",
    "failures",
    "lastAttemptedReleaseActionDuration",
];

/// The release of an encoded record.
pub(super) fn decode(encoded: &str) -> Option<Value> {
    let packed = STANDARD.decode(STANDARD.decode(encoded).ok()?).ok()?;
    let mut text = String::new();
    let mut reader = flate2::read::GzDecoder::new(&*packed);
    reader.read_to_string(&mut text).ok()?;
    serde_json::from_str(&text).ok()
}

/// Describes a `HelmRelease`: finalizers, conditions, inventory, history and field owners.
pub(super) fn of_release(object: &Value, addresses: &[(String, &str)]) -> Vec<String> {
    let (metadata, status) = (&object["metadata"], &object["status"]);
    let mut lines: Vec<String> = items(&metadata["finalizers"])
        .map(|finalizer| format!("finalizer {finalizer}"))
        .collect();
    lines.extend(outcome::of_conditions(status, addresses));
    for entry in items(&status["inventory"]["entries"]) {
        lines.push(format!(
            "inventory {} {}",
            text(&entry["id"]),
            text(&entry["v"])
        ));
    }
    lines.extend(items(&status["history"]).map(of_snapshot));
    lines.extend(outcome::of_fields(status, FIELDS));
    // The number of retries depends on time.
    if status["failures"].as_i64().unwrap_or_default() > 0 {
        lines.push("failures > 0".to_owned());
    }
    if status.get("lastAttemptedReleaseActionDuration").is_some() {
        lines.push("lastAttemptedReleaseActionDuration".to_owned());
    }
    lines.extend(outcome::of_writers(metadata));
    lines
}

/// Describes a snapshot. Its digest covers times.
fn of_snapshot(snapshot: &Value) -> String {
    let mut snapshot = snapshot.clone();
    for time in ["digest", "firstDeployed", "lastDeployed", "deleted"] {
        if let Some(value) = snapshot.get_mut(time) {
            *value = json!("*");
        }
    }
    for hook in snapshot["testHooks"].as_object_mut().into_iter().flatten() {
        for time in ["lastStarted", "lastCompleted"] {
            if let Some(value) = hook.1.get_mut(time) {
                *value = json!("*");
            }
        }
    }
    if snapshot["testHooks"].is_null()
        && let Some(fields) = snapshot.as_object_mut()
    {
        fields.remove("testHooks");
    }
    format!("history {snapshot}")
}

/// Describes a record: its labels, its state, its values, hooks and a digest of its manifest.
pub(super) fn of_record(secret: &Value, release: &Value) -> Vec<String> {
    let mut labels = secret["metadata"]["labels"].clone();
    for time in ["createdAt", "modifiedAt"] {
        if let Some(value) = labels.get_mut(time) {
            *value = json!("*");
        }
    }
    let info = &release["info"];
    let manifest = text(&release["manifest"]);
    let mut lines = vec![
        format!("labels {labels}"),
        format!("type {}", secret["type"]),
        format!("namespace {}", release["namespace"]),
        format!("status {}", info["status"]),
        format!("description {}", info["description"]),
        format!("notes {}", info["notes"]),
        format!("has been deleted: {}", !text(&info["deleted"]).is_empty()),
        format!("config {}", release["config"]),
        format!("chart {}", release["chart"]["metadata"]),
        format!("apply method {}", release["apply_method"]),
        format!("manifest {}", Reference::digest(manifest)),
    ];
    for hook in items(&release["hooks"]) {
        let manifest = Reference::digest(text(&hook["manifest"]));
        let (path, phase) = (text(&hook["path"]), text(&hook["last_run"]["phase"]));
        let events = &hook["events"];
        lines.push(format!("hook {path} {events} {phase:?} {manifest}"));
    }
    lines
}

fn items(list: &Value) -> impl Iterator<Item = &Value> {
    list.as_array().into_iter().flatten()
}

fn text(value: &Value) -> &str {
    value.as_str().unwrap_or_default()
}
