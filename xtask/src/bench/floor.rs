//! The lower bound of a bench: the required requests, by a bare client on the same control plane.
//!
//! A pair has two creations, two finalizers, four objects (a dry-run and an apply each), statuses
//! and events. The statuses are the source's artifact, the inventory before the apply, and the
//! readiness after Kubernetes observed the Deployment. Requests of one pair are sequential; pairs
//! are parallel. The bodies are as long as the controllers' ([`bodies`]), and the objects are
//! applied with the same account.

pub(super) mod bodies;
pub(super) mod releases;

use std::collections::HashSet;
use std::time::{Duration, Instant};

use futures::{StreamExt as _, TryStreamExt as _};
use serde_json::{Value, json};
use sluice_client::{
    Cluster, DeleteOptions, Freshness, GroupVersionKind, PatchOptions, WatchEvent, WatchOptions,
};
use tokio::sync::watch;

use super::cluster::{
    IN_FLIGHT, NAMESPACE, all, apply, gvk_of, kustomization_kind, manifests, source_kind,
};

/// The measured floor.
#[derive(Clone, Copy, Debug)]
pub(super) struct Floor {
    /// Time until all is written.
    pub(super) written: Duration,
    /// Time until the Kustomizations and their objects are deleted.
    pub(super) deleted: Duration,
}

pub(super) async fn measure(
    cluster: &Cluster,
    applier: &Cluster,
    count: usize,
) -> anyhow::Result<Floor> {
    let began = Instant::now();
    let (observed, deployments) = watch::channel(HashSet::new());
    let pairs = futures::stream::iter(0..count)
        .map(|index| pair(cluster, applier, format!("floor-{index:04}")))
        .buffer_unordered(IN_FLIGHT)
        .map(|applied| finish(cluster, applied, deployments.clone()))
        .buffer_unordered(count)
        .try_collect::<()>();
    tokio::select! {
        done = pairs => done?,
        failed = observe_deployments(cluster, &observed) => failed?,
    }
    let written = began.elapsed();
    upgrade(cluster, applier, count).await?;
    let began = Instant::now();
    delete(cluster, applier, count).await?;
    let deleted = began.elapsed();
    clear(cluster, count).await?;
    Ok(Floor { written, deleted })
}

/// Writes a pair up to the applied objects and returns its name.
async fn pair(cluster: &Cluster, applier: &Cluster, name: String) -> anyhow::Result<String> {
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
    status(cluster, &source_kind(), &name, bodies::stored(&name)).await?;
    let kind = kustomization_kind();
    event(cluster, &source_kind(), &name, bodies::EventKind::Stored).await?;
    status(cluster, &kind, &name, bodies::progressing(&name)).await?;
    for dry_run in [true, false] {
        for object in manifests(&name, 1) {
            let object = bodies::owned(object, &name);
            apply(applier, Some(NAMESPACE), &object, "floor", dry_run).await?;
        }
    }
    event(cluster, &kind, &name, bodies::EventKind::Applied).await?;
    Ok(name)
}

/// Writes the rest of a pair, which waits for Kubernetes without blocking others.
async fn finish(
    cluster: &Cluster,
    applied: anyhow::Result<String>,
    mut deployments: watch::Receiver<HashSet<String>>,
) -> anyhow::Result<()> {
    let name = applied?;
    deployments.wait_for(|names| names.contains(&name)).await?;
    let kind = kustomization_kind();
    status(cluster, &kind, &name, bodies::ready(&name)).await?;
    event(cluster, &kind, &name, bodies::EventKind::Ready).await
}

pub(super) async fn event(
    cluster: &Cluster,
    kind: &GroupVersionKind,
    name: &str,
    said: bodies::EventKind,
) -> anyhow::Result<()> {
    let event = bodies::event(kind, name, said);
    let kind = gvk_of(&event)?;
    cluster
        .create(&kind, Some(NAMESPACE), &event, PatchOptions::default())
        .await?;
    Ok(())
}

