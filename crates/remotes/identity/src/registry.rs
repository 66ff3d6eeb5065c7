//! Registries of the clouds: which provider logs in to a host. Pure.
//!
//! A password must never reach another host. The patterns are anchored, unlike Flux's for AWS, and
//! a port or an unusual spelling is refused.

use crate::allowlist::{is_below, is_host};
use crate::error::IdentityError;
use crate::pattern::pattern;
use crate::provider::Provider;

const AWS_PATTERN: &str = r"^[0-9]{1,30}\.dkr[.-]ecr(-fips)?\.([a-z]{2,5}(?:-[a-z0-9]{1,20}){1,4})\.(amazonaws\.com(\.cn)?|amazonaws\.eu|sc2s\.sgov\.gov|c2s\.ic\.gov|cloud\.adc-e\.uk|csp\.hci\.ic\.gov|on\.aws)$";
const AZURE_PATTERN: &str = r"^[^/]+\.(azurecr\.io|azurecr\.cn|azurecr\.de|azurecr\.us)$";
const GCP_PATTERN: &str = r"^(([^/]+\.)?gcr\.io|[^/.]+-docker\.pkg\.dev|docker\.s3nsregistry\.fr)$";
const PUBLIC_ECR: &str = "public.ecr.aws";

/// A registry of a cloud.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum CloudRegistry {
    /// Private registries of Amazon in a region.
    Ecr {
        /// Region.
        region: String,
    },
    /// The public registry of Amazon.
    PublicEcr,
    /// A registry of Azure.
    Acr {
        /// Host.
        host: String,
    },
    /// Artifact Registry or Container Registry of Google.
    Gar,
}

impl CloudRegistry {
    /// Returns the registry of a host for a provider. `azure_suffix` is the domain of registries
    /// of a cloud that a file describes.
    pub fn parse(
        provider: Provider,
        host: &str,
        azure_suffix: Option<&str>,
    ) -> Result<Self, IdentityError> {
        pattern!(AWS, AWS_PATTERN);
        pattern!(AZURE, AZURE_PATTERN);
        pattern!(GCP, GCP_PATTERN);
        let host = normalize(host);
        let refused = |name: &str, rule: &str| {
            IdentityError::Unusable(format!("invalid {name} registry: '{host}'. must {rule}"))
        };
        let is_plain = is_host(&host);
        match provider {
            Provider::Aws if host == PUBLIC_ECR => Ok(Self::PublicEcr),
            Provider::Aws => {
                let parts = AWS.captures(&host).filter(|_| is_plain);
                let parts = parts.ok_or_else(|| refused("AWS", &format!("match {AWS_PATTERN}")))?;
                Ok(Self::Ecr {
                    region: parts[2].to_owned(),
                })
            }
            Provider::Azure if is_plain && AZURE.is_match(&host) => Ok(Self::Acr { host }),
            Provider::Azure => match azure_suffix {
                Some(suffix) if is_plain && is_below(&host, suffix.trim_start_matches('.')) => {
                    Ok(Self::Acr { host })
                }
                Some(suffix) => Err(refused("Azure", &format!("end with {suffix}"))),
                None => Err(refused("Azure", &format!("match {AZURE_PATTERN}"))),
            },
            Provider::Gcp if is_plain && GCP.is_match(&host) => Ok(Self::Gar),
            Provider::Gcp => Err(refused("GCP", &format!("match {GCP_PATTERN}"))),
            Provider::GitHub | Provider::Generic => Err(IdentityError::Unusable(format!(
                "the provider '{provider}' has no registries: '{host}'"
            ))),
        }
    }

    /// Returns the provider that logs in to a host; `None` for other hosts.
    pub fn provider_of(host: &str) -> Option<Provider> {
        [Provider::Aws, Provider::Azure, Provider::Gcp]
            .into_iter()
            .find(|provider| Self::parse(*provider, host, None).is_ok())
    }
}

