//! Fetches of artifacts: verification, retries, limits and the cache.

use std::io::Read;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use axum::Router;
use axum::response::IntoResponse;
use http::StatusCode;
use sluice_artifact::cache::CacheBounds;
use sluice_artifact::fetch::{Download, DownloadCache, Error, Fetcher, Options};
use sluice_artifact::untar::Limits;
use sluice_dial::retry::Retry;
use sluice_digest::Algorithm;
use tokio::net::TcpListener;

/// A server that counts requests. A function returns the n-th response.
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
    // Fails if a test before this one installed it.
    let _already = rustls::crypto::aws_lc_rs::default_provider().install_default();
    let client = sluice_dial::Client::builder().no_proxy().build().unwrap();
    Fetcher::new(client, options)
}

/// A cache for one hour, with the same size in memory and in files.
fn cache(bytes: u64) -> Arc<DownloadCache> {
    let age = Duration::from_hours(1);
    let bounds = CacheBounds { bytes, age };
    Arc::new(DownloadCache::new(bounds, bounds))
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

fn bytes(fetched: &Arc<Download>) -> Vec<u8> {
    let mut bytes = Vec::new();
    fetched.reader().read_to_end(&mut bytes).unwrap();
    bytes
}

#[tokio::test]
async fn download_with_matching_digest_is_returned() {
    let server = server(|_| (StatusCode::OK, b"content".to_vec())).await;
    let fetched = fetcher(quick())
        .fetch(&server.url(), &digest(b"content"))
        .await
        .unwrap();
    assert_eq!((bytes(&fetched), fetched.size()), (b"content".to_vec(), 7));
    let digest = Algorithm::Sha256.digest(b"content");
    assert!(
        fetcher(quick())
            .fetch(&server.url(), digest.hex())
            .await
            .is_ok()
    );
}

#[tokio::test]
async fn digest_mismatch_fails_without_retry() {
    let server = server(|_| (StatusCode::OK, b"forged".to_vec())).await;
    let refused = fetcher(quick())
        .fetch(&server.url(), &digest(b"content"))
        .await;
    assert!(matches!(refused, Err(Error::Mismatch { .. })));
    assert_eq!(server.requests(), 1);
}

#[tokio::test]
async fn invalid_digest_sends_no_request() {
    let server = server(|_| (StatusCode::OK, Vec::new())).await;
    for digest in ["", "md5:00", "sha256:"] {
        let refused = fetcher(quick()).fetch(&server.url(), digest).await;
        assert!(matches!(refused, Err(Error::Digest(_))));
    }
    assert_eq!(server.requests(), 0);
}

#[tokio::test]
async fn missing_artifact_fails_without_retry() {
    let server = server(|_| (StatusCode::NOT_FOUND, Vec::new())).await;
    let refused = fetcher(quick()).fetch(&server.url(), &digest(b"")).await;
    assert!(matches!(refused, Err(Error::NotFound { .. })));
    assert_eq!(server.requests(), 1);
}

#[tokio::test]
async fn unavailable_server_is_retried() {
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
async fn retries_are_limited() {
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
    let unreachable = fetcher(quick())
        .fetch("http://127.0.0.1:1/a", &digest(b""))
        .await;
    assert!(matches!(unreachable, Err(Error::Transport { .. })));
}

/// A silent server must not hold a permit forever.
#[tokio::test]
async fn silent_server_hits_idle_timeout() {
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
        let idle_timeout = Duration::from_millis(100);
        let options = Options {
            idle_timeout,
            ..quick()
        };
        let result = fetcher(options).fetch(&url, &digest(b"")).await;
        let error = result.unwrap_err();
        assert!(matches!(error, Error::IdleTimeout { .. }), "{error}");
        assert_eq!(
            error.to_string(),
            format!("failed to download archive from {url}: no data received for 0.1s")
        );
    }
}

#[tokio::test]
async fn oversized_download_fails() {
    let server = server(|_| (StatusCode::OK, vec![0; 1 << 20])).await;
    let options = Options {
        size_limit: Some(1000),
        ..quick()
    };
    let refused = fetcher(options).fetch(&server.url(), &digest(b"")).await;
    assert!(matches!(refused, Err(Error::TooLarge { limit: 1000, .. })));
}

#[tokio::test]
async fn host_override_replaces_host() {
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
async fn large_download_is_spooled_to_file() {
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
async fn consumers_share_one_download() {
    let server = server(|_| (StatusCode::OK, b"content".to_vec())).await;
    let caching = fetcher(Options {
        cache: cache(100),
        ..quick()
    });
    let url = server.url();
    let expected = digest(b"content");
    let all = futures::future::join_all((0..20).map(|_| caching.fetch(&url, &expected))).await;
    assert!(all.iter().all(Result::is_ok));
    assert_eq!(server.requests(), 1);
    caching.fetch(&url, &expected).await.unwrap();
    assert_eq!(server.requests(), 1);

    let without_cache = fetcher(quick());
    let all =
        futures::future::join_all((0..20).map(|_| without_cache.fetch(&url, &expected))).await;
    assert!(all.iter().all(Result::is_ok));
    assert_eq!(server.requests(), 2);
    drop(all);
    without_cache.fetch(&url, &expected).await.unwrap();
    assert_eq!(server.requests(), 3);
}

#[tokio::test]
async fn cached_digest_does_not_match_other_url() {
    let one = server(|_| (StatusCode::OK, b"content".to_vec())).await;
    let other = server(|_| (StatusCode::FORBIDDEN, Vec::new())).await;
    let caching = fetcher(Options {
        cache: cache(100),
        ..quick()
    });
    caching
        .fetch(&one.url(), &digest(b"content"))
        .await
        .unwrap();
    let refused = caching.fetch(&other.url(), &digest(b"content")).await;
    assert!(matches!(refused, Err(Error::Status { .. })));
}

#[tokio::test]
async fn full_cache_drops_least_recently_used_download() {
    let server = server(|_| (StatusCode::OK, b"content".to_vec())).await;
    let caching = fetcher(Options {
        cache: cache(14),
        ..quick()
    });
    let expected = digest(b"content");
    let url = |name: &str| format!("http://{}/{name}", server.address);
    for name in ["a", "b", "a", "c", "a"] {
        caching.fetch(&url(name), &expected).await.unwrap();
    }
    assert_eq!(server.requests(), 3);
    caching.fetch(&url("b"), &expected).await.unwrap();
    assert_eq!(server.requests(), 4);
}

#[tokio::test]
async fn fetchers_share_cache_with_limits_per_place() {
    let content = vec![7; 9 << 20];
    let expected = digest(&content);
    let server = server(move |_| (StatusCode::OK, content.clone())).await;
    let age = Duration::from_hours(1);
    let cache = Arc::new(DownloadCache::new(
        CacheBounds { bytes: 100, age },
        CacheBounds {
            bytes: 10 << 20,
            age,
        },
    ));
    let options = || Options {
        cache: Arc::clone(&cache),
        ..quick()
    };
    for _ in 0..2 {
        let fetched = fetcher(options()).fetch(&server.url(), &expected).await;
        assert_eq!(fetched.unwrap().size(), 9 << 20);
    }
    assert_eq!(server.requests(), 1);
}

#[tokio::test]
async fn failed_download_is_not_cached() {
    let server = server(|number| match number {
        0 => (StatusCode::NOT_FOUND, Vec::new()),
        _ => (StatusCode::OK, b"content".to_vec()),
    })
    .await;
    let caching = fetcher(Options {
        cache: cache(100),
        ..quick()
    });
    let expected = digest(b"content");
    assert!(caching.fetch(&server.url(), &expected).await.is_err());
    assert!(caching.fetch(&server.url(), &expected).await.is_ok());
}

#[tokio::test]
async fn download_is_extracted_and_iterated() {
    let mut gzip = sluice_artifact::deflate::GzipWriter::new(Vec::new());
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
