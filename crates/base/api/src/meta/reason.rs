//! Reasons of conditions and events.
//!
//! Users alert on these words, so each is defined once.

/// A reconciliation is in progress.
pub const PROGRESSING: &str = "Progressing";
/// A reconciliation failed and will be retried.
pub const PROGRESSING_WITH_RETRY: &str = "ProgressingWithRetry";
/// The operation succeeded.
pub const SUCCEEDED: &str = "Succeeded";
/// The operation failed.
pub const FAILED: &str = "Failed";
/// The object is suspended.
pub const SUSPENDED: &str = "Suspended";
/// A dependency is not ready.
pub const DEPENDENCY_NOT_READY: &str = "DependencyNotReady";
/// The spec requires a disabled feature gate.
pub const FEATURE_GATE_DISABLED: &str = "FeatureGateDisabled";
/// A reference to another namespace is not allowed.
pub const ACCESS_DENIED: &str = "AccessDenied";
/// An expression in the spec does not compile.
pub const INVALID_CEL_EXPRESSION: &str = "InvalidCELExpression";
/// The last reconciliation succeeded.
pub const RECONCILIATION_SUCCEEDED: &str = "ReconciliationSucceeded";
/// The last reconciliation failed.
pub const RECONCILIATION_FAILED: &str = "ReconciliationFailed";
/// Stale objects could not be removed.
pub const PRUNE_FAILED: &str = "PruneFailed";
/// The source has no artifact, or it could not be fetched.
pub const ARTIFACT_FAILED: &str = "ArtifactFailed";
/// The manifests could not be built.
pub const BUILD_FAILED: &str = "BuildFailed";
/// The applied objects did not become healthy in time.
pub const HEALTH_CHECK_FAILED: &str = "HealthCheckFailed";
/// A newer request ended the health check.
pub const HEALTH_CHECK_CANCELED: &str = "HealthCheckCanceled";
/// A change outside of Git was corrected.
pub const DRIFT_DETECTED: &str = "DriftDetected";
/// The spec has an invalid value.
pub const VALIDATION_FAILED: &str = "ValidationFailed";

