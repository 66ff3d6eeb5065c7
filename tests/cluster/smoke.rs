//! A smoke test of the program: its version, one build and one reconciliation.
//!
//! The suite runs the binary of its own profile. `SLUICE_PROGRAM` names another one: before a
//! release, the shipped binary, whose profile optimises across crates (`docs/release.md`).

use serde_json::json;
use sluice_system::fs;
use sluice_testkit::GitBackend;

use crate::binary::Call;
use crate::world::{Kind, World, commit, config_map};

#[tokio::test(flavor = "multi_thread")]
async fn program_prints_version_builds_and_reconciles() {
    let (world, git) = (World::new("smoke").await, GitBackend::start().await);
    let call = Call::new(&world.kubeconfig).called_sluice();
    let version = call.run_beside("version --client").await.well();
    let ours = format!("sluice: v{}\n", env!("CARGO_PKG_VERSION"));
    assert!(version.stdout.contains(&ours), "{}", version.stdout);

    let folder = tempfile::tempdir().unwrap();
    let manifest = config_map("a", &world.namespace, "1");
    fs::write(folder.path().join("a.yaml"), &manifest).unwrap();
    fs::write(
        folder.path().join("kustomization.yaml"),
        "resources: [a.yaml]\n",
    )
    .unwrap();
    let line = format!("build overlay {}", folder.path().display());
    let built = call.run_beside(&line).await.well();
    assert!(built.stdout.contains("kind: ConfigMap"), "{}", built.stdout);

    let repository = git.create("app.git", "main");
    let first = commit(&repository, &[("a.yaml", &manifest)]);
    let _controllers = world.controllers(&world.kubeconfig).all();
    world.source("app", &git.url("app.git"), json!({})).await;
    world.kustomization("app", json!({})).await;
    world.applied("app", &first).await;
    let applied = world.get(Kind::ConfigMap, "a").await.unwrap();
    assert_eq!(applied.data["data"]["key"], "1");
}
