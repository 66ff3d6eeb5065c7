//! Tests `reconcile`, `suspend` and `resume` of Kustomizations with real controllers.

use std::path::PathBuf;

use serde_json::json;
use sluice_git::serve::Repository;
use sluice_testkit::{GitBackend, Running, wait};

use crate::binary::{CommandResult, sluice};
use crate::world::{Kind, World, commit, config_map, revision};

/// A Kustomization `app`, applied at a first commit, and its controllers.
struct Scene {
    world: World,
    repository: Repository,
    _git: GitBackend,
    _controllers: Running,
    kubeconfig: PathBuf,
}

impl Scene {
    async fn new(prefix: &str) -> Self {
        let (world, git) = (World::new(prefix).await, GitBackend::start().await);
        let repository = git.create("app.git", "main");
        let first = commit(
            &repository,
            &[("a.yaml", &config_map("a", &world.namespace, "1"))],
        );
        let controllers = world.controllers(&world.kubeconfig).all();
        world.source("app", &git.url("app.git"), json!({})).await;
        world.kustomization("app", json!({})).await;
        world.applied("app", &first).await;
        let kubeconfig = world.bed.kubeconfig();
        Self {
            world,
            repository,
            _git: git,
            _controllers: controllers,
            kubeconfig,
        }
    }

    /// Commits another value. The poll interval is too long to notice it.
    fn change(&self, value: &str) -> String {
        let map = config_map("a", &self.world.namespace, value);
        commit(&self.repository, &[("a.yaml", &map)])
    }

    fn run(&self, line: &str) -> CommandResult {
        let line = format!("{line} -n {}", self.world.namespace);
        sluice(&self.kubeconfig, &line)
    }

