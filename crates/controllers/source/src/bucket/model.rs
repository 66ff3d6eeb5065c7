//! The data of a run of a `Bucket`: its steps, and the results of the steps so far.

use std::collections::BTreeMap;
use std::sync::Arc;

use bytes::Bytes;
use sluice_api::Artifact;
use sluice_bucket::{Index, Remote};
use sluice_digest::Algorithm;

/// One step of a run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Step {
    /// Read the Secrets of the store.
    Connect,
    /// List the objects.
    List,
    /// Download the objects and store them as an artifact.
    Store,
}

/// The results of the steps so far.
#[derive(Debug, Default)]
pub(crate) struct Facts {
    pub(super) remote: Option<Remote>,
    pub(super) listing: Option<Listing>,
    pub(super) stored: Option<NewArtifact>,
}

/// The objects of a bucket.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Listing {
    /// The objects that the ignore rules keep.
    pub(super) index: Arc<Index>,
    /// The digest of the index. It is costly, and the index may be large.
    revision: String,
    /// The generations of the objects, at Google.
    pub(super) generations: Arc<BTreeMap<String, String>>,
    /// The ignore file, which is part of the artifact but not of the revision.
    pub(super) ignore_file: Option<Bytes>,
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

impl Listing {
    /// Computes the revision. Blocks.
    pub(super) fn new(
        index: Index,
        generations: BTreeMap<String, String>,
        ignore_file: Option<Bytes>,
    ) -> Self {
        Self {
            revision: revision(&index),
            index: Arc::new(index),
            generations: Arc::new(generations),
            ignore_file,
        }
    }

    /// Replaces the objects of the index. Blocks.
    pub(super) fn with_index(self, index: Index) -> Self {
        Self {
            revision: revision(&index),
            index: Arc::new(index),
            ..self
        }
    }

    /// The revision as a status records it.
    pub(super) fn revision(&self) -> String {
        self.revision.clone()
    }
}

/// The revision of these objects.
pub(super) fn revision(index: &Index) -> String {
    index.digest(Algorithm::Sha256).to_string()
}
