//! `GitRepository`: one commit of a Git repository, packed as an artifact.
//!
//! A run asks the remote what its reference means now and, if that is news, fetches the commit
//! into a bare store and packs its tree straight from the objects: there is no checkout. Files:
//! `observe` reads (Secrets, remote), `plan` decides, `perform` fetches, packs and cleans
//! up, `conclude` turns what came of it into status and notices. This file joins them.
//!
//! A poll that finds nothing new makes one request to the remote and none to the API server,
//! and writes no file.

mod conclude;
mod observe;
mod pack;
mod perform;
mod plan;

use std::sync::Arc;

use sluice_api::source::condition::{
    ARTIFACT_IN_STORAGE, ARTIFACT_OUTDATED, FETCH_FAILED, INCLUDE_UNAVAILABLE, SOURCE_VERIFIED,
    STORAGE_OPERATION_FAILED,
};
use sluice_api::source::{GitRepository, GitRepositoryStatus};
use sluice_artifact::storage::Storage;
use sluice_runtime::reconcile::Reconciler;
use sluice_runtime::{Failure, ObjectKey, Outcome, ReportError, Requeue, Retry, Run, Secrets};

use crate::conditions::{Polarity, Table};
use conclude::Draft;
use observe::Listings;
pub(crate) use perform::KIND;
use plan::{Decision, Step, Work};

/// The conditions that are ours to write.
pub(crate) const OWNED: &[&str] = &[
    STORAGE_OPERATION_FAILED,
    FETCH_FAILED,
    INCLUDE_UNAVAILABLE,
    ARTIFACT_OUTDATED,
    ARTIFACT_IN_STORAGE,
    SOURCE_VERIFIED,
    "Ready",
    "Reconciling",
    "Stalled",
];

/// The conditions that `Ready` sums up.
const SUMMARY: Table = &[
    (STORAGE_OPERATION_FAILED, Polarity::Bad),
    (FETCH_FAILED, Polarity::Bad),
    (INCLUDE_UNAVAILABLE, Polarity::Bad),
    (ARTIFACT_OUTDATED, Polarity::Bad),
    (ARTIFACT_IN_STORAGE, Polarity::Good),
    (SOURCE_VERIFIED, Polarity::Good),
];

/// A failure, and the condition that tells it.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Fault {
    condition: &'static str,
    failure: Failure,
}

impl Fault {
    fn fetch(failure: Failure) -> Self {
        Self {
            condition: FETCH_FAILED,
            failure,
        }
    }

    fn storage(failure: Failure) -> Self {
        Self {
            condition: STORAGE_OPERATION_FAILED,
            failure,
        }
    }
}

/// What reconciling needs besides the object.
pub(crate) struct Context {
    pub(crate) storage: Arc<Storage>,
    pub(crate) secrets: Secrets,
    pub(crate) git: sluice_git::Client,
    pub(crate) stores: sluice_git::Stores,
}

/// Reconciles `GitRepository` objects.
pub(crate) struct GitRepositoryReconciler {
    context: Context,
    listings: Listings,
}

impl GitRepositoryReconciler {
    pub(crate) fn new(context: Context) -> Self {
        Self {
            context,
            listings: Listings::default(),
        }
    }

    async fn finalize(&self, object: &GitRepository) -> Outcome<GitRepositoryStatus> {
        conclude::deleted(perform::delete(&self.context, object).await)
    }

    /// Everything between the finalizer and the summary.
    async fn work(
        &self,
        object: &GitRepository,
        work: &Work,
        draft: &mut Draft,
        run: &Run<GitRepository>,
    ) -> Result<(), Interruption> {
        let tidied = perform::tidy(&self.context, object, run.started()).await?;
        draft.tidied(tidied);
        if draft.is_news() {
            run.progress(&draft.status()).await?;
        }

        let remote = observe::remote(&self.context.secrets, object, work).await?;
        draft.dialled(&remote);
        let prompt = run.cause().is_prompt();
        let resolved = match plan::pinned(object, draft.artifact(), work) {
            Some(revision) => {
                draft.unchanged(&revision, prompt);
                return Ok(());
            }
            None => self
                .listings
                .resolve(&self.context.git, &remote, &work.reference, prompt)
                .await
                .map_err(|error| observe::refused(&error))?,
        };
        let revision = resolved.revision();
        match plan::step(object, draft.artifact(), &revision) {
            Step::Keep => draft.unchanged(&revision, prompt),
            Step::Pack { new_revision } => {
                if new_revision {
                    draft.new_revision(&revision);
                    run.progress(&draft.status()).await?;
                }
                let done = perform::pack(&self.context, object, &remote, &resolved).await?;
                draft.stored(done);
            }
        }
        Ok(())
    }
}

/// Why a run ended early.
enum Interruption {
    Fault(Fault),
    Report(ReportError),
}

impl From<Fault> for Interruption {
    fn from(fault: Fault) -> Self {
        Self::Fault(fault)
    }
}

impl From<ReportError> for Interruption {
    fn from(error: ReportError) -> Self {
        Self::Report(error)
    }
}

impl Reconciler for GitRepositoryReconciler {
    type Object = GitRepository;

    async fn reconcile(
        &self,
        object: Arc<GitRepository>,
        run: &Run<GitRepository>,
    ) -> Outcome<GitRepositoryStatus> {
        let decision = plan::decide(&object);
        if decision == Decision::Finalize {
            return self.finalize(&object).await;
        }
        // Before the first effect, since it is what brings us back to undo them.
        if let Err(error) = run.ensure_finalizer().await {
            return unreported(&error);
        }
        let url = |path: &str| self.context.storage.url(path);
        match decision {
            Decision::Finalize => unreachable!("an object that goes is finalized above"),
            Decision::Sleep => Draft::begin(&object, run.started(), url).suspended(),
            Decision::Stall(fault) => Draft::begin(&object, run.started(), url).failed(fault),
            Decision::Work(work) => {
                let mut draft = Draft::begin(&object, run.started(), url);
                match self.work(&object, &work, &mut draft, run).await {
                    Ok(()) => draft.done(work.interval),
                    Err(Interruption::Fault(fault)) => draft.failed(fault),
                    Err(Interruption::Report(error)) => unreported(&error),
                }
            }
        }
    }

    fn forget(&self, _: &ObjectKey) {}
}

/// A run whose progress could not be written.
fn unreported(error: &ReportError) -> Outcome<GitRepositoryStatus> {
    Outcome::untouched(match error {
        ReportError::Gone => Requeue::Never,
        error => Failure::new(
            sluice_api::meta::reason::PATCH_OPERATION_FAILED,
            Retry::Backoff,
            error,
        )
        .requeue(),
    })
}

#[cfg(test)]
mod tests;
