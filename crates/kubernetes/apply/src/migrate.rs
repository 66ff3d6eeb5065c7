//! Rewrites the API version of managed fields.
//!
//! A new version of a definition may have fields with defaults. Then an entry of
//! `managedFields` with the older version makes every apply fail: the server converts the object to
//! that version, which lacks the new field. The gate `MigrateAPIVersion` rewrites all entries to
//! the version of the desired object, those of other managers and subresources too.
//! Parity: `pkg: ssa/patch.go`.

use serde_json::json;
use sluice_object::{Object, Value};

use crate::fields;

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

/// Returns the JSON patch that gives the fields which a manager updated to its server-side applies,
/// or `None` without need.
///
/// Otherwise fields that leave the desired object would stay, because the manager owns them twice.
/// Parity: `client-go: util/csaupgrade`.
pub fn client_side_patch(live: &Object, manager: &str) -> Option<Value> {
    let entries = live.at(&["metadata", "managedFields"])?.as_array()?;
    let is_of = |entry: &Value, operation: &str| {
        let subresource = entry.get("subresource").and_then(Value::as_str);
        entry["manager"] == manager
            && entry["operation"] == operation
            && subresource.is_none_or(str::is_empty)
    };
    let mut entries = entries.clone();
    let updated = entries.iter().position(|entry| is_of(entry, "Update"))?;
    let applied = entries.iter().position(|entry| is_of(entry, "Apply"));
    let target = applied.unwrap_or(updated);
    if applied.is_none() {
        entries[target]["operation"] = "Apply".into();
    }
    let version = entries[target]["apiVersion"].clone();
    let same = entries
        .iter()
        .find(|entry| is_of(entry, "Update") && entry["apiVersion"] == version);
    if let Some(same) = same {
        let united = fields::union(entries[target].get("fieldsV1"), same.get("fieldsV1"));
        entries[target]["fieldsV1"] = united;
    }
    entries.retain(|entry| !is_of(entry, "Update"));
    Some(json!([
        {"op": "replace", "path": "/metadata/managedFields", "value": entries},
        {
            "op": "replace",
            "path": "/metadata/resourceVersion",
            "value": live.resource_version().unwrap_or_default(),
        },
    ]))
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

    fn managed(entries: &Value) -> Object {
        Object::try_from(json!({"apiVersion": "v1", "kind": "K",
            "metadata": {"name": "a", "resourceVersion": "7", "managedFields": entries}}))
        .expect("complete")
    }

    fn entry(manager: &str, operation: &str, fields: &Value) -> Value {
        json!({"manager": manager, "operation": operation, "apiVersion": "v1", "fieldsV1": fields})
    }

    #[test]
    fn updated_fields_become_applied_fields() {
        let live = managed(&json!([
            entry("helm", "Update", &json!({"f:a": {}})),
            entry("other", "Update", &json!({"f:b": {}})),
        ]));
        let patch = client_side_patch(&live, "helm").expect("fields to give away");
        let expected = json!([
            entry("helm", "Apply", &json!({"f:a": {}})),
            entry("other", "Update", &json!({"f:b": {}})),
        ]);
        assert_eq!(patch[0]["value"], expected);
        assert_eq!(patch[1]["value"], "7");
    }

    #[test]
    fn updated_fields_join_those_that_are_applied() {
        let live = managed(&json!([
            entry("helm", "Update", &json!({"f:a": {}})),
            entry("helm", "Apply", &json!({"f:b": {}})),
        ]));
        let patch = client_side_patch(&live, "helm").expect("fields to give away");
        let expected = json!([entry("helm", "Apply", &json!({"f:a": {}, "f:b": {}}))]);
        assert_eq!(patch[0]["value"], expected);
    }

    #[test]
    fn applied_fields_need_no_patch() {
        let live = managed(&json!([entry("helm", "Apply", &json!({"f:a": {}}))]));
        assert_eq!(client_side_patch(&live, "helm"), None);
    }
}
