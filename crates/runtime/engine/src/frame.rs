//! The first decisions of every run: deletion, finalizer, suspension and requests. Pure.

use sluice_api::meta::ToolkitResource;

/// How a run begins.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Entry {
    /// The object is in deletion and has the finalizer: clean up, also if it is suspended.
    Finalize,
    /// The object is in deletion without the finalizer: do nothing.
    Leave,
    /// The object needs the finalizer before anything is created for it.
    Adopt,
    /// The object is suspended.
    Sleep,
    /// Reconcile the object.
    Work,
}

/// Decides how a run of `object` begins, in the order of Flux. `finalizer` is the finalizer of the
/// controller.
pub fn enter(object: &impl ToolkitResource, finalizer: &str) -> Entry {
    let finalizers = object.meta().finalizers.as_deref().unwrap_or_default();
    let has_finalizer = finalizers.iter().any(|present| present == finalizer);
    let is_deleted = object.meta().deletion_timestamp.is_some();
    match (is_deleted, has_finalizer) {
        (true, true) => Entry::Finalize,
        (true, false) => Entry::Leave,
        (false, false) => Entry::Adopt,
        (false, true) if object.suspended() => Entry::Sleep,
        (false, true) => Entry::Work,
    }
}

/// The value of `status.lastHandledReconcileAt` after a run: its request, or else the previous
/// value.
pub fn handled(object: &impl ToolkitResource) -> Option<String> {
    object
        .reconcile_requested_at()
        .or_else(|| object.last_handled_reconcile_at())
        .map(str::to_owned)
}

/// Whether the object has a request that was not handled.
pub fn is_requested(object: &impl ToolkitResource) -> bool {
    let requested = object.reconcile_requested_at();
    requested.is_some() && requested != object.last_handled_reconcile_at()
}

/// Whether the status is of an older generation.
pub fn is_new_generation(object: &impl ToolkitResource) -> bool {
    object.meta().generation != object.observed_generation()
}

#[cfg(test)]
mod tests {
    use k8s_openapi::apimachinery::pkg::apis::meta::v1::Time;
    use sluice_api::kustomize::{Kustomization, KustomizationSpec};
    use sluice_api::meta::FINALIZER;
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
    fn deletion_precedes_finalizer_and_suspension() {
        let table = [
            ((true, false, false), Entry::Work),
            ((true, true, false), Entry::Sleep),
            ((false, true, false), Entry::Adopt),
            ((true, true, true), Entry::Finalize),
            ((false, false, true), Entry::Leave),
        ];
        for ((finalizer, suspend, deleted), expected) in table {
            assert_eq!(
                enter(&object(finalizer, suspend, deleted), FINALIZER),
                expected
            );
        }
    }

    #[test]
    fn request_is_open_until_handled() {
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
            "the handled request is kept"
        );
    }
}
