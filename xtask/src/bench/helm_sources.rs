//! Costs of Helm repositories over HTTP: many `HelmCharts` of one repository, and one chart of a
//! large index.
//!
//! The floor of many charts is the same writes and downloads by a bare client. With
//! `REFERENCE_BIN_DIR`, the reference's controller is measured too.

use std::fmt::Write as _;
use std::time::{Duration, Instant};

use anyhow::bail;
use futures::{StreamExt as _, TryStreamExt as _};
use serde_json::{Value, json};
use sluice_client::{Cluster, DeleteOptions, GroupVersionKind, PatchOptions};
use sluice_devcluster::{ControlPlane, Options, Toolbox};
use sluice_dial::{Dial, HttpClients};
use sluice_testkit::ChartServer;

use super::CommonFlags;
use super::cluster::{self, IN_FLIGHT, NAMESPACE, TIMEOUT, float, name};
use super::controller::{SourceController, Subject};
use super::floor;
use super::floor::bodies;
use super::limits;
use super::process::Usage;
use super::report::Report;

/// `--concurrent` of the controller.
const CONCURRENT: usize = 10;
/// The chart of the large index that is asked for.
const WANTED: &str = "wanted";
const REPOSITORY: &str = "charts";
/// The digest of charts that no run downloads.
const DIGEST: &str = "0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef";

/// Aims of 1,000 charts and of an index of 26 MB with a release build.
const LIMITS: [limits::Limit; 2] = [("charts s", 30.0), ("index peak MiB", 40.0)];

#[derive(clap::Args, Debug)]
pub(super) struct Args {
    /// Number of `HelmCharts`
    #[arg(long, default_value_t = 1_000)]
    charts: usize,
    /// Size of the large index in MB
    #[arg(long, default_value_t = 26)]
    index: usize,
    /// Fail beyond the limits
    #[arg(long)]
    check: bool,
    #[command(flatten)]
    common: CommonFlags,
}

/// The time until all objects are ready, and the usage of the controller.
struct Figures {
    ready: Duration,
    usage: Usage,
}

pub(super) fn run(args: &Args) -> anyhow::Result<()> {
    let subjects = Subject::all_of(args.common.binary.as_deref(), &["source-controller"])?;
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .enable_all()
        .build()?;
    let mut report = Report::new(Subject::programs(&subjects))?;
    let mut verdicts = Vec::new();
    for subject in &subjects {
        let (floor, charts) = runtime.block_on(measure_charts(args, subject))?;
        let what = format!("{} HelmCharts", args.charts);
        let cpu = charts.usage.cpu.as_secs_f64() * 1000.0 / float(args.charts);
        report.add(
            subject.name,
            &what,
            &[
                ("floor s", floor.as_secs_f64()),
                ("ready s", charts.ready.as_secs_f64()),
                ("CPU ms per chart", cpu),
                ("peak MiB", charts.usage.peak_mib),
                ("peak anonymous MiB", charts.usage.peak_anonymous_mib),
            ],
        );
        let index = runtime.block_on(measure_index(args, subject))?;
        report.add(
            subject.name,
            &format!("one chart of an index of {} MB", args.index),
            &[
                ("ready s", index.ready.as_secs_f64()),
                ("CPU s", index.usage.cpu.as_secs_f64()),
                ("peak MiB", index.usage.peak_mib),
                ("peak anonymous MiB", index.usage.peak_anonymous_mib),
            ],
        );
        if subject.name == "ours" {
            let found = [
                ("charts s", charts.ready.as_secs_f64()),
                ("index peak MiB", index.usage.peak_mib),
            ];
            verdicts.extend(limits::judge(&LIMITS, &found));
        }
    }
    report.add_limits(&verdicts);
    report.save(args.common.record.as_deref())?;
    if args.check {
        limits::check(&verdicts)?;
    }
    Ok(())
}

