//! Refreshes from a server with the files of the public instance, as of 21 August 2026.

use std::collections::BTreeMap;
use std::sync::Mutex;

use axum::Router;
use axum::extract::{Request, State};
use axum::response::{IntoResponse as _, Response};
use sluice_system::ManualClock;
use tokio::net::TcpListener;

use super::*;

type Files = Arc<Mutex<BTreeMap<String, Vec<u8>>>>;

macro_rules! file {
    ($name:literal) => {
        include_bytes!(concat!("../../../../../content/attest/tests/tuf/", $name)).to_vec()
    };
}

async fn serve(State(files): State<Files>, request: Request) -> Response {
    let path = request.uri().path().trim_start_matches('/');
    let found = files.lock().unwrap().get(path).cloned();
    found.ok_or(StatusCode::NOT_FOUND).into_response()
}

/// A mirror, and the files that it serves.
async fn mirror() -> (String, Files) {
    let target = format!("targets/{}.trusted_root.json", sha256(PUBLIC_ROOT));
    let files = BTreeMap::from([
        ("timestamp.json".to_owned(), file!("timestamp.json")),
        ("165.snapshot.json".to_owned(), file!("snapshot.json")),
        ("14.targets.json".to_owned(), file!("targets.json")),
        (target, PUBLIC_ROOT.to_vec()),
    ]);
    let files: Files = Arc::new(Mutex::new(files));
    let router = Router::new().fallback(serve).with_state(Arc::clone(&files));
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = format!("http://{}", listener.local_addr().unwrap());
    tokio::spawn(async move { axum::serve(listener, router).await.unwrap() });
    (address, files)
}

fn sha256(bytes: &[u8]) -> String {
    sluice_digest::Digest::of(bytes).hex().to_owned()
}

/// A root that is not the public one.
fn stale() -> PublicRoot {
    let root = PublicRoot::embedded();
    root.set(b"stale".as_slice().into());
    root
}

#[tokio::test]
async fn root_of_metadata_is_used() {
    let (address, _files) = mirror().await;
    let (root, http) = (stale(), HttpClients::new("test"));
    let clock = ManualClock::at("2026-08-22T00:00:00Z".parse().unwrap());
    let mut known = None;
    for _ in 0..2 {
        root.refresh_once(&address, &http, &clock, &mut known)
            .await
            .unwrap();
        assert_eq!(*root.get(), *PUBLIC_ROOT);
    }
}

#[tokio::test]
async fn refused_answer_keeps_the_root() {
    let http = HttpClients::new("test");
    for (day, change, expected) in [
        (
            "2026-08-29",
            None,
            "timestamp: it expired at 2026-08-28T19:25:56Z",
        ),
        (
            "2026-08-22",
            Some(("timestamp.json", None)),
            "failed to fetch timestamp.json: it does not exist",
        ),
        (
            "2026-08-22",
            Some(("16.root.json", Some(&b"{}"[..]))),
            "root: it cannot be read",
        ),
        (
            "2026-08-22",
            Some(("165.snapshot.json", Some(b"{}"))),
            "snapshot: it cannot be read",
        ),
        (
            "2026-08-22",
            Some(("targets", Some(b"{}"))),
            "the trusted root is not the one that its metadata names",
        ),
    ] {
        let (address, files) = mirror().await;
        if let Some((name, content)) = change {
            let mut files = files.lock().unwrap();
            let known = files.keys().find(|path| path.starts_with(name)).cloned();
            let path = known.unwrap_or_else(|| name.to_owned());
            match content {
                Some(content) => drop(files.insert(path, content.to_vec())),
                None => drop(files.remove(&path)),
            }
        }
        let root = stale();
        let clock = ManualClock::at(format!("{day}T00:00:00Z").parse().unwrap());
        let mut known = None;
        let refreshed = root.refresh_once(&address, &http, &clock, &mut known).await;
        assert_eq!(refreshed.unwrap_err().to_string(), expected);
        assert_eq!(*root.get(), *b"stale");
        assert!(known.is_none());
    }
}
