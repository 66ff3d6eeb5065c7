//! Computes the smallest merge patch between two statuses, and the status to write after a
//! conflict. Pure.

use serde_json::{Map, Value, json};
use sluice_object::merge;

/// A merge patch for the status subresource.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct StatusPatch {
    status: Value,
}

impl StatusPatch {
    /// The patch from `known` to `wanted`; `None` if they are equal.
    pub(crate) fn between(known: &Value, wanted: &Value) -> Option<Self> {
        merge::diff(known, wanted).map(|status| Self { status })
    }

    /// The body of the request. The uid protects a new object of the same name. The version is set
    /// only if the patch has a list (conditions, an inventory): a merge patch replaces lists whole
    /// and would overwrite the entries of other writers.
    pub(crate) fn body(&self, uid: Option<&str>, resource_version: Option<&str>) -> Value {
        let mut metadata = Map::new();
        if let Some(uid) = uid {
            metadata.insert("uid".to_owned(), json!(uid));
        }
        if let (true, Some(version)) = (has_list(&self.status), resource_version) {
            metadata.insert("resourceVersion".to_owned(), json!(version));
        }
        json!({ "metadata": metadata, "status": self.status })
    }
}

/// The status to write after a conflict: the wanted one, with the live conditions of other writers.
pub(crate) fn rebase(wanted: &Value, live: &Value, owned: &[&str]) -> Value {
    let mut rebased = wanted.clone();
    let ours = conditions(wanted).filter(|condition| owned.contains(&condition_type(condition)));
    let others = conditions(live).filter(|condition| !owned.contains(&condition_type(condition)));
    let merged: Vec<_> = ours.chain(others).cloned().collect();
    if let Some(status) = rebased.as_object_mut()
        && (!merged.is_empty() || status.contains_key("conditions"))
    {
        status.insert("conditions".to_owned(), Value::Array(merged));
    }
    rebased
}

fn has_list(value: &Value) -> bool {
    match value {
        Value::Array(_) => true,
        Value::Object(fields) => fields.values().any(has_list),
        _ => false,
    }
}

/// Whether two statuses differ at most in conditions. Conditions have several writers; all other
/// fields have one.
pub(crate) fn is_same_work(one: &Value, other: &Value) -> bool {
    let work = |status: &Value| {
        let mut status = status.as_object().cloned().unwrap_or_default();
        status.remove("conditions");
        status.remove("observedGeneration");
        status
    };
    work(one) == work(other)
}

/// Whether two statuses differ in the type, status or reason of a condition. Users and programs act
/// on these; other changes can wait.
pub(crate) fn is_new_state(known: &Value, wanted: &Value) -> bool {
    fn states(status: &Value) -> Vec<[Option<&str>; 3]> {
        let mut states: Vec<_> = conditions(status)
            .map(|condition| {
                ["type", "status", "reason"]
                    .map(|field| condition.get(field).and_then(Value::as_str))
            })
            .collect();
        states.sort_unstable();
        states
    }
    states(known) != states(wanted)
}

/// Whether a status has no condition.
pub(crate) fn has_no_condition(status: &Value) -> bool {
    conditions(status).next().is_none()
}

fn conditions(status: &Value) -> impl Iterator<Item = &Value> {
    status
        .get("conditions")
        .and_then(Value::as_array)
        .into_iter()
        .flatten()
}

fn condition_type(condition: &Value) -> &str {
    condition
        .get("type")
        .and_then(Value::as_str)
        .unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn condition(type_: &str, status: &str, message: &str) -> Value {
        json!({ "type": type_, "status": status, "reason": "R", "message": message })
    }

    #[test]
    fn patch_with_a_list_names_the_version() {
        let named = |known: Value, wanted: Value| {
            let body = StatusPatch::between(&known, &wanted)
                .unwrap()
                .body(Some("1"), Some("7"));
            body["metadata"].get("resourceVersion").is_some()
        };
        let entries = |ids: &[&str]| json!({ "inventory": { "entries": ids } });
        assert!(named(entries(&["a", "b"]), entries(&["a"])));
        assert!(!named(
            json!({}),
            json!({ "lastAppliedRevision": "main@sha1:1" })
        ));
    }

    #[test]
    fn conditions_do_not_count_as_other_work() {
        let ours = json!({ "inventory": { "entries": ["a"] }, "conditions": [1] });
        let conditions = json!({ "inventory": { "entries": ["a"] }, "conditions": [2] });
        let theirs = json!({ "inventory": { "entries": ["a", "b"] }, "conditions": [1] });
        assert!(is_same_work(&ours, &conditions));
        assert!(!is_same_work(&ours, &theirs));
    }

    fn status(conditions: &[Value]) -> Value {
        json!({ "observedGeneration": 1, "conditions": conditions })
    }

    #[test]
    fn patch_has_differences_only() {
        let known =
            json!({ "observedGeneration": 1, "inventory": { "entries": [1] }, "gone": "x" });
        let wanted = json!({ "observedGeneration": 2, "inventory": { "entries": [1] } });
        let patch = StatusPatch::between(&known, &wanted).unwrap();
        assert_eq!(
            patch.body(None, Some("7")),
            json!({ "metadata": {}, "status": { "observedGeneration": 2, "gone": null } })
        );
        assert_eq!(StatusPatch::between(&known, &known), None);
    }

    #[test]
    fn patch_of_conditions_names_uid_and_version() {
        let patch =
            StatusPatch::between(&status(&[]), &status(&[condition("Ready", "True", "")])).unwrap();
        assert_eq!(
            patch.body(Some("u"), Some("7"))["metadata"],
            json!({ "uid": "u", "resourceVersion": "7" })
        );
    }

    #[test]
    fn rebase_keeps_conditions_of_other_writers() {
        let wanted = status(&[
            condition("Ready", "True", "ours"),
            condition("Theirs", "True", "as it was"),
        ]);
        let live = status(&[
            condition("Ready", "False", "stale"),
            condition("Stalled", "True", "ours to remove"),
            condition("Theirs", "False", "as it is"),
        ]);
        let rebased = rebase(&wanted, &live, &["Ready", "Stalled", "Reconciling"]);
        assert_eq!(
            rebased["conditions"],
            json!([
                condition("Ready", "True", "ours"),
                condition("Theirs", "False", "as it is")
            ])
        );
    }

    #[test]
    fn new_message_is_not_a_new_state() {
        let known = status(&[condition("Reconciling", "True", "fetching")]);
        assert!(!is_new_state(
            &known,
            &status(&[condition("Reconciling", "True", "building")])
        ));
        assert!(is_new_state(
            &known,
            &status(&[condition("Reconciling", "False", "fetching")])
        ));
        assert!(is_new_state(&known, &status(&[])));
    }
}
