//! Reasons of the image kinds, besides those of all kinds.

/// The image name is invalid.
pub const IMAGE_URL_INVALID: &str = "ImageURLInvalid";
/// A policy with `digestReflectionPolicy: Always` has no interval.
pub const INTERVAL_NOT_CONFIGURED: &str = "IntervalNotConfigured";
/// The rule or the filter of a policy is invalid.
pub const INVALID_POLICY: &str = "InvalidPolicy";
/// Any other failure of a policy.
pub const FAILURE: &str = "Failure";
/// The update strategy is missing or unknown.
pub const INVALID_UPDATE_STRATEGY: &str = "InvalidUpdateStrategy";
/// The Git settings of an automation are invalid.
pub const INVALID_SOURCE_CONFIGURATION: &str = "InvalidSourceConfiguration";
/// The selector of policies is invalid.
pub const INVALID_POLICY_SELECTOR: &str = "InvalidPolicySelector";
/// The commit message uses a field that Flux removed.
pub const REMOVED_TEMPLATE_FIELD: &str = "RemovedTemplateField";
/// The repository of an automation cannot be used.
pub const SOURCE_MANAGER_FAILED: &str = "SourceManagerFailed";
/// The files could not be updated.
pub const UPDATE_FAILED: &str = "UpdateFailed";
