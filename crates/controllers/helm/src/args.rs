//! The controller's flags, with Flux's names and defaults, and its gates.

use std::time::Duration;

use sluice_consumer::DownloadArgs;
use sluice_digest::Algorithm;
use sluice_host::args::{ArgsError, parse_duration};
use sluice_host::gates::{CACHE_SECRETS_AND_CONFIG_MAPS, OBJECT_LEVEL_WORKLOAD_IDENTITY};
use sluice_host::{ClusterArgs, FeatureGates, Gate, SharedArgs};

use crate::oom_watch;

/// Evaluate `readyExpr` in addition to the usual readiness check of a dependency.
pub(crate) const ADDITIVE_EXPRESSIONS: &str = "AdditiveCELDependencyCheck";
/// Let templates look up host names.
pub(crate) const ALLOW_DNS_LOOKUPS: &str = "AllowDNSLookups";
/// Cancel a running wait as soon as its object is enqueued again.
pub(crate) const CANCEL_HEALTH_CHECK_ON_NEW_REVISION: &str = "CancelHealthCheckOnNewRevision";
/// Retry failed actions instead of remediating them.
pub(crate) const DEFAULT_TO_RETRY_ON_FAILURE: &str = "DefaultToRetryOnFailure";
/// Read sources from the API server instead of the watch.
pub(crate) const DIRECT_SOURCE_FETCH: &str = "DirectSourceFetch";
/// Do not add the digest of an OCI artifact to the version of its chart.
pub(crate) const DISABLE_CHART_DIGEST_TRACKING: &str = "DisableChartDigestTracking";
/// Leave Secrets and config maps unwatched.
pub(crate) const DISABLE_CONFIG_WATCHERS: &str = "DisableConfigWatchers";
/// Take charts from `ExternalArtifact`.
pub(crate) const EXTERNAL_ARTIFACT: &str = "ExternalArtifact";
/// Stop before the kernel ends the process for its use of memory.
pub(crate) const OOM_WATCH: &str = "OOMWatch";
/// Use the defaults of Helm 3: client-side apply, its waits and its post-rendering.
pub(crate) const USE_HELM3_DEFAULTS: &str = "UseHelm3Defaults";

/// The feature gates of Flux's controller, with its defaults. `AdoptLegacyReleases`,
/// `CorrectDrift` and `DetectDrift` are accepted without effect.
pub const GATES: &[Gate] = &[
    Gate::off(ADDITIVE_EXPRESSIONS),
    Gate::off("AdoptLegacyReleases"),
    Gate::off(ALLOW_DNS_LOOKUPS),
    Gate::off(CACHE_SECRETS_AND_CONFIG_MAPS),
    Gate::off(CANCEL_HEALTH_CHECK_ON_NEW_REVISION),
    Gate::off("CorrectDrift"),
    Gate::off(DEFAULT_TO_RETRY_ON_FAILURE),
    Gate::off("DetectDrift"),
    Gate::off(DIRECT_SOURCE_FETCH),
    Gate::off(DISABLE_CHART_DIGEST_TRACKING),
    Gate::off(DISABLE_CONFIG_WATCHERS),
    Gate::off(EXTERNAL_ARTIFACT),
    Gate::off(OOM_WATCH),
    Gate::off(OBJECT_LEVEL_WORKLOAD_IDENTITY),
    Gate::off(USE_HELM3_DEFAULTS),
];

/// Reconcile `HelmRelease`s
#[derive(Debug, Clone, clap::Args)]
pub struct Args {
    /// Number of concurrent reconciliations
    #[arg(long, default_value_t = 4, value_name = "NUMBER")]
    pub concurrent: usize,

    /// Interval for rechecking dependencies and sources that are not ready
    #[arg(long, default_value = "30s", value_parser = parse_duration, value_name = "DURATION")]
    pub requeue_dependency: Duration,

    /// Time for running actions to finish at shutdown
    #[arg(long, default_value = "600s", value_parser = parse_duration, value_name = "DURATION")]
    pub graceful_shutdown_timeout: Duration,

    /// The flags of artifact downloads.
    #[command(flatten)]
    pub downloads: DownloadArgs,

    /// Timeout of an artifact download
    #[arg(long, default_value = "30s", value_parser = parse_duration, value_name = "DURATION")]
    pub http_timeout: Duration,

    /// Percentage of the memory limit at which the OOM watch stops
    #[arg(long, default_value_t = 95, value_name = "PERCENT")]
    pub oom_watch_memory_threshold: u8,

    /// Interval at which the OOM watch reads the use of memory
    #[arg(long, default_value = "500ms", value_parser = parse_duration, value_name = "DURATION")]
    pub oom_watch_interval: Duration,

    /// File with the memory limit for the OOM watch
    #[arg(long, default_value = "", value_name = "FILE")]
    pub oom_watch_max_memory_path: String,

    /// File with the use of memory for the OOM watch
    #[arg(long, default_value = "", value_name = "FILE")]
    pub oom_watch_current_memory_path: String,

    /// Digest algorithm of release snapshots
    #[arg(long, default_value = "sha256", value_name = "ALGORITHM")]
    pub snapshot_digest_algo: String,

    /// Take over fields of these field managers in drift detection
    #[arg(long, value_name = "NAME")]
    pub override_manager: Vec<String>,

    /// The flags of tenants and remote clusters.
    #[command(flatten)]
    pub clusters: ClusterArgs,

    /// The flags that all controllers have.
    #[command(flatten)]
    pub shared: SharedArgs,
}

/// Error of flags that clap cannot check.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum FlagError {
    /// The digest algorithm is unknown.
    #[error("--snapshot-digest-algo: unsupported digest algorithm: {0}")]
    Algorithm(String),
    /// The flags that other controllers have too are invalid.
    #[error(transparent)]
    Shared(#[from] ArgsError),
}

impl Args {
    /// Settings of the gate `OOMWatch`.
    pub(crate) fn oom_watch(&self) -> oom_watch::Settings<'_> {
        oom_watch::Settings {
            max_path: &self.oom_watch_max_memory_path,
            current_path: &self.oom_watch_current_memory_path,
            threshold: self.oom_watch_memory_threshold,
            interval: self.oom_watch_interval,
        }
    }

    /// Checks how flags and feature gates relate, which clap cannot.
    pub fn validate(&self, gates: &FeatureGates) -> Result<(), FlagError> {
        self.clusters.validate(gates)?;
        self.algorithm().map(drop)
    }

    /// The digest algorithm of snapshots.
    pub(crate) fn algorithm(&self) -> Result<Algorithm, FlagError> {
        let name = &*self.snapshot_digest_algo;
        let known = Algorithm::ALL
            .into_iter()
            .find(|known| known.name() == name);
        known.ok_or_else(|| FlagError::Algorithm(name.to_owned()))
    }
}
