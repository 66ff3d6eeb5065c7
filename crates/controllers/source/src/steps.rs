//! The first steps of every source: the removal of a deleted object's artifacts, and the check of
//! the storage.

use std::sync::Arc;
use std::time::Duration;

use kube::Resource;
use kube::core::object::HasStatus;
use sluice_api::Artifact;
use sluice_engine::{Decision, Kind, Run};

use crate::draft::SourceStatus;
use crate::source_storage::{Fault, SourceStorage, TidyReport};

/// A step on the storage.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum StorageStep {
    /// Remove all artifacts of an object in deletion.
    Delete,
    /// Remove old artifacts and check the current one.
    Tidy,
}

/// The facts that the steps of each kind begin with.
#[derive(Debug)]
pub(crate) struct FirstFacts<W> {
    /// The parsed spec.
    pub(crate) spec: Result<Arc<W>, Fault>,
    /// Whether an edit or a request caused the run.
    pub(crate) is_prompt: bool,
    /// Whether artifacts of an object in deletion were found and removed.
    pub(crate) deleted: Option<bool>,
    /// The state of the storage.
    pub(crate) tidied: Option<TidyReport>,
}

impl<W> FirstFacts<W> {
    /// The facts at the start of a run.
    pub(crate) fn new(spec: Result<W, Fault>, is_prompt: bool) -> Self {
        Self {
            spec: spec.map(Arc::new),
            is_prompt,
            deleted: None,
            tidied: None,
        }
    }

    /// The parsed spec once the storage is checked. Otherwise the decision about the run.
    pub(crate) fn plan<S: From<StorageStep>>(
        &self,
        object: &impl Resource,
    ) -> Result<&Arc<W>, Decision<S, Fault>> {
        if object.meta().deletion_timestamp.is_some() {
            return Err(match self.deleted {
                None => Decision::Work(StorageStep::Delete.into()),
                Some(_) => Decision::Settled,
            });
        }
        if self.tidied.is_none() {
            return Err(Decision::Work(StorageStep::Tidy.into()));
        }
        self.spec
            .as_ref()
            .map_err(|fault| Decision::Stop(fault.clone()))
    }

    /// The poll interval; zero without a valid spec.
    pub(crate) fn interval(&self, of: impl FnOnce(&W) -> Duration) -> Duration {
        self.spec.as_deref().map(of).unwrap_or_default()
    }

    /// The artifact in the status, if the storage has it.
    pub(crate) fn artifact<'a, K>(&self, object: &'a K) -> Option<&'a Artifact>
    where
        K: HasStatus<Status: SourceStatus>,
    {
        let is_lost = self.tidied.as_ref().is_some_and(TidyReport::is_lost);
        object.status().filter(|_| !is_lost)?.artifact()
    }

    /// Performs a step on the storage.
    pub(crate) async fn perform<K>(
        &mut self,
        step: StorageStep,
        object: &K,
        source_storage: &SourceStorage,
        run: &Run<K>,
    ) -> Result<(), Fault>
    where
        K: Kind + HasStatus<Status: SourceStatus>,
    {
        // Also where the step panics, so that it does not delay the other objects.
        let _checked = source_storage.first_round.mark_on_drop(run.key());
        let artifact = object.status().and_then(SourceStatus::artifact);
        match step {
            StorageStep::Delete => self.deleted = Some(source_storage.delete(run.key()).await?),
            StorageStep::Tidy => {
                let tidying = source_storage.tidy(run.key(), artifact, run.started());
                self.tidied = Some(match (tidying.await, &self.spec) {
                    (Ok(tidied), _) => tidied,
                    (Err(fault), Ok(_)) => return Err(fault),
                    // No run follows until an edit, so a lost artifact must not stay advertised.
                    // The stall matters more than a failure to check.
                    (Err(fault), Err(_)) => {
                        let error = &fault.failure;
                        tracing::warn!(%error, "failed to check the storage of a stalled object");
                        TidyReport::unknown()
                    }
                });
            }
        }
        Ok(())
    }
}
