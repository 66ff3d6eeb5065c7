//! Restarts: what is looked at before a remote is asked, and what a slow remote holds up.

use serde_json::json;
use tokio::net::TcpListener;

use crate::{World, condition};

/// A remote that takes connections and never says a word.
async fn silent() -> String {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    tokio::spawn(async move {
        let mut held = Vec::new();
        while let Ok((stream, _)) = listener.accept().await {
            held.push(stream);
        }
    });
    format!("http://{address}/app")
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn lost_artifacts_are_told_of_before_any_remote_is_asked() {
    let mut world = World::new("swept").await;
    world.repository("app");
    let names = ["one", "two", "three", "four"];
    for name in names {
        world.create(name, &json!({})).await;
        world.ready(name).await;
    }
    world.stop().await;
    let silent = silent().await;
    for name in names {
        world
            .patch(name, json!({ "spec": { "url": silent, "timeout": "59s" } }))
            .await;
        std::fs::remove_dir_all(world.artifacts(name)).unwrap();
    }
    world.start().await;
    for name in names {
        let object = world
            .until(name, "advertises nothing that is lost", |object| {
                object.status.as_ref().unwrap().artifact.is_none()
            })
            .await;
        let (status, _, message) = condition(&object, "Ready");
        assert_eq!(status, "Unknown");
        assert!(message.contains("disappeared from storage"), "{message}");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_remote_that_says_nothing_holds_up_nobody_else() {
    // Two workers; more remotes than that keep silent.
    let world = World::new("silent").await;
    world.repository("app");
    let url = silent().await;
    for name in ["a", "b", "c"] {
        let url = format!("{url}-{name}");
        world
            .create(name, &json!({ "url": url, "timeout": "59s" }))
            .await;
    }
    for name in ["a", "b", "c"] {
        world
            .until(name, "is being worked on", |object| {
                condition(object, "Reconciling").0 == "True"
            })
            .await;
    }
    world.create("app", &json!({})).await;
    world.ready("app").await;

    world
        .create("short", &json!({ "url": url, "timeout": "5s" }))
        .await;
    let (_, message) = world.refused("short", "GitOperationFailed").await;
    assert!(message.contains("wait for an answer from"), "{message}");
    assert!(message.contains("not done within 5s"), "{message}");
    // A host whose name nobody knows.
    let spec = json!({ "url": "https://nowhere.invalid/app", "timeout": "5s" });
    world.create("nowhere", &spec).await;
    let (_, message) = world.refused("nowhere", "GitOperationFailed").await;
    assert!(
        message.contains("resolve the name of https://nowhere.invalid/app"),
        "{message}"
    );
}
