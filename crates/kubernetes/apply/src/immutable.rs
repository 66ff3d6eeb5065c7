//! Whether a refused apply may be answered by deleting the object and making it anew (`force`).
//!
//! Deleting is right when the *change* is impossible and wrong when the *object* is: a Service
//! with a port out of range would be deleted and never come back. The server says `Invalid` for
//! both. So besides the reason every cause has to speak of immutability; where it is unclear, the
//! server is asked to dry-run the creation of the same object under another name, which it
//! refuses if the object itself is wrong. Flux deletes in all these cases
//! (kustomize-controller#734).
//!
//! And some objects hold what is not theirs alone. The data of a bound claim or volume, the objects
//! of a definition, the content of a namespace and the claims of a set that takes them with it go
//! with them and do not come back; a `force` over a whole set is no word about those ([`cost`]).
//!
//! Any other refusal (a conflict, an admission webhook's denial) is free text by who knows whom:
//! there only the very words for an immutable field count. A policy that says what "cannot be
//! changed" on Fridays, or a conflict that the next try would not meet, must not cost an object.

use sluice_client::Status;
use sluice_object::{Object, Value};

/// What a refused dry-run means for `force`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Verdict {
    /// Only recreating the object can bring the change about.
    Immutable,
    /// It may be; a dry-run creation under another name tells.
    Unclear,
    /// The refusal has another cause: recreating would not help.
    Other,
}

/// What goes for good with an object that is recreated.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Cost {
    /// Nothing that applying it anew would not bring back.
    Nothing,
    /// Objects that may be others': only the object's own marker asks for that.
    Others,
    /// Data: nothing asks for that.
    Data,
}

/// Says what recreating a live object would cost.
pub(crate) fn cost(live: &Object) -> Cost {
    let is_bound = |live: &Object| {
        live.str_at(&["spec", "volumeName"])
            .is_some_and(|name| !name.is_empty())
            || live.str_at(&["status", "phase"]) == Some("Bound")
    };
    match (live.group(), live.kind()) {
        ("", "PersistentVolumeClaim" | "PersistentVolume") if is_bound(live) => Cost::Data,
        ("apps", "StatefulSet") if takes_its_claims(live) => Cost::Others,
        ("", "Namespace") | ("apiextensions.k8s.io", "CustomResourceDefinition") => Cost::Others,
        _ => Cost::Nothing,
    }
}

