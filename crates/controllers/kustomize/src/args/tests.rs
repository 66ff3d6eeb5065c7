//! Flags: names, defaults, feature gates and validation.

use clap::{CommandFactory, Parser};

use super::*;

#[derive(Parser)]
struct Command {
    #[command(flatten)]
    args: Args,
}

pub(crate) fn parse(flags: &[&str]) -> Args {
    Command::try_parse_from(std::iter::once(&"kustomize-controller").chain(flags))
        .unwrap()
        .args
}

/// Every flag of Flux's controller with its default value; lists do not have one.
const FLAGS: [(&str, Option<&str>); 40] = [
    ("metrics-addr", Some(":8080")),
    ("health-addr", Some(":9440")),
    ("events-addr", Some("")),
    ("concurrent", Some("4")),
    ("concurrent-ssa", Some("4")),
    ("requeue-dependency", Some("30s")),
    ("no-remote-bases", Some("false")),
    ("http-retry", Some("9")),
    ("default-service-account", Some("")),
    ("default-decryption-service-account", Some("")),
    ("default-kubeconfig-service-account", Some("")),
    ("sops-age-secret", Some("")),
    ("sops-vault-configmap", Some("")),
    ("override-manager", None),
    ("custom-apply-stage-kinds", Some("")),
    ("kube-api-qps", Some("50")),
    ("kube-api-burst", Some("300")),
    ("insecure-kubeconfig-exec", Some("false")),
    ("insecure-kubeconfig-tls", Some("false")),
    ("min-retry-delay", Some("750ms")),
    ("max-retry-delay", Some("15m")),
    ("interval-jitter-percentage", Some("5")),
    ("watch-all-namespaces", Some("true")),
    ("watch-label-selector", Some("")),
    (
        "watch-configs-label-selector",
        Some("reconcile.fluxcd.io/watch=Enabled"),
    ),
    ("no-cross-namespace-refs", Some("false")),
    ("token-cache-max-size", Some("100")),
    ("token-cache-max-duration", Some("1h")),
    ("feature-gates", None),
    ("log-level", Some("info")),
    ("log-encoding", Some("json")),
    ("enable-leader-election", Some("false")),
    ("leader-election-release-on-cancel", Some("true")),
    ("leader-election-lease-duration", Some("35s")),
    ("leader-election-renew-deadline", Some("30s")),
    ("leader-election-retry-period", Some("5s")),
    // Environment variables only in Flux, so hidden from --help.
    ("source-controller-localhost", Some("")),
    ("source-watcher-localhost", Some("")),
    ("vault-allowlist", Some("")),
    ("vault-namespace", Some("")),
];

#[test]
fn flux_flags_exist_with_default_and_help() {
    let mut command = Command::command();
    let help = command.render_long_help().to_string();
    for (flag, default) in FLAGS {
        let argument = command
            .get_arguments()
            .find(|argument| argument.get_long() == Some(flag));
        let argument = argument.unwrap_or_else(|| panic!("--{flag} is missing"));
        let defaults = argument.get_default_values();
        let defaults: Vec<&str> = defaults.iter().filter_map(|text| text.to_str()).collect();
        assert_eq!(defaults.first().copied(), default, "--{flag}");
        assert!(defaults.len() < 2, "--{flag}");
        if argument.is_hide_set() {
            assert!(argument.get_env().is_some(), "--{flag} has a variable");
            continue;
        }
        let is_listed = help.split("--").any(|text| text.starts_with(flag));
        assert!(is_listed, "--{flag}");
    }
}

#[test]
fn environment_variables_have_flux_names() {
    let command = Command::command();
    let mut names: Vec<&str> = command
        .get_arguments()
        .filter_map(|argument| argument.get_env()?.to_str())
        .collect();
    names.sort_unstable();
    assert_eq!(
        names,
        [
            "EVENTS_ADDR",
            "GOMEMLIMIT",
            "JOURNAL_DIR",
            "METRICS_ADDR",
            "RUNTIME_NAMESPACE",
            "SOPS_AGE_KEY",
            "SOPS_AGE_KEY_FILE",
            "SOPS_HC_VAULT_ALLOWLIST",
            "SOURCE_CONTROLLER_LOCALHOST",
            "SOURCE_WATCHER_LOCALHOST",
            "VAULT_NAMESPACE",
            "VAULT_TOKEN",
        ]
    );
}

