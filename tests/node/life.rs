//! Tests a user's way from an empty cluster to running pods: `install`, `create` and commits.
//! Neither a `kill -9` during a reconciliation nor `uninstall` harms the pods.

use k8s_openapi::api::core::v1::{ConfigMap, Pod};
use kube::Api;
use serde_json::json;
use sluice_api::kustomize::Kustomization;
use sluice_git::serve::Change;
use sluice_testkit::wait;

use crate::stage::{
    self, AFTER_A_KILL, App, CONTROLLERS, NodeFixture, SYSTEM, field, is_ready_at, restarts,
};

const NAME: &str = "life";

fn settings(generation: u32) -> Change {
    let content = json!({
        "apiVersion": "v1",
        "kind": "ConfigMap",
        "metadata": { "name": "settings", "namespace": NAME },
        "data": { "generation": generation.to_string() },
    });
    Change::write("app/settings.yaml", content.to_string())
}

async fn install(stage: &NodeFixture) {
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
    for pod in stage.pods(SYSTEM).await {
        assert_eq!(restarts(&pod), 0, "{:?}", pod.status);
    }
}

/// Kills both controllers after a commit is applied and before its pods run. The rollout must
/// complete.
async fn kill_in_the_middle(stage: &NodeFixture, app: &App<'_>) {
    let revision = app.commit(2, &[settings(2)]);
    stage.sluice("reconcile source git app").await;
    let settings: Api<ConfigMap> = stage.api(NAME).await;
    wait::until(&settings, "settings", "is of generation 2", |found| {
        found.is_some_and(|found| field(found, "/data/generation") == "2")
    })
    .await;
    let killed = stage.pods(SYSTEM).await;
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
    stage.publish(NAME, 2).await;
    app.until_ready_at(&revision).await;
}

/// Controllers still work after the kill: an object removed by a commit is pruned.
async fn go_on(stage: &NodeFixture, app: &App<'_>) -> String {
    stage.publish(NAME, 3).await;
    let revision = app.commit(3, &[Change::remove("app/settings.yaml")]);
    stage
        .sluice("reconcile kustomization app --with-source")
        .await;
    app.until_ready_at(&revision).await;
    let settings: Api<ConfigMap> = stage.api(NAME).await;
    assert!(settings.get_opt("settings").await.unwrap().is_none());
    revision
}

/// Asserts that all reading commands show the same revision.
async fn look(stage: &NodeFixture, revision: &str) {
    let check = stage.sluice("check").await;
    assert!(check.contains("all checks passed"), "{check}");
    let logs = stage.sluice("logs --kind=Kustomization --name=app").await;
    assert!(logs.contains("Kustomization/app.flux-system"), "{logs}");
    let shown = stage.sluice("get kustomizations").await;
    // Tables show the first eight digits of a commit.
    let short = &revision["main@sha1:".len()..][..8];
    assert!(shown.contains(short), "{shown}");
}

#[tokio::test(flavor = "multi_thread")]
async fn image_installs_reconciles_and_survives_kill() {
    let Some(stage) = stage::take().await else {
        return;
    };
    install(&stage).await;
    let app = stage.app(NAME).await;
    app.create(&[settings(1)]).await;
    kill_in_the_middle(&stage, &app).await;
    let revision = go_on(&stage, &app).await;
    look(&stage, &revision).await;
    stage.uninstall(NAME).await;
}
