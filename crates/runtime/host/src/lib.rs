//! The process around the controllers: flags, feature gates, logs, lease, probes and servers, and
//! access to Secrets and remote clusters.
//!
//! [`sluice_engine`] reconciles; this crate starts it. A controller crate writes once:
//!
//! ```text
//! #[derive(clap::Args)]
//! pub struct Args {
//!     #[command(flatten)]
//!     shared: SharedArgs,
//!     #[arg(long, default_value_t = 4)]
//!     concurrent: usize,
//! }
//!
//! pub async fn run(args: Args, host: Host) -> Result<(), Error> {
//!     let component = Component::new(&host, "kustomize-controller", args.shared, GATES)?;
//!     let kustomizations = Controller::new(component.engine(), KustomizationReconciler { … })
//!         .concurrent(args.concurrent);
//!     component.run([kustomizations.into_task()]).await?;
//!     Ok(())
//! }
//! ```
//!
//! Start at [`host`], the process, and [`component`], one controller in it.

mod accounts;
pub mod args;
pub mod component;
mod connections;
mod control;
pub mod gates;
pub mod host;
mod identities;
mod leader;
pub mod log;
pub mod remote;
pub mod secrets;
mod servers;
pub mod targets;

pub use accounts::{AccountError, ServiceAccounts};
pub use args::{LogEncoding, LogLevel, SharedArgs};
pub use component::{Component, ComponentError};
pub use connections::{ConnectionLimits, serve_connections};
pub use gates::{FeatureGates, Gate};
pub use host::{Host, HostError, disable_core_dumps, host_name, memory_limit};
pub use identities::{
    CloudError, CloudIdentities, GateDisabled, GitCredentials, IdentityUser, UnknownProvider,
    registry_cloud,
};
pub use remote::{
    ClusterArgs, ClusterOptions, Clusters, CountedIdentities, IdentityOptions, OwnAccount,
    RemoteError, Requester,
};
pub use secrets::{SecretData, SecretError, Secrets};
pub use servers::listen;
