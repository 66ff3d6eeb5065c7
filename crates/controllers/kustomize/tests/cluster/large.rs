//! Inventories of thousands of objects, up to the limit of etcd, which refuses objects of more than
//! 1.5 MiB.

use std::collections::BTreeMap;

use serde_json::{Value, json};
use sluice_client::{GroupVersionKind, PatchOptions};

use crate::bed::{Bed, config};

/// Writes an inventory of missing config maps to the status of a Kustomization.
async fn write_inventory(bed: &Bed, names: impl Iterator<Item = String>) {
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
async fn pruning_missing_objects_takes_two_reads_each() {
    const MANY: usize = 2000;
    let mut bed = Bed::idle().await;
    bed.publish("1", &[("a.yaml", &config("a", "1"))]).await;
    bed.kustomization("app", json!({})).await;
    write_inventory(&bed, (0..MANY).map(|number| format!("old-{number}"))).await;
    // An object of another owner with a name from the inventory.
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
    // One read from the watch cache and, because that cannot prove a deletion, one from etcd. The
    // artifact's object takes a few more.
    let usual = 2 * MANY..2 * MANY + 10;
    assert!(usual.contains(&asked.values().sum()), "{asked:?}");
}

/// Maximum size of an object in etcd.
const LIMIT: usize = 3 * 512 * 1024;

/// A name of maximum length, so that fewer objects reach the limit.
fn long(lead: &str, number: usize) -> String {
    let lead = format!("{lead}-{number:05}-");
    format!("{lead}{}", "x".repeat(253 - lead.len()))
}

/// Manifests of config maps with long names.
fn maps(count: usize) -> String {
    let maps: Vec<String> = (0..count)
        .map(|number| config(&long("new", number), "1"))
        .collect();
    maps.join("---\n")
}

#[tokio::test]
async fn too_large_inventory_prevents_apply() {
    let mut bed = Bed::idle().await;
    bed.publish("1", &[("maps.yaml", &maps(100))]).await;
    bed.kustomization("app", json!({"prune": false})).await;
    // The limit leaves room for some of the new entries only.
    let object = bed.kustomizations().get("app").await.unwrap();
    let other = serde_json::to_string(&object).unwrap().len();
    let id = format!("{}_{}__ConfigMap", bed.namespace, long("old", 0));
    let entry = json!({"id": id, "v": "v1"}).to_string().len() + 1;
    let count = (LIMIT - other - 16 * 1024) / entry;
    write_inventory(&bed, (0..count).map(|number| long("old", number))).await;
    bed.run(&[]);
    let message = bed.until_failed("app", "ReconciliationFailed").await;
    let expected = format!(
        "patch the status of Kustomization {}/app: etcdserver: request is too large",
        bed.namespace
    );
    assert_eq!(message, expected);
    // Without a recorded inventory nothing is applied.
    assert!(bed.config_map(&long("new", 0)).await.is_none());
    let status = bed.status("app").await;
    assert_eq!(bed.inventory(&status).len(), count);
    // Fewer objects fit again.
    bed.publish("2", &[("maps.yaml", &maps(10))]).await;
    let status = bed.until_applied("app", "2").await;
    assert_eq!(bed.inventory(&status).len(), 10);
}
