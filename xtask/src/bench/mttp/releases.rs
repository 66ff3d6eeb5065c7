//! `HelmReleases` of one chart: creation until ready, a new version until upgraded, and deletion.
//!
//! An artifact server replaces the source-controller. The chart has the four objects of a pair.

use std::time::{Duration, Instant};

use anyhow::Context as _;
use futures::{StreamExt as _, TryStreamExt as _};
use serde_json::{Value, json};
use sluice_client::{Cluster, DeleteOptions, GroupVersionKind, PatchOptions};
use sluice_devcluster::{ControlPlane, Options, Toolbox};
use sluice_testkit::ArtifactServer;

use super::Args;
use super::pairs::{none_left, within_timeout};
use crate::bench::cluster::{
    IN_FLIGHT, NAMESPACE, all, all_ready, apply, connect, define, file, float, free_ports,
    is_ready, name, prepare, release_kind as kind, requests, since,
};
use crate::bench::controller::Subject;
use crate::bench::floor;
use crate::bench::limits;
use crate::bench::process::Usage;
use crate::bench::report::Report;

const CONTROLLER: &str = "helm-controller";
/// `--concurrent` of the controller.
const CONCURRENT: usize = 10;
const CHART: &str = "app";

/// Aims of 1,000 releases with a release build.
const AIMS: &[limits::Limit] = &[("ready, × floor", 1.3), ("peak MiB", 80.0)];
/// Limits of `--check` for 20 releases with a debug build. It takes 1.01 of the floor, 20.4
/// requests, and 76 MiB. Requests do not depend on the machine.
const LIMITS: &[limits::Limit] = &[
    ("ready, × floor", 3.0),
    ("requests per release", 23.5),
    ("peak MiB", 115.0),
];

/// The figures of a side.
struct Figures {
    floor: Duration,
    ready: Duration,
    /// Usage until all are ready.
    usage: Usage,
    requests: f64,
    upgraded: Duration,
    deleted: Duration,
    /// Usage until the end.
    whole: Usage,
}

impl Figures {
    fn ratio(&self) -> f64 {
        self.ready.div_duration_f64(self.floor)
    }
}

pub(super) fn run(args: &Args) -> anyhow::Result<()> {
    let binary = args.common.binary.as_deref();
    let subjects = if args.apart {
        Subject::all_of(binary, &[CONTROLLER])?
    } else {
        vec![Subject::ours(binary)?]
    };
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .enable_all()
        .build()?;
    let mut report = Report::new(Subject::programs(&subjects))?;
    let mut verdicts = Vec::new();
    let limits = if args.check { LIMITS } else { AIMS };
    for count in &args.objects {
        for subject in &subjects {
            let figures = runtime.block_on(measure(*count, args, subject))?;
            let each = float(*count);
            report.add(
                subject.name,
                &format!("{count} HelmReleases"),
                &[
                    ("floor s", figures.floor.as_secs_f64()),
                    ("ready s", figures.ready.as_secs_f64()),
                    ("ready, × floor", figures.ratio()),
                    ("upgraded s", figures.upgraded.as_secs_f64()),
                    ("deleted s", figures.deleted.as_secs_f64()),
                    ("requests per release", figures.requests / each),
                    (
                        "CPU ms per release",
                        figures.usage.cpu.as_secs_f64() * 1000.0 / each,
                    ),
                    ("peak MiB", figures.usage.peak_mib),
                    ("peak anonymous MiB", figures.usage.peak_anonymous_mib),
                    ("peak MiB until the end", figures.whole.peak_mib),
                ],
            );
            if subject.name == "ours" {
                let found = [
                    ("ready, × floor", figures.ratio()),
                    ("requests per release", figures.requests / each),
                    ("peak MiB", figures.whole.peak_mib),
                ];
                verdicts.extend(limits::judge(limits, &found));
            }
        }
    }
    report.add_limits(&verdicts);
    report.save(args.common.record.as_deref())?;
    if args.check {
        limits::check(&verdicts)?;
    }
    Ok(())
}

