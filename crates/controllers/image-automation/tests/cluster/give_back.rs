//! Objects that our controllers wrote are given back to Flux's.
//!
//! It needs `image-reflector-controller` and `image-automation-controller` in `REFERENCE_BIN_DIR`.
//! Recipe: `go build` in checkouts of fluxcd/image-reflector-controller and
//! fluxcd/image-automation-controller, branch `release/v1.2.x`.

use serde_json::json;
use sluice_api::image::{ImagePolicy, ImageRepository, ImageUpdateAutomation};
use sluice_api::meta::ToolkitResource;
use sluice_engine::Kind;
use sluice_testkit::{Reference, Registry, Running, wait};

use super::tags::{push, reflector};
use super::{World, arguments, content, head, last_push, ready};

/// Starts a controller of the reference for the namespace of a world.
fn start(reference: &Reference, world: &World, name: &str, flags: &[&str]) -> Running {
    let own = [
        "--watch-all-namespaces=false",
        "--metrics-addr=127.0.0.1:0",
        "--health-addr=127.0.0.1:0",
        "--events-addr=",
    ];
    let kubeconfig = world.kubeconfig.display().to_string();
    let program = reference.controller(name).without_poll_limit();
    let program = program.variable("KUBECONFIG", kubeconfig);
    let program = program.variable("RUNTIME_NAMESPACE", &*world.namespace);
    program.start(&[&own[..], flags].concat())
}

/// Requests a run, and waits until it was handled and the object is ready.
async fn ask<K: Kind + ToolkitResource>(world: &World, name: &str, token: &str) -> K {
    let annotation = "reconcile.fluxcd.io/requestedAt";
    let request = json!({ "metadata": { "annotations": { annotation: token } } });
    world.patch::<K>(name, request).await;
    let is_handled =
        |object: &K| object.last_handled_reconcile_at() == Some(token) && ready(object).0 == "True";
    let api = world.api::<K>().await;
    let seen = wait::until(&api, name, "is handled by the reference", |object| {
        object.is_some_and(is_handled)
    });
    seen.await.unwrap()
}

/// The reference changes nothing that our controllers left, and goes on with the next tag.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn reference_goes_on_with_our_objects() {
    let Some(reference) = Reference::find() else {
        return;
    };
    let (world, registry) = (World::idle("iua-back").await, Registry::start().await);
    push(&registry, "app", "1.0.0").await;
    let (namespace, image) = (&world.namespace, format!("{}/app", registry.host()));
    let file = format!("image: {image}:0.1.0 # {{\"$imagepolicy\": \"{namespace}:app\"}}\n");
    let repository = world.repository("fleet", &[("app.yaml", &file)]).await;
    let spec = json!({ "image": image, "interval": "1h", "insecure": true });
    world.create::<ImageRepository>("app", spec).await;
    let spec = json!({
        "imageRepositoryRef": { "name": "app" }, "policy": { "semver": { "range": "1.x" } },
        "digestReflectionPolicy": "IfNotPresent",
    });
    world.create::<ImagePolicy>("app", spec).await;
    world.automation("app", "fleet", json!({})).await;

    let (host, directory) = (world.host().await, world.directory.path());
    let args = reflector(&directory.join("tags"), namespace);
    let ours = tokio::spawn(sluice_image_reflector_controller::run(args, host.clone()));
    let args = arguments(&directory.join("git"), namespace, Vec::new());
    let automation = tokio::spawn(sluice_image_automation_controller::run(args, host.clone()));
    let pushed = last_push(&world.pushes("app", None).await);
    // A run after the push observes it.
    world.ask("app").await;
    host.shutdown().cancel();
    ours.await.unwrap().unwrap();
    automation.await.unwrap().unwrap();
    let policies = world.api::<ImagePolicy>().await;
    let left = policies.get("app").await.unwrap().status.unwrap();

    let tags = format!("--storage-path={}", directory.join("badger").display());
    let _reflector = start(&reference, &world, "image-reflector-controller", &[&tags]);
    let _automation = start(&reference, &world, "image-automation-controller", &[]);
    ask::<ImageRepository>(&world, "app", "1").await;
    let policy: ImagePolicy = ask(&world, "app", "1").await;
    let automation: ImageUpdateAutomation = ask(&world, "app", "1").await;
    assert_eq!(policy.status.unwrap().latest_ref, left.latest_ref);
    assert_eq!(last_push(&automation), pushed);
    assert_eq!(head(&repository, "main"), Some(pushed.clone()));

    push(&registry, "app", "1.1.0").await;
    ask::<ImageRepository>(&world, "app", "2").await;
    world.pushes("app", Some(&pushed)).await;
    let text = content(&repository, "main", "app.yaml");
    assert!(text.contains(&format!("{image}:1.1.0@sha256:")), "{text}");
}
