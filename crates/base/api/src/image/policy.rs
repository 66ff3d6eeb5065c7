//! `ImagePolicy`: the selection of a tag of an image.

use kube::CustomResource;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::{
    lenient,
    meta::{
        Conditions, Duration, NamespacedObjectReference, duration::INTERVAL_PATTERN,
        reference::unobserved, resource::toolkit_resource,
    },
    word::words,
};

/// Desired state of an image policy.
#[derive(CustomResource, Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[kube(
    group = "image.toolkit.fluxcd.io",
    version = "v1",
    kind = "ImagePolicy",
    plural = "imagepolicies",
    shortname = "imgpol",
    shortname = "imagepol",
    category = "all",
    category = "fluxcd",
    category = "fluxcd-images",
    namespaced,
    status = "ImagePolicyStatus",
    derive = "Default",
    derive = "PartialEq",
    doc = "A rule that selects one tag of a container image.",
    printcolumn(name = "Image", type_ = "string", json_path = ".status.latestRef.name"),
    printcolumn(name = "Tag", type_ = "string", json_path = ".status.latestRef.tag"),
    printcolumn(
        name = "Ready",
        type_ = "string",
        json_path = ".status.conditions[?(@.type==\"Ready\")].status"
    ),
    printcolumn(
        name = "Status",
        type_ = "string",
        json_path = ".status.conditions[?(@.type==\"Ready\")].message"
    ),
    printcolumn(
        name = "Age",
        type_ = "date",
        json_path = ".metadata.creationTimestamp"
    )
)]
#[serde(rename_all = "camelCase")]
#[schemars(extend("x-kubernetes-validations" = [
    {
        "message": "spec.interval is only accepted when spec.digestReflectionPolicy is set to 'Always'",
        "rule": "!has(self.interval) || (has(self.digestReflectionPolicy) && self.digestReflectionPolicy == 'Always')",
    },
    {
        "message": "spec.interval must be set when spec.digestReflectionPolicy is set to 'Always'",
        "rule": "has(self.interval) || !has(self.digestReflectionPolicy) || self.digestReflectionPolicy != 'Always'",
    },
]))]
pub struct ImagePolicySpec {
    /// Lookup of the digest of the selected tag.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(extend("default" = "Never"))]
    pub digest_reflection_policy: Option<DigestReflectionPolicy>,
    /// Filter of tags. Defaults to all tags.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub filter_tags: Option<TagFilter>,
    /// `ImageRepository` with the tags.
    pub image_repository_ref: NamespacedObjectReference,
    /// Interval of digest lookups.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(extend("pattern" = INTERVAL_PATTERN))]
    pub interval: Option<Duration>,
    /// Rule that determines the latest tag.
    pub policy: ImagePolicyChoice,
    /// Suspends the policy. The last selection stays.
    #[serde(default, skip_serializing_if = "lenient::is_false")]
    pub suspend: bool,
}

words! {
    /// Policies for digest lookups.
    #[derive(Default)]
    pub enum DigestReflectionPolicy {
        /// At each interval, because the tag may move.
        Always = "Always",
        /// Once per tag.
        IfNotPresent = "IfNotPresent",
        /// Never.
        #[default]
        Never = "Never",
    }
}

/// Filter of tags.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct TagFilter {
    /// Part of a matching tag to compare, such as `$1`. Defaults to the whole tag.
    #[serde(
        default,
        deserialize_with = "lenient::text",
        skip_serializing_if = "Option::is_none"
    )]
    pub extract: Option<String>,
    /// Regular expression that a tag must match.
    #[serde(
        default,
        deserialize_with = "lenient::text",
        skip_serializing_if = "Option::is_none"
    )]
    pub pattern: Option<String>,
}

/// Rule that determines the latest tag. Exactly one field must be set.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct ImagePolicyChoice {
    /// Compares tags alphabetically.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub alphabetical: Option<OrderPolicy>,
    /// Compares tags as numbers.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub numerical: Option<OrderPolicy>,
    /// Compares tags as semantic versions.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub semver: Option<SemverPolicy>,
}

/// Order of tags.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct OrderPolicy {
    /// Order. The last tag in it is the latest.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(extend("default" = "asc"))]
    pub order: Option<SortOrder>,
}

words! {
    /// Orders of tags.
    #[derive(Default)]
    pub enum SortOrder {
        /// The greatest tag is last.
        #[default]
        Ascending = "asc",
        /// The smallest tag is last.
        Descending = "desc",
    }
}

/// Semver rule.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct SemverPolicy {
    /// Semver range. The highest matching tag is the latest.
    pub range: String,
}

/// Observed state of an image policy.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(extend("default" = unobserved()))]
pub struct ImagePolicyStatus {
    /// Conditions of the policy.
    #[serde(default, skip_serializing_if = "Conditions::is_empty")]
    pub conditions: Conditions,
    /// Last handled value of the annotation that requests a reconciliation.
    #[serde(
        default,
        deserialize_with = "lenient::text",
        skip_serializing_if = "Option::is_none"
    )]
    pub last_handled_reconcile_at: Option<String>,
    /// Selected image.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub latest_ref: Option<ImageRef>,
    /// Last observed generation.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub observed_generation: Option<i64>,
    /// Previously selected image.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub observed_previous_ref: Option<ImageRef>,
}

/// An image with its tag.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct ImageRef {
    /// Digest of the tag, if it was looked up.
    #[serde(
        default,
        deserialize_with = "lenient::text",
        skip_serializing_if = "Option::is_none"
    )]
    pub digest: Option<String>,
    /// Name of the image with its registry and without a tag.
    pub name: String,
    /// Tag.
    pub tag: String,
}

toolkit_resource!(ImagePolicy);
