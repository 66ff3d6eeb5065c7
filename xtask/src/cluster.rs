//! `cargo xtask cluster`: a control plane on loopback that runs until it is stopped.
//!
//! `up` leaves a process that owns the control plane; `down` ends that process and the servers with
//! it. The state is in the tool cache and starts empty with every `up`.

use std::fs::TryLockError;
use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::time::Duration;

use anyhow::{Context as _, Result, bail};
use clap::Subcommand;
use sluice_devcluster::{Audit, ControlPlane, Options, Tool, Toolbox, process};
use sluice_system::fs;
use tokio::signal::unix::{SignalKind, signal};

/// Run a control plane on loopback with a fake node
#[derive(clap::Args)]
pub(crate) struct Arguments {
    #[command(subcommand)]
    action: Action,
}

#[derive(Subcommand)]
enum Action {
    /// Build missing programs of the control plane and the tests
    Tools {
        /// Also build this optional program, which takes minutes
        #[arg(long, value_name = "NAME", value_parser = on_demand)]
        with: Vec<Tool>,
    },
    /// Start the control plane, building missing programs first
    Up,
    /// Stop the control plane
    Down,
    /// Print the path of the kubeconfig
    Kubeconfig,
    /// Run in the foreground
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

/// The files of the cluster of this user.
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

    /// Contains the id of the owning process, which locks the file. The lock proves that the
    /// process is alive and that the id is current.
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

    /// Returns the id of the owning process, if it runs.
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

/// Builds missing tools, so that no test has to wait for them.
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
    // Another `up` may have started it meanwhile.
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
    reason = "the cluster outlives this command"
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
    let mut printed_bytes = 0;
    while !fs::exists(place.ready())? {
        let printed = fs::read_to_string(place.log())?;
        if let Some(status) = holder.try_wait().context("wait for the cluster")? {
            bail!("the cluster did not come up ({status}):\n{printed}");
        }
        // Builds take minutes: print the progress of the owning process.
        if let Some(end) = printed.rfind('\n').filter(|end| *end > printed_bytes) {
            say(printed[printed_bytes..end].trim());
            printed_bytes = end;
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

#[expect(clippy::print_stdout, reason = "scripts read the path")]
fn kubeconfig(place: &Place) -> Result<()> {
    if place.holder_pid()?.is_none() {
        bail!("no cluster is up: start one with `cargo xtask cluster up`");
    }
    println!("{}", place.kubeconfig().display());
    Ok(())
}

#[tokio::main]
async fn hold(place: &Place) -> Result<()> {
    // The terminal may close.
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

#[expect(clippy::print_stderr, reason = "prints progress")]
fn say(text: &str) {
    eprintln!("{text}");
}
