//! Starts the controller from its flags.
//!
//! The reconcilers need the lease. Both servers run on every replica, because the Services balance
//! over all of them.

use std::sync::{Arc, Mutex};

use k8s_openapi::api::core::v1::Secret;
use sluice_api::notification::{Alert, Provider, Receiver};
use sluice_client::typed::PartialObjectMeta;
use sluice_dial::HttpClients;
use sluice_engine::{Controller, ObjectKey, Statusless, Task, Watch, Watchable};
use sluice_host::args::{ArgsError, listen_address};
use sluice_host::gates::OBJECT_LEVEL_WORKLOAD_IDENTITY;
use sluice_host::{Component, ComponentError, Host, ServiceAccounts, listen};
use sluice_identity::HostAllowlist;
use tokio_util::sync::CancellationToken;

use crate::alert::Gates;
use crate::annotator::Annotator;
use crate::args::{Args, DISABLE_CONFIG_WATCHERS, GATES, NAME};
use crate::courier::ProviderCourier;
use crate::deliveries::Deliveries;
use crate::dispatcher::Dispatcher;
use crate::event::Duplicates;
use crate::event_server::EventServer;
use crate::http_server::{self, Handler};
use crate::issuers::Issuers;
use crate::metrics::{DeliveryMetrics, HttpMetrics};
use crate::preview::Show;
use crate::reconcilers::alert::AlertRunner;
use crate::reconcilers::provider::ProviderRunner;
use crate::reconcilers::receiver::{CONDITIONS, ReceiverReconciler};
use crate::sender::{IdentityOptions, Sender};
use crate::webhook_server::{Paths, WebhookServer};

/// User agent of requests to services.
const USER_AGENT: &str = concat!("sluice/", env!("CARGO_PKG_VERSION"));

/// Error that prevents the start or ends the controller.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// Invalid flag.
    #[error(transparent)]
    Args(#[from] ArgsError),
    /// A task failed, or leadership was lost.
    #[error(transparent)]
    Component(#[from] ComponentError),
}

/// A server cannot listen.
#[derive(Debug, thiserror::Error)]
#[error("cannot serve {name} on {address}")]
struct ServeError {
    name: &'static str,
    address: std::net::SocketAddr,
    source: std::io::Error,
}

/// Runs the controller until the host shuts down.
pub async fn run(args: Args, host: Host) -> Result<(), Error> {
    start(args, host, None).await
}

/// Runs the controller as [`run`] does, but shows notifications instead of sending them.
pub async fn preview(args: Args, host: Host, show: Show) -> Result<(), Error> {
    start(args, host, Some(show)).await
}

async fn start(args: Args, host: Host, show: Option<Show>) -> Result<(), Error> {
    let component = Component::new(&host, NAME, args.shared(), GATES)?;
    let gates = component.gates();
    let object_level = gates.enabled(OBJECT_LEVEL_WORKLOAD_IDENTITY);
    args.identity.validate(gates)?;
    let start = Start {
        args: &args,
        component: &component,
        clients: Arc::new(HttpClients::new(USER_AGENT)),
        metrics: DeliveryMetrics::register(component.metrics().registry()),
        gates: Gates {
            no_cross_namespace_refs: args.no_cross_namespace_refs,
            object_level_workload_identity: object_level,
        },
        show,
    };
    let mut tasks = start.reconcilers();
    tasks.extend(start.event_server()?);
    tasks.extend(start.webhook_server()?);
    Ok(component.run(tasks).await?)
}

/// Starts the parts of the controller.
struct Start<'a> {
    args: &'a Args,
    component: &'a Component,
    clients: Arc<HttpClients>,
    metrics: DeliveryMetrics,
    gates: Gates,
    show: Option<Show>,
}

