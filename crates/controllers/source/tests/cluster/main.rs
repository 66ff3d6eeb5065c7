//! The source controller with a real API server and real remotes.
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]
#![expect(
    clippy::disallowed_methods,
    reason = "a test reads files without the storage"
)]

mod bucket;
mod canary;
mod clouds;
mod content;
mod disk;
mod failures;
mod github;
mod helm;
mod hostile;
mod lifecycle;
mod metrics;
mod oci;
mod reference;
mod remotes;
mod restarts;
mod trust;

use std::path::{Path, PathBuf};

use clap::{Args as _, FromArgMatches};
use serde_json::{Value, json};
use sluice_api::source::GitRepository;
use sluice_client::{Cluster, Config};
use sluice_engine::Metrics;
use sluice_git::serve::{Change, Repository};
use sluice_host::Host;
use sluice_host::host::observer;
use sluice_identity::Environment;
use sluice_source_controller::Args;
use sluice_testkit::devcluster::{GitOptions, GitServer};
use sluice_testkit::kube::Api;
use sluice_testkit::kube::api::{Patch, PatchParams, PostParams};
use sluice_testkit::kube::config::{KubeConfigOptions, Kubeconfig};
use sluice_testkit::{Bed, EventSink, port, wait};
use tokio::task::JoinHandle;

/// The environment of one test: a namespace, a Git server, a storage, a controller and its own
/// user, which the audit log shows.
struct World {
    bed: Bed,
    user: String,
    namespace: String,
    kubeconfig: PathBuf,
    directory: tempfile::TempDir,
    git: GitServer,
    events: EventSink,
    port: u16,
    /// The shortest and the longest delay of a retry, for the next start.
    retry_delays: [&'static str; 2],
    /// More flags, and variables of identities in clouds, for the next start.
    flags: Vec<String>,
    environment: Environment,
    running: Option<Running>,
}

struct Running {
    host: Host,
    task: JoinHandle<Result<(), sluice_source_controller::Error>>,
}

impl World {
    async fn new(prefix: &str) -> Self {
        Self::with_git(prefix, None).await
    }

    async fn with_git(prefix: &str, credentials: Option<(String, String)>) -> Self {
        let bed = Bed::Shared(sluice_testkit::cluster().await);
        Self::on(bed, prefix, credentials).await
    }

    async fn on(bed: Bed, prefix: &str, credentials: Option<(String, String)>) -> Self {
        let mut world = Self::idle(bed, prefix, credentials).await;
        world.start().await;
        world
    }

    /// An environment without a controller.
    async fn idle(bed: Bed, prefix: &str, credentials: Option<(String, String)>) -> Self {
        let user = bed.name(prefix);
        let directory = tempfile::tempdir().unwrap();
        for name in ["storage", "git"] {
            std::fs::create_dir(directory.path().join(name)).unwrap();
        }
        let git = GitServer::start(GitOptions {
            credentials,
            ..GitOptions::new(directory.path().join("git"))
        })
        .await
        .unwrap();
        let port = port();
        Self {
            namespace: bed.namespace(prefix).await,
            kubeconfig: bed.kubeconfig_for(&user),
            bed,
            user,
            directory,
            git,
            events: EventSink::start().await,
            port,
            retry_delays: ["50ms", "200ms"],
            flags: Vec::new(),
            environment: Environment::default(),
            running: None,
        }
    }

    /// Starts the controller like a new process.
    async fn start(&mut self) {
        let host = self.host().await;
        let task = tokio::spawn(sluice_source_controller::run(self.args(), host.clone()));
        self.running = Some(Running { host, task });
    }

    /// Stops the controller and waits for its end.
    async fn stop(&mut self) {
        let Running { host, task } = self.running.take().unwrap();
        host.shutdown().cancel();
        task.await.unwrap().unwrap();
        host.drained().await;
    }

