//! Options of the spec: targets, post-renderers, definitions, dependencies, accounts.

use serde_json::json;
use sluice_client::GroupVersionKind;

use crate::bed::{Bed, CONFIG, condition};

const TEMPLATE: (&str, &str) = ("templates/config.yaml", CONFIG);

#[tokio::test]
async fn moved_release_is_uninstalled_and_installed_anew() {
    let bed = Bed::start(&[]).await;
    bed.publish("1.0.0", &[TEMPLATE]).await;
    bed.release("web", json!({"values": {"text": "one"}})).await;
    bed.until_ready("web", "1.0.0").await;
    bed.release(
        "web",
        json!({"values": {"text": "one"}, "releaseName": "other"}),
    )
    .await;
    bed.until("web", "has another name", |status| {
        let latest = status.history.first();
        status.conditions.is_true("Ready") && latest.is_some_and(|latest| latest.name == "other")
    })
    .await;
    assert!(bed.config_map("web").await.is_none());
    assert_eq!(bed.text("other").await.unwrap(), "one");
    assert_eq!(bed.records("web").await, []);
}

#[tokio::test]
async fn metadata_and_post_renderers_change_objects() {
    let bed = Bed::start(&[]).await;
    bed.publish("1.0.0", &[TEMPLATE]).await;
    let patch = "- {op: add, path: /data/patched, value: 'yes'}";
    let spec = |team: &str| {
        json!({"values": {"text": "one"},
        "commonMetadata": {"labels": {"team": team}, "annotations": {"note": "n"}},
        "postRenderers": [{"kustomize": {"patches": [{"patch": patch, "target": {"kind": "ConfigMap"}}]}}]})
    };
    bed.release("web", spec("a")).await;
    let status = bed.until_ready("web", "1.0.0").await;
    let config = bed.config_map("web").await.unwrap();
    assert_eq!(config["data"]["patched"], "yes");
    assert_eq!(config["metadata"]["labels"]["team"], "a");
    assert_eq!(config["metadata"]["annotations"]["note"], "n");
    assert!(
        status
            .observed_post_renderers_digest
            .unwrap()
            .starts_with("sha256:")
    );
    let before = status.observed_common_metadata_digest.unwrap();
    bed.release("web", spec("b")).await;
    bed.until("web", "has other metadata", |status| {
        status.observed_common_metadata_digest.as_ref() != Some(&before)
            && status.conditions.is_true("Ready")
    })
    .await;
    let config = bed.config_map("web").await.unwrap();
    assert_eq!(config["metadata"]["labels"]["team"], "b");
}

fn definition(group: &str, column: &str) -> String {
    json!({
        "apiVersion": "apiextensions.k8s.io/v1", "kind": "CustomResourceDefinition",
        "metadata": {"name": format!("tabs.{group}"), "annotations": {"column": column}},
        "spec": {
            "group": group, "scope": "Namespaced", "names": {"kind": "Tab", "plural": "tabs"},
            "versions": [{"name": "v1", "served": true, "storage": true,
                "schema": {"openAPIV3Schema": {"type": "object", "x-kubernetes-preserve-unknown-fields": true}}}],
        },
    })
    .to_string()
}

#[tokio::test]
async fn definitions_follow_their_policy() {
    let bed = Bed::start(&[]).await;
    let group = format!("{}.example.com", bed.namespace);
    let tab = format!("apiVersion: {group}/v1\nkind: Tab\nmetadata: {{name: web}}\n");
    let chart = |column: &str| definition(&group, column);
    let publish = async |version: &str, crd: &str| {
        let files = [("crds/tab.json", crd), ("templates/tab.yaml", &*tab)];
        bed.publish(version, &files).await;
    };
    publish("1.0.0", &chart("one")).await;
    bed.release("web", json!({})).await;
    let status = bed.until_ready("web", "1.0.0").await;
    let ids: Vec<String> = status
        .inventory
        .unwrap()
        .entries
        .into_iter()
        .map(|entry| entry.id)
        .collect();
    assert_eq!(ids.len(), 2, "{ids:?}");
    let gvk = GroupVersionKind::gvk("apiextensions.k8s.io", "v1", "CustomResourceDefinition");
    let name = format!("tabs.{group}");
    let read = async || bed.cluster.get(&gvk, None, &name).await.unwrap().unwrap();
    assert_eq!(
        read().await["metadata"]["labels"]["helm.toolkit.fluxcd.io/name"],
        "web"
    );
    publish("1.1.0", &chart("two")).await;
    bed.until_ready("web", "1.1.0").await;
    assert_eq!(read().await["metadata"]["annotations"]["column"], "one");
    bed.release("web", json!({"upgrade": {"crds": "CreateReplace"}}))
        .await;
    publish("1.2.0", &chart("three")).await;
    bed.until_ready("web", "1.2.0").await;
    assert_eq!(read().await["metadata"]["annotations"]["column"], "three");
    // The health of the new kind follows an expression.
    let check = json!({"apiVersion": format!("{group}/v1"), "kind": "Tab", "current": "false",
        "failed": "metadata.name == 'web'"});
    bed.release(
        "web",
        json!({"healthCheckExprs": [check], "values": {"text": "two"}}),
    )
    .await;
    let status = bed.until_failed("web", "UpgradeFailed").await;
    let (_, message) = condition(&status, "Ready");
    let failed = format!("Tab/{}/web status: 'Failed'", bed.namespace);
    assert!(message.contains(&failed), "{message}");
}

