//! What can go wrong with an object on its way into the cluster, in Flux's words.
//!
//! Messages end in conditions, events and logs, so they are bounded, ordered, and what a server
//! said of a Secret is masked before it gets here.

use std::fmt;

use sluice_client::Error;
use sluice_object::{Object, ObjectId, openapi, order};
use sluice_schema::ValidationError;

use crate::changes::ChangeSet;
use crate::mask::mask;
use crate::wait::WaitError;

/// Failures that are spelled out; of more only their number is told.
const SPELLED_OUT: usize = 20;

/// What was attempted on an object.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Operation {
    /// A read of what is there.
    Query,
    /// The question what an apply would make of it.
    DryRun,
    /// The taking over of fields that former managers own.
    CleanUp,
    /// The rewriting of managed fields to another API version.
    Migrate,
    /// The apply itself.
    Apply,
    /// Deletion by `force`, before the object is made anew.
    Recreate,
    /// The wait for that deletion.
    AwaitRecreation,
    /// The deletion of what left the set.
    Delete,
}

impl Operation {
    /// Whether no object can have come into being by it.
    fn leaves_nothing_behind(self) -> bool {
        matches!(self, Self::DryRun | Self::Query | Self::Migrate)
    }
}

/// One failed operation on one object.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ObjectFailure {
    /// Which object.
    pub id: ObjectId,
    /// What failed.
    pub operation: Operation,
    /// The server's machine-readable reason; empty without one.
    pub reason: String,
    /// What the server said, masked.
    pub message: String,
    /// Whether the server (or its answer to a dry-run) says that something is not there.
    not_found: bool,
    /// Whether it is the kind that is not there, or not yet.
    pub(crate) unserved: bool,
    /// Whether asking again later may help although nothing is changed.
    pub transient: bool,
}

impl ObjectFailure {
    /// Says what failed on an object, with what can be known of the cause without its secrets.
    pub fn new(object: &Object, operation: Operation, error: &Error) -> Self {
        Self {
            id: object.id(),
            operation,
            reason: reason(error),
            message: mask(object, error.message()),
            not_found: error.is_not_found() || error.is_unserved(),
            unserved: error.is_unserved() || error.is_no_match(),
            transient: error.is_transient(),
        }
    }

    pub(crate) fn of_id(id: &ObjectId, operation: Operation, error: &Error) -> Self {
        Self {
            id: id.clone(),
            operation,
            reason: reason(error),
            message: error.message(),
            not_found: error.is_not_found() || error.is_unserved(),
            unserved: error.is_unserved() || error.is_no_match(),
            transient: error.is_transient(),
        }
    }

    /// A namespaced object that names no namespace. The server was not asked; it would look for a
    /// cluster-wide resource and find none. Of custom kinds it says so in plain text, of which
    /// Flux's client makes a sentence with the resource.
    pub(crate) fn without_namespace(object: &Object, plural: &str) -> Self {
        let mut message = "the server could not find the requested resource".to_owned();
        if openapi::builtin_namespaced(object.api_version(), object.kind()).is_none() {
            let (group, name) = (object.group(), object.name());
            message = format!("{message} (patch {plural}.{group} {name})");
        }
        Self {
            id: object.id(),
            operation: Operation::DryRun,
            reason: "NotFound".to_owned(),
            message,
            not_found: true,
            unserved: false,
            transient: false,
        }
    }

    /// An object that the server would refuse, if it had the definition of its kind.
    pub(crate) fn refused(object: &Object, refusal: &ValidationError) -> Self {
        let reason = match refusal {
            ValidationError::Shape { .. } => "",
            ValidationError::Invalid { .. } => "Invalid",
        };
        Self {
            id: object.id(),
            operation: Operation::DryRun,
            reason: reason.to_owned(),
            message: mask(object, refusal.to_string()),
            not_found: false,
            unserved: false,
            transient: false,
        }
    }

    pub(crate) fn timed_out(object: &Object, operation: Operation, message: &str) -> Self {
        Self {
            id: object.id(),
            operation,
            reason: String::new(),
            message: message.to_owned(),
            not_found: false,
            unserved: false,
            transient: true,
        }
    }
}

