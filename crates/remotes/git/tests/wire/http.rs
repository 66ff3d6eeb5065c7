//! Fetches over HTTP from regular servers.

use std::sync::{Arc, Mutex};

use axum::http::{HeaderValue, StatusCode, header};
use sluice_dial::{Basic, Bearer, Credentials};
use sluice_git::serve::{Change, Repository};
use sluice_git::walk::VisitError;
use sluice_git::{
    Access, Commit, Entry, ErrorKind, Kind, Limits, ObjectId, Reference, Remote, Step, Store,
};

use crate::server::{Backend, Server, client, reply, run};

const BACKENDS: [Backend; 4] = [
    Backend::Ours,
    Backend::Real { version: 2 },
    Backend::Real { version: 1 },
    Backend::Real { version: 0 },
];

pub(crate) fn branch(name: &str) -> Reference {
    Reference::Branch(name.to_owned())
}

pub(crate) fn filled(repository: &Repository) -> ObjectId {
    let changes = [
        Change::write("b.yaml", "b: 1\n"),
        Change::write("a/z.yaml", "z: 1\n"),
        Change::write("a.txt", "text\n"),
        Change::Write {
            path: "run.sh".into(),
            content: b"#!/bin/sh\n".to_vec(),
            executable: true,
        },
        Change::Link {
            path: "link".into(),
            target: "a.txt".into(),
        },
    ];
    repository
        .commit("main", "First commit\n\nWith a body.\n", &changes)
        .unwrap()
}

/// Paths, kinds and contents of a commit in walk order.
pub(crate) async fn listing(store: &Store, commit: &Commit) -> Vec<(String, Kind, String)> {
    let found = Arc::new(Mutex::new(Vec::new()));
    let list = Arc::clone(&found);
    let visitor = move |entry: &Entry<'_>| -> Result<Step, VisitError> {
        let content = match entry.kind() {
            Kind::File { .. } | Kind::Symlink => String::from_utf8(entry.read(1 << 20)?)?,
            _ => String::new(),
        };
        let path = entry.path().display().to_string();
        list.lock().unwrap().push((path, entry.kind(), content));
        Ok(Step::Next)
    };
    store.walk(commit, visitor).await.map(drop).unwrap();
    Arc::into_inner(found).unwrap().into_inner().unwrap()
}

#[tokio::test]
async fn branch_is_fetched_from_all_servers() {
    for backend in BACKENDS {
        let server = Server::start(backend).await;
        let repository = server.repository("r.git");
        let id = filled(&repository);
        let (client, remote) = (client(), server.remote("r.git"));
        let directory = tempfile::tempdir().unwrap();
        let store = Store::at(directory.path().join("s"), Limits::default());

        let resolved = client.resolve(&remote, &branch("main")).await.unwrap();
        assert_eq!(resolved.revision(), format!("main@sha1:{id}"));
        let fetched = store.fetch(&client, &remote, &resolved).await.unwrap();
        assert!(fetched.received > 0);
        let commit = fetched.commit;
        assert_eq!((commit.id, commit.subject()), (id, "First commit"));
        assert_eq!(commit.author.name, "sluice");
        assert_eq!(commit.revision(), resolved.revision());

        let file = |executable| Kind::File { executable };
        let expected = [
            ("", Kind::Directory, ""),
            ("a", Kind::Directory, ""),
            ("a/z.yaml", file(false), "z: 1\n"),
            ("a.txt", file(false), "text\n"),
            ("b.yaml", file(false), "b: 1\n"),
            ("link", Kind::Symlink, "a.txt"),
            ("run.sh", file(true), "#!/bin/sh\n"),
        ];
        let found = listing(&store, &commit).await;
        let found: Vec<_> = found
            .iter()
            .map(|(p, k, c)| (p.as_str(), *k, c.as_str()))
            .collect();
        assert_eq!(found, expected);
    }
}

