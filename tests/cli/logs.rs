//! Tests `logs` against stub servers. One ends every log, as after a restart of its controller. One
//! lacks the logs of some pods. One has lines that are too long for Flux, which `envsubst` also
//! reads.

use std::io::Write as _;
use std::path::PathBuf;
use std::process::{Command, Output, Stdio};
use std::sync::{Arc, Mutex};

use axum::Router;
use axum::http::{StatusCode, Uri};
use sluice_testkit::Sluice;

use crate::program;

const PODS: &str = r#"{"kind": "PodList", "apiVersion": "v1", "metadata": {}, "items": [
    {"metadata": {"name": "one", "namespace": "flux-system"}, "spec": {"containers": []}}]}"#;

fn line(second: u8, message: &str) -> String {
    format!(
        "2026-01-02T03:04:0{second}.5Z {{\"level\":\"info\",\"ts\":\"{second}\",\"msg\":\"{message}\"}}\n"
    )
}

/// A stub server with its kubeconfig.
struct Server {
    home: tempfile::TempDir,
}

impl Server {
    async fn start(router: Router) -> Self {
        let listener = tokio::net::TcpListener::bind(("127.0.0.1", 0))
            .await
            .unwrap();
        let url = format!("http://{}", listener.local_addr().unwrap());
        tokio::spawn(async move { axum::serve(listener, router).await });
        let home = tempfile::tempdir().unwrap();
        let text = serde_json::json!({
            "apiVersion": "v1", "kind": "Config", "current-context": "a",
            "contexts": [{ "name": "a", "context": { "cluster": "a", "user": "a" } }],
            "clusters": [{ "name": "a", "cluster": { "server": url } }],
            "users": [{ "name": "a", "user": {} }],
        });
        std::fs::write(home.path().join("config"), text.to_string()).unwrap();
        Self { home }
    }

    /// Starts a server with one pod that has this log.
    async fn with_log(log: String) -> Self {
        let router = Router::new().fallback(move |uri: Uri| {
            let answer = match uri.path() {
                "/api/v1/namespaces/flux-system/pods" => (StatusCode::OK, PODS.to_owned()),
                "/api/v1/namespaces/flux-system/pods/one/log" => (StatusCode::OK, log.clone()),
                _ => (StatusCode::NOT_FOUND, String::new()),
            };
            async move { answer }
        });
        Self::start(router).await
    }

    fn kubeconfig(&self) -> PathBuf {
        self.home.path().join("config")
    }

    /// Runs a command with this input.
    async fn run(&self, arguments: &'static [&'static str], input: String) -> Output {
        let kubeconfig = self.kubeconfig();
        let run = move || {
            let mut child = Command::new(program::flux())
                .args(arguments)
                .env("KUBECONFIG", kubeconfig)
                .stdin(Stdio::piped())
                .stdout(Stdio::piped())
                .stderr(Stdio::piped())
                .spawn()
                .unwrap();
            let mut stdin = child.stdin.take().unwrap();
            let typing = std::thread::spawn(move || stdin.write_all(input.as_bytes()));
            let output = child.wait_with_output().unwrap();
            drop(typing.join());
            output
        };
        tokio::task::spawn_blocking(run).await.unwrap()
    }
}

/// Longer than the 64 KiB that Flux's line scanner accepts.
const LONG: usize = 200 << 10;

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn log_lines_may_exceed_the_limit_of_flux() {
    let (before, after) = (line(1, "before"), line(3, "after"));
    let long = line(2, &"x".repeat(LONG));
    let bare = format!("{before}{long}{after}").replace("2026-01-02T03:04:0", "");
    let log: String = bare
        .lines()
        .filter_map(|line| Some(format!("{}\n", line.split_once(' ')?.1)))
        .collect();
    let server = Server::with_log(log).await;
    let output = server.run(&["logs", "-A"], String::new()).await;
    let shown = String::from_utf8(output.stdout).unwrap();
    let lengths: Vec<usize> = shown.lines().map(str::len).collect();
    assert_eq!(
        lengths.len(),
        3,
        "{}",
        String::from_utf8_lossy(&output.stderr)
    );
    assert!(
        lengths[1] > LONG && shown.contains(" - after "),
        "{lengths:?}"
    );

    let input = format!("{} ${{WHAT:=is replaced}}\nand more\n", "x".repeat(LONG));
    let output = server.run(&["envsubst"], input).await;
    let text = String::from_utf8(output.stdout).unwrap();
    assert!(
        text.ends_with("x is replaced\nand more\n"),
        "{}",
        text.len()
    );
    assert_eq!(text.len(), LONG + " is replaced\nand more\n".len());
}

