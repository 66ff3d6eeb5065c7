//! The image automation with a real API server and a real Git server.
#![expect(
    clippy::panic,
    clippy::unwrap_used,
    reason = "a test fails by panicking"
)]
#![expect(
    clippy::disallowed_methods,
    reason = "a test acts as the image reflector"
)]

mod crash;
mod faults;
mod fields;
mod give_back;
mod identities;
mod pull_requests;
mod pushes;
mod signatures;
mod tags;

use std::path::{Path, PathBuf};

use clap::{Args as _, FromArgMatches};
use serde_json::{Value, json};
use sluice_api::image::{ImagePolicy, ImageUpdateAutomation};
use sluice_api::meta::ToolkitResource;
use sluice_api::source::GitRepository;
use sluice_client::{Cluster, Config};
use sluice_engine::{Kind, Metrics};
use sluice_git::Limits;
use sluice_git::serve::{Change, Repository};
use sluice_host::Host;
use sluice_host::host::observer;
use sluice_identity::Environment;
use sluice_image_automation_controller::Args;
use sluice_testkit::kube::Api;
use sluice_testkit::kube::api::{Patch, PatchParams, PostParams};
use sluice_testkit::kube::config::{KubeConfigOptions, Kubeconfig};
use sluice_testkit::{Bed, EventSink, GitBackend, wait};
use tokio::task::JoinHandle;

/// The environment of one test: a namespace, a Git server and a controller.
struct World {
    bed: Bed,
    namespace: String,
    kubeconfig: PathBuf,
    directory: tempfile::TempDir,
    events: EventSink,
    git: GitBackend,
    running: Option<(Host, Task)>,
}

type Task = JoinHandle<Result<(), sluice_image_automation_controller::Error>>;

impl World {
    async fn new(prefix: &str) -> Self {
        Self::with(prefix, &[]).await
    }

    /// Starts a controller with more flags.
    async fn with(prefix: &str, flags: &[&str]) -> Self {
        let mut world = Self::idle(prefix).await;
        world.start(flags, Environment::default()).await;
        world
    }

    /// Starts the controller with variables of identities in clouds.
    async fn start(&mut self, flags: &[&str], environment: Environment) {
        let host = host_with(&self.kubeconfig, environment).await;
        let mut flags: Vec<_> = flags.iter().map(|flag| (*flag).to_owned()).collect();
        flags.push(format!("--events-addr={}", self.events.url()));
        let args = arguments(self.directory.path(), &self.namespace, flags);
        let task = tokio::spawn(sluice_image_automation_controller::run(args, host.clone()));
        self.running = Some((host, task));
    }

    /// Prepares a world without a controller.
    async fn idle(prefix: &str) -> Self {
        Self::on(Bed::Shared(sluice_testkit::cluster().await), prefix).await
    }

    /// Prepares a world on a test bed. A watch of all namespaces needs an own one.
    async fn on(bed: Bed, prefix: &str) -> Self {
        let user = bed.name(prefix);
        Self {
            namespace: bed.namespace(prefix).await,
            kubeconfig: bed.kubeconfig_for(&user),
            bed,
            directory: tempfile::tempdir().unwrap(),
            events: EventSink::start().await,
            git: GitBackend::start().await,
            running: None,
        }
    }

    /// A new process as the user of this test.
    async fn host(&self) -> Host {
        host(&self.kubeconfig).await
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
            "apiVersion": K::api_version(&()), "kind": kind,
            "metadata": { "name": name, "namespace": self.namespace },
            "spec": spec,
        }));
        let api = self.api::<K>().await;
        let created = api.create(&PostParams::default(), &object.unwrap()).await;
        created.unwrap_or_else(|error| panic!("{kind} {name}: {error}"));
    }

    /// Creates a repository on the Git server with these files, and its object.
    async fn repository(&self, name: &str, files: &[(&str, &str)]) -> Repository {
        let repository = self.git.create(&format!("{name}.git"), "main");
        commit(&repository, files);
        let url = self.git.url(&format!("{name}.git"));
        let spec = json!({ "url": url, "interval": "1h", "ref": { "branch": "main" } });
        self.create::<GitRepository>(name, spec).await;
        repository
    }

    /// Creates a policy, or changes its latest image.
    async fn policy(&self, name: &str, tag: &str) {
        let api = self.api::<ImagePolicy>().await;
        if api.get_opt(name).await.unwrap().is_none() {
            let spec =
                json!({ "imageRepositoryRef": { "name": name }, "policy": { "alphabetical": {} } });
            self.create::<ImagePolicy>(name, spec).await;
        }
        let latest = json!({ "name": format!("example.com/{name}"), "tag": tag });
        let patch = json!({ "status": { "latestRef": latest } });
        let parameters = PatchParams::default();
        let patched = api
            .patch_status(name, &parameters, &Patch::Merge(patch))
            .await;
        patched.unwrap();
    }

    /// Creates an automation of the repository of the same name, with these changes to `spec.git`.
    async fn automation(&self, name: &str, repository: &str, git: Value) {
        let mut whole = json!({
            "commit": { "author": { "name": "Bot", "email": "bot@example.com" } },
        });
        merge(&mut whole, git);
        let spec = json!({
            "interval": "1h",
            "sourceRef": { "kind": "GitRepository", "name": repository },
            "git": whole,
            "update": { "strategy": "Setters" },
        });
        self.create::<ImageUpdateAutomation>(name, spec).await;
    }

    /// Sets the finalizer and the status that Flux's controller wrote.
    async fn left_by_flux<K: Kind>(&self, name: &str, status: Value) {
        let finalizers = json!({ "metadata": { "finalizers": ["finalizers.fluxcd.io"] } });
        self.patch::<K>(name, finalizers).await;
        let (api, parameters) = (self.api::<K>().await, PatchParams::default());
        let patch = Patch::Merge(json!({ "status": status }));
        api.patch_status(name, &parameters, &patch).await.unwrap();
    }

    async fn patch<K: Kind>(&self, name: &str, patch: Value) {
        let api = self.api::<K>().await;
        let parameters = PatchParams::default();
        let patched = api.patch(name, &parameters, &Patch::Merge(patch)).await;
        patched.unwrap();
    }

    async fn sees(
        &self,
        name: &str,
        claim: &str,
        holds: impl Fn(&ImageUpdateAutomation) -> bool,
    ) -> ImageUpdateAutomation {
        let api = self.api::<ImageUpdateAutomation>().await;
        wait::until(&api, name, claim, |object| object.is_some_and(&holds))
            .await
            .unwrap()
    }

    /// Requests a run and waits until it was handled.
    async fn ask(&self, name: &str) -> ImageUpdateAutomation {
        let token = self.bed.name("request");
        let annotation = "reconcile.fluxcd.io/requestedAt";
        let patch = json!({ "metadata": { "annotations": { annotation: token } } });
        self.patch::<ImageUpdateAutomation>(name, patch).await;
        self.sees(name, "handles the request", |object| {
            object.last_handled_reconcile_at() == Some(&*token)
        })
        .await
    }

    /// Waits until an automation pushed a commit after this one.
    async fn pushes(&self, name: &str, before: Option<&str>) -> ImageUpdateAutomation {
        self.sees(name, "pushes", |object| {
            let status = object.status.as_ref();
            let pushed = status.and_then(|status| status.last_push_commit.as_deref());
            pushed.is_some() && pushed != before && ready(object).0 == "True"
        })
        .await
    }

    /// Waits until `Ready` has this reason, and returns its message.
    async fn reports(&self, name: &str, reason: &str) -> String {
        let claim = format!("reports {reason}");
        let object = self.sees(name, &claim, |object| ready(object).1 == reason);
        ready(&object.await).2
    }
}

