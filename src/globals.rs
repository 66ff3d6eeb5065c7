//! Defines the flags of every command.

use std::time::Duration;

use clap::parser::ValueSource;
use clap::{ArgMatches, Args, FromArgMatches as _};

use crate::flags;
use crate::flags::BooleanFlag as _;

/// The namespace of Flux itself, and the default of every command.
pub const DEFAULT_NAMESPACE: &str = "flux-system";

/// Flags that every command takes, before or after it.
#[derive(Args, Clone, Debug)]
pub struct GlobalArgs {
    /// User to impersonate, or system:serviceaccount:NAMESPACE:NAME
    #[arg(long = "as", global = true, value_name = "USER", help_heading = HEADING)]
    pub impersonate: Option<String>,
    /// Group to impersonate (repeatable)
    #[arg(long = "as-group", global = true, value_name = "GROUP", help_heading = HEADING)]
    pub impersonate_groups: Vec<String>,
    /// UID to impersonate
    #[arg(long = "as-uid", global = true, value_name = "UID", help_heading = HEADING)]
    pub impersonate_uid: Option<String>,
    /// Extra user field to impersonate, as KEY=VALUE (repeatable)
    #[arg(long = "as-user-extra", global = true, value_name = "KEY=VALUE", help_heading = HEADING)]
    pub impersonate_extra: Vec<String>,
    /// Directory for caches, such as completion results
    #[arg(long, global = true, env = "SLUICE_CACHE_DIR", hide_env = true, value_parser = flags::any_path(), default_value = "$HOME/.kube/cache", value_name = "DIR", help_heading = HEADING)]
    pub cache_dir: std::path::PathBuf,
    /// File with the CA certificate of the API server
    #[arg(long, global = true, value_name = "FILE", help_heading = HEADING)]
    pub certificate_authority: Option<std::path::PathBuf>,
    /// File with the TLS client certificate
    #[arg(long, global = true, value_name = "FILE", help_heading = HEADING)]
    pub client_certificate: Option<std::path::PathBuf>,
    /// File with the TLS client key
    #[arg(long, global = true, value_name = "FILE", help_heading = HEADING)]
    pub client_key: Option<std::path::PathBuf>,
    /// Cluster of the kubeconfig to use
    #[arg(long, global = true, value_name = "NAME", help_heading = HEADING)]
    pub cluster: Option<String>,
    /// Context of the kubeconfig to use
    #[arg(long, global = true, value_name = "NAME", help_heading = HEADING)]
    pub context: Option<String>,
    /// Disable compression of API server responses
    #[arg(long, global = true, switch = false, help_heading = HEADING)]
    pub disable_compression: bool,
    /// Skip verification of the API server's certificate (insecure)
    #[arg(long, global = true, switch = false, help_heading = HEADING)]
    pub insecure_skip_tls_verify: bool,
    /// Maximum burst of requests to the API server
    #[arg(long, global = true, default_value_t = 300, value_parser = flags::small_integer, value_name = "N", help_heading = HEADING)]
    pub kube_api_burst: i32,
    /// Maximum average requests per second to the API server
    #[arg(long, global = true, default_value_t = 50.0, value_parser = flags::fraction, value_name = "N", help_heading = HEADING)]
    pub kube_api_qps: f32,
    /// Path of the kubeconfig file
    #[arg(long, global = true, value_name = "FILE", help_heading = HEADING)]
    pub kubeconfig: Option<std::path::PathBuf>,
    /// Namespace to use
    #[arg(long, short, global = true, default_value = DEFAULT_NAMESPACE, value_name = "NAMESPACE", help_heading = HEADING)]
    pub namespace: Option<String>,
    /// Use the namespace of the kubeconfig context
    #[arg(long, global = true, switch = false, help_heading = HEADING)]
    pub ns_follows_kube_context: bool,
    /// Address of the API server
    #[arg(long, global = true, value_name = "URL", help_heading = HEADING)]
    pub server: Option<String>,
    /// Timeout of the whole operation
    #[arg(long, global = true, default_value = "5m0s", value_parser = flags::length_of_time, value_name = "DURATION", help_heading = HEADING)]
    pub timeout: Duration,
    /// Whether the user set it. Endless commands have a timeout only then.
    #[arg(skip)]
    pub timeout_is_given: bool,
    /// Server name for verifying the API server's certificate
    #[arg(long, global = true, value_name = "NAME", help_heading = HEADING)]
    pub tls_server_name: Option<String>,
    /// Bearer token for the API server
    #[arg(long, global = true, value_name = "TOKEN", help_heading = HEADING)]
    pub token: Option<String>,
    /// User of the kubeconfig to use
    #[arg(long, global = true, value_name = "NAME", help_heading = HEADING)]
    pub user: Option<String>,
    /// Print generated objects
    #[arg(long, global = true, switch = false, help_heading = HEADING)]
    pub verbose: bool,
}

/// Heading of the global flags in help.
pub const HEADING: &str = "Global flags";

impl GlobalArgs {
    /// Reads the flags. A default namespace counts as unset, because the environment and the
    /// kubeconfig take precedence.
    ///
    /// # Errors Fails if a flag is missing, because then the command was built without the global
    /// flags.
    pub(crate) fn of(matches: &ArgMatches) -> Result<Self, clap::Error> {
        let mut flags = Self::from_arg_matches(matches)?;
        if matches.value_source("namespace") != Some(ValueSource::CommandLine) {
            flags.namespace = None;
        }
        flags.timeout_is_given = matches.value_source("timeout") == Some(ValueSource::CommandLine);
        Ok(flags)
    }

    /// Returns the limit of an endless command: none, unless the user set `--timeout`.
    pub(crate) fn end_of_watches(&self) -> Option<Duration> {
        self.timeout_is_given.then_some(self.timeout)
    }

    /// Returns the flags that kubectl has too.
    pub(crate) fn kubeconfig(&self) -> sluice_client::kubeconfig::Flags {
        let flags = self.clone();
        sluice_client::kubeconfig::Flags {
            kubeconfig: flags.kubeconfig,
            context: flags.context,
            cluster: flags.cluster,
            user: flags.user,
            server: flags.server,
            token: flags.token.map(sluice_dial::Sensitive::new),
            impersonate: flags.impersonate,
            impersonate_groups: flags.impersonate_groups,
            impersonate_uid: flags.impersonate_uid,
            impersonate_extra: flags.impersonate_extra,
            certificate_authority: flags.certificate_authority,
            client_certificate: flags.client_certificate,
            client_key: flags.client_key,
            insecure_skip_tls_verify: flags.insecure_skip_tls_verify,
            tls_server_name: flags.tls_server_name,
            disable_compression: flags.disable_compression,
        }
    }
}

#[cfg(test)]
mod tests {
    use clap::Command;

    use super::*;

    #[test]
    fn endless_command_ends_by_explicit_timeout_only() {
        let end = |words: &[&str]| {
            let command = GlobalArgs::augment_args(Command::new("flags").no_binary_name(true));
            let matches = command.try_get_matches_from(words).unwrap();
            GlobalArgs::of(&matches).unwrap().end_of_watches()
        };
        assert_eq!(end(&[]), None);
        let minutes = Duration::from_mins(5);
        assert_eq!(end(&["--timeout=5m0s"]), Some(minutes), "as the default");
    }
}
