//! The process: what its controllers share.
//!
//! One host serves one controller (Flux's shape) or all of them: the shutdown token,
//! the connection to the cluster, the clock, the metrics, the health and metrics
//! servers, and one watch per kind and scope for whoever wants it.

use std::any::{Any, TypeId};
use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use sluice_client::{Cluster, ConnectError, Observed, Options, Rate};
use sluice_dial::HttpClients;
use sluice_system::{Clock, SystemClock};
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;

use crate::args::{ArgsError, SharedArgs};
use crate::component::Component;
use crate::gates::Gate;
use crate::kind::Watched;
use crate::metrics::Metrics;
use crate::servers::{self, ServeError};
use crate::watch::informer::Informer;
use crate::watch::supervise::{WatchHealth, supervise};

/// How long events that are still to be sent keep a process that ends.
const LAST_WORDS: Duration = Duration::from_secs(10);

/// Lets the process leave no image of its memory behind when it dies: keys, tokens and decrypted
/// Secrets are in it. For the process of a controller, before anything of that is read.
pub fn leave_no_core() {
    use rustix::process::{Resource, Rlimit, setrlimit};
    let none = Rlimit {
        current: Some(0),
        maximum: Some(0),
    };
    // Lowering it is everybody's right. Where it is refused all the same, the kernel decides.
    if let Err(error) = setrlimit(Resource::Core, none) {
        tracing::warn!(%error, "core dumps could not be turned off");
    }
}

/// What is shared by all controllers of a process. Cheap to clone.
#[derive(Clone)]
pub struct Host {
    inner: Arc<Inner>,
}

struct Inner {
    cluster: Cluster,
    clock: Arc<dyn Clock>,
    metrics: Metrics,
    http: HttpClients,
    shutdown: CancellationToken,
    /// Cancelled when nothing more will be emitted.
    flush: CancellationToken,
    informers: Mutex<HashMap<Scope, Arc<dyn Any + Send + Sync>>>,
    /// The watches that were started, each with its kind.
    watches: Mutex<Vec<(String, Arc<WatchHealth>)>>,
    background: TaskTracker,
}

/// What makes two watches the same watch.
#[derive(Clone, PartialEq, Eq, Hash)]
struct Scope {
    kind: TypeId,
    namespace: Option<String>,
    selector: Option<String>,
}

