//! The data of a run of a `Bucket`: its steps, and the results of the steps so far.

use std::collections::BTreeMap;
use std::sync::Arc;

use sluice_api::Artifact;
use sluice_api::source::Bucket;
use sluice_bucket::Index;
use sluice_digest::Algorithm;

use super::spec::Work;
use crate::source_storage::{Fault, TidyReport};

/// One step of a run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Step {
    /// Remove all artifacts of an object in deletion.
    Delete,
    /// Remove old artifacts and check the current one.
    Tidy,
    /// Read the Secrets of the store.
    Connect,
    /// List the objects.
    List,
    /// Download the objects and store them as an artifact.
    Store,
}

/// The results of the steps so far.
#[derive(Debug)]
pub(crate) struct Facts {
    /// The parsed spec.
    pub(super) spec: Result<Arc<Work>, Fault>,
    /// Whether an edit or a request caused the run.
    pub(super) is_prompt: bool,
    /// Whether artifacts of an object in deletion were found and removed.
    pub(super) deleted: Option<bool>,
    /// The state of the storage.
    pub(super) tidied: Option<TidyReport>,
    pub(super) remote: Option<sluice_bucket::Bucket>,
    pub(super) listing: Option<Listing>,
    pub(super) stored: Option<NewArtifact>,
}

/// The objects of a bucket.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Listing {
    /// The objects that the ignore rules keep.
    pub(super) index: Index,
    /// The ignore file, which is part of the artifact but not of the revision.
    pub(super) ignore_file: Option<Vec<u8>>,
}

/// A new artifact.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct NewArtifact {
    pub(super) artifact: Artifact,
    /// The number of objects.
    pub(super) objects: usize,
    /// The URL of the link, or why it could not be created.
    pub(super) link: Result<String, String>,
}

impl Facts {
    /// The facts at the start of a run.
    pub(super) fn new(spec: Result<Work, Fault>, is_prompt: bool) -> Self {
        Self {
            spec: spec.map(Arc::new),
            is_prompt,
            deleted: None,
            tidied: None,
            remote: None,
            listing: None,
            stored: None,
        }
    }

    /// The artifact in the status, if the storage has it.
    pub(super) fn artifact<'a>(&self, object: &'a Bucket) -> Option<&'a Artifact> {
        let is_lost = self.tidied.as_ref().is_some_and(TidyReport::is_lost);
        let status = object.status.as_ref().filter(|_| !is_lost)?;
        status.artifact.as_ref()
    }
}

impl Listing {
    /// The revision as a status records it.
    pub(super) fn revision(&self) -> String {
        self.index.digest(Algorithm::Sha256).to_string()
    }
}

/// A file in the artifact, as components of its path.
pub(super) type FilePath = Vec<Vec<u8>>;

/// The files of a bucket, each with the key of its object. `..` stops at the root. The error names
/// two objects of which one hides the other.
pub(super) fn files(index: &Index) -> Result<BTreeMap<FilePath, &str>, String> {
    let mut files: BTreeMap<FilePath, &str> = BTreeMap::new();
    for (key, _) in index.iter() {
        let mut path = FilePath::new();
        for part in key.split('/') {
            match part {
                "" | "." => {}
                ".." => drop(path.pop()),
                part => path.push(part.as_bytes().to_vec()),
            }
        }
        if path.is_empty() {
            return Err(format!("object '{key}' does not name a file"));
        }
        if let Some(other) = files.insert(path, key) {
            return Err(format!("objects '{other}' and '{key}' are the same file"));
        }
    }
    for (path, key) in &files {
        for depth in 1..path.len() {
            if let Some(other) = files.get(&path[..depth]) {
                return Err(format!(
                    "object '{other}' is also a directory of object '{key}'"
                ));
            }
        }
    }
    Ok(files)
}