    async fn host(&self) -> Host {
        let kubeconfig = Kubeconfig::read_from(&self.kubeconfig).unwrap();
        let options = KubeConfigOptions::default();
        let mut config = Config::from_custom_kubeconfig(kubeconfig, &options)
            .await
            .unwrap();
        config.proxy_url = None;
        let metrics = Metrics::new();
        let mut options = sluice_client::Options::new("source-test");
        options.observer = Some(observer(&metrics));
        let cluster = Cluster::connect(config, options).unwrap();
        Host::with_environment(cluster, metrics, self.environment.clone())
    }

    fn args(&self) -> Args {
        let namespace = format!("--runtime-namespace={}", self.namespace);
        let line = ["source-controller".to_owned(), namespace];
        let line = line.into_iter().chain(self.flags());
        let command = Args::augment_args(clap::Command::new("source-controller"));
        Args::from_arg_matches(&command.get_matches_from(line)).unwrap()
    }

    /// The flags of a controller for this environment.
    fn flags(&self) -> Vec<String> {
        let [min_delay, max_delay] = self.retry_delays;
        let mut flags = vec![
            format!("--storage-path={}", self.storage().display()),
            format!("--storage-addr=127.0.0.1:{}", self.port),
            "--watch-all-namespaces=false".to_owned(),
            format!("--events-addr={}", self.events.url()),
            format!("--min-retry-delay={min_delay}"),
            format!("--max-retry-delay={max_delay}"),
            "--interval-jitter-percentage=0".to_owned(),
        ];
        flags.extend(self.flags.iter().cloned());
        flags
    }

    /// Scrapes the metrics of the running controller.
    fn metrics(&self) -> String {
        self.running.as_ref().unwrap().host.metrics().text()
    }

    fn storage(&self) -> PathBuf {
        self.directory.path().join("storage")
    }

    fn artifacts(&self, name: &str) -> PathBuf {
        self.storage()
            .join("gitrepository")
            .join(&self.namespace)
            .join(name)
    }

    /// Creates a repository with one commit on `main`.
    fn repository(&self, name: &str) -> Repository {
        let repository = self.git.create(name, "main").unwrap();
        commit(
            &repository,
            "First",
            &[
                ("deploy/app.yaml", "kind: ConfigMap\n"),
                ("logo.png", "png"),
            ],
        );
        repository
    }

    async fn api(&self) -> Api<GitRepository> {
        Api::namespaced(self.bed.client().await, &self.namespace)
    }

    /// Creates an object that follows `main` of a repository, with these changes to its spec.
    async fn create(&self, name: &str, spec: &Value) {
        let object = self.object(name, spec);
        self.api()
            .await
            .create(&PostParams::default(), &object)
            .await
            .unwrap();
    }

    fn object(&self, name: &str, spec: &Value) -> GitRepository {
        let mut whole = json!({
            "url": self.git.url("app"), "interval": "1h", "ref": { "branch": "main" },
        });
        for (key, value) in spec.as_object().unwrap() {
            whole[key] = value.clone();
        }
        serde_json::from_value(json!({
            "apiVersion": "source.toolkit.fluxcd.io/v1",
            "kind": "GitRepository",
            "metadata": { "name": name, "namespace": self.namespace },
            "spec": whole,
        }))
        .unwrap()
    }

    async fn secret(&self, name: &str, entries: &[(&str, &str)]) {
        let entries: Vec<_> = entries
            .iter()
            .map(|(key, value)| (*key, value.as_bytes()))
            .collect();
        self.bed.secret(&self.namespace, name, None, &entries).await;
    }

    async fn patch(&self, name: &str, patch: Value) {
        self.api()
            .await
            .patch(name, &PatchParams::default(), &Patch::Merge(patch))
            .await
            .unwrap();
    }

