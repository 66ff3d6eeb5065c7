//! The flags of the source watcher, as Flux spells them.

use std::time::Duration;

use sluice_consumer::DownloadArgs;
use sluice_host::args::{BooleanFlag as _, parse_duration};
use sluice_host::{Gate, SharedArgs};
use sluice_producer::StorageArgs;

/// Name of the controller, its lease and its Deployment.
pub const NAME: &str = "source-watcher";

/// Reads sources from the API server instead of watches.
pub(crate) const DIRECT_SOURCE_FETCH: &str = "DirectSourceFetch";

/// The feature gates of the controller.
pub const GATES: &[Gate] = &[Gate::off(DIRECT_SOURCE_FETCH)];

/// The flags of the source watcher.
#[derive(Debug, Clone, clap::Args)]
pub struct Args {
    /// The flags that all controllers have.
    #[command(flatten)]
    pub shared: SharedArgs,

    /// Number of concurrent reconciliations
    #[arg(long, default_value_t = 10, value_name = "NUMBER")]
    pub concurrent: usize,

    /// The flags of artifact downloads.
    #[command(flatten)]
    pub downloads: DownloadArgs,

    /// Maximum duration of a reconciliation
    #[arg(long, default_value = "10m", value_parser = parse_duration, value_name = "DURATION")]
    pub reconciliation_timeout: Duration,

    /// Interval for rechecking sources that are not ready
    #[arg(long, default_value = "5s", value_parser = parse_duration, value_name = "DURATION")]
    pub requeue_dependency: Duration,

    /// Reject references to other namespaces
    #[arg(long, switch = false)]
    pub no_cross_namespace_refs: bool,

    /// The flags of the storage.
    #[command(flatten)]
    pub storage: StorageArgs,
}

#[cfg(test)]
mod tests {
    use clap::{CommandFactory, FromArgMatches, Parser};
    use sluice_digest::Algorithm;
    use sluice_host::FeatureGates;

    use super::*;

    #[derive(Parser)]
    struct Command {
        #[command(flatten)]
        args: Args,
    }

    fn parse(line: &[&str]) -> Result<Args, clap::Error> {
        let mut words = vec![NAME];
        words.extend(line);
        let matches = Command::command().try_get_matches_from(words)?;
        Command::from_arg_matches(&matches).map(|command| command.args)
    }

    /// The values are those of `cmd/main.go` and of fluxcd/pkg: artifact/config.
    #[test]
    fn defaults_match_flux() {
        let args = parse(&[]).unwrap();
        assert_eq!((args.concurrent, args.downloads.http_retry), (10, 9));
        assert_eq!(args.reconciliation_timeout, Duration::from_mins(10));
        assert_eq!(args.requeue_dependency, Duration::from_secs(5));
        assert_eq!(args.storage.artifact_retention_ttl, Duration::from_mins(1));
        assert_eq!(args.storage.artifact_retention_records, 2);
        assert_eq!(args.storage.artifact_digest_algo, Algorithm::Sha256);
        assert_eq!(args.storage.storage_addr, ":9090");
        assert!(!args.no_cross_namespace_refs && !args.storage.storage_list_dirs);
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
            "--storage-adv-addr=source-watcher.flux-system.svc.cluster.local.",
            "--no-cross-namespace-refs=true",
            "--feature-gates=DirectSourceFetch=true",
        ])
        .unwrap();
        assert!(args.no_cross_namespace_refs);
        let gates = FeatureGates::resolve(GATES, &args.shared.process.feature_gates).unwrap();
        assert!(gates.enabled(DIRECT_SOURCE_FETCH));
        assert!(parse(&["--token-cache-max-size=1"]).is_err());
        assert!(parse(&["--artifact-digest-algo=md5"]).is_err());
    }
}
