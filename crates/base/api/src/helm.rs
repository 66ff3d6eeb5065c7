//! `helm.toolkit.fluxcd.io/v2`: Helm releases.

pub mod action;
pub mod chart;
pub mod release;
pub mod status;

pub use action::{
    ChartNameChangeStrategy, CrdPolicy, DeletionPropagation, Install, InstallRemediation,
    InstallStrategy, RemediationStrategy, Rollback, ServerSideApply, StrategyName, Test,
    TestFilter, Uninstall, Upgrade, UpgradeRemediation, UpgradeStrategy,
};
pub use chart::{
    ChartReference, ChartReferenceKind, ChartSourceReference, ChartTemplate, ChartTemplateMetadata,
    ChartTemplateSpec, ChartTemplateVerification,
};
pub use release::{
    DriftDetection, DriftDetectionMode, HelmRelease, HelmReleaseSpec, KustomizeRenderer,
    PostRenderStrategy, PostRenderer, ValuesReference, ValuesReferenceKind, WaitStrategy,
    WaitStrategyName,
};
pub use status::{HelmReleaseStatus, ReleaseAction, ReleaseSnapshot, TestHookStatus};

/// API group.
pub const GROUP: &str = "helm.toolkit.fluxcd.io";

/// Served version.
pub const VERSION: &str = "v2";

/// Labels that the controller adds to installed objects.
pub mod label {
    /// Name of the `HelmRelease` that owns an object.
    pub const NAME: &str = "helm.toolkit.fluxcd.io/name";
    /// Namespace of the `HelmRelease` that owns an object.
    pub const NAMESPACE: &str = "helm.toolkit.fluxcd.io/namespace";
}

/// Condition types of releases. Common types are in [`crate::meta::condition`].
pub mod condition {
    /// The last action on the release succeeded.
    pub const RELEASED: &str = "Released";
    /// The tests of the release passed.
    pub const TEST_SUCCESS: &str = "TestSuccess";
    /// A rollback or an uninstall remediated a failure.
    pub const REMEDIATED: &str = "Remediated";
}
