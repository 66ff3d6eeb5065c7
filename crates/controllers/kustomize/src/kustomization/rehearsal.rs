//! A run on paper: what would be decided about an object as it is stored, built from the files of
//! its artifact, and said of it however the effects end.
//!
//! No cluster is asked and nothing is brought anywhere; what the effects would find or do is played
//! through, each way in which they may end. Whatever is stored must be decided about without a
//! panic, and what is said must keep the promises that users rely on: this is where that is tried
//! on arbitrary objects and files. Start at [`rehearse`].

use std::sync::Arc;
use std::time::Duration;

use jiff::Timestamp;
use sluice_api::artifact::Artifact;
use sluice_api::kustomize::{Kustomization, KustomizationStatus};
use sluice_api::meta::reason;
use sluice_apply::{Inventory, SecretValues};
use sluice_engine::acl::References;
use sluice_engine::watch::order;
use sluice_engine::{ObjectKey, Outcome};
use sluice_kustomize::Options;
use sluice_kustomize::fs::MemFs;
use sluice_kustomize::substitute::{self, Variables};
use sluice_render::{Node, render};

use super::conclude::{self, End, Phase};
use super::dependency;
use super::observe::{Found, Observed};
use super::perform::{self, Done, Failed, Health, Next};
use super::plan::{self, Decision, Plan, Policy};
use super::removal::Removed;

/// What a run would find.
#[derive(Debug, Clone)]
pub struct Stage {
    /// The object that is reconciled.
    pub object: Kustomization,
    /// The artifact of its source, if there is one.
    pub artifact: Option<Artifact>,
    /// What is in the artifact: paths and texts.
    pub files: Vec<(String, String)>,
    /// The other Kustomizations of the cluster.
    pub others: Vec<Kustomization>,
    /// Whether references must stay in their namespace, gates are closed and variables must be set.
    pub is_strict: bool,
    /// When it ends.
    pub now: Timestamp,
}

/// What would be said, and what the cluster would hold by then.
#[derive(Debug, Clone, PartialEq)]
pub struct Said<T> {
    /// What is written.
    pub words: T,
    /// What may be in the cluster for this object; `None` where nobody has looked.
    pub held: Option<Inventory>,
}

/// A run, played through to every end.
#[derive(Debug, Clone, PartialEq)]
pub struct Rehearsal {
    /// While it is under way.
    pub progress: Vec<Said<KustomizationStatus>>,
    /// At its end, once for each way to end.
    pub endings: Vec<Said<Outcome<KustomizationStatus>>>,
}

/// Goes through a run, and through every way in which its effects may end.
pub fn rehearse(stage: &Stage) -> Rehearsal {
    let object = &stage.object;
    let policy = policy(stage.is_strict);
    let decision = match plan::at_sight(object, &policy) {
        Err(decision) => decision,
        Ok(checked) => plan::decide(object, &policy, checked, &observed(stage)),
    };
    let mut progress = Vec::new();
    let mut ends = Vec::new();
    match decision {
        Decision::Work(plan) => {
            for (done, held) in ways(stage, &plan) {
                progress.push(Said {
                    words: conclude::progress(object, &plan, &done, stage.now),
                    held: Some(held.clone()),
                });
                ends.push((End::Worked(plan.clone(), done), Some(held)));
            }
        }
        Decision::Remove(removal) => {
            let refused = Removed::No("refused".to_owned());
            ends.push((End::Removed(refused), Some(removal.inventory)));
            ends.push((End::Removed(Removed::Yes), None));
        }
        idle => ends.push((End::Idle(idle), None)),
    }
    let endings = ends.into_iter().map(|(end, held)| Said {
        words: conclude::conclude(object, end, stage.now, stage.now),
        held,
    });
    Rehearsal {
        progress,
        endings: endings.collect(),
    }
}

/// The Kustomizations in the order in which they are woken.
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

fn observed(stage: &Stage) -> Observed {
    let object = &stage.object;
    let find = |key: &ObjectKey| {
        let mut others = stage.others.iter();
        others.find(|other| ObjectKey::of(*other) == *key)
    };
    let source = match &stage.artifact {
        Some(artifact) => Found::Artifact(Box::new(artifact.clone())),
        None => Found::Empty,
    };
    let dependencies = dependency::of(object).into_iter().map(|key| {
        let found = find(&key).cloned().map(Arc::new);
        (key, Ok(found))
    });
    Observed {
        source,
        dependencies: dependencies.collect(),
        cycle: dependency::cycle(&ObjectKey::of(object), |key| {
            find(key).map(dependency::of).unwrap_or_default()
        }),
    }
}

/// What a plan makes of the files, up to the first request for a tenant's object.
fn intended(stage: &Stage, plan: &Plan) -> Result<(Inventory, String), Failed> {
    let files = stage.files.iter();
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
            strict: stage.is_strict,
            always: false,
        },
        ..Node::default()
    };
    let built = render(&tree, node, &Options::flux());
    let built = built.map_err(|error| perform::unbuilt(&error.into()))?;
    perform::refuse_encrypted(&built.objects)?;
    Ok((perform::intended(&built.objects), built.digest))
}

