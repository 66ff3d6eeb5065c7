//! Fields of automations and repositories that other tests do not set.

use serde_json::json;
use sluice_api::image::{ImagePolicy, ImageUpdateAutomation};
use sluice_api::source::GitRepository;
use sluice_git::serve::Repository;
use sluice_testkit::git_backend::HttpOptions;
use sluice_testkit::{GitBackend, SshServer, wait};

use super::{World, commit, content, git, head, last_push, manifest};

/// Makes an automation of a repository, which this Secret does not open. Returns the message.
async fn fails(world: &World, url: &str, secret: &str, reason: &str) -> String {
    let spec = json!({
        "url": url, "interval": "1h", "ref": { "branch": "main" },
        "secretRef": { "name": secret },
    });
    world.create::<GitRepository>("fleet", spec).await;
    world.policy("app", "1.1.0").await;
    world.automation("auto", "fleet", json!({})).await;
    world.reports("auto", reason).await
}

/// Asserts that the automation pushes once the repository has another Secret.
async fn pushes_with(world: &World, repository: &Repository, secret: &str) {
    let spec = json!({ "spec": { "secretRef": { "name": secret } } });
    world.patch::<GitRepository>("fleet", spec).await;
    let pushed = last_push(&world.pushes("auto", None).await);
    assert_eq!(head(repository, "main").as_deref(), Some(&*pushed));
}

/// An automation reads a tag, and edits only the values of selected policies.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn selector_and_checkout_choose_policies_and_commit() {
    let world = World::new("iua-choose").await;
    let old = [
        manifest(&world, "app", "1.0.0"),
        manifest(&world, "db", "1.0.0"),
    ];
    let files = [("app.yaml", old[0].as_str()), ("db.yaml", &old[1])];
    let repository = world.repository("fleet", &files).await;
    git(&repository, &["tag", "v1", "main"]).await;
    let tagged = head(&repository, "main").unwrap();
    commit(&repository, &[("later.yaml", "a: 1\n")]);
    for name in ["app", "db"] {
        world.policy(name, "1.1.0").await;
    }
    let labels = json!({ "metadata": { "labels": { "team": "web" } } });
    world.patch::<ImagePolicy>("app", labels).await;
    let choice = json!({
        "checkout": { "ref": { "tag": "v1" } }, "push": { "branch": "release" },
    });
    world.automation("auto", "fleet", choice).await;
    // The first run may edit both values: only the branch of the run with the selector counts.
    let selector = json!({ "spec": { "policySelector": { "matchLabels": { "team": "web" } } } });
    world.patch::<ImageUpdateAutomation>("auto", selector).await;
    let selects = |object: &ImageUpdateAutomation| {
        let status = object.status.as_ref();
        status.is_some_and(|status| status.observed_policies.len() == 1)
    };
    let object = world.sees("auto", "selects one policy", selects).await;
    let status = object.status.unwrap();
    assert_eq!(status.observed_policies["app"].tag, "1.1.0");
    let revision = format!("v1@sha1:{tagged}");
    assert_eq!(status.observed_source_revision.as_deref(), Some(&*revision));
    git(&repository, &["update-ref", "-d", "refs/heads/release"]).await;
    world.policy("app", "1.2.0").await;
    let first = status.last_push_commit;
    let pushed = last_push(&world.pushes("auto", first.as_deref()).await);
    assert_eq!(head(&repository, "release").as_deref(), Some(&*pushed));
    assert_eq!(git(&repository, &["rev-parse", "release^"]).await, tagged);
    let new = old[0].replace("1.0.0", "1.2.0");
    assert_eq!(content(&repository, "release", "app.yaml"), new);
    assert_eq!(content(&repository, "release", "db.yaml"), old[1]);
}

/// OpenSSH's server accepts the key of the Secret, and the Secret knows the key of the server.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn repository_is_reached_over_ssh() {
    let world = World::new("iua-ssh").await;
    let server = SshServer::start().await;
    let repository = server.create("fleet.git", "main");
    commit(
        &repository,
        &[("app.yaml", &manifest(&world, "app", "1.0.0"))],
    );
    let (key, hosts) = (server.client_key(), server.known_hosts());
    let unknown = server.known_hosts_as("elsewhere.example");
    for (name, hosts) in [("unknown", &unknown), ("known", &hosts)] {
        let entries = [
            ("identity", key.as_bytes()),
            ("known_hosts", hosts.as_bytes()),
        ];
        let namespace = &world.namespace;
        world.bed.secret(namespace, name, None, &entries).await;
    }
    let url = server.url("fleet.git");
    let message = fails(&world, &url, "unknown", "GitOperationFailed").await;
    assert!(message.contains("knownhosts: key is unknown"), "{message}");
    pushes_with(&world, &repository, "known").await;
    git(&repository, &["fsck", "--strict", "--no-dangling"]).await;
}

