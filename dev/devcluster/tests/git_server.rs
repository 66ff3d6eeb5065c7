//! The real `git` clones from and pushes to the Git server.
#![expect(
    clippy::disallowed_methods,
    reason = "the real client is the reference"
)]

use std::path::Path;
use std::process::{Command, Output};

use sluice_devcluster::{GitOptions, GitServer};
use sluice_git::serve::Change;

async fn git(directory: &Path, arguments: &[&str]) -> Output {
    let mut command = Command::new("git");
    command
        .current_dir(directory)
        .args(["-c", "user.name=test", "-c", "user.email=test@example.com"])
        .args(arguments)
        .env("GIT_TERMINAL_PROMPT", "0")
        .env("GIT_CONFIG_GLOBAL", "/dev/null");
    tokio::task::spawn_blocking(move || command.output().expect("git runs"))
        .await
        .expect("git runs")
}

#[tokio::test]
async fn git_clones_commits_and_pushes() {
    let root = tempfile::tempdir().unwrap();
    let work = tempfile::tempdir().unwrap();
    let server = GitServer::start(GitOptions::new(root.path()))
        .await
        .unwrap();
    let repository = server.create("team/app.git", "main").unwrap();
    // Large enough that the client compresses a later request and that the pack has many pieces.
    let noise: Vec<u8> = std::iter::repeat_with(|| fastrand::u8(..))
        .take(300_000)
        .collect();
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

    let cloned = git(
        work.path(),
        &["clone", "-q", &server.url("team/app.git"), "app"],
    )
    .await;
    assert!(
        cloned.status.success(),
        "{}",
        String::from_utf8_lossy(&cloned.stderr)
    );
    let app = work.path().join("app");
    let head = git(&app, &["rev-parse", "HEAD"]).await;
    assert_eq!(
        String::from_utf8_lossy(&head.stdout).trim(),
        first.to_string()
    );

    assert!(
        git(&app, &["commit", "-q", "--allow-empty", "-m", "second"])
            .await
            .status
            .success()
    );
    let pushed = git(&app, &["push", "-q", "origin", "HEAD:main"]).await;
    assert!(
        pushed.status.success(),
        "{}",
        String::from_utf8_lossy(&pushed.stderr)
    );
    assert_ne!(repository.head("main").unwrap(), Some(first));

    let requests = server.requests();
    assert_eq!(
        (requests.advertisements, requests.pushes, requests.refused),
        (2, 1, 0)
    );
    assert!(requests.fetches >= 1);
}

#[tokio::test]
async fn credentials_are_required_and_checked() {
    let root = tempfile::tempdir().unwrap();
    let options = GitOptions {
        credentials: Some(("jane".to_owned(), "secret".to_owned())),
        ..GitOptions::new(root.path())
    };
    let server = GitServer::start(options).await.unwrap();
    server
        .create("app", "main")
        .unwrap()
        .commit("main", "first", &[])
        .unwrap();

    let url = server.url("app");
    assert!(
        !git(root.path(), &["ls-remote", &url])
            .await
            .status
            .success()
    );
    assert_eq!(server.requests().advertisements, 0);
    let with = url.replace("http://", "http://jane:secret@");
    assert!(
        git(root.path(), &["ls-remote", &with])
            .await
            .status
            .success()
    );
    assert!(server.requests().refused >= 1);
}

#[tokio::test]
async fn missing_repository_is_not_found() {
    let root = tempfile::tempdir().unwrap();
    let server = GitServer::start(GitOptions::new(root.path()))
        .await
        .unwrap();
    let answer = git(root.path(), &["ls-remote", &server.url("nothing")]).await;
    assert!(String::from_utf8_lossy(&answer.stderr).contains("not found"));
}
