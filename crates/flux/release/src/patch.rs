//! JSON merge patches of custom resources, for client-side updates.

use serde_json::Value;
use sluice_object::merge;

/// The patch from an original to a target, compared with the live object.
///
/// It adds and changes whatever the live object lacks, and deletes only what the original had.
/// Parity: `apimachinery: util/jsonmergepatch`.
pub(crate) fn merge_three_ways(original: &Value, target: &Value, live: &Value) -> Option<Value> {
    let added = merge::diff(live, target).and_then(|patch| select(&patch, false));
    let deleted = merge::diff(original, target).and_then(|patch| select(&patch, true));
    match (deleted, added) {
        (Some(mut patch), Some(added)) => {
            unite(&mut patch, added);
            Some(patch)
        }
        (patch, None) | (None, patch) => patch,
    }
}

/// The deletions of a patch, or all else.
fn select(patch: &Value, deletions: bool) -> Option<Value> {
    match patch {
        Value::Object(fields) => {
            let fields = fields.iter();
            let kept: serde_json::Map<_, _> = fields
                .filter_map(|(key, value)| Some((key.clone(), select(value, deletions)?)))
                .collect();
            (!kept.is_empty()).then_some(Value::Object(kept))
        }
        Value::Null => deletions.then_some(Value::Null),
        other => (!deletions).then(|| other.clone()),
    }
}

fn unite(patch: &mut Value, added: Value) {
    match (patch, added) {
        (Value::Object(fields), Value::Object(added)) => {
            for (key, value) in added {
                unite(fields.entry(key).or_insert(Value::Null), value);
            }
        }
        (patch, added) => *patch = added,
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::merge_three_ways;

    #[test]
    fn patch_repairs_changes_and_deletes_own_fields_only() {
        let original = json!({"spec": {"a": 1, "b": 1, "list": [1]}});
        let target = json!({"spec": {"a": 1, "list": [2]}});
        let live = json!({"spec": {"a": 9, "b": 1, "other": true, "list": [1]}});
        let patch = merge_three_ways(&original, &target, &live);
        let expected = json!({"spec": {"b": null, "a": 1, "list": [2]}});
        assert_eq!(patch, Some(expected));
        assert_eq!(merge_three_ways(&target, &target, &target), None);
    }
}
