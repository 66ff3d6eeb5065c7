//! `migrate` on a cluster of its own, where a kind was stored in an older version.

use k8s_openapi::apiextensions_apiserver::pkg::apis::apiextensions::v1::CustomResourceDefinition;
use kube::Api;
use kube::api::{DynamicObject, Patch, PatchParams, PostParams};
use kube::core::{ApiResource, GroupVersionKind};
use serde_json::{Value, json};
use sluice_testkit::{Testbed, wait};

use crate::binary::sluice;

const NAME: &str = "buckets.source.toolkit.fluxcd.io";

/// A definition with an old and a new version, of which one is stored.
fn definition(stored: &str) -> Value {
    let version = |name: &str| {
        json!({ "name": name, "served": true, "storage": name == stored, "schema": { "openAPIV3Schema": {
            "type": "object", "x-kubernetes-preserve-unknown-fields": true } } })
    };
    json!({
        "apiVersion": "apiextensions.k8s.io/v1", "kind": "CustomResourceDefinition",
        "metadata": { "name": NAME, "labels": { "app.kubernetes.io/part-of": "flux" } },
        "spec": {
            "group": "source.toolkit.fluxcd.io", "scope": "Namespaced",
            "names": { "kind": "Bucket", "listKind": "BucketList", "plural": "buckets", "singular": "bucket" },
            "versions": [version("v1beta2"), version("v1")],
        },
    })
}

fn stored(definition: &CustomResourceDefinition) -> Vec<String> {
    let status = definition.status.as_ref();
    status
        .and_then(|status| status.stored_versions.clone())
        .unwrap_or_default()
}

#[tokio::test(flavor = "multi_thread")]
async fn objects_and_their_managed_fields_get_the_stored_version_and_the_others_are_forgotten() {
    let bed = Testbed::start().await;
    let (kubeconfig, client) = (bed.kubeconfig(), bed.client().await);
    let definitions: Api<CustomResourceDefinition> = Api::all(client.clone());
    // What the test bed came with has one version, in which nothing older can be.
    definitions
        .delete(NAME, &kube::api::DeleteParams::default())
        .await
        .unwrap();
    wait::gone(&definitions, NAME).await;
    let old: CustomResourceDefinition = serde_json::from_value(definition("v1beta2")).unwrap();
    definitions
        .create(&PostParams::default(), &old)
        .await
        .unwrap();
    let established = |definition: Option<&CustomResourceDefinition>| {
        let status = definition.and_then(|definition| definition.status.as_ref());
        let conditions = status.and_then(|status| status.conditions.as_ref());
        conditions
            .into_iter()
            .flatten()
            .any(|it| it.type_ == "Established" && it.status == "True")
    };
    wait::until(&definitions, NAME, "is established", established).await;

    let kind = |version: &str| {
        let gvk = GroupVersionKind::gvk("source.toolkit.fluxcd.io", version, "Bucket");
        ApiResource::from_gvk_with_plural(&gvk, "buckets")
    };
    let older: Api<DynamicObject> =
        Api::namespaced_with(client.clone(), "default", &kind("v1beta2"));
    for name in ["one", "two"] {
        let object =
            DynamicObject::new(name, &kind("v1beta2")).data(json!({ "spec": { "name": name } }));
        older
            .patch(name, &PatchParams::apply("someone"), &Patch::Apply(&object))
            .await
            .unwrap();
    }
    definitions
        .patch(
            NAME,
            &PatchParams::default(),
            &Patch::Merge(definition("v1")),
        )
        .await
        .unwrap();
    let both = |definition: Option<&CustomResourceDefinition>| {
        definition.is_some_and(|definition| stored(definition) == ["v1beta2", "v1"])
    };
    wait::until(&definitions, NAME, "stores both versions", both).await;

    let ended = sluice(&kubeconfig, "migrate").well();
    for line in [
        "► starting migration of custom resources\n",
        "✔ Bucket/default/one migrated to version v1\n",
        "✔ Bucket/default/two migrated to version v1\n",
        "✔ buckets.source.toolkit.fluxcd.io migrated to storage version v1\n",
        "✔ custom resources migrated successfully\n",
    ] {
        assert!(ended.stderr.contains(line), "{line}: {}", ended.stderr);
    }
    assert_eq!(
        ended.stderr.matches("migrated to storage version").count(),
        1,
        "{}",
        ended.stderr
    );
    assert_eq!(stored(&definitions.get(NAME).await.unwrap()), ["v1"]);
    let newer: Api<DynamicObject> = Api::namespaced_with(client, "default", &kind("v1"));
    let live = newer.get("one").await.unwrap();
    assert_eq!(live.data["spec"]["name"], "one");
    let fields = live.metadata.managed_fields.unwrap();
    assert!(!fields.is_empty());
    for entry in &fields {
        assert_eq!(
            entry.api_version.as_deref(),
            Some("source.toolkit.fluxcd.io/v1"),
            "{entry:?}"
        );
    }

    let again = sluice(&kubeconfig, "migrate").well();
    assert!(
        !again.stderr.contains("storage version"),
        "{}",
        again.stderr
    );
}
