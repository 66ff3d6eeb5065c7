//! One controller of the process, as Flux counts them: a name, its flags, its gates, its lease and
//! its tasks.
//!
//! A controller crate makes its component from the [`Host`]. It builds [`Controller`]s and
//! other [`Task`]s on it, and awaits [`Component::run`]. A failed task ends the component
//! gracefully, and a lost lease at once. Other components of the process go on.
//!
//! [`Controller`]: sluice_engine::Controller

use std::sync::Arc;

use sluice_client::{Cluster, Fence};
use sluice_dial::Dial;
use sluice_engine::report::ReportSinks;
use sluice_engine::report::events::{Delivery, Events, Receiver};
use sluice_engine::{Engine, Metrics, Settings, Store, Task, TaskError, Watchable};
use sluice_golang::error::chain;
use sluice_system::{Clock, timed};
use tokio::task::JoinSet;
use tokio_util::sync::CancellationToken;

use crate::args::{ArgsError, SharedArgs};
use crate::gates::{FeatureGates, Gate};
use crate::host::Host;
use crate::leader::{Leadership, LeaseOptions};
use crate::secrets::Secrets;

/// One controller of the process. Cheap to clone.
#[derive(Clone)]
pub struct Component {
    inner: Arc<Inner>,
}

struct Inner {
    host: Host,
    shared: SharedArgs,
    gates: FeatureGates,
    engine: Engine,
    secrets: Secrets,
    cluster: Cluster,
    fence: Fence,
}

/// Why a component ended.
#[derive(Debug, thiserror::Error)]
pub enum ComponentError {
    /// Another process leads.
    #[error("leader election lost")]
    LeaseLost,
    /// A task failed.
    #[error(transparent)]
    Task(#[from] TaskError),
}

type Tasks = JoinSet<Result<(), TaskError>>;

impl Component {
    /// Makes a component. `name` is Flux's name of the controller (`kustomize-controller`), `gates`
    /// its feature gates.
    pub fn new(
        host: &Host,
        name: &'static str,
        shared: SharedArgs,
        gates: &[Gate],
    ) -> Result<Self, ArgsError> {
        shared.validate()?;
        let gates = FeatureGates::resolve(gates, &shared.process.feature_gates)?;
        let fence = Fence::default();
        let cluster = host.cluster().fenced(&fence);
        let delivery = Delivery {
            cluster: cluster.clone(),
            metrics: host.metrics().clone(),
            receiver: receiver(host, &shared.events.events_addr)?,
            background: host.background().clone(),
            flush: host.flush().clone(),
            clock: Arc::clone(host.clock()),
        };
        let sinks = ReportSinks {
            cluster: cluster.clone(),
            events: Arc::new(Events::start(name, delivery)),
            metrics: host.metrics().clone(),
            clock: Arc::clone(host.clock()),
        };
        let settings = Settings {
            namespace: shared.watched_namespace().map(str::to_owned),
            label_selector: Some(shared.selector.watch_label_selector.clone())
                .filter(|selector| !selector.is_empty()),
            min_retry_delay: shared.retries.min_retry_delay,
            max_retry_delay: shared.retries.max_retry_delay,
            interval_jitter_percentage: shared.intervals.interval_jitter_percentage,
        };
        let secrets = Secrets::new(cluster.clone(), host.informers().clone(), &shared, &gates);
        Ok(Self {
            inner: Arc::new(Inner {
                engine: Engine::new(
                    name,
                    sinks,
                    host.informers().clone(),
                    settings,
                    host.journal().cloned(),
                ),
                host: host.clone(),
                shared,
                gates,
                secrets,
                cluster,
                fence,
            }),
        })
    }

    /// The name of the controller: `kustomize-controller`.
    pub fn name(&self) -> &'static str {
        self.inner.engine.name()
    }

