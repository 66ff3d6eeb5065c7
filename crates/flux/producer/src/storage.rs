//! The storage of one kind: tidy an object's files, check the current artifact, store a new one,
//! delete everything. Failures have Flux's reasons and messages.

use std::borrow::Cow;
use std::error::Error;
use std::io;
use std::sync::Arc;

use jiff::Timestamp;
use sluice_api::Artifact;
use sluice_api::meta::reason;
use sluice_artifact::deflate::GzipWriter;
use sluice_artifact::ignore::Rules;
use sluice_artifact::storage::{
    Location, PendingArtifact, Storage, StoreError, StoredArtifact, VerifyError,
};
use sluice_engine::{Failure, Kind, ObjectKey, Retry};
use sluice_golang::error::chain;
use sluice_system::blocking;

use crate::first_round::FirstRound;
use crate::tree::Tree;

/// The file name of the link to the current artifact.
pub const LINK: &str = "latest.tar.gz";

/// The part of the storage for one kind.
#[derive(Debug)]
pub struct KindStorage {
    kind: Cow<'static, str>,
    storage: Arc<Storage>,
    /// The owner's name, as marked on directories.
    owner: String,
    /// Delays fetches until all artifacts were checked.
    pub first_round: FirstRound,
}

/// A failure of the storage. Each controller reports it under a condition of its own.
#[derive(Debug, Clone, PartialEq)]
pub struct StorageFailure(pub Failure);

/// The result of tidying an object's storage.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct TidyReport {
    /// How many old artifacts were removed.
    pub collected: usize,
    /// The state of the current artifact.
    pub state: ArtifactState,
}

impl TidyReport {
    /// The storage could not be checked, so the artifact stays advertised.
    pub fn unknown() -> Self {
        Self {
            collected: 0,
            state: ArtifactState::Valid,
        }
    }

    /// Whether the storage has no valid artifact of the object.
    pub fn is_lost(&self) -> bool {
        self.state != ArtifactState::Valid
    }
}

/// The state of the advertised artifact in storage.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub enum ArtifactState {
    /// The object advertises no artifact.
    #[default]
    None,
    /// The file exists and matches its digest.
    Valid,
    /// The file is missing.
    Missing,
    /// The file does not match its digest.
    Corrupt(String),
}

impl KindStorage {
    /// The part of `storage` for the kind `K`. `owner` marks its directories.
    pub fn of<K: Kind>(storage: Arc<Storage>, owner: String) -> Self {
        Self {
            kind: K::kind(&()),
            storage,
            owner,
            first_round: FirstRound::default(),
        }
    }

    /// The kind's name in the API.
    pub fn kind(&self) -> &str {
        &self.kind
    }

    /// The underlying storage.
    pub fn storage(&self) -> &Arc<Storage> {
        &self.storage
    }

    /// The owner's name, as marked on directories.
    pub fn owner(&self) -> &str {
        &self.owner
    }

    /// The URL of a stored path.
    pub fn url(&self, path: &str) -> String {
        self.storage.url(path)
    }

    /// An object's directory.
    pub fn location(&self, object: &ObjectKey) -> Result<Location, StorageFailure> {
        Location::new(&self.kind, object.namespace(), object.name()).map_err(|error| {
            StorageFailure(Failure::new(reason::INVALID_PATH, Retry::Stalled, &error))
        })
    }

    /// Removes old artifacts of an object and checks the current one.
    pub async fn tidy(
        &self,
        object: &ObjectKey,
        artifact: Option<&Artifact>,
        now: Timestamp,
    ) -> Result<TidyReport, StorageFailure> {
        let Some(artifact) = artifact.cloned() else {
            return Ok(TidyReport::default());
        };
        let location = self.location(object)?;
        self.blocking(move |storage| {
            let collected = storage
                .collect(&location, Some(&artifact.path), now)
                .unwrap_or_else(|error| {
                    // The next run retries the removal.
                    tracing::warn!(error = %chain(&error), "old artifacts were not removed");
                    Vec::new()
                });
            let state = check(storage, &artifact, now)?;
            Ok(TidyReport {
                collected: collected.len(),
                state,
            })
        })
        .await
    }

