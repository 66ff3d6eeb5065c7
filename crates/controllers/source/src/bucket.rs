//! `Bucket`: stores the objects of a bucket as an artifact: of S3, of Google Cloud or of Azure.
//!
//! A run lists the objects, without those that the ignore rules exclude. The digest over their keys
//! and entity tags is the revision. A new revision is downloaded, each object by the entity tag
//! that the listing showed. `unchanged` copies the other objects from the stored artifact.
//!
//! ```text
//! spec      the parsed spec                                 pure
//! model     the steps, and the facts that they find         data
//! observe   the listing                                     reads only
//! plan      connect, list, store                            pure
//! access    Secrets and identities                          reads only
//! perform   one step
//! conclude  status, notices and requeue from the facts      pure
//! ```
//!
//! A poll without changes costs the listing, and writes nothing.

mod access;
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
use sluice_bucket::GoogleBucket;
use sluice_dial::HttpClients;
use sluice_engine::ObjectKey;
use sluice_engine::conditions::{Polarity, Table};
use sluice_host::{CloudIdentities, Component, Secrets};
use sluice_producer::KindStorage;

use url::Url;

use crate::reconcile::{SourceKind, SourceTypes};
use model::{Facts, Step};
use spec::Spec;
use unchanged::StoredIndexes;

/// The variable with the address of an emulator of Google Cloud Storage.
const EMULATOR: &str = "STORAGE_EMULATOR_HOST";

/// `Bucket` with its dependencies and caches.
pub(crate) struct BucketKind {
    source_storage: Arc<KindStorage>,
    secrets: Secrets,
    client: sluice_bucket::Client,
    identities: CloudIdentities,
    /// Address of Google Cloud Storage.
    google_service: Url,
    stored_indexes: StoredIndexes,
}

impl BucketKind {
    pub(crate) fn new(
        component: &Component,
        source_storage: &Arc<KindStorage>,
        http: Arc<HttpClients>,
        identities: CloudIdentities,
    ) -> Self {
        let emulator = component.host().environment().get(EMULATOR);
        Self {
            source_storage: Arc::clone(source_storage),
            secrets: component.secrets().clone(),
            client: sluice_bucket::Client::new(http, component.clock().clone()),
            identities,
            google_service: google_service(emulator),
            stored_indexes: StoredIndexes::default(),
        }
    }
}

/// Address of Google Cloud Storage, or of an emulator: a URL, or a host with plain HTTP.
fn google_service(emulator: Option<&str>) -> Url {
    let emulated = emulator.and_then(|host| {
        let has_scheme = host.starts_with("http://") || host.starts_with("https://");
        let address = if has_scheme {
            host.to_owned()
        } else {
            format!("http://{host}")
        };
        Url::parse(&format!("{}/", address.trim_end_matches('/'))).ok()
    });
    emulated.unwrap_or_else(|| GoogleBucket::SERVICE.parse().expect("the address is valid"))
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
