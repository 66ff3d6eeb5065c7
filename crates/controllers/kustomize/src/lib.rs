//! Kustomizations: from an artifact to objects in a cluster, pruned and healthy.
//!
//! The crate owns Flux's kustomize-controller: its flags ([`Args`]), its gates
//! ([`GATES`]) and the reconciliation of one kind, [`kustomization`]. It refuses to
//! know how an archive is fetched, a folder built, an object applied or a status
//! written: those are `artifact`, `kustomize`, `apply` and `runtime`.
//!
//! Start at [`kustomization`].

mod args;
pub mod kustomization;

use sluice_host::args::ArgsError;
use sluice_host::{Component, ComponentError, Host};

pub use args::{Args, GATES};

/// Flux's name of this controller: lease, field manager, events, binary.
pub const NAME: &str = "kustomize-controller";

/// Why the controller could not start, or stopped.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// A flag.
    #[error(transparent)]
    Args(#[from] ArgsError),
    /// A flag of ours, or two that do not go together.
    #[error(transparent)]
    Flags(#[from] args::FlagError),
    /// No client for artifacts could be made.
    #[error("prepare the download of artifacts")]
    Download(#[source] sluice_dial::DialError),
    /// The lease was lost or a task failed.
    #[error(transparent)]
    Component(#[from] ComponentError),
}

/// Runs the controller until the host shuts down.
pub async fn run(args: Args, host: Host) -> Result<(), Error> {
    let component = Component::new(&host, NAME, args.shared.clone(), GATES)?;
    let controller = kustomization::controller(&args, &component)?;
    component.run([controller.into_task()]).await?;
    Ok(())
}
