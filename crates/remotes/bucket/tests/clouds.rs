//! Requests to Google Cloud Storage and to Azure. The fakes check each request.
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::sync::Arc;

use sluice_bucket::azure::{Access, Container, SharedKey};
use sluice_bucket::{Client, Error, ErrorKind, GoogleBucket, ListedObject, Remote};
use sluice_dial::{Bearer, Dial, HttpClients, Proxy, Sensitive, Tls};
use sluice_system::SystemClock;
use sluice_testkit::{CloudAnswer, CloudRequest, FakeBuckets, FakeCloud};

const ACCOUNT: &str = "fleet.blob.core.windows.net";
/// `canary-key` in base64.
const KEY: &str = "Y2FuYXJ5LWtleQ==";

fn client() -> Client {
    let http = Arc::new(HttpClients::new("sluice-test"));
    Client::new(http, Arc::new(SystemClock))
}

/// A store with five objects, some with odd keys.
fn objects() -> Arc<FakeBuckets> {
    let objects = FakeBuckets::default();
    for key in ["a b/c+d", "a&b", "e//f", "g", "é"] {
        objects.put(key, &format!("content of {key}"));
    }
    Arc::new(objects)
}

/// The objects of a listing: keys, tags and generations.
async fn list(remote: &Remote, prefix: &str) -> Result<Vec<(String, String, String)>, Error> {
    let mut found = Vec::new();
    let visit = |object: ListedObject<'_>| {
        let generation = object.generation.unwrap_or_default();
        found.push((
            object.key.to_owned(),
            object.etag.to_owned(),
            generation.to_owned(),
        ));
    };
    remote.list(&client(), prefix, visit).await?;
    Ok(found)
}

async fn read(remote: &Remote, listed: ListedObject<'_>) -> Result<(String, String), Error> {
    let object = remote.get(&client(), listed).await?;
    let etag = object.etag().to_owned();
    let content = object.read(1 << 20).await?;
    Ok((etag, String::from_utf8(content.to_vec()).unwrap()))
}

fn google(cloud: &FakeCloud, name: &str) -> Remote {
    Remote::Google(GoogleBucket {
        service: format!("{}/", cloud.url()).parse().unwrap(),
        name: name.to_owned(),
        token: Bearer::new("canary-token").unwrap(),
        dial: Dial::default(),
    })
}

async fn google_cloud(objects: &Arc<FakeBuckets>) -> FakeCloud {
    let objects = Arc::clone(objects);
    FakeCloud::start(&[], move |request| {
        if request.header("authorization") != "Bearer canary-token" {
            return Some(CloudAnswer::status(401));
        }
        objects.google(request)
    })
    .await
}

#[tokio::test]
async fn objects_of_google_are_pinned_to_their_generation() {
    let objects = objects();
    let cloud = google_cloud(&objects).await;
    let remote = google(&cloud, "apps");
    assert!(remote.exists(&client()).await.unwrap());
    let listed = list(&remote, "").await.unwrap();
    let tags: Vec<_> = listed
        .iter()
        .map(|(key, etag, _)| (key.clone(), etag.clone()))
        .collect();
    assert_eq!(tags, objects.google_tags());
    assert_eq!(list(&remote, "a").await.unwrap().len(), 2);
    for (key, etag, generation) in &listed {
        let listed = ListedObject {
            key,
            etag,
            generation: Some(generation),
        };
        let (found, content) = read(&remote, listed).await.unwrap();
        assert_eq!((&found, content), (etag, format!("content of {key}")));
    }
    // The object changes between the listing and the download, and then it is gone.
    objects.put("g", "changed");
    let (key, etag, generation) = &listed[3];
    let pinned = ListedObject {
        key,
        etag,
        generation: Some(generation),
    };
    let error = read(&remote, pinned).await.unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Changed);
    let current = remote.get_current(&client(), "g").await.unwrap();
    assert_eq!(current.etag(), objects.google_tags()[3].1);
    objects.remove("g");
    let error = read(&remote, pinned).await.unwrap_err();
    assert_eq!(error.kind(), ErrorKind::NoSuchKey);
    let gone = remote.get_current(&client(), "g").await.unwrap_err();
    assert_eq!(gone.kind(), ErrorKind::NoSuchKey);

    assert!(!google(&cloud, "gone").exists(&client()).await.unwrap());
}

