//! The data of a run of an `ImageUpdateAutomation`: its steps, and their results.

use std::collections::BTreeMap;
use std::fmt;
use std::sync::Arc;

use sluice_api::image::ImageRef;
use sluice_api::source::GitRepository;
use sluice_dial::RemotePermit;
use sluice_engine::ready::Fault;
use sluice_forge::{Forge, Proposal};
use sluice_git::{Commit, ExpectedTip, Remote, ResolvedReference, Signer, Store};
use sluice_images::setter::Setters;
use sluice_images::update::Update;

use super::spec::Spec;
use crate::pull_request::PullRequest;
use crate::source::Source;

/// One step of a run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Step {
    /// Read the Secrets, and wait for the permit of the branch.
    Connect,
    /// Ask the remote for the commit of the checkout.
    Resolve,
    /// Ask the Git host for the open pull request.
    FindProposal,
    /// Fetch the commit to update.
    Fetch,
    /// Edit the files of the commit.
    Edit,
    /// Commit and push.
    Push,
    /// Open, update or close the pull request.
    Propose,
    /// Remove the section of an automation in deletion from its pull request.
    Withdraw,
    /// Wait, because another writer pushed first.
    StartAgain,
}

/// The results of the steps so far.
#[derive(Debug)]
pub(crate) struct Facts {
    pub(super) spec: Result<Spec, Fault>,
    pub(super) images: Result<Images, Fault>,
    pub(super) source: Result<SourceObject, Fault>,
    /// Whether an edit or a request caused the run.
    pub(super) is_prompt: bool,
    /// The findings of the last run that edited files.
    pub(super) known_findings: Option<String>,
    /// Number of pushes that another writer overtook.
    pub(super) overtaken: u32,
    pub(super) connection: Option<Connection>,
    pub(super) resolved: Option<ResolvedReference>,
    /// The open pull request, if the automation has one.
    pub(super) found: Option<FoundProposal>,
    pub(super) base: Option<Base>,
    pub(super) update: Option<Update>,
    /// Problems at markers, as text. `None` if no file was edited.
    pub(super) findings: Option<String>,
    pub(super) pushed: Option<PushRecord>,
    /// The change of the pull request.
    pub(super) proposed: Option<ProposalRecord>,
    /// Whether the last push was overtaken.
    pub(super) is_overtaken: bool,
    /// The result of the removal from the pull request: its change, or why it failed.
    pub(super) withdrawn: Option<Result<ProposalRecord, Fault>>,
}

impl Facts {
    /// Forgets the state of the remote, because another writer changed it.
    pub(super) fn forget_remote(&mut self) {
        self.is_overtaken = false;
        self.resolved = None;
        // The other writer may have merged the pull request.
        self.found = None;
        self.base = None;
        self.update = None;
    }
}

/// The latest images of policies.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Images {
    pub(super) setters: Arc<Setters>,
    /// The images as a status records them.
    pub(super) observed: BTreeMap<String, ImageRef>,
}

/// The repository of an automation.
#[derive(Debug, Clone)]
pub(super) struct SourceObject {
    pub(super) repository: Arc<GitRepository>,
    pub(super) source: Source,
    /// The pull request that the annotation asks for.
    pub(super) pull_request: Option<PullRequest>,
}

/// Access to a remote.
#[derive(Debug)]
pub(super) struct Connection {
    pub(super) remote: Remote,
    pub(super) signer: Option<Signer>,
    /// The API of the Git host, for a pull request.
    pub(super) forge: Option<Box<dyn Forge>>,
    /// Only one automation at a time pushes to a branch.
    pub(super) _permit: RemotePermit,
}

/// A commit, and the store that has it.
#[derive(Clone)]
pub(super) struct StoredCommit {
    pub(super) commit: Commit,
    pub(super) store: Store,
}

impl fmt::Debug for StoredCommit {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.commit.fmt(formatter)
    }
}

/// The commit that is updated.
#[derive(Debug, Clone)]
pub(super) struct Base {
    pub(super) tip: StoredCommit,
    /// The commit of the checkout.
    pub(super) checkout: StoredCommit,
    /// The state of the push branch that allows the push.
    pub(super) expected: ExpectedTip,
}

/// A pushed commit.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct PushRecord {
    /// The full object ID.
    pub(super) commit: String,
    /// The revision as a status records it.
    pub(super) revision: String,
    pub(super) message: String,
}

/// The answer of a Git host about an open pull request.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct FoundProposal {
    pub(super) open: Option<Proposal>,
}

/// The change of a pull request.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct ProposalRecord {
    /// The text of a notice. `None` if nothing changed.
    pub(super) change: Option<String>,
}
