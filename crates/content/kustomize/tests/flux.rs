//! Tests the kustomization file that Flux generates or extends, byte for byte.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::path::Path;

use serde_json::{Value, json};
use sluice_kustomize::flux::{self, Action, Filter, GeneratedKustomization, Spec};
use sluice_kustomize::fs::MemFs;
use sluice_kustomize::{Code, Error, Fs};

const MAP: &str = "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\n";
const HEAD: &str = "apiVersion: kustomize.config.k8s.io/v1beta1\n";

fn generate(tree: &dyn Fs, spec: &Value) -> Result<GeneratedKustomization, Error> {
    flux::generate(tree, Path::new("/app"), &Spec::from_value(spec))
}

#[track_caller]
fn manifest(tree: &dyn Fs, spec: &Value) -> String {
    let text = generate(tree, spec).unwrap().manifest;
    text.replacen(HEAD, "", 1)
        .replacen("kind: Kustomization\n", "", 1)
}

fn with(file: &str) -> MemFs {
    MemFs::new()
        .with("/app/kustomization.yaml", file)
        .with("/app/a.yaml", MAP)
}

#[test]
fn generated_file_lists_all_manifests_below() {
    let tree = MemFs::new()
        .with("/app/b.yml", MAP)
        .with("/app/.yaml", MAP)
        .with("/app/a.yaml.txt", "no")
        .with("/app/c/z.yaml", MAP)
        .with("/app/d/Kustomization", "resources: []")
        .with("/app/d/ignored.yaml", "not: valid")
        .with("/app/e/f/g.yaml", "")
        .with("/other.yaml", "not: valid");
    let made = generate(&tree, &json!({})).unwrap();
    assert_eq!(
        (made.action, made.path.as_path()),
        (Action::Created, Path::new("/app/kustomization.yaml"))
    );
    assert_eq!(
        manifest(&tree, &json!({})),
        "resources:\n- ./.yaml\n- ./b.yml\n- ./c/z.yaml\n- ./d\n- ./e/f/g.yaml\n"
    );
}

#[test]
fn folder_without_manifests_gets_the_placeholder() {
    let tree = MemFs::new().with("/app/README.md", "");
    assert_eq!(manifest(&tree, &json!({})), "namespace: _placeholder\n");
    // The namespace of the spec replaces it.
    assert_eq!(
        manifest(&tree, &json!({"targetNamespace": "x"})),
        "namespace: x\n"
    );
}

#[test]
fn invalid_manifest_is_shown_with_its_path() {
    let tree = MemFs::new().with("/app/sub/.sops.yaml", "creation_rules: []\n");
    let error = generate(&tree, &json!({})).unwrap_err();
    assert_eq!(error.code(), Code::ResourceInvalid);
    let text = error.to_string();
    assert!(
        text.starts_with("failed to decode Kubernetes YAML from app/sub/.sops.yaml: "),
        "{text}"
    );
}

#[test]
fn first_of_the_file_names_is_used() {
    let tree = MemFs::new()
        .with(
            "/app/Kustomization",
            "namePrefix: last-\nresources: [a.yaml]",
        )
        .with(
            "/app/kustomization.yml",
            "namePrefix: middle-\nresources: [a.yaml]",
        );
    let made = generate(&tree, &json!({})).unwrap();
    assert_eq!(
        (made.action, made.path.as_path()),
        (Action::Unchanged, Path::new("/app/kustomization.yml"))
    );
}

#[test]
fn file_without_resources_is_not_empty() {
    for (file, result) in [
        ("", "buildMetadata:\n- originAnnotations\n"),
        (
            "resources: []\nbuildMetadata: [managedByLabel]\n",
            "buildMetadata:\n- originAnnotations\n",
        ),
        (
            "bases: [../b]\n",
            "bases:\n- ../b\nbuildMetadata:\n- originAnnotations\n",
        ),
        (
            "resources: [a.yaml]\nbuildMetadata: [managedByLabel]\n",
            "buildMetadata:\n- managedByLabel\nresources:\n- a.yaml\n",
        ),
    ] {
        assert_eq!(manifest(&with(file), &json!({})), result, "{file}");
    }
}

#[test]
fn unknown_fields_are_dropped() {
    let file = "foo: 1\nresources: [a.yaml]\nimages: [{name: a, bar: 2}]\n";
    assert_eq!(
        manifest(&with(file), &json!({})),
        "images:\n- name: a\nresources:\n- a.yaml\n"
    );
}

#[test]
fn names_and_namespace_of_the_spec_win() {
    let file = "namespace: f\nnamePrefix: f-\nnameSuffix: -f\nresources: [a.yaml]\n";
    let spec = json!({"targetNamespace": "s", "namePrefix": "s-", "nameSuffix": "-s"});
    assert_eq!(
        manifest(&with(file), &spec),
        "namePrefix: s-\nnameSuffix: -s\nnamespace: s\nresources:\n- a.yaml\n"
    );
    assert_eq!(
        manifest(&with(file), &json!({})),
        "namePrefix: f-\nnameSuffix: -f\nnamespace: f\nresources:\n- a.yaml\n"
    );
}