/// Tracks observed Deployments. Ends only when the watch fails.
async fn observe_deployments(
    cluster: &Cluster,
    observed: &watch::Sender<HashSet<String>>,
) -> anyhow::Result<()> {
    let kind = deployment_kind();
    let options = WatchOptions {
        initial: true,
        ..WatchOptions::default()
    };
    loop {
        let mut events = cluster.watch(&kind, Some(NAMESPACE), "", &options).await?;
        while let Some(event) = events.next().await {
            if let WatchEvent::Added(object) | WatchEvent::Modified(object) = event?
                && is_observed(&object)
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
    status: Value,
) -> anyhow::Result<()> {
    let options = PatchOptions {
        subresource: Some("status"),
        ..PatchOptions::default()
    };
    let patch = json!({ "status": status });
    cluster
        .merge(kind, Some(NAMESPACE), name, &patch, options)
        .await?;
    Ok(())
}

/// Applies the next version as the controllers do, so that the deletion covers as much: each
/// Deployment has two replica sets then.
async fn upgrade(cluster: &Cluster, applier: &Cluster, count: usize) -> anyhow::Result<()> {
    each(count, async |name| {
        for object in manifests(&name, 2) {
            let object = bodies::owned(object, &name);
            apply(applier, Some(NAMESPACE), &object, "floor", false).await?;
        }
        Ok(())
    })
    .await?;
    all(cluster, &deployment_kind(), count, |object| {
        object["metadata"]["generation"] == 2 && is_observed(object)
    })
    .await
}

/// Whether Kubernetes has observed the Deployment's generation.
fn is_observed(deployment: &Value) -> bool {
    deployment["status"]["observedGeneration"] == deployment["metadata"]["generation"]
}

fn deployment_kind() -> GroupVersionKind {
    GroupVersionKind::gvk("apps", "v1", "Deployment")
}

/// Deletes the Kustomizations: the request, a check and deletion of each object, the event, and
/// last the finalizer.
async fn delete(cluster: &Cluster, applier: &Cluster, count: usize) -> anyhow::Result<()> {
    each(count, async |name| {
        let (kind, options) = (kustomization_kind(), DeleteOptions::default());
        cluster
            .delete(&kind, Some(NAMESPACE), &name, &options)
            .await?;
        for object in manifests(&name, 1) {
            let kind = gvk_of(&object)?;
            applier
                .get_metadata(&kind, Some(NAMESPACE), &name, Freshness::Cached)
                .await?;
            applier
                .delete(&kind, Some(NAMESPACE), &name, &options)
                .await?;
        }
        event(cluster, &kind, &name, bodies::EventKind::Deleted).await?;
        release(cluster, &kind, &name).await
    })
    .await
}

/// Deletes the sources, so that the next part starts with an empty namespace.
async fn clear(cluster: &Cluster, count: usize) -> anyhow::Result<()> {
    each(count, async |name| {
        let (kind, options) = (source_kind(), DeleteOptions::default());
        release(cluster, &kind, &name).await?;
        cluster
            .delete(&kind, Some(NAMESPACE), &name, &options)
            .await?;
        Ok(())
    })
    .await
}

async fn release(cluster: &Cluster, kind: &GroupVersionKind, name: &str) -> anyhow::Result<()> {
    let released: Value = json!({ "metadata": { "finalizers": null } });
    cluster
        .merge(
            kind,
            Some(NAMESPACE),
            name,
            &released,
            PatchOptions::default(),
        )
        .await?;
    Ok(())
}

/// Runs a function for every pair, many in parallel.
async fn each(
    count: usize,
    work: impl AsyncFn(String) -> anyhow::Result<()>,
) -> anyhow::Result<()> {
    futures::stream::iter(0..count)
        .map(|index| work(format!("floor-{index:04}")))
        .buffer_unordered(IN_FLIGHT)
        .try_collect::<()>()
        .await
}
