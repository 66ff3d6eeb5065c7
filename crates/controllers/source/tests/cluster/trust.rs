//! Signatures of commits and tags: success, failure and their reports.

use std::path::Path;

use serde_json::{Value, json};
use sluice_git::serve::{Change, Repository};
use sluice_testkit::hostile::{GitFault, HostileGit};
use sluice_testkit::kube;

use crate::{World, artifact, condition};

fn run(program: &str, arguments: &[&str], directory: &Path) -> String {
    let output = std::process::Command::new(program)
        .args(arguments)
        .current_dir(directory)
        .env("GIT_CONFIG_GLOBAL", "/dev/null")
        .output()
        .unwrap();
    assert!(
        output.status.success(),
        "{program} {arguments:?}: {output:?}"
    );
    String::from_utf8(output.stdout).unwrap().trim().to_owned()
}

/// Creates an SSH key. Returns the path of the private key, the public key and the fingerprint.
fn key(directory: &Path, name: &str) -> (String, String, String) {
    run(
        "ssh-keygen",
        &["-q", "-t", "ed25519", "-N", "", "-C", name, "-f", name],
        directory,
    );
    let public = std::fs::read_to_string(directory.join(format!("{name}.pub"))).unwrap();
    let shown = run("ssh-keygen", &["-lf", name], directory);
    let fingerprint = shown.split(' ').nth(1).unwrap().to_owned();
    (
        directory.join(name).display().to_string(),
        public,
        fingerprint,
    )
}

/// Commits the tree of `main` again and tags it, each signed or unsigned.
fn publish(repository: &Repository, key: Option<&str>, tag: &str, signed_tag: bool) -> String {
    let signing = format!("user.signingkey={}", key.unwrap_or_default());
    let with = [
        "-c",
        "user.name=a",
        "-c",
        "user.email=a@b",
        "-c",
        "gpg.format=ssh",
        "-c",
        &signing,
    ];
    let sign: &[&str] = if key.is_some() { &["-S"] } else { &[] };
    let arguments = [
        &with[..],
        &["commit-tree", "-m", tag],
        sign,
        &["main^{tree}"],
    ]
    .concat();
    let commit = run("git", &arguments, repository.path());
    run(
        "git",
        &["update-ref", "refs/heads/main", &commit],
        repository.path(),
    );
    let how: &[&str] = if signed_tag {
        &["tag", "-s", "-m", tag]
    } else {
        &["tag"]
    };
    run(
        "git",
        &[&with[..], how, &[tag, &commit]].concat(),
        repository.path(),
    );
    commit
}

