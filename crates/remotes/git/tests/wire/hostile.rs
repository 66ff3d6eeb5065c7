//! Malicious servers and repositories: each causes one clear error in time, and leaves no files.

use std::io::Write as _;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use axum::body::{Body, Bytes};
use axum::http::{HeaderValue, StatusCode, header};
use axum::response::Response;
use sluice_git::serve::{self, Change, Repository, Service, Version};
use sluice_git::walk::VisitError;
use sluice_git::{Entry, Error, ErrorKind, Kind, Limits, ObjectId, Reference, Remote, Step, Store};

use crate::server::{Backend, RecordedRequest, Server, client, reply};

/// Serves a repository, but with a changed pack.
async fn with_pack(
    directory: &tempfile::TempDir,
    mutate: impl Fn(Vec<u8>) -> Body + Clone + Send + Sync + 'static,
) -> (Server, ObjectId) {
    with_content(directory, "some: text\n".repeat(1000), mutate).await
}

/// Text with a pack that is too large to be received at once.
fn large() -> String {
    let mut state = 1_u64;
    let mut next = || {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        format!("{state:016x}")
    };
    std::iter::repeat_with(&mut next).take(60_000).collect()
}

/// The same for a repository with a file of this content.
async fn with_content(
    directory: &tempfile::TempDir,
    content: String,
    mutate: impl Fn(Vec<u8>) -> Body + Clone + Send + Sync + 'static,
) -> (Server, ObjectId) {
    let repository = Repository::init_bare(directory.path().join("r.git"), "main").unwrap();
    let id = repository
        .commit("main", "first", &[Change::write("a.yaml", content)])
        .unwrap();
    let server = Server::scripted(move |asked| honest(&repository, asked, &mutate)).await;
    (server, id)
}

fn honest(
    repository: &Repository,
    asked: &RecordedRequest,
    mutate: &impl Fn(Vec<u8>) -> Body,
) -> Response {
    let service = Service::UploadPack;
    if asked.line.starts_with("GET") {
        let first = serve::advertise(repository, service, Version::Two).unwrap();
        return reply(StatusCode::OK, service.advertisement_type(), first);
    }
    let mut out = Vec::new();
    serve::upload_pack(repository, &asked.body, &mut out).unwrap();
    let is_fetch = asked
        .body
        .windows(13)
        .any(|window| window == b"command=fetch");
    let body = if is_fetch {
        mutate(out)
    } else {
        Body::from(out)
    };
    reply(StatusCode::OK, service.result_type(), body)
}

/// Fetches into a new store. Returns the result and the remaining files.
async fn fetch(remote: &Remote, limits: Limits) -> (Result<ObjectId, Error>, Vec<PathBuf>) {
    let directory = tempfile::tempdir().unwrap();
    let store = Store::at(directory.path().join("s"), limits);
    let client = client();
    let fetched = async {
        let resolved = client
            .resolve(remote, &Reference::Branch("main".to_owned()))
            .await?;
        Ok(store.fetch(&client, remote, &resolved).await?.commit.id)
    }
    .await;
    let packs = directory.path().join("s/objects/pack");
    let left = match sluice_system::fs::read_dir(packs) {
        Ok(entries) => entries.into_iter().map(|entry| entry.path).collect(),
        Err(_) => Vec::new(),
    };
    (fetched, left)
}

fn packet(data: &[u8]) -> Vec<u8> {
    [format!("{:04x}", data.len() + 4).as_bytes(), data].concat()
}

pub(crate) fn answer_with(pack: &[u8]) -> Body {
    let band = packet(&[&[1], pack].concat());
    Body::from([packet(b"packfile\n"), band, b"0000".to_vec()].concat())
}

/// A pack of objects, each with its head and uncompressed data.
pub(crate) fn pack(objects: &[(Vec<u8>, Vec<u8>)]) -> Vec<u8> {
    let mut out = b"PACK\0\0\0\x02".to_vec();
    out.extend(u32::try_from(objects.len()).unwrap().to_be_bytes());
    for (head, data) in objects {
        out.extend(head);
        let mut encoder = flate2::write::ZlibEncoder::new(&mut out, flate2::Compression::default());
        encoder.write_all(data).unwrap();
        encoder.finish().unwrap();
    }
    let digest = aws_lc_rs::digest::digest(&aws_lc_rs::digest::SHA1_FOR_LEGACY_USE_ONLY, &out);
    out.extend(digest.as_ref());
    out
}

