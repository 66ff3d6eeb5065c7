//! The data of a run of a `Bucket`: its steps, and the results of the steps so far.

use bytes::Bytes;
use sluice_api::Artifact;
use sluice_bucket::Index;
use sluice_digest::Algorithm;

use super::spec::Work;
use crate::source_storage::Fault;
use crate::steps::{FirstFacts, StorageStep};

/// One step of a run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Step {
    /// Remove artifacts or check them.
    Storage(StorageStep),
    /// Read the Secrets of the store.
    Connect,
    /// List the objects.
    List,
    /// Download the objects and store them as an artifact.
    Store,
}

impl From<StorageStep> for Step {
    fn from(step: StorageStep) -> Self {
        Self::Storage(step)
    }
}

/// The results of the steps so far.
#[derive(Debug)]
pub(crate) struct Facts {
    pub(super) first: FirstFacts<Work>,
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

impl Facts {
    /// The facts at the start of a run.
    pub(super) fn new(spec: Result<Work, Fault>, is_prompt: bool) -> Self {
        Self {
            first: FirstFacts::new(spec, is_prompt),
            remote: None,
            listing: None,
            stored: None,
        }
    }
}

impl Listing {
    /// The revision as a status records it.
    pub(super) fn revision(&self) -> String {
        self.index.digest(Algorithm::Sha256).to_string()
    }
}
