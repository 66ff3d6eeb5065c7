//! Kinds that come and go.

use kube::api::DeleteParams;
use serde_json::json;
use sluice_apply::{Inventory, WaitOptions, WaitTarget};
use sluice_object::Object;
use sluice_testkit::wait;

use crate::{Corner, definition, within};

/// A set of a definition and an object of it, applied.
struct Widgets {
    corner: Corner,
    group: String,
    widget: Object,
    inventory: Inventory,
    targets: Vec<WaitTarget>,
}

impl Widgets {
    async fn new(prefix: &str, versions: &[&str], used: &str) -> Self {
        let corner = Corner::new(prefix).await;
        let group = format!("{}.example.com", corner.bed.name("g"));
        let api_version = format!("{group}/{used}");
        let widget = corner.object(&api_version, "Widget", "a", &json!({"spec": {"x": 1}}));
        let set = vec![widget.clone(), definition(&group, versions)];
        let applied = corner.apply(set).await.expect("applied");
        Self {
            inventory: Inventory::of(&applied.changes),
            targets: applied.targets,
            corner,
            group,
            widget,
        }
    }

    /// What the inventory has of the object alone.
    fn of_widget(&self) -> Inventory {
        let entries = self.inventory.entries().iter();
        entries
            .filter(|entry| entry.id.kind == "Widget")
            .cloned()
            .collect()
    }

    fn definition(&self) -> Object {
        definition(&self.group, &["v1"])
    }

    /// Prunes until nothing is left to be retried, as a controller does.
    async fn prune(&self, stale: &Inventory) -> Vec<String> {
        wait::eventually("the prune ends", || async {
            let pruned = self.corner.applier.prune(stale, &self.corner.owner).await;
            match pruned.error {
                Some(error) => Err(error.to_string()),
                None => Ok(pruned
                    .changes
                    .entries
                    .iter()
                    .map(|entry| format!("{} {}", entry.id.kind, entry.action))
                    .collect()),
            }
        })
        .await
    }
}

#[tokio::test]
async fn objects_whose_kind_was_taken_away_by_someone_else_are_gone() {
    let widgets = Widgets::new("taken", &["v1"], "v1").await;
    let definitions = widgets.corner.api(&widgets.definition()).await;
    let name = widgets.definition().name().to_owned();
    definitions
        .delete(&name, &DeleteParams::default())
        .await
        .expect("deleted");
    wait::gone(&definitions, &name).await;
    // The applier's discovery still has the kind: nobody told it.
    let results = widgets.prune(&widgets.of_widget()).await;
    assert_eq!(results, ["Widget deleted"]);
    widgets
        .corner
        .applier
        .wait_gone(widgets.targets.clone(), within(60))
        .await
        .expect("gone");
}

#[tokio::test]
async fn a_definition_and_its_objects_go_in_one_prune() {
    let widgets = Widgets::new("together", &["v1"], "v1").await;
    let results = widgets.prune(&widgets.inventory).await;
    assert_eq!(
        results,
        ["Widget deleted", "CustomResourceDefinition deleted"]
    );
    let patiently = WaitOptions {
        fail_fast: false,
        ..within(60)
    };
    widgets
        .corner
        .applier
        .wait_gone(widgets.targets.clone(), patiently)
        .await
        .expect("gone");
    // What was remembered of the kind is forgotten: nothing is left to be retried.
    let again = widgets.prune(&widgets.inventory).await;
    assert_eq!(
        again,
        ["Widget deleted", "CustomResourceDefinition deleted"]
    );
}

#[tokio::test]
async fn an_object_whose_version_went_is_deleted_in_the_one_that_stayed() {
    let widgets = Widgets::new("version", &["v1", "v1beta1"], "v1beta1").await;
    let versions = json!({"spec": {"versions": [
        {"name": "v1", "served": true, "storage": true, "schema": {"openAPIV3Schema":
            {"type": "object", "x-kubernetes-preserve-unknown-fields": true}}},
        {"name": "v1beta1", "served": false, "storage": false, "schema": {"openAPIV3Schema":
            {"type": "object", "x-kubernetes-preserve-unknown-fields": true}}}]}});
    widgets
        .corner
        .meddle(&widgets.definition(), &versions)
        .await;
    let stored = Object::new(
        &format!("{}/v1", widgets.group),
        "Widget",
        &widgets.corner.namespace,
        "a",
    );
    assert!(widgets.corner.live(&stored).await.is_some());
    wait::eventually("the version is not served any more", || async {
        let cluster = widgets.corner.bed.connect().await;
        let gvk = widgets.widget.gvk();
        let read = cluster
            .get(&gvk, Some(&widgets.corner.namespace), "a")
            .await;
        match read {
            Err(error) if error.is_no_match() => Ok(()),
            read => Err(format!("{read:?}")),
        }
    })
    .await;
    let results = widgets.prune(&widgets.of_widget()).await;
    assert_eq!(results, ["Widget deleted"]);
    assert!(widgets.corner.live(&stored).await.is_none());
}
