//! When an object has been reconciled, and what it then says: pure functions that `reconcile`,
//! `resume`, `create` and `wait` wait on.

use serde_json::Value;
use sluice_object::Object;

use crate::error::CommandError;
use crate::resource::{Resource, at, revision, text};

/// How far an object has come with what is asked of it now.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Standing {
    /// It has been reconciled.
    Ready,
    /// It failed, and will be tried again by itself.
    Failed(String),
    /// It failed, and will not be tried again before it is edited.
    Stalled(String),
    /// Work is going on, or has not begun.
    Working,
}

/// How the object stands.
pub(super) fn standing(resource: &Resource, object: &Object) -> Standing {
    let condition = |wanted: &str| {
        at(object, "/status/conditions")
            .and_then(Value::as_array)?
            .iter()
            .find(|condition| condition["type"].as_str() == Some(wanted))
    };
    let current = |condition: &&Value| {
        condition["observedGeneration"]
            .as_i64()
            .is_none_or(|observed| Some(observed) == object.generation())
    };
    let message = |condition: &Value| condition["message"].as_str().unwrap_or_default().to_owned();
    let stalled = condition("Stalled").filter(|stalled| stalled["status"].as_str() == Some("True"));
    if let Some(stalled) = stalled.filter(current) {
        return Standing::Stalled(message(stalled));
    }
    let Some(ready) = condition("Ready").filter(current) else {
        return Standing::Working;
    };
    match ready["status"].as_str() {
        Some("True") => {
            let observed = at(object, "/status/observedGeneration").and_then(Value::as_i64);
            let seen = observed.is_none() || observed == object.generation();
            if seen && condition("Reconciling").is_none() {
                Standing::Ready
            } else {
                Standing::Working
            }
        }
        // Its turn comes as soon as what it depends on is ready.
        Some("False")
            if resource.kind == "Kustomization"
                && ready["reason"].as_str() == Some("DependencyNotReady") =>
        {
            Standing::Working
        }
        Some("False") => Standing::Failed(message(ready)),
        _ => Standing::Working,
    }
}

/// The verdict on the object as it stands: none while work is going on.
pub(super) fn of(resource: &Resource, object: &Object) -> Option<Result<Object, CommandError>> {
    match standing(resource, object) {
        Standing::Ready => Some(Ok(object.clone())),
        Standing::Stalled(message) | Standing::Failed(message) => {
            Some(Err(CommandError::cluster(message)))
        }
        Standing::Working => None,
    }
}

/// The closing line: what was fetched or applied.
pub(super) fn summary(resource: &Resource, object: &Object) -> Option<String> {
    let revision = revision(resource, object);
    match resource.kind {
        "Kustomization" | "HelmRelease" => Some(format!("applied revision {revision}")),
        "ImageRepository" => {
            let tags = at(object, "/status/lastScanResult/tagCount").and_then(Value::as_i64)?;
            Some(format!("scan fetched {tags} tags"))
        }
        "ImagePolicy" => Some(format!(
            "selected ref {}",
            text(object, "/status/latestRef/name")
        )),
        _ if !revision.is_empty() => Some(format!("fetched revision {revision}")),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::resource::by_kind;

    fn verdict(status: &Value) -> Option<Result<(), String>> {
        let object: Object = serde_json::from_value(json!({
            "apiVersion": "source.toolkit.fluxcd.io/v1", "kind": "GitRepository",
            "metadata": {"name": "a", "generation": 2}, "status": status,
        }))
        .unwrap();
        of(by_kind("GitRepository").unwrap(), &object).map(|verdict| {
            verdict
                .map(|_| ())
                .map_err(|error| error.message().to_owned())
        })
    }

    #[test]
    fn ready_counts_only_for_the_generation_that_was_written() {
        let old = json!({"observedGeneration": 1, "conditions": [
            {"type": "Ready", "status": "True", "observedGeneration": 1},
        ]});
        assert_eq!(verdict(&old), None);
        let new = json!({"observedGeneration": 2, "conditions": [
            {"type": "Ready", "status": "True", "observedGeneration": 2},
        ]});
        assert_eq!(verdict(&new), Some(Ok(())));
    }

    #[test]
    fn a_failure_or_a_stall_ends_the_wait_with_its_message() {
        let failed = json!({"conditions": [
            {"type": "Ready", "status": "False", "observedGeneration": 2, "message": "no route"},
        ]});
        assert_eq!(verdict(&failed), Some(Err("no route".into())));
        let stalled = json!({"conditions": [
            {"type": "Ready", "status": "Unknown", "observedGeneration": 2},
            {"type": "Stalled", "status": "True", "observedGeneration": 2, "message": "bad url"},
        ]});
        assert_eq!(verdict(&stalled), Some(Err("bad url".into())));
    }

    #[test]
    fn a_dependency_that_is_not_ready_yet_is_waited_for() {
        let object: Object = serde_json::from_value(json!({
            "apiVersion": "kustomize.toolkit.fluxcd.io/v1", "kind": "Kustomization",
            "metadata": {"name": "a", "generation": 2},
            "status": {"conditions": [{
                "type": "Ready", "status": "False", "observedGeneration": 2,
                "reason": "DependencyNotReady", "message": "dependency 'apps/b' is not ready",
            }]},
        }))
        .unwrap();
        assert!(of(by_kind("Kustomization").unwrap(), &object).is_none());
    }

    #[test]
    fn work_in_progress_is_waited_for() {
        let working = json!({"observedGeneration": 2, "conditions": [
            {"type": "Reconciling", "status": "True", "observedGeneration": 2},
            {"type": "Ready", "status": "True", "observedGeneration": 2},
        ]});
        assert_eq!(verdict(&working), None);
    }
}
