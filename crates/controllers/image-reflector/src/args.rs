//! Defines the flags of the image reflector controller, as in Flux.

use std::path::PathBuf;
use std::time::Duration;

use sluice_host::args::{BooleanFlag as _, IdentityArgs, parse_duration};
use sluice_host::gates::{CACHE_SECRETS_AND_CONFIG_MAPS, OBJECT_LEVEL_WORKLOAD_IDENTITY};
use sluice_host::{FeatureGates, Gate, SharedArgs};
use sluice_images::revision::RevisionForm;

use crate::store::DEFAULT_COMPRESSION_THRESHOLD;

/// Name of the controller, its lease and its Deployment.
pub const NAME: &str = "image-reflector-controller";

/// Gate of the storage of files. It only selects the form of revisions, because the storage always
/// has files.
pub(crate) const FLUX_STORAGE: &str = "FluxStorage";

/// The feature gates of the controller.
pub const GATES: &[Gate] = &[
    Gate::off(CACHE_SECRETS_AND_CONFIG_MAPS),
    Gate::off(FLUX_STORAGE),
    Gate::off(OBJECT_LEVEL_WORKLOAD_IDENTITY),
];

/// Default of `--storage-value-log-file-size`.
const DEFAULT_VALUE_LOG_FILE_SIZE: i64 = 1 << 28;
/// Bytes of a KiB.
const KIB: u64 = 1 << 10;
/// Seconds of a minute.
const MINUTE: u64 = 60;

/// The flags of the image reflector controller.
#[derive(Debug, Clone, clap::Args)]
pub struct Args {
    /// The flags that all controllers have.
    #[command(flatten)]
    pub shared: SharedArgs,

    /// Number of concurrent reconciliations per kind
    #[arg(long, default_value_t = 4, value_name = "NUMBER")]
    pub concurrent: usize,

    /// Interval for rechecking repositories that have no tags
    #[arg(long, default_value = "30s", value_parser = parse_duration, value_name = "DURATION")]
    pub requeue_dependency: Duration,

    /// Directory to store tags in
    #[arg(long, default_value = "/data", value_name = "DIR")]
    pub storage_path: PathBuf,

    /// Ignored, because the tags are not in a Badger database
    #[arg(long, default_value_t = DEFAULT_VALUE_LOG_FILE_SIZE, allow_negative_numbers = true, value_name = "BYTES")]
    pub storage_value_log_file_size: i64,

    /// Compress tags of at least this size, in KiB
    #[arg(
        long,
        default_value_t = i64::try_from(DEFAULT_COMPRESSION_THRESHOLD).unwrap_or(i64::MAX),
        allow_negative_numbers = true,
        value_name = "KIB"
    )]
    pub storage_compression_threshold: i64,

    /// Minutes between removals of unused tags; 0 disables them
    #[arg(long, default_value_t = 10, value_name = "MINUTES")]
    pub gc_interval: u16,

    /// Reject references to other namespaces
    #[arg(long, switch = false)]
    pub no_cross_namespace_refs: bool,

    /// Warn about repositories with more tags; 0 disables the warning
    #[arg(long, default_value_t = 5000, value_name = "NUMBER")]
    pub tag_count_warning: usize,

    /// The flags of identities in clouds.
    #[command(flatten)]
    pub identity: IdentityArgs,
}

/// A flag has an invalid value.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum InvalidFlag {
    /// The threshold must be positive with the storage of files.
    #[error("invalid --storage-compression-threshold: value must be greater than zero")]
    Threshold,
}

impl Args {
    /// Checks flags that depend on a gate.
    pub fn validate(&self, gates: &FeatureGates) -> Result<(), InvalidFlag> {
        if gates.enabled(FLUX_STORAGE) && self.storage_compression_threshold <= 0 {
            return Err(InvalidFlag::Threshold);
        }
        Ok(())
    }

    /// Bytes from which on tags are compressed.
    pub(crate) fn threshold(&self) -> u64 {
        let threshold = u64::try_from(self.storage_compression_threshold);
        match threshold {
            Ok(threshold) if threshold > 0 => threshold.saturating_mul(KIB),
            _ => DEFAULT_COMPRESSION_THRESHOLD * KIB,
        }
    }

    /// Time between removals of unused tags.
    pub(crate) fn garbage_collection(&self) -> Option<Duration> {
        let minutes = u64::from(self.gc_interval);
        (minutes > 0).then(|| Duration::from_secs(minutes * MINUTE))
    }

    /// The form of revisions.
    pub(crate) fn revision_form(gates: &FeatureGates) -> RevisionForm {
        if gates.enabled(FLUX_STORAGE) {
            RevisionForm::Sha256
        } else {
            RevisionForm::Adler32
        }
    }

    /// Whether a flag is set that has no effect.
    pub(crate) fn has_value_log_size(&self) -> bool {
        self.storage_value_log_file_size != DEFAULT_VALUE_LOG_FILE_SIZE
    }
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
        let mut words = vec![NAME];
        words.extend(line);
        let matches = Command::command().try_get_matches_from(words)?;
        Command::from_arg_matches(&matches).map(|command| command.args)
    }

    /// The values are those of `main.go` in Flux.
    #[test]
    fn defaults_match_flux() {
        let args = parse(&[]).unwrap();
        assert_eq!(args.concurrent, 4);
        assert_eq!(args.requeue_dependency, Duration::from_secs(30));
        assert_eq!(args.storage_path, PathBuf::from("/data"));
        assert_eq!(args.storage_value_log_file_size, 268_435_456);
        assert_eq!(args.storage_compression_threshold, 64);
        assert_eq!(args.threshold(), 65_536);
        assert_eq!(args.garbage_collection(), Some(Duration::from_mins(10)));
        assert_eq!(args.identity.token_cache_max_size, 100);
        assert_eq!(
            args.identity.token_cache_max_duration,
            Duration::from_hours(1)
        );
        assert!(!args.no_cross_namespace_refs && !args.has_value_log_size());
        let gates = FeatureGates::resolve(GATES, &[]).unwrap();
        assert_eq!(Args::revision_form(&gates), RevisionForm::Adler32);
    }

    #[test]
    fn arguments_of_flux_deployment_parse() {
        let args = parse(&[
            "--events-addr=http://notification-controller.flux-system.svc.cluster.local./",
            "--watch-all-namespaces=true",
            "--log-level=info",
            "--log-encoding=json",
            "--enable-leader-election",
            "--no-cross-namespace-refs=true",
            "--feature-gates=FluxStorage=true",
            "--gc-interval=0",
            "--storage-value-log-file-size=1048576",
        ])
        .unwrap();
        assert!(args.no_cross_namespace_refs && args.has_value_log_size());
        assert_eq!(args.garbage_collection(), None);
        let gates = FeatureGates::resolve(GATES, &args.shared.process.feature_gates).unwrap();
        assert_eq!(Args::revision_form(&gates), RevisionForm::Sha256);
        assert!(parse(&["--gc-interval=65536"]).is_err());
    }

    #[test]
    fn threshold_must_be_positive_with_the_gate() {
        let args = parse(&["--storage-compression-threshold=0"]).unwrap();
        let gates = |on: bool| FeatureGates::resolve(GATES, &[format!("{FLUX_STORAGE}={on}")]);
        assert_eq!(args.validate(&gates(false).unwrap()), Ok(()));
        assert_eq!(args.threshold(), 65_536);
        let refused = args.validate(&gates(true).unwrap());
        assert_eq!(refused, Err(InvalidFlag::Threshold));
    }
}