#[tokio::test]
async fn damaged_pack_is_rejected_and_removed() {
    type Mutation = fn(Vec<u8>) -> Vec<u8>;
    let cases: [(&str, Mutation); 6] = [
        ("cut off", |mut answer| {
            answer.truncate(answer.len() - 40);
            answer
        }),
        ("wrong checksum", |mut answer| {
            let last = answer.len() - 5;
            answer[last] ^= 1;
            answer
        }),
        ("wrong content", |mut answer| {
            let middle = answer.len() - 60;
            answer[middle] ^= 1;
            answer
        }),
        ("no end", |mut answer| {
            answer.truncate(answer.len() - 4);
            answer
        }),
        ("ended before the pack's end", |answer| {
            let mut cut = answer[..answer.len() / 2].to_vec();
            cut.truncate(packet(b"packfile\n").len());
            [cut, packet(b"\x01PACK\0\0\0\x02"), b"0000".to_vec()].concat()
        }),
        ("not a pack", |_| {
            [
                packet(b"packfile\n"),
                packet(b"\x01hello, world"),
                b"0000".to_vec(),
            ]
            .concat()
        }),
    ];
    let contents = ["some: text\n".repeat(1000), large()];
    let all = cases
        .iter()
        .flat_map(|case| contents.iter().map(move |content| (*case, content.clone())));
    for ((name, mutation), content) in all {
        let directory = tempfile::tempdir().unwrap();
        let mutate = move |answer| Body::from(mutation(answer));
        let (server, _) = with_content(&directory, content, mutate).await;
        let (fetched, left) = fetch(&server.remote("r.git"), Limits::default()).await;
        let error = fetched.expect_err(name);
        assert_eq!(error.kind(), ErrorKind::Protocol, "{name}: {error}");
        assert_eq!(left, Vec::<PathBuf>::new(), "{name}");
    }
    // Without a change, the server works.
    let directory = tempfile::tempdir().unwrap();
    let (server, id) = with_content(&directory, large(), Body::from).await;
    assert_eq!(
        fetch(&server.remote("r.git"), Limits::default())
            .await
            .0
            .unwrap(),
        id
    );
}

#[tokio::test]
async fn oversized_claims_are_rejected() {
    // A small delta that claims a result of 256 GiB.
    let claim = vec![0x0a, 0x80, 0x80, 0x80, 0x80, 0x80, 0x40];
    let size = u8::try_from(claim.len()).unwrap();
    let bomb = pack(&[([vec![0x70 | size], vec![9; 20]].concat(), claim)]);
    // A tree that claims 1 TiB.
    let tree = pack(&[(vec![0xa0, 0x80, 0x80, 0x80, 0x80, 0x40], Vec::new())]);
    let many = b"PACK\0\0\0\x02\xff\xff\xff\xff".to_vec();
    for (wire, named) in [
        (bomb, "rebuilt from a delta"),
        (tree, "commit, tag or tree"),
        (many, "number of objects"),
    ] {
        let directory = tempfile::tempdir().unwrap();
        let (server, _) = with_pack(&directory, move |_| answer_with(&wire)).await;
        let (fetched, left) = fetch(&server.remote("r.git"), Limits::default()).await;
        let error = fetched.unwrap_err();
        assert!(matches!(error, Error::Limit { .. }), "{error}");
        assert!(error.to_string().contains(named), "{error}");
        assert_eq!(left, Vec::<PathBuf>::new());
    }
    let directory = tempfile::tempdir().unwrap();
    let (server, _) = with_pack(&directory, Body::from).await;
    let limits = Limits {
        pack_bytes: 50,
        ..Limits::default()
    };
    let (fetched, left) = fetch(&server.remote("r.git"), limits).await;
    assert_eq!(
        fetched.unwrap_err().to_string(),
        "the pack exceeds the limit of 50"
    );
    assert_eq!(left, Vec::<PathBuf>::new());
}

#[tokio::test]
async fn pack_without_wanted_object_is_an_error() {
    let directory = tempfile::tempdir().unwrap();
    let empty = pack(&[]);
    let (server, _) = with_pack(&directory, move |_| answer_with(&empty)).await;
    let (fetched, _) = fetch(&server.remote("r.git"), Limits::default()).await;
    let error = fetched.unwrap_err();
    assert!(matches!(error, Error::CommitNotFound { .. }), "{error}");
}

