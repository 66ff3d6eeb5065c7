//! Many `OCIRepository` objects, created at once, each with its own repository; measured until
//! every artifact is stored.
//!
//! The floor makes the required requests with the same concurrency: the creation, the finalizer,
//! the tag, the manifest, the layer, one status and one event. It unpacks and stores nothing.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

use anyhow::bail;
use futures::{StreamExt as _, TryStreamExt as _};
use serde_json::{Value, json};
use sluice_client::{Cluster, DeleteOptions, GroupVersionKind, PatchOptions};
use sluice_devcluster::{ControlPlane, Options, Toolbox};
use sluice_dial::HttpClients;
use sluice_oci::client::Source;
use sluice_oci::package::{Layer, Package};
use sluice_oci::{Client, Digest, Remote, Repository, Version};
use sluice_testkit::Registry;

use crate::bench::cluster::{
    IN_FLIGHT, NAMESPACE, TIMEOUT, all_ready, connect, file, float, name, prepare,
};
use crate::bench::controller::{SourceController, Subject};
use crate::bench::floor::{self, bodies};
use crate::bench::process::Usage;

/// `--concurrent` of the controller, and of the floor.
const CONCURRENT: usize = 10;
const TAG: &str = "latest";

/// Results of one run.
pub(super) struct Outcome {
    count: usize,
    floor: Duration,
    ready: Duration,
    usage: Usage,
}

impl Outcome {
    pub(super) const HEADER: &str = "| OCIRepositories | floor | all stored | × floor | peak RSS (anonymous) | CPU per object |\n\
         |---|---|---|---|---|---|";

    pub(super) fn row(&self) -> String {
        format!(
            "| {} | {:.1} s | {:.1} s | {:.2} | {:.0} MiB ({:.0}) | {:.1} ms |",
            self.count,
            self.floor.as_secs_f64(),
            self.ready.as_secs_f64(),
            self.ready.as_secs_f64() / self.floor.as_secs_f64(),
            self.usage.peak_mib,
            self.usage.peak_anonymous_mib,
            self.usage.cpu.as_secs_f64() * 1000.0 / float(self.count),
        )
    }

    pub(super) fn to_value(&self) -> Value {
        json!({
            "objects": self.count,
            "floorSeconds": self.floor.as_secs_f64(),
            "readySeconds": self.ready.as_secs_f64(),
            "peakMiB": self.usage.peak_mib,
            "peakAnonymousMiB": self.usage.peak_anonymous_mib,
            "cpuMillisecondsPerObject": self.usage.cpu.as_secs_f64() * 1000.0 / float(self.count),
        })
    }
}

pub(super) fn kind() -> GroupVersionKind {
    GroupVersionKind::gvk("source.toolkit.fluxcd.io", "v1", "OCIRepository")
}

pub(super) async fn measure(
    count: usize,
    subject: &Subject,
    log: Option<&Path>,
) -> anyhow::Result<Outcome> {
    let state = tempfile::tempdir()?;
    let toolbox = Toolbox::from_environment()?.on_progress(|step| eprintln!("{step}"));
    let plane = ControlPlane::start(Options::new(toolbox)).await?;
    let cluster = connect(plane.kubeconfig())?;
    prepare(&cluster).await?;
    let registry = Registry::start().await;
    let client = Client::new(Arc::new(HttpClients::new("sluice-bench")));
    push(&client, &registry, count, 1).await?;
    let floor = floor(&cluster, &client, &registry, count).await?;

    let log = log.map_or_else(|| state.path().join("controller.log"), Path::to_owned);
    let controller = SourceController::start(subject, &plane, state.path(), &log, CONCURRENT)?;
    let began = Instant::now();
    futures::stream::iter(0..count)
        .map(|index| create(&cluster, &registry, name(index)))
        .buffer_unordered(IN_FLIGHT)
        .try_collect::<()>()
        .await?;
    match tokio::time::timeout(TIMEOUT, all_ready(&cluster, &kind(), count)).await {
        Ok(done) => done?,
        Err(_) => bail!("not all stored after {TIMEOUT:?}; log: {}", log.display()),
    }
    let ready = began.elapsed();
    let usage = controller.process.usage()?;
    drop(controller);
    plane.stop();
    Ok(Outcome {
        count,
        floor,
        ready,
        usage,
    })
}