    /// The parts that its kinds share.
    pub fn engine(&self) -> &Engine {
        &self.inner.engine
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

    /// The cluster, as the identity of this process. Writes end with the lease.
    pub fn cluster(&self) -> &Cluster {
        &self.inner.cluster
    }

    /// Refuses writes after the lease of this component.
    pub(crate) fn fence(&self) -> &Fence {
        &self.inner.fence
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

    /// See [`Engine::store`].
    pub fn store<S: Watchable>(&self) -> Store<S> {
        self.inner.engine.store()
    }

    /// See [`Engine::update_store`].
    pub fn update_store<S: Watchable>(&self, object: Arc<S>) {
        self.inner.engine.update_store(object);
    }

    /// Runs the tasks until the host shuts down, the lease is lost or a task fails. With leader
    /// election, tasks that need the lease start when it is acquired.
    pub async fn run(self, tasks: impl IntoIterator<Item = Task>) -> Result<(), ComponentError> {
        let stop = self.inner.host.shutdown().child_token();
        let (leading, always): (Vec<_>, Vec<_>) = tasks.into_iter().partition(Task::needs_lease);
        let mut running = Tasks::new();
        for task in always {
            running.spawn(timed(task.run(stop.clone())));
        }
        let shared = &self.inner.shared;
        let lead = if shared.process.enable_leader_election {
            let control = self.inner.host.control();
            let acquired = control.run(Leadership::acquire(
                control.cluster().clone(),
                LeaseOptions::new(self.name(), shared),
                self.metrics().clone(),
                Arc::clone(self.clock()),
                self.fence().clone(),
                stop.clone(),
            ));
            tokio::select! {
                acquired = acquired => match acquired {
                    Some(lead) => Some(lead),
                    None => return self.drain(running, None).await,
                },
                failure = first_failure(&mut running) => {
                    return self.fail(running, failure, &stop).await;
                }
            }
        } else {
            None
        };
        for task in leading {
            running.spawn(timed(task.run(stop.clone())));
        }
        let outcome = self.supervise(running, &stop, lead.as_ref()).await;
        if let Some(lead) = lead {
            lead.end().await;
        }
        outcome
    }

    /// Waits for the end of all tasks, for a failure, or for the loss of the lease.
    async fn supervise(
        &self,
        mut running: Tasks,
        stop: &CancellationToken,
        lead: Option<&Leadership>,
    ) -> Result<(), ComponentError> {
        let lost = async {
            match lead {
                Some(lead) => lead.wait_for_loss().await,
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
                        self.log_failure(&error);
                        failure.get_or_insert(error);
                        stop.cancel();
                    }
                    // It ended well, or was aborted, which only this component does.
                    Some(Ok(Ok(())) | Err(_)) => {}
                },
                () = &mut lost => {
                    tracing::error!(component = self.name(), "leader election lost");
                    stop.cancel();
                    // Without grace: the next leader may begin within seconds.
                    running.shutdown().await;
                    return Err(ComponentError::LeaseLost);
                }
            }
        }
    }

    /// Stops all tasks after the failure of one.
    async fn fail(
        &self,
        running: Tasks,
        failure: TaskError,
        stop: &CancellationToken,
    ) -> Result<(), ComponentError> {
        self.log_failure(&failure);
        stop.cancel();
        self.drain(running, Some(failure)).await
    }

    /// Waits for the end of cancelled tasks.
    async fn drain(
        &self,
        mut running: Tasks,
        mut failure: Option<TaskError>,
    ) -> Result<(), ComponentError> {
        while let Some(ended) = running.join_next().await {
            if let Ok(Err(error)) = ended {
                self.log_failure(&error);
                failure.get_or_insert(error);
            }
        }
        failure.map_or(Ok(()), |failure| Err(failure.into()))
    }

    fn log_failure(&self, error: &TaskError) {
        tracing::error!(component = self.name(), error = %chain(error), "controller stopped");
    }
}

/// Resolves with the first failure; never if all tasks end well.
async fn first_failure(running: &mut Tasks) -> TaskError {
    while let Some(ended) = running.join_next().await {
        if let Ok(Err(error)) = ended {
            return error;
        }
    }
    std::future::pending().await
}

/// The notification controller, if there is one.
fn receiver(host: &Host, address: &str) -> Result<Option<Receiver>, ArgsError> {
    if address.is_empty() {
        return Ok(None);
    }
    let address = address.parse().map_err(|_| ArgsError::Url {
        flag: "events-addr",
        value: address.to_owned(),
    })?;
    Ok(match host.http().get(&Dial::default()) {
        Ok(client) => Some(Receiver { client, address }),
        Err(error) => {
            tracing::error!(error = %error, "events are not sent to the notification controller");
            None
        }
    })
}
