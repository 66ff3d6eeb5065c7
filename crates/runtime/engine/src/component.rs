//! One controller of the process, as Flux counts them: a name, its flags, its gates,
//! its lease and the tasks it runs while it leads.
//!
//! A controller crate asks the [`Host`] for its component, builds its
//! [`crate::Controller`]s and other [`Task`]s on it and awaits [`Component::run`].
//! A failed task ends that component, gracefully, and a lost lease at once; neither
//! concerns another component of the process.

use std::panic::AssertUnwindSafe;
use std::sync::Arc;

use futures::FutureExt;
use sluice_client::Cluster;
use sluice_system::Clock;
use tokio::task::JoinSet;
use tokio_util::sync::CancellationToken;

use crate::args::{ArgsError, SharedArgs};
use crate::controller::{Task, TaskError};
use crate::gates::{FeatureGates, Gate};
use crate::host::Host;
use crate::kind::Watched;
use crate::leader::{Lead, LeaseOptions};
use crate::metrics::Metrics;
use crate::report::events::Events;
use crate::secrets::Secrets;
use crate::watch::Store;
use crate::watch::informer::Informer;
use sluice_golang::error::chain;

/// One controller of the process. Cheap to clone.
#[derive(Clone)]
pub struct Component {
    inner: Arc<Inner>,
}

struct Inner {
    name: &'static str,
    host: Host,
    shared: SharedArgs,
    gates: FeatureGates,
    events: Events,
    secrets: Secrets,
}

/// Why a component ended.
#[derive(Debug, thiserror::Error)]
pub enum ComponentError {
    /// Another process leads now.
    #[error("leader election lost")]
    LeaseLost,
    /// A task failed.
    #[error(transparent)]
    Task(#[from] TaskError),
}

impl Component {
    /// Makes a component; see [`Host::component`].
    pub(crate) fn new(
        host: &Host,
        name: &'static str,
        shared: SharedArgs,
        gates: &[Gate],
    ) -> Result<Self, ArgsError> {
        shared.validate()?;
        let gates = FeatureGates::resolve(gates, &shared.feature_gates)?;
        let events = Events::start(host, name, &shared.events_addr)?;
        let secrets = Secrets::new(host, &shared, &gates);
        Ok(Self {
            inner: Arc::new(Inner {
                name,
                host: host.clone(),
                shared,
                gates,
                events,
                secrets,
            }),
        })
    }

    /// The controller's name: `kustomize-controller`.
    pub fn name(&self) -> &'static str {
        self.inner.name
    }

    /// The flags that all controllers have.
    pub fn shared(&self) -> &SharedArgs {
        &self.inner.shared
    }

    /// The feature gates.
    pub fn gates(&self) -> &FeatureGates {
        &self.inner.gates
    }

    /// The process.
    pub fn host(&self) -> &Host {
        &self.inner.host
    }

    /// The cluster we run for, as ourselves.
    pub fn cluster(&self) -> &Cluster {
        self.inner.host.cluster()
    }

    /// Secrets and `ConfigMap`s.
    pub fn secrets(&self) -> &Secrets {
        &self.inner.secrets
    }

    /// The clock.
    pub fn clock(&self) -> &Arc<dyn Clock> {
        self.inner.host.clock()
    }

    /// The metrics of the process.
    pub fn metrics(&self) -> &Metrics {
        self.inner.host.metrics()
    }

    pub(crate) fn events(&self) -> &Events {
        &self.inner.events
    }

    /// `--watch-label-selector`, unless it is empty.
    pub(crate) fn label_selector(&self) -> Option<String> {
        let selector = &self.inner.shared.watch_label_selector;
        (!selector.is_empty()).then(|| selector.clone())
    }

    /// What is known of a kind that some controller of this component watches without
    /// a selector of its own. It fills once that watch runs.
    pub fn store<S: Watched>(&self) -> Store<S> {
        self.informer::<S>(None).store().clone()
    }

    /// Takes what was read from the server into [`Self::store`], if it is newer than what is there.
    pub fn learned<S: Watched>(&self, object: Arc<S>) {
        self.informer::<S>(None).update(object);
    }

    pub(crate) fn informer<S: Watched>(&self, selector: Option<String>) -> Arc<Informer<S>> {
        self.inner
            .host
            .informer::<S>(self.inner.shared.watched_namespace(), selector)
    }

    pub(crate) fn start_informer<S: Watched>(
        &self,
        informer: &Arc<Informer<S>>,
        selector: Option<String>,
    ) {
        self.inner
            .host
            .start_informer(informer, self.inner.shared.watched_namespace(), selector);
    }

    /// Waits for the lease, if leader election is on, and runs the tasks until the
    /// host shuts down, the lease is lost or a task fails.
    pub async fn run(self, tasks: impl IntoIterator<Item = Task>) -> Result<(), ComponentError> {
        let stop = self.inner.host.shutdown().child_token();
        let lead = if self.inner.shared.enable_leader_election {
            let options = LeaseOptions::new(self.inner.name, &self.inner.shared);
            match Lead::acquire(
                self.cluster().clone(),
                options,
                self.metrics().clone(),
                self.clock(),
                &stop,
            )
            .await
            {
                Some(lead) => Some(lead),
                None => return Ok(()),
            }
        } else {
            None
        };
        let outcome = self
            .lead(tasks.into_iter().collect(), &stop, lead.as_ref())
            .await;
        if let Some(lead) = lead {
            lead.end().await;
        }
        outcome
    }

    async fn lead(
        &self,
        tasks: Vec<Task>,
        stop: &CancellationToken,
        lead: Option<&Lead>,
    ) -> Result<(), ComponentError> {
        let mut running = JoinSet::new();
        for Task { name, run } in tasks {
            let work = AssertUnwindSafe(run(stop.clone())).catch_unwind();
            running.spawn(async move {
                work.await.unwrap_or_else(|_| {
                    Err(TaskError {
                        task: name,
                        message: "the task panicked".to_owned(),
                    })
                })
            });
        }
        let lost = async {
            match lead {
                Some(lead) => lead.lost().await,
                None => std::future::pending().await,
            }
        };
        let mut lost = std::pin::pin!(lost);
        let mut failure = None;
        loop {
            tokio::select! {
                ended = running.join_next() => match ended {
                    None => return failure.map_or(Ok(()), |failure: TaskError| Err(failure.into())),
                    Some(Ok(Err(error))) => {
                        tracing::error!(component = self.name(), error = %chain(&error), "controller stopped");
                        failure.get_or_insert(error);
                        stop.cancel();
                    }
                    // It ended well, or was aborted, which only we do.
                    Some(Ok(Ok(())) | Err(_)) => {}
                },
                () = &mut lost => {
                    tracing::error!(component = self.name(), "leader election lost");
                    stop.cancel();
                    // No grace: the next leader may begin within seconds.
                    running.shutdown().await;
                    return Err(ComponentError::LeaseLost);
                }
            }
        }
    }
}
