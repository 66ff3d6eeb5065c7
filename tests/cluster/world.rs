//! Provides one test's share of the control plane: a namespace and a user in the audit log. Its
//! controller processes see this namespace only.

use std::net::Ipv4Addr;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use k8s_openapi::api::apps::v1::Deployment;
use kube::Api;
use kube::api::{DeleteParams, ListParams, Patch, PatchParams, PostParams};
use kube::core::{ApiResource, DynamicObject, GroupVersionKind};
use serde_json::{Value, json};
use sluice_git::serve::{Change, Repository};
use sluice_testkit::audit::{Entry, Mark};
use sluice_testkit::devcluster::ports;
use sluice_testkit::{Bed, Running, Sluice, wait};

use crate::program;

/// An object of the server.
pub(crate) type Live = DynamicObject;

const IMAGES: &str = "image.toolkit.fluxcd.io";

/// A kind that the tests read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    GitRepository,
    Kustomization,
    HelmChart,
    HelmRelease,
    ConfigMap,
    Deployment,
    Secret,
    ImageRepository,
    ImagePolicy,
    ImageUpdateAutomation,
    Receiver,
}

impl Kind {
    pub(crate) fn resource(self) -> ApiResource {
        let (group, version, kind) = match self {
            Self::GitRepository => ("source.toolkit.fluxcd.io", "v1", "GitRepository"),
            Self::Kustomization => ("kustomize.toolkit.fluxcd.io", "v1", "Kustomization"),
            Self::HelmChart => ("source.toolkit.fluxcd.io", "v1", "HelmChart"),
            Self::HelmRelease => ("helm.toolkit.fluxcd.io", "v2", "HelmRelease"),
            Self::ConfigMap => ("", "v1", "ConfigMap"),
            Self::Deployment => ("apps", "v1", "Deployment"),
            Self::Secret => ("", "v1", "Secret"),
            Self::ImageRepository => (IMAGES, "v1", "ImageRepository"),
            Self::ImagePolicy => (IMAGES, "v1", "ImagePolicy"),
            Self::ImageUpdateAutomation => (IMAGES, "v1", "ImageUpdateAutomation"),
            Self::Receiver => ("notification.toolkit.fluxcd.io", "v1", "Receiver"),
        };
        let mut resource = ApiResource::from_gvk(&GroupVersionKind::gvk(group, version, kind));
        if let Some(stem) = resource.plural.strip_suffix("repositorys") {
            resource.plural = format!("{stem}repositories");
        }
        resource
    }
}

pub(crate) struct World {
    pub(crate) bed: Bed,
    pub(crate) client: kube::Client,
    pub(crate) namespace: String,
    /// Name of the controllers' own identity.
    pub(crate) user: String,
    /// Kubeconfig of that identity.
    pub(crate) kubeconfig: PathBuf,
    /// How long an object may take to reach a state.
    pub(crate) patience: Duration,
}

impl World {
    pub(crate) async fn new(prefix: &str) -> Self {
        let bed = Bed::Shared(sluice_testkit::cluster().await);
        let namespace = bed.namespace(prefix).await;
        let user = bed.name(prefix);
        Self::of(bed, namespace, user).await
    }

    /// Uses Flux's namespace, on a dedicated control plane that ends with the test.
    pub(crate) async fn system() -> Self {
        Self::system_in(Bed::own().await, "flux-system").await
    }

    /// Uses a namespace for an installation of Flux, on an existing control plane.
    pub(crate) async fn system_in(bed: Bed, namespace: &str) -> Self {
        let user = bed.name("controllers");
        Self::of(bed, namespace.to_owned(), user).await
    }

    async fn of(bed: Bed, namespace: String, user: String) -> Self {
        Self {
            client: bed.client().await,
            kubeconfig: bed.kubeconfig_for(&user),
            bed,
            namespace,
            user,
            patience: wait::WAIT_TIMEOUT,
        }
    }

    /// Returns the settings and the storage of this namespace's controllers.
    pub(crate) fn controllers(&self, kubeconfig: &Path) -> Controllers {
        self.controllers_with(kubeconfig, &[])
    }

