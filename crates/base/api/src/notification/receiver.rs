//! `Receiver`: a webhook that asks objects to reconcile.

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

/// Who may call, and what is reconciled then.
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
    doc = "A webhook that asks objects to reconcile when it is called.",
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
    /// The events of the caller that count; all when empty.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub events: Vec<String>,
    /// How often the path of the webhook is computed anew.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(extend("default" = "10m", "pattern" = INTERVAL_PATTERN))]
    pub interval: Option<Duration>,
    /// Issuers whose tokens are accepted.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[schemars(extend(
        "x-kubernetes-list-type" = "map",
        "x-kubernetes-list-map-keys" = ["issuerURL"]
    ))]
    pub oidc_providers: Vec<OidcProvider>,
    /// A CEL expression over `res` and `req` that picks among the resources.
    #[serde(
        default,
        deserialize_with = "lenient::text",
        skip_serializing_if = "Option::is_none"
    )]
    pub resource_filter: Option<String>,
    /// The objects that are asked to reconcile.
    pub resources: Vec<ReceiverResource>,
    /// A Secret with the token that the path is computed from and callers sign with.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub secret_ref: Option<LocalObjectReference>,
    /// Accepts no call for now.
    #[serde(default, skip_serializing_if = "lenient::is_false")]
    pub suspend: bool,
    /// Who calls.
    #[serde(rename = "type")]
    pub type_: ReceiverType,
}

words! {
    /// Who calls a webhook, which says how a call is checked.
    #[derive(Default)]
    pub enum ReceiverType {
        /// Anyone who knows the path.
        #[default]
        Generic = "generic",
        /// Anyone who can sign.
        GenericHmac = "generic-hmac",
        /// Anyone with a token of a trusted issuer.
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
        /// Google's registries, through Pub/Sub.
        Gcr = "gcr",
        /// Sonatype Nexus.
        Nexus = "nexus",
        /// Azure Container Registry.
        Acr = "acr",
        /// Anyone who speaks `CDEvents`.
        CdEvents = "cdevents",
    }
}

/// An issuer whose tokens are accepted, and under which conditions.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct OidcProvider {
    /// The audience that a token must be made out for; the controller's own when absent.
    #[serde(
        default,
        deserialize_with = "lenient::text",
        skip_serializing_if = "Option::is_none"
    )]
    pub audience: Option<String>,
    /// The address of the issuer.
    #[serde(rename = "issuerURL")]
    #[schemars(regex(pattern = "^https?://"))]
    pub issuer_url: String,
    /// Conditions on the claims; all must hold.
    #[schemars(length(min = 1))]
    pub validations: Vec<OidcValidation>,
    /// Values computed from the claims, for the conditions to use.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub variables: Vec<OidcVariable>,
}

/// A condition on the claims of a token.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct OidcValidation {
    /// A CEL expression that must be true.
    pub expression: String,
    /// What a caller is told when it is not.
    pub message: String,
}

/// A value computed from the claims of a token.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct OidcVariable {
    /// A CEL expression for the value.
    pub expression: String,
    /// The name of the value.
    pub name: String,
}

/// Names one object or, by `*` or labels, many.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct ReceiverResource {
    /// The API version of the objects; the controller's own choice when absent.
    #[serde(
        default,
        deserialize_with = "lenient::text",
        skip_serializing_if = "Option::is_none"
    )]
    pub api_version: Option<String>,
    /// A CEL expression over `res` and `req` that picks among these objects.
    #[serde(
        default,
        deserialize_with = "lenient::text",
        skip_serializing_if = "Option::is_none"
    )]
    pub filter: Option<String>,
    /// The kind of the objects.
    pub kind: SubjectKind,
    /// Labels that an object must carry with exactly these values; needs the name `*`.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub match_labels: BTreeMap<String, String>,
    /// The name of the object, or `*` for all of the kind.
    #[schemars(length(min = 1, max = 253))]
    pub name: String,
    /// The namespace of the objects; that of the receiver when absent.
    #[serde(
        default,
        deserialize_with = "lenient::text",
        skip_serializing_if = "Option::is_none"
    )]
    #[schemars(length(min = 1, max = 253))]
    pub namespace: Option<String>,
}

/// What the controller last made of a receiver.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(extend("default" = unobserved()))]
pub struct ReceiverStatus {
    /// What can be said about the receiver.
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
    /// The path of the webhook, as `/hook/<digest>`.
    #[serde(
        default,
        deserialize_with = "lenient::text",
        skip_serializing_if = "Option::is_none"
    )]
    pub webhook_path: Option<String>,
}

toolkit_resource!(Receiver);
