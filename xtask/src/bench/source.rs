//! Costs of sources: idle polls, a new commit in a large repository, and parallel downloads; with
//! git's own cost in the same run.
//!
//! A byte counter ([`wire`]) sits between the controller and its Git server.

mod downloads;
pub(super) mod large;
mod polls;
pub(super) mod wire;

use std::path::Path;
use std::time::{Duration, Instant};

use anyhow::{Context as _, ensure};
use serde_json::{Value, json};
use sluice_client::{Cluster, PatchOptions};
use sluice_devcluster::{ControlPlane, Options, Toolbox};

use super::CommonFlags;
use super::cluster::{self, NAMESPACE, source_kind};
use super::controller::{SourceController, Subject};
use super::process;
use super::record::Record;

/// `--concurrent` of the controller.
const CONCURRENT: usize = 10;
/// Poll interval of an object's state.
const POLL: Duration = Duration::from_millis(20);

#[derive(clap::Args, Debug)]
pub(super) struct Args {
    /// Number of polled `GitRepository` objects
    #[arg(long, default_value_t = 1000)]
    objects: usize,
    /// Seconds between the polls of one object
    #[arg(long, default_value_t = 30)]
    interval: u64,
    /// History size of the large repository, in MiB
    #[arg(long, default_value_t = 1024)]
    history: usize,
    /// Files in the tree of the large repository, 2 KiB each
    #[arg(long, default_value_t = 100_000)]
    files: usize,
    /// Parallel downloads of one artifact
    #[arg(long, default_value_t = 500)]
    downloads: usize,
    #[command(flatten)]
    common: CommonFlags,
}

pub(super) fn run(args: &Args) -> anyhow::Result<()> {
    let subject = Subject::ours(args.common.binary.as_deref())?;
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .enable_all()
        .build()?;
    let mut record = Record::begin();
    for (side, path) in Subject::programs(std::slice::from_ref(&subject)) {
        record.add_program(side, path)?;
    }
    let figures = runtime.block_on(measure(args, &subject))?;
    record.write(args.common.record.as_deref(), json!({ "figures": figures }))
}

async fn measure(args: &Args, subject: &Subject) -> anyhow::Result<Value> {
    let state = tempfile::tempdir()?;
    let toolbox = Toolbox::from_environment()?.on_progress(|step| eprintln!("{step}"));
    let plane = ControlPlane::start(Options::new(toolbox)).await?;
    let cluster = cluster::connect(plane.kubeconfig())?;
    cluster::prepare(&cluster).await?;
    // One controller for each part, so that memory is not shared.
    let polls = {
        let controller = start(args, subject, &plane, &state.path().join("polls"))?;
        polls::measure(args, &cluster, &controller, state.path()).await?
    };
    println!("{polls}");
    let (large, downloads) = {
        let controller = start(args, subject, &plane, &state.path().join("large"))?;
        let large = large::measure(args, &cluster, &controller, state.path()).await?;
        println!("{large}");
        let downloads = downloads::measure(args, &cluster, &controller).await?;
        (large, downloads)
    };
    println!("{downloads}");
    plane.stop();
    Ok(json!({
        "polls": polls.to_value(),
        "large": large.to_value(),
        "downloads": downloads.to_value(),
    }))
}

fn start(
    args: &Args,
    subject: &Subject,
    plane: &ControlPlane,
    state: &Path,
) -> anyhow::Result<SourceController> {
    let log = match &args.common.log {
        Some(path) => path.clone(),
        None => state.join("controller.log"),
    };
    SourceController::start(subject, plane, state, &log, CONCURRENT)
}

/// Counts completed reconciliations of a `GitRepository`.
async fn reconciliations(controller: &SourceController) -> anyhow::Result<f64> {
    let text = process::metrics(controller.metrics).await?;
    let counted = text.lines().filter(|line| {
        line.starts_with("gotk_reconcile_duration_seconds_count")
            && line.contains("kind=\"GitRepository\"")
    });
    Ok(counted
        .filter_map(|line| line.rsplit(' ').next()?.parse::<f64>().ok())
        .sum())
}

async fn create(cluster: &Cluster, name: &str, spec: &Value) -> anyhow::Result<()> {
    let object = json!({
        "apiVersion": "source.toolkit.fluxcd.io/v1", "kind": "GitRepository",
        "metadata": { "name": name, "namespace": NAMESPACE },
        "spec": spec,
    });
    cluster
        .create(
            &source_kind(),
            Some(NAMESPACE),
            &object,
            PatchOptions::default(),
        )
        .await?;
    Ok(())
}

/// Waits until an object is ready and `holds`, and samples the process.
async fn until(
    cluster: &Cluster,
    name: &str,
    limit: Duration,
    mut look: impl FnMut() -> anyhow::Result<()>,
    holds: impl Fn(&Value) -> bool,
) -> anyhow::Result<Value> {
    let began = Instant::now();
    loop {
        let object = cluster.get(&source_kind(), Some(NAMESPACE), name).await?;
        let object = object.with_context(|| format!("{name} is gone"))?;
        look()?;
        if cluster::is_ready(&object) && holds(&object) {
            return Ok(object);
        }
        let conditions = &object["status"]["conditions"];
        ensure!(began.elapsed() < limit, "{name} is not ready: {conditions}");
        tokio::time::sleep(POLL).await;
    }
}