#[tokio::test]
async fn new_commit_fetches_only_new_objects() {
    for backend in BACKENDS {
        let server = Server::start(backend).await;
        let repository = server.repository("r.git");
        // Incompressible bytes, so that sending them again would be visible.
        let mut noise = incompressible(200_000);
        repository
            .commit("main", "big", &[Change::write("noise", noise.clone())])
            .unwrap();
        let (client, remote) = (client(), server.remote("r.git"));
        let directory = tempfile::tempdir().unwrap();
        let store = Store::at(directory.path().join("s"), Limits::default());
        let resolved = client.resolve(&remote, &branch("main")).await.unwrap();
        let first = store.fetch(&client, &remote, &resolved).await.unwrap();
        assert!(first.received > 200_000);

        repository
            .commit("main", "small", &[Change::write("one", "line\n")])
            .unwrap();
        let resolved = client.resolve(&remote, &branch("main")).await.unwrap();
        let second = store.fetch(&client, &remote, &resolved).await.unwrap();
        assert!(second.received < 1000, "{} bytes", second.received);
        let found = listing_of(&store, &second.commit).await;
        assert_eq!(found, ["", "noise", "one"]);

        // A change of incompressible content is a delta against an object that the server knows as
        // a have.
        noise[100_000] ^= 1;
        repository
            .commit("main", "edit", &[Change::write("noise", noise.clone())])
            .unwrap();
        let resolved = client.resolve(&remote, &branch("main")).await.unwrap();
        let third = store.fetch(&client, &remote, &resolved).await.unwrap();
        if !matches!(server.backend, Backend::Ours) {
            assert!(third.received < 1000, "{} bytes", third.received);
        }
        let expected = noise.clone();
        let visitor = move |entry: &Entry<'_>| -> Result<Step, VisitError> {
            if entry.path().ends_with("noise") {
                assert!(entry.read(1 << 20)? == expected);
            }
            Ok(Step::Next)
        };
        store.walk(&third.commit, visitor).await.map(drop).unwrap();

        // A force-push to a commit with an unrelated history.
        noise.truncate(10);
        let orphan = server.repository("orphan.git");
        orphan
            .commit("main", "other", &[Change::write("noise", noise)])
            .unwrap();
        let path = orphan.path().display().to_string();
        run(
            &server.root.join("r.git"),
            &["fetch", "-q", &path, "+main:main"],
        )
        .await;
        let resolved = client.resolve(&remote, &branch("main")).await.unwrap();
        let third = store.fetch(&client, &remote, &resolved).await.unwrap();
        assert_eq!(listing_of(&store, &third.commit).await, ["", "noise"]);
    }
}

pub(crate) async fn listing_of(store: &Store, commit: &Commit) -> Vec<String> {
    let found = Arc::new(Mutex::new(Vec::new()));
    let list = Arc::clone(&found);
    let visitor = move |entry: &Entry<'_>| -> Result<Step, VisitError> {
        list.lock()
            .unwrap()
            .push(entry.path().display().to_string());
        Ok(Step::Next)
    };
    store.walk(commit, visitor).await.map(drop).unwrap();
    found.lock().unwrap().clone()
}

pub(crate) fn incompressible(count: usize) -> Vec<u8> {
    let mut state = 0x2545_f491_4f6c_dd1d_u64;
    let mut next = || {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        state.to_be_bytes()[0]
    };
    (0..count).map(|_| next()).collect()
}

#[tokio::test]
async fn all_reference_kinds_are_resolved() {
    for backend in BACKENDS {
        let server = Server::start(backend).await;
        let repository = server.repository("r.git");
        let first = filled(&repository);
        repository.tag("light", first, None).unwrap();
        let tag = repository.tag("v1.0.0", first, Some("a release")).unwrap();
        let second = repository
            .commit("main", "second", &[Change::write("x", "x")])
            .unwrap();
        let side = repository
            .commit("side", "aside", &[Change::write("y", "y")])
            .unwrap();
        let (client, remote) = (client(), server.remote("r.git"));
        let directory = tempfile::tempdir().unwrap();
        let store = Store::at(directory.path().join("s"), Limits::default());
        let pinned = |id, branch: Option<&str>| Reference::Commit {
            id,
            branch: branch.map(str::to_owned),
            name: None,
        };
        let cases = [
            (
                Reference::Tag("light".into()),
                first,
                format!("light@sha1:{first}"),
            ),
            (
                Reference::Tag("v1.0.0".into()),
                first,
                format!("v1.0.0@sha1:{first}"),
            ),
            (
                Reference::Name("refs/tags/v1.0.0^{}".into()),
                first,
                format!("refs/tags/v1.0.0^{{}}@sha1:{first}"),
            ),
            (
                Reference::Name("refs/heads/side".into()),
                side,
                format!("refs/heads/side@sha1:{side}"),
            ),
            (
                Reference::Name("HEAD".into()),
                second,
                format!("HEAD@sha1:{second}"),
            ),
            (
                pinned(second, Some("main")),
                second,
                format!("main@sha1:{second}"),
            ),
            (
                pinned(first, Some("main")),
                first,
                format!("main@sha1:{first}"),
            ),
            (pinned(first, None), first, format!("sha1:{first}")),
        ];
        for (reference, id, revision) in cases {
            let resolved = client.resolve(&remote, &reference).await.unwrap();
            assert_eq!((resolved.commit, resolved.revision()), (id, revision));
            let commit = store
                .fetch(&client, &remote, &resolved)
                .await
                .unwrap()
                .commit;
            assert_eq!(commit.id, id, "{reference:?}");
            let annotated = resolved.want != resolved.commit;
            assert_eq!(commit.tag, annotated.then_some(tag), "{reference:?}");
        }

        let error = client
            .resolve(&remote, &pinned(side, Some("main")))
            .await
            .unwrap_err();
        assert!(
            error
                .to_string()
                .contains("not reachable from branch 'main'"),
            "{error}"
        );
        let error = client.resolve(&remote, &branch("gone")).await.unwrap_err();
        assert_eq!(
            error.to_string(),
            format!(
                "reference 'refs/heads/gone' not found in {}/r.git",
                server.base
            )
        );
        let error = client
            .resolve(&remote, &branch("--upload-pack=touch /tmp/x"))
            .await
            .unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Invalid);
        let nobody = client
            .resolve(&remote, &pinned(ObjectId::from_bytes([9; 20]), None))
            .await
            .unwrap();
        let error = store.fetch(&client, &remote, &nobody).await.unwrap_err();
        assert_eq!(error.kind(), ErrorKind::NotFound, "{error}");
    }
}

