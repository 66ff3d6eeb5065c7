//! Flux's own controller and ours, side by side: one scenario, two runs, what must not differ.
//!
//! A scenario is a file ([`scenario`]). It is played on a namespace of its own name ([`play`]),
//! and what is then there is written down as lines ([`sluice_testkit::outcome`]): the objects with who owns which
//! field, the Kustomizations' conditions, inventory and history, the events in their order, and
//! every write to a managed object. The digests in the history are those of what was built, so that
//! two builds that differ in one byte differ here.
//!
//! With `REFERENCE_BIN_DIR` each scenario runs with the reference too, on an API server of its
//! own, and what was recorded of it must still be true; `RECORD=1` records it anew. Without it, ours
//! is compared with what was recorded: `tests/reference/recorded`. What differs on purpose is listed
//! in `tests/reference/explained.yaml`, by the row of `docs/differences.md` that says why
//! ([`sluice_testkit::explained`]); an entry that explains nothing any more fails as well.

#[path = "reference/play.rs"]
mod play;
#[path = "reference/scenario.rs"]
mod scenario;
#[path = "reference/swap.rs"]
mod swap;

use std::collections::BTreeSet;
use std::path::PathBuf;

use sluice_testkit::expected_differences::{self, ExpectedDifferences};
use sluice_testkit::outcome::Outcome;
use sluice_testkit::{Reference, wait};

use play::Actor;
use scenario::Scenario;

/// The folder of scenarios and of what was recorded.
fn folder() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/reference")
}

/// What may differ, and why.
fn explanations() -> ExpectedDifferences {
    ExpectedDifferences::read(&folder().join("explained.yaml"))
}

/// Plays a scenario with whatever there is, and fails unless ours ends like the reference.
async fn compared(name: &str) {
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
                    "{name}: the reference does not do any more what was recorded (RECORD=1 records anew):\n{stale}"
                );
            }
            found
        }
        None => Outcome::parse(&recorded()),
    };
    let explained = explanations().of(name);
    let played = play::play(&scenario, &Actor::Ours).await;
    // Events come a moment after the status that they tell of.
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
    wait::eventually("ours tells what the reference tells", || async { unlike() }).await;
}

/// One test for each scenario.
macro_rules! scenarios {
    ($($test:ident: $name:literal,)*) => {
        const SCENARIOS: &[&str] = &[$($name),*];
        $(
            #[tokio::test]
            async fn $test() {
                compared($name).await;
            }
        )*
    };
}

scenarios! {
    a_bucket: "bucket",
    builds_that_fail: "build-failures",
    expressions_that_cannot_be_read: "cel-invalid",
    encrypted_objects_and_files: "decryption",
    an_account_for_decryption_without_its_gate: "decryption-account",
    openpgp_hybrid_and_shared_keys: "decryption-keys",
    what_each_deletion_policy_leaves: "deletion-policies",
    dependencies: "depends-on",
    a_folder_that_becomes_empty: "empty",
    immutable_fields_and_force: "force",
    health_checks_by_name_and_by_expression: "health-checks",
    ignored_fields: "ignore",
    typos_and_quantities: "lenient",
    a_tenant_s_account: "impersonation",
    another_cluster_by_a_kubeconfig: "kube-config",
    another_cluster_by_a_config_map: "kube-config-map",
    an_oci_artifact_with_an_origin: "origin",
    fields_that_change_the_build: "overlay",
    a_plain_folder: "plain",
    variables: "post-build",
    what_is_not_pruned: "prune-off",
    roles_and_bindings: "rbac",
    other_names: "rename",
    sources_and_artifacts_that_are_missing: "source-missing",
    retries_and_time_limits: "retry",
    labels_and_annotations_of_server_side_apply: "ssa",
    kinds_and_their_objects_at_once: "stages",
    suspended: "suspended",
    objects_that_kubectl_made: "take-over",
    sources_of_other_namespaces: "tenancy",
    objects_that_are_not_valid: "validation",
    two_versions_of_one_kind: "versions",
    waiting: "wait",
}

#[test]
fn every_scenario_is_played_and_recorded() {
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
fn every_explanation_is_a_row_of_the_differences() {
    explanations().assert_rows_of(&folder().join("../../../../../docs/differences.md"));
}
