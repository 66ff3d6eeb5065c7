//! Replaces Flux's controller by this one and back on a live namespace. The change writes no
//! managed object, changes no inventory and deletes nothing. Both controllers continue to work.
//!
//! The audit log shows the writes. Without a reference binary, `tests/reference/handover.json`
//! restores the objects that the reference left, with their field owners.

use std::collections::BTreeMap;
use std::path::PathBuf;

use serde_json::{Map, Value, json};
use sluice_client::{GroupVersionKind, PatchOptions};
use sluice_testkit::{self as testkit, Reference, Running, outcome};

use super::folder;
use super::play::{self, act, asked, gvk_of, kustomizations, objects, until};
use super::scenario::{Action, Goal, Scenario, Stage};
use crate::bed::Bed;

const NAMESPACE: &str = "handover";
/// Field manager of both controllers.
const MANAGER: &str = "kustomize-controller";
const FLAGS: &[&str] = &["--interval-jitter-percentage=0", "--requeue-dependency=5s"];

fn record() -> PathBuf {
    folder().join("handover.json")
}

fn kustomization() -> GroupVersionKind {
    GroupVersionKind::gvk("kustomize.toolkit.fluxcd.io", "v1", "Kustomization")
}

#[tokio::test]
async fn change_of_controller_writes_no_objects() {
    let scenario = Scenario::at(NAMESPACE, &folder().join("handover.yaml"));
    let testbed = testkit::cluster().await;
    testbed.namespace_called(NAMESPACE).await;
    let user = testbed.name(MANAGER);
    let mut bed = Bed::of(testbed, user, NAMESPACE.to_owned()).await;
    let [applied, changed, changed_again] = &*scenario.stages else {
        panic!("the handover has three stages");
    };
    match Reference::find() {
        Some(reference) => {
            let theirs = play::start(&reference, &bed, FLAGS);
            run_stage(&bed, Some(&theirs), applied).await;
            let left = left(&bed, &scenario).await;
            theirs.kill();
            if Reference::is_recording() {
                let text = serde_json::to_string_pretty(&left).unwrap() + "\n";
                sluice_system::fs::write(record(), text).unwrap();
            }

            bed.run(FLAGS);
            assert_no_writes(&bed, None, &scenario, "from the reference").await;
            run_stage(&bed, None, changed).await;
            bed.stop().await;

            let theirs = play::start(&reference, &bed, FLAGS);
            assert_no_writes(&bed, Some(&theirs), &scenario, "from ours").await;
            run_stage(&bed, Some(&theirs), changed_again).await;
            theirs.kill();
        }
        None => {
            restore_objects(&bed, &scenario, applied).await;
            bed.run(FLAGS);
            assert_no_writes(&bed, None, &scenario, "from the recording").await;
            run_stage(&bed, None, changed).await;
            run_stage(&bed, None, changed_again).await;
        }
    }
    let rest = objects(&bed, &scenario.watching).await;
    assert!(
        rest.is_empty(),
        "all objects are deleted with their Kustomization: {rest:#?}"
    );
}

async fn run_stage(bed: &Bed, process: Option<&Running>, stage: &Stage) {
    for action in &stage.does {
        act(bed, stage, action).await;
    }
    for (name, goal) in &stage.until {
        until(bed, process, stage, name, goal).await;
    }
}

/// Requests two runs of every Kustomization and fails if they write anything except statuses.
async fn assert_no_writes(bed: &Bed, process: Option<&Running>, scenario: &Scenario, from: &str) {
    let before = left(bed, scenario).await;
    let mark = bed.mark().await;
    let names: Vec<String> = before["kustomizations"]
        .as_array()
        .unwrap()
        .iter()
        .map(|object| object["metadata"]["name"].as_str().unwrap().to_owned())
        .collect();
    for run in 1..=2 {
        let ready = || Goal {
            ready: Some(true),
            ..Goal::default()
        };
        let stage = Stage {
            name: format!("run {run} after the change {from}"),
            does: names.iter().cloned().map(Action::Request).collect(),
            until: names.iter().map(|name| (name.clone(), ready())).collect(),
        };
        run_stage(bed, process, &stage).await;
    }
    let writes = outcome::of_writes(&asked(bed, mark).await, |_| true);
    assert!(writes.is_empty(), "{from}: {writes:#?}");
    let after = left(bed, scenario).await;
    for (what, of) in [
        ("objects", outcome::of_object as fn(&Value) -> Vec<String>),
        ("kustomizations", inventory),
    ] {
        assert_eq!(
            by_name(&before[what], of),
            by_name(&after[what], of),
            "{from}"
        );
    }
}

/// The compared lines of each object, by kind, name and uid.
fn by_name(list: &Value, of: fn(&Value) -> Vec<String>) -> BTreeMap<String, Vec<String>> {
    let objects = list.as_array().unwrap().iter();
    objects
        .map(|object| {
            let metadata = &object["metadata"];
            (
                format!(
                    "{} {} {}",
                    object["kind"], metadata["name"], metadata["uid"]
                ),
                of(object),
            )
        })
        .collect()
}

