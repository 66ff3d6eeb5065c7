//! Installation beside the reference, in one run: `install --export`, `bootstrap git` of an empty
//! repository, a repeated bootstrap, and the bytes of a clone with a long history. The image build
//! has no counterpart.
//!
//! A fake node makes the Deployments ready, and our controllers run behind both command lines. They
//! start once their Deployment exists. The definitions exist before, because Flux's command line
//! fails on kinds that the API server does not serve yet. A clone counts all bytes until the server
//! rejects the push.

use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::time::Instant;

use anyhow::{Context as _, ensure};
use sluice_client::{Cluster, GroupVersionKind};
use sluice_devcluster::{ControlPlane, Options, Toolbox};
use sluice_testkit::git_backend::HttpOptions;
use sluice_testkit::{GitBackend, Running, Sluice};
use tokio::task::block_in_place;

use super::cluster;
use super::measure::{Figures, Program};
use super::sides::{ComparisonFlags, Line, Sides, Targets, words};
use super::source::large;
use super::source::wire::Wire;

#[derive(clap::Args, Debug)]
pub(super) struct Args {
    /// Parts to measure (default: all)
    #[arg(long, value_enum, value_delimiter = ',')]
    parts: Vec<Part>,
    /// Turns of each side
    #[arg(long, default_value_t = 3)]
    turns: usize,
    /// History size of the cloned repository, in MiB
    #[arg(long, default_value_t = 64)]
    history: usize,
    /// Files in its tree, 2 KiB each
    #[arg(long, default_value_t = 1000)]
    files: usize,
    #[command(flatten)]
    flags: ComparisonFlags,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
enum Part {
    /// `install --export` of all components
    Export,
    /// `bootstrap git`, first and repeated
    Run,
    /// The clone of a repository with a long history
    Clone,
    /// The image build
    Image,
}

const NAMESPACE: &str = "flux-system";
const USER: &str = "me";
const PASSWORD: &str = "password-of-the-bench";
const REPOSITORY: &str = "fleet.git";
const COMPONENTS: &str = "--components=source-controller,kustomize-controller";
/// Exports per turn: one takes some milliseconds.
const EXPORTS: usize = 10;
/// Repeated bootstraps per turn.
const FURTHER: usize = 3;

pub(super) fn run(args: &Args) -> anyhow::Result<()> {
    let mut sides = Sides::find(&args.flags, "flux")?;
    let wants = |part: Part| args.parts.is_empty() || args.parts.contains(&part);
    if wants(Part::Export) {
        export(&mut sides, args.turns * EXPORTS)?;
    }
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .enable_all()
        .build()?;
    if wants(Part::Run) {
        runtime.block_on(runs(&mut sides, args.turns))?;
    }
    if wants(Part::Clone) {
        runtime.block_on(clone(&mut sides, args))?;
    }
    if wants(Part::Image) {
        image(&mut sides, args.turns)?;
    }
    sides.end(&args.flags)
}

fn export(sides: &mut Sides, turns: usize) -> anyhow::Result<()> {
    for (what, flag, targets) in [
        (
            "install --export, all components",
            "--components-extra=image-reflector-controller,image-automation-controller,source-watcher",
            Targets {
                milliseconds: Some(30.0),
                mebibytes: Some(20.0),
                ..Targets::default()
            },
        ),
        (
            "install --export, two components",
            COMPONENTS,
            Targets::default(),
        ),
    ] {
        let mut line = Line::new(what, &format!("install --export {flag}"));
        // Each side installs its own images.
        line.same = false;
        let theirs = without_hollow(sides, &line)?;
        sides.compare(&line, turns, targets)?;
        sides.theirs = sides.theirs.take().or(theirs);
    }
    Ok(())
}

/// Skips the reference if it has fewer objects: a binary without the manifests of some controllers
/// is not comparable.
fn without_hollow(sides: &mut Sides, line: &Line<'_>) -> anyhow::Result<Option<PathBuf>> {
    let Some(theirs) = &sides.theirs else {
        return Ok(None);
    };
    let count = |path: &Path| {
        let (printed, _) = line.program(path).watched()?;
        let printed = String::from_utf8(printed)?;
        anyhow::Ok(
            printed
                .lines()
                .filter(|line| line.starts_with("kind: "))
                .count(),
        )
    };
    let (ours, found) = (count(&sides.ours)?, count(theirs)?);
    if ours == found {
        return Ok(None);
    }
    println!(
        "reference  {}: not compared, it has {found} objects and not {ours}",
        line.what
    );
    Ok(sides.theirs.take())
}

/// A cluster with definitions only, and an empty repository.
struct Scene {
    plane: ControlPlane,
    git: GitBackend,
}

impl Scene {
    async fn set() -> anyhow::Result<Self> {
        let toolbox = Toolbox::from_environment()?.on_progress(|step| eprintln!("{step}"));
        let git = GitBackend::start_with(HttpOptions {
            basic: Some((USER.to_owned(), PASSWORD.to_owned())),
            ..HttpOptions::default()
        });
        let git = git.await;
        git.create(REPOSITORY, "main");
        let plane = ControlPlane::start(Options::new(toolbox)).await?;
        cluster::prepare(&cluster::connect(plane.kubeconfig())?).await?;
        Ok(Self { plane, git })
    }

