//! `Receiver`: a webhook that triggers reconciliations.

use std::collections::BTreeMap;

use kube::CustomResource;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::subject::SubjectKind;
use crate::{
    lenient,
    meta::{
        Conditions, Duration, LocalObjectReference, duration::INTERVAL_PATTERN,
        reference::unobserved, resource::toolkit_resource,
    },
    word::words,
};

/// Desired state of a receiver.
#[derive(CustomResource, Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[kube(
    group = "notification.toolkit.fluxcd.io",
    version = "v1",
    kind = "Receiver",
    plural = "receivers",
    category = "all",
    category = "fluxcd",
    category = "fluxcd-notifications",
    namespaced,
    status = "ReceiverStatus",
    derive = "Default",
    derive = "PartialEq",
    doc = "A webhook that triggers reconciliations of objects.",
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
#[schemars(extend("x-kubernetes-validations" = [
    {
        "message": "generic-oidc receivers must define at least one oidcProvider",
        "rule": "self.type != 'generic-oidc' || (has(self.oidcProviders) && size(self.oidcProviders) > 0)",
    },
    {
        "message": "oidcProviders can only be set when type is generic-oidc",
        "rule": "self.type == 'generic-oidc' || !has(self.oidcProviders) || size(self.oidcProviders) == 0",
    },
    {
        "message": "secretRef cannot be set when type is generic-oidc",
        "rule": "self.type != 'generic-oidc' || !has(self.secretRef)",
    },
    {
        "message": "secretRef is required when type is not generic-oidc",
        "rule": "self.type == 'generic-oidc' || has(self.secretRef)",
    },
]))]
pub struct ReceiverSpec {
    /// Events of the caller to handle. Empty handles all.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub events: Vec<String>,
    /// Interval of updates of the webhook path.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(extend("default" = "10m", "pattern" = INTERVAL_PATTERN))]
    pub interval: Option<Duration>,
    /// Accepted OIDC issuers.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[schemars(extend(
        "x-kubernetes-list-type" = "map",
        "x-kubernetes-list-map-keys" = ["issuerURL"]
    ))]
    pub oidc_providers: Vec<OidcProvider>,
    /// CEL expression over `res` and `req` that filters the resources.
    #[serde(
        default,
        deserialize_with = "lenient::text",
        skip_serializing_if = "Option::is_none"
    )]
    pub resource_filter: Option<String>,
    /// Objects to reconcile.
    pub resources: Vec<ReceiverResource>,
    /// Secret with the token of the webhook path and of signatures.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub secret_ref: Option<LocalObjectReference>,
    /// Suspends the webhook, which rejects calls.
    #[serde(default, skip_serializing_if = "lenient::is_false")]
    pub suspend: bool,
    /// Type of the caller.
    #[serde(rename = "type")]
    pub type_: ReceiverType,
}

words! {
    /// Types of callers, which determine how calls are verified.
    #[derive(Default)]
    pub enum ReceiverType {
        /// Any caller that knows the path.
        #[default]
        Generic = "generic",
        /// Any caller that signs its requests.
        GenericHmac = "generic-hmac",
        /// Any caller with a token of an accepted issuer.
        GenericOidc = "generic-oidc",
        /// GitHub.
        Github = "github",
        /// GitLab.
        Gitlab = "gitlab",
        /// Bitbucket Data Center.
        Bitbucket = "bitbucket",
        /// Harbor.
        Harbor = "harbor",
        /// Docker Hub.
        DockerHub = "dockerhub",
        /// Quay.
        Quay = "quay",
        /// Google registries through Pub/Sub.
        Gcr = "gcr",
        /// Sonatype Nexus.
        Nexus = "nexus",
        /// Azure Container Registry.
        Acr = "acr",
        /// Any sender of `CDEvents`.
        CdEvents = "cdevents",
    }
}

/// Accepted OIDC issuer with conditions for its tokens.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct OidcProvider {
    /// Required audience of tokens. Defaults to the controller's audience.
    #[serde(
        default,
        deserialize_with = "lenient::text",
        skip_serializing_if = "Option::is_none"
    )]
    pub audience: Option<String>,
    /// Address of the issuer.
    #[serde(rename = "issuerURL")]
    #[schemars(regex(pattern = "^https?://"))]
    pub issuer_url: String,
    /// Conditions for the claims. All must be true.
    #[schemars(length(min = 1))]
    pub validations: Vec<OidcValidation>,
    /// Variables computed from the claims, for use in the conditions.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub variables: Vec<OidcVariable>,
}

/// Condition for the claims of a token.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct OidcValidation {
    /// CEL expression that must be true.
    pub expression: String,
    /// Message to the caller if the expression is false.
    pub message: String,
}

/// Variable computed from the claims of a token.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct OidcVariable {
    /// CEL expression for the value.
    pub expression: String,
    /// Name of the variable.
    pub name: String,
}

/// Reference to one object, or to several by `*` or labels.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct ReceiverResource {
    /// API version of the objects. Defaults to the controller's preferred version.
    #[serde(
        default,
        deserialize_with = "lenient::text",
        skip_serializing_if = "Option::is_none"
    )]
    pub api_version: Option<String>,
    /// CEL expression over `res` and `req` that filters these objects.
    #[serde(
        default,
        deserialize_with = "lenient::text",
        skip_serializing_if = "Option::is_none"
    )]
    pub filter: Option<String>,
    /// Kind of the objects.
    pub kind: SubjectKind,
    /// Labels that an object must have. Requires the name `*`.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub match_labels: BTreeMap<String, String>,
    /// Name of the object, or `*` for all objects of the kind.
    #[schemars(length(min = 1, max = 253))]
    pub name: String,
    /// Namespace of the objects. Defaults to the namespace of the receiver.
    #[serde(
        default,
        deserialize_with = "lenient::text",
        skip_serializing_if = "Option::is_none"
    )]
    #[schemars(length(min = 1, max = 253))]
    pub namespace: Option<String>,
}

/// Observed state of a receiver.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(extend("default" = unobserved()))]
pub struct ReceiverStatus {
    /// Conditions of the receiver.
    #[serde(default, skip_serializing_if = "Conditions::is_empty")]
    pub conditions: Conditions,
    /// Last handled value of the annotation that requests a reconciliation.
    #[serde(
        default,
        deserialize_with = "lenient::text",
        skip_serializing_if = "Option::is_none"
    )]
    pub last_handled_reconcile_at: Option<String>,
    /// Last observed generation.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub observed_generation: Option<i64>,
    /// Path of the webhook, as `/hook/<digest>`.
    #[serde(
        default,
        deserialize_with = "lenient::text",
        skip_serializing_if = "Option::is_none"
    )]
    pub webhook_path: Option<String>,
}

toolkit_resource!(Receiver);
