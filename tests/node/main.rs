//! The image in real pods: what no test of the binary alone can show.
//!
//! A user's way from nothing: `install` brings the controllers up from our image on a real node,
//! `create` gives them a repository, commits become running pods, and neither a `kill -9` in the
//! middle of a reconciliation nor `uninstall` harms what runs. That the pods become Ready says that the
//! static binary works in an empty image as a stranger with a read-only root; that they reconcile
//! says that it finds its neighbour by the cluster's names.
//!
//! It needs what [`sluice_testkit::node`] needs, and the image as `SLUICE_IMAGE`: `./test.sh` builds
//! it first.
#![expect(
    clippy::unwrap_used,
    clippy::panic,
    reason = "a test fails by panicking, in its helpers too"
)]

use std::path::PathBuf;
use std::time::Duration;

use k8s_openapi::api::apps::v1::Deployment;
use k8s_openapi::api::core::v1::{ConfigMap, Namespace, Pod};
use kube::Api;
use kube::api::ListParams;
use serde::Serialize;
use serde_json::{Value, json};
use sluice_api::kustomize::Kustomization;
use sluice_git::serve::{Change, Repository};
use sluice_testkit as testkit;
use testkit::devcluster::{GitOptions, GitServer, Tool};
use testkit::node::{self, Node};
use testkit::{Image, Sluice, wait};

const CONTROLLERS: [&str; 2] = ["source-controller", "kustomize-controller"];
const SYSTEM: &str = "flux-system";
const NAMESPACE: &str = "apps";

/// A controller that was killed gets its lease back when it has run out (35 s), in a pod that the
/// kubelet restarts when it pleases.
const AFTER_A_KILL: Duration = Duration::from_mins(3);

/// The image under test, or `None`, said in one line, where there is none and need not be.
#[expect(clippy::disallowed_methods, reason = "tests have no flags")]
#[expect(clippy::print_stderr, reason = "a skipped test must say so")]
fn image() -> Option<PathBuf> {
    if let Some(path) = std::env::var_os("SLUICE_IMAGE") {
        return Some(path.into());
    }
    let how = "write one with `cargo xtask image --profile dev` and name it in SLUICE_IMAGE";
    assert!(
        std::env::var_os("REQUIRE_TIER2").is_none_or(|value| value != "1"),
        "REQUIRE_TIER2 is set and there is no image: {how}"
    );
    eprintln!("skipped: no image: {how}");
    None
}

/// A node with our image on it, a user's command line, and a repository that pods can reach.
struct Stage {
    node: Node,
    user: Sluice,
    server: GitServer,
    repository: Repository,
    _repositories: tempfile::TempDir,
}

impl Stage {
    async fn set(image: PathBuf) -> Option<Self> {
        let node = node::start().await?;
        node.import_archive(&image).await;
        let kubeconfig = node.testbed().kubeconfig().display().to_string();
        let user = Sluice::at(env!("CARGO_BIN_EXE_sluice"))
            .variable("KUBECONFIG", kubeconfig)
            .variable("NO_COLOR", "1");
        let repositories = tempfile::tempdir().unwrap();
        let options = GitOptions {
            address: node::HOST.into(),
            ..GitOptions::new(repositories.path())
        };
        let server = GitServer::start(options).await.unwrap();
        let repository = server.create("app.git", "main").unwrap();
        Some(Self {
            node,
            user,
            server,
            repository,
            _repositories: repositories,
        })
    }

