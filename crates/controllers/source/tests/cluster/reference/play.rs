//! Runs a scenario with one of the two controllers and reads its outcome.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::sync::LazyLock;
use std::time::{Duration, Instant};

use regex::{Captures, Regex};
use serde_json::{Value, json};
use sluice_client::{Cluster, DeleteOptions, GroupVersionKind, PatchOptions};
use sluice_testkit::outcome::{self, Outcome};
use sluice_testkit::{Bed, Reference, Running, wait};

use super::remotes::Remotes;
use super::scenario::{Action, Goal, Scenario, Stage};
use crate::World;

/// The controller that runs the scenario.
pub(super) enum Actor {
    Ours,
    Reference(Reference),
}

/// Time without a change after which the status of an object is complete. Flux writes conditions
/// and the rest of a status one after the other.
const SETTLE_PERIOD: Duration = Duration::from_millis(500);
/// Time without events after which all events have arrived.
const QUIET_PERIOD: Duration = Duration::from_secs(2);
/// Time after which the events of failing objects only repeat.
const MAX_REST: Duration = Duration::from_secs(10);

/// A scenario that is played, with its running controller.
pub(super) struct PlayedScenario {
    world: World,
    cluster: Cluster,
    remotes: Remotes,
    outcome: Outcome,
    /// Kinds and names of the objects, and whether they are charts that Helm packages.
    sources: BTreeMap<String, bool>,
    process: Option<Running>,
}

pub(super) async fn play(scenario: &Scenario, actor: Actor) -> PlayedScenario {
    let bed = Bed::Shared(sluice_testkit::cluster().await);
    let cluster = bed.connect().await;
    let mut world = World::idle(bed, "reference", None).await;
    // A status must last for longer than the settle period.
    world.retry_delays = ["1s", "4s"];
    world.flags.push("--requeue-dependency=2s".to_owned());
    world.flags.extend(scenario.flags.iter().cloned());
    let mut remotes = Remotes::start(scenario).await;
    remotes.name(world.namespace.clone(), "NAMESPACE");
    remotes.name(format!("127.0.0.1:{}", world.port), "STORAGE");
    let process = match actor {
        Actor::Ours => {
            world.start().await;
            None
        }
        Actor::Reference(reference) => Some(start(&reference, &world)),
    };
    let mut played = PlayedScenario {
        world,
        cluster,
        remotes,
        outcome: Outcome::default(),
        sources: BTreeMap::new(),
        process,
    };
    for stage in &scenario.stages {
        for action in &stage.does {
            played.act(stage, action).await;
        }
        // Objects without a goal have had their time then.
        let (last, first): (Vec<_>, Vec<_>) = stage.until.iter().partition(|(_, goal)| goal.any);
        for (source, goal) in first.into_iter().chain(last) {
            played.until(stage, source, goal).await;
        }
    }
    played
}

/// Starts the reference as a process that watches the namespace.
fn start(reference: &Reference, world: &World) -> Running {
    let mut flags = world.flags();
    flags.extend(["--metrics-addr=0", "--health-addr=0", "--concurrent=8"].map(str::to_owned));
    let flags: Vec<&str> = flags.iter().map(String::as_str).collect();
    reference
        .controller("source-controller")
        .without_poll_limit()
        .variable("KUBECONFIG", world.kubeconfig.display().to_string())
        .variable("RUNTIME_NAMESPACE", world.namespace.clone())
        .start(&flags)
}

impl PlayedScenario {
    /// The outcome with all events so far.
    pub(super) fn outcome(&self) -> Outcome {
        let mut outcome = self.outcome.clone();
        let names = self.remotes.names();
        for (source, is_packaged) in &self.sources {
            let (kind, name) = parts(source);
            let events = self.world.events.about(kind, &self.world.namespace, name);
            let events = events.iter();
            let mut events: Vec<String> = events
                .map(|event| {
                    let line = mask(&outcome::of_event(event, &names), &names);
                    if *is_packaged {
                        mask_digest(&line)
                    } else {
                        line
                    }
                })
                .collect();
            // The number of repeated events depends on time.
            events.dedup();
            outcome.push(format!("events of {source}"), events);
        }
        outcome
    }

