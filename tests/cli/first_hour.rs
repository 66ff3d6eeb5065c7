//! Tests that each error of a user's first hour has a next step below the message.
//!
//! The message is Flux's where Flux has one. The hint is ours.

use std::process::{Command, Stdio};

use sluice_system::fs;

use crate::program;

/// Command line, text of the error line, and text of the hint line.
const ERRORS: &[(&str, &str, &str)] = &[
    (
        "get all --kubeconfig missing",
        "missing",
        "check --kubeconfig and KUBECONFIG",
    ),
    (
        "check --kubeconfig broken",
        "read kubeconfig broken: line 1",
        "check --kubeconfig",
    ),
    (
        "get all --kubeconfig broken",
        "read kubeconfig broken: line 1",
        "check --kubeconfig",
    ),
    (
        "get sources git --kubeconfig good --context other",
        "other",
        "kubectl config get-contexts",
    ),
    (
        "get sources git --kubeconfig good",
        "cannot reach the API server at 127.0.0.1:1",
        "check that the cluster runs",
    ),
    (
        "get all --kubeconfig good",
        "cannot reach the API server at 127.0.0.1:1",
        "check that the cluster runs",
    ),
    (
        "install --kubeconfig good",
        "cannot reach the API server at 127.0.0.1:1",
        "check that the cluster runs",
    ),
    ("reconcil all", "unknown command", "did you mean reconcile?"),
    (
        "get nothing",
        "unknown command",
        "--help lists the commands",
    ),
    (
        "get all --bogus",
        "unknown flag: --bogus",
        "--help lists the arguments and flags",
    ),
    ("create source git a", "url is required", "set --url"),
    (
        "create source git a --url podinfo --branch main",
        "git URL parse failed: relative URL without a base",
        "instead of 'podinfo'",
    ),
    (
        "create source git --url https://example.com/a --branch main",
        "name is required",
        "add the name as an argument",
    ),
    (
        "create source git a --interval 5",
        "missing unit in duration",
        "such as 30s, 5m or 1h30m",
    ),
    (
        "create source helm a --url podinfo",
        "url scheme '' not supported",
        "oci://HOST/PATH",
    ),
    (
        "create kustomization a",
        "source is required",
        "set --source",
    ),
    (
        "create helmrelease a",
        "chart or chart-ref is required",
        "set --chart and --source, or --chart-ref",
    ),
    (
        "build kustomization a --path missing",
        "invalid resource path",
        "set --path to the manifests directory",
    ),
    (
        "build overlay missing",
        "not a valid directory",
        "check the directory",
    ),
    (
        "build overlay .",
        "unable to find one of 'kustomization.yaml'",
        "add a kustomization.yaml",
    ),
    (
        "build overlay overlay",
        "gone.yaml: no such file or directory",
        "the paths in its kustomization files",
    ),
    (
        "build overlay nameless",
        "missing metadata.name",
        "each object needs apiVersion, kind and metadata.name",
    ),
    (
        "push artifact oci://127.0.0.1:1/a:1 --path missing --source a --revision b",
        "invalid path 'missing'",
        "set --path",
    ),
    (
        "list artifacts oci://127.0.0.1:1/a",
        "Get \"https://127.0.0.1:1/v2/\": dial tcp 127.0.0.1:1: connect: connection refused",
        "the registry is reachable",
    ),
    (
        "list artifacts 127.0.0.1:1/a",
        "URL must be in format",
        "write '127.0.0.1:1/a' as oci://",
    ),
    (
        "bootstrap git --url podinfo",
        "git URL parse failed",
        "instead of 'podinfo'",
    ),
    ("bootstrap git", "url is required", "set --url"),
    (
        "bootstrap github --owner a --repository b",
        "could not read token: token required",
        "set GITHUB_TOKEN",
    ),
    (
        "uninstall --kubeconfig good",
        "aborting",
        "set --silent to answer yes",
    ),
];

const KUBECONFIG: &str = "{apiVersion: v1, kind: Config, current-context: a,\n\
    contexts: [{name: a, context: {cluster: a, user: a}}],\n\
    clusters: [{name: a, cluster: {server: 'http://127.0.0.1:1'}}],\n\
    users: [{name: a, user: {}}]}\n";

#[test]
fn each_error_of_the_first_hour_has_a_hint() {
    let directory = tempfile::tempdir().unwrap();
    for (path, text) in [
        ("good", KUBECONFIG),
        ("broken", "a: ["),
        ("overlay/kustomization.yaml", "resources: [gone.yaml]\n"),
        ("nameless/kustomization.yaml", "resources: [a.yaml]\n"),
        ("nameless/a.yaml", "apiVersion: v1\nkind: ConfigMap\n"),
    ] {
        let path = directory.path().join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(&path, text).unwrap();
    }
    let mut wrong = Vec::new();
    for (line, message, hint) in ERRORS {
        let output = Command::new(program::flux())
            .args(line.split(' '))
            .env_clear()
            .env("HOME", directory.path())
            .env("NO_COLOR", "1")
            .current_dir(directory.path())
            .stdin(Stdio::null())
            .output()
            .unwrap();
        let stderr = String::from_utf8(output.stderr).unwrap();
        let with = |mark: &str, text: &str| {
            let mut lines = stderr.lines().filter(|line| line.contains(mark));
            lines.any(|line| line.contains(text))
        };
        if output.status.code() != Some(1) || !with("✗ ", message) || !with("  hint: ", hint) {
            wrong.push(format!("$ flux {line}\n{stderr}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
