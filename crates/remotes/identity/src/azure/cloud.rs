//! The clouds of Azure: public, sovereign, or described by a file.

use serde::Deserialize;
use sluice_dial::has_loopback_host;
use sluice_system::fs;
use url::Url;

use crate::environment::{Environment, MAX_TOKEN_FILE};
use crate::error::IdentityError;

const FILE_VARIABLE: &str = "AZURE_ENVIRONMENT_FILEPATH";
pub(super) const PUBLIC_AUTHORITY: &str = "https://login.microsoftonline.com/";
/// Scope of registries in all clouds without a file.
const REGISTRIES: &str = "https://containerregistry.azure.net/.default";

/// Addresses and scopes of a cloud.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Cloud {
    /// Address of the resource manager.
    pub manager: String,
    /// Scope of the resource manager.
    pub manager_scope: String,
    /// Scope of registries.
    pub registry_scope: String,
    /// Suffix of the hosts of services; `None` if a file describes the cloud.
    pub suffix: Option<&'static str>,
    /// Suffixes of Key Vault hosts.
    pub vaults: &'static [&'static str],
}

/// The settings of a file that names a cloud. The field names are Kubernetes'.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct CloudFile {
    #[serde(default, rename = "containerRegistryDNSSuffix")]
    registry_suffix: String,
    #[serde(default)]
    resource_manager_endpoint: String,
    #[serde(default)]
    token_audience: String,
}

impl Cloud {
    /// Returns the cloud of an environment.
    pub fn of(environment: &Environment) -> Result<Self, IdentityError> {
        if let Some(file) = read_file(environment)? {
            if file.resource_manager_endpoint.is_empty() || file.token_audience.is_empty() {
                return Err(IdentityError::Unusable(
                    "resourceManagerEndpoint and tokenAudience must be set in the environment file"
                        .to_owned(),
                ));
            }
            return Ok(Self {
                manager_scope: format!("{}/.default", file.token_audience),
                registry_scope: format!("{}/.default", file.resource_manager_endpoint),
                manager: file.resource_manager_endpoint,
                suffix: None,
                vaults: &[],
            });
        }
        let authority = environment.get("AZURE_AUTHORITY_HOST").unwrap_or_default();
        let (manager, suffix, vaults): (_, _, &[&str]) = if authority.contains("chinacloudapi.cn") {
            (
                "management.chinacloudapi.cn",
                "chinacloudapi.cn",
                &["vault.azure.cn", "managedhsm.azure.cn"],
            )
        } else if authority.contains("microsoftonline.us") {
            (
                "management.usgovcloudapi.net",
                "usgovcloudapi.net",
                &["vault.usgovcloudapi.net", "managedhsm.usgovcloudapi.net"],
            )
        } else {
            (
                "management.azure.com",
                "windows.net",
                &["vault.azure.net", "managedhsm.azure.net"],
            )
        };
        Ok(Self {
            manager: format!("https://{manager}"),
            // Two slashes: the audience itself ends with one.
            manager_scope: format!("https://management.core.{suffix}//.default"),
            registry_scope: REGISTRIES.to_owned(),
            suffix: Some(suffix),
            vaults,
        })
    }
}

/// Returns the suffix of registries that the file of an environment names.
pub(crate) fn registry_suffix(environment: &Environment) -> Result<Option<String>, IdentityError> {
    match read_file(environment)? {
        None => Ok(None),
        Some(file) if file.registry_suffix.is_empty() => Err(IdentityError::Unusable(
            "failed to get container registry suffix from environment file: \
             containerRegistryDNSSuffix must be set in the environment file"
                .to_owned(),
        )),
        Some(file) => Ok(Some(file.registry_suffix)),
    }
}

/// Returns the address that issues tokens. It receives secrets, so it needs TLS, except on
/// loopback.
pub(super) fn authority(environment: &Environment) -> Result<Url, IdentityError> {
    let name = "AZURE_AUTHORITY_HOST";
    parse_authority(name, environment.get(name).unwrap_or(PUBLIC_AUTHORITY))
}

