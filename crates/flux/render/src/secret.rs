//! Conceals the values of a Secret in its preview. The keys, and whether values differ, remain.
//!
//! Values are masked ([`mask()`]), and so is the annotation that repeats the whole Secret. Values
//! that SOPS encrypted are never decrypted, so a difference of them has no meaning. Only their keys
//! count.
//!
//! Parity: `pkg: ssa/sanitize.go`, flux2: `internal/build/diff.go`. Ours also masks the annotation,
//! and reports an encrypted Secret whose labels drifted.

use std::collections::BTreeSet;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde_json::{Map, Value};
use sluice_apply::{Preview, has_drifted};
use sluice_object::Object;

use crate::concealed::{LAST_APPLIED, mask};
use crate::mask::MASK;

const ENCRYPTED: &str = "*****";

/// Masks the values in the preview of a Secret.
pub fn conceal_secret(desired: &Object, outcome: Preview) -> Preview {
    let Preview::Drifted {
        mut live,
        mut merged,
    } = outcome
    else {
        return outcome;
    };
    if !desired.is("", "Secret") {
        return Preview::Drifted { live, merged };
    }
    let path = ["metadata", "annotations"];
    for field in ["data", "stringData"] {
        if is_encrypted(desired) {
            for side in [&mut live, &mut merged] {
                let values = side.at_mut(&[field]).and_then(Value::as_object_mut);
                for value in values.into_iter().flat_map(Map::values_mut) {
                    *value = ENCRYPTED.into();
                }
            }
        } else {
            let sides = (live.at_mut(&[field]), merged.at_mut(&[field]));
            mask_entries(sides, |_| true);
        }
    }
    mask_entries((live.at_mut(&path), merged.at_mut(&path)), |key| {
        key == LAST_APPLIED
    });
    if is_encrypted(desired) && !has_drifted(&live, &merged) {
        return Preview::Unchanged;
    }
    Preview::Drifted { live, merged }
}

/// Masks the entries of two maps by their keys.
fn mask_entries(
    (live, merged): (Option<&mut Value>, Option<&mut Value>),
    is_masked: impl Fn(&str) -> bool,
) {
    let mut nothing = (Map::new(), Map::new());
    let live = live
        .and_then(Value::as_object_mut)
        .unwrap_or(&mut nothing.0);
    let merged = merged
        .and_then(Value::as_object_mut)
        .unwrap_or(&mut nothing.1);
    let keys: BTreeSet<String> = live.keys().chain(merged.keys()).cloned().collect();
    for key in keys.iter().filter(|key| is_masked(key)) {
        mask(live.get_mut(key), merged.get_mut(key));
    }
}

/// Whether the build masked a value that SOPS encrypted.
fn is_encrypted(desired: &Object) -> bool {
    let values = desired.get("data").and_then(Value::as_object);
    values
        .into_iter()
        .flat_map(Map::values)
        .filter_map(Value::as_str)
        .filter_map(|value| STANDARD.decode(value).ok())
        .any(|value| String::from_utf8_lossy(&value).contains(MASK))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    const SAME: &str = "***";
    const BEFORE: &str = "*** (before)";
    const AFTER: &str = "*** (after)";

    fn secret(data: &Value, annotations: &Value) -> Object {
        serde_json::from_value(json!({"apiVersion": "v1", "kind": "Secret", "data": data,
            "metadata": {"name": "a", "namespace": "b", "annotations": annotations}}))
        .unwrap()
    }

    fn shown(desired: &Object, live: Object, merged: Object) -> (Value, Value) {
        match conceal_secret(desired, Preview::Drifted { live, merged }) {
            Preview::Drifted { live, merged } => (live.into_value(), merged.into_value()),
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn secret_values_show_only_whether_they_differ() {
        let annotations = |text: &str| json!({LAST_APPLIED: text, "team": "a"});
        let desired = secret(&json!({"a": "canary"}), &json!({}));
        let (live, merged) = shown(
            &desired,
            secret(
                &json!({"a": "canary1", "b": "canary2", "c": "canary3"}),
                &annotations("canary4"),
            ),
            secret(
                &json!({"a": "canary1", "b": "canary5", "d": "canary6"}),
                &annotations("canary7"),
            ),
        );
        assert_eq!(live["data"], json!({"a": SAME, "b": BEFORE, "c": SAME}));
        assert_eq!(merged["data"], json!({"a": SAME, "b": AFTER, "d": SAME}));
        assert_eq!(live["metadata"]["annotations"], annotations(BEFORE));
        assert_eq!(merged["metadata"]["annotations"], annotations(AFTER));
    }

    #[test]
    fn encrypted_secret_differs_by_its_keys() {
        let mask = STANDARD.encode(MASK);
        let desired = secret(&json!({"a": mask}), &json!({}));
        let drifted = |live: &Value, merged: &Value| Preview::Drifted {
            live: secret(live, &json!({})),
            merged: secret(merged, &json!({})),
        };
        assert_eq!(
            conceal_secret(&desired, drifted(&json!({"a": "x"}), &json!({"a": mask}))),
            Preview::Unchanged
        );
        let (live, merged) = shown(
            &desired,
            secret(&json!({"old": "x"}), &json!({})),
            secret(&json!({"a": mask}), &json!({})),
        );
        assert_eq!(live["data"], json!({"old": ENCRYPTED}));
        assert_eq!(merged["data"], json!({"a": ENCRYPTED}));
    }

    #[test]
    fn encrypted_secret_with_drifted_labels_is_reported() {
        let mask = STANDARD.encode(MASK);
        let desired = secret(&json!({"a": mask}), &json!({}));
        let (live, _) = shown(
            &desired,
            secret(&json!({"a": "x"}), &json!({"team": "a"})),
            secret(&json!({"a": mask}), &json!({"team": "b"})),
        );
        assert_eq!(live["data"], json!({"a": ENCRYPTED}));
    }
}
