//! Tests the whole loop of image updates: a new tag in a registry becomes a signed commit, and the
//! commit is applied. Only webhooks start the runs, because all intervals are an hour.

use std::process::Command;

use serde_json::{Value, json};
use sluice_git::serve::Repository;
use sluice_testkit::{GitBackend, Registry, Sluice, wait};
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpStream;

use crate::program;
use crate::world::{Kind, Live, World, commit, is_ready};

/// Runs a program to its end, and returns its output.
pub(crate) fn run(program: &str, arguments: &[&str]) -> String {
    #[expect(
        clippy::disallowed_methods,
        reason = "ssh-keygen and git check the result"
    )]
    let output = Command::new(program).args(arguments).output().unwrap();
    assert!(output.status.success(), "{program}: {output:?}");
    String::from_utf8(output.stdout).unwrap()
}

/// Pushes a tag, as a build would do.
async fn push(registry: &Registry, files: &str, tag: &str) {
    let url = format!("{}:{tag}", registry.url("app"));
    let sluice = Sluice::at(program::sluice());
    let what = ["--path", files, "--source", "x", "--revision", tag];
    let (code, said) = sluice
        .run(&[&["push", "artifact", &url], &what[..]].concat())
        .await;
    assert_eq!(code, Some(0), "{said}");
}

/// Calls a webhook, as a registry or a Git host does after a push.
async fn call(address: &str, path: &str) -> String {
    let Ok(mut stream) = TcpStream::connect(address).await else {
        return "not connected".to_owned();
    };
    let request = format!("POST {path} HTTP/1.0\r\nHost: x\r\nContent-Length: 0\r\n\r\n");
    let mut answer = String::new();
    let exchanged = async {
        stream.write_all(request.as_bytes()).await?;
        stream.read_to_string(&mut answer).await
    };
    // The controller may be killed meanwhile.
    match exchanged.await {
        Ok(_) => answer.lines().next().unwrap_or_default().to_owned(),
        Err(error) => error.to_string(),
    }
}

/// Calls a webhook until it is accepted.
pub(crate) async fn called(address: &str, path: &str) {
    wait::eventually("the webhook is accepted", async || {
        let answer = call(address, path).await;
        if answer.contains(" 200 ") {
            Ok(())
        } else {
            Err(answer)
        }
    })
    .await;
}

/// Creates a Receiver of one object, and returns its path.
async fn receiver(world: &World, kind: &str, name: &str) -> String {
    let spec = json!({
        "type": "generic", "secretRef": { "name": "token" },
        "resources": [{ "kind": kind, "name": name }],
    });
    let own = kind.to_lowercase();
    world
        .create(Kind::Receiver, &own, json!({ "spec": spec }))
        .await;
    let ready = world.ready(Kind::Receiver, &own).await;
    let path = ready.data["status"]["webhookPath"].as_str();
    path.unwrap().to_owned()
}

fn head(repository: &Repository) -> String {
    repository.head("main").unwrap().unwrap().to_string()
}

/// Waits until the branch has another commit.
pub(crate) async fn moves_from(repository: &Repository, old: &str) -> String {
    wait::eventually("a commit is pushed", async || match head(repository) {
        new if new != old => Ok(new),
        same => Err(same),
    })
    .await
}

/// Waits until the config map has the image of a tag.
async fn has_image(world: &World, image: &str) -> Live {
    world
        .until(Kind::ConfigMap, "app", "has the image", |object| {
            object.data["data"]["image"] == *image
        })
        .await
}

/// Creates the objects of the loop.
async fn create_objects(world: &World, git: &str, image: &str) {
    let objects: [(Kind, Value); 3] = [
        (
            Kind::ImageRepository,
            json!({ "image": image, "interval": "1h", "insecure": true }),
        ),
        (
            Kind::ImagePolicy,
            json!({
                "imageRepositoryRef": { "name": "app" },
                "policy": { "semver": { "range": "1.x" } },
            }),
        ),
        (
            Kind::ImageUpdateAutomation,
            json!({
                "interval": "1h",
                "sourceRef": { "kind": "GitRepository", "name": "app" },
                "git": { "commit": {
                    "author": { "name": "Bot", "email": "bot@example.com" },
                    "signingKey": { "type": "ssh", "secretRef": { "name": "signing" } },
                } },
                "update": { "strategy": "Setters" },
            }),
        ),
    ];
    world.source("app", git, json!({})).await;
    world.kustomization("app", json!({})).await;
    for (kind, spec) in objects {
        world.create(kind, "app", json!({ "spec": spec })).await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn new_tag_becomes_commit_and_rollout() {
    let (world, git) = (World::new("image-loop").await, GitBackend::start().await);
    let registry = Registry::start().await;
    let directory = tempfile::tempdir().unwrap();
    let path = |name: &str| directory.path().join(name).display().to_string();
    let key = path("key");
    run("ssh-keygen", &["-q", "-t", "ed25519", "-N", "", "-f", &key]);
    let private = sluice_system::fs::read(directory.path().join("key")).unwrap();
    let public = sluice_system::fs::read_to_string(directory.path().join("key.pub")).unwrap();
    let (bed, namespace) = (&world.bed, &world.namespace);
    let identity = [("identity", private.as_slice())];
    bed.secret(namespace, "signing", None, &identity).await;
    let token = [("token", b"word".as_slice())];
    bed.secret(namespace, "token", None, &token).await;

    push(&registry, &path("key.pub"), "1.0.0").await;
    let image = format!("{}/app", registry.host());
    let repository = git.create("app.git", "main");
    let marker = format!("# {{\"$imagepolicy\": \"{namespace}:app\"}}");
    let first = commit(
        &repository,
        &[(
            "app.yaml",
            &format!(
                "apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: app\n  namespace: {namespace}\n\
                 data:\n  image: {image}:0.9.0 {marker}\n"
            ),
        )],
    );
    let controllers = world.controllers(&world.kubeconfig);
    let _running = controllers.all();
    create_objects(&world, &git.url("app.git"), &image).await;
    let scan = receiver(&world, "ImageRepository", "app").await;
    let pull = receiver(&world, "GitRepository", "app").await;
    let webhooks = &controllers.webhooks;
    let old = moves_from(&repository, &first).await;
    called(webhooks, &pull).await;
    world.applied("app", &old).await;
    has_image(&world, &format!("{image}:1.0.0")).await;
    world.ready(Kind::ImageUpdateAutomation, "app").await;

    push(&registry, &path("key.pub"), "1.1.0").await;
    called(webhooks, &scan).await;
    let new = moves_from(&repository, &old).await;
    called(webhooks, &pull).await;
    world.applied("app", &new).await;
    has_image(&world, &format!("{image}:1.1.0")).await;

    let allowed = directory.path().join("allowed");
    sluice_system::fs::write(&allowed, format!("bot@example.com {public}")).unwrap();
    let allowed = format!("gpg.ssh.allowedSignersFile={}", allowed.display());
    let bare = repository.path().display().to_string();
    run("git", &["-C", &bare, "-c", &allowed, "verify-commit", &new]);
    let count = run("git", &["-C", &bare, "rev-list", "--count", "main"]);
    assert_eq!(count.trim(), "3");
    let automation = world
        .until(Kind::ImageUpdateAutomation, "app", "reports it", |object| {
            is_ready(object) && object.data["status"]["lastPushCommit"] == *new
        })
        .await;
    let observed = &automation.data["status"]["observedPolicies"]["app"];
    assert_eq!(observed["tag"], "1.1.0");
}
