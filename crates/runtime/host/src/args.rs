//! The flags that Flux's controllers share, with Flux's names, defaults and environment variables.
//!
//! A controller flattens [`SharedArgs`], or the groups that it has in Flux, into its own `Args`. It
//! adds its own flags, such as `--concurrent`, whose default differs. [`SharedArgs::validate`]
//! checks the values once.

use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::time::Duration;

use clap::{ArgAction, Args, ValueEnum};

use crate::gates::{GateError, OBJECT_LEVEL_WORKLOAD_IDENTITY};

mod identity;
mod memory;
#[cfg(test)]
mod tests;

pub use identity::IdentityArgs;

/// The file that every pod with a service account has.
const POD_TOKEN: &str = "/var/run/secrets/kubernetes.io/serviceaccount/token";

/// All shared flags, for controllers that have each group in Flux. Other controllers flatten their
/// groups and fill the rest with defaults.
#[derive(Debug, Clone, Args)]
pub struct SharedArgs {
    /// The addresses of the servers.
    #[command(flatten)]
    pub servers: ServerArgs,
    /// The receiver of events. Without this group no events leave the cluster.
    #[command(flatten)]
    pub events: EventArgs,
    /// The watched namespaces.
    #[command(flatten)]
    pub namespaces: NamespaceArgs,
    /// The selector of the reconciled objects. Without this group all are reconciled.
    #[command(flatten)]
    pub selector: SelectorArgs,
    /// The selector of the referred Secrets and configs.
    #[command(flatten)]
    pub config_selector: ConfigSelectorArgs,
    /// The back-off of failing objects.
    #[command(flatten)]
    pub retries: RetryArgs,
    /// The jitter of intervals. Without this group intervals are exact.
    #[command(flatten)]
    pub intervals: IntervalArgs,
    /// The connection, the lease, the feature gates and the logs of the process.
    #[command(flatten)]
    pub process: ProcessArgs,
}

/// The addresses of the servers.
#[derive(Debug, Clone, Args)]
pub struct ServerArgs {
    /// Address to serve metrics on
    #[arg(
        long,
        env = "METRICS_ADDR",
        default_value = ":8080",
        value_name = "ADDRESS"
    )]
    pub metrics_addr: String,

    /// Address to serve /healthz and /readyz on
    #[arg(long, default_value = ":9440", value_name = "ADDRESS")]
    pub health_addr: String,
}

/// The receiver of events. Without this group no events leave the cluster.
#[derive(Debug, Clone, Default, Args)]
pub struct EventArgs {
    /// URL of the notification-controller to send events to
    #[arg(long, env = "EVENTS_ADDR", default_value = "", value_name = "URL")]
    pub events_addr: String,
}

/// The watched namespaces.
#[derive(Debug, Clone, Args)]
pub struct NamespaceArgs {
    /// Watch all namespaces instead of only the controller's own
    #[arg(long, switch = true)]
    pub watch_all_namespaces: bool,
}

/// The selector of the reconciled objects. Without this group all are reconciled.
#[derive(Debug, Clone, Default, Args)]
pub struct SelectorArgs {
    /// Reconcile only objects whose labels match this selector
    #[arg(long, default_value = "", value_name = "SELECTOR")]
    pub watch_label_selector: String,
}

/// The selector of the referred Secrets and configs.
#[derive(Debug, Clone, Default, Args)]
pub struct ConfigSelectorArgs {
    /// Watch referenced Secrets and config maps that match this selector
    #[arg(
        long,
        default_value = "reconcile.fluxcd.io/watch=Enabled",
        value_name = "SELECTOR"
    )]
    pub watch_configs_label_selector: String,
}

/// The back-off of failing objects.
#[derive(Debug, Clone, Args)]
pub struct RetryArgs {
    /// Minimum delay before a failed object is retried
    #[arg(long, default_value = "750ms", value_parser = parse_duration, value_name = "DURATION")]
    pub min_retry_delay: Duration,

    /// Maximum delay before a failed object is retried
    #[arg(long, default_value = "15m", value_parser = parse_duration, value_name = "DURATION")]
    pub max_retry_delay: Duration,
}

/// The jitter of intervals. Without this group intervals are exact.
#[derive(Debug, Clone, Default, Args)]
pub struct IntervalArgs {
    /// Random jitter of intervals, in percent
    #[arg(long, default_value_t = 5, value_parser = parse_jitter, value_name = "PERCENT")]
    pub interval_jitter_percentage: u8,
}

