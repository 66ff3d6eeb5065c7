//! The file server: the files that it serves, and those that it hides.

use std::os::unix::fs::symlink;
use std::sync::Arc;

use axum::body::Body;
use http::{Method, Request, Response, StatusCode, header};
use http_body_util::BodyExt;
use sluice_artifact::server::{Listing, router};
use sluice_artifact::storage::Storage;
use tower::ServiceExt;

use crate::{location, write};

struct Fixture {
    root: tempfile::TempDir,
    storage: Arc<Storage>,
}

fn fixture() -> Fixture {
    let root = tempfile::tempdir().unwrap();
    let storage = Arc::new(crate::storage(root.path()));
    write(&storage, "abc.tar.gz", b"0123456789");
    Fixture { root, storage }
}

impl Fixture {
    async fn send(&self, request: Request<Body>, listing: Listing) -> Response<Body> {
        router(Arc::clone(&self.storage), listing)
            .oneshot(request)
            .await
            .unwrap()
    }

    async fn get(&self, path: &str) -> (StatusCode, String) {
        let request = Request::get(path).body(Body::empty()).unwrap();
        let response = self.send(request, Listing::Off).await;
        (response.status(), text(response).await)
    }
}

async fn text(response: Response<Body>) -> String {
    let bytes = response.into_body().collect().await.unwrap().to_bytes();
    String::from_utf8(bytes.to_vec()).unwrap()
}

const PATH: &str = "/gitrepository/tenant/app/abc.tar.gz";

#[tokio::test]
async fn artifact_is_served_with_headers() {
    let fixture = fixture();
    let request = Request::get(PATH).body(Body::empty()).unwrap();
    let response = fixture.send(request, Listing::Off).await;
    let fields = response.headers().clone();
    assert_eq!(response.status(), StatusCode::OK);
    assert_eq!(text(response).await, "0123456789");
    assert_eq!(fields[header::CONTENT_LENGTH], "10");
    assert_eq!(fields[header::CONTENT_TYPE], "application/gzip");
    assert_eq!(fields[header::ACCEPT_RANGES], "bytes");
    assert!(
        fields[header::ETAG]
            .to_str()
            .unwrap()
            .starts_with("\"sha256:")
    );
    assert!(fields.contains_key(header::LAST_MODIFIED));
    assert!(!fields.contains_key(header::CONTENT_ENCODING));
}

#[tokio::test]
async fn head_request_returns_headers_only() {
    let fixture = fixture();
    let request = Request::head(PATH).body(Body::empty()).unwrap();
    let response = fixture.send(request, Listing::Off).await;
    assert_eq!(response.headers()[header::CONTENT_LENGTH], "10");
    assert_eq!(text(response).await, "");
}

#[tokio::test]
async fn range_is_served_and_unsatisfiable_range_fails() {
    let fixture = fixture();
    let ranged = |range: &str| {
        Request::get(PATH)
            .header(header::RANGE, range)
            .body(Body::empty())
            .unwrap()
    };
    let response = fixture.send(ranged("bytes=3-5"), Listing::Off).await;
    assert_eq!(response.status(), StatusCode::PARTIAL_CONTENT);
    assert_eq!(response.headers()[header::CONTENT_RANGE], "bytes 3-5/10");
    assert_eq!(response.headers()[header::CONTENT_LENGTH], "3");
    assert_eq!(text(response).await, "345");
    let response = fixture.send(ranged("bytes=10-"), Listing::Off).await;
    assert_eq!(response.status(), StatusCode::RANGE_NOT_SATISFIABLE);
    assert_eq!(response.headers()[header::CONTENT_RANGE], "bytes */10");
}

#[tokio::test]
async fn conditional_request_returns_not_modified() {
    let fixture = fixture();
    let first = fixture
        .send(
            Request::get(PATH).body(Body::empty()).unwrap(),
            Listing::Off,
        )
        .await;
    for (condition, answer) in [
        (header::IF_NONE_MATCH, header::ETAG),
        (header::IF_MODIFIED_SINCE, header::LAST_MODIFIED),
    ] {
        let request = Request::get(PATH)
            .header(condition, &first.headers()[answer])
            .body(Body::empty())
            .unwrap();
        let second = fixture.send(request, Listing::Off).await;
        assert_eq!(second.status(), StatusCode::NOT_MODIFIED);
        assert_eq!(text(second).await, "");
    }
}

#[tokio::test]
async fn write_methods_are_rejected() {
    let fixture = fixture();
    for method in [Method::POST, Method::PUT, Method::DELETE, Method::PATCH] {
        let request = Request::builder()
            .method(method)
            .uri(PATH)
            .body(Body::empty())
            .unwrap();
        let response = fixture.send(request, Listing::Off).await;
        assert_eq!(response.status(), StatusCode::METHOD_NOT_ALLOWED);
    }
    assert_eq!(fixture.get(PATH).await.0, StatusCode::OK);
}

