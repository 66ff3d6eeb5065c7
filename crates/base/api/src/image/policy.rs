//! `ImagePolicy`: the choice of one tag of an image.

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

/// Which tag to choose.
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
    doc = "A rule that chooses one tag of a container image.",
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
    /// Whether the digest behind the chosen tag is looked up.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(extend("default" = "Never"))]
    pub digest_reflection_policy: Option<DigestReflectionPolicy>,
    /// Which tags can be chosen; all when absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub filter_tags: Option<TagFilter>,
    /// The `ImageRepository` whose tags can be chosen.
    pub image_repository_ref: NamespacedObjectReference,
    /// How often the digest is looked up.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(extend("pattern" = INTERVAL_PATTERN))]
    pub interval: Option<Duration>,
    /// What makes one tag the latest.
    pub policy: ImagePolicyChoice,
    /// Stops choosing; the last choice stays.
    #[serde(default, skip_serializing_if = "lenient::is_false")]
    pub suspend: bool,
}

words! {
    /// When the digest behind a tag is looked up.
    #[derive(Default)]
    pub enum DigestReflectionPolicy {
        /// At each interval, as the tag may move.
        Always = "Always",
        /// Once per tag.
        IfNotPresent = "IfNotPresent",
        /// Not at all.
        #[default]
        Never = "Never",
    }
}

/// Which tags can be chosen.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct TagFilter {
    /// What of a matching tag is compared, like `$1`; all of it when absent.
    #[serde(
        default,
        deserialize_with = "lenient::text",
        skip_serializing_if = "Option::is_none"
    )]
    pub extract: Option<String>,
    /// A regular expression that a tag must match.
    #[serde(
        default,
        deserialize_with = "lenient::text",
        skip_serializing_if = "Option::is_none"
    )]
    pub pattern: Option<String>,
}

/// What makes one tag the latest; exactly one field is set.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct ImagePolicyChoice {
    /// Tags are compared letter by letter.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub alphabetical: Option<OrderPolicy>,
    /// Tags are compared as numbers.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub numerical: Option<OrderPolicy>,
    /// Tags are compared as semantic versions.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub semver: Option<SemverPolicy>,
}

/// Which end of the order is the latest.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct OrderPolicy {
    /// The order; the last one in it is the latest.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(extend("default" = "asc"))]
    pub order: Option<SortOrder>,
}

words! {
    /// An order.
    #[derive(Default)]
    pub enum SortOrder {
        /// The greatest is last.
        #[default]
        Ascending = "asc",
        /// The least is last.
        Descending = "desc",
    }
}

/// Which versions can be chosen.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct SemverPolicy {
    /// A range of semantic versions; the highest tag within it is the latest.
    pub range: String,
}

/// What the controller last chose.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(extend("default" = unobserved()))]
pub struct ImagePolicyStatus {
    /// What can be said about the choice.
    #[serde(default, skip_serializing_if = "Conditions::is_empty")]
    pub conditions: Conditions,
    /// The last request for a reconciliation that was handled.
    #[serde(
        default,
        deserialize_with = "lenient::text",
        skip_serializing_if = "Option::is_none"
    )]
    pub last_handled_reconcile_at: Option<String>,
    /// The image that was chosen.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub latest_ref: Option<ImageRef>,
    /// The generation that this status speaks of.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub observed_generation: Option<i64>,
    /// The image that was chosen before.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub observed_previous_ref: Option<ImageRef>,
}

/// An image with its tag.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct ImageRef {
    /// The digest behind the tag, if it was looked up.
    #[serde(
        default,
        deserialize_with = "lenient::text",
        skip_serializing_if = "Option::is_none"
    )]
    pub digest: Option<String>,
    /// The name of the image, with its registry and without a tag.
    pub name: String,
    /// The tag.
    pub tag: String,
}

toolkit_resource!(ImagePolicy);
