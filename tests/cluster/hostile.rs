//! Tests one process on one CPU with 1 GiB, whose tenants are not friends.
//!
//! Tenant A sends all inputs of [`tenant::inputs`]. Tenant B reconciles a Kustomization and
//! upgrades a release, and must get ready all the time. The process must neither die nor exceed its
//! memory. Every object of A must get a condition. `cargo xtask bench hostile` measures how long B
//! waits.

use std::collections::BTreeSet;
use std::time::{Duration, Instant};

use kube::Api;
use kube::api::ListParams;
use serde_json::json;
use sluice_git::serve::Change;
use sluice_testkit::Bed;
use sluice_testkit::devcluster::{GitOptions, GitServer};
use sluice_testkit::hostile::{MemoryLimit, TenantInput, TenantServers, tenant};

use crate::world::{self, Kind, Live, World, commit, condition, config_map, is_ready};

/// The memory of the container in the manifests.
const MEMORY: u64 = 1 << 30;

/// How long the inputs of A may take on a busy machine.
const TIMEOUT: Duration = Duration::from_mins(5);

/// The kinds of A's objects that are reconciled.
const KINDS: [Kind; 4] = [
    Kind::GitRepository,
    Kind::Kustomization,
    Kind::HelmChart,
    Kind::HelmRelease,
];

/// The name of B's release and of its repository.
const RELEASE: &str = "b-release";

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
        let files = input.files.iter();
        let files = files.map(|(path, content)| Change::write(path, content.as_slice()));
        let files: Vec<Change> = files.collect();
        if !files.is_empty() {
            repository.commit("main", "Change", &files).unwrap();
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
        if let Some(more) = &input.release {
            let spec = world::release(input.name, tenant::CHART, more.clone());
            let kind = Kind::HelmRelease;
            world::create(&self.api(kind), kind, input.name, json!({ "spec": spec })).await;
        }
    }

    /// The conditions of all objects: kind, name, and status, reason and message.
    async fn conditions(&self) -> Vec<(Kind, String, (String, String, String))> {
        let mut conditions = Vec::new();
        for kind in KINDS {
            let objects = self.api(kind).list(&ListParams::default()).await.unwrap();
            for object in objects {
                let ready = condition(&object, "Ready");
                let name = object.metadata.name.unwrap_or_default();
                conditions.push((kind, name, ready));
            }
        }
        conditions
    }

    /// The objects of which no run has ended, and the inputs whose limit no object has named.
    /// `ended` keeps those of earlier calls, because a failed object soon runs again.
    async fn pending(
        &self,
        inputs: &[TenantInput],
        ended: &mut BTreeSet<String>,
    ) -> BTreeSet<String> {
        let mut all = BTreeSet::new();
        for (kind, name, (status, reason, message)) in self.conditions().await {
            let object = format!("{kind:?}/{name}");
            let is_decided = matches!(&*status, "True" | "False");
            // It waits for a source that has failed.
            if is_decided || reason == "DependencyNotReady" {
                ended.insert(object.clone());
            }
            all.insert(object);
            // A chart has the namespace and the name of its release.
            let chart = format!("{}-", self.namespace);
            let own = name.strip_prefix(&chart).unwrap_or(&name);
            let refusing = inputs
                .iter()
                .filter(|input| input.name == own && message.contains(input.refusal));
            ended.extend(refusing.map(|input| input.name.to_owned()));
        }
        all.extend(inputs.iter().map(|input| input.name.to_owned()));
        all.difference(ended).cloned().collect()
    }
}

/// Installs the release of B.
async fn install(world: &World, git: &GitServer) {
    let repository = git.create(RELEASE, "main").unwrap();
    let metadata = "apiVersion: v2\nname: b\nversion: 1.0.0\n";
    let manifest = config_map("released", &world.namespace, "1");
    let files = [
        ("chart/Chart.yaml", metadata),
        ("chart/templates/b.yaml", &*manifest),
    ];
    commit(&repository, &files);
    world.source(RELEASE, &git.url(RELEASE), json!({})).await;
    let spec = world::release(RELEASE, tenant::CHART, json!({}));
    let kind = Kind::HelmRelease;
    world.create(kind, RELEASE, json!({ "spec": spec })).await;
    world.ready(kind, RELEASE).await;
}

/// Upgrades the release of B, which renders its chart.
async fn upgrade(world: &World) {
    let token = world.bed.name("token");
    let annotations = json!({
        "reconcile.fluxcd.io/requestedAt": token,
        "reconcile.fluxcd.io/forceAt": token,
    });
    let patch = json!({ "metadata": { "annotations": annotations } });
    let kind = Kind::HelmRelease;
    world.merge(kind, RELEASE, patch).await;
    let is_upgraded =
        |object: &Live| object.data["status"]["lastHandledForceAt"] == token && is_ready(object);
    world.until(kind, RELEASE, "is upgraded", is_upgraded).await;
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

    install(&world, &git).await;

    let attacker = Attacker {
        world: &world,
        namespace: attacked,
        git: &git,
    };
    let inputs = tenant::inputs(&servers);
    for input in &inputs {
        attacker.send(input).await;
    }
    let began = Instant::now();
    let mut rounds = 0;
    let mut ended = BTreeSet::new();
    loop {
        let round = async {
            world.reconcile(Kind::GitRepository, "b").await;
            world.reconcile(Kind::Kustomization, "b").await;
            upgrade(&world).await;
        };
        tokio::select! {
            () = round => rounds += 1,
            code = running.ended() => panic!(
                "ended by {code:?} with {} MiB\n{}",
                limit.most_mib(),
                running.output()
            ),
        }
        let pending = attacker.pending(&inputs, &mut ended).await;
        if pending.is_empty() {
            break;
        }
        assert!(
            began.elapsed() < TIMEOUT,
            "pending: {pending:#?}\n{:#?}",
            attacker.conditions().await
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
