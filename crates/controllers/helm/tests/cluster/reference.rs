//! Compares Flux's helm-controller with this one: each scenario runs on both, and the outcomes must
//! be equal.
//!
//! A scenario is a file ([`scenario`]) that runs in its own namespace ([`play`]). Its outcome is a
//! list of lines ([`lines`]): conditions, history, inventory, records, objects with field owners,
//! events in order, and writes.
//!
//! With `REFERENCE_BIN_DIR`, each scenario also runs with Flux's controller on a separate API
//! server. `RECORD=1` writes that outcome to `tests/reference/recorded`. Otherwise the outcome is
//! compared with the recording.
//!
//! The recordings are of helm-controller 1.6.3, built with Helm 4.2.4: Flux's fork of Helm 4.2.4 is
//! not public. Recipe: in a checkout of fluxcd/helm-controller v1.6.3, `go mod edit -dropreplace
//! helm.sh/helm/v4 -require helm.sh/helm/v4@v4.2.4`, `go mod tidy`, `go build -o
//! $REFERENCE_BIN_DIR/helm-controller .`, then `RECORD=1 cargo test -p sluice-helm-controller
//! --test cluster reference::`.
//!
//! `tests/reference/explained.yaml` lists intended differences, each with its row of
//! `docs/differences.md`. An unused entry fails the test.

mod lines;
mod play;
mod scenario;

use std::path::PathBuf;

use sluice_testkit::scenario_tests;
use sluice_testkit::scenarios::Scenarios;

use play::Actor;
pub(crate) use play::start;
use scenario::Scenario;

/// Directory of the scenarios and recordings.
fn folder() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/reference")
}

fn all() -> Scenarios {
    Scenarios::new(folder())
}

/// Runs a scenario and fails on a difference to the reference.
async fn compare_scenario(name: &str) {
    let scenario = Scenario::read(name);
    let play_reference = async |reference| {
        let played = play::play(&scenario, &Actor::Reference(reference)).await;
        played.rested().await
    };
    let expected = all().expected(name, play_reference).await;
    let mut played = play::play(&scenario, &Actor::Ours).await;
    let outcome = || played.outcome();
    all().until_alike(name, &expected, outcome).await;
    played.stop().await;
}

scenario_tests! {
    compare_scenario(flavor = "multi_thread", worker_threads = 2);
    install_upgrade_and_uninstall: "lifecycle",
    failed_install_without_retries: "install-failed",
    failed_install_with_remediation: "install-remediated",
    failed_upgrade_with_rollback: "upgrade-rolled-back",
    failed_upgrade_with_uninstall: "upgrade-uninstalled",
    retries_without_remediation: "retries",
    failures_before_any_record: "not-stored",
    drift: "drift",
    tests_of_charts: "chart-tests",
    values_by_reference: "values",
    sources_without_a_chart: "sources",
    chart_templates: "template",
    chart_of_a_registry: "registry",
    dependencies: "dependencies",
    suspended: "suspended",
    force_and_reset: "requests",
    metadata_and_post_renderers: "post-rendered",
    custom_resource_definitions: "definitions",
    other_namespaces_and_moves: "moved",
    hooks: "hooks",
    edited_pending_and_lost_records: "records",
    service_accounts: "accounts",
    invalid_fields: "invalid",
    refused_and_endless_objects: "refusals",
}

#[test]
fn every_scenario_is_tested_and_recorded() {
    all().assert_complete(SCENARIOS);
}

#[test]
fn every_difference_is_documented() {
    let differences = folder().join("../../../../../docs/differences.md");
    all().explanations().assert_rows_of(&differences);
}
