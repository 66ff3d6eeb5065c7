//! The status of an object during a run: its conditions apart, and the generation that it records.
//! Pure.
//!
//! A kind begins a draft from its object, applies the facts of the run, and ends with the status.
//! [`ready`](crate::ready) has the beginnings and ends of kinds without own conditions.

use jiff::Timestamp;
use kube::core::object::HasStatus;
use sluice_api::meta::condition::{READY, RECONCILING, STALLED};
use sluice_api::meta::{CommonStatus, ToolkitResource, reason};

use crate::conditions::ConditionSet;
use crate::outcome::{Failure, Notice};

/// The status of an object during a run.
#[derive(Debug)]
pub struct Draft<S> {
    /// The status without its conditions.
    pub status: S,
    /// The conditions.
    pub condition_set: ConditionSet,
    generation: i64,
}

impl<S: CommonStatus + Clone + Default> Draft<S> {
    /// Begins with the status of the last run.
    pub fn begin<K>(object: &K, now: Timestamp) -> Self
    where
        K: ToolkitResource + HasStatus<Status = S>,
    {
        let mut status = object.status().cloned().unwrap_or_default();
        let generation = object.meta().generation.unwrap_or_default();
        let conditions = std::mem::take(status.conditions_mut());
        Self {
            status,
            condition_set: ConditionSet::new(conditions, generation, now),
            generation,
        }
    }

    /// The status so far.
    pub fn into_status(self) -> S {
        let mut status = self.status;
        *status.conditions_mut() = self.condition_set.into_conditions();
        status
    }

    /// The generation of the object.
    pub fn generation(&self) -> i64 {
        self.generation
    }

    /// Whether `Ready` is true.
    pub fn is_ready(&self) -> bool {
        self.condition_set.conditions().is_true(READY)
    }

    /// Records that the generation was observed.
    pub fn observe_generation(&mut self) {
        *self.status.observed_generation_mut() = Some(self.generation);
    }

    /// Records that the generation is reconciled.
    pub fn settle(&mut self) {
        self.condition_set.remove(RECONCILING);
        self.condition_set.remove(STALLED);
        self.observe_generation();
    }

    /// Stalls the object until an edit.
    pub fn set_stalled(&mut self, failure: &Failure) {
        let (reason, message) = (&failure.reason, &failure.message);
        self.condition_set.remove(RECONCILING);
        self.condition_set.set_true(STALLED, reason, message);
        self.observe_generation();
    }

    /// Ends the run of a suspended object, and returns the line for the log. `Ready` stays
    /// unchanged. Only a ready object records its generation.
    pub fn suspend(&mut self) -> Notice {
        if self.is_ready() {
            self.settle();
        }
        let message = "Reconciliation is suspended for this object";
        Notice::info(reason::SUSPENDED, message).only_log()
    }
}

/// Whether the object was edited since the last run that settled it.
pub fn is_edited(object: &impl ToolkitResource) -> bool {
    let observed = object.observed_generation().unwrap_or_default();
    observed != object.meta().generation.unwrap_or_default()
}

/// The message of `Reconciling` at the start of a run.
pub fn progress_message(object: &impl ToolkitResource) -> String {
    if !is_edited(object) {
        return "reconciliation in progress".to_owned();
    }
    let observed = object.observed_generation().unwrap_or_default();
    let generation = object.meta().generation.unwrap_or_default();
    format!("processing object: new generation {observed} -> {generation}")
}

#[cfg(test)]
mod tests {
    use sluice_api::kustomize::{Kustomization, KustomizationSpec, KustomizationStatus};

    use super::*;
    use crate::outcome::Retry;

    /// An object of generation 2, whose last run began with the first one.
    fn edited(ready: bool) -> Kustomization {
        let mut object = Kustomization::new("apps", KustomizationSpec::default());
        object.metadata.generation = Some(1);
        let mut draft = Draft::begin(&object, Timestamp::UNIX_EPOCH);
        if ready {
            draft.condition_set.set_true(READY, "Reason", "it works");
        } else {
            draft.condition_set.set_false(READY, "Reason", "it broke");
        }
        draft.condition_set.set_true(RECONCILING, "Reason", "busy");
        draft.observe_generation();
        object.status = Some(draft.into_status());
        object.metadata.generation = Some(2);
        object
    }

    fn suspended(object: &Kustomization) -> KustomizationStatus {
        let mut draft = Draft::begin(object, Timestamp::UNIX_EPOCH);
        draft.suspend();
        draft.into_status()
    }

    #[test]
    fn suspension_settles_only_ready_objects() {
        let settled = suspended(&edited(true));
        assert_eq!(settled.observed_generation, Some(2));
        assert!(settled.conditions.find(RECONCILING).is_none());
        let kept = suspended(&edited(false));
        assert_eq!(kept.observed_generation, Some(1));
        assert!(kept.conditions.is_true(RECONCILING) && kept.conditions.is_false(READY));
    }

    #[test]
    fn stall_replaces_reconciling() {
        let mut object = edited(true);
        assert!(is_edited(&object));
        let mut draft = Draft::begin(&object, Timestamp::UNIX_EPOCH);
        draft.set_stalled(&Failure::message("Reason", Retry::Stalled, "it broke"));
        object.status = Some(draft.into_status());
        let conditions = object.conditions();
        assert!(conditions.is_true(STALLED) && conditions.find(RECONCILING).is_none());
        assert!(!is_edited(&object));
    }
}