/// A control plane with the definitions of sources.
async fn start() -> anyhow::Result<(ControlPlane, Cluster)> {
    let toolbox = Toolbox::from_environment()?.on_progress(|step| eprintln!("{step}"));
    let plane = ControlPlane::start(Options::new(toolbox)).await?;
    let cluster = cluster::connect(plane.kubeconfig())?;
    cluster::prepare(&cluster).await?;
    Ok((plane, cluster))
}

/// Measures the floor and a controller with many charts.
async fn measure_charts(args: &Args, subject: &Subject) -> anyhow::Result<(Duration, Figures)> {
    let state = tempfile::tempdir()?;
    let (plane, cluster) = start().await?;
    let server = ChartServer::start().await;
    for index in 0..args.charts {
        let text = cluster::file("{{ .Release.Name }}", 1);
        server.publish(&name(index), "1.0.0", &[("templates/app.yaml", &text)]);
    }
    let floor = floor(&cluster, &server, args.charts).await?;
    let charts: Vec<String> = (0..args.charts).map(name).collect();
    let url = server.url();
    let figures = measure(args, subject, &plane, &cluster, &url, state.path(), &charts);
    let figures = figures.await?;
    plane.stop();
    Ok((floor, figures))
}

/// Measures a controller with one chart of a large index.
async fn measure_index(args: &Args, subject: &Subject) -> anyhow::Result<Figures> {
    let state = tempfile::tempdir()?;
    let (plane, cluster) = start().await?;
    let server = ChartServer::start().await;
    server.publish(
        WANTED,
        "1.0.0",
        &[("templates/app.yaml", &cluster::file("app", 1))],
    );
    server.put("index.yaml", large_index(args.index * 1_000_000).as_bytes());
    let charts = [WANTED.to_owned()];
    let url = server.url();
    let figures = measure(args, subject, &plane, &cluster, &url, state.path(), &charts);
    let figures = figures.await?;
    plane.stop();
    Ok(figures)
}

/// An index of at least this many bytes, in the form of public repositories. The wanted chart is in
/// the middle.
fn large_index(bytes: usize) -> String {
    let mut text = String::with_capacity(bytes + 65_536);
    text.push_str("apiVersion: v1\nentries:\n");
    let mut number = 0;
    let mut has_wanted = false;
    while text.len() < bytes {
        if !has_wanted && text.len() > bytes / 2 {
            add_chart(&mut text, WANTED, 1, "");
            has_wanted = true;
        }
        add_chart(&mut text, &format!("chart-{number:05}"), 40, DIGEST);
        number += 1;
    }
    text.push_str("generated: \"2026-01-01T00:00:00Z\"\n");
    text
}

/// Adds versions of a chart. An archive without a digest is taken as it is.
fn add_chart(text: &mut String, name: &str, versions: usize, digest: &str) {
    // Writing to a text cannot fail.
    let _written = writeln!(text, "  {name}:");
    for version in (1..=versions).rev() {
        let _written = writeln!(
            text,
            "  - annotations:\n      category: Infrastructure\n    apiVersion: v2\n    appVersion: {version}.2.3\n    created: \"2026-01-01T00:00:00Z\"\n    dependencies:\n    - name: common\n      repository: https://charts.example.com/stable\n      version: 2.x.x\n    description: A chart of the bench, with a description of common length for a chart.\n    digest: '{digest}'\n    home: https://example.com/{name}\n    keywords:\n    - {name}\n    - infrastructure\n    maintainers:\n    - email: containers@example.com\n      name: Example\n    name: {name}\n    sources:\n    - https://github.com/example/{name}\n    urls:\n    - {name}-{version}.0.0.tgz\n    version: {version}.0.0"
        );
    }
}

