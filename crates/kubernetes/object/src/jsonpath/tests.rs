//! Tests of `JSONPath` expressions.

use serde_json::{Value, json};

use super::*;

fn object() -> Value {
    json!({
        "kind": "GitRepository",
        "metadata": { "name": "fleet", "annotations": { "example.com/note": "seen" } },
        "spec": { "suspend": true, "nothing": null },
        "status": {
            "observedGeneration": 3,
            "conditions": [
                { "type": "Reconciling", "status": "False", "generation": 2 },
                { "type": "Ready", "status": "True", "generation": 3 },
                { "type": "Ready (really)", "status": "True" },
            ],
        },
    })
}

fn found(path: &str) -> Result<Vec<Value>, String> {
    let path = JsonPath::parse(path)?;
    Ok(path.find(&object())?.into_iter().cloned().collect())
}

#[test]
fn an_expression_may_leave_out_braces_and_the_dot() {
    for text in [
        "metadata.name",
        ".metadata.name",
        "{metadata.name}",
        "{.metadata.name}",
    ] {
        assert_eq!(found(text), Ok(vec![json!("fleet")]), "{text}");
        let read = JsonPath::parse(text).unwrap();
        assert_eq!(read.to_string(), "{.metadata.name}");
    }
}

#[test]
fn every_kind_of_step_leads_to_what_it_names() {
    for (path, expected) in [
        (".metadata.annotations.example\\.com/note", json!(["seen"])),
        (
            ".metadata.annotations['example\\.com/note']",
            json!(["seen"]),
        ),
        (".metadata.missing.deeper", json!([])),
        (".spec.nothing", json!([null])),
        (".spec.nothing[0]", json!([])),
        (".metadata.name.deeper", json!([])),
        (".status.conditions[1].type", json!(["Ready"])),
        (".status.conditions[-1].type", json!(["Ready (really)"])),
        (".status.conditions[7].type", json!([])),
        (".status.conditions[-7].type", json!([])),
        (
            ".status.conditions[0:2].type",
            json!(["Reconciling", "Ready"]),
        ),
        (".status.conditions[1:1].type", json!([])),
        (".status.conditions[2:1].type", json!([])),
        (
            ".status.conditions[::2].type",
            json!(["Reconciling", "Ready (really)"]),
        ),
        (".status.conditions[*].generation", json!([2, 3])),
        (
            ".status.conditions[0]['type', 'status']",
            json!(["Reconciling", "False"]),
        ),
        (".status.conditions[0,1].generation", json!([2, 3])),
        (
            ".metadata.*",
            json!(["fleet", { "example.com/note": "seen" }]),
        ),
        ("..generation", json!([2, 3])),
        ("..name", json!(["fleet"])),
        (".status..status", json!(["False", "True", "True"])),
        (
            ".status.conditions[?(@.type==\"Ready\")].generation",
            json!([3]),
        ),
        (
            ".status.conditions[?(@.type=='Ready (really)')].status",
            json!(["True"]),
        ),
        (
            ".status.conditions[?(@.generation>=3)].type",
            json!(["Ready"]),
        ),
        (
            ".status.conditions[?(@.generation != 2)].type",
            json!(["Ready"]),
        ),
        (
            ".status.conditions[?(@.generation)].type",
            json!(["Reconciling", "Ready"]),
        ),
        (".status.missing[?(@.type==\"Ready\")]", json!([])),
    ] {
        let found = found(path).map(Value::Array);
        assert_eq!(found, Ok(expected), "{path}");
    }
}

#[test]
fn invalid_expressions_are_refused() {
    for (path, expected) in [
        ("", "unexpected path string"),
        ("{}", "unexpected path string"),
        ("{.a", "unexpected path string"),
        ("{.a}{.b}", "unexpected path string"),
        (".a[0", "unterminated array"),
        (".a[x]", "invalid array index x"),
        (".a[-]", "array index - is not a number"),
        (".a[\"b\"]", "invalid array index \"b\""),
        (".a[::0]", "step must be > 0"),
        (".a[?(@.b==1]", "unterminated filter"),
        (".a[?(@.b==1)", "unclosed array expect ]"),
        (".a[?(@.b=1)]", "unrecognized filter operator ="),
        (".a[?(@.b=='1)]", "unterminated filter"),
        ("....a", "invalid multiple recursive descent"),
        (".a b", "unrecognized identifier b"),
        (".a !", "unrecognized character in action: '!'"),
        (".metadata.name[0]", "a text is not array or slice"),
        (
            ".status.conditions[?(@.generation=='3')]",
            "incompatible types for comparison",
        ),
        (
            ".status.conditions[?(@ == @)]",
            "invalid type for comparison",
        ),
        (
            ".status.conditions[?(@.* == 1)]",
            "can only compare one element at a time",
        ),
    ] {
        let refused = found(path).expect_err(path);
        assert!(refused.starts_with(expected), "{path}: {refused}");
    }
}

proptest::proptest! {
    #[test]
    fn no_expression_makes_it_panic(path in "[ .a\\[\\]*:,'\"?()@$=<!0-9\\\\-]{0,24}") {
        let _answer = found(&path);
    }
}
