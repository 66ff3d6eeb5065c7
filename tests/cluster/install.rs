//! Tests `install`, `check`, `version` and `uninstall` on dedicated clusters. A fake node makes
//! every pod ready without running it.

use std::path::Path;

use k8s_openapi::api::apps::v1::Deployment;
use k8s_openapi::api::core::v1::{ConfigMap, Namespace, Secret, Service};
use k8s_openapi::api::rbac::v1::{ClusterRole, ClusterRoleBinding, Role, RoleBinding};
use k8s_openapi::apiextensions_apiserver::pkg::apis::apiextensions::v1::CustomResourceDefinition;
use kube::Api;
use kube::api::{ListParams, Patch, PatchParams, PostParams};
use kube::core::{ApiResource, DynamicObject, GroupVersionKind};
use serde_json::json;
use sluice_testkit::{Sluice, Testbed, wait};

use crate::binary::{Call, sluice};
use crate::migrate::{POLICIES, older, replace};
use crate::program;
use crate::world::{Kind, kustomization, source};

const INSTALL: &str = "install --components=source-controller,kustomize-controller";

#[test]
fn export_prints_every_object_and_asks_no_cluster() {
    let exported = sluice("/nowhere".as_ref(), &format!("{INSTALL} --export")).well();
    let objects: Vec<String> = sluice_yaml::v2::documents(&exported.stdout)
        .unwrap()
        .iter()
        .map(|object| {
            let text = |field: &serde_json::Value| field.as_str().unwrap_or_default().to_owned();
            let metadata = &object["metadata"];
            let parts = [&object["kind"], &metadata["namespace"], &metadata["name"]].map(text);
            let parts: Vec<String> = parts.into_iter().filter(|part| !part.is_empty()).collect();
            parts.join("/")
        })
        .collect();
    assert_eq!(
        objects,
        [
            "Namespace/flux-system",
            "NetworkPolicy/flux-system/allow-egress",
            "NetworkPolicy/flux-system/allow-scraping",
            "NetworkPolicy/flux-system/allow-webhooks",
            "ResourceQuota/flux-system/critical-pods-flux-system",
            "ClusterRole/crd-controller-flux-system",
            "ClusterRole/flux-edit-flux-system",
            "ClusterRole/flux-view-flux-system",
            "ClusterRoleBinding/cluster-reconciler-flux-system",
            "ClusterRoleBinding/crd-controller-flux-system",
            "CustomResourceDefinition/buckets.source.toolkit.fluxcd.io",
            "CustomResourceDefinition/externalartifacts.source.toolkit.fluxcd.io",
            "CustomResourceDefinition/gitrepositories.source.toolkit.fluxcd.io",
            "CustomResourceDefinition/helmcharts.source.toolkit.fluxcd.io",
            "CustomResourceDefinition/helmrepositories.source.toolkit.fluxcd.io",
            "CustomResourceDefinition/ocirepositories.source.toolkit.fluxcd.io",
            "ServiceAccount/flux-system/source-controller",
            "Service/flux-system/source-controller",
            "Deployment/flux-system/source-controller",
            "CustomResourceDefinition/kustomizations.kustomize.toolkit.fluxcd.io",
            "ServiceAccount/flux-system/kustomize-controller",
            "Deployment/flux-system/kustomize-controller",
        ]
    );
}

/// Returns the names of objects with the label of an installation.
async fn parts<K>(api: Api<K>) -> Vec<String>
where
    K: kube::Resource + Clone + std::fmt::Debug + serde::de::DeserializeOwned,
{
    let labelled = ListParams::default().labels("app.kubernetes.io/part-of=flux");
    let list = api.list(&labelled).await.unwrap();
    list.items
        .iter()
        .filter_map(|object| object.meta().name.clone())
        .collect()
}

/// Components of `--components` must exist and are checked. Without the flag, missing components
/// are accepted.
fn check_components(kubeconfig: &Path) {
    for compat in ["", "strict"] {
        let call = Call::new(kubeconfig).variable("FLUX_COMPAT", compat);
        let one = call.run("check --components=source-controller").well();
        assert!(
            one.stderr.contains("✔ source-controller: deployment ready"),
            "{one:?}"
        );
        assert!(!one.stderr.contains("kustomize-controller: "), "{one:?}");
        for (line, absent) in [
            (
                "check --components=source-controller,helm-controller",
                "helm-controller",
            ),
            (
                "check --components-extra=image-reflector-controller",
                "image-reflector-controller",
            ),
        ] {
            let ended = call.run(line);
            let said = format!("✗ {absent}: deployment not found\n");
            assert_eq!(ended.code, 1, "{line}: {ended:?}");
            assert!(ended.stderr.contains(&said), "{line}: {ended:?}");
            assert!(ended.stderr.ends_with("✗ check failed\n"), "{ended:?}");
        }
    }
}

