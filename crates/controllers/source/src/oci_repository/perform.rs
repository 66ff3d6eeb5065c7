//! Pulls the resolved digest of an `OCIRepository` and stores its layer.

use std::collections::BTreeMap;
use std::io::{self, Write as _};

use sluice_api::Artifact;
use sluice_api::meta::reason;
use sluice_api::source::OciRepository;
use sluice_artifact::deflate::GzipWriter;
use sluice_artifact::storage::{Location, StoredArtifact};
use sluice_artifact::untar::Limits;
use sluice_engine::{Failure, ObjectKey, Retry};
use sluice_golang::error::chain;
use sluice_oci::{Blob, Client, Descriptor, Manifest, Remote};

use super::observe::{Deadline, RequestError, Resolved};
use super::plan::{Operation, Work};
use super::spool::Spool;
use super::unpack::{Tree, UnpackError};
use crate::source_storage::{Fault, SourceStorage, archive_failure, store_failure};

/// A link beside the artifacts to the current one.
const LINK: &str = "latest.tar.gz";

/// A new artifact.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct NewArtifact {
    pub(super) artifact: Artifact,
    /// The URL of the link, or why it could not be created.
    pub(super) link: Result<String, String>,
}

fn layer_failure(message: String) -> Fault {
    Fault::fetch(Failure::message(
        reason::OCI_ARTIFACT_LAYER_OPERATION_FAILED,
        Retry::Backoff,
        message,
    ))
}

/// The wanted layer during its download, with the annotations of its manifest.
#[derive(Debug)]
pub(super) struct LayerDownload {
    layer: Blob,
    annotations: BTreeMap<String, String>,
}

fn refused(object: &OciRepository) -> impl Fn(RequestError<sluice_oci::Error>) -> Fault {
    let action = format!("failed to pull artifact from '{}'", object.spec.url);
    move |error| error.fault(reason::OCI_ARTIFACT_PULL_FAILED, &action)
}

/// Requests the resolved digest and opens the wanted layer.
pub(super) async fn open(
    registry: &Client,
    object: &OciRepository,
    work: &Work,
    remote: &Remote,
    resolved: &Resolved,
    deadline: &Deadline,
) -> Result<LayerDownload, Fault> {
    let manifest = deadline
        .within(registry.manifest(remote, &resolved.digest))
        .await
        .map_err(refused(object))?;
    let layer = select(&manifest, work.media_type.as_deref()).map_err(layer_failure)?;
    let layer = deadline
        .within(registry.blob(remote, layer))
        .await
        .map_err(refused(object))?;
    Ok(LayerDownload {
        layer,
        annotations: manifest.annotations.unwrap_or_default(),
    })
}

/// Downloads a layer and stores it.
pub(super) async fn pull(
    source_storage: &SourceStorage,
    object: &OciRepository,
    work: &Work,
    resolved: &Resolved,
    deadline: &Deadline,
    download: LayerDownload,
) -> Result<NewArtifact, Fault> {
    let LayerDownload { layer, annotations } = download;
    let layer = deadline
        .within(async { Ok(download_blob(layer).await) })
        .await
        .map_err(refused(object))?
        .map_err(|error| match error {
            DownloadError::Registry(error) => refused(object)(RequestError::Refused(error)),
            DownloadError::Disk(error) => archive_failure(&error),
        })?;
    let location = source_storage.location(&ObjectKey::of(object))?;
    let file = file_name(resolved);
    let stored = store(
        source_storage,
        object,
        work.operation,
        &location,
        &file,
        layer,
    )
    .await?;
    let link = source_storage
        .blocking(move |storage| {
            Ok(match storage.link(&location, &file, LINK) {
                Ok(()) => Ok(storage.url(&location.path(LINK))),
                Err(error) => Err(chain(&error)),
            })
        })
        .await?;
    Ok(NewArtifact {
        artifact: Artifact {
            digest: stored.digest.to_string(),
            url: source_storage.url(&stored.path),
            path: stored.path,
            revision: resolved.revision(),
            size: i64::try_from(stored.size).ok(),
            metadata: annotations,
            ..Artifact::default()
        },
        link,
    })
}

/// Selects the wanted layer.
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

/// The file is named after the digest, including its colon, as in Flux.
fn file_name(resolved: &Resolved) -> String {
    format!("{}.tar.gz", resolved.digest)
}

enum DownloadError {
    Registry(sluice_oci::Error),
    Disk(io::Error),
}

/// Downloads a blob and checks its digest.
async fn download_blob(mut blob: Blob) -> Result<Spool, DownloadError> {
    let mut spool = Spool::default();
    while let Some(chunk) = blob.next().await.map_err(DownloadError::Registry)? {
        if spool.is_file() {
            spool = tokio::task::spawn_blocking(move || {
                spool.write_all(&chunk)?;
                Ok(spool)
            })
            .await
            .expect("writing to the spool does not panic")
            .map_err(DownloadError::Disk)?;
        } else {
            spool.write_all(&chunk).map_err(DownloadError::Disk)?;
        }
    }
    Ok(spool)
}

async fn store(
    source_storage: &SourceStorage,
    object: &OciRepository,
    operation: Operation,
    location: &Location,
    file: &str,
    layer: Spool,
) -> Result<StoredArtifact, Fault> {
    if operation == Operation::Copy {
        let mut pending = source_storage.create(location, file).await?;
        return source_storage
            .blocking(move |storage| {
                io::copy(&mut layer.whole(), &mut pending)
                    .map_err(|error| archive_failure(&error))?;
                storage
                    .publish(pending)
                    .map_err(|error| store_failure(&error))
            })
            .await;
    }
    let tree = source_storage
        .blocking(move |_| {
            Tree::read(layer.whole(), Limits::unlimited()).map_err(|error| unpacked(&error))
        })
        .await?;
    let pending = source_storage.create(location, file).await?;
    let ignore = object.spec.ignore.clone();
    source_storage
        .blocking(move |storage| {
            let rules = tree
                .rules(ignore.as_deref())
                .map_err(|error| archive_failure(&error))?;
            let pending = GzipWriter::new(pending);
            let pending = tree
                .write(pending, &rules)
                .map_err(|error| archive_failure(&error))?
                .finish()
                .map_err(|error| archive_failure(&error))?;
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
