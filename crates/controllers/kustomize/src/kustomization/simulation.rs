//! Simulates a run on a stored object, without a cluster. Only for tests.
//!
//! The simulation plans and builds the files of an artifact. It concludes once for each way in
//! which the effects can end. The fuzzer uses it to check on arbitrary objects and files that
//! nothing panics and that statuses stay truthful. Start at [`simulate`].

use std::sync::Arc;
use std::time::Duration;

use jiff::Timestamp;
use sluice_api::artifact::Artifact;
use sluice_api::kustomize::{Kustomization, KustomizationStatus};
use sluice_api::meta::reason;
use sluice_apply::{Inventory, SecretValues};
use sluice_consumer::{Expressions, SourceLookup, UnmetDependency, dependency};
use sluice_engine::acl::References;
use sluice_engine::watch::order;
use sluice_engine::{Failure, ObjectKey, Outcome, Retry, Times};
use sluice_kustomize::Options;
use sluice_kustomize::fs::MemFs;
use sluice_kustomize::substitute::{self, Variables};
use sluice_render::{Node, render};

use super::conclude::{self, RunEnd};
use super::fault::{FailureEvent, ReportedFailure};
use super::model::{Health, Observation, Phase, Plan, RunReport, Start, union};
use super::plan::{self, stale_objects};
use super::policy::Policy;
use super::{failure, perform};

/// Inputs of a simulated run.
#[derive(Debug, Clone)]
pub struct Scenario {
    /// The object to reconcile.
    pub object: Kustomization,
    /// The artifact of its source, if there is one.
    pub artifact: Option<Artifact>,
    /// Paths and contents of the files in the artifact.
    pub files: Vec<(String, String)>,
    /// The other Kustomizations of the cluster.
    pub others: Vec<Kustomization>,
    /// Whether cross-namespace references are refused, gates disabled and variables required.
    pub is_strict: bool,
    /// Time of the end of the run.
    pub now: Timestamp,
}

/// A status that a run would write, with the state of the cluster by then.
#[derive(Debug, Clone, PartialEq)]
pub struct SimulatedReport<T> {
    /// The status or outcome.
    pub value: T,
    /// Objects that may be in the cluster; `None` if the run did not look.
    pub held: Option<Inventory>,
}

/// All statuses and outcomes that a run can have.
#[derive(Debug, Clone, PartialEq)]
pub struct Simulation {
    /// Statuses during the run.
    pub progress: Vec<SimulatedReport<KustomizationStatus>>,
    /// Outcomes of the run, one for each way to end.
    pub endings: Vec<SimulatedReport<Outcome<KustomizationStatus>>>,
}

/// Simulates a run with every possible end of its effects.
pub fn simulate(scenario: &Scenario) -> Simulation {
    let object = &scenario.object;
    let policy = policy(scenario.is_strict);
    let mut progress = Vec::new();
    let mut ends = Vec::new();
    if object.spec.suspend && object.metadata.deletion_timestamp.is_none() {
        ends.push((RunEnd::Suspended, None));
    } else {
        let start = match plan::decide_from_spec(object, &policy) {
            Err(start) => start,
            Ok(spec) => plan::decide(object, &policy, &spec, &observed(scenario)),
        };
        match start {
            Start::Work(plan) => {
                let plan = Arc::from(plan);
                for (done, held) in possible_ends(scenario, &plan) {
                    progress.push(SimulatedReport {
                        value: conclude::progress_status(object, &plan, &done, scenario.now),
                        held: Some(held.clone()),
                    });
                    ends.push((RunEnd::Worked(Arc::clone(&plan), done), Some(held)));
                }
            }
            Start::Remove(removal) => {
                let refused = Err("refused".to_owned());
                ends.push((RunEnd::Removed(refused), Some(removal.inventory)));
                ends.push((RunEnd::Removed(Ok(())), None));
            }
            Start::Refuse(failure) => ends.push((RunEnd::Refused(failure), None)),
            Start::Wait(pending) => ends.push((RunEnd::Waiting(pending), None)),
        }
    }
    let times = Times {
        started: scenario.now,
        now: scenario.now,
    };
    let endings = ends.into_iter().map(|(ending, held)| SimulatedReport {
        value: conclude::conclude_run(object, ending, times),
        held,
    });
    Simulation {
        progress,
        endings: endings.collect(),
    }
}