/// Whether the claims of a set are deleted with it.
fn takes_its_claims(live: &Object) -> bool {
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

/// Words that say nothing else than that a field cannot be changed, whoever says them.
const PLAIN_PHRASES: [&str; 2] = ["is immutable", "immutable field"];
/// Phrases by which the validation of built-in kinds and CEL rules refuse a change and not a value.
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

/// Judges the server's refusal of a dry-run apply over a live object.
pub(crate) fn judge(status: &Status, desired: &Object, live: &Object) -> Verdict {
    // A field that only the server ever set (a volume's name on its claim) cannot be what the
    // user wants changed: with nothing of theirs different, recreating destroys and mends nothing.
    if is_contained(desired, live) {
        return Verdict::Other;
    }
    let causes: Vec<&str> = status
        .details
        .iter()
        .flat_map(|details| &details.causes)
        .map(|cause| cause.message.as_str())
        .collect();
    // The server's validation always names causes; without them it is a webhook that speaks.
    if status.code != 422 || status.reason != "Invalid" || causes.is_empty() {
        return if speaks(&status.message, &PLAIN_PHRASES) {
            Verdict::Immutable
        } else {
            Verdict::Other
        };
    }
    if causes.iter().all(|cause| speaks(cause, &CAUSE_PHRASES)) {
        Verdict::Immutable
    } else if is_bound_to_its_name(desired) {
        Verdict::Other
    } else {
        Verdict::Unclear
    }
}

fn speaks(text: &str, phrases: &[&str]) -> bool {
    let text = text.to_ascii_lowercase();
    phrases.iter().any(|phrase| text.contains(phrase))
}

/// Kinds whose validity depends on their name, so that a creation under another proves nothing.
fn is_bound_to_its_name(object: &Object) -> bool {
    matches!(
        (object.group(), object.kind()),
        ("apiextensions.k8s.io", "CustomResourceDefinition")
            | ("apiregistration.k8s.io", "APIService")
            | ("", "Namespace")
            | ("flowcontrol.apiserver.k8s.io", _)
    )
}

/// Tells whether the live object already has everything that the desired one names.
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

/// Makes the object whose dry-run creation tells whether the desired one is valid at all.
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
    fn a_change_that_only_recreation_brings_about_is_immutable() {
        for refusal in [
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
                judge(&refusal, &job("new"), &job("old")),
                Verdict::Immutable,
                "{refusal:?}"
            );
        }
    }

    #[test]
    fn an_invalid_value_is_unclear_alone_or_beside_an_immutable_one() {
        for refusal in [
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
                judge(&refusal, &job("new"), &job("old")),
                Verdict::Unclear,
                "{refusal:?}"
            );
        }
    }

    #[test]
    fn other_refusals_are_never_answered_by_deleting() {
        for refusal in [
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
                judge(&refusal, &job("new"), &job("old")),
                Verdict::Other,
                "{refusal:?}"
            );
        }
    }

    #[test]
    fn an_object_of_which_nothing_wanted_differs_is_never_recreated() {
        let claim = |spec: Value| {
            Object::try_from(json!({"apiVersion": "v1", "kind": "PersistentVolumeClaim",
                "metadata": {"name": "a"}, "spec": spec}))
            .expect("complete")
        };
        let desired = claim(json!({"accessModes": ["ReadWriteOnce"]}));
        let live = claim(json!({"accessModes": ["ReadWriteOnce"], "volumeName": "pv-1"}));
        let refusal = status(
            422,
            "Invalid",
            "x",
            &["Forbidden: spec is immutable after creation except resources.requests"],
        );
        assert_eq!(judge(&refusal, &desired, &live), Verdict::Other);
        let changed = claim(json!({"accessModes": ["ReadWriteMany"]}));
        assert_eq!(judge(&refusal, &changed, &live), Verdict::Immutable);
    }

    #[test]
    fn a_kind_bound_to_its_name_needs_a_clear_cause() {
        let definition = |scope: &str| {
            Object::try_from(
                json!({"apiVersion": "apiextensions.k8s.io/v1", "kind": "CustomResourceDefinition",
                "metadata": {"name": "a"}, "spec": {"scope": scope}}),
            )
            .expect("complete")
        };
        let unclear = status(422, "Invalid", "x", &["Required value"]);
        assert_eq!(
            judge(&unclear, &definition("Cluster"), &definition("Namespaced")),
            Verdict::Other
        );
    }

    #[test]
    fn bound_storage_is_never_recreated_and_what_holds_others_only_by_its_own_wish() {
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
            (claim(json!({"spec": {"volumeName": "pv-1"}})), Cost::Data),
            (claim(json!({"status": {"phase": "Bound"}})), Cost::Data),
            (
                claim(json!({"status": {"phase": "Pending"}})),
                Cost::Nothing,
            ),
            (
                object(
                    "v1",
                    "PersistentVolume",
                    json!({"status": {"phase": "Bound"}}),
                ),
                Cost::Data,
            ),
            (object("v1", "Namespace", json!({})), Cost::Others),
            (set(json!({"whenDeleted": "Delete"}), 1), Cost::Others),
            (set(json!({"whenDeleted": "Delete"}), 0), Cost::Nothing),
            (set(json!({"whenDeleted": "Retain"}), 1), Cost::Nothing),
            (
                object("apiextensions.k8s.io/v1", definition, json!({})),
                Cost::Others,
            ),
            (
                object("example.com/v1", definition, json!({})),
                Cost::Nothing,
            ),
            (job("a"), Cost::Nothing),
        ] {
            assert_eq!(cost(&live), expected, "{live:?}");
        }
    }

    #[test]
    fn the_stand_in_differs_by_name_only() {
        let desired = job("new");
        let mut stand_in = stand_in(&desired);
        assert_ne!(stand_in.name(), desired.name());
        stand_in.set_name(desired.name());
        assert_eq!(stand_in, desired);
    }
}