/// `check` waits for a controller until it is ready or the timeout ends.
async fn check_waits(kubeconfig: &Path, client: &kube::Client) {
    let deployments: Api<Deployment> = Api::namespaced(client.clone(), "flux-system");
    let on_node = async |wanted: serde_json::Value| {
        let spec = json!({ "template": { "spec": { "nodeSelector": { "nowhere": wanted } } } });
        let patch = Patch::Merge(json!({ "spec": spec }));
        deployments
            .patch("kustomize-controller", &PatchParams::default(), &patch)
            .await
            .unwrap();
    };
    on_node(json!("at-all")).await;
    let late = Call::new(kubeconfig).run_beside("check --timeout=1s").await;
    assert_eq!(late.code, 1, "{late:#?}");
    let mut rest = late.stderr.as_str();
    for part in [
        "✗ kustomize-controller: deployment not ready: ",
        "\n► ",
        "/kustomize-controller:",
        "✔ source-controller: deployment ready\n► ",
        "/source-controller:",
        "► checking crds\n✔ ",
        "\n✗ check failed\n",
    ] {
        let (_, after) = rest
            .split_once(part)
            .unwrap_or_else(|| panic!("{part:?} in {late:#?}"));
        rest = after;
    }

    let patient = Sluice::at(program::flux())
        .variable("KUBECONFIG", kubeconfig.display().to_string())
        .start(&["check", "--timeout=2m"]);
    patient.printed("► checking controllers\n").await;
    on_node(serde_json::Value::Null).await;
    assert_eq!(patient.ended().await, Some(0), "{}", patient.output());
    let said = "✔ kustomize-controller: deployment ready\n";
    assert!(patient.output().contains(said), "{}", patient.output());
}

#[tokio::test(flavor = "multi_thread")]
#[expect(clippy::too_many_lines, reason = "the steps depend on each other")]
async fn installation_is_checked_and_removed_without_workloads() {
    let bed = Testbed::start().await;
    let (kubeconfig, client) = (bed.kubeconfig(), bed.client().await);
    let credentials = "--image-pull-secret=regcred --registry-creds=me:pass";
    let install = format!("{INSTALL} {credentials}");
    let installed = sluice(&kubeconfig, &install).well();
    let said = "► generating image pull secret regcred\n◎ verifying installation\n";
    assert!(installed.stderr.contains(said), "{}", installed.stderr);
    let secrets: Api<Secret> = Api::namespaced(client.clone(), "flux-system");
    let secret = secrets.get("regcred").await.unwrap();
    assert_eq!(
        secret.type_.as_deref(),
        Some("kubernetes.io/dockerconfigjson")
    );
    assert!(secret.data.unwrap().contains_key(".dockerconfigjson"));
    assert!(
        installed.stderr.ends_with("✔ install finished\n"),
        "{}",
        installed.stderr
    );
    let again = sluice(&kubeconfig, &install).well();
    assert!(
        !again.stderr.contains(" created\n") && !again.stderr.contains(" configured\n"),
        "{}",
        again.stderr
    );

    let checked = sluice(&kubeconfig, "check").well();
    for said in [
        "✔ source-controller: deployment ready",
        "✔ kustomize-controller: deployment ready",
        "✔ kustomizations.kustomize.toolkit.fluxcd.io/v1",
        "✔ all checks passed",
    ] {
        assert!(checked.stderr.contains(said), "{said}: {}", checked.stderr);
    }
    check_components(&kubeconfig);
    check_waits(&kubeconfig, &client).await;
    // The fake node serves no logs to the API server.
    let unread = sluice(&kubeconfig, "logs");
    assert_eq!((unread.code, unread.stdout.as_str()), (1, ""), "{unread:?}");
    let said = "✗ failed to collect logs from all Flux pods\n";
    assert!(unread.stderr.ends_with(said), "{unread:?}");
    let version = sluice(&kubeconfig, "version").well();
    for name in ["source-controller: v", "kustomize-controller: v"] {
        assert!(version.stdout.contains(name), "{}", version.stdout);
    }

    // The object is in the state after an uninstall: applied, in an inventory, with a finalizer.
    let tenant = bed.namespace("tenant").await;
    let config_maps: Api<ConfigMap> = Api::namespaced(client.clone(), &tenant);
    let workload = json!({
        "metadata": { "name": "workload", "labels": {
            "kustomize.toolkit.fluxcd.io/name": "app",
            "kustomize.toolkit.fluxcd.io/namespace": tenant,
        } },
    });
    let workload = serde_json::from_value(workload).unwrap();
    config_maps
        .create(&PostParams::default(), &workload)
        .await
        .unwrap();
    for (kind, spec) in [
        (
            Kind::GitRepository,
            source("https://example.com/app", json!({})),
        ),
        (Kind::Kustomization, kustomization("app", json!({}))),
    ] {
        let resource = kind.resource();
        let api: Api<DynamicObject> = Api::namespaced_with(client.clone(), &tenant, &resource);
        let mut object = DynamicObject::new("app", &resource).data(json!({ "spec": spec }));
        object.metadata.finalizers = Some(vec!["finalizers.fluxcd.io".into()]);
        api.create(&PostParams::default(), &object).await.unwrap();
        if kind == Kind::Kustomization {
            let id = format!("{tenant}_workload__ConfigMap");
            let status =
                json!({ "status": { "inventory": { "entries": [{ "id": id, "v": "v1" }] } } });
            #[expect(clippy::disallowed_methods, reason = "the test acts as the controller")]
            let patched = api
                .patch_status("app", &PatchParams::default(), &Patch::Merge(status))
                .await
                .unwrap();
            assert!(patched.data["status"].is_object(), "{patched:?}");
        }
    }

    let definitions: Api<CustomResourceDefinition> = Api::all(client.clone());
    let before = parts(definitions.clone()).await;
    sluice(&kubeconfig, "uninstall --dry-run --silent").well();
    assert_eq!(
        parts(definitions.clone()).await,
        before,
        "a dry run deletes nothing"
    );

    let removed = sluice(&kubeconfig, "uninstall --silent").well();
    assert!(
        removed.stderr.ends_with("✔ uninstall finished\n"),
        "{}",
        removed.stderr
    );
    for name in before {
        let left = definitions.get_opt(&name).await.unwrap();
        assert!(left.is_none(), "{name} is there after uninstall has ended");
    }
    let namespaces = Api::<Namespace>::all(client.clone());
    assert!(namespaces.get_opt("flux-system").await.unwrap().is_none());
    let none = Vec::<String>::new();
    assert_eq!(parts(Api::<Deployment>::all(client.clone())).await, none);
    assert_eq!(parts(Api::<ClusterRole>::all(client.clone())).await, none);
    assert_eq!(parts(Api::<ClusterRoleBinding>::all(client)).await, none);
    config_maps.get("workload").await.unwrap();
}

