//! `HelmRepository`: stores the index of a chart repository as an artifact.
//!
//! A run downloads the index, unless the server says that it did not change (`unchanged`). The
//! digest of the download is the revision. A new index is checked
//! and stored as JSON, which `HelmChart` searches.
//!
//! ```text
//! spec      the parsed spec                                 pure
//! model     the steps, and the facts that they find         data
//! observe   Secrets and the index                           reads only
//! plan      connect, fetch, check, store                    pure
//! perform   one step
//! conclude  status, notices and requeue from the facts      pure
//! ```
//!
//! A repository of type `oci` is only data for `HelmChart`: `registry` removes what an earlier type
//! left behind, and the kind does nothing else.

mod conclude;
mod model;
mod observe;
mod perform;
mod plan;
mod registry;
mod spec;
mod unchanged;

use std::sync::Arc;

use sluice_api::source::HelmRepository;
use sluice_api::source::condition::{
    ARTIFACT_IN_STORAGE, ARTIFACT_OUTDATED, FETCH_FAILED, STORAGE_OPERATION_FAILED,
};
use sluice_engine::ObjectKey;
use sluice_engine::conditions::{Polarity, Table};
use sluice_host::{Component, Secrets};
use sluice_producer::KindStorage;

use crate::helm::HelmClients;
use crate::reconcile::{SourceKind, SourceTypes};
use model::{Facts, Step};
use spec::Spec;
use unchanged::DownloadedIndexes;

pub(crate) use registry::HelmRepositoryRunner;

/// `HelmRepository` with its dependencies.
pub(crate) struct HelmRepositoryKind {
    source_storage: Arc<KindStorage>,
    secrets: Secrets,
    clients: HelmClients,
    downloaded: DownloadedIndexes,
}

impl HelmRepositoryKind {
    pub(crate) fn new(
        component: &Component,
        source_storage: &Arc<KindStorage>,
        clients: HelmClients,
    ) -> Self {
        Self {
            source_storage: Arc::clone(source_storage),
            secrets: component.secrets().clone(),
            clients,
            downloaded: DownloadedIndexes::default(),
        }
    }
}

impl SourceTypes for HelmRepositoryKind {
    type Object = HelmRepository;
    type Spec = Spec;
    type Step = Step;
    type Facts = Facts;

    const CONDITIONS: Table = &[
        (STORAGE_OPERATION_FAILED, Polarity::Bad),
        (FETCH_FAILED, Polarity::Bad),
        (ARTIFACT_OUTDATED, Polarity::Bad),
        (ARTIFACT_IN_STORAGE, Polarity::Good),
    ];
}

impl SourceKind for HelmRepositoryKind {
    fn source_storage(&self) -> &KindStorage {
        &self.source_storage
    }

    fn forget(&self, key: &ObjectKey) {
        self.downloaded.forget(key);
    }
}

#[cfg(test)]
mod tests;
