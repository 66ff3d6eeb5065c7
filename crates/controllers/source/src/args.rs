//! The flags of the source controller, as Flux spells them.

use std::path::PathBuf;
use std::time::Duration;

use sluice_host::SharedArgs;
use sluice_host::args::{IdentityArgs, parse_duration};
use sluice_producer::StorageArgs;

/// The flags of the source controller.
#[derive(Debug, Clone, clap::Args)]
pub struct Args {
    /// The flags that all controllers have.
    #[command(flatten)]
    pub shared: SharedArgs,

    /// Number of concurrent reconciliations per kind
    #[arg(long, default_value_t = 2, value_name = "NUMBER")]
    pub concurrent: usize,

    /// Interval for rechecking dependencies that are not ready
    #[arg(long, default_value = "30s", value_parser = parse_duration, value_name = "DURATION")]
    pub requeue_dependency: Duration,

    /// The flags of the storage.
    #[command(flatten)]
    pub storage: StorageArgs,

    /// Maximum bytes of cached Git objects; 0 disables the cache
    #[arg(long, default_value_t = 1 << 30, value_name = "BYTES")]
    pub git_store_max_size: u64,

    /// Maximum size of a Helm repository index, in bytes
    #[arg(long, default_value_t = 52_428_800, value_name = "BYTES")]
    pub helm_index_max_size: i64,

    /// Maximum size of a Helm chart, in bytes
    #[arg(long, default_value_t = 10_485_760, value_name = "BYTES")]
    pub helm_chart_max_size: i64,

    /// Maximum size of a file in a Helm chart, in bytes
    #[arg(long, default_value_t = 5_242_880, value_name = "BYTES")]
    pub helm_chart_file_max_size: i64,

    /// Maximum number of cached Helm repository indexes
    #[arg(long, default_value_t = 0, value_name = "NUMBER")]
    pub helm_cache_max_size: usize,

    /// Time to cache Helm repository indexes
    #[arg(long, default_value = "15m", value_parser = parse_duration, value_name = "DURATION")]
    pub helm_cache_ttl: Duration,

    /// Interval for removing outdated Helm repository indexes
    #[arg(long, default_value = "1m", value_parser = parse_duration, value_name = "DURATION")]
    pub helm_cache_purge_interval: Duration,

    /// SSH key exchange algorithms to accept, in order of preference
    #[arg(long, value_delimiter = ',', value_name = "ALGORITHM")]
    pub ssh_kex_algos: Vec<String>,

    /// SSH host key algorithms to accept, in order of preference
    #[arg(long, value_delimiter = ',', value_name = "ALGORITHM")]
    pub ssh_hostkey_algos: Vec<String>,

    /// Additional hosts that may receive the controller's identity tokens
    #[arg(long, value_name = "HOST", value_delimiter = ',')]
    pub identity_host_allowlist: Vec<String>,

    /// File with the trusted root of Sigstore; the public one by default
    #[arg(long, value_name = "FILE")]
    pub sigstore_trusted_root: Option<PathBuf>,

    /// Address of the metadata of Sigstore's trusted root
    #[arg(
        long,
        env = "TUF_MIRROR",
        default_value = "https://tuf-repo-cdn.sigstore.dev",
        hide = true
    )]
    pub sigstore_mirror: String,

    /// The flags of identities in clouds.
    #[command(flatten)]
    pub identity: IdentityArgs,
}

#[cfg(test)]
mod tests {
    use clap::{CommandFactory, FromArgMatches, Parser};
    use sluice_digest::Algorithm;

    use super::*;

    #[derive(Parser)]
    struct Command {
        #[command(flatten)]
        args: Args,
    }

    fn parse(line: &[&str]) -> Result<Args, clap::Error> {
        let mut words = vec!["source-controller"];
        words.extend(line);
        let matches = Command::command().try_get_matches_from(words)?;
        Command::from_arg_matches(&matches).map(|command| command.args)
    }

    #[test]
    fn defaults_match_flux() {
        let args = parse(&[]).unwrap();
        assert_eq!(args.concurrent, 2);
        assert_eq!(args.requeue_dependency, Duration::from_secs(30));
        assert_eq!(args.storage.artifact_retention_ttl, Duration::from_mins(1));
        assert_eq!(args.storage.artifact_retention_records, 2);
        assert_eq!(args.storage.artifact_digest_algo, Algorithm::Sha256);
        assert_eq!(args.helm_index_max_size, 52_428_800);
        assert_eq!(args.helm_chart_max_size, 10_485_760);
        assert_eq!(args.helm_chart_file_max_size, 5_242_880);
        assert_eq!(args.helm_cache_ttl, Duration::from_mins(15));
        assert_eq!(args.identity.token_cache_max_size, 100);
        assert_eq!(
            args.identity.token_cache_max_duration,
            Duration::from_hours(1)
        );
        assert!(!args.storage.storage_list_dirs);
    }

    #[test]
    fn arguments_of_flux_deployment_parse() {
        let args = parse(&[
            "--events-addr=http://notification-controller.flux-system.svc.cluster.local./",
            "--watch-all-namespaces=true",
            "--log-level=info",
            "--log-encoding=json",
            "--enable-leader-election",
            "--storage-path=/data",
            "--storage-adv-addr=source-controller.$(RUNTIME_NAMESPACE).svc.cluster.local.",
            "--feature-gates=CacheSecretsAndConfigMaps=true,ObjectLevelWorkloadIdentity=true",
            "--ssh-kex-algos=curve25519-sha256,ecdh-sha2-nistp256",
            "--artifact-digest-algo=blake3",
        ])
        .unwrap();
        assert_eq!(args.ssh_kex_algos.len(), 2);
        assert_eq!(args.storage.artifact_digest_algo, Algorithm::Blake3);
    }

    #[test]
    fn unknown_algorithm_error_lists_choices() {
        let error = parse(&["--artifact-digest-algo=md5"])
            .unwrap_err()
            .to_string();
        assert!(
            error.contains("'md5'") && error.contains("sha384"),
            "{error}"
        );
    }
}
