//! The source watcher with a real API server, and artifacts of a stand-in for the source
//! controller.
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]
#![expect(
    clippy::disallowed_methods,
    reason = "a test reads files without the storage"
)]

mod changes;
mod failures;
mod lifecycle;
mod processes;

use std::collections::BTreeMap;
use std::path::PathBuf;

use clap::{Args as _, FromArgMatches};
use serde_json::{Value, json};
use sluice_api::meta::ToolkitResource;
use sluice_api::source::{ExternalArtifact, GitRepository};
use sluice_api::source_watcher::ArtifactGenerator;
use sluice_artifact::untar::{Entries, Limits, Links};
use sluice_client::{Cluster, Config};
use sluice_engine::{Kind, Metrics};
use sluice_host::Host;
use sluice_host::host::observer;
use sluice_source_watcher_controller::Args;
use sluice_testkit::kube::Api;
use sluice_testkit::kube::api::{DeleteParams, Patch, PatchParams, PostParams};
use sluice_testkit::kube::config::{KubeConfigOptions, Kubeconfig};
use sluice_testkit::{ArtifactServer, Bed, EventSink, port, wait};
use tokio::task::JoinHandle;

/// The environment of one test: a namespace, a server of sources, a storage and a controller.
struct World {
    bed: Bed,
    namespace: String,
    kubeconfig: PathBuf,
    directory: tempfile::TempDir,
    sources: ArtifactServer,
    events: EventSink,
    port: u16,
    flags: Vec<String>,
    running: Option<(Host, Task)>,
}

