//! All controllers at once: memory without objects, the start to the first reconciliation, and a
//! fleet. The fleet has Kustomizations and `HelmReleases` with their sources.
//!
//! Our binary is measured as one process and as one process per controller. The reference has one
//! per controller, of those that are in `REFERENCE_BIN_DIR`. Start at [`measure`]. The sizes of the
//! images are a part of their own, which needs no cluster ([`images`]).

mod fleet;
mod images;
mod processes;

use std::time::{Duration, Instant};

use sluice::commands::controller::NAMES;
use sluice_client::Cluster;
use sluice_devcluster::{ControlPlane, Options, Toolbox};

use super::CommonFlags;
use super::cluster::{self, float, release_kind, source_kind};
use super::controller::Subject;
use super::limits;
use super::report::Report;
use fleet::Fleet;
use processes::{Memory, Processes, Topology};

/// Time after which started controllers are idle.
const STARTED: Duration = Duration::from_secs(10);

/// Aims of one process with 1,000 Kustomizations and 200 `HelmReleases`, with a release build.
const LIMITS: &[limits::Limit] = &[
    ("empty MiB", 30.0),
    ("peak MiB", 90.0),
    ("start to first reconciliation s", 2.0),
];
const IMAGE_LIMIT: &[limits::Limit] = &[("download MB", 45.0)];

