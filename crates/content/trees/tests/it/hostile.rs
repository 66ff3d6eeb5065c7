//! Repositories that mean harm, and what nobody allowed.

use sluice_kustomize::Code;
use sluice_testkit::hostile::{GitFault, HostileGit};
use sluice_trees::Settings;

use crate::bed::{build, folder, options, served, settings};

#[tokio::test(flavor = "multi_thread")]
async fn a_repository_that_is_silent_is_given_up_on_after_its_timeout() {
    for fault in [GitFault::SilentAtFirst, GitFault::SilentInPack(100)] {
        let server = HostileGit::start(fault).await;
        let url = format!("{}//?timeout=200ms", server.url());
        // Not asked for as a file: that would be waited for as well.
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
async fn no_url_may_ask_for_more_patience_than_there_is() {
    let server = HostileGit::start(GitFault::SilentAtFirst).await;
    let url = format!("{}//?timeout=100000h", server.url());
    let folder = folder(&format!("components: ['{url}']\n"), &[]);
    let impatient = Settings {
        patience: std::time::Duration::from_millis(100),
        ..settings()
    };
    let error = build(folder.path(), options(impatient)).await.unwrap_err();
    assert_eq!(error.code(), Code::RemoteTimeout, "{error}");
}

#[tokio::test(flavor = "multi_thread")]
async fn damaged_answers_fail_the_build() {
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
async fn a_redirected_repository_gets_no_credentials_of_the_first_host() {
    let other = HostileGit::start(GitFault::None).await;
    let one = HostileGit::start(GitFault::Redirected(other.url())).await;
    let url = one.url().replace("http://", "http://user:canary@");
    let folder = folder(&format!("components: ['{url}//']\n"), &[]);
    let error = build(folder.path(), options(settings())).await.unwrap_err();
    assert!(!error.to_string().contains("canary"), "{error}");
    assert!(other.seen().iter().all(|seen| seen.authorization.is_none()));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_reference_is_never_an_option() {
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
async fn repositories_of_this_machine_are_read_only_where_that_is_allowed() {
    let (_server, repository) = served().await;
    let url = format!("file://{}", repository.path().display());
    let folder = folder(&format!("resources: ['{url}//base']\n"), &[]);
    let remote_only = Settings {
        local: false,
        ..settings()
    };
    let error = build(folder.path(), options(remote_only))
        .await
        .unwrap_err();
    assert_eq!(error.code(), Code::RemoteDenied, "{error}");
    build(folder.path(), options(settings())).await.unwrap();
}
