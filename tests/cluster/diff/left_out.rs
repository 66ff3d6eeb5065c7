//! Tests objects that a comparison must not report: objects that are not pruned, and objects
//! outside the build.

use serde_json::json;

use super::{CHANGED, SETTINGS, Scene, config_map};

#[tokio::test(flavor = "multi_thread")]
async fn removed_objects_without_prune_are_not_in_the_diff() {
    let scene = Scene::new("no-prune").await;
    scene.write("settings.yaml", SETTINGS);
    let settings = json!({"region": "eu", "replicas": "3"});
    scene.apply(config_map("settings", &settings)).await;
    scene.apply(config_map("left", &json!({}))).await;
    let inventory = ["NAMESPACE_settings__ConfigMap", "NAMESPACE_left__ConfigMap"];
    scene
        .kustomization_with("apps", json!({ "prune": false }), &inventory)
        .await;
    let ended = scene.diff("").well();
    assert_eq!((ended.stdout.as_str(), ended.stderr.as_str()), ("", ""));
}

#[tokio::test(flavor = "multi_thread")]
async fn objects_outside_the_path_are_not_in_the_diff() {
    let scene = Scene::new("left-out").await;
    scene.write("settings.yaml", SETTINGS);
    let settings = json!({"region": "eu", "replicas": "3"});
    scene.apply(config_map("settings", &settings)).await;
    let draft = "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: draft, namespace: NAMESPACE}\n";
    scene.write("drafts/draft.yaml", draft);
    scene
        .kustomization("apps", &["NAMESPACE_settings__ConfigMap"])
        .await;
    let ended = scene.diff("");
    assert_eq!((ended.code, ended.stderr.as_str()), (1, CHANGED));
    let created = scene.expected("► ConfigMap/NAMESPACE/draft created\n");
    assert_eq!(ended.stdout, created);
    let ended = scene.diff("--ignore-paths drafts/").well();
    assert_eq!((ended.stdout.as_str(), ended.stderr.as_str()), ("", ""));
}

#[tokio::test(flavor = "multi_thread")]
async fn lines_lost_to_variables_are_named_on_demand() {
    let scene = Scene::new("lines").await;
    let manifest = "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: settings, namespace: NAMESPACE}\n\
        data: {motd: \"${motd}\"}\n";
    scene.write("settings.yaml", manifest);
    let settings = json!({"motd": "ab"});
    scene.apply(config_map("settings", &settings)).await;
    let spec = json!({ "postBuild": { "substitute": { "motd": "a\nb", "other": "c\n" } } });
    let inventory = ["NAMESPACE_settings__ConfigMap"];
    scene.kustomization_with("apps", spec, &inventory).await;
    let ended = scene.diff("").well();
    assert_eq!((ended.stdout.as_str(), ended.stderr.as_str()), ("", ""));
    let ended = scene.diff("--multiline-vars").well();
    let told = "⚠️ values of several lines become one line, as they do in the cluster: motd\n";
    assert_eq!((ended.stdout.as_str(), ended.stderr.as_str()), ("", told));
}

#[tokio::test(flavor = "multi_thread")]
async fn fields_that_the_server_lacks_are_named() {
    let scene = Scene::new("fields").await;
    let manifest = "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: settings, namespace: NAMESPACE}\n\
        data: {a: b}\nreplicaz: 2\n";
    scene.write("settings.yaml", manifest);
    scene
        .apply(config_map("settings", &json!({"a": "b"})))
        .await;
    scene
        .kustomization("apps", &["NAMESPACE_settings__ConfigMap"])
        .await;
    let ended = scene.diff("").well();
    let told = "⚠️ ConfigMap/NAMESPACE/settings has fields that the cluster does not know, which an \
        apply leaves out: .replicaz\n";
    assert_eq!(
        (ended.stdout.as_str(), ended.stderr),
        ("", scene.expected(told))
    );
}
