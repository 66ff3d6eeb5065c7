//! Fetches from hostile repositories, and tests that forbidden files are refused.

use sluice_kustomize::Code;
use sluice_testkit::hostile::{GitFault, HostileGit};
use sluice_trees::FetchSettings;

use crate::setup::{build, folder, options, served, settings};

#[tokio::test(flavor = "multi_thread")]
async fn silent_repository_times_out() {
    for fault in [GitFault::SilentAtFirst, GitFault::SilentInPack(100)] {
        let server = HostileGit::start(fault).await;
        let url = format!("{}//?timeout=200ms", server.url());
        // A component is not tried as a file first, which would wait too.
        let folder = folder(&format!("components: ['{url}']\n"), &[]);
        let error = build(folder.path(), options(settings())).await.unwrap_err();
        assert_eq!(error.code(), Code::RemoteTimeout, "{error}");
        assert!(
            error
                .to_string()
                .contains("hit 200ms timeout fetching 'HEAD'"),
            "{error}"
        );
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn timeout_of_a_url_is_limited() {
    let server = HostileGit::start(GitFault::SilentAtFirst).await;
    let url = format!("{}//?timeout=100000h", server.url());
    let folder = folder(&format!("components: ['{url}']\n"), &[]);
    let impatient = FetchSettings {
        max_timeout: std::time::Duration::from_millis(100),
        ..settings()
    };
    let error = build(folder.path(), options(impatient)).await.unwrap_err();
    assert_eq!(error.code(), Code::RemoteTimeout, "{error}");
}

#[tokio::test(flavor = "multi_thread")]
async fn damaged_responses_fail_the_build() {
    for fault in [
        GitFault::Truncated(500),
        GitFault::Flipped,
        GitFault::RedirectedInCircles,
        GitFault::Unavailable(503),
        GitFault::Page,
    ] {
        let server = HostileGit::start(fault.clone()).await;
        let folder = folder(&format!("components: ['{}//']\n", server.url()), &[]);
        let error = build(folder.path(), options(settings())).await.unwrap_err();
        assert_eq!(error.code(), Code::RemoteFailed, "{fault:?}: {error}");
        assert!(!error.to_string().contains('\u{1b}'), "{error}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn redirect_does_not_forward_credentials() {
    let other = HostileGit::start(GitFault::None).await;
    let one = HostileGit::start(GitFault::Redirected(other.url())).await;
    let url = one.url().replace("http://", "http://user:canary@");
    let folder = folder(&format!("components: ['{url}//']\n"), &[]);
    let error = build(folder.path(), options(settings())).await.unwrap_err();
    assert!(!error.to_string().contains("canary"), "{error}");
    let (first, followed) = (one.seen(), other.seen());
    assert!(first.iter().any(|seen| seen.authorization.is_some()));
    assert!(!followed.is_empty(), "the redirect was not followed");
    assert!(followed.iter().all(|seen| seen.authorization.is_none()));
}

#[tokio::test(flavor = "multi_thread")]
async fn reference_is_never_an_option() {
    let (server, _repository) = served().await;
    let url = server.url("team/app.git");
    for reference in [
        "--upload-pack=touch",
        "-x",
        "a%0Ab",
        "a..b",
        "main:refs/heads/x",
    ] {
        let before = server.requests();
        let folder = folder(
            &format!("components: ['{url}//base?ref={reference}']\n"),
            &[],
        );
        let error = build(folder.path(), options(settings())).await.unwrap_err();
        let refused = matches!(error.code(), Code::RemoteDenied | Code::RemoteFailed);
        assert!(refused, "{reference}: {error}");
        assert_eq!(server.requests(), before, "{reference}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn local_repositories_need_permission() {
    let (_server, repository) = served().await;
    let url = format!("file://{}", repository.path().display());
    let folder = folder(&format!("resources: ['{url}//base']\n"), &[]);
    let remote_only = FetchSettings {
        allow_local: false,
        ..settings()
    };
    let error = build(folder.path(), options(remote_only))
        .await
        .unwrap_err();
    assert_eq!(error.code(), Code::RemoteDenied, "{error}");
    build(folder.path(), options(settings())).await.unwrap();
}
