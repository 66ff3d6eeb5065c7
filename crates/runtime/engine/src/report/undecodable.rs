//! What is written on an object that is not of its kind's shape: pure, and on plain
//! JSON, since that is all there is.

use jiff::Timestamp;
use serde_json::{Value, json};
use sluice_api::event::InvolvedObject;
use sluice_api::meta::condition::{READY, RECONCILING, STALLED};
use sluice_api::meta::{Condition, ConditionStatus, Conditions};

/// The reason of the conditions and of the event.
pub(crate) const REASON: &str = "InvalidObject";

/// The patch that stalls an object with this message, `None` when it says so already.
pub(crate) fn stalled(live: &Value, message: &str, now: Timestamp) -> Option<Value> {
    let known = live.pointer("/status/conditions");
    // Conditions may be what is malformed; then they begin anew.
    let mut conditions: Conditions = known
        .and_then(|known| serde_json::from_value(known.clone()).ok())
        .unwrap_or_default();
    let generation = live.pointer("/metadata/generation").and_then(Value::as_i64);
    let condition = |type_: &str, status| {
        let condition = Condition::new(type_, status, REASON, message);
        match generation {
            Some(generation) => condition.observed_at(generation),
            None => condition,
        }
    };
    let says_so = |condition: &Condition| {
        condition.reason == REASON
            && condition.message == message
            && condition.observed_generation == generation
    };
    if conditions.is_true(STALLED) && conditions.find(STALLED).is_some_and(says_so) {
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

/// The object as events refer to it.
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
    fn an_undecodable_object_is_stalled_for_its_generation() {
        let reconciling = json!([{ "type": "Reconciling", "status": "True", "reason": "Progressing",
            "message": "", "lastTransitionTime": "2024-01-01T00:00:00Z" }]);
        let patch = stalled(&live(&reconciling), "bad", Timestamp::UNIX_EPOCH).unwrap();
        assert_eq!(patch["status"]["observedGeneration"], 3);
        let conditions: Conditions =
            serde_json::from_value(patch["status"]["conditions"].clone()).unwrap();
        assert!(conditions.is_false(READY) && conditions.is_true(STALLED));
        assert!(conditions.find(RECONCILING).is_none());
    }

    #[test]
    fn it_is_said_once() {
        let first = stalled(&live(&json!([])), "bad", Timestamp::UNIX_EPOCH).unwrap();
        let told = live(&first["status"]["conditions"]);
        assert_eq!(stalled(&told, "bad", Timestamp::UNIX_EPOCH), None);
        assert!(stalled(&told, "worse", Timestamp::UNIX_EPOCH).is_some());
    }

    #[test]
    fn malformed_conditions_do_not_stop_the_report() {
        assert!(stalled(&live(&json!("nonsense")), "bad", Timestamp::UNIX_EPOCH).is_some());
    }
}
