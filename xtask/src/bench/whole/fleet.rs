//! The objects of the fleet, and the servers of their sources.
//!
//! A Kustomization has a `GitRepository` of its own, with four objects. A `HelmRelease` has a
//! `HelmChart` of its own, with four objects. Both are those of the other benches.

use std::ops::Range;
use std::path::Path;
use std::time::{Duration, Instant};

use anyhow::Context as _;
use futures::{StreamExt as _, TryStreamExt as _};
use serde_json::{Value, json};
use sluice_client::{Cluster, GroupVersionKind, PatchOptions};
use sluice_testkit::ChartServer;

use crate::bench::cluster::{IN_FLIGHT, NAMESPACE, TIMEOUT, all_ready, file, gvk_of};
use crate::bench::mttp::SourceKind;
use crate::bench::mttp::pairs::{self, Origin};

const CHART: &str = "app";
const CHARTS: &str = "charts";

/// A cluster with the servers of all sources.
pub(super) struct Fleet {
    pub(super) cluster: Cluster,
    repositories: Origin,
    charts: ChartServer,
}

impl Fleet {
    pub(super) async fn start(
        cluster: Cluster,
        state: &Path,
        pairs: usize,
    ) -> anyhow::Result<Self> {
        let repositories = Origin::start(SourceKind::Git, state, pairs).await?;
        let charts = ChartServer::start().await;
        let template = file("{{ .Release.Name }}", 1);
        charts.publish(CHART, "1.0.0", &[("templates/app.yaml", &template)]);
        Ok(Self {
            cluster,
            repositories,
            charts,
        })
    }

    /// Creates pairs of a `GitRepository` and a Kustomization.
    pub(super) async fn create_pairs(&self, pairs: Range<usize>) -> anyhow::Result<()> {
        // With few workers, the polls of the reference's waits would be most of the time.
        let spec = json!({ "wait": false });
        pairs::create(&self.cluster, &self.repositories, &spec, pairs).await
    }

    /// Creates `HelmReleases` that have a chart of one `HelmRepository`.
    pub(super) async fn create_releases(&self, count: usize) -> anyhow::Result<()> {
        let repository = json!({
            "apiVersion": "source.toolkit.fluxcd.io/v1", "kind": "HelmRepository",
            "metadata": { "name": CHARTS, "namespace": NAMESPACE },
            "spec": { "interval": "60m", "url": self.charts.url() },
        });
        self.create(&repository).await?;
        futures::stream::iter(0..count)
            .map(|index| async move {
                let object = json!({
                    "apiVersion": "helm.toolkit.fluxcd.io/v2", "kind": "HelmRelease",
                    "metadata": { "name": format!("release-{index:04}"), "namespace": NAMESPACE },
                    "spec": {
                        "interval": "60m",
                        "chart": { "spec": {
                            "chart": CHART, "version": "1.0.0", "interval": "60m",
                            "sourceRef": { "kind": "HelmRepository", "name": CHARTS },
                        } },
                    },
                });
                self.create(&object).await
            })
            .buffer_unordered(IN_FLIGHT)
            .try_collect()
            .await
    }

    async fn create(&self, object: &Value) -> anyhow::Result<()> {
        let (kind, options) = (gvk_of(object)?, PatchOptions::default());
        self.cluster
            .create(&kind, Some(NAMESPACE), object, options)
            .await?;
        Ok(())
    }

    /// Waits until this many objects are ready, and returns the time since the beginning.
    pub(super) async fn until_ready(
        &self,
        kind: GroupVersionKind,
        count: usize,
        began: Instant,
    ) -> anyhow::Result<Duration> {
        let ready = all_ready(&self.cluster, &kind, count);
        let waited = tokio::time::timeout(TIMEOUT, ready).await;
        waited.with_context(|| format!("not every {} is ready", kind.kind))??;
        Ok(began.elapsed())
    }
}
