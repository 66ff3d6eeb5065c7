//! A repository of type `oci` has no artifact, no status and no finalizer.
//!
//! Its object is data for `HelmChart`. An object that had another type before, or that an older
//! Flux reconciled, loses them here.
//!
//! Parity: source-controller: `migrationToStatic`.

use std::sync::Arc;

use sluice_api::meta::FINALIZER;
use sluice_api::source::{HelmRepository, HelmRepositoryStatus, HelmRepositoryType};
use sluice_client::typed::ResourceExt;
use sluice_engine::{Finalizer, ObjectKey, Outcome, Reconciliation, Requeue, Run, Runner};
use sluice_producer::KindStorage;

use super::HelmRepositoryKind;
use crate::reconcile::{SourceReconciler, finish_deletion};

/// Runs `HelmRepository` objects of both types.
pub(crate) struct HelmRepositoryRunner {
    reconciliation: Reconciliation<SourceReconciler<HelmRepositoryKind>>,
    source_storage: Arc<KindStorage>,
}

impl HelmRepositoryRunner {
    pub(crate) fn new(
        reconciler: SourceReconciler<HelmRepositoryKind>,
        source_storage: &Arc<KindStorage>,
    ) -> Self {
        Self {
            reconciliation: Reconciliation::new(reconciler),
            source_storage: Arc::clone(source_storage),
        }
    }

    /// Removes the artifacts and the status of an object, and then its finalizer.
    async fn clear(
        &self,
        object: &HelmRepository,
        key: &ObjectKey,
    ) -> Outcome<HelmRepositoryStatus> {
        self.source_storage.first_round.mark_checked(key);
        let in_deletion = object.metadata.deletion_timestamp.is_some();
        if object.spec.suspend && !in_deletion {
            return Outcome::untouched(Requeue::Never);
        }
        let needs = Leftovers::of(object);
        if needs == Leftovers::None {
            return Outcome::untouched(Requeue::Never);
        }
        let deleted = self.source_storage.delete(key).await;
        let is_deleted = deleted.is_ok();
        let outcome = finish_deletion(deleted.map_err(Into::into));
        match needs {
            _ if !is_deleted => outcome,
            Leftovers::Status if !in_deletion => Outcome {
                status: Some(HelmRepositoryStatus::default()),
                next: Requeue::Now,
                ..outcome
            },
            _ => outcome.with_finalizer(Finalizer::Remove),
        }
    }
}

impl Runner for HelmRepositoryRunner {
    type Object = HelmRepository;

    async fn run(
        &self,
        object: Arc<HelmRepository>,
        run: &Run<HelmRepository>,
    ) -> Outcome<HelmRepositoryStatus> {
        if object.spec.type_ == Some(HelmRepositoryType::Oci) {
            self.clear(&object, run.key()).await
        } else {
            self.reconciliation.run(object, run).await
        }
    }

    fn forget(&self, key: &ObjectKey) {
        self.reconciliation.forget(key);
    }
}

/// The parts of an object that are left of an earlier type.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Leftovers {
    None,
    /// Only the finalizer.
    Finalizer,
    /// A status, and perhaps the finalizer.
    Status,
}

impl Leftovers {
    fn of(object: &HelmRepository) -> Self {
        let empty = HelmRepositoryStatus::default();
        if object
            .status
            .as_ref()
            .is_some_and(|status| *status != empty)
        {
            return Self::Status;
        }
        if object.finalizers().iter().any(|name| name == FINALIZER) {
            return Self::Finalizer;
        }
        Self::None
    }
}