/// Response of the kubelet for a container that is being created.
const STARTING: &str = r#"{"kind": "Status", "apiVersion": "v1", "status": "Failure", "code": 400, "reason": "BadRequest",
    "message": "container \"manager\" in pod is waiting to start: ContainerCreating"}"#;

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn unreadable_log_is_a_failure() {
    // Each pod has its controller, its phase, and whether its log is readable.
    let told = async |pods: &'static [(&'static str, &'static str, bool)]| {
        let router = Router::new().fallback(move |uri: Uri| {
            let path = uri.path().strip_prefix("/api/v1/namespaces/flux-system/");
            let path = path.unwrap_or_default().to_owned();
            let mut logs = (0..).zip(pods);
            let log = logs.find(|(at, _)| path == format!("pods/{at}/log"));
            let answer = match log {
                Some((_, (app, _, true))) => (
                    StatusCode::OK,
                    format!("{{\"level\":\"info\",\"msg\":\"{app}\"}}\n"),
                ),
                Some(_) => (StatusCode::BAD_REQUEST, STARTING.to_owned()),
                None if path == "pods" => (StatusCode::OK, listed(pods)),
                None => (StatusCode::NOT_FOUND, String::new()),
            };
            async move { answer }
        });
        let server = Server::start(router).await;
        let output = server.run(&["logs", "-A"], String::new()).await;
        let said = String::from_utf8(output.stderr).unwrap();
        let shown = String::from_utf8(output.stdout).unwrap();
        (output.status.code(), said, shown.lines().count())
    };
    let failed = "✗ failed to collect logs from all Flux pods\n";
    for (pods, lines, claim) in [
        (&[("a", "Pending", false)] as &[_], 0, "no log at all"),
        (
            &[("a", "Pending", false), ("b", "Running", true)],
            1,
            "another controller has its own",
        ),
        (
            &[("a", "Running", false), ("a", "Running", true)],
            1,
            "what runs has something to say",
        ),
    ] {
        let (code, said, shown) = told(pods).await;
        assert_eq!((code, shown), (Some(1), lines), "{claim}: {said}");
        assert!(said.ends_with(failed), "{claim}: {said}");
        assert!(said.contains("ContainerCreating"), "{claim}: {said}");
    }
    for pods in [
        &[("a", "Pending", false), ("a", "Running", true)],
        &[("a", "Running", true), ("a", "Failed", false)],
    ] {
        let (code, said, shown) = told(pods).await;
        assert_eq!((code, shown), (Some(0), 1), "{said}");
        assert_eq!(said.matches("ContainerCreating").count(), 1, "{said}");
    }
}

/// Returns a pod list. Pods are named by their index.
fn listed(pods: &[(&str, &str, bool)]) -> String {
    let pods = (0..).zip(pods).map(|(at, (app, phase, _))| {
        let hash = format!("h{at}");
        let owner = serde_json::json!({ "apiVersion": "apps/v1", "kind": "ReplicaSet", "uid": hash,
            "name": format!("{app}-{hash}") });
        serde_json::json!({
            "metadata": { "name": at.to_string(), "namespace": "flux-system",
                "labels": { "pod-template-hash": hash }, "ownerReferences": [owner] },
            "status": { "phase": phase },
        })
    });
    let pods: Vec<_> = pods.collect();
    serde_json::json!({ "kind": "PodList", "apiVersion": "v1", "metadata": {}, "items": pods })
        .to_string()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn followed_logs_end_at_explicit_timeout() {
    let server = Server::with_log(String::new()).await;
    let output = server
        .run(&["logs", "--follow", "--timeout", "1s"], String::new())
        .await;
    assert_eq!(output.status.code(), Some(1));
    let said = String::from_utf8(output.stderr).unwrap();
    assert!(said.starts_with("✗ timed out after 1s"), "{said}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn ended_log_resumes_after_the_last_line() {
    let asked: Arc<Mutex<Vec<String>>> = Arc::default();
    let log = Arc::clone(&asked);
    let router = Router::new().fallback(move |uri: Uri| {
        let answer = match uri.path() {
            "/api/v1/namespaces/flux-system/pods" => (StatusCode::OK, PODS.to_owned()),
            "/api/v1/namespaces/flux-system/pods/one/log" => {
                let mut asked = log.lock().unwrap();
                asked.push(uri.query().unwrap_or_default().to_owned());
                let text = match asked.len() {
                    1 => line(1, "first") + &line(2, "second"),
                    // The server ignores fractions of seconds, so it repeats lines of the same
                    // second.
                    2 => line(2, "second") + &line(3, "third"),
                    _ => String::new(),
                };
                (StatusCode::OK, text)
            }
            _ => (StatusCode::NOT_FOUND, String::new()),
        };
        async move { answer }
    });
    let server = Server::start(router).await;
    let sluice = Sluice::at(program::flux())
        .variable("KUBECONFIG", server.kubeconfig().display().to_string());
    let running = sluice.start(&["logs", "-A", "--follow", "--tail=2"]);
    running.printed("third").await;
    let printed = running.output();
    running.kill();
    let messages: Vec<&str> = printed
        .lines()
        .filter_map(|line| line.split(" - ").nth(1))
        .map(str::trim)
        .collect();
    assert_eq!(messages, ["first", "second", "third"], "{printed}");
    let asked = asked.lock().unwrap();
    assert!(
        asked[0].contains("tailLines=2") && !asked[0].contains("sinceTime"),
        "{asked:?}"
    );
    assert!(
        asked[1].contains("sinceTime=2026-01-02T03%3A04%3A02") && !asked[1].contains("tailLines"),
        "{asked:?}"
    );
}
