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

use sluice_api::source::OciRepository;
use sluice_api::source::condition::{
    ARTIFACT_IN_STORAGE, ARTIFACT_OUTDATED, FETCH_FAILED, SOURCE_VERIFIED, STORAGE_OPERATION_FAILED,
};
use sluice_engine::ObjectKey;
use sluice_engine::conditions::{Polarity, Table};
use sluice_host::Secrets;
use sluice_producer::KindStorage;

use crate::reconcile::{SourceKind, SourceTypes};
use model::{Facts, Step};
use permits::RegistryPermits;
use spec::Spec;
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

impl SourceTypes for OciRepositoryKind {
    type Object = OciRepository;
    type Spec = Spec;
    type Step = Step;
    type Facts = Facts;

    const CONDITIONS: Table = &[
        (STORAGE_OPERATION_FAILED, Polarity::Bad),
        (FETCH_FAILED, Polarity::Bad),
        (ARTIFACT_OUTDATED, Polarity::Bad),
        (ARTIFACT_IN_STORAGE, Polarity::Good),
        (SOURCE_VERIFIED, Polarity::Verdict),
    ];
}

impl SourceKind for OciRepositoryKind {
    fn source_storage(&self) -> &KindStorage {
        &self.context.source_storage
    }

    fn forget(&self, key: &ObjectKey) {
        self.verdicts.forget(key);
    }
}

#[cfg(test)]
mod tests;
