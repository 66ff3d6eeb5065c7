//! Tests controllers with only the permissions of `install --namespaced-rbac`. They elect a leader
//! and work in their own namespace. All other namespaces deny access.

use k8s_openapi::api::core::v1::ConfigMap;
use kube::Api;
use serde_json::json;
use sluice_testkit::GitBackend;

use crate::binary::sluice;
use crate::world::{Kind, World, commit, condition, config_map};

const SYSTEM: &str = "flux-system";

#[tokio::test(flavor = "multi_thread")]
async fn controllers_work_with_rights_in_their_own_namespace_only() {
    let world = World::system().await;
    let (bed, client) = (&world.bed, world.client.clone());
    let install = "install --namespaced-rbac --watch-all-namespaces=false --components=source-controller,kustomize-controller";
    sluice(&bed.kubeconfig(), install).well();
    let account = |name: &str| {
        let user = format!("system:serviceaccount:{SYSTEM}:{name}");
        bed.kubeconfig_in_group(&user, Some("system:serviceaccounts"))
    };
    let git = GitBackend::start().await;
    let (here, elsewhere) = (git.create("here", "main"), git.create("elsewhere", "main"));
    let stranger = bed.namespace("stranger").await;
    let first = commit(&here, &[("a.yaml", &config_map("a", SYSTEM, "1"))]);
    commit(&elsewhere, &[("a.yaml", &config_map("a", &stranger, "1"))]);
    let source = world
        .controllers(&account("source-controller"))
        .electing_patiently();
    let kustomize = world
        .controllers(&account("kustomize-controller"))
        .electing_patiently();
    let running = (
        source.source_controller(),
        kustomize.kustomize_controller(&[]),
    );
    for name in ["here", "elsewhere"] {
        world.source(name, &git.url(name), json!({})).await;
        world.kustomization(name, json!({})).await;
    }
    world.applied("here", &first).await;
    let applied: Api<ConfigMap> = Api::namespaced(client.clone(), SYSTEM);
    applied.get("a").await.unwrap();
    // The Kustomization may first report a missing source.
    world
        .until(Kind::Kustomization, "elsewhere", "is refused", |object| {
            let (status, _, message) = condition(object, "Ready");
            status == "False" && message.contains("forbidden")
        })
        .await;
    let nothing: Api<ConfigMap> = Api::namespaced(client, &stranger);
    assert!(nothing.get_opt("a").await.unwrap().is_none());

    // Deletion also prunes.
    world.delete(Kind::Kustomization, "here").await;
    sluice_testkit::wait::gone(&applied, "a").await;
    assert!(running.0.is_running() && running.1.is_running());
}