    fn program(&self, path: &Path) -> Program {
        let url = self.git.url(REPOSITORY);
        bootstrap(path, &url, self.plane.kubeconfig())
    }
}

/// The command of both sides.
fn bootstrap(path: &Path, url: &str, kubeconfig: &Path) -> Program {
    let line = format!(
        "bootstrap git --url={url} --allow-insecure-http --token-auth --username={USER} --branch=main --path=clusters/one --silent --timeout=1m {COMPONENTS}"
    );
    let words = words(&line);
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    Program::new(path, &words, &[])
        .variable("KUBECONFIG", kubeconfig)
        .variable("GIT_PASSWORD", Path::new(PASSWORD))
}

/// Runs our controllers once they are installed.
async fn controllers(binary: PathBuf, kubeconfig: PathBuf) -> anyhow::Result<Running> {
    let cluster = cluster::connect(&kubeconfig)?;
    let deployment = GroupVersionKind::gvk("apps", "v1", "Deployment");
    let is_there = async |cluster: &Cluster| {
        let found = cluster.get(&deployment, Some(NAMESPACE), "kustomize-controller");
        found.await.is_ok_and(|found| found.is_some())
    };
    let began = Instant::now();
    while !is_there(&cluster).await {
        ensure!(
            began.elapsed() < cluster::TIMEOUT,
            "the controllers are not installed"
        );
        tokio::time::sleep(cluster::POLL).await;
    }
    let program = Sluice::at(binary)
        .without_poll_limit()
        .variable("KUBECONFIG", kubeconfig.display().to_string())
        .variable("RUNTIME_NAMESPACE", NAMESPACE);
    let storage = program.state().join("storage");
    std::fs::create_dir_all(&storage)?;
    let [files] = cluster::free_ports::<1>()?;
    let line = format!(
        "controller all --metrics-addr=0 --health-addr=0 --source-controller.storage-path={} --source-controller.storage-addr=127.0.0.1:{files} --source-controller.storage-adv-addr=127.0.0.1:{files}",
        storage.display()
    );
    let words = words(&line);
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    Ok(program.start(&words))
}

/// Results of the first and the repeated runs of a side.
#[derive(Default)]
struct Runs {
    first: Figures,
    further: Figures,
}

async fn runs(sides: &mut Sides, turns: usize) -> anyhow::Result<()> {
    let line = Line::new("bootstrap git", &format!("install --export {COMPONENTS}"));
    let theirs = without_hollow(sides, &line)?;
    let paths: Vec<PathBuf> = sides.each().map(|(_, path)| path.to_owned()).collect();
    let mut figures: Vec<Runs> = paths.iter().map(|_| Runs::default()).collect();
    for _ in 0..turns.max(1) {
        for (path, figures) in paths.iter().zip(&mut figures) {
            let scene = Scene::set().await?;
            let kubeconfig = scene.plane.kubeconfig().to_owned();
            let waiting = tokio::spawn(controllers(sides.ours.clone(), kubeconfig));
            let program = scene.program(path);
            block_in_place(|| figures.first.add_watched(&program))?;
            let running = waiting.await??;
            for _ in 0..FURTHER {
                block_in_place(|| figures.further.add_watched(&program))?;
            }
            drop(running);
            scene.plane.stop();
        }
    }
    let firsts: Vec<Figures> = figures.iter().map(|runs| runs.first.clone()).collect();
    let further: Vec<Figures> = figures.into_iter().map(|runs| runs.further).collect();
    for (what, all, aim) in [
        ("bootstrap git, the first time", firsts, 5000.0),
        ("bootstrap git, nothing to do", further, 1000.0),
    ] {
        for (who, figures) in ["ours", "reference"].into_iter().zip(&all) {
            sides.add_figures(who, what, figures);
        }
        let targets = Targets {
            milliseconds: Some(aim),
            ..Targets::default()
        };
        sides.judge(what, &all[0], all.get(1), targets);
    }
    sides.theirs = sides.theirs.take().or(theirs);
    Ok(())
}

/// Measures the cloned bytes before the first commit.
async fn clone(sides: &mut Sides, args: &Args) -> anyhow::Result<()> {
    let scene = Scene::set().await?;
    // The server rejects pushes, so a run ends after its clone.
    let server = GitBackend::start().await;
    let repository = server.root().join(large::NAME);
    let (files, history) = (args.files, args.history << 20);
    block_in_place(|| large::fill(&repository, files, history))?;
    let authority: http::Uri = server.url("").parse()?;
    let port = authority.port_u16().context("the server has no port")?;
    let wire = Wire::to(SocketAddr::from(([127, 0, 0, 1], port))).await?;
    let what = format!(
        "clone of {} files with {} MiB of history",
        args.files, args.history
    );
    let paths: Vec<_> = sides
        .each()
        .map(|(who, path)| (who, path.to_owned()))
        .collect();
    let mut bytes = Vec::new();
    for (who, path) in paths {
        let url = wire.url(large::NAME);
        let program = bootstrap(&path, &url, scene.plane.kubeconfig()).ends_with(1);
        let before = wire.bytes();
        let mut figures = Figures::default();
        block_in_place(|| figures.add(&program))?;
        let mebibytes =
            cluster::float(usize::try_from(wire.bytes() - before)?) / f64::from(1 << 20);
        let seconds = figures.median().as_secs_f64();
        (sides.report).add(who, &what, &[("MiB", mebibytes), ("seconds", seconds)]);
        bytes.push(mebibytes);
    }
    if let [ours, theirs] = bytes[..] {
        let ratio = ours / theirs;
        sides.report.add("ratio", &what, &[("bytes", ratio)]);
        sides.hold(&what, "bytes beside the reference's", ratio, 0.1);
    }
    scene.plane.stop();
    Ok(())
}

/// Measures `cargo xtask image` after the build. The reference needs an image builder.
fn image(sides: &mut Sides, turns: usize) -> anyhow::Result<()> {
    let folder = tempfile::tempdir()?;
    let binary = format!("--binary={}", sides.ours.display());
    let output = format!("--output={}", folder.path().join("image.tar").display());
    let program = Program::new(&std::env::current_exe()?, &["image", &binary, &output], &[]);
    let mut figures = Figures::default();
    for _ in 0..turns.max(1) {
        figures.add_watched(&program)?;
    }
    let what = "image, of a binary that is built";
    sides.add_figures("ours", what, &figures);
    let targets = Targets {
        milliseconds: Some(5000.0),
        ..Targets::default()
    };
    sides.judge(what, &figures, None, targets);
    Ok(())
}
