//! Bad input: templates, paths, markers, files and links.

use serde_json::json;
use sluice_api::image::ImageUpdateAutomation;
use sluice_api::source::GitRepository;

use super::{World, content, git, head, last_push, manifest, ready};

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn faults_name_their_reason() {
    let world = World::with("iua-fault", &["--no-cross-namespace-refs=true"]).await;
    let old = manifest(&world, "app", "1.0.0");
    let repository = world.repository("fleet", &[("app.yaml", &old)]).await;
    let before = head(&repository, "main");
    world.policy("app", "1.1.0").await;
    let template = |text: &str| json!({ "commit": { "messageTemplate": text } });
    for (name, text) in [
        ("removed", "{{ .Updated }}"),
        ("broken", "{{ .Nothing }}"),
        ("open", "{{ if"),
        ("endless", "{{ range until 100000000 }}x{{ end }}"),
    ] {
        world.automation(name, "fleet", template(text)).await;
    }
    world.automation("lost", "nowhere", json!({})).await;
    let push = json!({ "push": { "refspec": "refs/heads/other:refs/heads/copy" } });
    world.automation("refspec", "fleet", push).await;
    let checkout = json!({ "checkout": { "ref": { "branch": "missing" } } });
    world.automation("branch", "fleet", checkout).await;
    let options = json!({ "push": { "options": { "topic": "x" } } });
    world.automation("options", "fleet", options).await;
    for (name, reason, said) in [
        (
            "removed",
            "RemovedTemplateField",
            "template uses removed '.Updated' field.",
        ),
        (
            "broken",
            "GitOperationFailed",
            "failed to update source: failed to run template from spec: ",
        ),
        (
            "open",
            "GitOperationFailed",
            "failed to update source: unable to create commit message template from spec: ",
        ),
        (
            "endless",
            "GitOperationFailed",
            "failed to update source: failed to run template from spec: ",
        ),
        (
            "lost",
            "SourceManagerFailed",
            "failed configuring source manager: referenced git repository does not exist: \
             GitRepository.source.toolkit.fluxcd.io \"nowhere\" not found",
        ),
        (
            "refspec",
            "InvalidSourceConfiguration",
            "push refspec 'refs/heads/other:refs/heads/copy' must have",
        ),
        (
            "branch",
            "GitOperationFailed",
            "failed to checkout source: unable to clone '",
        ),
        ("options", "GitOperationFailed", "failed to update source: "),
    ] {
        let message = world.reports(name, reason).await;
        assert!(message.starts_with(said), "{name}: {message}");
    }
    assert_eq!(head(&repository, "main"), before);

    // A path that does not exist, and a repository of another namespace.
    world.automation("path", "fleet", json!({})).await;
    let path = json!({ "spec": { "update": { "path": "missing" } } });
    world.patch::<ImageUpdateAutomation>("path", path).await;
    let other = json!({ "spec": { "sourceRef": { "namespace": "other" } } });
    world.patch::<ImageUpdateAutomation>("lost", other).await;
    let message = world.reports("lost", "AccessDenied").await;
    let text =
        "can't access 'GitRepository/other/nowhere', cross-namespace references have been blocked";
    assert_eq!(message, text);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn unusable_files_and_links_are_left_alone() {
    let world = World::new("iua-files").await;
    let old = manifest(&world, "app", "1.0.0");
    let broken = format!("a: [ # {{\"$imagepolicy\": \"{}:app\"}}\n", world.namespace);
    let malformed = "a: 1 # {\"$imagepolicy\": \n";
    let missing = format!(
        "a: 1 # {{\"$imagepolicy\": \"{}:nothing\"}}\n",
        world.namespace
    );
    let binary = format!("\u{0}\u{1}\"$imagepolicy\"{old}");
    let files = [
        ("app.yaml", &*old),
        ("text.txt", &*old),
        ("broken.yaml", &*broken),
        ("malformed.yaml", malformed),
        ("missing.yaml", &*missing),
        ("binary.yaml", &*binary),
        ("shared/target.txt", &*old),
    ];
    let repository = world.repository("fleet", &files).await;
    link(
        &repository,
        &[
            ("out.yaml", "../../etc/passwd"),
            ("absolute.yaml", "/etc/passwd"),
            ("loop.yaml", "loop.yaml"),
            ("inside.yaml", "shared/target.txt"),
        ],
    )
    .await;
    world.policy("app", "1.1.0").await;
    world.automation("auto", "fleet", json!({})).await;
    let pushed = last_push(&world.pushes("auto", None).await);
    let new = old.replace("1.0.0", "1.1.0");
    assert_eq!(content(&repository, "main", "app.yaml"), new);
    // A link inside of the repository is followed, as in the reference.
    assert_eq!(content(&repository, "main", "shared/target.txt"), new);
    let changed = git(
        &repository,
        &["diff", "--name-only", &format!("{pushed}^"), &pushed],
    )
    .await;
    assert_eq!(changed, "app.yaml\nshared/target.txt");
    let mode = git(&repository, &["ls-tree", "main", "inside.yaml"]).await;
    assert!(mode.starts_with("120000 "), "{mode}");
    let object = world.sees("auto", "exists", |_| true).await;
    assert_eq!(ready(&object).2, "repository up-to-date");
}

/// Commits symbolic links.
async fn link(repository: &sluice_git::serve::Repository, links: &[(&str, &str)]) {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().display().to_string();
    git(
        repository,
        &["worktree", "add", "-q", "--detach", &path, "main"],
    )
    .await;
    for (name, target) in links {
        std::os::unix::fs::symlink(target, directory.path().join(name)).unwrap();
    }
    for arguments in [
        &["add", "-A"][..],
        &[
            "-c",
            "user.name=T",
            "-c",
            "user.email=t@e",
            "commit",
            "-q",
            "-m",
            "Links",
        ],
    ] {
        git(repository, &[&["-C", &path], arguments].concat()).await;
    }
    let new = git(repository, &["-C", &path, "rev-parse", "HEAD"]).await;
    git(repository, &["update-ref", "refs/heads/main", &new]).await;
    git(repository, &["worktree", "remove", "--force", &path]).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn secrets_of_the_repository_are_used() {
    let world = World::new("iua-secret").await;
    let old = manifest(&world, "app", "1.0.0");
    let repository = world.repository("fleet", &[("app.yaml", &old)]).await;
    let app = [
        ("githubAppID", b"1".as_slice()),
        ("githubAppInstallationID", b"2"),
        ("githubAppPrivateKey", b"canary"),
    ];
    world.bed.secret(&world.namespace, "app", None, &app).await;
    world.policy("app", "1.1.0").await;
    world.automation("auto", "fleet", json!({})).await;
    world.pushes("auto", None).await;
    let secret = |name: &str| json!({ "spec": { "secretRef": { "name": name } } });
    world
        .patch::<GitRepository>("fleet", secret("absent"))
        .await;
    let message = world.reports("auto", "SourceManagerFailed").await;
    let namespace = &world.namespace;
    let said = format!(
        "failed configuring source manager: failed to get auth secret '{namespace}/absent': "
    );
    assert!(message.starts_with(&said), "{message}");
    world.patch::<GitRepository>("fleet", secret("app")).await;
    let message = world.reports("auto", "InvalidSourceConfiguration").await;
    let said = format!(
        "secretRef '{namespace}/app' has github app data but provider is not set to github: \
         invalid source configuration"
    );
    assert_eq!(message, said);
    assert!(head(&repository, "main").is_some());
}
