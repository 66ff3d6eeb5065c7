//! Tests that each error has a next step below the message: those of a user's first hour, and of
//! many wrong inputs.
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
    // Mistyped words.
    (
        "get kustomizatons",
        "unknown command \"kustomizatons\" for \"flux get\"",
        "did you mean kustomizations?",
    ),
    (
        "create sorce git a",
        "unknown command",
        "did you mean source?",
    ),
    (
        "reconcile kustomizaton a",
        "unknown command",
        "did you mean kustomization?",
    ),
    (
        "completion bsh",
        "unknown command \"bsh\" for \"flux completion\"",
        "did you mean bash?",
    ),
    (
        "controller source-controler",
        "unknown controller \"source-controler\"",
        "did you mean source-controller?",
    ),
    (
        "wait helmrelaese/a",
        "kind 'helmrelaese' is not one of Flux's",
        "did you mean helmrelease?",
    ),
    (
        "events --for gitrepositry/a --kubeconfig good",
        "kind 'gitrepositry' is not one of Flux's",
        "did you mean gitrepository?",
    ),
    (
        "reconcile all --kind bukcet --kubeconfig good",
        "objects of kind 'bukcet' cannot be reconciled",
        "did you mean bucket?",
    ),
    (
        "wait all a",
        "all cannot be combined with objects",
        "name all alone",
    ),
    (
        "why a b c --kubeconfig good",
        "why takes one object",
        "name one object, such as kustomization/apps",
    ),
    // Wrong values of flags.
    (
        "get all -A=maybe",
        "strconv.ParseBool",
        "write true or false",
    ),
    ("logs --tail x", "strconv.ParseInt", "write a whole number"),
    (
        "get all --kube-api-qps x",
        "strconv.ParseFloat",
        "write a number, such as 50",
    ),
    (
        "get all --timeout=-1s",
        "a duration cannot be negative: -1s",
        "write 0s or more",
    ),
    (
        "get all --timeout",
        "flag needs an argument: --timeout",
        "--help lists the arguments and flags",
    ),
    (
        "get all -n Bad_NS",
        "namespace must be a valid DNS label: \"Bad_NS\"",
        "lower-case letters, digits and hyphens",
    ),
    (
        "logs --since-time x --kubeconfig good",
        "x is not a valid (RFC3339) time",
        "write a time such as 2026-01-02T15:04:05Z",
    ),
    (
        "takeover --plan --apply",
        "--plan cannot be used with --apply",
        "set only one of them",
    ),
    // Wrong access to the cluster.
    (
        "get all --server a",
        "server \"a\" is not a URL",
        "write the server as https://HOST:PORT",
    ),
    (
        "get all --kubeconfig good --certificate-authority missing",
        "certificate-authority: open missing: no such file or directory",
        "correct the credentials",
    ),
    (
        "get all --kubeconfig good --client-certificate missing --client-key missing",
        "client-certificate: open missing: no such file or directory",
        "correct the credentials",
    ),
    (
        "get all --kubeconfig good --as-uid a",
        "--as-group, --as-uid and --as-user-extra need --as",
        "set --as to a user",
    ),
    // Missing files and wrong addresses.
    (
        "dev --path missing",
        "failed to resolve missing: No such file",
        "set --path to a repository or directory that exists",
    ),
    (
        "pull artifact oci://127.0.0.1:1/a:1 --output missing",
        "invalid output path \"missing\"",
        "create it, or set --output",
    ),
    (
        "build artifact --path overlay --output missing/a.tgz",
        "building artifact failed, error: write missing/a.tgz: no such directory",
        "set --output to a file in a directory that exists",
    ),
    (
        "create secret git a --url ftp://a",
        "git URL scheme 'ftp' not supported",
        "set --url to https://HOST/PATH or ssh://USER@HOST/PATH",
    ),
    (
        "create secret proxy a --address a",
        "is not a proxy address: not a URL",
        "write it as http://HOST:PORT",
    ),
    (
        "create secret tls a --tls-crt-file missing --tls-key-file missing",
        "failed to read cert file: open missing: no such file or directory",
        "set --tls-crt-file to a readable file",
    ),
    (
        "create source git a --url ssh://a/b --branch main --private-key-file missing",
        "failed to open private key file: open missing: no such file or directory",
        "set --private-key-file to a readable file",
    ),
    (
        "migrate -f missing",
        "failed to stat path missing",
        "set --path to a file or directory that exists",
    ),
    (
        "plugin uninstall missing",
        "plugin \"missing\" is not installed",
        "`plugin list` lists the installed plugins",
    ),
    (
        "trigger receiver a --url a --token b",
        "unable to create request",
        "set --url to https://HOST",
    ),
    (
        "trigger receiver a --url http://127.0.0.1:1 --token b --retries 0",
        "connect: connection refused",
        "check --url, and that notification-controller is ready",
    ),
    (
        "build chart http://127.0.0.1:1/a.tgz",
        "failed to fetch http://127.0.0.1:1/a.tgz: dial tcp",
        "check the URL",
    ),
    (
        "build chart a --repo http://127.0.0.1:1",
        "is not a valid chart repository or cannot be reached",
        "check --repo",
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
