//! The image reflector with a real API server and real registries.
#![expect(
    clippy::panic,
    clippy::unwrap_used,
    reason = "a test fails by panicking"
)]

mod clouds;
mod hostile;
mod policies;
mod repositories;

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;

use clap::{Args as _, FromArgMatches};
use serde_json::{Value, json};
use sluice_api::image::{ImagePolicy, ImageRepository};
use sluice_api::meta::ToolkitResource;
use sluice_client::{Cluster, Config};
use sluice_dial::HttpClients;
use sluice_engine::{Kind, Metrics};
use sluice_host::Host;
use sluice_host::host::observer;
use sluice_identity::Environment;
use sluice_image_reflector_controller::Args;
use sluice_oci::client::Source;
use sluice_oci::package::{Layer, Package};
use sluice_oci::{Client, Digest, Login, Remote, Repository, Version};
use sluice_testkit::kube::Api;
use sluice_testkit::kube::api::{Patch, PatchParams, PostParams};
use sluice_testkit::kube::config::{KubeConfigOptions, Kubeconfig};
use sluice_testkit::{Bed, EventSink, Registry, wait};
use tokio::task::JoinHandle;

const GROUP: &str = "image.toolkit.fluxcd.io/v1";

/// The environment of one test: a namespace, a storage and a controller.
struct World {
    bed: Bed,
    namespace: String,
    kubeconfig: PathBuf,
    directory: tempfile::TempDir,
    events: EventSink,
    flags: Vec<String>,
    /// Variables of identities in clouds, for the next start.
    environment: Environment,
    running: Option<(Host, Task)>,
}

type Task = JoinHandle<Result<(), sluice_image_reflector_controller::Error>>;

impl World {
    async fn new(prefix: &str) -> Self {
        let bed = Bed::Shared(sluice_testkit::cluster().await);
        Self::on(bed, prefix, &[]).await
    }

    /// Starts a controller with more flags. A watch of all namespaces needs an own test bed.
    async fn on(bed: Bed, prefix: &str, flags: &[&str]) -> Self {
        let user = bed.name(prefix);
        let mut world = Self {
            namespace: bed.namespace(prefix).await,
            kubeconfig: bed.kubeconfig_for(&user),
            bed,
            directory: tempfile::tempdir().unwrap(),
            events: EventSink::start().await,
            flags: flags.iter().map(|flag| (*flag).to_owned()).collect(),
            environment: Environment::default(),
            running: None,
        };
        world.start().await;
        world
    }

    /// Starts the controller like a new process.
    async fn start(&mut self) {
        let kubeconfig = Kubeconfig::read_from(&self.kubeconfig).unwrap();
        let options = KubeConfigOptions::default();
        let mut config = Config::from_custom_kubeconfig(kubeconfig, &options)
            .await
            .unwrap();
        config.proxy_url = None;
        let metrics = Metrics::new();
        let mut options = sluice_client::Options::new("image-reflector-test");
        options.observer = Some(observer(&metrics));
        let cluster = Cluster::connect(config, options).unwrap();
        let host = Host::with_environment(cluster, metrics, self.environment.clone());
        let own = [
            "image-reflector-controller".to_owned(),
            format!("--storage-path={}", self.storage().display()),
            "--watch-all-namespaces=false".to_owned(),
            format!("--runtime-namespace={}", self.namespace),
            format!("--events-addr={}", self.events.url()),
            "--min-retry-delay=50ms".to_owned(),
            "--max-retry-delay=200ms".to_owned(),
            "--requeue-dependency=1s".to_owned(),
        ];
        let command = Args::augment_args(clap::Command::new("image-reflector-controller"));
        let command = command.args_override_self(true);
        let line = own.into_iter().chain(self.flags.clone());
        let args = Args::from_arg_matches(&command.get_matches_from(line)).unwrap();
        let task = tokio::spawn(sluice_image_reflector_controller::run(args, host.clone()));
        self.running = Some((host, task));
    }

    /// Stops the controller and waits for its end.
    async fn stop(&mut self) {
        let (host, task) = self.running.take().unwrap();
        host.shutdown().cancel();
        task.await.unwrap().unwrap();
        host.drained().await;
    }

    fn storage(&self) -> PathBuf {
        self.directory.path().join("tags")
    }

    fn metrics(&self) -> String {
        self.running.as_ref().unwrap().0.metrics().text()
    }

    async fn api<K: Kind>(&self) -> Api<K> {
        Api::namespaced(self.bed.client().await, &self.namespace)
    }

    async fn create<K: Kind>(&self, name: &str, spec: Value) {
        let kind = K::kind(&());
        let object = serde_json::from_value(json!({
            "apiVersion": GROUP, "kind": kind,
            "metadata": { "name": name, "namespace": self.namespace },
            "spec": spec,
        }));
        let api = self.api::<K>().await;
        let created = api.create(&PostParams::default(), &object.unwrap()).await;
        created.unwrap_or_else(|error| panic!("{kind} {name}: {error}"));
    }

    /// Creates a repository of an image with these changes to its spec.
    async fn repository(&self, name: &str, image: &str, spec: Value) {
        let mut whole = json!({ "image": image, "interval": "1h", "insecure": true });
        merge(&mut whole, spec);
        self.create::<ImageRepository>(name, whole).await;
    }

