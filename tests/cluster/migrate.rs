//! Tests `migrate` and `install` on dedicated clusters, with objects that are stored in an older
//! version.

use k8s_openapi::apiextensions_apiserver::pkg::apis::apiextensions::v1::CustomResourceDefinition;
use kube::Api;
use kube::api::{DynamicObject, Patch, PatchParams};
use kube::core::{ApiResource, GroupVersionKind};
use serde_json::{Value, json};
use sluice_testkit::faults::Fault;
use sluice_testkit::{FaultProxy, Testbed, When, wait};

use crate::binary::{Call, sluice};

const NAME: &str = "buckets.source.toolkit.fluxcd.io";

/// Returns a CRD with an old and a new version, one of which is stored.
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

/// Replaces the test bed's CRD with an older one of Flux.
pub(crate) async fn replace(definitions: &Api<CustomResourceDefinition>, name: &str, old: &Value) {
    definitions
        .delete(name, &kube::api::DeleteParams::default())
        .await
        .unwrap();
    wait::gone(definitions, name).await;
    definitions
        .patch(name, &PatchParams::apply("flux"), &Patch::Apply(old))
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
    wait::until(definitions, name, "is established", established).await;
}

/// Returns the CRD of policies from before Flux 2.7, without the current version.
fn policies() -> Value {
    older(POLICIES, "ImagePolicy", ["v1beta1", "v1beta2"])
}

/// Returns a CRD with two versions, the second of which is stored.
pub(crate) fn older(name: &str, kind: &str, versions: [&str; 2]) -> Value {
    let (plural, group) = name.split_once('.').unwrap();
    let version = |name: &str| {
        json!({ "name": name, "served": true, "storage": name == versions[1], "schema": { "openAPIV3Schema": {
            "type": "object", "x-kubernetes-preserve-unknown-fields": true } } })
    };
    json!({
        "apiVersion": "apiextensions.k8s.io/v1", "kind": "CustomResourceDefinition",
        "metadata": { "name": name, "labels": { "app.kubernetes.io/part-of": "flux" } },
        "spec": {
            "group": group, "scope": "Namespaced",
            "names": {
                "kind": kind, "listKind": format!("{kind}List"), "plural": plural,
                "singular": kind.to_lowercase(),
            },
            "versions": versions.map(version),
        },
    })
}

pub(crate) const POLICIES: &str = "imagepolicies.image.toolkit.fluxcd.io";

async fn apply_as_flux(
    client: &kube::Client,
    kind: &ApiResource,
    spec: Value,
) -> Api<DynamicObject> {
    let api: Api<DynamicObject> = Api::namespaced_with(client.clone(), "default", kind);
    let object = DynamicObject::new("one", kind).data(json!({ "spec": spec }));
    apply_served(&api, "flux", &object).await;
    api
}

