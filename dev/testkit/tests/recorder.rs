//! Two runs of one scenario agree, whatever their names; and a run that did less does not.

use std::collections::BTreeMap;

use k8s_openapi::api::core::v1::ConfigMap;
use kube::Api;
use kube::api::{ApiResource, ObjectMeta, Patch, PatchParams, PostParams};
use sluice_testkit as testkit;
use testkit::{Fault, FaultProxy, RecordedParts, Recorder, Recording, When};

async fn scenario(spoil: Option<Fault>) -> Recording {
    let testbed = testkit::cluster().await;
    let namespace = testbed.namespace("record").await;
    let proxy = FaultProxy::start(&testbed.kubeconfig()).await;
    if let Some(fault) = spoil {
        proxy.inject(When::write().nth(1), fault);
    }
    let api: Api<ConfigMap> = Api::namespaced(proxy.client().await, &namespace);
    let map = ConfigMap {
        metadata: ObjectMeta {
            name: Some("one".to_owned()),
            ..ObjectMeta::default()
        },
        data: Some(BTreeMap::from([("in".to_owned(), namespace.clone())])),
        ..ConfigMap::default()
    };
    while api
        .create(&PostParams::default(), &map)
        .await
        .is_err_and(|error| match error {
            kube::Error::Api(status) => !status.is_already_exists(),
            _ => true,
        })
    {}
    let patch = Patch::Merge(serde_json::json!({ "data": { "key": "value" } }));
    api.patch("one", &PatchParams::default(), &patch)
        .await
        .expect("it is there");
    Recorder::new()
        .masking(namespace.clone(), "NAMESPACE")
        .watching(ApiResource::erase::<ConfigMap>(&()))
        .record(&testbed.client().await, &namespace, &proxy.calls())
        .await
}

#[tokio::test]
async fn two_undisturbed_runs_agree_on_everything() {
    let first = scenario(None).await;
    first.assert_agrees(&scenario(None).await, RecordedParts::Everything);
    let text = first.text(RecordedParts::Everything);
    assert!(
        text.contains("configmaps NAMESPACE/one\n  create -> 201\n  patch -> 200\n"),
        "{text}"
    );
    assert!(text.contains("ConfigMap/one"), "{text}");
}

#[tokio::test]
async fn a_disturbed_run_ends_the_same_and_writes_more() {
    let (calm, disturbed) = (
        scenario(None).await,
        scenario(Some(Fault::LoseAnswer)).await,
    );
    calm.assert_agrees(&disturbed, RecordedParts::EndStates);
    assert_ne!(
        calm.text(RecordedParts::Everything),
        disturbed.text(RecordedParts::Everything)
    );
}
