//! One identity's hand on one cluster: how objects are brought there, stage by stage.
//!
//! [`Applier::apply_staged`] is the whole way. Within a stage it is found out first how each object
//! is reached (`applier/locate.rs`), then everything is evaluated (`applier/evaluate.rs`: reads and
//! dry-runs, no effect), and only if nothing was refused are the resulting steps performed
//! (`applier/perform.rs`), rank by rank.

pub(crate) mod evaluate;
mod locate;
pub(crate) mod perform;
pub(crate) mod preview;

use std::collections::{HashMap, HashSet};
use std::fmt;
use std::future::Future;
use std::sync::{Arc, OnceLock};
use std::time::Duration;

use crate::health::{HealthEvaluator, HealthEvaluators};
use futures::future::BoxFuture;
use sluice_client::{Cluster, Resource};
use sluice_object::{GroupKind, GroupVersionKind, Object, ObjectId, Value, order};
use sluice_system::Clock;

use crate::changes::{Action, ChangeSet};
use crate::cleanup::{FormerManager, former_managers};
use crate::error::{ApplyError, ApplyFailure, ObjectFailure, Operation, in_order};
use crate::ignore::IgnoreRules;
use crate::inventory::Inventory;
use crate::markers::{Markers, Owner};
use crate::mask::SecretValues;
use crate::normalize::normalize;
use crate::target::{Seen, WaitTarget};
use crate::wait::{WaitOptions, Watches};

use evaluate::Step;
use locate::Reached;

/// How long a stage may take to become ready before the next one is given up.
const STAGE_TIMEOUT: Duration = Duration::from_mins(1);
/// How long a kind may take to be served once its definition is established.
const SERVED_TIMEOUT: Duration = Duration::from_secs(10);

/// What is the same for every apply of one controller.
#[derive(Clone, Debug)]
pub struct ApplierSettings {
    /// The name under which fields are owned, such as `kustomize-controller`.
    pub field_manager: String,
    /// The prefix of labels and annotations, such as `kustomize.toolkit.fluxcd.io`.
    pub group: String,
    /// Requests that one apply has under way at most.
    pub concurrency: usize,
    /// Managers whose fields are taken over, besides the usual ones.
    pub overridden_managers: Vec<String>,
    /// Kinds that are applied before the rest, in a stage that is not waited for.
    pub custom_stage_kinds: Vec<GroupKind>,
    /// Rewrites the API version of managed fields to that of the desired object before each
    /// apply; see `migrate`.
    pub migrate_api_version: bool,
}

impl ApplierSettings {
    /// Flux's defaults: four concurrent requests, no overridden managers.
    pub fn new(field_manager: &str, group: &str) -> Self {
        Self {
            field_manager: field_manager.to_owned(),
            group: group.to_owned(),
            concurrency: 4,
            overridden_managers: Vec::new(),
            custom_stage_kinds: Vec::new(),
            migrate_api_version: false,
        }
    }
}

/// What differs from one apply to the next.
#[derive(Clone, Copy, Debug)]
pub struct ApplyOptions<'a> {
    /// Whose objects these are; the caller has put their labels on ([`Applier::set_owner`]).
    pub owner: &'a Owner,
    /// What is known to be in the cluster. What is not in here is expected to be new, which saves
    /// a request per object; being wrong costs one and nothing else.
    pub known: &'a Inventory,
    /// Recreates objects that cannot be changed otherwise.
    pub force: bool,
    /// How waits for the cluster are spent (a stage that becomes ready, a kind that comes to be
    /// served, an object that goes before it is recreated); without one, they are just awaited.
    /// One wait at a time.
    pub wait_runner: Option<&'a dyn WaitRunner>,
}

/// How a wait in the middle of an apply is spent. A pool of workers lends the worker to others
/// meanwhile.
pub trait WaitRunner: fmt::Debug + Sync {
    /// Awaits `wait` to its end.
    fn run_wait<'a>(&'a self, wait: BoxFuture<'a, ()>) -> BoxFuture<'a, ()>;
}

/// What an apply brought about.
#[derive(Clone, Debug, Default)]
pub struct ApplyOutcome {
    /// What became of each object.
    pub changes: ChangeSet,
    /// The objects whose health can be waited for: all that were not skipped, with what the
    /// server's answers already tell of it.
    pub targets: Vec<WaitTarget>,
}

