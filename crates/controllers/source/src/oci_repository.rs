//! `OCIRepository`: one layer of an artifact in a container registry.
//!
//! A run asks the registry what its reference means now and, if that is news, verifies that very
//! digest, pulls it and stores its layer: unpacked and packed again as every artifact is, or as
//! it came. Files: `observe` reads (Secrets, registry), `plan` decides, `verify` judges
//! signatures, `perform` pulls and stores, `unpack` turns a layer into an artifact, `spool` keeps
//! it meanwhile, `conclude` turns what came of it into status and notices. This file joins them.
//!
//! A poll that finds nothing new makes one request without a body to the registry.

mod conclude;
mod observe;
mod perform;
mod plan;
mod spool;
mod unpack;
mod verify;

use std::sync::Arc;

use kube::ResourceExt as _;
use sluice_api::source::condition::{
    ARTIFACT_IN_STORAGE, ARTIFACT_OUTDATED, FETCH_FAILED, SOURCE_VERIFIED, STORAGE_OPERATION_FAILED,
};
use sluice_api::source::{OciRepository, OciRepositoryStatus};
use sluice_artifact::storage::Storage;
use sluice_runtime::reconcile::Reconciler;
use sluice_runtime::{ObjectKey, Outcome, Run, Secrets};

use crate::conditions::{Polarity, Table};
use crate::shelf::{self, Fault, Interruption, unreported};
use conclude::Draft;
use observe::Deadline;
use plan::{Decision, Step, Work};
use verify::Verdicts;

/// The directory of the kind's artifacts, before it is lower-cased.
pub(crate) const KIND: &str = "OCIRepository";

/// The conditions that are ours to write.
pub(crate) const OWNED: &[&str] = &[
    STORAGE_OPERATION_FAILED,
    FETCH_FAILED,
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
    (ARTIFACT_OUTDATED, Polarity::Bad),
    (ARTIFACT_IN_STORAGE, Polarity::Good),
    (SOURCE_VERIFIED, Polarity::Good),
];

/// What reconciling needs besides the object.
pub(crate) struct Context {
    pub(crate) storage: Arc<Storage>,
    pub(crate) secrets: Secrets,
    pub(crate) registry: sluice_oci::Client,
    /// Whether objects may have an identity of their own with a cloud provider.
    pub(crate) workload_identity: bool,
}

/// Reconciles `OCIRepository` objects.
pub(crate) struct OciRepositoryReconciler {
    context: Context,
    verdicts: Verdicts,
}

impl OciRepositoryReconciler {
    pub(crate) fn new(context: Context) -> Self {
        Self {
            context,
            verdicts: Verdicts::default(),
        }
    }

    async fn finalize(&self, object: &OciRepository) -> Outcome<OciRepositoryStatus> {
        let deleted = match location(object) {
            Ok(location) => shelf::delete(&self.context.storage, location).await,
            Err(fault) => Err(fault),
        };
        shelf::deleted(deleted)
    }

    /// Everything between the finalizer and the summary.
    async fn work(
        &self,
        object: &OciRepository,
        work: &Work,
        draft: &mut Draft,
        run: &Run<OciRepository>,
    ) -> Result<(), Interruption> {
        let tidied = shelf::tidy(
            &self.context.storage,
            location(object)?,
            draft.artifact(),
            run.started(),
        )
        .await?;
        draft.tidied(tidied);
        if draft.is_news() {
            run.progress(&draft.status()).await?;
        }

        let deadline = Deadline::after(work.timeout, work.repository.registry());
        let remote = observe::remote(&self.context, object, work).await?;
        let reference = observe::reference(&self.context, &remote, work, &deadline).await?;
        let resolved = observe::resolve(&self.context, &remote, reference, &deadline).await?;
        let revision = resolved.revision();
        let step = plan::step(object, draft.artifact(), &revision);
        if step == (Step::Pull { new_revision: true }) {
            draft.new_revision(&revision, &resolved.reference);
            run.progress(&draft.status()).await?;
        }
        match &work.verify {
            None => draft.unverified(),
            Some(secret) => {
                let keys = verify::keys(&self.context.secrets, object, secret).await?;
                let key = run.key().clone();
                if draft.wants_verification(&step) || !self.verdicts.stands(&key, &keys) {
                    let registry = &self.context.registry;
                    verify::verify(registry, &remote, &resolved.digest, &keys, &deadline).await?;
                    draft.verified(&revision);
                    self.verdicts.remember(key, &keys);
                }
            }
        }
        match step {
            Step::Keep => draft.unchanged(&revision, run.cause().is_prompt()),
            Step::Pull { .. } => {
                let done =
                    perform::pull(&self.context, object, work, &remote, &resolved, &deadline)
                        .await?;
                draft.stored(done);
            }
        }
        Ok(())
    }
}

fn location(object: &OciRepository) -> Result<sluice_artifact::storage::Location, Fault> {
    let namespace = object.namespace().unwrap_or_default();
    shelf::location(KIND, &namespace, &object.name_any())
}

impl Reconciler for OciRepositoryReconciler {
    type Object = OciRepository;

    async fn reconcile(
        &self,
        object: Arc<OciRepository>,
        run: &Run<OciRepository>,
    ) -> Outcome<OciRepositoryStatus> {
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

    fn forget(&self, key: &ObjectKey) {
        self.verdicts.forget(key);
    }
}

#[cfg(test)]
mod tests;