type Task = JoinHandle<Result<(), sluice_source_watcher_controller::Error>>;

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
            sources: ArtifactServer::start().await,
            events: EventSink::start().await,
            port: port(),
            flags: flags.iter().map(|flag| (*flag).to_owned()).collect(),
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
        let mut options = sluice_client::Options::new("source-watcher-test");
        options.observer = Some(observer(&metrics));
        let cluster = Cluster::connect(config, options).unwrap();
        let host = Host::over(cluster, metrics);
        let own = [
            "source-watcher".to_owned(),
            format!("--storage-path={}", self.storage().display()),
            format!("--storage-addr=127.0.0.1:{}", self.port),
            "--watch-all-namespaces=false".to_owned(),
            format!("--runtime-namespace={}", self.namespace),
            format!("--events-addr={}", self.events.url()),
            "--min-retry-delay=50ms".to_owned(),
            "--max-retry-delay=200ms".to_owned(),
            "--requeue-dependency=200ms".to_owned(),
            "--http-retry=1".to_owned(),
            "--artifact-retention-ttl=0s".to_owned(),
            "--artifact-retention-records=1".to_owned(),
        ];
        let command = Args::augment_args(clap::Command::new("source-watcher"));
        let command = command.args_override_self(true);
        let line = own.into_iter().chain(self.flags.clone());
        let args = Args::from_arg_matches(&command.get_matches_from(line)).unwrap();
        let task = tokio::spawn(sluice_source_watcher_controller::run(args, host.clone()));
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
        self.directory.path().to_owned()
    }

    /// The files in the storage of an artifact, without locks.
    fn stored(&self, name: &str) -> Vec<String> {
        let directory = self.storage().join("externalartifact");
        let directory = directory.join(&self.namespace).join(name);
        let Ok(entries) = std::fs::read_dir(directory) else {
            return Vec::new();
        };
        let names = entries.map(|entry| entry.unwrap().file_name().into_string().unwrap());
        names.filter(|name| !name.contains(".lock")).collect()
    }

    async fn api<K: Kind>(&self) -> Api<K> {
        Api::namespaced(self.bed.client().await, &self.namespace)
    }

    /// Creates or changes a source with the artifact of these files.
    async fn source(&self, name: &str, revision: &str, files: &[(&str, &str)]) {
        let unique = format!("{}@{revision}", self.namespace);
        let mut artifact = self.sources.publish_files(&unique, files);
        artifact["revision"] = revision.into();
        self.source_with(name, artifact).await;
    }

    async fn source_with(&self, name: &str, artifact: Value) {
        let api = self.api::<GitRepository>().await;
        if api.get_opt(name).await.unwrap().is_none() {
            let object = json!({
                "apiVersion": "source.toolkit.fluxcd.io/v1", "kind": "GitRepository",
                "metadata": { "name": name },
                "spec": { "interval": "1h", "url": "https://example.com/a" },
            });
            let object = serde_json::from_value(object).unwrap();
            api.create(&PostParams::default(), &object).await.unwrap();
        }
        let patch = Patch::Merge(json!({ "status": { "artifact": artifact } }));
        let parameters = PatchParams::default();
        api.patch_status(name, &parameters, &patch).await.unwrap();
    }

    /// Creates a generator with a source `repo`, and these artifacts.
    async fn generate(&self, name: &str, artifacts: Value) {
        let spec = json!({
            "sources": [{ "alias": "repo", "kind": "GitRepository", "name": "repo" }],
            "artifacts": artifacts,
        });
        self.generator(name, spec, json!({})).await;
    }

    async fn generator(&self, name: &str, spec: Value, annotations: Value) {
        let object = json!({
            "apiVersion": "source.extensions.fluxcd.io/v1beta1", "kind": "ArtifactGenerator",
            "metadata": { "name": name, "annotations": annotations },
            "spec": spec,
        });
        let api = self.api::<ArtifactGenerator>().await;
        let object = serde_json::from_value(object).unwrap();
        api.create(&PostParams::default(), &object).await.unwrap();
    }

    async fn patch<K: Kind>(&self, name: &str, patch: Value) {
        let api = self.api::<K>().await;
        let parameters = PatchParams::default();
        let patched = api.patch(name, &parameters, &Patch::Merge(patch)).await;
        patched.unwrap();
    }

    async fn delete<K: Kind>(&self, name: &str) {
        let api = self.api::<K>().await;
        api.delete(name, &DeleteParams::default()).await.unwrap();
    }

    /// Requests a run and waits until it was handled.
    async fn ask(&self, name: &str) -> ArtifactGenerator {
        let token = self.bed.name("request");
        let annotation = "reconcile.fluxcd.io/requestedAt";
        let patch = json!({ "metadata": { "annotations": { annotation: token } } });
        self.patch::<ArtifactGenerator>(name, patch).await;
        let handles = |object: &ArtifactGenerator| {
            object.last_handled_reconcile_at() == Some(&*token) && ready(object).0 != "Unknown"
        };
        self.sees(name, "handles the request", handles).await
    }

    async fn sees<K: Kind>(&self, name: &str, claim: &str, holds: impl Fn(&K) -> bool) -> K {
        let api = self.api::<K>().await;
        wait::until(&api, name, claim, |object| object.is_some_and(&holds))
            .await
            .unwrap()
    }

    async fn is_gone<K: Kind>(&self, name: &str) {
        wait::gone(&self.api::<K>().await, name).await;
    }

    /// Waits until `Ready` has this reason, and returns its message.
    async fn reports(&self, name: &str, reason: &str) -> String {
        let claim = format!("reports {reason}");
        let is_reported = |object: &ArtifactGenerator| ready(object).1 == reason;
        ready(&self.sees(name, &claim, is_reported).await).2
    }

    async fn is_ready(&self, name: &str) -> ArtifactGenerator {
        let is_ready = |object: &ArtifactGenerator| {
            let ready = object.conditions().find("Ready");
            let is_observed =
                ready.is_some_and(|it| it.observed_generation == object.metadata.generation);
            is_observed && self::ready(object).0 == "True"
        };
        self.sees(name, "becomes Ready", is_ready).await
    }

    /// Downloads a published artifact: its files with their contents.
    async fn files(&self, name: &str) -> BTreeMap<String, String> {
        let api = self.api::<ExternalArtifact>().await;
        let artifact = artifact(&api.get(name).await.unwrap()).unwrap();
        let url = artifact["url"].as_str().unwrap().to_owned();
        let client = sluice_dial::HttpClients::new("test");
        let client = client.get(&sluice_dial::Dial::default()).unwrap();
        let answer = client.get(url.as_str()).send().await.unwrap();
        assert_eq!(answer.status(), 200, "{url}");
        let archive = answer.bytes().await.unwrap();
        let digest = sluice_digest::Digest::of(&archive).to_string();
        assert_eq!(artifact["digest"], digest.as_str());
        let mut entries = Entries::new(&archive[..], Links::Reject, Limits::unlimited());
        let mut files = BTreeMap::new();
        while let Some(mut entry) = entries.next_entry().unwrap() {
            if !entry.is_directory() {
                let path = entry.path().display().to_string();
                let content = std::io::read_to_string(&mut entry).unwrap();
                files.insert(path, content);
            }
        }
        files
    }
}

/// The artifact of an object as a value.
fn artifact(object: &ExternalArtifact) -> Option<Value> {
    let artifact = object.status.as_ref()?.artifact.as_ref()?;
    Some(serde_json::to_value(artifact).unwrap())
}

/// Status, reason and message of `Ready`.
fn ready(object: &impl ToolkitResource) -> (String, String, String) {
    let ready = object.conditions().find("Ready");
    ready.map_or_else(Default::default, |ready| {
        let status = ready.status.as_str().to_owned();
        (status, ready.reason.clone(), ready.message.clone())
    })
}

fn map(files: &[(&str, &str)]) -> BTreeMap<String, String> {
    let files = files.iter();
    files
        .map(|(path, content)| ((*path).to_owned(), (*content).to_owned()))
        .collect()
}

/// One copy of an artifact.
fn copy(from: &str, to: &str) -> Value {
    json!([{ "from": from, "to": to }])
}
