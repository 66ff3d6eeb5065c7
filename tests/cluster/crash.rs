//! Kills the process at its calls to the API server, and starts a successor. A run takes a third of
//! the calls, `cargo xtask chaos` all of them.
//!
//! The scenario (create, update with a prune, delete) runs once undisturbed. This counts the calls
//! and records the end of each stage. It then runs once for each of these calls. The process is
//! killed before the server receives the call, or before it reads the answer. Then it is started
//! again. Every stage must end as before. The interval of an hour ensures that work which a
//! successor does not resume fails the test. Every process elects a leader, so lease calls are
//! included.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use futures::{FutureExt as _, StreamExt as _};
use serde_json::json;
use sluice_git::serve::Change;
use sluice_testkit::devcluster::{GitOptions, GitServer};
use sluice_testkit::{Call, Fault, FaultProxy, Kill, When, sample_kills, wait};

use crate::world::{
    Controllers, Kind, Live, World, commit, condition, config_map, deployment, is_ready, revision,
};

/// Number of concurrent scenarios. They mostly wait for the API server or a lease.
const SIDE_BY_SIDE: usize = 8;
/// Number of equal lease calls to kill at. A leader repeats them forever.
const OF_A_LEASE: usize = 2;

/// Result of each stage.
type Stages = [String; 3];

struct StageResults {
    stages: Stages,
    calls: Vec<Call>,
}

fn is_read(call: &Call) -> bool {
    matches!(call.verb, "get" | "list") || call.dry_run
}

struct Scenario {
    world: World,
    proxy: FaultProxy,
    controllers: Controllers,
    expected: Option<Stages>,
    kill: Option<Kill>,
}

impl Scenario {
    async fn run(git: &GitServer, expected: Option<Stages>, kill: Option<Kill>) -> StageResults {
        let world = World::new("crash").await;
        let proxy = FaultProxy::start(&world.bed.kubeconfig()).await;
        // Eight scenarios of seven leases each slow the API server down. A process that misses the
        // deadline of its lease ends.
        let controllers = world.controllers(proxy.kubeconfig()).leading_for(6, 5);
        if let Some(kill) = kill.clone() {
            kill.inject(&proxy);
        }
        let scenario = Self {
            world,
            proxy,
            controllers,
            expected,
            kill,
        };
        scenario.play(git).await
    }

    async fn play(&self, git: &GitServer) -> StageResults {
        let (world, namespace) = (&self.world, &*self.world.namespace);
        let repository = git.create(namespace, "main").unwrap();
        let first = commit(
            &repository,
            &[
                ("a.yaml", &config_map("a", namespace, "1")),
                ("b.yaml", &config_map("b", namespace, "1")),
                ("web.yaml", &deployment("web", namespace, 0)),
            ],
        );
        // Foreign objects that must survive: one without an owner, and one of another
        // Kustomization.
        let key = "kustomize.toolkit.fluxcd.io";
        let labels =
            json!({ format!("{key}/name"): "other", format!("{key}/namespace"): namespace });
        for (name, labels) in [("foreign", json!({})), ("others", labels)] {
            world
                .create(Kind::ConfigMap, name, json!({ "labels": labels }))
                .await;
        }

        let running = Arc::new(Mutex::new(self.controllers.all()));
        let (slot, controllers) = (Arc::clone(&running), self.controllers.clone());
        self.proxy.on_kill(move || {
            let mut running = slot.lock().unwrap();
            running.kill();
            *running = controllers.all();
        });

        world.source("app", &git.url(namespace), json!({})).await;
        world.kustomization("app", json!({ "wait": true })).await;
        let created = self.stage(0, Some(&first)).await;

        let changes = [
            Change::write("a.yaml", config_map("a", namespace, "2")),
            Change::remove("b.yaml"),
        ];
        let second = repository.commit("main", "Second", &changes).unwrap();
        world.request(Kind::GitRepository, "app").await;
        let updated = self.stage(1, Some(&second.to_string())).await;

        world.delete(Kind::Kustomization, "app").await;
        world.delete(Kind::GitRepository, "app").await;
        let deleted = self.stage(2, None).await;
        self.kill_at_lease().await;

        let running = running.lock().unwrap().clone();
        assert!(running.is_running(), "it ended:\n{}", running.output());
        running.kill();
        StageResults {
            stages: [created, updated, deleted],
            calls: self.proxy.calls(),
        }
    }

