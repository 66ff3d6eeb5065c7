//! Bodies of the floor's requests, with the form and length of the controllers'.

use serde_json::{Value, json};
use sluice_client::GroupVersionKind;

use crate::bench::cluster::NAMESPACE;

const TIME: &str = "2026-01-01T00:00:00Z";
const COMMIT: &str = "0123456789abcdef0123456789abcdef01234567";
const REVISION: &str = "main@sha1:0123456789abcdef0123456789abcdef01234567";
const DIGEST: &str = "sha256:0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef";

/// Kind of an event.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::bench) enum EventKind {
    /// A source has a new artifact.
    Stored,
    /// Objects were created.
    Applied,
    /// A Kustomization is ready.
    Ready,
    /// Objects were deleted.
    Deleted,
    /// A Helm release was installed.
    Installed,
}

fn condition(kind: &str, status: &str, reason: &str, message: &str) -> Value {
    json!({
        "type": kind, "status": status, "reason": reason, "message": message,
        "lastTransitionTime": TIME, "observedGeneration": 1,
    })
}

/// The status of a source with a stored artifact.
pub(in crate::bench) fn stored(name: &str) -> Value {
    let path = format!("gitrepository/{NAMESPACE}/{name}/{COMMIT}.tar.gz");
    let message = format!("stored artifact for revision '{REVISION}'");
    json!({
        "observedGeneration": 1,
        "artifact": {
            "digest": DIGEST, "lastUpdateTime": TIME, "path": path, "revision": REVISION,
            "size": 512, "url": format!("http://127.0.0.1:12345/{path}"),
        },
        "conditions": [
            condition("Ready", "True", "Succeeded", &message),
            condition("ArtifactInStorage", "True", "Succeeded", &message),
        ],
    })
}

fn inventory(name: &str) -> Value {
    let entry = |kind: &str, version: &str| json!({ "id": format!("{NAMESPACE}_{name}_{kind}"), "v": version });
    json!({ "entries": [
        entry("_ServiceAccount", "v1"),
        entry("_Service", "v1"),
        entry("apps_Deployment", "v1"),
        entry("networking.k8s.io_Ingress", "v1"),
    ] })
}

/// The status of a Kustomization before its apply.
pub(in crate::bench) fn progressing(name: &str) -> Value {
    let doing = format!("Detecting drift for revision {REVISION} with a timeout of 59m30s");
    json!({
        "conditions": [
            condition("Ready", "Unknown", "Progressing", "Reconciliation in progress"),
            condition("Reconciling", "True", "Progressing", &doing),
        ],
        "inventory": inventory(name),
        "lastAttemptedRevision": REVISION,
    })
}

/// The status of a ready Kustomization.
pub(in crate::bench) fn ready(name: &str) -> Value {
    let message = format!("Applied revision: {REVISION}");
    json!({
        "observedGeneration": 1,
        "conditions": [
            condition("Ready", "True", "ReconciliationSucceeded", &message),
            condition("Healthy", "True", "Succeeded", "Health check passed in 123.456789ms"),
        ],
        "history": [{
            "digest": DIGEST, "firstReconciled": TIME, "lastReconciled": TIME,
            "lastReconciledDuration": "123.456789ms",
            "lastReconciledStatus": "ReconciliationSucceeded",
            "metadata": { "revision": REVISION },
            "totalReconciliations": 1,
        }],
        "inventory": inventory(name),
        "lastAppliedRevision": REVISION,
        "lastAttemptedRevision": REVISION,
    })
}

/// An object with the labels of its owner.
pub(in crate::bench) fn owned(mut object: Value, name: &str) -> Value {
    object["metadata"]["labels"] = json!({
        "kustomize.toolkit.fluxcd.io/name": name,
        "kustomize.toolkit.fluxcd.io/namespace": NAMESPACE,
    });
    object
}

/// The results of a pair's four objects, a line each.
fn changed(name: &str, how: &str) -> String {
    ["ServiceAccount", "Service", "Deployment", "Ingress"]
        .map(|kind| format!("{kind}/{NAMESPACE}/{name} {how}"))
        .join("\n")
}

