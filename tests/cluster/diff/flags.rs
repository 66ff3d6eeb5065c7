//! Tests flags of a comparison: masks, strict variables, and limited recursion.

use serde_json::json;

use super::{SETTINGS, Scene, config_map};
use crate::binary::sluice;

#[tokio::test(flavor = "multi_thread")]
async fn masked_values_are_not_shown() {
    let scene = Scene::new("mask").await;
    let mut map = config_map("a", &json!({"changed": "canary-1", "shown": "1"}));
    map["metadata"]["annotations"] =
        json!({ "kubectl.kubernetes.io/last-applied-configuration": "canary-2" });
    scene.apply(map).await;
    scene.write(
        "a.yaml",
        "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a, namespace: NAMESPACE}\ndata: {changed: canary-3, shown: '2'}\n",
    );
    scene
        .kustomization("apps", &["NAMESPACE_a__ConfigMap"])
        .await;
    let plain = scene.diff("").stdout;
    assert!(
        plain.contains("canary-1") && plain.contains("canary-3"),
        "{plain}"
    );
    let ended = scene.diff("--mask ConfigMap/data/changed,Secret/data");
    assert_eq!(ended.code, 1, "{ended:#?}");
    assert!(!ended.stdout.contains("canary"), "{}", ended.stdout);
    for change in [
        "\ndata.changed\n± value change\n- *** (before)\n+ *** (after)\n",
        "\ndata.shown\n± value change\n- 1\n+ 2\n",
    ] {
        assert!(ended.stdout.contains(change), "{}", ended.stdout);
    }
    // The API server rejects the object and quotes it.
    scene.write(
        "bad.yaml",
        "apiVersion: v1\nkind: Service\nmetadata: {name: a, namespace: NAMESPACE}\nspec: {type: canary-type, ports: [{port: 1}]}\n",
    );
    let ended = scene.diff("");
    assert!(ended.stderr.contains("canary-type"), "{ended:#?}");
    let ended = scene.diff("--mask Service/spec/type");
    assert_eq!(ended.code, 2, "{ended:#?}");
    assert!(!ended.stderr.contains("canary-type"), "{ended:#?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn recursive_diff_ends_at_a_cycle() {
    let scene = Scene::new("cycle").await;
    let other = |name: &str, path: &str| {
        format!(
            "apiVersion: kustomize.toolkit.fluxcd.io/v1\nkind: Kustomization\n\
             metadata: {{name: {name}, namespace: NAMESPACE}}\n\
             spec: {{interval: 1m, path: ./{path}, prune: true, sourceRef: {{kind: GitRepository, name: fleet}}}}\n"
        )
    };
    scene.write("a/b.yaml", &other("b", "b"));
    scene.write("b/apps.yaml", &other("apps", "a"));
    scene.write("b/settings.yaml", SETTINGS);
    let spec = json!({ "path": "./a" });
    scene.kustomization_with("apps", spec, &[]).await;
    let (path, namespace) = (scene.path().display(), &scene.namespace);
    let line = format!(
        "diff ks apps --path {path}/a -n {namespace} -r --local-sources GitRepository/{namespace}/fleet={path}"
    );
    let ended = sluice(&scene.bed.kubeconfig(), &line);
    assert_eq!(ended.code, 1, "{ended:#?}");
    let told = |text: &str| ended.stdout.matches(&scene.expected(text)).count();
    assert_eq!(told("► Kustomization/NAMESPACE/b created"), 1, "{ended:#?}");
    assert_eq!(
        told("► ConfigMap/NAMESPACE/settings created"),
        1,
        "{ended:#?}"
    );
    assert_eq!(told("► Kustomization/NAMESPACE/apps"), 1, "{ended:#?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn unset_variable_is_empty_or_fails_in_strict() {
    let scene = Scene::new("strict").await;
    scene.write(
        "a.yaml",
        "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a, namespace: NAMESPACE}\ndata: {key: \"<${missing}>\"}\n",
    );
    scene
        .apply(config_map("a", &json!({ "key": "<before>" })))
        .await;
    let spec = json!({ "postBuild": { "substitute": { "other": "value" } } });
    scene
        .kustomization_with("apps", spec, &["NAMESPACE_a__ConfigMap"])
        .await;
    let ended = scene.diff("");
    assert_eq!(ended.code, 1, "{ended:#?}");
    assert!(ended.stdout.contains("- <before>\n+ <>\n"), "{ended:#?}");
    let ended = scene.diff("--strict-substitute");
    assert_eq!((ended.code, ended.stdout.as_str()), (2, ""), "{ended:#?}");
    assert!(
        ended
            .stderr
            .contains("variable not set (strict mode): \"missing\""),
        "{ended:#?}"
    );
}
