//! Pairs of a source and a Kustomization: creation until ready, a new version until applied, and
//! deletion.

use std::collections::{BTreeMap, HashSet};
use std::fmt::Write as _;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};

use anyhow::{Context as _, bail, ensure};
use futures::{StreamExt as _, TryStreamExt as _};
use serde_json::{Map, Value, json};
use sluice_client::{
    Cluster, DeleteOptions, GroupVersionKind, ListOptions, PatchOptions, WatchEvent, WatchOptions,
};
use sluice_devcluster::{ControlPlane, GitOptions, GitServer, Options, Toolbox};
use sluice_dial::HttpClients;
use sluice_git::serve::{Change, Repository};
use sluice_oci::Client;
use sluice_testkit::Registry;

use super::{Args, SourceKind, oci};
use crate::bench::cluster::{
    IN_FLIGHT, NAMESPACE, TIMEOUT, all, all_ready, connect, file, float, free_ports,
    kustomization_kind, name, prepare, requests, since, source_kind,
};
use crate::bench::controller::{SourceController, Subject};
use crate::bench::floor::{self, Floor};
use crate::bench::limits::Limit;
use crate::bench::process::{self, MeasuredProcess, Usage};

/// `--concurrent` of the source-controller.
const SOURCES: usize = 10;
/// `--concurrent` of the kustomize-controller.
const KUSTOMIZATIONS: usize = 20;

/// Limits of 50 pairs with a debug build. It takes 0.86 and 0.90 of the floor, 20.2 and 12.8
/// requests, and 23 MiB. Requests do not depend on the machine.
pub(super) const LIMITS: &[Limit] = &[
    ("ready, × floor", 2.6),
    ("deleted, × floor", 2.7),
    ("requests per pair", 23.0),
    ("requests of a deletion", 16.0),
    ("anonymous MiB", 69.0),
];

/// Results of one run.
pub(super) struct Outcome {
    who: &'static str,
    count: usize,
    floor: Floor,
    ready: Duration,
    upgraded: Duration,
    deleted: Duration,
    /// Requests of the deletion, by verb and resource.
    deletion: BTreeMap<String, f64>,
    /// Requests between the first creation and the last readiness, by verb and resource.
    requests: BTreeMap<String, f64>,
    /// Usage of each process until the last readiness.
    shares: Vec<Share>,
}

/// Usage of one process.
struct Share {
    name: &'static str,
    /// Until all are ready.
    usage: Usage,
    /// Requests to the API server, as the process counts them.
    requests: f64,
    /// Until the last deletion.
    whole: Usage,
}

impl Outcome {
    pub(super) const HEADER: &str = "| who | pairs | floor | all Ready | × floor | API requests per pair | peak RSS (anonymous) | CPU per pair | upgraded | floor | deleted | × floor |\n\
         |---|---|---|---|---|---|---|---|---|---|---|---|";

    fn per_pair(&self, total: f64) -> f64 {
        total / float(self.count)
    }

    fn milliseconds_per_pair(&self, cpu: Duration) -> f64 {
        self.per_pair(cpu.as_secs_f64() * 1000.0)
    }

    fn cpu(&self) -> Duration {
        self.shares.iter().map(|share| share.usage.cpu).sum()
    }

    fn peak_mib(&self) -> f64 {
        self.shares.iter().map(|share| share.whole.peak_mib).sum()
    }

    fn peak_anonymous_mib(&self) -> f64 {
        let shares = self.shares.iter();
        shares.map(|share| share.whole.peak_anonymous_mib).sum()
    }

    /// Requests per pair, by name.
    fn named(&self, requests: &BTreeMap<String, f64>) -> Map<String, Value> {
        let named = requests.iter();
        named
            .map(|(name, count)| (name.clone(), json!(self.per_pair(*count))))
            .collect()
    }

    pub(super) fn row(&self) -> String {
        format!(
            "| {} | {} | {:.1} s | {:.1} s | {:.2} | {:.1} | {:.0} MiB ({:.0}) | {:.1} ms | {:.1} s | {:.1} s | {:.1} s | {:.2} |",
            self.who,
            self.count,
            self.floor.written.as_secs_f64(),
            self.ready.as_secs_f64(),
            self.ready.as_secs_f64() / self.floor.written.as_secs_f64(),
            self.per_pair(self.requests.values().sum()),
            self.peak_mib(),
            self.peak_anonymous_mib(),
            self.milliseconds_per_pair(self.cpu()),
            self.upgraded.as_secs_f64(),
            self.floor.deleted.as_secs_f64(),
            self.deleted.as_secs_f64(),
            self.deleted.as_secs_f64() / self.floor.deleted.as_secs_f64(),
        )
    }