/// The storage has the artifact, and its digest matches.
pub const ARTIFACT_IN_STORAGE: &str = "ArtifactInStorage";
/// The stored artifact has the current revision.
pub const ARTIFACT_UP_TO_DATE: &str = "ArtifactUpToDate";
/// The source has no artifact yet.
pub const NO_ARTIFACT: &str = "NoArtifact";
/// The digest of the stored artifact does not match.
pub const ARTIFACT_VERIFICATION_FAILED: &str = "ArtifactVerificationFailed";
/// A new artifact replaced the previous one.
pub const NEW_ARTIFACT: &str = "NewArtifact";
/// The remote has a new revision.
pub const NEW_REVISION: &str = "NewRevision";
/// The set of included repositories changed.
pub const INCLUDE_CHANGE: &str = "IncludeChange";
/// A referenced object does not exist.
pub const NOT_FOUND: &str = "NotFound";
/// The URL is invalid.
pub const URL_INVALID: &str = "URLInvalid";
/// The remote rejected the credentials, or they could not be read.
pub const AUTHENTICATION_FAILED: &str = "AuthenticationFailed";
/// The signature verification failed.
pub const VERIFICATION_ERROR: &str = "VerificationError";
/// A temporary directory could not be created.
pub const DIRECTORY_CREATION_FAILED: &str = "DirectoryCreationFailed";
/// The metadata of a file or directory could not be read.
pub const STAT_OPERATION_FAILED: &str = "StatOperationFailed";
/// A file could not be read.
pub const READ_OPERATION_FAILED: &str = "ReadOperationFailed";
/// The lock of an artifact could not be taken.
pub const ACQUIRE_LOCK_FAILED: &str = "AcquireLockFailed";
/// A path leads outside of its allowed directory.
pub const INVALID_PATH: &str = "InvalidPath";
/// A path of an include leads outside of the repository.
pub const ILLEGAL_PATH: &str = "IllegalPath";
/// Included content could not be copied.
pub const COPY_FAILURE: &str = "CopyFailure";
/// The artifact could not be written.
pub const ARCHIVE_OPERATION_FAILED: &str = "ArchiveOperationFailed";
/// The link to the latest artifact could not be updated.
pub const SYMLINK_UPDATE_FAILED: &str = "SymlinkUpdateFailed";
/// A cache operation failed.
pub const CACHE_OPERATION_FAILED: &str = "CacheOperationFailed";
/// The status could not be updated.
pub const PATCH_OPERATION_FAILED: &str = "PatchOperationFailed";
/// The provider does not fit the rest of the spec.
pub const INVALID_PROVIDER_CONFIGURATION: &str = "InvalidProviderConfiguration";
/// The security token service does not fit the provider.
pub const INVALID_STS_CONFIGURATION: &str = "InvalidSTSConfiguration";
/// A request to the object store failed.
pub const BUCKET_OPERATION_FAILED: &str = "BucketOperationFailed";
/// The pull from the registry failed.
pub const OCI_ARTIFACT_PULL_FAILED: &str = "OCIArtifactPullFailed";
/// The selected layer is missing or invalid.
pub const OCI_ARTIFACT_LAYER_OPERATION_FAILED: &str = "OCIArtifactLayerOperationFailed";
/// The Git operation succeeded.
pub const GIT_OPERATION_SUCCEEDED: &str = "GitOperationSucceeded";
/// The Git operation failed.
pub const GIT_OPERATION_FAILED: &str = "GitOperationFailed";
/// The repository has no commits.
pub const EMPTY_GIT_REPOSITORY: &str = "EmptyGitRepository";
/// The ignore rules are invalid.
pub const SOURCE_IGNORE_ERROR: &str = "SourceIgnoreError";
/// Old artifacts were removed.
pub const GARBAGE_COLLECTION_SUCCEEDED: &str = "GarbageCollectionSucceeded";
/// Old artifacts could not be removed.
pub const GARBAGE_COLLECTION_FAILED: &str = "GarbageCollectionFailed";
/// The index of a repository is not valid.
pub const INDEXATION_FAILED: &str = "IndexationFailed";
/// The source of a chart could not be read.
pub const SOURCE_UNAVAILABLE: &str = "SourceUnavailable";
/// The source of a chart has a kind without charts.
pub const UNSUPPORTED_SOURCE_KIND: &str = "UnsupportedSourceKind";
/// The source of a chart has no artifact yet.
pub const NO_SOURCE_ARTIFACT: &str = "NoSourceArtifact";
/// The source has a new chart.
pub const NEW_CHART: &str = "NewChart";
/// The chart was pulled as it is.
pub const CHART_PULL_SUCCEEDED: &str = "ChartPullSucceeded";
/// The chart was packaged.
pub const CHART_PACKAGE_SUCCEEDED: &str = "ChartPackageSucceeded";
/// Dependencies of a chart were added.
pub const RESOLVED_DEPENDENCIES: &str = "ResolvedDependencies";
/// The name, the version or the path of a chart is not valid.
pub const INVALID_CHART_REFERENCE: &str = "InvalidChartReference";
/// A chart could not be pulled.
pub const CHART_PULL_ERROR: &str = "ChartPullError";
/// The version of a chart cannot have build metadata.
pub const METADATA_PATCH_ERROR: &str = "MetadataPatchError";
/// Values files could not be merged.
pub const VALUES_FILES_ERROR: &str = "ValuesFilesError";
/// Dependencies of a chart could not be added.
pub const DEPENDENCY_BUILD_ERROR: &str = "DependencyBuildError";
/// A chart could not be packaged.
pub const CHART_PACKAGE_ERROR: &str = "ChartPackageError";
/// The signature of a chart could not be verified.
pub const CHART_VERIFICATION_ERROR: &str = "ChartVerificationError";
/// A chart could not be built for another reason.
pub const UNKNOWN_BUILD_ERROR: &str = "Unknown";
