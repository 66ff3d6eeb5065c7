//! Kills both controllers between a scan and the status of its push, and starts successors.
//!
//! An update runs once undisturbed, which lists its calls to the API server. It then runs once for
//! each kill: the process ends before the server receives the call, or before it reads the answer.
//! Another test kills it during the push. Each successor must push the tag, in exactly one commit.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::{Arc, Mutex};

use futures::{FutureExt as _, StreamExt as _};
use serde_json::json;
use sluice_api::image::{ImagePolicy, ImageRepository, ImageUpdateAutomation};
use sluice_git::serve::Repository;
use sluice_testkit::{Call, Fault, FaultProxy, Registry, When, wait};
use tokio::runtime::{Builder, Runtime};

use super::pushes::hook;
use super::{World, arguments, content, git, head, host, ready, tags};

/// Number of concurrent updates. They mostly wait for the API server.
const SIDE_BY_SIDE: usize = 4;

/// The call at which a run is killed, by its content: numbers shift between runs.
#[derive(Debug, Clone)]
struct Kill {
    call: String,
    nth: usize,
    fault: Fault,
}

/// Both controllers, which can be ended without grace: all their tasks run on a runtime of its own.
struct Life {
    kubeconfig: PathBuf,
    namespace: String,
    directory: PathBuf,
    runtime: Option<Runtime>,
}

impl Life {
    fn new(world: &World, proxy: &FaultProxy) -> Self {
        let mut life = Self {
            kubeconfig: proxy.kubeconfig().to_owned(),
            namespace: world.namespace.clone(),
            directory: world.directory.path().to_owned(),
            runtime: None,
        };
        life.start();
        life
    }

    fn start(&mut self) {
        let runtime = Builder::new_multi_thread()
            .worker_threads(1)
            .enable_all()
            .build()
            .unwrap();
        let (kubeconfig, namespace) = (self.kubeconfig.clone(), self.namespace.clone());
        let (store, tags) = (self.directory.join("git"), self.directory.join("tags"));
        runtime.spawn(async move {
            let args = tags::reflector(&tags, &namespace);
            let reflector = sluice_image_reflector_controller::run(args, host(&kubeconfig).await);
            let args = arguments(&store, &namespace, Vec::new());
            let automation = sluice_image_automation_controller::run(args, host(&kubeconfig).await);
            let (reflector, automation) = tokio::join!(reflector, automation);
            reflector.unwrap();
            automation.unwrap();
        });
        self.runtime = Some(runtime);
    }

    fn kill(&mut self) {
        if let Some(runtime) = self.runtime.take() {
            runtime.shutdown_background();
        }
    }
}

impl Drop for Life {
    fn drop(&mut self) {
        self.kill();
    }
}

/// Formats a call without its number and without names of the run.
fn describe(call: &Call) -> String {
    let is_random = call.resource == "events";
    let name = if is_random { "" } else { &call.name };
    format!("{} {} {name}", call.verb, call.target())
}

/// An automation that has seen the tag 1.0.0.
struct Scene {
    world: World,
    registry: Registry,
    repository: Repository,
    proxy: FaultProxy,
    life: Arc<Mutex<Life>>,
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
        let life = Arc::new(Mutex::new(Life::new(&world, &proxy)));
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
    if let Some(Kill { call, nth, fault }) = kill {
        let when = When::any().and(move |seen| describe(seen) == call);
        scene.proxy.inject(when.nth(nth), fault);
        let slot = Arc::clone(&scene.life);
        scene.proxy.on_kill(move || {
            let mut life = slot.lock().unwrap();
            life.kill();
            life.start();
        });
    }
    scene.push_tag().await;
    scene.settles("1.1.0").await;
    let commits = scene.commits().await;
    let calls = scene.proxy.calls();
    scene.life.lock().unwrap().kill();
    (commits, calls)
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn kill_between_scan_and_push_loses_no_update() {
    let (commits, calls) = update(None).await;
    assert_eq!(commits, "2");
    let mut counts = BTreeMap::new();
    let mut kills = Vec::new();
    for call in calls.iter().filter(|call| call.is_write()) {
        let nth = counts.entry(describe(call)).or_insert(0);
        *nth += 1;
        // The loss of an event changes no state.
        if call.resource == "events" {
            continue;
        }
        kills.extend([Fault::KillBefore, Fault::KillAfter].map(|fault| Kill {
            call: describe(call),
            nth: *nth,
            fault,
        }));
    }
    // Each of the three objects reports a status.
    assert!(kills.len() >= 6, "{calls:?}");
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
    assert!(killed >= 6, "{killed} kills, without {missed:?}");
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
    scene.life.lock().unwrap().kill();
    std::fs::write(&go, "").unwrap();
    scene.life.lock().unwrap().start();
    scene.settles("1.1.0").await;
    assert_eq!(scene.commits().await, "2");
    scene.life.lock().unwrap().kill();
}
