//! `Bucket`: stores the objects of an S3 bucket as an artifact.
//!
//! A run lists the objects, without those that the ignore rules exclude. The digest over their keys
//! and entity tags is the revision. A new revision is downloaded, each object by the entity tag that
//! the listing showed. `unchanged` copies the other objects from the stored artifact.
//!
//! ```text
//! spec      the parsed spec                                 pure
//! model     the steps, and the facts that they find         data
//! plan      connect, list, store                            pure
//! observe   Secrets and the listing                         reads only
//! perform   one step
//! conclude  status, notices and requeue from the facts      pure
//! ```
//!
//! A poll without changes costs the listing, and writes nothing.

mod conclude;
mod model;
mod observe;
mod perform;
mod plan;
mod spec;
mod unchanged;

use std::sync::Arc;

use sluice_api::source::Bucket;
use sluice_api::source::condition::{
    ARTIFACT_IN_STORAGE, ARTIFACT_OUTDATED, FETCH_FAILED, STORAGE_OPERATION_FAILED,
};
use sluice_dial::HttpClients;
use sluice_engine::ObjectKey;
use sluice_engine::conditions::{Polarity, Table};
use sluice_host::{Component, Secrets};
use sluice_producer::KindStorage;

use crate::reconcile::{SourceKind, SourceTypes};
use model::{Facts, Step};
use spec::Spec;
use unchanged::StoredIndexes;

/// `Bucket` with its dependencies and caches.
pub(crate) struct BucketKind {
    source_storage: Arc<KindStorage>,
    secrets: Secrets,
    client: sluice_bucket::Client,
    stored_indexes: StoredIndexes,
}

impl BucketKind {
    pub(crate) fn new(
        component: &Component,
        source_storage: &Arc<KindStorage>,
        http: Arc<HttpClients>,
    ) -> Self {
        Self {
            source_storage: Arc::clone(source_storage),
            secrets: component.secrets().clone(),
            client: sluice_bucket::Client::new(http, component.clock().clone()),
            stored_indexes: StoredIndexes::default(),
        }
    }
}

impl SourceTypes for BucketKind {
    type Object = Bucket;
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

impl SourceKind for BucketKind {
    fn source_storage(&self) -> &KindStorage {
        &self.source_storage
    }

    fn forget(&self, key: &ObjectKey) {
        self.stored_indexes.note(key, None);
    }
}

#[cfg(test)]
mod tests;
