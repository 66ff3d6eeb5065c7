//! Test environment of one test: a namespace, a controller that watches only it, and an artifact
//! server.
//! One file, because all its methods act on this one namespace.

use std::collections::BTreeMap;
use std::io::Write as _;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use clap::Parser;
use k8s_openapi::api::core::v1::{ConfigMap, Event};
use serde_json::{Value, json};
use sluice_api::kustomize::{Kustomization, KustomizationStatus};
use sluice_artifact::deflate::GzipWriter;
use sluice_artifact::tarball;
use sluice_client::{Cluster, GroupVersionKind, Options, PatchOptions};
use sluice_digest::Algorithm;
use sluice_engine::Metrics;
use sluice_host::Host;
use sluice_host::host::observer;
use sluice_kustomize_controller::Args;
use sluice_system::{Clock, SystemClock};
use sluice_testkit::kube;
use sluice_testkit::kube::Api;
use sluice_testkit::{self as testkit, ArtifactServer, FaultProxy, Testbed, wait};

#[derive(Parser)]
struct Command {
    #[command(flatten)]
    args: Args,
}

/// Timeout of API requests.
const CLIENT_TIMEOUT: Duration = Duration::from_secs(30);

/// Timeout, clock and environment of a controller.
struct Pace {
    /// Timeout of API requests.
    timeout: Duration,
    clock: Arc<dyn Clock>,
    /// The variables that name the controller's identity in a cloud.
    variables: Vec<(&'static str, String)>,
}

impl Default for Pace {
    fn default() -> Self {
        Self {
            timeout: CLIENT_TIMEOUT,
            clock: Arc::new(SystemClock),
            variables: Vec::new(),
        }
    }
}

/// The environment of one test; see the module documentation.
pub(crate) struct Bed {
    pub(crate) testbed: &'static Testbed,
    pub(crate) cluster: Cluster,
    pub(crate) namespace: String,
    /// User of the controller's requests in the audit log.
    pub(crate) user: String,
    /// Kubeconfig of that user.
    pub(crate) kubeconfig: PathBuf,
    host: Option<Host>,
    artifacts: ArtifactServer,
}

impl Drop for Bed {
    fn drop(&mut self) {
        if let Some(host) = &self.host {
            host.shutdown().cancel();
        }
    }
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
        let testbed = testkit::cluster().await;
        let user = testbed.name("kustomize-controller");
        let namespace = testbed.namespace("ks").await;
        Self::of(testbed, user, namespace).await
    }

    /// Creates a bed without a controller in an existing namespace.
    pub(crate) async fn of(testbed: &'static Testbed, user: String, namespace: String) -> Self {
        drop(rustls::crypto::aws_lc_rs::default_provider().install_default());
        Self {
            testbed,
            cluster: testbed.connect().await,
            namespace,
            kubeconfig: testbed.kubeconfig_for(&user),
            user,
            host: None,
            artifacts: ArtifactServer::start().await,
        }
    }

    /// Starts a controller with additional flags.
    pub(crate) fn run(&mut self, flags: &[&str]) {
        self.host = Some(start_controller(
            &self.kubeconfig,
            Pace::default(),
            &self.namespace,
            flags,
        ));
    }

    /// Stops the controller and waits for its end.
    pub(crate) async fn stop(&mut self) {
        if let Some(host) = self.host.take() {
            host.shutdown().cancel();
            host.drained().await;
        }
    }

    /// Starts a controller with another clock.
    pub(crate) async fn timed(clock: Arc<dyn Clock>, flags: &[&str]) -> Self {
        let mut bed = Self::idle().await;
        let pace = Pace {
            clock,
            ..Pace::default()
        };
        bed.host = Some(start_controller(
            &bed.kubeconfig,
            pace,
            &bed.namespace,
            flags,
        ));
        bed
    }

