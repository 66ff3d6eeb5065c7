//! What every controller does the same way: flags, watches, queue, leader, secrets,
//! access and the one reporter.
//!
//! This crate knows no kind by name. It takes a [`Reconciler`] and turns the events of
//! a cluster into calls of it, and what it returns into writes to the cluster:
//!
//! ```text
//!  watch ──▶ store ──▶ predicate, index ──▶ queue ──▶ run ──▶ outcome ──▶ report
//!  (async)   (shared)  (pure)               (pure)    (yours) (data)      (the only writer)
//! ```
//!
//! # Where to start
//!
//! A controller crate writes, per kind, a [`Reconciler`] and, once:
//!
//! ```text
//! #[derive(clap::Args)]
//! pub struct Args { #[command(flatten)] shared: SharedArgs, #[arg(long, default_value_t = 4)] concurrent: usize }
//!
//! pub async fn run(args: Args, host: Host) -> Result<(), Error> {
//!     let component = host.component("kustomize-controller", args.shared, GATES)?;
//!     let sources = component.store::<GitRepository>();
//!     let kustomizations = Controller::new(&component, KustomizationReconciler { sources, … })
//!         .concurrent(args.concurrent)
//!         .owns_conditions(&["Ready", "Healthy", "Reconciling", "Stalled"])
//!         .watches(Watch::<Kustomization, GitRepository>::on(source_of).when(revision_changed));
//!     component.run([kustomizations.into_task()]).await?;
//!     Ok(())
//! }
//! ```
//!
//! # The parts
//!
//! - [`reconcile`]: the contract. What a run is given and what it returns.
//! - [`queue`]: who runs next; a state machine without clock or task. [`workers`] is
//!   its asynchronous shell.
//! - [`watch`]: what wakes an object up. Guarded, slim, shared.
//! - [`report`]: everything that leaves a run. Nobody else writes status, finalizers,
//!   events or metrics of a controller.
//! - [`host`] and [`component`]: the process, and one controller in it; servers,
//!   lease, shutdown.
//! - [`frame`]: how every run begins: deletion, finalizer, suspension, requests.
//! - [`args`], [`gates`], [`acl`], [`secrets`], [`targets`], [`remote`], [`log`], [`metrics`]: what
//!   the names say.
//!
//! # Waiting is not working
//!
//! `--concurrent` bounds work. A run that waits for the cluster (health, a dependency,
//! a termination) does so inside [`Run::release`]: its permit goes to another object,
//! and it stands in line for a new one when the wait is over. With `--concurrent 1` and
//! one object that waits for ever, every other object reconciles as if it were alone.
//!
//! # What is promised about one object
//!
//! - At most one run at a time; being changed while it runs means running again, and
//!   [`Run::superseded`] lets a wait end early.
//! - A run sees at least what earlier runs of the same process wrote.
//! - A panic, an undecodable spec or a failing write concerns that object only.

pub mod acl;
pub mod args;
pub mod component;
pub mod controller;
pub mod frame;
pub mod gates;
pub mod host;
mod jitter;
pub mod key;
pub mod kind;
mod leader;
pub mod log;
pub mod metrics;
pub mod queue;
pub mod reconcile;
pub mod remote;
pub mod report;
pub mod run;
pub mod secrets;
mod servers;
pub mod targets;
pub mod watch;
pub mod workers;

pub use acl::{AccessDenied, References};
pub use args::{LogEncoding, LogLevel, SharedArgs};
pub use component::{Component, ComponentError};
pub use controller::{Controller, Task};
pub use gates::{FeatureGates, Gate};
pub use host::{Host, HostError, leave_no_core};
pub use key::ObjectKey;
pub use kind::{Kind, StatusOf, Watched};
pub use metrics::Metrics;
pub use reconcile::{
    Audience, Cause, Failure, Finalizer, Notice, Origin, Outcome, Reconciler, Requeue, Retry,
    Severity,
};
pub use remote::{Asker, ClusterOptions, Clusters, RemoteError};
pub use report::ReportError;
pub use run::Run;
pub use secrets::{SecretData, SecretError, Secrets};
pub use servers::listen;
pub use watch::{Store, Watch};
