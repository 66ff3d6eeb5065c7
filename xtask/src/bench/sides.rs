//! Runs our command line and the reference's in turns, with the same arguments, and checks targets.
//! `REFERENCE_BIN_DIR` names the directory with the reference; without it only our side runs.

use std::path::{Path, PathBuf};

use anyhow::ensure;
use sluice_testkit::Reference;

use super::CommonFlags;
use super::limits::Verdict;
use super::measure::{Figures, Program, release_build};
use super::report::Report;

/// Flags of a bench of command lines.
#[derive(clap::Args, Debug)]
pub(super) struct ComparisonFlags {
    /// Fail if a target is missed
    #[arg(long)]
    strict: bool,
    #[command(flatten)]
    common: CommonFlags,
}

/// Both sides and the results so far.
pub(super) struct Sides {
    pub(super) ours: PathBuf,
    pub(super) theirs: Option<PathBuf>,
    pub(super) report: Report,
    missed: Vec<Verdict>,
}

/// Targets, where they exist.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Targets {
    /// Our time relative to theirs.
    pub(super) time: Option<f64>,
    /// Our peak memory relative to theirs.
    pub(super) memory: Option<f64>,
    /// Maximum of the 95th percentile, in milliseconds.
    pub(super) milliseconds: Option<f64>,
    /// Our peak in MiB.
    pub(super) mebibytes: Option<f64>,
}

/// Compares the outputs of both sides.
pub(super) type Check = fn(&str, &[u8], &[u8]) -> anyhow::Result<()>;

/// Number of memory samples: the last one of a run may miss late growth.
const LOOKS: usize = 5;

/// A command line for both sides.
pub(super) struct Line<'l> {
    pub(super) what: String,
    pub(super) words: Vec<String>,
    /// The cluster, if needed.
    pub(super) kubeconfig: Option<&'l Path>,
    pub(super) code: i32,
    /// Whether both outputs must agree.
    pub(super) same: bool,
}

impl<'l> Line<'l> {
    pub(super) fn new(what: impl Into<String>, line: &str) -> Self {
        Self {
            what: what.into(),
            words: words(line),
            kubeconfig: None,
            code: 0,
            same: true,
        }
    }

    pub(super) fn on(mut self, kubeconfig: &'l Path) -> Self {
        self.kubeconfig = Some(kubeconfig);
        self
    }

    pub(super) fn program(&self, path: &Path) -> Program {
        let words: Vec<&str> = self.words.iter().map(String::as_str).collect();
        // Commands without a cluster must not find one.
        let nowhere = Path::new("/nonexistent");
        Program::new(path, &words, &[])
            .variable("KUBECONFIG", self.kubeconfig.unwrap_or(nowhere))
            .ends_with(self.code)
    }
}

impl Sides {
    /// Finds both sides. The reference's command line has this name.
    pub(super) fn find(flags: &ComparisonFlags, name: &str) -> anyhow::Result<Self> {
        let ours = match &flags.common.binary {
            Some(path) => path.clone(),
            None => release_build(&["--package", "sluice"], "sluice")?,
        };
        let theirs = Reference::find().map(|reference| reference.binary(name));
        let report = Report::new(sides(&ours, theirs.as_deref()))?;
        Ok(Self {
            ours,
            theirs,
            report,
            missed: Vec::new(),
        })
    }

    /// Returns the existing sides with labels.
    pub(super) fn each(&self) -> impl Iterator<Item = (&'static str, &Path)> {
        sides(&self.ours, self.theirs.as_deref())
    }

    /// Compares a figure with its target.
    pub(super) fn hold(&mut self, what: &str, name: &str, figure: f64, aim: f64) {
        let verdict = Verdict::new(format!("{what}: {name}"), Some(figure), aim);
        self.report.add_limits(std::slice::from_ref(&verdict));
        if verdict.is_missed() {
            self.missed.push(verdict);
        }
    }

    /// Writes the record and prints missed targets; a strict run then fails.
    pub(super) fn end(&self, flags: &ComparisonFlags) -> anyhow::Result<()> {
        self.report.save(flags.common.record.as_deref())?;
        for missed in &self.missed {
            println!("   missed  {missed}");
        }
        ensure!(
            !flags.strict || self.missed.is_empty(),
            "{} targets are missed",
            self.missed.len()
        );
        Ok(())
    }

