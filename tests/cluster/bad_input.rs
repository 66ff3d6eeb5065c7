//! Tests bad input: the message, its stream and the exit code. The rows are those of
//! `docs/dev/records/2026-11-25-command-line-audit.md`. Rows that need only a command line are
//! cases (`cases/recorded/bad-*`).

use std::ffi::OsStr;
use std::fmt::Write as _;
use std::io::{Read as _, Write as _};
use std::os::unix::ffi::OsStrExt as _;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use serde_json::json;
use sluice_system::fs;
use sluice_testkit::faults::{Fault, FaultProxy, When};

use crate::binary::{Call, CommandResult, sluice, words};
use crate::scene::Scene;
use crate::stub::Stub;

const KUSTOMIZATION: &str = "apiVersion: kustomize.toolkit.fluxcd.io/v1\nkind: Kustomization\n\
    metadata:\n  name: apps\nspec:\n  interval: 1m\n  prune: true\n  path: ./\n\
    \x20 sourceRef:\n    kind: GitRepository\n    name: apps\n";

/// A folder of manifests for a Kustomization.
struct Folder(tempfile::TempDir);

impl Folder {
    fn new() -> Self {
        let folder = Self(tempfile::tempdir().unwrap());
        fs::write(folder.0.path().join("ks.yaml"), KUSTOMIZATION).unwrap();
        fs::create_dir_all(folder.manifests()).unwrap();
        folder
    }

    fn manifests(&self) -> PathBuf {
        self.0.path().join("manifests")
    }

    fn with(self, name: impl AsRef<OsStr>, content: impl AsRef<[u8]>) -> Self {
        fs::write(self.manifests().join(name.as_ref()), content).unwrap();
        self
    }

    /// Runs `build kustomization` on a path.
    fn build_at(&self, path: impl AsRef<OsStr>) -> CommandResult {
        let words = [
            "build",
            "ks",
            "apps",
            "--dry-run",
            "--kustomization-file",
            "ks.yaml",
        ];
        let words = words.map(OsStr::new).into_iter();
        let words = words.chain([OsStr::new("--path"), path.as_ref()]);
        let nowhere = Path::new("/nonexistent/kubeconfig");
        Call::new(nowhere).within(self.0.path()).run_words(words)
    }

    fn build(&self) -> CommandResult {
        self.build_at("manifests")
    }
}

/// Asserts a single error line on stderr that contains all texts, and an empty stdout.
#[track_caller]
fn refused(ended: &CommandResult, said: &[&str]) {
    assert_eq!((ended.code, ended.stdout.as_str()), (1, ""), "{ended:?}");
    let errors: Vec<&str> = ended
        .stderr
        .lines()
        .filter(|line| line.starts_with('✗'))
        .collect();
    assert_eq!(errors.len(), 1, "{ended:?}");
    for said in said {
        assert!(errors[0].contains(said), "{said}: {ended:?}");
    }
}

const CONFIG_MAP: &str = "apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: a\n";

