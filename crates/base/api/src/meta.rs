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

/// Prefix of the field manager for status; the name of the controller follows.
///
/// It separates status from the objects that a controller applies for users, where the field
/// manager has no prefix.
pub const STATUS_MANAGER_PREFIX: &str = "gotk-";

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
