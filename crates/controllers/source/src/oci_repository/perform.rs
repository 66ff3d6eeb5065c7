//! What is done for an `OCIRepository`: pull the digest that was resolved, and store its layer.

use std::collections::BTreeMap;
use std::io::{self, Write as _};

use sluice_api::Artifact;
use sluice_api::meta::reason;
use sluice_api::source::OciRepository;
use sluice_artifact::storage::Stored;
use sluice_artifact::{tarball, untar::Limits};
use sluice_oci::{Blob, Descriptor, Manifest, Remote};
use sluice_runtime::reconcile::chain;
use sluice_runtime::{Failure, Retry};

use super::observe::{Asked, Deadline, Resolved};
use super::plan::{Operation, Work};
use super::spool::Spool;
use super::unpack::{Tree, UnpackError};
use super::{Context, location};
use crate::shelf::{Fault, archive_failure, blocking, store_failure};

/// A link beside an artifact that always leads to the current one.
const LINK: &str = "latest.tar.gz";

/// A new artifact.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Done {
    pub(super) artifact: Artifact,
    /// Where the link beside it is served, or why there is none.
    pub(super) link: Result<String, String>,
}

fn layer_failure(message: String) -> Fault {
    Fault::fetch(Failure::message(
        reason::OCI_ARTIFACT_LAYER_OPERATION_FAILED,
        Retry::Backoff,
        message,
    ))
}

/// Pulls what was resolved, by its digest, and stores the wanted layer.
pub(super) async fn pull(
    context: &Context,
    object: &OciRepository,
    work: &Work,
    remote: &Remote,
    resolved: &Resolved,
    deadline: &Deadline,
) -> Result<Done, Fault> {
    let action = format!("failed to pull artifact from '{}'", object.spec.url);
    let refused =
        |error: Asked<sluice_oci::Error>| error.fault(reason::OCI_ARTIFACT_PULL_FAILED, &action);
    let manifest = deadline
        .within(context.registry.manifest(remote, &resolved.digest))
        .await
        .map_err(refused)?;
    let layer = select(&manifest, work.media_type.as_deref())
        .map_err(layer_failure)?
        .clone();
    let layer = deadline
        .within(async {
            let blob = context.registry.blob(remote, &layer).await?;
            Ok(spooled(blob).await)
        })
        .await
        .map_err(refused)?
        .map_err(|error| match error {
            Spooling::Registry(error) => refused(Asked::Refused(error)),
            Spooling::Disk(error) => archive_failure(&error),
        })?;
    let stored = store(context, object, work.operation, resolved, layer).await?;
    let location = location(object)?;
    let file = file_name(resolved);
    let link = blocking(&context.storage, move |storage| {
        Ok(match storage.link(&location, &file, LINK) {
            Ok(()) => Ok(storage.url(&location.path(LINK))),
            Err(error) => Err(chain(&error)),
        })
    })
    .await?;
    let metadata: BTreeMap<String, String> = manifest.annotations.unwrap_or_default();
    Ok(Done {
        artifact: Artifact {
            digest: stored.digest.to_string(),
            url: context.storage.url(&stored.path),
            path: stored.path,
            revision: resolved.revision(),
            size: i64::try_from(stored.size).ok(),
            metadata,
            ..Artifact::default()
        },
        link,
    })
}

/// The layer that is wanted.
pub(super) fn select<'a>(
    manifest: &'a Manifest,
    media_type: Option<&str>,
) -> Result<&'a Descriptor, String> {
    let Some(first) = manifest.layers.first() else {
        return Err("no layers found in artifact".to_owned());
    };
    match media_type {
        None => Ok(first),
        Some(wanted) => manifest
            .layers
            .iter()
            .find(|layer| layer.media_type == wanted)
            .ok_or_else(|| format!("failed to find layer with media type '{wanted}' in artifact")),
    }
}

/// The digest names the file, with its colon, as in Flux.
fn file_name(resolved: &Resolved) -> String {
    format!("{}.tar.gz", resolved.digest)
}

enum Spooling {
    Registry(sluice_oci::Error),
    Disk(io::Error),
}

/// Takes a blob in. What comes back is what its digest names.
async fn spooled(mut blob: Blob) -> Result<Spool, Spooling> {
    let mut spool = Spool::default();
    while let Some(chunk) = blob.next().await.map_err(Spooling::Registry)? {
        if spool.is_file() {
            spool = tokio::task::spawn_blocking(move || {
                spool.write_all(&chunk)?;
                Ok(spool)
            })
            .await
            .expect("writing a file does not panic")
            .map_err(Spooling::Disk)?;
        } else {
            spool.write_all(&chunk).map_err(Spooling::Disk)?;
        }
    }
    Ok(spool)
}

async fn store(
    context: &Context,
    object: &OciRepository,
    operation: Operation,
    resolved: &Resolved,
    layer: Spool,
) -> Result<Stored, Fault> {
    let location = location(object)?;
    let file = file_name(resolved);
    let ignore = object.spec.ignore.clone();
    blocking(&context.storage, move |storage| {
        let tree = match operation {
            Operation::Copy => None,
            Operation::Extract => Some(
                Tree::read(layer.whole(), Limits::unlimited()).map_err(|error| unpacked(&error))?,
            ),
        };
        let mut pending = storage
            .create(&location, &file)
            .map_err(|error| store_failure(&error))?;
        match tree {
            None => {
                io::copy(&mut layer.whole(), &mut pending)
                    .map_err(|error| archive_failure(&error))?;
            }
            Some(tree) => {
                let rules = tree
                    .rules(ignore.as_deref())
                    .map_err(|error| archive_failure(&error))?;
                pending = tree
                    .write(tarball::compressed(pending), &rules)
                    .map_err(|error| archive_failure(&error))?
                    .finish()
                    .map_err(|error| archive_failure(&error))?;
            }
        }
        storage
            .publish(pending)
            .map_err(|error| store_failure(&error))
    })
    .await
}

fn unpacked(error: &UnpackError) -> Fault {
    layer_failure(format!(
        "failed to extract layer contents from artifact: {}",
        chain(error)
    ))
}
