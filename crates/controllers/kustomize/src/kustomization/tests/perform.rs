//! Recorded inventories at each step of a run, and failures of the build.

use sluice_apply::{Action, ApplyError, ObjectFailure, Operation, WaitError};
use sluice_client::Error;

use super::super::build::BuildError;
use super::super::plan::stale_objects;
use super::super::plan::tests::{plan_of, ready};
use super::*;

fn inventory(ids: &[&str]) -> Inventory {
    Inventory::parse(ids.iter().map(|id| (*id, "v1"))).unwrap()
}

fn ids(inventory: &Inventory) -> Vec<String> {
    inventory.format().map(|(id, _)| id).collect()
}

fn failure(operation: Operation, settled: &[&str]) -> ApplyFailure {
    let object = Object::new("v1", "ConfigMap", "apps", "refused");
    let cause = Error::Answer {
        action: "apply".to_owned(),
        reason: "connection reset".to_owned(),
    };
    let made = |name: &&str| {
        ChangeSetEntry::of(
            &Object::new("v1", "ConfigMap", "apps", name),
            Action::Created,
        )
    };
    ApplyFailure {
        error: ApplyError::Objects(vec![ObjectFailure::new(&object, operation, &cause)]),
        changes: ChangeSet {
            entries: settled.iter().map(made).collect(),
        },
    }
}

#[test]
fn failed_apply_records_all_sent_objects() {
    let known = inventory(&["apps_old__ConfigMap"]);
    let intended = inventory(&["apps_made__ConfigMap", "apps_refused__ConfigMap"]);
    let left = |failure| ids(&after_failure(&known, &intended, &failure));
    let everything = [
        "apps_old__ConfigMap",
        "apps_made__ConfigMap",
        "apps_refused__ConfigMap",
    ];
    assert_eq!(left(failure(Operation::Apply, &[])), everything);
    assert_eq!(left(failure(Operation::Apply, &["made"])), everything);
    let settled = ["apps_old__ConfigMap", "apps_made__ConfigMap"];
    assert_eq!(
        left(failure(Operation::DryRun, &["made"])),
        settled,
        "the earlier stage was sent, the refused one was not"
    );
    let silent = ApplyFailure {
        error: ApplyError::Stage(WaitError::Failed("not ready".to_owned())),
        ..failure(Operation::Apply, &["made"])
    };
    assert_eq!(left(silent), settled, "the next stage did not start");
    assert_eq!(
        left(failure(Operation::DryRun, &[])),
        ["apps_old__ConfigMap"],
        "nothing was sent"
    );
}

#[test]
fn objects_are_recorded_until_deletion_is_confirmed() {
    let plan = plan_of(&ready("a", "1"), "2");
    let applied = inventory(&["apps_new__ConfigMap"]);
    let stale = stale_objects(&plan, &applied);
    assert_eq!(ids(&stale), ["apps_web_apps_Deployment"]);
    let mut done = RunReport::default();
    done.record_deleting(&applied, &stale);
    let during = done.inventory.clone().unwrap();
    assert_eq!(
        ids(&during),
        ["apps_new__ConfigMap", "apps_web_apps_Deployment"]
    );
    done.record_deleted(&applied, &Inventory::default());
    assert_eq!(done.inventory, Some(applied.clone()));
    done.record_deleted(&applied, &stale);
    assert_eq!(done.inventory, Some(during), "a survivor stays");
}

#[test]
fn record_is_skipped_if_announced() {
    let announced = inventory(&["apps_a__ConfigMap", "apps_b__ConfigMap"]);
    let mut done = RunReport {
        inventory: Some(inventory(&["apps_a__ConfigMap"])),
        ..RunReport::default()
    };
    assert!(!done.is_recorded(), "no progress was written");
    done.recorded = Some(announced);
    assert!(done.is_recorded());
    done.inventory = Some(inventory(&["apps_a__ConfigMap", "apps_c__ConfigMap"]));
    assert!(!done.is_recorded(), "c was not announced");
}

#[test]
fn stale_objects_are_empty_without_prune() {
    let mut object = ready("a", "1");
    object.spec.prune = false;
    assert!(stale_objects(&plan_of(&object, "2"), &Inventory::default()).is_empty());
}

#[tokio::test]
async fn panic_message_stays_out_of_conditions() {
    let task = tokio::task::spawn_blocking(|| -> () { panic!("canary") });
    let error = task.await.unwrap_err();
    assert!(error.to_string().contains("canary"), "precondition");
    let failed = panic_failure(&error).failure;
    assert_eq!(failed.reason, "BuildFailed");
    assert!(!failed.message.contains("canary"), "{}", failed.message);
}

#[test]
fn apply_log_is_grouped_with_the_gate() {
    let entry = |name: &str, action| {
        ChangeSetEntry::of(&Object::new("v1", "ConfigMap", "apps", name), action)
    };
    let changes = ChangeSet {
        entries: vec![
            entry("a", Action::Created),
            entry("b", Action::Unchanged),
            entry("c", Action::Created),
        ],
    };
    assert_eq!(
        log_output(&changes, false),
        serde_json::json!({"ConfigMap/apps/a": "created", "ConfigMap/apps/b": "unchanged", "ConfigMap/apps/c": "created"})
    );
    assert_eq!(
        log_output(&changes, true),
        serde_json::json!({"created": ["ConfigMap/apps/a", "ConfigMap/apps/c"], "unchanged": ["ConfigMap/apps/b"]})
    );
}

#[test]
fn full_disk_has_reason_and_message() {
    let full = || std::io::Error::from(std::io::ErrorKind::StorageFull);
    let failed = build_failure(&BuildError::Directory(full())).failure;
    assert_eq!(failed.reason, "DirectoryCreationFailed");
    assert_eq!(failed.message, "tmp dir error: no storage space");
    let failed = build_failure(&BuildError::Archive(sluice_trees::TarError::Archive(
        sluice_artifact::untar::Error::Read(full()),
    )))
    .failure;
    assert_eq!(failed.reason, "ArtifactFailed");
    assert!(
        failed.message.starts_with("failed to untar artifact: "),
        "{}",
        failed.message
    );
    assert!(
        failed.message.contains("no storage space"),
        "{}",
        failed.message
    );
}
