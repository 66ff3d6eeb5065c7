//! Types and words that all kinds share: conditions, references, durations, times.
//!
//! Start with [`Conditions`] for status and [`ToolkitResource`] for common properties. Constants
//! are in [`reason`], [`annotation`] and [`label`].

pub mod access;
pub mod condition;
pub mod duration;
pub mod reason;
pub mod reference;
pub mod resource;
pub mod time;

pub use access::{AccessFrom, NamespaceSelector};
pub use condition::{Condition, ConditionStatus, Conditions};
pub use duration::{Duration, DurationError};
pub use reference::{
    CommonMetadata, KubeConfigReference, LabelSelector, LabelSelectorRequirement,
    LocalObjectReference, NamespacedObjectKindReference, NamespacedObjectReference,
    SecretKeyReference,
};
pub use resource::{CommonStatus, HandledRequest, ToolkitResource};
pub use time::{Time, TimeError};

/// Finalizer of all Flux controllers.
pub const FINALIZER: &str = "finalizers.fluxcd.io";

/// Returns the field manager of a controller's statuses.
///
/// As in Flux, only kustomize-controller has a prefix. It separates statuses from the objects that
/// it applies for users.
pub fn status_manager(controller: &str) -> String {
    match controller {
        "kustomize-controller" => format!("gotk-{controller}"),
        _ => controller.to_owned(),
    }
}

/// Annotations that users set on any kind.
pub mod annotation {
    /// A new value requests a reconciliation. The status reports the last handled value.
    pub const RECONCILE_REQUESTED_AT: &str = "reconcile.fluxcd.io/requestedAt";
    /// With the value of `requestedAt`: one forced Helm install or upgrade.
    pub const FORCE_REQUESTED_AT: &str = "reconcile.fluxcd.io/forceAt";
    /// With the value of `requestedAt`: reset of the failure counters of a Helm release.
    pub const RESET_REQUESTED_AT: &str = "reconcile.fluxcd.io/resetAt";
    /// Annotations with this prefix are copied into the metadata of events.
    pub const EVENT_PREFIX: &str = "event.toolkit.fluxcd.io/";
}

/// Labels of Flux.
pub mod label {
    /// A change of a Secret or `ConfigMap` with this label reconciles the objects that refer to it.
    pub const WATCH: &str = "reconcile.fluxcd.io/watch";
    /// Value that enables [`WATCH`].
    pub const WATCH_ENABLED: &str = "Enabled";
    /// Shard of an object.
    pub const SHARD: &str = "sharding.fluxcd.io/key";
    /// Application of a component.
    pub const PART_OF: &str = "app.kubernetes.io/part-of";
    /// Value of [`PART_OF`] on all installed objects.
    pub const PART_OF_FLUX: &str = "flux";
    /// Name of the installation, which is its namespace.
    pub const INSTANCE: &str = "app.kubernetes.io/instance";
    /// Installed version.
    pub const VERSION: &str = "app.kubernetes.io/version";
    /// Controller to which an object belongs.
    pub const COMPONENT: &str = "app.kubernetes.io/component";
    /// Tool that manages an object.
    pub const MANAGED_BY: &str = "app.kubernetes.io/managed-by";
}

#[cfg(test)]
mod tests {
    use super::*;

    /// `patch.WithFieldOwner` of Flux's controllers.
    #[test]
    fn status_manager_has_a_prefix_for_kustomizations_only() {
        assert_eq!(
            status_manager("kustomize-controller"),
            "gotk-kustomize-controller"
        );
        for controller in ["source-controller", "helm-controller", "source-watcher"] {
            assert_eq!(status_manager(controller), controller);
        }
    }
}
