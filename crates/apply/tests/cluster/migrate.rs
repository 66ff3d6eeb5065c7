//! The gate `MigrateAPIVersion`: managed fields of a version that is not applied any more.

use std::sync::Arc;

use serde_json::json;
use sluice_apply::{
    Action, Applied, Applier, ApplyOptions, IgnoreRule, IgnoreRules, Inventory, Settings,
};
use sluice_object::Object;
use sluice_system::SystemClock;

use crate::{Corner, GROUP, MANAGER, actions, all, definition, within};

/// Applies one object over what is known, with the gate as told.
async fn apply_by(
    corner: &Corner,
    object: Object,
    known: &Inventory,
    migrate: bool,
    rules: IgnoreRules,
) -> Applied {
    let mut settings = Settings::new(MANAGER, GROUP);
    settings.migrate_api_version = migrate;
    let applier = Applier::new(
        corner.applier.cluster().clone(),
        Arc::new(settings),
        corner.watches.clone(),
        Arc::new(SystemClock),
    )
    .with_ignore_rules(Arc::new(rules));
    let mut objects = vec![object];
    applier.set_owner(&mut objects, &corner.owner);
    let options = ApplyOptions {
        owner: &corner.owner,
        known,
        force: false,
        pause: None,
    };
    applier
        .apply_staged(objects, &options)
        .await
        .expect("applied")
}

#[tokio::test]
async fn entries_of_an_older_version_are_rewritten_only_when_asked_for() {
    let corner = Corner::new("migrate").await;
    let group = format!("{}.example.com", corner.namespace);
    let widget = |version: &str| {
        corner.object(
            &format!("{group}/{version}"),
            "Widget",
            "w",
            &json!({"spec": {"size": 1}}),
        )
    };
    let applied = corner
        .apply(vec![definition(&group, &["v1", "v2"]), widget("v1")])
        .await
        .expect("applied");
    let known = Inventory::of(&applied.changes);
    let versions = async || {
        let live = corner.live(&widget("v2")).await.expect("live");
        let entries = live.at(&["metadata", "managedFields"]).expect("managers");
        entries
            .as_array()
            .expect("a list")
            .iter()
            .map(|entry| entry["apiVersion"].as_str().unwrap_or_default().to_owned())
            .collect::<Vec<_>>()
    };
    // Somebody else holds a field in the old version; our own apply does not touch that entry.
    corner
        .meddle(
            &widget("v1"),
            &json!({"metadata": {"annotations": {"by": "meddler"}}}),
        )
        .await;
    let apply = async |migrate: bool| {
        let rules = IgnoreRules::default();
        apply_by(&corner, widget("v2"), &known, migrate, rules).await
    };
    apply(false).await;
    assert!(versions().await.contains(&format!("{group}/v1")));
    let applied = apply(true).await;
    assert!(
        all(&applied, Action::Configured),
        "a migration counts as a change"
    );
    assert!(
        versions()
            .await
            .iter()
            .all(|version| *version == format!("{group}/v2"))
    );
    let applied = apply(true).await;
    assert!(all(&applied, Action::Unchanged), "and happens once");
    corner
        .applier
        .wait(applied.targets, within(30), std::future::pending())
        .await
        .expect("healthy");
}

#[tokio::test]
async fn a_migration_leaves_ignored_fields_as_they_are() {
    let corner = Corner::new("migrate").await;
    let group = format!("{}.example.com", corner.namespace);
    let widget = |version: &str| {
        let body = json!({"spec": {"replicas": 2, "size": 1}});
        corner.object(&format!("{group}/{version}"), "Widget", "w", &body)
    };
    let applied = corner
        .apply(vec![definition(&group, &["v1", "v2"]), widget("v1")])
        .await
        .expect("applied");
    let known = Inventory::of(&applied.changes);
    corner
        .meddle(&widget("v1"), &json!({"spec": {"replicas": 10}}))
        .await;
    let paths = ["/spec/replicas".to_owned()];
    let rule = IgnoreRule {
        paths: &paths,
        target: None,
    };
    let rules = IgnoreRules::new([rule]).expect("readable rules");
    for expected in [Action::Configured, Action::Unchanged] {
        let applied = apply_by(&corner, widget("v2"), &known, true, rules.clone()).await;
        assert!(all(&applied, expected), "{:?}", actions(&applied));
        let live = corner.live(&widget("v2")).await.expect("live");
        assert_eq!(live.get("spec"), Some(&json!({"replicas": 10, "size": 1})));
    }
}
