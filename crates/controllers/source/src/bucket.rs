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
use std::time::Duration;

use sluice_api::source::condition::{
    ARTIFACT_IN_STORAGE, ARTIFACT_OUTDATED, FETCH_FAILED, STORAGE_OPERATION_FAILED,
};
use sluice_api::source::{Bucket, BucketStatus};
use sluice_engine::conditions::{Polarity, Table};
use sluice_engine::{ObjectKey, Run};
use sluice_host::Secrets;
use sluice_producer::KindStorage;

use crate::draft::Draft;
use crate::fault::Fault;
use crate::reconcile::{Source, SourceKind};
use model::{Facts, Step};
pub(crate) use unchanged::StoredIndexes;

/// `Bucket` with its dependencies and caches.
pub(crate) struct BucketKind {
    pub(crate) source_storage: Arc<KindStorage>,
    pub(crate) secrets: Secrets,
    pub(crate) client: sluice_bucket::Client,
    pub(crate) stored_indexes: StoredIndexes,
}

impl SourceKind for BucketKind {
    type Object = Bucket;
    type Spec = spec::Spec;
    type Step = Step;
    type Facts = Facts;

    const CONDITIONS: Table = &[
        (STORAGE_OPERATION_FAILED, Polarity::Bad),
        (FETCH_FAILED, Polarity::Bad),
        (ARTIFACT_OUTDATED, Polarity::Bad),
        (ARTIFACT_IN_STORAGE, Polarity::Good),
    ];

    fn source_storage(&self) -> &KindStorage {
        &self.source_storage
    }

    fn parse(object: &Bucket) -> Result<spec::Spec, Fault> {
        spec::parse(&object.spec)
    }

    fn interval(spec: &spec::Spec) -> Duration {
        spec.interval
    }

    fn plan(source: &Source<'_, Self>) -> Option<Step> {
        plan::plan(source)
    }

    fn is_shown(source: &Source<'_, Self>, step: Step) -> bool {
        step == Step::Store || (step == Step::Connect && source.has_news())
    }

    async fn perform(
        &self,
        step: Step,
        object: &Bucket,
        spec: &spec::Spec,
        facts: &mut Facts,
        run: &Run<Bucket>,
    ) -> Result<(), Fault> {
        perform::perform(self, step, object, spec, facts, run).await
    }

    fn apply_facts(source: &Source<'_, Self>, draft: &mut Draft<BucketStatus>) {
        conclude::apply_facts(source, draft);
    }

    fn apply_result(source: &Source<'_, Self>, draft: &mut Draft<BucketStatus>) {
        conclude::apply_result(source, draft);
    }

    fn forget(&self, key: &ObjectKey) {
        self.stored_indexes.note(key, None);
    }
}

#[cfg(test)]
mod tests;