/// The Kustomizations in the order in which the queue wakes them.
pub fn in_order(objects: &[Kustomization]) -> Vec<ObjectKey> {
    let objects = objects.iter();
    let objects = objects.map(|object| (ObjectKey::of(object), dependency::of(object)));
    order::sorted(objects.collect())
}

fn policy(is_strict: bool) -> Policy {
    Policy {
        default_service_account: is_strict.then(|| "default".to_owned()),
        references: References {
            no_cross_namespace: is_strict,
        },
        external_artifacts: !is_strict,
        object_level_identity: !is_strict,
        additive_expressions: is_strict,
        requeue_dependency: Duration::from_secs(30),
    }
}

fn observed(scenario: &Scenario) -> Observation {
    let object = &scenario.object;
    let find = |key: &ObjectKey| {
        let mut others = scenario.others.iter();
        others.find(|other| ObjectKey::of(*other) == *key)
    };
    let source = match &scenario.artifact {
        Some(artifact) => SourceLookup::Artifact(Box::new(artifact.clone())),
        None => SourceLookup::NoArtifact,
    };
    let dependencies = dependency::of(object).into_iter().map(|key| {
        let found = find(&key).cloned().map(Arc::new);
        (key, Ok(found))
    });
    let found: Vec<_> = dependencies.collect();
    let revision = scenario
        .artifact
        .as_ref()
        .map(|artifact| &*artifact.revision);
    let message = Expressions::of(object).ok().and_then(|expressions| {
        let revision = revision.unwrap_or_default();
        dependency::all_unmet(object, &expressions, &found, revision, false).next()
    });
    let unmet = message.map(|message| UnmetDependency {
        message,
        cycle: dependency::cycle(&ObjectKey::of(object), |key| {
            find(key).map(dependency::of).unwrap_or_default()
        }),
    });
    Observation { source, unmet }
}

/// The inventory and digest of a build, up to the first cluster request.
fn intended(scenario: &Scenario, plan: &Plan) -> Result<(Inventory, String), ReportedFailure> {
    let files = scenario.files.iter();
    let tree = files.fold(MemFs::new(), |tree, (path, text)| {
        tree.with(path, text.as_str())
    });
    let variables = plan.post_build.as_ref().map(|post_build| {
        let mut variables = Variables::default();
        for (name, value) in &post_build.substitute {
            variables.set(name, value);
        }
        Ok(variables)
    });
    let node = Node {
        directory: perform::directory(plan),
        spec: plan.overlay.clone(),
        variables,
        hidden: SecretValues::default(),
        substitution: substitute::Options {
            strict: scenario.is_strict,
            always: false,
        },
        ..Node::default()
    };
    let built = render(&tree, node, &Options::flux());
    let built = built.map_err(|error| failure::build_failure(&error.into()))?;
    failure::refuse_encrypted(&built.objects)?;
    Ok((perform::intended(&built.objects), built.digest))
}