/// Why a host could not start.
#[derive(Debug, thiserror::Error)]
pub enum HostError {
    /// No configuration for a cluster was found.
    #[error("no cluster to work for")]
    Config(#[source] kube::config::InferConfigError),
    /// A configuration that cannot be used.
    #[error(transparent)]
    Connect(#[from] ConnectError),
    /// A server could not listen.
    #[error(transparent)]
    Serve(#[from] ServeError),
    /// A flag.
    #[error(transparent)]
    Args(#[from] ArgsError),
}

impl Host {
    /// Starts a host for the cluster that this process runs in, or that the
    /// environment's kubeconfig names: connects and serves health and metrics.
    pub async fn start(name: &str, shared: &SharedArgs) -> Result<Self, HostError> {
        shared.validate()?;
        let config = sluice_client::Config::infer()
            .await
            .map_err(HostError::Config)?;
        let metrics = Metrics::new();
        let mut options = Options::new(format!("{name}/{}", env!("CARGO_PKG_VERSION")));
        options.rate = Rate::from_flags(shared.kube_api_qps, shared.kube_api_burst);
        options.observer = Some(observer(&metrics));
        let host = Self::over(Cluster::connect(config, options)?, metrics);
        host.serve(shared).await?;
        Ok(host)
    }

    /// Makes a host over a connection that exists; nothing is served. Give
    /// [`observer`] to the connection to have its requests counted.
    pub fn over(cluster: Cluster, metrics: Metrics) -> Self {
        Self::with_clock(cluster, metrics, Arc::new(SystemClock))
    }

    /// Makes a host that takes the time from `clock`.
    pub fn with_clock(cluster: Cluster, metrics: Metrics, clock: Arc<dyn Clock>) -> Self {
        let inner = Inner {
            cluster,
            clock,
            metrics,
            http: HttpClients::new(concat!("sluice/", env!("CARGO_PKG_VERSION"))),
            shutdown: CancellationToken::new(),
            flush: CancellationToken::new(),
            informers: Mutex::default(),
            watches: Mutex::default(),
            background: TaskTracker::new(),
        };
        Self {
            inner: Arc::new(inner),
        }
    }

    /// Serves `/healthz` and `/readyz` on `--health-addr`, `/metrics` on
    /// `--metrics-addr`, until the host shuts down.
    pub async fn serve(&self, shared: &SharedArgs) -> Result<(), HostError> {
        servers::start(self, shared).await?;
        Ok(())
    }

    /// One controller of this process: `name` is Flux's (`kustomize-controller`),
    /// `gates` its table.
    pub fn component(
        &self,
        name: &'static str,
        shared: SharedArgs,
        gates: &[Gate],
    ) -> Result<Component, ArgsError> {
        Component::new(self, name, shared, gates)
    }

    /// The cluster we run for, as ourselves.
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

    /// Cancel it to stop the process gracefully; its children stop parts of it.
    pub fn shutdown(&self) -> &CancellationToken {
        &self.inner.shutdown
    }

    /// Cancels [`Host::shutdown`] on SIGTERM and SIGINT. Who asks a second time waits no more.
    pub fn stop_on_signals(&self) {
        let host = self.clone();
        drop(tokio::spawn(async move {
            servers::signalled().await;
            host.shutdown().cancel();
            servers::signalled().await;
            tracing::warn!("asked to stop once more, ending at once");
            std::process::exit(1);
        }));
    }

    /// Waits until what was still to be sent (events) has been sent, after all
    /// components have ended; but not for ever.
    pub async fn drained(&self) {
        self.inner.shutdown.cancel();
        self.inner.flush.cancel();
        self.inner.background.close();
        let sent = tokio::time::timeout(LAST_WORDS, self.inner.background.wait()).await;
        if sent.is_err() {
            tracing::warn!("events are lost: nobody took them before the end");
        }
    }

    /// The kinds whose watch has broken and not caught up: while there are any, the process
    /// is not ready.
    pub(crate) fn broken_watches(&self) -> Vec<String> {
        self.watches()
            .iter()
            .filter(|(_, health)| health.is_broken())
            .map(|(kind, _)| kind.clone())
            .collect()
    }

    fn watches(&self) -> MutexGuard<'_, Vec<(String, Arc<WatchHealth>)>> {
        self.inner
            .watches
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
    }

    pub(crate) fn flush(&self) -> &CancellationToken {
        &self.inner.flush
    }

    pub(crate) fn background(&self) -> &TaskTracker {
        &self.inner.background
    }

    pub(crate) fn informer<S: Watched>(
        &self,
        namespace: Option<&str>,
        selector: Option<String>,
    ) -> Arc<Informer<S>> {
        let scope = Scope {
            kind: TypeId::of::<S>(),
            namespace: namespace.map(str::to_owned),
            selector,
        };
        let mut informers = self
            .inner
            .informers
            .lock()
            .unwrap_or_else(PoisonError::into_inner);
        let informer = informers
            .entry(scope)
            .or_insert_with(|| Informer::<S>::new());
        Arc::clone(informer)
            .downcast()
            .expect("an informer is stored under the type of its objects")
    }

    pub(crate) fn start_informer<S: Watched>(
        &self,
        informer: &Arc<Informer<S>>,
        namespace: Option<&str>,
        selector: Option<String>,
    ) {
        if !informer.claim() {
            return;
        }
        let (cluster, namespace) = (self.inner.cluster.clone(), namespace.map(str::to_owned));
        let (informer, stop) = (Arc::clone(informer), self.inner.shutdown.clone());
        let (kind, health) = (S::kind(&()).into_owned(), Arc::clone(informer.health()));
        self.watches().push((kind.clone(), Arc::clone(&health)));
        drop(tokio::spawn(async move {
            let watch = || {
                let (cluster, namespace) = (cluster.clone(), namespace.clone());
                Arc::clone(&informer).run(cluster, namespace, selector.clone(), stop.clone())
            };
            tokio::select! {
                () = supervise(&kind, &health, watch) => {}
                () = stop.cancelled() => {}
            }
        }));
    }
}

/// Counts the requests of a connection in `rest_client_requests_total`.
pub fn observer(metrics: &Metrics) -> sluice_client::Observer {
    let metrics = metrics.clone();
    Arc::new(move |observed: Observed<'_>| {
        metrics.request(observed.method.as_str(), &observed.code(), observed.host);
    })
}
