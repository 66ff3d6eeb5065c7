//! Tests the controller with a real API server, recording services and webhook calls.
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

mod adoption;
mod alerts;
mod canary;
mod identities;
mod metrics;
mod receivers;
mod replicas;
mod settings;
mod sink;

use std::path::PathBuf;

use clap::{Args as _, FromArgMatches};
use k8s_openapi::api::core::v1::Event as ClusterEvent;
use serde_json::{Value, json};
use sluice_client::{Cluster, Config};
use sluice_engine::Metrics;
use sluice_host::Host;
use sluice_host::host::observer;
use sluice_notification_controller::{Args, Show};
use sluice_testkit::kube::Api;
use sluice_testkit::kube::api::{
    ApiResource, DeleteParams, DynamicObject, GroupVersionKind, ListParams, Patch, PatchParams,
    PostParams,
};
use sluice_testkit::kube::config::{KubeConfigOptions, Kubeconfig};
use sluice_testkit::{Bed, port, wait};
use tokio::net::TcpStream;
use tokio::task::JoinHandle;

const GROUP: &str = "notification.toolkit.fluxcd.io";

/// The environment of one test: a namespace and a controller.
struct World {
    bed: Bed,
    namespace: String,
    kubeconfig: PathBuf,
    events: u16,
    webhooks: u16,
    http: sluice_dial::Client,
    running: Option<(
        Host,
        JoinHandle<Result<(), sluice_notification_controller::Error>>,
    )>,
}

impl World {
    async fn new(prefix: &str) -> Self {
        Self::with(prefix, &[]).await
    }

    /// Starts a controller with more flags.
    async fn with(prefix: &str, flags: &[&str]) -> Self {
        Self::showing(prefix, flags, None).await
    }

    /// Starts a controller that may show notifications instead of sending them.
    async fn showing(prefix: &str, flags: &[&str], show: Option<Show>) -> Self {
        let mut world = Self::idle(prefix).await;
        world.start(flags, show).await;
        world
    }

    /// Creates the environment without a controller.
    async fn idle(prefix: &str) -> Self {
        let bed = Bed::Shared(sluice_testkit::cluster().await);
        let user = bed.name(prefix);
        let http = sluice_dial::HttpClients::new("test");
        Self {
            namespace: bed.namespace(prefix).await,
            kubeconfig: bed.kubeconfig_for(&user),
            bed,
            events: port(),
            webhooks: port(),
            http: http.get(&sluice_dial::Dial::default()).unwrap(),
            running: None,
        }
    }

    /// Returns another controller of the same namespace, which does not run yet.
    fn replica(&self) -> Self {
        let bed = self.bed.clone();
        let user = bed.name("replica");
        Self {
            namespace: self.namespace.clone(),
            kubeconfig: bed.kubeconfig_for(&user),
            bed,
            events: port(),
            webhooks: port(),
            http: self.http.clone(),
            running: None,
        }
    }

    /// Connects to the API server as the controller.
    async fn connect(&self, metrics: &Metrics) -> Cluster {
        let kubeconfig = Kubeconfig::read_from(&self.kubeconfig).unwrap();
        let options = KubeConfigOptions::default();
        let mut config = Config::from_custom_kubeconfig(kubeconfig, &options)
            .await
            .unwrap();
        config.proxy_url = None;
        let mut options = sluice_client::Options::new("notification-test");
        options.observer = Some(observer(metrics));
        Cluster::connect(config, options).unwrap()
    }

    async fn start(&mut self, flags: &[&str], show: Option<Show>) {
        let metrics = Metrics::new();
        let cluster = self.connect(&metrics).await;
        let host = Host::over(cluster, metrics);
        let own = [
            "notification-controller".to_owned(),
            "--watch-all-namespaces=false".to_owned(),
            format!("--runtime-namespace={}", self.namespace),
            format!("--events-addr=127.0.0.1:{}", self.events),
            format!("--receiverAddr=127.0.0.1:{}", self.webhooks),
            "--min-retry-delay=50ms".to_owned(),
            "--max-retry-delay=200ms".to_owned(),
        ];
        let more = flags.iter().map(|flag| (*flag).to_owned());
        let command = Args::augment_args(clap::Command::new("notification-controller"));
        let matches = command.get_matches_from(own.into_iter().chain(more));
        let args = Args::from_arg_matches(&matches).unwrap();
        let shared = host.clone();
        let task = tokio::spawn(async move {
            match show {
                None => sluice_notification_controller::run(args, shared).await,
                Some(show) => sluice_notification_controller::preview(args, shared, show).await,
            }
        });
        self.running = Some((host, task));
        for port in [self.events, self.webhooks] {
            wait::eventually("the server listens", || async {
                let connected = TcpStream::connect(("127.0.0.1", port)).await;
                connected.map_err(|error| error.to_string())
            })
            .await;
        }
    }

