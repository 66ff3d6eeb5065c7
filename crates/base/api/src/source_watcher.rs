//! `source.extensions.fluxcd.io/v1beta1`: artifacts, made of other artifacts.

pub mod artifact_generator;

pub use artifact_generator::{
    ArtifactGenerator, ArtifactGeneratorSpec, ArtifactGeneratorStatus, CopyOperation, CopyStrategy,
    ExternalArtifactReference, OutputArtifact, SourceAliasKind, SourceAliasReference,
};

/// The API group.
pub const GROUP: &str = "source.extensions.fluxcd.io";

/// The served version.
pub const VERSION: &str = "v1beta1";

/// Labels that the controller puts on what it makes.
pub mod label {
    /// The UID of the `ArtifactGenerator` that made an `ExternalArtifact`.
    pub const GENERATOR: &str = "source.extensions.fluxcd.io/generator";
}

/// Annotations by which one object asks for its own treatment.
pub mod annotation {
    /// `disabled`: not reconciled; these objects have no field for it.
    pub const RECONCILE: &str = "source.extensions.fluxcd.io/reconcile";
}
