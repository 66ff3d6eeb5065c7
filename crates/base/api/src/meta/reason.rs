//! The reasons that conditions and events carry.
//!
//! Users alert on these words, so each is written once, here.

/// A reconciliation is under way.
pub const PROGRESSING: &str = "Progressing";
/// A reconciliation failed and will be tried again.
pub const PROGRESSING_WITH_RETRY: &str = "ProgressingWithRetry";
/// What was asked for was done.
pub const SUCCEEDED: &str = "Succeeded";
/// What was asked for was not done.
pub const FAILED: &str = "Failed";
/// The object is suspended.
pub const SUSPENDED: &str = "Suspended";
/// A dependency is not ready.
pub const DEPENDENCY_NOT_READY: &str = "DependencyNotReady";
/// The spec asks for what a feature gate forbids.
pub const FEATURE_GATE_DISABLED: &str = "FeatureGateDisabled";
/// A reference crosses a border that it may not cross.
pub const ACCESS_DENIED: &str = "AccessDenied";
/// An expression in the spec does not compile.
pub const INVALID_CEL_EXPRESSION: &str = "InvalidCELExpression";
/// The object was applied by the last reconciliation.
pub const RECONCILIATION_SUCCEEDED: &str = "ReconciliationSucceeded";
/// The last reconciliation failed to apply the object.
pub const RECONCILIATION_FAILED: &str = "ReconciliationFailed";
/// Stale objects could not be removed.
pub const PRUNE_FAILED: &str = "PruneFailed";
/// The source has no artifact, or it could not be fetched.
pub const ARTIFACT_FAILED: &str = "ArtifactFailed";
/// The manifests could not be built.
pub const BUILD_FAILED: &str = "BuildFailed";
/// What was applied did not become healthy in time.
pub const HEALTH_CHECK_FAILED: &str = "HealthCheckFailed";
/// A newer request ended the health check.
pub const HEALTH_CHECK_CANCELED: &str = "HealthCheckCanceled";
/// Something changed outside of Git and was put right.
pub const DRIFT_DETECTED: &str = "DriftDetected";
/// The spec holds a value that cannot be used.
pub const VALIDATION_FAILED: &str = "ValidationFailed";

/// An artifact stands in storage and matches its digest.
pub const ARTIFACT_IN_STORAGE: &str = "ArtifactInStorage";
/// The stored artifact is that of the current revision.
pub const ARTIFACT_UP_TO_DATE: &str = "ArtifactUpToDate";
/// The source has no artifact yet.
pub const NO_ARTIFACT: &str = "NoArtifact";
/// A new artifact replaced the one before.
pub const NEW_ARTIFACT: &str = "NewArtifact";
/// The remote holds a revision that is not stored yet.
pub const NEW_REVISION: &str = "NewRevision";
/// The set of included repositories changed.
pub const INCLUDE_CHANGE: &str = "IncludeChange";
/// A referenced object does not exist.
pub const NOT_FOUND: &str = "NotFound";
/// The URL cannot be used.
pub const URL_INVALID: &str = "URLInvalid";
/// The remote refused the credentials, or they could not be read.
pub const AUTHENTICATION_FAILED: &str = "AuthenticationFailed";
/// A signature does not match.
pub const VERIFICATION_ERROR: &str = "VerificationError";
/// A scratch directory could not be made.
pub const DIRECTORY_CREATION_FAILED: &str = "DirectoryCreationFailed";
/// A file or directory could not be examined.
pub const STAT_OPERATION_FAILED: &str = "StatOperationFailed";
/// A file could not be read.
pub const READ_OPERATION_FAILED: &str = "ReadOperationFailed";
/// The lock of an artifact could not be taken.
pub const ACQUIRE_LOCK_FAILED: &str = "AcquireLockFailed";
/// A path leaves the place it may name.
pub const INVALID_PATH: &str = "InvalidPath";
/// A path of an include leaves the repository.
pub const ILLEGAL_PATH: &str = "IllegalPath";
/// Included content could not be copied.
pub const COPY_FAILURE: &str = "CopyFailure";
/// The artifact could not be written.
pub const ARCHIVE_OPERATION_FAILED: &str = "ArchiveOperationFailed";
/// The link to the latest artifact could not be moved.
pub const SYMLINK_UPDATE_FAILED: &str = "SymlinkUpdateFailed";
/// The cache could not be used.
pub const CACHE_OPERATION_FAILED: &str = "CacheOperationFailed";
/// Status could not be written.
pub const PATCH_OPERATION_FAILED: &str = "PatchOperationFailed";
/// The provider cannot be used with the rest of the spec.
pub const INVALID_PROVIDER_CONFIGURATION: &str = "InvalidProviderConfiguration";
/// Nothing could be pulled from the registry.
pub const OCI_ARTIFACT_PULL_FAILED: &str = "OCIArtifactPullFailed";
/// The wanted layer is not there, or not what it should be.
pub const OCI_ARTIFACT_LAYER_OPERATION_FAILED: &str = "OCIArtifactLayerOperationFailed";
/// The remote answered.
pub const GIT_OPERATION_SUCCEEDED: &str = "GitOperationSucceeded";
/// The remote could not be reached or refused.
pub const GIT_OPERATION_FAILED: &str = "GitOperationFailed";
/// The repository holds no commit.
pub const EMPTY_GIT_REPOSITORY: &str = "EmptyGitRepository";
/// The ignore rules cannot be used.
pub const SOURCE_IGNORE_ERROR: &str = "SourceIgnoreError";
/// Old artifacts were removed.
pub const GARBAGE_COLLECTION_SUCCEEDED: &str = "GarbageCollectionSucceeded";
/// Old artifacts could not be removed.
pub const GARBAGE_COLLECTION_FAILED: &str = "GarbageCollectionFailed";