    /// Waits for a kill at the creation of a lease. On a busy machine, the stages can end before a
    /// controller without objects campaigns.
    async fn kill_at_lease(&self) {
        let is_awaited = |kill: &Kill| kill.call.starts_with("create leases") && kill.nth == 1;
        let Some(kill) = self.kill.as_ref().filter(|kill| is_awaited(kill)) else {
            return;
        };
        wait::eventually("the process is killed at its lease", || async {
            let calls = self.proxy.calls();
            if calls.iter().any(|call| call.fault.is_some()) {
                Ok(())
            } else {
                Err(format!("{kill:?}"))
            }
        })
        .await;
    }

    /// Waits until a stage ends as expected.
    async fn stage(&self, index: usize, commit: Option<&str>) -> String {
        let claim = format!("stage {index} ends as it does when nobody is killed");
        wait::eventually(&claim, || async {
            let (state, settled) = self.state(commit).await;
            let ended = match &self.expected {
                Some(expected) => state == expected[index],
                None => settled,
            };
            if ended {
                return Ok(state);
            }
            let wanted = self
                .expected
                .as_ref()
                .map_or("", |expected| &expected[index]);
            let calls = self.proxy.calls();
            let calls: Vec<String> = calls.iter().map(ToString::to_string).collect();
            Err(format!(
                "{:?} in {}\n{state}\nwanted:\n{wanted}\ncalls:\n{}",
                self.kill,
                self.world.namespace,
                calls.join("\n")
            ))
        })
        .await
    }

    /// Returns all state that must not depend on the kill, and whether it is final.
    async fn state(&self, commit: Option<&str>) -> (String, bool) {
        let world = &self.world;
        let mut lines = Vec::new();
        let app = world.get(Kind::Kustomization, "app").await;
        let source = world.get(Kind::GitRepository, "app").await;
        for kind in [Kind::ConfigMap, Kind::Deployment] {
            for object in world.list(kind).await {
                if object.metadata.name.as_deref() != Some("kube-root-ca.crt") {
                    lines.push(managed(kind, &object));
                }
            }
        }
        lines.extend(app.iter().chain(&source).map(ours));
        let archives = self.controllers.archives().len();
        let settled = match commit {
            Some(commit) => {
                [&app, &source]
                    .into_iter()
                    .all(|object| object.as_ref().is_some_and(is_ready))
                    && app.is_some_and(|app| {
                        app.data["status"]["lastAppliedRevision"] == revision(commit)
                    })
            }
            None => {
                lines.push(format!("{archives} archives"));
                app.is_none() && source.is_none() && archives == 0
            }
        };
        let mut text = lines.join("\n").replace(&world.namespace, "NS");
        if let Some(commit) = commit {
            text = text.replace(commit, "COMMIT");
        }
        (text, settled)
    }
}

/// Formats a managed or foreign object.
fn managed(kind: Kind, object: &Live) -> String {
    let metadata = &object.metadata;
    let content = match kind {
        Kind::ConfigMap => &object.data["data"],
        _ => &object.data["spec"]["replicas"],
    };
    format!(
        "{kind:?}/{} {content} {:?} {:?}{}",
        metadata.name.as_deref().unwrap_or_default(),
        metadata.labels,
        metadata.finalizers,
        if metadata.deletion_timestamp.is_some() {
            " going"
        } else {
            ""
        },
    )
}

