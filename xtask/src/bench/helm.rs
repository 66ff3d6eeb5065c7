//! Our renders beside the pinned `helm template`: whole processes, and many renders in one process
//! beside as many starts of Helm.
//!
//! Outputs are compared before the measurement, without the lines that are random in Helm. Both
//! sides take turns. The generated charts are in [`inputs`]; other charts are arguments.
//! `REFERENCE_BIN_DIR` names the directory with `helm`.

mod inputs;

use std::path::{Path, PathBuf};

use anyhow::{Context as _, ensure};

use super::measure::{Program, release_build};
use super::sides::{ComparisonFlags, Sides, Targets};

/// Renders within one process, and starts of Helm.
const MANY: usize = 200;
/// The largest output of a small chart, in bytes.
const SMALL: usize = 20_000;

#[derive(clap::Args, Debug)]
pub(super) struct Args {
    /// More charts to render
    charts: Vec<PathBuf>,
    /// Turns of each side
    #[arg(long, default_value_t = 10)]
    turns: usize,
    /// Include custom resource definitions
    #[arg(long)]
    include_crds: bool,
    /// Example `in_process` to measure instead of a release build
    #[arg(long)]
    in_process: Option<PathBuf>,
    #[command(flatten)]
    comparison: ComparisonFlags,
}

pub(super) fn run(args: &Args) -> anyhow::Result<()> {
    let mut sides = Sides::find(&args.comparison, "helm")?;
    let place = tempfile::tempdir()?;
    let (small, large) = (place.path().join("small"), place.path().join("large"));
    inputs::small(&small)?;
    inputs::large(&large)?;
    for chart in [&small, &large].into_iter().chain(&args.charts) {
        let name = chart.file_name().unwrap_or_default().to_string_lossy();
        whole_processes(args, &mut sides, chart, &name)?;
    }
    in_one_process(args, &mut sides, &small)?;
    sides.end(&args.comparison)
}

/// Measures one render, from the start of a process to its end.
fn whole_processes(args: &Args, sides: &mut Sides, chart: &Path, name: &str) -> anyhow::Result<()> {
    let crds: &[&str] = if args.include_crds {
        &["--include-crds"]
    } else {
        &[]
    };
    let words = [&["build", "chart"], crds].concat();
    let folder = [chart.to_owned()];
    let ours = Program::new(&sides.ours, &words, &folder);
    let theirs = sides.theirs.as_deref().map(|helm| {
        let words = [&["template", "release-name"], crds].concat();
        Program::new(helm, &words, &folder)
    });
    let (output, _) = ours.watched()?;
    if let Some(theirs) = &theirs {
        let (first, _) = theirs.watched()?;
        let (second, _) = theirs.watched()?;
        check(name, &output, &first, &second)?;
    }
    let targets = Targets {
        time: Some(if output.len() <= SMALL { 0.15 } else { 0.2 }),
        memory: Some(0.4),
        ..Targets::default()
    };
    let what = format!("{name}, {} bytes", output.len());
    sides.compare_programs(&what, &ours, theirs.as_ref(), args.turns, targets, None)
}

/// Measures many renders of a chart in one process, on two threads. Two processes of Helm run at a
/// time.
fn in_one_process(args: &Args, sides: &mut Sides, chart: &Path) -> anyhow::Result<()> {
    let program = match &args.in_process {
        Some(path) => path.clone(),
        None => release_build(
            &["--package", "sluice-chart", "--example", "in_process"],
            "examples/in_process",
        )?,
    };
    let (many, folder) = (MANY.to_string(), [chart.to_owned()]);
    let words = ["--threads", "2", "--repeat", &many];
    let ours = Program::new(&program, &words, &folder);
    let theirs = sides.theirs.as_deref().map(|helm| {
        let line = format!(
            "seq {MANY} | xargs -P 2 -I @ {} template release-name {} > /dev/null",
            helm.display(),
            chart.display()
        );
        Program::new(Path::new("sh"), &["-c", &line], &[])
    });
    let targets = Targets {
        time: Some(0.1),
        ..Targets::default()
    };
    let what = format!("{MANY} renders in one process beside {MANY} starts");
    let turns = args.turns.div_ceil(3);
    sides.compare_programs(&what, &ours, theirs.as_ref(), turns, targets, None)
}

/// Rejects different outputs. Lines in which two runs of Helm differ are random.
fn check(name: &str, ours: &[u8], first: &[u8], second: &[u8]) -> anyhow::Result<()> {
    let text = |bytes: &[u8]| String::from_utf8(bytes.to_vec()).context("the output is not UTF-8");
    let (ours, first, second) = (text(ours)?, text(first)?, text(second)?);
    let is_same = ours.lines().count() == first.lines().count()
        && ours
            .lines()
            .zip(first.lines())
            .zip(second.lines())
            .all(|((ours, first), second)| ours == first || first != second);
    ensure!(
        is_same,
        "the outputs of {name} differ, so figures mean nothing"
    );
    Ok(())
}
