//! `OCIRepository`: stores one layer of an OCI artifact from a container registry.
//!
//! A run resolves the reference at the registry. If the digest is new, it verifies and pulls that
//! digest and stores its layer, either unpacked and repacked or as a copy.
//!
//! ```text
//! spec      the parsed spec                                      pure
//! model     the steps, and the facts that they find              data
//! plan      tidy, connect, resolve, read keys, verify, pull      pure
//! observe   Secrets and the registry                             reads only
//! perform   one step
//! conclude  status, notices and requeue from the facts           pure
//! ```
//!
//! `permits` limits concurrent requests to a registry, `deadline` their time. `crate::tree` turns
//! a layer into an artifact, and `crate::spool` buffers it.
//!
//! A poll without changes sends one request without a body to the registry.

mod conclude;
mod deadline;
mod model;
mod observe;
mod perform;
mod permits;
mod plan;
mod spec;
mod verify;

use std::sync::Arc;

use sluice_api::source::condition::{
    ARTIFACT_IN_STORAGE, ARTIFACT_OUTDATED, FETCH_FAILED, SOURCE_VERIFIED, STORAGE_OPERATION_FAILED,
};
use sluice_api::source::{OciRepository, OciRepositoryStatus};
use sluice_engine::{Decision, End, ObjectKey, Outcome, Progress, Reconciler, Run, Times};
use sluice_host::Secrets;

use crate::draft::Rules;
use crate::source_storage::{Fault, SourceStorage};
use model::{Facts, Step};
use permits::RegistryPermits;
use sluice_engine::conditions::Polarity;
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

/// How conditions make up `Ready`.
static RULES: Rules = Rules {
    summary: &[
        (STORAGE_OPERATION_FAILED, Polarity::Bad),
        (FETCH_FAILED, Polarity::Bad),
        (ARTIFACT_OUTDATED, Polarity::Bad),
        (ARTIFACT_IN_STORAGE, Polarity::Good),
        (SOURCE_VERIFIED, Polarity::Verdict),
    ],
    failures: &[FETCH_FAILED, STORAGE_OPERATION_FAILED],
};

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

    fn url(&self) -> impl Fn(&str) -> String {
        |path| self.context.source_storage.url(path)
    }
}

impl Reconciler for OciRepositoryReconciler {
    type Object = OciRepository;
    type Observed = Facts;
    type Plan = Step;
    type Failure = Fault;

    async fn observe(&self, object: &Arc<OciRepository>, run: &Run<OciRepository>) -> Facts {
        Facts::new(spec::parse(&object.spec), run.cause().is_prompt())
    }

    fn plan(&self, object: &OciRepository, facts: &Facts) -> Decision<Step, Fault> {
        plan::plan(object, facts)
    }

    fn progress(
        &self,
        object: &Arc<OciRepository>,
        facts: &Facts,
        step: &Step,
        times: Times,
    ) -> Progress<OciRepositoryStatus> {
        conclude::progress(object, facts, *step, times.started, self.url())
    }

    async fn perform(
        &self,
        step: Step,
        object: &Arc<OciRepository>,
        facts: &mut Facts,
        run: &Run<OciRepository>,
    ) -> Result<(), Fault> {
        perform::perform(self, step, object, facts, run).await
    }

    fn conclude(
        &self,
        object: &OciRepository,
        end: End<Facts, Fault>,
        times: Times,
    ) -> Outcome<OciRepositoryStatus> {
        let source_storage = &self.context.source_storage;
        source_storage
            .first_round
            .mark_checked(&ObjectKey::of(object));
        conclude::conclude(object, end, times.started, self.url())
    }

    fn forget(&self, key: &ObjectKey) {
        self.context.source_storage.first_round.mark_checked(key);
        self.verdicts.forget(key);
    }
}

#[cfg(test)]
mod tests;
