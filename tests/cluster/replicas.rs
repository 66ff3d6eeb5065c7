//! Tests two replicas of the controllers. One leads, and the other takes over when the leader stops
//! or is killed. Applied objects are not applied again.

use std::collections::BTreeSet;

use serde_json::json;
use sluice_testkit::audit::{Entry, Mark};
use sluice_testkit::{Fault, FaultProxy, GitBackend, Running, When, wait};

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

#[tokio::test(flavor = "multi_thread")]
async fn leader_stopped_for_longer_than_its_lease_writes_nothing() {
    const SOURCES: usize = 20;
    let git = GitBackend::start().await;
    let repository = git.create("app", "main");
    let world = World::new("fenced").await;
    let manifest = config_map("a", &world.namespace, "1");
    commit(&repository, &[("a.yaml", &manifest)]);
    let proxy = FaultProxy::start(&world.kubeconfig).await;
    let leader = world.controllers(proxy.kubeconfig());
    let leader = leader
        .leading_for(10, 8)
        .with(&format!("--concurrent={SOURCES}"));
    let leader = leader.source_controller();
    let names: Vec<String> = (0..SOURCES).map(|number| format!("app-{number}")).collect();
    for name in &names {
        world.source(name, &git.url("app"), json!({})).await;
    }
    for name in &names {
        world.ready(Kind::GitRepository, name).await;
    }

    let successor = world.controllers(&world.kubeconfig);
    let successor = successor.electing_patiently().source_controller();
    successor
        .printed("attempting to acquire leader lease")
        .await;
    // Each object has a write that waits inside of the leader, and is due when the leader
    // continues. Otherwise the leader finds its lease lost before it has something to write.
    let later = Fault::Answer {
        status: 429,
        retry_after: Some(5),
    };
    proxy.inject(When::write().resource("gitrepositories/status"), later);
    for name in &names {
        world.request(Kind::GitRepository, name).await;
    }
    wait::eventually("a write of each object waits", async || {
        let refused: BTreeSet<String> = proxy
            .calls()
            .into_iter()
            .filter(|call| call.fault.is_some())
            .map(|call| call.name)
            .collect();
        match refused.len() {
            SOURCES => Ok(()),
            _ => Err(format!("{refused:?}")),
        }
    })
    .await;
    leader.pause();
    proxy.clear();
    successor.printed("successfully acquired lease").await;

    let before = proxy.calls().len();
    leader.resume();
    assert_ne!(leader.ended().await, Some(0));
    let calls = proxy.calls();
    let written: Vec<_> = calls[before..]
        .iter()
        .filter(|call| call.is_write())
        .collect();
    assert!(written.is_empty(), "{written:#?}\n{}", leader.output());
    for name in &names {
        world.reconcile(Kind::GitRepository, name).await;
    }
    assert!(successor.is_running());
}
