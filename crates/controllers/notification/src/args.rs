//! Defines the flags of the notification controller, as in Flux.

use std::time::Duration;

use sluice_host::args::{
    BooleanFlag as _, ConfigSelectorArgs, EventArgs, IdentityArgs, IntervalArgs, NamespaceArgs,
    ProcessArgs, RetryArgs, SelectorArgs, ServerArgs, parse_duration,
};
use sluice_host::gates::{CACHE_SECRETS_AND_CONFIG_MAPS, OBJECT_LEVEL_WORKLOAD_IDENTITY};
use sluice_host::{Gate, SharedArgs};

/// Name of the controller, its lease and its Deployment.
pub const NAME: &str = "notification-controller";

/// Gate that disables the watch of Secrets. The watch triggers Receivers.
pub(crate) const DISABLE_CONFIG_WATCHERS: &str = "DisableConfigWatchers";

/// The feature gates of the controller.
pub const GATES: &[Gate] = &[
    Gate::off(CACHE_SECRETS_AND_CONFIG_MAPS),
    Gate::off(DISABLE_CONFIG_WATCHERS),
    Gate::off(OBJECT_LEVEL_WORKLOAD_IDENTITY),
];

/// The flags of the notification controller.
///
/// Flux's controller has no label selector and no jitter, and its `--events-addr` is an address to
/// listen on. So it takes only some groups of [`SharedArgs`].
#[derive(Debug, Clone, clap::Args)]
pub struct Args {
    /// The addresses of health and metrics.
    #[command(flatten)]
    pub servers: ServerArgs,
    /// The watched namespaces.
    #[command(flatten)]
    pub namespaces: NamespaceArgs,
    /// The selector of the referred Secrets.
    #[command(flatten)]
    pub config_selector: ConfigSelectorArgs,
    /// The back-off of failing objects.
    #[command(flatten)]
    pub retries: RetryArgs,
    /// The connection, the lease, the feature gates and the logs of the process.
    #[command(flatten)]
    pub process: ProcessArgs,

    /// Address to receive events of controllers on
    #[arg(long, default_value = ":9090", value_name = "ADDRESS")]
    pub events_addr: String,

    /// Address to receive webhooks on
    #[arg(long = "receiverAddr", default_value = ":9292", value_name = "ADDRESS")]
    pub receiver_addr: String,

    /// Number of concurrent reconciliations per kind
    #[arg(long, default_value_t = 4, value_name = "NUMBER")]
    pub concurrent: usize,

    /// Interval in which duplicate events are discarded
    #[arg(long, default_value = "5m0s", value_parser = parse_duration, value_name = "DURATION")]
    pub rate_limit_interval: Duration,

    /// Time to retry a failed notification, at least its Provider's timeout
    #[arg(long, default_value = "10m", value_parser = parse_duration, value_name = "DURATION")]
    pub delivery_max_age: Duration,

    /// Label HTTP metrics with the path of each request
    #[arg(long, switch = false)]
    pub export_http_path_metrics: bool,

    /// Reject references to other namespaces
    #[arg(long, switch = false)]
    pub no_cross_namespace_refs: bool,

    /// Additional hosts that may receive the controller's identity tokens
    #[arg(long, value_name = "HOST", value_delimiter = ',')]
    pub identity_host_allowlist: Vec<String>,

    /// The flags of identities in clouds.
    #[command(flatten)]
    pub identity: IdentityArgs,
}

impl Args {
    /// Returns the flags that all controllers share. Events about Receivers are not sent to this
    /// controller.
    pub fn shared(&self) -> SharedArgs {
        SharedArgs {
            servers: self.servers.clone(),
            events: EventArgs::default(),
            namespaces: self.namespaces.clone(),
            selector: SelectorArgs::default(),
            config_selector: self.config_selector.clone(),
            retries: self.retries.clone(),
            intervals: IntervalArgs::default(),
            process: self.process.clone(),
        }
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
        let mut words = vec!["notification-controller"];
        words.extend(line);
        let matches = Command::command().try_get_matches_from(words)?;
        Command::from_arg_matches(&matches).map(|command| command.args)
    }

    /// The values are those of `main.go` in Flux.
    #[test]
    fn defaults_match_flux() {
        let args = parse(&[]).unwrap();
        assert_eq!(args.events_addr, ":9090");
        assert_eq!(args.receiver_addr, ":9292");
        assert_eq!(args.concurrent, 4);
        assert_eq!(args.rate_limit_interval, Duration::from_mins(5));
        assert_eq!(args.identity.token_cache_max_size, 100);
        assert!(!args.export_http_path_metrics && !args.no_cross_namespace_refs);
        assert_eq!(args.shared().events.events_addr, "");
        assert_eq!(args.shared().intervals.interval_jitter_percentage, 0);
    }

    /// The flags that `main.go` of Flux's controller binds, and those of the packages it uses.
    #[test]
    fn every_flag_of_flux_exists() {
        let command = Command::command();
        let flags: Vec<_> = command
            .get_arguments()
            .filter_map(clap::Arg::get_long)
            .collect();
        for flag in [
            "metrics-addr",
            "events-addr",
            "health-addr",
            "receiverAddr",
            "concurrent",
            "rate-limit-interval",
            "export-http-path-metrics",
            "watch-all-namespaces",
            "watch-configs-label-selector",
            "kube-api-qps",
            "kube-api-burst",
            "log-encoding",
            "log-level",
            "enable-leader-election",
            "leader-election-release-on-cancel",
            "leader-election-lease-duration",
            "leader-election-renew-deadline",
            "leader-election-retry-period",
            "no-cross-namespace-refs",
            "min-retry-delay",
            "max-retry-delay",
            "feature-gates",
            "token-cache-max-size",
            "token-cache-max-duration",
            "default-service-account",
        ] {
            assert!(flags.contains(&flag), "--{flag}");
        }
    }

    #[test]
    fn arguments_of_flux_deployment_parse() {
        let args = parse(&[
            "--watch-all-namespaces=true",
            "--log-level=info",
            "--log-encoding=json",
            "--enable-leader-election",
            "--receiverAddr=:9999",
            "--no-cross-namespace-refs=true",
        ])
        .unwrap();
        assert_eq!(args.receiver_addr, ":9999");
        assert!(args.no_cross_namespace_refs);
        assert!(parse(&["--watch-label-selector=a=b"]).is_err());
    }
}
