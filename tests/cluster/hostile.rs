//! Tests one process on one CPU with 1 GiB, whose tenants are not friends.
//!
//! Tenant A sends all inputs of [`tenant::inputs`]. Tenant B only reconciles, and must get ready all
//! the time. The process must neither die nor exceed its memory. Every object of A must get a
//! condition. `cargo xtask bench hostile` measures how long B waits.

use std::collections::BTreeSet;
use std::time::{Duration, Instant};

use kube::Api;
use kube::api::ListParams;
use serde_json::json;
use sluice_testkit::Bed;
use sluice_testkit::devcluster::{GitOptions, GitServer};
use sluice_testkit::hostile::{MemoryLimit, TenantInput, TenantServers, tenant};

use crate::world::{self, Kind, Live, World, commit, condition, config_map};

/// The memory of the container in the manifests.
const MEMORY: u64 = 1 << 30;

/// How long the inputs of A may take on a busy machine.
const TIMEOUT: Duration = Duration::from_mins(5);

/// Tenant A.
struct Attacker<'a> {
    world: &'a World,
    namespace: String,
    git: &'a GitServer,
}

impl Attacker<'_> {
    fn api(&self, kind: Kind) -> Api<Live> {
        Api::namespaced_with(self.world.client.clone(), &self.namespace, &kind.resource())
    }

    async fn send(&self, input: &TenantInput) {
        let repository = self
            .git
            .create(&format!("a-{}", input.name), "main")
            .unwrap();
        let files: Vec<(&str, &str)> = input
            .files
            .iter()
            .map(|(path, text)| (path.as_str(), text.as_str()))
            .collect();
        if !files.is_empty() {
            commit(&repository, &files);
        }
        for (kind, name, content) in &input.configs {
            let kind = match *kind {
                "Secret" => Kind::Secret,
                _ => Kind::ConfigMap,
            };
            world::create(&self.api(kind), kind, name, content.clone()).await;
        }
        let url = input.url.clone();
        let url = url.unwrap_or_else(|| self.git.url(&format!("a-{}", input.name)));
        let spec = world::source(&url, input.source.clone());
        let kind = Kind::GitRepository;
        world::create(&self.api(kind), kind, input.name, json!({ "spec": spec })).await;
        if let Some(more) = &input.kustomization {
            let spec = world::kustomization(input.name, more.clone());
            let kind = Kind::Kustomization;
            world::create(&self.api(kind), kind, input.name, json!({ "spec": spec })).await;
        }
    }

    /// The objects whose last run has not ended.
    async fn undecided(&self) -> BTreeSet<String> {
        let mut undecided = BTreeSet::new();
        for kind in [Kind::GitRepository, Kind::Kustomization] {
            let objects = self.api(kind).list(&ListParams::default()).await.unwrap();
            for object in objects {
                let (status, reason, _) = condition(&object, "Ready");
                let is_decided = matches!(&*status, "True" | "False");
                // It waits for a source that has failed.
                if !is_decided && reason != "DependencyNotReady" {
                    let name = object.metadata.name.unwrap_or_default();
                    undecided.insert(format!("{kind:?}/{name}"));
                }
            }
        }
        undecided
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn hostile_tenant_does_not_stop_others() {
    let directory = tempfile::tempdir().unwrap();
    let git = GitServer::start(GitOptions::new(directory.path()))
        .await
        .unwrap();
    let servers = TenantServers::start().await;
    let bed = Bed::own().await;
    let attacked = bed.namespace("tenant-a").await;
    let namespace = bed.namespace("tenant-b").await;
    let world = World::system_in(bed, &namespace).await;
    let memory = [("GOMEMLIMIT", MEMORY.to_string())];
    let controllers = world.controllers_with(&world.kubeconfig, &memory);
    let controllers = controllers.with("--watch-all-namespaces=true");
    let running = controllers.all_on_one_cpu();
    let limit = MemoryLimit::of(&running, MEMORY);

    let repository = git.create("b", "main").unwrap();
    let first = commit(
        &repository,
        &[("b.yaml", &config_map("b", &namespace, "1"))],
    );
    world.source("b", &git.url("b"), json!({})).await;
    world.kustomization("b", json!({})).await;
    world.applied("b", &first).await;

    let attacker = Attacker {
        world: &world,
        namespace: attacked,
        git: &git,
    };
    for input in tenant::inputs(&servers) {
        attacker.send(&input).await;
    }
    let began = Instant::now();
    let mut rounds = 0;
    loop {
        world.reconcile(Kind::GitRepository, "b").await;
        world.reconcile(Kind::Kustomization, "b").await;
        rounds += 1;
        assert!(
            running.is_running(),
            "{} MiB\n{}",
            limit.most_mib(),
            running.output()
        );
        let undecided = attacker.undecided().await;
        if undecided.is_empty() {
            break;
        }
        assert!(
            began.elapsed() < TIMEOUT,
            "without a condition: {undecided:?}"
        );
    }
    assert!(rounds > 1, "the inputs take longer than one reconciliation");
    assert!(limit.most_mib() < MEMORY >> 20, "{} MiB", limit.most_mib());
    let second = commit(
        &repository,
        &[("b.yaml", &config_map("b", &namespace, "2"))],
    );
    world.request(Kind::GitRepository, "b").await;
    world.applied("b", &second).await;
}