#[tokio::test]
async fn dependency_is_awaited() {
    let bed = Bed::start(&[]).await;
    bed.publish("1.0.0", &[TEMPLATE]).await;
    let values = json!({"text": "one"});
    bed.release(
        "web",
        json!({"values": values, "dependsOn": [{"name": "base"}]}),
    )
    .await;
    let status = bed.until_failed("web", "DependencyNotReady").await;
    let expected = format!(
        "unable to get '{}/base' dependency: helmreleases.helm.toolkit.fluxcd.io \"base\" not found",
        bed.namespace
    );
    assert_eq!(condition(&status, "Ready").1, expected);
    bed.release("base", json!({"values": values})).await;
    bed.until_ready("base", "1.0.0").await;
    bed.until_ready("web", "1.0.0").await;
}

#[tokio::test]
async fn ready_expression_decides_about_dependency() {
    let bed = Bed::start(&[]).await;
    bed.publish("1.0.0", &[TEMPLATE]).await;
    let values = json!({"text": "one"});
    bed.release("base", json!({"values": values})).await;
    let expression = "dep.status.history[0].version == 2";
    bed.release(
        "web",
        json!({"values": values, "dependsOn": [{"name": "base", "readyExpr": expression}]}),
    )
    .await;
    bed.until_ready("base", "1.0.0").await;
    let status = bed
        .until("web", "waits for the expression", |status| {
            let ready = status.conditions.find("Ready");
            ready.is_some_and(|ready| ready.message.contains("readyExpr"))
        })
        .await;
    let expected = format!(
        "dependency '{}/base' is not ready according to readyExpr eval",
        bed.namespace
    );
    assert_eq!(condition(&status, "Ready").1, expected);
    bed.release("base", json!({"values": {"text": "two"}}))
        .await;
    bed.until_ready("web", "1.0.0").await;
    bed.release(
        "web",
        json!({"dependsOn": [{"name": "base", "readyExpr": "a b"}]}),
    )
    .await;
    let status = bed.until_failed("web", "InvalidCELExpression").await;
    assert_eq!(condition(&status, "Stalled").0, "InvalidCELExpression");
}

#[tokio::test]
async fn account_of_release_limits_its_rights() {
    let bed = Bed::start(&[]).await;
    bed.publish("1.0.0", &[TEMPLATE]).await;
    let account =
        json!({"apiVersion": "v1", "kind": "ServiceAccount", "metadata": {"name": "small"}});
    bed.apply(&account).await;
    bed.release(
        "web",
        json!({"values": {"text": "one"}, "serviceAccountName": "small"}),
    )
    .await;
    let status = bed.until_failed("web", "StateError").await;
    let (_, message) = condition(&status, "Ready");
    assert!(
        message.contains("cannot list resource \"secrets\""),
        "{message}"
    );
    bed.apply(&json!({
        "apiVersion": "rbac.authorization.k8s.io/v1", "kind": "RoleBinding", "metadata": {"name": "small"},
        "roleRef": {"apiGroup": "rbac.authorization.k8s.io", "kind": "ClusterRole", "name": "cluster-admin"},
        "subjects": [{"kind": "ServiceAccount", "name": "small", "namespace": bed.namespace}],
    }))
    .await;
    let user = format!("system:serviceaccount:{}:small", bed.namespace);
    let everything =
        json!({"namespace": bed.namespace, "verb": "*", "group": "*", "resource": "*"});
    bed.testbed.until_allowed(&user, everything).await;
    bed.request("web").await;
    bed.until_ready("web", "1.0.0").await;
    // A deleted account must not block the deletion.
    let gvk = GroupVersionKind::gvk("", "v1", "ServiceAccount");
    let options = sluice_client::DeleteOptions::default();
    let deleted = bed
        .cluster
        .delete(&gvk, Some(&bed.namespace), "small", &options);
    deleted.await.unwrap();
    bed.delete("web").await;
    assert!(bed.config_map("web").await.is_some());
}

#[tokio::test]
async fn other_namespace_is_refused_by_flag() {
    let bed = Bed::start(&["--no-cross-namespace-refs=true"]).await;
    bed.release(
        "web",
        json!({"chartRef": {"kind": "HelmChart", "name": "chart", "namespace": "other"}}),
    )
    .await;
    let status = bed.until_failed("web", "AccessDenied").await;
    let expected =
        "cross-namespace references are not allowed: cannot access HelmChart other/chart";
    assert_eq!(condition(&status, "Ready").1, expected);
    assert_eq!(condition(&status, "Stalled"), ("AccessDenied", expected));
}

