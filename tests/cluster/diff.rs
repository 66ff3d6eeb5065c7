//! Tests `diff` on a real API server: output, exit code and requests.

mod definitions;
mod flags;
mod helmrelease;
mod left_out;

use std::fmt::Write as _;
use std::path::Path;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde_json::{Value, json};
use sluice_client::{Cluster, GroupVersionKind, PatchOptions};
use sluice_system::fs;
use sluice_testkit::Testbed;

use crate::binary::{CommandResult, sluice};

/// A namespace, and a folder with the manifests of a Kustomization `apps`.
struct Scene {
    bed: &'static Testbed,
    cluster: Cluster,
    namespace: String,
    folder: tempfile::TempDir,
}

impl Scene {
    async fn new(prefix: &str) -> Self {
        let bed = sluice_testkit::cluster().await;
        Self {
            bed,
            cluster: bed.connect().await,
            namespace: bed.namespace(prefix).await,
            folder: tempfile::tempdir().unwrap(),
        }
    }

    fn path(&self) -> &Path {
        self.folder.path()
    }

    fn write(&self, file: &str, text: &str) {
        let path = self.path().join(file);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(&path, text.replace("NAMESPACE", &self.namespace)).unwrap();
    }

    /// Compares `apps`, with further arguments.
    fn diff(&self, more: &str) -> CommandResult {
        self.diff_as(&self.bed.kubeconfig(), more)
    }

    fn diff_as(&self, kubeconfig: &Path, more: &str) -> CommandResult {
        let (path, namespace) = (self.path().display(), &self.namespace);
        let line = format!("diff ks apps --path {path} -n {namespace} {more}");
        sluice(kubeconfig, &line)
    }

    /// Creates a Kustomization whose inventory has these objects.
    async fn kustomization(&self, name: &str, inventory: &[&str]) {
        self.kustomization_with(name, json!({}), inventory).await;
    }

    async fn kustomization_with(&self, name: &str, more: Value, inventory: &[&str]) {
        let mut spec = json!({
            "interval": "1m", "path": "./", "prune": true,
            "sourceRef": { "kind": "GitRepository", "name": "fleet" },
        });
        spec.as_object_mut()
            .unwrap()
            .extend(more.as_object().unwrap().clone());
        let kind = kustomizations();
        let object = json!({
            "apiVersion": "kustomize.toolkit.fluxcd.io/v1", "kind": "Kustomization",
            "metadata": { "name": name, "namespace": self.namespace }, "spec": spec,
        });
        self.cluster
            .create(
                &kind,
                Some(&self.namespace),
                &object,
                PatchOptions::default(),
            )
            .await
            .unwrap();
        let entries: Vec<Value> = inventory
            .iter()
            .map(|id| json!({ "id": id.replace("NAMESPACE", &self.namespace), "v": "v1" }))
            .collect();
        let options = PatchOptions {
            subresource: Some("status"),
            ..PatchOptions::default()
        };
        let status = json!({ "status": { "inventory": { "entries": entries } } });
        self.cluster
            .merge(&kind, Some(&self.namespace), name, &status, options)
            .await
            .unwrap();
    }

    /// Applies an object like the controller of the Kustomization `apps`.
    async fn apply(&self, mut object: Value) {
        let labels = json!({
            "kustomize.toolkit.fluxcd.io/name": "apps",
            "kustomize.toolkit.fluxcd.io/namespace": self.namespace,
        });
        object["metadata"]["namespace"] = self.namespace.as_str().into();
        object["metadata"]["labels"] = labels;
        let text = |field: &str| object[field].as_str().unwrap().to_owned();
        let (group, version) = match text("apiVersion").split_once('/') {
            Some((group, version)) => (group.to_owned(), version.to_owned()),
            None => (String::new(), text("apiVersion")),
        };
        let name = object["metadata"]["name"].as_str().unwrap();
        let options = PatchOptions {
            field_manager: Some("kustomize-controller"),
            force: true,
            ..PatchOptions::default()
        };
        self.cluster
            .apply(
                &GroupVersionKind::gvk(&group, &version, &text("kind")),
                Some(&self.namespace),
                name,
                &object,
                options,
            )
            .await
            .unwrap();
    }

    /// Returns the expected text with the real namespace.
    fn expected(&self, text: &str) -> String {
        text.replace("NAMESPACE", &self.namespace)
    }
}

fn kustomizations() -> GroupVersionKind {
    GroupVersionKind::gvk("kustomize.toolkit.fluxcd.io", "v1", "Kustomization")
}

