//! `source.toolkit.fluxcd.io/v1`: where desired state comes from.

pub mod git_repository;

pub use git_repository::{
    GitCheckoutReference, GitInclude, GitProvider, GitRepository, GitRepositorySpec,
    GitRepositoryStatus, GitVerification, GitVerificationMode,
};

/// The API group.
pub const GROUP: &str = "source.toolkit.fluxcd.io";

/// The served version.
pub const VERSION: &str = "v1";

/// Types of the conditions that only sources carry; the rest is in [`crate::meta::condition`].
pub mod condition {
    /// An artifact of the observed state stands in storage.
    pub const ARTIFACT_IN_STORAGE: &str = "ArtifactInStorage";
    /// The stored artifact is not that of the latest revision.
    pub const ARTIFACT_OUTDATED: &str = "ArtifactOutdated";
    /// The remote could not be fetched.
    pub const FETCH_FAILED: &str = "FetchFailed";
    /// The artifact could not be built.
    pub const BUILD_FAILED: &str = "BuildFailed";
    /// Storage could not be read or written.
    pub const STORAGE_OPERATION_FAILED: &str = "StorageOperationFailed";
    /// The signature of the revision matches.
    pub const SOURCE_VERIFIED: &str = "SourceVerified";
    /// An included repository has no artifact.
    pub const INCLUDE_UNAVAILABLE: &str = "IncludeUnavailable";
}
