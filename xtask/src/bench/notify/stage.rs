//! A control plane with a notification-controller.

use std::path::Path;
use std::time::{Duration, Instant};

use anyhow::{Context as _, ensure};
use futures::{StreamExt as _, TryStreamExt as _};
use serde_json::{Value, json};
use sluice_api::notification::webhook;
use sluice_client::{Cluster, Freshness, GroupVersionKind, PatchOptions};
use sluice_devcluster::{ControlPlane, Options, Toolbox};
use sluice_dial::{Client, Dial, HttpClients};
use tokio::net::TcpStream;

use crate::bench::cluster::{self, NAMESPACE, POLL, TIMEOUT, name, source_kind};
use crate::bench::controller::Subject;
use crate::bench::process::MeasuredProcess;

const GROUP: &str = "notification.toolkit.fluxcd.io";
/// Token of all Receivers.
const TOKEN: &str = "bench";
/// Maximum number of parallel requests to the API server.
const IN_FLIGHT: usize = 20;
/// Finalizer of Flux before 2.0. The controller removes it from each Alert that it has stored.
const FINALIZER: &str = "finalizers.fluxcd.io";

pub(super) struct NotifyFixture {
    pub(super) controller: MeasuredProcess,
    cluster: Cluster,
    client: Client,
    events: u16,
    webhooks: u16,
    /// Ends with the stage.
    _plane: ControlPlane,
    _state: tempfile::TempDir,
}

impl NotifyFixture {
    pub(super) async fn start(subject: &Subject, log: Option<&Path>) -> anyhow::Result<Self> {
        let toolbox = Toolbox::from_environment()?.on_progress(|step| eprintln!("{step}"));
        let plane = ControlPlane::start(Options::new(toolbox)).await?;
        let cluster = cluster::connect(plane.kubeconfig())?;
        cluster::prepare(&cluster).await?;
        let kinds = [
            ("Alert", "v1beta3"),
            ("Provider", "v1beta3"),
            ("Receiver", "v1"),
        ]
        .map(|(kind, version)| GroupVersionKind::gvk(GROUP, version, kind));
        cluster::define(&cluster, super::CONTROLLER, &kinds).await?;
        let state = tempfile::tempdir()?;
        let [metrics, health, events, webhooks] = cluster::free_ports::<4>()?;
        let flags = [
            format!("--metrics-addr=127.0.0.1:{metrics}"),
            format!("--health-addr=127.0.0.1:{health}"),
            format!("--events-addr=127.0.0.1:{events}"),
            format!("--receiverAddr=127.0.0.1:{webhooks}"),
        ];
        let default_log = state.path().join("controller.log");
        let log = log.unwrap_or(&default_log);
        let controller = subject.start(super::CONTROLLER, &flags, &plane, log)?;
        let client = HttpClients::new("sluice-bench").get(&Dial::default())?;
        let stage = Self {
            controller,
            cluster,
            client,
            events,
            webhooks,
            _plane: plane,
            _state: state,
        };
        for port in [events, webhooks] {
            stage.until_listening(port).await?;
        }
        Ok(stage)
    }

    async fn until_listening(&self, port: u16) -> anyhow::Result<()> {
        let began = Instant::now();
        while TcpStream::connect(("127.0.0.1", port)).await.is_err() {
            ensure!(began.elapsed() < TIMEOUT, "nothing listens on {port}");
            tokio::time::sleep(POLL).await;
        }
        Ok(())
    }

    /// Creates a Provider, and an Alert for all Kustomizations.
    pub(super) async fn provider(&self, name: &str, address: &str) -> anyhow::Result<()> {
        let spec = json!({ "type": "generic", "address": address });
        self.create("Provider", "v1beta3", json!({ "name": name }), spec)
            .await?;
        let spec = json!({
            "providerRef": { "name": name },
            "eventSources": [{ "kind": "Kustomization", "name": "*" }],
        });
        let metadata = json!({ "name": name, "finalizers": [FINALIZER] });
        self.create("Alert", "v1beta3", metadata, spec).await
    }

    /// Waits until the controller has stored all Alerts and Providers.
    pub(super) async fn until_stored(&self, count: usize) -> anyhow::Result<()> {
        for (kind, is_marked) in [("Alert", false), ("Provider", true)] {
            let gvk = GroupVersionKind::gvk(GROUP, "v1beta3", kind);
            let stored = cluster::all(&self.cluster, &gvk, count, |object| {
                object["metadata"]["finalizers"].is_array() == is_marked
            });
            let waited = tokio::time::timeout(TIMEOUT, stored).await;
            waited.with_context(|| format!("not every {kind} is stored"))??;
        }
        Ok(())
    }

