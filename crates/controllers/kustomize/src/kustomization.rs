//! Reconciles Kustomizations.
//!
//! ```text
//! model     the plan, the steps and their results                   data
//! observe   the source's artifact, the dependencies                 reads only
//! plan      remove, refuse, wait, or the next step                  pure
//! perform   one step: fetch, build, apply, prune, check health
//! conclude  conditions, inventory, history, events, requeue         pure
//! ```
//!
//! The status inventory names every object before it is applied. A process that is killed at any
//! point therefore leaves no object that the next process cannot find. The worker serves other
//! Kustomizations while objects become healthy.
//!
//! A run on an applied and healthy revision writes no progress, unless it is slow or finds changes.

mod build;
mod build_cache;
mod build_slot;
mod conclude;
mod decryption;
mod model;
mod observe;
mod perform;
mod plan;
pub mod rehearsal;
mod remotes;
mod removal;
mod source;
mod timing;
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
use sluice_consumer::{ArtifactFetcher, Expressions};
use sluice_engine::{
    Controller, Decision, End, ObjectKey, Outcome, Progress, Reconciler, Reconciliation, Run, Times,
};
use sluice_host::{Clusters, Component};
use sluice_trees::RemoteFetcher;
use tokio::sync::Semaphore;

use crate::args::{self, Args};
use crate::{Error, NAME};
use build_cache::BuildCache;
use conclude::Ending;
use model::{Facts, RunFailure, Step};
use observe::Sources;
use plan::Policy;

/// Condition types that only this controller writes.
const CONDITIONS: &[&str] = &["Ready", "Reconciling", "Stalled", "Healthy"];

/// Maximum number of builds that wait for a server without a worker. Each holds a thread and the
/// files of its artifact.
const MAX_DETACHED_BUILDS: usize = 32;

/// Bounds of the build cache, enough for some thousand Kustomizations of ten objects.
const BUILD_CACHE_BOUNDS: CacheBounds = CacheBounds {
    bytes: 4 << 20,
    age: MAX_CACHE_AGE,
};

/// Maximum age of cached builds. Most intervals are shorter.
const MAX_CACHE_AGE: Duration = Duration::from_hours(1);

/// Reconciles Kustomizations.
pub(crate) struct KustomizationReconciler {
    component: Component,
    policy: Policy,
    sources: Sources,
    artifacts: ArtifactFetcher,
    clusters: Clusters,
    keys: decryption::DecryptionSettings,
    /// Fetcher of remote bases, unless they are disabled.
    remotes: Option<RemoteFetcher>,
    build_cache: Arc<BuildCache>,
    /// Maximum number of threads of one build.
    threads: NonZeroUsize,
    settings: Arc<ApplierSettings>,
    watches: Watches,
    switches: Switches,
    /// One permit for each core. More builds at once do not end earlier, and each holds memory.
    build_permits: Arc<Semaphore>,
    /// One permit for each build that may wait for a server without a worker.
    detached_builds: Semaphore,
    /// Objects that wait for a dependency. They are added before the dependencies are read, so that
    /// a dependency that becomes ready in between still wakes them.
    waiting: WaitingObjects,
}

/// Feature gates and flags that change the effects of a run.
#[derive(Debug, Clone, Copy)]
struct Switches {
    fail_fast: bool,
    cancel_health_checks: bool,
    group_changes: bool,
    /// Variables without a value are errors.
    strict_substitution: bool,
}

/// The Kustomizations with unmet dependencies, each with its compiled `readyExpr` expressions.
/// They are compiled once per wait, not for each change of a dependency.
#[derive(Debug, Clone, Default)]
struct WaitingObjects(Arc<Mutex<HashMap<ObjectKey, Arc<Expressions>>>>);

impl WaitingObjects {
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
) -> Result<Controller<Reconciliation<KustomizationReconciler>>, Error> {
    let gates = component.gates();
    args.validate(gates)?;
    let mut settings = ApplierSettings::new(NAME, kustomize::GROUP);
    settings.concurrency = args.concurrent_ssa.max(1);
    settings
        .overridden_managers
        .clone_from(&args.override_manager);
    settings.custom_stage_kinds = args.stage_kinds()?;
    settings.migrate_api_version = gates.enabled(args::MIGRATE_API_VERSION);
    let waiting = WaitingObjects::default();
    let threads = available_parallelism().unwrap_or(NonZeroUsize::MIN);
    let reconciler = KustomizationReconciler {
        component: component.clone(),
        policy: Policy::of(args, gates),
        sources: Sources::new(component, gates.enabled(args::DIRECT_SOURCE_FETCH)),
        artifacts: ArtifactFetcher::new(&args.downloads()).map_err(Error::Download)?,
        clusters: Clusters::new(component, args.clusters(gates)),
        keys: decryption::DecryptionSettings::of(args).map_err(args::FlagError::from)?,
        build_cache: Arc::new(BuildCache::within(BUILD_CACHE_BOUNDS)),
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
        build_permits: Arc::new(Semaphore::new(threads.get())),
        detached_builds: Semaphore::new(MAX_DETACHED_BUILDS),
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
    type Observed = Facts;
    type Plan = Step;
    type Failure = RunFailure;

    async fn observe(&self, object: &Arc<Kustomization>, run: &Run<Kustomization>) -> Facts {
        self.read_facts(object, run).await
    }

    fn plan(&self, object: &Kustomization, facts: &Facts) -> Decision<Step, RunFailure> {
        plan::plan(object, &self.policy, facts)
    }

    fn progress(
        &self,
        object: &Arc<Kustomization>,
        facts: &Facts,
        step: &Step,
        times: Times,
    ) -> Progress<KustomizationStatus> {
        conclude::step_progress(object, facts, step, times.now)
    }

    async fn perform(
        &self,
        step: Step,
        _object: &Arc<Kustomization>,
        facts: &mut Facts,
        run: &Run<Kustomization>,
    ) -> Result<(), RunFailure> {
        self.step(step, facts, run).await
    }

    fn ended(&self, key: &ObjectKey, end: &End<Facts, RunFailure>) {
        // `observe` adds waiting objects before it reads their dependencies.
        let is_waiting = matches!(
            end,
            End::Stopped(_, RunFailure::Waiting(pending)) if pending.is_for_dependencies()
        );
        if !is_waiting {
            self.waiting.remove(key);
        }
    }

    fn conclude(
        &self,
        object: &Kustomization,
        end: End<Facts, RunFailure>,
        times: Times,
    ) -> Outcome<KustomizationStatus> {
        conclude::conclude(object, Ending::of(end), times)
    }

    fn forget(&self, key: &ObjectKey) {
        self.waiting.remove(key);
    }
}

#[cfg(test)]
#[path = "kustomization/tests/dependency.rs"]
mod dependency_tests;
