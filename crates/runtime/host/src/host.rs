//! The process: the parts that its controllers share.
//!
//! One host serves one controller, as in Flux, or all of them. It has the shutdown token, the
//! clock, the metrics, and the health and metrics servers. Its controllers share the connection to
//! the cluster and the watches.

use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use sluice_client::{Cluster, ConnectError, ObservedRequest, Options, Rate, kubeconfig};
use sluice_dial::HttpClients;
use sluice_engine::{Informers, Journal, Metrics};
use sluice_golang::error::chain;
use sluice_identity::Environment;
use sluice_system::fs;
use sluice_system::{Clock, SystemClock};
use tokio::runtime::Handle;
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;

use crate::args::{ArgsError, ProcessArgs, SharedArgs, listen_address};
use crate::control::ControlRuntime;
use crate::servers::{self, ServeError};

/// How long the process waits for unsent events before it exits.
const FLUSH_TIMEOUT: Duration = Duration::from_secs(10);

/// Disables core dumps: the memory holds keys, tokens and decrypted Secrets. Call it before any of
/// them is read.
pub fn disable_core_dumps() {
    use rustix::process::{Resource, Rlimit, setrlimit};
    let none = Rlimit {
        current: Some(0),
        maximum: Some(0),
    };
    // Any process may lower its limit. The kernel decides if that fails all the same.
    if let Err(error) = setrlimit(Resource::Core, none) {
        tracing::warn!(%error, "failed to disable core dumps");
    }
}

/// The memory that the process may use: the limit of its container, or a lower one of its variable.
/// `None` without both.
pub fn memory_limit(args: &ProcessArgs) -> Option<u64> {
    // Version 2 and version 1 of cgroups, as a container sees them.
    let files = [
        "/sys/fs/cgroup/memory.max",
        "/sys/fs/cgroup/memory/memory.limit_in_bytes",
    ];
    let limit = |file| fs::read_to_string(file).ok()?.trim().parse().ok();
    let container = files.into_iter().find_map(limit);
    container.into_iter().chain(args.memory_limit).min()
}

/// The parts that all controllers of a process share. Cheap to clone.
#[derive(Clone)]
pub struct Host {
    inner: Arc<Inner>,
}

struct Inner {
    cluster: Cluster,
    control: ControlRuntime,
    clock: Arc<dyn Clock>,
    metrics: Metrics,
    http: HttpClients,
    /// Variables that name the identity of the process in clouds.
    environment: Environment,
    informers: Informers,
    journal: Option<Journal>,
    shutdown: CancellationToken,
    /// Cancelled when all events were emitted.
    flush: CancellationToken,
    background: TaskTracker,
}

