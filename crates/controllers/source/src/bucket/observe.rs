//! Reads the Secrets of a `Bucket` and lists its objects.

use std::future::Future;

use kube::ResourceExt;
use sluice_api::meta::reason;
use sluice_api::source::Bucket;
use sluice_artifact::ignore::{self, Rules};
use sluice_bucket::{Client, Credentials, ErrorKind, Index};
use sluice_dial::{Dial, Sensitive, Tls};
use sluice_engine::{Failure, Retry};
use sluice_golang::GoDuration;
use sluice_golang::error::chain;
use sluice_host::Secrets;
use sluice_host::secrets::SecretData;

use super::model::Listing;
use super::spec::Work;
use crate::source_storage::Fault;

/// Maximum size of an ignore file, far above handwritten ones.
const MAX_IGNORE_BYTES: usize = 1 << 20;

/// Reads the Secrets of an object and configures its store.
pub(super) async fn remote(
    secrets: &Secrets,
    object: &Bucket,
    work: &Work,
) -> Result<sluice_bucket::Bucket, Fault> {
    let namespace = object.namespace().unwrap_or_default();
    let spec = &object.spec;
    let credentials = match &spec.secret_ref {
        None => None,
        Some(reference) => {
            let secret = secrets.get(&namespace, &reference.name).await;
            let secret = secret.map_err(|error| {
                let name = &reference.name;
                unauthenticated(format!(
                    "failed to get secret '{namespace}/{name}': {}",
                    chain(&error)
                ))
            })?;
            static_keys(&secret, &reference.name)?
        }
    };
    let proxy = match &spec.proxy_secret_ref {
        None => None,
        Some(reference) => {
            let secret = secrets.get(&namespace, &reference.name).await;
            let proxy = secret.and_then(|secret| secret.proxy());
            Some(proxy.map_err(|error| {
                unauthenticated(format!("failed to get proxy URL: {}", chain(&error)))
            })?)
        }
    };
    let tls = match &spec.cert_secret_ref {
        Some(reference) => {
            let secret = secrets.get(&namespace, &reference.name).await;
            let tls = secret
                .and_then(|secret| secret.tls(false))
                .map_err(|error| {
                    unauthenticated(format!("failed to get TLS config: {}", chain(&error)))
                })?;
            // Plain HTTP has no use for it.
            tls.filter(|_| !spec.insecure).unwrap_or_default()
        }
        None => Tls::default(),
    };
    Ok(sluice_bucket::Bucket {
        endpoint: work.endpoint.clone(),
        name: work.bucket.clone(),
        region: work.region.clone(),
        credentials,
        dial: Dial {
            tls,
            proxy,
            ..Dial::default()
        },
    })
}

/// The keys of a Secret. Empty ones mean anonymous access, as in Flux.
fn static_keys(secret: &SecretData, name: &str) -> Result<Option<Credentials>, Fault> {
    let entry = |key| {
        secret
            .entry(key)
            .map(|value| String::from_utf8_lossy(value).into_owned())
    };
    let (Some(access_key), Some(secret_key)) = (entry("accesskey"), entry("secretkey")) else {
        return Err(unauthenticated(format!(
            "invalid '{name}' secret data: required fields 'accesskey' and 'secretkey'"
        )));
    };
    let is_anonymous = access_key.is_empty() || secret_key.is_empty();
    Ok((!is_anonymous).then(|| Credentials {
        access_key,
        secret_key: Sensitive::new(secret_key),
        session_token: None,
        expires: None,
    }))
}

/// Lists the objects that the ignore rules keep.
pub(super) async fn list(
    client: &Client,
    remote: &sluice_bucket::Bucket,
    object: &Bucket,
    work: &Work,
) -> Result<Listing, Fault> {
    let bucket = &work.bucket;
    let exists = client.exists(remote).await.map_err(|error| {
        refused(format!(
            "failed to confirm existence of '{bucket}' bucket: {error}"
        ))
    })?;
    if !exists {
        return Err(refused(format!("bucket '{bucket}' not found")));
    }
    let ignore_file = ignore_file(client, remote).await.map_err(|error| {
        let file = ignore::FILE_NAME;
        refused(format!("failed to get Etag for '{file}' object: {error}"))
    })?;
    let mut patterns = ignore::read(ignore_file.as_deref().unwrap_or_default(), b"");
    if let Some(ignore) = &object.spec.ignore {
        patterns.extend(ignore::read(ignore.as_bytes(), b""));
    }
    let rules = Rules::exactly(patterns);
    let mut index = Index::default();
    let listing = client.list(remote, &work.prefix, |key, etag| {
        let is_file = !key.ends_with('/') && key != ignore::FILE_NAME;
        if is_file && !rules.exclude(key.as_bytes(), false) {
            index.insert(key, etag);
        }
    });
    listing.await.map_err(|error| {
        refused(format!(
            "indexation of objects from bucket '{bucket}' failed: listing objects from bucket \
             '{bucket}' failed: {error}"
        ))
    })?;
    Ok(Listing { index, ignore_file })
}

async fn ignore_file(
    client: &Client,
    remote: &sluice_bucket::Bucket,
) -> Result<Option<Vec<u8>>, sluice_bucket::Error> {
    let mut object = match client.get(remote, ignore::FILE_NAME, None).await {
        Err(error) if error.kind() == ErrorKind::NoSuchKey => return Ok(None),
        object => object?,
    };
    let mut text = Vec::new();
    while let Some(chunk) = object.chunk().await? {
        let room = MAX_IGNORE_BYTES - text.len();
        text.extend_from_slice(&chunk[..chunk.len().min(room)]);
    }
    Ok(Some(text))
}

/// Waits at most `spec.timeout` for the store.
pub(super) async fn within<T>(
    work: &Work,
    action: &str,
    asking: impl Future<Output = Result<T, Fault>>,
) -> Result<T, Fault> {
    let limit = work.timeout;
    tokio::time::timeout(limit, asking)
        .await
        .unwrap_or_else(|_| {
            let limit = GoDuration::from_std(limit);
            Err(refused(format!(
                "{action} did not end within spec.timeout of {limit}"
            )))
        })
}

fn unauthenticated(message: String) -> Fault {
    Fault::fetch(Failure::message(
        reason::AUTHENTICATION_FAILED,
        Retry::Backoff,
        message,
    ))
}

/// The store refused a request.
pub(super) fn refused(message: String) -> Fault {
    Fault::fetch(Failure::message(
        "BucketOperationFailed",
        Retry::Backoff,
        message,
    ))
}
