//! Services of Azure: their scopes, and the hosts that may receive their tokens. Pure.

use url::Url;

use super::Cloud;
use crate::allowlist::{HostAllowlist, is_below};
use crate::error::IdentityError;

/// A service that accepts tokens.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Service {
    /// Azure DevOps: repositories and commit statuses.
    DevOps,
    /// Containers of blobs.
    Blobs,
    /// Event Hubs.
    EventHubs,
}

impl Service {
    /// Returns the scope of a token.
    pub fn scope(self) -> &'static str {
        match self {
            Self::DevOps => super::DEV_OPS,
            Self::Blobs => super::BLOBS,
            Self::EventHubs => super::EVENT_HUBS,
        }
    }

    /// Checks that an address may receive a token. The token of an object may go to any host with
    /// TLS. The controller's goes to the service itself, or to a listed host.
    pub fn check(
        self,
        url: &Url,
        is_controller: bool,
        cloud: &Cloud,
        listed: &HostAllowlist,
    ) -> Result<(), IdentityError> {
        let host = url.host_str().unwrap_or_default();
        let is_plain = url.username().is_empty() && url.password().is_none();
        if url.scheme() != "https" || host.is_empty() || !is_plain {
            return Err(IdentityError::Unusable(format!(
                "a token of Azure needs an https URL without user information, not one of '{host}'"
            )));
        }
        if !is_controller || self.is_own(host, cloud) || listed.allows(host) {
            return Ok(());
        }
        Err(IdentityError::Unusable(format!(
            "the controller's token of Azure is not sent to '{host}': set a service account in the \
             object, or list the host in --identity-host-allowlist"
        )))
    }

    fn is_own(self, host: &str, cloud: &Cloud) -> bool {
        let below = |prefix: &str| {
            let suffix = cloud.suffix;
            suffix.is_some_and(|suffix| is_below(host, &format!("{prefix}.{suffix}")))
        };
        match self {
            Self::DevOps => host == "dev.azure.com" || is_below(host, "visualstudio.com"),
            Self::Blobs => below("blob.core") || is_below(host, "blob.storage.azure.net"),
            Self::EventHubs => below("servicebus"),
        }
    }
}

/// Returns the scope of a Key Vault. Its address decides where a token goes, so it must be one of
/// the cloud, or a listed host. The scope is never taken from the server.
pub(super) fn vault_scope(
    url: &Url,
    cloud: &Cloud,
    listed: &HostAllowlist,
) -> Result<String, IdentityError> {
    let host = url.host_str().unwrap_or_default();
    let is_bare = url.scheme() == "https"
        && url.port().is_none()
        && url.username().is_empty()
        && url.password().is_none()
        && url.path() == "/"
        && url.query().is_none()
        && url.fragment().is_none();
    let suffix = cloud.vaults.iter().find(|suffix| is_below(host, suffix));
    let parent = || host.split_once('.').filter(|_| listed.allows(host));
    let suffix = suffix.copied().or_else(|| Some(parent()?.1));
    match suffix {
        Some(suffix) if is_bare => Ok(format!("https://{suffix}/.default")),
        _ => Err(IdentityError::Unusable(format!(
            "'{}' is not the https address of a Key Vault below {}; the operator can list other \
             hosts in --identity-host-allowlist",
            host.escape_debug(),
            cloud.vaults.join(" or ")
        ))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cloud() -> Cloud {
        Cloud::of(&crate::environment::Environment::default()).unwrap()
    }

    #[test]
    fn token_of_the_controller_stays_at_its_service() {
        let listed = HostAllowlist::parse(["git.example.com"]).unwrap();
        let check = |service: Service, url: &str, is_controller: bool| {
            let url = Url::parse(url).unwrap();
            service.check(&url, is_controller, &cloud(), &listed)
        };
        for (service, url) in [
            (Service::DevOps, "https://dev.azure.com/org/_git/repo"),
            (Service::DevOps, "https://org.visualstudio.com/_git/repo"),
            (Service::DevOps, "https://git.example.com/repo"),
            (Service::Blobs, "https://store.blob.core.windows.net/"),
            (Service::Blobs, "https://store.z1.blob.storage.azure.net/"),
            (Service::EventHubs, "https://hub.servicebus.windows.net/"),
        ] {
            check(service, url, true).unwrap();
        }
        for (service, url) in [
            (Service::DevOps, "https://evil.io/dev.azure.com"),
            (Service::DevOps, "https://dev.azure.com.evil.io/"),
            (Service::DevOps, "https://evilvisualstudio.com/"),
            (Service::Blobs, "https://store.blob.core.chinacloudapi.cn/"),
            (Service::Blobs, "https://blob.core.windows.net/"),
            (
                Service::EventHubs,
                "https://evil.io/?hub.servicebus.windows.net",
            ),
        ] {
            let message = check(service, url, true).unwrap_err().to_string();
            assert!(message.contains("--identity-host-allowlist"), "{message}");
            check(service, url, false).unwrap();
        }
        for url in ["http://dev.azure.com/", "https://user@dev.azure.com/"] {
            for is_controller in [true, false] {
                let message = check(Service::DevOps, url, is_controller).unwrap_err();
                assert!(
                    message.to_string().contains("needs an https URL"),
                    "{message}"
                );
            }
        }
    }

    #[test]
    fn vault_must_be_below_the_cloud() {
        let listed = HostAllowlist::parse(["keys.vault.local"]).unwrap();
        let scope = |url: &str| vault_scope(&Url::parse(url).unwrap(), &cloud(), &listed);
        for (url, expected) in [
            (
                "https://keys.vault.azure.net",
                "https://vault.azure.net/.default",
            ),
            (
                "https://keys.managedhsm.azure.net/",
                "https://managedhsm.azure.net/.default",
            ),
            ("https://keys.vault.local", "https://vault.local/.default"),
        ] {
            assert_eq!(scope(url).unwrap(), expected);
        }
        for bad in [
            "http://keys.vault.azure.net",
            "https://169.254.169.254/",
            "https://keys.vault.azure.net.evil.io",
            "https://keys.vault.azure.net:8443",
            "https://keys.vault.azure.net/x",
            "https://user@keys.vault.azure.net",
            "https://keys.vault.azure.cn",
        ] {
            assert!(scope(bad).is_err(), "{bad}");
        }
    }
}
