//! Tests two replicas of the controllers. One leads, and the other takes over when the leader stops
//! or is killed. Applied objects are not applied again.

use serde_json::json;
use sluice_testkit::audit::{Entry, Mark};
use sluice_testkit::{GitBackend, Running};

use crate::world::{Controllers, Kind, World, commit, config_map};

/// Returns the controllers' writes to a workload since a mark.
async fn written(world: &World, since: Mark) -> Vec<Entry> {
    let mut asked = world.asked(since).await;
    asked.retain(|entry| {
        entry.user == world.user && entry.is_write() && entry.resource == "configmaps"
    });
    asked
}

/// Stops the leader. Its successor handles the next commit, and repeats no earlier work.
async fn handed_over(world: &World, stop: impl FnOnce(), commit: impl FnOnce() -> String) {
    let before = world.get(Kind::ConfigMap, "a").await.unwrap();
    stop();
    let since = world.mark().await;
    let commit = commit();
    world.request(Kind::GitRepository, "app").await;
    world.applied("app", &commit).await;
    let writes = written(world, since).await;
    let names: Vec<&str> = writes.iter().map(|entry| &*entry.name).collect();
    assert!(!names.contains(&"a"), "applied again: {names:?}");
    let after = world.get(Kind::ConfigMap, "a").await.unwrap();
    assert_eq!(
        after.metadata.resource_version,
        before.metadata.resource_version
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn second_replica_continues_work_of_the_first() {
    let git = GitBackend::start().await;
    let repository = git.create("app", "main");
    let world = World::new("replicas").await;
    let namespace = &*world.namespace;
    let with = |name: &str, value: &str| {
        commit(
            &repository,
            &[(&format!("{name}.yaml"), &config_map(name, namespace, value))],
        )
    };
    let first = with("a", "1");
    // Each replica has its own disk. Both share an address, like behind a Service.
    let service = world.controllers(&world.kubeconfig);
    let replica = || -> (Controllers, Running) {
        let controllers = world.controllers(&world.kubeconfig).electing();
        let controllers = controllers.served_as(&service);
        let running = controllers.all();
        (controllers, running)
    };
    let leader = replica();
    world.source("app", &git.url("app"), json!({})).await;
    world.kustomization("app", json!({})).await;
    world.applied("app", &first).await;
    // The second replica does not hold the lease, so its log has no reconciliation.
    let second = replica();
    second.1.printed("attempting to acquire leader lease").await;

    handed_over(&world, || leader.1.terminate(), || with("b", "1")).await;
    let third = replica();
    third.1.printed("attempting to acquire leader lease").await;
    handed_over(&world, || second.1.kill(), || with("c", "1")).await;
    assert!(third.1.is_running());
}
