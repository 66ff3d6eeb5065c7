//! What a source kind does with the storage: keep an object's files in order, check the current
//! one, remove them all. What comes of it, and what fails, is told as Flux tells it, whatever the
//! kind.

use std::borrow::Cow;
use std::error::Error;
use std::sync::Arc;

use jiff::Timestamp;
use sluice_api::Artifact;
use sluice_api::meta::reason;
use sluice_api::source::condition::{ARTIFACT_IN_STORAGE, FETCH_FAILED, STORAGE_OPERATION_FAILED};
use sluice_artifact::storage::{Location, PendingArtifact, Storage, StoreError, VerifyError};
use sluice_engine::{
    Failure, Finalizer, Kind, Notice, ObjectKey, Outcome, ReportError, Requeue, Retry,
};
use sluice_golang::error::chain;

use crate::conditions::Ledger;
use crate::first_round::FirstRound;

/// The part of the storage that holds one kind.
#[derive(Debug)]
pub(crate) struct Shelf {
    kind: Cow<'static, str>,
    storage: Arc<Storage>,
    /// Whose storage this is, as marked on directories.
    owner: String,
    /// The look at all artifacts before the first remote is asked.
    pub(crate) first_round: FirstRound,
}

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
    pub(crate) fn fetch(failure: Failure) -> Self {
        Self {
            told: Told::True(FETCH_FAILED),
            failure,
        }
    }

    pub(crate) fn storage(failure: Failure) -> Self {
        Self {
            told: Told::True(STORAGE_OPERATION_FAILED),
            failure,
        }
    }

    /// An account is named for a provider, and the gate of that is closed.
    pub(crate) fn no_identities_of_objects(told: Told) -> Self {
        let message = "to use spec.serviceAccountName for provider authentication please enable the \
                       ObjectLevelWorkloadIdentity feature gate in the controller";
        Self {
            told,
            failure: Failure::message(reason::FEATURE_GATE_DISABLED, Retry::Stalled, message),
        }
    }

    /// Sets the condition that tells it.
    pub(crate) fn tell(&self, ledger: &mut Ledger) {
        let Failure {
            reason, message, ..
        } = &self.failure;
        match self.told {
            Told::True(condition) => ledger.hold(condition, reason, message),
            Told::False(condition) => ledger.deny(condition, reason, message),
            Told::Nowhere => {}
        }
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

impl Tidied {
    /// Says what was found; tells whether nothing is stored any more that could be advertised.
    pub(crate) fn tell(self, ledger: &mut Ledger, notices: &mut Vec<Notice>) -> bool {
        let Self { collected, kept } = self;
        if collected > 0 {
            let message = format!("garbage collected {collected} artifacts");
            notices.push(Notice::trace(reason::GARBAGE_COLLECTION_SUCCEEDED, message));
        }
        let message = match kept {
            Kept::Whole => return false,
            Kept::None => "building artifact",
            Kept::Missing => "building artifact: disappeared from storage",
            Kept::Corrupt(why) => {
                let message = format!("failed to verify integrity of artifact: {why}");
                notices.push(Notice::error("ArtifactVerificationFailed", message));
                "building artifact: disappeared from storage"
            }
        };
        ledger.drop(ARTIFACT_IN_STORAGE);
        ledger.progress(true, message);
        true
    }
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

impl Shelf {
    pub(crate) fn of<K: Kind>(storage: Arc<Storage>, owner: String) -> Self {
        Self {
            kind: K::kind(&()),
            storage,
            owner,
            first_round: FirstRound::default(),
        }
    }

    /// The kind, as it is called in the API.
    pub(crate) fn kind(&self) -> &str {
        &self.kind
    }

    /// The storage that it is part of.
    pub(crate) fn storage(&self) -> &Arc<Storage> {
        &self.storage
    }

    /// Whose storage this is.
    pub(crate) fn owner(&self) -> &str {
        &self.owner
    }

    /// Where a stored path is served.
    pub(crate) fn url(&self, path: &str) -> String {
        self.storage.url(path)
    }

    /// An object's directory.
    pub(crate) fn location(&self, object: &ObjectKey) -> Result<Location, Fault> {
        Location::new(&self.kind, object.namespace(), object.name()).map_err(|error| {
            Fault::storage(Failure::new(reason::INVALID_PATH, Retry::Stalled, &error))
        })
    }

    /// Removes old artifacts of an object and checks the current one.
    pub(crate) async fn tidy(
        &self,
        object: &ObjectKey,
        artifact: Option<&Artifact>,
        now: Timestamp,
    ) -> Result<Tidied, Fault> {
        let Some(artifact) = artifact.cloned() else {
            return Ok(Tidied::default());
        };
        let location = self.location(object)?;
        self.blocking(move |storage| {
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

    /// The same for an object that nobody will work on before it is edited: what is lost is not
    /// advertised until then. A storage that cannot be looked at is told in the log only, since
    /// the object has something graver to tell.
    pub(crate) async fn tidy_idle(
        &self,
        object: &ObjectKey,
        artifact: Option<Artifact>,
        now: Timestamp,
    ) -> Option<Tidied> {
        match self.tidy(object, artifact.as_ref(), now).await {
            Ok(tidied) => Some(tidied),
            Err(fault) => {
                tracing::warn!(error = %fault.failure, "the storage of a stalled object was not looked at");
                None
            }
        }
    }

    /// Begins a file of an object, in a directory that bears the owner's mark.
    pub(crate) async fn create(
        &self,
        location: &Location,
        file: &str,
    ) -> Result<PendingArtifact, Fault> {
        let (location, file, owner) = (location.clone(), file.to_owned(), self.owner.clone());
        self.blocking(move |storage| {
            let pending = storage
                .create(&location, &file)
                .map_err(|error| store_failure(&error))?;
            if let Err(error) = storage.set_owner(&location, &owner) {
                // Without a mark the directory stays when the object leaves: no harm is done.
                tracing::debug!(error = %chain(&error), "the storage of the object is not marked");
            }
            Ok(pending)
        })
        .await
    }

    /// Removes everything stored for an object, and ends its run.
    pub(crate) async fn delete<S>(&self, object: &ObjectKey) -> Outcome<S> {
        let deletion = async {
            let location = self.location(object)?;
            self.blocking(move |storage| {
                storage.delete(&location).map_err(|error| {
                    let action = "garbage collection for deleted resource failed";
                    failure(reason::GARBAGE_COLLECTION_FAILED, action, &error)
                })
            })
            .await
        };
        deleted(deletion.await)
    }

    /// Files are read and written where waiting for a disk holds up nobody else.
    pub(crate) async fn blocking<T: Send + 'static>(
        &self,
        work: impl FnOnce(&Storage) -> Result<T, Fault> + Send + 'static,
    ) -> Result<T, Fault> {
        let storage = Arc::clone(&self.storage);
        match tokio::task::spawn_blocking(move || work(&storage)).await {
            Ok(done) => done,
            Err(error) => std::panic::resume_unwind(error.into_panic()),
        }
    }
}

/// Checks the advertised artifact. Only one that was read and found to be another is removed: a
/// disk that cannot be read now may be read again, and until then the artifact is all there is.
fn check(storage: &Storage, artifact: &Artifact, now: Timestamp) -> Result<Kept, Fault> {
    match storage.verify(&artifact.path, &artifact.digest, now) {
        Ok(()) => Ok(Kept::Whole),
        Err(VerifyError::Missing) => Ok(Kept::Missing),
        Err(fault @ VerifyError::Mismatch { .. }) => {
            storage.remove(&artifact.path).map_err(|error| {
                let action = "failed to remove artifact after digest mismatch";
                failure(reason::STAT_OPERATION_FAILED, action, &error)
            })?;
            Ok(Kept::Corrupt(chain(&fault)))
        }
        // Nothing can be said of the file: a new one will take its place.
        Err(fault @ VerifyError::Digest(_)) => Ok(Kept::Corrupt(chain(&fault))),
        Err(VerifyError::Read(error)) => Err(failure(
            reason::STAT_OPERATION_FAILED,
            "failed to verify artifact",
            &error,
        )),
    }
}

pub(crate) fn failure(reason: &'static str, action: &str, error: &dyn Error) -> Fault {
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

/// Ends the run of an object that is being deleted: it may go once its files have gone.
pub(crate) fn deleted<S>(deletion: Result<bool, Fault>) -> Outcome<S> {
    match deletion {
        Err(Fault { failure, .. }) => {
            let notice = Notice::error(failure.reason.clone(), failure.message.clone());
            let retry = Failure {
                retry: Retry::Backoff,
                ..failure
            };
            Outcome::untouched(retry.requeue()).with_notice(notice)
        }
        Ok(found) => {
            let outcome = Outcome::untouched(Requeue::Never).with_finalizer(Finalizer::Remove);
            if found {
                outcome.with_notice(Notice::trace(
                    reason::GARBAGE_COLLECTION_SUCCEEDED,
                    "garbage collected artifacts for deleted resource",
                ))
            } else {
                outcome
            }
        }
    }
}

/// A run whose progress could not be written.
pub(crate) fn unreported<S>(error: &ReportError) -> Outcome<S> {
    Outcome::untouched(match error {
        ReportError::Gone => Requeue::Never,
        error => Failure::new(reason::PATCH_OPERATION_FAILED, Retry::Backoff, error).requeue(),
    })
}

#[cfg(test)]
#[expect(
    clippy::disallowed_methods,
    reason = "a test's error needs no path: its line says where"
)]
mod tests {
    use std::path::Path;

    use sluice_artifact::storage::{Options, Retention};
    use sluice_digest::Algorithm;
    use sluice_engine::Requeue;

    use super::*;

    const PATH: &str = "gitrepository/tenant/app/x.tar.gz";
    /// Of no bytes at all.
    const EMPTY: &str = "sha256:e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855";

    fn storage(root: &Path) -> Storage {
        std::fs::create_dir_all(root.join("gitrepository/tenant/app")).unwrap();
        Storage::open(Options {
            root: root.to_owned(),
            address: "here".to_owned(),
            algorithm: Algorithm::default(),
            retention: Retention::default(),
        })
        .unwrap()
    }

    fn checked(storage: &Storage, digest: &str) -> Result<Kept, Fault> {
        let artifact = Artifact {
            path: PATH.to_owned(),
            digest: digest.to_owned(),
            ..Artifact::default()
        };
        check(storage, &artifact, Timestamp::UNIX_EPOCH)
    }

    #[test]
    fn only_an_artifact_that_was_read_and_is_another_is_removed() {
        let root = tempfile::tempdir().unwrap();
        let storage = storage(root.path());
        let file = root.path().join(PATH);
        assert_eq!(checked(&storage, EMPTY), Ok(Kept::Missing));
        std::fs::write(&file, "").unwrap();
        assert_eq!(checked(&storage, EMPTY), Ok(Kept::Whole));
        assert!(matches!(checked(&storage, ""), Ok(Kept::Corrupt(_))));
        assert!(file.exists(), "nothing was found wrong with the file");
        std::fs::write(&file, "rotten").unwrap();
        assert!(matches!(checked(&storage, EMPTY), Ok(Kept::Corrupt(_))));
        assert!(!file.exists());
    }

    #[test]
    fn an_artifact_that_cannot_be_read_stays_and_is_looked_at_again() {
        let root = tempfile::tempdir().unwrap();
        let storage = storage(root.path());
        // Opening it fails, and not because it is missing, whoever runs the test.
        let (file, elsewhere) = (root.path().join(PATH), root.path().join("elsewhere"));
        std::fs::write(&elsewhere, "").unwrap();
        std::os::unix::fs::symlink(&elsewhere, &file).unwrap();
        let fault = checked(&storage, EMPTY).unwrap_err();
        assert_eq!(fault.failure.reason, reason::STAT_OPERATION_FAILED);
        assert!(matches!(fault.failure.requeue(), Requeue::Backoff(_)));
        assert!(file.is_symlink(), "it may be read again");
    }
}
