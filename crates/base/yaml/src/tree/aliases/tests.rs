//! Tests of anchors, merge keys and their limits.

use std::fmt::Write as _;

use serde_json::json;

use crate::tree::{Node, parse_documents};
use crate::{ErrorKind, Value};

fn expanded(text: &str) -> Result<Node, crate::Error> {
    let mut node = parse_documents(text).unwrap().remove(0);
    node.expand_aliases()?;
    Ok(node)
}

#[track_caller]
fn assert_reads(text: &str, value: &Value) {
    assert_eq!(
        &expanded(text).unwrap().to_value().unwrap(),
        value,
        "{text}"
    );
}

#[track_caller]
fn assert_fails(text: &str, message: &str) {
    assert_eq!(expanded(text).unwrap_err().to_string(), message, "{text}");
}

#[test]
fn aliases_become_copies_without_anchors() {
    let node = expanded("a: &x {b: &y 1}\nc: *x\nd: [*y, *x]\n").unwrap();
    let mut anchors = 0;
    node.visit(&mut |node| anchors += usize::from(node.anchor.is_some()));
    assert_eq!(anchors, 0);
    assert_reads(
        "a: &x {b: &y 1}\nc: *x\nd: [*y, *x]\n",
        &json!({"a": {"b": 1}, "c": {"b": 1}, "d": [1, {"b": 1}]}),
    );
    // A reused name refers to the latest node before the alias.
    assert_reads(
        "a: &x 1\nb: *x\nc: &x 2\nd: *x\n",
        &json!({"a": 1, "b": 1, "c": 2, "d": 2}),
    );
}

#[test]
fn own_keys_precede_and_override_merged_keys() {
    let text = "a: &a {x: 1, y: 2}\nb: &b {y: 3, z: 4}\nc:\n  <<: [*a, *b]\n  z: 5\n";
    let node = expanded(text).unwrap();
    let merged = node.get("c").unwrap();
    let keys: Vec<_> = merged
        .entries()
        .iter()
        .map(|(key, _)| key.key_text())
        .collect();
    assert_eq!(keys, ["z", "y", "x"]);
    assert_eq!(merged.to_value().unwrap(), json!({"z": 5, "y": 2, "x": 1}));
}

#[test]
fn invalid_merge_is_rejected() {
    assert_fails(
        "<<: 1\n",
        "map merge requires map or sequence of maps as the value",
    );
    assert_fails(
        "a: &a 1\nb: {<<: *a}\n",
        "invalid map merge: received alias for a non-map value",
    );
    assert_fails(
        "a: &a {}\nb: {<<: [[*a]]}\n",
        "invalid map merge: received a nested sequence",
    );
    assert_fails("a: &a {}\nb:\n  <<: *a\n  <<: *a\n", "duplicate merge key");
}

#[test]
fn node_that_contains_itself_is_rejected() {
    let error = expanded("a: &a {b: *a}\n").unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Limit);
}

#[test]
fn multiplying_aliases_are_rejected() {
    let mut text = "a0: &a0 [x, x, x, x, x, x, x, x, x, x]\n".to_owned();
    for level in 1..12 {
        let before = format!("*a{}", level - 1);
        let items = vec![before; 10].join(", ");
        writeln!(text, "a{level}: &a{level} [{items}]").unwrap();
    }
    let error = expanded(&text).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Limit);
    assert_eq!(
        error.to_string(),
        "yaml: document contains excessive aliasing"
    );
}
