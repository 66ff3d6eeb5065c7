//! What our check of custom resources against a definition says, beside what the API server says
//! once it has the definition.
//!
//! The cases are `crates/kubernetes/schema/tests/vectors/definitions.jsonl`: a line with a schema, and lines
//! with objects and what the server said of them; `doubted` is what we let pass all the same. With `RECORD=1` that is written anew.

use std::fmt::Write as _;
use std::path::PathBuf;

use serde_json::{Value, json};
use sluice_client::{Cluster, GroupVersionKind, PatchOptions};
use sluice_object::Object;
use sluice_schema::Definition;
use sluice_system::fs;

use crate::{Corner, MANAGER};

/// What stands in the recorded words for what each run makes up.
const GROUP: &str = "example.com";
const NAMESPACE: &str = "shop";

#[tokio::test(flavor = "multi_thread")]
async fn a_definition_decides_about_objects_as_the_server_does() {
    let corner = Corner::new("definitions").await;
    let cluster = corner.bed.connect().await;
    let group = format!("{}.{GROUP}", corner.bed.name("check"));
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
    corner.apply(definitions.clone()).await.expect("applied");

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
        let object = object(&corner.namespace, definition, &line["object"]);
        let said = ask(&cluster, definition, &object).await;
        let said = said
            .replace(&group, GROUP)
            .replace(&corner.namespace, NAMESPACE);
        let found = definition.check(&object).err();
        let found = found.map(|refusal| refusal.to_string()).unwrap_or_default();
        let found = found
            .replace(&group, GROUP)
            .replace(&corner.namespace, NAMESPACE);
        let is_doubted = line["doubted"] == true && !said.is_empty();
        if pieces(&found) != pieces(if is_doubted { "" } else { &said }) {
            writeln!(
                ours,
                "{}\n  server: {said}\n    ours: {found}",
                line["object"]
            )
            .expect("a String");
        }
        let recorded = line["says"].as_str().unwrap_or_default();
        if pieces(recorded) != pieces(&said) {
            writeln!(
                stale,
                "{}\n  recorded: {recorded}\n       now: {said}",
                line["object"]
            )
            .expect("a String");
            line["says"] = said.into();
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
            "the server says something else now (RECORD=1 records anew):\n{stale}"
        );
    }
    assert!(ours.is_empty(), "ours differ:\n{ours}");
}

#[expect(
    clippy::disallowed_methods,
    reason = "a test is told by its environment what to do"
)]
fn is_recording() -> bool {
    std::env::var("RECORD").is_ok_and(|value| value == "1")
}

/// The parts of what is said, in an order of their own: the server has none.
fn pieces(said: &str) -> Vec<&str> {
    let parts = said
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

/// What the server says of an object; nothing if it would take it.
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
            // A server that has several ways to a kind comes to know it by all of them.
            Err(error) if error.is_no_match() || error.is_unserved() => {}
            Err(error) => return error.message(),
        }
    }
}