/// Every possible end of a plan's effects, each with the objects that the cluster may hold then.
fn possible_ends(scenario: &Scenario, plan: &Plan) -> Vec<(RunReport, Inventory)> {
    let known = &plan.known;
    let failed = |reason: &'static str, retry, event| {
        let failure = Failure::message(reason, retry, "refused");
        Some(ReportedFailure { failure, event })
    };
    let retried = |reason| failed(reason, Retry::Backoff, FailureEvent::Error);
    let mut possible_ends = Vec::new();
    for (retry, event) in [
        (Retry::Backoff, FailureEvent::Error),
        (Retry::After(plan.requeue_dependency), FailureEvent::None),
        (Retry::Stalled, FailureEvent::Error),
    ] {
        let fetch_failure = RunReport {
            phase: Some(Phase::Fetching),
            failure: failed(reason::ARTIFACT_FAILED, retry, event),
            ..RunReport::default()
        };
        possible_ends.push((fetch_failure, known.clone()));
    }
    let built = RunReport {
        is_attempted: true,
        phase: Some(Phase::Building),
        ..RunReport::default()
    };
    let (intended, digest) = match intended(scenario, plan) {
        Ok(built) => built,
        Err(failure) => {
            let build_failure = RunReport {
                failure: Some(failure),
                ..built
            };
            possible_ends.push((build_failure, known.clone()));
            return possible_ends;
        }
    };
    let both = union([known, &intended]);
    // The inventory is recorded, then the apply succeeds in part.
    let announced = RunReport {
        digest: Some(digest),
        phase: Some(Phase::Detecting),
        inventory: Some(both.clone()),
        recorded: Some(both.clone()),
        ..built
    };
    let refused = RunReport {
        failure: retried(reason::RECONCILIATION_FAILED),
        ..announced.clone()
    };
    possible_ends.push((announced.clone(), both.clone()));
    possible_ends.push((refused, both.clone()));

    let stale = stale_objects(plan, &intended);
    let mut pruning = announced;
    pruning.record_deleting(&intended, &stale);
    let held = union([&intended, &stale]);
    possible_ends.push((pruning.clone(), held.clone()));
    let mut prune_failure = pruning.clone();
    prune_failure.record_deleted(&intended, &stale);
    prune_failure.failure = retried(reason::PRUNE_FAILED);
    possible_ends.push((prune_failure, held));
    let mut pruned = pruning;
    pruned.record_deleted(&intended, &Inventory::default());
    let healths = [
        (Health::Unchecked, None),
        (Health::Passed(Duration::from_millis(1)), None),
        (
            Health::Failed("not healthy".to_owned()),
            retried(reason::HEALTH_CHECK_FAILED),
        ),
        (
            Health::Cancelled,
            failed(
                reason::HEALTH_CHECK_CANCELED,
                Retry::Backoff,
                FailureEvent::Superseded("something newer waits".to_owned()),
            ),
        ),
    ];
    for (health, failure) in healths {
        let checked = RunReport {
            phase: Some(Phase::CheckingHealth),
            health,
            failure,
            ..pruned.clone()
        };
        possible_ends.push((checked, intended.clone()));
    }
    possible_ends
}

#[cfg(test)]
mod tests {
    use super::super::plan::tests::{artifact, kustomization, ready};
    use super::*;

    fn scenario(object: Kustomization) -> Scenario {
        let manifest =
            "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a, namespace: apps}\n".to_owned();
        Scenario {
            object,
            artifact: Some(artifact("main@sha1:2")),
            files: vec![("deploy/a.yaml".to_owned(), manifest)],
            others: Vec::new(),
            is_strict: false,
            now: "2026-01-01T10:00:00Z".parse().unwrap(),
        }
    }

    fn ids(held: Option<&Inventory>) -> Vec<String> {
        let format = held.unwrap().format();
        format.map(|(id, _)| id).collect()
    }

    #[test]
    fn simulation_covers_every_end() {
        let simulation = simulate(&scenario(ready("a", "main@sha1:1")));
        let (old, new) = ("apps_web_apps_Deployment", "apps_a__ConfigMap");
        let first = simulation.endings.first().unwrap();
        assert_eq!(ids(first.held.as_ref()), [old]);
        let is_ready = |reported: &&SimulatedReport<Outcome<KustomizationStatus>>| {
            let status = reported.value.status.as_ref().unwrap();
            status.conditions.is_true("Ready")
        };
        let good: Vec<_> = simulation.endings.iter().filter(is_ready).collect();
        assert_eq!(ids(good.last().unwrap().held.as_ref()), [new]);
        assert!(good.len() < simulation.endings.len());
        let both = |reported: &SimulatedReport<KustomizationStatus>| {
            ids(reported.held.as_ref()) == [old, new]
        };
        assert!(simulation.progress.iter().any(both));
    }

    #[test]
    fn failed_build_ends_simulation() {
        let mut scenario = scenario(ready("a", "main@sha1:1"));
        scenario.files[0].1 = "a: [".to_owned();
        let endings = simulate(&scenario).endings;
        let last = endings.last().unwrap().value.status.as_ref().unwrap();
        assert_eq!(last.conditions.find("Ready").unwrap().reason, "BuildFailed");
    }

    #[test]
    fn idle_object_has_one_end() {
        let suspended = kustomization("a", |spec| spec["suspend"] = serde_json::json!(true));
        let waiting = kustomization("a", |spec| {
            spec["dependsOn"] = serde_json::json!([{"name": "b"}]);
        });
        for object in [suspended, waiting] {
            let simulation = simulate(&scenario(object));
            assert_eq!(
                (simulation.progress.len(), simulation.endings.len()),
                (0, 1)
            );
        }
    }
}
