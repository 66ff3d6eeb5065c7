//! `GitRepository`: packs one commit of a Git repository as an artifact.
//!
//! A run resolves the reference at the remote. It fetches a new commit into a bare store. The tree
//! is packed straight from the objects, without a checkout on disk.
//!
//! ```text
//! spec      the parsed spec                                             pure
//! model     the steps, and the facts that they find                     data
//! observe   Secrets, includes and the remote                            reads only
//! plan      connect, read inputs, resolve, fetch, verify, pack          pure
//! perform   one step
//! conclude  status, notices and requeue from the facts                  pure
//! ```
//!
//! `checkout`, `sparse` and `overlay` define the content of an artifact. `verify` checks
//! signatures.
//!
//! A poll without changes sends one request to the remote and none to the API server, and writes
//! no file.

mod checkout;
mod conclude;
mod identity;
mod model;
mod observe;
mod overlay;
mod pack;
mod perform;
mod plan;
mod sparse;
mod spec;
mod verify;

use std::sync::Arc;
use std::time::Duration;

use sluice_api::source::GitRepository;
use sluice_api::source::condition::{
    ARTIFACT_IN_STORAGE, ARTIFACT_OUTDATED, FETCH_FAILED, INCLUDE_UNAVAILABLE, SOURCE_VERIFIED,
    STORAGE_OPERATION_FAILED,
};
use sluice_client::Cluster;
use sluice_client::typed::ResourceExt;
use sluice_engine::conditions::{Polarity, Table};
use sluice_engine::{ObjectKey, Watch};
use sluice_git::TrustedKeys;
use sluice_host::{CloudIdentities, Component, Secrets};
use sluice_producer::KindStorage;

use crate::args::Args;
use crate::reconcile::{SourceKind, SourceTypes};
use crate::verified_keys::VerifiedKeys;
use model::{Facts, Step};
use observe::ReferenceCache;
use spec::Spec;

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

/// The clients of Git remotes and of their credentials.
pub(crate) struct GitClients {
    pub(crate) identities: CloudIdentities,
    pub(crate) git: sluice_git::Client,
    pub(crate) stores: sluice_git::Stores,
}

/// Dependencies of the kind.
struct Context {
    source_storage: Arc<KindStorage>,
    secrets: Secrets,
    cluster: Cluster,
    clients: GitClients,
    /// The requeue delay of an object that waits for another one.
    requeue_dependency: Duration,
}

/// `GitRepository` with its dependencies and caches.
pub(crate) struct GitRepositoryKind {
    context: Context,
    references: ReferenceCache,
    verified_keys: VerifiedKeys<TrustedKeys>,
}

impl GitRepositoryKind {
    pub(crate) fn new(
        component: &Component,
        args: &Args,
        source_storage: &Arc<KindStorage>,
        clients: GitClients,
    ) -> Self {
        let context = Context {
            source_storage: Arc::clone(source_storage),
            secrets: component.secrets().clone(),
            cluster: component.cluster().clone(),
            clients,
            requeue_dependency: args.requeue_dependency,
        };
        Self {
            context,
            references: ReferenceCache::default(),
            verified_keys: VerifiedKeys::default(),
        }
    }
}

impl SourceTypes for GitRepositoryKind {
    type Object = GitRepository;
    type Spec = Spec;
    type Step = Step;
    type Facts = Facts;

    const CONDITIONS: Table = &[
        (STORAGE_OPERATION_FAILED, Polarity::Bad),
        (FETCH_FAILED, Polarity::Bad),
        (INCLUDE_UNAVAILABLE, Polarity::Bad),
        (ARTIFACT_OUTDATED, Polarity::Bad),
        (ARTIFACT_IN_STORAGE, Polarity::Good),
        (SOURCE_VERIFIED, Polarity::Verdict),
    ];
}

impl SourceKind for GitRepositoryKind {
    fn source_storage(&self) -> &KindStorage {
        &self.context.source_storage
    }

    fn forget(&self, key: &ObjectKey) {
        self.verified_keys.forget(key);
    }
}

#[cfg(test)]
mod tests;
