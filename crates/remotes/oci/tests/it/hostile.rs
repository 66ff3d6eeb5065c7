//! A malicious registry: classes S11, S15 and S18.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use axum::body::Body;
use axum::http::{Method, StatusCode, header};
use axum::response::{IntoResponse as _, Response};
use bytes::Bytes;
use futures::StreamExt as _;
use sluice_dial::{Basic, Retry};
use sluice_oci::{Digest, ErrorKind, Login, Remote, Version};
use sluice_testkit::hostile::HostileRegistry;

use crate::{client, remote};

const TYPE: &str = "application/vnd.cncf.flux.content.v1.tar+gzip";

fn tag(tag: &str) -> Version {
    Version::Tag(tag.to_owned())
}

/// Fetches the first layer of a tag.
async fn pull(remote: &Remote) -> Result<Vec<u8>, sluice_oci::Error> {
    let client = client();
    let digest = client.resolve(remote, &tag("v1")).await?;
    let manifest = client.manifest(remote, &digest).await?;
    let mut blob = client.blob(remote, &manifest.layers[0]).await?;
    let mut bytes = Vec::new();
    while let Some(chunk) = blob.next().await? {
        bytes.extend_from_slice(&chunk);
    }
    Ok(bytes)
}

fn challenge(value: String) -> Response {
    (
        StatusCode::UNAUTHORIZED,
        [(header::WWW_AUTHENTICATE, value)],
    )
        .into_response()
}

fn with_user(url: &str) -> Remote {
    let mut remote = remote(url);
    remote.login = Login::Basic(Basic::new("user", "canary-password"));
    remote
}

#[tokio::test]
async fn poll_is_one_head_request() {
    let registry = HostileRegistry::honest().await;
    registry.content().image("v1", TYPE, "layer");
    let (client, remote) = (client(), remote(&registry.url("a/b")));
    for _ in 0..2 {
        client.resolve(&remote, &tag("v1")).await.unwrap();
        assert_eq!(registry.take_asked(), ["HEAD /v2/a/b/manifests/v1"]);
    }
}

#[tokio::test]
async fn content_with_wrong_digest_is_rejected() {
    type Trick = fn(&str) -> Option<&'static str>;
    let cases: [(&str, Trick, &str); 3] = [
        (
            "another manifest",
            |target| target.contains("/manifests/sha256").then_some("{}"),
            "has digest",
        ),
        (
            "another blob",
            |target| target.contains("/blobs/").then_some("lay3r"),
            "has digest",
        ),
        (
            "a longer blob",
            |target| target.contains("/blobs/").then_some("layers"),
            "bytes, expected 5",
        ),
    ];
    for (name, trick, expected) in cases {
        let registry = HostileRegistry::start(move |asked, _| {
            trick(&asked.target).map(axum::response::IntoResponse::into_response)
        })
        .await;
        registry.content().image("v1", TYPE, "layer");
        let error = pull(&remote(&registry.url("a"))).await.expect_err(name);
        assert_eq!(error.kind(), ErrorKind::Untrusted, "{name}: {error}");
        assert!(error.to_string().contains(expected), "{name}: {error}");
    }
}

#[tokio::test]
async fn digest_header_is_not_trusted() {
    let lie = Digest::of(b"lie").to_string();
    let registry = HostileRegistry::start(move |asked, _| {
        asked
            .is(&Method::HEAD, "/manifests/")
            .then(|| ([("docker-content-digest", lie.clone())], "").into_response())
    })
    .await;
    registry.content().image("v1", TYPE, "layer");
    let error = pull(&remote(&registry.url("a"))).await.unwrap_err();
    assert_eq!(error.kind(), ErrorKind::NotFound, "{error}");
}

#[tokio::test]
async fn interrupted_blob_is_resumed() {
    let attempts = Arc::new(AtomicUsize::new(0));
    let counter = Arc::clone(&attempts);
    let registry = HostileRegistry::start(move |asked, content| {
        if !asked.is(&Method::GET, "/blobs/") || counter.fetch_add(1, Ordering::Relaxed) > 0 {
            return None;
        }
        let bytes = content
            .blobs
            .values()
            .find(|bytes| bytes.len() == 6)?
            .clone();
        let sent = futures::stream::once(std::future::ready(Ok(bytes.slice(..3))));
        // The data is sent before the connection breaks.
        let cut = futures::stream::once(async {
            tokio::task::yield_now().await;
            Err(std::io::Error::other("cut"))
        });
        let length = [(header::CONTENT_LENGTH, "6")];
        Some((length, Body::from_stream(sent.chain(cut))).into_response())
    })
    .await;
    registry.content().image("v1", TYPE, "layers");
    assert_eq!(pull(&remote(&registry.url("a"))).await.unwrap(), b"layers");
    let ranges: Vec<_> = registry
        .asked()
        .iter()
        .filter_map(|asked| asked.headers.get(header::RANGE).cloned())
        .collect();
    assert_eq!(ranges, ["bytes=3-"]);
}