    /// Runs a command that must go well, and gives what it printed.
    async fn sluice(&self, line: &str) -> String {
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

    /// Lets pods of a generation of the app start; until then they wait for their image.
    async fn publish(&self, generation: u32) {
        let program = testkit::tool(Tool::Pause).await;
        let image = Image::new(app_image(generation))
            .program("/app", &program)
            .command(&["/app"]);
        self.node.import(&image).await;
    }

    /// Commits the app in a generation of it, and gives the revision.
    fn commit(&self, generation: u32, changes: &[Change]) -> String {
        let mut all = vec![Change::write("app/deployment.yaml", app(generation))];
        all.extend_from_slice(changes);
        let message = format!("Generation {generation}");
        let id = self.repository.commit("main", &message, &all).unwrap();
        format!("main@sha1:{id}")
    }

    async fn api<K>(&self, namespace: &str) -> Api<K>
    where
        K: kube::Resource<Scope = k8s_openapi::NamespaceResourceScope>,
        K::DynamicType: Default,
    {
        Api::namespaced(self.node.testbed().client().await, namespace)
    }

    /// The pods of the controllers.
    async fn controllers(&self) -> Vec<Pod> {
        let pods: Api<Pod> = self.api(SYSTEM).await;
        pods.list(&ListParams::default()).await.unwrap().items
    }

    /// What the controllers say, for a failing test.
    async fn controller_logs(&self) -> String {
        let pods: Api<Pod> = self.api(SYSTEM).await;
        let mut told = Vec::new();
        for pod in self.controllers().await {
            let name = pod.metadata.name.unwrap_or_default();
            let log = pods.logs(&name, &kube::api::LogParams::default()).await;
            let status = json!(pod.status.and_then(|status| status.container_statuses));
            told.push(format!("== {name} {status}\n{log:?}"));
        }
        told.join("\n")
    }

    /// Waits until a revision is applied and healthy.
    async fn until_ready_at(&self, revision: &str) {
        let kustomizations: Api<Kustomization> = self.api(SYSTEM).await;
        let claim = format!("is ready at {revision}");
        wait::until_within(AFTER_A_KILL, &kustomizations, "app", &claim, |found| {
            found.is_some_and(|found| is_ready_at(found, revision))
        })
        .await;
    }
}

fn app_image(generation: u32) -> String {
    format!("sluice.test/app:{generation}")
}

/// The app: a Deployment whose pods are replaced with every generation.
fn app(generation: u32) -> String {
    let labels = json!({ "app": "app" });
    json!({
        "apiVersion": "apps/v1",
        "kind": "Deployment",
        "metadata": { "name": "app", "namespace": NAMESPACE },
        "spec": {
            "replicas": 1,
            "selector": { "matchLabels": labels },
            "template": {
                "metadata": { "labels": labels },
                "spec": {
                    "terminationGracePeriodSeconds": 0,
                    "containers": [{
                        "name": "app", "image": app_image(generation), "imagePullPolicy": "Never",
                    }],
                },
            },
        },
    })
    .to_string()
}

fn settings(generation: u32) -> Change {
    let content = json!({
        "apiVersion": "v1",
        "kind": "ConfigMap",
        "metadata": { "name": "settings", "namespace": NAMESPACE },
        "data": { "generation": generation.to_string() },
    });
    Change::write("app/settings.yaml", content.to_string())
}

fn is_ready_at(kustomization: &Kustomization, revision: &str) -> bool {
    let status = field(kustomization, "/status");
    let is_ready = status["conditions"].as_array().is_some_and(|all| {
        all.iter()
            .any(|condition| condition["type"] == "Ready" && condition["status"] == "True")
    });
    is_ready && status["lastAppliedRevision"] == revision
}

fn restarts(pod: &Pod) -> u64 {
    field(pod, "/status/containerStatuses/0/restartCount")
        .as_u64()
        .unwrap_or(0)
}

fn field(object: &impl Serialize, pointer: &str) -> Value {
    let value = serde_json::to_value(object).unwrap();
    value.pointer(pointer).cloned().unwrap_or_default()
}

async fn install(stage: &Stage) {
    let version = env!("CARGO_PKG_VERSION");
    let components = CONTROLLERS.join(",");
    let output = stage
        .sluice(&format!(
            "install --components={components} --version=v{version}"
        ))
        .await;
    for name in CONTROLLERS {
        assert!(
            output.contains(&format!("{name}: deployment ready")),
            "{output}"
        );
    }
    for pod in stage.controllers().await {
        assert_eq!(restarts(&pod), 0, "{:?}", pod.status);
    }
}

/// The first commit becomes running pods.
async fn create(stage: &Stage) {
    let namespace = json!({
        "apiVersion": "v1", "kind": "Namespace", "metadata": { "name": NAMESPACE },
    });
    let revision = stage.commit(
        1,
        &[
            settings(1),
            Change::write("app/namespace.yaml", namespace.to_string()),
        ],
    );
    stage.publish(1).await;
    let url = stage.server.url("app.git");
    stage
        .sluice(&format!(
            "create source git app --url={url} --branch=main --interval=1h"
        ))
        .await;
    stage
        .sluice(
            "create kustomization app --source=GitRepository/app --path=./app --prune --wait \
             --interval=1h",
        )
        .await;
    stage.until_ready_at(&revision).await;
    let deployments: Api<Deployment> = stage.api(NAMESPACE).await;
    let app = deployments.get("app").await.unwrap();
    assert_eq!(field(&app, "/status/availableReplicas"), json!(1));
}

/// Both controllers are killed while a commit is half done, its objects applied and its pods not
/// yet running; it is completed all the same.
async fn kill_in_the_middle(stage: &Stage) {
    let revision = stage.commit(2, &[settings(2)]);
    stage.sluice("reconcile source git app").await;
    let settings: Api<ConfigMap> = stage.api(NAMESPACE).await;
    wait::until(&settings, "settings", "is of generation 2", |found| {
        found.is_some_and(|found| field(found, "/data/generation") == "2")
    })
    .await;
    let killed = stage.controllers().await;
    assert_eq!(killed.len(), CONTROLLERS.len());
    for pod in &killed {
        let name = pod.metadata.name.as_deref().unwrap();
        stage.node.kill_container(SYSTEM, name, "manager").await;
    }
    let pods: Api<Pod> = stage.api(SYSTEM).await;
    for pod in &killed {
        let name = pod.metadata.name.as_deref().unwrap();
        wait::until_within(AFTER_A_KILL, &pods, name, "was restarted", |found| {
            found.is_some_and(|found| restarts(found) == 1)
        })
        .await;
    }
    let kustomizations: Api<Kustomization> = stage.api(SYSTEM).await;
    let half_done = kustomizations.get("app").await.unwrap();
    assert!(!is_ready_at(&half_done, &revision), "{half_done:#?}");
    stage.publish(2).await;
    stage.until_ready_at(&revision).await;
}

/// After that they work as before: what a commit removes is pruned.
async fn go_on(stage: &Stage) -> String {
    stage.publish(3).await;
    let revision = stage.commit(3, &[Change::remove("app/settings.yaml")]);
    stage
        .sluice("reconcile kustomization app --with-source")
        .await;
    stage.until_ready_at(&revision).await;
    let settings: Api<ConfigMap> = stage.api(NAMESPACE).await;
    assert!(settings.get_opt("settings").await.unwrap().is_none());
    revision
}

/// The commands that read agree.
async fn look(stage: &Stage, revision: &str) {
    let check = stage.sluice("check").await;
    assert!(check.contains("all checks passed"), "{check}");
    let logs = stage.sluice("logs --kind=Kustomization --name=app").await;
    assert!(logs.contains("Kustomization/app.flux-system"), "{logs}");
    let shown = stage.sluice("get kustomizations").await;
    // As tables shorten it: eight digits of the commit.
    let short = &revision["main@sha1:".len()..][..8];
    assert!(shown.contains(short), "{shown}");
}

/// The controllers go, what they applied stays.
async fn uninstall(stage: &Stage) {
    stage.sluice("uninstall --silent").await;
    let namespaces: Api<Namespace> = Api::all(stage.node.testbed().client().await);
    wait::until_within(AFTER_A_KILL, &namespaces, SYSTEM, "is gone", |found| {
        found.is_none()
    })
    .await;
    let deployments: Api<Deployment> = stage.api(NAMESPACE).await;
    let app = deployments.get("app").await.unwrap();
    assert_eq!(field(&app, "/status/availableReplicas"), json!(1));
}

#[tokio::test(flavor = "multi_thread")]
async fn the_image_installs_reconciles_and_survives_kill_nine() {
    let Some(image) = image() else { return };
    let Some(stage) = Stage::set(image).await else {
        return;
    };
    install(&stage).await;
    create(&stage).await;
    kill_in_the_middle(&stage).await;
    let revision = go_on(&stage).await;
    look(&stage, &revision).await;
    uninstall(&stage).await;
}