#[tokio::test]
async fn empty_and_missing_repository_differ() {
    for backend in BACKENDS {
        let server = Server::start(backend).await;
        server.repository("empty.git");
        let client = client();
        let error = client
            .resolve(&server.remote("empty.git"), &branch("main"))
            .await
            .unwrap_err();
        assert_eq!(
            (error.kind(), error.to_string().as_str()),
            (ErrorKind::Empty, "git repository is empty")
        );
        let error = client
            .resolve(&server.remote("missing.git"), &branch("main"))
            .await
            .unwrap_err();
        assert_eq!(error.kind(), ErrorKind::NotFound);
        assert!(
            error.to_string().contains("missing.git not found"),
            "{error}"
        );
    }
}

#[tokio::test]
async fn rejected_credentials_are_named() {
    let header = "Basic dXNlcjpodW50ZXIy";
    let server = Server::start_with(Backend::Ours, Some(header)).await;
    filled(&server.repository("r.git"));
    let (client, remote) = (client(), server.remote("r.git"));
    let basic = |password| Access::Http(Credentials::Basic(Basic::new("user", password)));
    client
        .resolve(
            &remote.clone().with_access(basic("hunter2")),
            &branch("main"),
        )
        .await
        .unwrap();
    let embedded = server.base.replace("http://", "http://user:hunter2@");
    let embedded = Remote::new(&format!("{embedded}/r.git")).unwrap();
    client.resolve(&embedded, &branch("main")).await.unwrap();
    let bearer = Access::Http(Credentials::Bearer(Bearer::new("token").unwrap()));
    for access in [Access::Anonymous, basic("wrong"), bearer] {
        let error = client
            .resolve(&remote.clone().with_access(access), &branch("main"))
            .await
            .unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Authentication);
        assert!(
            error.to_string().contains("authentication required"),
            "{error}"
        );
        assert!(!error.to_string().contains("hunter2"), "{error}");
    }
    let sent = server
        .asked
        .lock()
        .unwrap()
        .last()
        .unwrap()
        .authorization
        .clone();
    assert_eq!(sent.as_deref(), Some("Bearer token"));
}

#[tokio::test]
async fn redirect_is_followed_once_without_credentials() {
    let target = Server::start(Backend::Ours).await;
    filled(&target.repository("r.git"));
    let to = target.base.clone();
    let server = Server::scripted(move |asked| {
        let path = asked.line.split(' ').nth(1).unwrap_or_default();
        let mut response = reply(StatusCode::MOVED_PERMANENTLY, "text/plain", "");
        let location = HeaderValue::from_str(&format!("{to}{path}")).unwrap();
        response.headers_mut().insert(header::LOCATION, location);
        response
    })
    .await;
    let client = client();
    let basic = Access::Http(Credentials::Basic(Basic::new("user", "hunter2")));
    let remote = server.remote("r.git").with_access(basic);
    let resolved = client.resolve(&remote, &branch("main")).await.unwrap();
    let directory = tempfile::tempdir().unwrap();
    let store = Store::at(directory.path().join("s"), Limits::default());
    store.fetch(&client, &remote, &resolved).await.unwrap();

    let first: Vec<_> = server.asked.lock().unwrap().clone();
    assert_eq!(
        first.len(),
        1,
        "only the first request goes to the old address"
    );
    assert!(first[0].authorization.is_some());
    let then: Vec<_> = target.asked.lock().unwrap().clone();
    assert_eq!(then.len(), 3);
    assert!(
        then.iter().all(|asked| asked.authorization.is_none()),
        "{then:?}"
    );
}

