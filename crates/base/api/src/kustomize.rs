//! `kustomize.toolkit.fluxcd.io/v1`: manifests, built and applied.

pub mod kustomization;
pub mod overlay;

pub use kustomization::{
    BuildMetadata, CrossNamespaceSourceReference, Decryption, DecryptionProvider, DeletionPolicy,
    DependencyReference, HealthCheckExpression, IgnoreRule, Kustomization, KustomizationSpec,
    KustomizationStatus, PostBuild, SourceKind, SubstituteReference, SubstituteReferenceKind,
    SubstituteStrategy,
};
pub use overlay::{Image, Patch, Selector};

/// The API group.
pub const GROUP: &str = "kustomize.toolkit.fluxcd.io";

/// The served version.
pub const VERSION: &str = "v1";

/// Labels that the controller puts on what it applies.
pub mod label {
    /// The name of the Kustomization that owns an object.
    pub const NAME: &str = "kustomize.toolkit.fluxcd.io/name";
    /// The namespace of the Kustomization that owns an object.
    pub const NAMESPACE: &str = "kustomize.toolkit.fluxcd.io/namespace";
}

/// Annotations (or labels) by which one object asks for its own treatment.
pub mod annotation {
    /// `disabled`: never deleted.
    pub const PRUNE: &str = "kustomize.toolkit.fluxcd.io/prune";
    /// `disabled`: neither applied nor deleted.
    pub const RECONCILE: &str = "kustomize.toolkit.fluxcd.io/reconcile";
    /// `Override`, `Merge`, `IfNotPresent` or `Ignore`: how an object is applied.
    pub const SSA: &str = "kustomize.toolkit.fluxcd.io/ssa";
    /// `enabled`: recreated when an immutable field changes.
    pub const FORCE: &str = "kustomize.toolkit.fluxcd.io/force";
    /// `disabled`: no variable is substituted.
    pub const SUBSTITUTE: &str = "kustomize.toolkit.fluxcd.io/substitute";
    /// `disabled`: not decrypted.
    pub const DECRYPT: &str = "kustomize.toolkit.fluxcd.io/decrypt";
}

/// The word that turns a treatment off.
pub const DISABLED: &str = "disabled";

/// The word that turns a treatment on.
pub const ENABLED: &str = "enabled";
