//! The data of a run of an `OCIRepository`: its steps, and the results of the steps so far.

use std::sync::Arc;

use sluice_api::Artifact;
use sluice_api::source::OciRepository;
use sluice_oci::{Digest, Reference, Remote, Version};

use super::deadline::Deadline;
use super::permits::RegistryPermit;
use super::spec::Work;
use super::verify::Keys;
use crate::source_storage::{Fault, TidyReport};

/// One step of a run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Step {
    /// Remove all artifacts of an object in deletion.
    Delete,
    /// Remove old artifacts and check the current one.
    Tidy,
    /// Read the Secrets of the registry and wait for a permit.
    Connect,
    /// Ask the registry for the digest.
    Resolve,
    /// Read the trusted keys.
    ReadKeys,
    /// Verify the signature of the digest.
    Verify,
    /// Pull and store the layer.
    Pull {
        /// Whether the revision is new. Otherwise only the rules changed.
        new_revision: bool,
    },
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
    pub(super) connection: Option<Connection>,
    pub(super) resolved: Option<Resolved>,
    pub(super) keys: Option<TrustedKeys>,
    pub(super) is_verified: bool,
    pub(super) packed: Option<NewArtifact>,
}

/// Access to a registry.
#[derive(Debug)]
pub(super) struct Connection {
    pub(super) remote: Remote,
    pub(super) deadline: Deadline,
    /// The layer is buffered until it is stored: permits bound the memory.
    pub(super) _permit: RegistryPermit,
}

/// The accepted keys.
#[derive(Debug)]
pub(super) struct TrustedKeys {
    pub(super) keys: Keys,
    /// Whether the last verification of this process used them.
    pub(super) are_verified: bool,
}

/// A reference and its current digest.
#[derive(Debug, Clone)]
pub(super) struct Resolved {
    pub(super) reference: Reference,
    pub(super) digest: Digest,
}

/// A new artifact.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct NewArtifact {
    pub(super) artifact: Artifact,
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
            connection: None,
            resolved: None,
            keys: None,
            is_verified: false,
            packed: None,
        }
    }

    /// The artifact in the status, if the storage has it.
    pub(super) fn artifact<'a>(&self, object: &'a OciRepository) -> Option<&'a Artifact> {
        let is_lost = self.tidied.as_ref().is_some_and(TidyReport::is_lost);
        let status = object.status.as_ref().filter(|_| !is_lost)?;
        status.artifact.as_ref()
    }
}

impl Resolved {
    /// The revision as a status records it.
    pub(super) fn revision(&self) -> String {
        match &self.reference.version {
            Version::Tag(tag) => format!("{tag}@{}", self.digest),
            Version::Digest(digest) => digest.to_string(),
        }
    }
}
