//! The data of a run of a `GitRepository`: its steps, and the results of the steps so far.

use std::sync::Arc;

use sluice_api::Artifact;
use sluice_git::{Commit, Remote, ResolvedReference, Store, Submodules, TrustedKeys};

use super::pack::Remarks;
use super::spec::Spec;

/// One step of a run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Step {
    /// Read the Secrets of the remote.
    Connect,
    /// Read the included artifacts and the trusted keys.
    ReadInputs,
    /// Ask the remote for the revision.
    Resolve,
    /// Fetch the commit.
    Fetch,
    /// Verify signatures.
    Verify,
    /// Pack the commit as an artifact.
    Pack {
        /// Whether the revision is new. Otherwise only the packing rules changed.
        new_revision: bool,
    },
}

/// The results of the steps so far.
#[derive(Debug, Default)]
pub(crate) struct Facts {
    pub(super) remote: Option<Remote>,
    pub(super) inputs: Option<Inputs>,
    pub(super) resolved: Option<ResolvedReference>,
    pub(super) checkout: Option<Arc<Checkout>>,
    /// The message of a successful verification.
    pub(super) verified: Option<String>,
    pub(super) packed: Option<NewArtifact>,
}

/// Inputs of an artifact beside its commit.
#[derive(Debug)]
pub(super) struct Inputs {
    /// The artifacts to include, in the order of the spec.
    pub(super) included: Vec<Artifact>,
    /// The trusted keys, if signatures are verified.
    pub(super) keys: Option<TrustedKeys>,
    /// Whether the keys differ from those of the last verification.
    pub(super) keys_changed: bool,
}

/// A new artifact.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct NewArtifact {
    pub(super) artifact: Artifact,
    pub(super) subject: String,
    pub(super) remarks: Remarks,
}

/// A fetched commit with everything that its checkout needs.
#[derive(Debug)]
pub(super) struct Checkout {
    pub(super) store: Store,
    pub(super) commit: Commit,
    pub(super) submodules: Submodules,
}

impl Facts {
    /// The revision of the remote, as far as it is known.
    pub(super) fn revision(&self, spec: &Spec) -> Option<String> {
        if let Some(checkout) = &self.checkout {
            return Some(checkout.commit.revision());
        }
        match &self.resolved {
            Some(resolved) => Some(resolved.revision()),
            None => spec.reference.pinned_revision(),
        }
    }
}