#[tokio::test]
async fn suspended_release_runs_nothing_and_stays_when_deleted() {
    let bed = Bed::start(&[]).await;
    bed.publish("1.0.0", &[TEMPLATE]).await;
    bed.release("web", json!({"values": {"text": "one"}})).await;
    bed.until_ready("web", "1.0.0").await;
    bed.release("web", json!({"values": {"text": "two"}, "suspend": true}))
        .await;
    bed.until("web", "has observed the suspension", |status| {
        status.observed_generation == Some(2)
    })
    .await;
    assert_eq!(bed.text("web").await.unwrap(), "one");
    bed.delete("web").await;
    assert_eq!(bed.text("web").await.unwrap(), "one");
}

#[tokio::test]
async fn target_and_storage_have_own_namespaces() {
    let bed = Bed::start(&[]).await;
    let target = format!("{}-target", bed.namespace);
    bed.publish("1.0.0", &[TEMPLATE]).await;
    bed.release(
        "web",
        json!({"values": {"text": "one"}, "targetNamespace": target,
            "install": {"createNamespace": true}}),
    )
    .await;
    let status = bed.until_ready("web", "1.0.0").await;
    let snapshot = &status.history[0];
    let name = format!("{target}-web");
    assert_eq!((&snapshot.name, &snapshot.namespace), (&name, &target));
    let gvk = GroupVersionKind::gvk("", "v1", "ConfigMap");
    let config = bed.cluster.get(&gvk, Some(&target), &name).await.unwrap();
    assert_eq!(config.unwrap()["data"]["text"], "one");
    assert_eq!(
        bed.records(&name).await,
        [("1".to_owned(), "deployed".to_owned())]
    );
}

#[tokio::test]
async fn kubeconfig_of_secret_selects_cluster_and_user() {
    let bed = Bed::start(&[]).await;
    bed.publish("1.0.0", &[TEMPLATE]).await;
    let spec = json!({"values": {"text": "one"}, "kubeConfig": {"secretRef": {"name": "remote"}}});
    bed.release("web", spec).await;
    let status = bed.until_failed("web", "RESTClientError").await;
    let (_, message) = condition(&status, "Ready");
    assert!(message.contains("\"remote\" not found"), "{message}");
    let user = bed.testbed.name("remote");
    let text = sluice_system::fs::read_to_string(bed.testbed.kubeconfig_for(&user)).unwrap();
    let mark = bed.mark().await;
    let watched = json!({"reconcile.fluxcd.io/watch": "Enabled"});
    bed.apply(&json!({"apiVersion": "v1", "kind": "Secret",
        "metadata": {"name": "remote", "labels": watched}, "stringData": {"value": text}}))
        .await;
    bed.until_ready("web", "1.0.0").await;
    let asked = bed.asked_by(&user, mark).await;
    for request in ["create secrets", "patch configmaps"] {
        assert!(asked.iter().any(|asked| asked == request), "{asked:?}");
    }
    // Without its credentials the release stays, and the object goes.
    let gvk = GroupVersionKind::gvk("", "v1", "Secret");
    let options = sluice_client::DeleteOptions::default();
    let deleted = bed
        .cluster
        .delete(&gvk, Some(&bed.namespace), "remote", &options);
    deleted.await.unwrap();
    bed.delete("web").await;
    assert!(bed.config_map("web").await.is_some());
}

#[tokio::test]
async fn invalid_chart_is_refused_before_any_action() {
    let bed = Bed::start(&[]).await;
    let artifact = bed.chart_of("name: web\n", "1.0.0", &[TEMPLATE]);
    bed.source("HelmChart", "chart", &artifact).await;
    bed.release("web", json!({"values": {"text": "one"}})).await;
    let status = bed.until_failed("web", "ArtifactFailed").await;
    let (_, message) = condition(&status, "Ready");
    assert!(message.starts_with("Could not load chart: "), "{message}");
    assert_eq!(bed.records("web").await, []);
    // A template that fails is a failed action without a record.
    let failing = ("templates/fail.yaml", "{{ fail \"no luck\" }}");
    bed.publish("1.1.0", &[failing]).await;
    let status = bed.until_failed("web", "InstallFailed").await;
    let (_, message) = condition(&status, "Ready");
    assert!(message.contains("no luck"), "{message}");
    assert_eq!((status.failures > 0, status.install_failures), (true, 0));
    assert_eq!(bed.records("web").await, []);
}

#[tokio::test]
async fn gate_lets_templates_look_up_names() {
    let bed = Bed::start(&["--feature-gates=AllowDNSLookups=true"]).await;
    let text = "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: web}\ndata: {text: '{{ getHostByName \"localhost\" }}'}\n";
    bed.publish("1.0.0", &[("templates/config.yaml", text)])
        .await;
    bed.release("web", json!({})).await;
    bed.until_ready("web", "1.0.0").await;
    let found = bed.text("web").await.unwrap();
    assert!(["127.0.0.1", "::1"].contains(&&*found), "{found}");
}
