//! Restarts: checks before the first fetch, and isolation of slow remotes.

use serde_json::json;
use tokio::net::TcpListener;

use crate::{World, condition, files};

/// A remote that accepts connections but never answers.
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
async fn lost_artifacts_are_reported_before_any_fetch() {
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
async fn stalled_object_withdraws_lost_artifact() {
    let mut world = World::new("stalled-swept").await;
    world.repository("app");
    let names = ["lost", "unreadable", "whole"];
    for name in names {
        world.create(name, &json!({})).await;
        world.ready(name).await;
        world
            .patch(name, json!({ "spec": { "url": "https://" } }))
            .await;
        let (object, _) = world.refused(name, "URLInvalid").await;
        assert!(object.status.unwrap().artifact.is_some(), "{name}");
    }
    world.stop().await;
    std::fs::remove_dir_all(world.artifacts("lost")).unwrap();
    // A symlink makes opening fail for any user, and not as missing.
    let directory = world.artifacts("unreadable");
    let stored = directory.join(files(&directory).remove(0));
    std::fs::remove_file(&stored).unwrap();
    std::os::unix::fs::symlink("/dev/null", &stored).unwrap();
    for name in names {
        let slower = json!({ "spec": { "interval": "2h" } });
        world.patch(name, slower).await;
    }
    world.start().await;
    for name in names {
        let object = world
            .until(name, "is looked at", |object| {
                let status = object.status.as_ref();
                status.and_then(|status| status.observed_generation) == object.metadata.generation
            })
            .await;
        for (type_, status, reason) in [
            ("Stalled", "True", "URLInvalid"),
            ("Ready", "False", "URLInvalid"),
            ("StorageOperationFailed", "", ""),
        ] {
            let reported = condition(&object, type_);
            assert_eq!(
                (&*reported.0, &*reported.1),
                (status, reason),
                "{name}: {type_}"
            );
        }
        let is_lost = name == "lost";
        let stored = condition(&object, "ArtifactInStorage").0;
        assert_eq!(stored, if is_lost { "" } else { "True" }, "{name}");
        let artifact = object.status.unwrap().artifact;
        assert_eq!(artifact.is_none(), is_lost, "{name}");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn silent_remote_blocks_no_other_object() {
    // There are two workers, and more silent remotes.
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
    // A host name that does not resolve.
    let spec = json!({ "url": "https://nowhere.invalid/app", "timeout": "5s" });
    world.create("nowhere", &spec).await;
    let (_, message) = world.refused("nowhere", "GitOperationFailed").await;
    assert!(
        message.contains("resolve the name of https://nowhere.invalid/app"),
        "{message}"
    );
}