/// Parses the address of an issuer. `name` is its setting, for errors.
pub(super) fn parse_authority(name: &str, given: &str) -> Result<Url, IdentityError> {
    let invalid =
        || IdentityError::Unusable(format!("{name} is '{given}', which is not an https URL"));
    let url = Url::parse(given).map_err(|_| invalid())?;
    if url.scheme() == "https" || (url.scheme() == "http" && has_loopback_host(&url)) {
        Ok(url)
    } else {
        Err(invalid())
    }
}

fn read_file(environment: &Environment) -> Result<Option<CloudFile>, IdentityError> {
    let Some(path) = environment.get(FILE_VARIABLE) else {
        return Ok(None);
    };
    let text = fs::read_limited(path, MAX_TOKEN_FILE)?;
    let file = serde_json::from_slice(&text).map_err(|error| {
        IdentityError::Unusable(format!("{FILE_VARIABLE}: {path} is not valid: {error}"))
    })?;
    Ok(Some(file))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Values of `azcore/cloud` and `azcontainerregistry` in the Go SDK.
    #[test]
    fn cloud_follows_the_authority() {
        for (authority, manager, scope) in [
            (
                "",
                "https://management.azure.com",
                "https://management.core.windows.net//.default",
            ),
            (
                "https://login.chinacloudapi.cn/",
                "https://management.chinacloudapi.cn",
                "https://management.core.chinacloudapi.cn//.default",
            ),
            (
                "https://login.microsoftonline.us/",
                "https://management.usgovcloudapi.net",
                "https://management.core.usgovcloudapi.net//.default",
            ),
        ] {
            let environment = [("AZURE_AUTHORITY_HOST", authority)].into_iter().collect();
            let cloud = Cloud::of(&environment).unwrap();
            assert_eq!(
                (cloud.manager.as_str(), cloud.manager_scope.as_str()),
                (manager, scope)
            );
            assert_eq!(cloud.registry_scope, REGISTRIES);
        }
    }

    /// Cases and messages of the tests of `fluxcd/pkg/auth/azure`.
    #[test]
    fn cloud_file_must_name_all_settings() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("cloud.json");
        let environment: Environment = [(FILE_VARIABLE, path.to_str().unwrap())]
            .into_iter()
            .collect();
        fs::write(
            &path,
            r#"{"resourceManagerEndpoint":"https://management.core.local/","tokenAudience":"https://management.core.local/","containerRegistryDNSSuffix":"azurecr.private"}"#,
        )
        .unwrap();
        let cloud = Cloud::of(&environment).unwrap();
        assert_eq!(
            cloud.manager_scope,
            "https://management.core.local//.default"
        );
        assert_eq!(
            cloud.registry_scope,
            "https://management.core.local//.default"
        );
        let suffix = registry_suffix(&environment).unwrap();
        assert_eq!(suffix.as_deref(), Some("azurecr.private"));
        fs::write(&path, "{}").unwrap();
        let message = Cloud::of(&environment).unwrap_err().to_string();
        assert_eq!(
            message,
            "resourceManagerEndpoint and tokenAudience must be set in the environment file"
        );
        let message = registry_suffix(&environment).unwrap_err().to_string();
        assert!(
            message.ends_with("containerRegistryDNSSuffix must be set in the environment file")
        );
        fs::write(&path, "no").unwrap();
        assert!(Cloud::of(&environment).is_err());
    }

    #[test]
    fn authority_needs_tls() {
        let of = |host| authority(&[("AZURE_AUTHORITY_HOST", host)].into_iter().collect());
        assert!(of("http://login.example.com/").is_err());
        assert!(of("login").is_err());
        assert!(of("http://127.0.0.1:1/").is_ok());
        assert_eq!(of("").unwrap().as_str(), PUBLIC_AUTHORITY);
    }
}