fn remote(registry: &Registry, name: &str) -> anyhow::Result<Remote> {
    let repository = Repository::parse_url(&registry.url(&format!("bench/{name}")))?;
    Ok(Remote::anonymous(repository))
}

/// One small artifact for each object, as `push artifact` pushes it.
pub(super) async fn push(
    client: &Client,
    registry: &Registry,
    count: usize,
    version: usize,
) -> anyhow::Result<()> {
    futures::stream::iter(0..count)
        .map(|index| async move {
            let name = name(index);
            let remote = remote(registry, &name)?;
            let layer = sluice_testkit::archive::tarball(&[("app.yaml", &file(&name, version))]);
            let described = Layer {
                digest: Digest::of(&layer),
                size: layer.len() as u64,
            };
            let package = Package::new(
                &described,
                "https://example.com/app.git",
                "main@sha1:0123456789012345678901234567890123456789",
                "2026-01-01T00:00:00Z",
                &BTreeMap::new(),
            );
            for (digest, bytes) in [
                (&described.digest, layer.into()),
                (&package.config_digest, package.config),
            ] {
                client
                    .push_blob(&remote, digest, &Source::Bytes(bytes))
                    .await?;
            }
            let tag = Version::Tag(TAG.to_owned());
            client
                .push_manifest(
                    &remote,
                    &tag,
                    sluice_oci::manifest::MANIFEST,
                    package.manifest,
                )
                .await?;
            Ok::<_, anyhow::Error>(())
        })
        .buffer_unordered(IN_FLIGHT)
        .try_collect::<()>()
        .await
}

pub(super) fn spec(registry: &Registry, name: &str) -> Value {
    let repository = format!("bench/{}", name.trim_start_matches("floor-"));
    json!({ "interval": "60m", "url": registry.url(&repository), "ref": { "tag": TAG } })
}

async fn create(cluster: &Cluster, registry: &Registry, name: String) -> anyhow::Result<()> {
    let object = json!({
        "apiVersion": "source.toolkit.fluxcd.io/v1", "kind": "OCIRepository",
        "metadata": { "name": name, "namespace": NAMESPACE },
        "spec": spec(registry, &name),
    });
    cluster
        .create(&kind(), Some(NAMESPACE), &object, PatchOptions::default())
        .await?;
    Ok(())
}

async fn floor(
    cluster: &Cluster,
    client: &Client,
    registry: &Registry,
    count: usize,
) -> anyhow::Result<Duration> {
    let began = Instant::now();
    futures::stream::iter(0..count)
        .map(|index| async move {
            let (object, remote) = (
                format!("floor-{}", name(index)),
                remote(registry, &name(index))?,
            );
            create(cluster, registry, object.clone()).await?;
            finalizers(cluster, &object, json!(["finalizers.fluxcd.io"])).await?;
            let digest = client
                .resolve(&remote, &Version::Tag(TAG.to_owned()))
                .await?;
            let manifest = client.manifest(&remote, &digest).await?;
            for layer in &manifest.layers {
                let mut blob = client.blob(&remote, layer).await?;
                while blob.next().await?.is_some() {}
            }
            floor::status(cluster, &kind(), &object, bodies::stored(&object)).await?;
            floor::event(cluster, &kind(), &object, bodies::EventKind::Stored).await
        })
        .buffer_unordered(CONCURRENT)
        .try_collect::<()>()
        .await?;
    let elapsed = began.elapsed();
    for index in 0..count {
        let object = format!("floor-{}", name(index));
        finalizers(cluster, &object, Value::Null).await?;
        let options = DeleteOptions::default();
        cluster
            .delete(&kind(), Some(NAMESPACE), &object, &options)
            .await?;
    }
    Ok(elapsed)
}

async fn finalizers(cluster: &Cluster, name: &str, finalizers: Value) -> anyhow::Result<()> {
    let patch = json!({ "metadata": { "finalizers": finalizers } });
    let options = PatchOptions::default();
    cluster
        .merge(&kind(), Some(NAMESPACE), name, &patch, options)
        .await?;
    Ok(())
}
