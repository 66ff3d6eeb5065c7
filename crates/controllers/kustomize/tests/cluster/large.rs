//! Inventories of thousands of objects, and of more than one status can list: etcd takes no object of
//! more than 1.5 MiB.

use std::collections::BTreeMap;

use serde_json::{Value, json};
use sluice_client::{GroupVersionKind, PatchOptions};

use crate::bed::{Bed, config};

/// Puts an inventory of config maps into the status of a Kustomization; none of them is there.
async fn remember(bed: &Bed, names: impl Iterator<Item = String>) {
    let id =
        |name: String| json!({"id": format!("{}_{name}__ConfigMap", bed.namespace), "v": "v1"});
    let entries: Vec<Value> = names.map(id).collect();
    let gvk = GroupVersionKind::gvk("kustomize.toolkit.fluxcd.io", "v1", "Kustomization");
    let options = PatchOptions {
        subresource: Some("status"),
        ..PatchOptions::default()
    };
    let status = json!({"status": {"inventory": {"entries": entries}}});
    bed.cluster
        .merge(&gvk, Some(&bed.namespace), "app", &status, options)
        .await
        .unwrap();
}

#[tokio::test]
async fn two_thousand_objects_that_are_gone_already_cost_two_looks_each() {
    const MANY: usize = 2000;
    let mut bed = Bed::idle().await;
    bed.publish("1", &[("a.yaml", &config("a", "1"))]).await;
    bed.kustomization("app", json!({})).await;
    remember(&bed, (0..MANY).map(|number| format!("old-{number}"))).await;
    // Somebody else's, of the same name as one of them.
    bed.apply(&json!({"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "old-1999"}}))
        .await;
    let mark = bed.mark().await;
    bed.run(&[]);
    let status = bed.until_applied("app", "1").await;
    assert_eq!(bed.inventory(&status), ["NS_a__ConfigMap"]);
    assert!(bed.config_map("old-1999").await.is_some());
    let asked = bed.asked(mark).await;
    let of_maps = asked.iter().filter(|asked| asked.ends_with(" configmaps"));
    let mut asked: BTreeMap<&String, usize> = BTreeMap::new();
    for asked_for in of_maps.filter(|asked| !asked.starts_with("watch")) {
        *asked.entry(asked_for).or_default() += 1;
    }
    // One at what the server has at hand and, as that says nothing of deletion, one at its store; and
    // the few that the object of the artifact takes.
    let usual = 2 * MANY..2 * MANY + 10;
    assert!(usual.contains(&asked.values().sum()), "{asked:?}");
}

/// What etcd takes of one object.
const LIMIT: usize = 3 * 512 * 1024;

/// A name as long as names are, so that there need not be tens of thousands of them.
fn long(lead: &str, number: usize) -> String {
    let lead = format!("{lead}-{number:05}-");
    format!("{lead}{}", "x".repeat(253 - lead.len()))
}

/// The manifests of so many config maps with long names.
fn maps(count: usize) -> String {
    let maps: Vec<String> = (0..count)
        .map(|number| config(&long("new", number), "1"))
        .collect();
    maps.join("---\n")
}

#[tokio::test]
async fn an_inventory_that_no_status_can_hold_is_refused_before_anything_is_applied() {
    let mut bed = Bed::idle().await;
    bed.publish("1", &[("maps.yaml", &maps(100))]).await;
    bed.kustomization("app", json!({"prune": false})).await;
    // There is room for some of them, and not for all.
    let object = bed.kustomizations().get("app").await.unwrap();
    let other = serde_json::to_string(&object).unwrap().len();
    let id = format!("{}_{}__ConfigMap", bed.namespace, long("old", 0));
    let entry = json!({"id": id, "v": "v1"}).to_string().len() + 1;
    let count = (LIMIT - other - 16 * 1024) / entry;
    remember(&bed, (0..count).map(|number| long("old", number))).await;
    bed.run(&[]);
    let message = bed.until_failed("app", "ReconciliationFailed").await;
    let expected = format!(
        "patch the status of Kustomization {}/app: etcdserver: request is too large",
        bed.namespace
    );
    assert_eq!(message, expected);
    // Nothing was made of which nobody would know that it is ours.
    assert!(bed.config_map(&long("new", 0)).await.is_none());
    let status = bed.status("app").await;
    assert_eq!(bed.inventory(&status).len(), count);
    // Fewer objects have room again.
    bed.publish("2", &[("maps.yaml", &maps(10))]).await;
    let status = bed.until_applied("app", "2").await;
    assert_eq!(bed.inventory(&status).len(), 10);
}
