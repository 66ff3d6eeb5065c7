//! `image.toolkit.fluxcd.io/v1`: container images, found, chosen and written to Git.

pub mod policy;
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

/// The API group.
pub const GROUP: &str = "image.toolkit.fluxcd.io";

/// The served version.
pub const VERSION: &str = "v1";
