//! Test environment of one test: a namespace, a controller that watches only it, and an artifact
//! server with charts.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use clap::Parser;
use k8s_openapi::api::core::v1::{ConfigMap, Event, Secret};
use serde_json::{Value, json};
use sluice_api::helm::{HelmRelease, HelmReleaseStatus};
use sluice_client::{Cluster, GroupVersionKind, Options, PatchOptions};
use sluice_engine::Metrics;
use sluice_helm_controller::Args;
use sluice_host::Host;
use sluice_host::host::observer;
use sluice_system::SystemClock;
use sluice_testkit::kube;
use sluice_testkit::kube::Api;
use sluice_testkit::kube::api::ListParams;
use sluice_testkit::{self as testkit, ArtifactServer, Testbed, wait};

#[derive(Parser)]
pub(crate) struct Command {
    #[command(flatten)]
    args: Args,
}

/// The template of most charts: a config map with a value and the name of the release.
pub(crate) const CONFIG: &str = "\
apiVersion: v1
kind: ConfigMap
metadata:
  name: {{ .Release.Name }}
data:
  text: {{ .Values.text | quote }}
  version: {{ .Chart.Version | quote }}
";

/// A claim that no volume fits, which never becomes ready.
pub(crate) const CLAIM: &str = "\
{{- if .Values.stuck }}
apiVersion: v1
kind: PersistentVolumeClaim
metadata:
  name: {{ .Release.Name }}
spec:
  storageClassName: none
  accessModes: [ReadWriteOnce]
  resources: {requests: {storage: 1Gi}}
{{- end }}
";

/// The environment of one test; see the module documentation.
pub(crate) struct Bed {
    pub(crate) testbed: &'static Testbed,
    pub(crate) cluster: Cluster,
    pub(crate) namespace: String,
    pub(crate) user: String,
    pub(crate) kubeconfig: PathBuf,
    host: Option<Host>,
    task: Option<tokio::task::JoinHandle<()>>,
    pub(crate) artifacts: ArtifactServer,
}

impl Drop for Bed {
    fn drop(&mut self) {
        if let Some(host) = &self.host {
            host.shutdown().cancel();
        }
    }
}

/// Returns the arguments and the host of a controller that watches one namespace.
pub(crate) fn controller(kubeconfig: &Path, namespace: &str, flags: &[&str]) -> (Args, Host) {
    let args = [
        "controller",
        "--watch-all-namespaces=false",
        "--metrics-addr=0",
        "--health-addr=0",
    ];
    let mut args = Command::parse_from(args.iter().chain(flags)).args;
    namespace.clone_into(&mut args.shared.process.runtime_namespace);
    let text = sluice_system::fs::read_to_string(kubeconfig).unwrap();
    let allowed = sluice_client::kubeconfig::AllowedFields::default();
    let loaded = sluice_client::kubeconfig::sanitize(&text, allowed).unwrap();
    let mut options = Options::new("helm-controller");
    let metrics = Metrics::new();
    options.observer = Some(observer(&metrics));
    let cluster = Cluster::connect(loaded.into_config(), options).unwrap();
    let host = Host::with_clock(cluster, metrics, Arc::new(SystemClock));
    (args, host)
}

impl Bed {
    /// Starts a controller with additional flags.
    pub(crate) async fn start(flags: &[&str]) -> Self {
        let mut bed = Self::idle().await;
        bed.run(flags);
        bed
    }

    /// Creates a bed without a controller.
    pub(crate) async fn idle() -> Self {
        let namespace = testkit::cluster().await.namespace("hr").await;
        Self::of_namespace(namespace).await
    }

    /// Creates a bed without a controller, in a namespace with a fixed name.
    pub(crate) async fn idle_in(namespace: &str) -> Self {
        testkit::cluster().await.namespace_called(namespace).await;
        Self::of_namespace(namespace.to_owned()).await
    }

    async fn of_namespace(namespace: String) -> Self {
        let testbed = testkit::cluster().await;
        let user = testbed.name("helm-controller");
        Self::of(testbed, user, namespace).await
    }