#[test]
fn flux_gates_have_defaults_and_can_be_changed() {
    let expected = [
        ("AdditiveCELDependencyCheck", false),
        ("CacheSecretsAndConfigMaps", false),
        ("CancelHealthCheckOnNewRevision", false),
        ("DirectSourceFetch", false),
        ("DisableConfigWatchers", false),
        ("DisableFailFastBehavior", false),
        ("DisableStatusPollerCache", true),
        ("ExternalArtifact", false),
        ("GroupChangeLog", false),
        ("MigrateAPIVersion", false),
        ("ObjectLevelWorkloadIdentity", false),
        ("StrictPostBuildSubstitutions", true),
    ];
    let gates = FeatureGates::resolve(GATES, &[]).unwrap();
    assert_eq!(gates.iter().collect::<Vec<_>>(), expected);
    for (name, default) in expected {
        let changed = FeatureGates::resolve(GATES, &[format!("{name}={}", !default)]).unwrap();
        assert_eq!(changed.enabled(name), !default, "{name}");
    }
}

#[test]
fn documented_flux_flags_are_valid() {
    for flags in [
        &[
            "--events-addr=http://notification-controller.flux-system.svc.cluster.local./",
            "--watch-all-namespaces=true",
            "--log-level=info",
            "--log-encoding=json",
            "--enable-leader-election",
            "--feature-gates=ExternalArtifact=true",
        ][..],
        // Sharding, multi-tenancy, and a large cluster.
        &[
            "--watch-label-selector=sharding.fluxcd.io/key in (shard1)",
            "--no-cross-namespace-refs=true",
            "--no-remote-bases=true",
            "--default-service-account=default",
            "--concurrent=20",
            "--requeue-dependency=5s",
            "--kube-api-qps=500",
            "--kube-api-burst=1000",
            "--override-manager=one",
            "--override-manager=two",
        ],
        // A longer duration is reduced to one hour.
        &[
            "--token-cache-max-size=1000",
            "--token-cache-max-duration=24h",
        ],
    ] {
        let args = parse(flags);
        let gates = FeatureGates::resolve(GATES, &args.shared.process.feature_gates).unwrap();
        assert_eq!(args.validate(&gates), Ok(()), "{flags:?}");
    }
}

#[test]
fn boolean_flags_accept_go_syntax() {
    assert!(
        parse(&["--no-cross-namespace-refs"])
            .clusters
            .no_cross_namespace_refs
    );
    assert!(
        !parse(&["--no-cross-namespace-refs=false"])
            .clusters
            .no_cross_namespace_refs
    );
    assert!(parse(&["--no-remote-bases=1"]).no_remote_bases);
}

#[test]
fn stage_kinds_are_parsed_with_groups() {
    let kinds = parse(&["--custom-apply-stage-kinds= infra.example.com/Network , Node,"])
        .stage_kinds()
        .unwrap();
    let kinds: Vec<String> = kinds
        .iter()
        .map(|kind| format!("{}|{}", kind.group, kind.kind))
        .collect();
    assert_eq!(kinds, ["infra.example.com|Network", "|Node"]);
    let error = parse(&["--custom-apply-stage-kinds=a/b/C"])
        .stage_kinds()
        .unwrap_err();
    assert_eq!(
        error.to_string(),
        "--custom-apply-stage-kinds: \"a/b/C\" is not of the form group/Kind"
    );
}

#[test]
fn gated_default_account_needs_the_gate() {
    let args = parse(&["--default-kubeconfig-service-account=x"]);
    let gates = |overrides: &[String]| FeatureGates::resolve(GATES, overrides).unwrap();
    assert!(args.validate(&gates(&[])).is_err());
    assert_eq!(
        args.validate(&gates(&["ObjectLevelWorkloadIdentity=true".to_owned()])),
        Ok(())
    );
}
