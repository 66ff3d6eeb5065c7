//! The config map that describes a remote cluster. Pure.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde_json::json;
use sluice_identity::{Provider, canonical_address};
use url::Url;

use super::error::{AddressError, RemoteError};
use crate::secrets::ConfigData;

/// Start of a certificate in PEM.
const CERTIFICATE: &str = "-----BEGIN CERTIFICATE-----";

/// The cluster that a config map describes.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct ClusterConfig {
    pub(super) provider: Provider,
    /// The name of the cluster in its cloud.
    pub(super) cluster: Option<String>,
    /// The address as written.
    pub(super) address: Option<String>,
    pub(super) authority: Option<String>,
    /// The audiences of the token of a service account.
    pub(super) audiences: Vec<String>,
    pub(super) account: Option<String>,
}

impl ClusterConfig {
    pub(super) fn of(config: &ConfigData) -> Result<Self, RemoteError> {
        let text = |name: &str| config.data.get(name).map(|text| text.trim());
        let some = |name| {
            let text = text(name).filter(|text| !text.is_empty());
            text.map(str::to_owned)
        };
        let provider = match text("provider").unwrap_or_default() {
            "generic" => Provider::Generic,
            "aws" => Provider::Aws,
            "azure" => Provider::Azure,
            "gcp" => Provider::Gcp,
            other => return Err(RemoteError::Provider(other.to_owned())),
        };
        let authority = some("ca.crt");
        if authority
            .as_ref()
            .is_some_and(|pem| !pem.contains(CERTIFICATE))
        {
            return Err(RemoteError::ConfigEntry {
                config: config.key.clone(),
                entry: "ca.crt",
                reason: "holds no certificate in PEM".to_owned(),
            });
        }
        let listed = text("audiences").unwrap_or_default().lines();
        let mut audiences = Vec::new();
        for audience in listed.map(str::trim).filter(|line| !line.is_empty()) {
            if !audiences.iter().any(|listed| listed == audience) {
                audiences.push(audience.to_owned());
            }
        }
        Ok(Self {
            provider,
            cluster: some("cluster"),
            address: some("address"),
            authority,
            audiences,
            account: some("serviceAccountName"),
        })
    }

    /// Returns the server of the provider `generic`, which needs an address.
    pub(super) fn generic_server(&self) -> Result<String, AddressError> {
        let written = self.address.as_deref().ok_or(AddressError::Missing)?;
        canonical_address(written).map_err(|error| AddressError::Invalid(written.to_owned(), error))
    }

    /// Returns the audiences of the provider `generic`: the address is the default.
    pub(super) fn generic_audiences(&self) -> Vec<String> {
        if self.audiences.is_empty() {
            self.address.clone().into_iter().collect()
        } else {
            self.audiences.clone()
        }
    }
}

/// Returns the URL of a server of a cloud. Unlike a canonical address it keeps the path: a gateway
/// serves several clusters.
pub(super) fn server_url(address: &str) -> Result<String, AddressError> {
    let canonical = canonical_address(address)
        .map_err(|error| AddressError::Invalid(address.to_owned(), error))?;
    let full = if address.starts_with("http") {
        address.to_owned()
    } else {
        format!("https://{address}")
    };
    let url = Url::parse(&full).ok();
    let path = url.as_ref().map_or("", Url::path).trim_end_matches('/');
    Ok(format!("{canonical}{path}"))
}

/// Returns the host of a URL.
pub(super) fn host_of(url: &str) -> String {
    let url = Url::parse(url).ok();
    url.and_then(|url| url.host_str().map(str::to_owned))
        .unwrap_or_default()
}

/// A kubeconfig without credentials: each request gets its token.
pub(super) fn kubeconfig(address: &str, authority: Option<&[u8]>) -> String {
    let mut cluster = json!({"server": address});
    if let Some(authority) = authority {
        cluster["certificate-authority-data"] = STANDARD.encode(authority).into();
    }
    json!({
        "apiVersion": "v1", "kind": "Config", "current-context": "remote",
        "contexts": [{"name": "remote", "context": {"cluster": "remote", "user": "remote"}}],
        "clusters": [{"name": "remote", "cluster": cluster}],
        "users": [{"name": "remote", "user": {}}],
    })
    .to_string()
}