#[derive(clap::Args, Debug)]
pub(super) struct Args {
    /// Parts to measure (default: all)
    #[arg(long, value_enum, value_delimiter = ',')]
    parts: Vec<Part>,
    /// Number of Kustomizations, with a `GitRepository` each
    #[arg(long, default_value_t = 1000)]
    kustomizations: usize,
    /// Number of `HelmReleases`, with a `HelmChart` each
    #[arg(long, default_value_t = 200)]
    releases: usize,
    /// Seconds of the measurement at rest
    #[arg(long, default_value_t = 60)]
    seconds: u64,
    /// Fail beyond the limits
    #[arg(long)]
    check: bool,
    #[command(flatten)]
    common: CommonFlags,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
enum Part {
    /// One process for all of our controllers
    Single,
    /// One process per controller, of ours and of the reference
    Apart,
    /// The sizes of the images
    Images,
}

/// Figures by name.
type Figures = Vec<(&'static str, f64)>;

pub(super) fn run(args: &Args) -> anyhow::Result<()> {
    let subjects = Subject::beside(args.common.binary.as_deref(), NAMES)?;
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .enable_all()
        .build()?;
    let mut report = Report::new(Subject::programs(&subjects))?;
    let wants = |part: Part| args.parts.is_empty() || args.parts.contains(&part);
    let mut verdicts = Vec::new();
    if wants(Part::Single) {
        let measured = measure(args, &subjects[0], Topology::Single, &mut report);
        let figures = runtime.block_on(measured)?;
        verdicts.extend(limits::judge(LIMITS, &figures));
    }
    if wants(Part::Apart) {
        for subject in &subjects {
            runtime.block_on(measure(args, subject, Topology::Apart, &mut report))?;
        }
    }
    if wants(Part::Images) {
        let download = images::measure(&subjects, &mut report)?;
        verdicts.extend(limits::judge(IMAGE_LIMIT, &[("download MB", download)]));
    }
    report.add_limits(&verdicts);
    report.save(args.common.record.as_deref())?;
    if args.check {
        limits::check(&verdicts)?;
    }
    Ok(())
}

/// Measures a side in a topology, and returns the figures that have limits.
async fn measure(
    args: &Args,
    subject: &Subject,
    topology: Topology,
    report: &mut Report,
) -> anyhow::Result<Figures> {
    let state = tempfile::tempdir()?;
    let (plane, cluster) = start_plane().await?;
    let fleet = Fleet::start(cluster, state.path(), args.kustomizations).await?;
    let log = args.common.log.as_deref();
    let start = || Processes::start(subject, topology, &plane, state.path(), log);

    let processes = start()?;
    let empty = processes.at_rest(STARTED).await?;
    let what = topology.describe();
    let mut figures = vec![("processes", float(processes.count()))];
    figures.extend(rest(&empty));
    report.add(subject.name, &format!("{what}, no objects"), &figures);
    if topology == Topology::Apart {
        for (name, memory) in processes.names().zip(&empty) {
            report.add(
                subject.name,
                &format!("{name}, no objects"),
                &rest(&[*memory]),
            );
        }
    }
    drop(processes);

    fleet.create_pairs(0..1).await?;
    let began = Instant::now();
    let processes = start()?;
    let (source, applied) = tokio::try_join!(
        fleet.until_ready(source_kind(), 1, began),
        fleet.until_ready(cluster::kustomization_kind(), 1, began),
    )?;
    let first = [
        ("GitRepository ready s", source.as_secs_f64()),
        ("Kustomization ready s", applied.as_secs_f64()),
    ];
    report.add(
        subject.name,
        &format!("{what}, from start to first reconciliation"),
        &first,
    );

    let before = cluster::requests(&fleet.cluster).await?;
    let began = Instant::now();
    let (pairs, releases) = (args.kustomizations, args.releases);
    tokio::try_join!(
        fleet.create_pairs(1..pairs),
        fleet.create_releases(releases)
    )?;
    let (applied, released) = tokio::try_join!(
        fleet.until_ready(cluster::kustomization_kind(), pairs, began),
        fleet.until_ready(release_kind(), releases, began),
    )?;
    let requests = cluster::since(&before, cluster::requests(&fleet.cluster).await?);
    let working = processes.usage().await?;
    let idle = processes.at_rest(Duration::from_secs(args.seconds)).await?;
    let cpu_at_rest: Duration = processes
        .cpu()?
        .saturating_sub(working.iter().map(|it| it.cpu).sum());

    let load = format!("{pairs} Kustomizations and {releases} HelmReleases");
    let peak: f64 = working.iter().map(|it| it.peak_mib).sum();
    let mut figures = vec![
        ("Kustomizations ready s", applied.as_secs_f64()),
        ("HelmReleases ready s", released.as_secs_f64()),
        ("requests", working.iter().map(|it| it.requests).sum()),
        ("CPU s", working.iter().map(|it| it.cpu.as_secs_f64()).sum()),
        ("peak MiB", peak),
        (
            "peak anonymous MiB",
            working.iter().map(|it| it.peak_anonymous_mib).sum(),
        ),
    ];
    figures.extend(rest(&idle));
    let hours = Duration::from_secs(args.seconds.max(1)).as_secs_f64() / 3600.0;
    figures.push(("CPU s per hour at rest", cpu_at_rest.as_secs_f64() / hours));
    report.add(subject.name, &format!("{what}, {load}"), &figures);
    let each = processes.names().zip(&idle).zip(&working);
    for ((name, memory), working) in each.filter(|_| topology == Topology::Apart) {
        let mut figures = vec![
            ("requests", working.requests),
            ("CPU s", working.cpu.as_secs_f64()),
            ("peak MiB", working.peak_mib),
            ("peak anonymous MiB", working.peak_anonymous_mib),
        ];
        figures.extend(rest(&[*memory]));
        report.add(subject.name, &format!("{name}, {load}"), &figures);
    }
    for (name, count) in &requests {
        eprintln!("    {count:8.0} × {name}");
    }
    drop(processes);
    plane.stop();
    Ok(vec![
        ("empty MiB", empty.iter().map(|it| it.resident).sum()),
        ("peak MiB", peak),
        ("start to first reconciliation s", source.as_secs_f64()),
    ])
}

/// Starts a control plane with the definitions of all controllers.
async fn start_plane() -> anyhow::Result<(ControlPlane, Cluster)> {
    let toolbox = Toolbox::from_environment()?.on_progress(|step| eprintln!("{step}"));
    let plane = ControlPlane::start(Options::new(toolbox)).await?;
    let cluster = cluster::connect(plane.kubeconfig())?;
    cluster::prepare(&cluster).await?;
    for controller in NAMES {
        cluster::define(&cluster, controller, &[source_kind()]).await?;
    }
    cluster::define(&cluster, "helm-controller", &[release_kind()]).await?;
    Ok((plane, cluster))
}

/// Sums the memory of processes at rest.
fn rest(memory: &[Memory]) -> Figures {
    vec![
        ("idle MiB", memory.iter().map(|it| it.resident).sum()),
        (
            "idle anonymous MiB",
            memory.iter().map(|it| it.anonymous).sum(),
        ),
        (
            "idle MiB, shared pages once",
            memory.iter().map(|it| it.proportional).sum(),
        ),
    ]
}
