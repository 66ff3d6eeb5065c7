//! The shared control plane, waiting, and the audit log.

use std::collections::BTreeMap;

use k8s_openapi::api::core::v1::ConfigMap;
use kube::Api;
use kube::api::{ObjectMeta, Patch, PatchParams, PostParams};
use sluice_testkit as testkit;
use testkit::wait;

fn config_map(name: &str) -> ConfigMap {
    ConfigMap {
        metadata: ObjectMeta {
            name: Some(name.to_owned()),
            ..ObjectMeta::default()
        },
        data: Some(BTreeMap::from([("key".to_owned(), "value".to_owned())])),
        ..ConfigMap::default()
    }
}

#[tokio::test]
async fn tests_share_control_plane_but_not_namespace() {
    let first = testkit::cluster().await;
    let second = testkit::cluster().await;
    assert_eq!(first.plane().server(), second.plane().server());
    assert_ne!(
        first.namespace("share").await,
        second.namespace("share").await
    );
}

#[tokio::test]
async fn custom_resources_are_served() {
    let cluster = testkit::cluster().await.connect().await;
    for (kind, group, version) in [
        ("GitRepository", "source.toolkit.fluxcd.io", "v1"),
        ("Kustomization", "kustomize.toolkit.fluxcd.io", "v1"),
    ] {
        let gvk = sluice_client::GroupVersionKind::gvk(group, version, kind);
        assert!(cluster.resolve(&gvk).await.unwrap().namespaced, "{kind}");
    }
}

#[tokio::test]
async fn wait_sees_create_change_and_delete() {
    let testbed = testkit::cluster().await;
    let namespace = testbed.namespace("wait").await;
    let api: Api<ConfigMap> = Api::namespaced(testbed.client().await, &namespace);
    let writer = api.clone();
    let write = tokio::spawn(async move {
        writer
            .create(&PostParams::default(), &config_map("one"))
            .await
            .unwrap();
        let patch = Patch::Merge(serde_json::json!({ "data": { "key": "other" } }));
        writer
            .patch("one", &PatchParams::default(), &patch)
            .await
            .unwrap();
    });
    let seen = wait::until(&api, "one", "has the other value", |found| {
        found
            .and_then(|map| map.data.as_ref()?.get("key"))
            .is_some_and(|value| value == "other")
    })
    .await;
    assert!(seen.is_some());
    write.await.unwrap();
    api.delete("one", &kube::api::DeleteParams::default())
        .await
        .unwrap();
    wait::gone(&api, "one").await;
}

#[tokio::test]
async fn audit_log_lists_writes_by_user() {
    let testbed = testkit::cluster().await;
    let namespace = testbed.namespace("audit").await;
    let client = testbed.client().await;
    let kubeconfig =
        kube::config::Kubeconfig::read_from(testbed.kubeconfig_for("writer-of-audit")).unwrap();
    let config = kube::Config::from_custom_kubeconfig(
        kubeconfig,
        &kube::config::KubeConfigOptions::default(),
    )
    .await
    .unwrap();
    let api: Api<ConfigMap> = Api::namespaced(kube::Client::try_from(config).unwrap(), &namespace);

    let audit = testbed.audit();
    let before = audit.mark(&client).await;
    api.list(&kube::api::ListParams::default()).await.unwrap();
    audit.mark(&client).await;
    audit.assert_no_writes_by("writer-of-audit", before, &[]);

    api.create(&PostParams::default(), &config_map("one"))
        .await
        .unwrap();
    audit.mark(&client).await;
    let writes = audit.writes_by("writer-of-audit", before);
    assert_eq!(writes.len(), 1);
    assert_eq!(
        writes[0].to_string(),
        format!("writer-of-audit: create configmaps {namespace}/one -> 201")
    );
}
