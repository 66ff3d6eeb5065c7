//! How a Kustomization is reconciled.
//!
//! ```text
//! observe   the source's artifact, the dependencies          reads only
//! plan      sleep, remove, refuse, wait or work              pure
//! perform   fetch, build, record, apply, prune, await health
//! conclude  conditions, inventory, history, events, requeue  pure
//! ```
//!
//! What is in flight is always on record: before anything is applied, the inventory
//! in the status names everything that will be, so that a process that is killed at
//! any point leaves nothing behind that the next one would not find. While objects
//! become healthy, the worker serves other Kustomizations.
//!
//! A run that finds its revision applied and healthy shows no progress unless it
//! takes long or finds something to do: it reads, compares and says that it did.

mod artifacts;
mod build;
mod conclude;
mod decryption;
mod dependency;
mod memo;
mod observe;
mod perform;
mod plan;
pub mod rehearsal;
mod remotes;
mod removal;
mod source;
mod timing;
mod turn;
mod variables;
mod watches;

use std::collections::HashMap;
use std::num::NonZeroUsize;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread::available_parallelism;
use std::time::Duration;

use k8s_openapi::api::core::v1::{ConfigMap, Secret};
use sluice_api::kustomize::{self, Kustomization, KustomizationStatus, SubstituteReferenceKind};
use sluice_api::source::{Bucket, ExternalArtifact, GitRepository, OciRepository};
use sluice_apply::{ApplierSettings, Watches};
use sluice_artifact::cache::CacheBounds;
use sluice_engine::{Controller, ObjectKey, Outcome, Reconciler, Run};
use sluice_host::{Clusters, Component};
use sluice_trees::RemoteFetcher;
use tokio::sync::Semaphore;

use crate::args::{self, Args};
use crate::{Error, NAME};
use conclude::End;
use dependency::Expressions;
use memo::Memo;
use observe::Sources;
use plan::{Decision, Policy};

/// Condition types that only this controller writes.
const CONDITIONS: &[&str] = &["Ready", "Reconciling", "Stalled", "Healthy"];

/// Builds that may wait for a server without a worker. Each keeps a thread and the files of its
/// artifact.
const ABSENT: usize = 32;

/// What was built, as packed text: some thousand Kustomizations of ten objects.
const BUILT: CacheBounds = CacheBounds {
    bytes: 4 << 20,
    age: KEPT,
};

/// How long what was downloaded or built is kept for a run that needs it again. Most intervals are
/// shorter.
const KEPT: Duration = Duration::from_hours(1);

/// Reconciles Kustomizations.
pub struct KustomizationReconciler {
    component: Component,
    policy: Policy,
    sources: Sources,
    artifacts: artifacts::Artifacts,
    clusters: Clusters,
    keys: decryption::Operator,
    /// The way to remote bases, unless they are off.
    remotes: Option<RemoteFetcher>,
    /// What was built.
    memo: Arc<Memo>,
    /// How many threads one build may use.
    threads: NonZeroUsize,
    settings: Arc<ApplierSettings>,
    watches: Watches,
    switches: Switches,
    /// One permit for each core. More builds at once end no earlier, and each holds memory.
    builders: Arc<Semaphore>,
    /// One permit for each build that may wait for a server without a worker.
    absent: Semaphore,
    /// Who waits for a dependency: marked before dependencies are read, so that one
    /// that becomes ready in between is not missed.
    waiting: Waiting,
}

/// Gates and flags that change what is performed.
#[derive(Debug, Clone, Copy)]
struct Switches {
    fail_fast: bool,
    cancel_health_checks: bool,
    group_changes: bool,
    /// Variables without a value are errors.
    strict_substitution: bool,
}

/// The Kustomizations whose dependencies are not met, as far as is known, with the expressions that
/// say when they are: compiled when an object began to wait, and not for each change of another.
#[derive(Debug, Clone, Default)]
struct Waiting(Arc<Mutex<HashMap<ObjectKey, Arc<Expressions>>>>);

impl Waiting {
    fn insert(&self, key: &ObjectKey, expressions: &Arc<Expressions>) {
        self.lock().insert(key.clone(), Arc::clone(expressions));
    }

    fn remove(&self, key: &ObjectKey) {
        self.lock().remove(key);
    }

    fn contains(&self, key: &ObjectKey) -> bool {
        self.lock().contains_key(key)
    }

    fn expressions(&self, key: &ObjectKey) -> Option<Arc<Expressions>> {
        self.lock().get(key).cloned()
    }

