//! Lists the objects of a `Bucket`.

use std::collections::BTreeMap;
use std::future::Future;

use bytes::Bytes;
use sluice_api::meta::reason;
use sluice_api::source::Bucket;
use sluice_artifact::ignore::{self, MatchError, Rules};
use sluice_bucket::{Client, ErrorKind, Index, ListedObject, Remote};
use sluice_golang::GoDuration;
use sluice_golang::error::chain;
use sluice_system::blocking;

use super::model::Listing;
use super::spec::Spec;
use crate::fault::Fault;

/// Maximum size of an ignore file, far above handwritten ones.
const MAX_IGNORE_BYTES: usize = 1 << 20;

/// Lists the objects that the ignore rules keep.
pub(super) async fn list(
    client: &Client,
    remote: &Remote,
    object: &Bucket,
    spec: &Spec,
) -> Result<Listing, Fault> {
    let bucket = &spec.bucket;
    let exists = remote.exists(client).await.map_err(|error| {
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
    let mut listed = Vec::new();
    let listing = remote.list(client, &spec.prefix, |object| {
        if !object.key.ends_with('/') && object.key != ignore::FILE_NAME {
            listed.push(OwnedObject::from(object));
        }
    });
    listing.await.map_err(|error| {
        refused(format!(
            "indexation of objects from bucket '{bucket}' failed: listing objects from bucket \
             '{bucket}' failed: {error}"
        ))
    })?;
    let own_rules = object.spec.ignore.clone();
    // A tenant chooses the rules and the keys.
    let kept = blocking(move || keep(listed, ignore_file, own_rules.as_deref())).await;
    kept.map_err(|error| {
        refused(format!(
            "indexation of objects from bucket '{bucket}' failed: {}",
            chain(&error)
        ))
    })
}

/// A listed object, while the listing goes on.
struct OwnedObject {
    key: String,
    etag: String,
    generation: Option<String>,
}

impl From<ListedObject<'_>> for OwnedObject {
    fn from(object: ListedObject<'_>) -> Self {
        Self {
            key: object.key.to_owned(),
            etag: object.etag.to_owned(),
            generation: object.generation.map(str::to_owned),
        }
    }
}

/// Drops the objects that the ignore rules exclude.
fn keep(
    listed: Vec<OwnedObject>,
    ignore_file: Option<Bytes>,
    own_rules: Option<&str>,
) -> Result<Listing, MatchError> {
    let mut patterns = ignore::read(ignore_file.as_deref().unwrap_or_default(), b"");
    if let Some(rules) = own_rules {
        patterns.extend(ignore::read(rules.as_bytes(), b""));
    }
    let rules = Rules::exactly(patterns);
    let mut index = Index::default();
    let mut generations = BTreeMap::new();
    for object in listed {
        let OwnedObject {
            key,
            etag,
            generation,
        } = object;
        if rules.exclude(key.as_bytes(), false)? {
            continue;
        }
        if let Some(generation) = generation {
            generations.insert(key.clone(), generation);
        }
        index.insert(key, etag);
    }
    Ok(Listing::new(index, generations, ignore_file))
}

async fn ignore_file(
    client: &Client,
    remote: &Remote,
) -> Result<Option<Bytes>, sluice_bucket::Error> {
    let object = match remote.get_current(client, ignore::FILE_NAME).await {
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

/// The store refused a request.
pub(super) fn refused(message: String) -> Fault {
    Fault::retry(reason::BUCKET_OPERATION_FAILED, message)
}
