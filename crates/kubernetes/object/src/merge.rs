//! JSON merge patches (RFC 7386): applies and computes them.
//!
//! A merge patch cannot set a field to null or change one element of a list. [`diff`] replaces the
//! whole list, and a null in the target counts as absent.
//!
//! [`apply`] behaves like API servers (`evanphx/json-patch` v4.13). Unlike the RFC, it also drops
//! null fields of maps inside lists, unless the list replaces a map.

use serde_json::Map;

use crate::Value;

/// Applies a merge patch in place.
pub fn apply(target: &mut Value, patch: &Value) {
    match (target, patch) {
        (Value::Object(fields), Value::Object(changes)) => merge(fields, changes),
        (target, patch) => *target = without_nulls(patch),
    }
}

fn merge(fields: &mut Map<String, Value>, changes: &Map<String, Value>) {
    for (key, change) in changes {
        match (fields.get_mut(key), change) {
            // `shift_remove` keeps the order of the other fields.
            (_, Value::Null) => drop(fields.shift_remove(key)),
            (Some(Value::Object(inner)), Value::Object(change)) => merge(inner, change),
            (Some(known @ Value::Object(_)), _) => known.clone_from(change),
            (Some(known), _) => *known = without_nulls(change),
            (None, _) => drop(fields.insert(key.clone(), without_nulls(change))),
        }
    }
}

/// The value without null fields, at any depth. Nulls in lists stay.
fn without_nulls(value: &Value) -> Value {
    match value {
        Value::Object(fields) => {
            let kept = fields.iter().filter(|(_, field)| !field.is_null());
            let kept = kept.map(|(key, field)| (key.clone(), without_nulls(field)));
            Value::Object(kept.collect())
        }
        Value::Array(items) => Value::Array(items.iter().map(without_nulls).collect()),
        other => other.clone(),
    }
}

/// Returns the merge patch from one value to another, or `None` when they are equal.
pub fn diff(from: &Value, to: &Value) -> Option<Value> {
    if from == to {
        return None;
    }
    let (Value::Object(before), Value::Object(after)) = (from, to) else {
        return Some(to.clone());
    };
    let mut patch = Map::new();
    for (key, value) in after {
        match before.get(key) {
            Some(previous) => {
                if let Some(change) = diff(previous, value) {
                    patch.insert(key.clone(), change);
                }
            }
            None => {
                patch.insert(key.clone(), value.clone());
            }
        }
    }
    for key in before.keys().filter(|key| !after.contains_key(*key)) {
        patch.insert(key.clone(), Value::Null);
    }
    (!patch.is_empty()).then_some(Value::Object(patch))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use serde_json::json;

    use super::*;

    /// Replays recorded answers of `evanphx/json-patch`.
    #[test]
    fn patches_merge_as_recorded() {
        let vectors = include_str!("../tests/vectors/merge_patch.jsonl");
        for line in vectors.lines() {
            let vector: Value = serde_json::from_str(line).expect("a vector is JSON");
            let read = |field: &str| {
                let text = vector[field].as_str().expect("a text");
                sluice_yaml::json::from_str(text).expect("a vector's texts are JSON")
            };
            let mut target = read("document");
            apply(&mut target, &read("patch"));
            assert_eq!(target, read("result"), "{line}");
        }
    }

    #[test]
    fn examples_of_the_rfc_hold() {
        for (target, patch, result) in [
            (json!({"a": "b"}), json!({"a": "c"}), json!({"a": "c"})),
            (
                json!({"a": "b"}),
                json!({"b": "c"}),
                json!({"a": "b", "b": "c"}),
            ),
            (json!({"a": "b"}), json!({"a": null}), json!({})),
            (
                json!({"a": "b", "b": "c"}),
                json!({"a": null}),
                json!({"b": "c"}),
            ),
            (json!({"a": ["b"]}), json!({"a": "c"}), json!({"a": "c"})),
            (json!({"a": "c"}), json!({"a": ["b"]}), json!({"a": ["b"]})),
            (
                json!({"a": {"b": "c"}}),
                json!({"a": {"b": "d", "c": null}}),
                json!({"a": {"b": "d"}}),
            ),
            (
                json!({"a": [{"b": "c"}]}),
                json!({"a": [1]}),
                json!({"a": [1]}),
            ),
            (json!(["a", "b"]), json!(["c", "d"]), json!(["c", "d"])),
            (json!({"a": "b"}), json!(["c"]), json!(["c"])),
            (json!({"a": "foo"}), json!(null), json!(null)),
            (json!({"a": "foo"}), json!("bar"), json!("bar")),
            (
                json!({"e": null}),
                json!({"a": 1}),
                json!({"e": null, "a": 1}),
            ),
            (
                json!([1, 2]),
                json!({"a": "b", "c": null}),
                json!({"a": "b"}),
            ),
            (
                json!({}),
                json!({"a": {"bb": {"ccc": null}}}),
                json!({"a": {"bb": {}}}),
            ),
        ] {
            let mut patched = target.clone();
            apply(&mut patched, &patch);
            assert_eq!(patched, result, "{target} + {patch}");
        }
    }

    #[test]
    fn diff_contains_only_changes() {
        let from = json!({"a": 1, "b": {"c": 1, "d": 2}, "e": [1, 2], "gone": true});
        let to = json!({"a": 1, "b": {"c": 1, "d": 3}, "e": [1], "new": "x"});
        assert_eq!(
            diff(&from, &to),
            Some(json!({"b": {"d": 3}, "e": [1], "new": "x", "gone": null}))
        );
        assert_eq!(diff(&to, &to), None);
    }

    fn value() -> impl Strategy<Value = Value> {
        let leaf = prop_oneof![
            any::<bool>().prop_map(Value::from),
            any::<i8>().prop_map(Value::from),
            "[a-c]{0,2}".prop_map(Value::from),
        ];
        leaf.prop_recursive(4, 24, 4, |inner| {
            prop_oneof![
                proptest::collection::vec(inner.clone(), 0..3).prop_map(Value::from),
                proptest::collection::btree_map("[a-d]", inner, 0..4)
                    .prop_map(|map| Value::Object(map.into_iter().collect())),
            ]
        })
    }

    proptest! {
        #[test]
        fn applied_diff_yields_the_target(from in value(), to in value()) {
            let mut patched = from.clone();
            if let Some(patch) = diff(&from, &to) {
                apply(&mut patched, &patch);
            }
            prop_assert_eq!(patched, to);
        }
    }
}
