//! The flags of the source controller, as Flux spells them.

use std::path::PathBuf;
use std::time::Duration;

use sluice_digest::Algorithm;
use sluice_host::SharedArgs;
use sluice_host::args::{BooleanFlag as _, parse_duration};

/// The gate of service accounts that objects choose.
pub(crate) const OBJECT_LEVEL_WORKLOAD_IDENTITY: &str = "ObjectLevelWorkloadIdentity";

/// The flags of the source controller.
#[derive(Debug, Clone, clap::Args)]
pub struct Args {
    /// The flags that all controllers have.
    #[command(flatten)]
    pub shared: SharedArgs,

    /// Reconcile at most this many objects of a kind at once
    #[arg(long, default_value_t = 2)]
    pub concurrent: usize,

    /// Look again after this time at objects that wait for another one
    #[arg(long, default_value = "30s", value_parser = parse_duration)]
    pub requeue_dependency: Duration,

    /// Store artifacts in this directory
    #[arg(long, env = "STORAGE_PATH", default_value = "/data")]
    pub storage_path: PathBuf,

    /// Serve artifacts on this address
    #[arg(long, env = "STORAGE_ADDRESS", default_value = ":9090")]
    pub storage_addr: String,

    /// Advertise artifacts under this address instead of the listen address
    #[arg(long, env = "STORAGE_ADV_ADDR", default_value = "")]
    pub storage_adv_addr: String,

    /// Answer requests for directories of artifacts with their names
    #[arg(long, switch = false)]
    pub storage_list_dirs: bool,

    /// Keep outdated artifacts for this time
    #[arg(long, default_value = "1m0s", value_parser = parse_duration)]
    pub artifact_retention_ttl: Duration,

    /// Keep at most this many artifacts of an object
    #[arg(long, default_value_t = 2)]
    pub artifact_retention_records: usize,

    /// Digest algorithm: sha256, sha384, sha512, blake3 or sha1
    #[arg(long, default_value = "sha256")]
    pub artifact_digest_algo: Algorithm,

    /// Keep fetched Git objects up to this many bytes in total; with 0, none
    #[arg(long, default_value_t = 1 << 30)]
    pub git_store_max_size: u64,

    /// Refuse Helm repository indexes larger than this many bytes
    #[arg(long, default_value_t = 52_428_800)]
    pub helm_index_max_size: i64,

    /// Refuse Helm charts larger than this many bytes
    #[arg(long, default_value_t = 10_485_760)]
    pub helm_chart_max_size: i64,

    /// Refuse Helm charts that hold a file larger than this many bytes
    #[arg(long, default_value_t = 5_242_880)]
    pub helm_chart_file_max_size: i64,

    /// Cache at most this many Helm repository indexes
    #[arg(long, default_value_t = 0)]
    pub helm_cache_max_size: usize,

    /// Cache Helm repository indexes for this time
    #[arg(long, default_value = "15m", value_parser = parse_duration)]
    pub helm_cache_ttl: Duration,

    /// Drop outdated Helm repository indexes this often
    #[arg(long, default_value = "1m", value_parser = parse_duration)]
    pub helm_cache_purge_interval: Duration,

    /// Accept these SSH key exchange algorithms, in this order
    #[arg(long, value_delimiter = ',')]
    pub ssh_kex_algos: Vec<String>,

    /// Accept these SSH host key algorithms, in this order
    #[arg(long, value_delimiter = ',')]
    pub ssh_hostkey_algos: Vec<String>,

    /// Cache at most this many tokens of cloud providers
    #[arg(long, default_value_t = 100)]
    pub token_cache_max_size: usize,

    /// Cache tokens of cloud providers for this time at most
    #[arg(long, default_value = "1h", value_parser = parse_duration)]
    pub token_cache_max_duration: Duration,

    /// Use this service account where an object names none
    #[arg(long, default_value = "")]
    pub default_service_account: String,
}

#[cfg(test)]
mod tests {
    use clap::{CommandFactory, FromArgMatches, Parser};

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
        assert_eq!(args.artifact_retention_ttl, Duration::from_mins(1));
        assert_eq!(args.artifact_retention_records, 2);
        assert_eq!(args.artifact_digest_algo, Algorithm::Sha256);
        assert_eq!(args.helm_index_max_size, 52_428_800);
        assert_eq!(args.helm_chart_max_size, 10_485_760);
        assert_eq!(args.helm_chart_file_max_size, 5_242_880);
        assert_eq!(args.helm_cache_ttl, Duration::from_mins(15));
        assert_eq!(args.token_cache_max_size, 100);
        assert_eq!(args.token_cache_max_duration, Duration::from_hours(1));
        assert!(!args.storage_list_dirs);
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
        assert_eq!(args.artifact_digest_algo, Algorithm::Blake3);
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