#[test]
fn patches_are_appended() {
    let file = "resources: [a.yaml]\npatches: [{path: p.yaml}]\n";
    let spec = json!({"patches": [
        {"patch": "- op: remove\n  path: /x\n", "target": {"kind": "ConfigMap", "labelSelector": "a=b", "name": ""}},
        {"patch": "kind: X\n"},
    ]});
    assert_eq!(
        manifest(&with(file), &spec),
        "patches:\n- path: p.yaml\n- patch: |\n    - op: remove\n      path: /x\n  target:\n    kind: ConfigMap\n    labelSelector: a=b\n- patch: |\n    kind: X\nresources:\n- a.yaml\n"
    );
}

#[test]
fn local_components_are_appended() {
    let tree = with("resources: [a.yaml]\ncomponents: [own]\n").with("/c/kustomization.yaml", "");
    let listed = |spec: Value| manifest(&tree, &spec);
    assert_eq!(
        listed(json!({"components": ["../c", "missing"]})),
        "components:\n- own\n- ../c\n- missing\nresources:\n- a.yaml\n"
    );
    assert_eq!(
        listed(
            json!({"components": ["../c", "missing", "../../out"], "ignoreMissingComponents": true})
        ),
        "components:\n- own\n- ../c\nresources:\n- a.yaml\n"
    );
    for remote in [
        "git::https://a",
        "gh:a",
        "ssh://a",
        "https://a",
        "HTTP://a",
        "git@a",
        "github.com:a",
        "GitHub.com/a",
        "/etc",
        "file:///etc",
        "FILE:///etc",
    ] {
        let error = generate(&tree, &json!({"components": [remote]})).unwrap_err();
        assert_eq!(
            error.to_string(),
            format!("component path '{remote}' must be local and relative")
        );
    }
    // A prefix alone, or a prefix of no remote, is a local name.
    for local in ["github.com", "gh:", "file://c"] {
        assert!(
            generate(&tree, &json!({"components": [local]})).is_ok(),
            "{local}"
        );
    }
}

#[test]
fn images_merge_by_name() {
    let file =
        "resources: [a.yaml]\nimages: [{name: a, newName: b, newTag: '1', digest: 'sha256:x'}]\n";
    for (image, result) in [
        (
            json!({"name": "a", "newName": "c"}),
            "- digest: sha256:x\n  name: a\n  newName: c\n  newTag: \"1\"\n",
        ),
        (
            json!({"name": "a", "newTag": "2"}),
            "- name: a\n  newName: b\n  newTag: \"2\"\n",
        ),
        (
            json!({"name": "a", "digest": "sha256:y"}),
            "- digest: sha256:y\n  name: a\n  newName: b\n",
        ),
        (
            json!({"name": "a"}),
            "- digest: sha256:x\n  name: a\n  newName: b\n  newTag: \"1\"\n",
        ),
        (
            json!({"name": "a", "newTag": "2", "digest": "sha256:y"}),
            "- digest: sha256:y\n  name: a\n  newName: b\n  newTag: \"2\"\n",
        ),
        (
            json!({"name": "a", "newName": "c", "newTag": "2"}),
            "- name: a\n  newName: c\n  newTag: \"2\"\n",
        ),
        (
            json!({"name": "z", "newTag": "3"}),
            "- digest: sha256:x\n  name: a\n  newName: b\n  newTag: \"1\"\n- name: z\n  newTag: \"3\"\n",
        ),
    ] {
        assert_eq!(
            manifest(&with(file), &json!({"images": [image]})),
            format!("images:\n{result}resources:\n- a.yaml\n"),
            "{image}"
        );
    }
}

#[test]
fn build_metadata_of_the_spec_wins() {
    let file = "resources: [a.yaml]\nbuildMetadata: [managedByLabel]\n";
    assert_eq!(
        manifest(
            &with(file),
            &json!({"buildMetadata": ["transformerAnnotations"]})
        ),
        "buildMetadata:\n- transformerAnnotations\nresources:\n- a.yaml\n"
    );
    assert_eq!(
        manifest(&with(file), &json!({})),
        "buildMetadata:\n- managedByLabel\nresources:\n- a.yaml\n"
    );
}

#[test]
fn ignore_rules_remove_entries_and_report_missing_ones() {
    let filtered = |tree: &MemFs| {
        let ignored = |path: &Path, _: bool| path.to_string_lossy().contains("skip");
        let filter = Filter {
            found: Some(&ignored),
            listed: &ignored,
        };
        flux::generate_filtered(tree, Path::new("/app"), &Spec::default(), &filter)
    };
    let tree = with("resources: [a.yaml, skip.yaml, 'https://x/skip.yaml']\ncrds: [skip.json]\n")
        .with("/app/skip.yaml", "")
        .with("/app/skip.json", "");
    let text = filtered(&tree).unwrap().manifest;
    assert!(
        text.ends_with("resources:\n- a.yaml\n- https://x/skip.yaml\n"),
        "{text}"
    );
    assert!(!text.contains("crds"), "{text}");
    let error = filtered(&with("resources: [gone.yaml]\n")).unwrap_err();
    assert_eq!(
        (error.code(), error.to_string().as_str()),
        (
            Code::PathNotFound,
            "lstat app/gone.yaml: no such file or directory"
        )
    );
    let plain = MemFs::new()
        .with("/app/a.yaml", MAP)
        .with("/app/skip.yaml", "no: manifest");
    let text = filtered(&plain).unwrap().manifest;
    assert!(text.ends_with("resources:\n- ./a.yaml\n"), "{text}");
}
