//! Costs of a Bucket with many objects: its first fetch, a poll without a change, and memory.
//!
//! The store ([`store`]) runs in this process and counts requests. The floor is the download of the
//! same objects by a bare client. With `REFERENCE_BIN_DIR`, the reference's controller is measured
//! too.

mod store;

use std::time::{Duration, Instant};

use anyhow::{Context as _, ensure};
use futures::{StreamExt as _, TryStreamExt as _};
use serde_json::{Value, json};
use sluice_client::{Cluster, GroupVersionKind, PatchOptions};
use sluice_devcluster::{ControlPlane, Options, Toolbox};
use sluice_dial::{Dial, HttpClients};

use super::CommonFlags;
use super::cluster::{self, NAMESPACE, POLL, TIMEOUT, float};
use super::controller::{SourceController, Subject};
use super::limits;
use super::report::Report;

use store::Store;

const NAME: &str = "many";
/// Parallel downloads of the bare client, as many as ours.
const IN_FLIGHT: usize = 16;
/// The annotation that requests a run.
const REQUESTED: &str = "reconcile.fluxcd.io/requestedAt";
const FIRST_RATIO: &str = "first fetch beside the reference";

/// Limits of `--check`. They are aims for an idle machine.
const LIMITS: [limits::Limit; 3] = [
    ("listings of a poll", 1.0),
    ("downloads of a poll", 0.0),
    ("peak MiB", 40.0),
];
const REFERENCE_LIMIT: limits::Limit = (FIRST_RATIO, 0.5);

#[derive(clap::Args, Debug)]
pub(super) struct Args {
    /// Number of objects
    #[arg(long, default_value_t = 10_000)]
    objects: usize,
    /// Size of an object in bytes
    #[arg(long, default_value_t = 1024)]
    bytes: usize,
    /// Fail beyond the limits
    #[arg(long)]
    check: bool,
    #[command(flatten)]
    common: CommonFlags,
}

/// The figures of a side.
struct Figures {
    first: Duration,
    listings: usize,
    downloads: usize,
    peak_mib: f64,
}

pub(super) fn run(args: &Args) -> anyhow::Result<()> {
    let subjects = Subject::all(args.common.binary.as_deref())?;
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .enable_all()
        .build()?;
    let mut report = Report::new(Subject::programs(&subjects))?;
    let what = format!("{} objects of {} bytes", args.objects, args.bytes);
    let floor = runtime.block_on(download(args))?;
    report.add("floor", &what, &[("downloads s", floor.as_secs_f64())]);
    let mut all = Vec::new();
    for subject in &subjects {
        let figures = runtime.block_on(measure(args, subject))?;
        report.add(
            subject.name,
            &what,
            &[
                ("first fetch s", figures.first.as_secs_f64()),
                ("listings of a poll", float(figures.listings)),
                ("downloads of a poll", float(figures.downloads)),
                ("peak MiB", figures.peak_mib),
            ],
        );
        all.push(figures);
    }
    let verdicts = judge(&all);
    report.add_limits(&verdicts);
    report.save(args.common.record.as_deref())?;
    if args.check {
        limits::check(&verdicts)?;
    }
    Ok(())
}

/// Compares our figures with the limits. The reference may not be there.
fn judge(sides: &[Figures]) -> Vec<limits::Verdict> {
    let Some((ours, others)) = sides.split_first() else {
        return Vec::new();
    };
    let mut figures = vec![
        ("listings of a poll", float(ours.listings)),
        ("downloads of a poll", float(ours.downloads)),
        ("peak MiB", ours.peak_mib),
    ];
    let mut limits = LIMITS.to_vec();
    match others.first() {
        Some(reference) => {
            let ratio = ours.first.as_secs_f64() / reference.first.as_secs_f64();
            figures.push((FIRST_RATIO, ratio));
            limits.push(REFERENCE_LIMIT);
        }
        None => println!("  without  {FIRST_RATIO}: REFERENCE_BIN_DIR is not set"),
    }
    limits::judge(&limits, &figures)
}

