//! `kustomize.toolkit.fluxcd.io/v1`: manifests to build and apply.

pub mod kustomization;
pub mod overlay;

pub use kustomization::{
    BuildMetadata, CrossNamespaceSourceReference, Decryption, DecryptionProvider, DeletionPolicy,
    DependencyReference, HealthCheckExpression, IgnoreRule, Kustomization, KustomizationSpec,
    KustomizationStatus, PostBuild, SourceKind, SubstituteReference, SubstituteReferenceKind,
    SubstituteStrategy,
};
pub use overlay::{Image, Patch, Selector};

/// API group.
pub const GROUP: &str = "kustomize.toolkit.fluxcd.io";

/// Served version.
pub const VERSION: &str = "v1";

/// Labels that the controller adds to applied objects.
pub mod label {
    /// Name of the Kustomization that owns an object.
    pub const NAME: &str = "kustomize.toolkit.fluxcd.io/name";
    /// Namespace of the Kustomization that owns an object.
    pub const NAMESPACE: &str = "kustomize.toolkit.fluxcd.io/namespace";
}

/// Annotations or labels that change how one object is treated.
pub mod annotation {
    /// `disabled`: the object is never deleted.
    pub const PRUNE: &str = "kustomize.toolkit.fluxcd.io/prune";
    /// `disabled`: the object is neither applied nor deleted.
    pub const RECONCILE: &str = "kustomize.toolkit.fluxcd.io/reconcile";
    /// Apply policy: `Override`, `Merge`, `IfNotPresent` or `Ignore`.
    pub const SSA: &str = "kustomize.toolkit.fluxcd.io/ssa";
    /// `enabled`: the object is recreated if an immutable field changes.
    pub const FORCE: &str = "kustomize.toolkit.fluxcd.io/force";
    /// `disabled`: variables are not substituted.
    pub const SUBSTITUTE: &str = "kustomize.toolkit.fluxcd.io/substitute";
    /// `disabled`: the object is not decrypted.
    pub const DECRYPT: &str = "kustomize.toolkit.fluxcd.io/decrypt";
}

/// Value that disables a behaviour.
pub const DISABLED: &str = "disabled";

/// Value that enables a behaviour.
pub const ENABLED: &str = "enabled";
