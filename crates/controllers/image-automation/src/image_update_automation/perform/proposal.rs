//! Opens, updates and closes the pull request of an automation.

use std::future::Future;

use sluice_client::typed::ResourceExt as _;
use sluice_engine::ready::Fault;
use sluice_forge::{Forge, NewProposal, Proposal};
use sluice_golang::GoDuration;

use super::super::model::{Facts, FoundProposal, ProposalRecord};
use super::{CONNECTED, FETCHED, Work};
use crate::pull_request::{
    DEFAULT_TITLE, ProposalPlan, PullRequest, decide, description, title, withdraw,
};
use crate::repository::unproposed;

const WANTED: &str = "the plan asks only for a pull request of the annotation";
const FOUND: &str = "the plan finds the pull request before it changes it";

impl Work<'_> {
    /// Asks the Git host for the open pull request.
    pub(super) async fn find_proposal(&self, facts: &Facts) -> Result<FoundProposal, Fault> {
        let (wanted, forge) = self.forge(facts);
        let open = self.find(wanted, forge).await?;
        Ok(FoundProposal { open })
    }

    async fn find(
        &self,
        wanted: &PullRequest,
        forge: &dyn Forge,
    ) -> Result<Option<Proposal>, Fault> {
        let branches = new_proposal(wanted, "", "");
        let finding = forge.find_proposal(&wanted.repository, &branches);
        self.within(finding).await
    }

    /// Brings the pull request in line with the updates that the checkout needs.
    pub(super) async fn propose(&self, facts: &Facts) -> Result<ProposalRecord, Fault> {
        let (wanted, forge) = self.forge(facts);
        let base = facts.base.as_ref().expect(FETCHED);
        let needed = if base.tip.commit.id == base.checkout.commit.id {
            facts.update.clone().unwrap_or_default()
        } else {
            self.edit(facts, &base.checkout).await?
        };
        let automation = self.name();
        let texts = if needed.files.is_empty() {
            None
        } else {
            let template = if wanted.title.is_empty() {
                DEFAULT_TITLE.to_owned()
            } else {
                wanted.title.clone()
            };
            let title = title(&self.render(template, &needed).await?);
            let section = description::section(&automation, &needed.result);
            Some((title, section))
        };
        let texts = texts.as_ref();
        let texts = texts.map(|(title, section)| (title.as_str(), section.as_str()));
        let found = facts.found.as_ref().expect(FOUND).open.as_ref();
        let plan = decide(found, &automation, texts);
        self.within(carry_out(plan, wanted, forge, found)).await
    }

    /// Removes the section of the automation from the pull request, which is closed without any.
    pub(super) async fn withdraw(&self) -> Result<ProposalRecord, Fault> {
        let wanted = self.source.pull_request.as_ref().expect(WANTED);
        let remote = self.remote().await?;
        let namespace = self.automation.namespace().unwrap_or_default();
        let repositories = &self.reconciler.repositories;
        let forge = repositories.forge(wanted, &remote, &namespace).await?;
        // Another automation may edit the same description.
        let _permit = self.permit().await;
        let found = self.find(wanted, &*forge).await?;
        let found = found.as_ref();
        match withdraw(found, &self.name()) {
            Some(plan) => self.within(carry_out(plan, wanted, &*forge, found)).await,
            None => Ok(ProposalRecord { change: None }),
        }
    }

    /// The name of the automation in a description.
    fn name(&self) -> String {
        let namespace = self.automation.namespace().unwrap_or_default();
        format!("{namespace}/{}", self.automation.name_any())
    }

    /// The pull request of the annotation, and the API of its host.
    fn forge<'f>(&'f self, facts: &'f Facts) -> (&'f PullRequest, &'f dyn Forge) {
        let connection = facts.connection.as_ref().expect(CONNECTED);
        let forge = connection.forge.as_deref().expect(WANTED);
        (self.source.pull_request.as_ref().expect(WANTED), forge)
    }

    /// Waits for a Git host within the timeout of the repository.
    async fn within<T>(
        &self,
        asking: impl Future<Output = Result<T, sluice_forge::Error>>,
    ) -> Result<T, Fault> {
        let limit = self.source.source.timeout;
        let asking = tokio::time::timeout(limit, Box::pin(asking));
        match self.run.release(asking).await {
            Ok(answer) => answer.map_err(|error| unproposed(&error.to_string())),
            Err(_) => {
                let limit = GoDuration::from_std(limit);
                Err(unproposed(&format!("not done within {limit}")))
            }
        }
    }
}

fn new_proposal(wanted: &PullRequest, title: &str, text: &str) -> NewProposal {
    NewProposal {
        from: wanted.from.clone(),
        into: wanted.into.clone(),
        title: title.to_owned(),
        text: text.to_owned(),
    }
}

/// Carries out a plan.
async fn carry_out(
    plan: ProposalPlan,
    wanted: &PullRequest,
    forge: &dyn Forge,
    found: Option<&Proposal>,
) -> Result<ProposalRecord, sluice_forge::Error> {
    let repository = &wanted.repository;
    let change = match (plan, found) {
        (ProposalPlan::Open(title, text), _) => {
            let new = new_proposal(wanted, &title, &text);
            let opened = forge.propose(repository, &new).await?;
            complete(wanted, forge, &opened).await?;
            Some(format!("opened pull request {}", opened.url))
        }
        (ProposalPlan::Edit(title, text), Some(found)) => {
            forge
                .edit_proposal(repository, found.number, &title, &text)
                .await?;
            complete(wanted, forge, found).await?;
            Some(format!("updated pull request {}", found.url))
        }
        (ProposalPlan::Close, Some(found)) => {
            forge.close_proposal(repository, found.number).await?;
            Some(format!(
                "closed pull request {}: branch '{}' needs no updates",
                found.url, wanted.into
            ))
        }
        (ProposalPlan::Withdraw(text), Some(found)) => {
            let (number, title) = (found.number, &found.title);
            forge
                .edit_proposal(repository, number, title, &text)
                .await?;
            Some(format!(
                "left pull request {} to other automations",
                found.url
            ))
        }
        (ProposalPlan::Abandon, Some(found)) => {
            forge.close_proposal(repository, found.number).await?;
            Some(format!(
                "closed pull request {}: its last automation is deleted",
                found.url
            ))
        }
        (ProposalPlan::Keep, Some(found)) if description::is_ours(&found.text) => {
            complete(wanted, forge, found).await?;
            None
        }
        _ => None,
    };
    Ok(ProposalRecord { change })
}

/// Adds missing labels, and enables the automatic merge.
async fn complete(
    wanted: &PullRequest,
    forge: &dyn Forge,
    proposal: &Proposal,
) -> Result<(), sluice_forge::Error> {
    let labels = wanted.labels.iter();
    let missing: Vec<String> = labels
        .filter(|label| !proposal.labels.contains(label))
        .cloned()
        .collect();
    let (repository, number) = (&wanted.repository, proposal.number);
    if !missing.is_empty() {
        forge.label_proposal(repository, number, &missing).await?;
    }
    match wanted.auto_merge {
        Some(method) if !proposal.is_auto_merged => {
            forge.auto_merge_proposal(repository, number, method).await
        }
        _ => Ok(()),
    }
}
