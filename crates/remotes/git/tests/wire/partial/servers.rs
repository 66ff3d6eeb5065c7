//! Servers that violate the filter capability, and rejected commits.

use std::path::Path;

use axum::http::StatusCode;
use sluice_git::serve::{self, Change, Repository, Service, Version};
use sluice_git::walk::VisitError;
use sluice_git::{Entry, Error, Limits, Step, Store};

use super::{EVERYTHING, LITTLE, REAL, User, allow_filters, asks, filled, here};
use crate::hostile::{answer_with, commit_tree, entry, pack};
use crate::http::branch;
use crate::server::{RecordedRequest, Server, reply, run};

/// Serves requests that `change` modified. `None` rejects the request.
async fn twisted(
    repository: Repository,
    change: impl Fn(&RecordedRequest) -> Option<Vec<u8>> + Clone + Send + Sync + 'static,
) -> Server {
    Server::scripted(move |asked| {
        let service = Service::UploadPack;
        if asked.line.starts_with("GET") {
            let first = serve::advertise(&repository, service, Version::Two).unwrap();
            return reply(StatusCode::OK, service.advertisement_type(), first);
        }
        let mut out = b"0024ERR upload-pack: not our ref 00\n".to_vec();
        if let Some(question) = change(asked) {
            out.clear();
            serve::upload_pack(&repository, &question, &mut out).unwrap();
        }
        reply(StatusCode::OK, service.result_type(), out)
    })
    .await
}

fn replaced(asked: &RecordedRequest, from: &str, to: &str) -> Vec<u8> {
    String::from_utf8(asked.body.to_vec())
        .unwrap()
        .replace(from, to)
        .into_bytes()
}

const FILTER: &str = "0015filter blob:none\n";

/// Whether the request is for files instead of a commit.
fn by_name(asked: &RecordedRequest) -> bool {
    asks(asked, "want ") && !asks(asked, "deepen 1")
}

#[tokio::test]
async fn misbehaving_filter_servers_are_tolerated() {
    type Twist = fn(&RecordedRequest) -> Option<Vec<u8>>;
    let twists: [(&str, Twist, bool); 4] = [
        (
            "ignores the filter",
            |asked| Some(replaced(asked, FILTER, "")),
            true,
        ),
        (
            "refuses files by name",
            |asked| (!by_name(asked)).then(|| asked.body.to_vec()),
            false,
        ),
        (
            "refuses the filter",
            |asked| (!asks(asked, FILTER)).then(|| asked.body.to_vec()),
            false,
        ),
        (
            "leaves files out",
            |asked| {
                let text = String::from_utf8(asked.body.to_vec()).unwrap();
                if !by_name(asked) {
                    return Some(text.into_bytes());
                }
                let wants: Vec<&str> = text.matches("0032want ").collect();
                let first = text.find("0032want ").unwrap();
                let rest = first + 50 * wants.len();
                Some([&text[..first + 50], &text[rest..]].concat().into_bytes())
            },
            false,
        ),
    ];
    for (name, twist, partial) in twists {
        let directory = tempfile::tempdir().unwrap();
        let repository = Repository::init_bare(directory.path().join("r.git"), "main").unwrap();
        filled(&repository);
        let server = twisted(repository.clone(), twist).await;
        let user = User::of(server.remote("r.git"));
        for round in 0..3 {
            let (store, fetched) = user.fetch("deploy").await;
            let here = here(&store, &fetched.commit).await;
            assert_eq!(here, EVERYTHING, "{name}");
            assert_eq!(
                user.is_partial(),
                partial,
                "{name}: {:?}",
                user.directories()
            );
            let changes = [Change::write("deploy/app.yaml", format!("app: 2{round}\n"))];
            repository.commit("main", "next", &changes).unwrap();
        }
    }
}

#[tokio::test]
async fn forbidden_filter_fetches_whole_commit() {
    let server = Server::start(REAL).await;
    let repository = server.repository("r.git");
    allow_filters(repository.path());
    let forbid = ["config", "uploadpackfilter.blob:none.allow", "false"];
    run(repository.path(), &forbid).await;
    filled(&repository);
    let user = User::of(server.remote("r.git"));
    let (store, fetched) = user.fetch("deploy").await;
    assert_eq!(here(&store, &fetched.commit).await, EVERYTHING);
}

