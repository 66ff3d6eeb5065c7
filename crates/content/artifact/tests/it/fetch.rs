//! Nothing is used before its digest was seen.

use std::io::Read;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use axum::Router;
use axum::response::IntoResponse;
use http::StatusCode;
use sluice_artifact::digest::Algorithm;
use sluice_artifact::fetch::{Downloads, Error, Fetched, Fetcher, Options};
use sluice_artifact::kept::Bounds;
use sluice_artifact::untar::Limits;
use sluice_dial::retry::Retry;
use tokio::net::TcpListener;

/// A server that counts requests and lets a function answer the n-th.
struct Server {
    address: String,
    requests: Arc<AtomicUsize>,
}

async fn server(
    answer: impl Fn(usize) -> (StatusCode, Vec<u8>) + Clone + Send + Sync + 'static,
) -> Server {
    let requests = Arc::new(AtomicUsize::new(0));
    let counted = Arc::clone(&requests);
    let app = Router::new().fallback(move || {
        let number = counted.fetch_add(1, Ordering::SeqCst);
        let answer = answer.clone();
        async move { answer(number).into_response() }
    });
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap().to_string();
    tokio::spawn(async move { axum::serve(listener, app).await });
    Server { address, requests }
}

impl Server {
    fn url(&self) -> String {
        format!("http://{}/a.tar.gz", self.address)
    }

    fn requests(&self) -> usize {
        self.requests.load(Ordering::SeqCst)
    }
}

fn fetcher(options: Options) -> Fetcher {
    // A second installation in this process changes nothing.
    let _already = rustls::crypto::aws_lc_rs::default_provider().install_default();
    let client = reqwest::Client::builder().no_proxy().build().unwrap();
    Fetcher::new(client, options)
}

/// Downloads that are kept for an hour, within so many bytes of memory and of files.
fn keeping(bytes: u64) -> Arc<Downloads> {
    let age = Duration::from_hours(1);
    let bounds = Bounds { bytes, age };
    Arc::new(Downloads::within(bounds, bounds))
}

fn quick() -> Options {
    Options {
        retry: Retry {
            retries: 2,
            wait_min: Duration::from_millis(1),
            wait_max: Duration::from_millis(2),
        },
        ..Options::default()
    }
}

fn digest(bytes: &[u8]) -> String {
    Algorithm::Sha256.digest(bytes).to_string()
}

fn bytes(fetched: &Arc<Fetched>) -> Vec<u8> {
    let mut bytes = Vec::new();
    fetched.reader().read_to_end(&mut bytes).unwrap();
    bytes
}

#[tokio::test]
async fn a_download_with_the_right_digest_is_given_out() {
    let server = server(|_| (StatusCode::OK, b"content".to_vec())).await;
    let fetched = fetcher(quick())
        .fetch(&server.url(), &digest(b"content"))
        .await
        .unwrap();
    assert_eq!((bytes(&fetched), fetched.size()), (b"content".to_vec(), 7));
    let bare = Algorithm::Sha256.digest(b"content").hex();
    assert!(fetcher(quick()).fetch(&server.url(), &bare).await.is_ok());
}

#[tokio::test]
async fn another_digest_is_an_error_and_not_tried_again() {
    let server = server(|_| (StatusCode::OK, b"forged".to_vec())).await;
    let refused = fetcher(quick())
        .fetch(&server.url(), &digest(b"content"))
        .await;
    assert!(matches!(refused, Err(Error::Mismatch { .. })));
    assert_eq!(server.requests(), 1);
}

#[tokio::test]
async fn without_a_digest_nothing_is_asked_for() {
    let server = server(|_| (StatusCode::OK, Vec::new())).await;
    for digest in ["", "md5:00", "sha256:"] {
        let refused = fetcher(quick()).fetch(&server.url(), digest).await;
        assert!(matches!(refused, Err(Error::Digest(_))));
    }
    assert_eq!(server.requests(), 0);
}

#[tokio::test]
async fn a_missing_artifact_is_told_at_once() {
    let server = server(|_| (StatusCode::NOT_FOUND, Vec::new())).await;
    let refused = fetcher(quick()).fetch(&server.url(), &digest(b"")).await;
    assert!(matches!(refused, Err(Error::NotFound { .. })));
    assert_eq!(server.requests(), 1);
}