    /// Creates a bed without a controller, for this user in an existing namespace.
    pub(crate) async fn of(testbed: &'static Testbed, user: String, namespace: String) -> Self {
        drop(rustls::crypto::aws_lc_rs::default_provider().install_default());
        Self {
            testbed,
            cluster: testbed.connect().await,
            namespace,
            kubeconfig: testbed.kubeconfig_for(&user),
            user,
            host: None,
            task: None,
            artifacts: ArtifactServer::start().await,
        }
    }

    /// Starts a controller with additional flags.
    pub(crate) fn run(&mut self, flags: &[&str]) {
        let (args, host) = controller(&self.kubeconfig, &self.namespace, flags);
        let running = host.clone();
        self.task = Some(tokio::spawn(async move {
            sluice_helm_controller::run(args, running).await.unwrap();
        }));
        self.host = Some(host);
    }

    /// Stops the controller and waits for its end.
    pub(crate) async fn stop(&mut self) {
        if let Some(host) = self.host.take() {
            host.shutdown().cancel();
            if let Some(task) = self.task.take() {
                task.await.unwrap();
            }
            host.drained().await;
        }
    }

    /// Puts a chart on the server and returns its artifact.
    pub(crate) fn chart(&self, version: &str, templates: &[(&str, &str)]) -> Value {
        self.chart_of(
            &format!("apiVersion: v2\nname: web\nversion: {version}\nappVersion: a{version}\n"),
            version,
            templates,
        )
    }

    /// Puts a chart with this metadata on the server and returns its artifact.
    pub(crate) fn chart_of(
        &self,
        metadata: &str,
        revision: &str,
        templates: &[(&str, &str)],
    ) -> Value {
        let names: Vec<String> = templates
            .iter()
            .map(|(name, _)| format!("web/{name}"))
            .collect();
        let mut files = vec![("web/Chart.yaml", metadata)];
        let texts = templates.iter().map(|(_, text)| *text);
        files.extend(names.iter().map(String::as_str).zip(texts));
        self.artifacts.publish_files(revision, &files)
    }

    /// Creates or updates `HelmChart/chart`, ready with a chart.
    pub(crate) async fn publish(&self, version: &str, templates: &[(&str, &str)]) {
        let artifact = self.chart(version, templates);
        self.source("HelmChart", "chart", &artifact).await;
    }

    /// Creates or updates a ready source with an artifact.
    pub(crate) async fn source(&self, kind: &str, name: &str, artifact: &Value) {
        let spec = match kind {
            "HelmChart" => json!({"chart": "web", "interval": "1h",
                "sourceRef": {"kind": "HelmRepository", "name": "charts"}}),
            "OCIRepository" => json!({"interval": "1h", "url": "oci://example.com/web"}),
            _ => json!({}),
        };
        self.apply(
            &json!({"apiVersion": "source.toolkit.fluxcd.io/v1", "kind": kind,
            "metadata": {"name": name}, "spec": spec}),
        )
        .await;
        self.advertise(kind, name, artifact).await;
    }

    /// Writes an artifact to the status of a source, which is ready then.
    pub(crate) async fn advertise(&self, kind: &str, name: &str, artifact: &Value) {
        let gvk = GroupVersionKind::gvk("source.toolkit.fluxcd.io", "v1", kind);
        let live = self.get(&gvk, name).await.unwrap();
        let options = PatchOptions {
            subresource: Some("status"),
            ..PatchOptions::default()
        };
        let mut status = json!({"artifact": artifact, "conditions": [{
            "type": "Ready", "status": "True", "reason": "Succeeded", "message": "stored",
            "lastTransitionTime": "2026-01-01T00:00:00Z"}]});
        if kind != "ExternalArtifact" {
            status["observedGeneration"] = live["metadata"]["generation"].clone();
        }
        let status = json!({ "status": status });
        let namespace = Some(&*self.namespace);
        let patched = self.cluster.merge(&gvk, namespace, name, &status, options);
        patched.await.unwrap();
    }

    /// Creates or updates a `HelmRelease`; `spec` overrides the default fields.
    pub(crate) async fn release(&self, name: &str, spec: Value) {
        let mut full = json!({"interval": "1h", "timeout": "1m",
            "chartRef": {"kind": "HelmChart", "name": "chart"}});
        let fields = full.as_object_mut().unwrap();
        fields.extend(spec.as_object().unwrap().clone());
        fields.retain(|_, value| !value.is_null());
        self.apply(
            &json!({"apiVersion": "helm.toolkit.fluxcd.io/v2", "kind": "HelmRelease",
            "metadata": {"name": name}, "spec": full}),
        )
        .await;
    }

