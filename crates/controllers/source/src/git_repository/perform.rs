//! What is done for a `GitRepository`: keep its storage in order, fetch, verify and pack a commit,
//! delete.

use std::error::Error;
use std::io;
use std::sync::Arc;

use jiff::Timestamp;
use kube::ResourceExt;
use sluice_api::Artifact;
use sluice_api::meta::reason;
use sluice_api::source::GitRepository;
use sluice_artifact::storage::{Fault as StorageFault, Location, Storage, StoreError};
use sluice_artifact::tarball;
use sluice_git::{Commit, ErrorKind, Remote, Resolved, Store, Submodules, TrustedKeys};
use sluice_runtime::reconcile::chain;
use sluice_runtime::{Failure, Retry};

use super::checkout::{Checkout as Walk, Sink};
use super::overlay::{self, Overlay};
use super::pack::{self, IgnoreFiles, Packer, Remarks, Survey};
use super::plan::{Include, Work};
use super::verify::{self, Evidence};
use super::{Context, Fault, observe};

/// The directory of the kind's artifacts, before it is lower-cased.
pub(crate) const KIND: &str = "GitRepository";
/// A link that Flux made long ago and nobody reads.
const STALE_LINK: &str = "latest.tar.gz";

/// The state of an object's storage.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(super) struct Tidied {
    /// How many old artifacts were removed.
    pub(super) collected: usize,
    /// What became of the current one.
    pub(super) kept: Kept,
}

/// Whether the advertised artifact can still be had.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(super) enum Kept {
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

/// A new artifact.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Done {
    pub(super) artifact: Artifact,
    pub(super) subject: String,
    pub(super) remarks: Remarks,
}

/// Removes old artifacts and checks the current one.
pub(super) async fn tidy(
    context: &Context,
    object: &GitRepository,
    now: Timestamp,
) -> Result<Tidied, Fault> {
    let Some(artifact) = object
        .status
        .as_ref()
        .and_then(|status| status.artifact.clone())
    else {
        return Ok(Tidied::default());
    };
    let location = location(object)?;
    blocking(context, move |storage| {
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
                storage_failure(reason::STAT_OPERATION_FAILED, action, &error)
            })?;
            Ok(Kept::Corrupt(chain(&fault)))
        }
        // Nothing can be said of the file: a new one will take its place.
        Err(fault @ StorageFault::Digest(_)) => Ok(Kept::Corrupt(chain(&fault))),
        Err(StorageFault::Read(error)) => {
            let action = "failed to verify artifact";
            Err(storage_failure(
                reason::STAT_OPERATION_FAILED,
                action,
                &error,
            ))
        }
    }
}

/// A commit that was fetched, with whatever else its checkout needs.
#[derive(Debug)]
pub(super) struct Checkout {
    pub(super) store: Store,
    pub(super) commit: Commit,
    pub(super) submodules: Submodules,
}

/// Fetches a commit, and its submodules if they are wanted.
pub(super) async fn fetch(
    context: &Context,
    work: &Work,
    remote: &Remote,
    resolved: Resolved,
) -> Result<Checkout, Fault> {
    let refused = |error: sluice_git::Error| match error.kind() {
        ErrorKind::Local => archive_failure(&error),
        _ => observe::refused(&error),
    };
    let store = context.stores.of(remote);
    let resolved = store.settle(&context.git, remote, resolved).await;
    let resolved = resolved.map_err(refused)?;
    let fetched = store.fetch(&context.git, remote, &resolved).await;
    let commit = fetched.map_err(refused)?.commit;
    let submodules = if work.submodules {
        Submodules::fetch(&context.git, &context.stores, remote, &store, &commit)
            .await
            .map_err(refused)?
    } else {
        Submodules::default()
    };
    Ok(Checkout {
        store,
        commit,
        submodules,
    })
}

