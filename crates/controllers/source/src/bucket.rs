//! `Bucket`: stores the objects of an S3 bucket as an artifact.
//!
//! A run lists the objects, without those that the ignore rules exclude. The digest over their keys
//! and entity tags is the revision. A new revision is downloaded, each object by the entity tag that
//! the listing showed.
//!
//! ```text
//! spec      the parsed spec                                 pure
//! model     the steps, and the facts that they find         data
//! plan      tidy, connect, list, store                      pure
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

use std::sync::Arc;

use sluice_api::source::condition::{
    ARTIFACT_IN_STORAGE, ARTIFACT_OUTDATED, FETCH_FAILED, STORAGE_OPERATION_FAILED,
};
use sluice_api::source::{Bucket, BucketStatus};
use sluice_engine::{Decision, End, ObjectKey, Outcome, Progress, Reconciler, Run, Times};
use sluice_host::Secrets;

use crate::draft::Rules;
use crate::source_storage::{Fault, SourceStorage};
use model::{Facts, Step};
use sluice_engine::conditions::Polarity;

/// The conditions that this controller owns.
pub(crate) const OWNED: &[&str] = &[
    STORAGE_OPERATION_FAILED,
    FETCH_FAILED,
    ARTIFACT_OUTDATED,
    ARTIFACT_IN_STORAGE,
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
    ],
    failures: &[FETCH_FAILED, STORAGE_OPERATION_FAILED],
};

/// Dependencies of the reconciler.
pub(crate) struct Context {
    pub(crate) source_storage: Arc<SourceStorage>,
    pub(crate) secrets: Secrets,
    pub(crate) client: sluice_bucket::Client,
}

/// Reconciles `Bucket` objects.
pub(crate) struct BucketReconciler {
    context: Context,
}

impl BucketReconciler {
    pub(crate) fn new(context: Context) -> Self {
        Self { context }
    }

    fn url(&self) -> impl Fn(&str) -> String {
        |path| self.context.source_storage.url(path)
    }
}

impl Reconciler for BucketReconciler {
    type Object = Bucket;
    type Observed = Facts;
    type Plan = Step;
    type Failure = Fault;

    async fn observe(&self, object: &Arc<Bucket>, run: &Run<Bucket>) -> Facts {
        Facts::new(spec::parse(&object.spec), run.cause().is_prompt())
    }

    fn plan(&self, object: &Bucket, facts: &Facts) -> Decision<Step, Fault> {
        plan::plan(object, facts)
    }

    fn progress(
        &self,
        object: &Arc<Bucket>,
        facts: &Facts,
        step: &Step,
        times: Times,
    ) -> Progress<BucketStatus> {
        conclude::progress(object, facts, *step, times.started, self.url())
    }

    async fn perform(
        &self,
        step: Step,
        object: &Arc<Bucket>,
        facts: &mut Facts,
        run: &Run<Bucket>,
    ) -> Result<(), Fault> {
        perform::perform(self, step, object, facts, run).await
    }

    fn conclude(
        &self,
        object: &Bucket,
        end: End<Facts, Fault>,
        times: Times,
    ) -> Outcome<BucketStatus> {
        let source_storage = &self.context.source_storage;
        source_storage
            .first_round
            .mark_checked(&ObjectKey::of(object));
        conclude::conclude(object, end, times.started, self.url())
    }

    fn forget(&self, key: &ObjectKey) {
        self.context.source_storage.first_round.mark_checked(key);
    }
}

#[cfg(test)]
mod tests;
