//! Applies objects stage by stage, as one identity on one cluster.
//!
//! [`Applier::apply_staged`] is the entry point. Each stage first resolves the kinds of its objects
//! (`applier/resolve.rs`) and evaluates them with reads and dry-runs (`applier/evaluate.rs`). Only
//! when all objects pass are the steps performed, rank by rank (`applier/perform.rs`).

pub(crate) mod evaluate;
pub(crate) mod perform;
pub(crate) mod preview;
mod resolve;

use std::collections::{HashMap, HashSet};
use std::fmt;
use std::future::Future;
use std::sync::{Arc, OnceLock};
use std::time::Duration;

use crate::health::HealthEvaluators;
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
use crate::target::WaitTarget;
use crate::wait::{WaitError, WaitOptions, Waiter, Watches};

use evaluate::Step;
use resolve::ResolvedStage;

/// Maximum time until a stage is ready.
const STAGE_TIMEOUT: Duration = Duration::from_mins(1);
/// Maximum time until a kind is served after its definition is established.
const SERVED_TIMEOUT: Duration = Duration::from_secs(10);

/// Settings for all applies of a controller.
#[derive(Clone, Debug)]
pub struct ApplierSettings {
    /// The field manager, such as `kustomize-controller`.
    pub field_manager: String,
    /// The prefix of labels and annotations, such as `kustomize.toolkit.fluxcd.io`.
    pub group: String,
    /// Maximum number of concurrent requests of an apply.
    pub concurrency: usize,
    /// Managers whose fields are taken over, in addition to the default ones.
    pub overridden_managers: Vec<String>,
    /// Kinds that are applied before the others, in a stage without a wait.
    pub custom_stage_kinds: Vec<GroupKind>,
    /// Whether to rewrite the API version of managed fields before each apply; see `migrate`.
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

/// Options of an apply.
#[derive(Clone, Copy, Debug)]
pub struct ApplyOptions<'a> {
    /// The owner of the objects. The caller sets the labels with [`Applier::set_owner`].
    pub owner: &'a Owner,
    /// The objects that exist already. Others are expected to be new, which saves a request per
    /// object; a wrong expectation costs one request.
    pub known: &'a Inventory,
    /// Whether to recreate objects after changes to immutable fields.
    pub force: bool,
    /// Runs the waits of the apply: for a ready stage, for a served kind, and for the deletion
    /// before a recreation. Waits do not overlap. Without a runner they are just awaited.
    pub wait_runner: Option<&'a dyn WaitRunner>,
}

/// Runs waits in the middle of an apply. A worker pool releases the worker's permit meanwhile.
pub trait WaitRunner: fmt::Debug + Sync {
    /// Awaits `wait`.
    fn run_wait<'a>(&'a self, wait: BoxFuture<'a, ()>) -> BoxFuture<'a, ()>;
}

/// The result of an apply.
#[derive(Clone, Debug, Default)]
pub struct ApplyOutcome {
    /// The changes.
    pub changes: ChangeSet,
    /// The objects to wait for: all that were not skipped, with their observed state.
    pub targets: Vec<WaitTarget>,
}

/// Awaits a future with the caller's runner.
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

/// Applies and deletes objects, as one identity on one cluster.
#[derive(Clone, Debug)]
pub struct Applier {
    pub(crate) cluster: Cluster,
    pub(crate) settings: Arc<ApplierSettings>,
    pub(crate) markers: Arc<Markers>,
    waiter: Waiter,
    ignore: Arc<IgnoreRules>,
    secrets: Arc<SecretValues>,
    former: Arc<[FormerManager]>,
}

impl Applier {
    /// Creates an applier. All appliers of a process share `watches`.
    pub fn new(
        cluster: Cluster,
        settings: Arc<ApplierSettings>,
        watches: Watches,
        clock: Arc<dyn Clock>,
    ) -> Self {
        let former = former_managers(&settings.field_manager, &settings.overridden_managers);
        Self {
            waiter: Waiter {
                cluster: cluster.clone(),
                watches,
                clock,
                evaluators: Arc::default(),
            },
            cluster,
            markers: Arc::new(Markers::new(&settings.group)),
            former: former.into(),
            settings,
            ignore: Arc::default(),
            secrets: Arc::default(),
        }
    }

    /// Evaluates the health of some kinds by expressions.
    #[must_use]
    pub fn with_evaluators(self, evaluators: Arc<HealthEvaluators>) -> Self {
        let waiter = Waiter {
            evaluators,
            ..self.waiter
        };
        Self { waiter, ..self }
    }

    /// Ignores some fields of some objects.
    #[must_use]
    pub fn with_ignore_rules(self, ignore: Arc<IgnoreRules>) -> Self {
        Self { ignore, ..self }
    }

    /// Masks values in messages about any object.
    #[must_use]
    pub fn with_secret_values(self, secrets: Arc<SecretValues>) -> Self {
        Self { secrets, ..self }
    }

    /// Describes a failure on an object without secrets.
    fn failure(
        &self,
        object: &Object,
        operation: Operation,
        error: &sluice_client::Error,
    ) -> ObjectFailure {
        let mut failure = ObjectFailure::new(object, operation, error);
        failure.message = self.secrets.mask(failure.message);
        failure
    }

    /// Waits until all objects are Current. `cancel` ends the wait when it resolves; dropping the
    /// future ends it too.
    pub async fn wait(
        &self,
        targets: Vec<WaitTarget>,
        options: WaitOptions,
        cancel: impl Future<Output = ()>,
    ) -> Result<(), WaitError> {
        self.waiter.wait(targets, options, cancel).await
    }

