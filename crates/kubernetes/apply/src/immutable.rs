//! Decides whether `force` may recreate an object after a rejected apply.
//!
//! Recreation is right when the *change* is impossible, and wrong when the *object* is invalid: a
//! Service with a port out of range would be deleted and never come back. The server reports
//! `Invalid` for both. So every cause must be about immutability. In unclear cases the server gets
//! a dry-run creation under another name, which fails when the object itself is invalid. Flux
//! deletes in all these cases (kustomize-controller#734).
//!
//! Some recreations lose data that an apply cannot restore: bound volumes, the objects of a
//! definition, the content of a namespace, and claims that are deleted with their set. A `force`
//! for the whole set does not include those ([`recreate_cost`]).
//!
//! Other rejections, such as conflicts and denials of admission webhooks, are free text. There only
//! an explicit mention of an immutable field counts.

use sluice_client::Status;
use sluice_object::{Object, Value};

/// Whether a rejection is about immutability.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Immutability {
    /// Only recreation makes the change possible.
    Immutable,
    /// A dry-run creation under another name decides.
    Unclear,
    /// The rejection has another cause.
    Other,
}

/// The permanent loss of a recreation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum RecreateCost {
    /// Nothing that an apply does not restore.
    Nothing,
    /// Other objects. Only the marker of the object itself allows it.
    Others,
    /// Data. Recreation is never allowed.
    Data,
}

/// Returns what recreating a live object destroys.
pub(crate) fn recreate_cost(live: &Object) -> RecreateCost {
    let is_bound = |live: &Object| {
        live.str_at(&["spec", "volumeName"])
            .is_some_and(|name| !name.is_empty())
            || live.str_at(&["status", "phase"]) == Some("Bound")
    };
    match (live.group(), live.kind()) {
        ("", "PersistentVolumeClaim" | "PersistentVolume") if is_bound(live) => RecreateCost::Data,
        ("apps", "StatefulSet") if deletes_its_claims(live) => RecreateCost::Others,
        ("", "Namespace") | ("apiextensions.k8s.io", "CustomResourceDefinition") => {
            RecreateCost::Others
        }
        _ => RecreateCost::Nothing,
    }
}

/// Whether the claims of a set are deleted with it.
fn deletes_its_claims(live: &Object) -> bool {
    let policy = [
        "spec",
        "persistentVolumeClaimRetentionPolicy",
        "whenDeleted",
    ];
    let templates = live.at(&["spec", "volumeClaimTemplates"]);
    live.str_at(&policy) == Some("Delete")
        && templates
            .and_then(Value::as_array)
            .is_some_and(|templates| !templates.is_empty())
}

/// Phrases that always mean an immutable field.
const PLAIN_PHRASES: [&str; 2] = ["is immutable", "immutable field"];
/// Phrases of built-in validation and CEL rules that reject a change, not a value.
const CAUSE_PHRASES: [&str; 12] = [
    "immutable",
    "may not be changed",
    "may not be updated",
    "may not change",
    "must not be changed",
    "cannot be changed",
    "can not be changed",
    "can't be changed",
    "cannot change",
    "cannot be updated",
    "updates to",
    "pod updates may not",
];

/// Classifies the server's rejection of a dry-run over a live object.
pub(crate) fn classify(status: &Status, desired: &Object, live: &Object) -> Immutability {
    // Without a difference in the desired object, the server set the field, such as the volume name
    // of a claim. Recreation would not help.
    if is_contained(desired, live) {
        return Immutability::Other;
    }
    let causes: Vec<&str> = status
        .details
        .iter()
        .flat_map(|details| &details.causes)
        .map(|cause| cause.message.as_str())
        .collect();
    // The server's validation always lists causes; without them the message is from a webhook.
    if status.code != 422 || status.reason != "Invalid" || causes.is_empty() {
        return if contains_phrase(&status.message, &PLAIN_PHRASES) {
            Immutability::Immutable
        } else {
            Immutability::Other
        };
    }
    let is_immutable = |cause: &&str| contains_phrase(cause, &CAUSE_PHRASES);
    if causes.iter().all(is_immutable) {
        Immutability::Immutable
    } else if depends_on_its_name(desired) {
        Immutability::Other
    } else {
        Immutability::Unclear
    }
}

fn contains_phrase(text: &str, phrases: &[&str]) -> bool {
    let text = text.to_ascii_lowercase();
    phrases.iter().any(|phrase| text.contains(phrase))
}

