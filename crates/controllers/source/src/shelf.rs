//! What a source kind does with the storage: keep an object's files in order, check the current
//! one, remove them all. The failures are told as Flux tells them, whatever the kind.

use std::error::Error;
use std::sync::Arc;

use jiff::Timestamp;
use sluice_api::Artifact;
use sluice_api::meta::reason;
use sluice_api::source::condition::STORAGE_OPERATION_FAILED;
use sluice_artifact::storage::{Fault as StorageFault, Location, Storage, StoreError};
use sluice_runtime::reconcile::chain;
use sluice_runtime::{Failure, ReportError, Retry};

/// A failure, and the condition that tells it.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Fault {
    pub(crate) told: Told,
    pub(crate) failure: Failure,
}

/// How a failure is told besides by `Ready`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Told {
    /// By a condition that is bad while it is true.
    True(&'static str),
    /// By a condition that is good while it is true.
    False(&'static str),
    /// Not at all.
    Nowhere,
}

impl Fault {
    pub(crate) fn storage(failure: Failure) -> Self {
        Self {
            told: Told::True(STORAGE_OPERATION_FAILED),
            failure,
        }
    }
}

/// Why a run ended early.
pub(crate) enum Interruption {
    Fault(Fault),
    Report(ReportError),
}

impl From<Fault> for Interruption {
    fn from(fault: Fault) -> Self {
        Self::Fault(fault)
    }
}

impl From<ReportError> for Interruption {
    fn from(error: ReportError) -> Self {
        Self::Report(error)
    }
}

/// The state of an object's storage.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(crate) struct Tidied {
    /// How many old artifacts were removed.
    pub(crate) collected: usize,
    /// What became of the current one.
    pub(crate) kept: Kept,
}

/// Whether the advertised artifact can still be had.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(crate) enum Kept {
    /// None is advertised.
    #[default]
    None,
    /// It is there, with its digest.
    Whole,
    /// It is gone.
    Missing,
    /// It is not what is advertised.
    Corrupt(String),
}

/// An object's directory.
pub(crate) fn location(kind: &str, namespace: &str, name: &str) -> Result<Location, Fault> {
    Location::new(kind, namespace, name)
        .map_err(|error| Fault::storage(Failure::new(reason::INVALID_PATH, Retry::Stalled, &error)))
}

/// Removes old artifacts and checks the current one.
pub(crate) async fn tidy(
    storage: &Arc<Storage>,
    location: Location,
    artifact: Option<&Artifact>,
    now: Timestamp,
) -> Result<Tidied, Fault> {
    let Some(artifact) = artifact.cloned() else {
        return Ok(Tidied::default());
    };
    blocking(storage, move |storage| {
        let collected = storage
            .collect(&location, Some(&artifact.path), now)
            .unwrap_or_else(|error| {
                // What cannot be removed now will be looked at again.
                tracing::warn!(error = %chain(&error), "old artifacts were not removed");
                Vec::new()
            });
        let kept = check(storage, &artifact, now)?;
        Ok(Tidied {
            collected: collected.len(),
            kept,
        })
    })
    .await
}

/// Checks the advertised artifact. Only one that was read and found to be another is removed: a
/// disk that cannot be read now may be read again, and until then the artifact is all there is.
fn check(storage: &Storage, artifact: &Artifact, now: Timestamp) -> Result<Kept, Fault> {
    match storage.verify(&artifact.path, &artifact.digest, now) {
        Ok(()) => Ok(Kept::Whole),
        Err(StorageFault::Missing) => Ok(Kept::Missing),
        Err(fault @ StorageFault::Mismatch { .. }) => {
            storage.remove(&artifact.path).map_err(|error| {
                let action = "failed to remove artifact after digest mismatch";
                failure(reason::STAT_OPERATION_FAILED, action, &error)
            })?;
            Ok(Kept::Corrupt(chain(&fault)))
        }
        // Nothing can be said of the file: a new one will take its place.
        Err(fault @ StorageFault::Digest(_)) => Ok(Kept::Corrupt(chain(&fault))),
        Err(StorageFault::Read(error)) => Err(failure(
            reason::STAT_OPERATION_FAILED,
            "failed to verify artifact",
            &error,
        )),
    }
}

/// Removes everything stored for an object and tells whether there was anything.
pub(crate) async fn delete(storage: &Arc<Storage>, location: Location) -> Result<bool, Fault> {
    blocking(storage, move |storage| {
        storage.delete(&location).map_err(|error| {
            let action = "garbage collection for deleted resource failed";
            failure(reason::GARBAGE_COLLECTION_FAILED, action, &error)
        })
    })
    .await
}

/// Files are read and written where waiting for a disk holds up nobody else.
pub(crate) async fn blocking<T: Send + 'static>(
    storage: &Arc<Storage>,
    work: impl FnOnce(&Storage) -> Result<T, Fault> + Send + 'static,
) -> Result<T, Fault> {
    let storage = Arc::clone(storage);
    match tokio::task::spawn_blocking(move || work(&storage)).await {
        Ok(done) => done,
        Err(error) => std::panic::resume_unwind(error.into_panic()),
    }
}

fn failure(reason: &'static str, action: &str, error: &dyn Error) -> Fault {
    let message = format!("{action}: {}", chain(error));
    Fault::storage(Failure::message(reason, Retry::Backoff, message))
}

pub(crate) fn archive_failure(error: &dyn Error) -> Fault {
    let action = "unable to archive artifact to storage";
    failure(reason::ARCHIVE_OPERATION_FAILED, action, error)
}

pub(crate) fn store_failure(error: &StoreError) -> Fault {
    let reason = match error {
        StoreError::Directory(_) => reason::DIRECTORY_CREATION_FAILED,
        StoreError::Locked { .. } | StoreError::Lock(_) => reason::ACQUIRE_LOCK_FAILED,
        StoreError::File(_) => return archive_failure(error),
    };
    Fault::storage(Failure::new(reason, Retry::Backoff, error))
}
