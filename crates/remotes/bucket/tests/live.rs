//! Buckets of real clouds. They run only on request, with credentials in the environment:
//! `cargo test -p sluice-bucket --test live -- --ignored aws`. A test names the variable that it
//! lacks. The bucket must hold an object.
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]
#![expect(
    clippy::disallowed_methods,
    reason = "the environment names the service under test"
)]

use std::sync::Arc;
use std::time::Duration;

use sluice_bucket::azure::{Access, Container};
use sluice_bucket::{Bucket, Client, Endpoint, GoogleBucket, ListedObject, Remote};
use sluice_dial::{Bearer, Dial, HttpClients};
use sluice_identity::{AwsLocation, Environment, Identities, Level, TokenCache};
use sluice_system::SystemClock;

fn identities() -> Identities {
    Identities::new(
        Arc::new(HttpClients::new("sluice-live")),
        Arc::new(SystemClock),
        Environment::of_process(),
        TokenCache::new(100, Duration::from_hours(1)),
    )
}

fn required(variable: &str) -> String {
    let value = std::env::var(variable).unwrap_or_default();
    assert!(!value.is_empty(), "set {variable}");
    value
}

/// Lists a bucket and downloads its first object by its tag.
async fn reads(remote: &Remote) {
    let http = Arc::new(HttpClients::new("sluice-live"));
    let client = Client::new(http, Arc::new(SystemClock));
    assert!(remote.exists(&client).await.unwrap());
    let mut listed = Vec::new();
    let visit = |object: ListedObject<'_>| {
        let generation = object.generation.map(str::to_owned);
        listed.push((object.key.to_owned(), object.etag.to_owned(), generation));
    };
    remote.list(&client, "", visit).await.unwrap();
    let (key, etag, generation) = listed.first().expect("the bucket holds an object");
    let object = ListedObject {
        key,
        etag,
        generation: generation.as_deref(),
    };
    let object = remote.get(&client, object).await.unwrap();
    assert_eq!(object.etag(), etag);
    object.read(64 << 20).await.unwrap();
}

#[tokio::test]
#[ignore = "needs credentials of AWS and SLUICE_LIVE_S3_BUCKET"]
async fn aws_bucket_is_read() {
    let (identities, dial) = (identities(), Dial::default());
    let location = AwsLocation::default();
    let keys = identities.aws(Level::Controller, location, &dial).await;
    reads(&Remote::S3(Bucket {
        endpoint: Endpoint::parse("s3.amazonaws.com", false).unwrap(),
        name: required("SLUICE_LIVE_S3_BUCKET"),
        region: None,
        credentials: Some(keys.unwrap().0),
        dial,
    }))
    .await;
}

#[tokio::test]
#[ignore = "needs credentials of Google Cloud and SLUICE_LIVE_GCS_BUCKET"]
async fn gcp_bucket_is_read() {
    let (identities, dial) = (identities(), Dial::default());
    let (token, _) = identities.gcp(Level::Controller, &dial).await.unwrap();
    reads(&Remote::Google(GoogleBucket {
        service: GoogleBucket::SERVICE.parse().unwrap(),
        name: required("SLUICE_LIVE_GCS_BUCKET"),
        token: Bearer::new(token.expose()).unwrap(),
        dial,
    }))
    .await;
}

#[tokio::test]
#[ignore = "needs credentials of Azure, SLUICE_LIVE_BLOB_URL and SLUICE_LIVE_BLOB_CONTAINER"]
async fn azure_container_is_read() {
    let (identities, dial) = (identities(), Dial::default());
    let endpoint: url::Url = required("SLUICE_LIVE_BLOB_URL").parse().unwrap();
    let token = identities.blobs(Level::Controller, &endpoint, &dial).await;
    reads(&Remote::Azure(Container {
        endpoint,
        name: required("SLUICE_LIVE_BLOB_CONTAINER"),
        access: Access::Bearer(Bearer::new(token.unwrap().0.expose()).unwrap()),
        dial,
    }))
    .await;
}
