//! `OCIRepository`: stores one layer of an OCI artifact from a container registry.
//!
//! A run resolves the reference at the registry. It verifies and pulls a new digest. The layer is
//! stored as a copy, or unpacked and repacked.
//!
//! ```text
//! spec      the parsed spec                                      pure
//! model     the steps, and the facts that they find              data
//! observe   Secrets and the registry                             reads only
//! plan      connect, resolve, read signers, verify, pull         pure
//! perform   one step
//! conclude  status, notices and requeue from the facts           pure
//! fault     the classes of errors of the registry                pure
//! ```
//!
//! [`RemotePermits`] limits concurrent requests to a registry, [`Deadline`](sluice_oci::Deadline)
//! their time. A [`Spool`](sluice_producer::Spool) buffers a layer, and a
//! [`Tree`](sluice_producer::Tree) turns it into an artifact.
//!
//! A poll without changes sends one request without a body to the registry.

mod conclude;
mod fault;
mod model;
mod observe;
mod perform;
mod plan;
mod spec;

use std::sync::Arc;

use sluice_api::source::OciRepository;
use sluice_api::source::condition::{
    ARTIFACT_IN_STORAGE, ARTIFACT_OUTDATED, FETCH_FAILED, SOURCE_VERIFIED, STORAGE_OPERATION_FAILED,
};
use sluice_dial::{HttpClients, RemotePermits};
use sluice_engine::ObjectKey;
use sluice_engine::conditions::{Polarity, Table};
use sluice_host::{CloudIdentities, Component, Secrets};
use sluice_oci::Digest;
use sluice_producer::KindStorage;

use crate::args::Args;
use crate::notation::Revocation;
use crate::reconcile::{SourceKind, SourceTypes};
use crate::signature::KeylessSettings;
use crate::verified_keys::VerifiedKeys;
use model::{Facts, Step};
use spec::Spec;

/// User agent for registries, the same as Flux's.
const REGISTRY_USER_AGENT: &str = "flux/v2";

/// Dependencies of the kind.
struct Context {
    source_storage: Arc<KindStorage>,
    secrets: Secrets,
    registry: sluice_oci::Client,
    /// For responders and lists of revoked certificates.
    revocation: Revocation,
    identities: CloudIdentities,
    keyless: KeylessSettings,
}

/// `OCIRepository` with its dependencies and caches.
pub(crate) struct OciRepositoryKind {
    context: Context,
    /// Digests over the signers.
    verified_signers: VerifiedKeys<Digest>,
    permits: RemotePermits,
}

impl OciRepositoryKind {
    pub(crate) fn new(
        component: &Component,
        args: &Args,
        source_storage: &Arc<KindStorage>,
        identities: CloudIdentities,
        keyless: KeylessSettings,
    ) -> Self {
        let http = Arc::new(HttpClients::new(REGISTRY_USER_AGENT));
        let context = Context {
            source_storage: Arc::clone(source_storage),
            secrets: component.secrets().clone(),
            registry: sluice_oci::Client::new(Arc::clone(&http)),
            revocation: Revocation::new(http),
            identities,
            keyless,
        };
        Self {
            context,
            verified_signers: VerifiedKeys::default(),
            // As many objects may use one registry at a time as there are workers.
            permits: RemotePermits::new(args.concurrent),
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
        self.verified_signers.forget(key);
    }
}

#[cfg(test)]
mod tests;
