//! The helm-controller: installs, upgrades, tests and remediates Helm releases.
//!
//! The crate owns the controller's flags ([`Args`]), its feature gates ([`GATES`]) and the
//! reconciliation of one kind. Charts, actions and records live in the crates `chart`, `helm` and
//! `release`.
//!
//! Start at [`helm_release`].

mod args;
pub mod helm_release;
mod metrics;
mod oom_watch;

use oom_watch::OomWatch;
use sluice_host::args::ArgsError;
use sluice_host::{Component, ComponentError, Host};

pub use args::{Args, GATES};
pub use oom_watch::OomWatchError;

/// Flux's name of this controller: lease, field manager, events, binary.
pub const NAME: &str = "helm-controller";

/// Error that keeps the controller from starting, or stops it.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// A shared flag has an invalid value.
    #[error(transparent)]
    Args(#[from] ArgsError),
    /// A flag of this controller is invalid, or conflicts with a feature gate.
    #[error(transparent)]
    Flags(#[from] args::FlagError),
    /// The HTTP client for artifacts cannot be created.
    #[error("prepare the download of artifacts")]
    Download(#[source] sluice_dial::DialError),
    /// The watch of the memory cannot start.
    #[error("unable to setup OOM watcher")]
    OomWatch(#[from] OomWatchError),
    /// The lease was lost or a task failed.
    #[error(transparent)]
    Component(#[from] ComponentError),
}

/// Runs the controller until the host shuts down.
pub async fn run(args: Args, host: Host) -> Result<(), Error> {
    let component = Component::new(&host, NAME, args.shared.clone(), GATES)?;
    let controller = helm_release::controller(&args, &component)?;
    let watch = component.gates().enabled(args::OOM_WATCH);
    let watch = watch
        .then(|| OomWatch::new(&args.oom_watch()))
        .transpose()?;
    if let Some(watch) = watch {
        sluice_system::spawn(watch.run(host.shutdown().clone()));
    }
    component.run([controller.into_task()]).await?;
    Ok(())
}
