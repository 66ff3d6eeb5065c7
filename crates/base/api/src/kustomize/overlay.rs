//! Patches and images, as kustomize knows them; Helm's post-renderer takes them too.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::lenient;

/// A change to objects that a selector finds, or that the patch itself names.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Patch {
    /// A strategic merge patch or a JSON 6902 patch, as YAML.
    pub patch: String,
    /// The objects to change; those that the patch names when absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub target: Option<Selector>,
}

/// Selects objects; every field that is set must match.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Selector {
    /// A selector over annotations, in the notation of label selectors.
    #[serde(
        default,
        deserialize_with = "lenient::text",
        skip_serializing_if = "Option::is_none"
    )]
    pub annotation_selector: Option<String>,
    /// The API group.
    #[serde(
        default,
        deserialize_with = "lenient::text",
        skip_serializing_if = "Option::is_none"
    )]
    pub group: Option<String>,
    /// The kind.
    #[serde(
        default,
        deserialize_with = "lenient::text",
        skip_serializing_if = "Option::is_none"
    )]
    pub kind: Option<String>,
    /// A selector over labels.
    #[serde(
        default,
        deserialize_with = "lenient::text",
        skip_serializing_if = "Option::is_none"
    )]
    pub label_selector: Option<String>,
    /// A regular expression over names.
    #[serde(
        default,
        deserialize_with = "lenient::text",
        skip_serializing_if = "Option::is_none"
    )]
    pub name: Option<String>,
    /// A regular expression over namespaces.
    #[serde(
        default,
        deserialize_with = "lenient::text",
        skip_serializing_if = "Option::is_none"
    )]
    pub namespace: Option<String>,
    /// The API version within the group.
    #[serde(
        default,
        deserialize_with = "lenient::text",
        skip_serializing_if = "Option::is_none"
    )]
    pub version: Option<String>,
}

/// A change to every use of one container image.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Image {
    /// The digest to use; then no tag is used.
    #[serde(
        default,
        deserialize_with = "lenient::text",
        skip_serializing_if = "Option::is_none"
    )]
    pub digest: Option<String>,
    /// The name of the image to change, without a tag.
    pub name: String,
    /// The name to use instead.
    #[serde(
        default,
        deserialize_with = "lenient::text",
        skip_serializing_if = "Option::is_none"
    )]
    pub new_name: Option<String>,
    /// The tag to use.
    #[serde(
        default,
        deserialize_with = "lenient::text",
        skip_serializing_if = "Option::is_none"
    )]
    pub new_tag: Option<String>,
}
