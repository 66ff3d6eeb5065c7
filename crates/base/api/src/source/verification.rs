//! Registry providers and signature verification.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::{meta::LocalObjectReference, word::words};

words! {
    /// Providers of registries.
    #[derive(Default)]
    pub enum RegistryProvider {
        /// Any registry, with credentials from a Secret.
        #[default]
        Generic = "generic",
        /// Amazon ECR, by workload identity.
        Aws = "aws",
        /// Azure Container Registry, by workload identity.
        Azure = "azure",
        /// Google Artifact Registry, by workload identity.
        Gcp = "gcp",
    }
}

words! {
    /// Tools for signatures.
    #[derive(Default)]
    pub enum VerificationProvider {
        /// Sigstore's cosign.
        #[default]
        Cosign = "cosign",
        /// The Notary Project's notation.
        Notation = "notation",
    }
}

/// Accepted identity of a signer for keyless verification.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct OidcIdentity {
    /// Regular expression for the issuer of the identity.
    pub issuer: String,
    /// Regular expression for the subject of the identity.
    pub subject: String,
}

/// Signature verification of a chart in an OCI registry.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct ChartVerification {
    /// Accepted identities of the signer for keyless verification.
    #[serde(
        default,
        rename = "matchOIDCIdentity",
        skip_serializing_if = "Vec::is_empty"
    )]
    pub match_oidc_identity: Vec<OidcIdentity>,
    /// Tool that signed the chart.
    #[schemars(extend("default" = "cosign"))]
    pub provider: VerificationProvider,
    /// Secret with the trusted public keys or certificates.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub secret_ref: Option<LocalObjectReference>,
}