/// Whether the validity of a kind depends on its name, so that another name proves nothing.
fn depends_on_its_name(object: &Object) -> bool {
    matches!(
        (object.group(), object.kind()),
        ("apiextensions.k8s.io", "CustomResourceDefinition")
            | ("apiregistration.k8s.io", "APIService")
            | ("", "Namespace")
            | ("flowcontrol.apiserver.k8s.io", _)
    )
}

/// Whether the live object contains every field of the desired one.
fn is_contained(desired: &Object, live: &Object) -> bool {
    desired
        .as_map()
        .iter()
        .filter(|(field, _)| !matches!(field.as_str(), "metadata" | "status"))
        .all(|(field, value)| live.get(field).is_some_and(|found| contains(found, value)))
}

fn contains(whole: &Value, part: &Value) -> bool {
    match (whole, part) {
        (Value::Object(whole), Value::Object(part)) => part.iter().all(|(field, value)| {
            value.is_null() || whole.get(field).is_some_and(|found| contains(found, value))
        }),
        (Value::Array(whole), Value::Array(part)) => {
            whole.len() == part.len()
                && whole
                    .iter()
                    .zip(part)
                    .all(|(found, value)| contains(found, value))
        }
        _ => whole == part,
    }
}

/// Creates an object with another name, whose dry-run shows whether the desired one is valid.
pub(crate) fn stand_in(desired: &Object) -> Object {
    let mut object = desired.clone();
    object
        .metadata_mut()
        .insert("name".into(), "force-apply-check".into());
    object
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn status(code: u16, reason: &str, message: &str, causes: &[&str]) -> Status {
        let causes: Vec<Value> = causes
            .iter()
            .map(|message| json!({"reason": "FieldValueInvalid", "message": message, "field": "spec.x"}))
            .collect();
        serde_json::from_value(json!({
            "status": "Failure", "code": code, "reason": reason, "message": message,
            "details": {"causes": causes},
        }))
        .expect("a status")
    }

    fn job(image: &str) -> Object {
        Object::try_from(
            json!({"apiVersion": "batch/v1", "kind": "Job", "metadata": {"name": "a"},
            "spec": {"template": {"spec": {"containers": [{"name": "c", "image": image}]}}}}),
        )
        .expect("complete")
    }

    #[test]
    fn impossible_change_is_immutable() {
        for rejection in [
            status(
                422,
                "Invalid",
                "Job.batch \"a\" is invalid",
                &["Invalid value: {}: field is immutable"],
            ),
            status(
                422,
                "Invalid",
                "x",
                &[
                    "Forbidden: updates to statefulset spec for fields other than 'replicas' are forbidden",
                ],
            ),
            status(
                422,
                "Invalid",
                "x",
                &["Invalid value: {}: cannot change roleRef"],
            ),
            status(
                422,
                "Invalid",
                "x",
                &["Forbidden: may not be changed in an update."],
            ),
            status(
                422,
                "Invalid",
                "x",
                &["Invalid value: [\"10.0.0.2\"]: may not change once set"],
            ),
            status(
                403,
                "Forbidden",
                "admission webhook denied: spec.size is immutable",
                &[],
            ),
            status(400, "BadRequest", "immutable field changed", &[]),
        ] {
            assert_eq!(
                classify(&rejection, &job("new"), &job("old")),
                Immutability::Immutable,
                "{rejection:?}"
            );
        }
    }

    #[test]
    fn invalid_value_is_unclear() {
        for rejection in [
            status(
                422,
                "Invalid",
                "x",
                &["Invalid value: 70000: must be between 1 and 65535, inclusive"],
            ),
            status(
                422,
                "Invalid",
                "x",
                &["field is immutable", "Required value"],
            ),
        ] {
            assert_eq!(
                classify(&rejection, &job("new"), &job("old")),
                Immutability::Unclear,
                "{rejection:?}"
            );
        }
    }

    #[test]
    fn other_rejections_do_not_allow_recreation() {
        for rejection in [
            status(403, "Forbidden", "no rights", &[]),
            status(404, "NotFound", "namespace not found", &[]),
            status(500, "InternalError", "boom", &[]),
            status(
                409,
                "Conflict",
                "Operation cannot be fulfilled: the object has been modified",
                &[],
            ),
            status(409, "Conflict", "try again", &["x cannot be changed"]),
            status(422, "Invalid", "size cannot be changed", &[]),
            status(
                403,
                "Forbidden",
                "admission webhook \"policy\" denied the request: images cannot be changed on Fridays",
                &[],
            ),
            status(
                422,
                "PolicyViolation",
                "updates to production need an approval",
                &["updates to production need an approval"],
            ),
            status(
                400,
                "BadRequest",
                "registry must be on the immutable list",
                &[],
            ),
        ] {
            assert_eq!(
                classify(&rejection, &job("new"), &job("old")),
                Immutability::Other,
                "{rejection:?}"
            );
        }
    }

    #[test]
    fn unchanged_object_is_not_recreated() {
        let claim = |spec: Value| {
            Object::try_from(json!({"apiVersion": "v1", "kind": "PersistentVolumeClaim",
                "metadata": {"name": "a"}, "spec": spec}))
            .expect("complete")
        };
        let desired = claim(json!({"accessModes": ["ReadWriteOnce"]}));
        let live = claim(json!({"accessModes": ["ReadWriteOnce"], "volumeName": "pv-1"}));
        let rejection = status(
            422,
            "Invalid",
            "x",
            &["Forbidden: spec is immutable after creation except resources.requests"],
        );
        assert_eq!(classify(&rejection, &desired, &live), Immutability::Other);
        let changed = claim(json!({"accessModes": ["ReadWriteMany"]}));
        assert_eq!(
            classify(&rejection, &changed, &live),
            Immutability::Immutable
        );
    }

    #[test]
    fn kind_that_depends_on_its_name_needs_clear_causes() {
        let definition = |scope: &str| {
            Object::try_from(
                json!({"apiVersion": "apiextensions.k8s.io/v1", "kind": "CustomResourceDefinition",
                "metadata": {"name": "a"}, "spec": {"scope": scope}}),
            )
            .expect("complete")
        };
        let unclear = status(422, "Invalid", "x", &["Required value"]);
        assert_eq!(
            classify(&unclear, &definition("Cluster"), &definition("Namespaced")),
            Immutability::Other
        );
    }

    #[test]
    fn recreate_cost_protects_bound_volumes() {
        let object = |api_version: &str, kind: &str, rest: Value| {
            let mut value = Object::new(api_version, kind, "", "a").into_value();
            sluice_object::merge::apply(&mut value, &rest);
            Object::try_from(value).expect("complete")
        };
        let claim = |rest| object("v1", "PersistentVolumeClaim", rest);
        let set = |policy: Value, claims: usize| {
            let templates = vec![json!({"metadata": {"name": "data"}}); claims];
            object(
                "apps/v1",
                "StatefulSet",
                json!({"spec": {"persistentVolumeClaimRetentionPolicy": policy,
                    "volumeClaimTemplates": templates}}),
            )
        };
        let definition = "CustomResourceDefinition";
        for (live, expected) in [
            (
                claim(json!({"spec": {"volumeName": "pv-1"}})),
                RecreateCost::Data,
            ),
            (
                claim(json!({"status": {"phase": "Bound"}})),
                RecreateCost::Data,
            ),
            (
                claim(json!({"status": {"phase": "Pending"}})),
                RecreateCost::Nothing,
            ),
            (
                object(
                    "v1",
                    "PersistentVolume",
                    json!({"status": {"phase": "Bound"}}),
                ),
                RecreateCost::Data,
            ),
            (object("v1", "Namespace", json!({})), RecreateCost::Others),
            (
                set(json!({"whenDeleted": "Delete"}), 1),
                RecreateCost::Others,
            ),
            (
                set(json!({"whenDeleted": "Delete"}), 0),
                RecreateCost::Nothing,
            ),
            (
                set(json!({"whenDeleted": "Retain"}), 1),
                RecreateCost::Nothing,
            ),
            (
                object("apiextensions.k8s.io/v1", definition, json!({})),
                RecreateCost::Others,
            ),
            (
                object("example.com/v1", definition, json!({})),
                RecreateCost::Nothing,
            ),
            (job("a"), RecreateCost::Nothing),
        ] {
            assert_eq!(recreate_cost(&live), expected, "{live:?}");
        }
    }

    #[test]
    fn stand_in_only_differs_in_its_name() {
        let desired = job("new");
        let mut stand_in = stand_in(&desired);
        assert_ne!(stand_in.name(), desired.name());
        stand_in.set_name(desired.name());
        assert_eq!(stand_in, desired);
    }
}