impl Start<'_> {
    fn reconcilers(&self) -> Vec<Task> {
        let engine = self.component.engine();
        let concurrent = self.args.concurrent;
        let reconciler = ReceiverReconciler {
            secrets: self.component.secrets().clone(),
        };
        let mut receivers = Controller::new(engine, reconciler)
            .concurrent(concurrent)
            .owns_conditions(CONDITIONS);
        if !self.component.gates().enabled(DISABLE_CONFIG_WATCHERS) {
            let selector = &self.args.config_selector.watch_configs_label_selector;
            let secrets = Watch::<Receiver, PartialObjectMeta<Secret>>::on(secrets_of);
            receivers = receivers.watches(secrets.selected(selector));
        }
        vec![
            receivers.into_task(),
            Controller::with_runner(engine, ProviderRunner)
                .concurrent(concurrent)
                .into_task(),
            Controller::with_runner(engine, AlertRunner)
                .concurrent(concurrent)
                .into_task(),
        ]
    }

    fn event_server(&self) -> Result<Option<Task>, ArgsError> {
        let Some(address) = listen_address("events-addr", &self.args.events_addr)? else {
            return Ok(None);
        };
        let component = self.component.clone();
        let engine = component.engine();
        let clock = Arc::clone(component.clock());
        let duplicates = Duplicates::new(self.args.rate_limit_interval);
        let duplicates = Arc::new(Mutex::new(duplicates));
        let courier = ProviderCourier {
            providers: engine.watched_store::<Statusless<Provider>>(),
            secrets: component.secrets().clone(),
            sender: Sender::new(
                Arc::clone(&self.clients),
                Arc::clone(&clock),
                self.identities()?,
            ),
            sinks: engine.sinks().clone(),
            gates: self.gates,
            duplicates: Arc::clone(&duplicates),
            metrics: self.metrics.clone(),
            show: self.show.clone(),
        };
        let alerts = engine.watched_store::<Statusless<Alert>>();
        let (gates, max_age) = (self.gates, self.args.delivery_max_age);
        let waiting = self.metrics.waiting_gauge().clone();
        let metrics = self.http_metrics("gotk_event", "/");
        let task = Task::new("event-server", move |stop: CancellationToken| async move {
            if !is_synced::<Statusless<Alert>>(&component, &stop).await
                || !is_synced::<Statusless<Provider>>(&component, &stop).await
            {
                return Ok(());
            }
            let deliveries =
                Deliveries::new(courier, max_age, Arc::clone(&clock), waiting, stop.clone());
            let cluster = component.cluster().clone();
            let dispatcher = Dispatcher::new(alerts, cluster, gates, duplicates, deliveries);
            let dispatcher = Arc::new(dispatcher);
            let server = EventServer {
                dispatcher: Arc::clone(&dispatcher),
                clock,
            };
            let served = serve("events", address, server, metrics, stop).await;
            dispatcher.drain().await;
            served
        });
        Ok(Some(task.on_every_replica()))
    }

    fn webhook_server(&self) -> Result<Option<Task>, ArgsError> {
        let Some(address) = listen_address("receiverAddr", &self.args.receiver_addr)? else {
            return Ok(None);
        };
        let component = self.component.clone();
        let clock = Arc::clone(component.clock());
        let server = WebhookServer {
            receivers: component.engine().watched_store::<Receiver>(),
            paths: Paths::default(),
            secrets: component.secrets().clone(),
            issuers: Issuers::new(Arc::clone(&self.clients), Arc::clone(&clock)),
            annotator: Arc::new(Annotator::new(
                component.cluster().clone(),
                Arc::clone(&clock),
            )),
            no_cross_namespace_refs: self.gates.no_cross_namespace_refs,
            metrics: self.metrics.clone(),
            clock,
        };
        let metrics = self.http_metrics("gotk_receiver", "/hook/");
        let task = Task::new(
            "webhook-server",
            move |stop: CancellationToken| async move {
                if !is_synced::<Receiver>(&component, &stop).await {
                    return Ok(());
                }
                serve("webhooks", address, server, metrics, stop).await
            },
        );
        Ok(Some(task.on_every_replica()))
    }

    fn identities(&self) -> Result<IdentityOptions, ArgsError> {
        let hosts = self.args.identity_host_allowlist.iter();
        let listed_hosts = HostAllowlist::parse(hosts.map(String::as_str))
            .map_err(|error| ArgsError::ListedHost(error.to_string()))?;
        let cluster = self.component.cluster().clone();
        let accounts = ServiceAccounts::new(cluster, &self.args.identity.default_service_account);
        Ok(IdentityOptions {
            accounts: Some(accounts),
            listed_hosts,
            max_tokens: self.args.identity.token_cache_max_size,
            max_token_age: self.args.identity.token_cache_max_duration,
            metrics: Some(self.component.metrics().tokens().clone()),
            ..IdentityOptions::default()
        })
    }

    fn http_metrics(&self, prefix: &str, handler: &'static str) -> HttpMetrics {
        let handler = Some(handler).filter(|_| !self.args.export_http_path_metrics);
        HttpMetrics::register(self.component.metrics().registry(), prefix, handler)
    }
}

/// Returns the Secrets of a Receiver.
fn secrets_of(receiver: &Receiver) -> Vec<ObjectKey> {
    let namespace = receiver.metadata.namespace.as_deref().unwrap_or_default();
    let secret = receiver.spec.secret_ref.iter();
    secret
        .map(|reference| ObjectKey::new(namespace, &reference.name))
        .collect()
}

/// Waits for the first complete list of a watch. Returns false if the process stops first.
async fn is_synced<S: Watchable>(component: &Component, stop: &CancellationToken) -> bool {
    let shared = component.shared();
    let namespace = shared.watched_namespace();
    let informers = component.host().informers();
    tokio::select! {
        () = informers.synced::<S>(namespace) => true,
        () = stop.cancelled() => false,
    }
}

async fn serve<H: Handler>(
    name: &'static str,
    address: std::net::SocketAddr,
    server: H,
    metrics: HttpMetrics,
    stop: CancellationToken,
) -> Result<(), ServeError> {
    let listener = listen(address).await.map_err(|source| ServeError {
        name,
        address,
        source,
    })?;
    tracing::info!("serving {name} on {address}");
    http_server::serve(listener, Arc::new(server), metrics, stop).await;
    Ok(())
}