/// Measures a controller until all of these charts are ready.
async fn measure(
    args: &Args,
    subject: &Subject,
    plane: &ControlPlane,
    cluster: &Cluster,
    url: &str,
    state: &std::path::Path,
    charts: &[String],
) -> anyhow::Result<Figures> {
    let log = match &args.common.log {
        Some(path) => path.clone(),
        None => state.join("controller.log"),
    };
    let controller = SourceController::start(subject, plane, state, &log, CONCURRENT)?;
    let began = Instant::now();
    let repository = json!({
        "apiVersion": "source.toolkit.fluxcd.io/v1", "kind": "HelmRepository",
        "metadata": { "name": REPOSITORY, "namespace": NAMESPACE },
        "spec": { "interval": "60m", "url": url },
    });
    let (kind, namespace) = (cluster::gvk_of(&repository)?, Some(NAMESPACE));
    cluster
        .create(&kind, namespace, &repository, PatchOptions::default())
        .await?;
    futures::stream::iter(charts)
        .map(|chart| create(cluster, chart, chart))
        .buffer_unordered(IN_FLIGHT)
        .try_collect::<()>()
        .await?;
    let kind = chart_kind();
    let ready = cluster::all_ready(cluster, &kind, charts.len());
    match tokio::time::timeout(TIMEOUT, ready).await {
        Ok(done) => done?,
        Err(_) => bail!("not all stored after {TIMEOUT:?}; log: {}", log.display()),
    }
    Ok(Figures {
        ready: began.elapsed(),
        usage: controller.process.usage()?,
    })
}

fn chart_kind() -> GroupVersionKind {
    GroupVersionKind::gvk("source.toolkit.fluxcd.io", "v1", "HelmChart")
}

async fn create(cluster: &Cluster, name: &str, chart: &str) -> anyhow::Result<()> {
    let object = json!({
        "apiVersion": "source.toolkit.fluxcd.io/v1", "kind": "HelmChart",
        "metadata": { "name": name, "namespace": NAMESPACE },
        "spec": {
            "chart": chart, "version": "1.0.0", "interval": "60m",
            "sourceRef": { "kind": "HelmRepository", "name": REPOSITORY },
        },
    });
    let (kind, options) = (chart_kind(), PatchOptions::default());
    cluster
        .create(&kind, Some(NAMESPACE), &object, options)
        .await?;
    Ok(())
}

/// The writes and downloads of many charts by a bare client.
async fn floor(cluster: &Cluster, server: &ChartServer, count: usize) -> anyhow::Result<Duration> {
    let client = HttpClients::new("sluice-bench").get(&Dial {
        direct: true,
        ..Dial::default()
    })?;
    let (client, kind, url) = (&client, &chart_kind(), &server.url());
    let began = Instant::now();
    futures::stream::iter(0..count)
        .map(|index| async move {
            let (chart, object) = (name(index), format!("floor-{index:04}"));
            create(cluster, &object, &chart).await?;
            finalizers(cluster, &object, json!(["finalizers.fluxcd.io"])).await?;
            let request = client.get(format!("{url}/{chart}-1.0.0.tgz"));
            request.send().await?.error_for_status()?.bytes().await?;
            floor::status(cluster, kind, &object, bodies::stored(&object)).await?;
            floor::event(cluster, kind, &object, bodies::EventKind::Stored).await
        })
        .buffer_unordered(CONCURRENT)
        .try_collect::<()>()
        .await?;
    let elapsed = began.elapsed();
    for index in 0..count {
        let object = format!("floor-{index:04}");
        finalizers(cluster, &object, Value::Null).await?;
        let options = DeleteOptions::default();
        cluster
            .delete(kind, Some(NAMESPACE), &object, &options)
            .await?;
    }
    Ok(elapsed)
}

async fn finalizers(cluster: &Cluster, name: &str, finalizers: Value) -> anyhow::Result<()> {
    let patch = json!({ "metadata": { "finalizers": finalizers } });
    let options = PatchOptions::default();
    cluster
        .merge(&chart_kind(), Some(NAMESPACE), name, &patch, options)
        .await?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn large_index_has_the_wanted_chart_once() {
        let text = large_index(100_000);
        assert!(text.len() >= 100_000);
        let index = sluice_yaml::v2::from_str(&text).unwrap();
        let entries = index["entries"].as_object().unwrap();
        assert_eq!(entries[WANTED][0]["version"], "1.0.0");
        assert_eq!(entries["chart-00000"].as_array().unwrap().len(), 40);
    }
}