/// The connection, the lease, the feature gates and the logs of the process.
#[derive(Debug, Clone, Args)]
pub struct ProcessArgs {
    /// Maximum requests per second to the API server
    ///
    /// The limit does not apply to a server with API Priority and Fairness.
    #[arg(
        long,
        default_value_t = 50.0,
        allow_negative_numbers = true,
        value_name = "NUMBER"
    )]
    pub kube_api_qps: f64,

    /// Maximum burst of requests above --kube-api-qps
    #[arg(
        long,
        default_value_t = 300,
        allow_negative_numbers = true,
        value_name = "NUMBER"
    )]
    pub kube_api_burst: i64,

    /// Enable leader election, so that only one replica reconciles
    #[arg(long, switch = false)]
    pub enable_leader_election: bool,

    /// Release the Lease on shutdown
    #[arg(long, switch = true)]
    pub leader_election_release_on_cancel: bool,

    /// Take over a Lease that was not renewed for this time
    #[arg(long, default_value = "35s", value_parser = parse_duration, value_name = "DURATION")]
    pub leader_election_lease_duration: Duration,

    /// Stop leading if the Lease is not renewed within this time
    #[arg(long, default_value = "30s", value_parser = parse_duration, value_name = "DURATION")]
    pub leader_election_renew_deadline: Duration,

    /// Interval between attempts to acquire or renew the Lease
    #[arg(long, default_value = "5s", value_parser = parse_duration, value_name = "DURATION")]
    pub leader_election_retry_period: Duration,

    /// Enable or disable features, as name=true,…
    #[arg(long, value_delimiter = ',', value_name = "GATES")]
    pub feature_gates: Vec<String>,

    /// Log messages of this level and more severe ones
    #[arg(long, default_value = "info", value_enum, value_name = "LEVEL")]
    pub log_level: LogLevel,

    /// Format of log lines
    #[arg(long, default_value = "json", value_enum, value_name = "ENCODING")]
    pub log_encoding: LogEncoding,

    /// Namespace of this process
    #[arg(
        long,
        env = "RUNTIME_NAMESPACE",
        default_value = "flux-system",
        hide = true
    )]
    pub runtime_namespace: String,

    /// Directory of the record of objects at work
    ///
    /// In a pod it is a temporary directory by default, which survives a restart of the container.
    #[arg(long, env = "JOURNAL_DIR", hide = true)]
    pub journal_dir: Option<PathBuf>,

    /// Memory that this process may use, as Go writes it
    ///
    /// The manifests set the variable to the limit of the container.
    #[arg(long, env = "GOMEMLIMIT", value_parser = memory::memory_limit, hide = true)]
    pub memory_limit: Option<u64>,
}

/// The log level.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum LogLevel {
    /// Everything.
    Trace,
    /// Details.
    Debug,
    /// Normal operation.
    Info,
    /// Failures.
    Error,
}

/// The format of log lines.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum LogEncoding {
    /// One JSON object per line.
    Json,
    /// Columns for the console.
    Console,
}

/// An invalid flag.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ArgsError {
    /// The lease ends before the renewal deadline.
    #[error(
        "--leader-election-lease-duration must be greater than --leader-election-renew-deadline"
    )]
    RenewDeadline,
    /// The renewal deadline leaves no time for a retry.
    #[error(
        "--leader-election-renew-deadline must be greater than 1.2 times --leader-election-retry-period"
    )]
    RetryPeriod,
    /// The longest delay is shorter than the first one.
    #[error("--max-retry-delay must not be less than --min-retry-delay")]
    RetryDelay,
    /// The address is not `host:port`, `:port` or `0`.
    #[error("--{flag} {value:?} is not an address of the form host:port")]
    Address {
        /// The flag.
        flag: &'static str,
        /// Its value.
        value: String,
    },
    /// The value is not a URL.
    #[error("--{flag} {value:?} is not a URL")]
    Url {
        /// The flag.
        flag: &'static str,
        /// Its value.
        value: String,
    },
    /// `--default-service-account` without its feature gate.
    #[error(
        "--default-service-account needs the feature gate {OBJECT_LEVEL_WORKLOAD_IDENTITY} to be on"
    )]
    DefaultServiceAccount,
    /// The flag needs a feature gate that is disabled.
    #[error("--{flag} requires the feature gate {OBJECT_LEVEL_WORKLOAD_IDENTITY} to be enabled")]
    NeedsIdentityGate {
        /// The flag.
        flag: &'static str,
    },
    /// An entry is neither a host nor a domain.
    #[error("--identity-host-allowlist: {0}")]
    ListedHost(String),
    /// A feature gate is invalid.
    #[error(transparent)]
    Gate(#[from] GateError),
}