/// A new process with a kubeconfig.
async fn host(kubeconfig: &Path) -> Host {
    host_with(kubeconfig, Environment::default()).await
}

async fn host_with(kubeconfig: &Path, environment: Environment) -> Host {
    let kubeconfig = Kubeconfig::read_from(kubeconfig).unwrap();
    let options = KubeConfigOptions::default();
    let mut config = Config::from_custom_kubeconfig(kubeconfig, &options)
        .await
        .unwrap();
    config.proxy_url = None;
    let metrics = Metrics::new();
    let mut options = sluice_client::Options::new("image-automation-test");
    options.observer = Some(observer(&metrics));
    let cluster = Cluster::connect(config, options).unwrap();
    Host::with_environment(cluster, metrics, environment)
}

/// The flags of a controller of one namespace.
fn arguments(store: &Path, namespace: &str, flags: Vec<String>) -> Args {
    let own = [
        "image-automation-controller".to_owned(),
        format!("--git-store-path={}", store.display()),
        "--watch-all-namespaces=false".to_owned(),
        format!("--runtime-namespace={namespace}"),
        "--min-retry-delay=50ms".to_owned(),
        "--max-retry-delay=200ms".to_owned(),
    ];
    let command = Args::augment_args(clap::Command::new("image-automation-controller"));
    let command = command.args_override_self(true);
    let line = own.into_iter().chain(flags);
    Args::from_arg_matches(&command.get_matches_from(line)).unwrap()
}

fn merge(whole: &mut Value, changes: Value) {
    let Value::Object(changes) = changes else {
        panic!("{changes}");
    };
    for (key, value) in changes {
        match (whole.get_mut(&key), value) {
            (Some(inner @ Value::Object(_)), value @ Value::Object(_)) => merge(inner, value),
            (_, value) => whole[key] = value,
        }
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

fn last_push(object: &ImageUpdateAutomation) -> String {
    let status = object.status.as_ref().unwrap();
    status.last_push_commit.clone().unwrap()
}

fn commit(repository: &Repository, files: &[(&str, &str)]) -> String {
    let changes: Vec<_> = files
        .iter()
        .map(|(path, content)| Change::write(*path, *content))
        .collect();
    repository
        .commit("main", "Test", &changes)
        .unwrap()
        .to_string()
}

fn head(repository: &Repository, branch: &str) -> Option<String> {
    repository.head(branch).unwrap().map(|id| id.to_string())
}

/// The content of a file of a branch.
fn content(repository: &Repository, branch: &str, path: &str) -> String {
    let snapshot = repository
        .snapshot(branch, Limits::default())
        .unwrap()
        .unwrap();
    let read = snapshot.read(std::path::Path::new(path), 1 << 20).unwrap();
    String::from_utf8(read.unwrap()).unwrap()
}

/// Runs Git in a bare repository.
async fn git(repository: &Repository, arguments: &[&str]) -> String {
    let output = tokio::process::Command::new("git")
        .arg("-C")
        .arg(repository.path())
        .args(arguments)
        .output()
        .await
        .unwrap();
    assert!(output.status.success(), "{arguments:?}: {output:?}");
    String::from_utf8(output.stdout).unwrap().trim().to_owned()
}

/// A manifest with a marker of the tag of a policy.
fn manifest(world: &World, policy: &str, tag: &str) -> String {
    format!(
        "kind:   Deployment   # kept\n\nimage: example.com/{policy}:{tag} # {{\"$imagepolicy\": \"{}:{policy}\"}}\n",
        world.namespace
    )
}