/// Returns a host in lower case, without the port of HTTPS.
fn normalize(host: &str) -> String {
    let host = host.to_ascii_lowercase();
    host.strip_suffix(":443").unwrap_or(&host).to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(provider: Provider, host: &str) -> Result<CloudRegistry, String> {
        CloudRegistry::parse(provider, host, None).map_err(|error| error.to_string())
    }

    /// Hosts of the tests of `fluxcd/pkg/auth/aws`.
    #[test]
    fn ecr_host_names_its_region() {
        for (host, region) in [
            ("012345678901.dkr.ecr.us-east-1.amazonaws.com", "us-east-1"),
            (
                "012345678901.dkr.ecr-fips.us-west-2.amazonaws.com",
                "us-west-2",
            ),
            (
                "012345678901.dkr.ecr-fips.us-gov-west-1.amazonaws.com",
                "us-gov-west-1",
            ),
            (
                "012345678901.dkr.ecr.cn-north-1.amazonaws.com.cn",
                "cn-north-1",
            ),
            (
                "012345678901.dkr.ecr.us-isob-east-1.sc2s.sgov.gov",
                "us-isob-east-1",
            ),
            (
                "012345678901.dkr.ecr.us-iso-east-1.c2s.ic.gov",
                "us-iso-east-1",
            ),
            (
                "012345678901.dkr.ecr.eu-isoe-west-1.cloud.adc-e.uk",
                "eu-isoe-west-1",
            ),
            (
                "012345678901.dkr.ecr.us-isof-south-1.csp.hci.ic.gov",
                "us-isof-south-1",
            ),
            (
                "012345678901.dkr.ecr.eusc-de-east-1.amazonaws.eu",
                "eusc-de-east-1",
            ),
            ("012345678901.dkr-ecr.us-east-1.on.aws", "us-east-1"),
            (
                "012345678901.DKR.ECR.us-east-1.amazonaws.com:443",
                "us-east-1",
            ),
        ] {
            let region = region.to_owned();
            assert_eq!(
                parse(Provider::Aws, host),
                Ok(CloudRegistry::Ecr { region })
            );
        }
        assert_eq!(
            parse(Provider::Aws, "public.ecr.aws"),
            Ok(CloudRegistry::PublicEcr)
        );
    }

    #[test]
    fn foreign_host_gets_no_login() {
        for host in [
            "1.dkr.ecr.eu-west-1.amazonaws.com.evil.io",
            "evil.1.dkr.ecr.eu-west-1.amazonaws.com",
            "1.dkr.ecr.eu-west-1.amazonaws.com.",
            "1.dkr.ecr.eu-west-1.amazonaws.com:5000",
            "1.dkr.ecr.eu-west-1@evil.amazonaws.com",
            "1.dkr.ecr..amazonaws.com",
            ".dkr.ecr.eu-west-1.amazonaws.com",
            "ghcr.io",
            "",
        ] {
            let message = parse(Provider::Aws, host).unwrap_err();
            let start = format!("invalid AWS registry: '{host}'. must match ^[0-9]");
            assert!(message.starts_with(&start), "{message}");
            assert_eq!(CloudRegistry::provider_of(host), None);
        }
        for host in [
            "azurecr.io",
            "a.azurecr.io.evil.io",
            "a.azurecr.io:8443",
            "é.azurecr.io",
        ] {
            assert!(parse(Provider::Azure, host).is_err(), "{host}");
        }
        for host in [
            "evilgcr.io",
            "a.b-docker.pkg.dev",
            "gcr.io.evil.io",
            "x.s3nsregistry.fr",
        ] {
            assert!(parse(Provider::Gcp, host).is_err(), "{host}");
        }
        assert!(parse(Provider::Generic, "gcr.io").is_err());
    }

    /// Hosts of the tests of `fluxcd/pkg/auth/gcp` and `auth/azure`.
    #[test]
    fn registry_host_names_its_provider() {
        for (host, provider) in [
            ("gcr.io", Provider::Gcp),
            ("foo.gcr.io", Provider::Gcp),
            ("us-central1-docker.pkg.dev", Provider::Gcp),
            ("docker.s3nsregistry.fr", Provider::Gcp),
            ("foo.azurecr.io", Provider::Azure),
            ("foo.azurecr.cn", Provider::Azure),
            ("foo.azurecr.de", Provider::Azure),
            ("foo.azurecr.us", Provider::Azure),
        ] {
            assert_eq!(CloudRegistry::provider_of(host), Some(provider), "{host}");
        }
    }

    #[test]
    fn azure_suffix_matches_at_a_label() {
        let below = |host| CloudRegistry::parse(Provider::Azure, host, Some("azurecr.private"));
        assert!(below("foo.azurecr.private").is_ok());
        for host in [
            "fooazurecr.private",
            "azurecr.private",
            "foo.azurecr.private.evil.io",
        ] {
            let message = below(host).unwrap_err().to_string();
            assert!(
                message.ends_with("must end with azurecr.private"),
                "{message}"
            );
        }
    }
}
