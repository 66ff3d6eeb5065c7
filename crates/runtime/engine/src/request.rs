//! Requests for a run: whether an object has one, and how its status records it. Pure.

use sluice_api::meta::ToolkitResource;

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

#[cfg(test)]
mod tests {
    use sluice_api::kustomize::{Kustomization, KustomizationSpec};
    use sluice_api::meta::annotation::RECONCILE_REQUESTED_AT;

    use super::*;

    #[test]
    fn request_is_open_until_handled() {
        let mut object = Kustomization::new("apps", KustomizationSpec::default());
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
