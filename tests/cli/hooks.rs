//! Runs the pre-commit hooks like pre-commit: their entries with the matching files of a small
//! repository. Also runs the binary as a kubectl plugin.

use std::path::Path;
use std::process::{Command, Output};

use serde_json::Value;
use sluice_testkit::devcluster::Tool;

use crate::program;

const CONFIG_MAP: &str = "apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: settings\n";

/// Creates a repository with a kustomization, its component, and an unrelated file.
fn repository() -> tempfile::TempDir {
    let root = tempfile::tempdir().unwrap();
    for (path, text) in [
        (
            "apps/kustomization.yaml",
            "resources:\n- deep/settings.yaml\ncomponents:\n- ../parts\n",
        ),
        ("apps/deep/settings.yaml", CONFIG_MAP),
        (
            "parts/kustomization.yaml",
            "apiVersion: kustomize.config.k8s.io/v1alpha1\nkind: Component\nnamePrefix: a-\n",
        ),
        ("notes.yaml", "no: manifest\n"),
        (
            "source.yaml",
            "apiVersion: source.toolkit.fluxcd.io/v1\nkind: GitRepository\nmetadata:\n  name: a\n",
        ),
    ] {
        write(root.path(), path, text);
    }
    root
}

fn write(root: &Path, path: &str, text: &str) {
    let path = root.join(path);
    std::fs::create_dir_all(path.parent().unwrap()).unwrap();
    std::fs::write(path, text).unwrap();
}

/// Runs a hook by its id.
fn hook(id: &str, root: &Path, files: &[&str]) -> Output {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    let text = std::fs::read_to_string(here.join(".pre-commit-hooks.yaml")).unwrap();
    let hooks: Value = sluice_yaml::v2::documents(&text).unwrap().remove(0);
    let hook = hooks
        .as_array()
        .unwrap()
        .iter()
        .find(|hook| hook["id"] == id)
        .unwrap_or_else(|| panic!("there is no hook {id}"));
    assert_eq!(hook["language"], "script");
    let pattern = regex::Regex::new(hook["files"].as_str().unwrap()).unwrap();
    Command::new(here.join(hook["entry"].as_str().unwrap()))
        .args(files.iter().filter(|file| pattern.is_match(file)))
        .current_dir(root)
        .env("SLUICE", program::sluice())
        .env("KUBECONFIG", "/nonexistent/kubeconfig")
        .output()
        .unwrap()
}

fn said(output: &Output) -> String {
    format!(
        "{}{}",
        String::from_utf8_lossy(&output.stdout),
        String::from_utf8_lossy(&output.stderr)
    )
}

#[test]
fn valid_repository_passes_silently() {
    let root = repository();
    let files = [
        "apps/deep/settings.yaml",
        "apps/kustomization.yaml",
        "parts/kustomization.yaml",
        "notes.yaml",
        "README.md",
    ];
    let output = hook("sluice-build", root.path(), &files);
    assert!(output.status.success(), "{}", said(&output));
    assert_eq!(said(&output), "");
}

#[test]
fn failed_build_names_kustomization_and_reason() {
    let root = repository();
    write(root.path(), "apps/deep/settings.yaml", "kind: [\n");
    let output = hook("sluice-build", root.path(), &["apps/deep/settings.yaml"]);
    assert_eq!(output.status.code(), Some(1), "{}", said(&output));
    assert!(
        said(&output).contains("hooks/build: apps does not build"),
        "{}",
        said(&output)
    );
    assert!(said(&output).contains("settings.yaml"), "{}", said(&output));
    // A commit of unrelated files must pass.
    let output = hook("sluice-build", root.path(), &["notes.yaml"]);
    assert!(output.status.success(), "{}", said(&output));
}

#[test]
fn object_of_older_version_fails_unchanged() {
    let root = repository();
    let files = ["source.yaml", "notes.yaml"];
    let output = hook("sluice-migrate", root.path(), &files);
    assert!(output.status.success(), "{}", said(&output));
    assert_eq!(said(&output), "");
    let old =
        "apiVersion: source.toolkit.fluxcd.io/v1beta2\nkind: GitRepository\nmetadata:\n  name: a\n";
    write(root.path(), "source.yaml", old);
    let output = hook("sluice-migrate", root.path(), &files);
    assert_eq!(output.status.code(), Some(1), "{}", said(&output));
    assert!(
        said(&output).contains("GitRepository v1beta2 -> v1"),
        "{}",
        said(&output)
    );
    assert!(
        said(&output).contains("run sluice migrate"),
        "{}",
        said(&output)
    );
    let kept = std::fs::read_to_string(root.path().join("source.yaml")).unwrap();
    assert_eq!(kept, old);
}

#[test]
fn missing_binary_error_names_the_remedy() {
    let root = repository();
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    for entry in ["hooks/build", "hooks/migrate"] {
        let output = Command::new(here.join(entry))
            .arg("source.yaml")
            .current_dir(root.path())
            .env("SLUICE", "/nonexistent/sluice")
            .output()
            .unwrap();
        assert_eq!(output.status.code(), Some(1));
        assert!(said(&output).contains("install it"), "{}", said(&output));
    }
}

#[tokio::test]
async fn kubectl_finds_the_binary_as_its_plugin() {
    let kubectl = sluice_testkit::tool(Tool::Kubectl).await;
    let place = tempfile::tempdir().unwrap();
    let link = place.path().join("kubectl-sluice");
    std::os::unix::fs::symlink(program::sluice(), link).unwrap();
    let run = |arguments: &[&str]| {
        let output = Command::new(&kubectl)
            .args(arguments)
            .env("PATH", place.path())
            .env("HOME", place.path())
            .env("KUBECONFIG", "/nonexistent/kubeconfig")
            .output()
            .unwrap();
        assert!(output.status.success(), "{}", said(&output));
        said(&output)
    };
    let version = run(&["sluice", "version", "--client"]);
    // install.sh and the GitHub action search for this line.
    let line = concat!("sluice: v", env!("CARGO_PKG_VERSION"));
    assert!(version.lines().any(|found| found == line), "{version}");
    assert!(run(&["plugin", "list"]).contains("kubectl-sluice"));
}
