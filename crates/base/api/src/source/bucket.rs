//! `Bucket`: the files of an object store.

use kube::CustomResource;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

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

/// What to download from an object store, and how.
#[derive(CustomResource, Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[kube(
    group = "source.toolkit.fluxcd.io",
    version = "v1",
    kind = "Bucket",
    plural = "buckets",
    category = "all",
    category = "fluxcd",
    category = "fluxcd-sources",
    namespaced,
    status = "BucketStatus",
    derive = "Default",
    derive = "PartialEq",
    doc = "A bucket of an object store, whose files the controller offers as an artifact.",
    printcolumn(name = "Endpoint", type_ = "string", json_path = ".spec.endpoint"),
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
        "message": "STS configuration is only supported for the 'aws' and 'generic' Bucket providers",
        "rule": "self.provider == 'aws' || self.provider == 'generic' || !has(self.sts)",
    },
    {
        "message": "'aws' is the only supported STS provider for the 'aws' Bucket provider",
        "rule": "self.provider != 'aws' || !has(self.sts) || self.sts.provider == 'aws'",
    },
    {
        "message": "'ldap' is the only supported STS provider for the 'generic' Bucket provider",
        "rule": "self.provider != 'generic' || !has(self.sts) || self.sts.provider == 'ldap'",
    },
    {
        "message": "spec.sts.secretRef is not required for the 'aws' STS provider",
        "rule": "!has(self.sts) || self.sts.provider != 'aws' || !has(self.sts.secretRef)",
    },
    {
        "message": "spec.sts.certSecretRef is not required for the 'aws' STS provider",
        "rule": "!has(self.sts) || self.sts.provider != 'aws' || !has(self.sts.certSecretRef)",
    },
    {
        "message": "ServiceAccountName is not supported for the 'generic' Bucket provider",
        "rule": "self.provider != 'generic' || !has(self.serviceAccountName)",
    },
    {
        "message": "cannot set both .spec.secretRef and .spec.serviceAccountName",
        "rule": "!has(self.secretRef) || !has(self.serviceAccountName)",
    },
]))]
pub struct BucketSpec {
    /// The name of the bucket.
    pub bucket_name: String,
    /// A Secret with a client certificate and key, or with the authority that signed the
    /// store's certificate.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cert_secret_ref: Option<LocalObjectReference>,
    /// The address of the object store.
    pub endpoint: String,
    /// Files to leave out of the artifact, in the format of `.gitignore`; replaces the
    /// controller's own list of what is never of interest.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ignore: Option<String>,
    /// Talks to the store without TLS.
    #[serde(default, skip_serializing_if = "lenient::is_false")]
    pub insecure: bool,
    /// How often the store is asked for news.
    #[schemars(extend("pattern" = INTERVAL_PATTERN))]
    pub interval: Duration,
    /// Takes only files whose names begin with it.
    #[serde(
        default,
        deserialize_with = "lenient::text",
        skip_serializing_if = "Option::is_none"
    )]
    pub prefix: Option<String>,
    /// The provider whose protocol and way of authentication are used.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(extend("default" = "generic"))]
    pub provider: Option<BucketProvider>,
    /// A Secret with the address of a proxy, and perhaps credentials for it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub proxy_secret_ref: Option<LocalObjectReference>,
    /// The region of the store.
    #[serde(
        default,
        deserialize_with = "lenient::text",
        skip_serializing_if = "Option::is_none"
    )]
    pub region: Option<String>,
    /// A Secret with the credentials.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub secret_ref: Option<LocalObjectReference>,
    /// The `ServiceAccount` whose identity the provider is asked with.
    #[serde(
        default,
        deserialize_with = "lenient::text",
        skip_serializing_if = "Option::is_none"
    )]
    pub service_account_name: Option<String>,
    /// A service that hands out temporary credentials.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sts: Option<SecurityTokenService>,
    /// Stops reconciling; the last artifact stays.
    #[serde(default, skip_serializing_if = "lenient::is_false")]
    pub suspend: bool,
    /// How long one operation on the store may take.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(extend("default" = "60s", "pattern" = TIMEOUT_PATTERN))]
    pub timeout: Option<Duration>,
}

words! {
    /// Who runs an object store.
    #[derive(Default)]
    pub enum BucketProvider {
        /// Anyone who speaks S3, with credentials from a Secret.
        #[default]
        Generic = "generic",
        /// Amazon S3.
        Aws = "aws",
        /// Google Cloud Storage.
        Gcp = "gcp",
        /// Azure Blob Storage.
        Azure = "azure",
    }
}

/// A service that hands out temporary credentials for an object store.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct SecurityTokenService {
    /// A Secret with a client certificate and key, or with the authority that signed the
    /// service's certificate.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cert_secret_ref: Option<LocalObjectReference>,
    /// The address of the service.
    #[schemars(regex(pattern = "^(http|https)://.*$"))]
    pub endpoint: String,
    /// The protocol of the service.
    pub provider: SecurityTokenProvider,
    /// A Secret with the user name and password that the service asks for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub secret_ref: Option<LocalObjectReference>,
}

words! {
    /// The protocol of a service for temporary credentials.
    #[derive(Default)]
    pub enum SecurityTokenProvider {
        /// Amazon's.
        #[default]
        Aws = "aws",
        /// That of an S3 store with users in LDAP.
        Ldap = "ldap",
    }
}

/// What the controller last saw and made of a bucket.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(extend("default" = unobserved()))]
pub struct BucketStatus {
    /// The artifact of the last successful download.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub artifact: Option<Artifact>,
    /// What can be said about the bucket.
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
    /// Where the latest artifact can be downloaded.
    #[serde(
        default,
        deserialize_with = "lenient::text",
        skip_serializing_if = "Option::is_none"
    )]
    pub url: Option<String>,
}

toolkit_resource!(Bucket);