#[tokio::test]
async fn endless_progress_is_an_error() {
    let chatters: [Vec<u8>; 2] = [
        packet(&[&[2], vec![b'.'; 60_000].as_slice()].concat()),
        packet(b"\x01"),
    ];
    for chatter in chatters {
        // Many small messages at once, so that the socket is not the bottleneck.
        let piece = Bytes::from(chatter.repeat(65_536 / chatter.len() + 1));
        let directory = tempfile::tempdir().unwrap();
        let (server, _) = with_pack(&directory, move |_| {
            let endless = futures::stream::repeat(piece.clone());
            let first =
                futures::stream::once(std::future::ready(Bytes::from(packet(b"packfile\n"))));
            let stream = futures::StreamExt::chain(first, endless);
            Body::from_stream(futures::StreamExt::map(stream, Ok::<_, std::io::Error>))
        })
        .await;
        let (fetched, _) = fetch(&server.remote("r.git"), Limits::default()).await;
        let error = fetched.unwrap_err().to_string();
        assert!(error.contains("16 MiB of progress messages"), "{error}");
    }
}

#[tokio::test]
async fn stalled_server_hits_timeout() {
    let directory = tempfile::tempdir().unwrap();
    let (server, _) = with_pack(&directory, |mut answer| {
        answer.truncate(answer.len() / 2);
        let first = futures::stream::once(std::future::ready(Ok::<_, std::io::Error>(answer)));
        Body::from_stream(futures::StreamExt::chain(first, futures::stream::pending()))
    })
    .await;
    let remote = server
        .remote("r.git")
        .with_timeout(Duration::from_millis(500));
    let (fetched, left) = fetch(&remote, Limits::default()).await;
    let error = fetched.unwrap_err();
    assert!(matches!(error, Error::Timeout { .. }), "{error}");
    assert_eq!(left, Vec::<PathBuf>::new());
}

#[tokio::test]
async fn invalid_advertisements_are_rejected() {
    let kind = Service::UploadPack.advertisement_type();
    let cases: [(&str, Vec<u8>, &str); 6] = [
        (
            "text/html",
            b"<html>".to_vec(),
            "not a Git repository over smart HTTP",
        ),
        (
            "text/plain",
            b"aaaa\trefs/heads/main\n".to_vec(),
            "not a Git repository over smart HTTP",
        ),
        (kind, b"fff5".to_vec(), "65525 bytes"),
        (kind, b"<!DO".to_vec(), "invalid packet length"),
        (kind, b"0032".to_vec(), "in the middle of a packet"),
        (kind, packet(b"ERR \x1b[31mno\n"), "\u{fffd}[31mno"),
    ];
    for (kind, body, reason) in cases {
        let server = Server::scripted(move |_| reply(StatusCode::OK, kind, body.clone())).await;
        let error = fetch(&server.remote("r.git"), Limits::default())
            .await
            .0
            .unwrap_err()
            .to_string();
        assert!(error.contains(reason), "{error}");
    }
}

#[tokio::test]
async fn redirect_loops_and_busy_servers_are_errors() {
    let server = Server::scripted(|asked| {
        let path = asked.line.split(' ').nth(1).unwrap_or_default();
        let mut response = reply(StatusCode::FOUND, "text/plain", "");
        response
            .headers_mut()
            .insert(header::LOCATION, HeaderValue::from_str(path).unwrap());
        response
    })
    .await;
    let error = fetch(&server.remote("r.git"), Limits::default())
        .await
        .0
        .unwrap_err();
    assert!(
        error.to_string().contains("more than 10 redirects"),
        "{error}"
    );

    let server = Server::scripted(|_| {
        let mut response = reply(StatusCode::TOO_MANY_REQUESTS, "text/plain", "slow down");
        response
            .headers_mut()
            .insert(header::RETRY_AFTER, HeaderValue::from_static("17"));
        response
    })
    .await;
    let error = fetch(&server.remote("r.git"), Limits::default())
        .await
        .0
        .unwrap_err();
    assert_eq!(
        error.retry_after(),
        Some(Duration::from_secs(17)),
        "{error}"
    );
}