    pub(super) async fn post_event(&self, number: usize) -> anyhow::Result<()> {
        let url = format!("http://127.0.0.1:{}/", self.events);
        let body = super::event(number).to_string();
        let response = self.client.post(url).body(body).send().await?;
        ensure!(
            response.status() == 202,
            "the answer is {}",
            response.status()
        );
        Ok(())
    }

    /// Creates sources, each with a Receiver, and waits until the webhooks work.
    pub(super) async fn receivers(&self, count: usize) -> anyhow::Result<()> {
        let secret = json!({
            "apiVersion": "v1", "kind": "Secret",
            "metadata": { "name": "token", "namespace": NAMESPACE },
            "stringData": { "token": TOKEN },
        });
        cluster::apply(&self.cluster, Some(NAMESPACE), &secret, "bench", false).await?;
        futures::stream::iter(0..count)
            .map(|number| async move {
                let name = name(number);
                let source = json!({
                    "apiVersion": "source.toolkit.fluxcd.io/v1", "kind": "GitRepository",
                    "metadata": { "name": name, "namespace": NAMESPACE },
                    "spec": { "interval": "60m", "url": "https://example.com/source" },
                });
                let options = PatchOptions::default();
                self.cluster
                    .create(&source_kind(), Some(NAMESPACE), &source, options)
                    .await?;
                let spec = json!({
                    "type": "generic", "secretRef": { "name": "token" },
                    "resources": [{ "kind": "GitRepository", "name": name }],
                });
                self.create("Receiver", "v1", json!({ "name": name }), spec)
                    .await
            })
            .buffer_unordered(IN_FLIGHT)
            .try_collect::<()>()
            .await?;
        let kind = GroupVersionKind::gvk(GROUP, "v1", "Receiver");
        let ready = cluster::all_ready(&self.cluster, &kind, count);
        let waited = tokio::time::timeout(TIMEOUT, ready).await;
        waited.context("not every Receiver is ready")??;
        // The first call scans the paths.
        let began = Instant::now();
        while self.call(count - 1).await.is_err() {
            ensure!(began.elapsed() < TIMEOUT, "the webhooks do not work");
            tokio::time::sleep(Duration::from_millis(200)).await;
        }
        Ok(())
    }

    /// Calls the webhook of an object. Returns the time until the response.
    pub(super) async fn call(&self, number: usize) -> anyhow::Result<Duration> {
        let began = Instant::now();
        self.call_later(number).await?;
        Ok(began.elapsed())
    }

    /// Returns a call as a future of its own.
    pub(super) fn call_later(
        &self,
        number: usize,
    ) -> impl Future<Output = anyhow::Result<()>> + Send + use<> {
        let path = webhook::path(TOKEN.as_bytes(), &name(number), NAMESPACE);
        let url = format!("http://127.0.0.1:{}{path}", self.webhooks);
        let request = self.client.post(url);
        async move {
            let response = request.send().await?;
            ensure!(
                response.status() == 200,
                "the answer is {}",
                response.status()
            );
            Ok(())
        }
    }

    /// Checks that the first objects have the annotation.
    pub(super) async fn check_annotations(&self, count: usize) -> anyhow::Result<()> {
        let kind = source_kind();
        for number in 0..count {
            let name = name(number);
            let read = self
                .cluster
                .get_metadata(&kind, Some(NAMESPACE), &name, Freshness::Latest);
            let object = read.await?.with_context(|| format!("{name} is gone"))?;
            let annotation = &object["metadata"]["annotations"]["reconcile.fluxcd.io/requestedAt"];
            ensure!(annotation.is_string(), "{name} is not annotated");
        }
        Ok(())
    }

    async fn create(
        &self,
        kind: &str,
        version: &str,
        metadata: Value,
        spec: Value,
    ) -> anyhow::Result<()> {
        let mut object = json!({
            "apiVersion": format!("{GROUP}/{version}"), "kind": kind,
            "metadata": metadata, "spec": spec,
        });
        object["metadata"]["namespace"] = NAMESPACE.into();
        let gvk = GroupVersionKind::gvk(GROUP, version, kind);
        let options = PatchOptions::default();
        self.cluster
            .create(&gvk, Some(NAMESPACE), &object, options)
            .await?;
        Ok(())
    }
}
