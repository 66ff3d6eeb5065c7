//! Commits pushed to our server, to git's `http-backend` and over SSH to OpenSSH. Git verifies the
//! result.

use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};

use sluice_git::serve::{Change, Repository};
use sluice_git::{
    Author, Client, Commit, Draft, Error, ErrorKind, Limits, PackedCommit, Reference, Remote,
    ResolvedReference, Signer, SigningKeyError, Store, TrustedKeys,
};
use sluice_system::{Clock as _, SystemClock, fs};

use crate::server::{Backend, Server, client, run_with};
use crate::signature::{exported, openpgp, program};
use crate::ssh::Sshd;

fn draft(message: &str, files: &[(&str, &str)]) -> Draft {
    let files = files.iter();
    Draft {
        files: files
            .map(|(path, content)| (PathBuf::from(path), content.as_bytes().to_vec()))
            .collect(),
        author: Author {
            name: "Flux".to_owned(),
            email: String::new(),
        },
        seconds: 1_700_000_000,
        message: message.to_owned(),
    }
}

/// A clone: a store and the commit of `main`.
struct Clone {
    client: Client,
    remote: Remote,
    store: Store,
    head: Option<Commit>,
    _directory: tempfile::TempDir,
}

impl Clone {
    async fn of(remote: Remote) -> Self {
        let (client, directory) = (client(), tempfile::tempdir().unwrap());
        let store = Store::at(directory.path().join("s"), Limits::default());
        let mut clone = Self {
            client,
            remote,
            store,
            head: None,
            _directory: directory,
        };
        let main = Reference::Branch("main".to_owned());
        match clone.client.resolve(&clone.remote, &main).await {
            Ok(resolved) => clone.fetch(&resolved).await,
            Err(error) => assert_eq!(error.kind(), ErrorKind::Empty, "{error}"),
        }
        clone
    }

    async fn fetch(&mut self, resolved: &ResolvedReference) {
        let fetched = self.store.fetch(&self.client, &self.remote, resolved);
        self.head = Some(fetched.await.unwrap().commit);
    }

    async fn draft(&self, message: &str, files: &[(&str, &str)]) -> PackedCommit {
        let drafted = self
            .store
            .draft(self.head.as_ref(), draft(message, files), None);
        drafted.await.unwrap().expect("the draft has a change")
    }

    async fn push(&self, drafted: &PackedCommit) -> Result<(), Error> {
        self.client.push(&self.remote, "main", drafted).await
    }
}

/// Pushes two commits, and verifies them with git.
async fn commits_arrive(remote: Remote, repository: &Repository) {
    let mut clone = Clone::of(remote).await;
    let first = clone
        .draft("Add one", &[("clusters/a/one.yaml", "one: 1\n")])
        .await;
    clone.push(&first).await.unwrap();
    assert_eq!(repository.head("main").unwrap(), Some(first.id));
    let resolved = ResolvedReference {
        label: Some("main".to_owned()),
        want: first.id,
        commit: first.id,
        ties: Vec::new(),
    };
    clone.fetch(&resolved).await;
    let files = [("clusters/a/two.yaml", "two: 2\n"), ("top", "x")];
    let second = clone.draft("Add two\n\n[ci skip]", &files).await;
    assert_eq!(second.parent, Some(first.id));
    clone.push(&second).await.unwrap();

    let git = |arguments: &'static [&'static str]| async move {
        run_with(repository.path(), arguments, &[]).await
    };
    git(&["fsck", "--strict", "--no-dangling"]).await;
    let tree = git(&["ls-tree", "-r", "--name-only", "main"]).await;
    assert_eq!(tree, "clusters/a/one.yaml\nclusters/a/two.yaml\ntop");
    let log = git(&["log", "--format=%an|%ae|%ct|%B", "main"]).await;
    assert!(
        log.starts_with("Flux||1700000000|Add two\n\n[ci skip]"),
        "{log}"
    );

    let again = draft("Nothing", &[("top", "x")]);
    clone
        .fetch(&ResolvedReference {
            want: second.id,
            commit: second.id,
            ..resolved
        })
        .await;
    let nothing = clone.store.draft(clone.head.as_ref(), again, None).await;
    assert_eq!(
        nothing.unwrap(),
        None,
        "unchanged files must not create a commit"
    );
}

#[tokio::test]
async fn commits_are_pushed_over_http() {
    for backend in [Backend::Ours, Backend::Real { version: 2 }] {
        let server = Server::start(backend).await;
        let repository = server.repository("r.git");
        pushable(&repository);
        commits_arrive(server.remote("r.git"), &repository).await;
    }
}

