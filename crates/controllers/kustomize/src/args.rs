//! The controller's flags, with Flux's names and defaults, and its gates.

use std::time::Duration;

use clap::builder::{StringValueParser, TypedValueParser};
use sluice_client::kubeconfig::AllowedFields;
use sluice_consumer::DownloadArgs;
use sluice_dial::Sensitive;
use sluice_host::args::{BooleanFlag as _, parse_duration};
use sluice_host::gates::{CACHE_SECRETS_AND_CONFIG_MAPS, OBJECT_LEVEL_WORKLOAD_IDENTITY};
use sluice_host::{ClusterOptions, FeatureGates, Gate, IdentityOptions, OwnAccount, SharedArgs};
use sluice_identity::HostAllowlist;
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

    /// Service account to impersonate if an object sets none
    #[arg(long, default_value = "", value_name = "NAME")]
    pub default_service_account: String,

    /// Service account for decryption if an object sets none
    #[arg(long, default_value = "", value_name = "NAME")]
    pub default_decryption_service_account: String,

    /// Service account for remote clusters if an object sets none
    #[arg(long, default_value = "", value_name = "NAME")]
    pub default_kubeconfig_service_account: String,

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

    /// Allow credential plugins in kubeconfig Secrets
    #[arg(long, switch = false)]
    pub insecure_kubeconfig_exec: bool,

    /// Allow kubeconfig Secrets to disable TLS verification
    #[arg(long, switch = false)]
    pub insecure_kubeconfig_tls: bool,

    /// Reject references to sources in other namespaces
    #[arg(long, switch = false)]
    pub no_cross_namespace_refs: bool,

    /// Additional hosts that may receive the controller's identity tokens
    #[arg(long, value_name = "HOST", value_delimiter = ',')]
    pub identity_host_allowlist: Vec<String>,

    /// Maximum number of cached tokens; 0 disables the cache
    #[arg(long, default_value_t = 100, value_name = "NUMBER")]
    pub token_cache_max_size: usize,

    /// Maximum time to cache a token, at most 1h
    #[arg(long, default_value = "1h", value_parser = parse_duration, value_name = "DURATION")]
    pub token_cache_max_duration: Duration,

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
    /// The flag needs a feature gate that is disabled.
    #[error("--{flag} requires the feature gate {OBJECT_LEVEL_WORKLOAD_IDENTITY} to be enabled")]
    NeedsGate {
        /// Name of the flag.
        flag: &'static str,
    },
    /// An entry does not have the form `group/Kind` or `Kind`.
    #[error("--custom-apply-stage-kinds: {0:?} is not of the form group/Kind")]
    Kind(String),
    /// An entry is neither a host nor a domain.
    #[error("--identity-host-allowlist: {0}")]
    Host(String),
    /// The list of Vault servers is malformed.
    #[error("{0}")]
    Vault(#[from] sluice_sops::keys::KeyError),
}

impl Args {
    /// Checks how flags and feature gates relate, which clap cannot.
    pub fn validate(&self, gates: &FeatureGates) -> Result<(), FlagError> {
        let defaults = [
            (
                "default-decryption-service-account",
                &self.default_decryption_service_account,
            ),
            (
                "default-kubeconfig-service-account",
                &self.default_kubeconfig_service_account,
            ),
        ];
        if !gates.enabled(OBJECT_LEVEL_WORKLOAD_IDENTITY)
            && let Some((flag, _)) = defaults
                .into_iter()
                .find(|(_, account)| !account.is_empty())
        {
            return Err(FlagError::NeedsGate { flag });
        }
        self.own_account()?;
        self.stage_kinds().map(drop)
    }

    /// Whether the flags of Flux's multi-tenancy lockdown are set.
    pub(crate) fn is_locked_down(&self) -> bool {
        self.no_cross_namespace_refs || !self.default_service_account.is_empty()
    }

    /// Whether the operator set a service account for objects that name none.
    pub(crate) fn has_default_account(&self) -> bool {
        let accounts = [
            &self.default_service_account,
            &self.default_decryption_service_account,
            &self.default_kubeconfig_service_account,
        ];
        accounts.into_iter().any(|account| !account.is_empty())
    }

    /// Returns the servers that may receive a token of the controller.
    fn own_account(&self) -> Result<OwnAccount, FlagError> {
        let hosts = self.identity_host_allowlist.iter().map(String::as_str);
        Ok(OwnAccount {
            locked_down: self.is_locked_down(),
            hosts: HostAllowlist::parse(hosts)
                .map_err(|error| FlagError::Host(error.to_string()))?,
        })
    }

    /// Returns the options for remote clusters.
    pub(crate) fn clusters(&self, gates: &FeatureGates) -> Result<ClusterOptions, FlagError> {
        let own_account = self.own_account()?;
        Ok(ClusterOptions {
            allowed_fields: AllowedFields {
                exec: self.insecure_kubeconfig_exec,
                insecure_tls: self.insecure_kubeconfig_tls,
            },
            default_service_account: Some(self.default_kubeconfig_service_account.clone())
                .filter(|name| !name.is_empty()),
            object_level_identity: gates.enabled(OBJECT_LEVEL_WORKLOAD_IDENTITY),
            identity: IdentityOptions {
                hosts: own_account.hosts.clone(),
                max_tokens: self.token_cache_max_size,
                max_token_age: self.token_cache_max_duration,
            },
            own_account,
        })
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