/// A conflict over a field is told from one over a version.
fn reason(error: &Error) -> String {
    let is_field_conflict = error
        .status()
        .and_then(|status| status.details.as_ref())
        .is_some_and(|details| {
            details
                .causes
                .iter()
                .any(|cause| cause.reason == "FieldManagerConflict")
        });
    if is_field_conflict {
        "FieldManagerConflict".to_owned()
    } else {
        error.reason().to_owned()
    }
}

impl fmt::Display for ObjectFailure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { id, message, .. } = self;
        match self.operation {
            Operation::DryRun if self.not_found && id.namespace.is_empty() => {
                write!(f, "{id} namespace not specified: {message}")
            }
            Operation::DryRun if self.not_found => write!(f, "{id} not found: {message}"),
            Operation::DryRun if self.reason.is_empty() => {
                write!(f, "{id} dry-run failed: {message}")
            }
            Operation::DryRun => write!(f, "{id} dry-run failed ({}): {message}", self.reason),
            Operation::Query => write!(f, "{id} query failed: {message}"),
            Operation::CleanUp => {
                write!(f, "{id} metadata.managedFields cleanup failed: {message}")
            }
            Operation::Migrate => write!(f, "{id} failed to migrate API version: {message}"),
            Operation::Apply => write!(f, "{id} apply failed: {message}"),
            Operation::Recreate => write!(
                f,
                "{id} immutable field detected, failed to delete object: {message}"
            ),
            Operation::AwaitRecreation => write!(
                f,
                "{id} immutable field detected, failed to wait for object to be deleted: {message}"
            ),
            Operation::Delete => write!(f, "{id} delete failed: {message}"),
        }
    }
}

/// Why an apply stopped.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ApplyError {
    /// Objects of one stage were refused; none of this stage was applied if the attempts are
    /// dry-runs.
    #[error("{}", Listed(.0, "\n"))]
    Objects(Vec<ObjectFailure>),
    /// What a stage defines did not become ready, so that the next could not begin.
    #[error(transparent)]
    Stage(#[from] WaitError),
}

/// A failed apply, with what had been settled before: it is in the cluster, and belongs into the
/// inventory.
#[derive(Clone, Debug, thiserror::Error)]
#[error("{error}")]
pub struct ApplyFailure {
    /// Why it stopped.
    #[source]
    pub error: ApplyError,
    /// What had been settled before.
    pub changes: ChangeSet,
}

impl ApplyFailure {
    /// Whether objects may be in the cluster of which `changes` does not tell. A request that
    /// failed may have been carried out all the same, when only its answer was lost; reads and
    /// dry-runs leave nothing behind. What was sent before the stage that failed has its answers,
    /// and a stage that does not become ready has all of its own: `changes` tells of each.
    pub fn may_have_sent(&self) -> bool {
        match &self.error {
            ApplyError::Stage(_) => false,
            ApplyError::Objects(failures) => failures
                .iter()
                .any(|failure| !failure.operation.leaves_nothing_behind()),
        }
    }
}

/// Why a prune is incomplete.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("delete failed, errors: {};", Listed(.0, ";"))]
pub struct PruneError(pub Vec<ObjectFailure>);

/// The failures in order of apply, bounded.
struct Listed<'a>(&'a [ObjectFailure], &'static str);

impl fmt::Display for Listed<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, failure) in self.0.iter().take(SPELLED_OUT).enumerate() {
            if index > 0 {
                f.write_str(self.1)?;
            }
            write!(f, "{failure}")?;
        }
        match self.0.len().saturating_sub(SPELLED_OUT) {
            0 => Ok(()),
            more => write!(f, "{}and {more} more failures", self.1),
        }
    }
}