async fn measure(count: usize, args: &Args, subject: &Subject) -> anyhow::Result<Figures> {
    let state = tempfile::tempdir()?;
    let toolbox = Toolbox::from_environment()?.on_progress(|step| eprintln!("{step}"));
    let plane = ControlPlane::start(Options::new(toolbox)).await?;
    let cluster = connect(plane.kubeconfig())?;
    prepare(&cluster).await?;
    define(&cluster, "helm-controller", &[kind()]).await?;
    let floor = floor::releases::measure(&cluster, count).await?;
    let charts = ArtifactServer::start().await;
    publish(&cluster, &charts, 1).await?;
    let log = match &args.common.log {
        Some(path) => path.clone(),
        None => state.path().join("controller.log"),
    };
    let [metrics, health] = free_ports::<2>()?;
    let flags = [
        format!("--metrics-addr=127.0.0.1:{metrics}"),
        format!("--health-addr=127.0.0.1:{health}"),
        format!("--concurrent={CONCURRENT}"),
    ];
    let process = subject.start(CONTROLLER, &flags, &plane, &log)?;
    let before = requests(&cluster).await?;

    let began = Instant::now();
    create(&cluster, count).await?;
    within_timeout(all_ready(&cluster, &kind(), count), "Ready", &log).await?;
    let ready = began.elapsed();
    let asked = since(&before, requests(&cluster).await?);
    let usage = process.usage()?;

    let began = Instant::now();
    publish(&cluster, &charts, 2).await?;
    let release = kind();
    let upgraded = all(&cluster, &release, count, |object| {
        is_ready(object) && object["status"]["history"][0]["chartVersion"] == "2.0.0"
    });
    within_timeout(upgraded, "upgraded", &log).await?;
    let upgraded = began.elapsed();

    let began = Instant::now();
    delete(&cluster, count).await?;
    within_timeout(none_left(&cluster, &kind()), "deleted", &log).await?;
    let deleted = began.elapsed();
    let whole = process.usage()?;
    drop(process);
    plane.stop();
    Ok(Figures {
        floor,
        ready,
        usage,
        requests: asked.values().sum(),
        upgraded,
        deleted,
        whole,
    })
}

/// Publishes a version of the chart, as the source-controller does.
async fn publish(cluster: &Cluster, charts: &ArtifactServer, version: usize) -> anyhow::Result<()> {
    let chart = GroupVersionKind::gvk("source.toolkit.fluxcd.io", "v1", "HelmChart");
    let metadata = format!("apiVersion: v2\nname: {CHART}\nversion: {version}.0.0\n");
    let files = [
        ("app/Chart.yaml", &*metadata),
        (
            "app/templates/app.yaml",
            &file("{{ .Release.Name }}", version),
        ),
    ];
    let artifact = charts.publish_files(&format!("{version}.0.0"), &files);
    let object = json!({
        "apiVersion": "source.toolkit.fluxcd.io/v1", "kind": "HelmChart",
        "metadata": { "name": CHART, "namespace": NAMESPACE },
        "spec": {
            "chart": CHART, "interval": "60m",
            "sourceRef": { "kind": "HelmRepository", "name": "charts" },
        },
    });
    apply(cluster, Some(NAMESPACE), &object, "bench", false).await?;
    let status = json!({
        "artifact": artifact, "observedGeneration": 1,
        "conditions": [{
            "type": "Ready", "status": "True", "reason": "Succeeded", "message": "stored",
            "lastTransitionTime": "2026-01-01T00:00:00Z",
        }],
    });
    floor::status(cluster, &chart, CHART, status).await
}

async fn create(cluster: &Cluster, count: usize) -> anyhow::Result<()> {
    futures::stream::iter(0..count)
        .map(|index| async move {
            let object: Value = json!({
                "apiVersion": "helm.toolkit.fluxcd.io/v2", "kind": "HelmRelease",
                "metadata": { "name": name(index), "namespace": NAMESPACE },
                "spec": {
                    "interval": "60m", "timeout": "5m",
                    "chartRef": { "kind": "HelmChart", "name": CHART },
                },
            });
            cluster
                .create(&kind(), Some(NAMESPACE), &object, PatchOptions::default())
                .await
        })
        .buffer_unordered(IN_FLIGHT)
        .try_collect::<Vec<_>>()
        .await?;
    Ok(())
}

async fn delete(cluster: &Cluster, count: usize) -> anyhow::Result<()> {
    futures::stream::iter(0..count)
        .map(|index| async move {
            let options = DeleteOptions::default();
            cluster
                .delete(&kind(), Some(NAMESPACE), &name(index), &options)
                .await
        })
        .buffer_unordered(IN_FLIGHT)
        .try_collect::<Vec<bool>>()
        .await
        .context("delete the HelmReleases")?;
    Ok(())
}