#[tokio::test]
async fn answers_of_google_have_limits() {
    let long = format!(
        r#"{{"items":[{{"name":"{}","etag":"a","generation":"1"}}]}}"#,
        "k".repeat(1025)
    );
    let answers = [
        ("loop", r#"{"items":[],"nextPageToken":"same"}"#.to_owned()),
        ("long", long),
        ("html", "<html>".to_owned()),
        ("partial", r#"{"items":[{"name":"a"}]}"#.to_owned()),
    ];
    let body = move |request: &CloudRequest| {
        let is_asked =
            |(name, _): &&(&str, String)| request.target.contains(&format!("/b/{name}/"));
        answers.iter().find(is_asked).map(|(_, body)| body.clone())
    };
    let cloud = FakeCloud::start(&[], move |request| body(request).map(CloudAnswer::ok)).await;
    for (name, expected) in [
        ("loop", "the listing repeats a page"),
        ("long", "is longer than 1024 bytes"),
        ("html", "the answer is not of the JSON API"),
        ("partial", "missing field `etag`"),
    ] {
        let message = list(&google(&cloud, name), "")
            .await
            .unwrap_err()
            .to_string();
        assert!(message.contains(expected), "{name}: {message}");
    }
    let refused = google_cloud(&objects()).await;
    let mut remote = google(&refused, "apps");
    if let Remote::Google(bucket) = &mut remote {
        bucket.token = Bearer::new("other").unwrap();
    }
    let error = remote.exists(&client()).await.unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Denied);
    assert_eq!(error.to_string(), "401 Unauthorized");
}

/// A container behind a proxy, because its host names the account.
fn azure(cloud: &FakeCloud, scheme: &str, name: &str, access: Access) -> Remote {
    Remote::Azure(Container {
        endpoint: format!("{scheme}://{ACCOUNT}").parse().unwrap(),
        name: name.to_owned(),
        access,
        dial: Dial {
            proxy: Some(Proxy::new(&cloud.url(), None).unwrap()),
            tls: Tls::with_ca(cloud.certificate().as_bytes()).unwrap(),
            ..Dial::default()
        },
    })
}

/// Checks the authorization of each request.
async fn azure_cloud(
    objects: &Arc<FakeBuckets>,
    is_allowed: impl Fn(&CloudRequest) -> bool + Send + Sync + 'static,
) -> FakeCloud {
    let objects = Arc::clone(objects);
    FakeCloud::start(&[ACCOUNT], move |request| {
        assert_eq!(request.host, ACCOUNT);
        if !is_allowed(request) {
            let code = ("x-ms-error-code", "AuthenticationFailed".to_owned());
            return Some(CloudAnswer::Reply(403, vec![code], bytes::Bytes::new()));
        }
        objects.azure(request)
    })
    .await
}

#[tokio::test]
async fn objects_of_azure_are_pinned_to_their_tag() {
    let objects = objects();
    let cloud = azure_cloud(&objects, |request| {
        request.header("authorization") == "Bearer canary-token"
    })
    .await;
    let token = || Access::Bearer(Bearer::new("canary-token").unwrap());
    let remote = azure(&cloud, "https", "apps", token());
    assert!(remote.exists(&client()).await.unwrap());
    let listed = list(&remote, "").await.unwrap();
    let tags: Vec<_> = listed
        .iter()
        .map(|(key, etag, _)| (key.clone(), etag.clone()))
        .collect();
    assert_eq!(tags, objects.azure_tags());
    for (key, etag, _) in &listed {
        let listed = ListedObject {
            key,
            etag,
            generation: None,
        };
        let (found, content) = read(&remote, listed).await.unwrap();
        assert_eq!((&found, content), (etag, format!("content of {key}")));
    }
    objects.put("g", "changed");
    let (key, etag, _) = &listed[3];
    let pinned = ListedObject {
        key,
        etag,
        generation: None,
    };
    let error = read(&remote, pinned).await.unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Changed);
    let current = remote.get_current(&client(), "g").await.unwrap();
    assert_eq!(current.etag(), objects.azure_tags()[3].1);
    objects.remove("g");
    let error = read(&remote, pinned).await.unwrap_err();
    assert_eq!(error.kind(), ErrorKind::NoSuchKey);

    let gone = azure(&cloud, "https", "gone", token());
    assert!(!gone.exists(&client()).await.unwrap());
    cloud.requests();
    let plain = azure(&cloud, "http", "apps", token());
    let message = plain.exists(&client()).await.unwrap_err().to_string();
    assert!(
        message.starts_with("a token is sent over TLS only"),
        "{message}"
    );
    assert!(cloud.requests().is_empty());
}