/// Formats a GitRepository or Kustomization.
fn ours(object: &Live) -> String {
    let status = &object.data["status"];
    let mut text = format!("{:?} {:?}", object.types, object.metadata.finalizers);
    for kind in [
        "Ready",
        "Reconciling",
        "Stalled",
        "Healthy",
        "ArtifactInStorage",
    ] {
        let (state, reason, message) = condition(object, kind);
        // The duration of a check differs in each run.
        let message = message.split(" in ").next().unwrap_or_default();
        write!(text, "\n  {kind}={state} {reason}: {message}").unwrap();
    }
    let current = status["observedGeneration"].as_i64() == object.metadata.generation;
    for shown in [
        &status["inventory"]["entries"],
        &status["lastAppliedRevision"],
        &status["lastAttemptedRevision"],
        &status["artifact"]["revision"],
        &json!(current),
    ] {
        write!(text, "\n  {shown}").unwrap();
    }
    text
}

#[tokio::test(flavor = "multi_thread")]
async fn successor_of_killed_process_reaches_same_state() {
    let directory = tempfile::tempdir().unwrap();
    let git = GitServer::start(GitOptions::new(directory.path()))
        .await
        .unwrap();
    let git = Arc::new(git);
    let clean = Scenario::run(&git, None, None).await;
    let mut counts = BTreeMap::new();
    let mut kills = Vec::new();
    for call in &clean.calls {
        let is_of_lease = call.resource == "leases";
        let faults: &[Fault] = if call.is_write() || (is_of_lease && !is_read(call)) {
            &[Fault::KillBefore, Fault::KillAfter]
        } else {
            // A read changes nothing, so a kill after it is the same.
            &[Fault::KillBefore]
        };
        let most = match call.verb {
            _ if is_of_lease => OF_A_LEASE,
            // The number of watch restarts is random.
            "watch" => 1,
            _ => usize::MAX,
        };
        let nth = counts.entry(Kill::describe(call)).or_insert(0);
        *nth += 1;
        if *nth > most {
            continue;
        }
        kills.extend(faults.iter().map(|fault| Kill {
            call: Kill::describe(call),
            nth: *nth,
            fault: fault.clone(),
        }));
    }
    let total = kills.len();
    let kills = sample_kills(kills);
    assert!(
        total > 50,
        "the scenario has become too small to show anything"
    );
    let runs = kills.into_iter().map(|kill| {
        let (git, expected) = (Arc::clone(&git), clean.stages.clone());
        let run = kill.clone();
        tokio::spawn(async move { Scenario::run(&git, Some(expected), Some(run)).await }).map(
            move |ended| match ended {
                Ok(run) if run.calls.iter().any(|call| call.fault.is_some()) => Ok(None),
                Ok(_) => Ok(Some(kill)),
                Err(error) => Err(format!("{kill:?}: {}", panic_message(error))),
            },
        )
    });
    let runs: Vec<_> = futures::stream::iter(runs)
        .buffer_unordered(SIDE_BY_SIDE)
        .collect()
        .await;
    let (mut missed, mut failures) = (Vec::new(), Vec::new());
    for run in runs {
        match run {
            Ok(miss) => missed.extend(miss),
            Err(failure) => failures.push(failure),
        }
    }
    assert!(failures.is_empty(), "{}", failures.join("\n\n"));
    // The number of status writes depends on timing, but is at least one. An object that is healthy
    // after its apply is not watched. A scenario may end before a lease is renewed.
    let is_certain = |kill: &&Kill| {
        let by_chance = ["watch", "update leases"];
        kill.nth == 1 && !by_chance.iter().any(|call| kill.call.starts_with(call))
    };
    let never: Vec<_> = missed.iter().filter(is_certain).collect();
    assert!(never.is_empty(), "not killed at {never:#?}");
    assert!(
        missed.len() * 10 <= total,
        "of {total} not killed at {missed:#?}"
    );
}