    /// The ratios that have limits.
    pub(super) fn ratios(&self) -> [(&'static str, f64); 5] {
        let floor = self.floor;
        [
            ("ready, × floor", self.ready.div_duration_f64(floor.written)),
            (
                "deleted, × floor",
                self.deleted.div_duration_f64(floor.deleted),
            ),
            (
                "requests per pair",
                self.per_pair(self.requests.values().sum()),
            ),
            (
                "requests of a deletion",
                self.per_pair(self.deletion.values().sum()),
            ),
            ("anonymous MiB", self.peak_anonymous_mib()),
        ]
    }

    /// Row label: the measured side and the options.
    pub(super) fn details(&self) -> String {
        let mut text = String::new();
        for share in &self.shares {
            let written = writeln!(
                text,
                "    {}: {:.1} ms of CPU and {:.1} requests per pair, at most {:.0} MiB ({:.0} anonymous), until the end {:.0} ({:.0})",
                share.name,
                self.milliseconds_per_pair(share.usage.cpu),
                self.per_pair(share.requests),
                share.usage.peak_mib,
                share.usage.peak_anonymous_mib,
                share.whole.peak_mib,
                share.whole.peak_anonymous_mib,
            );
            written.expect("a string takes all that is written");
        }
        for (what, requests) in [("", &self.requests), ("to delete: ", &self.deletion)] {
            for (name, requests) in requests {
                writeln!(text, "    {what}{:6.2} × {name}", self.per_pair(*requests))
                    .expect("a string takes all that is written");
            }
        }
        text
    }

    pub(super) fn to_value(&self) -> Value {
        let shares: Map<String, Value> = self
            .shares
            .iter()
            .map(|share| {
                let figures = json!({
                    "cpuMillisecondsPerPair": self.milliseconds_per_pair(share.usage.cpu),
                    "requestsPerPair": self.per_pair(share.requests),
                    "peakMiBUntilReady": share.usage.peak_mib,
                    "peakAnonymousMiBUntilReady": share.usage.peak_anonymous_mib,
                    "peakMiB": share.whole.peak_mib,
                    "peakAnonymousMiB": share.whole.peak_anonymous_mib,
                });
                (share.name.to_owned(), figures)
            })
            .collect();
        json!({
            "who": self.who,
            "pairs": self.count,
            "floorSeconds": self.floor.written.as_secs_f64(),
            "readySeconds": self.ready.as_secs_f64(),
            "upgradedSeconds": self.upgraded.as_secs_f64(),
            "deletionFloorSeconds": self.floor.deleted.as_secs_f64(),
            "deletedSeconds": self.deleted.as_secs_f64(),
            "deletionRequestsPerPair": self.named(&self.deletion),
            "requestsPerPair": self.named(&self.requests),
            "peakMiB": self.peak_mib(),
            "peakAnonymousMiB": self.peak_anonymous_mib(),
            "cpuMillisecondsPerPair": self.milliseconds_per_pair(self.cpu()),
            "processes": shares,
        })
    }
}

pub(super) async fn measure(
    count: usize,
    args: &Args,
    subject: &Subject,
) -> anyhow::Result<Outcome> {
    let state = tempfile::tempdir()?;
    let toolbox = Toolbox::from_environment()?.on_progress(|step| eprintln!("{step}"));
    let plane = ControlPlane::start(Options::new(toolbox)).await?;
    let cluster = connect(plane.kubeconfig())?;
    prepare(&cluster).await?;
    let spec = args
        .target
        .spec(&cluster, NAMESPACE, plane.kubeconfig())
        .await?;
    let applier = args.target.applier(&cluster, NAMESPACE)?;
    let floor = floor::measure(&cluster, &applier, count).await?;

    let origin = Origin::start(args.source, state.path(), count).await?;
    let log = match &args.common.log {
        Some(path) => path.clone(),
        None => state.path().join("controllers.log"),
    };
    let processes = if args.apart {
        apart(subject, &plane, state.path(), &log)?
    } else {
        together(subject, &plane, state.path(), &log)?
    };
    let before = requests(&cluster).await?;

    let began = Instant::now();
    create(&cluster, &origin, &spec, 0..count).await?;
    let kind = kustomization_kind();
    within_timeout(all_ready(&cluster, &kind, count), "Ready", &log).await?;
    let ready = began.elapsed();
    let asked = since(&before, requests(&cluster).await?);
    let mut shares = Vec::new();
    for process in &processes {
        shares.push(process.share().await?);
    }

    let upgraded = upgrade(&cluster, &origin, count, &log).await?;

    let before = requests(&cluster).await?;
    let began = Instant::now();
    delete(&cluster, count).await?;
    let deleted = began.elapsed();
    let deletion = since(&before, requests(&cluster).await?);
    for (share, process) in shares.iter_mut().zip(&processes) {
        share.whole = process.measured.usage()?;
    }
    drop(processes);
    plane.stop();
    Ok(Outcome {
        who: subject.name,
        count,
        floor,
        ready,
        upgraded,
        deleted,
        deletion,
        requests: asked,
        shares,
    })
}

pub(super) async fn within_timeout(
    wait: impl Future<Output = anyhow::Result<()>>,
    what: &str,
    log: &Path,
) -> anyhow::Result<()> {
    match tokio::time::timeout(TIMEOUT, wait).await {
        Ok(done) => done,
        Err(_) => bail!("not all {what} after {TIMEOUT:?}; log: {}", log.display()),
    }
}

/// One or all controllers, and the port of their metrics.
struct Process {
    name: &'static str,
    measured: MeasuredProcess,
    metrics: u16,
}

impl Process {
    async fn share(&self) -> anyhow::Result<Share> {
        let usage = self.measured.usage()?;
        Ok(Share {
            name: self.name,
            usage,
            requests: process::requests(self.metrics).await?,
            whole: usage,
        })
    }
}

/// One process for both controllers.
fn together(
    subject: &Subject,
    plane: &ControlPlane,
    state: &Path,
    log: &Path,
) -> anyhow::Result<Vec<Process>> {
    let storage = state.join("storage");
    std::fs::create_dir_all(&storage)?;
    let [metrics, health, files] = free_ports::<3>()?;
    let flags = [
        format!("--metrics-addr=127.0.0.1:{metrics}"),
        format!("--health-addr=127.0.0.1:{health}"),
        format!("--source-controller.storage-path={}", storage.display()),
        format!("--source-controller.storage-addr=127.0.0.1:{files}"),
        format!("--source-controller.storage-adv-addr=127.0.0.1:{files}"),
        format!("--source-controller.concurrent={SOURCES}"),
        format!("--kustomize-controller.concurrent={KUSTOMIZATIONS}"),
    ];
    Ok(vec![Process {
        name: "both controllers",
        measured: subject.start("all", &flags, plane, log)?,
        metrics,
    }])
}

/// One process for each controller.
fn apart(
    subject: &Subject,
    plane: &ControlPlane,
    state: &Path,
    log: &Path,
) -> anyhow::Result<Vec<Process>> {
    let source_log = log.with_extension("source.log");
    let source = SourceController::start(subject, plane, state, &source_log, SOURCES)?;
    let [metrics, health] = free_ports::<2>()?;
    let flags = [
        format!("--metrics-addr=127.0.0.1:{metrics}"),
        format!("--health-addr=127.0.0.1:{health}"),
        format!("--concurrent={KUSTOMIZATIONS}"),
    ];
    let kustomize = subject.start("kustomize-controller", &flags, plane, log)?;
    Ok(vec![
        Process {
            name: "source-controller",
            measured: source.process,
            metrics: source.metrics,
        },
        Process {
            name: "kustomize-controller",
            measured: kustomize,
            metrics,
        },
    ])
}

/// The server of the sources.
pub(in crate::bench) enum Origin {
    /// A Git server over a folder, which does not fork.
    Git(GitServer, PathBuf),
    Oci(Box<Registry>, Client),
}

impl Origin {
    pub(in crate::bench) async fn start(
        kind: SourceKind,
        state: &Path,
        count: usize,
    ) -> anyhow::Result<Self> {
        let origin = if kind == SourceKind::Git {
            let root = state.join("git");
            for index in 0..count {
                Repository::init_bare(root.join(name(index)), "main")?;
            }
            Self::Git(GitServer::start(GitOptions::new(root.clone())).await?, root)
        } else {
            let client = Client::new(Arc::new(HttpClients::new("sluice-bench")));
            Self::Oci(Box::new(Registry::start().await), client)
        };
        origin.publish(count, 1).await?;
        Ok(origin)
    }

