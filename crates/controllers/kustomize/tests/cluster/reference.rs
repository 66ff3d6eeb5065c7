//! Compares Flux's controller with this one: each scenario runs on both, and the outcomes must be
//! equal.
//!
//! A scenario is a file ([`scenario`]) that runs in its own namespace ([`play`]). Its outcome is a
//! list of lines ([`sluice_testkit::outcome`]): objects with field owners, conditions, inventory,
//! history, events in order, and every write to a managed object. The history holds digests of the
//! builds, so a build that differs in one byte fails.
//!
//! With `REFERENCE_BIN_DIR`, each scenario also runs with Flux's controller on a separate API
//! server, and must match its recording. `RECORD=1` updates the recordings in
//! `tests/reference/recorded`. Otherwise the outcome is compared with the recording.
//!
//! `tests/reference/explained.yaml` lists intended differences, each with its row of
//! `docs/differences.md`. An unused entry fails the test.

#[path = "reference/play.rs"]
mod play;
#[path = "reference/scenario.rs"]
mod scenario;
#[path = "reference/swap.rs"]
mod swap;

use std::path::PathBuf;

use sluice_testkit::scenarios::Scenarios;
use sluice_testkit::{scenario_tests, wait};

use play::Actor;
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
    let explained = all().explanations().of(name);
    let played = play::play(&scenario, &Actor::Ours).await;
    // Events follow their status with a delay.
    let unlike = || {
        explained
            .compare(&expected, &played.outcome())
            .map_err(|differences| format!("{name}: - the reference, + ours\n{differences}"))
    };
    assert!(
        played.is_alike_but_for_events(&expected, &explained),
        "{}",
        unlike().unwrap_err()
    );
    wait::eventually("both controllers emit the same events", || async {
        unlike()
    })
    .await;
}

scenario_tests! {
    compare_scenario();
    bucket_source: "bucket",
    build_failures: "build-failures",
    invalid_cel_expressions: "cel-invalid",
    encrypted_objects_and_files: "decryption",
    decryption_account_without_gate: "decryption-account",
    openpgp_hybrid_and_shared_keys: "decryption-keys",
    deletion_policies: "deletion-policies",
    dependencies: "depends-on",
    emptied_directory: "empty",
    immutable_fields_and_force: "force",
    health_checks_by_name_and_expression: "health-checks",
    ignored_fields: "ignore",
    typos_and_quantities: "lenient",
    service_account_impersonation: "impersonation",
    remote_cluster_by_kubeconfig: "kube-config",
    remote_cluster_by_config_map: "kube-config-map",
    oci_artifact_with_origin_revision: "origin",
    fields_that_change_the_build: "overlay",
    plain_directory: "plain",
    variables: "post-build",
    disabled_prune: "prune-off",
    roles_and_bindings: "rbac",
    renamed_objects: "rename",
    missing_sources_and_artifacts: "source-missing",
    retries_and_timeouts: "retry",
    server_side_apply_labels_and_annotations: "ssa",
    kinds_and_their_objects_at_once: "stages",
    suspended: "suspended",
    objects_created_by_kubectl: "take-over",
    sources_of_other_namespaces: "tenancy",
    invalid_objects: "validation",
    two_versions_of_one_kind: "versions",
    waiting: "wait",
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
