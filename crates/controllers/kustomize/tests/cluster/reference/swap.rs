//! Ours in the place of the reference, and the reference in its place again, on a live namespace:
//! nobody's object is touched, no inventory changes, nothing is deleted; and both go on working.
//!
//! The witness is the audit log. Where there is no reference, what it left behind is put back from
//! `tests/reference/handover.json`, field by field and owner by owner, and ours takes over from that.

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
/// The manager of applied objects, which is theirs and ours.
const MANAGER: &str = "kustomize-controller";
const FLAGS: &[&str] = &["--interval-jitter-percentage=0", "--requeue-dependency=5s"];

fn record() -> PathBuf {
    folder().join("handover.json")
}

fn kustomization() -> GroupVersionKind {
    GroupVersionKind::gvk("kustomize.toolkit.fluxcd.io", "v1", "Kustomization")
}

#[tokio::test]
async fn a_change_of_controllers_touches_nothing() {
    let scenario = Scenario::at(NAMESPACE, &folder().join("handover.yaml"));
    let testbed = testkit::cluster().await;
    testbed.namespace_called(NAMESPACE).await;
    let user = testbed.name(MANAGER);
    let mut bed = Bed::of(testbed, user, NAMESPACE.to_owned()).await;
    let [applied, changed, changed_again] = &*scenario.stages else {
        panic!("the hand-over has three stages");
    };
    match Reference::find() {
        Some(reference) => {
            let theirs = play::start(&reference, &bed, FLAGS);
            carried_out(&bed, Some(&theirs), applied).await;
            let left = left(&bed, &scenario).await;
            theirs.kill();
            if Reference::is_recording() {
                let text = serde_json::to_string_pretty(&left).unwrap() + "\n";
                sluice_system::fs::write(record(), text).unwrap();
            }

            bed.run(FLAGS);
            untouched(&bed, None, &scenario, "from the reference").await;
            carried_out(&bed, None, changed).await;
            bed.stop().await;

            let theirs = play::start(&reference, &bed, FLAGS);
            untouched(&bed, Some(&theirs), &scenario, "from ours").await;
            carried_out(&bed, Some(&theirs), changed_again).await;
            theirs.kill();
        }
        None => {
            put_back(&bed, &scenario, applied).await;
            bed.run(FLAGS);
            untouched(&bed, None, &scenario, "from what was recorded").await;
            carried_out(&bed, None, changed).await;
            carried_out(&bed, None, changed_again).await;
        }
    }
    let rest = objects(&bed, &scenario.watching).await;
    assert!(
        rest.is_empty(),
        "everything has left with its Kustomization: {rest:#?}"
    );
}

async fn carried_out(bed: &Bed, process: Option<&Running>, stage: &Stage) {
    for action in &stage.does {
        act(bed, stage, action).await;
    }
    for (name, goal) in &stage.until {
        until(bed, process, stage, name, goal).await;
    }
}

/// Asks every Kustomization twice for a run, and fails if anything but their status is written.
async fn untouched(bed: &Bed, process: Option<&Running>, scenario: &Scenario, from: &str) {
    let before = left(bed, scenario).await;
    let mark = bed.mark().await;
    let names: Vec<String> = before["kustomizations"]
        .as_array()
        .unwrap()
        .iter()
        .map(|object| object["metadata"]["name"].as_str().unwrap().to_owned())
        .collect();
    for turn in 1..=2 {
        let ready = || Goal {
            ready: Some(true),
            ..Goal::default()
        };
        let stage = Stage {
            name: format!("run {turn} after the change {from}"),
            does: names.iter().cloned().map(Action::Request).collect(),
            until: names.iter().map(|name| (name.clone(), ready())).collect(),
        };
        carried_out(bed, process, &stage).await;
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

/// What identifies an object, and what is compared of it.
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

/// The objects, and the Kustomizations that they belong to.
async fn left(bed: &Bed, scenario: &Scenario) -> Value {
    json!({"objects": objects(bed, &scenario.watching).await, "kustomizations": kustomizations(bed).await})
}

/// Makes a namespace as the reference left one of the same name.
async fn put_back(bed: &Bed, scenario: &Scenario, applied: &Stage) {
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
        "everything is put back, and belongs to whom it belonged"
    );
}

/// What the controller owns of an object.
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

/// Of these Flux applies nothing but that they are there, and Kubernetes fills them.
const EMPTY: &[&str] = &["strategy"];

/// The part of a value that a set of fields names.
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

/// Whether a segment of a set means an item of a list.
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
fn the_part_that_a_set_names_is_cut_out() {
    let value = json!({"a": {"b": 1, "c": 2}, "list": [{"name": "x", "v": 1}, {"name": "y", "v": 2}], "set": ["p", "q"]});
    let fields = json!({"f:a": {"f:c": {}}, "f:list": {"k:{\"name\":\"y\"}": {".": {}, "f:name": {}}}, "f:set": {"v:\"q\"": {}}});
    assert_eq!(
        part(&value, fields.as_object().unwrap()),
        json!({"a": {"c": 2}, "list": [{"name": "y"}], "set": ["q"]})
    );
}