#[tokio::test]
async fn pack_with_missing_trees_clears_store() {
    // The tree of the commit is missing, which only a walk detects.
    let directory = tempfile::tempdir().unwrap();
    let repository = Repository::init_bare(directory.path().join("r.git"), "main").unwrap();
    let id = repository
        .commit("main", "first", &[Change::write("a", "a")])
        .unwrap();
    let git = git2::Repository::open_bare(repository.path()).unwrap();
    let raw = git
        .odb()
        .unwrap()
        .read(git2::Oid::from_str(&id.to_string()).unwrap())
        .unwrap()
        .data()
        .to_vec();
    let low = u8::try_from(raw.len() & 0x0f).unwrap();
    let high = u8::try_from(raw.len() >> 4).unwrap();
    let wire = pack(&[(vec![0x90 | low, high], raw)]);
    let server =
        Server::scripted(move |asked| honest(&repository, asked, &|_| answer_with(&wire))).await;

    let here = tempfile::tempdir().unwrap();
    let store = Store::at(here.path().join("s"), Limits::default());
    let (client, remote) = (client(), server.remote("r.git"));
    let resolved = client
        .resolve(&remote, &Reference::Branch("main".to_owned()))
        .await
        .unwrap();
    for _ in 0..2 {
        let fetched = store.fetch(&client, &remote, &resolved).await.unwrap();
        assert!(fetched.received > 0, "what failed is fetched again");
        let visitor = |_: &Entry<'_>| -> Result<Step, VisitError> { Ok(Step::Next) };
        let error = store
            .walk(&fetched.commit, visitor)
            .await
            .map(drop)
            .unwrap_err();
        assert!(matches!(error, Error::Object { .. }), "{error}");
    }
}

/// Writes an invalid tree and its commit.
pub(crate) fn commit_tree(repository: &Repository, raw: &[u8]) -> ObjectId {
    let git = git2::Repository::open_bare(repository.path()).unwrap();
    git2::opts::strict_object_creation(false);
    let tree = git
        .odb()
        .unwrap()
        .write(git2::ObjectType::Tree, raw)
        .unwrap();
    let text = format!("tree {tree}\nauthor a <a> 0 +0000\ncommitter a <a> 0 +0000\n\nbad\n");
    let commit = git
        .odb()
        .unwrap()
        .write(git2::ObjectType::Commit, text.as_bytes())
        .unwrap();
    git.reference("refs/heads/main", commit, true, "test")
        .unwrap();
    commit.to_string().parse().unwrap()
}

pub(crate) fn entry(mode: &str, name: &[u8], id: git2::Oid) -> Vec<u8> {
    [mode.as_bytes(), b" ", name, b"\0", id.as_bytes()].concat()
}

/// Fetches and walks `main`. Returns the visited paths.
async fn walked(
    server: &Server,
    name: &str,
    limits: Limits,
) -> Result<Vec<(PathBuf, Kind)>, Error> {
    let directory = tempfile::tempdir().unwrap();
    let store = Store::at(directory.path().join("s"), limits);
    let (client, remote) = (client(), server.remote(name));
    let resolved = client
        .resolve(&remote, &Reference::Branch("main".to_owned()))
        .await?;
    let commit = store.fetch(&client, &remote, &resolved).await?.commit;
    let seen = Arc::new(std::sync::Mutex::new(Vec::new()));
    let list = Arc::clone(&seen);
    let visitor = move |entry: &Entry<'_>| -> Result<Step, VisitError> {
        list.lock()
            .unwrap()
            .push((entry.path().to_owned(), entry.kind()));
        Ok(Step::Next)
    };
    store.walk(&commit, visitor).await.map(drop)?;
    Ok(std::mem::take(&mut *seen.lock().unwrap()))
}

#[tokio::test]
async fn unsafe_paths_are_rejected_by_name() {
    // Git serves trees that it would not check out.
    let server = Server::start(Backend::Real { version: 2 }).await;
    let names: [(&[u8], &str); 9] = [
        (b"..", "'..'"),
        (b".git", "'.git'"),
        (b".GIT", "'.GIT'"),
        (b"git~1", "'git~1'"),
        (b".git ", "'.git'"),
        (".g\u{200c}it".as_bytes(), "is one of Git's own"),
        (b"a\nb", "control characters"),
        (b"../../etc/passwd", "slash"),
        (b"/etc", "slash"),
    ];
    for (index, (bad, named)) in names.into_iter().enumerate() {
        let name = format!("r{index}.git");
        let repository = server.repository(&name);
        let git = git2::Repository::open_bare(repository.path()).unwrap();
        let blob = git.blob(b"x").unwrap();
        commit_tree(&repository, &entry("100644", bad, blob));
        let error = walked(&server, &name, Limits::default()).await.unwrap_err();
        assert!(matches!(error, Error::UnsafePath { .. }), "{error}");
        assert!(error.to_string().contains(named), "{error}");
    }
}

