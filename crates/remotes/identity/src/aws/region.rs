//! Regions, partitions and the hosts of services. Pure.

use url::Url;

use crate::environment::Environment;
use crate::error::IdentityError;
use crate::pattern::pattern;

/// Maximum length of a region, which is a label of a host name.
const MAX_REGION: usize = 63;

/// The domains of a partition, by the prefix of its regions.
const PARTITIONS: [(&str, &str, &str); 8] = [
    ("cn-", "amazonaws.com.cn", "api.amazonwebservices.com.cn"),
    ("eusc-", "amazonaws.eu", "api.amazonwebservices.eu"),
    ("us-gov-", "amazonaws.com", "api.aws"),
    ("us-iso-", "c2s.ic.gov", "api.aws.ic.gov"),
    ("us-isob-", "sc2s.sgov.gov", "api.aws.scloud"),
    ("eu-isoe-", "cloud.adc-e.uk", "api.cloud-aws.adc-e.uk"),
    ("us-isof-", "csp.hci.ic.gov", "api.aws.hci.ic.gov"),
    ("", "amazonaws.com", "api.aws"),
];

/// A service with an endpoint in each region.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Service {
    /// Registries.
    Ecr,
    /// Clusters.
    Eks,
    /// Keys.
    Kms,
    /// Temporary credentials.
    Sts,
}

/// Variants of an endpoint.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct EndpointOptions {
    /// Validated cryptography (FIPS 140).
    pub fips: bool,
    /// IPv4 and IPv6.
    pub dual_stack: bool,
}

impl Service {
    /// Returns the signing name.
    pub fn name(self) -> &'static str {
        match self {
            Self::Ecr => "ecr",
            Self::Eks => "eks",
            Self::Kms => "kms",
            Self::Sts => "sts",
        }
    }

    /// Returns the host of the service in a region.
    pub fn host(self, region: &str, options: EndpointOptions) -> Result<String, IdentityError> {
        check_region(region)?;
        let (prefix, suffix, dual_suffix) = partition(region);
        let EndpointOptions { fips, dual_stack } = options;
        let service = self.name();
        // Some services were there before the rule.
        let name = match (self, fips, dual_stack, prefix) {
            (Self::Ecr, false, false, _) => "api.ecr".to_owned(),
            (Self::Ecr, true, false, _) => "api.ecr-fips".to_owned(),
            (Self::Eks, true, false, "") => "fips.eks".to_owned(),
            (Self::Eks | Self::Sts, true, false, "us-gov-") | (_, false, ..) => service.to_owned(),
            (_, true, ..) => format!("{service}-fips"),
        };
        let suffix = if dual_stack { dual_suffix } else { suffix };
        Ok(format!("{name}.{region}.{suffix}"))
    }
}

impl Environment {
    /// Returns the endpoint of a service in a region: as a variable names it, or by the region.
    pub fn endpoint(&self, service: Service, region: &str) -> Result<Url, IdentityError> {
        let options = EndpointOptions {
            fips: self.is_on("AWS_USE_FIPS_ENDPOINT"),
            dual_stack: self.is_on("AWS_USE_DUALSTACK_ENDPOINT"),
        };
        let host = service.host(region, options)?;
        let variable = format!("AWS_ENDPOINT_URL_{}", service.name().to_ascii_uppercase());
        for name in [variable.as_str(), "AWS_ENDPOINT_URL"] {
            if let Some(address) = self.get(name) {
                return parse_endpoint(name, address);
            }
        }
        parse_endpoint("the endpoint", &format!("https://{host}/"))
    }

    fn is_on(&self, name: &str) -> bool {
        let value = self.get(name);
        value.is_some_and(|value| value.eq_ignore_ascii_case("true"))
    }
}

/// Checks a region before it becomes part of a host name.
pub fn check_region(region: &str) -> Result<(), IdentityError> {
    pattern!(REGION, r"^[a-z]{2,5}(-[a-z0-9]{1,20}){1,4}$");
    if region.len() <= MAX_REGION && REGION.is_match(region) {
        return Ok(());
    }
    let shown: String = region.chars().take(MAX_REGION).collect();
    Err(IdentityError::Unusable(format!(
        "'{}' is not an AWS region",
        shown.escape_debug()
    )))
}

