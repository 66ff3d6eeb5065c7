//! Addresses of object stores. Pure.

use sluice_identity::aws::check_region;
use sluice_identity::aws::sigv4::encode;

/// The host and optional port of an object store.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Endpoint {
    host: String,
    port: Option<u16>,
    is_plain: bool,
}

/// The endpoint is not a host with an optional port. The texts are those of `minio-go`.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum EndpointError {
    /// The text is not a host.
    #[error("Endpoint: {0} does not follow ip address or domain name standards.")]
    Host(String),
    /// The text has a scheme, a path or user information.
    #[error("Endpoint url cannot have fully qualified paths.")]
    Path,
}

impl Endpoint {
    /// Parses `host[:port]`. `is_plain` connects without TLS.
    pub fn parse(text: &str, is_plain: bool) -> Result<Self, EndpointError> {
        if text.contains(['/', '@', '?', '#']) {
            return Err(EndpointError::Path);
        }
        let invalid = || EndpointError::Host(text.to_owned());
        let (host, port) = split_port(text).ok_or_else(invalid)?;
        let name = host.trim_start_matches('[').trim_end_matches(']');
        let is_address = name.parse::<std::net::IpAddr>().is_ok();
        if !is_address && !is_domain(host) {
            return Err(invalid());
        }
        let default = if is_plain { 80 } else { 443 };
        Ok(Self {
            host: host.to_ascii_lowercase(),
            port: port.filter(|port| *port != default),
            is_plain,
        })
    }

    /// The value of the `Host` header for a bucket, without default ports.
    pub fn authority(&self, bucket: &str) -> String {
        let host = if self.is_virtual(bucket) {
            format!("{bucket}.{}", self.host)
        } else {
            self.host.clone()
        };
        match self.port {
            Some(port) => format!("{host}:{port}"),
            None => host,
        }
    }

    /// The encoded path of a key in a bucket.
    pub fn path(&self, bucket: &str, key: &str) -> String {
        let key: Vec<String> = key.split('/').map(encode).collect();
        let key = key.join("/");
        if self.is_virtual(bucket) {
            format!("/{key}")
        } else {
            format!("/{}/{key}", encode(bucket))
        }
    }

    /// `http` or `https`.
    pub fn scheme(&self) -> &'static str {
        if self.is_plain { "http" } else { "https" }
    }

    /// Whether the store is Google's, which lists by the first version of the protocol.
    pub fn is_google(&self) -> bool {
        self.host == "storage.googleapis.com"
    }

    /// The region that an Amazon host names.
    pub fn region(&self) -> Option<&str> {
        if !self.is_amazon() {
            return None;
        }
        let labels: Vec<&str> = self.host.split('.').collect();
        let domain = labels.iter().position(|label| *label == "amazonaws")?;
        let labels = &labels[..domain];
        let labels = labels.strip_suffix(&["vpce"]).unwrap_or(labels);
        let region = labels.last()?;
        let region = region.strip_prefix("s3-").unwrap_or(region);
        let region = region.strip_prefix("fips-").unwrap_or(region);
        // Other names, such as `s3` and `s3-external-1`, serve several regions.
        check_region(region).ok().map(|()| region)
    }

    fn is_amazon(&self) -> bool {
        let is_s3 = self
            .host
            .split('.')
            .any(|label| label == "s3" || label.starts_with("s3-"));
        is_s3 && (self.host.ends_with(".amazonaws.com") || self.host.ends_with(".amazonaws.com.cn"))
    }

    /// Whether the bucket is part of the host name. A certificate covers only one label, so a
    /// bucket with a dot needs plain HTTP.
    fn is_virtual(&self, bucket: &str) -> bool {
        let is_served =
            self.is_amazon() || self.is_google() || self.host.ends_with(".aliyuncs.com");
        is_served && is_domain(bucket) && (self.is_plain || !bucket.contains('.'))
    }
}

