//! Tests `build kustomization` with a cluster. It reads the live Kustomization, and variables from
//! Secrets and config maps. Expectations follow Flux's `internal/build` and the substitution of
//! `fluxcd/pkg/kustomize`.

use std::path::Path;

use serde_json::{Value, json};
use sluice_client::{Cluster, GroupVersionKind, PatchOptions};
use sluice_system::fs;

use crate::binary::{CommandResult, sluice};

const MANIFEST: &str = r#"apiVersion: v1
kind: ConfigMap
metadata:
  name: settings
data:
  region: ${region}
  size: ${size}
  password: ${password}
  own: ${own}
  default: ${none:=fallback}
  unset: "[${none}]"
---
apiVersion: v1
kind: ConfigMap
metadata:
  name: untouched
  annotations:
    kustomize.toolkit.fluxcd.io/substitute: disabled
data:
  region: ${region}
"#;

async fn create(cluster: &Cluster, kind: (&str, &str, &str), object: &Value) {
    let (group, version, kind) = kind;
    let kind = GroupVersionKind::gvk(group, version, kind);
    let namespace = object["metadata"]["namespace"].as_str();
    cluster
        .create(&kind, namespace, object, PatchOptions::default())
        .await
        .unwrap();
}

async fn kustomization(cluster: &Cluster, namespace: &str, name: &str, post_build: &Value) {
    let object = json!({
        "apiVersion": "kustomize.toolkit.fluxcd.io/v1",
        "kind": "Kustomization",
        "metadata": { "name": name, "namespace": namespace },
        "spec": {
            "interval": "1m", "prune": true, "path": "./elsewhere",
            "sourceRef": { "kind": "GitRepository", "name": "apps" },
            "namePrefix": "live-",
            "commonMetadata": { "labels": { "team": "a" } },
            "postBuild": post_build,
        },
    });
    let kind = ("kustomize.toolkit.fluxcd.io", "v1", "Kustomization");
    create(cluster, kind, &object).await;
}

fn build(
    kubeconfig: &Path,
    namespace: &str,
    name: &str,
    folder: &Path,
    more: &str,
) -> CommandResult {
    let folder = folder.display();
    sluice(
        kubeconfig,
        &format!("build kustomization {name} -n {namespace} --path {folder} {more}"),
    )
}

/// Returns a folder with the manifest. The build must not add files.
fn folder() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("settings.yaml"), MANIFEST).unwrap();
    folder
}

