//! The pull request that replaces a push to a protected branch.

use sluice_forge::NewProposal;
use sluice_lifecycle::Error;

use super::Bootstrap;
use crate::layout;

/// The description of the pull request.
const PROPOSAL_TEXT: &str = "The manifests of the controllers and of what this cluster follows, \
    as `bootstrap` generated them. When they are merged, `bootstrap` is run again to install them.";

impl Bootstrap<'_> {
    /// Proposes the missing files, if the user wants a pull request instead of a push. Returns the
    /// URL of a pull request that is not merged yet.
    pub(super) async fn propose(&mut self) -> Result<Option<String>, Error> {
        let host = self.settings.hosted.as_ref().zip(self.prepared.as_ref());
        let Some((hosted, found)) = host.filter(|(hosted, _)| hosted.proposes) else {
            return Ok(None);
        };
        self.warn_of_unlisted(&*self.repository.tree().await?)?;
        let files = self.missing_files().await?;
        if files.is_empty() {
            return Ok(None);
        }
        if self.repository.head().is_none() {
            return Err(Error::user(
                "the repository has no commit yet: there is nothing that a change could be merged into",
            )
            .hint("push a first commit, or bootstrap without --pull-request"));
        }
        let progress = self.session.progress;
        let subject = self.proposal_subject();
        let wanted = NewProposal {
            from: layout::proposal_branch(&files),
            into: self.settings.layout.sync.branch.clone(),
            title: subject.clone(),
            text: PROPOSAL_TEXT.to_owned(),
        };
        let (name, committer) = (&wanted.from, &self.committer);
        let proposal = match hosted.find_proposal(found, &wanted).await? {
            Some(proposal) => {
                self.repository.check_offer(name, committer, files).await?;
                proposal
            }
            None => {
                self.repository
                    .offer(name, &subject, committer, files)
                    .await?;
                let proposal = hosted.propose(found, &wanted).await?;
                progress.success(format!("opened pull request {}", proposal.url));
                proposal
            }
        };
        progress.wait(format!("waiting for {} to be merged", proposal.url));
        if !hosted.waits_for_merge {
            progress.action("merge it, and run bootstrap again");
            return Ok(Some(proposal.url));
        }
        hosted.merged(found, &proposal, self.deadline).await?;
        progress.success("pull request merged");
        self.repository.fetch_tip().await?;
        Ok(None)
    }

    /// The title of the pull request and of its commit.
    pub(super) fn proposal_subject(&self) -> String {
        format!("Add Flux {} manifests", self.settings.package.version)
    }
}