    /// Applies an object to the namespace with another field manager than the controller's.
    pub(crate) async fn apply(&self, object: &Value) {
        let (api_version, kind) = (
            object["apiVersion"].as_str().unwrap(),
            object["kind"].as_str().unwrap(),
        );
        let (group, version) = api_version.split_once('/').unwrap_or(("", api_version));
        let gvk = GroupVersionKind::gvk(group, version, kind);
        let name = object["metadata"]["name"].as_str().unwrap();
        let options = PatchOptions {
            field_manager: Some("test"),
            force: true,
            ..PatchOptions::default()
        };
        let namespace = Some(&*self.namespace);
        let applied = self.cluster.apply(&gvk, namespace, name, object, options);
        applied.await.unwrap();
    }

    /// Sets annotations of a release, such as a request.
    pub(crate) async fn annotate(&self, name: &str, annotations: Value) {
        let patch = json!({"metadata": {"annotations": annotations}});
        let gvk = GroupVersionKind::gvk("helm.toolkit.fluxcd.io", "v2", "HelmRelease");
        let (namespace, options) = (Some(&*self.namespace), PatchOptions::default());
        let patched = self.cluster.merge(&gvk, namespace, name, &patch, options);
        patched.await.unwrap();
    }

    /// Requests a run, and waits until it was handled.
    pub(crate) async fn request(&self, name: &str) -> HelmReleaseStatus {
        let token = self.testbed.name("request");
        self.annotate(name, json!({"reconcile.fluxcd.io/requestedAt": token}))
            .await;
        self.until_handled(name, &token).await
    }

    /// Waits until a request was handled.
    pub(crate) async fn until_handled(&self, name: &str, token: &str) -> HelmReleaseStatus {
        let claim = format!("has handled the request {token}");
        self.until(name, &claim, |status| {
            status.last_handled_reconcile_at.as_deref() == Some(token)
        })
        .await
    }

    pub(crate) fn releases(&self) -> Api<HelmRelease> {
        Api::namespaced(self.cluster.client().clone(), &self.namespace)
    }

    /// Waits for a condition on the status of a release.
    pub(crate) async fn until(
        &self,
        name: &str,
        claim: &str,
        mut condition: impl FnMut(&HelmReleaseStatus) -> bool,
    ) -> HelmReleaseStatus {
        let holds = move |object: Option<&HelmRelease>| {
            object
                .and_then(|object| object.status.as_ref())
                .is_some_and(&mut condition)
        };
        let found = wait::until(&self.releases(), name, claim, holds).await;
        found.unwrap().status.unwrap()
    }

    /// Waits until a release is ready at a version of its chart.
    pub(crate) async fn until_ready(&self, name: &str, version: &str) -> HelmReleaseStatus {
        let claim = format!("is ready with chart {version}");
        self.until(name, &claim, |status| {
            let latest = status
                .history
                .iter()
                .max_by_key(|snapshot| snapshot.version);
            status.conditions.is_true("Ready")
                && latest.is_some_and(|latest| latest.chart_version == version)
        })
        .await
    }

    /// Waits until Ready is False with a reason, and returns the status.
    pub(crate) async fn until_failed(&self, name: &str, reason: &str) -> HelmReleaseStatus {
        self.until(name, &format!("has failed with {reason}"), |status| {
            let ready = status.conditions.find("Ready");
            ready.is_some_and(|ready| ready.is_false() && ready.reason == reason)
        })
        .await
    }

    /// Reads an object in the namespace.
    pub(crate) async fn get(&self, gvk: &GroupVersionKind, name: &str) -> Option<Value> {
        let namespace = Some(&*self.namespace);
        self.cluster.get(gvk, namespace, name).await.unwrap()
    }

    pub(crate) fn config_maps(&self) -> Api<ConfigMap> {
        Api::namespaced(self.cluster.client().clone(), &self.namespace)
    }

    pub(crate) async fn config_map(&self, name: &str) -> Option<Value> {
        self.get(&GroupVersionKind::gvk("", "v1", "ConfigMap"), name)
            .await
    }