#[tokio::test(flavor = "multi_thread")]
async fn build_takes_the_live_kustomization_and_its_variables() {
    let bed = sluice_testkit::cluster().await;
    let (cluster, kubeconfig) = (bed.connect().await, bed.kubeconfig());
    let namespace = bed.namespace("build").await;
    let settings = json!({
        "apiVersion": "v1", "kind": "ConfigMap",
        "metadata": { "name": "settings", "namespace": namespace },
        "data": { "region": "eu", "size": "3\n", "own": "of the map" },
    });
    create(&cluster, ("", "v1", "ConfigMap"), &settings).await;
    let secret = json!({
        "apiVersion": "v1", "kind": "Secret",
        "metadata": { "name": "secret", "namespace": namespace },
        "stringData": { "password": "hunter2", "region": "us" },
    });
    create(&cluster, ("", "v1", "Secret"), &secret).await;
    let post_build = json!({
        "substitute": { "own": "inline" },
        "substituteFrom": [
            { "kind": "ConfigMap", "name": "settings" },
            { "kind": "Secret", "name": "secret" },
            { "kind": "ConfigMap", "name": "gone", "optional": true },
        ],
    });
    kustomization(&cluster, &namespace, "apps", &post_build).await;

    let folder = folder();
    let built = build(&kubeconfig, &namespace, "apps", folder.path(), "").well();
    // Later sources override earlier ones, and the inline list overrides all. Line feeds vanish,
    // and the result is parsed again, so `3` becomes a number.
    let labels = |name: &str| {
        format!(
            "  labels:\n    kustomize.toolkit.fluxcd.io/name: apps\n    \
             kustomize.toolkit.fluxcd.io/namespace: {namespace}\n    team: a\n  \
             name: live-{name}\n"
        )
    };
    let expected = format!(
        "apiVersion: v1\ndata:\n  default: fallback\n  own: inline\n  password: hunter2\n  \
         region: us\n  size: 3\n  unset: '[]'\nkind: ConfigMap\nmetadata:\n{}---\n\
         apiVersion: v1\ndata:\n  region: ${{region}}\nkind: ConfigMap\nmetadata:\n  \
         annotations:\n    kustomize.toolkit.fluxcd.io/substitute: disabled\n{}---\n",
        labels("settings"),
        labels("untouched"),
    );
    assert_eq!(built.stdout, expected);
    assert_eq!(fs::read_dir(folder.path()).unwrap().len(), 1);

    let strict = build(
        &kubeconfig,
        &namespace,
        "apps",
        folder.path(),
        "--strict-substitute",
    );
    assert_eq!(strict.code, 1, "{strict:#?}");
    assert!(strict.stdout.is_empty(), "{strict:#?}");
    assert!(
        strict
            .stderr
            .starts_with("✗ var substitution failed for 'live-settings': "),
        "{strict:#?}"
    );
    assert!(!strict.stderr.contains("hunter2"), "{strict:#?}");

    // A file overrides the live object, but its variables still come from the cluster.
    let file = tempfile::NamedTempFile::new().unwrap();
    let local = json!({
        "apiVersion": "kustomize.toolkit.fluxcd.io/v1", "kind": "Kustomization",
        "metadata": { "name": "apps", "namespace": namespace },
        "spec": { "postBuild": { "substituteFrom": [{ "kind": "ConfigMap", "name": "settings" }] } },
    });
    fs::write(file.path(), local.to_string()).unwrap();
    let more = format!("--kustomization-file {}", file.path().display());
    let built = build(&kubeconfig, &namespace, "apps", folder.path(), &more).well();
    assert!(built.stdout.contains("  own: of the map\n"), "{built:#?}");
    assert!(built.stdout.contains("  region: eu\n"), "{built:#?}");
    assert!(built.stdout.contains("  name: settings\n"), "{built:#?}");
    // Without the cluster, these variables have no value.
    let more = format!("{more} --dry-run");
    let built = build(&kubeconfig, &namespace, "apps", folder.path(), &more).well();
    assert!(built.stdout.contains("  own: ${own}\n"), "{built:#?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn build_names_missing_cluster_objects() {
    let bed = sluice_testkit::cluster().await;
    let (cluster, kubeconfig) = (bed.connect().await, bed.kubeconfig());
    let namespace = bed.namespace("build").await;
    let folder = folder();
    let missing = build(&kubeconfig, &namespace, "nope", folder.path(), "");
    assert_eq!(missing.code, 1, "{missing:#?}");
    assert!(
        missing
            .stderr
            .starts_with("✗ failed to get kustomization object: "),
        "{missing:#?}"
    );
    for (kind, resource) in [("ConfigMap", "configmaps"), ("Secret", "secrets")] {
        let name = kind.to_lowercase();
        let post_build = json!({ "substituteFrom": [{ "kind": kind, "name": "gone" }] });
        kustomization(&cluster, &namespace, &name, &post_build).await;
        let failed = build(&kubeconfig, &namespace, &name, folder.path(), "");
        assert_eq!(failed.code, 1, "{failed:#?}");
        let said = failed.stderr.lines().next().unwrap_or_default();
        assert_eq!(
            said,
            format!(
                "✗ var substitution failed for 'live-settings': substitute from '{kind}/gone' \
                 error: {resource} \"gone\" not found"
            )
        );
    }
}