    /// Creates a file of an object, in a directory with the owner's mark.
    pub async fn create(
        &self,
        location: &Location,
        file: &str,
    ) -> Result<PendingArtifact, StorageFailure> {
        let (location, file, owner) = (location.clone(), file.to_owned(), self.owner.clone());
        self.blocking(move |storage| {
            let pending = storage
                .create(&location, &file)
                .map_err(|error| store_failure(&error))?;
            if let Err(error) = storage.set_owner(&location, &owner) {
                // Harmless: without the mark, the directory stays when the object leaves the shard.
                tracing::debug!(error = %chain(&error), "the storage of the object is not marked");
            }
            Ok(pending)
        })
        .await
    }

    /// Stores the files of a tree that the rules keep.
    pub async fn store_tree(
        &self,
        location: &Location,
        file: &str,
        tree: Tree,
        rules: impl FnOnce(&Tree) -> io::Result<Rules> + Send + 'static,
    ) -> Result<StoredArtifact, StorageFailure> {
        self.store(location, file, move |writer| {
            let rules = rules(&tree).map_err(|error| archive_failure(&error))?;
            let written = tree.write(writer, &rules);
            written.map_err(|error| archive_failure(&error))
        })
        .await
    }

    /// Stores an archive that `write` writes, compressed.
    pub async fn store(
        &self,
        location: &Location,
        file: &str,
        write: impl FnOnce(
            GzipWriter<PendingArtifact>,
        ) -> Result<GzipWriter<PendingArtifact>, StorageFailure>
        + Send
        + 'static,
    ) -> Result<StoredArtifact, StorageFailure> {
        let pending = self.create(location, file).await?;
        self.blocking(move |storage| {
            let written = write(GzipWriter::new(pending))?;
            let pending = written.finish().map_err(|error| archive_failure(&error))?;
            storage
                .publish(pending)
                .map_err(|error| store_failure(&error))
        })
        .await
    }

    /// Links to the current artifact. Returns the URL of the link, or why it could not be created.
    pub async fn link(
        &self,
        location: Location,
        file: String,
    ) -> Result<Result<String, String>, StorageFailure> {
        self.link_as(location, file, LINK).await
    }

    /// Like [`KindStorage::link`], with a name for the link.
    pub async fn link_as(
        &self,
        location: Location,
        file: String,
        link: &'static str,
    ) -> Result<Result<String, String>, StorageFailure> {
        self.blocking(move |storage| {
            Ok(match storage.link(&location, &file, link) {
                Ok(()) => Ok(storage.url(&location.path(link))),
                Err(error) => Err(chain(&error)),
            })
        })
        .await
    }

    /// A stored file as a status advertises it.
    pub fn artifact(&self, stored: StoredArtifact, revision: String) -> Artifact {
        Artifact {
            digest: stored.digest.to_string(),
            url: self.url(&stored.path),
            path: stored.path,
            revision,
            size: i64::try_from(stored.size).ok(),
            ..Artifact::default()
        }
    }

    /// Removes all artifacts of an object. Returns whether there were any.
    pub async fn delete(&self, object: &ObjectKey) -> Result<bool, StorageFailure> {
        let location = self.location(object)?;
        self.blocking(move |storage| {
            storage.delete(&location).map_err(|error| {
                let action = "garbage collection for deleted resource failed";
                failure(reason::GARBAGE_COLLECTION_FAILED, action, &error)
            })
        })
        .await
    }

    /// Runs file operations on the blocking pool, where a slow disk stalls no other object.
    pub async fn blocking<T: Send + 'static, E: Send + 'static>(
        &self,
        work: impl FnOnce(&Storage) -> Result<T, E> + Send + 'static,
    ) -> Result<T, E> {
        let storage = Arc::clone(&self.storage);
        blocking(move || work(&storage)).await
    }
}

