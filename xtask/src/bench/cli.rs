//! The command line beside the reference's, in turns, in the same run: how fast it starts and how large
//! it then is, what building and comparing a Kustomization takes, what listing thousands of objects
//! takes.
//!
//! What both print is compared before anything is timed. Requests are counted apart, through a proxy,
//! so that nobody's time has it in it. `REFERENCE_BIN_DIR` names the directory with `flux`; without it
//! our figures stand alone. What is built and listed is in [`inputs`].

mod inputs;

use std::path::{Path, PathBuf};

use anyhow::{Context as _, ensure};
use sluice_devcluster::{ControlPlane, Options, Toolbox};
use sluice_testkit::{FaultProxy, Reference};

use super::Usual;
use super::measure::{Figures, Program, release_build};
use super::mttp::{self, float};
use super::report::Report;

#[derive(clap::Args, Debug)]
pub(super) struct Args {
    /// What to measure (default: all)
    #[arg(long, value_enum, value_delimiter = ',')]
    parts: Vec<Part>,
    /// Objects that are built and compared
    #[arg(long, default_value_t = 500)]
    objects: usize,
    /// Kustomizations of the recursive build, 50 objects each
    #[arg(long, default_value_t = 60)]
    kustomizations: usize,
    /// Objects that are listed
    #[arg(long, default_value_t = 5000)]
    listed: usize,
    /// Turns of each side; a start takes ten times as many
    #[arg(long, default_value_t = 10)]
    turns: usize,
    /// Fail where an aim is missed
    #[arg(long)]
    strict: bool,
    #[command(flatten)]
    usual: Usual,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
enum Part {
    /// `version --client`, `--help` and a completion
    Start,
    /// `build kustomization`, of one and of many
    Build,
    /// `diff kustomization`
    Diff,
    /// `get all -A`
    Get,
}

/// The two command lines.
struct Sides {
    ours: PathBuf,
    theirs: Option<PathBuf>,
}

/// What is aimed at, where something is.
#[derive(Debug, Clone, Copy, Default)]
struct Aims {
    /// Our time as a part of theirs.
    time: Option<f64>,
    /// Our peak as a part of theirs.
    memory: Option<f64>,
    /// Milliseconds that 95 of 100 turns take at most.
    milliseconds: Option<f64>,
    /// Our peak in MiB.
    mebibytes: Option<f64>,
}

/// How often the peak of a process is looked at: the last look may miss what grew at the end.
const LOOKS: usize = 5;

pub(super) fn run(args: &Args) -> anyhow::Result<()> {
    let sides = Sides {
        ours: match &args.usual.binary {
            Some(path) => path.clone(),
            None => release_build(&["--package", "sluice"], "sluice")?,
        },
        theirs: Reference::find().map(|reference| reference.binary("flux")),
    };
    let mut bench = Bench {
        args,
        sides,
        report: Report::new(),
        missed: Vec::new(),
    };
    let wants = |part: Part| args.parts.is_empty() || args.parts.contains(&part);
    if wants(Part::Start) {
        bench.start()?;
    }
    if wants(Part::Build) {
        bench.build()?;
    }
    if wants(Part::Diff) || wants(Part::Get) {
        let runtime = tokio::runtime::Builder::new_multi_thread()
            .enable_all()
            .build()?;
        if wants(Part::Diff) {
            runtime.block_on(bench.diff())?;
        }
        if wants(Part::Get) {
            runtime.block_on(bench.get())?;
        }
    }
    bench.report.save(args.usual.record.as_deref())?;
    for missed in &bench.missed {
        println!("   missed  {missed}");
    }
    ensure!(
        !args.strict || bench.missed.is_empty(),
        "{} aims are missed",
        bench.missed.len()
    );
    Ok(())
}

struct Bench<'a> {
    args: &'a Args,
    sides: Sides,
    report: Report,
    missed: Vec<String>,
}

/// One command line, as both sides are given it.
struct Line<'l> {
    what: String,
    words: Vec<String>,
    /// The cluster, where there is one.
    kubeconfig: Option<&'l Path>,
    code: i32,
    /// Whether both have to print the same.
    same: bool,
}

