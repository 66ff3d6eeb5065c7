//! Signed commits.

use serde_json::json;

use super::{World, git, last_push, manifest};

/// Runs a program and checks that it succeeds. Returns its output.
pub(crate) async fn run(program: &str, arguments: &[&str]) -> Vec<u8> {
    let output = tokio::process::Command::new(program)
        .args(arguments)
        .output()
        .await;
    let output = output.unwrap();
    assert!(output.status.success(), "{program}: {output:?}");
    output.stdout
}

fn signed(type_: &str, secret: &str) -> serde_json::Value {
    json!({ "commit": { "signingKey": { "type": type_, "secretRef": { "name": secret } } } })
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn ssh_signature_is_good_for_git() {
    let world = World::new("iua-ssh").await;
    let old = manifest(&world, "app", "1.0.0");
    let repository = world.repository("fleet", &[("app.yaml", &old)]).await;
    let directory = tempfile::tempdir().unwrap();
    let path = |name: &str| directory.path().join(name).display().to_string();
    run(
        "ssh-keygen",
        &[
            "-q",
            "-t",
            "ed25519",
            "-N",
            "secret-word",
            "-f",
            &path("key"),
        ],
    )
    .await;
    let private = std::fs::read(path("key")).unwrap();
    let public = std::fs::read_to_string(path("key.pub")).unwrap();
    let namespace = &world.namespace;
    let entries = [("identity", private.as_slice())];
    world.bed.secret(namespace, "locked", None, &entries).await;
    let entries = [
        ("identity", private.as_slice()),
        ("password", b"canary-wrong"),
    ];
    world.bed.secret(namespace, "wrong", None, &entries).await;
    let entries = [
        ("identity", private.as_slice()),
        ("password", b"secret-word"),
    ];
    world.bed.secret(namespace, "right", None, &entries).await;
    world.policy("app", "1.1.0").await;
    for (name, said) in [
        (
            "locked",
            "can not use passphrase protected signing key without 'password' field present in \
             secret locked",
        ),
        ("wrong", "could not read signing key from secret 'wrong': "),
        ("absent", "could not find signing key secret 'absent': "),
    ] {
        world.automation(name, "fleet", signed("ssh", name)).await;
        let message = world.reports(name, "SourceManagerFailed").await;
        let start = format!("failed configuring source manager: {said}");
        assert!(message.starts_with(&start), "{message}");
        assert!(!message.contains("canary"), "{message}");
    }
    world
        .automation("right", "fleet", signed("ssh", "right"))
        .await;
    let pushed = last_push(&world.pushes("right", None).await);
    std::fs::write(path("allowed"), format!("bot@example.com {public}")).unwrap();
    let allowed = format!("gpg.ssh.allowedSignersFile={}", path("allowed"));
    git(&repository, &["-c", &allowed, "verify-commit", &pushed]).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn openpgp_signature_is_good_for_git() {
    let world = World::new("iua-gpg").await;
    let old = manifest(&world, "app", "1.0.0");
    let repository = world.repository("fleet", &[("app.yaml", &old)]).await;
    let home = tempfile::tempdir().unwrap();
    let home = home.path().to_str().unwrap();
    let gpg = async |arguments: &[&str]| {
        let common = ["--homedir", home, "--batch", "--quiet", "--no-tty"];
        let word = ["--pinentry-mode", "loopback", "--passphrase", "secret-word"];
        run("gpg", &[&common[..], &word, arguments].concat()).await
    };
    let user = "Bot <bot@example.com>";
    gpg(&["--quick-generate-key", user, "ed25519", "sign", "never"]).await;
    let ring = gpg(&["--armor", "--export-secret-keys"]).await;
    let passphrase = |word: &'static [u8]| [("git.asc", ring.as_slice()), ("passphrase", word)];
    let namespace = &world.namespace;
    for (name, entries) in [
        ("locked", &passphrase(b"")[..1]),
        ("wrong", &passphrase(b"canary-wrong")),
        ("right", &passphrase(b"secret-word")),
    ] {
        world.bed.secret(namespace, name, None, entries).await;
    }
    world.policy("app", "1.1.0").await;
    for (name, said) in [
        (
            "locked",
            "can not use passphrase protected signing key without 'passphrase' field present in \
             secret locked",
        ),
        ("wrong", "could not read signing key from secret 'wrong': "),
    ] {
        world.automation(name, "fleet", signed("gpg", name)).await;
        let message = world.reports(name, "SourceManagerFailed").await;
        let start = format!("failed configuring source manager: {said}");
        assert!(message.starts_with(&start), "{message}");
        assert!(!message.contains("canary"), "{message}");
    }
    world
        .automation("right", "fleet", signed("gpg", "right"))
        .await;
    let pushed = last_push(&world.pushes("right", None).await);
    let program = format!("gpg.program={home}/verify");
    let script = format!("#!/bin/sh\nexec gpg --homedir {home} \"$@\"\n");
    std::fs::write(format!("{home}/verify"), script).unwrap();
    run("chmod", &["+x", &format!("{home}/verify")]).await;
    git(&repository, &["-c", &program, "verify-commit", &pushed]).await;
}