    /// Runs a command on both sides, in turns.
    pub(super) fn compare(
        &mut self,
        line: &Line<'_>,
        turns: usize,
        targets: Targets,
    ) -> anyhow::Result<()> {
        let ours = line.program(&self.ours);
        let theirs = self.theirs.as_deref().map(|path| line.program(path));
        let theirs = theirs.as_ref();
        let check: Option<Check> = line.same.then_some(same);
        self.compare_programs(&line.what, &ours, theirs, turns, targets, check)
    }

    /// Runs a program of each side in turns, after the check of their outputs.
    pub(super) fn compare_programs(
        &mut self,
        what: &str,
        ours: &Program,
        theirs: Option<&Program>,
        turns: usize,
        targets: Targets,
        check: Option<Check>,
    ) -> anyhow::Result<()> {
        let (output, our_peak) = peak(ours)?;
        let mut our_figures = Figures::peaking_at(our_peak);
        let mut their_figures = None;
        if let Some(theirs) = theirs {
            let (their_output, their_peak) = peak(theirs)?;
            if let Some(check) = check {
                check(what, &output, &their_output)?;
            }
            their_figures = Some(Figures::peaking_at(their_peak));
        }
        for _ in 0..turns.max(1) {
            our_figures.add(ours)?;
            if let (Some(figures), Some(theirs)) = (&mut their_figures, theirs) {
                figures.add(theirs)?;
            }
        }
        self.add_figures("ours", what, &our_figures);
        if let Some(figures) = &their_figures {
            self.add_figures("reference", what, figures);
        }
        self.judge(what, &our_figures, their_figures.as_ref(), targets);
        Ok(())
    }

    pub(super) fn add_figures(&mut self, who: &str, what: &str, figures: &Figures) {
        let millis = |time: std::time::Duration| time.as_secs_f64() * 1000.0;
        self.report.add(
            who,
            what,
            &[
                ("median ms", millis(figures.median())),
                ("p95 ms", millis(figures.nearly_longest())),
                ("peak MiB", figures.peak_mib),
                ("processor ms in all", millis(figures.cpu)),
            ],
        );
    }

    /// Compares with the other side and with the targets.
    pub(super) fn judge(
        &mut self,
        what: &str,
        ours: &Figures,
        theirs: Option<&Figures>,
        targets: Targets,
    ) {
        let mut held = vec![
            (
                "p95 ms",
                ours.nearly_longest().as_secs_f64() * 1000.0,
                targets.milliseconds,
            ),
            ("peak MiB", ours.peak_mib, targets.mebibytes),
        ];
        if let Some(theirs) = theirs {
            let time = ours.median().as_secs_f64() / theirs.median().as_secs_f64();
            let memory = ours.peak_mib / theirs.peak_mib;
            self.report
                .add("ratio", what, &[("time", time), ("memory", memory)]);
            held.push(("time", time, targets.time));
            held.push(("memory", memory, targets.memory));
        }
        for (name, figure, aim) in held {
            if let Some(aim) = aim {
                self.hold(what, name, figure, aim);
            }
        }
    }
}

fn sides<'p>(
    ours: &'p Path,
    theirs: Option<&'p Path>,
) -> impl Iterator<Item = (&'static str, &'p Path)> {
    [("ours", ours)]
        .into_iter()
        .chain(theirs.map(|path| ("reference", path)))
}

/// Returns the output of a program and its peak memory over several runs.
fn peak(program: &Program) -> anyhow::Result<(Vec<u8>, f64)> {
    let (output, mut peak) = program.watched()?;
    for _ in 1..LOOKS {
        peak = peak.max(program.watched()?.1);
    }
    Ok((output, peak))
}

/// Rejects different outputs with the first different line. Trailing blanks do not count.
fn same(what: &str, ours: &[u8], theirs: &[u8]) -> anyhow::Result<()> {
    let (ours, theirs) = (
        String::from_utf8_lossy(ours),
        String::from_utf8_lossy(theirs),
    );
    let mut our_lines = ours.lines().map(str::trim_end);
    let mut their_lines = theirs.lines().map(str::trim_end);
    let mut number = 0;
    loop {
        number += 1;
        match (our_lines.next(), their_lines.next()) {
            (None, None) => return Ok(()),
            (ours, theirs) => ensure!(
                ours == theirs,
                "what is printed by {what} differs in line {number}, and no figure is worth anything:\n  \
                 ours:   {ours:?}\n  theirs: {theirs:?}"
            ),
        }
    }
}

pub(super) fn words(line: &str) -> Vec<String> {
    line.split_whitespace().map(str::to_owned).collect()
}