/// The ways in which the effects of a plan may end, each with what the cluster may hold then.
fn ways(stage: &Stage, plan: &Plan) -> Vec<(Done, Inventory)> {
    let known = &plan.known;
    let failed = |reason, next: Next| {
        Some(Failed {
            reason,
            message: "refused".to_owned(),
            next,
        })
    };
    let mut ways = Vec::new();
    for next in [Next::Retry, Next::Dependency, Next::Stalled] {
        let unfetched = Done {
            phase: Some(Phase::Fetching),
            failure: failed(reason::ARTIFACT_FAILED, next),
            ..Done::default()
        };
        ways.push((unfetched, known.clone()));
    }
    let built = Done {
        is_attempted: true,
        phase: Some(Phase::Building),
        ..Done::default()
    };
    let (intended, digest) = match intended(stage, plan) {
        Ok(built) => built,
        Err(failure) => {
            let unbuilt = Done {
                failure: Some(failure),
                ..built
            };
            ways.push((unbuilt, known.clone()));
            return ways;
        }
    };
    let both = perform::union([known, &intended]);
    // Announced, and then some of it applied.
    let announced = Done {
        digest: Some(digest),
        phase: Some(Phase::Detecting),
        inventory: Some(both.clone()),
        recorded: Some(both.clone()),
        ..built
    };
    let refused = Done {
        failure: failed(reason::RECONCILIATION_FAILED, Next::Retry),
        ..announced.clone()
    };
    ways.push((announced.clone(), both.clone()));
    ways.push((refused, both.clone()));

    let stale = perform::doomed(plan, &intended);
    let mut pruning = announced;
    pruning.deleting(&intended, &stale);
    let held = perform::union([&intended, &stale]);
    ways.push((pruning.clone(), held.clone()));
    let mut unpruned = pruning.clone();
    unpruned.deleted(&intended, &stale);
    unpruned.failure = failed(reason::PRUNE_FAILED, Next::Retry);
    ways.push((unpruned, held));
    let mut pruned = pruning;
    pruned.deleted(&intended, &Inventory::default());
    let healths = [
        (Health::Unchecked, None),
        (Health::Passed(Duration::from_millis(1)), None),
        (
            Health::Failed("not healthy".to_owned()),
            failed(reason::HEALTH_CHECK_FAILED, Next::Retry),
        ),
        (
            Health::Cancelled,
            failed(
                reason::HEALTH_CHECK_CANCELED,
                Next::Now("something newer waits".to_owned()),
            ),
        ),
    ];
    for (health, failure) in healths {
        let checked = Done {
            phase: Some(Phase::CheckingHealth),
            health,
            failure,
            ..pruned.clone()
        };
        ways.push((checked, intended.clone()));
    }
    ways
}

#[cfg(test)]
mod tests {
    use super::super::plan::tests::{artifact, kustomization, ready};
    use super::*;

    fn stage(object: Kustomization) -> Stage {
        let manifest =
            "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a, namespace: apps}\n".to_owned();
        Stage {
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
    fn work_is_rehearsed_to_every_end() {
        let rehearsal = rehearse(&stage(ready("a", "main@sha1:1")));
        let (old, new) = ("apps_web_apps_Deployment", "apps_a__ConfigMap");
        let first = rehearsal.endings.first().unwrap();
        assert_eq!(ids(first.held.as_ref()), [old]);
        let is_ready = |said: &&Said<Outcome<KustomizationStatus>>| {
            let status = said.words.status.as_ref().unwrap();
            status.conditions.is_true("Ready")
        };
        let good: Vec<_> = rehearsal.endings.iter().filter(is_ready).collect();
        assert_eq!(ids(good.last().unwrap().held.as_ref()), [new]);
        assert!(good.len() < rehearsal.endings.len());
        let both = |said: &Said<KustomizationStatus>| ids(said.held.as_ref()) == [old, new];
        assert!(rehearsal.progress.iter().any(both));
    }

    #[test]
    fn what_cannot_be_built_ends_with_the_build() {
        let mut stage = stage(ready("a", "main@sha1:1"));
        stage.files[0].1 = "a: [".to_owned();
        let endings = rehearse(&stage).endings;
        let last = endings.last().unwrap().words.status.as_ref().unwrap();
        assert_eq!(last.conditions.find("Ready").unwrap().reason, "BuildFailed");
    }

    #[test]
    fn what_needs_no_work_has_one_end() {
        let suspended = kustomization("a", |spec| spec["suspend"] = serde_json::json!(true));
        let waiting = kustomization("a", |spec| {
            spec["dependsOn"] = serde_json::json!([{"name": "b"}]);
        });
        for object in [suspended, waiting] {
            let rehearsal = rehearse(&stage(object));
            assert_eq!((rehearsal.progress.len(), rehearsal.endings.len()), (0, 1));
        }
    }
}
