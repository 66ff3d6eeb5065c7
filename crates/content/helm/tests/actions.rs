//! Actions beside those of Helm: the requests, the records that they leave, and the errors.
//!
//! `cargo xtask vectors --only helm` records the answers of the program in `oracle`, which runs
//! Helm's actions on a cluster in memory.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

#[path = "oracle/charts.rs"]
mod charts;
#[path = "oracle/questions.rs"]
mod questions;

use std::sync::Arc;

use charts::load;
use questions::vectors;
use serde_json::json;
use sluice_chart::values::{Json, Values, from_json};
use sluice_helm::action::{
    Install, Reuse, Rollback, Test, Uninstall, Upgrade, install, rollback, test, uninstall, upgrade,
};
use sluice_helm::cluster::{ClusterError, MemoryCluster, WaitStrategy};
use sluice_helm::record::{Labels, Release};
use sluice_helm::store::{MemoryDriver, SYSTEM_LABELS, Store};
use sluice_helm::{Context, Delivery, Failure, Templates};
use sluice_object::Object;
use sluice_system::clock::ManualClock;

/// The cluster and the history that the steps of a vector share.
struct World {
    cluster: MemoryCluster,
    store: Store,
    clock: ManualClock,
}

impl World {
    fn new() -> Self {
        let clock = || ManualClock::at("2024-05-06T07:08:09Z".parse().unwrap());
        Self {
            cluster: MemoryCluster::default(),
            store: Store::new(Arc::new(MemoryDriver::default()), Arc::new(clock())),
            clock: clock(),
        }
    }

    /// Runs a step, and returns what is compared with Helm.
    async fn run(&mut self, step: &Json) -> Json {
        self.cluster.clear_failures();
        for (request, error) in step["fail"].as_object().into_iter().flatten() {
            let error = ClusterError::Failed(error.as_str().unwrap().to_owned());
            self.cluster.fail(request, error);
        }
        for object in step["insert"].as_array().into_iter().flatten() {
            let fields = object.as_object().unwrap().clone();
            self.cluster.insert(Object::from_map(fields));
        }
        self.store.max_history = integer(step, "max_history").try_into().unwrap();
        let context = Context {
            cluster: &self.cluster,
            store: &self.store,
            clock: &self.clock,
            cancel: tokio_util::sync::CancellationToken::new(),
        };
        let mut info = String::new();
        let done = match step["action"].as_str().unwrap() {
            "install" => run_install(&context, step).await.map(drop),
            "upgrade" => run_upgrade(&context, step).await.map(drop),
            "rollback" => {
                let options = Rollback {
                    version: integer(step, "version"),
                    cleans_up: flag(step, "cleans_up"),
                    delivery: delivery(step),
                    ..Rollback::default()
                };
                rollback(&context, "rel", &options).await.map(drop)
            }
            "uninstall" => {
                let options = Uninstall {
                    runs_hooks: !flag(step, "no_hooks"),
                    keeps_history: flag(step, "keep_history"),
                    description: description(step),
                    wait: delivery(step).wait,
                    ..Uninstall::default()
                };
                let done = uninstall(&context, "rel", &options).await;
                done.map(|done| info = done.info)
            }
            _ => {
                let names = |field: &str| {
                    let names = step[field].as_array().into_iter().flatten();
                    names
                        .map(|name| name.as_str().unwrap().to_owned())
                        .collect()
                };
                let options = Test {
                    includes: names("include"),
                    excludes: names("exclude"),
                    ..Test::default()
                };
                test(&context, "rel", &options).await.map(drop)
            }
        };
        let requests = self.cluster.take_requests();
        // The client of the reference migrates fields within an update.
        let requests = requests
            .into_iter()
            .filter(|text| !text.starts_with("migrate "));
        let mut outcome = json!({ "requests": requests.collect::<Vec<_>>() });
        if let Err(failure) = done {
            outcome["error"] = failure.to_string().into();
        }
        if !info.is_empty() {
            outcome["info"] = info.into();
        }
        let history = self.store.history("rel").await.unwrap_or_default();
        outcome["records"] = history.iter().map(record).collect();
        outcome
    }
}