    /// Publishes a version of every pair.
    async fn publish(&self, count: usize, version: usize) -> anyhow::Result<()> {
        match self {
            Self::Git(_, root) => {
                for index in 0..count {
                    let change = Change::write("app.yaml", file(&name(index), version));
                    let repository = Repository::open(root.join(name(index)))?;
                    repository.commit("main", "Change app", &[change])?;
                }
                Ok(())
            }
            Self::Oci(registry, client) => oci::push(client, registry, count, version).await,
        }
    }

    fn kind(&self) -> GroupVersionKind {
        match self {
            Self::Git(..) => source_kind(),
            Self::Oci(..) => oci::kind(),
        }
    }

    fn spec(&self, name: &str) -> Value {
        match self {
            Self::Git(server, _) => json!({
                "interval": "60m", "url": server.url(name), "ref": { "branch": "main" },
            }),
            Self::Oci(registry, _) => oci::spec(registry, name),
        }
    }
}

/// Creates the pairs of a range. `target` extends the spec of the Kustomizations.
pub(in crate::bench) async fn create(
    cluster: &Cluster,
    origin: &Origin,
    target: &Value,
    pairs: Range<usize>,
) -> anyhow::Result<()> {
    let kind = &origin.kind();
    futures::stream::iter(pairs)
        .map(|index| async move {
            let name = name(index);
            let metadata = json!({ "name": name, "namespace": NAMESPACE });
            let source = json!({
                "apiVersion": "source.toolkit.fluxcd.io/v1", "kind": kind.kind,
                "metadata": metadata, "spec": origin.spec(&name),
            });
            let mut applied = json!({
                "apiVersion": "kustomize.toolkit.fluxcd.io/v1", "kind": "Kustomization",
                "metadata": metadata,
                "spec": {
                    "interval": "60m",
                    "path": "./",
                    "prune": true,
                    "wait": true,
                    "timeout": "5m",
                    "sourceRef": { "kind": kind.kind, "name": name },
                },
            });
            if let (Some(spec), Value::Object(target)) = (applied["spec"].as_object_mut(), target) {
                spec.extend(target.clone());
            }
            for (kind, object) in [(kind, source), (&kustomization_kind(), applied)] {
                cluster
                    .create(kind, Some(NAMESPACE), &object, PatchOptions::default())
                    .await?;
            }
            Ok::<_, anyhow::Error>(())
        })
        .buffer_unordered(IN_FLIGHT)
        .try_collect::<()>()
        .await
}

/// Measures the time from a new version of all pairs, and a request to each, to the last ready
/// Kustomization.
async fn upgrade(
    cluster: &Cluster,
    origin: &Origin,
    count: usize,
    log: &Path,
) -> anyhow::Result<Duration> {
    let kind = kustomization_kind();
    let options = ListOptions::default();
    let list = cluster.list(&kind, Some(NAMESPACE), &options).await?;
    let applied: BTreeMap<String, Value> = list
        .items
        .iter()
        .filter_map(|object| {
            let name = object["metadata"]["name"].as_str()?.to_owned();
            Some((name, object["status"]["lastAppliedRevision"].clone()))
        })
        .collect();
    ensure!(applied.len() == count, "{} are there", applied.len());
    origin.publish(count, 2).await?;

    let began = Instant::now();
    let (source, patch) = (
        &origin.kind(),
        &json!({ "metadata": { "annotations": { "reconcile.fluxcd.io/requestedAt": "now" } } }),
    );
    futures::stream::iter(0..count)
        .map(|index| async move {
            let options = PatchOptions::default();
            cluster
                .merge(source, Some(NAMESPACE), &name(index), patch, options)
                .await
        })
        .buffer_unordered(IN_FLIGHT)
        .try_collect::<Vec<_>>()
        .await?;
    let upgraded = all(cluster, &kind, count, |object| {
        let name = object["metadata"]["name"].as_str().unwrap_or_default();
        let revision = &object["status"]["lastAppliedRevision"];
        crate::bench::cluster::is_ready(object) && applied.get(name) != Some(revision)
    });
    within_timeout(upgraded, "upgraded", log).await?;
    Ok(began.elapsed())
}

async fn delete(cluster: &Cluster, count: usize) -> anyhow::Result<()> {
    let kind = &kustomization_kind();
    futures::stream::iter(0..count)
        .map(|index| async move {
            let options = DeleteOptions::default();
            cluster
                .delete(kind, Some(NAMESPACE), &name(index), &options)
                .await
        })
        .buffer_unordered(IN_FLIGHT)
        .try_collect::<Vec<bool>>()
        .await
        .context("delete the Kustomizations")?;
    tokio::time::timeout(TIMEOUT, none_left(cluster, kind))
        .await
        .with_context(|| format!("some remain after {TIMEOUT:?}"))?
}

/// Waits until no object of a kind exists.
pub(super) async fn none_left(cluster: &Cluster, kind: &GroupVersionKind) -> anyhow::Result<()> {
    let options = WatchOptions {
        initial: true,
        metadata_only: true,
        ..WatchOptions::default()
    };
    let name = |object: &Value| object["metadata"]["name"].to_string();
    loop {
        let (mut left, mut is_known) = (HashSet::new(), false);
        let mut events = cluster.watch(kind, Some(NAMESPACE), "", &options).await?;
        while let Some(event) = events.next().await {
            match event? {
                WatchEvent::Added(object) | WatchEvent::Modified(object) => {
                    left.insert(name(&object));
                }
                WatchEvent::Deleted(object) => {
                    left.remove(&name(&object));
                }
                WatchEvent::Bookmark(_) => is_known = true,
                WatchEvent::Error(_) => break,
            }
            if is_known && left.is_empty() {
                return Ok(());
            }
        }
    }
}
