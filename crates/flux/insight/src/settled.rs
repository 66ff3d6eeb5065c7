//! Judges whether an object has been reconciled and summarizes the result.

use serde_json::Value;
use sluice_object::Object;

use crate::fields::{at, text};
use crate::kinds::{Resource, revision};

/// The readiness of an object for its current generation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Readiness {
    /// It was reconciled.
    Ready,
    /// It failed and is retried.
    Failed(String),
    /// It failed and is not retried before an edit.
    Stalled(String),
    /// The reconciliation is in progress or did not start.
    InProgress,
}

/// The readiness of an object.
pub fn readiness(resource: &Resource, object: &Object) -> Readiness {
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
        return Readiness::Stalled(message(stalled));
    }
    let Some(ready) = condition("Ready").filter(current) else {
        return Readiness::InProgress;
    };
    match ready["status"].as_str() {
        Some("True") => {
            let observed = at(object, "/status/observedGeneration").and_then(Value::as_i64);
            let seen = observed.is_none() || observed == object.generation();
            if seen && condition("Reconciling").is_none() {
                Readiness::Ready
            } else {
                Readiness::InProgress
            }
        }
        Some("False") if waits_for_others(resource, ready) => Readiness::InProgress,
        Some("False") => Readiness::Failed(message(ready)),
        _ => Readiness::InProgress,
    }
}

/// Whether the object is reconciled once another one is, without a change of its own.
fn waits_for_others(resource: &Resource, ready: &Value) -> bool {
    let reason = ready["reason"].as_str();
    match resource.kind {
        "Kustomization" => reason == Some("DependencyNotReady"),
        "HelmRelease" => {
            let message = ready["message"].as_str().unwrap_or_default();
            reason == Some("DependencyNotReady")
                || (reason == Some("SourceNotReady") && message.ends_with(UNRECONCILED))
        }
        _ => false,
    }
}

/// The end of the message of a `HelmRelease` whose chart the source controller has not seen yet.
const UNRECONCILED: &str = "latest generation of object has not been reconciled";

/// The result of a reconciliation, or its failure message; `None` while it is in progress.
pub fn result(resource: &Resource, object: &Object) -> Option<Result<Object, String>> {
    match readiness(resource, object) {
        Readiness::Ready => Some(Ok(object.clone())),
        Readiness::Stalled(message) | Readiness::Failed(message) => Some(Err(message)),
        Readiness::InProgress => None,
    }
}

/// Summarizes the fetched or applied revision.
pub fn summary(resource: &Resource, object: &Object) -> Option<String> {
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
    use crate::kinds::by_kind;

    fn verdict(status: &Value) -> Option<Result<(), String>> {
        let object: Object = serde_json::from_value(json!({
            "apiVersion": "source.toolkit.fluxcd.io/v1", "kind": "GitRepository",
            "metadata": {"name": "a", "generation": 2}, "status": status,
        }))
        .unwrap();
        result(by_kind("GitRepository").unwrap(), &object).map(|verdict| verdict.map(|_| ()))
    }

    #[test]
    fn ready_counts_only_for_written_generation() {
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
    fn failure_or_stall_ends_the_wait() {
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
    fn unready_dependency_or_new_chart_is_awaited() {
        let unseen = "HelmChart 'apps/a' is not ready: \
                      latest generation of object has not been reconciled";
        let failed = "HelmChart 'apps/a' is not ready: chart pull error";
        for (kind, reason, message, is_awaited) in [
            (
                "Kustomization",
                "DependencyNotReady",
                "dependency 'apps/b' is not ready",
                true,
            ),
            (
                "HelmRelease",
                "DependencyNotReady",
                "dependency 'apps/b' is not ready",
                true,
            ),
            ("HelmRelease", "SourceNotReady", unseen, true),
            ("HelmRelease", "SourceNotReady", failed, false),
            ("Kustomization", "BuildFailed", "no such file", false),
        ] {
            let object: Object = serde_json::from_value(json!({
                "apiVersion": "v1", "kind": kind, "metadata": {"name": "a", "generation": 2},
                "status": {"observedGeneration": 2, "conditions": [{
                    "type": "Ready", "status": "False", "observedGeneration": 2,
                    "reason": reason, "message": message,
                }]},
            }))
            .unwrap();
            let ended = result(by_kind(kind).unwrap(), &object);
            assert_eq!(ended.is_none(), is_awaited, "{kind} {message}");
        }
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