    /// Like [`Self::controllers`], with more environment variables.
    pub(crate) fn controllers_with(
        &self,
        kubeconfig: &Path,
        variables: &[(&str, String)],
    ) -> Controllers {
        let sluice = Sluice::at(program::flux())
            .variable("KUBECONFIG", kubeconfig.display().to_string())
            .variable("RUNTIME_NAMESPACE", self.namespace.clone());
        let sluice = variables.iter().fold(sluice, |sluice, (name, value)| {
            sluice.variable(name, value.clone())
        });
        let storage = sluice.state().join("storage");
        sluice_system::fs::create_dir_all(&storage).unwrap();
        let [port, generated, webhooks] = ports::free(Ipv4Addr::LOCALHOST.into()).unwrap();
        Controllers {
            sluice: Arc::new(sluice),
            address: format!("127.0.0.1:{port}"),
            generated: format!("127.0.0.1:{generated}"),
            webhooks: format!("127.0.0.1:{webhooks}"),
            storage,
            shared: [
                "--watch-all-namespaces=false",
                "--metrics-addr=0",
                "--health-addr=0",
                "--interval-jitter-percentage=0",
                "--min-retry-delay=100ms",
                "--max-retry-delay=1s",
            ]
            .map(str::to_owned)
            .to_vec(),
        }
    }

    pub(crate) fn api(&self, kind: Kind) -> Api<Live> {
        Api::namespaced_with(self.client.clone(), &self.namespace, &kind.resource())
    }

    pub(crate) async fn create(&self, kind: Kind, name: &str, rest: Value) {
        create(&self.api(kind), kind, name, rest).await;
    }

    /// Creates a GitRepository on `main` with more spec fields. Its interval is longer than a test.
    pub(crate) async fn source(&self, name: &str, url: &str, more: Value) {
        self.create(
            Kind::GitRepository,
            name,
            json!({ "spec": source(url, more) }),
        )
        .await;
    }

    /// Creates a Kustomization for the GitRepository of the same name.
    pub(crate) async fn kustomization(&self, name: &str, more: Value) {
        let spec = kustomization(name, more);
        self.create(Kind::Kustomization, name, json!({ "spec": spec }))
            .await;
    }

    pub(crate) async fn get(&self, kind: Kind, name: &str) -> Option<Live> {
        self.api(kind).get_opt(name).await.unwrap()
    }

    pub(crate) async fn list(&self, kind: Kind) -> Vec<Live> {
        let list = self.api(kind).list(&ListParams::default()).await.unwrap();
        list.items
    }

    pub(crate) async fn delete(&self, kind: Kind, name: &str) {
        self.api(kind)
            .delete(name, &DeleteParams::default())
            .await
            .unwrap();
    }

    pub(crate) async fn merge(&self, kind: Kind, name: &str, patch: Value) {
        self.api(kind)
            .patch(name, &PatchParams::default(), &Patch::Merge(patch))
            .await
            .unwrap();
    }

    pub(crate) async fn until(
        &self,
        kind: Kind,
        name: &str,
        claim: &str,
        mut holds: impl FnMut(&Live) -> bool,
    ) -> Live {
        wait::until_within(self.patience, &self.api(kind), name, claim, |object| {
            object.is_some_and(&mut holds)
        })
        .await
        .unwrap()
    }

    /// Waits until an object is ready at its current generation.
    pub(crate) async fn ready(&self, kind: Kind, name: &str) -> Live {
        self.until(kind, name, "is ready", is_ready).await
    }

    /// Waits until a Kustomization is ready at a commit.
    pub(crate) async fn applied(&self, name: &str, commit: &str) -> Live {
        self.until(Kind::Kustomization, name, "applies the commit", |object| {
            is_ready(object) && object.data["status"]["lastAppliedRevision"] == revision(commit)
        })
        .await
    }

    /// Waits until an object fails. Returns reason and message of its `Ready` condition.
    pub(crate) async fn failed(&self, kind: Kind, name: &str) -> (String, String) {
        let failed = |object: &Live| condition(object, "Ready").0 == "False";
        let object = self.until(kind, name, "has failed", failed).await;
        let (_, reason, message) = condition(&object, "Ready");
        (reason, message)
    }

    /// Requests a reconciliation.
    pub(crate) async fn request(&self, kind: Kind, name: &str) -> String {
        let token = self.bed.name("token");
        let annotations = json!({ "reconcile.fluxcd.io/requestedAt": token });
        self.merge(
            kind,
            name,
            json!({ "metadata": { "annotations": annotations } }),
        )
        .await;
        token
    }

    /// Requests a reconciliation, and waits until it is done.
    pub(crate) async fn reconcile(&self, kind: Kind, name: &str) -> Live {
        let token = self.request(kind, name).await;
        self.until(kind, name, "handles the request", |object| {
            object.data["status"]["lastHandledReconcileAt"] == token && is_ready(object)
        })
        .await
    }

    pub(crate) async fn mark(&self) -> Mark {
        self.bed.audit().mark(&self.client).await
    }

