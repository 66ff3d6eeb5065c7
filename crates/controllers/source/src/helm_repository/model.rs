//! The data of a run of a `HelmRepository`: its steps, and the results of the steps so far.

use sluice_api::Artifact;
use sluice_digest::Digest;
use sluice_producer::Spool;

use crate::helm::http::HttpRepository;

/// One step of a run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Step {
    /// Read the Secrets of the repository.
    Connect,
    /// Download the index.
    Fetch,
    /// Check the index and make JSON of it.
    Check,
    /// Store the JSON as an artifact.
    Store,
}

/// The results of the steps so far.
#[derive(Debug, Default)]
pub(crate) struct Facts {
    pub(super) remote: Option<HttpRepository>,
    pub(super) fetched: Option<FetchedIndex>,
    /// The checked index as JSON.
    pub(super) checked: Option<Spool>,
    pub(super) stored: Option<NewArtifact>,
}

/// A downloaded index.
#[derive(Debug)]
pub(super) struct FetchedIndex {
    pub(super) digest: Digest,
    /// The text, until it is checked. `None` if the server says that it is the stored one.
    pub(super) text: Option<Spool>,
}

/// A new artifact.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct NewArtifact {
    pub(super) artifact: Artifact,
    /// The URL of the link, or why it could not be created.
    pub(super) link: Result<String, String>,
}

impl FetchedIndex {
    /// The revision as a status records it.
    pub(super) fn revision(&self) -> String {
        self.digest.to_string()
    }
}