    /// Stops the controller and waits for its end.
    async fn stop(mut self) {
        let (host, task) = self.running.take().unwrap();
        host.shutdown().cancel();
        task.await.unwrap().unwrap();
        host.drained().await;
    }

    /// Scrapes the metrics.
    fn metrics(&self) -> String {
        self.running.as_ref().unwrap().0.metrics().text()
    }

    async fn objects(&self, kind: &str) -> Api<DynamicObject> {
        let gvk = match kind {
            "Receiver" => GroupVersionKind::gvk(GROUP, "v1", kind),
            "Alert" | "Provider" => GroupVersionKind::gvk(GROUP, "v1beta3", kind),
            _ => GroupVersionKind::gvk("source.toolkit.fluxcd.io", "v1", kind),
        };
        let plural = if kind == "GitRepository" {
            "gitrepositories".to_owned()
        } else {
            format!("{}s", kind.to_lowercase())
        };
        let resource = ApiResource::from_gvk_with_plural(&gvk, &plural);
        let client = self.bed.client().await;
        Api::namespaced_with(client, &self.namespace, &resource)
    }

    async fn create(&self, kind: &str, name: &str, metadata: Value, spec: Value) {
        let api = self.objects(kind).await;
        let version = if kind == "Receiver" { "v1" } else { "v1beta3" };
        let api_version = match kind {
            "Alert" | "Provider" | "Receiver" => format!("{GROUP}/{version}"),
            _ => "source.toolkit.fluxcd.io/v1".to_owned(),
        };
        let mut whole = json!({ "name": name, "namespace": self.namespace });
        for (key, value) in metadata.as_object().unwrap() {
            whole[key] = value.clone();
        }
        let object = serde_json::from_value(json!({
            "apiVersion": api_version, "kind": kind, "metadata": whole, "spec": spec,
        }));
        api.create(&PostParams::default(), &object.unwrap())
            .await
            .unwrap();
    }

    async fn patch(&self, kind: &str, name: &str, patch: Value) {
        let api = self.objects(kind).await;
        api.patch(name, &PatchParams::default(), &Patch::Merge(patch))
            .await
            .unwrap();
    }

    async fn secret(&self, name: &str, entries: &[(&str, &str)]) {
        let entries: Vec<_> = entries
            .iter()
            .map(|(key, value)| (*key, value.as_bytes()))
            .collect();
        self.bed.secret(&self.namespace, name, None, &entries).await;
    }

    /// Creates a Provider, and an Alert for all Kustomizations of the namespace. Then waits until
    /// the controller has stored them.
    async fn alert(&self, name: &str, provider: Value, alert: Value) {
        self.annotated_alert(name, provider, alert, json!({})).await;
    }

    /// Does the same with annotations of the Alert.
    async fn annotated_alert(&self, name: &str, provider: Value, alert: Value, annotations: Value) {
        self.create("Provider", name, json!({}), provider).await;
        let mut spec = json!({
            "providerRef": { "name": name },
            "eventSources": [{ "kind": "Kustomization", "name": "*" }],
        });
        for (key, value) in alert.as_object().unwrap() {
            spec[key] = value.clone();
        }
        self.until("Provider", name, |it| {
            it["metadata"]["finalizers"].is_array()
        })
        .await;
        let mut metadata = marked();
        metadata["annotations"] = annotations;
        self.create("Alert", name, metadata, spec).await;
        self.until_stored("Alert", name).await;
    }

    /// Waits until the controller has stored an Alert that was created as [`marked`].
    async fn until_stored(&self, kind: &str, name: &str) {
        self.until(kind, name, |it| it["metadata"]["finalizers"].is_null())
            .await;
    }

