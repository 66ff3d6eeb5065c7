//! The status of an object that no reconciler sees. Pure, on plain JSON.

use jiff::Timestamp;
use serde_json::{Value, json};
use sluice_api::event::InvolvedObject;
use sluice_api::meta::condition::{READY, RECONCILING, STALLED};
use sluice_api::meta::{Condition, ConditionStatus, Conditions};

/// The reason of an object that cannot be decoded.
pub(crate) const INVALID_OBJECT: &str = "InvalidObject";
/// The reason of an object that killed the process.
pub(crate) const QUARANTINED: &str = "Quarantined";

/// The patch that stalls an object with this reason and message; `None` if it is stalled already.
pub(crate) fn patch(live: &Value, reason: &str, message: &str, now: Timestamp) -> Option<Value> {
    let known = live.pointer("/status/conditions");
    // Malformed conditions are replaced.
    let mut conditions: Conditions = known
        .and_then(|known| serde_json::from_value(known.clone()).ok())
        .unwrap_or_default();
    let generation = live.pointer("/metadata/generation").and_then(Value::as_i64);
    let condition = |type_: &str, status| {
        let condition = Condition::new(type_, status, reason, message);
        match generation {
            Some(generation) => condition.observed_at(generation),
            None => condition,
        }
    };
    let is_reported = |condition: &Condition| {
        condition.reason == reason
            && condition.message == message
            && condition.observed_generation == generation
    };
    if conditions.is_true(STALLED) && conditions.find(STALLED).is_some_and(is_reported) {
        return None;
    }
    conditions.set(condition(READY, ConditionStatus::False), now);
    conditions.set(condition(STALLED, ConditionStatus::True), now);
    conditions.remove(RECONCILING);
    Some(json!({
        "metadata": {
            "uid": live.pointer("/metadata/uid"),
            "resourceVersion": live.pointer("/metadata/resourceVersion"),
        },
        "status": { "observedGeneration": generation, "conditions": conditions },
    }))
}

/// The object reference of events.
pub(crate) fn involved(live: &Value) -> InvolvedObject {
    let text = |pointer: &str| {
        live.pointer(pointer)
            .and_then(Value::as_str)
            .unwrap_or_default()
            .to_owned()
    };
    InvolvedObject {
        kind: text("/kind"),
        namespace: text("/metadata/namespace"),
        name: text("/metadata/name"),
        uid: text("/metadata/uid"),
        api_version: text("/apiVersion"),
        resource_version: text("/metadata/resourceVersion"),
        field_path: String::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn live(conditions: &Value) -> Value {
        json!({
            "metadata": { "uid": "u", "resourceVersion": "7", "generation": 3 },
            "status": { "conditions": conditions },
        })
    }

    #[test]
    fn undecodable_object_is_stalled() {
        let reconciling = json!([{ "type": "Reconciling", "status": "True", "reason": "Progressing",
            "message": "", "lastTransitionTime": "2024-01-01T00:00:00Z" }]);
        let patch = patch(
            &live(&reconciling),
            INVALID_OBJECT,
            "bad",
            Timestamp::UNIX_EPOCH,
        )
        .unwrap();
        assert_eq!(patch["status"]["observedGeneration"], 3);
        let conditions: Conditions =
            serde_json::from_value(patch["status"]["conditions"].clone()).unwrap();
        assert!(conditions.is_false(READY) && conditions.is_true(STALLED));
        assert!(conditions.find(RECONCILING).is_none());
    }

    #[test]
    fn same_message_is_written_once() {
        let first = patch(
            &live(&json!([])),
            INVALID_OBJECT,
            "bad",
            Timestamp::UNIX_EPOCH,
        )
        .unwrap();
        let stalled_object = live(&first["status"]["conditions"]);
        assert_eq!(
            patch(
                &stalled_object,
                INVALID_OBJECT,
                "bad",
                Timestamp::UNIX_EPOCH
            ),
            None
        );
        assert!(
            patch(
                &stalled_object,
                INVALID_OBJECT,
                "worse",
                Timestamp::UNIX_EPOCH
            )
            .is_some()
        );
    }

    #[test]
    fn malformed_conditions_are_replaced() {
        assert!(
            patch(
                &live(&json!("nonsense")),
                INVALID_OBJECT,
                "bad",
                Timestamp::UNIX_EPOCH
            )
            .is_some()
        );
    }
}
