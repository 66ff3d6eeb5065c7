//! What is on record at each point of a run, and what is said of a crash.

use sluice_apply::{Action, ApplyError, ObjectFailure, Operation, WaitError};
use sluice_client::Error;

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
fn a_failed_apply_keeps_on_record_whatever_may_have_been_sent() {
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
        "an earlier stage was sent, and nothing of the one that was refused"
    );
    let silent = ApplyFailure {
        error: ApplyError::Stage(WaitError::Failed("not ready".to_owned())),
        ..failure(Operation::Apply, &["made"])
    };
    assert_eq!(left(silent), settled, "the next stage was not begun");
    assert_eq!(
        left(failure(Operation::DryRun, &[])),
        ["apps_old__ConfigMap"],
        "what was refused before anything was sent is nowhere"
    );
}

#[test]
fn what_is_being_deleted_is_on_record_until_it_is_gone() {
    let plan = plan_of(&ready("a", "1"), "2");
    let applied = inventory(&["apps_new__ConfigMap"]);
    let stale = doomed(&plan, &applied);
    assert_eq!(ids(&stale), ["apps_web_apps_Deployment"]);
    let mut done = Done::default();
    done.deleting(&applied, &stale);
    let during = done.inventory.clone().unwrap();
    assert_eq!(
        ids(&during),
        ["apps_new__ConfigMap", "apps_web_apps_Deployment"]
    );
    done.deleted(&applied, &Inventory::default());
    assert_eq!(done.inventory, Some(applied.clone()));
    done.deleted(&applied, &stale);
    assert_eq!(done.inventory, Some(during), "a survivor stays");
}

#[test]
fn before_a_wait_only_what_is_not_on_record_yet_is_written() {
    let announced = inventory(&["apps_a__ConfigMap", "apps_b__ConfigMap"]);
    let mut done = Done {
        inventory: Some(inventory(&["apps_a__ConfigMap"])),
        ..Done::default()
    };
    assert!(!done.is_on_record(), "nobody knows that work is under way");
    done.recorded = Some(announced);
    assert!(done.is_on_record());
    done.inventory = Some(inventory(&["apps_a__ConfigMap", "apps_c__ConfigMap"]));
    assert!(!done.is_on_record(), "c is not what was announced");
}

#[test]
fn without_pruning_nothing_is_doomed() {
    let mut object = ready("a", "1");
    object.spec.prune = false;
    assert!(doomed(&plan_of(&object, "2"), &Inventory::default()).is_empty());
}

#[tokio::test]
async fn no_condition_repeats_what_a_panic_says() {
    let task = tokio::task::spawn_blocking(|| -> () { panic!("canary") });
    let error = task.await.unwrap_err();
    assert!(error.to_string().contains("canary"), "the premise");
    let failed = crashed(&error);
    assert_eq!(failed.reason, "BuildFailed");
    assert!(!failed.message.contains("canary"), "{}", failed.message);
}

#[test]
fn the_log_of_an_apply_names_objects_or_with_the_gate_actions() {
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
        logged(&changes, false),
        serde_json::json!({"ConfigMap/apps/a": "created", "ConfigMap/apps/b": "unchanged", "ConfigMap/apps/c": "created"})
    );
    assert_eq!(
        logged(&changes, true),
        serde_json::json!({"created": ["ConfigMap/apps/a", "ConfigMap/apps/c"], "unchanged": ["ConfigMap/apps/b"]})
    );
}

#[test]
fn a_full_disk_is_told_as_what_it_is() {
    let full = || std::io::Error::from(std::io::ErrorKind::StorageFull);
    let failed = unbuilt(&BuildError::Directory(full()));
    assert_eq!(failed.reason, "DirectoryCreationFailed");
    assert_eq!(failed.message, "tmp dir error: no storage space");
    let failed = unbuilt(&BuildError::Archive(sluice_trees::TarError::Archive(
        sluice_artifact::untar::Error::Read(full()),
    )));
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
