//! Tests of JSON patches, with recorded answers.

use serde_json::json;
use sluice_yaml::json as go_json;

use super::{Document, Patch};
use crate::Value;

/// Replays recorded answers of `evanphx/json-patch`.
#[test]
fn patches_apply_as_recorded() {
    let vectors = include_str!("../../tests/vectors/json_patch.jsonl");
    let mut differences = Vec::new();
    for line in vectors.lines() {
        let vector: Value = serde_json::from_str(line).expect("a vector is JSON");
        let text = |field: &str| vector[field].as_str().unwrap_or_default();
        let found = apply(text("document"), text("patch"));
        if text("error").starts_with("panic: ") && found.is_err() {
            continue;
        }
        let wanted = match text("error") {
            "" => Ok(text("result").to_owned()),
            error => Err(error.to_owned()),
        };
        if found != wanted {
            differences.push(format!("{line}\n  found {found:?}"));
        }
    }
    assert!(differences.is_empty(), "{}", differences.join("\n"));
}

fn apply(document: &str, patch: &str) -> Result<String, String> {
    let document = go_json::from_str(document).expect("a vector's document is JSON");
    let mut document = Document::from_value(&document);
    let patch = Patch::from_json(patch).map_err(|error| error.to_string())?;
    patch
        .apply(&mut document)
        .and_then(|()| document.into_value())
        .map(|value| go_json::to_string(&value))
        .map_err(|error| error.to_string())
}

/// These limits are ours; upstream has none.
#[test]
fn unbounded_growth_is_rejected() {
    let copies = |path: &str, count: usize| {
        let copy = format!(r#",{{"op":"copy","from":"/x","path":"{path}"}}"#);
        format!(
            r#"[{{"op":"add","path":"/x","value":[1]}}{}]"#,
            copy.repeat(count)
        )
    };
    assert!(apply("{}", &copies("/x/-", 15)).is_ok());
    let error = apply("{}", &copies("/x/-", 40)).unwrap_err();
    assert!(
        error.contains("the accumulated size increase of JSON patch copy is"),
        "{error}"
    );
    let deep = |levels: usize| format!(r#"{{"a":{}{}}}"#, "[".repeat(levels), "]".repeat(levels));
    let into =
        r#"[{"op":"add","path":"/a/-","value":[[1]]},{"op":"move","from":"/a","path":"/b"}]"#;
    assert!(apply(&deep(200), into).is_ok());
    let nested = apply(
        &deep(255),
        r#"[{"op":"add","path":"/b","value":{}},{"op":"copy","from":"/a","path":"/b/c"}]"#,
    );
    assert!(nested.unwrap_err().contains("nested deeper than 256"));
}

#[test]
fn large_integers_become_floats() {
    let mut document = Document::from_value(&json!({"id": 9_007_199_254_740_993_u64}));
    let patch = Patch::from_json("[]").expect("an empty patch");
    assert!(patch.is_empty());
    patch.apply(&mut document).expect("nothing to do");
    let value = document.into_value().expect("a finite number");
    assert_eq!(go_json::to_string(&value), r#"{"id":9007199254740992}"#);
}

#[test]
fn unescaped_tilde_stays() {
    assert_eq!(super::unescape("a~1b~0c~01~2~"), "a/b~c~1~2~");
}
