//! The state of one object, from its own status.

use serde_json::Value;
use sluice_api::meta::annotation::RECONCILE_REQUESTED_AT as REQUESTED_AT;
use sluice_object::Object;

use crate::fields::{at, text};
use crate::kinds::by_kind;

/// Labels or annotations that exclude an object from Flux.
const MARKS: [(&str, &str); 2] = [
    ("kustomize.toolkit.fluxcd.io/reconcile", "disabled"),
    ("kustomize.toolkit.fluxcd.io/ssa", "ignore"),
];

/// The mark of objects that Flux creates and never changes.
const MADE_ONCE: (&str, &str) = ("kustomize.toolkit.fluxcd.io/ssa", "IfNotPresent");

/// Conditions of a source that keep the last failure during the next attempt.
const FAILED_BEFORE: [&str; 4] = [
    "FetchFailed",
    "BuildFailed",
    "StorageOperationFailed",
    "IncludeUnavailable",
];

/// A condition of a status.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Condition<'o>(&'o Value);

impl<'o> Condition<'o> {
    fn field(self, name: &str) -> &'o str {
        self.0[name].as_str().unwrap_or_default()
    }

    pub(crate) fn type_(self) -> &'o str {
        self.field("type")
    }

    pub(crate) fn is(self, status: &str) -> bool {
        self.field("status") == status
    }

    pub(crate) fn status(self) -> &'o str {
        self.field("status")
    }

    pub(crate) fn reason(self) -> &'o str {
        self.field("reason")
    }

    pub(crate) fn message(self) -> &'o str {
        self.field("message")
    }

    pub(crate) fn since(self) -> &'o str {
        self.field("lastTransitionTime")
    }
}

pub(crate) fn conditions(object: &Object) -> impl Iterator<Item = Condition<'_>> {
    at(object, "/status/conditions")
        .and_then(Value::as_array)
        .into_iter()
        .flatten()
        .map(Condition)
}

pub(crate) fn condition<'o>(object: &'o Object, type_: &str) -> Option<Condition<'o>> {
    conditions(object).find(|condition| condition.type_() == type_)
}

/// Whether it is of one of Flux's kinds.
pub(crate) fn is_of_flux(object: &Object) -> bool {
    by_kind(object.kind()).is_some_and(|resource| resource.group == object.group())
}

/// Whether a Flux controller reconciles it.
pub(crate) fn is_reconciled(object: &Object) -> bool {
    is_of_flux(object)
        && object.kind() != "ExternalArtifact"
        && by_kind(object.kind()).is_some_and(|resource| !resource.is_static(object))
}

/// Whether suspension has an effect on the object. A Helm repository of type `oci` only
/// holds settings.
pub(crate) fn supports_suspension(object: &Object) -> bool {
    is_reconciled(object) || (is_of_flux(object) && matches!(object.kind(), "Alert" | "Provider"))
}

/// Whether its deletion waits for a finalizer.
pub(crate) fn is_being_deleted(object: &Object) -> bool {
    at(object, "/metadata/deletionTimestamp").is_some_and(Value::is_string)
}

pub(crate) fn is_source(object: &Object) -> bool {
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

/// Whether its controller has not seen the current generation or request. A failing object
/// has an old `observedGeneration` too, but its conditions have the current one.
pub(crate) fn is_unseen(object: &Object) -> bool {
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

/// The condition that reports a failure.
///
/// `Ready` becomes `Unknown` at each attempt. Other conditions tell a retry from a first attempt.
pub(crate) fn failure(object: &Object) -> Option<Condition<'_>> {
    let stalled = condition(object, "Stalled").filter(|stalled| stalled.is("True"));
    let ready = condition(object, "Ready");
    let reported = ready.filter(|ready| ready.is("False")).or(stalled);
    if reported.is_some() || !ready.is_some_and(|ready| ready.is("Unknown")) {
        return reported;
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

/// Whether the history of a Kustomization starts with a failure of the current revision.
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

/// Whether a release is retried; the counts restart with another chart or other values.
fn counts_failures(object: &Object) -> bool {
    ["failures", "installFailures", "upgradeFailures"]
        .into_iter()
        .any(|field| object.int_at(&["status", field]).unwrap_or_default() > 0)
}

/// The time since which it fails with the same outcome.
pub(crate) fn failing_since(object: &Object) -> &str {
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

/// The label or annotation that excludes the object from Flux.
pub(crate) fn ignore_marker(object: &Object) -> Option<String> {
    MARKS.into_iter().find_map(|(key, value)| {
        let found = object.annotation(key).or_else(|| object.label(key))?;
        found
            .eq_ignore_ascii_case(value)
            .then(|| format!("{key}: {found}"))
    })
}

/// The mark by which Flux does not change an existing object.
pub(crate) fn made_once(object: &Object) -> Option<String> {
    let (key, value) = MADE_ONCE;
    let found = object.annotation(key).or_else(|| object.label(key))?;
    found
        .eq_ignore_ascii_case(value)
        .then(|| format!("{key}: {found}"))
}

/// Whether it is not retried before an edit.
pub(crate) fn is_stalled(object: &Object) -> bool {
    condition(object, "Stalled").is_some_and(|stalled| stalled.is("True"))
}

/// The revision of its artifact, or the one it applied.
pub(crate) fn revision(object: &Object) -> &str {
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