#[tokio::test]
async fn commits_are_pushed_over_ssh() {
    let Some(sshd) = Sshd::start("").await else {
        return;
    };
    let path = sshd.bare("empty.git");
    let repository = Repository::init_bare(&path, "main").unwrap();
    commits_arrive(sshd.known(&path), &repository).await;
}

/// Lets `git http-backend` accept anonymous pushes.
fn pushable(repository: &Repository) {
    let path = repository.path().join("config");
    let config = fs::read_to_string(&path).unwrap() + "[http]\n\treceivepack = true\n";
    fs::write(path, config).unwrap();
}

fn hook(repository: &Repository, script: &str) {
    let path = repository.path().join("hooks/pre-receive");
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(&path, format!("#!/bin/sh\n{script}\n")).unwrap();
    fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).unwrap();
}

#[tokio::test]
async fn moved_branch_is_not_overwritten() {
    for backend in [Backend::Ours, Backend::Real { version: 2 }] {
        let server = Server::start(backend).await;
        let repository = server.repository("r.git");
        pushable(&repository);
        let commit = |name: &str| repository.commit("main", name, &[Change::write(name, "x")]);
        commit("a").unwrap();
        let clone = Clone::of(server.remote("r.git")).await;
        let drafted = clone.draft("mine", &[("mine", "x")]).await;
        let theirs = commit("theirs").unwrap();
        let refused = clone.push(&drafted).await.unwrap_err();
        assert_eq!(refused.kind(), ErrorKind::Moved, "{refused}");
        assert!(
            refused.to_string().contains(&theirs.to_string()),
            "{refused}"
        );
        assert_eq!(repository.head("main").unwrap(), Some(theirs));
    }
}

#[tokio::test]
async fn push_new_does_not_move_existing_branch() {
    for backend in [Backend::Ours, Backend::Real { version: 2 }] {
        let server = Server::start(backend).await;
        let repository = server.repository("r.git");
        pushable(&repository);
        let first = repository.commit("main", "a", &[Change::write("a", "x")]);
        let first = first.unwrap();
        let clone = Clone::of(server.remote("r.git")).await;
        let drafted = clone.draft("mine", &[("mine", "x")]).await;
        let push = async |drafted| clone.client.push_new(&clone.remote, "new", drafted).await;
        push(&drafted).await.unwrap();
        assert_eq!(repository.head("new").unwrap(), Some(drafted.id));
        assert_eq!(repository.head("main").unwrap(), Some(first));
        let other = clone.draft("another", &[("mine", "y")]).await;
        let refused = push(&other).await.unwrap_err();
        assert_eq!(refused.kind(), ErrorKind::Moved, "{refused}");
        assert_eq!(repository.head("new").unwrap(), Some(drafted.id));
    }
}

#[tokio::test]
async fn hook_output_is_reported_without_controls() {
    let server = Server::start(Backend::Real { version: 2 }).await;
    let repository = server.repository("r.git");
    pushable(&repository);
    hook(
        &repository,
        "printf 'GH006: \\033[31mprotected\\n' >&2; exit 1",
    );
    let clone = Clone::of(server.remote("r.git")).await;
    let drafted = clone.draft("mine", &[("mine", "x")]).await;
    let refused = clone.push(&drafted).await.unwrap_err();
    assert_eq!(refused.kind(), ErrorKind::Refused, "{refused}");
    let text = refused.to_string();
    assert!(text.contains("pre-receive hook declined"), "{text}");
    assert!(text.contains("GH006: \u{fffd}[31mprotected"), "{text}");
    assert_eq!(repository.head("main").unwrap(), None);
}

#[tokio::test]
async fn unauthorized_push_error_has_no_password() {
    let server = Server::start_with(Backend::Ours, Some("Basic bm90OnRoaXM=")).await;
    server.repository("r.git");
    let (client, directory) = (client(), tempfile::tempdir().unwrap());
    let store = Store::at(directory.path().join("s"), Limits::default());
    let drafted = store.draft(None, draft("x", &[("a", "x")]), None).await;
    let url = server.base.replace("http://", "http://me:hunter2@");
    let remote = Remote::new(&format!("{url}/r.git")).unwrap();
    let refused = client
        .push(&remote, "main", &drafted.unwrap().unwrap())
        .await;
    let refused = refused.unwrap_err();
    assert_eq!(refused.kind(), ErrorKind::Authentication, "{refused}");
    assert!(!format!("{refused:?}{refused}").contains("hunter2"));
}

