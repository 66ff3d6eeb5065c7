//! Managed fields that were written in another version of the object's kind.
//!
//! When a definition gets a version whose new fields have defaults, an entry of `managedFields`
//! that still names the older version makes every apply fail: the server reads the object in
//! that version, where the new field is not declared. With the gate `MigrateAPIVersion` all
//! entries, whoever's they are and of subresources too, are rewritten to the version that is
//! about to be applied. Parity: `pkg: ssa/patch.go`.

use serde_json::json;
use sluice_object::{Object, Value};

/// The JSON patch that rewrites a live object's entries, if any names another version.
///
/// It names the resource version that it was computed from: the list is replaced as a whole.
pub fn patch(live: &Object, api_version: &str) -> Option<Value> {
    let entries = live.at(&["metadata", "managedFields"])?.as_array()?;
    let is_current =
        |entry: &Value| entry.get("apiVersion").and_then(Value::as_str) == Some(api_version);
    if entries.iter().all(is_current) {
        return None;
    }
    let mut entries = entries.clone();
    for entry in entries.iter_mut().filter_map(Value::as_object_mut) {
        entry.insert("apiVersion".into(), api_version.into());
    }
    let mut operations =
        vec![json!({"op": "replace", "path": "/metadata/managedFields", "value": entries})];
    if let Some(version) = live.resource_version() {
        operations
            .push(json!({"op": "replace", "path": "/metadata/resourceVersion", "value": version}));
    }
    Some(Value::Array(operations))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn live(versions: &[&str]) -> Object {
        let entries: Vec<Value> = versions
            .iter()
            .map(|version| json!({"manager": "m", "subresource": "status", "apiVersion": version}))
            .collect();
        Object::try_from(json!({"apiVersion": "g/v2", "kind": "K",
            "metadata": {"name": "a", "resourceVersion": "7", "managedFields": entries}}))
        .expect("complete")
    }

    #[test]
    fn every_entry_is_rewritten_and_nothing_else() {
        let patch = patch(&live(&["g/v1", "g/v2"]), "g/v2").expect("something to migrate");
        let entry = json!({"manager": "m", "subresource": "status", "apiVersion": "g/v2"});
        assert_eq!(
            patch,
            json!([
                {"op": "replace", "path": "/metadata/managedFields", "value": [entry, entry]},
                {"op": "replace", "path": "/metadata/resourceVersion", "value": "7"},
            ])
        );
    }

    #[test]
    fn nothing_is_rewritten_that_is_current() {
        assert_eq!(patch(&live(&["g/v2", "g/v2"]), "g/v2"), None);
        assert_eq!(patch(&live(&[]), "g/v2"), None);
    }
}
