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

use std::collections::BTreeSet;
use std::path::PathBuf;

use sluice_testkit::expected_differences::{self, ExpectedDifferences};
use sluice_testkit::outcome::Outcome;
use sluice_testkit::{Reference, wait};

use play::Actor;
pub(crate) use play::start;
use scenario::Scenario;

/// Directory of the scenarios and recordings.
fn folder() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/reference")
}

/// The intended differences.
fn explanations() -> ExpectedDifferences {
    ExpectedDifferences::read(&folder().join("explained.yaml"))
}

/// Runs a scenario and fails on a difference to the reference.
async fn compare_scenario(name: &str) {
    let scenario = Scenario::read(name);
    let record = folder().join(format!("recorded/{name}.txt"));
    let recorded = || sluice_system::fs::read_to_string(&record).unwrap();
    let expected = match Reference::find() {
        Some(reference) => {
            let played = play::play(&scenario, &Actor::Reference(reference)).await;
            let found = played.rested().await;
            if Reference::is_recording() {
                sluice_system::fs::write(&record, found.to_string()).unwrap();
            } else {
                let stale = expected_differences::differences(&Outcome::parse(&recorded()), &found);
                assert!(
                    stale.is_empty(),
                    "{name}: the reference differs from its recording (update with RECORD=1):\n{stale}"
                );
            }
            found
        }
        None => Outcome::parse(&recorded()),
    };
    let explained = explanations().of(name);
    let mut played = play::play(&scenario, &Actor::Ours).await;
    // Events follow their status with a delay.
    let claim = format!("{name}: - the reference, + ours");
    wait::eventually(&claim, || async {
        explained.compare(&expected, &played.outcome())
    })
    .await;
    played.stop().await;
}

/// Defines one test for each scenario.
macro_rules! scenarios {
    ($($test:ident: $name:literal,)*) => {
        const SCENARIOS: &[&str] = &[$($name),*];
        $(
            #[tokio::test(flavor = "multi_thread", worker_threads = 2)]
            async fn $test() {
                compare_scenario($name).await;
            }
        )*
    };
}

scenarios! {
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
    let names = |folder: PathBuf, ending: &str| -> BTreeSet<String> {
        sluice_system::fs::read_dir(&folder)
            .unwrap()
            .into_iter()
            .filter_map(|entry| {
                let name = entry.path.file_name()?.to_str()?;
                name.strip_suffix(ending).map(str::to_owned)
            })
            .collect()
    };
    let played: BTreeSet<String> = SCENARIOS.iter().map(ToString::to_string).collect();
    assert_eq!(names(folder().join("scenarios"), ".yaml"), played);
    assert_eq!(names(folder().join("recorded"), ".txt"), played);
    assert_eq!(explanations().unknown_scenarios(&played), BTreeSet::new());
}

#[test]
fn every_difference_is_documented() {
    explanations().assert_rows_of(&folder().join("../../../../../docs/differences.md"));
}
