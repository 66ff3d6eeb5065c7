//! The floor under a bench: the requests that no controller can do without, by a bare client that
//! has nothing to decide, on the same control plane.
//!
//! For each pair: its two creations, a finalizer on each, the four objects (each tried on the
//! server first, so that nothing is applied by halves, then applied), and the statuses that must
//! be: the source's artifact; the Kustomization's inventory before anything is applied, and that it
//! is ready, once Kubernetes has observed the Deployment; and the events that say so. Requests of one
//! pair follow each other, as they must; pairs go side by side.

use std::collections::HashSet;
use std::time::{Duration, Instant};

use futures::{StreamExt as _, TryStreamExt as _};
use serde_json::{Value, json};
use sluice_client::{
    Cluster, DeleteOptions, GroupVersionKind, PatchOptions, WatchEvent, WatchOptions,
};
use tokio::sync::watch;

use super::mttp::{
    IN_FLIGHT, NAMESPACE, apply, gvk_of, kustomization_kind, manifests, source_kind,
};

pub(super) async fn measure(cluster: &Cluster, count: usize) -> anyhow::Result<Duration> {
    let began = Instant::now();
    let (observed, deployments) = watch::channel(HashSet::new());
    let pairs = futures::stream::iter(0..count)
        .map(|index| pair(cluster, format!("floor-{index:04}")))
        .buffer_unordered(IN_FLIGHT)
        .map(|applied| finish(cluster, applied, deployments.clone()))
        .buffer_unordered(count)
        .try_collect::<()>();
    tokio::select! {
        done = pairs => done?,
        failed = observe_deployments(cluster, &observed) => failed?,
    }
    let elapsed = began.elapsed();
    clear(cluster, count).await?;
    Ok(elapsed)
}

/// All of a pair until its objects are applied; gives its name.
async fn pair(cluster: &Cluster, name: String) -> anyhow::Result<String> {
    let metadata = json!({ "name": name, "namespace": NAMESPACE });
    let source = json!({
        "apiVersion": "source.toolkit.fluxcd.io/v1", "kind": "GitRepository", "metadata": metadata,
        "spec": { "interval": "60m", "url": "http://127.0.0.1/floor", "ref": { "branch": "main" } },
    });
    let applied = json!({
        "apiVersion": "kustomize.toolkit.fluxcd.io/v1", "kind": "Kustomization",
        "metadata": metadata,
        "spec": {
            "interval": "60m", "path": "./", "prune": true, "wait": true,
            "sourceRef": { "kind": "GitRepository", "name": name },
        },
    });
    for (kind, object) in [(source_kind(), source), (kustomization_kind(), applied)] {
        cluster
            .create(&kind, Some(NAMESPACE), &object, PatchOptions::default())
            .await?;
        let finalizers = json!({ "metadata": { "finalizers": ["finalizers.fluxcd.io"] } });
        cluster
            .merge(
                &kind,
                Some(NAMESPACE),
                &name,
                &finalizers,
                PatchOptions::default(),
            )
            .await?;
    }
    status(cluster, &source_kind(), &name, "stored artifact").await?;
    event(cluster, &source_kind(), &name, "NewArtifact").await?;
    status(cluster, &kustomization_kind(), &name, "inventory").await?;
    for dry_run in [true, false] {
        for object in manifests(&name, 1) {
            apply(cluster, Some(NAMESPACE), &object, "floor", dry_run).await?;
        }
    }
    event(cluster, &kustomization_kind(), &name, "Progressing").await?;
    Ok(name)
}

/// The rest of a pair, which waits for Kubernetes and holds up no other.
async fn finish(
    cluster: &Cluster,
    applied: anyhow::Result<String>,
    mut deployments: watch::Receiver<HashSet<String>>,
) -> anyhow::Result<()> {
    let name = applied?;
    deployments.wait_for(|names| names.contains(&name)).await?;
    status(cluster, &kustomization_kind(), &name, "ready").await?;
    let reason = "ReconciliationSucceeded";
    event(cluster, &kustomization_kind(), &name, reason).await
}