#[tokio::test]
async fn a_server_that_recovers_is_asked_again() {
    let server = server(|number| match number {
        0 | 1 => (StatusCode::SERVICE_UNAVAILABLE, Vec::new()),
        _ => (StatusCode::OK, b"content".to_vec()),
    })
    .await;
    fetcher(quick())
        .fetch(&server.url(), &digest(b"content"))
        .await
        .unwrap();
    assert_eq!(server.requests(), 3);
}

#[tokio::test]
async fn retries_end() {
    let server = server(|_| (StatusCode::BAD_GATEWAY, Vec::new())).await;
    let refused = fetcher(quick()).fetch(&server.url(), &digest(b"")).await;
    assert!(matches!(
        refused,
        Err(Error::Status {
            status: StatusCode::BAD_GATEWAY,
            ..
        })
    ));
    assert_eq!(server.requests(), 3);
    let nobody = fetcher(quick())
        .fetch("http://127.0.0.1:1/a", &digest(b""))
        .await;
    assert!(matches!(nobody, Err(Error::Transport { .. })));
}

/// A worker is held meanwhile: whoever is silent must not have it for ever.
#[tokio::test]
async fn a_server_that_falls_silent_is_given_up_before_its_answer_and_in_it() {
    let begins = Router::new().fallback(|| async {
        let first = futures::stream::iter([Ok::<_, std::io::Error>("begun".to_owned())]);
        let forever = futures::StreamExt::chain(first, futures::stream::pending());
        axum::body::Body::from_stream(forever).into_response()
    });
    let never = Router::new().fallback(std::future::pending::<()>);
    for app in [never, begins] {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let url = format!("http://{}/a.tar.gz", listener.local_addr().unwrap());
        tokio::spawn(async move { axum::serve(listener, app).await });
        let silence = Duration::from_millis(100);
        let options = Options { silence, ..quick() };
        let told = fetcher(options).fetch(&url, &digest(b"")).await;
        let told = told.unwrap_err();
        assert!(matches!(told, Error::Silent { .. }), "{told}");
        assert_eq!(
            told.to_string(),
            format!("failed to download archive from {url}: nothing was heard for 0.1s")
        );
    }
}

#[tokio::test]
async fn a_download_beyond_the_limit_is_stopped() {
    let server = server(|_| (StatusCode::OK, vec![0; 1 << 20])).await;
    let options = Options {
        size_limit: Some(1000),
        ..quick()
    };
    let refused = fetcher(options).fetch(&server.url(), &digest(b"")).await;
    assert!(matches!(refused, Err(Error::TooLarge { limit: 1000, .. })));
}

#[tokio::test]
async fn the_host_can_be_replaced() {
    let server = server(|_| (StatusCode::OK, b"content".to_vec())).await;
    let options = Options {
        host: Some(server.address.clone()),
        ..quick()
    };
    fetcher(options)
        .fetch(
            "http://source-controller.flux-system.svc/a",
            &digest(b"content"),
        )
        .await
        .unwrap();
}

#[tokio::test]
async fn a_large_download_is_spooled_and_read_by_many() {
    let content: Vec<u8> = (0..9_u32 << 20).map(|index| (index % 251) as u8).collect();
    let expected = digest(&content);
    let answer = content.clone();
    let server = server(move |_| (StatusCode::OK, answer.clone())).await;
    let fetched = fetcher(quick())
        .fetch(&server.url(), &expected)
        .await
        .unwrap();
    let (mut one, mut two) = (fetched.reader(), fetched.reader());
    let mut head = [0; 4];
    one.read_exact(&mut head).unwrap();
    two.read_exact(&mut head).unwrap();
    assert_eq!(head, content[..4]);
    assert!(bytes(&fetched) == content);
}

