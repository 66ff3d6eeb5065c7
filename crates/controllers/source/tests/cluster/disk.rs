//! A full disk, and a storage removed from outside. Class D15 of the specification.

use serde_json::json;
use sluice_git::serve::Change;
use sluice_testkit::Disk;
use sluice_testkit::archive::tarball;
use sluice_testkit::hostile::HostileRegistry;
use sluice_testkit::kube::ResourceExt as _;

use crate::{World, artifact, commit, condition, files};

/// Incompressible bytes.
fn noise(size: usize) -> Vec<u8> {
    let mut random = fastrand::Rng::with_seed(11);
    (0..size).map(|_| random.u8(..)).collect()
}

/// A world whose storage is a small disk of its own.
async fn on_a_small_disk(prefix: &str, size: &str) -> Option<(World, Disk)> {
    let mut world = World::new(prefix).await;
    world.stop().await;
    let disk = Disk::over(&world.storage(), size)?;
    world.start().await;
    Some((world, disk))
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn full_disk_keeps_artifact_and_recovers() {
    let Some((world, disk)) = on_a_small_disk("full", "3m").await else {
        return;
    };
    let repository = world.repository("app");
    world.create("app", &json!({})).await;
    let before = artifact(&world.ready("app").await);
    let changes = [Change::write("noise", noise(6 << 20))];
    repository.commit("main", "Too much", &changes).unwrap();
    world
        .patch("app", json!({ "spec": { "interval": "1m1s" } }))
        .await;
    let (object, message) = world.refused("app", "ArchiveOperationFailed").await;
    assert_eq!(condition(&object, "StorageOperationFailed").0, "True");
    assert!(message.contains("No space left on device"), "{message}");
    assert_eq!(artifact(&object), before, "the artifact stays advertised");
    assert!(!world.download(&object).await.is_empty(), "and served");
    let file = before.path.rsplit('/').next().unwrap();
    assert_eq!(files(&world.artifacts("app")), [file]);

    disk.grow("64m");
    let object = world
        .until("app", "stores what did not fit", |object| {
            condition(object, "Ready").0 == "True" && artifact(object).revision != before.revision
        })
        .await;
    assert_eq!(condition(&object, "StorageOperationFailed").0, "");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn oversized_layer_fails_without_leftovers() {
    let Some((world, disk)) = on_a_small_disk("oci-full", "1m").await else {
        return;
    };
    let world = super::oci::Oci::over(world);
    let registry = HostileRegistry::honest().await;
    let text: String = noise(3 << 20)
        .iter()
        .map(|byte| char::from(byte % 96 + 32))
        .collect();
    let kind = "application/vnd.cncf.flux.content.v1.tar+gzip";
    registry
        .content()
        .image("latest", kind, tarball(&[("noise", &text)]));
    world.follow("app", &registry.url("app"), &json!({})).await;
    let (_, message) = world.is_refused("app", "ArchiveOperationFailed").await;
    assert!(message.contains("No space left on device"), "{message}");
    assert_eq!(files(&world.directory("app")), [""; 0]);
    disk.grow("64m");
    world.is_ready("app").await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn removed_storage_is_filled_again() {
    let world = World::new("removed").await;
    let repository = world.repository("app");
    world.create("app", &json!({})).await;
    let before = artifact(&world.ready("app").await);
    std::fs::remove_dir_all(world.storage()).unwrap();
    std::fs::create_dir(world.storage()).unwrap();
    let object = world.reconcile("app").await;
    let object = world
        .until(&object.name_any(), "has its artifact again", |object| {
            condition(object, "Ready").0 == "True" && world.artifacts("app").exists()
        })
        .await;
    assert_eq!(artifact(&object).digest, before.digest);
    assert!(!world.download(&object).await.is_empty());
    commit(&repository, "Second", &[("b.yaml", "b: 1\n")]);
    world.reconcile("app").await;
    let object = world
        .until("app", "goes on", |object| {
            condition(object, "Ready").0 == "True" && artifact(object).revision != before.revision
        })
        .await;
    assert!(!world.download(&object).await.is_empty());
}
