//! `ImageRepository`: the tags of a container image.

use kube::CustomResource;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::{
    lenient,
    meta::{
        AccessFrom, Conditions, Duration, LocalObjectReference, Time,
        duration::{INTERVAL_PATTERN, TIMEOUT_PATTERN},
        reference::unobserved,
        resource::toolkit_resource,
    },
    source::RegistryProvider,
};

/// Which image to scan, and how.
#[derive(CustomResource, Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[kube(
    group = "image.toolkit.fluxcd.io",
    version = "v1",
    kind = "ImageRepository",
    plural = "imagerepositories",
    shortname = "imgrepo",
    shortname = "imagerepo",
    category = "all",
    category = "fluxcd",
    category = "fluxcd-images",
    namespaced,
    status = "ImageRepositoryStatus",
    derive = "Default",
    derive = "PartialEq",
    doc = "A container image whose tags are scanned.",
    printcolumn(name = "Image", type_ = "string", json_path = ".spec.image"),
    printcolumn(
        name = "Tags",
        type_ = "string",
        json_path = ".status.lastScanResult.tagCount"
    ),
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
        name = "Last scan",
        type_ = "string",
        json_path = ".status.lastScanResult.scanTime",
        priority = 1
    ),
    printcolumn(
        name = "Age",
        type_ = "date",
        json_path = ".metadata.creationTimestamp"
    )
)]
#[serde(rename_all = "camelCase")]
pub struct ImageRepositorySpec {
    /// Namespaces whose policies may refer to this object; its own when absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub access_from: Option<AccessFrom>,
    /// A Secret with a client certificate and key, or with the authority that signed the
    /// registry's certificate.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cert_secret_ref: Option<LocalObjectReference>,
    /// Regular expressions; a tag that matches one is left out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(length(max = 25), extend("default" = [r"^.*\.sig$"]))]
    pub exclusion_list: Option<Vec<String>>,
    /// The name of the image, with its registry and without a tag.
    pub image: String,
    /// Talks to the registry without TLS.
    #[serde(default, skip_serializing_if = "lenient::is_false")]
    pub insecure: bool,
    /// How often the tags are scanned.
    #[schemars(extend("pattern" = INTERVAL_PATTERN))]
    pub interval: Duration,
    /// The provider whose way of authentication is used.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(extend("default" = "generic"))]
    pub provider: Option<RegistryProvider>,
    /// A Secret with the address of a proxy, and perhaps credentials for it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub proxy_secret_ref: Option<LocalObjectReference>,
    /// A Secret with the credentials, as an image pull secret.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub secret_ref: Option<LocalObjectReference>,
    /// The `ServiceAccount` whose image pull secrets, or whose identity, are used.
    #[serde(
        default,
        deserialize_with = "lenient::text",
        skip_serializing_if = "Option::is_none"
    )]
    #[schemars(length(max = 253))]
    pub service_account_name: Option<String>,
    /// Stops scanning; the last result stays.
    #[serde(default, skip_serializing_if = "lenient::is_false")]
    pub suspend: bool,
    /// How long a scan may take; the interval when absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(extend("pattern" = TIMEOUT_PATTERN))]
    pub timeout: Option<Duration>,
}

/// What the controller last saw of an image.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(extend("default" = unobserved()))]
pub struct ImageRepositoryStatus {
    /// The name of the image with all that a short name leaves out.
    #[serde(
        default,
        deserialize_with = "lenient::text",
        skip_serializing_if = "Option::is_none"
    )]
    pub canonical_image_name: Option<String>,
    /// What can be said about the image.
    #[serde(default, skip_serializing_if = "Conditions::is_empty")]
    pub conditions: Conditions,
    /// The last request for a reconciliation that was handled.
    #[serde(
        default,
        deserialize_with = "lenient::text",
        skip_serializing_if = "Option::is_none"
    )]
    pub last_handled_reconcile_at: Option<String>,
    /// What the last scan found.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub last_scan_result: Option<ScanResult>,
    /// The exclusions that the last scan was made with.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub observed_exclusion_list: Vec<String>,
    /// The generation that this status speaks of.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub observed_generation: Option<i64>,
}

/// What a scan found.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct ScanResult {
    /// A few of the tags, the last ones by name.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub latest_tags: Vec<String>,
    /// The digest of all tags, by which policies see that something changed.
    #[serde(
        default,
        deserialize_with = "lenient::text",
        skip_serializing_if = "Option::is_none"
    )]
    pub revision: Option<String>,
    /// When the scan ended.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub scan_time: Option<Time>,
    /// How many tags there are.
    pub tag_count: i32,
}

toolkit_resource!(ImageRepository);
