//! What all kinds share: conditions, references, durations and times as text,
//! and the words that users see or set.
//!
//! Start with [`Conditions`] for status and [`ToolkitResource`] for what any
//! kind can be asked. Constants live in [`reason`], [`annotation`] and [`label`].

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
pub use resource::ToolkitResource;
pub use time::{Time, TimeError};

/// The finalizer that every Flux controller puts on the objects it owns.
pub const FINALIZER: &str = "finalizers.fluxcd.io";

/// The field manager a controller writes status under: `gotk-` and its name.
///
/// The prefix keeps status apart from what the controller applies on behalf
/// of users, where it writes as plain `kustomize-controller`.
pub const STATUS_MANAGER_PREFIX: &str = "gotk-";

/// Annotations that users set on any kind.
pub mod annotation {
    /// Any new value asks for a reconciliation; handled values are echoed in status.
    pub const RECONCILE_REQUESTED_AT: &str = "reconcile.fluxcd.io/requestedAt";
    /// Same value as `requestedAt`: a one-off forced Helm install or upgrade.
    pub const FORCE_REQUESTED_AT: &str = "reconcile.fluxcd.io/forceAt";
    /// Same value as `requestedAt`: the failure counters of a Helm release start anew.
    pub const RESET_REQUESTED_AT: &str = "reconcile.fluxcd.io/resetAt";
    /// Annotations below this prefix are copied into the metadata of events.
    pub const EVENT_PREFIX: &str = "event.toolkit.fluxcd.io/";
}

/// Labels of Flux's own vocabulary.
pub mod label {
    /// On a Secret or `ConfigMap`: a change reconciles the objects that refer to it.
    pub const WATCH: &str = "reconcile.fluxcd.io/watch";
    /// The value of [`WATCH`] that turns it on.
    pub const WATCH_ENABLED: &str = "Enabled";
    /// Assigns an object to the controllers of one shard.
    pub const SHARD: &str = "sharding.fluxcd.io/key";
    /// Names the application that a component belongs to.
    pub const PART_OF: &str = "app.kubernetes.io/part-of";
    /// The value of [`PART_OF`] on all that `install` creates.
    pub const PART_OF_FLUX: &str = "flux";
    /// Names the installation, which is its namespace.
    pub const INSTANCE: &str = "app.kubernetes.io/instance";
    /// Names the version that is installed.
    pub const VERSION: &str = "app.kubernetes.io/version";
    /// Names the controller that an object is a part of.
    pub const COMPONENT: &str = "app.kubernetes.io/component";
    /// Names the tool that manages an object.
    pub const MANAGED_BY: &str = "app.kubernetes.io/managed-by";
}
