//! `GitRepository`: packs one commit of a Git repository as an artifact.
//!
//! A run resolves the reference at the remote. It fetches a new commit into
//! a bare store and packs its tree straight from the objects, without a checkout on disk.
//! `observe` reads Secrets and the remote, and `plan` decides. `perform` fetches, packs and
//! cleans up, and `conclude` writes status and notices. This file joins them. `checkout`, `sparse`
//! and `overlay` define the content of an artifact. `verify` checks signatures, and `retry_after`
//! limits the delays that a remote asks for.
//!
//! A poll without changes sends one request to the remote and none to the API server, and writes
//! no file.

mod checkout;
mod conclude;
mod identity;
mod observe;
mod overlay;
mod pack;
mod perform;
mod plan;
mod retry_after;
mod sparse;
mod verify;

use std::sync::Arc;
use std::time::Duration;

use kube::ResourceExt;
use sluice_api::source::condition::{
    ARTIFACT_IN_STORAGE, ARTIFACT_OUTDATED, FETCH_FAILED, INCLUDE_UNAVAILABLE, SOURCE_VERIFIED,
    STORAGE_OPERATION_FAILED,
};
use sluice_api::source::{GitRepository, GitRepositoryStatus};
use sluice_client::Cluster;
use sluice_dial::HttpClients;
use sluice_engine::Runner;
use sluice_engine::metrics::Metrics;
use sluice_engine::{ObjectKey, Outcome, Run, Watch};
use sluice_host::Secrets;

use crate::conditions::{Polarity, Table};
use crate::source_storage::{Fault, SourceStorage, end_unreported};
use conclude::Draft;
pub(crate) use identity::{AwsIdentities, Tokens};
use observe::{ReferenceCache, Verdicts};
use plan::{Decision, PackInputs, Step, Work};
use retry_after::RetryAfterLimit;

/// The conditions that this controller owns.
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

/// The conditions that `Ready` summarizes.
const SUMMARY: Table = &[
    (STORAGE_OPERATION_FAILED, Polarity::Bad),
    (FETCH_FAILED, Polarity::Bad),
    (INCLUDE_UNAVAILABLE, Polarity::Bad),
    (ARTIFACT_OUTDATED, Polarity::Bad),
    (ARTIFACT_IN_STORAGE, Polarity::Good),
    (SOURCE_VERIFIED, Polarity::Good),
];

/// Reconciles objects again when an included artifact changes.
pub(crate) fn includes() -> Watch<GitRepository, GitRepository> {
    let artifact = |object: Option<&GitRepository>| {
        let status = object.and_then(|object| object.status.as_ref());
        let artifact = status.and_then(|status| status.artifact.as_ref());
        artifact.map(|artifact| (artifact.revision.clone(), artifact.digest.clone()))
    };
    Watch::on(|object: &GitRepository| {
        let namespace = object.namespace().unwrap_or_default();
        let included = object.spec.include.iter();
        included
            .map(|include| ObjectKey::new(&namespace, &include.repository.name))
            .collect()
    })
    .when(move |old, new| artifact(old) != artifact(new))
}

/// Dependencies of the reconciler.
pub(crate) struct Context {
    pub(crate) source_storage: Arc<SourceStorage>,
    pub(crate) secrets: Secrets,
    pub(crate) cluster: Cluster,
    pub(crate) http: Arc<HttpClients>,
    pub(crate) git: sluice_git::Client,
    pub(crate) stores: sluice_git::Stores,
    pub(crate) tokens: Tokens,
    pub(crate) aws: AwsIdentities,
    pub(crate) metrics: Metrics,
    /// The requeue delay of an object that waits for another one.
    pub(crate) requeue_dependency: Duration,
    /// The minimum and maximum back-off after a failure.
    pub(crate) retry_delays: (Duration, Duration),
}

/// Reconciles `GitRepository` objects.
pub(crate) struct GitRepositoryReconciler {
    context: Context,
    references: ReferenceCache,
    verdicts: Verdicts,
    retry_after: RetryAfterLimit,
}

impl GitRepositoryReconciler {
    pub(crate) fn new(context: Context) -> Self {
        let (least, most) = context.retry_delays;
        Self {
            context,
            retry_after: RetryAfterLimit::new(least, most),
            references: ReferenceCache::default(),
            verdicts: Verdicts::default(),
        }
    }