fn config_map(name: &str, data: &Value) -> Value {
    json!({ "apiVersion": "v1", "kind": "ConfigMap", "metadata": { "name": name }, "data": data })
}

/// Encodes the values of a Secret like the server.
fn encoded(data: &Value) -> Value {
    let entries = data.as_object().unwrap().iter();
    let encode = |value: &Value| STANDARD.encode(value.as_str().unwrap());
    entries
        .map(|(key, value)| (key.clone(), encode(value).into()))
        .collect::<serde_json::Map<_, _>>()
        .into()
}

const SETTINGS: &str = "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: settings, namespace: NAMESPACE}\ndata: {region: eu, replicas: \"3\"}\n";

const CHANGED: &str = "⚠️ identified at least one change, exiting with non-zero exit code\n";

#[tokio::test(flavor = "multi_thread")]
async fn applied_objects_have_no_diff() {
    let scene = Scene::new("same").await;
    scene.write("settings.yaml", SETTINGS);
    scene
        .apply(config_map(
            "settings",
            &json!({"region": "eu", "replicas": "3"}),
        ))
        .await;
    scene
        .kustomization("apps", &["NAMESPACE_settings__ConfigMap"])
        .await;
    let ended = scene.diff("").well();
    assert_eq!((ended.stdout.as_str(), ended.stderr.as_str()), ("", ""));
}

#[tokio::test(flavor = "multi_thread")]
async fn created_changed_and_deleted_objects_exit_with_1() {
    let scene = Scene::new("drift").await;
    scene.write("settings.yaml", SETTINGS);
    scene.write(
        "new.yaml",
        "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: new, namespace: NAMESPACE}\n",
    );
    scene
        .apply(config_map(
            "settings",
            &json!({"region": "us", "zone": "a"}),
        ))
        .await;
    scene.apply(config_map("left", &json!({}))).await;
    let mut kept = config_map("kept", &json!({}));
    kept["metadata"]["annotations"] = json!({ "kustomize.toolkit.fluxcd.io/prune": "disabled" });
    scene.apply(kept).await;
    scene
        .kustomization(
            "apps",
            &[
                "NAMESPACE_settings__ConfigMap",
                "NAMESPACE_left__ConfigMap",
                "NAMESPACE_kept__ConfigMap",
                "NAMESPACE_gone-already__ConfigMap",
            ],
        )
        .await;
    let ended = scene.diff("");
    assert_eq!(ended.code, 1, "{ended:#?}");
    assert_eq!(ended.stderr, CHANGED);
    let expected = "► ConfigMap/NAMESPACE/new created\n\
                    ► ConfigMap/NAMESPACE/settings drifted\n\
                    \n\
                    data\n\
                    - one map entry removed:   + one map entry added:\n\
                    zone: a                      replicas: 3\n\
                    \n\
                    data.region\n\
                    ± value change\n\
                    - us\n\
                    + eu\n\
                    \n\
                    ► ConfigMap/NAMESPACE/left deleted\n";
    assert_eq!(ended.stdout, scene.expected(expected));
}