    /// The text in the config map of a release.
    pub(crate) async fn text(&self, name: &str) -> Option<String> {
        let config = self.config_map(name).await?;
        Some(config["data"]["text"].as_str()?.to_owned())
    }

    /// The labels `version` and `status` of the records of a release.
    pub(crate) async fn records(&self, release: &str) -> Vec<(String, String)> {
        let api: Api<Secret> = Api::namespaced(self.cluster.client().clone(), &self.namespace);
        let selector = ListParams::default().labels(&format!("owner=helm,name={release}"));
        let found = api.list(&selector).await.unwrap();
        let mut records: Vec<(String, String)> = found
            .into_iter()
            .map(|secret| {
                let labels = secret.metadata.labels.unwrap();
                (labels["version"].clone(), labels["status"].clone())
            })
            .collect();
        records.sort();
        records
    }

    /// Waits until a release has a record with a status.
    pub(crate) async fn until_record(&self, release: &str, status: &str) {
        let api: Api<Secret> = Api::namespaced(self.cluster.client().clone(), &self.namespace);
        let selector = format!("owner=helm,name={release},status={status}");
        let claim = format!("there is a record of {release} with status {status}");
        let selector = ListParams::default().labels(&selector);
        wait::until_all(&api, &selector, &claim, |found| !found.is_empty()).await;
    }

    /// Ends the controller without grace, like a kill.
    pub(crate) async fn kill(&mut self) {
        if let Some(task) = self.task.take() {
            task.abort();
            drop(task.await);
        }
        self.host = None;
    }

    /// Waits for a Kubernetes event about a release that contains this text.
    pub(crate) async fn until_event(&self, name: &str, reason: &str, text: &str) {
        let api: Api<Event> = Api::namespaced(self.cluster.client().clone(), &self.namespace);
        let claim = format!("there is an event {reason} about {name} that says {text:?}");
        wait::until_all(&api, &ListParams::default(), &claim, |events| {
            events.iter().any(|event| {
                event.involved_object.name.as_deref() == Some(name)
                    && event.reason.as_deref() == Some(reason)
                    && event
                        .message
                        .as_deref()
                        .is_some_and(|message| message.contains(text))
            })
        })
        .await;
    }

    /// Deletes a release and waits until it is gone.
    pub(crate) async fn delete(&self, name: &str) {
        let api = self.releases();
        api.delete(name, &kube::api::DeleteParams::default())
            .await
            .unwrap();
        wait::gone(&api, name).await;
    }

    /// The controller's API requests since a mark, such as `get secrets`.
    pub(crate) async fn asked(&self, since: testkit::audit::Mark) -> Vec<String> {
        self.asked_by(&self.user, since).await
    }

    /// The API requests of a user since a mark.
    pub(crate) async fn asked_by(&self, user: &str, since: testkit::audit::Mark) -> Vec<String> {
        let audit = self.testbed.audit();
        audit.mark(self.cluster.client()).await;
        let entries = audit.since(since).into_iter();
        entries
            .filter(|entry| entry.user == user)
            .map(|entry| format!("{} {}", entry.verb, entry.resource))
            .collect()
    }

    /// The number of the controller's reads of all kinds since a mark.
    pub(crate) async fn discoveries(&self, since: testkit::audit::Mark) -> usize {
        let audit = self.testbed.audit();
        audit.mark(self.cluster.client()).await;
        let entries = audit.since(since).into_iter();
        let is_discovery = |uri: &str| uri == "/apis" || uri.starts_with("/apis?");
        entries
            .filter(|entry| entry.user == self.user && is_discovery(&entry.uri))
            .count()
    }

    pub(crate) fn metrics(&self) -> String {
        let host = self.host.as_ref().unwrap();
        host.metrics().text()
    }

    pub(crate) async fn mark(&self) -> testkit::audit::Mark {
        self.testbed.audit().mark(self.cluster.client()).await
    }
}

/// Reason and message of a condition.
pub(crate) fn condition<'s>(status: &'s HelmReleaseStatus, type_: &str) -> (&'s str, &'s str) {
    let condition = status.conditions.find(type_).unwrap();
    (&condition.reason, &condition.message)
}