fn record(release: &Release) -> Json {
    let mut record = json!({
        "version": release.version,
        "status": release.info.status.as_str(),
        "description": release.info.description,
    });
    if release.info.deleted.is_some() {
        record["deleted"] = true.into();
    }
    let labels = release.labels.iter();
    let labels: Values = labels
        .filter(|(key, _)| !SYSTEM_LABELS.contains(&&***key))
        .map(|(key, value)| (key.clone(), Json::from(&**value)))
        .collect();
    if !labels.is_empty() {
        record["labels"] = Json::Object(labels);
    }
    if let Some(config) = release.config.as_ref().filter(|config| !config.is_empty()) {
        record["config"] = Json::Object(config.clone());
    }
    if !release.hooks.is_empty() {
        let hooks = release.hooks.iter();
        let hooks = hooks.map(|hook| format!("{} {}", hook.name, hook.last_run.phase));
        record["hooks"] = hooks.collect::<Vec<_>>().into();
    }
    record
}

fn flag(step: &Json, field: &str) -> bool {
    step[field].as_bool().unwrap_or_default()
}

fn integer(step: &Json, field: &str) -> i64 {
    step[field].as_i64().unwrap_or_default()
}

fn description(step: &Json) -> Option<String> {
    step["description"].as_str().map(str::to_owned)
}

fn labels(step: &Json) -> Labels {
    let labels = step["labels"].as_object().into_iter().flatten();
    let labels = labels.map(|(key, value)| (key.clone(), value.as_str().unwrap().to_owned()));
    labels.collect()
}

fn delivery(step: &Json) -> Delivery {
    Delivery {
        take_ownership: flag(step, "take_ownership"),
        runs_hooks: !flag(step, "no_hooks"),
        wait: if flag(step, "hook_only") {
            WaitStrategy::HookOnly
        } else {
            WaitStrategy::Watcher
        },
        waits_for_jobs: flag(step, "jobs"),
        ..Delivery::default()
    }
}

fn values(step: &Json) -> Values {
    from_json(step["values"].as_object().cloned().unwrap_or_default())
}

async fn run_install(context: &Context<'_>, step: &Json) -> Result<Release, Failure> {
    let options = Install {
        name: "rel".to_owned(),
        namespace: "default".to_owned(),
        labels: labels(step),
        description: description(step),
        create_namespace: flag(step, "create_namespace"),
        replace: flag(step, "replace"),
        rolls_back: flag(step, "rolls_back"),
        dry_run: flag(step, "dry_run"),
        delivery: delivery(step),
        ..Install::default()
    };
    let (chart, _) = load(step);
    install(
        context,
        chart,
        values(step),
        &options,
        &Templates::default(),
    )
    .await
}

async fn run_upgrade(context: &Context<'_>, step: &Json) -> Result<Release, Failure> {
    let options = Upgrade {
        labels: labels(step),
        description: description(step),
        reuse: match step["reuse"].as_str() {
            Some("reset") => Reuse::Reset,
            Some("reuse") => Reuse::Reuse,
            Some("reset_then_reuse") => Reuse::ResetThenReuse,
            _ => Reuse::IfEmpty,
        },
        cleans_up: flag(step, "cleans_up"),
        rolls_back: flag(step, "rolls_back"),
        dry_run: flag(step, "dry_run"),
        delivery: delivery(step),
        ..Upgrade::default()
    };
    let (chart, _) = load(step);
    upgrade(
        context,
        "rel",
        chart,
        values(step),
        &options,
        &Templates::default(),
    )
    .await
}

