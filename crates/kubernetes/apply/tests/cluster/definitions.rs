//! Compares validation by a definition with the API server that has the definition.
//!
//! The cases are in `crates/kubernetes/schema/tests/vectors/definitions.jsonl`: a line with a
//! schema, then lines with objects and the server's answers. Objects marked `doubted` pass our
//! validation. `RECORD=1` records the answers again.

use std::fmt::Write as _;
use std::path::PathBuf;

use serde_json::{Value, json};
use sluice_client::{Cluster, GroupVersionKind, PatchOptions};
use sluice_object::Object;
use sluice_schema::Definition;
use sluice_system::fs;

use crate::{MANAGER, Sandbox};

/// The recorded texts contain these instead of the generated names.
const GROUP: &str = "example.com";
const NAMESPACE: &str = "shop";

#[tokio::test(flavor = "multi_thread")]
async fn validation_equals_the_server() {
    let sandbox = Sandbox::new("definitions").await;
    let cluster = sandbox.bed.connect().await;
    let group = format!("{}.{GROUP}", sandbox.bed.name("check"));
    let path =
        PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../schema/tests/vectors/definitions.jsonl");
    let text = String::from_utf8(fs::read(&path).expect("the cases")).expect("text");
    let lines = text
        .lines()
        .map(|line| serde_json::from_str(line).expect("JSON"));
    let mut lines: Vec<Value> = lines.collect();

    let definitions: Vec<Object> = lines
        .iter()
        .filter(|line| line.get("define").is_some())
        .enumerate()
        .map(|(number, line)| definition(&group, number, line))
        .collect();
    sandbox.apply(definitions.clone()).await.expect("applied");

    let mut definitions = definitions.iter().map(|object| {
        let definition = Definition::from_object(object).expect("a definition");
        (
            definition,
            object
                .str_at(&["metadata", "name"])
                .expect("a name")
                .to_owned(),
        )
    });
    let mut current = None;
    let (mut ours, mut stale) = (String::new(), String::new());
    for line in &mut lines {
        if line.get("define").is_some() {
            current = definitions.next();
            continue;
        }
        let (definition, _) = current.as_ref().expect("a schema before its objects");
        let object = object(&sandbox.namespace, definition, &line["object"]);
        let text = ask(&cluster, definition, &object).await;
        let text = text
            .replace(&group, GROUP)
            .replace(&sandbox.namespace, NAMESPACE);
        let found = definition.check(&object).err();
        let found = found.map(|refusal| refusal.to_string()).unwrap_or_default();
        let found = found
            .replace(&group, GROUP)
            .replace(&sandbox.namespace, NAMESPACE);
        let is_doubted = line["doubted"] == true && !text.is_empty();
        if pieces(&found) != pieces(if is_doubted { "" } else { &text }) {
            writeln!(
                ours,
                "{}\n  server: {text}\n    ours: {found}",
                line["object"]
            )
            .expect("a String");
        }
        let recorded = line["says"].as_str().unwrap_or_default();
        if pieces(recorded) != pieces(&text) {
            writeln!(
                stale,
                "{}\n  recorded: {recorded}\n       now: {text}",
                line["object"]
            )
            .expect("a String");
            line["says"] = text.into();
        }
    }
    if is_recording() {
        let mut text = String::new();
        for line in &lines {
            writeln!(text, "{line}").expect("a String");
        }
        fs::write(&path, text).expect("written");
    } else {
        assert!(
            stale.is_empty(),
            "the answers of the server have changed (RECORD=1 records them):\n{stale}"
        );
    }
    assert!(ours.is_empty(), "ours differ:\n{ours}");
}

#[expect(
    clippy::disallowed_methods,
    reason = "an environment variable starts the recording"
)]
fn is_recording() -> bool {
    std::env::var("RECORD").is_ok_and(|value| value == "1")
}

/// The sorted parts of an error text, since the server lists errors in random order.
fn pieces(text: &str) -> Vec<&str> {
    let parts = text
        .split(['\n', '[', ']'])
        .flat_map(|line| line.split(", "));
    let mut parts: Vec<&str> = parts
        .map(str::trim)
        .filter(|part| !part.is_empty())
        .collect();
    parts.sort_unstable();
    parts
}

fn definition(group: &str, number: usize, line: &Value) -> Object {
    let mut version = json!({
        "name": "v1", "served": true, "storage": true, "schema": {"openAPIV3Schema": line["schema"]},
    });
    for (name, value) in line["version"].as_object().into_iter().flatten() {
        version[name] = value.clone();
    }
    let scope = line["scope"].as_str().unwrap_or("Namespaced");
    Object::try_from(json!({
        "apiVersion": "apiextensions.k8s.io/v1", "kind": "CustomResourceDefinition",
        "metadata": {"name": format!("things{number}.{group}")},
        "spec": {"group": group, "scope": scope, "versions": [version],
            "names": {"kind": format!("Thing{number}"), "plural": format!("things{number}")}},
    }))
    .expect("complete")
}

fn object(namespace: &str, definition: &Definition, fields: &Value) -> Object {
    let kind = definition.kind();
    let mut object = Object::new(&format!("{}/v1", kind.group), &kind.kind, namespace, "x");
    if definition.is_namespaced() == Some(false) {
        object.metadata_mut().shift_remove("namespace");
    }
    for (name, value) in fields.as_object().into_iter().flatten() {
        if name == "metadata" {
            let metadata = value.as_object().cloned().unwrap_or_default();
            object.metadata_mut().extend(metadata);
        } else {
            object.as_map_mut().insert(name.clone(), value.clone());
        }
    }
    object
}

/// The server's error about an object, or an empty text.
async fn ask(cluster: &Cluster, definition: &Definition, object: &Object) -> String {
    let kind = definition.kind();
    let kind = GroupVersionKind::gvk(&kind.group, "v1", &kind.kind);
    let options = PatchOptions {
        field_manager: Some(MANAGER),
        force: true,
        dry_run: true,
        ..PatchOptions::default()
    };
    loop {
        let namespace = Some(object.namespace()).filter(|namespace| !namespace.is_empty());
        let value = object.to_value();
        match cluster
            .apply(&kind, namespace, object.name(), &value, options)
            .await
        {
            Ok(_) => return String::new(),
            // The server learns about a new kind in several places, not all at once.
            Err(error) if error.has_no_match() || error.is_unserved() => {}
            Err(error) => return error.message(),
        }
    }
}
