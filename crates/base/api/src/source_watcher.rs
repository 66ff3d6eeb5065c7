//! `source.extensions.fluxcd.io/v1beta1`: artifacts built from other artifacts.

pub mod artifact_generator;

pub use artifact_generator::{
    ArtifactGenerator, ArtifactGeneratorSpec, ArtifactGeneratorStatus, CopyOperation, CopyStrategy,
    ExternalArtifactReference, OutputArtifact, SourceAliasKind, SourceAliasReference,
};

/// API group.
pub const GROUP: &str = "source.extensions.fluxcd.io";

/// Served version.
pub const VERSION: &str = "v1beta1";

/// Finalizer of an `ArtifactGenerator`.
pub const FINALIZER: &str = "source.extensions.fluxcd.io/finalizer";

/// Reasons of conditions and events.
pub mod reason {
    /// Reconciliation is disabled by an annotation.
    pub const RECONCILIATION_DISABLED: &str = "ReconciliationDisabled";
    /// A source does not exist, is not ready, or cannot be downloaded.
    pub const SOURCE_FETCH_FAILED: &str = "SourceFetchFailed";
}

/// Labels that the controller adds to generated objects.
pub mod label {
    /// UID of the `ArtifactGenerator` that generated an `ExternalArtifact`.
    pub const GENERATOR: &str = "source.extensions.fluxcd.io/generator";
}

/// Annotations that change how one object is treated.
pub mod annotation {
    /// `disabled`: reconciliation is suspended. The kind has no field for it.
    pub const RECONCILE: &str = "source.extensions.fluxcd.io/reconcile";
    /// Value of [`RECONCILE`] that suspends the object, in any case.
    pub const DISABLED: &str = "disabled";
}
