//! `helm.toolkit.fluxcd.io/v2`: charts, installed and kept as they should be.

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

/// The API group.
pub const GROUP: &str = "helm.toolkit.fluxcd.io";

/// The served version.
pub const VERSION: &str = "v2";

/// Labels that the controller puts on what it installs.
pub mod label {
    /// The name of the `HelmRelease` that owns an object.
    pub const NAME: &str = "helm.toolkit.fluxcd.io/name";
    /// The namespace of the `HelmRelease` that owns an object.
    pub const NAMESPACE: &str = "helm.toolkit.fluxcd.io/namespace";
}

/// Types of the conditions that only releases carry; the rest is in [`crate::meta::condition`].
pub mod condition {
    /// The release stands in the cluster as the last action left it.
    pub const RELEASED: &str = "Released";
    /// The tests of the release passed.
    pub const TEST_SUCCESS: &str = "TestSuccess";
    /// A failure was undone by a rollback or an uninstall.
    pub const REMEDIATED: &str = "Remediated";
}
