//! Other remotes: git's own server, OpenSSH and TLS. Also trees with all features of Git.

use serde_json::json;
use sluice_git::serve::Change;
use sluice_testkit::git_backend::HttpOptions;
use sluice_testkit::{GitBackend, SshServer};

use crate::{World, artifact, commit};

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn ssh_host_is_trusted_by_known_key_only() {
    let world = World::new("ssh").await;
    let server = SshServer::start().await;
    let other = SshServer::start().await;
    let repository = server.create("app", "main");
    let head = commit(&repository, "First", &[("a.yaml", "a: 1\n")]);
    let key = server.client_key();
    let address = server.known_hosts();
    let address = address.split(' ').next().unwrap();
    for (name, known_hosts) in [
        ("right", server.known_hosts()),
        ("unknown", server.known_hosts_as("elsewhere.example")),
        ("changed", other.known_hosts_as(address)),
    ] {
        let entries = [("identity", &*key), ("known_hosts", &*known_hosts)];
        world.secret(name, &entries).await;
    }
    world
        .secret("keyless", &[("known_hosts", &server.known_hosts())])
        .await;
    let refused_key = [
        ("identity", &*other.client_key()),
        ("known_hosts", &*server.known_hosts()),
    ]
    .map(|(entry, value)| (entry.to_owned(), value.to_owned()));
    let refused_key: Vec<_> = refused_key
        .iter()
        .map(|(entry, value)| (&**entry, &**value))
        .collect();
    world.secret("refused", &refused_key).await;
    for name in ["right", "unknown", "changed", "keyless", "refused"] {
        let spec = json!({ "url": server.url("app"), "secretRef": { "name": name } });
        world.create(name, &spec).await;
    }
    world
        .create("nobody", &json!({ "url": server.url("app") }))
        .await;

    let object = world.ready("right").await;
    assert_eq!(artifact(&object).revision, format!("main@sha1:{head}"));
    for (name, reason, said) in [
        (
            "unknown",
            "GitOperationFailed",
            "knownhosts: key is unknown",
        ),
        ("changed", "GitOperationFailed", "knownhosts: key mismatch"),
        (
            "refused",
            "GitOperationFailed",
            "ssh: unable to authenticate",
        ),
        ("keyless", "AuthenticationFailed", "'identity'"),
        ("nobody", "AuthenticationFailed", "spec.secretRef"),
    ] {
        let (object, message) = world.refused(name, reason).await;
        assert!(message.contains(said), "{name}: {message}");
        assert!(object.status.unwrap().artifact.is_none());
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn ca_and_bearer_token_open_git_http_backend() {
    let world = World::new("tls").await;
    let server = GitBackend::start_with(HttpOptions {
        bearer: Some("canary-token".to_owned()),
        tls: true,
        ..HttpOptions::default()
    })
    .await;
    commit(
        &server.create("app", "main"),
        "First",
        &[("a.yaml", "a: 1\n")],
    );
    let authority = server.authority().unwrap().certificate();
    let right = [("bearerToken", "canary-token"), ("ca.crt", &*authority)];
    world.secret("right", &right).await;
    world
        .secret("untrusted", &[("bearerToken", "canary-token")])
        .await;
    for name in ["right", "untrusted"] {
        let spec = json!({ "url": server.url("app"), "secretRef": { "name": name } });
        world.create(name, &spec).await;
    }
    world.ready("right").await;
    let (_, message) = world.refused("untrusted", "GitOperationFailed").await;
    assert!(message.contains("certificate"), "{message}");
    assert!(!message.contains("canary"), "{message}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn tree_is_packed_by_its_rules_with_notices() {
    let world = World::new("tree").await;
    let repository = world.git.create("app", "main").unwrap();
    let changes = [
        Change::write(".sourceignore", "*.md\n!/docs/kept.md\n"),
        Change::write("docs/dropped.md", "x"),
        Change::write("docs/kept.md", "x"),
        Change::write("apps/.sourceignore", "/dev\n"),
        Change::write("apps/dev/a.yaml", "x"),
        Change::write("apps/prod/dev/b.yaml", "x"),
        Change::write("logo.png", "png"),
        Change::write(
            "model.bin",
            "version https://git-lfs.github.com/spec/v1\noid sha256:00\n",
        ),
        Change::Link {
            path: "link".into(),
            target: "docs".into(),
        },
        Change::Write {
            path: "run.sh".into(),
            content: b"#!/bin/sh\n".to_vec(),
            executable: true,
        },
    ];
    repository.commit("main", "Everything", &changes).unwrap();
    world.create("app", &json!({})).await;
    let object = world.ready("app").await;
    let paths: Vec<_> = world
        .download(&object)
        .await
        .into_iter()
        .map(|(path, _)| path)
        .collect();
    assert_eq!(
        paths,
        [
            ".sourceignore",
            "apps",
            "apps/.sourceignore",
            "apps/prod",
            "apps/prod/dev",
            "apps/prod/dev/b.yaml",
            "docs",
            "docs/kept.md",
            "logo.png",
            "model.bin",
            "run.sh",
        ]
    );

    let sink = &world.events;
    let event = sink
        .wait_for("the artifact is reported", |event| {
            event.reason == "NewArtifact"
        })
        .await;
    let stored = artifact(&object);
    assert_eq!(event.message, "stored artifact for commit 'Everything'");
    // The keys of an event are prefixed with the group.
    let facts: Vec<_> = event.metadata.values().cloned().collect();
    assert!(
        facts.contains(&stored.revision) && facts.contains(&stored.digest),
        "{facts:?}"
    );
    let warning = sink
        .wait_for("the pointer is reported", |event| {
            event.message.contains("model.bin")
        })
        .await;
    assert_eq!(warning.involved_object.name, "app");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn proxy_of_object_is_its_only_route() {
    let world = World::new("proxy").await;
    world.repository("app");
    world
        .secret("proxy", &[("address", "http://127.0.0.1:1")])
        .await;
    let through = json!({ "proxySecretRef": { "name": "proxy" } });
    world.create("app", &through).await;
    let (object, _) = world.refused("app", "GitOperationFailed").await;
    assert!(object.status.unwrap().artifact.is_none());
    let direct = json!({ "spec": { "proxySecretRef": null } });
    world.patch("app", direct).await;
    world.ready("app").await;
}
