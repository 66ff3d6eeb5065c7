//! The limits, caches and settings that the builds and applies of all runs share.

use std::num::NonZeroUsize;
use std::sync::Arc;
use std::thread::available_parallelism;
use std::time::Duration;

use sluice_api::kustomize;
use sluice_apply::{ApplierSettings, Watches};
use sluice_artifact::cache::CacheBounds;
use sluice_host::FeatureGates;
use sluice_system::permits::FairPermits;
use sluice_trees::RemoteFetcher;
use tokio::sync::Semaphore;

use super::build_cache::BuildCache;
use super::remotes;
use crate::NAME;
use crate::args::{self, Args, FlagError};

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

/// The limits, the cache and the fetcher of all builds.
pub(super) struct BuildResources {
    pub(super) cache: Arc<BuildCache>,
    /// One permit of a namespace for each core. More builds at once do not end earlier, and each
    /// holds memory.
    pub(super) permits: FairPermits,
    /// One permit for each build that may wait for a server without a worker.
    pub(super) detached: Semaphore,
    /// Maximum number of threads of one build.
    pub(super) threads: NonZeroUsize,
    /// Fetcher of remote bases, unless they are disabled.
    pub(super) remotes: Option<RemoteFetcher>,
}

impl BuildResources {
    pub(super) fn of(args: &Args) -> Self {
        let threads = available_parallelism().unwrap_or(NonZeroUsize::MIN);
        Self {
            cache: Arc::new(BuildCache::within(BUILD_CACHE_BOUNDS)),
            permits: FairPermits::new(threads),
            detached: Semaphore::new(MAX_DETACHED_BUILDS),
            threads,
            remotes: (!args.no_remote_bases).then(remotes::remotes),
        }
    }
}

/// The settings and the watches of all applies.
pub(super) struct ApplyResources {
    pub(super) settings: Arc<ApplierSettings>,
    pub(super) watches: Watches,
}

impl ApplyResources {
    pub(super) fn of(args: &Args, gates: &FeatureGates) -> Result<Self, FlagError> {
        let mut settings = ApplierSettings::new(NAME, kustomize::GROUP);
        settings.concurrency = args.concurrent_ssa.max(1);
        settings
            .overridden_managers
            .clone_from(&args.override_manager);
        settings.custom_stage_kinds = args.stage_kinds()?;
        settings.migrate_api_version = gates.enabled(args::MIGRATE_API_VERSION);
        Ok(Self {
            settings: Arc::new(settings),
            watches: Watches::default(),
        })
    }
}

/// Feature gates that change the effects of a run.
#[derive(Debug, Clone, Copy)]
pub(super) struct Switches {
    pub(super) fail_fast: bool,
    pub(super) cancel_health_checks: bool,
    pub(super) group_changes: bool,
    /// Variables without a value are errors.
    pub(super) strict_substitution: bool,
}

impl Switches {
    pub(super) fn of(gates: &FeatureGates) -> Self {
        Self {
            fail_fast: !gates.enabled(args::DISABLE_FAIL_FAST),
            cancel_health_checks: gates.enabled(args::CANCEL_HEALTH_CHECK_ON_NEW_REVISION),
            group_changes: gates.enabled(args::GROUP_CHANGE_LOG),
            strict_substitution: gates.enabled(args::STRICT_SUBSTITUTION),
        }
    }
}
