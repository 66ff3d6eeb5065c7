//! Copies unchanged objects from the stored artifact, instead of downloading them again.

use std::collections::{BTreeSet, HashMap};
use std::error::Error;
use std::sync::{Arc, Mutex, PoisonError};

use jiff::Timestamp;
use sluice_api::Artifact;
use sluice_api::source::Bucket;
use sluice_artifact::ignore;
use sluice_artifact::storage::Storage;
use sluice_artifact::untar::Limits;
use sluice_bucket::{FilePath, Index};
use sluice_engine::ObjectKey;
use sluice_golang::error::chain;
use sluice_producer::Tree;

use super::BucketKind;
use super::model::revision;
use crate::fault::Fault;

/// The entity tags of the stored artifacts, by object. A new process has none of them, and
/// downloads a changed bucket as a whole.
#[derive(Default)]
pub(crate) struct StoredIndexes {
    indexes: Mutex<HashMap<ObjectKey, Arc<Index>>>,
}

impl StoredIndexes {
    /// The entity tags of a stored artifact.
    pub(super) fn get(&self, object: &ObjectKey) -> Option<Arc<Index>> {
        let indexes = self.indexes.lock().unwrap_or_else(PoisonError::into_inner);
        indexes.get(object).cloned()
    }

    /// Records the entity tags of a stored artifact.
    pub(super) fn note(&self, object: &ObjectKey, index: Option<Arc<Index>>) {
        let mut indexes = self.indexes.lock().unwrap_or_else(PoisonError::into_inner);
        match index {
            Some(index) => drop(indexes.insert(object.clone(), index)),
            None => drop(indexes.remove(object)),
        }
    }
}

/// The files with the same object and entity tag as in a stored artifact. Blocks.
pub(super) fn unchanged_files(
    stored: Option<&Index>,
    artifact: &Artifact,
    listed: &Index,
) -> BTreeSet<FilePath> {
    let stored = stored.filter(|stored| revision(stored) == artifact.revision);
    let (Some(Ok(stored)), Ok(listed)) = (stored.map(Index::files), listed.files()) else {
        return BTreeSet::new();
    };
    let listed = listed.into_iter();
    let unchanged = listed.filter(|(path, object)| stored.get(path) == Some(object));
    let mut files: BTreeSet<_> = unchanged.map(|(path, _)| path).collect();
    // This name may hold the ignore file, which no index lists.
    files.remove(&[ignore::FILE_NAME.as_bytes().to_vec()][..]);
    files
}

/// Copies the files of unchanged objects from the stored artifact, if it can be read.
pub(super) async fn copy_unchanged(
    kind: &BucketKind,
    object: &Bucket,
    listed: &Arc<Index>,
    now: Timestamp,
) -> Result<Tree, Fault> {
    let status = object.status.as_ref();
    let Some(artifact) = status.and_then(|status| status.artifact.clone()) else {
        return Ok(Tree::default());
    };
    let key = ObjectKey::of(object);
    let Some(stored) = kind.stored_indexes.get(&key) else {
        return Ok(Tree::default());
    };
    let listed = Arc::clone(listed);
    let copying = kind.source_storage.blocking(move |storage| {
        let files = unchanged_files(Some(&stored), &artifact, &listed);
        if files.is_empty() {
            return Ok(Tree::default());
        }
        let copied = copy(storage, &artifact, &files, now);
        Ok(copied.unwrap_or_else(|error| {
            let error = chain(error.as_ref());
            tracing::warn!(error, object = %key, "failed to copy unchanged objects");
            Tree::default()
        }))
    });
    copying.await
}

/// Reads files from a stored artifact. Blocks.
fn copy(
    storage: &Storage,
    artifact: &Artifact,
    files: &BTreeSet<FilePath>,
    now: Timestamp,
) -> Result<Tree, Box<dyn Error>> {
    let archive = storage.open_verified(&artifact.path, &artifact.digest, now)?;
    let is_wanted = |path: &FilePath| files.contains(path);
    Ok(Tree::read_some(archive, Limits::unlimited(), is_wanted)?)
}