/// Holds the signatures of what was fetched against the keys, and tells whose they are.
pub(super) async fn verify(
    work: &Work,
    checkout: &Checkout,
    keys: &TrustedKeys,
    now: Timestamp,
) -> Result<Option<String>, Fault> {
    let Some(verification) = &work.verification else {
        return Ok(None);
    };
    let signed = checkout.store.signed(&checkout.commit).await;
    let (commit, tag) = signed.map_err(|error| observe::refused(&error))?;
    let evidence = Evidence {
        tag_name: verify::tag_name(&work.reference, checkout.commit.label.as_deref()),
        tag: tag.as_ref(),
        commit: (checkout.commit.id, &commit),
    };
    verify::verdict(verification, &evidence, keys, now.into()).map(Some)
}

/// Stores a checkout, with what it includes, as an artifact.
pub(super) async fn pack(
    context: &Context,
    object: &GitRepository,
    work: &Work,
    checkout: &Checkout,
    included: Vec<Artifact>,
    now: Timestamp,
) -> Result<Done, Fault> {
    let commit = &checkout.commit;
    let overlay = Arc::new(overlay(context, work, checkout, included, now).await?);
    let location = location(object)?;
    let file = format!("{}.tar.gz", commit.id);
    let pending = {
        let (location, owner) = (location.clone(), context.owner.clone());
        blocking(context, move |storage| {
            if let Err(error) = storage.mark(&location, &owner) {
                // Without a mark the directory stays when the object leaves: no harm is done.
                tracing::debug!(error = %chain(&error), "the storage of the object is not marked");
            }
            storage
                .create(&location, &file)
                .map_err(|error| store_failure(&error))
        })
        .await?
    };
    let rules = walk(checkout, work, &overlay, IgnoreFiles::default())
        .await?
        .rules(object.spec.ignore.as_deref());
    let packer = Packer::new(tarball::compressed(pending), rules);
    let packer = walk(checkout, work, &overlay, packer).await?;
    let (stored, remarks) = blocking(context, move |storage| {
        let (pending, remarks) = pack::finish(packer).map_err(|error| archive_failure(&error))?;
        let stored = storage
            .publish(pending)
            .map_err(|error| store_failure(&error))?;
        if let Err(error) = storage.unlink(&location, STALE_LINK) {
            tracing::debug!(error = %chain(&error), "a link of an old version stays");
        }
        Ok((stored, remarks))
    })
    .await?;
    let artifact = Artifact {
        digest: stored.digest.to_string(),
        url: context.storage.url(&stored.path),
        path: stored.path,
        revision: commit.revision(),
        size: i64::try_from(stored.size).ok(),
        ..Artifact::default()
    };
    Ok(Done {
        artifact,
        subject: commit.subject().to_owned(),
        remarks,
    })
}

/// Lays over a checkout what is included, and checks on the way that it has what
/// `spec.sparseCheckout` lists.
async fn overlay(
    context: &Context,
    work: &Work,
    checkout: &Checkout,
    included: Vec<Artifact>,
    now: Timestamp,
) -> Result<Overlay, Fault> {
    let mut overlay = Overlay::default();
    for (path, text) in checkout.submodules.links() {
        overlay.link_submodule(&path, text);
    }
    if work.includes.is_empty() && work.sparse.is_everything() {
        return Ok(overlay);
    }
    let mut survey = if work.sparse.is_everything() {
        Survey::default()
    } else {
        Survey::of_everything()
    };
    for include in &work.includes {
        survey.look_at(&overlay::confined(&include.to));
    }
    let overlay = Arc::new(overlay);
    let survey = walk(checkout, work, &overlay, survey).await?;
    if let Some(missing) = work.sparse.missing(&survey.paths) {
        let message = format!(
            "failed to sparse checkout directories : sparse checkout dir '{missing}' does not \
             exist in repository"
        );
        return Err(Fault::fetch(Failure::message(
            reason::GIT_OPERATION_FAILED,
            Retry::Backoff,
            message,
        )));
    }
    let mut overlay = Arc::into_inner(overlay).expect("the walk is over");
    let includes = work.includes.clone();
    blocking(context, move |storage| {
        for (include, artifact) in includes.iter().zip(included) {
            copy(storage, &mut overlay, &survey, include, &artifact, now)?;
        }
        Ok(overlay)
    })
    .await
}

