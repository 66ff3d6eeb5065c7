//! `ImageRepository`: scans the tags of an image.
//!
//! A run reads the Secrets of the registry. If a scan is due, it lists the tags, removes the
//! excluded ones, and stores the others. A listing that lost most tags is confirmed by a second
//! one.
//!
//! ```text
//! spec      the parsed spec                                  pure
//! model     the steps, and the facts that they find          data
//! observe   whether the store has tags                       reads only
//! plan      connect, list, confirm, store                    pure
//! perform   one step
//! conclude  status, notices and requeue from the facts       pure
//! ```
//!
//! Parity: image-reflector-controller: `internal/controller/imagerepository_controller.go`.

mod conclude;
mod model;
mod observe;
mod perform;
mod plan;
mod spec;

use std::sync::Arc;

use sluice_api::image::{ImageRepository, ImageRepositoryStatus};
use sluice_engine::ready::Fault;
use sluice_engine::{Decision, End, ObjectKey, Outcome, Progress, Reconciler, Run, Times};
use sluice_images::revision::RevisionForm;

use crate::metrics::ScanMetrics;
use crate::registry::Registries;
use crate::store::TagStore;
use model::{Facts, Step};

pub(crate) use spec::parse_duration;

/// Reconciles image repositories.
pub(crate) struct ImageRepositoryReconciler {
    pub(crate) registries: Arc<Registries>,
    pub(crate) store: TagStore,
    pub(crate) revision_form: RevisionForm,
    pub(crate) has_workload_identity: bool,
    /// Number of tags from which on a scan warns. Zero never warns.
    pub(crate) tag_count_warning: usize,
    pub(crate) metrics: ScanMetrics,
}

impl Reconciler for ImageRepositoryReconciler {
    type Object = ImageRepository;
    type Facts = Facts;
    type Step = Step;
    type Fault = Fault;

    async fn observe(
        &self,
        repository: &Arc<ImageRepository>,
        run: &Run<ImageRepository>,
    ) -> Facts {
        observe::observe(self, repository, run).await
    }

    fn plan(&self, repository: &ImageRepository, facts: &Facts) -> Decision<Step, Fault> {
        plan::plan(repository, facts)
    }

    fn progress(
        &self,
        repository: &Arc<ImageRepository>,
        facts: &Facts,
        step: &Step,
        times: Times,
    ) -> Progress<ImageRepositoryStatus> {
        conclude::progress(repository, facts, step, times)
    }

    async fn perform(
        &self,
        step: Step,
        repository: &Arc<ImageRepository>,
        facts: &mut Facts,
        run: &Run<ImageRepository>,
    ) -> Result<(), Fault> {
        perform::perform(self, step, repository, facts, run).await
    }

    fn conclude(
        &self,
        repository: &ImageRepository,
        end: End<Facts, Fault>,
        times: Times,
    ) -> Outcome<ImageRepositoryStatus> {
        conclude::conclude(repository, end, times)
    }

    fn forget(&self, key: &ObjectKey) {
        self.metrics.forget(key);
    }
}

#[cfg(test)]
mod tests;
