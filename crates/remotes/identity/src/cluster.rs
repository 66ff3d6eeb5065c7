//! Addresses of clusters.

use url::Url;

use crate::error::IdentityError;

/// Address and certificate authority of a cluster.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ClusterAccess {
    /// URL of the API server.
    pub address: String,
    /// Certificates in PEM.
    pub ca: Vec<u8>,
}

/// Returns an address of an API server as `https://host:port`, to compare it with another one.
pub fn canonical_address(address: &str) -> Result<String, IdentityError> {
    if address.is_empty() {
        return Err(IdentityError::Unusable("empty address".to_owned()));
    }
    let full = if address.starts_with("http") {
        address.to_owned()
    } else {
        format!("https://{address}")
    };
    let invalid = |why: &str| {
        IdentityError::Unusable(format!(
            "failed to parse Kubernetes API server address '{}': {why}",
            full.escape_debug()
        ))
    };
    let url = Url::parse(&full).map_err(|error| invalid(&error.to_string()))?;
    if url.scheme() != "https" {
        return Err(IdentityError::Unusable(format!(
            "the Kubernetes API server address '{full}' must use https scheme"
        )));
    }
    let host = url.host_str().ok_or_else(|| invalid("it names no host"))?;
    Ok(format!("https://{host}:{}", url.port().unwrap_or(443)))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Cases of `TestParseClusterAddress` of `fluxcd/pkg/auth`.
    #[test]
    fn address_has_scheme_and_port() {
        for (address, expected) in [
            ("https://example.com:443", "https://example.com:443"),
            ("example.com", "https://example.com:443"),
            ("EXAMPLE.COM:8080", "https://example.com:8080"),
            ("34.44.60.80", "https://34.44.60.80:443"),
        ] {
            assert_eq!(canonical_address(address).unwrap(), expected);
        }
        for (address, expected) in [
            ("", "empty address"),
            (
                "a b",
                "failed to parse Kubernetes API server address 'https://a b':",
            ),
            (
                "http://example.com:443",
                "Kubernetes API server address 'http://example.com:443' must use https scheme",
            ),
        ] {
            let message = canonical_address(address).unwrap_err().to_string();
            assert!(message.contains(expected), "{message}");
        }
    }
}
