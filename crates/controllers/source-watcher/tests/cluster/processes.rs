//! Several processes: shards and a hand-over of the lease. Also the metrics of one.

use serde_json::json;
use sluice_api::source::ExternalArtifact;
use sluice_api::source_watcher::ArtifactGenerator;
use sluice_testkit::{Bed, port, wait};

use super::{World, artifact, copy, map};

const FILES: &[(&str, &str)] = &[("a.yaml", "a: 1\n")];

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn shard_leaves_other_generators_alone() {
    let selector = "--watch-label-selector=sharding.fluxcd.io/key=one";
    let bed = Bed::Shared(sluice_testkit::cluster().await);
    let world = World::on(bed, "watch-shard", &[selector]).await;
    world.source("repo", "main@sha1:1", FILES).await;
    let artifacts = |name: &str| json!([{ "name": name, "copy": copy("@repo/**", "@artifact/") }]);
    for name in ["own", "other"] {
        world.generate(name, artifacts(name)).await;
    }
    let label = |value| json!({ "metadata": { "labels": { "sharding.fluxcd.io/key": value } } });
    world
        .patch::<ArtifactGenerator>("other", label("two"))
        .await;
    world.patch::<ArtifactGenerator>("own", label("one")).await;
    world.is_ready("own").await;
    assert_eq!(world.files("own").await, map(FILES));
    // A change of the source wakes only the own shard.
    world
        .source("repo", "main@sha1:2", &[("b.yaml", "b: 1\n")])
        .await;
    world.ask("own").await;
    assert_eq!(world.files("own").await, map(&[("b.yaml", "b: 1\n")]));
    let other = world.api::<ArtifactGenerator>().await.get("other").await;
    let other = other.unwrap();
    assert!(other.metadata.finalizers.is_none() && other.status.is_none());
    assert!(world.stored("other").is_empty());
    // A generator that changes its shard keeps its artifact for the next process.
    world.patch::<ArtifactGenerator>("own", label("two")).await;
    world.generate("last", artifacts("last")).await;
    world.patch::<ArtifactGenerator>("last", label("one")).await;
    world.is_ready("last").await;
    assert_eq!(world.files("own").await, map(&[("b.yaml", "b: 1\n")]));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn metrics_of_a_deleted_generator_go() {
    let world = World::new("watch-metrics").await;
    world.source("repo", "main@sha1:1", FILES).await;
    let artifacts = json!([{ "name": "app", "copy": copy("@repo/**", "@artifact/") }]);
    world.generate("app", artifacts).await;
    world.is_ready("app").await;
    let namespace = &world.namespace;
    let series = format!(
        "gotk_reconcile_duration_seconds_count{{kind=\"ArtifactGenerator\",name=\"app\",namespace=\"{namespace}\"}}"
    );
    let metrics = || world.running.as_ref().unwrap().0.metrics().text();
    let shows = async |is_there: bool| {
        wait::eventually("the series are as claimed", || async {
            let text = metrics();
            if text.contains(&series) == is_there {
                Ok(())
            } else {
                Err(text)
            }
        })
        .await;
    };
    // A run is measured behind its status.
    shows(true).await;
    world.delete::<ArtifactGenerator>("app").await;
    world.is_gone::<ArtifactGenerator>("app").await;
    shows(false).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn successor_publishes_from_its_own_storage() {
    let flags = [
        "--enable-leader-election=true",
        "--leader-election-lease-duration=3s",
        "--leader-election-renew-deadline=2s",
        "--leader-election-retry-period=500ms",
    ];
    let bed = Bed::Shared(sluice_testkit::cluster().await);
    let mut world = World::on(bed, "watch-lease", &flags).await;
    world.source("repo", "main@sha1:1", FILES).await;
    let artifacts = json!([{ "name": "app", "copy": copy("@repo/**", "@artifact/") }]);
    world.generate("app", artifacts).await;
    world.is_ready("app").await;
    let first = world.running.take().unwrap();
    let old = std::mem::replace(&mut world.directory, tempfile::tempdir().unwrap());
    world.port = port();
    world.start().await;
    // The first process still leads, and the second one has an empty storage.
    assert_eq!(world.files("app").await, map(FILES));
    assert!(world.stored("app").is_empty());
    let (host, task) = first;
    host.shutdown().cancel();
    task.await.unwrap().unwrap();
    drop(old);
    let address = format!(":{}/", world.port);
    let is_moved = |object: &ExternalArtifact| {
        let artifact = artifact(object).unwrap_or_default();
        artifact["url"]
            .as_str()
            .is_some_and(|url| url.contains(&address))
    };
    world
        .sees("app", "is published by the successor", is_moved)
        .await;
    wait::eventually("the artifact is stored", || async {
        let stored = world.stored("app");
        if stored.len() == 1 {
            Ok(())
        } else {
            Err(format!("{stored:?}"))
        }
    })
    .await;
    assert_eq!(world.files("app").await, map(FILES));
}
