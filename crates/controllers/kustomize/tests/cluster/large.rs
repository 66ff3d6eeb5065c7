//! Inventories of thousands of objects.

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
async fn five_thousand_objects_that_are_gone_already_cost_two_looks_each() {
    const MANY: usize = 5000;
    let mut bed = Bed::idle().await;
    bed.publish("1", &[("a.yaml", &config("a", "1"))]).await;
    bed.kustomization("app", json!({})).await;
    remember(&bed, (0..MANY).map(|number| format!("old-{number}"))).await;
    // Somebody else's, of the same name as one of them.
    bed.apply(&json!({"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "old-4999"}}))
        .await;
    let mark = bed.mark().await;
    bed.run(&[]);
    let status = bed.until_applied("app", "1").await;
    assert_eq!(bed.inventory(&status), ["NS_a__ConfigMap"]);
    assert!(bed.config_map("old-4999").await.is_some());
    let asked = bed.asked(mark).await;
    let of_maps = asked.iter().filter(|asked| asked.ends_with(" configmaps"));
    let asked: Vec<&String> = of_maps
        .filter(|asked| !asked.starts_with("watch"))
        .collect();
    // One at what the server has at hand and, as that says nothing of deletion, one at its store; and
    // the few that the object of the artifact takes.
    let usual = 2 * MANY..2 * MANY + 10;
    assert!(usual.contains(&asked.len()), "{}", asked.len());
}
