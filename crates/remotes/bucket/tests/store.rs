//! Requests to a real object store, and to one that misbehaves.
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use axum::Router;
use axum::http::{HeaderMap, StatusCode, Uri, header};
use sluice_bucket::{
    Bucket, Client, Credentials, Endpoint, Error, ErrorKind, ListedObject, Remote,
};
use sluice_dial::{Dial, HttpClients, Sensitive};
use sluice_system::SystemClock;
use sluice_testkit::ObjectStore;

fn client() -> Client {
    Client::new(
        Arc::new(HttpClients::new("sluice-test")),
        Arc::new(SystemClock),
    )
}

fn bucket(host: &str, name: &str, secret_key: Option<&str>) -> Bucket {
    Bucket {
        endpoint: Endpoint::parse(host, true).unwrap(),
        name: name.to_owned(),
        region: None,
        credentials: secret_key.map(|secret_key| Credentials {
            access_key: ObjectStore::ACCESS_KEY.to_owned(),
            secret_key: Sensitive::new(secret_key.to_owned()),
            session_token: None,
            expires: None,
        }),
        dial: Dial {
            direct: true,
            ..Dial::default()
        },
    }
}

async fn listed(client: &Client, bucket: &Bucket, prefix: &str) -> Result<Vec<String>, Error> {
    let mut keys = Vec::new();
    let visit = |object: ListedObject<'_>| keys.push(format!("{}={}", object.key, object.etag));
    let remote = Remote::S3(bucket.clone());
    remote.list(client, prefix, visit).await?;
    Ok(keys)
}