#[tokio::test]
async fn documents_and_lists_are_limited() {
    let endless = |asked: &sluice_testkit::hostile::registry::RegistryRequest| {
        let body = Body::from_stream(futures::stream::repeat_with(|| {
            Ok::<_, std::io::Error>(Bytes::from(vec![b' '; 1 << 20]))
        }));
        (asked.method == Method::GET && asked.target != "/v2/").then(|| body.into_response())
    };
    let registry = HostileRegistry::start(move |asked, _| endless(asked)).await;
    let (client, remote) = (client(), remote(&registry.url("a")));
    let error = client.document(&remote, &tag("v1")).await.unwrap_err();
    assert!(
        error.to_string().contains("larger than 4194304 bytes"),
        "{error}"
    );
    let error = client.tags(&remote).await.unwrap_err();
    assert!(error.to_string().contains("larger than"), "{error}");

    let registry = HostileRegistry::start(|asked, _| {
        asked.is(&Method::GET, "/tags/list").then(|| {
            let next = (header::LINK, "</v2/a/tags/list?again>; rel=\"next\"");
            ([next], r#"{"tags":["x"]}"#).into_response()
        })
    })
    .await;
    let remote = crate::remote(&registry.url("a"));
    let error = client.tags(&remote).await.unwrap_err();
    assert!(error.to_string().contains("has no end"), "{error}");
}

/// Lists are held in memory, so they need limits.
#[tokio::test]
async fn paginated_list_is_limited() {
    let short = (0..100_000).map(|name| format!("{name}"));
    let short: Vec<String> = short.collect();
    let long = "x".repeat(7 << 20);
    for (page, said, requests) in [
        // Five pages are allowed, the sixth exceeds the limit.
        (
            serde_json::json!({ "tags": short }),
            "there are more than 500000 of them",
            6,
        ),
        (
            serde_json::json!({ "tags": vec![""; 500_001] }),
            "there are more than 500000 of them",
            1,
        ),
        (
            serde_json::json!({ "tags": [long] }),
            "larger than 33554432 bytes",
            5,
        ),
    ] {
        let page = page.to_string();
        let registry = HostileRegistry::start(move |asked, _| {
            let next = (header::LINK, "</v2/a/tags/list?again>; rel=\"next\"");
            asked
                .is(&Method::GET, "/tags/list")
                .then(|| ([next], page.clone()).into_response())
        })
        .await;
        let remote = remote(&registry.url("a"));
        let error = client().tags(&remote).await.unwrap_err();
        assert!(error.to_string().contains(said), "{error}");
        assert_eq!(registry.asked().len(), requests, "{said}");
    }
}

#[tokio::test]
async fn referrers_are_read_up_to_requested_number() {
    let digest = Digest::of(b"image");
    let one = serde_json::json!({
        "mediaType": sluice_oci::manifest::MANIFEST, "digest": Digest::of(b"x").to_string(), "size": 1,
    });
    let page = serde_json::json!({
        "schemaVersion": 2, "mediaType": sluice_oci::manifest::INDEX, "manifests": vec![one; 60],
    });
    let page = page.to_string();
    let registry = HostileRegistry::start(move |asked, _| {
        let next = format!("<{}>; rel=\"next\"", asked.target);
        let kind = sluice_oci::manifest::INDEX.to_owned();
        let head = [(header::LINK, next), (header::CONTENT_TYPE, kind)];
        asked
            .is(&Method::GET, "/referrers/")
            .then(|| (head, page.clone()).into_response())
    })
    .await;
    let remote = remote(&registry.url("a"));
    let found = client().referrers(&remote, &digest, 100).await.unwrap();
    assert_eq!((found.len(), registry.asked().len()), (100, 2));
}

#[tokio::test]
async fn tags_are_read_from_all_pages() {
    let registry = HostileRegistry::honest().await;
    for tag in ["v1", "v2", "v3", "v4", "v5"] {
        registry.content().image(tag, TYPE, tag);
    }
    let tags = client().tags(&remote(&registry.url("a"))).await.unwrap();
    assert_eq!(tags, ["v1", "v2", "v3", "v4", "v5"]);
}

/// S11: redirects, next pages and token services in private networks do not receive credentials of
/// the registry.
#[tokio::test]
async fn credentials_are_sent_to_registry_only() {
    let elsewhere = HostileRegistry::start(|asked, content| {
        let digest = asked.target.rsplit('/').next()?;
        content
            .blobs
            .get(digest)
            .map(|bytes| bytes.clone().into_response())
    })
    .await;
    elsewhere.content().image("v1", TYPE, "layer");
    let other = elsewhere.host();
    let registry = HostileRegistry::start(move |asked, _| {
        if asked.authorization().is_none() && asked.target != "/v2/" {
            return Some(challenge("Basic realm=\"x\"".to_owned()));
        }
        if asked.target.contains("/blobs/") {
            let to = format!("http://{other}{}", asked.target);
            return Some(
                (StatusCode::TEMPORARY_REDIRECT, [(header::LOCATION, to)]).into_response(),
            );
        }
        if asked.target.contains("/tags/list") {
            let next = format!("<http://{other}/v2/a/tags/list>; rel=\"next\"");
            return Some(([(header::LINK, next)], r#"{"tags":["x"]}"#).into_response());
        }
        None
    })
    .await;
    registry.content().image("v1", TYPE, "layer");
    let remote = with_user(&registry.url("a"));
    assert_eq!(pull(&remote).await.unwrap(), b"layer");
    let error = client().tags(&remote).await.unwrap_err();
    assert!(error.to_string().contains("another host"), "{error}");
    let asked = elsewhere.asked();
    assert_eq!(asked.len(), 1, "{asked:?}");
    assert!(asked.iter().all(|asked| asked.authorization().is_none()));
}

/// S18: the authorization of one tenant is not used for another.
#[tokio::test]
async fn authorization_is_cached_per_credentials() {
    let registry = HostileRegistry::start(|asked, _| {
        (asked.target != "/v2/"
            && asked.authorization() != Some("Basic dXNlcjpjYW5hcnktcGFzc3dvcmQ="))
        .then(|| challenge("Basic realm=\"x\"".to_owned()))
    })
    .await;
    registry.content().image("v1", TYPE, "layer");
    let client = client();
    let (mine, other) = (with_user(&registry.url("a")), remote(&registry.url("a")));
    client.resolve(&mine, &tag("v1")).await.unwrap();
    registry.take_asked();
    client.resolve(&mine, &tag("v1")).await.unwrap();
    assert_eq!(
        registry.take_asked().len(),
        1,
        "cached authorization is sent with the first request"
    );
    let error = client.resolve(&other, &tag("v1")).await.unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Denied, "{error}");
}

#[tokio::test]
async fn only_transient_errors_are_retried() {
    for (status, requests) in [
        (StatusCode::SERVICE_UNAVAILABLE, 3),
        (StatusCode::TOO_MANY_REQUESTS, 3),
        (StatusCode::FORBIDDEN, 1),
        (StatusCode::NOT_FOUND, 1),
    ] {
        let registry = HostileRegistry::start(move |asked, _| {
            (asked.target != "/v2/").then(|| status.into_response())
        })
        .await;
        let remote = remote(&registry.url("a"));
        client().document(&remote, &tag("v1")).await.unwrap_err();
        assert_eq!(registry.take_asked().len(), requests, "{status}");
    }
}

/// `sluice_dial::retry::Retry` limits the wait.
#[tokio::test]
async fn retry_after_is_reported() {
    let registry = HostileRegistry::start(|asked, _| {
        let after = [(header::RETRY_AFTER, "7")];
        (asked.target != "/v2/").then(|| (StatusCode::TOO_MANY_REQUESTS, after).into_response())
    })
    .await;
    let client = client().with_retry(Retry::NEVER);
    let remote = remote(&registry.url("a"));
    match client.document(&remote, &tag("v1")).await.unwrap_err() {
        sluice_oci::Error::Status { after, .. } => {
            assert_eq!(after, Some(Duration::from_secs(7)));
        }
        other => panic!("{other}"),
    }
}

/// S12: text of a registry is made printable.
#[tokio::test]
async fn registry_messages_are_made_printable() {
    let registry = HostileRegistry::start(|asked, _| {
        let body = "{\"errors\":[{\"code\":\"DENIED\",\"message\":\"\\u001b[31mred\\nnext\"}]}";
        (asked.target != "/v2/").then(|| (StatusCode::FORBIDDEN, body).into_response())
    })
    .await;
    let remote = remote(&registry.url("a"));
    let error = client().resolve(&remote, &tag("v1")).await.unwrap_err();
    let text = error.to_string();
    assert!(text.ends_with("DENIED: [31mred next"), "{text:?}");
}
