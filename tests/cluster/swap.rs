//! Swaps our controllers and Flux's over the same storage and objects. Managed objects must not be
//! written.
//!
//! The test needs Flux's executables in `REFERENCE_BIN_DIR`, and is skipped without them. The
//! kustomize controller's own tests use recorded objects instead.

use std::net::Ipv4Addr;

use serde_json::{Value, json};
use sluice_testkit::devcluster::ports;
use sluice_testkit::{GitBackend, Reference, Running, Sluice};

use crate::program;
use crate::world::{Kind, Live, World, commit, config_map, deployment};

/// Flags that both programs accept.
const SHARED: &[&str] = &[
    "--watch-all-namespaces=false",
    "--metrics-addr=0",
    "--health-addr=0",
    "--interval-jitter-percentage=0",
];
const CONTROLLERS: [&str; 2] = ["source-controller", "kustomize-controller"];

struct SwapFixture {
    world: World,
    reference: Reference,
    /// Flags of source-controller for the artifact storage.
    storage: [String; 3],
}

impl SwapFixture {
    fn configured(&self, sluice: Sluice) -> Sluice {
        sluice
            .variable("KUBECONFIG", self.world.kubeconfig.display().to_string())
            .variable("RUNTIME_NAMESPACE", self.world.namespace.clone())
    }

    fn start(&self, sluice: Sluice, name: &str, words: &[&str]) -> Running {
        let mut arguments = words.to_vec();
        arguments.extend(SHARED);
        if name == "source-controller" {
            arguments.extend(self.storage.iter().map(String::as_str));
        }
        self.configured(sluice).start(&arguments)
    }

    fn theirs(&self) -> [Running; 2] {
        CONTROLLERS.map(|name| self.start(self.reference.controller(name), name, &[]))
    }

    fn ours(&self) -> [Running; 2] {
        CONTROLLERS.map(|name| {
            let sluice = Sluice::at(program::flux());
            self.start(sluice, name, &["controller", name])
        })
    }

    /// Returns the state that must not change with the controllers.
    async fn state(&self) -> Value {
        let world = &self.world;
        let source = world.get(Kind::GitRepository, "app").await.unwrap();
        let app = world.get(Kind::Kustomization, "app").await.unwrap();
        let mut objects = Vec::new();
        for kind in [Kind::ConfigMap, Kind::Deployment] {
            objects.extend(world.list(kind).await.iter().map(identity));
        }
        let artifact = &source.data["status"]["artifact"];
        json!({
            "artifact": [artifact["revision"], artifact["digest"], artifact["url"], artifact["size"]],
            "inventory": app.data["status"]["inventory"],
            "applied": app.data["status"]["lastAppliedRevision"],
            "objects": objects,
        })
    }

    /// Waits for two reconciliations by the new controllers, and fails if they write more than
    /// status.
    async fn assert_untouched(&self, by: &str) {
        let (world, before) = (&self.world, self.state().await);
        let mark = world.mark().await;
        for _ in 0..2 {
            world.reconcile(Kind::GitRepository, "app").await;
            world.reconcile(Kind::Kustomization, "app").await;
        }
        let bookkeeping = ["events", "leases", "kustomizations", "gitrepositories"];
        let writes: Vec<String> = world
            .asked(mark)
            .await
            .iter()
            .filter(|entry| entry.user == world.user && entry.is_write())
            .filter(|entry| !bookkeeping.contains(&&*entry.resource))
            .map(ToString::to_string)
            .collect();
        assert!(writes.is_empty(), "{by} wrote: {writes:#?}");
        assert_eq!(before, self.state().await, "after {by} took over");
    }
}

fn identity(object: &Live) -> Value {
    let metadata = &object.metadata;
    json!([metadata.name, metadata.uid, metadata.generation])
}

#[tokio::test(flavor = "multi_thread")]
async fn swap_and_swap_back_write_nothing() {
    let Some(reference) = Reference::find() else {
        return;
    };
    let (world, git) = (World::new("swap").await, GitBackend::start().await);
    let namespace = world.namespace.clone();
    let directory = tempfile::tempdir().unwrap();
    let [port] = ports::free(Ipv4Addr::LOCALHOST.into()).unwrap();
    let stage = SwapFixture {
        storage: [
            format!("--storage-path={}", directory.path().display()),
            format!("--storage-addr=127.0.0.1:{port}"),
            format!("--storage-adv-addr=127.0.0.1:{port}"),
        ],
        reference,
        world,
    };
    let repository = git.create("app.git", "main");
    let files = |value: &str| {
        [
            ("a.yaml", config_map("a", &namespace, value)),
            ("web.yaml", deployment("web", &namespace, 0)),
        ]
    };
    let committed = |value: &str| {
        let files = files(value);
        let files: Vec<(&str, &str)> = files.iter().map(|(path, text)| (*path, &**text)).collect();
        commit(&repository, &files)
    };
    let world = &stage.world;

    let theirs = stage.theirs();
    let first = committed("1");
    world.source("app", &git.url("app.git"), json!({})).await;
    world.kustomization("app", json!({ "wait": true })).await;
    world.applied("app", &first).await;
    theirs.iter().for_each(Running::kill);

    let ours = stage.ours();
    stage.assert_untouched("ours").await;
    let second = committed("2");
    world.request(Kind::GitRepository, "app").await;
    world.applied("app", &second).await;
    ours.iter().for_each(Running::kill);

    let theirs = stage.theirs();
    stage.assert_untouched("the reference").await;
    let third = committed("3");
    world.request(Kind::GitRepository, "app").await;
    world.applied("app", &third).await;
    theirs.iter().for_each(Running::kill);
}