/// Downloads all objects with a bare client.
async fn download(args: &Args) -> anyhow::Result<Duration> {
    let store = Store::start(args.objects, args.bytes).await?;
    let client = HttpClients::new("sluice-bench").get(&Dial {
        direct: true,
        ..Dial::default()
    })?;
    let began = Instant::now();
    futures::stream::iter(0..args.objects)
        .map(|number| {
            let request = client.get(store.url(number));
            async move {
                let response = request.send().await?.error_for_status()?;
                response.bytes().await.map(drop)
            }
        })
        .buffer_unordered(IN_FLIGHT)
        .try_collect::<()>()
        .await?;
    Ok(began.elapsed())
}

async fn measure(args: &Args, subject: &Subject) -> anyhow::Result<Figures> {
    let state = tempfile::tempdir()?;
    let toolbox = Toolbox::from_environment()?.on_progress(|step| eprintln!("{step}"));
    let plane = ControlPlane::start(Options::new(toolbox)).await?;
    let cluster = cluster::connect(plane.kubeconfig())?;
    cluster::prepare(&cluster).await?;
    let log = match &args.common.log {
        Some(path) => path.clone(),
        None => state.path().join("controller.log"),
    };
    let controller = SourceController::start(subject, &plane, state.path(), &log, 2)?;
    let store = Store::start(args.objects, args.bytes).await?;
    let began = Instant::now();
    create(&cluster, &store).await?;
    until(&cluster, cluster::is_ready).await?;
    let first = began.elapsed();
    store.take();
    request(&cluster, "1").await?;
    let is_handled = |object: &Value| object["status"]["lastHandledReconcileAt"] == "1";
    until(&cluster, is_handled).await?;
    let requests = store.take();
    let usage = controller.process.usage()?;
    drop(controller);
    plane.stop();
    Ok(Figures {
        first,
        listings: requests.listings,
        downloads: requests.downloads,
        peak_mib: usage.peak_mib,
    })
}

fn bucket() -> GroupVersionKind {
    GroupVersionKind::gvk("source.toolkit.fluxcd.io", "v1", "Bucket")
}

async fn create(cluster: &Cluster, store: &Store) -> anyhow::Result<()> {
    let object = json!({
        "apiVersion": "source.toolkit.fluxcd.io/v1", "kind": "Bucket",
        "metadata": { "name": NAME, "namespace": NAMESPACE },
        "spec": {
            "provider": "generic", "bucketName": store::NAME, "endpoint": store.host(),
            "insecure": true, "interval": "1h", "timeout": "10m",
        },
    });
    let options = PatchOptions::default();
    cluster
        .create(&bucket(), Some(NAMESPACE), &object, options)
        .await?;
    Ok(())
}

async fn request(cluster: &Cluster, token: &str) -> anyhow::Result<()> {
    let object = json!({
        "apiVersion": "source.toolkit.fluxcd.io/v1", "kind": "Bucket",
        "metadata": {
            "name": NAME, "namespace": NAMESPACE, "annotations": { REQUESTED: token },
        },
    });
    cluster::apply(cluster, Some(NAMESPACE), &object, "bench-request", false).await
}

/// Waits until the Bucket `holds`.
async fn until(cluster: &Cluster, holds: impl Fn(&Value) -> bool) -> anyhow::Result<()> {
    let began = Instant::now();
    loop {
        let object = cluster.get(&bucket(), Some(NAMESPACE), NAME).await?;
        let object = object.context("the Bucket is gone")?;
        if holds(&object) {
            return Ok(());
        }
        let conditions = &object["status"]["conditions"];
        ensure!(
            began.elapsed() < TIMEOUT,
            "the Bucket is not ready: {conditions}"
        );
        tokio::time::sleep(POLL).await;
    }
}