/// Copies one included artifact, which is read only if it is what is advertised.
fn copy(
    storage: &Storage,
    overlay: &mut Overlay,
    survey: &Survey,
    include: &Include,
    artifact: &Artifact,
    now: Timestamp,
) -> Result<(), Fault> {
    let Include { name, from, to } = include;
    let failed = |error: &dyn Error| {
        let action = format!("failed to copy '{name}' include from {from} to {to}");
        storage_failure(reason::COPY_FAILURE, &action, error)
    };
    let file = storage
        .open_verified(&artifact.path, &artifact.digest, now)
        .map_err(|error| failed(&error))?;
    let (from, to) = (overlay::confined(from), overlay::confined(to));
    let scratch = || storage.scratch().map_err(io::Error::other);
    overlay
        .include(file, &from, &to, |path| survey.there(path), scratch)
        .map_err(|error| failed(&error))
}

/// Hands the items of a checkout to somebody.
async fn walk<S: Sink + Send + 'static>(
    checkout: &Checkout,
    work: &Work,
    overlay: &Arc<Overlay>,
    sink: S,
) -> Result<S, Fault> {
    let visitor = Walk::new(sink, work.sparse.clone(), Arc::clone(overlay));
    let walked = checkout
        .store
        .walk_with(&checkout.commit, &checkout.submodules, visitor)
        .await
        .map_err(|error| archive_failure(&error))?;
    // What is left is laid over the end of the tree.
    let finished = tokio::task::spawn_blocking(move || walked.finish()).await;
    match finished {
        Ok(finished) => finished.map_err(|error| archive_failure(error.as_ref())),
        Err(error) => std::panic::resume_unwind(error.into_panic()),
    }
}

/// Removes everything stored for an object and tells whether there was anything.
pub(super) async fn delete(context: &Context, object: &GitRepository) -> Result<bool, Fault> {
    let location = location(object)?;
    blocking(context, move |storage| {
        storage.delete(&location).map_err(|error| {
            let action = "garbage collection for deleted resource failed";
            storage_failure(reason::GARBAGE_COLLECTION_FAILED, action, &error)
        })
    })
    .await
}

fn location(object: &GitRepository) -> Result<Location, Fault> {
    Location::new(
        KIND,
        &object.namespace().unwrap_or_default(),
        &object.name_any(),
    )
    .map_err(|error| Fault::storage(Failure::new(reason::INVALID_PATH, Retry::Stalled, &error)))
}

/// Files are read and written where waiting for a disk holds up nobody else.
async fn blocking<T: Send + 'static>(
    context: &Context,
    work: impl FnOnce(&Storage) -> Result<T, Fault> + Send + 'static,
) -> Result<T, Fault> {
    let storage = Arc::clone(&context.storage);
    match tokio::task::spawn_blocking(move || work(&storage)).await {
        Ok(done) => done,
        Err(error) => std::panic::resume_unwind(error.into_panic()),
    }
}

fn storage_failure(reason: &'static str, action: &str, error: &dyn Error) -> Fault {
    let message = format!("{action}: {}", chain(error));
    Fault::storage(Failure::message(reason, Retry::Backoff, message))
}

fn archive_failure(error: &dyn Error) -> Fault {
    let action = "unable to archive artifact to storage";
    storage_failure(reason::ARCHIVE_OPERATION_FAILED, action, error)
}

fn store_failure(error: &StoreError) -> Fault {
    let reason = match error {
        StoreError::Directory(_) => reason::DIRECTORY_CREATION_FAILED,
        StoreError::Locked { .. } | StoreError::Lock(_) => reason::ACQUIRE_LOCK_FAILED,
        StoreError::File(_) => return archive_failure(error),
    };
    Fault::storage(Failure::new(reason, Retry::Backoff, error))
}

#[cfg(test)]
#[expect(
    clippy::disallowed_methods,
    reason = "a test's error needs no path: its line says where"
)]
mod tests {
    use std::path::Path;

    use sluice_artifact::digest::Algorithm;
    use sluice_artifact::storage::{Options, Retention};
    use sluice_runtime::Requeue;

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