fn split_port(text: &str) -> Option<(&str, Option<u16>)> {
    let is_bare_v6 = text.parse::<std::net::Ipv6Addr>().is_ok();
    match text.rsplit_once(':') {
        Some((host, port)) if !is_bare_v6 && !text.ends_with(']') => {
            Some((host, Some(port.parse().ok()?)))
        }
        _ => Some((text, None)),
    }
}

fn is_domain(name: &str) -> bool {
    let is_label = |label: &str| {
        let bytes = label.as_bytes();
        !label.is_empty()
            && label.len() <= 63
            && bytes
                .iter()
                .all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_'))
            && !label.starts_with('-')
            && !label.ends_with('-')
    };
    let name = name.strip_suffix('.').unwrap_or(name);
    !name.is_empty() && name.len() <= 255 && name.split('.').all(is_label)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn endpoint(text: &str) -> Endpoint {
        Endpoint::parse(text, false).unwrap()
    }

    #[test]
    fn endpoint_is_host_with_optional_port() {
        for (text, authority) in [
            ("minio.example.com", "minio.example.com"),
            ("minio:9000", "minio:9000"),
            ("minio:443", "minio"),
            ("10.0.0.1:9000", "10.0.0.1:9000"),
            ("[::1]:9000", "[::1]:9000"),
        ] {
            assert_eq!(endpoint(text).authority("apps"), authority);
        }
        assert_eq!(
            Endpoint::parse("minio:80", true).unwrap().authority("apps"),
            "minio"
        );
    }

    #[test]
    fn scheme_path_and_user_are_refused() {
        for text in ["http://minio", "minio/apps", "me@minio", "minio?x"] {
            assert_eq!(
                Endpoint::parse(text, false),
                Err(EndpointError::Path),
                "{text}"
            );
        }
        for text in ["", "-minio", "minio:port", "mi nio", "a..b", "minio:99999"] {
            let refused = Endpoint::parse(text, false);
            assert_eq!(refused, Err(EndpointError::Host(text.to_owned())));
        }
    }

    #[test]
    fn bucket_is_in_host_of_known_stores_only() {
        for (text, bucket, authority, path) in [
            ("minio:9000", "apps", "minio:9000", "/apps/a%20b/c%2Bd"),
            (
                "s3.amazonaws.com",
                "apps",
                "apps.s3.amazonaws.com",
                "/a%20b/c%2Bd",
            ),
            (
                "s3.amazonaws.com",
                "a.b",
                "s3.amazonaws.com",
                "/a.b/a%20b/c%2Bd",
            ),
            (
                "storage.googleapis.com",
                "apps",
                "apps.storage.googleapis.com",
                "/a%20b/c%2Bd",
            ),
            (
                "oss-cn-x.aliyuncs.com",
                "apps",
                "apps.oss-cn-x.aliyuncs.com",
                "/a%20b/c%2Bd",
            ),
        ] {
            let endpoint = endpoint(text);
            assert_eq!(endpoint.authority(bucket), authority);
            assert_eq!(endpoint.path(bucket, "a b/c+d"), path);
        }
    }

    #[test]
    fn amazon_host_names_region() {
        for (text, region) in [
            ("s3.amazonaws.com", None),
            ("s3-external-1.amazonaws.com", None),
            ("s3-accelerate.amazonaws.com", None),
            ("s3-fips.us-east-2.amazonaws.com", Some("us-east-2")),
            ("s3-fips-us-gov-west-1.amazonaws.com", Some("us-gov-west-1")),
            (
                "bucket.vpce-1a2b-5e6f.s3.us-east-1.vpce.amazonaws.com",
                Some("us-east-1"),
            ),
            ("s3.eu-west-1.amazonaws.com", Some("eu-west-1")),
            ("s3-eu-west-1.amazonaws.com", Some("eu-west-1")),
            ("s3.dualstack.eu-west-1.amazonaws.com", Some("eu-west-1")),
            ("s3.cn-north-1.amazonaws.com.cn", Some("cn-north-1")),
            ("minio.eu-west-1.example.com", None),
        ] {
            assert_eq!(endpoint(text).region(), region, "{text}");
        }
    }
}