/// The Secret of the repository opens a server with TLS, its own authority and a password.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn secret_has_authority_and_password() {
    let world = World::new("iua-tls").await;
    let server = GitBackend::start_with(HttpOptions {
        tls: true,
        basic: Some(("me".to_owned(), "canary-word".to_owned())),
        ..HttpOptions::default()
    })
    .await;
    let repository = server.create("fleet.git", "main");
    commit(
        &repository,
        &[("app.yaml", &manifest(&world, "app", "1.0.0"))],
    );
    let certificate = server.authority().unwrap().certificate();
    let user = [("username", b"me".as_slice()), ("password", b"canary-word")];
    let whole = [&user[..], &[("ca.crt", certificate.as_bytes())]].concat();
    for (name, entries) in [("bare", &user[..]), ("whole", &whole)] {
        let namespace = &world.namespace;
        world.bed.secret(namespace, name, None, entries).await;
    }
    let url = server.url("fleet.git");
    let message = fails(&world, &url, "bare", "GitOperationFailed").await;
    assert!(message.contains("certificate"), "{message}");
    assert!(!message.contains("canary"), "{message}");
    pushes_with(&world, &repository, "whole").await;
}

/// Git hosts accept a token as the user name.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn user_name_needs_no_password() {
    let world = World::new("iua-name").await;
    let server = GitBackend::start_with(HttpOptions {
        basic: Some(("canary-token".to_owned(), String::new())),
        ..HttpOptions::default()
    })
    .await;
    let repository = server.create("fleet.git", "main");
    commit(
        &repository,
        &[("app.yaml", &manifest(&world, "app", "1.0.0"))],
    );
    for (name, entry) in [("password", "password"), ("name", "username")] {
        let entries = [(entry, b"canary-token".as_slice())];
        let namespace = &world.namespace;
        world.bed.secret(namespace, name, None, &entries).await;
    }
    let url = server.url("fleet.git");
    let message = fails(&world, &url, "password", "SourceManagerFailed").await;
    let expected = "failed configuring source manager: failed to configure authentication options: \
                    invalid 'http' auth option: 'password' requires 'username' to be set";
    assert_eq!(message, expected);
    pushes_with(&world, &repository, "name").await;
}

/// The proxy closes each connection, so nothing is reached without it.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn proxy_and_timeout_of_the_repository_count() {
    let world = World::new("iua-proxy").await;
    let file = manifest(&world, "app", "1.0.0");
    world.repository("fleet", &[("app.yaml", &file)]).await;
    let proxy = tokio::net::TcpListener::bind(("127.0.0.1", 0))
        .await
        .unwrap();
    let silent = tokio::net::TcpListener::bind(("127.0.0.1", 0))
        .await
        .unwrap();
    let address = format!("http://{}", proxy.local_addr().unwrap());
    let entries = [("address", address.as_bytes())];
    let namespace = &world.namespace;
    world.bed.secret(namespace, "proxy", None, &entries).await;
    let (seen, mut calls) = tokio::sync::mpsc::unbounded_channel();
    tokio::spawn(async move {
        while let Ok((stream, _)) = proxy.accept().await {
            drop(stream);
            seen.send(()).ok();
        }
    });
    let change = json!({ "spec": { "proxySecretRef": { "name": "proxy" } } });
    world.patch::<GitRepository>("fleet", change).await;
    world.policy("app", "1.1.0").await;
    world.automation("auto", "fleet", json!({})).await;
    world.reports("auto", "GitOperationFailed").await;
    let called = tokio::time::timeout(wait::WAIT_TIMEOUT, calls.recv()).await;
    assert_eq!(called.unwrap(), Some(()));

    // The server of this repository accepts connections, and never answers.
    let url = format!("http://{}/fleet.git", silent.local_addr().unwrap());
    let change = json!({ "spec": { "proxySecretRef": null, "url": url, "timeout": "1s" } });
    world.patch::<GitRepository>("fleet", change).await;
    let limited = |object: &ImageUpdateAutomation| super::ready(object).2.contains("1s");
    world.sees("auto", "reports the time limit", limited).await;
}