#[tokio::test(flavor = "multi_thread")]
async fn objects_of_new_namespace_or_kind_are_created() {
    let scene = Scene::new("new").await;
    let space = scene.bed.name("space");
    let group = format!("{}.example.com", scene.bed.name("group"));
    scene.write(
        "all.yaml",
        &format!(
            "apiVersion: v1\nkind: Namespace\nmetadata: {{name: {space}}}\n---\n\
             apiVersion: v1\nkind: ConfigMap\nmetadata: {{name: a, namespace: {space}}}\n---\n\
             apiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinition\n\
             metadata: {{name: trees.{group}}}\n\
             spec:\n  group: {group}\n  names: {{kind: Tree, plural: trees}}\n  scope: Namespaced\n  \
             versions: [{{name: v1, served: true, storage: true, schema: {{openAPIV3Schema: {{type: object}}}}}}]\n---\n\
             apiVersion: {group}/v1\nkind: Tree\nmetadata: {{name: oak, namespace: {space}}}\n"
        ),
    );
    scene.kustomization("apps", &[]).await;
    let ended = scene.diff("");
    assert_eq!(ended.code, 1, "{ended:#?}");
    for line in [
        format!("► Namespace/{space} created\n"),
        format!("► ConfigMap/{space}/a created\n"),
        format!("► CustomResourceDefinition/trees.{group} created\n"),
        format!("► Tree/{space}/oak created\n"),
    ] {
        assert!(ended.stdout.contains(&line), "{line}{}", ended.stdout);
    }
    // An invalid object is still reported under its own name.
    scene.write(
        "wrong.yaml",
        &format!("apiVersion: v1\nkind: Service\nmetadata: {{name: web, namespace: {space}}}\nspec: {{ports: [{{port: 70000}}]}}\n"),
    );
    let ended = scene.diff("");
    assert_eq!(ended.code, 2, "{ended:#?}");
    let start =
        format!("✗ Service/{space}/web dry-run failed (Invalid): Service \"web\" is invalid");
    assert!(ended.stderr.starts_with(&start), "{}", ended.stderr);
    assert!(
        ended
            .stdout
            .contains(&format!("ConfigMap/{space}/a created"))
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn refusals_exit_with_2_and_report_no_deletion() {
    let scene = Scene::new("refused").await;
    for name in ["one", "two"] {
        scene.write(
            &format!("{name}.yaml"),
            &format!("apiVersion: v1\nkind: Service\nmetadata: {{name: {name}, namespace: NAMESPACE}}\nspec: {{ports: [{{port: 70000}}]}}\n"),
        );
    }
    scene.write("settings.yaml", SETTINGS);
    scene.apply(config_map("left", &json!({}))).await;
    scene
        .kustomization("apps", &["NAMESPACE_left__ConfigMap"])
        .await;
    let ended = scene.diff("");
    assert_eq!(ended.code, 2, "{ended:#?}");
    assert_eq!(
        ended.stdout,
        scene.expected("► ConfigMap/NAMESPACE/settings created\n")
    );
    for name in ["one", "two"] {
        let said = scene.expected(&format!(
            "Service/NAMESPACE/{name} dry-run failed (Invalid)"
        ));
        assert!(ended.stderr.contains(&said), "{}", ended.stderr);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn missing_kustomization_needs_flag_and_file() {
    let scene = Scene::new("absent").await;
    scene.write("apps/settings.yaml", SETTINGS);
    scene.write(
        "file.yaml",
        "apiVersion: kustomize.toolkit.fluxcd.io/v1\nkind: Kustomization\nmetadata: {name: apps}\n\
         spec: {interval: 1m, path: ./, prune: true, sourceRef: {kind: GitRepository, name: fleet}}\n",
    );
    let (path, namespace) = (scene.path().display(), &scene.namespace);
    let run = |more: &str| {
        let line = format!("diff ks apps --path {path}/apps -n {namespace} {more}");
        sluice(&scene.bed.kubeconfig(), &line)
    };
    let missing = "✗ failed to get kustomization object: kustomizations.kustomize.toolkit.fluxcd.io \"apps\" not found\n".to_owned();
    for more in [
        String::new(),
        format!("--kustomization-file {path}/file.yaml"),
    ] {
        let ended = run(&more);
        assert_eq!(ended.code, 2, "{ended:#?}");
        assert!(ended.stderr.starts_with(&missing), "{}", ended.stderr);
    }
    let ended = run(&format!(
        "--kustomization-file {path}/file.yaml --ignore-not-found"
    ));
    assert_eq!(ended.code, 1, "{ended:#?}");
    assert_eq!(
        ended.stdout,
        scene.expected("► ConfigMap/NAMESPACE/settings created\n")
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn no_value_of_a_secret_is_shown() {
    let scene = Scene::new("secret").await;
    let secret = |data: Value, annotation: &str| {
        json!({ "apiVersion": "v1", "kind": "Secret", "data": encoded(&data), "metadata": {
            "name": "keys",
            "annotations": { "kubectl.kubernetes.io/last-applied-configuration": annotation },
        } })
    };
    scene
        .apply(secret(
            json!({"changed": "canary-1", "same": "canary-2", "old": "canary-3"}),
            "canary-4",
        ))
        .await;
    scene.write(
        "keys.yaml",
        "apiVersion: v1\nkind: Secret\nmetadata: {name: keys, namespace: NAMESPACE}\nstringData: {changed: canary-5, same: canary-2, new: canary-6}\n",
    );
    // The API server rejects the object and quotes it.
    scene.write(
        "bad.yaml",
        "apiVersion: v1\nkind: Secret\nmetadata: {name: bad, namespace: NAMESPACE}\nstringData: {key: [canary-7]}\n",
    );
    scene
        .kustomization("apps", &["NAMESPACE_keys__Secret"])
        .await;
    let ended = scene.diff("");
    let printed = format!("{}{}", ended.stdout, ended.stderr);
    assert!(!printed.contains("canary"), "{printed}");
    assert!(!printed.contains("Y2FuYXJ5"), "{printed}");
    let expected = "\ndata.changed\n± value change\n- *** (before)\n+ *** (after)\n";
    assert!(ended.stdout.contains(expected), "{printed}");
    assert!(ended.stdout.contains("old: \"***\""), "{printed}");
}

#[tokio::test(flavor = "multi_thread")]
async fn encrypted_secrets_are_compared_by_their_keys() {
    let scene = Scene::new("sops").await;
    let secret = |name: &str, key: &str| {
        json!({ "apiVersion": "v1", "kind": "Secret", "metadata": { "name": name },
            "data": encoded(&json!({ key: "canary" })) })
    };
    scene.apply(secret("same", "token")).await;
    scene.apply(secret("other", "old")).await;
    for name in ["same", "other"] {
        scene.write(
            &format!("{name}.yaml"),
            &format!(
                "apiVersion: v1\nkind: Secret\nmetadata: {{name: {name}, namespace: NAMESPACE}}\n\
                 stringData: {{token: \"ENC[AES256_GCM,data:x]\"}}\n\
                 sops: {{mac: \"ENC[AES256_GCM,data:y]\", version: 3.9.0}}\n"
            ),
        );
    }
    scene
        .kustomization(
            "apps",
            &["NAMESPACE_same__Secret", "NAMESPACE_other__Secret"],
        )
        .await;
    let ended = scene.diff("");
    assert_eq!(ended.code, 1, "{ended:#?}");
    let expected = "► Secret/NAMESPACE/other drifted\n\
                    \n\
                    data\n\
                    - one map entry removed:   + one map entry added:\n\
                    old: \"*****\"                 token: \"*****\"\n\
                    \n";
    assert_eq!(ended.stdout, scene.expected(expected));
}

#[tokio::test(flavor = "multi_thread")]
async fn markers_decide_as_in_apply() {
    let scene = Scene::new("markers").await;
    let map = |name: &str, marker: &str| {
        format!(
            "apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: {name}\n  namespace: NAMESPACE\n  \
             annotations: {{{marker}}}\ndata: {{a: new}}\n"
        )
    };
    let group = "kustomize.toolkit.fluxcd.io";
    for (name, marker) in [
        ("disabled", format!("{group}/reconcile: disabled")),
        ("ignored", format!("{group}/ssa: Ignore")),
        ("once", format!("{group}/ssa: IfNotPresent")),
        ("forced", format!("{group}/force: enabled")),
    ] {
        scene.write(&format!("{name}.yaml"), &map(name, &marker));
        let mut live = config_map(name, &json!({"a": "old"}));
        live["immutable"] = (name == "forced").into();
        scene.apply(live).await;
    }
    scene.kustomization("apps", &[]).await;
    let ended = scene.diff("");
    assert_eq!(ended.code, 1, "{ended:#?}");
    let expected = "► ConfigMap/NAMESPACE/disabled skipped\n\
                    ► ConfigMap/NAMESPACE/forced recreated\n\
                    ► ConfigMap/NAMESPACE/ignored skipped\n\
                    ► ConfigMap/NAMESPACE/once skipped\n";
    assert_eq!(ended.stdout, scene.expected(expected));
}

#[tokio::test(flavor = "multi_thread")]
async fn ignored_fields_are_not_in_the_diff() {
    let scene = Scene::new("ignored").await;
    scene.write("settings.yaml", SETTINGS);
    scene
        .apply(config_map(
            "settings",
            &json!({"region": "us", "replicas": "3"}),
        ))
        .await;
    let ignore =
        json!({ "ignore": [{ "paths": ["/data/region"], "target": { "kind": "ConfigMap" } }] });
    scene
        .kustomization_with("apps", ignore, &["NAMESPACE_settings__ConfigMap"])
        .await;
    assert_eq!(scene.diff("").well().stdout, "");
    scene
        .apply(config_map(
            "settings",
            &json!({"region": "us", "replicas": "4"}),
        ))
        .await;
    let ended = scene.diff("");
    assert_eq!(ended.code, 1, "{ended:#?}");
    assert!(!ended.stdout.contains("region"), "{}", ended.stdout);
    assert!(ended.stdout.contains("data.replicas"), "{}", ended.stdout);
}

#[tokio::test(flavor = "multi_thread")]
async fn recursive_diff_uses_the_built_child() {
    let scene = Scene::new("recursive").await;
    let child = |name: &str, more: &str| {
        format!(
            "apiVersion: kustomize.toolkit.fluxcd.io/v1\nkind: Kustomization\n\
             metadata: {{name: {name}, namespace: NAMESPACE}}\n\
             spec: {{interval: 1m, path: ./{name}, prune: true, sourceRef: {{kind: GitRepository, name: fleet}}{more}}}\n"
        )
    };
    scene.write("cluster/old.yaml", &child("old", ""));
    scene.write("cluster/fresh.yaml", &child("fresh", ""));
    scene.write(
        "cluster/remote.yaml",
        &child("remote", ", kubeConfig: {secretRef: {name: spoke}}"),
    );
    scene.write("old/settings.yaml", SETTINGS);
    scene.write(
        "fresh/a.yaml",
        "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: fresh, namespace: NAMESPACE}\n",
    );
    let labels = json!({ "metadata": { "labels": {
        "kustomize.toolkit.fluxcd.io/name": "apps",
        "kustomize.toolkit.fluxcd.io/namespace": scene.namespace,
    } } });
    scene.apply(config_map("left", &json!({}))).await;
    // The child owns the object, which its pruning checks.
    let owner = json!({ "metadata": { "labels": { "kustomize.toolkit.fluxcd.io/name": "old" } } });
    let maps = GroupVersionKind::gvk("", "v1", "ConfigMap");
    scene
        .cluster
        .merge(
            &maps,
            Some(&scene.namespace),
            "left",
            &owner,
            PatchOptions::default(),
        )
        .await
        .unwrap();
    scene
        .kustomization_with(
            "old",
            json!({"path": "./old"}),
            &["NAMESPACE_left__ConfigMap"],
        )
        .await;
    scene
        .cluster
        .merge(
            &kustomizations(),
            Some(&scene.namespace),
            "old",
            &labels,
            PatchOptions::default(),
        )
        .await
        .unwrap();
    scene.kustomization("apps", &[]).await;
    let (path, namespace) = (scene.path().display(), &scene.namespace);
    let run = |more: &str| {
        let line = format!("diff ks apps --path {path}/cluster -n {namespace} -r {more}");
        sluice(&scene.bed.kubeconfig(), &line)
    };
    let ended = run(&format!(
        "--local-sources GitRepository/{namespace}/fleet={path}"
    ));
    assert_eq!(ended.code, 1, "{ended:#?}");
    let expected = "► Kustomization/NAMESPACE/fresh created\n\
                    📁 Kustomization/NAMESPACE/fresh changed\n\
                    ► ConfigMap/NAMESPACE/fresh created\n\
                    📁 Kustomization/NAMESPACE/old changed\n\
                    ► ConfigMap/NAMESPACE/settings created\n\
                    ► ConfigMap/NAMESPACE/left deleted\n\
                    ► Kustomization/NAMESPACE/remote created\n\
                    ⚠️ Kustomization/NAMESPACE/remote skipped: diff not supported for remote clusters\n";
    assert_eq!(ended.stdout, scene.expected(expected));
    let ended = run("");
    assert_eq!(ended.code, 2, "{ended:#?}");
    let said = format!(
        "✗ cannot get local path for GitRepository/{namespace}/fleet of kustomization old\n"
    );
    assert!(ended.stderr.ends_with(&said), "{}", ended.stderr);
}

#[tokio::test(flavor = "multi_thread")]
async fn diff_sends_about_one_request_per_object() {
    let scene = Scene::new("calls").await;
    let mut manifests = String::new();
    let mut inventory = Vec::new();
    for index in 0..40 {
        let name = format!("map-{index:02}");
        writeln!(
            manifests,
            "---\napiVersion: v1\nkind: ConfigMap\nmetadata: {{name: {name}, namespace: NAMESPACE}}\ndata: {{a: b}}"
        )
        .unwrap();
        if index < 20 {
            scene.apply(config_map(&name, &json!({"a": "b"}))).await;
            inventory.push(format!("NAMESPACE_{name}__ConfigMap"));
        }
    }
    scene.write("all.yaml", &manifests);
    let inventory: Vec<&str> = inventory.iter().map(String::as_str).collect();
    scene.kustomization("apps", &inventory).await;
    let user = scene.bed.name("reader");
    let kubeconfig = scene.bed.kubeconfig_for(&user);
    let client = scene.bed.client().await;
    let since = scene.bed.audit().mark(&client).await;
    let ended = scene.diff_as(&kubeconfig, "");
    assert_eq!(ended.stdout.lines().count(), 20, "{ended:#?}");
    scene.bed.audit().mark(&client).await;
    let asked: Vec<_> = scene
        .bed
        .audit()
        .since(since)
        .into_iter()
        .filter(|entry| entry.user == user && !entry.resource.is_empty())
        .collect();
    assert!(asked.len() <= 48, "{} requests: {asked:#?}", asked.len());
    assert!(asked.iter().all(|entry| !entry.is_write()), "{asked:#?}");
}