    /// Runs everything between the finalizer and the summary.
    async fn work(
        &self,
        object: &GitRepository,
        work: &Work,
        draft: &mut Draft,
        run: &Run<GitRepository>,
    ) -> Result<(), Fault> {
        let source_storage = &self.context.source_storage;
        let tidied = source_storage
            .tidy(run.key(), draft.artifact(), run.started())
            .await?;
        draft.apply_tidy(tidied);
        if draft.has_news() {
            run.progress(&draft.status());
        }

        source_storage.first_round.wait_for_others(run).await;
        // From here on the run waits for the remote and gives its worker back.
        let remote = run
            .release(observe::remote(&self.context, object, work, run.started()))
            .await?;
        draft.warn_of_plain_http(&remote);
        let included = observe::included(&self.context, object, work).await?;
        if draft.included(&included) {
            run.progress(&draft.status());
        }
        let keys = observe::keys(&self.context.secrets, object, work).await?;
        let now = PackInputs {
            included: &included,
            keys_changed: self.verdicts.differ(run.key(), keys.as_ref()),
        };
        let prompt = run.cause().is_prompt();
        if let Some(revision) = plan::pinned(object, draft.artifact(), work, now) {
            draft.unchanged(&revision, prompt);
            return Ok(());
        }
        let git = &self.context.git;
        let resolved = run
            .release(
                self.references
                    .resolve(git, &remote, &work.reference, prompt),
            )
            .await
            .map_err(|error| observe::refused(&error))?;
        // Tags of equal version are ordered by the time of their commits.
        if resolved.ties.is_empty() {
            let revision = resolved.revision();
            if plan::step(object, draft.artifact(), work, &revision, now) == Step::Keep {
                draft.unchanged(&revision, prompt);
                return Ok(());
            }
        }
        // Boxed: the future of a fetch is large, and fetches are rare.
        let fetch = Box::pin(perform::fetch(
            git,
            &self.context.stores,
            work,
            &remote,
            resolved,
        ));
        let checkout = run.release(fetch).await?;
        let revision = checkout.commit.revision();
        let step = plan::step(object, draft.artifact(), work, &revision, now);
        if step == Step::Keep {
            draft.unchanged(&revision, prompt);
            return Ok(());
        }
        if let (Some(verification), Some(keys)) = (&work.verification, keys) {
            // Until verification succeeds with these keys, no earlier keys count as verified.
            self.verdicts.note(run.key(), None);
            if let Some(message) = perform::verify(work, &checkout, &keys, run.started()).await? {
                draft.verified(verification.recorded(), message);
            }
            self.verdicts.note(run.key(), Some(keys));
        }
        match step {
            Step::Keep | Step::Verify => {
                draft.unchanged(&revision, prompt);
                return Ok(());
            }
            Step::Pack {
                new_revision: false,
            } => {}
            Step::Pack { new_revision: true } => {
                draft.new_revision(&revision);
                run.progress(&draft.status());
            }
        }
        let done = perform::pack(
            source_storage,
            object,
            work,
            &checkout,
            included.clone(),
            run.started(),
        )
        .await?;
        draft.stored(done, included);
        Ok(())
    }
}

impl Runner for GitRepositoryReconciler {
    type Object = GitRepository;

    async fn run(
        &self,
        object: Arc<GitRepository>,
        run: &Run<GitRepository>,
    ) -> Outcome<GitRepositoryStatus> {
        let source_storage = &self.context.source_storage;
        let _guard = source_storage.first_round.mark_on_drop(run.key());
        let decision = plan::decide(&object);
        if decision == Decision::Finalize {
            return source_storage.delete(run.key()).await;
        }
        // The finalizer must exist before the first effect that it has to undo.
        if let Err(error) = run.ensure_finalizer().await {
            return end_unreported(&error);
        }
        let url = |path: &str| source_storage.url(path);
        match decision {
            Decision::Finalize => unreachable!("an object that goes is finalized above"),
            Decision::Suspend => Draft::begin(&object, run.started(), url).suspended(),
            Decision::Stall(fault) => {
                let mut draft = Draft::begin(&object, run.started(), url);
                let advertised = draft.artifact().cloned();
                if let Some(tidied) = source_storage
                    .tidy_idle(run.key(), advertised, run.started())
                    .await
                {
                    draft.apply_tidy(tidied);
                }
                draft.failed(fault)
            }
            Decision::Work(work) => {
                let mut draft = Draft::begin(&object, run.started(), url);
                match self.work(&object, &work, &mut draft, run).await {
                    Ok(()) => {
                        self.retry_after.forget(run.key());
                        draft.done(work.interval)
                    }
                    Err(fault) => draft.failed(self.retry_after.bound_delay(run.key(), fault)),
                }
            }
        }
    }

    fn forget(&self, key: &ObjectKey) {
        self.context.source_storage.first_round.mark_checked(key);
        self.verdicts.note(key, None);
        self.retry_after.forget(key);
    }
}

#[cfg(test)]
mod tests;