/// Checks an STS endpoint in an object, whose author must not choose where tokens go.
pub fn check_sts_endpoint(address: &str) -> Result<(), IdentityError> {
    // The pattern of Flux, for the message. The check itself is stricter.
    const SHOWN: &str = r"^https://(.+\.)?sts(-fips)?(\.[^.]+)?(\.vpce)?\.amazonaws\.com$";
    let is_sts = || {
        let host = address.strip_prefix("https://")?;
        let (_, suffix, _) = PARTITIONS
            .iter()
            .filter(|(_, suffix, _)| host.ends_with(&format!(".{suffix}")))
            .max_by_key(|(_, suffix, _)| suffix.len())?;
        let labels: Vec<&str> = host
            .strip_suffix(suffix)?
            .strip_suffix('.')?
            .split('.')
            .collect();
        let is_label = |label: &&str| {
            !label.is_empty()
                && label
                    .bytes()
                    .all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'-')
        };
        if !labels.iter().all(is_label) {
            return None;
        }
        let rest = labels.strip_suffix(&["vpce"]).unwrap_or(&labels);
        let is_service = |label: &str| matches!(label, "sts" | "sts-fips");
        match rest {
            [.., service] if is_service(service) => Some(()),
            [.., service, region] if is_service(service) => check_region(region).ok(),
            _ => None,
        }
    };
    is_sts().ok_or_else(|| {
        IdentityError::Unusable(format!(
            "invalid STS endpoint: '{}'. must match {SHOWN}",
            address.escape_debug()
        ))
    })
}

fn parse_endpoint(name: &str, address: &str) -> Result<Url, IdentityError> {
    let refused = |why: &str| IdentityError::Unusable(format!("{name} is '{address}', {why}"));
    let url = Url::parse(address).map_err(|_| refused("which is not a URL"))?;
    if !matches!(url.scheme(), "http" | "https") || url.host_str().is_none() {
        return Err(refused("which is neither http nor https"));
    }
    Ok(url)
}

fn partition(region: &str) -> (&'static str, &'static str, &'static str) {
    let found = PARTITIONS
        .iter()
        .find(|(prefix, ..)| region.starts_with(prefix));
    found.copied().unwrap_or(PARTITIONS[PARTITIONS.len() - 1])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hosts_equal_those_of_botocore() {
        let services = [Service::Ecr, Service::Eks, Service::Kms, Service::Sts];
        let lines = include_str!("endpoints.txt").lines();
        for line in lines.filter(|line| !line.starts_with('#')) {
            let fields: Vec<&str> = line.split(' ').collect();
            let [name, region, hosts @ ..] = fields.as_slice() else {
                panic!("{line}");
            };
            let service = services.iter().find(|service| service.name() == *name);
            for (host, (fips, dual_stack)) in
                hosts
                    .iter()
                    .zip([(false, false), (true, false), (false, true), (true, true)])
            {
                let options = EndpointOptions { fips, dual_stack };
                assert_eq!(service.unwrap().host(region, options).unwrap(), *host);
            }
        }
    }

    #[test]
    fn region_cannot_change_the_host() {
        for region in [
            "",
            "eu",
            "eu-west-1/",
            "eu-west-1@evil",
            "eu-west-1.evil.io",
            "EU-WEST-1",
            "eu-west-1\n",
            &"eu-west".repeat(10),
        ] {
            let error = Service::Sts.host(region, EndpointOptions::default());
            let error = error.unwrap_err().to_string();
            assert!(error.ends_with("is not an AWS region"), "{error}");
        }
    }

    #[test]
    fn sts_endpoint_is_checked_by_labels() {
        // The first ones are of the tests of `fluxcd/pkg/auth/aws`.
        for good in [
            "https://sts.amazonaws.com",
            "https://sts.us-east-1.amazonaws.com",
            "https://sts-fips.us-east-1.amazonaws.com",
            "https://vpce-002b7cc8966426bc6-njisq19r.sts.us-east-1.vpce.amazonaws.com",
            "https://vpce-002b7cc8966426bc6-njisq19r-us-east-1a.sts.us-east-1.vpce.amazonaws.com",
            "https://sts.cn-north-1.amazonaws.com.cn",
        ] {
            check_sts_endpoint(good).unwrap();
        }
        for bad in [
            "https://sts.amazonaws.com/",
            "http://sts.amazonaws.com",
            "https://evil.io/?x.sts.amazonaws.com",
            "https://evil.io#.sts.amazonaws.com",
            "https://user@sts.amazonaws.com",
            "https://sts.amazonaws.com:8443",
            "https://sts.amazonaws.com.evil.io",
            "https://stsamazonaws.com",
            "https://evil.sts.a_b.amazonaws.com",
            "https://s3.amazonaws.com",
        ] {
            let error = check_sts_endpoint(bad).unwrap_err().to_string();
            assert!(error.starts_with("invalid STS endpoint: '"), "{error}");
        }
    }
}