#[tokio::test]
async fn extra_objects_are_accepted_within_limits() {
    let directory = tempfile::tempdir().unwrap();
    let repository = Repository::init_bare(directory.path().join("r.git"), "main").unwrap();
    filled(&repository);
    // The whole commit is sent for each request.
    let head = repository.head("main").unwrap().unwrap();
    let server = twisted(repository, move |asked| {
        let text = String::from_utf8(asked.body.to_vec()).unwrap();
        if !by_name(asked) {
            return Some(text.into_bytes());
        }
        let first = text.find("0032want ").unwrap();
        let want = format!("0032want {head}\n0009done\n0000");
        Some(
            text[..first]
                .replace(FILTER, "")
                .into_bytes()
                .into_iter()
                .chain(want.into_bytes())
                .collect(),
        )
    })
    .await;
    let user = User::of(server.remote("r.git"));
    let (store, fetched) = user.fetch("deploy").await;
    assert_eq!(here(&store, &fetched.commit).await, EVERYTHING);
    assert!(user.is_partial());

    let limits = Limits {
        pack_bytes: LITTLE,
        ..Limits::default()
    };
    let user = User::with(server.remote("r.git"), limits);
    let error = user
        .try_fetch(&branch("main"), "deploy")
        .await
        .map(drop)
        .unwrap_err();
    assert!(matches!(error, Error::Limit { .. }), "{error}");
}

#[tokio::test]
async fn missing_trees_fetch_whole_commit() {
    let directory = tempfile::tempdir().unwrap();
    let repository = Repository::init_bare(directory.path().join("r.git"), "main").unwrap();
    filled(&repository);
    let head = repository.head("main").unwrap().unwrap().to_string();
    let git = git2::Repository::open_bare(repository.path()).unwrap();
    let commit = git.odb().unwrap();
    let commit = commit.read(git2::Oid::from_str(&head).unwrap()).unwrap();
    let raw = commit.data().to_vec();
    let low = u8::try_from(raw.len() & 0x0f).unwrap();
    let high = u8::try_from(raw.len() >> 4).unwrap();
    let alone = pack(&[(vec![0x90 | low, high], raw)]);
    let server = Server::scripted(move |asked| {
        let service = Service::UploadPack;
        if asked.line.starts_with("GET") {
            let first = serve::advertise(&repository, service, Version::Two).unwrap();
            return reply(StatusCode::OK, service.advertisement_type(), first);
        }
        if asks(asked, FILTER) {
            return reply(StatusCode::OK, service.result_type(), answer_with(&alone));
        }
        let mut out = Vec::new();
        serve::upload_pack(&repository, &asked.body, &mut out).unwrap();
        reply(StatusCode::OK, service.result_type(), out)
    })
    .await;
    let user = User::of(server.remote("r.git"));
    for _ in 0..2 {
        let (store, fetched) = user.fetch("deploy").await;
        assert_eq!(here(&store, &fetched.commit).await, EVERYTHING);
    }
}

#[tokio::test]
async fn walk_rejects_invalid_tree_of_partial_fetch() {
    let server = Server::start(REAL).await;
    let mut told = Vec::new();
    for filters in [true, false] {
        let name = format!("{filters}.git");
        let repository = server.repository(&name);
        if filters {
            allow_filters(repository.path());
        }
        let git = git2::Repository::open_bare(repository.path()).unwrap();
        let blob = git.blob(b"x").unwrap();
        let names: [&[u8]; 3] = [b"deploy", b"git~1", b"later"];
        let raw = names.map(|name| entry("100644", name, blob)).concat();
        commit_tree(&repository, &raw);
        let user = User::of(server.remote(&name));
        let (store, fetched) = user.fetch("deploy").await;
        assert_eq!(user.is_partial(), filters);
        let read = |entry: &Entry<'_>| -> Result<Step, VisitError> {
            if entry.path() == Path::new("deploy") {
                entry.read(10)?;
            }
            Ok(Step::Next)
        };
        let error = walk(&store, &fetched, read).await.unwrap_err();
        assert!(matches!(error, Error::UnsafePath { .. }), "{error}");
        told.push(error.to_string());
    }
    assert_eq!(told[0], told[1]);
}

async fn walk(
    store: &Store,
    fetched: &sluice_git::FetchResult,
    visitor: impl FnMut(&Entry<'_>) -> Result<Step, VisitError> + Send + 'static,
) -> Result<(), Error> {
    store.walk(&fetched.commit, visitor).await.map(drop)
}
