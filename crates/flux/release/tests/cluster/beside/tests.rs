//! Our charts beside Helm 4.2.4.
//!
//! `recorded.json` holds the outcomes of Helm. With a `helm` in `REFERENCE_BIN_DIR` both engines
//! run, and `RECORD=1` writes the file. Objects and records are digests in it.

use std::collections::BTreeMap;
use std::path::Path;

use serde_json::{Value, json};
use sluice_system::fs;
use sluice_testkit::Reference;

use crate::beside::{Engine, Outcome, Subject, differences, play};

const FOLDER: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/cluster");

fn subjects() -> [Subject; 4] {
    let subject = |name: &str, second: Value| {
        let chart = Path::new(FOLDER).join("charts").join(name);
        Subject::new(name, &chart, json!({}), second)
    };
    let web = json!({ "replicas": 1, "text": "two", "labels": null, "account": false });
    [
        subject("web", web),
        subject("hooks", json!({ "text": "two" })),
        subject("definitions", json!({ "names": ["b", "c", "d"] })),
        subject("broken", json!({ "broken": true })),
    ]
}

/// The form of an outcome in the recording.
fn recorded(outcome: &Outcome) -> Value {
    let digests = |values: &BTreeMap<String, Value>| {
        let digests = values.iter().map(|(key, value)| {
            let digest = if value.is_null() {
                Value::Null
            } else {
                json!(Reference::digest(&value.to_string()))
            };
            (key.clone(), digest)
        });
        digests.collect::<serde_json::Map<_, _>>()
    };
    json!({
        "step": outcome.step,
        "error": outcome.error,
        "writes": outcome.writes,
        "objects": digests(&outcome.objects),
        "records": digests(&outcome.records),
    })
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn actions_leave_what_those_of_helm_leave() {
    let bed = sluice_testkit::cluster().await;
    let path = Path::new(FOLDER).join("beside/recorded.json");
    let reference = Reference::find();
    let mut recording: Value = serde_json::from_slice(&fs::read(&path).unwrap()).unwrap();
    for subject in subjects() {
        let ours = Box::pin(play(bed, &Engine::Ours, &subject)).await;
        if let Some(reference) = &reference {
            let helm = Engine::Helm(reference.binary("helm"));
            let theirs = Box::pin(play(bed, &helm, &subject)).await;
            let lines = differences(&ours, &theirs);
            assert!(lines.is_empty(), "{}:\n{}", subject.name, lines.join("\n"));
            if Reference::is_recording() {
                let theirs: Vec<Value> = theirs.iter().map(recorded).collect();
                recording[&subject.name] = json!(theirs);
            }
        }
        let expected = recording[&subject.name].as_array().unwrap();
        for (ours, expected) in ours.iter().zip(expected) {
            assert_eq!(recorded(ours), *expected, "{} {}", subject.name, ours.step);
        }
    }
    if reference.is_some() && Reference::is_recording() {
        let text = serde_json::to_string_pretty(&recording).unwrap();
        fs::write(&path, text + "\n").unwrap();
    }
}