/// Awaits a wait in the way that the caller wants it spent.
async fn run_wait<T: Send>(
    wait_runner: Option<&dyn WaitRunner>,
    wait: impl Future<Output = T> + Send,
) -> T {
    let Some(wait_runner) = wait_runner else {
        return wait.await;
    };
    let mut outcome = None;
    wait_runner
        .run_wait(Box::pin(async { outcome = Some(wait.await) }))
        .await;
    outcome.expect("the runner awaits the wait to its end")
}

/// Brings objects into a cluster and out of it, under one identity.
#[derive(Clone, Debug)]
pub struct Applier {
    pub(crate) cluster: Cluster,
    pub(crate) settings: Arc<ApplierSettings>,
    pub(crate) markers: Arc<Markers>,
    pub(crate) watches: Watches,
    pub(crate) clock: Arc<dyn Clock>,
    evaluators: Arc<HealthEvaluators>,
    ignore: Arc<IgnoreRules>,
    hidden: Arc<SecretValues>,
    former: Arc<[FormerManager]>,
}

impl Applier {
    /// `watches` is shared by all appliers of a process, so that they share what they watch.
    pub fn new(
        cluster: Cluster,
        settings: Arc<ApplierSettings>,
        watches: Watches,
        clock: Arc<dyn Clock>,
    ) -> Self {
        let former = former_managers(&settings.field_manager, &settings.overridden_managers);
        Self {
            cluster,
            markers: Arc::new(Markers::new(&settings.group)),
            former: former.into(),
            settings,
            watches,
            clock,
            evaluators: Arc::default(),
            ignore: Arc::default(),
            hidden: Arc::default(),
        }
    }

    /// Judges objects of some kinds by expressions, wherever their health is asked for.
    #[must_use]
    pub fn with_evaluators(self, evaluators: Arc<HealthEvaluators>) -> Self {
        Self { evaluators, ..self }
    }

    /// Leaves some fields of some objects to others.
    #[must_use]
    pub fn with_ignore_rules(self, ignore: Arc<IgnoreRules>) -> Self {
        Self { ignore, ..self }
    }

    /// Keeps some values out of messages, in whatever object they are.
    #[must_use]
    pub fn with_secret_values(self, hidden: Arc<SecretValues>) -> Self {
        Self { hidden, ..self }
    }

    /// What failed on an object, without what is secret.
    fn failure(
        &self,
        object: &Object,
        operation: Operation,
        error: &sluice_client::Error,
    ) -> ObjectFailure {
        let mut failure = ObjectFailure::new(object, operation, error);
        failure.message = self.hidden.mask(failure.message);
        failure
    }

    /// What is to be known of an object that was just read.
    pub(crate) fn see(&self, object: &Object) -> Seen {
        let evaluator = self.evaluator(object.group(), object.kind());
        Seen::of(object, evaluator.map(Arc::as_ref), self.clock.now())
    }

    /// The expressions by which objects of a kind are judged, if any.
    pub(crate) fn evaluator(&self, group: &str, kind: &str) -> Option<&Arc<HealthEvaluator>> {
        self.evaluators.for_kind(group, kind)
    }

    /// The cluster that it acts on, as the identity that it acts as.
    pub fn cluster(&self) -> &Cluster {
        &self.cluster
    }

    /// Puts the owner labels on objects.
    pub fn set_owner(&self, objects: &mut [Object], owner: &Owner) {
        for object in objects {
            self.markers.set_owner(object, owner);
        }
    }

    /// Applies objects in stages: definitions, classes, custom kinds, the rest.
    ///
    /// Nothing of a stage is written unless all of it passed. When a later stage (or the waiting
    /// for one) fails, what was settled until then comes back with the error. Let it run to its
    /// end: who drops the future half-way does not learn what was applied.
    pub async fn apply_staged(
        &self,
        mut objects: Vec<Object>,
        options: &ApplyOptions<'_>,
    ) -> Result<ApplyOutcome, ApplyFailure> {
        objects.iter_mut().for_each(normalize);
        let mut run = Run {
            options,
            defined: defined_kinds(&objects),
            resources: HashMap::new(),
            selector: self.markers.owner_selector(options.owner).into(),
            applied: ApplyOutcome::default(),
        };
        match self.apply_stages(objects, &mut run).await {
            Ok(()) => Ok(run.applied),
            Err(error) => Err(ApplyFailure {
                error,
                changes: run.applied.changes,
            }),
        }
    }