#[tokio::test]
async fn changed_server_is_discovered_again() {
    let server = Server::start(Backend::Ours).await;
    let id = filled(&server.repository("r.git"));
    let (client, remote) = (client(), server.remote("r.git"));
    client.resolve(&remote, &branch("main")).await.unwrap();
    server.take();
    // The repository is missing, so the cached capabilities are not used.
    let path = server.root.join("r.git");
    sluice_system::fs::rename(&path, server.root.join("elsewhere")).unwrap();
    let error = client.resolve(&remote, &branch("main")).await.unwrap_err();
    assert_eq!(error.kind(), ErrorKind::NotFound);
    assert_eq!(server.take().len(), 2);
    sluice_system::fs::rename(server.root.join("elsewhere"), &path).unwrap();
    assert_eq!(
        client
            .resolve(&remote, &branch("main"))
            .await
            .unwrap()
            .commit,
        id
    );
}

#[tokio::test]
async fn git_clones_from_and_pushes_to_our_server() {
    let server = Server::start(Backend::Ours).await;
    let repository = server.repository("r.git");
    let first = filled(&repository);
    repository.tag("v1", first, Some("one")).unwrap();
    for round in 0..5 {
        let changes = [Change::write("a/count", format!("{round}"))];
        repository.commit("main", "more", &changes).unwrap();
    }
    let directory = tempfile::tempdir().unwrap();
    let here = directory.path();
    let url = format!("{}/r.git", server.base);
    for version in ["0", "2"] {
        let protocol = format!("protocol.version={version}");
        let full = format!("full{version}");
        run(here, &["-c", &protocol, "clone", "-q", &url, &full]).await;
        let full = here.join(full);
        run(&full, &["fsck", "--strict"]).await;
        assert_eq!(run(&full, &["rev-list", "--count", "HEAD"]).await, "6");
        assert_eq!(run(&full, &["tag"]).await, "v1");
        let shallow = format!("shallow{version}");
        run(
            here,
            &["-c", &protocol, "clone", "-q", "--depth=2", &url, &shallow],
        )
        .await;
        let shallow = here.join(shallow);
        assert_eq!(run(&shallow, &["rev-list", "--count", "HEAD"]).await, "2");
        run(&shallow, &["-c", &protocol, "fetch", "-q", "--depth=4"]).await;
        assert_eq!(run(&shallow, &["rev-list", "--count", "HEAD"]).await, "4");
        run(&shallow, &["-c", &protocol, "fetch", "-q", "--unshallow"]).await;
        run(&shallow, &["fsck", "--strict"]).await;
        assert_eq!(run(&shallow, &["rev-list", "--count", "HEAD"]).await, "6");
    }

    let work = here.join("full2");
    run(&work, &["commit", "-q", "--allow-empty", "-m", "pushed"]).await;
    run(&work, &["push", "-q", "origin", "main", "main:side"]).await;
    let pushed = run(&work, &["rev-parse", "HEAD"]).await;
    for branch in ["main", "side"] {
        assert_eq!(
            repository.head(branch).unwrap().unwrap().to_string(),
            pushed
        );
    }
    let old = here.join("full0");
    run(&old, &["fetch", "-q"]).await;
    assert_eq!(run(&old, &["rev-parse", "origin/main"]).await, pushed);
    run(&work, &["push", "-q", "origin", ":side"]).await;
    assert_eq!(repository.head("side").unwrap(), None);
}

#[tokio::test]
async fn sha256_repository_is_rejected() {
    let server = Server::start(Backend::Real { version: 2 }).await;
    run(
        &server.root,
        &["init", "-q", "--bare", "--object-format=sha256", "r.git"],
    )
    .await;
    let error = client()
        .resolve(&server.remote("r.git"), &branch("main"))
        .await
        .unwrap_err();
    assert!(
        error.to_string().contains("only sha1 is supported"),
        "{error}"
    );
}
