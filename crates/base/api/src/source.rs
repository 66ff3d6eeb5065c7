//! `source.toolkit.fluxcd.io/v1`: sources of desired state.

pub mod bucket;
pub mod external_artifact;
pub mod git_repository;
pub mod helm_chart;
pub mod helm_repository;
pub mod oci_repository;
pub mod verification;

pub use bucket::{
    Bucket, BucketProvider, BucketSpec, BucketStatus, SecurityTokenProvider, SecurityTokenService,
};
pub use external_artifact::{ExternalArtifact, ExternalArtifactSpec, ExternalArtifactStatus};
pub use git_repository::{
    GitCheckoutReference, GitInclude, GitProvider, GitRepository, GitRepositorySpec,
    GitRepositoryStatus, GitVerification, GitVerificationMode,
};
pub use helm_chart::{
    HelmChart, HelmChartSourceKind, HelmChartSourceReference, HelmChartSpec, HelmChartStatus,
    ReconcileStrategy,
};
pub use helm_repository::{
    HelmRepository, HelmRepositorySpec, HelmRepositoryStatus, HelmRepositoryType,
};
pub use oci_repository::{
    LayerOperation, LayerSelector, OciReference, OciRepository, OciRepositorySpec,
    OciRepositoryStatus, OciVerification,
};
pub use verification::{ChartVerification, OidcIdentity, RegistryProvider, VerificationProvider};

/// API group.
pub const GROUP: &str = "source.toolkit.fluxcd.io";

/// Served version.
pub const VERSION: &str = "v1";

/// Condition types of sources. Common types are in [`crate::meta::condition`].
pub mod condition {
    /// The storage has an artifact of the observed state.
    pub const ARTIFACT_IN_STORAGE: &str = "ArtifactInStorage";
    /// The stored artifact does not have the latest revision.
    pub const ARTIFACT_OUTDATED: &str = "ArtifactOutdated";
    /// The fetch from the remote failed.
    pub const FETCH_FAILED: &str = "FetchFailed";
    /// The artifact could not be built.
    pub const BUILD_FAILED: &str = "BuildFailed";
    /// Storage could not be read or written.
    pub const STORAGE_OPERATION_FAILED: &str = "StorageOperationFailed";
    /// The signature of the revision is valid.
    pub const SOURCE_VERIFIED: &str = "SourceVerified";
    /// An included repository has no artifact.
    pub const INCLUDE_UNAVAILABLE: &str = "IncludeUnavailable";
}
