//! Provides the shared node with our image, and a user's command line. A test locks it, and leaves
//! it without controllers. Each test has its own app: a repository, and a Deployment in a namespace
//! of the same name.

use std::path::PathBuf;
use std::time::Duration;

use k8s_openapi::api::apps::v1::Deployment;
use k8s_openapi::api::core::v1::{Namespace, Pod};
use kube::Api;
use kube::api::ListParams;
use serde::Serialize;
use serde_json::{Value, json};
use sluice_api::kustomize::Kustomization;
use sluice_git::serve::{Change, Repository};
use sluice_skip::{Requirement, skip};
use sluice_system::fs;
use sluice_testkit as testkit;
use testkit::devcluster::{GitOptions, GitServer, Tool};
use testkit::node::{self, Node};
use testkit::{Image, Sluice, wait};
use tokio::sync::{Mutex, MutexGuard, OnceCell};

pub(crate) const CONTROLLERS: [&str; 2] = ["source-controller", "kustomize-controller"];
pub(crate) const SYSTEM: &str = "flux-system";

/// Timeout after a kill: the lease expires after 35 s, and the kubelet restarts the pod with a
/// back-off.
pub(crate) const AFTER_A_KILL: Duration = Duration::from_mins(3);

/// The only node of the machine, which ends with the process.
static SHARED: OnceCell<Option<Mutex<NodeFixture>>> = OnceCell::const_new();

/// A node with our image, and a user's command line.
pub(crate) struct NodeFixture {
    pub(crate) node: Node,
    user: Sluice,
    /// Name of the user at the API server.
    pub(crate) account: String,
}

/// Locks the stage for one test. Returns `None` with a message where a node cannot run.
pub(crate) async fn take() -> Option<MutexGuard<'static, NodeFixture>> {
    let stage = SHARED.get_or_init(|| async {
        let image = image()?;
        Some(Mutex::new(NodeFixture::set(image).await?))
    });
    Some(stage.await.as_ref()?.lock().await)
}

/// Returns the image under test. Returns `None` with a message if the image is missing and
/// optional.
#[expect(clippy::disallowed_methods, reason = "tests have no flags")]
fn image() -> Option<PathBuf> {
    if let Some(path) = std::env::var_os("SLUICE_IMAGE") {
        return Some(path.into());
    }
    let how = "write one with `cargo xtask image --profile dev` and name it in SLUICE_IMAGE";
    skip(Requirement::Node, &format!("there is no image: {how}"));
    None
}

impl NodeFixture {
    async fn set(image: PathBuf) -> Option<Self> {
        let node = node::start().await?;
        node.import_archive(&image).await;
        let account = "founder".to_owned();
        let kubeconfig = node.testbed().kubeconfig_for(&account);
        let user = Sluice::at(env!("CARGO_BIN_EXE_sluice"))
            .variable("KUBECONFIG", kubeconfig.display().to_string())
            .variable("NO_COLOR", "1");
        Some(Self {
            node,
            user,
            account,
        })
    }

    /// Runs a command, asserts success and returns its output.
    pub(crate) async fn sluice(&self, line: &str) -> String {
        let arguments: Vec<&str> = line.split_whitespace().collect();
        let (code, output) = self.user.run(&arguments).await;
        if code != Some(0) {
            let logs = self.controller_logs().await;
            panic!(
                "sluice {line}: exit code {code:?}\n{output}\n{logs}\n{}",
                self.node.logs()
            );
        }
        output
    }

