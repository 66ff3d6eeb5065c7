//! The floor under a bench: the requests that no controller can do without, by a bare client that
//! has nothing to decide, on the same control plane.
//!
//! For each pair: its two creations, a finalizer on each, the four objects (each tried on the
//! server first, so that nothing is applied by halves, then applied), and the statuses that must
//! be: the source's artifact; the Kustomization's inventory before anything is applied, and that it
//! is ready. Requests of one pair follow each other, as they must; pairs go side by side.

use std::time::{Duration, Instant};

use futures::{StreamExt as _, TryStreamExt as _};
use serde_json::{Value, json};
use sluice_client::{Cluster, DeleteOptions, GroupVersionKind, PatchOptions};

use super::mttp::{IN_FLIGHT, NAMESPACE, apply, kustomization_kind, manifests, source_kind};

pub(super) async fn measure(cluster: &Cluster, count: usize) -> anyhow::Result<Duration> {
    let began = Instant::now();
    futures::stream::iter(0..count)
        .map(|index| pair(cluster, format!("floor-{index:04}")))
        .buffer_unordered(IN_FLIGHT)
        .try_collect::<()>()
        .await?;
    let elapsed = began.elapsed();
    clear(cluster, count).await?;
    Ok(elapsed)
}

async fn pair(cluster: &Cluster, name: String) -> anyhow::Result<()> {
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
    status(cluster, &kustomization_kind(), &name, "inventory").await?;
    for dry_run in [true, false] {
        for object in manifests(&name) {
            apply(cluster, Some(NAMESPACE), &object, "floor", dry_run).await?;
        }
    }
    status(cluster, &kustomization_kind(), &name, "ready").await
}

async fn status(
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
            for object in manifests(&name) {
                let kind = super::mttp::gvk_of(&object)?;
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