#[tokio::test]
async fn consumers_of_one_artifact_share_a_download() {
    let server = server(|_| (StatusCode::OK, b"content".to_vec())).await;
    let kept = fetcher(Options {
        kept: keeping(100),
        ..quick()
    });
    let url = server.url();
    let expected = digest(b"content");
    let all = futures::future::join_all((0..20).map(|_| kept.fetch(&url, &expected))).await;
    assert!(all.iter().all(Result::is_ok));
    assert_eq!(server.requests(), 1);
    kept.fetch(&url, &expected).await.unwrap();
    assert_eq!(server.requests(), 1);

    let forgetful = fetcher(quick());
    let all = futures::future::join_all((0..20).map(|_| forgetful.fetch(&url, &expected))).await;
    assert!(all.iter().all(Result::is_ok));
    assert_eq!(server.requests(), 2);
    drop(all);
    forgetful.fetch(&url, &expected).await.unwrap();
    assert_eq!(server.requests(), 3);
}

#[tokio::test]
async fn a_known_digest_does_not_open_another_url() {
    let one = server(|_| (StatusCode::OK, b"content".to_vec())).await;
    let other = server(|_| (StatusCode::FORBIDDEN, Vec::new())).await;
    let kept = fetcher(Options {
        kept: keeping(100),
        ..quick()
    });
    kept.fetch(&one.url(), &digest(b"content")).await.unwrap();
    let refused = kept.fetch(&other.url(), &digest(b"content")).await;
    assert!(matches!(refused, Err(Error::Status { .. })));
}

#[tokio::test]
async fn the_least_used_downloads_make_room() {
    let server = server(|_| (StatusCode::OK, b"content".to_vec())).await;
    let kept = fetcher(Options {
        kept: keeping(14),
        ..quick()
    });
    let expected = digest(b"content");
    let url = |name: &str| format!("http://{}/{name}", server.address);
    for name in ["a", "b", "a", "c", "a"] {
        kept.fetch(&url(name), &expected).await.unwrap();
    }
    assert_eq!(server.requests(), 3);
    kept.fetch(&url("b"), &expected).await.unwrap();
    assert_eq!(server.requests(), 4);
}

#[tokio::test]
async fn fetchers_share_what_is_kept_and_large_ones_have_room_of_their_own() {
    let content = vec![7; 9 << 20];
    let expected = digest(&content);
    let server = server(move |_| (StatusCode::OK, content.clone())).await;
    let age = Duration::from_hours(1);
    let kept = Arc::new(Downloads::within(
        Bounds { bytes: 100, age },
        Bounds {
            bytes: 10 << 20,
            age,
        },
    ));
    let options = || Options {
        kept: Arc::clone(&kept),
        ..quick()
    };
    for _ in 0..2 {
        let fetched = fetcher(options()).fetch(&server.url(), &expected).await;
        assert_eq!(fetched.unwrap().size(), 9 << 20);
    }
    assert_eq!(server.requests(), 1);
}

#[tokio::test]
async fn a_failed_download_is_not_remembered() {
    let server = server(|number| match number {
        0 => (StatusCode::NOT_FOUND, Vec::new()),
        _ => (StatusCode::OK, b"content".to_vec()),
    })
    .await;
    let kept = fetcher(Options {
        kept: keeping(100),
        ..quick()
    });
    let expected = digest(b"content");
    assert!(kept.fetch(&server.url(), &expected).await.is_err());
    assert!(kept.fetch(&server.url(), &expected).await.is_ok());
}

#[tokio::test]
async fn an_archive_is_extracted_from_what_was_checked() {
    let mut gzip = sluice_artifact::tarball::compressed(Vec::new());
    let mut writer = sluice_artifact::tarball::Writer::new(&mut gzip);
    writer.directory(b".").unwrap();
    writer.file(b"a", false, 3, &b"one"[..]).unwrap();
    writer.finish().unwrap();
    let archive = gzip.finish().unwrap();
    let expected = digest(&archive);
    let server = server(move |_| (StatusCode::OK, archive.clone())).await;
    let fetched = fetcher(quick())
        .fetch(&server.url(), &expected)
        .await
        .unwrap();
    let target = tempfile::tempdir().unwrap();
    fetched.untar(target.path(), Limits::default()).unwrap();
    assert_eq!(std::fs::read(target.path().join("a")).unwrap(), b"one");
    let mut entries = fetched.entries(Limits::default());
    assert_eq!(
        entries.next_entry().unwrap().unwrap().path().to_str(),
        Some("a")
    );
}
