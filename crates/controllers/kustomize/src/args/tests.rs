//! The flags: names, defaults, gates and refusals.

use clap::{CommandFactory, Parser};

use super::*;

#[derive(Parser)]
struct Command {
    #[command(flatten)]
    args: Args,
}

fn parse(flags: &[&str]) -> Args {
    Command::try_parse_from(std::iter::once(&"kustomize-controller").chain(flags))
        .unwrap()
        .args
}

/// Every flag of Flux's controller, with its default; a list has none.
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
    // Of the environment alone in Flux; not told by --help.
    ("source-controller-localhost", Some("")),
    ("source-watcher-localhost", Some("")),
    ("vault-allowlist", Some("")),
    ("vault-namespace", Some("")),
];

#[test]
fn every_flag_of_flux_is_there_with_its_default_and_help_tells_it() {
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
            assert!(argument.get_env().is_some(), "--{flag} can be known");
            continue;
        }
        let told = help.split("--").any(|text| text.starts_with(flag));
        assert!(told, "--{flag}");
    }
}

#[test]
fn variables_of_the_environment_have_flux_s_names() {
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
fn every_gate_of_flux_is_there_with_its_default_and_can_be_turned() {
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
        let turned = FeatureGates::resolve(GATES, &[format!("{name}={}", !default)]).unwrap();
        assert_eq!(turned.enabled(name), !default, "{name}");
    }
}

#[test]
fn what_flux_installs_and_its_documentation_adds_starts_us_too() {
    for flags in [
        &[
            "--events-addr=http://notification-controller.flux-system.svc.cluster.local./",
            "--watch-all-namespaces=true",
            "--log-level=info",
            "--log-encoding=json",
            "--enable-leader-election",
            "--feature-gates=ExternalArtifact=true",
        ][..],
        // Sharding, tenancy, and a cluster of many objects.
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
        // More than an hour is taken for an hour.
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
fn booleans_are_written_as_in_go() {
    assert!(parse(&["--no-cross-namespace-refs"]).no_cross_namespace_refs);
    assert!(!parse(&["--no-cross-namespace-refs=false"]).no_cross_namespace_refs);
    assert!(parse(&["--no-remote-bases=1"]).no_remote_bases);
}

#[test]
fn stage_kinds_are_read_with_their_groups() {
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
fn a_default_account_for_what_is_gated_needs_the_gate() {
    let args = parse(&["--default-kubeconfig-service-account=x"]);
    let gates = |overrides: &[String]| FeatureGates::resolve(GATES, overrides).unwrap();
    assert!(args.validate(&gates(&[])).is_err());
    assert_eq!(
        args.validate(&gates(&["ObjectLevelWorkloadIdentity=true".to_owned()])),
        Ok(())
    );
}
