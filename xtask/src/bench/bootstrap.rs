//! Installing beside the reference, in the same run: `install --export`, a first `bootstrap git` of an
//! empty repository, a further one that finds all as it is to be, and the bytes
//! that are cloned of a repository with a long history. By itself: the image out of the binary.
//!
//! A fake node makes the Deployments ready, and behind both command lines the controllers are ours:
//! started as a node would, when their Deployment is there. Both are given the same words. The
//! definitions are there before: no image has to be pulled here, and Flux's command line then asks
//! for kinds that the API server does not tell of yet, and ends. Of a clone, everything counts that
//! goes over the wire until the server refuses the push.

use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::time::Instant;

use anyhow::{Context as _, ensure};
use sluice_client::{Cluster, GroupVersionKind};
use sluice_devcluster::{ControlPlane, Options, Toolbox};
use sluice_testkit::git_backend::HttpOptions;
use sluice_testkit::{GitBackend, Running, Sluice};
use tokio::task::block_in_place;

use super::measure::{Figures, Program};
use super::mttp;
use super::sides::{Aims, Line, Sides, Told, words};
use super::source::large;
use super::source::wire::Wire;

#[derive(clap::Args, Debug)]
pub(super) struct Args {
    /// What to measure (default: all)
    #[arg(long, value_enum, value_delimiter = ',')]
    parts: Vec<Part>,
    /// Turns of each side: clusters that are bootstrapped, further runs on the last of them, exports
    #[arg(long, default_value_t = 3)]
    turns: usize,
    /// Size of the history of the repository that is cloned, MiB
    #[arg(long, default_value_t = 64)]
    history: usize,
    /// Files in its tree, 2 KiB each
    #[arg(long, default_value_t = 1000)]
    files: usize,
    #[command(flatten)]
    told: Told,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
enum Part {
    /// `install --export` of all components
    Export,
    /// `bootstrap git`, the first time and again
    Run,
    /// The clone of a repository with a long history
    Clone,
    /// The image, out of the binary that is measured
    Image,
}

const NAMESPACE: &str = "flux-system";
const USER: &str = "me";
const PASSWORD: &str = "password-of-the-bench";
const REPOSITORY: &str = "fleet.git";
const COMPONENTS: &str = "--components=source-controller,kustomize-controller";
/// Exports for each turn: one takes some milliseconds.
const EXPORTS: usize = 10;
/// Further runs for each turn.
const FURTHER: usize = 3;

pub(super) fn run(args: &Args) -> anyhow::Result<()> {
    let mut sides = Sides::find(&args.told)?;
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
    sides.end(&args.told)
}

fn export(sides: &mut Sides, turns: usize) -> anyhow::Result<()> {
    for (what, flag, aims) in [
        (
            "install --export, all components",
            "--components-extra=image-reflector-controller,image-automation-controller,source-watcher",
            Aims {
                milliseconds: Some(30.0),
                mebibytes: Some(20.0),
                ..Aims::default()
            },
        ),
        (
            "install --export, two components",
            COMPONENTS,
            Aims::default(),
        ),
    ] {
        let mut line = Line::new(what, &format!("install --export {flag}"));
        // Each installs its own images.
        line.same = false;
        let theirs = without_hollow(sides, &line)?;
        sides.compare(&line, turns, aims)?;
        sides.theirs = sides.theirs.take().or(theirs);
    }
    Ok(())
}

/// Takes the reference out where it has not as many objects to install: one that was built without
/// the manifests of some controllers is fast at nothing.
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

/// A cluster with definitions and nothing else, and an empty repository.
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
        mttp::prepare(&mttp::connect(plane.kubeconfig())?).await?;
        Ok(Self { plane, git })
    }

    fn program(&self, path: &Path) -> Program {
        let url = self.git.url(REPOSITORY);
        bootstrap(path, &url, self.plane.kubeconfig())
    }
}

/// The command, as both sides are given it.
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

/// Our controllers, as soon as somebody has installed them.
async fn controllers(binary: PathBuf, kubeconfig: PathBuf) -> anyhow::Result<Running> {
    let cluster = mttp::connect(&kubeconfig)?;
    let deployment = GroupVersionKind::gvk("apps", "v1", "Deployment");
    let is_there = async |cluster: &Cluster| {
        let found = cluster.get(&deployment, Some(NAMESPACE), "kustomize-controller");
        found.await.is_ok_and(|found| found.is_some())
    };
    let began = Instant::now();
    while !is_there(&cluster).await {
        ensure!(
            began.elapsed() < mttp::PATIENCE,
            "nobody installed the controllers"
        );
        tokio::time::sleep(mttp::POLL).await;
    }
    let program = Sluice::at(binary)
        .variable("KUBECONFIG", kubeconfig.display().to_string())
        .variable("RUNTIME_NAMESPACE", NAMESPACE);
    let storage = program.state().join("storage");
    std::fs::create_dir_all(&storage)?;
    let [files] = mttp::free_ports::<1>()?;
    let line = format!(
        "controller all --metrics-addr=0 --health-addr=0 --source-controller.storage-path={} --source-controller.storage-addr=127.0.0.1:{files} --source-controller.storage-adv-addr=127.0.0.1:{files}",
        storage.display()
    );
    let words = words(&line);
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    Ok(program.start(&words))
}

/// What a first run and the further ones of a side came to.
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
            sides.tell(who, what, figures);
        }
        let aims = Aims {
            milliseconds: Some(aim),
            ..Aims::default()
        };
        sides.judge(what, &all[0], all.get(1), aims);
    }
    sides.theirs = sides.theirs.take().or(theirs);
    Ok(())
}

/// How much is cloned before anything can be committed.
async fn clone(sides: &mut Sides, args: &Args) -> anyhow::Result<()> {
    let scene = Scene::set().await?;
    // It takes no push, so that a run ends with its clone.
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
        let mebibytes = mttp::float(usize::try_from(wire.bytes() - before)?) / f64::from(1 << 20);
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

/// `cargo xtask image`, once all is compiled. The reference's images need a builder of their own.
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
    sides.tell("ours", what, &figures);
    let aims = Aims {
        milliseconds: Some(5000.0),
        ..Aims::default()
    };
    sides.judge(what, &figures, None, aims);
    Ok(())
}
