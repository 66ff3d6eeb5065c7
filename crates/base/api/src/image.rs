//! `image.toolkit.fluxcd.io/v1`: scans, policies and updates of container images.

pub mod policy;
pub mod reason;
pub mod repository;
pub mod update_automation;

pub use policy::{
    DigestReflectionPolicy, ImagePolicy, ImagePolicyChoice, ImagePolicySpec, ImagePolicyStatus,
    ImageRef, OrderPolicy, SemverPolicy, SortOrder, TagFilter,
};
pub use repository::{ImageRepository, ImageRepositorySpec, ImageRepositoryStatus, ScanResult};
pub use update_automation::{
    CommitAuthor, CommitSpec, GitCheckout, GitPush, GitSpec, ImageUpdateAutomation,
    ImageUpdateAutomationSpec, ImageUpdateAutomationStatus, SigningKey, SigningKeyType,
    UpdateSourceKind, UpdateSourceReference, UpdateStrategy, UpdateStrategyName,
};

/// API group.
pub const GROUP: &str = "image.toolkit.fluxcd.io";

/// Served version.
pub const VERSION: &str = "v1";