#[tokio::test]
async fn invalid_trees_are_rejected() {
    let server = Server::start(Backend::Real { version: 2 }).await;
    let repository = server.repository("r.git");
    let git = git2::Repository::open_bare(repository.path()).unwrap();
    let (a, b) = (git.blob(b"a").unwrap(), git.blob(b"b").unwrap());
    let twice = [entry("100644", b"x", a), entry("100644", b"x", b)].concat();
    commit_tree(&repository, &twice);
    let error = walked(&server, "r.git", Limits::default())
        .await
        .unwrap_err();
    assert!(error.to_string().contains("occurs twice"), "{error}");
}

#[tokio::test]
async fn tree_bomb_hits_limits() {
    let server = Server::start(Backend::Ours).await;
    let repository = server.repository("r.git");
    let git = git2::Repository::open_bare(repository.path()).unwrap();
    let blob = git.blob(b"x").unwrap();
    let odb = git.odb().unwrap();
    // Ten directories of ten directories: 10^9 files in ten objects.
    let names: Vec<u8> = (b'a'..=b'j').collect();
    let level = |mode: &str, id| {
        names
            .iter()
            .flat_map(|name| entry(mode, &[*name], id))
            .collect::<Vec<u8>>()
    };
    let mut tree = odb
        .write(git2::ObjectType::Tree, &level("100644", blob))
        .unwrap();
    for _ in 0..7 {
        tree = odb
            .write(git2::ObjectType::Tree, &level("40000", tree))
            .unwrap();
    }
    commit_tree(&repository, &level("40000", tree));
    let limits = Limits {
        entries: 10_000,
        ..Limits::default()
    };
    let error = walked(&server, "r.git", limits).await.unwrap_err();
    assert_eq!(
        error.to_string(),
        "the number of entries in the tree exceeds the limit of 10000"
    );

    let limits = Limits {
        depth: 5,
        ..Limits::default()
    };
    let error = walked(&server, "r.git", limits).await.unwrap_err();
    assert_eq!(
        error.to_string(),
        "the depth of the tree exceeds the limit of 5"
    );
}

#[tokio::test]
async fn links_and_submodules_have_their_kind() {
    let server = Server::start(Backend::Real { version: 2 }).await;
    let repository = server.repository("r.git");
    let git = git2::Repository::open_bare(repository.path()).unwrap();
    let target = git.blob(b"/etc/passwd").unwrap();
    let elsewhere = git2::Oid::from_bytes(&[7; 20]).unwrap();
    let raw = [
        entry("120000", b"link", target),
        entry("160000", b"module", elsewhere),
    ]
    .concat();
    commit_tree(&repository, &raw);
    let seen = walked(&server, "r.git", Limits::default()).await.unwrap();
    let expected = [
        (PathBuf::new(), Kind::Directory),
        (PathBuf::from("link"), Kind::Symlink),
        (PathBuf::from("module"), Kind::Submodule),
    ];
    assert_eq!(seen, expected);
}

#[tokio::test]
async fn cancelled_fetch_leaves_no_files() {
    let directory = tempfile::tempdir().unwrap();
    let (server, _) = with_content(&directory, large(), |mut answer| {
        answer.truncate(answer.len() / 2);
        let first = futures::stream::once(std::future::ready(Ok::<_, std::io::Error>(answer)));
        Body::from_stream(futures::StreamExt::chain(first, futures::stream::pending()))
    })
    .await;
    let here = tempfile::tempdir().unwrap();
    let store = Store::at(here.path().join("s"), Limits::default());
    let (client, remote) = (client(), server.remote("r.git"));
    let resolved = client
        .resolve(&remote, &Reference::Branch("main".to_owned()))
        .await
        .unwrap();
    let packs = here.path().join("s/objects/pack");
    let files = || sluice_system::fs::read_dir(&packs).map_or(0, |entries| entries.len());
    {
        let fetching = store.fetch(&client, &remote, &resolved);
        let begun = async {
            while files() == 0 {
                tokio::task::yield_now().await;
            }
        };
        tokio::select! {
            fetched = fetching => panic!("{fetched:?}"),
            () = begun => {}
        }
    }
    while files() > 0 {
        tokio::task::yield_now().await;
    }
}