/// Checks the advertised artifact. Removes the file only after a digest mismatch: an unreadable
/// disk may recover, and until then the file may be the only copy.
fn check(
    storage: &Storage,
    artifact: &Artifact,
    now: Timestamp,
) -> Result<ArtifactState, StorageFailure> {
    match storage.verify(&artifact.path, &artifact.digest, now) {
        Ok(()) => Ok(ArtifactState::Valid),
        Err(VerifyError::Missing) => Ok(ArtifactState::Missing),
        Err(fault @ VerifyError::Mismatch { .. }) => {
            storage.remove(&artifact.path).map_err(|error| {
                let action = "failed to remove artifact after digest mismatch";
                failure(reason::STAT_OPERATION_FAILED, action, &error)
            })?;
            Ok(ArtifactState::Corrupt(chain(&fault)))
        }
        // The digest itself is invalid, so the file cannot be checked and is replaced.
        Err(fault @ VerifyError::Digest(_)) => Ok(ArtifactState::Corrupt(chain(&fault))),
        Err(VerifyError::Read(error)) => Err(failure(
            reason::STAT_OPERATION_FAILED,
            "failed to verify artifact",
            &error,
        )),
    }
}

/// A failure that is retried, with the chain of its error.
pub fn failure(reason: &'static str, action: &str, error: &dyn Error) -> StorageFailure {
    let message = format!("{action}: {}", chain(error));
    StorageFailure(Failure::message(reason, Retry::Backoff, message))
}

/// The files of an artifact could not be read or packed.
pub fn archive_failure(error: &dyn Error) -> StorageFailure {
    let action = "unable to archive artifact to storage";
    failure(reason::ARCHIVE_OPERATION_FAILED, action, error)
}

/// An artifact could not be stored.
pub fn store_failure(error: &StoreError) -> StorageFailure {
    let reason = match error {
        StoreError::Directory(_) => reason::DIRECTORY_CREATION_FAILED,
        StoreError::Locked { .. } | StoreError::Lock(_) => reason::ACQUIRE_LOCK_FAILED,
        StoreError::File(_) => return archive_failure(error),
    };
    StorageFailure(Failure::new(reason, Retry::Backoff, error))
}

#[cfg(test)]
#[expect(
    clippy::disallowed_methods,
    reason = "a panicking test needs no path in its error"
)]
mod tests {
    use std::path::Path;

    use sluice_artifact::storage::{Options, Retention};
    use sluice_digest::Algorithm;
    use sluice_engine::Requeue;

    use super::*;

    const PATH: &str = "gitrepository/tenant/app/x.tar.gz";
    /// The digest of an empty file.
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

    fn check_stored(storage: &Storage, digest: &str) -> Result<ArtifactState, StorageFailure> {
        let artifact = Artifact {
            path: PATH.to_owned(),
            digest: digest.to_owned(),
            ..Artifact::default()
        };
        check(storage, &artifact, Timestamp::UNIX_EPOCH)
    }

    #[test]
    fn check_removes_only_mismatched_artifact() {
        let root = tempfile::tempdir().unwrap();
        let storage = storage(root.path());
        let file = root.path().join(PATH);
        assert_eq!(check_stored(&storage, EMPTY), Ok(ArtifactState::Missing));
        std::fs::write(&file, "").unwrap();
        assert_eq!(check_stored(&storage, EMPTY), Ok(ArtifactState::Valid));
        assert!(matches!(
            check_stored(&storage, ""),
            Ok(ArtifactState::Corrupt(_))
        ));
        assert!(file.exists(), "an invalid digest must not remove the file");
        std::fs::write(&file, "rotten").unwrap();
        assert!(matches!(
            check_stored(&storage, EMPTY),
            Ok(ArtifactState::Corrupt(_))
        ));
        assert!(!file.exists());
    }

    #[test]
    fn check_keeps_unreadable_artifact() {
        let root = tempfile::tempdir().unwrap();
        let storage = storage(root.path());
        // A symlink makes opening fail for any user, and not as missing.
        let (file, elsewhere) = (root.path().join(PATH), root.path().join("elsewhere"));
        std::fs::write(&elsewhere, "").unwrap();
        std::os::unix::fs::symlink(&elsewhere, &file).unwrap();
        let StorageFailure(failure) = check_stored(&storage, EMPTY).unwrap_err();
        assert_eq!(failure.reason, reason::STAT_OPERATION_FAILED);
        assert!(matches!(failure.requeue(), Requeue::Backoff(_)));
        assert!(file.is_symlink(), "the file stays");
    }
}