fn verify(mode: &str, reference: &Value) -> Value {
    json!({ "ref": reference, "verify": { "mode": mode, "secretRef": { "name": "keys" } } })
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
#[expect(
    clippy::too_many_lines,
    reason = "a table of keys and modes over one repository"
)]
async fn verify_mode_requires_signatures_and_names_key() {
    let world = World::new("verify").await;
    let repository = world.repository("app");
    let keys = tempfile::tempdir().unwrap();
    let (private, public, fingerprint) = key(keys.path(), "author");
    let (stranger, ..) = key(keys.path(), "stranger");
    let unsigned = publish(&repository, None, "v0", false);
    publish(&repository, Some(&private), "v1", false);
    let foreign = publish(&repository, Some(&stranger), "v2", true);
    let whole = publish(&repository, Some(&private), "v3", true);
    let tag = |name: &str| json!({ "branch": null, "tag": name });
    world.create("early", &verify("HEAD", &tag("v3"))).await;
    let (object, message) = world.refused("early", "VerificationError").await;
    assert!(message.contains("public keys secret error"), "{message}");
    assert_eq!(condition(&object, "SourceVerified").0, "False");
    world.secret("keys", &[("author.sshpub", &public)]).await;

    let message = format!("- commit '{whole}' with key '{fingerprint}'");
    for (name, spec, mode) in [
        ("head", verify("HEAD", &json!({ "branch": "main" })), "HEAD"),
        (
            "lower",
            verify("head", &json!({ "branch": "main" })),
            "HEAD",
        ),
        ("both", verify("TagAndHEAD", &tag("v3")), "TagAndHEAD"),
        (
            "range",
            verify("Tag", &json!({ "branch": null, "semver": "3.x" })),
            "Tag",
        ),
        (
            "name",
            verify("Tag", &json!({ "branch": null, "name": "refs/tags/v3" })),
            "Tag",
        ),
    ] {
        // A range needs three numbers.
        if name == "range" {
            run("git", &["tag", "-d", "v3"], repository.path());
            let signing = format!("user.signingkey={private}");
            for tag in ["v3", "v3.0.0"] {
                run(
                    "git",
                    &[
                        "-c",
                        "user.name=a",
                        "-c",
                        "user.email=a@b",
                        "-c",
                        "gpg.format=ssh",
                        "-c",
                        &signing,
                        "tag",
                        "-s",
                        "-m",
                        tag,
                        tag,
                        &whole,
                    ],
                    repository.path(),
                );
            }
        }
        world.create(name, &spec).await;
        let object = world.ready(name).await;
        let (status, reason, said) = condition(&object, "SourceVerified");
        assert_eq!(
            (status.as_str(), reason.as_str()),
            ("True", "Succeeded"),
            "{name}"
        );
        assert!(said.starts_with("verified signature of\n\t- "), "{said}");
        assert_eq!(said.contains(&message), mode != "Tag", "{name}: {said}");
        assert_eq!(said.contains("- tag 'v3"), mode != "HEAD", "{name}: {said}");
        assert_eq!(
            object.status.unwrap().source_verification_mode.as_deref(),
            Some(mode)
        );
    }
    for (name, spec, reason, named) in [
        (
            "unsigned",
            verify("HEAD", &tag("v0")),
            "InvalidCommitSignature",
            &*unsigned,
        ),
        (
            "foreign",
            verify("HEAD", &tag("v2")),
            "InvalidCommitSignature",
            &*foreign,
        ),
        (
            "foreign-tag",
            verify("Tag", &tag("v2")),
            "InvalidTagSignature",
            "'v2@",
        ),
        (
            "light",
            verify("Tag", &tag("v1")),
            "InvalidGitObject",
            "tag 'v1' since it is not signed",
        ),
        (
            "no-tag",
            verify("TagAndHEAD", &json!({ "branch": "main" })),
            "InvalidVerificationMode",
            "tag reference",
        ),
    ] {
        world.create(name, &spec).await;
        let (object, message) = world.refused(name, reason).await;
        assert!(message.contains(named), "{name}: {message}");
        assert_eq!(condition(&object, "SourceVerified").1, reason, "{name}");
        assert!(object.status.as_ref().unwrap().artifact.is_none(), "{name}");
        let stalled = condition(&object, "Stalled").0 == "True";
        assert_eq!(stalled, name == "no-tag", "{name}");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn signed_tag_covers_only_its_own_commit() {
    let world = World::new("peel").await;
    let directory = tempfile::tempdir().unwrap();
    let repository = Repository::init_bare(directory.path().join("app"), "main").unwrap();
    let change = |content: &str| [Change::write("a.yaml", content.to_owned())];
    repository
        .commit("main", "First", &change("a: 1\n"))
        .unwrap();
    let keys = tempfile::tempdir().unwrap();
    let (private, public, _) = key(keys.path(), "author");
    world.secret("keys", &[("author.sshpub", &public)]).await;
    let truth = publish(&repository, Some(&private), "v1", true);
    let lie = repository.commit("evil", "Evil", &change("a: evil\n"));
    let lie = lie.unwrap().to_string();
    let tag = run("git", &["rev-parse", "v1"], repository.path());
    let fault = GitFault::LyingPeel {
        tag,
        truth: truth.clone(),
        lie: lie.clone(),
    };
    let liar = HostileGit::of(repository.clone(), fault).await;
    let honest = HostileGit::of(repository, GitFault::None).await;
    let v1 = json!({ "branch": null, "tag": "v1" });
    let range = json!({ "branch": null, "name": "refs/tags/v1" });
    for (name, mut spec) in [
        ("signed", verify("Tag", &v1)),
        ("named", verify("Tag", &range)),
        ("unsigned", json!({ "ref": v1 })),
        ("sparse", json!({ "ref": v1, "sparseCheckout": ["a.yaml"] })),
    ] {
        spec["url"] = json!(liar.url());
        world.create(name, &spec).await;
        let (object, message) = world.refused(name, "GitOperationFailed").await;
        let said = format!("leads to commit {lie}: it leads to commit {truth}");
        assert!(message.ends_with(&said), "{name}: {message}");
        assert!(object.status.unwrap().artifact.is_none(), "{name}");
        world
            .patch(name, json!({ "spec": { "url": honest.url() } }))
            .await;
        let revision = artifact(&world.ready(name).await).revision;
        assert!(revision.ends_with(&truth), "{name}: {revision}");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn changed_keys_verify_again_and_keep_artifact() {
    let world = World::new("rotate").await;
    let repository = world.repository("app");
    let keys = tempfile::tempdir().unwrap();
    let (private, public, _) = key(keys.path(), "author");
    let (_, other, _) = key(keys.path(), "other");
    publish(&repository, Some(&private), "v1", false);
    world.secret("keys", &[("author.sshpub", &public)]).await;
    world
        .create("app", &verify("HEAD", &json!({ "branch": "main" })))
        .await;
    let before = artifact(&world.ready("app").await);

    let secrets: kube::Api<k8s_openapi::api::core::v1::Secret> =
        kube::Api::namespaced(world.bed.client().await, &world.namespace);
    let replace = |key: String| {
        let secrets = secrets.clone();
        async move {
            let patch = json!({ "stringData": { "author.sshpub": key } });
            let patch = kube::api::Patch::Merge(patch);
            secrets
                .patch("keys", &kube::api::PatchParams::default(), &patch)
                .await
                .unwrap();
        }
    };
    replace(other).await;
    world.reconcile("app").await;
    let (object, _) = world.refused("app", "InvalidCommitSignature").await;
    assert_eq!(artifact(&object), before);
    replace(public).await;
    world.reconcile("app").await;
    let object = world.ready("app").await;
    assert_eq!(artifact(&object), before);
    assert_eq!(condition(&object, "SourceVerified").0, "True");

    // Without `spec.verify`, the condition is removed.
    world
        .patch("app", json!({ "spec": { "verify": null } }))
        .await;
    let object = world
        .until("app", "has no verdict", |object| {
            condition(object, "SourceVerified").0.is_empty()
        })
        .await;
    assert_eq!(object.status.unwrap().source_verification_mode, None);
}
