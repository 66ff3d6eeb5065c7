//! Defines the flags of the image automation controller, as in Flux.

use std::path::PathBuf;

use sluice_host::args::{BooleanFlag as _, IdentityArgs};
use sluice_host::gates::{CACHE_SECRETS_AND_CONFIG_MAPS, OBJECT_LEVEL_WORKLOAD_IDENTITY};
use sluice_host::{FeatureGates, Gate, SharedArgs};

/// Name of the controller, its lease and its Deployment.
pub const NAME: &str = "image-automation-controller";

/// Gate of forced pushes to another branch than that of the checkout.
const FORCE_PUSH_BRANCH: &str = "GitForcePushBranch";
/// Gate of updates on top of the remote's push branch.
const ALL_BRANCH_REFERENCES: &str = "GitAllBranchReferences";

/// Gate of fetches of the files below `update.path` only.
const SPARSE_CHECKOUT: &str = "GitSparseCheckout";

/// The feature gates of the controller.
pub const GATES: &[Gate] = &[
    Gate::off(CACHE_SECRETS_AND_CONFIG_MAPS),
    Gate::on(ALL_BRANCH_REFERENCES),
    Gate::on(FORCE_PUSH_BRANCH),
    // Both values fetch the objects of one commit: history is never needed.
    Gate::on("GitShallowClone"),
    Gate::off(SPARSE_CHECKOUT),
    Gate::off(OBJECT_LEVEL_WORKLOAD_IDENTITY),
];

/// The gates that decide what is fetched, and where commits go.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct GitGates {
    /// Whether a push to another branch than that of the checkout may lose commits there.
    pub(crate) force: bool,
    /// Whether updates go on top of the remote's push branch.
    pub(crate) all_branches: bool,
    /// Whether only the files below `update.path` are fetched.
    pub(crate) sparse: bool,
}

impl GitGates {
    pub(crate) fn of(gates: &FeatureGates) -> Self {
        Self {
            force: gates.enabled(FORCE_PUSH_BRANCH),
            all_branches: gates.enabled(ALL_BRANCH_REFERENCES),
            sparse: gates.enabled(SPARSE_CHECKOUT),
        }
    }
}

/// The flags of the image automation controller.
#[derive(Debug, Clone, clap::Args)]
pub struct Args {
    /// The flags that all controllers have.
    #[command(flatten)]
    pub shared: SharedArgs,

    /// Number of concurrent reconciliations
    #[arg(long, default_value_t = 4, value_name = "NUMBER")]
    pub concurrent: usize,

    /// Directory to cache Git objects in
    #[arg(
        long,
        default_value = "/tmp/image-automation-controller",
        value_name = "DIR"
    )]
    pub git_store_path: PathBuf,

    /// Maximum bytes of cached Git objects; 0 disables the cache
    #[arg(long, default_value_t = 1 << 30, value_name = "BYTES")]
    pub git_store_max_size: u64,

    /// Reject references to other namespaces
    #[arg(long, switch = false)]
    pub no_cross_namespace_refs: bool,

    /// SSH key exchange algorithms to accept, in order of preference
    #[arg(long, value_delimiter = ',', value_name = "ALGORITHM")]
    pub ssh_kex_algos: Vec<String>,

    /// SSH host key algorithms to accept, in order of preference
    #[arg(long, value_delimiter = ',', value_name = "ALGORITHM")]
    pub ssh_hostkey_algos: Vec<String>,

    /// Additional hosts that may receive the controller's identity tokens
    #[arg(long, value_name = "HOST", value_delimiter = ',')]
    pub identity_host_allowlist: Vec<String>,

    /// The flags of identities in clouds.
    #[command(flatten)]
    pub identity: IdentityArgs,
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use clap::{CommandFactory, FromArgMatches, Parser};

    use super::*;

    #[derive(Parser)]
    struct Command {
        #[command(flatten)]
        args: Args,
    }

    fn parse(line: &[&str]) -> Args {
        let words = [&[NAME], line].concat();
        let matches = Command::command().get_matches_from(words);
        Command::from_arg_matches(&matches).unwrap().args
    }

    /// The values are those of `main.go` and `features.go` in Flux.
    #[test]
    fn defaults_match_flux() {
        let args = parse(&[]);
        assert_eq!(args.concurrent, 4);
        assert_eq!(args.identity.token_cache_max_size, 100);
        assert_eq!(
            args.identity.token_cache_max_duration,
            Duration::from_hours(1)
        );
        assert!(!args.no_cross_namespace_refs);
        let gates = FeatureGates::resolve(GATES, &[]).unwrap();
        let defaults = GitGates {
            force: true,
            all_branches: true,
            sparse: false,
        };
        assert_eq!(GitGates::of(&gates), defaults);
        assert!(gates.enabled("GitShallowClone"));
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
            "--feature-gates=GitForcePushBranch=false,GitSparseCheckout=true",
            "--ssh-kex-algos=curve25519-sha256,ecdh-sha2-nistp256",
        ]);
        assert_eq!(args.ssh_kex_algos.len(), 2);
        let gates = FeatureGates::resolve(GATES, &args.shared.process.feature_gates).unwrap();
        let gates = GitGates::of(&gates);
        assert!(!gates.force && gates.sparse);
    }
}