async fn content(client: &Client, bucket: &Bucket, key: &str, etag: &str) -> Result<String, Error> {
    let mut object = client.get(bucket, key, Some(etag)).await?;
    let mut content = Vec::new();
    while let Some(chunk) = object.chunk().await? {
        content.extend_from_slice(&chunk);
    }
    Ok(String::from_utf8(content).unwrap())
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn objects_are_listed_and_pinned_to_their_tag() {
    let store = ObjectStore::start().await;
    store.create("apps").await;
    for (key, text) in [
        ("a.yaml", "a"),
        ("deploy/b.yaml", "b"),
        ("deploy/c.yaml", "c"),
    ] {
        store.put("apps", key, text).await;
    }
    let client = client();
    let apps = bucket(store.host(), "apps", Some(ObjectStore::SECRET_KEY));
    assert!(client.exists(&apps).await.unwrap());
    let keys = listed(&client, &apps, "deploy/").await.unwrap();
    let [b, _] = &keys[..] else {
        panic!("{keys:?}")
    };
    let etag = b.strip_prefix("deploy/b.yaml=").unwrap();
    assert_eq!(
        etag, "92eb5ffee6ae2fec3ad71c777531578f",
        "the MD5 of the content"
    );
    assert_eq!(
        content(&client, &apps, "deploy/b.yaml", etag)
            .await
            .unwrap(),
        "b"
    );

    store.put("apps", "deploy/b.yaml", "changed").await;
    let changed = content(&client, &apps, "deploy/b.yaml", etag)
        .await
        .unwrap_err();
    assert_eq!(changed.kind(), ErrorKind::Changed, "{changed}");
    store.delete("apps", "deploy/b.yaml").await;
    let gone = content(&client, &apps, "deploy/b.yaml", etag)
        .await
        .unwrap_err();
    assert_eq!(gone.kind(), ErrorKind::NoSuchKey, "{gone}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn missing_bucket_differs_from_wrong_key() {
    let store = ObjectStore::start().await;
    store.create("apps").await;
    let client = client();
    let missing = bucket(store.host(), "other", Some(ObjectStore::SECRET_KEY));
    assert!(!client.exists(&missing).await.unwrap());
    let wrong = bucket(store.host(), "apps", Some("wrong"));
    let denied = client.exists(&wrong).await.unwrap_err();
    assert_eq!(denied.kind(), ErrorKind::Denied, "{denied}");
    assert_eq!(denied.to_string(), "Access Denied.");
    let anonymous = bucket(store.host(), "apps", None);
    let denied = listed(&client, &anonymous, "").await.unwrap_err();
    assert_eq!(denied.kind(), ErrorKind::Denied, "{denied}");
}

/// Serves `respond` on loopback and returns the host.
async fn serve(
    respond: impl Fn(Uri, HeaderMap) -> (StatusCode, String) + Clone + Send + Sync + 'static,
) -> String {
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let host = listener.local_addr().unwrap().to_string();
    let router =
        Router::new().fallback(async move |uri: Uri, headers: HeaderMap| respond(uri, headers));
    tokio::spawn(async move { axum::serve(listener, router).await });
    host
}

fn page(keys: &[&str], next: &str) -> String {
    let contents: Vec<String> = keys
        .iter()
        .map(|key| format!("<Contents><Key>{key}</Key><ETag>\"1\"</ETag></Contents>"))
        .collect();
    format!(
        "<ListBucketResult><IsTruncated>{}</IsTruncated>{}\
         <NextContinuationToken>{next}</NextContinuationToken></ListBucketResult>",
        !next.is_empty(),
        contents.concat()
    )
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn listing_ends_on_repeated_page_or_missing_token() {
    let host = serve(|uri, _| {
        let query = uri.query().unwrap_or_default();
        let next = if query.contains("prefix=loop") {
            "again"
        } else {
            ""
        };
        let document = page(&["a"], next);
        let document = if query.contains("prefix=cut") {
            document.replace("<IsTruncated>false", "<IsTruncated>true")
        } else {
            document
        };
        let cut = "<NextContinuationToken></NextContinuationToken>";
        (StatusCode::OK, document.replace(cut, ""))
    })
    .await;
    let (client, apps) = (client(), bucket(&host, "apps", None));
    assert_eq!(listed(&client, &apps, "").await.unwrap(), ["a=1"]);
    let message = |error: Error| error.to_string();
    let repeated = listed(&client, &apps, "loop").await.map_err(message);
    assert_eq!(repeated.unwrap_err(), "the listing repeats a page");
    let cut = listed(&client, &apps, "cut").await.map_err(message);
    assert_eq!(cut.unwrap_err(), "the listing is truncated without a token");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn pages_follow_their_tokens() {
    let host = serve(|uri, _| {
        let query = uri.query().unwrap_or_default();
        let document = if query.contains("continuation-token=second%20page") {
            page(&["b"], "")
        } else {
            page(&["a"], "second page")
        };
        (StatusCode::OK, document)
    })
    .await;
    let keys = listed(&client(), &bucket(&host, "apps", None), "").await;
    assert_eq!(keys.unwrap(), ["a=1", "b=1"]);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn request_follows_region_of_the_store() {
    let host = serve(|_, headers| {
        let signed = headers
            .get(header::AUTHORIZATION)
            .unwrap()
            .to_str()
            .unwrap();
        if signed.contains("/xx-north-1/s3/") {
            return (StatusCode::OK, page(&["a"], ""));
        }
        let document = "<Error><Code>AuthorizationHeaderMalformed</Code><Message>wrong</Message>\
                        <Region>xx-north-1</Region></Error>";
        (StatusCode::BAD_REQUEST, document.to_owned())
    })
    .await;
    let (client, mut apps) = (client(), bucket(&host, "apps", Some("key")));
    assert_eq!(listed(&client, &apps, "").await.unwrap(), ["a=1"]);
    apps.region = Some("wrong-1".to_owned());
    assert_eq!(listed(&client, &apps, "").await.unwrap(), ["a=1"]);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn passing_failure_is_retried_and_lasting_one_shown() {
    let requests = Arc::new(AtomicUsize::new(0));
    let counted = Arc::clone(&requests);
    let host = serve(move |uri, _| {
        let is_first = counted.fetch_add(1, Ordering::SeqCst) == 0;
        if is_first
            || uri
                .query()
                .is_some_and(|query| query.contains("prefix=busy"))
        {
            let document =
                "<Error><Code>SlowDown</Code><Message>Please reduce your rate.</Message></Error>";
            return (StatusCode::SERVICE_UNAVAILABLE, document.to_owned());
        }
        (StatusCode::OK, page(&[], ""))
    })
    .await;
    let (client, apps) = (client(), bucket(&host, "apps", None));
    assert_eq!(
        listed(&client, &apps, "").await.unwrap(),
        Vec::<String>::new()
    );
    assert_eq!(requests.load(Ordering::SeqCst), 2);
    let busy = listed(&client, &apps, "busy").await.unwrap_err();
    assert_eq!(busy.to_string(), "Please reduce your rate.");
    assert_eq!(requests.load(Ordering::SeqCst), 6);
}