impl ProcessArgs {
    /// The directory of the [`sluice_engine::Journal`] of the process `name`. Outside of a pod
    /// there is none by default, because processes are stopped by hand there.
    pub(crate) fn journal_directory(&self, name: &str) -> Option<PathBuf> {
        if let Some(directory) = &self.journal_dir {
            return Some(directory.clone()).filter(|directory| !directory.as_os_str().is_empty());
        }
        let is_in_pod = Path::new(POD_TOKEN).exists();
        is_in_pod.then(|| std::env::temp_dir().join(format!("{name}-journal")))
    }
}

impl SharedArgs {
    /// Checks the relations between values, which clap cannot.
    pub fn validate(&self) -> Result<(), ArgsError> {
        if self.retries.max_retry_delay < self.retries.min_retry_delay {
            return Err(ArgsError::RetryDelay);
        }
        if self.process.enable_leader_election {
            if self.process.leader_election_lease_duration
                <= self.process.leader_election_renew_deadline
            {
                return Err(ArgsError::RenewDeadline);
            }
            if self.process.leader_election_renew_deadline
                <= self.process.leader_election_retry_period.mul_f64(1.2)
            {
                return Err(ArgsError::RetryPeriod);
            }
        }
        listen_address("metrics-addr", &self.servers.metrics_addr)?;
        listen_address("health-addr", &self.servers.health_addr)?;
        Ok(())
    }

    /// The namespace to watch; `None` is all namespaces.
    pub fn watched_namespace(&self) -> Option<&str> {
        (!self.namespaces.watch_all_namespaces).then_some(self.process.runtime_namespace.as_str())
    }
}

/// Parses an address as Go's `net.Listen` does: `:8080` is every interface, of IPv6 and IPv4. `0`
/// and the empty string disable the server, as in controller-runtime.
pub fn listen_address(flag: &'static str, value: &str) -> Result<Option<SocketAddr>, ArgsError> {
    let invalid = || ArgsError::Address {
        flag,
        value: value.to_owned(),
    };
    if value.is_empty() || value == "0" {
        return Ok(None);
    }
    let (host, port) = value.rsplit_once(':').ok_or_else(invalid)?;
    let port: u16 = port.parse().map_err(|_| invalid())?;
    let host = match host.trim_start_matches('[').trim_end_matches(']') {
        "" => "::",
        "localhost" => "127.0.0.1",
        other => other,
    };
    let address = host.parse().map_err(|_| invalid())?;
    Ok(Some(SocketAddr::new(address, port)))
}

/// Parses the jitter of intervals. An interval with a jitter of 100 percent could be zero.
fn parse_jitter(text: &str) -> Result<u8, String> {
    text.parse()
        .ok()
        .filter(|percent| *percent < 100)
        .ok_or_else(|| "must be a whole number from 0 to 99".to_owned())
}

/// Parses a duration as Go's `time.ParseDuration` does.
pub fn parse_duration(text: &str) -> Result<Duration, String> {
    let duration = sluice_golang::duration::parse(text).map_err(|error| error.to_string())?;
    duration
        .to_std()
        .ok_or_else(|| format!("duration {text:?} is negative"))
}

/// Makes an argument a boolean flag; works in `#[arg(long, switch = false)]` too.
pub trait BooleanFlag {
    /// A flag as in Go: `--x`, `--x=false`, never `--x false`. `default` is its value when absent.
    #[must_use]
    fn switch(self, default: bool) -> Self;
}

impl BooleanFlag for clap::Arg {
    fn switch(self, default: bool) -> Self {
        self.action(ArgAction::Set)
            .value_parser(parse_bool)
            .num_args(0..=1)
            .require_equals(true)
            .default_missing_value("true")
            .default_value(if default { "true" } else { "false" })
            .value_name("BOOL")
    }
}

/// Parses a boolean as Go's `strconv.ParseBool` does.
pub fn parse_bool(text: &str) -> Result<bool, String> {
    sluice_golang::boolean::parse(text).map_err(|error| error.to_string())
}