    /// Waits until all objects are deleted.
    pub async fn wait_gone(
        &self,
        targets: impl IntoIterator<Item = WaitTarget>,
        options: WaitOptions,
    ) -> Result<(), WaitError> {
        self.waiter.wait_gone(targets, options).await
    }

    /// The cluster, with the identity of the applier.
    pub fn cluster(&self) -> &Cluster {
        &self.cluster
    }

    /// Sets the owner labels on objects.
    pub fn set_owner(&self, objects: &mut [Object], owner: &Owner) {
        for object in objects {
            self.markers.set_owner(object, owner);
        }
    }

    /// Applies objects in stages: definitions, classes, custom kinds, the rest.
    ///
    /// A stage is only written when all of its objects pass. When a later stage or a wait fails,
    /// the error contains the changes so far. Dropping the future early loses them.
    pub async fn apply_staged(
        &self,
        mut objects: Vec<Object>,
        options: &ApplyOptions<'_>,
    ) -> Result<ApplyOutcome, ApplyFailure> {
        objects.iter_mut().for_each(normalize);
        let mut run = ApplyRun {
            options,
            defined: defined_kinds(&objects),
            resources: HashMap::new(),
            selector: self.markers.owner_selector(options.owner).into(),
            outcome: ApplyOutcome::default(),
        };
        match self.apply_stages(objects, &mut run).await {
            Ok(()) => Ok(run.outcome),
            Err(error) => Err(ApplyFailure {
                error,
                changes: run.outcome.changes,
            }),
        }
    }

    async fn apply_stages(
        &self,
        objects: Vec<Object>,
        run: &mut ApplyRun<'_>,
    ) -> Result<(), ApplyError> {
        for (stage, objects) in order::split_stages(objects, &self.settings.custom_stage_kinds) {
            let ResolvedStage { objects, skipped } = self.resolve_stage(objects, run).await?;
            let steps = self.evaluate_all(&objects, run).await?;
            let mut is_outdated = steps
                .iter()
                .any(|step| matches!(step, Step::Recreate { .. }));
            run.outcome.changes.extend(skipped);
            let targets = self.perform_all(objects, steps, run).await?;
            if stage.is_waited_for() {
                is_outdated |= !targets.iter().all(WaitTarget::was_current);
                let options = WaitOptions {
                    timeout: STAGE_TIMEOUT,
                    fail_fast: false,
                };
                let wait = self.wait(targets.clone(), options, std::future::pending());
                run_wait(run.options.wait_runner, wait).await?;
            }
            run.outcome.targets.extend(targets);
            if is_outdated {
                // The wait may have changed objects that were observed before.
                run.outcome
                    .targets
                    .iter_mut()
                    .for_each(WaitTarget::discard_state);
            }
        }
        Ok(())
    }
}

/// Polls until a kind is served, with growing intervals.
#[derive(Debug)]
pub struct ServedBackoff {
    deadline: tokio::time::Instant,
    step: Duration,
}

impl ServedBackoff {
    /// Starts the time in which the kind may appear.
    pub fn start() -> Self {
        Self {
            deadline: tokio::time::Instant::now() + SERVED_TIMEOUT,
            step: Duration::from_millis(50),
        }
    }

    /// Whether another poll may follow.
    pub fn has_time(&self) -> bool {
        tokio::time::Instant::now() < self.deadline
    }

    /// Pauses before the next poll.
    pub async fn wait(&mut self) {
        tokio::time::sleep(self.step).await;
        self.step = (self.step * 2).min(Duration::from_secs(1));
    }
}

/// A normalized object with its resource.
struct ResolvedObject {
    object: Object,
    resource: Resource,
    /// The object without unknown fields, set by a dry-run that found some.
    known: OnceLock<Object>,
    /// The paths of these fields, without secret values.
    unknown: OnceLock<Vec<String>>,
}

impl ResolvedObject {
    fn new(object: Object, resource: Resource) -> Self {
        Self {
            object,
            resource,
            known: OnceLock::new(),
            unknown: OnceLock::new(),
        }
    }

    /// The object to send.
    fn desired(&self) -> &Object {
        self.known.get().unwrap_or(&self.object)
    }

    /// The namespace of the request path.
    fn namespace(&self) -> Option<&str> {
        Some(self.object.namespace()).filter(|namespace| !namespace.is_empty())
    }
}

/// An apply in progress.
struct ApplyRun<'a> {
    options: &'a ApplyOptions<'a>,
    /// Kinds that the set defines, which may be served with a delay.
    defined: HashSet<GroupKind>,
    resources: HashMap<GroupVersionKind, Resource>,
    /// The label selector of the owner's objects.
    selector: Arc<str>,
    outcome: ApplyOutcome,
}

impl ApplyRun<'_> {
    fn defines(&self, object: &Object) -> bool {
        self.defined.contains(&object.group_kind())
    }
}

/// Lists the kinds that the set defines.
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

    /// Never called. It checks that the futures are `Send`, so that controllers can spawn them.
    #[expect(dead_code, reason = "the compiler checks the types")]
    fn everything_can_be_spawned(
        applier: &'static Applier,
        options: &'static ApplyOptions<'static>,
        stale: &'static Inventory,
    ) {
        fn is_send<T: Send>(_: T) {}
        is_send(applier.apply_staged(Vec::new(), options));
        is_send(applier.prune(stale, options.owner));
        let options = WaitOptions {
            timeout: STAGE_TIMEOUT,
            fail_fast: true,
        };
        is_send(applier.wait(Vec::new(), options, std::future::pending()));
        is_send(applier.wait_gone(Vec::new(), options));
        is_send(async move {
            // With a borrow shorter than 'static, like in a reconciler.
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
