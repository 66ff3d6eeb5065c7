//! Tests `diff helmrelease`: the changes of an upgrade, and the objects that Helm keeps.

use serde_json::{Value, json};
use sluice_client::{GroupVersionKind, PatchOptions};
use sluice_yaml::v2;

use super::{CHANGED, Scene};
use crate::binary::sluice;

const CHART: &[(&str, &str)] = &[
    (
        "chart/Chart.yaml",
        "apiVersion: v2\nname: web\nversion: 1.0.0\n",
    ),
    (
        "chart/templates/settings.yaml",
        "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: settings}\ndata:\n  \
         region: {{ .Values.region }}\n  upgrade: {{ .Release.IsUpgrade | quote }}\n",
    ),
    (
        "chart/templates/login.yaml",
        "apiVersion: v1\nkind: Secret\nmetadata: {name: login}\nstringData:\n  \
         password: {{ .Values.password }}\n",
    ),
    (
        "chart/templates/hook.yaml",
        "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: hook, annotations: {helm.sh/hook: pre-upgrade}}\n",
    ),
];

fn releases() -> GroupVersionKind {
    GroupVersionKind::gvk("helm.toolkit.fluxcd.io", "v2", "HelmRelease")
}

impl Scene {
    fn release(&self, values: &Value) -> Value {
        json!({
            "apiVersion": "helm.toolkit.fluxcd.io/v2", "kind": "HelmRelease",
            "metadata": { "name": "web", "namespace": self.namespace },
            "spec": {
                "interval": "1m",
                "chartRef": { "kind": "OCIRepository", "name": "web" },
                // An upgrade writes ignored fields, too.
                "driftDetection": { "mode": "enabled", "ignore": [{ "paths": ["/data/region"] }] },
                "values": values,
            },
        })
    }

    /// Applies an object as a part of the release `web`.
    async fn apply_release_object(&self, mut object: Value) {
        object["metadata"]["namespace"] = self.namespace.as_str().into();
        let metadata = &mut object["metadata"];
        metadata["labels"]["app.kubernetes.io/managed-by"] = "Helm".into();
        metadata["annotations"]["meta.helm.sh/release-name"] = "web".into();
        metadata["annotations"]["meta.helm.sh/release-namespace"] = self.namespace.as_str().into();
        self.apply_origin_object(object).await;
    }

    /// Applies an object with the labels of the `HelmRelease` only, like those of `crds/`.
    async fn apply_origin_object(&self, mut object: Value) {
        let labels = &mut object["metadata"]["labels"];
        labels["helm.toolkit.fluxcd.io/name"] = "web".into();
        labels["helm.toolkit.fluxcd.io/namespace"] = self.namespace.as_str().into();
        object["metadata"]["namespace"] = self.namespace.as_str().into();
        let options = PatchOptions {
            field_manager: Some("helm-controller"),
            force: true,
            ..PatchOptions::default()
        };
        let kind = GroupVersionKind::gvk("", "v1", object["kind"].as_str().unwrap());
        let name = object["metadata"]["name"].as_str().unwrap();
        let namespace = Some(self.namespace.as_str());
        let applied = self.cluster.apply(&kind, namespace, name, &object, options);
        applied.await.unwrap();
    }

    /// Creates the `HelmRelease` with a history and an inventory.
    async fn installed(&self, values: &Value, inventory: &[&str]) {
        let (kind, namespace) = (releases(), Some(self.namespace.as_str()));
        let release = self.release(values);
        let created = self
            .cluster
            .create(&kind, namespace, &release, PatchOptions::default());
        created.await.unwrap();
        let time = "2026-01-02T03:04:05Z";
        let entry = |name: &&str| json!({ "id": format!("{}_{name}", self.namespace), "v": "v1" });
        let entries: Vec<Value> = inventory.iter().map(entry).collect();
        let status = json!({ "status": {
            "inventory": { "entries": entries },
            "history": [{
                "apiVersion": "v2", "name": "web", "namespace": self.namespace, "version": 3,
                "status": "deployed", "chartName": "web", "chartVersion": "1.0.0",
                "digest": "sha256:a", "configDigest": "sha256:b",
                "firstDeployed": time, "lastDeployed": time,
            }],
        } });
        let options = PatchOptions {
            subresource: Some("status"),
            ..PatchOptions::default()
        };
        let merged = self
            .cluster
            .merge(&kind, namespace, "web", &status, options);
        merged.await.unwrap();
    }

    fn release_command(&self, verb: &str, more: &str) -> crate::binary::CommandResult {
        let (path, namespace) = (self.path().display(), &self.namespace);
        let line = format!("{verb} hr web -n {namespace} --chart {path}/chart {more}");
        sluice(&self.bed.kubeconfig(), &line)
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn diff_of_a_release_shows_its_upgrade() {
    let scene = Scene::new("diff-hr").await;
    for (file, text) in CHART {
        scene.write(file, text);
    }
    let inventory = [
        "settings__ConfigMap",
        "login__Secret",
        "left__ConfigMap",
        "kept__ConfigMap",
        "crd__ConfigMap",
    ];
    let values = json!({"region": "eu", "password": "hunter2"});
    scene.installed(&values, &inventory).await;
    let built = scene.release_command("build", "--no-hooks").well();
    for object in v2::documents(&built.stdout).unwrap() {
        if object.is_object() {
            scene.apply_release_object(object).await;
        }
    }
    let config_map = |name: &str| super::config_map(name, &json!({}));
    let mut kept = config_map("kept");
    kept["metadata"]["annotations"] = json!({ "helm.sh/resource-policy": "keep" });
    scene.apply_release_object(kept).await;
    scene.apply_origin_object(config_map("crd")).await;

    // A hook is not compared, and Helm keeps two of the objects.
    let same = scene.release_command("diff", "").well();
    assert_eq!((same.stdout.as_str(), same.stderr.as_str()), ("", ""));

    scene.apply_release_object(config_map("left")).await;
    scene.write(
        "chart/templates/new.yaml",
        "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: new}\n",
    );
    let changed = scene.release(&json!({"region": "us", "password": "hunter3"}));
    scene.write("release.yaml", &changed.to_string());
    let file = format!("--helmrelease-file {}/release.yaml", scene.path().display());
    let ended = scene.release_command("diff", &file);
    assert_eq!(ended.code, 1, "{ended:#?}");
    assert_eq!(ended.stderr, CHANGED);
    let expected = "► Secret/NAMESPACE/login drifted\n\
                    \n\
                    data.password\n\
                    ± value change\n\
                    - *** (before)\n\
                    + *** (after)\n\
                    \n\
                    ► ConfigMap/NAMESPACE/new created\n\
                    ► ConfigMap/NAMESPACE/settings drifted\n\
                    \n\
                    data.region\n\
                    ± value change\n\
                    - eu\n\
                    + us\n\
                    \n\
                    ► ConfigMap/NAMESPACE/left deleted\n";
    assert_eq!(ended.stdout, scene.expected(expected));
}
