//! `spec.ignore`: fields that other managers own.

use serde_json::json;

use crate::bed::{Bed, config};

async fn edit(bed: &Bed, data: serde_json::Value) {
    bed.apply(
        &json!({"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "a"}, "data": data}),
    )
    .await;
}

#[tokio::test]
async fn ignored_edit_stays_and_other_edit_is_reverted() {
    let bed = Bed::start(&[]).await;
    let manifest = format!("{}  other: ours\n", config("a", "ours"));
    bed.publish("1", &[("a.yaml", &manifest)]).await;
    let rule = json!([{"paths": ["/data/key"], "target": {"kind": "ConfigMap"}}]);
    bed.kustomization("app", json!({"ignore": rule})).await;
    bed.until_applied("app", "1").await;

    edit(&bed, json!({"key": "theirs"})).await;
    let mark = bed.mark().await;
    bed.request("app", "one").await;
    bed.until_handled("app", "one").await;
    bed.mark().await;
    let audit = bed.testbed.audit();
    audit.assert_no_writes_by(&bed.user, mark, &["events", "kustomizations"]);
    assert_eq!(bed.config_map("a").await.unwrap()["data"]["key"], "theirs");

    edit(&bed, json!({"key": "theirs", "other": "theirs"})).await;
    bed.request("app", "two").await;
    bed.until_handled("app", "two").await;
    let data = bed.config_map("a").await.unwrap()["data"].clone();
    assert_eq!(data, json!({"key": "theirs", "other": "ours"}));

    bed.kustomization("app", json!({})).await;
    bed.until_config_map("a", "is reverted without the rule", |map| {
        map.data.as_ref().is_some_and(|data| data["key"] == "ours")
    })
    .await;
}

#[tokio::test]
async fn invalid_ignore_rule_is_refused_before_apply() {
    let bed = Bed::start(&[]).await;
    bed.publish("1", &[("a.yaml", &config("a", "1"))]).await;
    let rule = json!([{"paths": ["/data/key"], "target": {"name": "("}}]);
    bed.kustomization("app", json!({"ignore": rule})).await;
    let message = bed.until_failed("app", "ReconciliationFailed").await;
    assert!(
        message.starts_with("failed to create ignore rule selector: invalid name regex: "),
        "{message}"
    );
    assert!(bed.config_map("a").await.is_none());
}