/// Puts failures in the order of apply, whatever order their answers came in.
pub(crate) fn in_order(mut failures: Vec<ObjectFailure>) -> Vec<ObjectFailure> {
    failures.sort_by(|left, right| order::compare(&left.id, &right.id));
    failures
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn refusal(code: u16, reason: &str, message: &str) -> Error {
        let status =
            json!({"status": "Failure", "code": code, "reason": reason, "message": message});
        Error::Api {
            action: "dry-run apply".to_owned(),
            status: serde_json::from_value(status).expect("a status"),
        }
    }

    fn object(kind: &str, namespace: &str, name: &str) -> Object {
        Object::new("v1", kind, namespace, name)
    }

    #[test]
    fn failures_read_as_flux_s() {
        let invalid = refusal(422, "Invalid", "it is invalid");
        let missing = refusal(404, "NotFound", "namespaces \"shop\" not found");
        let silent = refusal(500, "", "boom");
        let pod = object("Pod", "shop", "a");
        let text = |operation, error| ObjectFailure::new(&pod, operation, error).to_string();
        for (failure, expected) in [
            (
                text(Operation::DryRun, &invalid),
                "Pod/shop/a dry-run failed (Invalid): it is invalid",
            ),
            (
                text(Operation::DryRun, &silent),
                "Pod/shop/a dry-run failed: boom",
            ),
            (
                text(Operation::DryRun, &missing),
                "Pod/shop/a not found: namespaces \"shop\" not found",
            ),
            (
                text(Operation::Apply, &invalid),
                "Pod/shop/a apply failed: it is invalid",
            ),
            (
                text(Operation::Query, &silent),
                "Pod/shop/a query failed: boom",
            ),
            (
                text(Operation::Delete, &silent),
                "Pod/shop/a delete failed: boom",
            ),
            (
                text(Operation::Recreate, &silent),
                "Pod/shop/a immutable field detected, failed to delete object: boom",
            ),
            (
                text(Operation::AwaitRecreation, &silent),
                "Pod/shop/a immutable field detected, failed to wait for object to be deleted: boom",
            ),
            (
                text(Operation::CleanUp, &silent),
                "Pod/shop/a metadata.managedFields cleanup failed: boom",
            ),
            (
                text(Operation::Migrate, &silent),
                "Pod/shop/a failed to migrate API version: boom",
            ),
            (
                ObjectFailure::without_namespace(&object("Pod", "", "a"), "pods").to_string(),
                "Pod/a namespace not specified: the server could not find the requested resource",
            ),
            (
                ObjectFailure::without_namespace(
                    &Object::new("example.com/v1", "Widget", "", "a"),
                    "widgets",
                )
                .to_string(),
                "Widget/a namespace not specified: the server could not find the requested resource (patch widgets.example.com a)",
            ),
        ] {
            assert_eq!(failure, expected);
        }
    }

    #[test]
    fn a_conflict_over_a_field_names_itself() {
        let status = json!({"status": "Failure", "code": 409, "reason": "Conflict", "message": "conflict",
            "details": {"causes": [{"reason": "FieldManagerConflict", "message": "x", "field": ".spec"}]}});
        let error = Error::Api {
            action: String::new(),
            status: serde_json::from_value(status).expect("a status"),
        };
        assert_eq!(
            ObjectFailure::new(&object("Pod", "n", "a"), Operation::DryRun, &error).to_string(),
            "Pod/n/a dry-run failed (FieldManagerConflict): conflict"
        );
    }

    #[test]
    fn what_the_server_says_of_a_secret_is_masked() {
        let mut secret = object("Secret", "n", "a");
        secret
            .as_map_mut()
            .insert("stringData".into(), json!({"p": "canary"}));
        let error = refusal(422, "Invalid", "Invalid value: \"canary\"");
        let failure = ObjectFailure::new(&secret, Operation::DryRun, &error);
        assert!(!failure.to_string().contains("canary"));
        assert!(!format!("{failure:?}").contains("canary"));
    }

    #[test]
    fn failures_are_listed_in_order_of_apply_and_bounded() {
        let error = refusal(422, "Invalid", "no");
        let failure = |object: Object| ObjectFailure::new(&object, Operation::DryRun, &error);
        let few = ApplyError::Objects(in_order(vec![
            failure(object("Pod", "n", "a")),
            failure(object("ConfigMap", "n", "b")),
        ]));
        assert_eq!(
            few.to_string(),
            "ConfigMap/n/b dry-run failed (Invalid): no\nPod/n/a dry-run failed (Invalid): no"
        );
        let many = (0..25)
            .map(|index| failure(object("Pod", "n", &format!("{index:02}"))))
            .collect();
        let text = ApplyError::Objects(many).to_string();
        assert_eq!(text.lines().count(), 21);
        assert!(text.ends_with("\nand 5 more failures"));
        let error = refusal(500, "", "boom");
        let prune = PruneError(vec![
            ObjectFailure::new(&object("Pod", "n", "a"), Operation::Query, &error),
            ObjectFailure::new(&object("Pod", "n", "b"), Operation::Delete, &error),
        ]);
        assert_eq!(
            prune.to_string(),
            "delete failed, errors: Pod/n/a query failed: boom;Pod/n/b delete failed: boom;"
        );
    }
}
