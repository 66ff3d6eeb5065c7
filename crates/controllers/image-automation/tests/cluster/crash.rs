//! Kills both controllers between a scan and the status of its push, and starts successors.
//!
//! An update runs once undisturbed, which lists its calls to the API server. It then runs once for
//! each of some kills: the process ends before the server receives the call, or before it reads the
//! answer.
//! Another test kills it during the push. Each successor must push the tag, in exactly one commit.

use futures::{FutureExt as _, StreamExt as _};
use serde_json::json;
use sluice_api::image::{ImagePolicy, ImageRepository, ImageUpdateAutomation};
use sluice_git::serve::Repository;
use sluice_testkit::{Call, FaultProxy, Kill, Life, Registry, sample_kills, wait};

use super::pushes::hook;
use super::{World, arguments, content, git, head, host, ready, tags};

/// Number of concurrent updates. They mostly wait for the API server.
const SIDE_BY_SIDE: usize = 4;

/// Starts both controllers.
fn life(world: &World, proxy: &FaultProxy) -> Life {
    let (kubeconfig, namespace) = (proxy.kubeconfig().to_owned(), world.namespace.clone());
    let directory = world.directory.path().to_owned();
    Life::start(move || {
        let (kubeconfig, namespace) = (kubeconfig.clone(), namespace.clone());
        let (store, tags) = (directory.join("git"), directory.join("tags"));
        async move {
            let args = tags::reflector(&tags, &namespace);
            let reflector = sluice_image_reflector_controller::run(args, host(&kubeconfig).await);
            let args = arguments(&store, &namespace, Vec::new());
            let automation = sluice_image_automation_controller::run(args, host(&kubeconfig).await);
            let (reflector, automation) = tokio::join!(reflector, automation);
            reflector.unwrap();
            automation.unwrap();
        }
    })
}

/// An automation that has seen the tag 1.0.0.
struct Scene {
    world: World,
    registry: Registry,
    repository: Repository,
    proxy: FaultProxy,
    life: Life,
}

impl Scene {
    async fn new() -> Self {
        let (world, registry) = (World::idle("iua-crash").await, Registry::start().await);
        tags::push(&registry, "app", "1.0.0").await;
        let namespace = &world.namespace;
        let file = format!("tag: 1.0.0 # {{\"$imagepolicy\": \"{namespace}:app:tag\"}}\n");
        let repository = world.repository("fleet", &[("app.yaml", &file)]).await;
        let image = format!("{}/app", registry.host());
        let spec = json!({ "image": image, "interval": "1h", "insecure": true });
        world.create::<ImageRepository>("app", spec).await;
        let spec = json!({
            "imageRepositoryRef": { "name": "app" },
            "policy": { "semver": { "range": "1.x" } },
        });
        world.create::<ImagePolicy>("app", spec).await;
        world.automation("auto", "fleet", json!({})).await;
        let proxy = FaultProxy::start(&world.kubeconfig).await;
        let life = life(&world, &proxy);
        let scene = Self {
            world,
            registry,
            repository,
            proxy,
            life,
        };
        scene.settles("1.0.0").await;
        scene
    }

    /// Waits until the status says that the repository has a tag.
    async fn settles(&self, tag: &str) {
        let observes = |object: &ImageUpdateAutomation| {
            let revision = head(&self.repository, "main");
            let revision = revision.map(|commit| format!("main@sha1:{commit}"));
            object.status.as_ref().is_some_and(|status| {
                status.observed_source_revision == revision
                    && status
                        .observed_policies
                        .get("app")
                        .is_some_and(|app| app.tag == tag)
            }) && ready(object).0 == "True"
        };
        self.world.sees("auto", "has settled", observes).await;
        let text = content(&self.repository, "main", "app.yaml");
        assert!(text.starts_with(&format!("tag: {tag} #")), "{text}");
    }

    /// Pushes another tag, and requests a scan.
    async fn push_tag(&self) {
        tags::push(&self.registry, "app", "1.1.0").await;
        let request = json!({ "reconcile.fluxcd.io/requestedAt": "now" });
        let request = json!({ "metadata": { "annotations": request } });
        self.world.patch::<ImageRepository>("app", request).await;
    }

    /// Returns the number of commits.
    async fn commits(&self) -> String {
        git(&self.repository, &["rev-list", "--count", "main"]).await
    }
}

/// Updates the tag. Returns the number of commits and the calls.
async fn update(kill: Option<Kill>) -> (String, Vec<Call>) {
    let scene = Scene::new().await;
    scene.proxy.forget();
    if let Some(kill) = kill {
        kill.inject(&scene.proxy);
        scene.life.restart_at_kills(&scene.proxy);
    }
    scene.push_tag().await;
    scene.settles("1.1.0").await;
    let commits = scene.commits().await;
    let calls = scene.proxy.calls();
    scene.life.kill();
    (commits, calls)
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn kill_between_scan_and_push_loses_no_update() {
    let (commits, calls) = update(None).await;
    assert_eq!(commits, "2");
    // The loss of an event changes no state.
    let is_certain = |call: &&Call| call.is_write() && call.resource != "events";
    let kills = Kill::at_each(calls.iter().filter(is_certain));
    // Each of the three objects reports a status.
    assert!(kills.len() >= 6, "{calls:?}");
    let kills = sample_kills(kills);
    let total = kills.len();
    let runs = kills.into_iter().map(|kill| {
        let run = kill.clone();
        tokio::spawn(update(Some(run))).map(|ended| (kill, ended))
    });
    let mut runs = futures::stream::iter(runs).buffer_unordered(SIDE_BY_SIDE);
    let (mut killed, mut missed) = (0, Vec::new());
    while let Some((kill, ended)) = runs.next().await {
        let ended = ended.map_err(|error| format!("{kill:?}: {error}"));
        let (commits, calls) = ended.unwrap();
        assert_eq!(commits, "2", "{kill:?}");
        if calls.iter().all(|call| call.fault.is_none()) {
            missed.push(kill);
        } else {
            killed += 1;
        }
    }
    // Statuses of progress depend on the time.
    assert!(killed * 3 >= total, "{killed} kills, without {missed:?}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn kill_during_the_push_makes_one_commit() {
    let scene = Scene::new().await;
    let folder = scene.world.directory.path();
    let (started, go) = (folder.join("started"), folder.join("go"));
    let script = format!(
        "touch {}; while [ ! -e {} ]; do sleep 0.01; done",
        started.display(),
        go.display()
    );
    hook(&scene.repository, &script);
    scene.push_tag().await;
    wait::eventually("the push arrives", || async {
        let is_there = started.exists();
        is_there.then_some(()).ok_or_else(String::new)
    })
    .await;
    scene.life.kill();
    std::fs::write(&go, "").unwrap();
    scene.life.restart();
    scene.settles("1.1.0").await;
    assert_eq!(scene.commits().await, "2");
    scene.life.kill();
}