    /// Creates a policy for the repository of the same name.
    async fn policy(&self, name: &str, spec: Value) {
        let mut whole = json!({
            "imageRepositoryRef": { "name": name }, "policy": { "semver": { "range": ">=0" } },
        });
        merge(&mut whole, spec);
        self.create::<ImagePolicy>(name, whole).await;
    }

    async fn patch<K: Kind>(&self, name: &str, patch: Value) {
        let api = self.api::<K>().await;
        let parameters = PatchParams::default();
        let patched = api.patch(name, &parameters, &Patch::Merge(patch)).await;
        patched.unwrap();
    }

    async fn secret(&self, name: &str, kind: Option<&str>, entries: &[(&str, &[u8])]) {
        self.bed.secret(&self.namespace, name, kind, entries).await;
    }

    /// Requests a run and waits until it was handled.
    async fn ask<K: Kind + ToolkitResource>(&self, name: &str) -> K {
        let token = self.bed.name("request");
        let annotation = "reconcile.fluxcd.io/requestedAt";
        let patch = json!({ "metadata": { "annotations": { annotation: token } } });
        self.patch::<K>(name, patch).await;
        self.sees(name, "handles the request", |object: &K| {
            object.last_handled_reconcile_at() == Some(&*token)
        })
        .await
    }

    async fn sees<K: Kind>(&self, name: &str, claim: &str, holds: impl Fn(&K) -> bool) -> K {
        let api = self.api::<K>().await;
        wait::until(&api, name, claim, |object| object.is_some_and(&holds))
            .await
            .unwrap()
    }

    /// Waits until `Ready` has this reason, and returns its message.
    async fn reports<K: Kind + ToolkitResource>(&self, name: &str, reason: &str) -> String {
        let claim = format!("reports {reason}");
        let object = self
            .sees(name, &claim, |object: &K| ready(object).1 == reason)
            .await;
        ready(&object).2
    }

    async fn is_ready<K: Kind + ToolkitResource>(&self, name: &str) -> K {
        self.sees(name, "becomes Ready", |object: &K| {
            ready(object).0 == "True"
        })
        .await
    }

    /// Waits until a policy selects a tag.
    async fn selects(&self, name: &str, tag: &str) -> ImagePolicy {
        self.sees(name, &format!("selects {tag}"), |policy: &ImagePolicy| {
            let status = policy.status.as_ref();
            let latest = status.and_then(|status| status.latest_ref.as_ref());
            latest.is_some_and(|latest| latest.tag == tag) && ready(policy).0 == "True"
        })
        .await
    }
}

fn merge(whole: &mut Value, changes: Value) {
    let Value::Object(changes) = changes else {
        panic!("{changes}");
    };
    for (key, value) in changes {
        whole[key] = value;
    }
}

/// Status, reason and message of `Ready`.
fn ready(object: &impl ToolkitResource) -> (String, String, String) {
    let ready = object.conditions().find("Ready");
    ready.map_or_else(Default::default, |ready| {
        let status = ready.status.as_str().to_owned();
        (status, ready.reason.clone(), ready.message.clone())
    })
}

/// Pushes an image, and returns the digest of its manifest.
async fn push(registry: &Registry, repository: &str, tag: &str) -> String {
    push_layer(registry, repository, tag, &format!("layer of {tag}")).await
}

/// Pushes an image with this layer.
async fn push_layer(registry: &Registry, repository: &str, tag: &str, layer: &str) -> String {
    let mut dial = sluice_dial::Dial::default();
    if let Some(authority) = registry.authority() {
        let client = authority.client("pusher", None).unwrap();
        let (certificate, key) = (client.certificate.as_bytes(), client.key.as_bytes());
        dial.tls.ca = Some(authority.certificate().into_bytes());
        dial.tls.certificate = Some(sluice_dial::ClientCertificate::new(certificate, key).unwrap());
    }
    let remote = Remote {
        login: Login::Basic(sluice_dial::Basic::new(Registry::USER, Registry::PASSWORD)),
        dial,
        plain: registry.authority().is_none(),
        ..Remote::anonymous(Repository::parse_url(&registry.url(repository)).unwrap())
    };
    let client = Client::new(Arc::new(HttpClients::new("flux/v2")));
    let layer = bytes::Bytes::copy_from_slice(layer.as_bytes());
    let described = Layer {
        digest: Digest::of(&layer),
        size: layer.len() as u64,
    };
    let created = "2024-01-01T00:00:00Z";
    let package = Package::new(&described, "source", "revision", created, &BTreeMap::new());
    for (digest, bytes) in [
        (&described.digest, layer),
        (&package.config_digest, package.config),
    ] {
        let source = Source::Bytes(bytes);
        client.push_blob(&remote, digest, &source).await.unwrap();
    }
    let (version, kind) = (Version::Tag(tag.to_owned()), sluice_oci::manifest::MANIFEST);
    let pushing = client.push_manifest(&remote, &version, kind, package.manifest);
    pushing.await.unwrap();
    package.digest.to_string()
}

/// The image of a repository, as an object names it.
fn image(registry: &Registry, repository: &str) -> String {
    format!("{}/{repository}", registry.host())
}