#[tokio::test]
async fn actions_do_what_those_of_helm_do() {
    let (mut count, mut wrong) = (0, Vec::new());
    for vector in vectors("actions") {
        let expected = vector["result"].as_str().unwrap();
        let expected: Vec<Json> = serde_json::from_str(expected).unwrap();
        let mut world = World::new();
        for (step, mut expected) in vector["steps"].as_array().unwrap().iter().zip(expected) {
            if let Some(requests) = expected["requests"].as_array().cloned() {
                expected["requests"] = requests.into();
            } else {
                expected["requests"] = json!([]);
            }
            for record in expected["records"].as_array_mut().unwrap() {
                if let Some(config) = record["config"].as_object().cloned() {
                    record["config"] = Json::Object(from_json(config));
                }
                if record["config"].is_null() {
                    record.as_object_mut().unwrap().shift_remove("config");
                }
            }
            let ours = world.run(step).await;
            count += 1;
            if ours != expected {
                let mut shown = step.clone();
                shown.as_object_mut().unwrap().shift_remove("files");
                wrong.push(format!("{shown}\nHelm: {expected:#}\nours: {ours:#}"));
            }
        }
    }
    let shown = wrong.join("\n========\n");
    assert!(
        wrong.is_empty(),
        "{} of {count} differ: {shown}",
        wrong.len()
    );
}

/// A chart with one object, a definition and a hook.
fn small_chart() -> sluice_chart::Chart {
    let files = json!({ "files": {
        "Chart.yaml": "apiVersion: v2\nname: c\nversion: 1.0.0\n",
        "crds/things.yaml": "apiVersion: apiextensions.k8s.io/v1\nkind: \
                             CustomResourceDefinition\nmetadata: {name: things.example.com}\n",
        "templates/a.yaml": "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: one}\n",
    } });
    load(&files).0
}

async fn install_small(
    world: &World,
    delivery: Delivery,
    cancel: tokio_util::sync::CancellationToken,
) -> Result<Release, Failure> {
    let context = Context {
        cluster: &world.cluster,
        store: &world.store,
        clock: &world.clock,
        cancel,
    };
    let options = Install {
        name: "rel".to_owned(),
        namespace: "default".to_owned(),
        delivery,
        ..Install::default()
    };
    let renderer = Templates::default();
    install(&context, small_chart(), Values::new(), &options, &renderer).await
}

#[tokio::test]
async fn cancelled_wait_leaves_a_failed_release() {
    let world = World::new();
    world
        .cluster
        .fail("wait ReadyWithJobs", ClusterError::Cancelled);
    let cancel = tokio_util::sync::CancellationToken::new();
    let delivery = Delivery {
        waits_for_jobs: true,
        ..Delivery::default()
    };
    let installed = install_small(&world, delivery, cancel.clone());
    let stop = async {
        // The install waits for the cluster by then.
        tokio::task::yield_now().await;
        cancel.cancel();
    };
    let (installed, ()) = tokio::join!(installed, stop);
    assert_eq!(installed.unwrap_err().to_string(), "context canceled");
    let last = world.store.last("rel").await.unwrap();
    assert_eq!(last.info.status.as_str(), "failed");
    assert_eq!(
        last.info.description,
        "Release \"rel\" failed: context canceled"
    );
}

#[tokio::test]
async fn definitions_are_created_before_the_release() {
    let world = World::new();
    let cancel = tokio_util::sync::CancellationToken::new();
    let delivery = Delivery {
        server_side: false,
        ..Delivery::default()
    };
    install_small(&world, delivery, cancel).await.unwrap();
    let expected = [
        "create CustomResourceDefinition//things.example.com",
        "wait Ready",
        "create ConfigMap/default/one",
        "wait Ready",
    ];
    assert_eq!(world.cluster.take_requests(), expected);
    let last = world.store.last("rel").await.unwrap();
    assert_eq!(last.apply_method, "csa");
}

#[tokio::test]
async fn client_side_upgrade_patches_objects() {
    let world = World::new();
    let cancel = tokio_util::sync::CancellationToken::new();
    let delivery = Delivery {
        server_side: false,
        ..Delivery::default()
    };
    install_small(&world, delivery, cancel.clone())
        .await
        .unwrap();
    world.cluster.take_requests();
    let context = Context {
        cluster: &world.cluster,
        store: &world.store,
        clock: &world.clock,
        cancel,
    };
    let options = Upgrade {
        delivery,
        ..Upgrade::default()
    };
    let renderer = Templates::default();
    let upgraded = upgrade(
        &context,
        "rel",
        small_chart(),
        Values::new(),
        &options,
        &renderer,
    );
    upgraded.await.unwrap();
    let requests = world.cluster.take_requests();
    assert_eq!(requests, ["patch ConfigMap/default/one", "wait Ready"]);
}
