//! The controller's flags, with Flux's names and defaults, and its gates.

use std::time::Duration;

use clap::builder::{StringValueParser, TypedValueParser};
use sluice_consumer::DownloadArgs;
use sluice_dial::Sensitive;
use sluice_host::args::{ArgsError, BooleanFlag as _, parse_duration};
use sluice_host::gates::{CACHE_SECRETS_AND_CONFIG_MAPS, OBJECT_LEVEL_WORKLOAD_IDENTITY};
use sluice_host::{ClusterArgs, FeatureGates, Gate, SharedArgs};
use sluice_object::GroupKind;

/// Evaluate `readyExpr` in addition to the usual readiness check of a dependency.
pub(crate) const ADDITIVE_EXPRESSIONS: &str = "AdditiveCELDependencyCheck";
/// Cancel a running health check as soon as its object is enqueued again.
pub(crate) const CANCEL_HEALTH_CHECK_ON_NEW_REVISION: &str = "CancelHealthCheckOnNewRevision";
/// Read sources from the API server instead of the watch.
pub(crate) const DIRECT_SOURCE_FETCH: &str = "DirectSourceFetch";
/// Leave Secrets and config maps unwatched.
pub(crate) const DISABLE_CONFIG_WATCHERS: &str = "DisableConfigWatchers";
/// Go on waiting after an object has failed.
pub(crate) const DISABLE_FAIL_FAST: &str = "DisableFailFastBehavior";
/// Take artifacts from `ExternalArtifact`.
pub(crate) const EXTERNAL_ARTIFACT: &str = "ExternalArtifact";
/// Log what was applied grouped by action.
pub(crate) const GROUP_CHANGE_LOG: &str = "GroupChangeLog";
/// Rewrite the API version of managed fields before an apply.
pub(crate) const MIGRATE_API_VERSION: &str = "MigrateAPIVersion";
/// A variable without value and default fails the build.
pub(crate) const STRICT_SUBSTITUTION: &str = "StrictPostBuildSubstitutions";

/// The feature gates of Flux's controller, with its defaults. `DisableStatusPollerCache` is
/// accepted without effect: health checks use watches, not a poller.
pub const GATES: &[Gate] = &[
    Gate::off(ADDITIVE_EXPRESSIONS),
    Gate::off(CACHE_SECRETS_AND_CONFIG_MAPS),
    Gate::off(CANCEL_HEALTH_CHECK_ON_NEW_REVISION),
    Gate::off(DIRECT_SOURCE_FETCH),
    Gate::off(DISABLE_CONFIG_WATCHERS),
    Gate::off(DISABLE_FAIL_FAST),
    Gate::on("DisableStatusPollerCache"),
    Gate::off(EXTERNAL_ARTIFACT),
    Gate::off(GROUP_CHANGE_LOG),
    Gate::off(MIGRATE_API_VERSION),
    Gate::off(OBJECT_LEVEL_WORKLOAD_IDENTITY),
    Gate::on(STRICT_SUBSTITUTION),
];

/// Reconcile Kustomizations
#[derive(Debug, Clone, clap::Args)]
pub struct Args {
    /// Number of concurrent reconciliations
    #[arg(long, default_value_t = 4, value_name = "NUMBER")]
    pub concurrent: usize,

    /// Number of concurrent apply requests per Kustomization
    #[arg(long, default_value_t = 4, value_name = "NUMBER")]
    pub concurrent_ssa: usize,

    /// Interval for rechecking dependencies and sources that are not ready
    #[arg(long, default_value = "30s", value_parser = parse_duration, value_name = "DURATION")]
    pub requeue_dependency: Duration,

    /// Reject remote bases in kustomization files
    #[arg(long, switch = false)]
    pub no_remote_bases: bool,

    /// The flags of artifact downloads.
    #[command(flatten)]
    pub downloads: DownloadArgs,

    /// Service account for decryption if an object sets none
    #[arg(long, default_value = "", value_name = "NAME")]
    pub default_decryption_service_account: String,

