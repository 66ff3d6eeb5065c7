//! `OCIRepository`: stores one layer of an OCI artifact from a container registry.
//!
//! A run resolves the reference at the registry. If the digest is new, it verifies and pulls that
//! digest and stores its layer, either unpacked and repacked or as a copy. `observe` reads Secrets
//! and the registry, and `plan` decides. `verify` checks signatures, and `permits` limits
//! concurrent requests to a registry. `perform` pulls and stores, `unpack` permits a layer into an
//! artifact, and `spool` buffers it. `conclude` writes status and notices. This file joins them.
//!
//! A poll without changes sends one request without a body to the registry.

mod conclude;
mod observe;
mod perform;
mod permits;
mod plan;
mod spool;
mod unpack;
mod verify;

use std::sync::Arc;

use sluice_api::source::condition::{
    ARTIFACT_IN_STORAGE, ARTIFACT_OUTDATED, FETCH_FAILED, SOURCE_VERIFIED, STORAGE_OPERATION_FAILED,
};
use sluice_api::source::{OciRepository, OciRepositoryStatus};
use sluice_engine::Runner;
use sluice_engine::{ObjectKey, Outcome, Run};
use sluice_host::Secrets;

use crate::conditions::{Polarity, Table};
use crate::source_storage::{Fault, SourceStorage, end_unreported};
use conclude::Draft;
use observe::Deadline;
use permits::RegistryPermits;
use plan::{Decision, Step, Work};
use verify::Verdicts;

/// The conditions that this controller owns.
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

/// The conditions that `Ready` summarizes.
const SUMMARY: Table = &[
    (STORAGE_OPERATION_FAILED, Polarity::Bad),
    (FETCH_FAILED, Polarity::Bad),
    (ARTIFACT_OUTDATED, Polarity::Bad),
    (ARTIFACT_IN_STORAGE, Polarity::Good),
    (SOURCE_VERIFIED, Polarity::Good),
];

/// Dependencies of the reconciler.
pub(crate) struct Context {
    pub(crate) source_storage: Arc<SourceStorage>,
    pub(crate) secrets: Secrets,
    pub(crate) registry: sluice_oci::Client,
    /// Whether objects may have their own identity with a cloud provider.
    pub(crate) workload_identity: bool,
}

/// Reconciles `OCIRepository` objects.
pub(crate) struct OciRepositoryReconciler {
    context: Context,
    verdicts: Verdicts,
    permits: RegistryPermits,
}

impl OciRepositoryReconciler {
    /// `concurrent` limits the workers, and the objects that use one registry at a time.
    pub(crate) fn new(context: Context, concurrent: usize) -> Self {
        Self {
            permits: RegistryPermits::new(concurrent),
            context,
            verdicts: Verdicts::default(),
        }
    }

    /// Runs everything between the finalizer and the summary.
    async fn work(
        &self,
        object: &OciRepository,
        work: &Work,
        draft: &mut Draft,
        run: &Run<OciRepository>,
    ) -> Result<(), Fault> {
        let Context {
            source_storage,
            registry,
            ..
        } = &self.context;
        let tidied = source_storage
            .tidy(run.key(), draft.artifact(), run.started())
            .await?;
        draft.apply_tidy(tidied);
        if draft.has_news() {
            run.progress(&draft.status());
        }

        source_storage.first_round.wait_for_others(run).await;
        let remote = observe::remote(&self.context, object, work).await?;
        let deadline = Deadline::after(work.timeout, work.repository.registry());
        // From here on the run waits for the registry, gives its worker back, and holds up only
        // objects of the same registry.
        let _permit = run
            .release(self.permits.acquire(work.repository.registry()))
            .await;
        // Boxed: the future is large, and many objects may wait for a permit.
        let resolving = Box::pin(async {
            let reference = observe::reference(&self.context, &remote, work, &deadline).await?;
            observe::resolve(&self.context, &remote, reference, &deadline).await
        });
        let resolved = run.release(resolving).await?;
        let revision = resolved.revision();
        let step = plan::step(object, draft.artifact(), &revision);
        if step == (Step::Pull { new_revision: true }) {
            draft.new_revision(&revision, &resolved.reference);
            run.progress(&draft.status());
        }
        match &work.verify {
            None => draft.unverified(),
            Some(secret) => {
                let keys = verify::keys(&self.context.secrets, object, secret).await?;
                let key = run.key().clone();
                if draft.wants_verification(&step) || !self.verdicts.stands(&key, &keys) {
                    let digest = &resolved.digest;
                    let verifying = verify::verify(registry, &remote, digest, &keys, &deadline);
                    run.release(Box::pin(verifying)).await?;
                    draft.verified(&revision);
                    self.verdicts.remember(key, &keys);
                }
            }
        }
        match step {
            Step::Keep => draft.unchanged(&revision, run.cause().is_prompt()),
            Step::Pull { .. } => {
                let opening = perform::open(registry, object, work, &remote, &resolved, &deadline);
                let download = run.release(Box::pin(opening)).await?;
                // The layer is buffered until it is stored: permits bound the memory.
                let pulling =
                    perform::pull(source_storage, object, work, &resolved, &deadline, download);
                draft.stored(Box::pin(pulling).await?);
            }
        }
        Ok(())
    }
}

impl Runner for OciRepositoryReconciler {
    type Object = OciRepository;

    async fn run(
        &self,
        object: Arc<OciRepository>,
        run: &Run<OciRepository>,
    ) -> Outcome<OciRepositoryStatus> {
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
                    Ok(()) => draft.done(work.interval),
                    Err(fault) => draft.failed(fault),
                }
            }
        }
    }

    fn forget(&self, key: &ObjectKey) {
        self.context.source_storage.first_round.mark_checked(key);
        self.verdicts.forget(key);
    }
}

#[cfg(test)]
mod tests;
