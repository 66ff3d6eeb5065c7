//! Starts the controller from its flags.

use std::convert::Infallible;
use std::sync::Arc;

use sluice_api::image::ImagePolicy;
use sluice_api::meta::condition::{READY, RECONCILING, STALLED};
use sluice_api::source::GitRepository;
use sluice_dial::{HttpClients, RemotePermits};
use sluice_engine::{Controller, Task};
use sluice_git::{SshAlgorithms, Stores, UnknownAlgorithm};
use sluice_golang::error::chain;
use sluice_host::args::ArgsError;
use sluice_host::{CloudIdentities, Component, ComponentError, Host};
use tokio_util::sync::CancellationToken;

use crate::args::{Args, GATES, GitGates, NAME};
use crate::image_update_automation::{ImageUpdateAutomationReconciler, policies, repositories};
use crate::metrics::PushMetrics;
use crate::repository::Repositories;

/// The conditions that the controller sets.
const CONDITIONS: [&str; 3] = [READY, RECONCILING, STALLED];
/// User agent of requests.
const USER_AGENT: &str = concat!("sluice/", env!("CARGO_PKG_VERSION"));

/// Why the controller did not start, or why it ended.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// Invalid flag.
    #[error(transparent)]
    Args(#[from] ArgsError),
    /// Invalid `--ssh-kex-algos` or `--ssh-hostkey-algos`.
    #[error(transparent)]
    Algorithm(#[from] UnknownAlgorithm),
    /// A task failed, or leadership was lost.
    #[error(transparent)]
    Component(#[from] ComponentError),
}

/// Runs the controller until the host shuts down.
pub async fn run(args: Args, host: Host) -> Result<(), Error> {
    let component = Component::new(&host, NAME, args.shared.clone(), GATES)?;
    let gates = component.gates();
    let identities =
        CloudIdentities::new(&component, &args.identity, &args.identity_host_allowlist)?;
    let algorithms = SshAlgorithms::parse(&args.ssh_kex_algos, &args.ssh_hostkey_algos)?;
    let http = Arc::new(HttpClients::new(USER_AGENT));
    let git = sluice_git::Client::new(Arc::clone(&http)).with_ssh_algorithms(algorithms);
    let access = Repositories::new(component.secrets().clone(), git, http, identities, &args);
    let stores = access.stores.clone();
    let engine = component.engine();
    let reconciler = ImageUpdateAutomationReconciler {
        repositories: access,
        policies: engine.store::<ImagePolicy>(),
        sources: engine.store::<GitRepository>(),
        gates: GitGates::of(gates),
        no_cross_namespace_refs: args.no_cross_namespace_refs,
        permits: RemotePermits::new(1),
        metrics: PushMetrics::register(component.metrics().registry()),
        findings: std::sync::Mutex::default(),
    };
    let before = stores.clone();
    let automations = Controller::new(engine, reconciler)
        .concurrent(args.concurrent)
        .owns_conditions(CONDITIONS)
        .watches(repositories())
        .watches(policies())
        .before_first_run(async move |_| remove_unfinished(before).await);
    let tasks = [automations.into_task(), trim(stores)];
    Ok(component.run(tasks).await?)
}

/// Removes unfinished packs of a killed process.
async fn remove_unfinished(stores: Stores) {
    match stores.remove_unfinished_files().await {
        Ok(0) => {}
        Ok(removed) => tracing::info!(removed, "removed unfinished packs of an earlier process"),
        Err(error) => {
            tracing::warn!(error = %chain(&error), "unfinished packs were not removed");
        }
    }
}

/// Trims the Git store to its size limit at intervals.
fn trim(stores: Stores) -> Task {
    Task::new("git-store", async move |stop: CancellationToken| {
        stop.run_until_cancelled(stores.keep_trimmed()).await;
        Ok::<_, Infallible>(())
    })
}
