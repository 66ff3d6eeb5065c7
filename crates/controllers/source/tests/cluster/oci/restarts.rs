//! Restarts: checks before the first pull, isolation of slow registries, and owners of
//! directories.

use serde_json::json;
use tokio::net::TcpListener;

use super::{Oci, condition, layer, push};
use sluice_testkit::Registry;
use sluice_testkit::kube;

/// A registry that accepts connections but never answers.
async fn silent() -> String {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    tokio::spawn(async move {
        let mut held = Vec::new();
        while let Ok((stream, _)) = listener.accept().await {
            held.push(stream);
        }
    });
    format!("oci://{address}/app")
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn lost_artifacts_are_reported_before_any_pull() {
    let mut world = Oci::new("oci-swept").await;
    let registry = Registry::start().await;
    push(&registry, "app", "latest", &layer(&[("a.yaml", "a")])).await;
    let names = ["one", "two", "three", "four"];
    for name in names {
        world.follow(name, &registry.url("app"), &json!({})).await;
        world.is_ready(name).await;
    }
    world.0.stop().await;
    let silent = silent().await;
    for name in names {
        world
            .change(name, json!({ "spec": { "url": silent, "timeout": "59s" } }))
            .await;
        std::fs::remove_dir_all(world.directory(name)).unwrap();
    }
    world.0.start().await;
    for name in names {
        let object = world
            .sees(name, "advertises nothing that is lost", |object| {
                object.status.as_ref().unwrap().artifact.is_none()
            })
            .await;
        let (status, _, message) = condition(&object, "Ready");
        assert_eq!(status, "Unknown");
        assert!(message.contains("disappeared from storage"), "{message}");
        let url = object.status.unwrap().url;
        assert_eq!(url, None, "the link of a lost artifact is withdrawn");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn stalled_object_withdraws_lost_artifact() {
    let mut world = Oci::new("oci-stalled-swept").await;
    let registry = Registry::start().await;
    push(&registry, "app", "latest", &layer(&[("a.yaml", "a")])).await;
    world.follow("app", &registry.url("app"), &json!({})).await;
    world.is_ready("app").await;
    let url = json!({ "spec": { "url": "oci://me:canary@127.0.0.1:1/app" } });
    world.change("app", url).await;
    let (object, message) = world.is_refused("app", "URLInvalid").await;
    assert!(object.status.unwrap().artifact.is_some());
    assert!(!message.contains("canary"), "{message}");
    world.0.stop().await;
    std::fs::remove_dir_all(world.directory("app")).unwrap();
    world.0.start().await;
    let object = world
        .sees("app", "advertises nothing that is lost", |object| {
            object.status.as_ref().unwrap().artifact.is_none()
        })
        .await;
    assert_eq!(condition(&object, "Stalled").1, "URLInvalid");
    assert_eq!(condition(&object, "Ready").1, "URLInvalid");
    let url = object.status.unwrap().url;
    assert_eq!(url, None, "the link of a lost artifact is withdrawn");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn silent_registry_blocks_no_other_object() {
    // There are two workers, and more silent registries.
    let world = Oci::new("oci-silent").await;
    let url = silent().await;
    let spec = json!({ "insecure": true, "timeout": "59s" });
    for name in ["a", "b", "c"] {
        world.follow(name, &url, &spec).await;
    }
    for name in ["a", "b", "c"] {
        world
            .sees(name, "is being worked on", |object| {
                condition(object, "Reconciling").0 == "True"
            })
            .await;
    }
    let registry = Registry::start().await;
    push(&registry, "app", "latest", &layer(&[("a.yaml", "a")])).await;
    world.follow("app", &registry.url("app"), &json!({})).await;
    world.is_ready("app").await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn directory_has_mark_of_its_shard() {
    let world = Oci::new("oci-marked").await;
    let registry = Registry::start().await;
    push(&registry, "app", "latest", &layer(&[("a.yaml", "a")])).await;
    world.follow("app", &registry.url("app"), &json!({})).await;
    world.is_ready("app").await;
    let mark = world
        .storage()
        .join(".sluice/owners/ocirepository")
        .join(&world.namespace)
        .join("app");
    assert_eq!(std::fs::read_to_string(&mark).unwrap(), "source-controller");
    world
        .objects()
        .await
        .delete("app", &kube::api::DeleteParams::default())
        .await
        .unwrap();
    sluice_testkit::wait::gone(&world.objects().await, "app").await;
    assert!(!mark.exists() && !world.directory("app").exists());
}