pub(super) async fn event(
    cluster: &Cluster,
    kind: &GroupVersionKind,
    name: &str,
    reason: &str,
) -> anyhow::Result<()> {
    let event = json!({
        "apiVersion": "v1", "kind": "Event",
        "metadata": {
            "name": format!("{name}.{}", reason.to_lowercase()), "namespace": NAMESPACE,
            "annotations": {
                format!("{}/revision", kind.group): "main@sha1:0123456789012345678901234567890123456789",
            },
        },
        "involvedObject": {
            "apiVersion": format!("{}/{}", kind.group, kind.version),
            "kind": kind.kind, "name": name, "namespace": NAMESPACE,
        },
        "type": "Normal", "reason": reason, "message": "what happened, to whom, and what comes next",
        "count": 1, "source": { "component": "floor" }, "reportingComponent": "floor",
        "firstTimestamp": "2026-01-01T00:00:00Z", "lastTimestamp": "2026-01-01T00:00:00Z",
    });
    let kind = gvk_of(&event)?;
    cluster
        .create(&kind, Some(NAMESPACE), &event, PatchOptions::default())
        .await?;
    Ok(())
}

/// Follows which Deployments Kubernetes has observed. Ends only when the watch fails.
async fn observe_deployments(
    cluster: &Cluster,
    observed: &watch::Sender<HashSet<String>>,
) -> anyhow::Result<()> {
    let kind = GroupVersionKind::gvk("apps", "v1", "Deployment");
    let options = WatchOptions {
        initial: true,
        ..WatchOptions::default()
    };
    loop {
        let mut events = cluster.watch(&kind, Some(NAMESPACE), "", &options).await?;
        while let Some(event) = events.next().await {
            if let WatchEvent::Added(object) | WatchEvent::Modified(object) = event?
                && object["status"]["observedGeneration"] == object["metadata"]["generation"]
                && let Some(name) = object["metadata"]["name"].as_str()
            {
                observed.send_modify(|names| {
                    names.insert(name.to_owned());
                });
            }
        }
    }
}

pub(super) async fn status(
    cluster: &Cluster,
    kind: &GroupVersionKind,
    name: &str,
    message: &str,
) -> anyhow::Result<()> {
    let patch = json!({ "status": {
        "observedGeneration": 1,
        "conditions": [{
            "type": "Ready", "status": "Unknown", "reason": "Progressing", "message": message,
            "lastTransitionTime": "2026-01-01T00:00:00Z", "observedGeneration": 1,
        }],
    } });
    let options = PatchOptions {
        subresource: Some("status"),
        ..PatchOptions::default()
    };
    cluster
        .merge(kind, Some(NAMESPACE), name, &patch, options)
        .await?;
    Ok(())
}

/// Takes the floor's objects away, so that what follows is measured on an empty namespace.
async fn clear(cluster: &Cluster, count: usize) -> anyhow::Result<()> {
    futures::stream::iter(0..count)
        .map(|index| async move {
            let name = format!("floor-{index:04}");
            let released: Value = json!({ "metadata": { "finalizers": null } });
            for kind in [source_kind(), kustomization_kind()] {
                cluster
                    .merge(
                        &kind,
                        Some(NAMESPACE),
                        &name,
                        &released,
                        PatchOptions::default(),
                    )
                    .await?;
                cluster
                    .delete(&kind, Some(NAMESPACE), &name, &DeleteOptions::default())
                    .await?;
            }
            for object in manifests(&name, 1) {
                let kind = gvk_of(&object)?;
                cluster
                    .delete(&kind, Some(NAMESPACE), &name, &DeleteOptions::default())
                    .await?;
            }
            Ok::<_, anyhow::Error>(())
        })
        .buffer_unordered(IN_FLIGHT)
        .try_collect::<()>()
        .await
}
