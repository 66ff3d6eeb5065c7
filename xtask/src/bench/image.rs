//! Costs of image updates and generated artifacts: selections, updates, scans, and artifacts of
//! many files.
//!
//! The controllers run as processes with a control plane ([`policies`], [`updates`], [`scans`],
//! [`artifacts`]). The scans and the updates of the reference are measured if `REFERENCE_BIN_DIR`
//! has its image-reflector-controller and image-automation-controller.

mod artifacts;
mod policies;
mod registry;
mod scans;
mod updates;

use super::CommonFlags;
use super::controller::Subject;
use super::limits;
use super::report::Report;

/// The ratio of the times of updates.
const UPDATE_RATIO: &str = "update beside the reference";

/// Limits of `--check`. They are aims for an idle machine.
const SELECTION_LIMITS: [limits::Limit; 3] = [
    ("semver ms", 50.0),
    ("alphabetical ms", 50.0),
    ("numerical ms", 50.0),
];
const SCAN_LIMITS: [limits::Limit; 2] = [("scans s", 30.0), ("scans peak MiB", 60.0)];
const ARTIFACT_LIMITS: [limits::Limit; 2] = [("artifact s", 3.0), ("artifacts written", 1.0)];
const REFERENCE_LIMIT: limits::Limit = (UPDATE_RATIO, 0.2);

#[derive(clap::Args, Debug)]
pub(super) struct Args {
    /// Parts to measure (default: all)
    #[arg(long, value_enum, value_delimiter = ',')]
    parts: Vec<Part>,
    /// Number of tags of a selection
    #[arg(long, default_value_t = 100_000)]
    tags: usize,
    /// Number of files of an updated repository
    #[arg(long, default_value_t = 5000)]
    files: usize,
    /// Number of markers in these files
    #[arg(long, default_value_t = 500)]
    markers: usize,
    /// Number of `ImageRepositories`
    #[arg(long, default_value_t = 1000)]
    repositories: usize,
    /// Number of tags of each
    #[arg(long, default_value_t = 500)]
    listed: usize,
    /// Number of files of one artifact
    #[arg(long, default_value_t = 50_000)]
    artifact: usize,
    /// Number of directories that become artifacts
    #[arg(long, default_value_t = 2000)]
    directories: usize,
    /// Number of measurements of selections and updates
    #[arg(long, default_value_t = 5)]
    runs: usize,
    /// Fail beyond the limits
    #[arg(long)]
    check: bool,
    #[command(flatten)]
    common: CommonFlags,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
enum Part {
    /// Selections of a tag
    Selections,
    /// Updates of a repository
    Updates,
    /// Scans of many repositories
    Scans,
    /// Generated artifacts
    Artifacts,
}

/// Figures of one part, by name.
type Figures = Vec<(&'static str, f64)>;

pub(super) fn run(args: &Args) -> anyhow::Result<()> {
    let controllers = [scans::CONTROLLER, updates::CONTROLLER];
    let sides = Subject::beside(args.common.binary.as_deref(), &controllers)?;
    let subject = &sides[0];
    let mut report = Report::new(Subject::programs(&sides))?;
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .enable_all()
        .build()?;
    let wants = |part: Part| args.parts.is_empty() || args.parts.contains(&part);
    let (mut figures, mut limits) = (Figures::new(), Vec::new());

    if wants(Part::Selections) {
        let selections = runtime.block_on(policies::measure(args, subject))?;
        let what = format!("selections from {} tags", args.tags);
        report.add(subject.name, &what, &selections);
        figures.extend(selections);
        limits.extend(SELECTION_LIMITS);
    }
    if wants(Part::Updates) {
        let what = format!(
            "an update of {} files with {} markers",
            args.files, args.markers
        );
        let mut times = Vec::new();
        for side in sides.iter().filter(|side| side.has(updates::CONTROLLER)) {
            let (seconds, peak) = runtime.block_on(updates::measure(args, side))?;
            let shown = [("update s", seconds), ("update peak MiB", peak)];
            report.add(side.name, &what, &shown);
            times.push(seconds);
        }
        if let [ours, theirs] = times[..] {
            figures.push((UPDATE_RATIO, ours / theirs));
            limits.push(REFERENCE_LIMIT);
        } else {
            println!(
                "  without  {UPDATE_RATIO}: REFERENCE_BIN_DIR has no {}",
                updates::CONTROLLER
            );
        }
    }
    if wants(Part::Scans) {
        let what = format!("{} repositories of {} tags", args.repositories, args.listed);
        for side in sides.iter().filter(|side| side.has(scans::CONTROLLER)) {
            let scans = runtime.block_on(scans::measure(args, side))?;
            report.add(side.name, &what, &scans);
            if side.name == subject.name {
                figures.extend(scans);
            }
        }
        limits.extend(SCAN_LIMITS);
    }
    if wants(Part::Artifacts) {
        let artifacts = runtime.block_on(artifacts::measure(args, subject))?;
        let what = format!(
            "an artifact of {} files, then one changed file of {} directories",
            args.artifact, args.directories
        );
        report.add(subject.name, &what, &artifacts);
        figures.extend(artifacts);
        limits.extend(ARTIFACT_LIMITS);
    }
    let verdicts = limits::judge(&limits, &figures);
    report.add_limits(&verdicts);
    report.save(args.common.record.as_deref())?;
    if args.check {
        limits::check(&verdicts)?;
    }
    Ok(())
}
