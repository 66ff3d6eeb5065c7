//! Takes over the fields and bookkeeping of former tools on a live object.
//!
//! Fields that `kubectl` once set have their own entry in `managedFields`, and server-side apply
//! never removes fields of other managers. So before the apply, the entries of known former
//! managers are merged into ours, and their bookkeeping annotations are removed.
//! Parity: `pkg: ssa/patch.go`, `kustomize-controller: internal/controller`.

use serde_json::{Map, json};
use sluice_object::{Object, Value};

use crate::fields;

/// Annotations and labels of former tools.
const ANNOTATIONS: [&str; 3] = [
    "kubectl.kubernetes.io/last-applied-configuration",
    "kustomize.toolkit.fluxcd.io/checksum",
    "fluxcd.io/sync-checksum",
];
const LABELS: [&str; 1] = ["fluxcd.io/sync-gc-mark"];

/// A former manager: entries whose manager has the prefix and this operation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct FormerManager {
    pub(crate) prefix: String,
    pub(crate) operation: &'static str,
}

const APPLY: &str = "Apply";
const UPDATE: &str = "Update";

/// Lists the former managers. `overridden` contains the managers named by flag.
pub(crate) fn former_managers(field_manager: &str, overridden: &[String]) -> Vec<FormerManager> {
    let former = |prefix: &str, operation| FormerManager {
        prefix: prefix.to_owned(),
        operation,
    };
    let mut managers = vec![
        former("kubectl", APPLY),
        former("kubectl", UPDATE),
        former("before-first-apply", UPDATE),
        former(field_manager, UPDATE),
    ];
    for name in overridden {
        managers.push(former(name, APPLY));
        managers.push(former(name, UPDATE));
    }
    managers
}

/// Returns the JSON patch that cleans up a live object, or `None` without need.
///
/// The patch includes the resource version, because it replaces the whole list and must not lose
/// concurrent entries.
pub(crate) fn patch(live: &Object, former: &[FormerManager], field_manager: &str) -> Option<Value> {
    let mut operations = Vec::new();
    let removals = [
        ("annotations", ANNOTATIONS.as_slice()),
        ("labels", LABELS.as_slice()),
    ];
    for (field, keys) in removals {
        for key in keys {
            if live.at(&["metadata", field, key]).is_some() {
                let key = key.replace('~', "~0").replace('/', "~1");
                operations
                    .push(json!({"op": "remove", "path": format!("/metadata/{field}/{key}")}));
            }
        }
    }
    if let Some(entries) = merge_entries(live, former, field_manager) {
        operations.push(json!({
            "op": "replace", "path": "/metadata/managedFields", "value": entries,
        }));
    }
    if operations.is_empty() {
        return None;
    }
    if let Some(version) = live.resource_version() {
        operations.push(json!({
            "op": "replace", "path": "/metadata/resourceVersion", "value": version,
        }));
    }
    Some(Value::Array(operations))
}

/// Merges the entries of former managers into ours. `None` when there are none.
fn merge_entries(
    live: &Object,
    former: &[FormerManager],
    field_manager: &str,
) -> Option<Vec<Value>> {
    let entries = live.at(&["metadata", "managedFields"])?.as_array()?;
    let is_ours = |entry: &Value| {
        text(entry, "manager") == field_manager && text(entry, "operation") == APPLY
    };
    // Like in Flux, the last of several own entries is extended.
    let mut ours: Option<Map<String, Value>> = entries
        .iter()
        .rfind(|entry| is_ours(entry))
        .and_then(|entry| entry.as_object().cloned());
    let previous = ours.clone().map(Value::Object);
    let mut entries_left = Vec::with_capacity(entries.len());
    let mut merged = false;
    for entry in entries {
        if previous.as_ref() == Some(entry) {
            continue;
        }
        if !former.iter().any(|manager| manager.matches(entry)) {
            entries_left.push(entry.clone());
            continue;
        }
        merged = true;
        if let Some(ours) = &mut ours {
            let united = fields::union(ours.get("fieldsV1"), entry.get("fieldsV1"));
            ours.insert("fieldsV1".into(), united);
        } else {
            let mut renamed = entry.as_object().cloned().unwrap_or_default();
            renamed.insert("manager".into(), field_manager.into());
            renamed.insert("operation".into(), APPLY.into());
            ours = Some(renamed);
        }
    }
    if !merged {
        return None;
    }
    entries_left.extend(ours.map(Value::Object));
    Some(entries_left)
}

impl FormerManager {
    pub(crate) fn matches(&self, entry: &Value) -> bool {
        text(entry, "operation") == self.operation
            && text(entry, "subresource").is_empty()
            && text(entry, "manager").starts_with(&self.prefix)
    }
}