pub(in crate::bench) fn event(kind: &GroupVersionKind, name: &str, said: EventKind) -> Value {
    let (reason, message) = match said {
        EventKind::Stored => (
            "NewArtifact",
            "stored artifact for commit 'Change app'".to_owned(),
        ),
        EventKind::Applied => ("Progressing", changed(name, "created")),
        EventKind::Deleted => ("ReconciliationSucceeded", changed(name, "deleted")),
        EventKind::Installed => (
            "InstallSucceeded",
            format!(
                "Helm install succeeded for release {NAMESPACE}/{name}.v1 with chart app@1.0.0"
            ),
        ),
        EventKind::Ready => (
            "ReconciliationSucceeded",
            "Reconciliation finished in 123.456789ms, next run in 1h0m0s".to_owned(),
        ),
    };
    json!({
        "apiVersion": "v1", "kind": "Event",
        "metadata": {
            "name": format!("{name}.{said:?}").to_lowercase(), "namespace": NAMESPACE,
            "annotations": { format!("{}/revision", kind.group): REVISION },
        },
        "involvedObject": {
            "apiVersion": format!("{}/{}", kind.group, kind.version),
            "kind": kind.kind, "name": name, "namespace": NAMESPACE,
            "uid": "01234567-89ab-cdef-0123-456789abcdef", "resourceVersion": "123456",
        },
        "type": "Normal", "reason": reason, "message": message, "count": 1,
        "source": { "component": "floor" }, "reportingComponent": "floor",
        "firstTimestamp": TIME, "lastTimestamp": TIME,
    })
}

/// The status of a `HelmRelease` whose action runs.
pub(in crate::bench) fn installing() -> Value {
    let message = "Running 'install' action with timeout of 5m0s";
    json!({
        "conditions": [
            condition("Reconciling", "True", "Progressing", message),
            condition("Ready", "Unknown", "Progressing", message),
        ],
        "storageNamespace": NAMESPACE, "lastAttemptedGeneration": 1,
        "lastAttemptedRevision": "1.0.0", "lastAttemptedConfigDigest": DIGEST,
        "lastAttemptedReleaseAction": "install",
    })
}

/// The status of an installed `HelmRelease`.
pub(in crate::bench) fn installed(name: &str) -> Value {
    let message =
        format!("Helm install succeeded for release {NAMESPACE}/{name}.v1 with chart app@1.0.0");
    let entries = [
        "_ServiceAccount",
        "_Service",
        "apps_Deployment",
        "networking.k8s.io_Ingress",
    ];
    let entries =
        entries.map(|kind| json!({ "id": format!("{NAMESPACE}_{name}_{kind}"), "v": "v1" }));
    json!({
        "conditions": [
            condition("Ready", "True", "InstallSucceeded", &message),
            condition("Released", "True", "InstallSucceeded", &message),
        ],
        "history": [{
            "apiVersion": "v2", "name": name, "namespace": NAMESPACE, "version": 1,
            "status": "deployed", "action": "install", "digest": DIGEST, "configDigest": DIGEST,
            "chartName": "app", "chartVersion": "1.0.0",
            "firstDeployed": TIME, "lastDeployed": TIME,
        }],
        "inventory": { "entries": entries }, "observedGeneration": 1,
        "lastAttemptedReleaseActionDuration": "123.456789ms",
    })
}

/// The record of a Helm release of four objects.
pub(in crate::bench) fn helm_record(name: &str, status: &str) -> Value {
    json!({
        "apiVersion": "v1", "kind": "Secret", "type": "helm.sh/release.v1",
        "metadata": {
            "name": format!("sh.helm.release.v1.{name}.v1"), "namespace": NAMESPACE,
            "labels": { "name": name, "owner": "helm", "status": status, "version": "1" },
        },
        "data": { "release": "QUFB".repeat(1200) },
    })
}
