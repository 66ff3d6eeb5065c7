//! The data of a run of an `OCIRepository`: its steps, and the results of the steps so far.

use sluice_api::Artifact;
use sluice_dial::RemotePermit;
use sluice_oci::{Deadline, Digest, Reference, Remote, Version};

use crate::notation::Verdict;
use crate::signature::Signers;

/// One step of a run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Step {
    /// Read the Secrets of the registry and wait for a permit.
    Connect,
    /// Ask the registry for the digest.
    Resolve,
    /// Read the accepted signers.
    ReadSigners,
    /// Verify the signature of the digest.
    Verify,
    /// Pull and store the layer.
    Pull {
        /// Whether the revision is new. Otherwise only the rules changed.
        new_revision: bool,
    },
}

/// The results of the steps so far.
#[derive(Debug, Default)]
pub(crate) struct Facts {
    pub(super) connection: Option<Connection>,
    pub(super) resolved: Option<ResolvedReference>,
    pub(super) signers: Option<TrustedSigners>,
    pub(super) verdict: Option<Verdict>,
    pub(super) packed: Option<NewArtifact>,
}

/// Access to a registry.
#[derive(Debug)]
pub(super) struct Connection {
    pub(super) remote: Remote,
    pub(super) deadline: Deadline,
    /// The layer is buffered until it is stored: permits bound the memory.
    pub(super) _permit: RemotePermit,
}

/// The accepted signers.
#[derive(Debug)]
pub(super) struct TrustedSigners {
    pub(super) signers: Signers,
    /// Whether the last verification of this process used them.
    pub(super) are_verified: bool,
}

/// A reference and its current digest.
#[derive(Debug, Clone)]
pub(super) struct ResolvedReference {
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

impl ResolvedReference {
    /// The reference by its digest.
    pub(super) fn digest_reference(&self) -> String {
        let repository = &self.reference.repository;
        repository.digest(self.digest.clone()).to_string()
    }

    /// The revision as a status records it.
    pub(super) fn revision(&self) -> String {
        match &self.reference.version {
            Version::Tag(tag) => format!("{tag}@{}", self.digest),
            Version::Digest(digest) => digest.to_string(),
        }
    }
}
