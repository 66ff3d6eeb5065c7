//! `cargo xtask cluster`: a control plane on loopback that stays until it is taken down.
//!
//! `up` leaves a process behind that holds it; `down` ends that process, and everything ends with
//! it, as it does with a test. Its state is in the cache of tools, and new with every `up`.

use std::fs::TryLockError;
use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::time::Duration;

use anyhow::{Context as _, Result, bail};
use clap::Subcommand;
use sluice_devcluster::{Audit, ControlPlane, Options, Tool, Toolbox, process};
use sluice_system::fs;
use tokio::signal::unix::{SignalKind, signal};

/// Keep a control plane on loopback, with a fake node whose pods become Ready
#[derive(clap::Args)]
pub(crate) struct Arguments {
    #[command(subcommand)]
    action: Action,
}

#[derive(Subcommand)]
enum Action {
    /// Build every pinned program that it and the tests run, as far as it is missing
    Tools {
        /// Build this one as well, which takes minutes: tests that need it are skipped without it
        #[arg(long, value_name = "NAME", value_parser = on_demand)]
        with: Vec<Tool>,
    },
    /// Start it, building what is missing; does nothing when it is up
    Up,
    /// Stop it
    Down,
    /// Print the path of its kubeconfig
    Kubeconfig,
    /// Be it, in the foreground
    #[command(hide = true)]
    Hold,
}

pub(crate) fn run(arguments: &Arguments) -> Result<()> {
    let place = Place::new()?;
    match &arguments.action {
        Action::Tools { with } => tools(&place, with),
        Action::Up => up(&place),
        Action::Down => down(&place),
        Action::Kubeconfig => kubeconfig(&place),
        Action::Hold => hold(&place),
    }
}

/// The files of the one cluster of this user.
struct Place {
    toolbox: Toolbox,
    directory: PathBuf,
}

impl Place {
    fn new() -> Result<Self> {
        let toolbox =
            Toolbox::from_environment()?.on_progress(|progress| say(&progress.to_string()));
        let directory = toolbox.cache().join("cluster");
        fs::create_dir_all(&directory)?;
        Ok(Self { toolbox, directory })
    }

    fn state(&self) -> PathBuf {
        self.directory.join("state")
    }

    fn kubeconfig(&self) -> PathBuf {
        self.state().join("kubeconfig")
    }

    /// Holds the id of the holder, which keeps it locked: so it is known to live, and the id to be
    /// its own, without a look at the process table.
    fn holder(&self) -> PathBuf {
        self.directory.join("holder")
    }

    /// Written when the cluster is ready.
    fn ready(&self) -> PathBuf {
        self.directory.join("ready")
    }

    fn log(&self) -> PathBuf {
        self.directory.join("log")
    }

    /// The holder's process id, if there is one.
    fn holder_pid(&self) -> Result<Option<u32>> {
        if !fs::exists(self.holder())? {
            return Ok(None);
        }
        let file = fs::open(self.holder())?.into_std();
        match file.try_lock() {
            Ok(()) => Ok(None),
            Err(TryLockError::Error(error)) => Err(error).context("look whether a cluster is up"),
            Err(TryLockError::WouldBlock) => {
                Ok(fs::read_to_string(self.holder())?.trim().parse().ok())
            }
        }
    }
}

fn on_demand(name: &str) -> Result<Tool> {
    let mut tools = Tool::ON_DEMAND.into_iter();
    tools
        .find(|tool| tool.name() == name)
        .with_context(|| format!("known are {}", Tool::ON_DEMAND.map(Tool::name).join(", ")))
}

/// Builds what is missing, so that no test has to wait for it.
fn tools(place: &Place, with: &[Tool]) -> Result<()> {
    for tool in Tool::ALL.iter().chain(with) {
        let path = place.toolbox.path_blocking(*tool)?;
        say(&format!(
            "{} {}: {}",
            tool.name(),
            tool.version(),
            path.display()
        ));
    }
    Ok(())
}

fn up(place: &Place) -> Result<()> {
    if place.holder_pid()?.is_none() {
        start(place)?;
    }
    // Another `up` may have started it a moment ago.
    while !fs::exists(place.ready())? {
        if place.holder_pid()?.is_none() {
            bail!("the cluster did not come up: see {}", place.log().display());
        }
        std::thread::sleep(Duration::from_millis(50));
    }
    say(&format!(
        "the cluster is up: export KUBECONFIG={}",
        place.kubeconfig().display()
    ));
    Ok(())
}

#[expect(
    clippy::disallowed_methods,
    reason = "the cluster outlives this command, so it needs a process of its own"
)]
fn start(place: &Place) -> Result<()> {
    if fs::exists(place.ready())? {
        fs::remove_file(place.ready())?;
    }
    let log = fs::create(place.log())?.into_std();
    let mut holder = Command::new(std::env::current_exe().context("find this program")?)
        .args(["cluster", "hold"])
        .stdin(Stdio::null())
        .stdout(log.try_clone().context("open the log")?)
        .stderr(log)
        .spawn()
        .context("start the process that holds the cluster")?;
    let mut told = 0;
    while !fs::exists(place.ready())? {
        let printed = fs::read_to_string(place.log())?;
        if let Some(status) = holder.try_wait().context("wait for the cluster")? {
            bail!("the cluster did not come up ({status}):\n{printed}");
        }
        // Builds take minutes: pass on what the holder says about them.
        if let Some(end) = printed.rfind('\n').filter(|end| *end > told) {
            say(printed[told..end].trim());
            told = end;
        }
        std::thread::sleep(Duration::from_millis(50));
    }
    Ok(())
}

fn down(place: &Place) -> Result<()> {
    let Some(pid) = place.holder_pid()? else {
        say("no cluster is up");
        return Ok(());
    };
    process::terminate(pid).context("end the process that holds the cluster")?;
    while place.holder_pid()?.is_some() {
        std::thread::sleep(Duration::from_millis(20));
    }
    say("the cluster is down");
    Ok(())
}

#[expect(clippy::print_stdout, reason = "the path is what a script asks for")]
fn kubeconfig(place: &Place) -> Result<()> {
    if place.holder_pid()?.is_none() {
        bail!("no cluster is up: start one with `cargo xtask cluster up`");
    }
    println!("{}", place.kubeconfig().display());
    Ok(())
}

#[tokio::main]
async fn hold(place: &Place) -> Result<()> {
    // The terminal that started it may close.
    process::leave_terminal();
    let lock = fs::create(place.holder())?;
    lock.lock()?;
    fs::write(place.holder(), std::process::id().to_string())?;
    if fs::exists(place.state())? {
        fs::remove_dir_all(place.state())?;
    }
    let mut asked_to_end = signal(SignalKind::terminate()).context("listen for the end")?;
    let mut options = Options::new(place.toolbox.clone());
    options.state = Some(place.state());
    options.audit = Audit::Metadata;
    let plane = ControlPlane::start(options).await?;
    fs::write(place.ready(), plane.server())?;
    asked_to_end.recv().await;
    plane.stop();
    fs::remove_dir_all(place.state())?;
    drop(lock);
    Ok(())
}

#[expect(
    clippy::print_stderr,
    reason = "progress is for the person at the terminal"
)]
fn say(text: &str) {
    eprintln!("{text}");
}
