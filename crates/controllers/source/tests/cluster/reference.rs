//! Compares Flux's source-controller with this one: each scenario runs on both, and the outcomes
//! must be equal.
//!
//! A scenario is a file ([`scenario`]) that runs in its own namespace ([`play`]) with real remotes
//! ([`remotes`]). Its outcome is a list of lines: finalizers, conditions in order, status, field
//! managers and events in order. Masked are times, ids of commits, addresses, and the digest of a
//! chart that Helm packaged.
//!
//! With `REFERENCE_BIN_DIR`, each scenario also runs with Flux's controller, and must match its
//! recording. `RECORD=1` updates the recordings in `tests/reference/recorded`. Otherwise the
//! outcome is compared with the recording. The recordings are of source-controller 1.9.1.
//!
//! `tests/reference/explained.yaml` lists intended differences, each with its row of
//! `docs/differences.md`. An unused entry fails the test.

mod play;
mod remotes;
mod scenario;

use std::path::PathBuf;

use sluice_testkit::scenario_tests;
use sluice_testkit::scenarios::Scenarios;

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
        let played = play::play(&scenario, Actor::Reference(reference)).await;
        played.rested().await
    };
    let expected = all().expected(name, play_reference).await;
    let mut played = play::play(&scenario, Actor::Ours).await;
    let outcome = || played.outcome();
    all().until_alike(name, &expected, outcome).await;
    played.stop().await;
}

scenario_tests! {
    compare_scenario(flavor = "multi_thread", worker_threads = 2);
    references_of_repositories: "git-references",
    failures_of_git_remotes: "git-failures",
    included_repositories: "git-includes",
    content_of_git_artifacts: "git-content",
    suspended_deleted_and_moved_repositories: "git-lifecycle",
    signatures_of_commits: "git-signatures",
    references_of_images: "oci-references",
    failures_of_registries: "oci-failures",
    layers_of_images: "oci-layers",
    buckets: "buckets",
    failures_of_buckets: "bucket-failures",
    chart_repositories: "helm-repositories",
    failures_of_chart_repositories: "helm-repository-failures",
    charts: "helm-charts",
    failures_of_charts: "helm-chart-failures",
    charts_in_folders: "helm-chart-folders",
    charts_in_registries: "helm-chart-registries",
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
