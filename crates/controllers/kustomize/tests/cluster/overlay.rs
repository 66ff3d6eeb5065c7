//! Fields that change the build: names, namespaces, patches, images, components, variables and
//! metadata.

use serde_json::{Value, json};
use sluice_client::GroupVersionKind;

use crate::bed::{Bed, config, deployment};

fn secret(name: &str, data: &Value) -> Value {
    json!({"apiVersion": "v1", "kind": "Secret", "metadata": {"name": name}, "stringData": data})
}

fn config_map(name: &str, data: &Value) -> Value {
    json!({"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": name}, "data": data})
}

/// A config map whose value is a substitution expression.
fn expression(text: &str) -> String {
    config("a", "x").replace("key: 'x'", &format!("key: {text}"))
}

async fn value(bed: &Bed, name: &str) -> Value {
    bed.config_map(name).await.unwrap()["data"]["key"].clone()
}

#[tokio::test]
async fn spec_sets_names_namespace_patches_and_images() {
    let bed = Bed::start(&[]).await;
    let manifest = deployment("web", 600).replace("namespace: NAMESPACE", "namespace: elsewhere");
    bed.publish("1", &[("web.yaml", &manifest)]).await;
    bed.kustomization(
        "app",
        json!({
            "targetNamespace": bed.namespace, "namePrefix": "x-", "nameSuffix": "-y",
            "patches": [{
                "patch": "- {op: replace, path: /spec/replicas, value: 0}",
                "target": {"kind": "Deployment"},
            }],
            "images": [{"name": "example.com/a", "newName": "example.com/b", "newTag": "v2"}],
            "commonMetadata": {"annotations": {"owner": "a"}},
            "buildMetadata": ["originAnnotations"],
        }),
    )
    .await;
    let status = bed.until_applied("app", "1").await;
    assert_eq!(bed.inventory(&status), ["NS_x-web-y_apps_Deployment"]);
    let gvk = GroupVersionKind::gvk("apps", "v1", "Deployment");
    let live = bed.get(&gvk, "x-web-y").await.unwrap();
    assert_eq!(live["spec"]["replicas"], 0);
    let container = &live["spec"]["template"]["spec"]["containers"][0];
    assert_eq!(container["image"], "example.com/b:v2");
    let annotations = &live["metadata"]["annotations"];
    assert_eq!(annotations["owner"], "a");
    assert_eq!(
        annotations["config.kubernetes.io/origin"],
        "path: web.yaml\n"
    );
}

#[tokio::test]
async fn components_are_added_and_missing_ones_optional() {
    let bed = Bed::start(&[]).await;
    let component = "apiVersion: kustomize.config.k8s.io/v1alpha1\nkind: Component\ncommonAnnotations: {from: component}\n";
    bed.publish(
        "1",
        &[
            ("app/a.yaml", &config("a", "1")),
            ("component/kustomization.yaml", component),
        ],
    )
    .await;
    let spec = json!({"path": "app", "components": ["../component", "../gone"]});
    bed.kustomization("app", spec).await;
    let message = bed.until_failed("app", "BuildFailed").await;
    assert!(
        message.starts_with("kustomize build failed: accumulating components: ")
            && message.contains("gone"),
        "{message}"
    );
    let spec = json!({"path": "app", "components": ["../component", "../gone"], "ignoreMissingComponents": true});
    bed.kustomization("app", spec).await;
    bed.until_applied("app", "1").await;
    let live = bed.config_map("a").await.unwrap();
    assert_eq!(live["metadata"]["annotations"]["from"], "component");
}

#[tokio::test]
async fn inline_variables_override_later_sources() {
    let bed = Bed::start(&[]).await;
    bed.apply(&config_map("one", &json!({"a": "1", "b": "1", "c": "1"})))
        .await;
    bed.apply(&secret("two", &json!({"b": "2\n", "c": "2"})))
        .await;
    let manifest = expression("\"${a}${b}${c}${d:=4}$${e}\"");
    let off = config("off", "${a}").replace(
        "metadata:\n",
        "metadata:\n  annotations: {kustomize.toolkit.fluxcd.io/substitute: disabled}\n",
    );
    bed.publish("1", &[("a.yaml", &manifest), ("off.yaml", &off)])
        .await;
    let references = json!([
        {"kind": "ConfigMap", "name": "one"}, {"kind": "Secret", "name": "two"},
        {"kind": "Secret", "name": "gone", "optional": true},
    ]);
    let build = json!({"substitute": {"c": "3"}, "substituteFrom": references});
    bed.kustomization("app", json!({"postBuild": build})).await;
    bed.until_applied("app", "1").await;
    assert_eq!(value(&bed, "a").await, "1234${e}");
    assert_eq!(value(&bed, "off").await, "${a}");
}