    fn lock(&self) -> MutexGuard<'_, HashMap<ObjectKey, Arc<Expressions>>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Builds the controller with its watches.
pub(crate) fn controller(
    args: &Args,
    component: &Component,
) -> Result<Controller<KustomizationReconciler>, Error> {
    let gates = component.gates();
    args.validate(gates)?;
    let mut settings = ApplierSettings::new(NAME, kustomize::GROUP);
    settings.concurrency = args.concurrent_ssa.max(1);
    settings
        .overridden_managers
        .clone_from(&args.override_manager);
    settings.custom_stage_kinds = args.stage_kinds()?;
    settings.migrate_api_version = gates.enabled(args::MIGRATE_API_VERSION);
    let waiting = Waiting::default();
    let threads = available_parallelism().unwrap_or(NonZeroUsize::MIN);
    let reconciler = KustomizationReconciler {
        component: component.clone(),
        policy: Policy::of(args, gates),
        sources: Sources::new(component, gates.enabled(args::DIRECT_SOURCE_FETCH)),
        artifacts: artifacts::Artifacts::new(args).map_err(Error::Download)?,
        clusters: Clusters::new(component, args.clusters(gates)),
        keys: decryption::Operator::of(args).map_err(args::FlagError::from)?,
        memo: Arc::new(Memo::within(BUILT)),
        remotes: (!args.no_remote_bases).then(remotes::remotes),
        threads,
        settings: Arc::new(settings),
        watches: Watches::default(),
        switches: Switches {
            fail_fast: !gates.enabled(args::DISABLE_FAIL_FAST),
            cancel_health_checks: gates.enabled(args::CANCEL_HEALTH_CHECK_ON_NEW_REVISION),
            group_changes: gates.enabled(args::GROUP_CHANGE_LOG),
            strict_substitution: gates.enabled(args::STRICT_SUBSTITUTION),
        },
        builders: Arc::new(Semaphore::new(threads.get())),
        absent: Semaphore::new(ABSENT),
        waiting: waiting.clone(),
    };
    let selector = &args.shared.config_selector.watch_configs_label_selector;
    let mut controller = Controller::new(component.engine(), reconciler)
        .concurrent(args.concurrent)
        .owns_conditions(CONDITIONS)
        .watches(watches::source::<GitRepository>())
        .watches(watches::source::<OciRepository>())
        .watches(watches::source::<Bucket>())
        .watches(watches::dependencies(waiting.clone()))
        .watches(watches::expressions(waiting));
    if !gates.enabled(args::DISABLE_CONFIG_WATCHERS) {
        controller = controller
            .watches(watches::configs::<ConfigMap>(
                SubstituteReferenceKind::ConfigMap,
                selector,
            ))
            .watches(watches::configs::<Secret>(
                SubstituteReferenceKind::Secret,
                selector,
            ));
    }
    if gates.enabled(args::EXTERNAL_ARTIFACT) {
        controller = controller.watches(watches::source::<ExternalArtifact>());
    }
    Ok(controller)
}

impl Reconciler for KustomizationReconciler {
    type Object = Kustomization;

    async fn reconcile(
        &self,
        object: Arc<Kustomization>,
        run: &Run<Kustomization>,
    ) -> Outcome<KustomizationStatus> {
        let decision = match plan::at_sight(&object, &self.policy) {
            Err(decision) => decision,
            Ok(checked) => {
                let observing = self.observe(&object, &checked.expressions, run);
                let observed = Box::pin(observing).await;
                plan::decide(&object, &self.policy, checked, &observed)
            }
        };
        // Who waits was marked before its dependencies were read.
        if !matches!(&decision, Decision::Wait(pending) if pending.is_for_dependencies()) {
            self.waiting.remove(run.key());
        }
        // A thousand may be at it at once, and each waits for most of its time.
        drop(object);
        let end = match decision {
            Decision::Work(plan) => {
                if let Err(error) = Box::pin(run.ensure_finalizer()).await {
                    return Outcome::untouched(conclude::unwritable(&error));
                }
                let done = Box::pin(self.work(&plan, run)).await;
                End::Worked(plan, done)
            }
            Decision::Remove(removal) => {
                let removed = Box::pin(self.remove(&removal, run)).await;
                End::Removed(removed)
            }
            idle => End::Idle(idle),
        };
        let now = self.component.clock().now();
        conclude::conclude(&run.object(), end, run.started(), now)
    }

    fn forget(&self, key: &ObjectKey) {
        self.waiting.remove(key);
    }
}