    /// Requests a reconciliation and waits until it was handled.
    async fn reconcile(&self, name: &str) -> GitRepository {
        let token = self.bed.name("request");
        let annotation = "reconcile.fluxcd.io/requestedAt";
        self.patch(
            name,
            json!({ "metadata": { "annotations": { annotation: token } } }),
        )
        .await;
        self.until(name, "handles the request", |object| {
            let status = object.status.as_ref();
            status.and_then(|status| status.last_handled_reconcile_at.as_deref()) == Some(&*token)
        })
        .await
    }

    async fn until(
        &self,
        name: &str,
        claim: &str,
        holds: impl Fn(&GitRepository) -> bool,
    ) -> GitRepository {
        let api = self.api().await;
        wait::until(&api, name, claim, |object| object.is_some_and(&holds))
            .await
            .unwrap()
    }

    async fn ready(&self, name: &str) -> GitRepository {
        self.until(name, "becomes Ready", |object| {
            condition(object, "Ready").0 == "True"
        })
        .await
    }

    /// Waits until `Ready` is false for this reason, and returns the object and the message.
    async fn refused(&self, name: &str, reason: &str) -> (GitRepository, String) {
        let claim = format!("is refused as {reason}");
        let object = self
            .until(name, &claim, |object| {
                let (status, why, _) = condition(object, "Ready");
                status == "False" && why == reason
            })
            .await;
        let message = condition(&object, "Ready").2;
        (object, message)
    }

    /// Downloads and unpacks the artifact of an object.
    async fn download(&self, object: &GitRepository) -> Vec<(String, String)> {
        use std::io::Read;

        let artifact = artifact(object);
        let client = sluice_dial::HttpClients::new("test")
            .get(&sluice_dial::Dial::default())
            .unwrap();
        let fetcher = sluice_artifact::fetch::Fetcher::new(
            client,
            sluice_artifact::fetch::Options::default(),
        );
        let fetched = fetcher
            .fetch(&artifact.url, &artifact.digest)
            .await
            .unwrap();
        assert_eq!(i64::try_from(fetched.size()).ok(), artifact.size);
        let mut entries = fetched.entries(sluice_artifact::untar::Limits::default());
        let mut files = Vec::new();
        while let Some(mut entry) = entries.next_entry().unwrap() {
            let path = entry.path().display().to_string();
            let mut content = String::new();
            entry.read_to_string(&mut content).unwrap();
            files.push((path, content));
        }
        files
    }

    /// Waits until the remote received this many more requests.
    async fn polled(&self, times: u64) {
        let before = self.git.requests().fetches;
        wait::eventually("the remote is asked again", || async {
            let now = self.git.requests().fetches;
            if now >= before + times {
                Ok(())
            } else {
                Err(format!("{now} requests, {before} before"))
            }
        })
        .await;
    }
}

fn commit(repository: &Repository, message: &str, files: &[(&str, &str)]) -> String {
    let changes: Vec<_> = files
        .iter()
        .map(|(path, content)| Change::write(*path, *content))
        .collect();
    repository
        .commit("main", message, &changes)
        .unwrap()
        .to_string()
}

/// Status, reason and message of a condition. All are empty if it is missing.
fn condition(object: &GitRepository, type_: &str) -> (String, String, String) {
    object
        .status
        .as_ref()
        .and_then(|status| status.conditions.find(type_))
        .map(|condition| {
            (
                condition.status.as_str().to_owned(),
                condition.reason.clone(),
                condition.message.clone(),
            )
        })
        .unwrap_or_default()
}

fn artifact(object: &GitRepository) -> sluice_api::Artifact {
    object
        .status
        .as_ref()
        .and_then(|status| status.artifact.clone())
        .expect("the status has an artifact")
}

fn files(directory: &Path) -> Vec<String> {
    let mut names: Vec<_> = std::fs::read_dir(directory)
        .map(|entries| {
            entries
                .map(|entry| entry.unwrap().file_name().into_string().unwrap())
                .filter(|name| {
                    Path::new(name)
                        .extension()
                        .is_none_or(|extension| extension != "lock")
                })
                .collect()
        })
        .unwrap_or_default();
    names.sort();
    names
}
