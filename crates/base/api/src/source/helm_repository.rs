//! `HelmRepository`: an index of charts, or the address of charts in a registry.

use kube::CustomResource;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::verification::RegistryProvider;
use crate::{
    artifact::Artifact,
    lenient,
    meta::{
        AccessFrom, Conditions, Duration, LocalObjectReference,
        duration::{INTERVAL_PATTERN, TIMEOUT_PATTERN},
        reference::unobserved,
        resource::toolkit_resource,
    },
    word::words,
};

/// Where charts are, and how to get at them.
#[derive(CustomResource, Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[kube(
    group = "source.toolkit.fluxcd.io",
    version = "v1",
    kind = "HelmRepository",
    plural = "helmrepositories",
    shortname = "helmrepo",
    category = "all",
    category = "fluxcd",
    category = "fluxcd-sources",
    namespaced,
    status = "HelmRepositoryStatus",
    derive = "Default",
    derive = "PartialEq",
    doc = "A repository of Helm charts, whose index the controller offers as an artifact.",
    printcolumn(name = "URL", type_ = "string", json_path = ".spec.url"),
    printcolumn(
        name = "Age",
        type_ = "date",
        json_path = ".metadata.creationTimestamp"
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
    )
)]
#[serde(rename_all = "camelCase")]
pub struct HelmRepositorySpec {
    /// Namespaces whose objects may refer to this one; not enforced by any controller.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub access_from: Option<AccessFrom>,
    /// A Secret with a client certificate and key, or with the authority that signed the
    /// repository's certificate.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cert_secret_ref: Option<LocalObjectReference>,
    /// Talks to the registry without TLS; for OCI only.
    #[serde(default, skip_serializing_if = "lenient::is_false")]
    pub insecure: bool,
    /// How often the index is fetched.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(extend("pattern" = INTERVAL_PATTERN))]
    pub interval: Option<Duration>,
    /// Sends the credentials also to another host, where the index says the charts are.
    #[serde(default, skip_serializing_if = "lenient::is_false")]
    pub pass_credentials: bool,
    /// The provider whose way of authentication is used; for OCI only.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(extend("default" = "generic"))]
    pub provider: Option<RegistryProvider>,
    /// A Secret with the credentials.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub secret_ref: Option<LocalObjectReference>,
    /// Stops reconciling; the last artifact stays.
    #[serde(default, skip_serializing_if = "lenient::is_false")]
    pub suspend: bool,
    /// How long one operation on the repository may take; a minute when absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(extend("pattern" = TIMEOUT_PATTERN))]
    pub timeout: Option<Duration>,
    /// Whether charts are found through an index or in a registry; an index when absent.
    #[serde(default, rename = "type", skip_serializing_if = "Option::is_none")]
    pub type_: Option<HelmRepositoryType>,
    /// The address of the repository.
    #[schemars(regex(pattern = "^(http|https|oci)://.*$"))]
    pub url: String,
}

words! {
    /// How charts are found.
    #[derive(Default)]
    pub enum HelmRepositoryType {
        /// Through an index, over HTTP(S).
        #[default]
        Default = "default",
        /// In a container registry.
        Oci = "oci",
    }
}

/// What the controller last saw and made of a Helm repository.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(extend("default" = unobserved()))]
pub struct HelmRepositoryStatus {
    /// The index as it was fetched last.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub artifact: Option<Artifact>,
    /// What can be said about the repository.
    #[serde(default, skip_serializing_if = "Conditions::is_empty")]
    pub conditions: Conditions,
    /// The last request for a reconciliation that was handled.
    #[serde(
        default,
        deserialize_with = "lenient::text",
        skip_serializing_if = "Option::is_none"
    )]
    pub last_handled_reconcile_at: Option<String>,
    /// The generation that this status speaks of.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub observed_generation: Option<i64>,
    /// Where the latest index can be downloaded.
    #[serde(
        default,
        deserialize_with = "lenient::text",
        skip_serializing_if = "Option::is_none"
    )]
    pub url: Option<String>,
}

toolkit_resource!(HelmRepository);