/// Returns the names of labelled objects in their namespace.
async fn names<K>(client: &kube::Client) -> Vec<String>
where
    K: kube::Resource<Scope = kube::core::NamespaceResourceScope>
        + Clone
        + std::fmt::Debug
        + serde::de::DeserializeOwned,
    K::DynamicType: Default,
{
    parts(Api::<K>::namespaced(client.clone(), "flux-system")).await
}

#[tokio::test(flavor = "multi_thread")]
async fn installation_changes_topology_and_rights() {
    let bed = Testbed::start().await;
    let (kubeconfig, client) = (bed.kubeconfig(), bed.client().await);
    let apart = ["kustomize-controller", "source-controller"];
    let services: Api<Service> = Api::namespaced(client.clone(), "flux-system");
    let served_by = async || {
        let service = services.get("source-controller").await.unwrap();
        service.spec.unwrap().selector.unwrap()["app"].clone()
    };
    sluice(&kubeconfig, INSTALL).well();
    assert_eq!(names::<Deployment>(&client).await, apart);
    sluice(&kubeconfig, &format!("{INSTALL} --topology single")).well();
    assert_eq!(names::<Deployment>(&client).await, ["sluice"]);
    assert_eq!(served_by().await, "sluice", "artifacts keep their address");
    let version = Call::new(&kubeconfig).called_sluice().run("version").well();
    assert!(
        version.stdout.contains("sluice-controllers: sluice\n"),
        "{version:?}"
    );
    let refused = sluice(&kubeconfig, "give-back");
    assert!(
        refused.stderr.contains("install --flux-images"),
        "{refused:?}"
    );

    let narrow = "--namespaced-rbac --watch-all-namespaces=false";
    sluice(&kubeconfig, &format!("{INSTALL} {narrow}")).well();
    assert_eq!(names::<Deployment>(&client).await, apart);
    assert_eq!(served_by().await, "source-controller");
    let none = Vec::<String>::new();
    let everywhere = Api::<ClusterRoleBinding>::all(client.clone());
    assert_eq!(
        parts(everywhere).await,
        none,
        "the wider rights are taken away"
    );
    assert_eq!(
        names::<RoleBinding>(&client).await,
        [
            "crd-controller-flux-system",
            "namespace-reconciler-flux-system"
        ]
    );
    let refused = sluice(&kubeconfig, &format!("{INSTALL} --namespaced-rbac"));
    assert_eq!(refused.code, 1, "{refused:?}");

    sluice(&kubeconfig, "uninstall --silent --keep-namespace").well();
    assert_eq!(names::<RoleBinding>(&client).await, none);
    assert_eq!(names::<Role>(&client).await, none);

    // Foreign fields are listed with the reason, and the next run completes them.
    let config_maps: Api<ConfigMap> = Api::namespaced(client.clone(), "flux-system");
    let held = json!({ "metadata": { "name": "held", "finalizers": ["example.com/held"] } });
    let held: ConfigMap = serde_json::from_value(held).unwrap();
    config_maps
        .create(&PostParams::default(), &held)
        .await
        .unwrap();
    let remains = || sluice(&kubeconfig, "uninstall --silent --timeout=15s");
    let first = remains();
    assert_eq!(first.code, 1, "{first:#?}");
    let said = "✗ 1 objects remain: Namespace/flux-system: ";
    assert!(first.stderr.contains(said), "{first:#?}");
    let namespaces = Api::<Namespace>::all(client);
    let is_told = |namespace: Option<&Namespace>| {
        let status = namespace.and_then(|namespace| namespace.status.as_ref());
        let conditions = status.and_then(|status| status.conditions.as_ref());
        let mut conditions = conditions.into_iter().flatten();
        conditions.any(|it| it.type_ == "NamespaceContentRemaining" && it.status == "True")
    };
    wait::until(&namespaces, "flux-system", "says what remains", is_told).await;
    let second = remains();
    assert!(
        second.stderr.contains(&format!("{said}Some ")),
        "{second:#?}"
    );
    let release = json!({ "metadata": { "finalizers": null } });
    config_maps
        .patch("held", &PatchParams::default(), &Patch::Merge(release))
        .await
        .unwrap();
    sluice(&kubeconfig, "uninstall --silent").well();
    assert!(namespaces.get_opt("flux-system").await.unwrap().is_none());
}

