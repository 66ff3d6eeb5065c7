//! `OCIRepository`: stores one layer of an OCI artifact from a container registry.
//!
//! A run resolves the reference at the registry. If the digest is new, it verifies and pulls that
//! digest and stores its layer, either unpacked and repacked or as a copy.
//!
//! ```text
//! spec      the parsed spec                                      pure
//! model     the steps, and the facts that they find              data
//! plan      connect, resolve, read keys, verify, pull            pure
//! observe   Secrets and the registry                             reads only
//! perform   one step
//! conclude  status, notices and requeue from the facts           pure
//! ```
//!
//! `permits` limits concurrent requests to a registry, `deadline` their time. A
//! [`Spool`](sluice_producer::Spool) buffers a layer, and a [`Tree`](sluice_producer::Tree) turns
//! it into an artifact.
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
use std::time::Duration;

use sluice_api::source::condition::{
    ARTIFACT_IN_STORAGE, ARTIFACT_OUTDATED, FETCH_FAILED, SOURCE_VERIFIED, STORAGE_OPERATION_FAILED,
};
use sluice_api::source::{OciRepository, OciRepositoryStatus};
use sluice_engine::conditions::{Polarity, Table};
use sluice_engine::{ObjectKey, Run};
use sluice_host::Secrets;
use sluice_producer::KindStorage;

use crate::draft::Draft;
use crate::fault::Fault;
use crate::reconcile::{Source, SourceKind};
use model::{Facts, Step};
use permits::RegistryPermits;
use verify::Verdicts;

/// Dependencies of the kind.
pub(crate) struct Context {
    pub(crate) source_storage: Arc<KindStorage>,
    pub(crate) secrets: Secrets,
    pub(crate) registry: sluice_oci::Client,
    /// Whether objects may have their own identity with a cloud provider.
    pub(crate) workload_identity: bool,
}

/// `OCIRepository` with its dependencies and caches.
pub(crate) struct OciRepositoryKind {
    context: Context,
    verdicts: Verdicts,
    permits: RegistryPermits,
}

impl OciRepositoryKind {
    /// `concurrent` limits the workers, and the objects that use one registry at a time.
    pub(crate) fn new(context: Context, concurrent: usize) -> Self {
        Self {
            permits: RegistryPermits::new(concurrent),
            context,
            verdicts: Verdicts::default(),
        }
    }
}

impl SourceKind for OciRepositoryKind {
    type Object = OciRepository;
    type Spec = spec::Spec;
    type Step = Step;
    type Facts = Facts;

    const CONDITIONS: Table = &[
        (STORAGE_OPERATION_FAILED, Polarity::Bad),
        (FETCH_FAILED, Polarity::Bad),
        (ARTIFACT_OUTDATED, Polarity::Bad),
        (ARTIFACT_IN_STORAGE, Polarity::Good),
        (SOURCE_VERIFIED, Polarity::Verdict),
    ];

    fn source_storage(&self) -> &KindStorage {
        &self.context.source_storage
    }

    fn parse(object: &OciRepository) -> Result<spec::Spec, Fault> {
        spec::parse(&object.spec)
    }

    fn interval(spec: &spec::Spec) -> Duration {
        spec.interval
    }

    fn plan(source: &Source<'_, Self>) -> Option<Step> {
        plan::plan(source)
    }

    fn is_shown(source: &Source<'_, Self>, step: Step) -> bool {
        conclude::is_shown(source, step)
    }

    async fn perform(
        &self,
        step: Step,
        object: &OciRepository,
        spec: &spec::Spec,
        facts: &mut Facts,
        run: &Run<OciRepository>,
    ) -> Result<(), Fault> {
        perform::perform(self, step, object, spec, facts, run).await
    }

    fn apply_facts(source: &Source<'_, Self>, draft: &mut Draft<OciRepositoryStatus>) {
        conclude::apply_facts(source, draft);
    }

    fn apply_result(source: &Source<'_, Self>, draft: &mut Draft<OciRepositoryStatus>) {
        conclude::apply_result(source, draft);
    }

    fn forget(&self, key: &ObjectKey) {
        self.verdicts.forget(key);
    }
}

#[cfg(test)]
mod tests;