    /// The outcome after the last event, for a recording.
    pub(super) async fn rested(&self) -> Outcome {
        let quiet = self.world.events.until_quiet(QUIET_PERIOD);
        // An error means that objects fail again and again.
        drop(tokio::time::timeout(MAX_REST, quiet).await);
        self.outcome()
    }

    /// Stops our controller.
    pub(super) async fn stop(&mut self) {
        self.world.stop().await;
    }

    async fn act(&mut self, stage: &Stage, action: &Action) {
        if self.remotes.act(action).await {
            return;
        }
        let namespace = Some(self.world.namespace.clone());
        let namespace = namespace.as_deref();
        match action {
            Action::Secret(secret) => {
                let data = secret.data.iter();
                let data: BTreeMap<&String, String> = data
                    .map(|(key, text)| (key, self.remotes.resolve_text(text)))
                    .collect();
                let object = json!({"apiVersion": "v1", "kind": "Secret",
                    "metadata": {"name": secret.name}, "type": secret.kind, "stringData": data});
                let gvk = GroupVersionKind::gvk("", "v1", "Secret");
                let options = PatchOptions::default();
                let created = self.cluster.create(&gvk, namespace, &object, options);
                created.await.unwrap();
            }
            Action::Source(source) => {
                let mut spec = self.remotes.resolve(&source.spec);
                spec["interval"] = json!("1h");
                let gvk = kind(&source.kind);
                let object = json!({"apiVersion": "source.toolkit.fluxcd.io/v1",
                    "kind": source.kind, "metadata": {"name": source.name}, "spec": spec});
                let created = self.cluster.create(&gvk, namespace, &object, by_test());
                created.await.unwrap();
                let name = format!("{}/{}", source.kind, source.name);
                self.sources.insert(name, is_packaged_chart(&object));
            }
            Action::Patch(patch) => {
                let spec = self.remotes.resolve(&patch.spec);
                self.merge(&patch.of, json!({ "spec": spec })).await;
            }
            Action::Request(source) => {
                let token = json!({ "reconcile.fluxcd.io/requestedAt": stage.name });
                let change = json!({ "metadata": { "annotations": token } });
                self.merge(source, change).await;
            }
            Action::Delete(source) => {
                let (kind_name, name) = parts(source);
                let options = DeleteOptions::default();
                let gvk = kind(kind_name);
                let deleted = self.cluster.delete(&gvk, namespace, name, &options);
                assert!(deleted.await.unwrap(), "{source} is not there");
            }
            action => unreachable!("{action:?} changes a remote"),
        }
    }

    async fn merge(&self, source: &str, change: Value) {
        let (kind_name, name) = parts(source);
        let namespace = Some(&*self.world.namespace);
        let gvk = kind(kind_name);
        let merged = self
            .cluster
            .merge(&gvk, namespace, name, &change, by_test());
        merged.await.unwrap();
    }

