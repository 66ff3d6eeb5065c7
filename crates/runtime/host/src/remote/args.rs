//! The flags of controllers that apply objects: tenants, remote clusters and their identities.

use std::time::Duration;

use sluice_client::kubeconfig::AllowedFields;
use sluice_identity::HostAllowlist;

use super::{ClusterOptions, IdentityOptions, OwnAccount};
use crate::args::{ArgsError, BooleanFlag as _, parse_duration};
use crate::gates::{FeatureGates, OBJECT_LEVEL_WORKLOAD_IDENTITY};

/// The flags of tenants and remote clusters.
#[derive(Debug, Clone, PartialEq, Eq, clap::Args)]
pub struct ClusterArgs {
    /// Service account to impersonate if an object sets none
    #[arg(long, default_value = "", value_name = "NAME")]
    pub default_service_account: String,

    /// Service account for remote clusters if an object sets none
    #[arg(long, default_value = "", value_name = "NAME")]
    pub default_kubeconfig_service_account: String,

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
}

impl ClusterArgs {
    /// Checks the hosts, and how the flags relate to the feature gates.
    pub fn validate(&self, gates: &FeatureGates) -> Result<(), ArgsError> {
        let has_default = !self.default_kubeconfig_service_account.is_empty();
        if has_default && !gates.enabled(OBJECT_LEVEL_WORKLOAD_IDENTITY) {
            return Err(ArgsError::NeedsIdentityGate {
                flag: "default-kubeconfig-service-account",
            });
        }
        self.own_account().map(drop)
    }

    /// Whether the flags of Flux's multi-tenancy lockdown are set.
    #[must_use]
    pub fn is_locked_down(&self) -> bool {
        self.no_cross_namespace_refs || !self.default_service_account.is_empty()
    }

    /// Returns the options for remote clusters.
    pub fn options(&self, gates: &FeatureGates) -> Result<ClusterOptions, ArgsError> {
        let own_account = self.own_account()?;
        Ok(ClusterOptions {
            allowed_fields: AllowedFields {
                exec: self.insecure_kubeconfig_exec,
                insecure_tls: self.insecure_kubeconfig_tls,
            },
            default_service_account: named(&self.default_kubeconfig_service_account),
            object_level_identity: gates.enabled(OBJECT_LEVEL_WORKLOAD_IDENTITY),
            identity: IdentityOptions {
                hosts: own_account.hosts.clone(),
                max_tokens: self.token_cache_max_size,
                max_token_age: self.token_cache_max_duration,
            },
            own_account,
        })
    }

    /// Returns the service account for objects that name none.
    #[must_use]
    pub fn default_account(&self) -> Option<String> {
        named(&self.default_service_account)
    }

    /// Returns the servers that may receive a token of the controller.
    fn own_account(&self) -> Result<OwnAccount, ArgsError> {
        let hosts = self.identity_host_allowlist.iter().map(String::as_str);
        let hosts = HostAllowlist::parse(hosts);
        Ok(OwnAccount {
            locked_down: self.is_locked_down(),
            hosts: hosts.map_err(|error| ArgsError::ListedHost(error.to_string()))?,
        })
    }
}

/// An account whose flag is set.
fn named(account: &str) -> Option<String> {
    (!account.is_empty()).then(|| account.to_owned())
}

#[cfg(test)]
mod tests {
    use clap::Parser;

    use super::*;

    #[derive(Parser)]
    struct Command {
        #[command(flatten)]
        args: ClusterArgs,
    }

    fn parse(flags: &[&str]) -> ClusterArgs {
        let flags = std::iter::once(&"controller").chain(flags);
        Command::try_parse_from(flags).unwrap().args
    }

    #[test]
    fn allowlist_with_url_is_refused() {
        let hosts = "--identity-host-allowlist=api.example.com,*.corp.example.com";
        assert!(!parse(&[hosts]).own_account().unwrap().locked_down);
        for lockdown in [
            "--no-cross-namespace-refs",
            "--default-service-account=default",
        ] {
            assert!(parse(&[hosts, lockdown]).own_account().unwrap().locked_down);
        }
        let args = parse(&["--identity-host-allowlist=https://api.example.com"]);
        let gates = FeatureGates::resolve(&[], &[]).unwrap();
        assert!(matches!(
            args.validate(&gates),
            Err(ArgsError::ListedHost(_))
        ));
    }
}
