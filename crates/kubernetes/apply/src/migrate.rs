//! Rewrites the API version of managed fields.
//!
//! A new version of a definition may have fields with defaults. Then an entry of
//! `managedFields` with the older version makes every apply fail: the server converts the object to that version,
//! which lacks the new field. The gate `MigrateAPIVersion` rewrites all entries to the version of
//! the desired object, those of other managers and subresources too.
//! Parity: `pkg: ssa/patch.go`.

use serde_json::json;
use sluice_object::{Object, Value};

/// Returns the JSON patch that rewrites the entries of a live object, or `None` without need.
///
/// The patch includes the resource version, because it replaces the whole list.
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
    fn all_entries_are_rewritten() {
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
    fn current_entries_need_no_patch() {
        assert_eq!(patch(&live(&["g/v2", "g/v2"]), "g/v2"), None);
        assert_eq!(patch(&live(&[]), "g/v2"), None);
    }
}