/// Why a host could not start.
#[derive(Debug, thiserror::Error)]
pub enum HostError {
    /// No configuration for a cluster was found.
    #[error("no cluster to work for")]
    Config(#[source] kubeconfig::LoadError),
    /// The configuration cannot be used.
    #[error(transparent)]
    Connect(#[from] ConnectError),
    /// A server could not listen.
    #[error(transparent)]
    Serve(#[from] ServeError),
    /// A flag is invalid.
    #[error(transparent)]
    Args(#[from] ArgsError),
}

impl HostError {
    /// The next step for the user, if there is one.
    pub const fn hint(&self) -> Option<&'static str> {
        match self {
            Self::Config(kubeconfig::LoadError::Nothing { .. }) => {
                Some("set KUBECONFIG, or run the controller in a pod with a service account")
            }
            Self::Config(_) => Some("check KUBECONFIG, and the service account of the pod"),
            Self::Connect(_) | Self::Serve(_) | Self::Args(_) => None,
        }
    }
}

impl Host {
    /// Starts a host for the cluster that this process runs in, or that the kubeconfig of the
    /// environment names: connects and serves health and metrics. Probes, metrics and the lease run
    /// on the runtime of `control`.
    pub async fn start(
        name: &str,
        shared: &SharedArgs,
        control: Handle,
    ) -> Result<Self, HostError> {
        shared.validate()?;
        let environment = kubeconfig::Environment::of_process();
        let config = kubeconfig::load(&kubeconfig::Flags::default(), &environment)
            .map_err(HostError::Config)?
            .config;
        let metrics = Metrics::new();
        let mut options = Options::new(format!("{name}/{}", env!("CARGO_PKG_VERSION")));
        options.rate = Rate::from_flags(shared.process.kube_api_qps, shared.process.kube_api_burst);
        options.observer = Some(observer(&metrics));
        let control = ControlRuntime::connect(control, config.clone(), options.clone())?;
        let cluster = Cluster::connect(config, options)?;
        let journal = open_journal(shared.process.journal_directory(name).as_deref());
        let clock = Arc::new(SystemClock);
        let environment = Environment::of_process();
        let host = Self::new(cluster, control, metrics, clock, journal, environment);
        host.serve(shared).await?;
        Ok(host)
    }

    /// Makes a host over an existing connection; nothing is served. Pass [`observer`] to the
    /// connection to count its requests.
    pub fn over(cluster: Cluster, metrics: Metrics) -> Self {
        Self::with_clock(cluster, metrics, Arc::new(SystemClock))
    }

    /// Makes a host that takes the time from `clock`.
    pub fn with_clock(cluster: Cluster, metrics: Metrics, clock: Arc<dyn Clock>) -> Self {
        Self::in_cloud(cluster, metrics, clock, Environment::of_process())
    }

    /// Makes a host whose identity in clouds these variables name.
    pub fn with_environment(cluster: Cluster, metrics: Metrics, environment: Environment) -> Self {
        Self::in_cloud(cluster, metrics, Arc::new(SystemClock), environment)
    }

    /// Makes a host with a clock and with the variables that name its identity in clouds.
    pub fn in_cloud(
        cluster: Cluster,
        metrics: Metrics,
        clock: Arc<dyn Clock>,
        environment: Environment,
    ) -> Self {
        let control = ControlRuntime::shared(cluster.clone());
        Self::new(cluster, control, metrics, clock, None, environment)
    }

    /// Makes a host whose lease has a runtime and a connection of its own, as [`Host::start`] does.
    pub fn with_control(
        cluster: Cluster,
        metrics: Metrics,
        control: Handle,
        connection: Cluster,
    ) -> Self {
        let control = ControlRuntime::over(control, connection);
        let clock = Arc::new(SystemClock);
        let environment = Environment::of_process();
        Self::new(cluster, control, metrics, clock, None, environment)
    }

    /// Makes a host that records the objects at work.
    pub fn with_journal(cluster: Cluster, metrics: Metrics, journal: Journal) -> Self {
        let control = ControlRuntime::shared(cluster.clone());
        let clock = Arc::new(SystemClock);
        let environment = Environment::of_process();
        Self::new(cluster, control, metrics, clock, Some(journal), environment)
    }

    fn new(
        cluster: Cluster,
        control: ControlRuntime,
        metrics: Metrics,
        clock: Arc<dyn Clock>,
        journal: Option<Journal>,
        environment: Environment,
    ) -> Self {
        let shutdown = CancellationToken::new();
        let inner = Inner {
            informers: Informers::new(cluster.clone(), shutdown.clone()),
            cluster,
            control,
            clock,
            metrics,
            http: HttpClients::new(concat!("sluice/", env!("CARGO_PKG_VERSION"))),
            environment,
            journal,
            shutdown,
            flush: CancellationToken::new(),
            background: TaskTracker::new(),
        };
        Self {
            inner: Arc::new(inner),
        }
    }

    /// Serves `/healthz` and `/readyz` on `--health-addr`, and `/metrics` on `--metrics-addr`,
    /// until the host shuts down.
    pub async fn serve(&self, shared: &SharedArgs) -> Result<(), HostError> {
        let Inner {
            informers,
            metrics,
            shutdown,
            control,
            ..
        } = &*self.inner;
        if let Some(address) = listen_address("health-addr", &shared.servers.health_addr)? {
            let serving = servers::serve_health(address, informers.clone(), shutdown.clone());
            control.run(serving).await?;
        }
        if let Some(address) = listen_address("metrics-addr", &shared.servers.metrics_addr)? {
            let serving = servers::serve_metrics(address, metrics.clone(), shutdown.clone());
            control.run(serving).await?;
        }
        Ok(())
    }

    /// The cluster, as the identity of this process.
    pub fn cluster(&self) -> &Cluster {
        &self.inner.cluster
    }

    /// The clock.
    pub fn clock(&self) -> &Arc<dyn Clock> {
        &self.inner.clock
    }

    /// The metrics.
    pub fn metrics(&self) -> &Metrics {
        &self.inner.metrics
    }

    /// The HTTP clients of the process.
    pub fn http(&self) -> &HttpClients {
        &self.inner.http
    }

    /// The variables that name the identity of the process in clouds.
    pub fn environment(&self) -> &Environment {
        &self.inner.environment
    }

    /// The watches of the process.
    pub fn informers(&self) -> &Informers {
        &self.inner.informers
    }

    /// The record of the objects at work.
    pub(crate) fn journal(&self) -> Option<&Journal> {
        self.inner.journal.as_ref()
    }

    /// Stops the process gracefully when cancelled; its children stop parts of it.
    pub fn shutdown(&self) -> &CancellationToken {
        &self.inner.shutdown
    }

    /// Cancels [`Host::shutdown`] on SIGTERM and SIGINT. A second signal ends the process at once.
    pub fn stop_on_signals(&self) {
        let host = self.clone();
        drop(sluice_system::spawn(async move {
            servers::stop_signal().await;
            host.shutdown().cancel();
            servers::stop_signal().await;
            tracing::warn!("received a second signal, exiting at once");
            std::process::exit(1);
        }));
    }

    /// Waits until all events were sent, up to a timeout. Call it after all components ended.
    pub async fn drained(&self) {
        self.inner.shutdown.cancel();
        self.inner.flush.cancel();
        self.inner.background.close();
        let sent = tokio::time::timeout(FLUSH_TIMEOUT, self.inner.background.wait()).await;
        if sent.is_err() {
            tracing::warn!("events are lost: they could not be sent in time");
        }
    }

    pub(crate) fn control(&self) -> &ControlRuntime {
        &self.inner.control
    }

    pub(crate) fn flush(&self) -> &CancellationToken {
        &self.inner.flush
    }

    pub(crate) fn background(&self) -> &TaskTracker {
        &self.inner.background
    }
}

/// Opens the journal of a directory. The process works without one too.
fn open_journal(directory: Option<&Path>) -> Option<Journal> {
    let directory = directory?;
    match Journal::open(directory) {
        Ok(Some(journal)) => return Some(journal),
        Ok(None) => {
            tracing::info!(directory = %directory.display(), "another process records its work here");
        }
        Err(error) => {
            tracing::error!(error = %chain(&error), "objects that kill the process are not quarantined");
        }
    }
    None
}

/// Counts the requests of a connection in `rest_client_requests_total`.
pub fn observer(metrics: &Metrics) -> sluice_client::Observer {
    let metrics = metrics.clone();
    Arc::new(move |observed: ObservedRequest<'_>| {
        metrics.request(observed.method.as_str(), &observed.code(), observed.host);
    })
}
/// Returns the name of this machine: in a cluster, that of the pod.
pub fn host_name() -> String {
    let system = rustix::system::uname();
    system.nodename().to_string_lossy().into_owned()
}
