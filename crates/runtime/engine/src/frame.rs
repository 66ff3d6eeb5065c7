//! What every run decides first, whatever the kind: pure questions about deletion,
//! finalizer, suspension and requests.

use sluice_api::meta::{FINALIZER, ToolkitResource};

/// How a run begins.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Entry {
    /// It is being deleted and we have a finalizer on it: clean up, also when it is
    /// suspended.
    Finalize,
    /// It is being deleted and does not wait for us: nothing is ours to do.
    Leave,
    /// It has no finalizer yet, and must get one before anything is created for it.
    Adopt,
    /// It is suspended.
    Sleep,
    /// It is to be reconciled.
    Work,
}

/// Decides how a run of `object` begins, in Flux's order.
pub fn enter(object: &impl ToolkitResource) -> Entry {
    let finalizers = object.meta().finalizers.as_deref().unwrap_or_default();
    let is_ours = finalizers.iter().any(|finalizer| finalizer == FINALIZER);
    let is_deleted = object.meta().deletion_timestamp.is_some();
    match (is_deleted, is_ours) {
        (true, true) => Entry::Finalize,
        (true, false) => Entry::Leave,
        (false, false) => Entry::Adopt,
        (false, true) if object.suspended() => Entry::Sleep,
        (false, true) => Entry::Work,
    }
}

/// What `status.lastHandledReconcileAt` says after a run, whatever its outcome: the
/// request that the run found, or the one before when there is none.
pub fn handled(object: &impl ToolkitResource) -> Option<String> {
    object
        .reconcile_requested_at()
        .or_else(|| object.last_handled_reconcile_at())
        .map(str::to_owned)
}

/// Whether somebody asked for this run and has not been answered.
pub fn is_requested(object: &impl ToolkitResource) -> bool {
    let requested = object.reconcile_requested_at();
    requested.is_some() && requested != object.last_handled_reconcile_at()
}

/// Whether the object's conditions speak of an older generation than it has.
pub fn is_new_generation(object: &impl ToolkitResource) -> bool {
    object.meta().generation != object.observed_generation()
}

#[cfg(test)]
mod tests {
    use k8s_openapi::apimachinery::pkg::apis::meta::v1::Time;
    use sluice_api::kustomize::{Kustomization, KustomizationSpec};
    use sluice_api::meta::annotation::RECONCILE_REQUESTED_AT;

    use super::*;

    fn object(finalizer: bool, suspend: bool, deleted: bool) -> Kustomization {
        let mut object = Kustomization::new("apps", KustomizationSpec::default());
        object.spec.suspend = suspend;
        object.metadata.finalizers = finalizer.then(|| vec![FINALIZER.to_owned()]);
        object.metadata.deletion_timestamp =
            deleted.then(|| Time("2024-05-01T10:00:00Z".parse().unwrap()));
        object
    }

    #[test]
    fn deletion_comes_before_the_finalizer_and_that_before_suspension() {
        let table = [
            ((true, false, false), Entry::Work),
            ((true, true, false), Entry::Sleep),
            ((false, true, false), Entry::Adopt),
            ((true, true, true), Entry::Finalize),
            ((false, false, true), Entry::Leave),
        ];
        for ((finalizer, suspend, deleted), expected) in table {
            assert_eq!(enter(&object(finalizer, suspend, deleted)), expected);
        }
    }

    #[test]
    fn a_request_is_open_until_it_was_handled() {
        let mut object = object(true, false, false);
        assert!(!is_requested(&object));
        object.metadata.annotations =
            Some([(RECONCILE_REQUESTED_AT.to_owned(), "now".to_owned())].into());
        assert!(is_requested(&object));
        object
            .status
            .get_or_insert_default()
            .last_handled_reconcile_at = handled(&object);
        assert!(!is_requested(&object));
        object.metadata.annotations = None;
        assert_eq!(
            handled(&object).as_deref(),
            Some("now"),
            "what was handled stays handled"
        );
    }
}