    /// Starts a controller with another clock and the variables of clouds.
    pub(crate) async fn in_cloud(
        clock: Arc<dyn Clock>,
        variables: &[(&'static str, String)],
        flags: &[&str],
    ) -> Self {
        let mut bed = Self::idle().await;
        let pace = Pace {
            clock,
            variables: variables.to_vec(),
            ..Pace::default()
        };
        bed.host = Some(start_controller(
            &bed.kubeconfig,
            pace,
            &bed.namespace,
            flags,
        ));
        bed
    }

    /// Starts a controller behind a fault proxy, with a short request timeout.
    pub(crate) async fn spoiled(flags: &[&str]) -> (Self, FaultProxy) {
        let pace = Pace {
            timeout: CLIENT_TIMEOUT / 6,
            ..Pace::default()
        };
        Self::proxied(pace, flags).await
    }

    /// Starts a controller behind a fault proxy, with the usual request timeout.
    pub(crate) async fn hindered(flags: &[&str]) -> (Self, FaultProxy) {
        Self::proxied(Pace::default(), flags).await
    }

    async fn proxied(pace: Pace, flags: &[&str]) -> (Self, FaultProxy) {
        let mut bed = Self::idle().await;
        let proxy = FaultProxy::start(&bed.kubeconfig).await;
        bed.host = Some(start_controller(
            proxy.kubeconfig(),
            pace,
            &bed.namespace,
            flags,
        ));
        (bed, proxy)
    }

    /// Stops the controller and starts another one as a new user.
    pub(crate) async fn restart(&mut self, flags: &[&str]) {
        self.stop().await;
        self.user = self.testbed.name("kustomize-controller");
        self.kubeconfig = self.testbed.kubeconfig_for(&self.user);
        self.run(flags);
    }

    /// Creates or updates `GitRepository/source` with an artifact of these files.
    pub(crate) async fn publish(&self, revision: &str, files: &[(&str, &str)]) {
        let files: Vec<(&str, String)> = files
            .iter()
            .map(|(path, text)| (*path, text.replace("NAMESPACE", &self.namespace)))
            .collect();
        let files: Vec<(&str, &str)> = files
            .iter()
            .map(|(path, text)| (*path, text.as_str()))
            .collect();
        let archive = archive(&files);
        let digest = Algorithm::Sha256.digest(&archive).to_string();
        self.publish_with(revision, archive, &digest).await;
    }

    /// Publishes any bytes with any digest.
    pub(crate) async fn publish_with(&self, revision: &str, archive: Vec<u8>, digest: &str) {
        let object = json!({
            "apiVersion": "source.toolkit.fluxcd.io/v1", "kind": "GitRepository",
            "metadata": {"name": "source"},
            "spec": {"interval": "1h", "url": "https://example.com/source"},
        });
        self.apply(&object).await;
        let artifact = self.offer(revision, archive, digest);
        self.advertise("GitRepository", "source", &artifact).await;
    }

    /// Address of the artifact server.
    pub(crate) fn server(&self) -> &str {
        self.artifacts.address()
    }

    /// Puts an archive on the server and returns its artifact.
    pub(crate) fn offer(&self, revision: &str, archive: Vec<u8>, digest: &str) -> Value {
        self.artifacts.publish(revision, archive, digest)
    }

    /// Writes an artifact to the status of a source.
    pub(crate) async fn advertise(&self, kind: &str, name: &str, artifact: &Value) {
        let gvk = GroupVersionKind::gvk("source.toolkit.fluxcd.io", "v1", kind);
        let options = PatchOptions {
            subresource: Some("status"),
            ..PatchOptions::default()
        };
        let status = json!({"status": {"artifact": artifact}});
        self.cluster
            .merge(&gvk, Some(&self.namespace), name, &status, options)
            .await
            .unwrap();
    }

    /// Number of archive downloads.
    pub(crate) fn downloads(&self) -> usize {
        self.artifacts.requests()
    }

    /// Removes an archive from the server.
    pub(crate) fn lose(&self, revision: &str) {
        self.artifacts.remove(revision);
    }

    /// Creates or updates a Kustomization; `spec` overrides the default fields.
    pub(crate) async fn kustomization(&self, name: &str, spec: Value) {
        let mut full = json!({
            "interval": "1h", "retryInterval": "1h", "timeout": "5m", "prune": true,
            "sourceRef": {"kind": "GitRepository", "name": "source"},
        });
        full.as_object_mut()
            .unwrap()
            .extend(spec.as_object().unwrap().clone());
        let object = json!({
            "apiVersion": "kustomize.toolkit.fluxcd.io/v1", "kind": "Kustomization",
            "metadata": {"name": name}, "spec": full,
        });
        self.apply(&object).await;
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
        self.cluster
            .apply(&gvk, Some(&self.namespace), name, object, options)
            .await
            .unwrap();
    }

    /// Requests a reconciliation.
    pub(crate) async fn request(&self, name: &str, token: &str) {
        let patch =
            json!({"metadata": {"annotations": {"reconcile.fluxcd.io/requestedAt": token}}});
        let gvk = GroupVersionKind::gvk("kustomize.toolkit.fluxcd.io", "v1", "Kustomization");
        self.cluster
            .merge(
                &gvk,
                Some(&self.namespace),
                name,
                &patch,
                PatchOptions::default(),
            )
            .await
            .unwrap();
    }

    /// Labels a Kustomization, which does not request a reconciliation.
    pub(crate) async fn label(&self, name: &str, key: &str, value: &str) {
        let patch = json!({"metadata": {"labels": {key: value}}});
        let gvk = GroupVersionKind::gvk("kustomize.toolkit.fluxcd.io", "v1", "Kustomization");
        let options = PatchOptions::default();
        self.cluster
            .merge(&gvk, Some(&self.namespace), name, &patch, options)
            .await
            .unwrap();
    }

    /// Creates or updates a Secret. With `is_watched` it has the label that makes the controller
    /// watch it.
    pub(crate) async fn secret(&self, name: &str, data: Value, is_watched: bool) {
        let labels = if is_watched {
            json!({"reconcile.fluxcd.io/watch": "Enabled"})
        } else {
            json!({})
        };
        self.apply(&json!({"apiVersion": "v1", "kind": "Secret",
            "metadata": {"name": name, "labels": labels}, "stringData": data}))
            .await;
    }

    /// Creates a service account.
    pub(crate) async fn account(&self, name: &str) {
        self.apply(
            &json!({"apiVersion": "v1", "kind": "ServiceAccount", "metadata": {"name": name}}),
        )
        .await;
    }

    /// Grants a service account all rights in the namespace.
    pub(crate) async fn permit(&self, name: &str) {
        self.apply(&json!({
            "apiVersion": "rbac.authorization.k8s.io/v1", "kind": "RoleBinding", "metadata": {"name": name},
            "roleRef": {"apiGroup": "rbac.authorization.k8s.io", "kind": "ClusterRole", "name": "cluster-admin"},
            "subjects": [{"kind": "ServiceAccount", "name": name, "namespace": self.namespace}],
        }))
        .await;
        self.until_permitted(name).await;
    }

    /// Waits until the API server knows that a service account has all rights in the namespace.
    pub(crate) async fn until_permitted(&self, name: &str) {
        let account = format!("system:serviceaccount:{}:{name}", self.namespace);
        let everything =
            json!({"namespace": self.namespace, "verb": "*", "group": "*", "resource": "*"});
        self.testbed.until_allowed(&account, everything).await;
    }

    /// Waits until a Kustomization has applied a revision and does not run again for it. The event
    /// of its source can arrive during the first run and cause a second one.
    pub(crate) async fn settled(&self, name: &str, revision: &str) -> KustomizationStatus {
        self.until_applied(name, revision).await;
        let token = self.testbed.name("settle");
        self.request(name, &token).await;
        self.until_handled(name, &token).await
    }

    /// Waits until a request for a reconciliation was handled.
    pub(crate) async fn until_handled(&self, name: &str, token: &str) -> KustomizationStatus {
        self.until(
            name,
            &format!("has handled the request {token}"),
            |status| status.last_handled_reconcile_at.as_deref() == Some(token),
        )
        .await
    }

    /// The controller's API requests since a mark, such as `get secrets`.
    pub(crate) async fn asked(&self, since: testkit::audit::Mark) -> Vec<String> {
        let audit = self.testbed.audit();
        audit.mark(self.cluster.client()).await;
        let entries = audit.since(since).into_iter();
        entries
            .filter(|entry| entry.user == self.user)
            .map(|entry| format!("{} {}", entry.verb, entry.resource))
            .collect()
    }

    pub(crate) async fn mark(&self) -> testkit::audit::Mark {
        self.testbed.audit().mark(self.cluster.client()).await
    }

    pub(crate) fn kustomizations(&self) -> Api<Kustomization> {
        Api::namespaced(self.cluster.client().clone(), &self.namespace)
    }

    /// The controller's metrics.
    pub(crate) fn metrics(&self) -> String {
        let host = self.host.as_ref().unwrap();
        host.metrics().text()
    }

    /// The current status of a Kustomization.
    pub(crate) async fn status(&self, name: &str) -> KustomizationStatus {
        let object = self.kustomizations().get(name).await.unwrap();
        object.status.unwrap()
    }

    /// Waits for a condition on the status of a Kustomization.
    pub(crate) async fn until(
        &self,
        name: &str,
        claim: &str,
        mut condition: impl FnMut(&KustomizationStatus) -> bool,
    ) -> KustomizationStatus {
        let holds = move |object: Option<&Kustomization>| {
            object
                .and_then(|object| object.status.as_ref())
                .is_some_and(&mut condition)
        };
        wait::until(&self.kustomizations(), name, claim, holds)
            .await
            .unwrap()
            .status
            .unwrap()
    }

    /// Waits until a Kustomization is ready at a revision.
    pub(crate) async fn until_applied(&self, name: &str, revision: &str) -> KustomizationStatus {
        let claim = format!("has applied {revision}");
        self.until(name, &claim, |status| {
            status.conditions.is_true("Ready")
                && status.last_applied_revision.as_deref() == Some(revision)
        })
        .await
    }

    /// Waits until Ready is False with a reason, and returns the message.
    pub(crate) async fn until_failed(&self, name: &str, reason: &str) -> String {
        let fails = |status: &KustomizationStatus| {
            status
                .conditions
                .find("Ready")
                .is_some_and(|ready| ready.is_false() && ready.reason == reason)
        };
        let status = self
            .until(name, &format!("has failed with {reason}"), fails)
            .await;
        status.conditions.find("Ready").unwrap().message.clone()
    }

    /// Reads an object in the namespace.
    pub(crate) async fn get(&self, gvk: &GroupVersionKind, name: &str) -> Option<Value> {
        self.cluster
            .get(gvk, Some(&self.namespace), name)
            .await
            .unwrap()
    }

    pub(crate) async fn config_map(&self, name: &str) -> Option<Value> {
        self.get(&GroupVersionKind::gvk("", "v1", "ConfigMap"), name)
            .await
    }

    /// Waits for a condition on a config map.
    pub(crate) async fn until_config_map(
        &self,
        name: &str,
        claim: &str,
        mut condition: impl FnMut(&ConfigMap) -> bool,
    ) {
        let api: Api<ConfigMap> = Api::namespaced(self.cluster.client().clone(), &self.namespace);
        let holds = move |object: Option<&ConfigMap>| object.is_some_and(&mut condition);
        wait::until(&api, name, claim, holds).await;
    }

    /// Waits for a Kubernetes event about a Kustomization that contains this text.
    pub(crate) async fn until_event(&self, name: &str, reason: &str, text: &str) {
        let api: Api<Event> = Api::namespaced(self.cluster.client().clone(), &self.namespace);
        let claim = format!("there is an event {reason} about {name} that says {text:?}");
        wait::until_all(&api, &kube::api::ListParams::default(), &claim, |events| {
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

    /// The ids in the inventory of a status, with `NS` for the random namespace.
    pub(crate) fn inventory(&self, status: &KustomizationStatus) -> Vec<String> {
        let entries = status
            .inventory
            .iter()
            .flat_map(|inventory| &inventory.entries);
        entries
            .map(|entry| entry.id.replace(&self.namespace, "NS"))
            .collect()
    }
}

/// Runs a controller for one namespace until it is stopped.
pub(crate) async fn run_by(kubeconfig: &std::path::Path, namespace: &str, flags: &[&str]) {
    drop(rustls::crypto::aws_lc_rs::default_provider().install_default());
    let (args, host) = prepared(kubeconfig, Pace::default(), namespace, flags);
    sluice_kustomize_controller::run(args, host).await.unwrap();
}

/// Returns the error of a controller that does not start with these flags.
pub(crate) async fn refused(flags: &[&str]) -> String {
    drop(rustls::crypto::aws_lc_rs::default_provider().install_default());
    let testbed = testkit::cluster().await;
    let namespace = testbed.namespace("ks").await;
    let kubeconfig = testbed.kubeconfig_for("refused");
    let (args, host) = prepared(&kubeconfig, Pace::default(), &namespace, flags);
    let ended = sluice_kustomize_controller::run(args, host).await;
    ended.unwrap_err().to_string()
}

fn start_controller(
    kubeconfig: &std::path::Path,
    pace: Pace,
    namespace: &str,
    flags: &[&str],
) -> Host {
    let (args, host) = prepared(kubeconfig, pace, namespace, flags);
    let running = host.clone();
    drop(tokio::spawn(async move {
        sluice_kustomize_controller::run(args, running)
            .await
            .unwrap();
    }));
    host
}

/// Prepares the arguments and connection of a controller for one namespace.
fn prepared(
    kubeconfig: &std::path::Path,
    pace: Pace,
    namespace: &str,
    flags: &[&str],
) -> (Args, Host) {
    let args = [
        "controller",
        "--watch-all-namespaces=false",
        "--metrics-addr=0",
        "--health-addr=0",
    ];
    let mut args = Command::parse_from(args.iter().chain(flags)).args;
    namespace.clone_into(&mut args.shared.process.runtime_namespace);
    let text = sluice_system::fs::read_to_string(kubeconfig).unwrap();
    let loaded = sluice_client::kubeconfig::sanitize(
        &text,
        sluice_client::kubeconfig::AllowedFields::default(),
    )
    .unwrap();
    let mut options = Options::new("kustomize-controller");
    options.timeout = pace.timeout;
    let metrics = Metrics::new();
    options.observer = Some(observer(&metrics));
    let cluster = Cluster::connect(loaded.into_config(), options).unwrap();
    let variables = pace.variables.into_iter().collect();
    (
        args,
        Host::in_cloud(cluster, metrics, pace.clock, variables),
    )
}

/// Manifest of a config map.
pub(crate) fn config(name: &str, value: &str) -> String {
    format!(
        "apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: {name}\n  namespace: NAMESPACE\ndata:\n  key: '{value}'\n"
    )
}

/// Manifest of a Deployment whose pods cannot be scheduled, so that it fails after `deadline`
/// seconds.
pub(crate) fn deployment(name: &str, deadline: u32) -> String {
    format!(
        "apiVersion: apps/v1\nkind: Deployment\nmetadata: {{name: {name}, namespace: NAMESPACE}}\nspec:\n  replicas: 1\n  progressDeadlineSeconds: {deadline}\n  \
         selector: {{matchLabels: {{app: {name}}}}}\n  template:\n    metadata: {{labels: {{app: {name}}}}}\n    \
         spec: {{nodeSelector: {{no: where}}, containers: [{{name: a, image: example.com/a}}]}}\n"
    )
}

/// Builds a deterministic archive of files, ordered by path.
pub(crate) fn archive(files: &[(&str, &str)]) -> Vec<u8> {
    let mut entries: BTreeMap<String, Option<&str>> = BTreeMap::new();
    for (path, contents) in files {
        let ancestors = std::path::Path::new(path)
            .ancestors()
            .skip(1)
            .filter_map(std::path::Path::to_str);
        entries.extend(
            ancestors
                .filter(|path| !path.is_empty())
                .map(|path| (path.to_owned(), None)),
        );
        entries.insert((*path).to_owned(), Some(contents));
    }
    let mut writer = tarball::Writer::new(GzipWriter::new(Vec::new()));
    writer.directory(b".").unwrap();
    for (path, contents) in &entries {
        match contents {
            None => writer.directory(path.as_bytes()).unwrap(),
            Some(text) => writer
                .file(path.as_bytes(), false, text.len() as u64, text.as_bytes())
                .unwrap(),
        }
    }
    let mut compressed = writer.finish().unwrap();
    compressed.flush().unwrap();
    compressed.finish().unwrap()
}

/// Serves a router for the rest of the test and returns its address.
pub(crate) async fn served(router: axum::Router) -> String {
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = format!("http://{}", listener.local_addr().unwrap());
    drop(tokio::spawn(
        async move { axum::serve(listener, router).await },
    ));
    address
}