/// Covers two cases that the other test cannot reach: a slow prune, and new objects beside deleted
/// ones. The process dies between the announcement of the new object and its apply. The successor
/// dies while it reports the deletion.
#[tokio::test(flavor = "multi_thread")]
async fn announced_and_deleting_objects_stay_in_the_inventory() {
    let directory = tempfile::tempdir().unwrap();
    let git = GitServer::start(GitOptions::new(directory.path()))
        .await
        .unwrap();
    let world = World::new("slow").await;
    let namespace = &*world.namespace;
    let proxy = FaultProxy::start(&world.bed.kubeconfig()).await;
    let controllers = world.controllers(proxy.kubeconfig());
    let repository = git.create(namespace, "main").unwrap();
    let first = commit(
        &repository,
        &[
            ("a.yaml", &config_map("a", namespace, "1")),
            ("b.yaml", &config_map("b", namespace, "1")),
        ],
    );
    let running = Arc::new(Mutex::new(controllers.all()));
    let deaths = Arc::new(Mutex::new(Vec::new()));
    let (slot, died, again) = (
        Arc::clone(&running),
        Arc::clone(&deaths),
        controllers.clone(),
    );
    proxy.on_kill(move || {
        let mut running = slot.lock().unwrap();
        running.kill();
        died.lock().unwrap().push(running.pid());
        *running = again.all();
    });
    world.source("app", &git.url(namespace), json!({})).await;
    world.kustomization("app", json!({})).await;
    world.applied("app", &first).await;

    let status = || When::any().verb("patch").resource("kustomizations/status");
    let announced = format!("{namespace}_c__ConfigMap");
    let announces = move |call: &Call| String::from_utf8_lossy(&call.body).contains(&announced);
    proxy.inject(status().and(announces).nth(1), Fault::KillAfter);
    // This takes longer than the delay after which a step is reported.
    let deleting = Arc::new(AtomicBool::new(false));
    let (begun, seen) = (Arc::clone(&deleting), Arc::clone(&deleting));
    let deletion = When::any().verb("delete").resource("configmaps").name("b");
    let deletion = deletion.and(move |_| {
        begun.store(true, Ordering::SeqCst);
        true
    });
    proxy.inject(deletion, Fault::Delay(Duration::from_secs(3)));
    let shown = status().and(move |_| seen.load(Ordering::SeqCst));
    proxy.inject(shown.nth(1), Fault::KillAfter);

    let changes = [
        Change::write("a.yaml", config_map("a", namespace, "2")),
        Change::remove("b.yaml"),
        Change::write("c.yaml", config_map("c", namespace, "1")),
    ];
    let second = repository.commit("main", "Second", &changes).unwrap();
    world.request(Kind::GitRepository, "app").await;
    let app = world.applied("app", &second.to_string()).await;
    assert_eq!(deaths.lock().unwrap().len(), 2, "{:#?}", proxy.calls());
    let entries = app.data["status"]["inventory"]["entries"]
        .as_array()
        .unwrap();
    let ids: Vec<&str> = entries
        .iter()
        .filter_map(|entry| entry["id"].as_str())
        .collect();
    let expected = ["a", "c"].map(|name| format!("{namespace}_{name}__ConfigMap"));
    assert_eq!(ids, expected);
    assert!(world.get(Kind::ConfigMap, "b").await.is_none(), "pruned");
    assert!(world.get(Kind::ConfigMap, "c").await.is_some(), "applied");

    proxy.clear();
    world.delete(Kind::Kustomization, "app").await;
    wait::gone(&world.api(Kind::Kustomization), "app").await;
    for name in ["a", "b", "c"] {
        assert!(world.get(Kind::ConfigMap, name).await.is_none(), "{name}");
    }
    running.lock().unwrap().kill();
}

/// Returns the panic message of a task.
fn panic_message(error: tokio::task::JoinError) -> String {
    let panic = error.into_panic();
    panic
        .downcast_ref::<String>()
        .cloned()
        .or_else(|| panic.downcast_ref::<&str>().map(|text| (*text).to_owned()))
        .unwrap_or_default()
}