#[tokio::test]
async fn changed_variable_source_is_applied_at_once() {
    let bed = Bed::start(&[]).await;
    let labelled = |value: &str| {
        let mut map = config_map("vars", &json!({"v": value}));
        map["metadata"]["labels"] = json!({"reconcile.fluxcd.io/watch": "Enabled"});
        map
    };
    bed.apply(&labelled("one")).await;
    bed.publish("1", &[("a.yaml", &expression("${v}"))]).await;
    let build = json!({"substituteFrom": [{"kind": "ConfigMap", "name": "vars"}]});
    bed.kustomization("app", json!({"postBuild": build})).await;
    bed.until_applied("app", "1").await;
    assert_eq!(value(&bed, "a").await, "one");
    bed.apply(&labelled("two")).await;
    bed.until_config_map("a", "has the new value", |map| {
        let data = map.data.as_ref();
        data.is_some_and(|data| data["key"] == "two")
    })
    .await;
}

#[tokio::test]
async fn invalid_variables_fail_build_before_apply() {
    let bed = Bed::start(&[]).await;
    bed.publish("1", &[("a.yaml", &expression("${v}"))]).await;
    for (build, message) in [
        (
            json!({"substitute": {"other": ""}}),
            "post build failed for 'ConfigMap.v1.[noGrp]/a': envsubst error: variable substitution failed: variable not set (strict mode): \"v\"",
        ),
        (
            json!({"substituteFrom": [{"kind": "Secret", "name": "gone"}]}),
            "post build failed for 'ConfigMap.v1.[noGrp]/a': substitute from 'Secret/gone' error: secrets \"gone\" not found",
        ),
        (
            json!({"substitute": {"a-b": ""}}),
            "post build failed for 'ConfigMap.v1.[noGrp]/a': envsubst error: 'a-b' var name is invalid, must match '^[_[:alpha:]][_[:alpha:][:digit:]]*$'",
        ),
    ] {
        bed.kustomization("app", json!({"postBuild": build})).await;
        bed.until("app", message, |status| {
            let ready = status.conditions.find("Ready");
            ready.is_some_and(|ready| ready.reason == "BuildFailed" && ready.message == message)
        })
        .await;
    }
    assert!(bed.config_map("a").await.is_none());
}

#[tokio::test]
async fn unset_variable_is_empty_without_strict_gate() {
    let bed = Bed::start(&["--feature-gates=StrictPostBuildSubstitutions=false"]).await;
    bed.publish("1", &[("a.yaml", &expression("\"<${v}>\""))])
        .await;
    let build = json!({"substituteStrategy": "Always"});
    bed.kustomization("app", json!({"postBuild": build})).await;
    bed.until_applied("app", "1").await;
    assert_eq!(value(&bed, "a").await, "<>");
}

#[tokio::test]
async fn removed_metadata_leaves_objects() {
    let bed = Bed::start(&[]).await;
    bed.publish("1", &[("a.yaml", &config("a", "1"))]).await;
    bed.kustomization(
        "app",
        json!({
            "commonMetadata": {"labels": {"team": "a", "tier": "b"}, "annotations": {"owner": "a"}},
            "buildMetadata": ["originAnnotations"],
        }),
    )
    .await;
    bed.until_applied("app", "1").await;
    let metadata = async || bed.config_map("a").await.unwrap()["metadata"].clone();
    let before = metadata().await;
    assert_eq!(before["labels"]["team"], "a");
    assert_eq!(before["annotations"]["owner"], "a");
    assert_eq!(
        before["annotations"]["config.kubernetes.io/origin"],
        "path: a.yaml\n"
    );
    bed.kustomization("app", json!({"commonMetadata": {"labels": {"tier": "c"}}}))
        .await;
    bed.until_config_map("a", "has the other metadata", |map| {
        let labels = map.metadata.labels.as_ref();
        labels.is_some_and(|labels| labels.get("tier").is_some_and(|tier| tier == "c"))
    })
    .await;
    let after = metadata().await;
    assert_eq!(after["labels"].get("team"), None, "{after}");
    assert_eq!(after.get("annotations"), None, "{after}");
}

#[tokio::test]
async fn delete_patches_remove_several_objects() {
    let delete = |name: &str| {
        format!(
            "apiVersion: v1\nkind: ConfigMap\nmetadata: {{name: {name}, namespace: NAMESPACE}}\n$patch: delete\n"
        )
    };
    let (first, second) = (delete("a"), delete("b"));
    for patches in [
        vec![first.clone(), second.clone()],
        vec![format!("{first}---\n{second}")],
    ] {
        let bed = Bed::start(&[]).await;
        let files = [
            ("a.yaml", &*config("a", "1")),
            ("b.yaml", &*config("b", "1")),
            ("c.yaml", &*config("c", "1")),
        ];
        bed.publish("1", &files).await;
        let patches: Vec<Value> = patches
            .iter()
            .map(|patch| json!({"patch": patch.replace("NAMESPACE", &bed.namespace)}))
            .collect();
        bed.kustomization("app", json!({ "patches": patches }))
            .await;
        let status = bed.until_applied("app", "1").await;
        assert_eq!(bed.inventory(&status), ["NS_c__ConfigMap"]);
    }
}