#[test]
fn missing_kubeconfig_lists_searched_paths() {
    let home = tempfile::tempdir().unwrap();
    let missing = home.path().join("missing");
    let call = Call::new(&missing).variable("HOME", home.path().display().to_string());
    let ended = call.run("get sources git");
    refused(&ended, &["Kubernetes client initialization failed: "]);
    let hint = "  hint: check --kubeconfig and KUBECONFIG\n";
    assert!(ended.stderr.contains(hint), "{ended:?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn missing_kind_is_named_with_its_installer() {
    let stub = Stub::start(|_| None).await;
    let ended = stub.run("get sources git").await;
    refused(&ended, &["GitRepository"]);
    assert!(
        ended
            .stderr
            .contains("hint: the CRD is not installed: run install first"),
        "{ended:?}"
    );
    let all = stub.run("get all").await;
    assert_eq!(
        (all.code, all.text().as_str()),
        (0, ""),
        "what is not installed has no objects"
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn get_all_names_denied_kinds() {
    let scene = Scene::new("partly-denied").await;
    let namespace = &scene.namespace;
    let user = scene.bed.name("reader");
    let rules = json!([{ "apiGroups": ["source.toolkit.fluxcd.io"], "resources": ["gitrepositories"], "verbs": ["list"] }]);
    for object in [
        json!({ "apiVersion": "rbac.authorization.k8s.io/v1", "kind": "Role", "metadata": { "name": "reader" }, "rules": rules }),
        json!({ "apiVersion": "rbac.authorization.k8s.io/v1", "kind": "RoleBinding", "metadata": { "name": "reader" },
            "roleRef": { "apiGroup": "rbac.authorization.k8s.io", "kind": "Role", "name": "reader" },
            "subjects": [{ "kind": "User", "name": user }] }),
        json!({ "apiVersion": "source.toolkit.fluxcd.io/v1", "kind": "GitRepository", "metadata": { "name": "seen" },
            "spec": { "interval": "1m", "url": "https://example.com/a" } }),
    ] {
        scene.create(object).await;
    }
    let may = json!({
        "namespace": namespace, "verb": "list",
        "group": "source.toolkit.fluxcd.io", "resource": "gitrepositories",
    });
    scene.bed.until_allowed(&user, may).await;
    let kubeconfig = scene.bed.kubeconfig_in_group(&user, None);
    let line = format!("get all -n {namespace}");
    let ended = sluice(&kubeconfig, &line);
    assert_eq!(ended.code, 1, "{ended:?}");
    assert!(ended.stdout.contains("gitrepository/seen\t"), "{ended:?}");
    assert!(!ended.stderr.contains("gitrepositories"), "{ended:?}");
    for kind in ["kustomizations", "helmreleases", "alerts"] {
        let words = [kind, "list", namespace.as_str(), user.as_str()];
        let told = |line: &&str| words.iter().all(|word| line.contains(word));
        assert_eq!(
            ended.stderr.lines().filter(told).count(),
            1,
            "{kind}: {ended:?}"
        );
    }
    let strict = Call::new(&kubeconfig)
        .variable("FLUX_COMPAT", "strict")
        .run(&line);
    assert_eq!((strict.code, strict.text()), (0, ended.text()));
}

#[tokio::test(flavor = "multi_thread")]
async fn expired_token_is_renewed_once() {
    let stub = Stub::start(|_| Some((401, json!({ "kind": "Status", "code": 401, "reason": "Unauthorized", "message": "Unauthorized" })))).await;
    let directory = tempfile::tempdir().unwrap();
    let mark = directory.path().join("mark");
    let credential = json!({ "apiVersion": "client.authentication.k8s.io/v1", "kind": "ExecCredential",
        "status": { "token": "expired-token" } });
    let script = format!("echo run >> {}\necho '{credential}'\n", mark.display());
    let kubeconfig = directory.path().join("config");
    let exec = json!({ "exec": { "apiVersion": "client.authentication.k8s.io/v1", "command": "/bin/sh",
        "args": ["-c", script], "interactiveMode": "Never" } });
    fs::write(&kubeconfig, stub.kubeconfig_of(&exec)).unwrap();
    let ended = stub.call(&kubeconfig, "get sources git").await;
    refused(&ended, &["Unauthorized"]);
    assert!(
        ended
            .stderr
            .contains("hint: the credentials of the kubeconfig were not accepted")
    );
    assert!(!ended.text().contains("expired-token"));
    assert_eq!(fs::read_to_string(&mark).unwrap(), "run\nrun\n");
}

#[test]
fn yaml_that_cannot_be_read_is_named_by_file() {
    let cases: [(&str, &[u8], &str); 4] = [
        (
            "tabs.yaml",
            b"apiVersion: v1\nkind: ConfigMap\nmetadata:\n\tname: a\n",
            "found character that cannot start any token",
        ),
        ("bomb.yaml", &bomb(), "alias"),
        (
            "deep.yaml",
            &[b"a: ".as_slice(), &b"[".repeat(20_000)].concat(),
            "depth",
        ),
        ("binary.yaml", b"a: \xff\xfe\x00\x01\n", ""),
    ];
    for (name, content, said) in cases {
        let ended = Folder::new().with(name, content).build();
        refused(&ended, &[name, said]);
    }
}

/// Returns nested YAML aliases: nine levels of nine.
fn bomb() -> Vec<u8> {
    let mut text = String::from(
        "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\ndata:\n  a0: &a0 [x,x,x,x,x,x,x,x,x]\n",
    );
    for level in 1..9 {
        let below = vec![format!("*a{}", level - 1); 9].join(",");
        let _ = writeln!(text, "  a{level}: &a{level} [{below}]");
    }
    text.into_bytes()
}

#[test]
fn duplicate_key_is_rejected_with_its_name() {
    let twice = format!("{CONFIG_MAP}data:\n  key: a\n  key: b\n");
    let ended = Folder::new().with("twice.yaml", twice).build();
    refused(&ended, &["yaml: unmarshal errors:"]);
    let told = "mapping key \"key\" already defined at line 6 in ConfigMap.v1.[noGrp]/a";
    assert!(ended.stderr.contains(told), "{ended:?}");
}

#[test]
fn bom_line_ends_and_empty_documents_are_ignored() {
    let windows =
        format!("\u{feff}---\n---\n{CONFIG_MAP}---\n\n---\n# nothing\n").replace('\n', "\r\n");
    let ended = Folder::new().with("windows.yaml", windows).build().well();
    let plain = Folder::new().with("plain.yaml", CONFIG_MAP).build().well();
    assert_eq!(ended.stdout, plain.stdout);
}

#[test]
fn huge_document_ends_with_a_result() {
    let folder = Folder::new();
    let line = format!("    {}\n", "x".repeat(1 << 20));
    let mut file = std::fs::OpenOptions::new()
        .create(true)
        .append(true)
        .open(folder.manifests().join("large.yaml"))
        .unwrap();
    file.write_all(format!("{CONFIG_MAP}data:\n  large: |\n").as_bytes())
        .unwrap();
    for _ in 0..100 {
        file.write_all(line.as_bytes()).unwrap();
    }
    drop(file);
    let ended = folder.build();
    match ended.code {
        0 => assert!(ended.stdout.len() > 100 << 20),
        code => assert_eq!((code, ended.stdout.as_str()), (1, ""), "{}", ended.stderr),
    }
}

#[test]
fn path_without_manifests_is_refused_in_one_line() {
    let folder = Folder::new();
    for path in ["nowhere", "ks.yaml", ""] {
        let quoted = format!("invalid resource path \"{path}\"");
        refused(&folder.build_at(path), &[&quoted]);
    }
    symlink("loop", folder.0.path().join("loop")).unwrap();
    refused(
        &folder.build_at("loop"),
        &["invalid resource path \"loop\""],
    );
    symlink("inside", folder.manifests().join("inside")).unwrap();
    fs::write(
        folder.manifests().join("kustomization.yaml"),
        "resources: [inside]\n",
    )
    .unwrap();
    refused(&folder.build(), &["inside"]);
}

#[test]
fn unreadable_file_is_named() {
    // Root can read any file, so the unreadable entries are not files.
    let folder = Folder::new().with("kustomization.yaml", "resources: [a.yaml]\n");
    let path = folder.manifests().join("a.yaml");
    fs::write(&path, CONFIG_MAP).unwrap();
    let mode = std::os::unix::fs::PermissionsExt::from_mode(0o000);
    std::fs::set_permissions(&path, mode).unwrap();
    let ended = folder.build();
    if fs::read(&path).is_ok() {
        ended.well();
    } else {
        refused(&ended, &["a.yaml"]);
    }
}

#[test]
fn names_and_values_without_utf8_are_passed_or_refused() {
    let name = OsStr::from_bytes(b"\xff\xfe.yaml");
    let listed = Folder::new().with(name, CONFIG_MAP).build();
    let said = "manifests/\u{fffd}\u{fffd}.yaml' is not valid UTF-8: rename it";
    refused(&listed, &[said]);
    let beside = Folder::new()
        .with("a.yaml", CONFIG_MAP)
        .with(OsStr::from_bytes(b"\xff.txt"), "");
    beside.build().well();
    let path = Folder::new().build_at(OsStr::from_bytes(b"\xff"));
    refused(&path, &[]);
    let mut command = Call::new(Path::new("/nonexistent/kubeconfig")).command(["envsubst"]);
    let command = command.env("BYTES", OsStr::from_bytes(b"\xff"));
    let mut child = command
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    child
        .stdin
        .take()
        .unwrap()
        .write_all(b"a ${OTHER:=b}\n")
        .unwrap();
    let output = child.wait_with_output().unwrap();
    assert_eq!(
        (output.status.code(), output.stdout.as_slice()),
        (Some(0), b"a b\n".as_slice())
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn closed_stdin_answers_no() {
    let scene = Scene::new("closed-stdin").await;
    scene.create(json!({ "apiVersion": "source.toolkit.fluxcd.io/v1", "kind": "GitRepository",
        "metadata": { "name": "a" }, "spec": { "interval": "1m", "url": "https://example.com/a" } })).await;
    for line in ["delete source git a", "uninstall", "migrate --path ."] {
        let ended = scene.run(line);
        assert_eq!(ended.code, 1, "{line}: {ended:?}");
        assert!(ended.stderr.contains("✗ aborting\n"), "{line}: {ended:?}");
    }
    scene.run("get sources git a").well();
}

#[tokio::test(flavor = "multi_thread")]
async fn closed_stdout_ends_quietly() {
    let scene = Scene::new("closed-stdout").await;
    scene.create(json!({ "apiVersion": "source.toolkit.fluxcd.io/v1", "kind": "GitRepository",
        "metadata": { "name": "a" }, "spec": { "interval": "1m", "url": "https://example.com/a" } })).await;
    let namespace = &scene.namespace;
    for line in [
        "completion bash".to_owned(),
        "--help".to_owned(),
        "install --export --components source-controller".to_owned(),
        format!("get sources git -n {namespace}"),
        format!("get all -n {namespace}"),
        format!("export source git a -n {namespace}"),
        format!("stats -n {namespace}"),
    ] {
        let mut command = Call::new(&scene.bed.kubeconfig()).command(words(&line));
        let mut child = command
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        drop(child.stdout.take());
        let mut told = String::new();
        child
            .stderr
            .take()
            .unwrap()
            .read_to_string(&mut told)
            .unwrap();
        let status = child.wait().unwrap();
        assert_eq!((status.code(), told.as_str()), (Some(0), ""), "{line}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn busy_server_is_retried_and_its_last_error_shown() {
    let scene = Scene::new("busy").await;
    scene.create(json!({ "apiVersion": "source.toolkit.fluxcd.io/v1", "kind": "GitRepository",
        "metadata": { "name": "a" }, "spec": { "interval": "1m", "url": "https://example.com/a" } })).await;
    let lists = || When::any().verb("list").resource("gitrepositories");
    let line = format!("get sources git -n {}", scene.namespace);
    let later = Fault::Answer {
        status: 503,
        retry_after: Some(1),
    };
    for fault in [Fault::TOO_MANY_REQUESTS, later, Fault::Reset] {
        let proxy = FaultProxy::start(&scene.bed.kubeconfig()).await;
        proxy.inject(lists().times(2), fault.clone());
        let ended = Call::new(proxy.kubeconfig()).run_beside(&line).await.well();
        assert!(ended.stdout.contains("a   \t"), "{fault:?}: {ended:?}");
        assert_eq!(proxy.count(&lists()), 3, "{fault:?}");
    }
    for (fault, said) in [
        (Fault::TOO_MANY_REQUESTS, "by order of the test"),
        (Fault::UNAVAILABLE, "ServiceUnavailable by order"),
        (Fault::INTERNAL_ERROR, "by order of the test"),
        (Fault::Reset, "cannot reach the API server"),
        (Fault::Drop, "cannot reach the API server"),
        (Fault::Hang, "no answer within 3s"),
    ] {
        let proxy = FaultProxy::start(&scene.bed.kubeconfig()).await;
        proxy.inject(lists(), fault.clone());
        // Only the hanging server needs a short timeout. The others may be slow on a busy machine.
        let patience = if fault == Fault::Hang { "3s" } else { "60s" };
        let line = format!("{line} --timeout={patience}");
        let ended = Call::new(proxy.kubeconfig()).run_beside(&line).await;
        refused(&ended, &["GitRepository", said]);
        assert!(
            !ended.stderr.contains("timed out after"),
            "{fault:?}: {ended:?}"
        );
    }
}

/// Number of objects per page, then in total.
const PAGE: usize = 500;
const OBJECTS: usize = 10_000;

#[tokio::test(flavor = "multi_thread")]
async fn ten_thousand_objects_are_listed_by_pages_in_bounded_memory() {
    let pages = Arc::new(AtomicUsize::new(0));
    let seen = Arc::clone(&pages);
    let stub = Stub::start(move |uri| {
        let group = "source.toolkit.fluxcd.io";
        let names = json!({ "name": "gitrepositories", "singularName": "gitrepository", "kind": "GitRepository",
            "namespaced": true, "verbs": ["list", "get"] });
        let version = json!({ "groupVersion": format!("{group}/v1"), "version": "v1" });
        match uri.path() {
            "/apis" => Some((200, json!({ "kind": "APIGroupList", "apiVersion": "v1", "groups": [
                { "name": group, "versions": [version], "preferredVersion": version },
            ] }))),
            "/apis/source.toolkit.fluxcd.io/v1" => Some((200, json!({ "kind": "APIResourceList",
                "groupVersion": format!("{group}/v1"), "resources": [names] }))),
            "/apis/source.toolkit.fluxcd.io/v1/gitrepositories" => {
                let query = uri.query().unwrap_or_default();
                assert!(query.contains(&format!("limit={PAGE}")), "{query}");
                let page = seen.fetch_add(1, Ordering::SeqCst);
                let first = page * PAGE;
                let items: Vec<_> = (first..first + PAGE).map(repository).collect();
                let more = if first + PAGE < OBJECTS { "more" } else { "" };
                Some((200, json!({ "kind": "GitRepositoryList", "apiVersion": format!("{group}/v1"),
                    "metadata": { "resourceVersion": "1", "continue": more }, "items": items })))
            }
            _ => None,
        }
    })
    .await;
    let line = "get sources git -A --no-header";
    let command = Call::new(&stub.kubeconfig()).command(words(line));
    let (stdout, peak) = tokio::task::spawn_blocking(move || measured(command))
        .await
        .unwrap();
    assert_eq!(stdout.lines().count(), OBJECTS);
    assert_eq!(pages.load(Ordering::SeqCst), OBJECTS / PAGE);
    // Each object has about two kilobytes, and one has five megabytes.
    assert!(peak < 256 << 10, "{peak} KiB");
}

fn repository(index: usize) -> serde_json::Value {
    let size = if index == 0 { 5 << 20 } else { 1 << 10 };
    json!({
        "metadata": { "name": format!("a{index}"), "namespace": "apps", "generation": 1, "resourceVersion": "1" },
        "spec": { "interval": "1m", "url": "https://example.com/a" },
        "status": { "observedGeneration": 1, "conditions": [{ "type": "Ready", "status": "True", "reason": "Succeeded",
            "message": "stored", "lastTransitionTime": "2026-01-02T03:04:05Z" }], "includedArtifacts": [{ "path": "x".repeat(size) }] },
    })
}

/// Runs a command, and returns its output and its peak resident size in KiB. The process blocks at
/// its peak, until its output is read from the pipe.
fn measured(mut command: std::process::Command) -> (String, u64) {
    let mut child = command.stdout(Stdio::piped()).spawn().unwrap();
    let mut stdout = child.stdout.take().unwrap();
    let mut first = [0; 1];
    stdout.read_exact(&mut first).unwrap();
    let status = fs::read_to_string(format!("/proc/{}/status", child.id())).unwrap();
    let peak = status
        .lines()
        .find_map(|line| line.strip_prefix("VmHWM:"))
        .unwrap();
    let peak = peak.trim().trim_end_matches(" kB").parse().unwrap();
    let mut rest = String::new();
    stdout.read_to_string(&mut rest).unwrap();
    assert!(child.wait().unwrap().success());
    (format!("{}{rest}", char::from(first[0])), peak)
}