/// Applies an object whose definition is new, and is served with a delay.
async fn apply_served(api: &Api<DynamicObject>, manager: &str, object: &DynamicObject) {
    let name = object.metadata.name.as_deref().unwrap();
    let params = PatchParams::apply(manager);
    wait::eventually("the kind is served", async || {
        let applied = api.patch(name, &params, &Patch::Apply(object)).await;
        applied.map_err(|error| error.to_string())
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn install_migrates_versions_and_refuses_downgrade() {
    let bed = Testbed::start().await;
    let (kubeconfig, client) = (bed.kubeconfig(), bed.client().await);
    let definitions: Api<CustomResourceDefinition> = Api::all(client.clone());
    // One CRD still lists an old version as stored. The other one never stored the current version.
    replace(&definitions, NAME, &definition("v1beta2")).await;
    replace(&definitions, POLICIES, &policies()).await;
    let kind = |group: &str, version: &str, kind: &str, plural: &str| {
        ApiResource::from_gvk_with_plural(&GroupVersionKind::gvk(group, version, kind), plural)
    };
    let bucket = |version: &str| kind("source.toolkit.fluxcd.io", version, "Bucket", "buckets");
    let policy = |version: &str| {
        kind(
            "image.toolkit.fluxcd.io",
            version,
            "ImagePolicy",
            "imagepolicies",
        )
    };
    let spec = json!({ "bucketName": "b", "endpoint": "s3.example", "interval": "1h" });
    apply_as_flux(&client, &bucket("v1beta2"), spec).await;
    let spec = json!({
        "imageRepositoryRef": { "name": "app" }, "policy": { "semver": { "range": "1.x" } },
    });
    apply_as_flux(&client, &policy("v1beta2"), spec).await;
    definitions
        .patch(
            NAME,
            &PatchParams::apply("flux"),
            &Patch::Apply(definition("v1")),
        )
        .await
        .unwrap();
    let both = |definition: Option<&CustomResourceDefinition>| {
        definition.is_some_and(|definition| stored(definition) == ["v1beta2", "v1"])
    };
    wait::until(&definitions, NAME, "stores both versions", both).await;

    let install =
        "install --components=source-controller,kustomize-controller,image-reflector-controller";
    let installed = sluice(&kubeconfig, install).well();
    for line in [
        "✔ Bucket/default/one migrated to version v1\n",
        "✔ buckets.source.toolkit.fluxcd.io migrated to storage version v1\n",
        "✔ ImagePolicy/default/one migrated to version v1\n",
        "✔ imagepolicies.image.toolkit.fluxcd.io migrated to storage version v1\n",
    ] {
        assert!(installed.stderr.contains(line), "{line}: {installed:#?}");
    }
    for name in [NAME, POLICIES] {
        let live = definitions.get(name).await.unwrap();
        assert_eq!(stored(&live), ["v1"], "{name}");
        let versions: Vec<String> = live.spec.versions.into_iter().map(|it| it.name).collect();
        assert_eq!(versions, ["v1"], "{name}");
    }
    let buckets: Api<DynamicObject> =
        Api::namespaced_with(client.clone(), "default", &bucket("v1"));
    assert_eq!(
        buckets.get("one").await.unwrap().data["spec"]["bucketName"],
        "b"
    );
    let policies: Api<DynamicObject> = Api::namespaced_with(client, "default", &policy("v1"));
    let read = policies.get("one").await.unwrap();
    assert_eq!(read.data["spec"]["policy"]["semver"]["range"], "1.x");
    let again = sluice(&kubeconfig, install).well();
    assert!(!again.stderr.contains("migrated"), "{again:#?}");
    assert!(!again.stderr.contains(" configured\n"), "{again:#?}");

    // The CRD of a future release stores an unknown version.
    let mut newer = serde_json::to_value(definitions.get(NAME).await.unwrap()).unwrap();
    let mut version = newer["spec"]["versions"][0].clone();
    newer["spec"]["versions"][0]["storage"] = json!(false);
    version["name"] = json!("v2");
    let versions = newer["spec"]["versions"].as_array_mut().unwrap();
    versions.push(version);
    let patch = json!({ "spec": { "versions": versions } });
    definitions
        .patch(NAME, &PatchParams::default(), &Patch::Merge(patch))
        .await
        .unwrap();
    let newest = |definition: Option<&CustomResourceDefinition>| {
        definition.is_some_and(|definition| stored(definition) == ["v1", "v2"])
    };
    let before = wait::until(&definitions, NAME, "stores a newer version", newest).await;
    let refused = sluice(&kubeconfig, install);
    assert_eq!(refused.code, 1, "{refused:#?}");
    let said = "✗ install failed: buckets.source.toolkit.fluxcd.io stores objects in v2, of which this version knows nothing";
    assert!(refused.stderr.contains(said), "{refused:#?}");
    let after = definitions.get(NAME).await.unwrap();
    assert_eq!(after.spec.versions, before.unwrap().spec.versions);
}

#[tokio::test(flavor = "multi_thread")]
async fn migrate_moves_objects_and_managed_fields() {
    let bed = Testbed::start().await;
    let (kubeconfig, client) = (bed.kubeconfig(), bed.client().await);
    let definitions: Api<CustomResourceDefinition> = Api::all(client.clone());
    // The CRDs of the test bed have one version, and no older objects.
    replace(&definitions, NAME, &definition("v1beta2")).await;
    let kind = |version: &str| {
        let gvk = GroupVersionKind::gvk("source.toolkit.fluxcd.io", version, "Bucket");
        ApiResource::from_gvk_with_plural(&gvk, "buckets")
    };
    let older: Api<DynamicObject> =
        Api::namespaced_with(client.clone(), "default", &kind("v1beta2"));
    for name in ["one", "two"] {
        let object =
            DynamicObject::new(name, &kind("v1beta2")).data(json!({ "spec": { "name": name } }));
        apply_served(&older, "someone", &object).await;
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

    // The server writes the status of a changed definition meanwhile.
    let proxy = FaultProxy::start(&kubeconfig).await;
    let status = || When::any().resource("customresourcedefinitions/status");
    proxy.inject(status().times(1), Fault::CONFLICT);
    let ended = Call::new(proxy.kubeconfig())
        .run_beside("migrate")
        .await
        .well();
    assert_eq!(proxy.count(&status()), 2);
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