#[tokio::test]
async fn signature_of_azure_is_a_query() {
    let cloud = azure_cloud(&objects(), |request| {
        let (_, query) = request.parts();
        query
            .get("sig")
            .is_some_and(|signature| signature == "canary+sig=")
            && request.header("authorization").is_empty()
    })
    .await;
    let access = |signature: &str| Access::Signature(Sensitive::from(signature));
    let remote = azure(
        &cloud,
        "http",
        "apps",
        access("?sv=2022-11-02&sig=canary%2Bsig%3D"),
    );
    assert_eq!(list(&remote, "").await.unwrap().len(), 5);
    let remote = azure(&cloud, "http", "apps", access("sig=canary-other"));
    let message = remote.exists(&client()).await.unwrap_err().to_string();
    assert!(
        message.starts_with("the specified bucket name may be incorrect"),
        "{message}"
    );
    assert!(!message.contains("canary"), "{message}");
}

#[tokio::test]
async fn account_key_of_azure_signs_each_request() {
    let objects = objects();
    let cloud = azure_cloud(&objects, |request| {
        request.header("authorization") == signed(request)
    })
    .await;
    let endpoint = format!("https://{ACCOUNT}").parse().unwrap();
    let key = SharedKey::of_endpoint(&endpoint, KEY).unwrap();
    assert!(!format!("{key:?}").contains("canary"));
    let remote = azure(&cloud, "http", "apps", Access::SharedKey(key));
    let listed = list(&remote, "a").await.unwrap();
    assert_eq!(listed.len(), 2);
    let (key, etag, _) = &listed[0];
    let listed = ListedObject {
        key,
        etag,
        generation: None,
    };
    assert_eq!(read(&remote, listed).await.unwrap().1, "content of a b/c+d");
}

/// Signs a request as the documentation of the service says ("Authorize with Shared Key").
fn signed(request: &CloudRequest) -> String {
    use base64::Engine as _;
    let (path, query) = request.parts();
    let header = |name: &str| request.header(name).to_owned();
    let mut lines = vec!["GET".to_owned()];
    lines.extend(vec![String::new(); 7]);
    lines.push(header("if-match"));
    lines.extend(vec![String::new(); 3]);
    for name in ["x-ms-date", "x-ms-version"] {
        lines.push(format!("{name}:{}", header(name)));
    }
    lines.push(format!("/fleet{path}"));
    lines.extend(query.iter().map(|(name, value)| format!("{name}:{value}")));
    let text = lines.join("\n");
    let key = aws_lc_rs::hmac::Key::new(aws_lc_rs::hmac::HMAC_SHA256, b"canary-key");
    let signature = aws_lc_rs::hmac::sign(&key, text.as_bytes());
    let signature = base64::prelude::BASE64_STANDARD.encode(signature);
    format!("SharedKey fleet:{signature}")
}

#[test]
fn account_key_needs_a_host_with_its_account() {
    for (endpoint, expected) in [
        (
            "https://localhost",
            "failed to extract account name from endpoint: expected 'localhost' to be a subdomain",
        ),
        (
            "https://fleet.local",
            "failed to extract account name from endpoint: expected 'fleet.local' to be a subdomain",
        ),
    ] {
        let error = SharedKey::of_endpoint(&endpoint.parse().unwrap(), KEY).unwrap_err();
        assert_eq!(error.to_string(), expected);
    }
    let endpoint = format!("https://{ACCOUNT}").parse().unwrap();
    let error = SharedKey::of_endpoint(&endpoint, "canary!").unwrap_err();
    assert_eq!(error.to_string(), "decode account key: it is not base64");
}