    /// Creates an app with a repository that pods can reach.
    pub(crate) async fn app(&self, name: &'static str) -> App<'_> {
        let repositories = tempfile::tempdir().unwrap();
        let options = GitOptions {
            address: node::HOST.into(),
            ..GitOptions::new(repositories.path())
        };
        let server = GitServer::start(options).await.unwrap();
        let repository = server.create(&format!("{name}.git"), "main").unwrap();
        App {
            stage: self,
            name,
            server,
            repository,
            _repositories: repositories,
        }
    }

    /// Publishes the image of an app's generation. Until then, its pods wait for it.
    pub(crate) async fn publish(&self, app: &str, generation: u32) {
        let program = testkit::tool(Tool::Pause).await;
        let image = Image::new(app_image(app, generation))
            .program("/app", &program)
            .command(&["/app"]);
        self.node.import(&image).await;
    }

    pub(crate) async fn api<K>(&self, namespace: &str) -> Api<K>
    where
        K: kube::Resource<Scope = k8s_openapi::NamespaceResourceScope>,
        K::DynamicType: Default,
    {
        Api::namespaced(self.node.testbed().client().await, namespace)
    }

    pub(crate) async fn namespaces(&self) -> Api<Namespace> {
        Api::all(self.node.testbed().client().await)
    }

    /// Returns the pods of a namespace.
    pub(crate) async fn pods(&self, namespace: &str) -> Vec<Pod> {
        let pods: Api<Pod> = self.api(namespace).await;
        pods.list(&ListParams::default()).await.unwrap().items
    }

    /// Returns the controllers' logs, for a failing test.
    async fn controller_logs(&self) -> String {
        let pods: Api<Pod> = self.api(SYSTEM).await;
        let mut told = Vec::new();
        for pod in self.pods(SYSTEM).await {
            let name = pod.metadata.name.unwrap_or_default();
            let log = pods.logs(&name, &kube::api::LogParams::default()).await;
            let status = json!(pod.status.and_then(|status| status.container_statuses));
            told.push(format!("== {name} {status}\n{log:?}"));
        }
        told.join("\n")
    }

    /// Uninstalls the controllers, and asserts that the app's pods stay.
    pub(crate) async fn uninstall(&self, app: &str) {
        let before = identities(&self.pods(app).await);
        self.sluice("uninstall --silent").await;
        assert!(
            self.namespaces()
                .await
                .get_opt(SYSTEM)
                .await
                .unwrap()
                .is_none()
        );
        assert_eq!(identities(&self.pods(app).await), before);
        let deployments: Api<Deployment> = self.api(app).await;
        let deployment = deployments.get("app").await.unwrap();
        assert_eq!(field(&deployment, "/status/availableReplicas"), json!(1));
    }
}

/// App of one test.
pub(crate) struct App<'s> {
    stage: &'s NodeFixture,
    name: &'static str,
    server: GitServer,
    repository: Repository,
    _repositories: tempfile::TempDir,
}

impl App<'_> {
    /// Commits a generation of the app and returns the revision.
    pub(crate) fn commit(&self, generation: u32, changes: &[Change]) -> String {
        let mut all = vec![Change::write(
            "app/deployment.yaml",
            deployment(self.name, generation),
        )];
        all.extend_from_slice(changes);
        let message = format!("Generation {generation}");
        let id = self.repository.commit("main", &message, &all).unwrap();
        format!("main@sha1:{id}")
    }

    /// Creates the sync of the first commit, and waits for running pods.
    pub(crate) async fn create(&self, changes: &[Change]) {
        let mut all = vec![Change::write("app/namespace.yaml", namespace(self.name))];
        all.extend_from_slice(changes);
        let revision = self.commit(1, &all);
        self.stage.publish(self.name, 1).await;
        let url = self.server.url(&format!("{}.git", self.name));
        self.stage
            .sluice(&format!(
                "create source git app --url={url} --branch=main --interval=1h"
            ))
            .await;
        self.stage
            .sluice(
                "create kustomization app --source=GitRepository/app --path=./app --prune --wait \
                 --interval=1h",
            )
            .await;
        self.until_ready_at(&revision).await;
        let deployments: Api<Deployment> = self.stage.api(self.name).await;
        let app = deployments.get("app").await.unwrap();
        assert_eq!(field(&app, "/status/availableReplicas"), json!(1));
    }

    /// Waits until a revision is applied and healthy.
    pub(crate) async fn until_ready_at(&self, revision: &str) {
        let kustomizations: Api<Kustomization> = self.stage.api(SYSTEM).await;
        let claim = format!("is ready at {revision}");
        wait::until_within(AFTER_A_KILL, &kustomizations, "app", &claim, |found| {
            found.is_some_and(|found| is_ready_at(found, revision))
        })
        .await;
    }
}

