//! Reads the Secrets of a `Bucket` and lists its objects.

use std::future::Future;

use bytes::Bytes;
use sluice_api::meta::{LocalObjectReference, reason};
use sluice_api::source::Bucket;
use sluice_artifact::ignore::{self, Rules};
use sluice_bucket::{Client, Credentials, ErrorKind, Index};
use sluice_client::typed::ResourceExt;
use sluice_dial::{Dial, Sensitive};
use sluice_golang::GoDuration;
use sluice_golang::error::chain;
use sluice_host::Secrets;
use sluice_host::secrets::SecretData;

use super::model::Listing;
use super::spec::Spec;
use crate::fault::Fault;

/// Maximum size of an ignore file, far above handwritten ones.
const MAX_IGNORE_BYTES: usize = 1 << 20;

/// Reads the Secrets of an object and configures its store.
pub(super) async fn remote(
    secrets: &Secrets,
    object: &Bucket,
    spec: &Spec,
) -> Result<sluice_bucket::Bucket, Fault> {
    let namespace = object.namespace().unwrap_or_default();
    let fields = &object.spec;
    let read = async |reference: &Option<LocalObjectReference>, action: &str| match reference {
        None => Ok(None),
        Some(reference) => match secrets.get(&namespace, &reference.name).await {
            Ok(secret) => Ok(Some(secret)),
            Err(error) => Err(failed(action, &error)),
        },
    };
    let name = fields.secret_ref.as_ref().map(|reference| &*reference.name);
    let action = format!("get secret '{namespace}/{}'", name.unwrap_or_default());
    let credentials = match read(&fields.secret_ref, &action).await? {
        None => None,
        Some(secret) => static_keys(&secret)?,
    };
    let action = "get proxy URL";
    let proxy = match read(&fields.proxy_secret_ref, action).await? {
        None => None,
        Some(secret) => Some(secret.proxy().map_err(|error| failed(action, &error))?),
    };
    let action = "get TLS config";
    let tls = match read(&fields.cert_secret_ref, action).await? {
        None => None,
        Some(secret) => secret.tls(false).map_err(|error| failed(action, &error))?,
    };
    // Plain HTTP has no use for certificates.
    let tls = tls.filter(|_| !fields.insecure).unwrap_or_default();
    Ok(sluice_bucket::Bucket {
        endpoint: spec.endpoint.clone(),
        name: spec.bucket.clone(),
        region: spec.region.clone(),
        credentials,
        dial: Dial {
            tls,
            proxy,
            ..Dial::default()
        },
    })
}

/// The keys of a Secret. Empty ones mean anonymous access, as in Flux.
fn static_keys(secret: &SecretData) -> Result<Option<Credentials>, Fault> {
    let entry = |key| {
        secret
            .entry(key)
            .map(|value| String::from_utf8_lossy(value).into_owned())
    };
    let (Some(access_key), Some(secret_key)) = (entry("accesskey"), entry("secretkey")) else {
        let name = secret.key().name();
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
    spec: &Spec,
) -> Result<Listing, Fault> {
    let bucket = &spec.bucket;
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
    let mut unmatched = None;
    let listing = client.list(remote, &spec.prefix, |key, etag| {
        let is_file = !key.ends_with('/') && key != ignore::FILE_NAME;
        if !is_file || unmatched.is_some() {
            return;
        }
        match rules.exclude(key.as_bytes(), false) {
            Ok(true) => {}
            Ok(false) => index.insert(key, etag),
            Err(error) => unmatched = Some(error),
        }
    });
    listing.await.map_err(|error| {
        refused(format!(
            "indexation of objects from bucket '{bucket}' failed: listing objects from bucket \
             '{bucket}' failed: {error}"
        ))
    })?;
    if let Some(error) = unmatched {
        return Err(refused(format!(
            "indexation of objects from bucket '{bucket}' failed: {}",
            chain(&error)
        )));
    }
    Ok(Listing { index, ignore_file })
}

async fn ignore_file(
    client: &Client,
    remote: &sluice_bucket::Bucket,
) -> Result<Option<Bytes>, sluice_bucket::Error> {
    let object = match client.get(remote, ignore::FILE_NAME, None).await {
        Err(error) if error.kind() == ErrorKind::NoSuchKey => return Ok(None),
        object => object?,
    };
    object.read(MAX_IGNORE_BYTES).await.map(Some)
}

/// Waits at most `spec.timeout` for the store.
pub(super) async fn within<T>(
    spec: &Spec,
    action: &str,
    asking: impl Future<Output = Result<T, Fault>>,
) -> Result<T, Fault> {
    let limit = spec.timeout;
    tokio::time::timeout(limit, asking)
        .await
        .unwrap_or_else(|_| {
            let limit = GoDuration::from_std(limit);
            Err(refused(format!(
                "{action} did not end within spec.timeout of {limit}"
            )))
        })
}

fn failed(action: &str, error: &dyn std::error::Error) -> Fault {
    unauthenticated(format!("failed to {action}: {}", chain(error)))
}

fn unauthenticated(message: String) -> Fault {
    Fault::retry(reason::AUTHENTICATION_FAILED, message)
}

/// The store refused a request.
pub(super) fn refused(message: String) -> Fault {
    Fault::retry(reason::BUCKET_OPERATION_FAILED, message)
}
