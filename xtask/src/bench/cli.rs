//! The command line beside the reference's, in turns: time and memory of a start, of building and
//! comparing a Kustomization, and of listing thousands of objects.
//!
//! Outputs are compared before the measurement. A proxy counts requests in separate runs.
//! [`sides`](super::sides) runs both sides; [`inputs`] creates the objects.

mod inputs;

use anyhow::{Context as _, ensure};
use sluice_devcluster::{ControlPlane, Options, Toolbox};
use sluice_testkit::FaultProxy;

use super::cluster::{self, float};
use super::sides::{ComparisonFlags, Line, Sides, Targets, words};

#[derive(clap::Args, Debug)]
pub(super) struct Args {
    /// Parts to measure (default: all)
    #[arg(long, value_enum, value_delimiter = ',')]
    parts: Vec<Part>,
    /// Objects of the build and the comparison
    #[arg(long, default_value_t = 500)]
    objects: usize,
    /// Kustomizations of the recursive build, 50 objects each
    #[arg(long, default_value_t = 60)]
    kustomizations: usize,
    /// Objects of the list
    #[arg(long, default_value_t = 5000)]
    listed: usize,
    /// Turns of each side; a start takes ten times as many
    #[arg(long, default_value_t = 10)]
    turns: usize,
    #[command(flatten)]
    flags: ComparisonFlags,
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

pub(super) fn run(args: &Args) -> anyhow::Result<()> {
    let mut bench = Bench {
        args,
        sides: Sides::find(&args.flags, "flux")?,
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
    bench.sides.end(&args.flags)
}

struct Bench<'a> {
    args: &'a Args,
    sides: Sides,
}

impl Bench<'_> {
    /// Measures starts.
    fn start(&mut self) -> anyhow::Result<()> {
        let targets = Targets {
            milliseconds: Some(5.0),
            mebibytes: Some(12.0),
            ..Targets::default()
        };
        let mut lines = ["version --client", "--help"].map(|line| Line::new(line, line));
        for line in &mut lines {
            line.same = false;
        }
        let mut completion = Line::new("completion of `get`", "__complete get");
        completion.words.push(String::new());
        completion.same = false;
        for line in lines.iter().chain([&completion]) {
            self.sides.compare(line, self.args.turns * 10, targets)?;
        }
        Ok(())
    }

    /// Measures commands without a cluster.
    fn build(&mut self) -> anyhow::Result<()> {
        let place = tempfile::tempdir()?;
        let objects = self.args.objects;
        let overlay = inputs::overlay(place.path(), objects)?;
        let line = overlay.line("build", "--dry-run");
        let line = Line::new(format!("build kustomization, {objects} objects"), &line);
        let targets = Targets {
            time: Some(0.2),
            ..Targets::default()
        };
        self.sides.compare(&line, self.args.turns, targets)?;

        let count = self.args.kustomizations;
        let fleet = inputs::fleet(&place.path().join("fleet"), count)?;
        let what = format!(
            "build kustomization --recursive, {count} of {} objects",
            inputs::OF_EACH
        );
        let line = Line::new(what, &fleet.line("build", "--dry-run"));
        let targets = Targets {
            time: Some(0.125),
            ..Targets::default()
        };
        self.sides.compare(&line, self.args.turns, targets)
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
        let cluster = cluster::connect(plane.kubeconfig())?;
        let built = String::from_utf8(built.stdout)?;
        let applied = inputs::applied(&cluster, &built).await?;
        overlay.edit()?;
        let mut line = Line::new(
            format!("diff kustomization, {applied} objects"),
            &overlay.line("diff", "--progress-bar=false"),
        )
        .on(plane.kubeconfig());
        // The output contains the edited objects.
        line.code = 1;
        let targets = Targets {
            time: Some(0.25),
            ..Targets::default()
        };
        self.sides.compare(&line, self.args.turns, targets)?;
        self.count(&line, applied, Some(1.2)).await
    }

    async fn get(&mut self) -> anyhow::Result<()> {
        let plane = plane().await?;
        let cluster = cluster::connect(plane.kubeconfig())?;
        let listed = inputs::many(&cluster, self.args.listed).await?;
        let what = format!("get all -A, {listed} objects");
        let line = Line::new(what, "get all -A").on(plane.kubeconfig());
        let targets = Targets {
            time: Some(1.0 / 3.0),
            memory: Some(1.0 / 3.0),
            ..Targets::default()
        };
        self.sides.compare(&line, self.args.turns, targets)?;
        self.count(&line, listed, None).await
    }

    /// Counts the API requests of a command.
    async fn count(
        &mut self,
        line: &Line<'_>,
        objects: usize,
        aim: Option<f64>,
    ) -> anyhow::Result<()> {
        let kubeconfig = line.kubeconfig.context("there is a cluster")?;
        let sides: Vec<_> = self
            .sides
            .each()
            .map(|(who, path)| (who, path.to_owned()))
            .collect();
        for (who, path) in sides {
            let proxy = FaultProxy::start(kubeconfig).await;
            let program = Line {
                what: line.what.clone(),
                words: line.words.clone(),
                kubeconfig: Some(proxy.kubeconfig()),
                ..*line
            }
            .program(&path);
            tokio::task::spawn_blocking(move || program.watched()).await??;
            let calls = float(proxy.calls().len());
            let each = calls / float(objects.max(1));
            let figures = [("calls", calls), ("calls per object", each)];
            self.sides.report.add(who, &line.what, &figures);
            if let Some(aim) = aim.filter(|_| who == "ours") {
                self.sides.hold(&line.what, "calls per object", each, aim);
            }
        }
        Ok(())
    }
}

async fn plane() -> anyhow::Result<ControlPlane> {
    let toolbox = Toolbox::from_environment()?.on_progress(|step| eprintln!("{step}"));
    let mut options = Options::new(toolbox);
    // Without controllers, which would use CPU time.
    options.fake_node = false;
    Ok(ControlPlane::start(options).await?)
}
