//! The reference servers serve what the reference clients ask for.
#![expect(
    clippy::disallowed_methods,
    reason = "the real client is the reference"
)]

use std::path::Path;
use std::process::{Command, Output};

use sluice_git::serve::Change;
use sluice_testkit as testkit;
use testkit::git_backend::{HostKey, HttpOptions};
use testkit::{EventSink, GitBackend, Registry, SshServer};

/// Runs the real `git` with further variables.
async fn git(directory: &Path, variables: &[(&str, String)], arguments: &[&str]) -> Output {
    let mut command = Command::new("git");
    command
        .current_dir(directory)
        .args(["-c", "user.name=test", "-c", "user.email=test@example.com"])
        .args(arguments)
        .env("GIT_TERMINAL_PROMPT", "0")
        .env("GIT_CONFIG_GLOBAL", "/dev/null")
        .envs(variables.iter().map(|(name, value)| (name, value)));
    tokio::task::spawn_blocking(move || command.output().expect("git runs"))
        .await
        .expect("git runs")
}

fn succeeded(output: &Output) {
    assert!(
        output.status.success(),
        "{}",
        String::from_utf8_lossy(&output.stderr)
    );
}

#[tokio::test]
async fn git_http_backend_serves_clones_and_takes_pushes() {
    let server = GitBackend::start().await;
    let repository = server.create("team/app.git", "main");
    let noise: Vec<u8> = std::iter::repeat_with(|| 7).take(200_000).collect();
    let first = repository
        .commit(
            "main",
            "first",
            &[
                Change::write("a.yaml", "a: 1\n"),
                Change::write("noise", noise),
            ],
        )
        .unwrap();

    let work = tempfile::tempdir().unwrap();
    succeeded(
        &git(
            work.path(),
            &[],
            &["clone", "-q", &server.url("team/app.git"), "app"],
        )
        .await,
    );
    let app = work.path().join("app");
    let head = git(&app, &[], &["rev-parse", "HEAD"]).await;
    assert_eq!(
        String::from_utf8_lossy(&head.stdout).trim(),
        first.to_string()
    );
    succeeded(
        &git(
            &app,
            &[],
            &["commit", "-q", "--allow-empty", "-m", "second"],
        )
        .await,
    );
    succeeded(&git(&app, &[], &["push", "-q", "origin", "HEAD:main"]).await);
    assert_ne!(repository.head("main").unwrap(), Some(first));
    assert!(server.requests() >= 4);
}

#[tokio::test]
async fn git_over_tls_wants_the_password_and_the_clients_certificate() {
    let server = GitBackend::start_with(HttpOptions {
        basic: Some(("jane".to_owned(), "secret".to_owned())),
        client_certificate: true,
        ..HttpOptions::default()
    })
    .await;
    server
        .create("app", "main")
        .commit("main", "first", &[])
        .unwrap();
    let files = tempfile::tempdir().unwrap();
    let authority = server.authority().unwrap();
    let client = authority.client("jane", None).unwrap();
    let file = |name: &str, content: &str| {
        let path = files.path().join(name);
        sluice_system::fs::write(&path, content).unwrap();
        path.display().to_string()
    };
    let tls = [
        ("GIT_SSL_CAINFO", file("ca", &authority.certificate())),
        ("GIT_SSL_CERT", file("certificate", &client.certificate)),
        ("GIT_SSL_KEY", file("key", &client.key)),
    ];
    let url = server.url("app");
    let with_password = url.replace("https://", "https://jane:secret@");
    succeeded(&git(files.path(), &tls, &["ls-remote", &with_password]).await);
    assert!(
        !git(files.path(), &tls, &["ls-remote", &url])
            .await
            .status
            .success()
    );
    assert!(
        !git(files.path(), &tls[..1], &["ls-remote", &with_password])
            .await
            .status
            .success()
    );
}

#[tokio::test]
async fn git_over_ssh_lets_in_one_key_and_shows_the_host_key_it_says() {
    for kind in [HostKey::Ed25519, HostKey::Ecdsa, HostKey::Rsa] {
        let server = SshServer::start_with(kind).await;
        let first = server
            .create("app.git", "main")
            .commit("main", "first", &[Change::write("a.yaml", "a: 1\n")])
            .unwrap();
        let files = tempfile::tempdir().unwrap();
        let key = files.path().join("key");
        let known = files.path().join("known");
        sluice_system::fs::write(&key, server.client_key()).unwrap();
        std::fs::set_permissions(&key, std::os::unix::fs::PermissionsExt::from_mode(0o600))
            .unwrap();
        sluice_system::fs::write(&known, server.known_hosts()).unwrap();
        let ssh = format!(
            "ssh -F none -i {} -o IdentitiesOnly=yes -o UserKnownHostsFile={} -o StrictHostKeyChecking=yes",
            key.display(),
            known.display()
        );
        let listed = git(
            files.path(),
            &[("GIT_SSH_COMMAND", ssh)],
            &["ls-remote", &server.url("app.git")],
        )
        .await;
        assert!(
            listed.status.success(),
            "{kind:?}: {}\n{}",
            String::from_utf8_lossy(&listed.stderr),
            server.log()
        );
        assert!(String::from_utf8_lossy(&listed.stdout).contains(&first.to_string()));
    }
}

#[tokio::test]
async fn a_registry_answers_as_the_distribution_specification_says() {
    let registry = Registry::start().await;
    let (status, _) = post("GET", registry.host(), "/v2/", "").await;
    assert_eq!(status, 200, "{}", registry.log());
}

#[tokio::test]
async fn event_sink_rejects_on_demand_and_then_records() {
    let sink = EventSink::start().await;
    sink.refuse(429, Some(1), 1);
    let host = sink
        .url()
        .trim_start_matches("http://")
        .trim_end_matches('/')
        .to_owned();
    let event = serde_json::json!({
        "involvedObject": { "kind": "Kustomization", "namespace": "a", "name": "b" },
        "severity": "info", "timestamp": "2026-01-02T03:04:05Z", "message": "applied",
        "reason": "ReconciliationSucceeded", "reportingController": "kustomize-controller",
    })
    .to_string();
    let (status, head) = post("POST", &host, "/", &event).await;
    assert_eq!(status, 429);
    assert!(head.to_lowercase().contains("retry-after: 1"), "{head}");
    assert!(sink.events().is_empty());

    assert_eq!(post("POST", &host, "/", &event).await.0, 200);
    let told = sink
        .wait_for("it was applied", |event| event.message == "applied")
        .await;
    assert_eq!(told.reason, "ReconciliationSucceeded");
    assert_eq!(sink.about("Kustomization", "a", "b").len(), 1);
    assert_eq!(post("POST", &host, "/", "{}").await.0, 400);
}

/// One request in the plainest HTTP; gives the status and the whole answer.
async fn post(method: &str, host: &str, path: &str, body: &str) -> (u16, String) {
    use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
    let mut stream = tokio::net::TcpStream::connect(host)
        .await
        .expect("the server listens");
    let length = body.len();
    let request = format!(
        "{method} {path} HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\nContent-Length: {length}\r\n\r\n{body}"
    );
    stream
        .write_all(request.as_bytes())
        .await
        .expect("the server reads");
    let mut answer = String::new();
    stream
        .read_to_string(&mut answer)
        .await
        .expect("the server answers");
    let status = answer
        .split(' ')
        .nth(1)
        .and_then(|word| word.parse().ok())
        .unwrap_or_default();
    (status, answer)
}
