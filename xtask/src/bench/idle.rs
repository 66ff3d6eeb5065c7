//! Costs of idle Kustomizations: requests, CPU and memory, and the memory of a controller without
//! objects.

use std::time::{Duration, Instant};

use anyhow::Context as _;
use futures::{StreamExt as _, TryStreamExt as _};
use serde_json::json;

use super::CommonFlags;
use super::cluster::{self, IN_FLIGHT, float};
use super::controller::Subject;
use super::report::Report;
use super::stage::{File, Stage, config_map, joined};

const SOURCE: &str = "source";
/// Time after which a started controller is idle.
const STARTED: Duration = Duration::from_secs(5);

#[derive(clap::Args, Debug)]
pub(super) struct Args {
    /// Number of Kustomizations
    #[arg(long, default_value_t = 1000)]
    kustomizations: usize,
    /// Objects of each
    #[arg(long, default_value_t = 10)]
    objects: usize,
    /// Interval of each
    #[arg(long, default_value = "10m")]
    interval: String,
    /// Seconds of the measurement
    #[arg(long, default_value_t = 3600)]
    seconds: u64,
    /// Value of `--concurrent`
    #[arg(long, default_value_t = 4)]
    concurrent: usize,
    #[command(flatten)]
    common: CommonFlags,
}

pub(super) fn run(args: &Args) -> anyhow::Result<()> {
    let subjects = Subject::all(args.common.binary.as_deref())?;
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .enable_all()
        .build()?;
    let mut report = Report::new(Subject::programs(&subjects))?;
    runtime.block_on(async {
        for subject in &subjects {
            measure(args, subject, &mut report).await?;
        }
        anyhow::Ok(())
    })?;
    report.save(args.common.record.as_deref())
}

async fn measure(args: &Args, subject: &Subject, report: &mut Report) -> anyhow::Result<()> {
    let stage = Stage::start(args.common.log.as_deref()).await?;
    let flags = [format!("--concurrent={}", args.concurrent)];
    let flags = flags.each_ref().map(String::as_str);
    let controller = stage.start_controller(subject, &flags)?;
    let empty = controller.most_resident_mib(STARTED).await?;

    // One small source each, so that artifacts differ as in practice.
    let (stage_, began) = (&stage, Instant::now());
    futures::stream::iter(0..args.kustomizations)
        .map(|each| async move {
            let name = cluster::name(each);
            let documents =
                (0..args.objects).map(|index| config_map(&format!("{name}-{index}"), "1"));
            let files: Vec<File> = vec![("all.yaml".to_owned(), joined(documents))];
            stage_
                .publish(&format!("{SOURCE}-{name}"), "0", &files)
                .await?;
            let spec = json!({ "interval": args.interval });
            stage_
                .kustomization(&name, &format!("{SOURCE}-{name}"), spec)
                .await
        })
        .buffer_unordered(IN_FLIGHT)
        .try_collect::<()>()
        .await?;
    let kind = cluster::kustomization_kind();
    let created = cluster::all_ready(&stage.cluster, &kind, args.kustomizations);
    let limit = cluster::TIMEOUT * 4;
    tokio::time::timeout(limit, created)
        .await
        .with_context(|| format!("not all are ready after {limit:?}"))??;
    let created = began.elapsed();
    let peak = controller.usage()?.peak_mib;

    let requests = cluster::requests(&stage.cluster).await?;
    let before = controller.usage()?.cpu;
    let began = Instant::now();
    let memory = controller
        .most_resident_mib(Duration::from_secs(args.seconds))
        .await?;
    let took = began.elapsed();
    let requests = cluster::since(&requests, cluster::requests(&stage.cluster).await?);
    let hours = took.as_secs_f64() / 3600.0;
    let cpu = controller.usage()?.cpu.saturating_sub(before);
    report.add(
        subject.name,
        &format!(
            "{} idle Kustomizations of {} objects at {}, {} s",
            args.kustomizations, args.objects, args.interval, args.seconds
        ),
        &[
            ("empty MiB", empty),
            ("created s", created.as_secs_f64()),
            ("peak MiB of that", peak),
            ("idle MiB", memory),
            ("idle anonymous MiB", controller.anonymous_mib()?),
            (
                "idle KiB each",
                (memory - empty) * 1024.0 / float(args.kustomizations),
            ),
            // A sum of nothing is -0.
            (
                "requests per hour",
                (0.0 + requests.values().sum::<f64>()) / hours,
            ),
            ("CPU s per hour", cpu.as_secs_f64() / hours),
        ],
    );
    for (name, count) in &requests {
        eprintln!("    {:8.0} × {name} per hour", count / hours);
    }
    Ok(())
}