fn app_image(app: &str, generation: u32) -> String {
    format!("sluice.test/{app}:{generation}")
}

/// Returns the namespace of an app.
pub(crate) fn namespace(app: &str) -> String {
    json!({ "apiVersion": "v1", "kind": "Namespace", "metadata": { "name": app } }).to_string()
}

/// Returns the app's Deployment, whose pods change with each generation.
pub(crate) fn deployment(app: &str, generation: u32) -> String {
    let labels = json!({ "app": "app" });
    json!({
        "apiVersion": "apps/v1",
        "kind": "Deployment",
        "metadata": { "name": "app", "namespace": app },
        "spec": {
            "replicas": 1,
            "selector": { "matchLabels": labels },
            "template": {
                "metadata": { "labels": labels },
                "spec": {
                    "terminationGracePeriodSeconds": 0,
                    "containers": [{
                        "name": "app", "image": app_image(app, generation), "imagePullPolicy": "Never",
                    }],
                },
            },
        },
    })
    .to_string()
}

pub(crate) fn is_ready_at(kustomization: &Kustomization, revision: &str) -> bool {
    let status = field(kustomization, "/status");
    let is_ready = status["conditions"].as_array().is_some_and(|all| {
        all.iter()
            .any(|condition| condition["type"] == "Ready" && condition["status"] == "True")
    });
    is_ready && status["lastAppliedRevision"] == revision
}

pub(crate) fn restarts(pod: &Pod) -> u64 {
    field(pod, "/status/containerStatuses/0/restartCount")
        .as_u64()
        .unwrap_or(0)
}

pub(crate) fn field(object: &impl Serialize, pointer: &str) -> Value {
    let value = serde_json::to_value(object).unwrap();
    value.pointer(pointer).cloned().unwrap_or_default()
}

/// Returns the identity and the number of container restarts of each pod.
pub(crate) fn identities(pods: &[Pod]) -> Vec<(Option<String>, u64)> {
    let mut found: Vec<_> = pods
        .iter()
        .map(|pod| (pod.metadata.uid.clone(), restarts(pod)))
        .collect();
    found.sort();
    found
}

/// Process of a pod's container, as this machine sees it.
pub(crate) struct Running {
    folder: PathBuf,
}

impl Running {
    pub(crate) fn of(pod: &Pod) -> Self {
        let uid = pod.metadata.uid.as_deref().unwrap();
        let belongs = |folder: &PathBuf| {
            // Processes may end concurrently.
            let read = |name: &str| fs::read_to_string(folder.join(name)).unwrap_or_default();
            read("cgroup").contains(uid) && read("comm").trim() != "pause"
        };
        let processes = fs::read_dir("/proc").unwrap().into_iter();
        let mut found = processes.map(|entry| entry.path).filter(belongs);
        let folder = found.next();
        let folder = folder.unwrap_or_else(|| panic!("no process of pod {uid}"));
        Self { folder }
    }

    /// Returns the first number of a field in the process status: KiB, or an id.
    pub(crate) fn status(&self, word: &str) -> u64 {
        let text = fs::read_to_string(self.folder.join("status")).unwrap();
        let line = text.lines().find_map(|line| line.strip_prefix(word));
        let number = line.and_then(|line| {
            line.trim_start_matches(':')
                .split_whitespace()
                .next()?
                .parse()
                .ok()
        });
        number.unwrap_or_else(|| panic!("{word} in {text}"))
    }

    /// Whether the root file system is read-only.
    pub(crate) fn root_is_read_only(&self) -> bool {
        let mounts = fs::read_to_string(self.folder.join("mountinfo")).unwrap();
        let mut root = mounts.lines().filter_map(|line| {
            let mut words = line.split(' ').skip(4);
            (words.next()? == "/").then(|| words.next().unwrap_or_default())
        });
        root.next()
            .is_some_and(|options| options.split(',').any(|option| option == "ro"))
    }
}