    /// Waits for a goal and adds the object to the outcome. A timeout shows the output of the
    /// reference.
    async fn until(&mut self, stage: &Stage, source: &str, goal: &Goal) {
        let is_asked =
            |action: &Action| matches!(action, Action::Request(asked) if asked == source);
        let token = stage.does.iter().any(is_asked).then_some(&*stage.name);
        let (kind_name, name) = parts(source);
        let gvk = kind(kind_name);
        let claim = format!("{source} ends stage {} with {goal:?}", stage.name);
        // Since when the object is unchanged, by its version.
        let unchanged = RefCell::new((String::new(), Instant::now()));
        let object = wait::eventually(&claim, async || {
            let namespace = Some(&*self.world.namespace);
            let Some(object) = self.cluster.get(&gvk, namespace, name).await.unwrap() else {
                let gone = goal.gone.then_some(None);
                return gone.ok_or_else(|| "there is none".to_owned());
            };
            let version = object["metadata"]["resourceVersion"].to_string();
            let mut unchanged = unchanged.borrow_mut();
            if unchanged.0 != version {
                *unchanged = (version, Instant::now());
            }
            if goal.is_reached(&object, token) && unchanged.1.elapsed() >= SETTLE_PERIOD {
                return Ok(Some(object));
            }
            let output = self.process.as_ref().map(Running::output);
            let status = serde_json::to_string_pretty(&object["status"]).unwrap();
            Err(format!("{status}\n{}", output.unwrap_or_default()))
        })
        .await;
        let names = self.remotes.names();
        let lines = match object {
            Some(object) => lines_of_source(&object, &names),
            None => vec!["gone".to_owned()],
        };
        self.outcome.push(format!("{} {source}", stage.name), lines);
    }
}

/// Masks names, times and the working directories of the reference, whose names have an id.
/// Messages of ours name files from the root of the artifact on.
fn mask(text: &str, names: &[(String, &str)]) -> String {
    static WORKING_DIRECTORY: LazyLock<Regex> = LazyLock::new(|| {
        let parents = r#"/(?:[^\s:'"\\/]+/)*"#;
        let name = "(?:[A-Za-z]+-NAMESPACE-[a-z0-9-]+|flux-include|chart-build)";
        Regex::new(&format!(
            "{parents}{name}-[0-9]+(?:(/source)|(?:/unpack)?(/?))"
        ))
        .unwrap()
    });
    let text = outcome::masked(text, names);
    // Messages about charts begin with a slash.
    let text = WORKING_DIRECTORY.replace_all(&text, |found: &Captures<'_>| {
        let is_root = found.get(2).is_some_and(|slash| slash.is_empty());
        if is_root { "." } else { "" }
    });
    text.into_owned()
}

/// Describes an object: finalizers, conditions in order, status and field managers.
fn lines_of_source(object: &Value, names: &[(String, &str)]) -> Vec<String> {
    let (metadata, mut status) = (&object["metadata"], object["status"].clone());
    if is_packaged_chart(object)
        && let Some(artifact) = status.get_mut("artifact")
    {
        artifact["digest"] = json!("*");
        artifact["size"] = json!("*");
    }
    let finalizers = metadata["finalizers"].as_array();
    let mut lines: Vec<String> = finalizers
        .into_iter()
        .flatten()
        .map(|finalizer| format!("finalizer {finalizer}"))
        .collect();
    lines.extend(outcome::of_ordered_conditions(&status, names));
    lines.extend(outcome::of_fields(&status, &["conditions"]));
    lines.extend(outcome::of_writers(metadata));
    lines.iter().map(|line| mask(line, names)).collect()
}

/// Masks the digest of an artifact in an event.
fn mask_digest(line: &str) -> String {
    static DIGEST: LazyLock<Regex> =
        LazyLock::new(|| Regex::new("/digest=sha256:[0-9a-f]{64}").unwrap());
    DIGEST.replace_all(line, "/digest=*").into_owned()
}

/// Whether Helm packaged the chart of an object. Such an archive contains times.
fn is_packaged_chart(object: &Value) -> bool {
    let spec = &object["spec"];
    object["kind"] == "HelmChart"
        && (spec["sourceRef"]["kind"] != "HelmRepository" || spec["valuesFiles"].is_array())
}

/// Kind and name of an object.
fn parts(source: &str) -> (&str, &str) {
    source.split_once('/').expect("a kind and a name")
}

fn kind(kind: &str) -> GroupVersionKind {
    GroupVersionKind::gvk("source.toolkit.fluxcd.io", "v1", kind)
}

fn by_test() -> PatchOptions<'static> {
    PatchOptions {
        field_manager: Some("test"),
        ..PatchOptions::default()
    }
}
