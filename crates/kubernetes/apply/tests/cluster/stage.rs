//! Sets whose objects depend on each other.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde_json::json;
use sluice_apply::{Action, Inventory};
use sluice_object::Object;

use crate::{Sandbox, actions, all, definition};

#[tokio::test]
async fn definition_and_its_objects_apply_together() {
    let sandbox = Sandbox::new("definition").await;
    let group = format!("{}.example.com", sandbox.bed.name("g"));
    let widget = sandbox.object(
        &format!("{group}/v1"),
        "Widget",
        "a",
        &json!({"spec": {"x": 1}}),
    );
    let objects = || vec![widget.clone(), definition(&group, &["v1"])];
    let applied = sandbox.apply(objects()).await.expect("applied");
    assert_eq!(
        actions(&applied),
        ["CustomResourceDefinition created", "Widget created"]
    );
    assert!(sandbox.live(&widget).await.is_some());
    let again = sandbox
        .apply_over(objects(), &Inventory::of(&applied.changes), false)
        .await
        .expect("applied");
    assert!(all(&again, Action::Unchanged), "{:?}", actions(&again));
}

#[tokio::test]
async fn namespace_and_its_objects_apply_together() {
    let sandbox = Sandbox::new("namespace").await;
    let name = sandbox.bed.name("made");
    let inner = Object::try_from(json!({"apiVersion": "v1", "kind": "ConfigMap",
        "metadata": {"name": "a", "namespace": name}}))
    .expect("complete");
    let applied = sandbox
        .apply(vec![inner, Object::new("v1", "Namespace", "", &name)])
        .await
        .expect("applied");
    assert_eq!(
        actions(&applied),
        ["Namespace created", "ConfigMap created"]
    );
}

#[tokio::test]
async fn earlier_stage_is_kept_when_a_later_one_fails() {
    let sandbox = Sandbox::new("stages").await;
    let name = sandbox.bed.name("kept");
    let bad = sandbox.object(
        "v1",
        "Service",
        "bad",
        &json!({"spec": {"ports": [{"port": 70000}]}}),
    );
    let failure = sandbox
        .apply(vec![
            bad,
            sandbox.config_map("fine", "1"),
            Object::new("v1", "Namespace", "", &name),
        ])
        .await
        .expect_err("refused");
    let inventory = Inventory::of(&failure.changes);
    let kept: Vec<_> = inventory.format().collect();
    assert_eq!(kept, [(format!("_{name}__Namespace"), "v1".to_owned())]);
    assert!(
        sandbox
            .live(&sandbox.config_map("fine", ""))
            .await
            .is_none()
    );
}

#[tokio::test]
async fn invalid_ca_bundle_of_a_definition_is_removed() {
    let sandbox = Sandbox::new("webhook").await;
    let certificate = sandbox.bed.plane().authority().certificate();
    let encoded = STANDARD.encode(&certificate);
    for (bundle, kept) in [
        (STANDARD.encode("\n").as_str(), None),
        (certificate.as_str(), None),
        (encoded.as_str(), Some(encoded.as_str())),
    ] {
        let group = format!("{}.example.com", sandbox.bed.name("g"));
        let mut definition = definition(&group, &["v1"]);
        definition.as_map_mut()["spec"]["conversion"] = json!({
            "strategy": "Webhook",
            "webhook": {
                "conversionReviewVersions": ["v1"],
                "clientConfig": {"url": "https://webhook.example.com/convert", "caBundle": bundle},
            },
        });
        let applied = sandbox.apply(vec![definition.clone()]).await;
        let applied = applied.expect("applied");
        assert!(all(&applied, Action::Created));
        let live = sandbox.live(&definition).await.expect("live");
        let config = live.at(&["spec", "conversion", "webhook", "clientConfig"]);
        let found = config.and_then(|config| config["caBundle"].as_str());
        assert_eq!(found, kept);
        let again = sandbox.apply(vec![definition]).await.expect("applied");
        assert!(all(&again, Action::Unchanged), "{:?}", actions(&again));
    }
}

#[tokio::test]
async fn cluster_scoped_object_loses_its_namespace() {
    let sandbox = Sandbox::new("scope").await;
    let name = sandbox.bed.name("role");
    let mut role = sandbox.object(
        "rbac.authorization.k8s.io/v1",
        "ClusterRole",
        &name,
        &json!({"rules": []}),
    );
    let applied = sandbox.apply(vec![role.clone()]).await.expect("applied");
    let ids: Vec<_> = Inventory::of(&applied.changes).format().collect();
    assert_eq!(
        ids,
        [(
            format!("_{name}_rbac.authorization.k8s.io_ClusterRole"),
            "v1".to_owned()
        )]
    );
    // A create-only object is skipped under its own id too.
    let mut create_only = role.clone();
    create_only.set_annotation("kustomize.toolkit.fluxcd.io/ssa", "IfNotPresent");
    for known in [&Inventory::of(&applied.changes), &Inventory::default()] {
        let skipped = sandbox.apply_over(vec![create_only.clone()], known, false);
        let skipped = skipped.await.expect("applied");
        assert!(all(&skipped, Action::Skipped), "{:?}", actions(&skipped));
        let kept: Vec<_> = Inventory::of(&skipped.changes).format().collect();
        assert_eq!(kept, ids);
    }
    role.metadata_mut().shift_remove("namespace");
    let again = sandbox.apply(vec![role]).await.expect("applied");
    assert!(all(&again, Action::Unchanged));
}
