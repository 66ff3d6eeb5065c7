//! `Bucket`: files of an object store as an artifact.

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

/// Desired state of a bucket.
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
    doc = "A bucket of an object store. The controller publishes its files as an artifact.",
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
    /// Name of the bucket.
    pub bucket_name: String,
    /// Secret with a client certificate and key, or with the CA certificate of the object store.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cert_secret_ref: Option<LocalObjectReference>,
    /// Address of the object store.
    pub endpoint: String,
    /// Files to exclude from the artifact, in `.gitignore` format. It replaces the default
    /// exclusions.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ignore: Option<String>,
    /// Connects to the object store without TLS.
    #[serde(default, skip_serializing_if = "lenient::is_false")]
    pub insecure: bool,
    /// Interval of checks of the object store.
    #[schemars(extend("pattern" = INTERVAL_PATTERN))]
    pub interval: Duration,
    /// Downloads only files whose names start with the prefix.
    #[serde(
        default,
        deserialize_with = "lenient::text",
        skip_serializing_if = "Option::is_none"
    )]
    pub prefix: Option<String>,
    /// Provider, which selects protocol and authentication.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(extend("default" = "generic"))]
    pub provider: Option<BucketProvider>,
    /// Secret with the address of a proxy and optional credentials.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub proxy_secret_ref: Option<LocalObjectReference>,
    /// Region of the object store.
    #[serde(
        default,
        deserialize_with = "lenient::text",
        skip_serializing_if = "Option::is_none"
    )]
    pub region: Option<String>,
    /// Secret with the credentials.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub secret_ref: Option<LocalObjectReference>,
    /// `ServiceAccount` whose identity authenticates to the provider.
    #[serde(
        default,
        deserialize_with = "lenient::text",
        skip_serializing_if = "Option::is_none"
    )]
    pub service_account_name: Option<String>,
    /// Security token service for temporary credentials.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sts: Option<SecurityTokenService>,
    /// Suspends reconciliation. The last artifact stays.
    #[serde(default, skip_serializing_if = "lenient::is_false")]
    pub suspend: bool,
    /// Timeout of each operation on the object store.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(extend("default" = "60s", "pattern" = TIMEOUT_PATTERN))]
    pub timeout: Option<Duration>,
}

words! {
    /// Providers of object stores.
    #[derive(Default)]
    pub enum BucketProvider {
        /// Any S3-compatible store, with credentials from a Secret.
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

/// Security token service for temporary credentials of an object store.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct SecurityTokenService {
    /// Secret with a client certificate and key, or with the CA certificate of the service.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cert_secret_ref: Option<LocalObjectReference>,
    /// Address of the service.
    #[schemars(regex(pattern = "^(http|https)://.*$"))]
    pub endpoint: String,
    /// Protocol of the service.
    pub provider: SecurityTokenProvider,
    /// Secret with the user name and password for the service.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub secret_ref: Option<LocalObjectReference>,
}

words! {
    /// Protocols of security token services.
    #[derive(Default)]
    pub enum SecurityTokenProvider {
        /// AWS STS.
        #[default]
        Aws = "aws",
        /// LDAP users of an S3-compatible store.
        Ldap = "ldap",
    }
}

/// Observed state of a bucket.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(extend("default" = unobserved()))]
pub struct BucketStatus {
    /// Artifact of the last successful download.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub artifact: Option<Artifact>,
    /// Conditions of the bucket.
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
    /// Ignore rules of the artifact.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub observed_ignore: Option<String>,
    /// Download address of the latest artifact.
    #[serde(
        default,
        deserialize_with = "lenient::text",
        skip_serializing_if = "Option::is_none"
    )]
    pub url: Option<String>,
}

toolkit_resource!(Bucket);
