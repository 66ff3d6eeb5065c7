//! What to send: pure functions from the status that is there and the status that
//! shall be to the smallest merge patch, and the rules for when somebody else wrote
//! in between.

use serde_json::{Map, Value, json};
use sluice_object::merge;

/// A merge patch for the status subresource.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct StatusPatch {
    status: Value,
}

impl StatusPatch {
    /// What turns `known` into `wanted`; `None` when nothing does.
    pub(crate) fn between(known: &Value, wanted: &Value) -> Option<Self> {
        merge::diff(known, wanted).map(|status| Self { status })
    }

    /// The request's body. The uid makes sure that an object of the same name which
    /// replaced ours is left alone. The version is only named where a merge patch
    /// would overwrite what others may have added: conditions are a list, and a list
    /// is replaced whole.
    pub(crate) fn body(&self, uid: Option<&str>, resource_version: Option<&str>) -> Value {
        let mut metadata = Map::new();
        if let Some(uid) = uid {
            metadata.insert("uid".to_owned(), json!(uid));
        }
        if let (true, Some(version)) = (self.status.get("conditions").is_some(), resource_version) {
            metadata.insert("resourceVersion".to_owned(), json!(version));
        }
        json!({ "metadata": metadata, "status": self.status })
    }
}

/// The status to write after a conflict: what we wanted, with the conditions that
/// are not ours as they are on the server now.
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

/// Whether two statuses differ in what users and programs act upon: the type, status
/// or reason of a condition. Everything else may be told a little later.
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