impl<'l> Line<'l> {
    fn new(what: impl Into<String>, line: &str) -> Self {
        Self {
            what: what.into(),
            words: words(line),
            kubeconfig: None,
            code: 0,
            same: true,
        }
    }

    fn on(mut self, kubeconfig: &'l Path) -> Self {
        self.kubeconfig = Some(kubeconfig);
        self
    }

    fn program(&self, path: &Path) -> Program {
        let words: Vec<&str> = self.words.iter().map(String::as_str).collect();
        // What needs no cluster must not find one either.
        let nowhere = Path::new("/nonexistent");
        Program::new(path, &words, &[])
            .variable("KUBECONFIG", self.kubeconfig.unwrap_or(nowhere))
            .ends_with(self.code)
    }
}

impl Bench<'_> {
    /// What it takes to be there at all.
    fn start(&mut self) -> anyhow::Result<()> {
        let aims = Aims {
            milliseconds: Some(5.0),
            mebibytes: Some(12.0),
            ..Aims::default()
        };
        let mut lines = ["version --client", "--help"].map(|line| Line::new(line, line));
        for line in &mut lines {
            line.same = false;
        }
        let mut completion = Line::new("completion of `get`", "__complete get");
        completion.words.push(String::new());
        completion.same = false;
        for line in lines.iter().chain([&completion]) {
            self.compare(line, self.args.turns * 10, aims)?;
        }
        Ok(())
    }

    /// What needs no cluster.
    fn build(&mut self) -> anyhow::Result<()> {
        let place = tempfile::tempdir()?;
        let objects = self.args.objects;
        let overlay = inputs::overlay(place.path(), objects)?;
        let line = overlay.line("build", "--dry-run");
        let line = Line::new(format!("build kustomization, {objects} objects"), &line);
        let aims = Aims {
            time: Some(0.2),
            ..Aims::default()
        };
        self.compare(&line, self.args.turns, aims)?;

        let count = self.args.kustomizations;
        let fleet = inputs::fleet(&place.path().join("fleet"), count)?;
        let what = format!(
            "build kustomization --recursive, {count} of {} objects",
            inputs::OF_EACH
        );
        let line = Line::new(what, &fleet.line("build", "--dry-run"));
        let aims = Aims {
            time: Some(0.125),
            ..Aims::default()
        };
        self.compare(&line, self.args.turns, aims)
    }

    async fn diff(&mut self) -> anyhow::Result<()> {
        let plane = plane().await?;
        let place = tempfile::tempdir()?;
        let objects = self.args.objects;
        let overlay = inputs::overlay(place.path(), objects)?;
        let built = std::process::Command::new(&self.sides.ours)
            .args(words(&overlay.line("build", "--dry-run")))
            .output()?;
        ensure!(built.status.success(), "the overlay does not build");
        let cluster = mttp::connect(plane.kubeconfig())?;
        let built = String::from_utf8(built.stdout)?;
        let applied = inputs::applied(&cluster, &built).await?;
        overlay.edit()?;
        let mut line = Line::new(
            format!("diff kustomization, {applied} objects"),
            &overlay.line("diff", "--progress-bar=false"),
        )
        .on(plane.kubeconfig());
        // It finds what was edited.
        line.code = 1;
        let aims = Aims {
            time: Some(0.25),
            ..Aims::default()
        };
        self.compare(&line, self.args.turns, aims)?;
        self.count(&line, applied, Some(1.2)).await
    }

    async fn get(&mut self) -> anyhow::Result<()> {
        let plane = plane().await?;
        let cluster = mttp::connect(plane.kubeconfig())?;
        let listed = inputs::many(&cluster, self.args.listed).await?;
        let what = format!("get all -A, {listed} objects");
        let line = Line::new(what, "get all -A").on(plane.kubeconfig());
        let aims = Aims {
            time: Some(1.0 / 3.0),
            memory: Some(1.0 / 3.0),
            ..Aims::default()
        };
        self.compare(&line, self.args.turns, aims)?;
        self.count(&line, listed, None).await
    }

    /// Runs a line on both sides, in turns.
    fn compare(&mut self, line: &Line<'_>, turns: usize, aims: Aims) -> anyhow::Result<()> {
        let ours = line.program(&self.sides.ours);
        let theirs = self.sides.theirs.as_deref().map(|path| line.program(path));
        let (output, our_peak) = peak(&ours)?;
        let mut our_figures = Figures::peaking_at(our_peak);
        let mut their_figures = None;
        if let Some(theirs) = &theirs {
            let (their_output, their_peak) = peak(theirs)?;
            if line.same {
                same(&line.what, &output, &their_output)?;
            }
            their_figures = Some(Figures::peaking_at(their_peak));
        }
        for _ in 0..turns.max(1) {
            our_figures.add(&ours)?;
            if let (Some(figures), Some(theirs)) = (&mut their_figures, &theirs) {
                figures.add(theirs)?;
            }
        }
        self.tell("ours", &line.what, &our_figures);
        if let Some(figures) = &their_figures {
            self.tell("reference", &line.what, figures);
        }
        self.judge(&line.what, &our_figures, their_figures.as_ref(), aims);
        Ok(())
    }

    fn tell(&mut self, who: &str, what: &str, figures: &Figures) {
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

    /// Compares with the other side and with what is aimed at.
    fn judge(&mut self, what: &str, ours: &Figures, theirs: Option<&Figures>, aims: Aims) {
        let mut held = vec![
            (
                "p95 ms",
                ours.nearly_longest().as_secs_f64() * 1000.0,
                aims.milliseconds,
            ),
            ("peak MiB", ours.peak_mib, aims.mebibytes),
        ];
        if let Some(theirs) = theirs {
            let time = ours.median().as_secs_f64() / theirs.median().as_secs_f64();
            let memory = ours.peak_mib / theirs.peak_mib;
            self.report
                .add("ratio", what, &[("time", time), ("memory", memory)]);
            held.push(("time", time, aims.time));
            held.push(("memory", memory, aims.memory));
        }
        for (name, figure, aim) in held {
            if let Some(aim) = aim.filter(|aim| figure > *aim) {
                self.missed
                    .push(format!("{what}: {name} {figure:.2}, aimed at {aim:.2}"));
            }
        }
    }

    /// Counts what a line asks of the API server.
    async fn count(
        &mut self,
        line: &Line<'_>,
        objects: usize,
        aim: Option<f64>,
    ) -> anyhow::Result<()> {
        let kubeconfig = line.kubeconfig.context("there is a cluster")?;
        let sides = [
            ("ours", Some(&self.sides.ours)),
            ("reference", self.sides.theirs.as_ref()),
        ];
        for (who, path) in sides {
            let Some(path) = path else { continue };
            let proxy = FaultProxy::start(kubeconfig).await;
            let program = Line {
                what: line.what.clone(),
                words: line.words.clone(),
                kubeconfig: Some(proxy.kubeconfig()),
                ..*line
            }
            .program(path);
            tokio::task::spawn_blocking(move || program.watched()).await??;
            let calls = float(proxy.calls().len());
            let each = calls / float(objects.max(1));
            let figures = [("calls", calls), ("calls per object", each)];
            self.report.add(who, &line.what, &figures);
            if let Some(aim) = aim.filter(|aim| who == "ours" && each > *aim) {
                let what = &line.what;
                self.missed.push(format!(
                    "{what}: {each:.2} calls per object, aimed at {aim:.2}"
                ));
            }
        }
        Ok(())
    }
}

/// What a program prints, and how large it grows: the most of several looks.
fn peak(program: &Program) -> anyhow::Result<(Vec<u8>, f64)> {
    let (output, mut peak) = program.watched()?;
    for _ in 1..LOOKS {
        peak = peak.max(program.watched()?.1);
    }
    Ok((output, peak))
}

/// Refuses outputs that differ, with the first line that does. Blanks at the end of a line are no
/// part of what was worked out.
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

fn words(line: &str) -> Vec<String> {
    line.split_whitespace().map(str::to_owned).collect()
}

async fn plane() -> anyhow::Result<ControlPlane> {
    let toolbox = Toolbox::from_environment()?.on_progress(|step| eprintln!("{step}"));
    let mut options = Options::new(toolbox);
    // Nothing shall run there: it would only take part in what is measured.
    options.fake_node = false;
    Ok(ControlPlane::start(options).await?)
}