    /// Returns the requests about this namespace since a mark.
    pub(crate) async fn asked(&self, since: Mark) -> Vec<Entry> {
        self.mark().await;
        let mut entries = self.bed.audit().since(since);
        entries.retain(|entry| entry.namespace == self.namespace);
        entries
    }
}

/// Waits until Kubernetes has written its last change to a Deployment.
pub(crate) async fn settled(deployments: &Api<Deployment>, name: &str) -> Deployment {
    let is_settled = |found: &Deployment| {
        let Some(status) = &found.status else {
            return false;
        };
        let mut conditions = status.conditions.iter().flatten();
        conditions.any(|condition| condition.reason.as_deref() == Some("NewReplicaSetAvailable"))
            && status.observed_generation == found.metadata.generation
            && status.terminating_replicas == Some(0)
    };
    let settled = wait::until(deployments, name, "has settled", |found| {
        found.is_some_and(is_settled)
    });
    settled.await.expect("it is there")
}

/// Arguments and environment of one or more processes.
#[derive(Clone)]
pub(crate) struct Controllers {
    pub(crate) sluice: Arc<Sluice>,
    pub(crate) shared: Vec<String>,
    pub(crate) storage: PathBuf,
    address: String,
    /// The address of generated artifacts.
    generated: String,
    /// The address of webhooks, if all controllers run.
    pub(crate) webhooks: String,
}

impl Controllers {
    /// Adds a flag that all controllers have.
    pub(crate) fn with(mut self, flag: &str) -> Self {
        self.shared.push(flag.to_owned());
        self
    }

    /// Enables leader election. A successor waits until the lease expires.
    pub(crate) fn electing(self) -> Self {
        self.leading_for(3, 2)
    }

    /// Enables leader election with a lease that survives a slow server.
    pub(crate) fn electing_patiently(self) -> Self {
        self.leading_for(30, 20)
    }

    /// Enables leader election with a lease of some seconds.
    pub(crate) fn leading_for(mut self, seconds: u32, deadline: u32) -> Self {
        self.shared.extend([
            "--enable-leader-election".to_owned(),
            format!("--leader-election-lease-duration={seconds}s"),
            format!("--leader-election-renew-deadline={deadline}s"),
            "--leader-election-retry-period=250ms".to_owned(),
        ]);
        self
    }

    fn source(&self) -> [String; 3] {
        [
            format!("storage-path={}", self.storage.display()),
            format!("storage-addr={}", self.address),
            format!("storage-adv-addr={}", self.address),
        ]
    }

    /// Serves artifacts at the address of another instance.
    pub(crate) fn served_as(mut self, other: &Self) -> Self {
        self.address.clone_from(&other.address);
        self
    }

    fn start(&self, name: &str, own: impl IntoIterator<Item = String>) -> Running {
        self.sluice.start(&borrowed(&self.words(name, own)))
    }

    fn words(&self, name: &str, own: impl IntoIterator<Item = String>) -> Vec<String> {
        let mut words = vec!["controller".to_owned(), name.to_owned()];
        words.extend(self.shared.iter().cloned());
        words.extend(own);
        words
    }

    fn words_of_all(&self) -> Vec<String> {
        let source = self.source();
        let source = source.map(|flag| format!("--source-controller.{flag}"));
        let again = "--kustomize-controller.requeue-dependency=1s".to_owned();
        let state = self.storage.parent().unwrap_or(&self.storage);
        let images = [
            ("image-reflector-controller.storage-path", "tags"),
            ("image-automation-controller.git-store-path", "automation"),
        ];
        let images = images.map(|(flag, name)| format!("--{flag}={}", state.join(name).display()));
        // Processes side by side must not share the default ports.
        let ports = [
            ("events-addr", "127.0.0.1:0"),
            ("receiverAddr", &self.webhooks),
        ];
        let ports =
            ports.map(|(flag, address)| format!("--notification-controller.{flag}={address}"));
        let generated = ["storage-addr", "storage-adv-addr"]
            .map(|flag| format!("--source-watcher.{flag}={}", self.generated));
        let own = source.into_iter().chain([again]).chain(images).chain(ports);
        let own = own.chain(generated);
        self.words("all", own)
    }

    /// Starts both controllers in one process.
    pub(crate) fn all(&self) -> Running {
        self.sluice.start(&borrowed(&self.words_of_all()))
    }

    /// Starts both controllers in one process, on one CPU.
    pub(crate) fn all_on_one_cpu(&self) -> Running {
        self.sluice
            .start_on_one_cpu(&borrowed(&self.words_of_all()))
    }

    pub(crate) fn source_controller(&self) -> Running {
        let flags = self.source().map(|flag| format!("--{flag}"));
        self.start("source-controller", flags)
    }

