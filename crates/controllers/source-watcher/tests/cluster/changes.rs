//! Changes of sources, of published objects and of the storage.

use serde_json::json;
use sluice_api::source::ExternalArtifact;
use sluice_api::source_watcher::ArtifactGenerator;

use super::{World, artifact, copy, map, ready};

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn new_revision_changes_only_its_artifacts() {
    let world = World::new("watch-change").await;
    world
        .source(
            "repo",
            "1",
            &[("a/x.yaml", "x: 1\n"), ("b/y.yaml", "y: 1\n")],
        )
        .await;
    let artifacts = json!([
        { "name": "a", "copy": copy("@repo/a/**", "@artifact/") },
        { "name": "b", "copy": copy("@repo/b/**", "@artifact/") },
    ]);
    world.generate("split", artifacts).await;
    world.is_ready("split").await;
    let api = world.api::<ExternalArtifact>().await;
    let [a, b] = [api.get("a").await.unwrap(), api.get("b").await.unwrap()];
    world
        .source(
            "repo",
            "2",
            &[("a/x.yaml", "x: 2\n"), ("b/y.yaml", "y: 1\n")],
        )
        .await;
    let changed = world
        .sees("a", "has another artifact", |object: &ExternalArtifact| {
            artifact(object) != artifact(&a)
        })
        .await;
    assert_ne!(artifact(&changed), artifact(&a));
    assert_eq!(world.files("a").await, map(&[("x.yaml", "x: 2\n")]));
    let generator = world.ask("split").await;
    assert_eq!(ready(&generator).0, "True");
    // The other object was not written at all.
    let after = api.get("b").await.unwrap();
    assert_eq!(after.metadata.resource_version, b.metadata.resource_version);
    // The old file of the first is collected.
    assert_eq!(world.stored("a").len(), 1);
    assert_eq!(world.stored("b").len(), 1);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn lost_artifacts_and_objects_are_restored() {
    let mut world = World::new("watch-lost").await;
    world.source("repo", "1", &[("a.yaml", "a: 1\n")]).await;
    let artifacts = json!([{ "name": "a", "copy": copy("@repo/a.yaml", "@artifact/") }]);
    world.generate("split", artifacts).await;
    world.is_ready("split").await;
    let files = world.files("a").await;

    // The file is corrupt.
    let stored = world.stored("a").remove(0);
    let path = world
        .storage()
        .join("externalartifact")
        .join(&world.namespace);
    let path = path.join("a").join(stored);
    std::fs::write(&path, "corrupt").unwrap();
    world.ask("split").await;
    assert_eq!(world.files("a").await, files);

    // The object is gone.
    world.delete::<ExternalArtifact>("a").await;
    world.is_gone::<ExternalArtifact>("a").await;
    world.ask("split").await;
    assert_eq!(world.files("a").await, files);

    // The whole storage is lost with the Pod.
    world.stop().await;
    std::fs::remove_dir_all(world.storage().join("externalartifact")).unwrap();
    world.start().await;
    world.ask("split").await;
    assert_eq!(world.files("a").await, files);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn origin_revision_follows_its_source() {
    let world = World::new("watch-origin").await;
    let unique = format!("{}@1", world.namespace);
    let mut source = world
        .sources
        .publish_files(&unique, &[("a.yaml", "a: 1\n")]);
    let key = "org.opencontainers.image.revision";
    source["metadata"] = json!({ key: "main@sha1:1" });
    world.source_with("repo", source.clone()).await;
    let artifacts = json!([{
        "name": "a", "originRevision": "@repo", "copy": copy("@repo/a.yaml", "@artifact/"),
    }]);
    world.generate("split", artifacts).await;
    world.is_ready("split").await;
    let has = |origin: &'static str| {
        move |object: &ExternalArtifact| {
            artifact(object).is_some_and(|artifact| artifact["metadata"][key] == origin)
        }
    };
    world
        .sees("a", "has the first origin", has("main@sha1:1"))
        .await;
    // Only the metadata of the source changes, not its content.
    source["metadata"] = json!({ key: "main@sha1:2" });
    world.source_with("repo", source).await;
    world
        .sees("a", "has the second origin", has("main@sha1:2"))
        .await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn artifact_is_source_of_another_generator() {
    let world = World::new("watch-chain").await;
    world.source("repo", "1", &[("a/x.yaml", "x: 1\n")]).await;
    let first = json!([{ "name": "first", "copy": copy("@repo/a/**", "@artifact/") }]);
    world.generate("one", first).await;
    let spec = json!({
        "sources": [{ "alias": "first", "kind": "ExternalArtifact", "name": "first" }],
        "artifacts": [{
            "name": "second", "revision": "@first", "copy": copy("@first/**", "@artifact/deep/"),
        }],
    });
    world.generator("two", spec, json!({})).await;
    world.is_ready("two").await;
    assert_eq!(
        world.files("second").await,
        map(&[("deep/x.yaml", "x: 1\n")])
    );
    world.source("repo", "2", &[("a/x.yaml", "x: 2\n")]).await;
    let api = world.api::<ExternalArtifact>().await;
    let before = artifact(&api.get("second").await.unwrap());
    let differs = |object: &ExternalArtifact| artifact(object) != before;
    world.sees("second", "follows the first", differs).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn generators_swap_the_names_of_artifacts() {
    let world = World::new("watch-swap").await;
    let files = [("a/x.yaml", "x: 1\n"), ("b/y.yaml", "y: 1\n")];
    world.source("repo", "1", &files).await;
    let artifacts =
        |name: &str, from: &str| json!([{ "name": name, "copy": copy(from, "@artifact/") }]);
    world.generate("one", artifacts("red", "@repo/a/**")).await;
    world.generate("two", artifacts("blue", "@repo/b/**")).await;
    world.is_ready("one").await;
    world.is_ready("two").await;
    for (generator, name, from) in [("one", "blue", "@repo/a/**"), ("two", "red", "@repo/b/**")] {
        let patch = json!({ "spec": { "artifacts": artifacts(name, from) } });
        world.patch::<ArtifactGenerator>(generator, patch).await;
    }
    world.is_ready("one").await;
    world.is_ready("two").await;
    assert_eq!(world.files("blue").await, map(&[("x.yaml", "x: 1\n")]));
    assert_eq!(world.files("red").await, map(&[("y.yaml", "y: 1\n")]));
}
