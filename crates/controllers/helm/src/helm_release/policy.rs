//! The settings of the controller that decisions depend on.

use std::time::Duration;

use sluice_digest::Algorithm;
use sluice_host::FeatureGates;

use crate::args::{self, Args, FlagError};

/// The controller's settings for all releases.
#[derive(Debug, Clone, PartialEq, Eq)]
#[expect(
    clippy::struct_excessive_bools,
    reason = "each field is a flag or a gate of Flux"
)]
pub(super) struct Policy {
    /// Service account for objects that do not name one.
    pub(super) default_service_account: Option<String>,
    /// Whether cross-namespace references are forbidden.
    pub(super) no_cross_namespace: bool,
    /// Whether an `ExternalArtifact` can be a source.
    pub(super) external_artifacts: bool,
    /// Whether `readyExpr` adds to the usual readiness check.
    pub(super) additive_expressions: bool,
    /// Whether failed actions are retried if the spec has no strategy.
    pub(super) retries_by_default: bool,
    /// Whether the version of a chart gets the digest of its OCI artifact.
    pub(super) tracks_digest: bool,
    /// Whether Helm's defaults are those of Helm 3.
    pub(super) helm3_defaults: bool,
    /// Whether templates may look up host names.
    pub(super) allows_dns: bool,
    /// Whether a new request ends a wait.
    pub(super) cancels_waits: bool,
    /// Requeue interval for missing artifacts and unmet dependencies.
    pub(super) requeue_dependency: Duration,
    /// Digest algorithm of snapshots.
    pub(super) algorithm: Algorithm,
    /// Field managers whose fields are taken over before a drift check.
    pub(super) overridden_managers: Vec<String>,
}

impl Policy {
    pub(super) fn of(args: &Args, gates: &FeatureGates) -> Result<Self, FlagError> {
        Ok(Self {
            default_service_account: args.clusters.default_account(),
            no_cross_namespace: args.clusters.no_cross_namespace_refs,
            external_artifacts: gates.enabled(args::EXTERNAL_ARTIFACT),
            additive_expressions: gates.enabled(args::ADDITIVE_EXPRESSIONS),
            retries_by_default: gates.enabled(args::DEFAULT_TO_RETRY_ON_FAILURE),
            tracks_digest: !gates.enabled(args::DISABLE_CHART_DIGEST_TRACKING),
            helm3_defaults: gates.enabled(args::USE_HELM3_DEFAULTS),
            allows_dns: gates.enabled(args::ALLOW_DNS_LOOKUPS),
            cancels_waits: gates.enabled(args::CANCEL_HEALTH_CHECK_ON_NEW_REVISION),
            requeue_dependency: args.requeue_dependency,
            algorithm: args.algorithm()?,
            overridden_managers: args.override_manager.clone(),
        })
    }
}
