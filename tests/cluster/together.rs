//! Tests several controllers in one process: a failure of one does not affect the others.

use k8s_openapi::api::coordination::v1::Lease;
use kube::Api;
use kube::api::{Patch, PatchParams};
use serde_json::json;
use sluice_testkit::GitBackend;

use crate::world::{Kind, World, commit, config_map};

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
