//! The floor of `HelmReleases`: the required writes of an install, by a bare client.
//!
//! The release itself takes its creation, its finalizer, two statuses and an event. The action
//! takes the pending record, four objects and the deployed record. Reads are not counted.

use std::collections::HashSet;
use std::time::{Duration, Instant};

use futures::{StreamExt as _, TryStreamExt as _};
use serde_json::json;
use sluice_client::{Cluster, DeleteOptions, PatchOptions};
use tokio::sync::watch;

use super::{bodies, each, event, observe_deployments, release, status};
use crate::bench::cluster::{IN_FLIGHT, NAMESPACE, apply, gvk_of, manifests, release_kind as kind};

/// Returns the time until this many releases are written.
pub(in crate::bench) async fn measure(cluster: &Cluster, count: usize) -> anyhow::Result<Duration> {
    let began = Instant::now();
    let (observed, deployments) = watch::channel(HashSet::new());
    let releases = futures::stream::iter(0..count)
        .map(|index| begin(cluster, format!("floor-{index:04}")))
        .buffer_unordered(IN_FLIGHT)
        .map(|name| finish(cluster, name, deployments.clone()))
        .buffer_unordered(count)
        .try_collect::<()>();
    tokio::select! {
        done = releases => done?,
        failed = observe_deployments(cluster, &observed) => failed?,
    }
    let written = began.elapsed();
    clear(cluster, count).await?;
    Ok(written)
}

/// Writes a release up to its objects, and returns its name.
async fn begin(cluster: &Cluster, name: String) -> anyhow::Result<String> {
    let (kind, options) = (kind(), PatchOptions::default());
    let object = json!({
        "apiVersion": "helm.toolkit.fluxcd.io/v2", "kind": "HelmRelease",
        "metadata": { "name": name, "namespace": NAMESPACE },
        "spec": { "interval": "60m", "chartRef": { "kind": "HelmChart", "name": "floor" } },
    });
    let namespace = Some(NAMESPACE);
    cluster.create(&kind, namespace, &object, options).await?;
    let finalizers = json!({ "metadata": { "finalizers": ["finalizers.fluxcd.io"] } });
    cluster
        .merge(
            &kind,
            namespace,
            &name,
            &finalizers,
            PatchOptions::default(),
        )
        .await?;
    status(cluster, &kind, &name, bodies::installing()).await?;
    let record = bodies::helm_record(&name, "pending-install");
    cluster
        .create(
            &gvk_of(&record)?,
            namespace,
            &record,
            PatchOptions::default(),
        )
        .await?;
    for object in manifests(&name, 1) {
        apply(cluster, namespace, &object, "floor", false).await?;
    }
    Ok(name)
}

/// Writes the rest of a release, which waits for Kubernetes without blocking others.
async fn finish(
    cluster: &Cluster,
    begun: anyhow::Result<String>,
    mut deployments: watch::Receiver<HashSet<String>>,
) -> anyhow::Result<()> {
    let name = begun?;
    deployments.wait_for(|names| names.contains(&name)).await?;
    let record = bodies::helm_record(&name, "deployed");
    let (secret, options) = (gvk_of(&record)?, PatchOptions::default());
    let record_name = format!("sh.helm.release.v1.{name}.v1");
    cluster
        .merge(&secret, Some(NAMESPACE), &record_name, &record, options)
        .await?;
    status(cluster, &kind(), &name, bodies::installed(&name)).await?;
    event(cluster, &kind(), &name, bodies::EventKind::Installed).await
}

/// Deletes all, so that the next part starts with an empty namespace.
async fn clear(cluster: &Cluster, count: usize) -> anyhow::Result<()> {
    each(count, async |name| {
        let options = DeleteOptions::default();
        let record = bodies::helm_record(&name, "deployed");
        for object in manifests(&name, 1).iter().chain([&record]) {
            let name = object["metadata"]["name"].as_str().unwrap_or_default();
            cluster
                .delete(&gvk_of(object)?, Some(NAMESPACE), name, &options)
                .await?;
        }
        release(cluster, &kind(), &name).await?;
        cluster
            .delete(&kind(), Some(NAMESPACE), &name, &options)
            .await?;
        Ok(())
    })
    .await
}
