//! Lines and what Helm's parser makes of them, from `tests/vectors/strvals.jsonl`.

use serde_json::json;

use super::parser::{Kind, Parser};
use crate::values::{Json, Values, from_json};

#[test]
fn lines_set_what_helm_sets() {
    let vectors = include_str!("../../tests/vectors/strvals.jsonl");
    for vector in vectors.lines() {
        let vector: Json = serde_json::from_str(vector).unwrap();
        let line = vector["line"].as_str().unwrap();
        let mut reader = |name: &str| match name {
            "none" => Err("open none: no such file or directory".to_owned()),
            name => Ok(format!("content of {name}")),
        };
        let kind = match vector["kind"].as_str().unwrap() {
            "set" => Kind::Typed,
            "string" => Kind::Text,
            "json" => Kind::Json,
            "literal" => Kind::Literal,
            _ => Kind::File(&mut reader),
        };
        let is_json = matches!(kind, Kind::Json);
        let mut values: Values = vector["values"].as_object().cloned().unwrap_or_default();
        values = from_json(values);
        let outcome = Parser::new(line, kind).run(&mut values);
        match (outcome, vector.get("error")) {
            // Errors of JSON are not part of Helm's message.
            (Err(_), Some(_)) if is_json => {}
            (Err(error), expected) => assert_eq!(Some(&json!(error)), expected, "{vector}"),
            (Ok(()), Some(_)) => panic!("no error: {vector}"),
            (Ok(()), None) => {
                let expected = from_json(vector["result"].as_object().cloned().unwrap());
                assert_eq!(from_json(values), expected, "{vector}");
            }
        }
    }
}

#[test]
fn json_object_is_merged_as_a_whole() {
    let mut values = Values::new();
    super::set("a.b=1", &mut values).unwrap();
    super::set_json("{\"a\": {\"c\": 2}}", &mut values).unwrap();
    assert_eq!(Json::Object(values), json!({"a": {"b": 1, "c": 2.0}}));
}

#[test]
fn error_names_the_flag() {
    let mut values = Values::new();
    let error = super::set("a", &mut values).unwrap_err().to_string();
    assert_eq!(error, "failed parsing --set data: key \"a\" has no value");
    let error = super::set_json("a={", &mut values).unwrap_err().to_string();
    assert_eq!(error, "failed parsing --set-json data a={");
}

#[test]
fn name_of_many_indexes_is_rejected() {
    let line = |indexes: usize| format!("a{}=1", "[0]".repeat(indexes));
    super::set(&line(100), &mut Values::new()).unwrap();
    for line in [
        line(101),
        line(100_000),
        format!("a{}=1", "[0].a".repeat(101)),
    ] {
        let error = super::set(&line, &mut Values::new()).unwrap_err();
        assert_eq!(error.reason(), "value name has more than 100 indexes");
    }
    // Each name begins at zero.
    super::set(&["a[0]=1"; 200].join(","), &mut Values::new()).unwrap();
}

#[test]
fn unfinished_name_keeps_its_lists() {
    for line in ["a[0][0]=1,a[0][", "a[0][0]=1,a[0][0"] {
        let mut values = Values::new();
        super::set(line, &mut values).unwrap();
        assert_eq!(Json::Object(values), json!({"a": [[1]]}), "{line}");
    }
}
