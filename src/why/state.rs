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

/// The mark of what is made where it is not there, and never changed.
const MADE_ONCE: (&str, &str) = ("kustomize.toolkit.fluxcd.io/ssa", "IfNotPresent");

/// What remains true of the last try of a source while the next one is under way.
const FAILED_BEFORE: [&str; 4] = [
    "FetchFailed",
    "BuildFailed",
    "StorageOperationFailed",
    "IncludeUnavailable",
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

/// Whether being suspended keeps an object from anything. A repository of charts in a registry only
/// holds settings.
pub(super) fn heeds_suspension(object: &Object) -> bool {
    is_reconciled(object) || (is_of_flux(object) && matches!(object.kind(), "Alert" | "Provider"))
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
///
/// `Ready` passes through `Unknown` at each try, so that what is tried again and again has to be told
/// from what is tried for the first time by the conditions of the last try.
pub(super) fn failure(object: &Object) -> Option<Condition<'_>> {
    let stalled = condition(object, "Stalled").filter(|stalled| stalled.is("True"));
    let ready = condition(object, "Ready");
    let told = ready.filter(|ready| ready.is("False")).or(stalled);
    if told.is_some() || !ready.is_some_and(|ready| ready.is("Unknown")) {
        return told;
    }
    FAILED_BEFORE
        .iter()
        .find_map(|type_| condition(object, type_).filter(|failed| failed.is("True")))
        .or_else(|| match object.kind() {
            "Kustomization" if has_failed_at_this_revision(object) => condition(object, "Healthy"),
            "HelmRelease" if counts_failures(object) => condition(object, "Released"),
            _ => None,
        })
        .filter(|condition| condition.type_() != "Healthy" || condition.is("False"))
        .filter(|condition| condition.type_() != "Released" || condition.is("False"))
}

/// Whether the newest outcome in the history of a Kustomization is a failure of what it tries now.
fn has_failed_at_this_revision(object: &Object) -> bool {
    let outcome = text(object, "/status/history/0/lastReconciledStatus");
    let revision = text(object, "/status/history/0/metadata/revision");
    !matches!(outcome, "" | "ReconciliationSucceeded")
        && [
            text(object, "/status/lastAttemptedRevision"),
            text(object, "/status/lastAppliedRevision"),
        ]
        .contains(&revision)
}

/// Whether a release is tried again: the counts begin anew with another chart or other values.
fn counts_failures(object: &Object) -> bool {
    ["failures", "installFailures", "upgradeFailures"]
        .into_iter()
        .any(|field| object.int_at(&["status", field]).unwrap_or_default() > 0)
}

/// Since when it fails: for how long the outcome of what it tries has been the same.
pub(super) fn failing_since(object: &Object) -> &str {
    let Some(failure) = failure(object) else {
        return "";
    };
    let newest = "/status/history/0";
    let is_of_history = object.kind() == "Kustomization"
        && text(object, &format!("{newest}/lastReconciledStatus")) == failure.reason();
    let first = text(object, &format!("{newest}/firstReconciled"));
    if is_of_history && !first.is_empty() {
        return first;
    }
    failure.since()
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

/// The mark by which Flux does not touch it once it is there.
pub(super) fn made_once(object: &Object) -> Option<String> {
    let (key, value) = MADE_ONCE;
    let found = object.annotation(key).or_else(|| object.label(key))?;
    found
        .eq_ignore_ascii_case(value)
        .then(|| format!("{key}: {found}"))
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