    pub(crate) fn kustomize_controller(&self, more: &[&str]) -> Running {
        let flags = ["--requeue-dependency=1s"].iter().chain(more);
        self.start("kustomize-controller", flags.map(|flag| (*flag).to_owned()))
    }

    /// Returns all stored archives.
    pub(crate) fn archives(&self) -> Vec<PathBuf> {
        let mut found = Vec::new();
        let mut pending = vec![self.storage.clone()];
        while let Some(directory) = pending.pop() {
            // The directory may be removed concurrently.
            let Ok(entries) = sluice_system::fs::read_dir(&directory) else {
                continue;
            };
            for entry in entries {
                let path = entry.path;
                if path.is_dir() {
                    pending.push(path);
                } else if path.extension().is_some_and(|ending| ending == "gz") {
                    found.push(path);
                }
            }
        }
        found
    }
}

fn borrowed(words: &[String]) -> Vec<&str> {
    words.iter().map(String::as_str).collect()
}

pub(crate) async fn create(api: &Api<Live>, kind: Kind, name: &str, rest: Value) {
    let mut object = DynamicObject::new(name, &kind.resource()).data(rest);
    if let Some(labels) = object
        .data
        .as_object_mut()
        .and_then(|data| data.remove("labels"))
    {
        object.metadata.labels = serde_json::from_value(labels).unwrap();
    }
    api.create(&PostParams::default(), &object)
        .await
        .unwrap_or_else(|error| panic!("create {name}: {error}"));
}

pub(crate) fn source(url: &str, more: Value) -> Value {
    let spec = json!({ "interval": "1h", "url": url, "ref": { "branch": "main" } });
    merged(spec, more)
}

pub(crate) fn kustomization(source: &str, more: Value) -> Value {
    let spec = json!({
        "interval": "1h", "retryInterval": "1h", "path": "./", "prune": true,
        "sourceRef": { "kind": "GitRepository", "name": source },
    });
    merged(spec, more)
}

/// The spec of a HelmRelease of a chart in a GitRepository.
pub(crate) fn release(source: &str, chart: &str, more: Value) -> Value {
    let source = json!({ "kind": "GitRepository", "name": source });
    let spec = json!({
        "interval": "1h",
        "chart": { "spec": { "chart": chart, "interval": "1h", "sourceRef": source } },
    });
    merged(spec, more)
}

fn merged(mut spec: Value, more: Value) -> Value {
    if let (Some(spec), Value::Object(more)) = (spec.as_object_mut(), more) {
        spec.extend(more);
    }
    spec
}

/// Returns status, reason and message of a condition, or empty texts.
pub(crate) fn condition(object: &Live, kind: &str) -> (String, String, String) {
    let conditions = object.data["status"]["conditions"].as_array();
    let found = conditions
        .into_iter()
        .flatten()
        .find(|condition| condition["type"] == kind);
    let text = |field: &str| {
        found
            .and_then(|found| found[field].as_str())
            .unwrap_or_default()
            .to_owned()
    };
    (text("status"), text("reason"), text("message"))
}

/// Whether an object is ready at its current generation, without progress.
pub(crate) fn is_ready(object: &Live) -> bool {
    condition(object, "Ready").0 == "True"
        && condition(object, "Reconciling").0 != "True"
        && object.data["status"]["observedGeneration"].as_i64() == object.metadata.generation
}

pub(crate) fn revision(commit: &str) -> String {
    format!("main@sha1:{commit}")
}

pub(crate) fn commit(repository: &Repository, files: &[(&str, &str)]) -> String {
    let changes: Vec<Change> = files
        .iter()
        .map(|(path, content)| Change::write(*path, *content))
        .collect();
    repository
        .commit("main", "Change", &changes)
        .unwrap()
        .to_string()
}

pub(crate) fn config_map(name: &str, namespace: &str, value: &str) -> String {
    format!(
        "apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: {name}\n  namespace: {namespace}\ndata:\n  key: \"{value}\"\n"
    )
}

/// Returns a Deployment whose pods cannot be scheduled. It is ready only with zero replicas.
pub(crate) fn deployment(name: &str, namespace: &str, replicas: u32) -> String {
    format!(
        "apiVersion: apps/v1\nkind: Deployment\nmetadata:\n  name: {name}\n  namespace: {namespace}\nspec:\n  replicas: {replicas}\n  selector:\n    matchLabels: {{app: {name}}}\n  template:\n    metadata:\n      labels: {{app: {name}}}\n    spec:\n      nodeSelector: {{nowhere: at-all}}\n      containers:\n        - {{name: main, image: example.com/none}}\n"
    )
}