#[tokio::test(flavor = "multi_thread")]
async fn old_objects_are_freed_or_keep_their_definition() {
    let bed = Testbed::start().await;
    let (kubeconfig, client) = (bed.kubeconfig(), bed.client().await);
    let definitions: Api<CustomResourceDefinition> = Api::all(client.clone());
    let policies = older(POLICIES, "ImagePolicy", ["v1beta1", "v1beta2"]);
    replace(&definitions, POLICIES, &policies).await;
    let kind = GroupVersionKind::gvk("image.toolkit.fluxcd.io", "v1beta2", "ImagePolicy");
    let kind = ApiResource::from_gvk_with_plural(&kind, "imagepolicies");
    let objects: Api<DynamicObject> = Api::namespaced_with(client, "default", &kind);
    let mut held = DynamicObject::new("held", &kind).data(json!({ "spec": {} }));
    held.metadata.finalizers = Some(vec!["finalizers.fluxcd.io".into()]);
    objects.create(&PostParams::default(), &held).await.unwrap();

    // A blocked removal keeps the applied objects as well.
    let releases = "helmreleases.helm.toolkit.fluxcd.io";
    let definition = older(releases, "HelmRelease", ["v2beta1", "v2beta2"]);
    replace(&definitions, releases, &definition).await;
    let refused = sluice(&kubeconfig, "uninstall --purge-workloads --dry-run");
    let said = "✗ what HelmRelease objects applied cannot be deleted: the cluster does not serve them as v2\n";
    assert!(refused.stderr.contains(said), "{refused:#?}");

    // Objects that cannot be read in any version cannot lose their finalizers. The deletion of
    // their CRD would hang.
    let serve = async |is_served: bool| {
        let mut versions = policies["spec"]["versions"].clone();
        for version in versions.as_array_mut().unwrap() {
            version["served"] = json!(is_served);
        }
        let patch = Patch::Merge(json!({ "spec": { "versions": versions } }));
        definitions
            .patch(POLICIES, &PatchParams::default(), &patch)
            .await
            .unwrap();
    };
    serve(false).await;
    let left = sluice(&kubeconfig, "uninstall --silent");
    assert_eq!(left.code, 1, "{left:#?}");
    let said = format!(
        "✗ 1 objects remain: CustomResourceDefinition/{POLICIES}: \
         it serves no version that its objects could be listed in\n"
    );
    assert!(left.stderr.contains(&said), "{left:#?}");
    let stays = definitions.get(POLICIES).await.unwrap();
    assert!(stays.metadata.deletion_timestamp.is_none());

    serve(true).await;
    // The server updates its discovery asynchronously.
    wait::eventually("the objects can be listed again", || {
        let planned = sluice(&kubeconfig, "uninstall --silent --dry-run");
        std::future::ready((planned.code == 0).then_some(()).ok_or(planned.stderr))
    })
    .await;
    let freed = sluice(&kubeconfig, "uninstall --silent").well();
    let said = "✔ ImagePolicy/default/held finalizers deleted\n";
    assert!(freed.stderr.contains(said), "{freed:#?}");
    assert!(definitions.get_opt(POLICIES).await.unwrap().is_none());
}