    async fn value(&self) -> serde_json::Value {
        let live = self.world.get(Kind::ConfigMap, "a").await.unwrap();
        live.data["data"]["key"].clone()
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn reconcile_with_source_reports_both_revisions() {
    let scene = Scene::new("with-source").await;
    let namespace = &scene.world.namespace;
    let second = revision(&scene.change("2"));
    let ended = scene.run("reconcile ks app --with-source").well();
    assert_eq!(
        ended.stderr,
        format!(
            "► annotating GitRepository app in {namespace} namespace\n\
             ✔ GitRepository annotated\n\
             ◎ waiting for GitRepository reconciliation\n\
             ✔ fetched revision {second}\n\
             ► annotating Kustomization app in {namespace} namespace\n\
             ✔ Kustomization annotated\n\
             ◎ waiting for Kustomization reconciliation\n\
             ✔ applied revision {second}\n"
        )
    );
    assert_eq!(scene.value().await, "2");
}

#[tokio::test(flavor = "multi_thread")]
async fn reconcile_fails_with_message_of_the_controller() {
    let scene = Scene::new("fails").await;
    let patch = json!({ "spec": { "path": "./nowhere" } });
    scene.world.merge(Kind::Kustomization, "app", patch).await;
    let ended = scene.run("reconcile ks app");
    assert_eq!(ended.code, 1);
    let last = ended.stderr.lines().last().unwrap();
    assert!(
        last.starts_with("✗ Kustomization reconciliation failed: ") && last.contains("nowhere"),
        "{}",
        ended.stderr
    );
    let patch = json!({ "spec": { "sourceRef": { "kind": "ExternalArtifact", "name": "x" } } });
    scene.world.merge(Kind::Kustomization, "app", patch).await;
    let ended = scene.run("reconcile ks app --with-source");
    assert_eq!(
        (ended.code, ended.stderr.as_str()),
        (1, "✗ cannot reconcile source of kind ExternalArtifact\n")
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn suspended_object_is_refused_and_resume_catches_up() {
    let scene = Scene::new("suspended").await;
    let namespace = &scene.world.namespace;
    scene
        .world
        .kustomization(
            "other",
            json!({ "sourceRef": { "kind": "GitRepository", "name": "app" }, "path": "./" }),
        )
        .await;
    let all = scene.run("suspend ks --all").well();
    assert_eq!(
        all.stderr,
        format!(
            "► suspending kustomization app in {namespace} namespace\n✔ kustomization suspended\n\
             ► suspending kustomization other in {namespace} namespace\n✔ kustomization suspended\n"
        )
    );
    let refused = scene.run("reconcile ks app");
    assert_eq!(
        (refused.code, refused.stderr.as_str()),
        (1, "✗ resource is suspended\n")
    );
    let second = revision(&scene.change("2"));
    scene.run("reconcile source git app").well();
    assert_eq!(scene.value().await, "1");
    let resumed = scene.run("resume ks app").well();
    assert_eq!(
        resumed.stderr,
        format!(
            "► resuming kustomization app in {namespace} namespace\n✔ kustomization resumed\n\
             ◎ waiting for Kustomization reconciliation\n\
             ✔ Kustomization app reconciliation completed\n✔ applied revision {second}\n"
        )
    );
    assert_eq!(scene.value().await, "2");
    let quick = scene.run("resume ks other --wait=false").well();
    assert!(!quick.stderr.contains('◎'), "{}", quick.stderr);
    let both = scene.run("resume ks other app other --wait").well();
    assert_eq!(both.stderr.matches("reconciliation completed").count(), 2);
}

#[tokio::test(flavor = "multi_thread")]
async fn reconcile_all_starts_with_sources() {
    let scene = Scene::new("all").await;
    let namespace = &scene.world.namespace;
    let other = json!({
        "sourceRef": { "kind": "GitRepository", "name": "app" }, "path": "./",
        "dependsOn": [{ "name": "app" }],
    });
    scene.world.kustomization("other", other).await;
    let second = revision(&scene.change("2"));
    let ended = scene.run("reconcile all").well();
    assert_eq!(
        ended.stderr,
        format!(
            "◎ reconciling 3 object(s)\n\
             ✔ GitRepository/{namespace}/app: fetched revision {second}\n\
             ✔ Kustomization/{namespace}/app: applied revision {second}\n\
             ✔ Kustomization/{namespace}/other: applied revision {second}\n\
             ✔ 3 object(s) reconciled\n"
        )
    );
    assert_eq!(scene.value().await, "2");
    let none = scene.run("reconcile all --not-ready").well();
    let place = format!("in \"{namespace}\" namespace");
    assert_eq!(
        none.stderr,
        format!("✔ no objects that are not ready to reconcile {place}\n")
    );

    let patch = json!({ "spec": { "path": "./nowhere" } });
    scene.world.merge(Kind::Kustomization, "app", patch).await;
    scene.run("suspend source git app").well();
    let ended = scene.run("reconcile all --parallel 1");
    assert_eq!(ended.code, 1);
    let suspended = format!("⚠️ GitRepository/{namespace}/app is passed over: suspended\n");
    let failed = format!("✗ Kustomization/{namespace}/app: Kustomization reconciliation failed: ");
    let end = format!(
        "✗ Kustomization/{namespace}/other was not tried: Kustomization/{namespace}/app failed\n\
         ✗ reconciliation failed for 2 of 2 object(s)\n"
    );
    assert!(ended.stderr.starts_with(&suspended), "{}", ended.stderr);
    assert!(ended.stderr.contains(&failed), "{}", ended.stderr);
    assert!(ended.stderr.ends_with(&end), "{}", ended.stderr);
}

#[tokio::test(flavor = "multi_thread")]
async fn missing_name_does_not_stop_other_suspensions() {
    let scene = Scene::new("missing").await;
    let namespace = &scene.world.namespace;
    let ended = scene.run("suspend ks nowhere app");
    assert_eq!(ended.code, 1);
    assert_eq!(
        ended.stderr,
        format!(
            "✗ Kustomization nowhere not found in {namespace} namespace\n\
             ► suspending kustomization app in {namespace} namespace\n✔ kustomization suspended\n"
        )
    );
    scene.run("delete ks app --silent").well();
    wait::gone(&scene.world.api(Kind::Kustomization), "app").await;
    let none = scene.run("suspend ks --all");
    assert_eq!(
        (none.code, none.stderr),
        (
            1,
            format!(
                "✗ no objects found\n  \
                 hint: searched namespace {namespace}; set another with --namespace\n"
            )
        )
    );
    let none = scene.run("resume ks --all");
    assert_eq!(
        (none.code, none.stderr),
        (
            1,
            format!("✗ no Kustomization objects found in {namespace} namespace\n")
        )
    );
}