    /// Posts an event about a Kustomization, and returns the status of the response.
    async fn post(&self, event: Value) -> u16 {
        let mut whole = json!({
            "involvedObject": {
                "apiVersion": "kustomize.toolkit.fluxcd.io/v1", "kind": "Kustomization",
                "namespace": self.namespace, "name": "apps", "uid": "7e2c",
            },
            "severity": "info",
            "timestamp": "2026-01-02T03:04:05Z",
            "message": "Applied revision",
            "reason": "ReconciliationSucceeded",
            "reportingController": "kustomize-controller",
            "metadata": {
                "kustomize.toolkit.fluxcd.io/revision":
                    "main@sha1:0a1b2c3d4e5f60718293a4b5c6d7e8f901234567",
            },
        });
        for (key, value) in event.as_object().unwrap() {
            whole[key] = value.clone();
        }
        let url = format!("http://127.0.0.1:{}/", self.events);
        let sent = self.http.post(url).body(whole.to_string()).send().await;
        sent.unwrap().status().as_u16()
    }

    /// Calls a webhook, and returns the status of the response.
    async fn call(&self, path: &str, headers: &[(&str, &str)], body: &str) -> u16 {
        let url = format!("http://127.0.0.1:{}{path}", self.webhooks);
        let mut request = self.http.post(url).body(body.to_owned());
        for (name, value) in headers {
            request = request.header(*name, *value);
        }
        request.send().await.unwrap().status().as_u16()
    }

    /// Waits until a Receiver is ready, in the API and in the controller. Returns its path.
    ///
    /// The controller answers 404 or 503 until its store has the status.
    async fn served(&self, name: &str) -> String {
        let is_ready = |it: &Value| condition(it, "Ready").is_some_and(|it| it.0 == "True");
        let ready = self.until("Receiver", name, is_ready).await;
        let path = ready["status"]["webhookPath"].as_str().unwrap().to_owned();
        wait::eventually("the path is served", || async {
            match self.call(&path, &[], "").await {
                status @ (404 | 503) => Err(status.to_string()),
                _ => Ok(()),
            }
        })
        .await;
        path
    }

    /// Waits until this number of notifications of a type is delivered.
    async fn delivered(&self, type_: &str, count: usize) {
        let line = format!(
            "sluice_notifications_total{{outcome=\"delivered\",type=\"{type_}\"}} {count}\n"
        );
        wait::eventually(&line, || async {
            let metrics = self.metrics();
            metrics.contains(&line).then_some(()).ok_or(metrics)
        })
        .await;
    }

    /// Waits for an event whose message contains the text.
    async fn warning(&self, reason: &str, text: &str) -> ClusterEvent {
        let api: Api<ClusterEvent> = Api::namespaced(self.bed.client().await, &self.namespace);
        let is_wanted = |event: &ClusterEvent| {
            let message = event.message.as_deref().unwrap_or_default();
            event.reason.as_deref() == Some(reason) && message.contains(text)
        };
        let claim = format!("there is an event {reason} with {text}");
        let parameters = ListParams::default();
        let events = wait::until_all(&api, &parameters, &claim, |events| {
            events.iter().any(is_wanted)
        });
        events.await.into_iter().find(is_wanted).unwrap()
    }

    /// Waits until a predicate holds for an object.
    async fn until(&self, kind: &str, name: &str, holds: impl Fn(&Value) -> bool) -> Value {
        let api = self.objects(kind).await;
        wait::eventually(&format!("{kind} {name} is as expected"), || async {
            let object = api.get_opt(name).await.map_err(|error| error.to_string())?;
            let object = serde_json::to_value(&object).unwrap();
            if holds(&object) {
                return Ok(object);
            }
            Err(format!("{object:#}"))
        })
        .await
    }

    async fn delete(&self, kind: &str, name: &str) {
        let api = self.objects(kind).await;
        api.delete(name, &DeleteParams::default()).await.unwrap();
    }
}

/// Returns metadata with the finalizer of Flux before 2.0. The controller removes it from each
/// Alert that it has stored.
fn marked() -> Value {
    json!({ "finalizers": ["finalizers.fluxcd.io"] })
}

/// Returns the condition of a type as status, reason and message.
fn condition(object: &Value, type_: &str) -> Option<(String, String, String)> {
    let conditions = object["status"]["conditions"].as_array()?.iter();
    let found = conditions.into_iter().find(|it| it["type"] == type_)?;
    let text = |field: &str| found[field].as_str().unwrap_or_default().to_owned();
    Some((text("status"), text("reason"), text("message")))
}
