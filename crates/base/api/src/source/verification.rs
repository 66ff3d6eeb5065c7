//! What registries have in common: who runs them, and who signs what they hold.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::{meta::LocalObjectReference, word::words};

words! {
    /// Who runs a registry, as far as authentication goes.
    #[derive(Default)]
    pub enum RegistryProvider {
        /// Anyone: the credentials are in a Secret.
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
    /// The tool that an artifact was signed with.
    #[derive(Default)]
    pub enum VerificationProvider {
        /// Sigstore's cosign.
        #[default]
        Cosign = "cosign",
        /// The Notary Project's notation.
        Notation = "notation",
    }
}

/// An identity that may have signed, when no key is given.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct OidcIdentity {
    /// A regular expression over the issuer of the identity.
    pub issuer: String,
    /// A regular expression over the subject of the identity.
    pub subject: String,
}

/// Demands a signature on a chart in an OCI registry.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct ChartVerification {
    /// Identities of which one must have signed, when no key is given.
    #[serde(
        default,
        rename = "matchOIDCIdentity",
        skip_serializing_if = "Vec::is_empty"
    )]
    pub match_oidc_identity: Vec<OidcIdentity>,
    /// The tool that the chart was signed with.
    #[schemars(extend("default" = "cosign"))]
    pub provider: VerificationProvider,
    /// A Secret with the public keys or certificates that are trusted.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub secret_ref: Option<LocalObjectReference>,
}
