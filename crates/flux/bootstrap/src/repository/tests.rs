//! An existing branch of a pull request is used if it is as expected, and refused otherwise.

use sluice_devcluster::{GitOptions, GitServer};
use sluice_git::serve::{Change, Repository as Served};
use sluice_lifecycle::{Mark, Progress};

use super::*;

const NAME: &str = "flux/bootstrap-1";

#[derive(Debug)]
struct Silent;

impl Progress for Silent {
    fn report(&self, _: Mark, _: &str) {}

    fn report_error(&self, _: &Error) {}
}

/// A repository with one commit on `main`, and its server.
struct Host {
    server: GitServer,
    served: Served,
    _directory: TempDir,
}

impl Host {
    async fn start() -> Self {
        let directory = tempfile::tempdir().unwrap();
        let server = GitServer::start(GitOptions::new(directory.path()));
        let server = server.await.unwrap();
        let served = server.create("fleet.git", "main").unwrap();
        let changes = [Change::write("README.md", "# Fleet\n")];
        served.commit("main", "First", &changes).unwrap();
        Self {
            server,
            served,
            _directory: directory,
        }
    }

    async fn clone(&self, branch: &str) -> Repository<'static> {
        let url = self.server.url("fleet.git");
        let remote = Remote::new(&url).unwrap();
        let algorithms = SshAlgorithms::parse::<String>(&[], &[]).unwrap();
        let http = Arc::new(HttpClients::new("test"));
        let unseen =
            Repository::unseen(remote, branch, &url, algorithms, http, Reporter(&Silent)).unwrap();
        unseen.cloned().await.unwrap()
    }

    /// Pushes a commit of files on top of a branch as a new branch, by any user.
    async fn push(&self, base: &str, name: &str, files: Files) {
        let mut clone = self.clone(base).await;
        let committer = committer("mallory");
        let offered = clone.offer(name, "Add", &committer, files);
        offered.await.unwrap();
        assert!(self.served.head(name).unwrap().is_some());
    }

    /// Offers the manifests from a fresh clone.
    async fn offer(&self) -> Result<(), Error> {
        let mut clone = self.clone("main").await;
        clone
            .offer(NAME, "Add", &committer("me"), manifests())
            .await
    }
}

fn committer(name: &str) -> Committer {
    Committer {
        author: Author {
            name: name.to_owned(),
            email: String::new(),
        },
        appendix: None,
        signer: None,
    }
}

fn manifests() -> Files {
    [(
        "clusters/one/flux-system/gotk-sync.yaml".into(),
        b"a".into(),
    )]
    .into()
}

fn manifests_and(path: &str) -> Files {
    let mut files = manifests();
    files.insert(path.into(), b"b".into());
    files
}

fn refusal(offered: Result<(), Error>) -> String {
    let error = offered.unwrap_err();
    assert!(
        error.hints[0].contains("delete it at the host"),
        "{error:?}"
    );
    error.message
}

const REFUSAL: &str =
    "branch \"flux/bootstrap-1\" exists, and its changes are not the generated manifests";

#[tokio::test]
async fn offered_branch_of_an_earlier_run_is_used() {
    let host = Host::start().await;
    host.offer().await.unwrap();
    let offered = host.served.head(NAME).unwrap();
    host.offer().await.unwrap();
    let changes = [Change::write("README.md", "# Fleets\n")];
    host.served.commit("main", "Second", &changes).unwrap();
    host.offer().await.unwrap();
    assert_eq!(host.served.head(NAME).unwrap(), offered);
}

#[tokio::test]
async fn offered_branch_with_other_changes_is_refused() {
    for files in [
        manifests_and("clusters/one/evil.yaml"),
        [(
            "clusters/one/flux-system/gotk-sync.yaml".into(),
            b"b".into(),
        )]
        .into(),
    ] {
        let host = Host::start().await;
        host.push("main", NAME, files).await;
        let before = host.served.head(NAME).unwrap();
        assert_eq!(refusal(host.offer().await), REFUSAL);
        assert_eq!(host.served.head(NAME).unwrap(), before);
    }
}

#[tokio::test]
async fn offered_branch_with_other_commits_is_refused() {
    let host = Host::start().await;
    host.push("main", NAME, manifests()).await;
    let changes = [Change::write("evil.yaml", "")];
    host.served.commit(NAME, "Second", &changes).unwrap();
    assert_eq!(refusal(host.offer().await), REFUSAL);

    let host = Host::start().await;
    host.push("main", "evil", [("evil.yaml".into(), b"".into())].into())
        .await;
    host.push("evil", NAME, manifests()).await;
    assert_eq!(refusal(host.offer().await), REFUSAL);

    let host = Host::start().await;
    let changes = [Change::write(
        "clusters/one/flux-system/gotk-sync.yaml",
        "a",
    )];
    host.served.commit(NAME, "Unrelated", &changes).unwrap();
    assert_eq!(refusal(host.offer().await), REFUSAL);
}

#[tokio::test]
async fn branch_of_an_open_proposal_is_compared() {
    let host = Host::start().await;
    host.push("main", NAME, manifests_and("evil.yaml")).await;
    let mut clone = host.clone("main").await;
    let committer = committer("me");
    let checked = clone.check_offer(NAME, &committer, manifests());
    assert_eq!(refusal(checked.await), REFUSAL);
}
