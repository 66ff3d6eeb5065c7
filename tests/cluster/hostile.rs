//! Tests one process on one CPU with 1 GiB, whose tenants are not friends.
//!
//! Tenant A sends all inputs of [`tenant::inputs`]. Tenant B reconciles a Kustomization and
//! upgrades a release, and must get ready all the time. The process must neither die nor exceed its
//! memory. Every object of A must get a condition. `cargo xtask bench hostile` measures how long B
//! waits.

use std::collections::BTreeSet;
use std::future::ready;
use std::time::Duration;

use futures::stream::{self, Stream, StreamExt as _};
use kube::Api;
use kube::runtime::{WatchStreamExt as _, watcher};
use serde_json::json;
use sluice_git::serve::Change;
use sluice_testkit::Bed;
use sluice_testkit::devcluster::{GitOptions, GitServer};
use sluice_testkit::hostile::{MemoryLimit, TenantInput, TenantServers, tenant};

use crate::world::{self, Kind, Live, World, commit, condition, config_map, is_ready};

/// The memory of the container in the manifests.
const MEMORY: u64 = 1 << 30;

/// How long all inputs of A, and one step of B beside them, may take on a busy machine.
const TIMEOUT: Duration = Duration::from_mins(10);

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

    /// Every state of the objects of A from now on.
    fn states(&self) -> impl Stream<Item = (Kind, Live)> + use<> {
        let states = KINDS.map(|kind| {
            let states = watcher(self.api(kind), watcher::Config::default());
            let states = states.default_backoff().applied_objects();
            let states = states.filter_map(move |state| ready(state.ok().map(|it| (kind, it))));
            states.boxed()
        });
        stream::select_all(states)
    }

    /// The objects of which a run must end, and the inputs whose limit an object must name.
    fn expected(&self, inputs: &[TenantInput]) -> BTreeSet<String> {
        let mut expected = BTreeSet::new();
        for TenantInput { name, .. } in inputs {
            expected.insert((*name).to_owned());
            expected.insert(format!("{:?}/{name}", Kind::GitRepository));
        }
        for input in inputs.iter().filter(|input| input.kustomization.is_some()) {
            expected.insert(format!("{:?}/{}", Kind::Kustomization, input.name));
        }
        for input in inputs.iter().filter(|input| input.release.is_some()) {
            let chart = self.chart(input.name);
            expected.insert(format!("{:?}/{chart}", Kind::HelmChart));
            expected.insert(format!("{:?}/{}", Kind::HelmRelease, input.name));
        }
        expected
    }

    /// The name of the chart of a release.
    fn chart(&self, release: &str) -> String {
        format!("{}-{release}", self.namespace)
    }

    /// Waits until nothing is expected any more. A failed object soon runs again, so its message
    /// is only seen in a watch.
    async fn all_end(
        &self,
        inputs: &[TenantInput],
        mut states: impl Stream<Item = (Kind, Live)> + Unpin,
        expected: &mut BTreeSet<String>,
    ) {
        while !expected.is_empty() {
            let (kind, object) = states.next().await.expect("a watch does not end");
            let (status, reason, message) = condition(&object, "Ready");
            let object = object.metadata.name.unwrap_or_default();
            let is_decided = matches!(&*status, "True" | "False");
            // It waits for a source that has failed.
            if is_decided || reason == "DependencyNotReady" {
                expected.remove(&format!("{kind:?}/{object}"));
            }
            for input in inputs {
                let is_own = object == input.name || object == self.chart(input.name);
                if is_own && message.contains(input.refusal) {
                    expected.remove(input.name);
                }
            }
        }
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
    let mut world = World::system_in(bed, &namespace).await;
    world.patience = TIMEOUT;
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
    let states = attacker.states();
    for input in &inputs {
        attacker.send(input).await;
    }
    let mut rounds = 0;
    let rounds_of_b = async {
        loop {
            world.reconcile(Kind::GitRepository, "b").await;
            world.reconcile(Kind::Kustomization, "b").await;
            upgrade(&world).await;
            rounds += 1;
        }
    };
    let mut expected = attacker.expected(&inputs);
    let inputs_end = attacker.all_end(&inputs, states, &mut expected);
    tokio::select! {
        ended = tokio::time::timeout(TIMEOUT, inputs_end) => {
            assert!(ended.is_ok(), "has not ended in {TIMEOUT:?}: {expected:#?}");
        }
        () = rounds_of_b => {}
        code = running.ended() => panic!(
            "ended by {code:?} with {} MiB\n{}",
            limit.most_mib(),
            running.output()
        ),
    }
    assert!(rounds > 0, "no round ended beside the inputs");
    assert!(limit.most_mib() < MEMORY >> 20, "{} MiB", limit.most_mib());
    let second = commit(
        &repository,
        &[("b.yaml", &config_map("b", &namespace, "2"))],
    );
    world.request(Kind::GitRepository, "b").await;
    world.applied("b", &second).await;
}