/// Pushes a signed commit to a real repository, and verifies it with `git verify-commit`.
async fn verified(signer: Signer, settings: &[&str], home: &Path) {
    let server = Server::start(Backend::Real { version: 2 }).await;
    let repository = server.repository("r.git");
    pushable(&repository);
    let clone = Clone::of(server.remote("r.git")).await;
    let drafted = clone
        .store
        .draft(None, draft("Signed", &[("a", "x")]), Some(signer.clone()))
        .await;
    let drafted = drafted.unwrap().unwrap();
    clone.push(&drafted).await.unwrap();
    let environment = [("GNUPGHOME", home.to_str().unwrap())];
    let verify = [settings, &["verify-commit", "main"]].concat();
    run_with(repository.path(), &verify, &environment).await;

    let clone = Clone::of(server.remote("r.git")).await;
    let (signed, _) = clone
        .store
        .signed(clone.head.as_ref().unwrap())
        .await
        .unwrap();
    let public = signer.public().unwrap();
    let keys = TrustedKeys::read([
        ("a.asc", public.as_bytes()),
        ("b.sshpub", public.as_bytes()),
    ]);
    keys.verify(&signed, SystemClock.now().into()).unwrap();
}

#[tokio::test]
async fn git_verifies_openpgp_signatures() {
    let home = tempfile::tempdir().unwrap();
    fs::set_permissions(home.path(), fs::Permissions::from_mode(0o700)).unwrap();
    let now = SystemClock.now().into();
    let Some(first) = openpgp(home.path(), "first", "ed25519", "never").await else {
        return;
    };
    let second = openpgp(home.path(), "second", "rsa2048", "never")
        .await
        .unwrap();
    let export = [
        "--batch",
        "--pinentry-mode",
        "loopback",
        "--passphrase",
        "",
        "--armor",
        "--export-secret-keys",
    ];
    let ring = program("gpg", &export, home.path()).await.unwrap();
    for (id, key) in [
        (None, &first),
        (Some(second.as_str()), &second),
        (Some(&second[24..]), &second),
    ] {
        let signer = Signer::openpgp(ring.as_bytes(), None, id, now).unwrap();
        let theirs = exported(home.path(), key).await.unwrap();
        let ours = signer.public().unwrap();
        let keys = TrustedKeys::read([("a.asc", theirs.as_bytes())]);
        assert!(!ours.contains("PRIVATE") && keys != TrustedKeys::default());
        verified(signer, &[], home.path()).await;
    }
    let refused = Signer::openpgp(ring.as_bytes(), None, Some("0123456789abcdef"), now);
    assert_eq!(
        refused.unwrap_err(),
        SigningKeyError::NotInRing {
            id: "0123456789abcdef".to_owned(),
            available: vec![first[24..].to_owned(), second[24..].to_owned()],
        }
    );
    let far = now + std::time::Duration::from_hours(10 * 365 * 24);
    let short = openpgp(home.path(), "short", "ed25519", "1y")
        .await
        .unwrap();
    let ring = program("gpg", &export, home.path()).await.unwrap();
    let expired = Signer::openpgp(ring.as_bytes(), None, Some(&short), far).unwrap_err();
    assert!(expired.to_string().contains("expired"), "{expired}");
}

#[tokio::test]
async fn git_verifies_ssh_signatures() {
    let home = tempfile::tempdir().unwrap();
    let now = SystemClock.now().into();
    for (kind, passphrase) in [("ed25519", ""), ("ecdsa", "open sesame"), ("rsa", "")] {
        let generate = ["-q", "-t", kind, "-N", passphrase, "-C", "", "-f", kind];
        if program("ssh-keygen", &generate, home.path())
            .await
            .is_none()
        {
            return;
        }
        let private = fs::read_to_string(home.path().join(kind)).unwrap();
        let public = fs::read_to_string(home.path().join(format!("{kind}.pub"))).unwrap();
        let given = (!passphrase.is_empty()).then(|| passphrase.to_owned().into());
        let signer = Signer::ssh(&private, given.as_ref(), now).unwrap();
        let allowed = home.path().join("allowed");
        fs::write(&allowed, format!("* {public}")).unwrap();
        let allowed = format!("gpg.ssh.allowedSignersFile={}", allowed.display());
        verified(
            signer,
            &["-c", "gpg.format=ssh", "-c", &allowed],
            home.path(),
        )
        .await;
        if !passphrase.is_empty() {
            let wrong = "wrong".to_owned().into();
            for given in [None, Some(&wrong)] {
                let refused = Signer::ssh(&private, given, now).unwrap_err();
                assert_eq!(refused, SigningKeyError::Locked);
            }
        }
    }
    let refused = Signer::ssh("hunter2", None, now).unwrap_err();
    assert_eq!(refused, SigningKeyError::Unreadable("SSH"));
}