fn text<'a>(entry: &'a Value, field: &str) -> &'a str {
    entry.get(field).and_then(Value::as_str).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    const US: &str = "kustomize-controller";

    fn entry(manager: &str, operation: &str, fields: &Value) -> Value {
        json!({"manager": manager, "operation": operation, "apiVersion": "v1",
            "fieldsType": "FieldsV1", "fieldsV1": fields})
    }

    fn live(managed: Vec<Value>) -> Object {
        let mut object = Object::new("v1", "ConfigMap", "shop", "a");
        object
            .metadata_mut()
            .insert("managedFields".into(), managed.into());
        object
            .metadata_mut()
            .insert("resourceVersion".into(), "7".into());
        object
    }

    fn folded(managed: Vec<Value>, overridden: &[String]) -> Option<Value> {
        let patch = patch(&live(managed), &former_managers(US, overridden), US)?;
        let operations = patch.as_array().expect("a list");
        assert_eq!(
            operations.last(),
            Some(&json!({"op": "replace", "path": "/metadata/resourceVersion", "value": "7"}))
        );
        assert_eq!(operations[0]["path"], "/metadata/managedFields");
        Some(operations[0]["value"].clone())
    }

    #[test]
    fn clean_object_needs_no_patch() {
        for managed in [
            vec![],
            vec![entry(US, APPLY, &json!({"f:a": {}}))],
            vec![
                entry(US, APPLY, &json!({"f:a": {}})),
                entry("flux-client-side-apply", APPLY, &json!({"f:b": {}})),
                entry("kube-controller-manager", UPDATE, &json!({"f:c": {}})),
                entry("before-first-apply", APPLY, &json!({"f:d": {}})),
            ],
        ] {
            assert_eq!(folded(managed, &[]), None);
        }
    }

    #[test]
    fn former_managers_merge_into_our_entry() {
        assert_eq!(
            folded(
                vec![
                    entry("kubectl-client-side-apply", UPDATE, &json!({"f:a": {}})),
                    entry(US, APPLY, &json!({"f:b": {}})),
                    entry("other", UPDATE, &json!({"f:c": {}})),
                    entry("before-first-apply", UPDATE, &json!({"f:d": {}})),
                    entry("kubectl", APPLY, &json!({"f:e": {}})),
                    entry(US, UPDATE, &json!({"f:g": {}})),
                ],
                &[]
            ),
            Some(json!([
                entry("other", UPDATE, &json!({"f:c": {}})),
                entry(
                    US,
                    APPLY,
                    &json!({"f:a": {}, "f:b": {}, "f:d": {}, "f:e": {}, "f:g": {}})
                ),
            ]))
        );
    }

    #[test]
    fn first_former_entry_becomes_ours() {
        assert_eq!(
            folded(
                vec![
                    entry("kubectl-edit", UPDATE, &json!({"f:a": {}})),
                    entry("kubectl-apply", APPLY, &json!({"f:b": {}})),
                ],
                &[]
            ),
            Some(json!([entry(US, APPLY, &json!({"f:a": {}, "f:b": {}}))]))
        );
    }

    #[test]
    fn entries_of_subresources_stay() {
        let mut scale = entry("kubectl", UPDATE, &json!({"f:a": {}}));
        scale["subresource"] = "scale".into();
        assert_eq!(folded(vec![scale], &[]), None);
    }

    #[test]
    fn overridden_managers_match_by_prefix() {
        let overridden = ["helm".to_owned()];
        for operation in [APPLY, UPDATE] {
            let managed = || vec![entry("helm-v3", operation, &json!({"f:a": {}}))];
            assert_eq!(folded(managed(), &[]), None);
            assert_eq!(
                folded(managed(), &overridden),
                Some(json!([entry(US, APPLY, &json!({"f:a": {}}))]))
            );
        }
    }

    #[test]
    fn bookkeeping_of_former_tools_is_removed() {
        let mut object = Object::new("v1", "ConfigMap", "shop", "a");
        object.set_annotation("kubectl.kubernetes.io/last-applied-configuration", "{}");
        object.set_annotation("kept", "x");
        object.set_label("fluxcd.io/sync-gc-mark", "sha");
        assert_eq!(
            patch(&object, &[], US),
            Some(json!([
                {"op": "remove", "path": "/metadata/annotations/kubectl.kubernetes.io~1last-applied-configuration"},
                {"op": "remove", "path": "/metadata/labels/fluxcd.io~1sync-gc-mark"},
            ]))
        );
    }
}
