//! How one object fares, from its own status alone.

use serde_json::Value;
use sluice_object::Object;

use crate::resource::{at, by_kind, text};

/// The annotation that asks for a reconciliation.
const REQUESTED_AT: &str = "reconcile.fluxcd.io/requestedAt";

/// Marks, as label or annotation, by which an object is left as it is.
const MARKS: [(&str, &str); 2] = [
    ("kustomize.toolkit.fluxcd.io/reconcile", "disabled"),
    ("kustomize.toolkit.fluxcd.io/ssa", "ignore"),
];

/// A condition, as it stands in a status.
#[derive(Clone, Copy, Debug)]
pub(super) struct Condition<'o>(&'o Value);

impl<'o> Condition<'o> {
    fn field(self, name: &str) -> &'o str {
        self.0[name].as_str().unwrap_or_default()
    }

    pub(super) fn type_(self) -> &'o str {
        self.field("type")
    }

    pub(super) fn is(self, status: &str) -> bool {
        self.field("status") == status
    }

    pub(super) fn status(self) -> &'o str {
        self.field("status")
    }

    pub(super) fn reason(self) -> &'o str {
        self.field("reason")
    }

    pub(super) fn message(self) -> &'o str {
        self.field("message")
    }

    pub(super) fn since(self) -> &'o str {
        self.field("lastTransitionTime")
    }
}

pub(super) fn conditions(object: &Object) -> impl Iterator<Item = Condition<'_>> {
    at(object, "/status/conditions")
        .and_then(Value::as_array)
        .into_iter()
        .flatten()
        .map(Condition)
}

pub(super) fn condition<'o>(object: &'o Object, type_: &str) -> Option<Condition<'o>> {
    conditions(object).find(|condition| condition.type_() == type_)
}

/// Whether it is of one of Flux's kinds, looked after or not.
pub(super) fn is_of_flux(object: &Object) -> bool {
    by_kind(object.kind()).is_some_and(|resource| resource.group == object.group())
}

/// Whether a Flux controller looks after it.
pub(super) fn is_reconciled(object: &Object) -> bool {
    is_of_flux(object)
        && object.kind() != "ExternalArtifact"
        && by_kind(object.kind()).is_some_and(|resource| !resource.is_static(object))
}

pub(super) fn is_suspended(object: &Object) -> bool {
    at(object, "/spec/suspend") == Some(&Value::Bool(true))
}

/// Whether somebody deleted it, and a finalizer keeps it.
pub(super) fn is_going(object: &Object) -> bool {
    at(object, "/metadata/deletionTimestamp").is_some_and(Value::is_string)
}

pub(super) fn is_source(object: &Object) -> bool {
    matches!(
        object.kind(),
        "GitRepository"
            | "OCIRepository"
            | "Bucket"
            | "HelmRepository"
            | "HelmChart"
            | "ImageRepository"
            | "ArtifactGenerator"
    )
}

/// Whether its controller has not taken note of what is asked of it now. What fails has an old
/// `observedGeneration` too; its conditions tell the two apart.
pub(super) fn is_unseen(object: &Object) -> bool {
    let generation = object.generation().unwrap_or_default();
    let observed = at(object, "/status/observedGeneration")
        .into_iter()
        .chain(conditions(object).filter_map(|condition| condition.0.get("observedGeneration")))
        .filter_map(Value::as_i64)
        .max();
    if observed.is_none_or(|observed| observed < generation) {
        return true;
    }
    let requested = object.annotation(REQUESTED_AT).unwrap_or_default();
    !requested.is_empty() && requested != text(object, "/status/lastHandledReconcileAt")
}

/// What is wrong with it, if it says so.
pub(super) fn failure(object: &Object) -> Option<Condition<'_>> {
    let stalled = condition(object, "Stalled").filter(|stalled| stalled.is("True"));
    let ready = condition(object, "Ready").filter(|ready| ready.is("False"));
    ready.or(stalled)
}

/// The mark by which Flux leaves an object as it is, if it has one.
pub(super) fn left_alone(object: &Object) -> Option<String> {
    MARKS.into_iter().find_map(|(key, value)| {
        let found = object.annotation(key).or_else(|| object.label(key))?;
        found
            .eq_ignore_ascii_case(value)
            .then(|| format!("{key}: {found}"))
    })
}

/// Whether it will not be tried again by itself.
pub(super) fn is_stalled(object: &Object) -> bool {
    condition(object, "Stalled").is_some_and(|stalled| stalled.is("True"))
}

/// The revision that it holds, or was made of.
pub(super) fn revision(object: &Object) -> &str {
    [
        "/status/artifact/revision",
        "/status/lastAppliedRevision",
        "/status/history/0/chartVersion",
        "/status/lastAttemptedRevision",
    ]
    .into_iter()
    .map(|pointer| text(object, pointer))
    .find(|revision| !revision.is_empty())
    .unwrap_or_default()
}
