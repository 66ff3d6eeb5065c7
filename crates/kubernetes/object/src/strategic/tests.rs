//! Tests of strategic merge patches.

use sluice_yaml::tree::{self, Indent, Node};

use super::{MergeOutcome, merge};
use crate::Value;
use crate::openapi::Schemas;

fn read(text: &str) -> Node {
    let mut documents = tree::parse_documents(text).expect("a vector is YAML");
    let mut document = documents.remove(0);
    document
        .expand_aliases()
        .expect("a vector's anchors are sound");
    document
}

fn merged(target: &str, patch: &str) -> Result<String, String> {
    let mut target = read(target);
    let print = |node: &Node| tree::to_string(node, Indent::Compact);
    match merge(&mut target, &read(patch), &Schemas::builtin()) {
        Ok(MergeOutcome::Target) => Ok(print(&target)),
        Ok(MergeOutcome::Replaced(node)) => Ok(print(&node)),
        Ok(MergeOutcome::Deleted) => Ok(String::new()),
        Err(error) => Err(error.to_string()),
    }
}

/// Replays recorded answers of kyaml, styles included. The last 150 vectors are random.
#[test]
fn trees_merge_as_recorded() {
    let vectors = include_str!("../../tests/vectors/strategic.jsonl");
    let mut differences = Vec::new();
    for line in vectors.lines() {
        let vector: Value = serde_json::from_str(line).expect("a vector is JSON");
        let text = |field: &str| vector[field].as_str().unwrap_or_default();
        let found = merged(text("document"), text("patch"));
        if text("error").starts_with("panic: ") {
            continue;
        }
        let wanted = match text("error") {
            "" => Ok(text("result").to_owned()),
            error => Err(error.to_owned()),
        };
        if found != wanted {
            let show = |result: &Result<String, String>| match result {
                Ok(text) => text.clone(),
                Err(error) => format!("error: {error}\n"),
            };
            differences.push(format!(
                "--- document\n{}--- patch\n{}--- wanted\n{}--- found\n{}",
                text("document"),
                text("patch"),
                show(&wanted),
                show(&found)
            ));
        }
    }
    let count = differences.len();
    differences.truncate(5);
    assert!(
        differences.is_empty(),
        "{count} differ:\n{}",
        differences.join("\n")
    );
}

#[test]
fn target_is_unchanged_after_an_error() {
    let before = read("kind: A\nspec: [1]\n");
    let mut target = before.clone();
    let patch = read("kind: B\nspec: {a: 1}\n");
    let error = merge(&mut target, &patch, &Schemas::builtin()).unwrap_err();
    assert_eq!(
        error.to_string(),
        "wrong node kind: expected SequenceNode but got MappingNode: node contents:\n{a: 1}\n"
    );
    assert_eq!(target, before);
}