fn inventory(object: &Value) -> Vec<String> {
    let entries = object["status"]["inventory"]["entries"].as_array();
    entries
        .into_iter()
        .flatten()
        .map(Value::to_string)
        .collect()
}

/// The objects and the Kustomizations that own them.
async fn left(bed: &Bed, scenario: &Scenario) -> Value {
    json!({"objects": objects(bed, &scenario.watching).await, "kustomizations": kustomizations(bed).await})
}

/// Restores a namespace to the state in which the reference left it.
async fn restore_objects(bed: &Bed, scenario: &Scenario, applied: &Stage) {
    let text = sluice_system::fs::read_to_string(record()).unwrap();
    let recorded: Value = serde_json::from_str(&text).unwrap();
    for action in &applied.does {
        act(bed, applied, action).await;
    }
    for object in recorded["objects"].as_array().unwrap() {
        let owned = with_identity(object, owned(object));
        let options = PatchOptions {
            field_manager: Some(MANAGER),
            ..PatchOptions::default()
        };
        let name = object["metadata"]["name"].as_str().unwrap();
        let gvk = gvk_of(object);
        let put = bed
            .cluster
            .apply(&gvk, Some(NAMESPACE), name, &owned, options);
        put.await.unwrap();
    }
    for object in recorded["kustomizations"].as_array().unwrap() {
        let name = object["metadata"]["name"].as_str().unwrap();
        let finalizers = json!({"metadata": {"finalizers": object["metadata"]["finalizers"]}});
        let status = json!({"status": object["status"]});
        for (patch, subresource) in [(finalizers, None), (status, Some("status"))] {
            let options = PatchOptions {
                field_manager: Some("gotk-kustomize-controller"),
                subresource,
                ..PatchOptions::default()
            };
            let gvk = kustomization();
            let put = bed
                .cluster
                .merge(&gvk, Some(NAMESPACE), name, &patch, options);
            put.await.unwrap();
        }
    }
    let lines = |list: &Value| -> Vec<Vec<String>> {
        list.as_array()
            .unwrap()
            .iter()
            .map(outcome::of_object)
            .collect()
    };
    let now = left(bed, scenario).await;
    assert_eq!(
        lines(&recorded["objects"]),
        lines(&now["objects"]),
        "all objects have their recorded fields and owners"
    );
}

/// The fields of an object that the controller owns.
fn owned(object: &Value) -> Value {
    let owners = object["metadata"]["managedFields"].as_array();
    let entry = owners
        .into_iter()
        .flatten()
        .find(|entry| entry["manager"] == MANAGER && entry["operation"] == "Apply");
    let fields = entry.expect("the controller applied it")["fieldsV1"].as_object();
    part(object, fields.expect("it owns fields"))
}

fn with_identity(object: &Value, mut part: Value) -> Value {
    for field in ["apiVersion", "kind"] {
        part[field] = object[field].clone();
    }
    for field in ["name", "namespace"] {
        if let Some(value) = object["metadata"].get(field) {
            part["metadata"][field] = value.clone();
        }
    }
    part
}

/// Fields that Flux applies empty and Kubernetes fills.
const EMPTY: &[&str] = &["strategy"];

/// The part of a value that a field set names.
fn part(value: &Value, fields: &Map<String, Value>) -> Value {
    if fields.is_empty() {
        return value.clone();
    }
    let children = |segment: &str| fields.get(segment).and_then(Value::as_object);
    match value {
        Value::Object(map) => map
            .iter()
            .filter_map(|(name, value)| {
                let fields = children(&format!("f:{name}"))?;
                let part = if fields.is_empty() && EMPTY.contains(&name.as_str()) {
                    json!({})
                } else {
                    part(value, fields)
                };
                Some((name.clone(), part))
            })
            .collect::<Map<_, _>>()
            .into(),
        Value::Array(items) => items
            .iter()
            .filter_map(|item| {
                let (_, fields) = fields.iter().find(|(segment, _)| names(segment, item))?;
                Some(part(item, fields.as_object()?))
            })
            .collect::<Vec<_>>()
            .into(),
        value => value.clone(),
    }
}

/// Whether a segment of a field set matches an item of a list.
fn names(segment: &str, item: &Value) -> bool {
    match segment.split_once(':') {
        Some(("k", keys)) => {
            let keys: Map<String, Value> = serde_json::from_str(keys).unwrap();
            keys.iter()
                .all(|(name, value)| item.get(name) == Some(value))
        }
        Some(("v", value)) => {
            serde_json::from_str::<Value>(value).is_ok_and(|value| value == *item)
        }
        _ => false,
    }
}

#[test]
fn part_selects_fields_of_set() {
    let value = json!({"a": {"b": 1, "c": 2}, "list": [{"name": "x", "v": 1}, {"name": "y", "v": 2}], "set": ["p", "q"]});
    let fields = json!({"f:a": {"f:c": {}}, "f:list": {"k:{\"name\":\"y\"}": {".": {}, "f:name": {}}}, "f:set": {"v:\"q\"": {}}});
    assert_eq!(
        part(&value, fields.as_object().unwrap()),
        json!({"a": {"c": 2}, "list": [{"name": "y"}], "set": ["q"]})
    );
}
