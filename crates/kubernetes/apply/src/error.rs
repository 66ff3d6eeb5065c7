//! Failures of an apply or a prune, in Flux's words.
//!
//! Messages end up in conditions, events and logs. So they are bounded and sorted, and server
//! messages about Secrets are masked here.

use std::fmt;

use sluice_client::Error;
use sluice_object::{Object, ObjectId, openapi, order};
use sluice_schema::ValidationError;

use crate::changes::ChangeSet;
use crate::mask::mask;
use crate::wait::WaitError;

/// Maximum number of listed failures. The others are counted.
const SPELLED_OUT: usize = 20;

/// An operation on an object.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Operation {
    /// Reading the live object.
    Query,
    /// The dry-run of the apply.
    DryRun,
    /// Taking over the fields of former managers.
    CleanUp,
    /// Rewriting the API version of managed fields.
    Migrate,
    /// The apply.
    Apply,
    /// Deleting an object before `force` recreates it.
    Recreate,
    /// Waiting for that deletion.
    AwaitRecreation,
    /// Deleting a stale object.
    Delete,
}

impl Operation {
    /// Whether the operation cannot create an object.
    fn creates_nothing(self) -> bool {
        matches!(self, Self::DryRun | Self::Query | Self::Migrate)
    }
}

/// A failed operation on an object.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ObjectFailure {
    /// The object.
    pub id: ObjectId,
    /// The operation.
    pub operation: Operation,
    /// The server's machine-readable reason, or an empty string.
    pub reason: String,
    /// The server's message, masked.
    pub message: String,
    /// Whether the server reports that something does not exist.
    not_found: bool,
    /// Whether the kind is not served.
    pub(crate) unserved: bool,
    /// Whether a retry may succeed without a change.
    pub transient: bool,
}

impl ObjectFailure {
    /// Describes a failure on an object without its secrets.
    pub fn new(object: &Object, operation: Operation, error: &Error) -> Self {
        Self {
            id: object.id(),
            operation,
            reason: reason(error),
            message: mask(object, error.message()),
            not_found: error.is_not_found() || error.is_unserved(),
            unserved: error.is_unserved() || error.has_no_match(),
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
            unserved: error.is_unserved() || error.has_no_match(),
            transient: error.is_transient(),
        }
    }

    /// The failure of a namespaced object without a namespace. No request is sent: the server
    /// would look for a cluster-scoped resource and answer "not found". For custom kinds, Flux's
    /// client adds the resource to the text.
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

    /// The failure of an object that its new definition rejects.
    pub(crate) fn invalid(object: &Object, rejection: &ValidationError) -> Self {
        let reason = match rejection {
            ValidationError::Shape { .. } => "",
            ValidationError::Invalid { .. } => "Invalid",
        };
        Self {
            id: object.id(),
            operation: Operation::DryRun,
            reason: reason.to_owned(),
            message: mask(object, rejection.to_string()),
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

/// Returns the reason. A conflict about a field has its own reason.
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
    /// Objects of a stage failed. After failed dry-runs, nothing of the stage was applied.
    #[error("{}", FailureList(.0, "\n"))]
    Objects(Vec<ObjectFailure>),
    /// A stage did not become ready.
    #[error(transparent)]
    Stage(#[from] WaitError),
}

/// A failed apply with the changes before the failure, which belong in the inventory.
#[derive(Clone, Debug, thiserror::Error)]
#[error("{error}")]
pub struct ApplyFailure {
    /// The cause.
    #[source]
    pub error: ApplyError,
    /// The changes before the failure.
    pub changes: ChangeSet,
}

impl ApplyFailure {
    /// Whether the cluster may contain objects that `changes` does not list. A failed request may
    /// have succeeded when only its answer was lost. Reads and dry-runs create nothing. All
    /// objects of earlier stages, and of a stage that did not become ready, are in `changes`.
    pub fn may_have_sent(&self) -> bool {
        match &self.error {
            ApplyError::Stage(_) => false,
            ApplyError::Objects(failures) => failures
                .iter()
                .any(|failure| !failure.operation.creates_nothing()),
        }
    }
}

/// Why a prune is incomplete.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("delete failed, errors: {};", FailureList(.0, ";"))]
pub struct PruneError(pub Vec<ObjectFailure>);

/// Prints failures with a separator, up to the maximum number.
struct FailureList<'a>(&'a [ObjectFailure], &'static str);

impl fmt::Display for FailureList<'_> {
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

/// Sorts failures in the order of apply.
pub(crate) fn in_order(mut failures: Vec<ObjectFailure>) -> Vec<ObjectFailure> {
    failures.sort_by(|left, right| order::compare(&left.id, &right.id));
    failures
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn rejection(code: u16, reason: &str, message: &str) -> Error {
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
    fn failures_print_like_flux() {
        let invalid = rejection(422, "Invalid", "it is invalid");
        let missing = rejection(404, "NotFound", "namespaces \"shop\" not found");
        let silent = rejection(500, "", "boom");
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
    fn field_conflict_has_its_own_reason() {
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
    fn server_messages_about_secrets_are_masked() {
        let mut secret = object("Secret", "n", "a");
        secret
            .as_map_mut()
            .insert("stringData".into(), json!({"p": "canary"}));
        let error = rejection(422, "Invalid", "Invalid value: \"canary\"");
        let failure = ObjectFailure::new(&secret, Operation::DryRun, &error);
        assert!(!failure.to_string().contains("canary"));
        assert!(!format!("{failure:?}").contains("canary"));
    }

    #[test]
    fn failures_are_sorted_and_bounded() {
        let error = rejection(422, "Invalid", "no");
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
        let error = rejection(500, "", "boom");
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