    /// Secret with age keys to decrypt with if an object sets none
    #[arg(long, default_value = "", value_name = "NAME")]
    pub sops_age_secret: String,

    /// Config map with the Vault servers to log in to
    #[arg(long, default_value = "", value_name = "NAME")]
    pub sops_vault_configmap: String,

    /// Take over fields of these field managers
    #[arg(long, value_name = "NAME")]
    pub override_manager: Vec<String>,

    /// Apply these kinds before the others, as group/Kind,…
    #[arg(long, default_value = "", value_name = "KINDS")]
    pub custom_apply_stage_kinds: String,

    /// Vault servers that may receive a token: all, none or prefixes
    #[arg(long, env = "SOPS_HC_VAULT_ALLOWLIST", default_value = "", hide = true)]
    pub vault_allowlist: String,

    /// Vault namespace
    #[arg(long, env = "VAULT_NAMESPACE", default_value = "", hide = true)]
    pub vault_namespace: String,

    /// Vault token, used if no Secret has one
    #[arg(long, env = "VAULT_TOKEN", value_parser = sensitive(), hide = true, hide_env_values = true)]
    pub vault_token: Option<Sensitive<String>>,

    /// age identities, used if no Secret has any
    #[arg(long, env = "SOPS_AGE_KEY", value_parser = sensitive(), hide = true, hide_env_values = true)]
    pub age_key: Option<Sensitive<String>>,

    /// File with age identities, used if no Secret has any
    #[arg(long, env = "SOPS_AGE_KEY_FILE", default_value = "", hide = true)]
    pub age_key_file: String,

    /// The flags of tenants and remote clusters.
    #[command(flatten)]
    pub clusters: ClusterArgs,

    /// The flags that all controllers have.
    #[command(flatten)]
    pub shared: SharedArgs,
}

/// Parses a text into a value that is never printed.
fn sensitive() -> impl TypedValueParser<Value = Sensitive<String>> {
    StringValueParser::new().map(Sensitive::<String>::from)
}

/// Error of flags that clap cannot check.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum FlagError {
    /// An entry does not have the form `group/Kind` or `Kind`.
    #[error("--custom-apply-stage-kinds: {0:?} is not of the form group/Kind")]
    Kind(String),
    /// The flags that other controllers have too are invalid.
    #[error(transparent)]
    Shared(#[from] ArgsError),
    /// The list of Vault servers is malformed.
    #[error("{0}")]
    Vault(#[from] sluice_sops::keys::KeyError),
}

impl Args {
    /// Checks how flags and feature gates relate, which clap cannot.
    pub fn validate(&self, gates: &FeatureGates) -> Result<(), FlagError> {
        let has_default = !self.default_decryption_service_account.is_empty();
        if has_default && !gates.enabled(OBJECT_LEVEL_WORKLOAD_IDENTITY) {
            return Err(FlagError::Shared(ArgsError::NeedsIdentityGate {
                flag: "default-decryption-service-account",
            }));
        }
        self.clusters.validate(gates)?;
        self.stage_kinds().map(drop)
    }

    /// Whether the operator set a service account for objects that name none.
    pub(crate) fn has_default_account(&self) -> bool {
        let accounts = [
            &self.clusters.default_service_account,
            &self.default_decryption_service_account,
            &self.clusters.default_kubeconfig_service_account,
        ];
        accounts.into_iter().any(|account| !account.is_empty())
    }

    /// Parses `--custom-apply-stage-kinds`.
    pub(crate) fn stage_kinds(&self) -> Result<Vec<GroupKind>, FlagError> {
        self.custom_apply_stage_kinds
            .split(',')
            .map(str::trim)
            .filter(|text| !text.is_empty())
            .map(|text| {
                let (group, kind) = text.split_once('/').unwrap_or(("", text));
                if kind.is_empty() || kind.contains('/') {
                    return Err(FlagError::Kind(text.to_owned()));
                }
                Ok(GroupKind {
                    group: group.to_owned(),
                    kind: kind.to_owned(),
                })
            })
            .collect()
    }
}

#[cfg(test)]
pub(crate) mod tests;
