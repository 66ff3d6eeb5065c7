//! Kinds that are added or removed.

use kube::api::DeleteParams;
use serde_json::json;
use sluice_apply::{Inventory, WaitOptions, WaitTarget};
use sluice_object::Object;
use sluice_testkit::wait;

use crate::{Sandbox, definition, within};

/// An applied set of a definition and an object of its kind.
struct Widgets {
    sandbox: Sandbox,
    group: String,
    widget: Object,
    inventory: Inventory,
    targets: Vec<WaitTarget>,
}

impl Widgets {
    async fn new(prefix: &str, versions: &[&str], used: &str) -> Self {
        let sandbox = Sandbox::new(prefix).await;
        let group = format!("{}.example.com", sandbox.bed.name("g"));
        let api_version = format!("{group}/{used}");
        let widget = sandbox.object(&api_version, "Widget", "a", &json!({"spec": {"x": 1}}));
        let set = vec![widget.clone(), definition(&group, versions)];
        let applied = sandbox.apply(set).await.expect("applied");
        Self {
            inventory: Inventory::of(&applied.changes),
            targets: applied.targets,
            sandbox,
            group,
            widget,
        }
    }

    /// The inventory of the object alone.
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

    /// Prunes until no object remains, like a controller.
    async fn prune(&self, stale: &Inventory) -> Vec<String> {
        wait::eventually("the prune ends", || async {
            let pruned = self.sandbox.applier.prune(stale, &self.sandbox.owner).await;
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
async fn objects_of_a_removed_kind_are_gone() {
    let widgets = Widgets::new("taken", &["v1"], "v1").await;
    let definitions = widgets.sandbox.api(&widgets.definition()).await;
    let name = widgets.definition().name().to_owned();
    definitions
        .delete(&name, &DeleteParams::default())
        .await
        .expect("deleted");
    wait::gone(&definitions, &name).await;
    // The discovery cache of the applier still has the kind.
    let results = widgets.prune(&widgets.of_widget()).await;
    assert_eq!(results, ["Widget deleted"]);
    widgets
        .sandbox
        .applier
        .wait_gone(widgets.targets.clone(), within(60))
        .await
        .expect("gone");
}

#[tokio::test]
async fn definition_and_its_objects_are_pruned_together() {
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
        .sandbox
        .applier
        .wait_gone(widgets.targets.clone(), patiently)
        .await
        .expect("gone");
    // The discovery cache is invalidated, so nothing is retried.
    let again = widgets.prune(&widgets.inventory).await;
    assert_eq!(
        again,
        ["Widget deleted", "CustomResourceDefinition deleted"]
    );
}

#[tokio::test]
async fn object_of_a_removed_version_is_deleted_in_another() {
    let widgets = Widgets::new("version", &["v1", "v1beta1"], "v1beta1").await;
    let versions = json!({"spec": {"versions": [
        {"name": "v1", "served": true, "storage": true, "schema": {"openAPIV3Schema":
            {"type": "object", "x-kubernetes-preserve-unknown-fields": true}}},
        {"name": "v1beta1", "served": false, "storage": false, "schema": {"openAPIV3Schema":
            {"type": "object", "x-kubernetes-preserve-unknown-fields": true}}}]}});
    widgets
        .sandbox
        .change_as_other(&widgets.definition(), &versions)
        .await;
    let stored = Object::new(
        &format!("{}/v1", widgets.group),
        "Widget",
        &widgets.sandbox.namespace,
        "a",
    );
    assert!(widgets.sandbox.live(&stored).await.is_some());
    wait::eventually("the version is not served any more", || async {
        let cluster = widgets.sandbox.bed.connect().await;
        let gvk = widgets.widget.gvk();
        let read = cluster
            .get(&gvk, Some(&widgets.sandbox.namespace), "a")
            .await;
        match read {
            Err(error) if error.has_no_match() => Ok(()),
            read => Err(format!("{read:?}")),
        }
    })
    .await;
    let results = widgets.prune(&widgets.of_widget()).await;
    assert_eq!(results, ["Widget deleted"]);
    assert!(widgets.sandbox.live(&stored).await.is_none());
}
