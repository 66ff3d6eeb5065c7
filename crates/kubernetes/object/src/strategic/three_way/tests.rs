//! Three-way patches equal those of Kubernetes.

use serde_json::json;

use super::{DiffError, is_builtin, three_way};
use crate::Value;

/// Patches that the library of Kubernetes created. `crates/kubernetes/object/patches` has how.
const VECTORS: &str = include_str!("vectors.jsonl");

/// A patch whose lists of maps have no order, because only `$setElementOrder` gives one.
fn sorted(value: &Value) -> Value {
    match value {
        Value::Object(fields) => {
            let fields = fields.iter();
            let mut fields: Vec<_> = fields
                .map(|(key, value)| {
                    let is_order = key.starts_with('$');
                    (
                        key.clone(),
                        if is_order {
                            value.clone()
                        } else {
                            sorted(value)
                        },
                    )
                })
                .collect();
            fields.sort_by(|one, two| one.0.cmp(&two.0));
            Value::Object(fields.into_iter().collect())
        }
        Value::Array(items) => {
            let mut items: Vec<Value> = items.iter().map(sorted).collect();
            items.sort_by_key(ToString::to_string);
            Value::Array(items)
        }
        other => other.clone(),
    }
}

#[test]
fn patches_equal_those_of_kubernetes() {
    let mut count = 0;
    for line in VECTORS.lines() {
        let vector: Value = serde_json::from_str(line).unwrap();
        let (original, target, live) = (&vector["original"], &vector["target"], &vector["live"]);
        let patch = three_way(original, target, live).unwrap();
        let patch = patch.unwrap_or_else(|| json!({}));
        assert_eq!(sorted(&patch), sorted(&vector["patch"]), "{line}");
        count += 1;
    }
    assert!(count >= 10, "{count}");
}

#[test]
fn element_without_its_key_is_an_error() {
    let object = |containers: Value| {
        json!({
            "apiVersion": "v1", "kind": "Pod", "spec": { "containers": containers },
        })
    };
    let named = object(json!([{ "name": "a" }]));
    let bare = object(json!([{ "image": "a" }]));
    let error = three_way(&named, &bare, &named);
    assert_eq!(error, Err(DiffError::NoMergeKey("name")));
}

#[test]
fn kinds_of_kubernetes_are_known() {
    assert!(is_builtin("apps/v1", "Deployment"));
    assert!(is_builtin("v1", "Secret"));
    assert!(!is_builtin("example.com/v1", "Deployment"));
}