    async fn apply_stages(
        &self,
        objects: Vec<Object>,
        run: &mut Run<'_>,
    ) -> Result<(), ApplyError> {
        for (stage, objects) in order::split_stages(objects, &self.settings.custom_stage_kinds) {
            let Reached {
                located,
                passed_over,
            } = self.locate(objects, run).await?;
            let steps = self.evaluate_all(&located, run).await?;
            let mut is_outdated = steps
                .iter()
                .any(|step| matches!(step, Step::Recreate { .. }));
            run.applied.changes.extend(passed_over);
            let targets = self.perform_all(located, steps, run).await?;
            if stage.is_waited_for() {
                is_outdated |= !targets.iter().all(WaitTarget::was_current);
                let options = WaitOptions {
                    timeout: STAGE_TIMEOUT,
                    fail_fast: false,
                };
                let wait = self.wait(targets.clone(), options, std::future::pending());
                run_wait(run.options.wait_runner, wait).await?;
            }
            run.applied.targets.extend(targets);
            if is_outdated {
                // What was waited for may have changed what was seen before.
                run.applied.targets.iter_mut().for_each(WaitTarget::forget);
            }
        }
        Ok(())
    }
}

/// The time that a kind gets to be served, in growing steps.
struct Patience {
    deadline: tokio::time::Instant,
    step: Duration,
}

impl Patience {
    fn new() -> Self {
        Self {
            deadline: tokio::time::Instant::now() + SERVED_TIMEOUT,
            step: Duration::from_millis(50),
        }
    }

    fn is_left(&self) -> bool {
        tokio::time::Instant::now() < self.deadline
    }

    async fn wait(&mut self) {
        tokio::time::sleep(self.step).await;
        self.step = (self.step * 2).min(Duration::from_secs(1));
    }
}

/// An object, normalised, and how it is reached.
struct Located {
    object: Object,
    resource: Resource,
    /// What is left of the object without fields that the server does not know; set by a dry-run
    /// that met some.
    known: OnceLock<Object>,
}

impl Located {
    fn new(object: Object, resource: Resource) -> Self {
        Self {
            object,
            resource,
            known: OnceLock::new(),
        }
    }

    /// What is sent.
    fn desired(&self) -> &Object {
        self.known.get().unwrap_or(&self.object)
    }

    /// The namespace of the request path.
    fn namespace(&self) -> Option<&str> {
        Some(self.object.namespace()).filter(|namespace| !namespace.is_empty())
    }
}

/// One apply under way.
struct Run<'a> {
    options: &'a ApplyOptions<'a>,
    /// Kinds that the set itself defines: they may be served a moment later than expected.
    defined: HashSet<GroupKind>,
    resources: HashMap<GroupVersionKind, Resource>,
    /// The labels by which the objects of the owner are listed.
    selector: Arc<str>,
    applied: ApplyOutcome,
}

impl Run<'_> {
    fn defines(&self, object: &Object) -> bool {
        self.defined.contains(&object.group_kind())
    }
}

/// Lists the kinds that the set itself defines.
fn defined_kinds(objects: &[Object]) -> HashSet<GroupKind> {
    objects
        .iter()
        .filter(|object| object.is("apiextensions.k8s.io", "CustomResourceDefinition"))
        .filter_map(|definition| {
            Some(GroupKind {
                group: definition.str_at(&["spec", "group"])?.to_owned(),
                kind: definition.str_at(&["spec", "names", "kind"])?.to_owned(),
            })
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Never called: that it compiles is the claim. Controllers spawn what awaits these.
    #[expect(dead_code, reason = "a claim of types")]
    fn everything_can_be_spawned(
        applier: &'static Applier,
        options: &'static ApplyOptions<'static>,
        stale: &'static Inventory,
    ) {
        fn is_send<T: Send>(_: T) {}
        is_send(applier.apply_staged(Vec::new(), options));
        is_send(applier.prune(stale, options.owner));
        let patience = WaitOptions {
            timeout: STAGE_TIMEOUT,
            fail_fast: true,
        };
        is_send(applier.wait(Vec::new(), patience, std::future::pending()));
        is_send(applier.wait_gone(Vec::new(), patience));
        is_send(async move {
            // Borrowed for less than 'static, as a reconciler does.
            let owner = Owner {
                name: String::new(),
                namespace: String::new(),
            };
            let known = Inventory::default();
            let options = ApplyOptions {
                owner: &owner,
                known: &known,
                force: false,
                wait_runner: None,
            };
            drop(applier.apply_staged(Vec::new(), &options).await);
            drop(applier.prune(&known, &owner).await);
        });
    }
}
