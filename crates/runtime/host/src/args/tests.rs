//! The flags: names, defaults and refusals.

use clap::{CommandFactory, Parser};

use super::*;

#[derive(Debug, Parser)]
struct Program {
    #[command(flatten)]
    shared: SharedArgs,
}

fn parse(args: &[&str]) -> Result<SharedArgs, clap::Error> {
    Program::try_parse_from(std::iter::once(&"program").chain(args)).map(|program| program.shared)
}

#[test]
fn shared_flags_have_the_defaults_of_flux() {
    let expected = [
        ("metrics-addr", ":8080"),
        ("health-addr", ":9440"),
        ("events-addr", ""),
        ("watch-all-namespaces", "true"),
        ("watch-label-selector", ""),
        (
            "watch-configs-label-selector",
            "reconcile.fluxcd.io/watch=Enabled",
        ),
        ("min-retry-delay", "750ms"),
        ("max-retry-delay", "15m"),
        ("interval-jitter-percentage", "5"),
        ("kube-api-qps", "50"),
        ("kube-api-burst", "300"),
        ("enable-leader-election", "false"),
        ("leader-election-release-on-cancel", "true"),
        ("leader-election-lease-duration", "35s"),
        ("leader-election-renew-deadline", "30s"),
        ("leader-election-retry-period", "5s"),
        ("log-level", "info"),
        ("log-encoding", "json"),
    ];
    let command = Program::command();
    for (flag, default) in expected {
        let argument = command
            .get_arguments()
            .find(|argument| argument.get_long() == Some(flag));
        let values: Vec<_> = argument
            .unwrap_or_else(|| panic!("--{flag} is missing"))
            .get_default_values()
            .to_vec();
        assert_eq!(values, [default], "--{flag}");
    }
    assert!(
        command
            .get_arguments()
            .any(|argument| argument.get_long() == Some("feature-gates"))
    );
}

#[test]
fn booleans_are_written_as_in_go() {
    assert!(
        parse(&["--enable-leader-election"])
            .unwrap()
            .process
            .enable_leader_election
    );
    assert!(
        !parse(&["--watch-all-namespaces=false"])
            .unwrap()
            .namespaces
            .watch_all_namespaces
    );
    assert!(
        parse(&["--watch-all-namespaces=T"])
            .unwrap()
            .namespaces
            .watch_all_namespaces
    );
    parse(&["--watch-all-namespaces=nein"]).unwrap_err();
}

#[test]
fn gates_may_come_in_one_flag_or_in_many() {
    let args = parse(&["--feature-gates=A=true,B=false", "--feature-gates=C=true"]).unwrap();
    assert_eq!(args.process.feature_gates, ["A=true", "B=false", "C=true"]);
}

#[test]
fn unknown_log_settings_are_refused() {
    parse(&["--log-level=warn"]).unwrap_err();
    parse(&["--log-encoding=xml"]).unwrap_err();
}

#[test]
fn jitter_is_a_percentage_below_a_hundred() {
    let args = parse(&["--interval-jitter-percentage=99"]).unwrap();
    assert_eq!(args.intervals.interval_jitter_percentage, 99);
    for wrong in ["100", "500", "abc", "-1", "5.5", ""] {
        let refused = parse(&[&format!("--interval-jitter-percentage={wrong}")]);
        let message = refused.unwrap_err().to_string();
        let expected = "must be a whole number from 0 to 99";
        assert!(wrong.is_empty() || message.contains(expected), "{message}");
    }
}

#[test]
fn timings_that_would_make_two_leaders_are_refused() {
    let args = parse(&[
        "--enable-leader-election",
        "--leader-election-lease-duration=30s",
    ])
    .unwrap();
    assert_eq!(args.validate(), Err(ArgsError::RenewDeadline));
    let args = parse(&[
        "--enable-leader-election",
        "--leader-election-retry-period=25s",
    ])
    .unwrap();
    assert_eq!(args.validate(), Err(ArgsError::RetryPeriod));
}

#[test]
fn addresses_are_read_as_go_listens() {
    let read = |text| {
        listen_address("metrics-addr", text)
            .unwrap()
            .map(|address| address.to_string())
    };
    assert_eq!(read(":8080").as_deref(), Some("[::]:8080"));
    assert_eq!(read("0.0.0.0:1").as_deref(), Some("0.0.0.0:1"));
    assert_eq!(read("localhost:1").as_deref(), Some("127.0.0.1:1"));
    assert_eq!(read("[::1]:1").as_deref(), Some("[::1]:1"));
    assert_eq!(read("0"), None);
    listen_address("metrics-addr", "nonsense").unwrap_err();
}

#[test]
fn single_namespace_is_watched() {
    let args = parse(&["--watch-all-namespaces=false", "--runtime-namespace=tenant"]).unwrap();
    assert_eq!(args.watched_namespace(), Some("tenant"));
    assert_eq!(parse(&[]).unwrap().watched_namespace(), None);
}

#[test]
fn absent_group_has_no_flags() {
    #[derive(Debug, Parser)]
    struct Small {
        #[command(flatten)]
        servers: ServerArgs,
        #[command(flatten)]
        process: ProcessArgs,
    }
    let parse = |flag: &str| Small::try_parse_from(["program", flag]);
    let args = parse("--kube-api-burst=7").unwrap();
    assert_eq!(args.process.kube_api_burst, 7);
    assert_eq!(args.servers.metrics_addr, ":8080");
    for flag in ["--events-addr=http://a", "--watch-label-selector=a=b"] {
        parse(flag).unwrap_err();
    }
}
