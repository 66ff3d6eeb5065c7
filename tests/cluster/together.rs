//! Tests several controllers in one process: a failure of one does not affect the others.

use k8s_openapi::api::coordination::v1::Lease;
use kube::Api;
use kube::api::{Patch, PatchParams};
use kube::core::{ApiResource, GroupVersionKind};
use serde_json::json;
use sluice_testkit::GitBackend;

use crate::scene::Scene;
use crate::world::{Kind, Live, World, commit, config_map};

#[tokio::test(flavor = "multi_thread")]
async fn controller_without_lease_campaigns_again() {
    let (world, git) = (World::new("together").await, GitBackend::start().await);
    let namespace = &*world.namespace;
    let repository = git.create("app.git", "main");
    let first = commit(&repository, &[("a.yaml", &config_map("a", namespace, "1"))]);
    let running = world
        .controllers(&world.kubeconfig)
        .electing_patiently()
        .all();
    world.source("app", &git.url("app.git"), json!({})).await;
    world.kustomization("app", json!({})).await;
    world.applied("app", &first).await;

    let leases: Api<Lease> = Api::namespaced(world.client.clone(), namespace);
    // Another holder takes the lease for a short time.
    let stolen =
        json!({ "spec": { "holderIdentity": "somebody-else", "leaseDurationSeconds": 3 } });
    let stolen = Patch::Merge(stolen);
    leases
        .patch(
            "source-controller-leader-election",
            &PatchParams::default(),
            &stolen,
        )
        .await
        .unwrap();
    running
        .printed("a controller stopped, starting it again")
        .await;
    // The other controller still works: it reverts a manual change.
    let drift = json!({ "data": { "key": "by hand" } });
    world.merge(Kind::ConfigMap, "a", drift).await;
    world.reconcile(Kind::Kustomization, "app").await;
    let live = world.get(Kind::ConfigMap, "a").await.unwrap();
    assert_eq!(live.data["data"]["key"], "1");
    let kept = leases
        .get("kustomize-controller-leader-election")
        .await
        .unwrap();
    assert_eq!(kept.spec.unwrap().lease_transitions, Some(0));

    // The other holder does not renew the lease.
    let second = commit(&repository, &[("a.yaml", &config_map("a", namespace, "2"))]);
    world.request(Kind::GitRepository, "app").await;
    world.applied("app", &second).await;
    let taken = leases
        .get("source-controller-leader-election")
        .await
        .unwrap();
    let holder = taken.spec.unwrap().holder_identity;
    assert_ne!(holder.as_deref(), Some("somebody-else"));
    assert!(running.is_running());
}

#[tokio::test(flavor = "multi_thread")]
async fn verbs_of_generators_reach_the_watcher() {
    let (world, git) = (World::new("generated").await, GitBackend::start().await);
    let namespace = &*world.namespace;
    let repository = git.create("app.git", "main");
    let files = [("apps/web/a.yaml", &*config_map("a", namespace, "1"))];
    commit(&repository, &files);
    let running = world.controllers(&world.kubeconfig).all();
    world.source("app", &git.url("app.git"), json!({})).await;
    world.ready(Kind::GitRepository, "app").await;
    let generator = json!({
        "apiVersion": "source.extensions.fluxcd.io/v1beta1", "kind": "ArtifactGenerator",
        "metadata": { "name": "split", "namespace": namespace },
        "spec": {
            "sources": [{ "alias": "app", "kind": "GitRepository", "name": "app" }],
            "pathPattern": "@app/apps/{app}",
            "artifacts": [{
                "name": "app-{app}", "copy": [{ "from": "@app/apps/{app}/**", "to": "@artifact/" }],
            }],
        },
    });
    let scene = Scene {
        bed: world.bed.clone(),
        cluster: world.bed.connect().await,
        namespace: namespace.to_owned(),
    };
    scene.create(generator).await;
    let run = |line: &str| scene.run(line).well();
    let reconciled = run("reconcile artifact generator split").stderr;
    assert!(
        reconciled.contains("ArtifactGenerator annotated"),
        "{reconciled}"
    );
    let listed = run("get artifacts generators split").stdout;
    assert!(listed.contains("generated 1 artifact(s)"), "{listed}");
    let tree = run("tree artifact generator split").stdout;
    assert!(
        tree.contains(&format!("ExternalArtifact/{namespace}/app-web")),
        "{tree}"
    );
    let exported = run("export artifact generator split").stdout;
    assert!(
        exported.contains("pathPattern: '@app/apps/{app}'"),
        "{exported}"
    );
    run("suspend artifact generator split");
    let listed = run("get artifacts generators split").stdout;
    assert!(listed.contains("True"), "{listed}");
    let refused = scene.run("reconcile artifact generator split");
    assert!(
        refused.stderr.contains("resource is suspended"),
        "{}",
        refused.stderr
    );
    let resumed = run("resume artifact generator split").stderr;
    assert!(resumed.contains("artifact generator resumed"), "{resumed}");
    run("delete artifact generator split --silent");
    let resource = ApiResource::from_gvk(&GroupVersionKind::gvk(
        "source.toolkit.fluxcd.io",
        "v1",
        "ExternalArtifact",
    ));
    let api: Api<Live> = Api::namespaced_with(world.client.clone(), namespace, &resource);
    sluice_testkit::wait::gone(&api, "app-web").await;
    assert!(running.is_running());
}
