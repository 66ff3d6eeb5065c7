//! Sets whose parts depend on one another.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde_json::json;
use sluice_apply::{Action, Inventory};
use sluice_object::Object;

use crate::{Corner, actions, all, definition};

#[tokio::test]
async fn a_definition_and_its_objects_come_up_in_one_apply() {
    let corner = Corner::new("definition").await;
    let group = format!("{}.example.com", corner.bed.name("g"));
    let widget = corner.object(
        &format!("{group}/v1"),
        "Widget",
        "a",
        &json!({"spec": {"x": 1}}),
    );
    let objects = || vec![widget.clone(), definition(&group, &["v1"])];
    let applied = corner.apply(objects()).await.expect("applied");
    assert_eq!(
        actions(&applied),
        ["CustomResourceDefinition created", "Widget created"]
    );
    assert!(corner.live(&widget).await.is_some());
    let again = corner
        .apply_over(objects(), &Inventory::of(&applied.changes), false)
        .await
        .expect("applied");
    assert!(all(&again, Action::Unchanged), "{:?}", actions(&again));
}

#[tokio::test]
async fn a_namespace_and_what_lives_in_it_come_up_in_one_apply() {
    let corner = Corner::new("namespace").await;
    let name = corner.bed.name("made");
    let inner = Object::try_from(json!({"apiVersion": "v1", "kind": "ConfigMap",
        "metadata": {"name": "a", "namespace": name}}))
    .expect("complete");
    let applied = corner
        .apply(vec![inner, Object::new("v1", "Namespace", "", &name)])
        .await
        .expect("applied");
    assert_eq!(
        actions(&applied),
        ["Namespace created", "ConfigMap created"]
    );
}

#[tokio::test]
async fn a_stage_that_passed_is_kept_when_a_later_one_fails() {
    let corner = Corner::new("stages").await;
    let name = corner.bed.name("kept");
    let bad = corner.object(
        "v1",
        "Service",
        "bad",
        &json!({"spec": {"ports": [{"port": 70000}]}}),
    );
    let failure = corner
        .apply(vec![
            bad,
            corner.config_map("fine", "1"),
            Object::new("v1", "Namespace", "", &name),
        ])
        .await
        .expect_err("refused");
    let inventory = Inventory::of(&failure.changes);
    let kept: Vec<_> = inventory.format().collect();
    assert_eq!(kept, [(format!("_{name}__Namespace"), "v1".to_owned())]);
    assert!(corner.live(&corner.config_map("fine", "")).await.is_none());
}

#[tokio::test]
async fn a_definition_comes_up_without_a_ca_bundle_that_is_no_certificate_and_keeps_one_that_is() {
    let corner = Corner::new("webhook").await;
    let certificate = corner.bed.plane().authority().certificate();
    let encoded = STANDARD.encode(&certificate);
    for (bundle, kept) in [
        (STANDARD.encode("\n").as_str(), None),
        (certificate.as_str(), None),
        (encoded.as_str(), Some(encoded.as_str())),
    ] {
        let group = format!("{}.example.com", corner.bed.name("g"));
        let mut definition = definition(&group, &["v1"]);
        definition.as_map_mut()["spec"]["conversion"] = json!({
            "strategy": "Webhook",
            "webhook": {
                "conversionReviewVersions": ["v1"],
                "clientConfig": {"url": "https://webhook.example.com/convert", "caBundle": bundle},
            },
        });
        let applied = corner.apply(vec![definition.clone()]).await;
        let applied = applied.expect("applied");
        assert!(all(&applied, Action::Created));
        let live = corner.live(&definition).await.expect("live");
        let config = live.at(&["spec", "conversion", "webhook", "clientConfig"]);
        let found = config.and_then(|config| config["caBundle"].as_str());
        assert_eq!(found, kept);
        let again = corner.apply(vec![definition]).await.expect("applied");
        assert!(all(&again, Action::Unchanged), "{:?}", actions(&again));
    }
}

#[tokio::test]
async fn a_cluster_wide_object_loses_a_namespace_that_it_cannot_have() {
    let corner = Corner::new("scope").await;
    let name = corner.bed.name("role");
    let mut role = corner.object(
        "rbac.authorization.k8s.io/v1",
        "ClusterRole",
        &name,
        &json!({"rules": []}),
    );
    let applied = corner.apply(vec![role.clone()]).await.expect("applied");
    let ids: Vec<_> = Inventory::of(&applied.changes).format().collect();
    assert_eq!(
        ids,
        [(
            format!("_{name}_rbac.authorization.k8s.io_ClusterRole"),
            "v1".to_owned()
        )]
    );
    // One that is only created is skipped under its own id too.
    let mut create_only = role.clone();
    create_only.set_annotation("kustomize.toolkit.fluxcd.io/ssa", "IfNotPresent");
    for known in [&Inventory::of(&applied.changes), &Inventory::default()] {
        let skipped = corner.apply_over(vec![create_only.clone()], known, false);
        let skipped = skipped.await.expect("applied");
        assert!(all(&skipped, Action::Skipped), "{:?}", actions(&skipped));
        let kept: Vec<_> = Inventory::of(&skipped.changes).format().collect();
        assert_eq!(kept, ids);
    }
    role.metadata_mut().shift_remove("namespace");
    let again = corner.apply(vec![role]).await.expect("applied");
    assert!(all(&again, Action::Unchanged));
}