#[tokio::test]
async fn directories_are_not_listed_by_default() {
    let fixture = fixture();
    for path in [
        "/",
        "/gitrepository",
        "/gitrepository/",
        "/gitrepository/tenant/app/",
    ] {
        assert_eq!(
            fixture.get(path).await,
            (StatusCode::OK, String::new()),
            "{path}"
        );
    }
}

#[tokio::test]
async fn listing_hides_locks() {
    let fixture = fixture();
    let request = Request::get("/gitrepository/tenant/app/")
        .body(Body::empty())
        .unwrap();
    let page = text(fixture.send(request, Listing::On).await).await;
    assert!(page.contains("<a href=\"./abc.tar.gz\">abc.tar.gz</a>"));
    assert!(!page.contains("lock"));
    let request = Request::get("/").body(Body::empty()).unwrap();
    fixture.storage.private("git").unwrap();
    let page = text(fixture.send(request, Listing::On).await).await;
    assert!(page.contains("gitrepository/") && !page.contains("sluice"));
}

#[tokio::test]
async fn private_and_outside_files_are_not_found() {
    let fixture = fixture();
    let directory = fixture.root.path().join("gitrepository/tenant/app");
    std::fs::write(directory.join(".abc.tar.gz.00ff.tmp"), b"half").unwrap();
    std::fs::write(directory.join("latest.tar.gz.tmp"), b"half").unwrap();
    let private = fixture.storage.private("git").unwrap();
    std::fs::write(private.join("pack"), b"secret").unwrap();
    std::fs::write(
        fixture.root.path().parent().unwrap().join("outside"),
        b"secret",
    )
    .unwrap();
    for path in [
        "/gitrepository/tenant/app/missing",
        "/gitrepository/tenant/app/abc.tar.gz.lock",
        "/gitrepository/tenant/app/.abc.tar.gz.00ff.tmp",
        "/gitrepository/tenant/app/latest.tar.gz.tmp",
        "/gitrepository/tenant/app/abc.tar.gz/",
        "/gitrepository/tenant/app/abc.tar.gz/x",
        "/.sluice",
        "/.sluice/git/pack",
        "/%2esluice/git/pack",
        "/../outside",
        "/%2e%2e/outside",
        "/gitrepository/..%2f..%2f/outside",
        "/gitrepository/%2e%2e/%2e%2e/outside",
        "/gitrepository/tenant/app/%00",
        "/%ff",
    ] {
        assert_eq!(fixture.get(path).await.0, StatusCode::NOT_FOUND, "{path}");
    }
}

#[tokio::test]
async fn link_is_served_only_inside_root() {
    let fixture = fixture();
    let directory = fixture.root.path().join("gitrepository/tenant/app");
    fixture
        .storage
        .link(&location(), "abc.tar.gz", "latest.tar.gz")
        .unwrap();
    // Older versions of Flux wrote absolute links.
    symlink(
        directory.join("abc.tar.gz"),
        directory.join("absolute.tar.gz"),
    )
    .unwrap();
    for link in ["latest.tar.gz", "absolute.tar.gz"] {
        let path = format!("/gitrepository/tenant/app/{link}");
        assert_eq!(
            fixture.get(&path).await,
            (StatusCode::OK, "0123456789".to_owned())
        );
    }
    let private = fixture.storage.private("git").unwrap();
    std::fs::write(private.join("pack"), b"secret").unwrap();
    for (name, target) in [
        ("outside", "/etc/passwd"),
        ("upwards", "../../../../etc/passwd"),
        ("private", "../../../.sluice/git/pack"),
        ("lock", "abc.tar.gz.lock"),
        ("loop", "loop"),
        ("chain", "latest.tar.gz"),
    ] {
        symlink(target, directory.join(name)).unwrap();
        let path = format!("/gitrepository/tenant/app/{name}");
        assert_eq!(fixture.get(&path).await.0, StatusCode::NOT_FOUND, "{name}");
    }
}

#[tokio::test]
async fn download_survives_deletion_of_file() {
    let fixture = fixture();
    let large = vec![b'x'; 1 << 20];
    let stored = write(&fixture.storage, "large.tar.gz", &large);
    let request = Request::get(format!("/{}", stored.path))
        .body(Body::empty())
        .unwrap();
    let response = fixture.send(request, Listing::Off).await;
    fixture.storage.delete(&location()).unwrap();
    assert_eq!(text(response).await.len(), 1 << 20);
    assert_eq!(
        fixture.get(&format!("/{}", stored.path)).await.0,
        StatusCode::NOT_FOUND
    );
}
