//! Hostile servers, end to end: each gives one clear message within the timeout, stores nothing,
//! and sees no secret of another host.

use std::time::Duration;

use serde_json::json;
use sluice_testkit::hostile::{GitFault, HostileGit};
use sluice_testkit::kube;
use sluice_testkit::{SshServer, wait};

use crate::{World, commit, files};

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn hostile_servers_fail_with_message_and_store_nothing() {
    let world = World::new("hostile").await;
    for (name, fault, said) in [
        ("first", GitFault::SilentAtFirst, "wait for an answer from"),
        (
            "advertisement",
            GitFault::SilentInAdvertisement,
            "list the references of",
        ),
        ("fetch", GitFault::SilentAtFetch, "wait for an answer from"),
        ("pack", GitFault::SilentInPack(50_000), "bytes) from"),
        ("cut", GitFault::Truncated(50_000), "read the answer"),
        ("flipped", GitFault::Flipped, "read the pack"),
        ("drip", GitFault::Dripping, "not done within"),
        (
            "circles",
            GitFault::RedirectedInCircles,
            "more than 10 redirects",
        ),
        ("busy", GitFault::Unavailable(503), "status code: 503"),
        ("limited", GitFault::Unavailable(429), "status code: 429"),
        (
            "page",
            GitFault::Page,
            "not a Git repository over smart HTTP",
        ),
    ] {
        let is_silent = matches!(
            fault,
            GitFault::SilentAtFirst
                | GitFault::SilentInAdvertisement
                | GitFault::SilentAtFetch
                | GitFault::SilentInPack(_)
                | GitFault::Dripping
        );
        let timeout = if is_silent { "5s" } else { "1m" };
        let server = HostileGit::start(fault).await;
        let spec = json!({ "url": server.url(), "timeout": timeout });
        world.create(name, &spec).await;
        let (object, message) = world.refused(name, "GitOperationFailed").await;
        assert!(message.contains(said) || name == "cut", "{name}: {message}");
        assert!(!message.contains('\u{1b}'), "{name}: {message:?}");
        assert!(object.status.unwrap().artifact.is_none(), "{name}");
        assert!(files(&world.artifacts(name)).is_empty(), "{name}");
        world
            .patch(name, json!({ "spec": { "suspend": true } }))
            .await;
    }
    // Other objects are still served.
    world.repository("app");
    world.create("app", &json!({})).await;
    world.ready("app").await;
    let honest = HostileGit::start(GitFault::None).await;
    world
        .create("honest", &json!({ "url": honest.url() }))
        .await;
    world.ready("honest").await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn redirect_drops_credentials_for_other_host() {
    let world = World::new("redirect").await;
    let elsewhere = HostileGit::start(GitFault::None).await;
    let home = HostileGit::start(GitFault::Redirected(elsewhere.url())).await;
    world
        .secret("auth", &[("username", "me"), ("password", "canary")])
        .await;
    let spec = json!({ "url": home.url(), "secretRef": { "name": "auth" } });
    world.create("app", &spec).await;
    world.ready("app").await;
    assert!(home.seen().iter().all(|seen| seen.authorization.is_some()));
    let seen = elsewhere.seen();
    assert!(!seen.is_empty());
    assert!(
        seen.iter().all(|seen| seen.authorization.is_none()),
        "{seen:?}"
    );
}

/// A blob far larger than the memory budget, end to end. Other tests of this process use memory
/// too, so the bound is half of the blob.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn gigabyte_blob_is_packed_with_bounded_memory() {
    const SIZE: u64 = 1 << 30;
    let world = World::new("large").await;
    let repository = world.git.create("app", "main").unwrap();
    commit(&repository, "First", &[("a.yaml", "a: 1\n")]);
    // Git itself writes the object, since our writer holds it in memory. Zeros compress well.
    let path = repository.path().to_owned();
    let made = tokio::task::spawn_blocking(move || {
        let git = |arguments: &[&str], input: std::process::Stdio| {
            let output = std::process::Command::new("git")
                .args([
                    "-c",
                    "user.name=a",
                    "-c",
                    "user.email=a@b",
                    "-c",
                    "core.bigFileThreshold=1m",
                ])
                .args(arguments)
                .current_dir(&path)
                .env("GIT_CONFIG_GLOBAL", "/dev/null")
                .stdin(input)
                .output()
                .unwrap();
            assert!(output.status.success(), "git {arguments:?}: {output:?}");
            String::from_utf8(output.stdout).unwrap().trim().to_owned()
        };
        let zeros = tempfile::NamedTempFile::new().unwrap();
        zeros.as_file().set_len(SIZE).unwrap();
        let blob = git(
            &["hash-object", "-w", zeros.path().to_str().unwrap()],
            std::process::Stdio::null(),
        );
        let listing = tempfile::NamedTempFile::new().unwrap();
        std::fs::write(listing.path(), format!("100644 blob {blob}\tlarge.bin\n")).unwrap();
        let listing = std::fs::File::open(listing.path()).unwrap();
        let tree = git(&["mktree"], listing.into());
        let commit = git(
            &["commit-tree", "-m", "Large", &tree],
            std::process::Stdio::null(),
        );
        git(
            &["update-ref", "refs/heads/main", &commit],
            std::process::Stdio::null(),
        );
        commit
    });
    let head = made.await.unwrap();
    // The server runs in its own process, so its memory is not counted.
    let server = sluice_testkit::GitBackend::start().await;
    std::fs::rename(repository.path(), server.root().join("app")).unwrap();
    let before = peak();
    let spec = json!({ "url": server.url("app"), "timeout": "10m" });
    world.create("app", &spec).await;
    let object = wait::until_within(
        Duration::from_mins(10),
        &world.api().await,
        "app",
        "becomes Ready",
        |object| object.is_some_and(|object| crate::condition(object, "Ready").0 == "True"),
    )
    .await
    .unwrap();
    let grown = peak().saturating_sub(before);
    let stored = crate::artifact(&object);
    assert_eq!(stored.revision, format!("main@sha1:{head}"));
    assert!(grown < SIZE / 2, "the peak of memory grew by {grown} bytes");
}

