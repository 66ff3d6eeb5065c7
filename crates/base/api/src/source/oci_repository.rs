//! `OCIRepository`: a layer of an artifact in a container registry.

use kube::CustomResource;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::verification::{OidcIdentity, RegistryProvider, VerificationProvider};
use crate::{
    artifact::Artifact,
    lenient,
    meta::{
        Conditions, Duration, LocalObjectReference,
        duration::{INTERVAL_PATTERN, TIMEOUT_PATTERN},
        reference::unobserved,
        resource::toolkit_resource,
    },
    word::words,
};

/// What to pull from a registry, and how.
#[derive(CustomResource, Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[kube(
    group = "source.toolkit.fluxcd.io",
    version = "v1",
    kind = "OCIRepository",
    root = "OciRepository",
    plural = "ocirepositories",
    shortname = "ocirepo",
    category = "all",
    category = "fluxcd",
    category = "fluxcd-sources",
    namespaced,
    status = "OciRepositoryStatus",
    derive = "Default",
    derive = "PartialEq",
    doc = "A repository of a container registry, of which the controller offers one version as an artifact.",
    printcolumn(name = "URL", type_ = "string", json_path = ".spec.url"),
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
pub struct OciRepositorySpec {
    /// A Secret with a client certificate and key, or with the authority that signed the
    /// registry's certificate.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cert_secret_ref: Option<LocalObjectReference>,
    /// Files to leave out of the artifact, in the format of `.gitignore`; replaces the
    /// controller's own list of what is never of interest.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ignore: Option<String>,
    /// Talks to the registry without TLS.
    #[serde(default, skip_serializing_if = "lenient::is_false")]
    pub insecure: bool,
    /// How often the registry is asked for news.
    #[schemars(extend("pattern" = INTERVAL_PATTERN))]
    pub interval: Duration,
    /// Which layer to take; the first one when absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub layer_selector: Option<LayerSelector>,
    /// The provider whose way of authentication is used.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(extend("default" = "generic"))]
    pub provider: Option<RegistryProvider>,
    /// A Secret with the address of a proxy, and perhaps credentials for it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub proxy_secret_ref: Option<LocalObjectReference>,
    /// Which version to pull; the tag `latest` when absent.
    #[serde(default, rename = "ref", skip_serializing_if = "Option::is_none")]
    pub reference: Option<OciReference>,
    /// A Secret with the credentials, as an image pull secret.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub secret_ref: Option<LocalObjectReference>,
    /// The `ServiceAccount` whose image pull secrets, or whose identity, are used.
    #[serde(
        default,
        deserialize_with = "lenient::text",
        skip_serializing_if = "Option::is_none"
    )]
    pub service_account_name: Option<String>,
    /// Stops reconciling; the last artifact stays.
    #[serde(default, skip_serializing_if = "lenient::is_false")]
    pub suspend: bool,
    /// How long one operation on the registry may take.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(extend("default" = "60s", "pattern" = TIMEOUT_PATTERN))]
    pub timeout: Option<Duration>,
    /// The address of the repository, without a tag.
    #[schemars(regex(pattern = "^oci://.*$"))]
    pub url: String,
    /// Demands a signature on what is pulled.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub verify: Option<OciVerification>,
}

/// Which version to pull. Of several fields, `digest` wins, then `semver`, then `tag`.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct OciReference {
    /// The digest of the manifest that is pulled.
    #[serde(
        default,
        deserialize_with = "lenient::text",
        skip_serializing_if = "Option::is_none"
    )]
    pub digest: Option<String>,
    /// A range of semantic versions; the highest tag within it is pulled.
    #[serde(
        default,
        deserialize_with = "lenient::text",
        skip_serializing_if = "Option::is_none"
    )]
    pub semver: Option<String>,
    /// A regular expression that a tag must match before the range is asked.
    #[serde(
        default,
        deserialize_with = "lenient::text",
        skip_serializing_if = "Option::is_none"
    )]
    pub semver_filter: Option<String>,
    /// The tag that is pulled.
    #[serde(
        default,
        deserialize_with = "lenient::text",
        skip_serializing_if = "Option::is_none"
    )]
    pub tag: Option<String>,
}

/// Which layer to take, and what to do with it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct LayerSelector {
    /// The media type of the layer; the first layer that has it is taken.
    #[serde(
        default,
        deserialize_with = "lenient::text",
        skip_serializing_if = "Option::is_none"
    )]
    pub media_type: Option<String>,
    /// Whether the layer is unpacked or kept as it is; unpacked when absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub operation: Option<LayerOperation>,
}

words! {
    /// What to do with a layer.
    #[derive(Default)]
    pub enum LayerOperation {
        /// Unpacks it and packs what is not ignored.
        #[default]
        Extract = "extract",
        /// Keeps it as it is.
        Copy = "copy",
    }
}

/// Which signature is demanded, and whose.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct OciVerification {
    /// Identities of which one must have signed, when no key is given.
    #[serde(
        default,
        rename = "matchOIDCIdentity",
        skip_serializing_if = "Vec::is_empty"
    )]
    pub match_oidc_identity: Vec<OidcIdentity>,
    /// The tool that the artifact was signed with.
    #[schemars(extend("default" = "cosign"))]
    pub provider: VerificationProvider,
    /// A Secret with the public keys or certificates that are trusted.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub secret_ref: Option<LocalObjectReference>,
    /// A Secret with the root of trust of a private Sigstore instance.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub trusted_root_secret_ref: Option<LocalObjectReference>,
}

/// What the controller last saw and made of an OCI repository.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(extend("default" = unobserved()))]
pub struct OciRepositoryStatus {
    /// The artifact of the last successful pull.
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
    /// The ignore rules that the artifact was made with.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub observed_ignore: Option<String>,
    /// The layer selector that the artifact was made with.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub observed_layer_selector: Option<LayerSelector>,
    /// Where the latest artifact can be downloaded.
    #[serde(
        default,
        deserialize_with = "lenient::text",
        skip_serializing_if = "Option::is_none"
    )]
    pub url: Option<String>,
}

toolkit_resource!(OciRepository);
