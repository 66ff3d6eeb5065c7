//! Takes over the objects of Flux's controller, which stay as they are.

use serde_json::{Value, json};
use sluice_api::notification::webhook;
use sluice_testkit::kube::api::{Patch, PatchParams};

use super::World;
use super::receivers::repository;

const KINDS: [(&str, &str); 3] = [("Receiver", "web"), ("Provider", "hook"), ("Alert", "all")];

/// Creates the objects as notification-controller 1.9.3 leaves them: its finalizer, and the status
/// that `reconcile` in `receiver_controller.go` writes.
async fn create(world: &World, path: &str) {
    let finalizer = json!({ "finalizers": ["finalizers.fluxcd.io"] });
    let spec = json!({
        "type": "generic", "secretRef": { "name": "token" },
        "resources": [{ "kind": "GitRepository", "name": "app" }],
    });
    world
        .create("Receiver", "web", finalizer.clone(), spec)
        .await;
    let status = json!({ "status": {
        "conditions": [{
            "type": "Ready", "status": "True", "reason": "Succeeded",
            "message": format!("Receiver initialized for path: {path}"),
            "observedGeneration": 1, "lastTransitionTime": "2026-01-02T03:04:05Z",
        }],
        "observedGeneration": 1,
        "webhookPath": path,
    } });
    let api = world.objects("Receiver").await;
    let parameters = PatchParams {
        field_manager: Some("notification-controller".to_owned()),
        ..PatchParams::default()
    };
    #[expect(
        clippy::disallowed_methods,
        reason = "the test acts as Flux's controller"
    )]
    let patched = api
        .patch_status("web", &parameters, &Patch::Merge(status))
        .await;
    patched.unwrap();
    let spec = json!({ "type": "generic", "address": "https://hooks.invalid" });
    world.create("Provider", "hook", finalizer, spec).await;
    let spec = json!({
        "providerRef": { "name": "hook" },
        "eventSources": [{ "kind": "Kustomization", "name": "*" }],
    });
    world.create("Alert", "all", json!({}), spec).await;
}

async fn versions(world: &World) -> Vec<Value> {
    let mut versions = Vec::new();
    for (kind, name) in KINDS {
        let object = world.until(kind, name, |it| !it.is_null()).await;
        versions.push(object["metadata"]["resourceVersion"].clone());
    }
    versions
}

#[tokio::test(flavor = "multi_thread")]
async fn objects_of_flux_are_adopted_without_a_write() {
    let mut world = World::idle("notify-adopt").await;
    world.secret("token", &[("token", "canary")]).await;
    repository(&world, "app").await;
    let path = webhook::path(b"canary", "web", &world.namespace);
    create(&world, &path).await;
    let before = versions(&world).await;
    world.start(&[], None).await;
    world.warning("Succeeded", "next run in 10m0s").await;
    assert_eq!(world.served("web").await, path);
    assert_eq!(world.call(&path, &[], "").await, 200);
    assert_eq!(versions(&world).await, before);
    world.stop().await;
}