/// The peak memory of this process, in bytes.
fn peak() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap();
    let line = status
        .lines()
        .find(|line| line.starts_with("VmHWM:"))
        .unwrap();
    let kilobytes: u64 = line.split_whitespace().nth(1).unwrap().parse().unwrap();
    kilobytes << 10
}

/// An unknown host key, from the object to its condition.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn unknown_host_key_keeps_artifact_and_is_reported() {
    let world = World::new("hostkey").await;
    let server = SshServer::start().await;
    commit(
        &server.create("app", "main"),
        "First",
        &[("a.yaml", "a: 1\n")],
    );
    let key = server.client_key();
    let known = server.known_hosts();
    world
        .secret("ssh", &[("identity", &key), ("known_hosts", &known)])
        .await;
    let spec = json!({ "url": server.url("app"), "secretRef": { "name": "ssh" } });
    world.create("app", &spec).await;
    let before = crate::artifact(&world.ready("app").await);

    let secrets: kube::Api<k8s_openapi::api::core::v1::Secret> =
        kube::Api::namespaced(world.bed.client().await, &world.namespace);
    let revoked = format!("{known}@revoked * {}", known.split_once(' ').unwrap().1);
    let patch = json!({ "stringData": { "known_hosts": revoked } });
    let patch = kube::api::Patch::Merge(patch);
    secrets
        .patch("ssh", &kube::api::PatchParams::default(), &patch)
        .await
        .unwrap();
    world.reconcile("app").await;
    let (object, message) = world.refused("app", "GitOperationFailed").await;
    assert!(
        message.contains("is revoked") && message.contains("SHA256:"),
        "{message}"
    );
    assert_eq!(crate::artifact(&object), before);
    wait::eventually("the refusal is reported", || async {
        let reported = world.events.events();
        let found = reported
            .iter()
            .any(|event| event.message.contains("is revoked"));
        if found {
            Ok(())
        } else {
            Err(format!("{} events", reported.len()))
        }
    })
    .await;
}
