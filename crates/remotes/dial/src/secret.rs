//! The keys of a Kubernetes Secret.
//!
//! The names of keys and their rules are Flux's: some come in pairs, some exclude each other.
//! Errors name the key, and callers add the object.

use std::collections::BTreeMap;

/// User name for basic authentication.
pub const USERNAME: &str = "username";
/// Password for basic authentication, or the passphrase of an SSH key.
pub const PASSWORD: &str = "password";
/// Token for `Authorization: Bearer`.
pub const BEARER_TOKEN: &str = "bearerToken";
/// Certificate authority, PEM.
pub const CA: &str = "ca.crt";
/// Client certificate chain, PEM.
pub const TLS_CERTIFICATE: &str = "tls.crt";
/// Private key of the client certificate, PEM.
pub const TLS_KEY: &str = "tls.key";
/// Older name of [`CA`].
pub const LEGACY_CA: &str = "caFile";
/// Older name of [`TLS_CERTIFICATE`].
pub const LEGACY_CERTIFICATE: &str = "certFile";
/// Older name of [`TLS_KEY`].
pub const LEGACY_KEY: &str = "keyFile";
/// SSH private key.
pub const IDENTITY: &str = "identity";
/// Trusted SSH host keys.
pub const KNOWN_HOSTS: &str = "known_hosts";
/// Address of a proxy.
pub const ADDRESS: &str = "address";

/// Read access to the keys of a Secret.
pub trait Keys {
    /// Returns the bytes of a key; `None` if it is absent.
    fn key(&self, name: &str) -> Option<&[u8]>;

    /// Returns the bytes of a key; `None` if it is absent or empty.
    fn present(&self, name: &str) -> Option<&[u8]> {
        self.key(name).filter(|bytes| !bytes.is_empty())
    }

    /// Returns the text of a key; `None` if it is absent or empty.
    fn text(&self, name: &'static str) -> Result<Option<&str>, Invalid> {
        self.present(name)
            .map(|bytes| std::str::from_utf8(bytes).map_err(|_| Invalid::NotText(name)))
            .transpose()
    }
}

impl<V: AsRef<[u8]>> Keys for BTreeMap<String, V> {
    fn key(&self, name: &str) -> Option<&[u8]> {
        self.get(name).map(AsRef::as_ref)
    }
}

/// The keys of a Secret are invalid. The message never contains a value.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Invalid {
    /// A required key is absent or empty.
    #[error("key '{0}' not found")]
    Missing(&'static str),
    /// One key of a pair is missing.
    #[error("{} '{present}' but missing '{absent}'", if *present == USERNAME || *present == PASSWORD { "malformed basic auth - has" } else { "contains" })]
    Half {
        /// The present key.
        present: &'static str,
        /// The missing key.
        absent: &'static str,
    },
    /// Two kinds of credentials exclude each other.
    #[error("keys '{0}' and '{1}' exclude each other: set one of them")]
    Exclusive(&'static str, &'static str),
    /// The value is not a number.
    #[error("key '{0}' is not a number")]
    NotNumber(&'static str),
    /// The address is not valid for GitHub's API.
    #[error("key 'githubAppBaseURL' is not an API address: {0}")]
    BaseUrl(String),
    /// The value is not text.
    #[error("key '{0}' is not UTF-8 text")]
    NotText(&'static str),
    /// The value has characters that are invalid in a header.
    #[error("key '{0}' holds characters that cannot be sent, such as a line break")]
    NotSendable(&'static str),
    /// The value is not the expected PEM.
    #[error("key '{key}' holds no usable PEM: {reason}")]
    Pem {
        /// Key.
        key: &'static str,
        /// Reason.
        reason: String,
    },
    /// The private key does not match the certificate.
    #[error("key '{TLS_KEY}' does not belong to the certificate in '{TLS_CERTIFICATE}'")]
    Mismatch,
    /// The proxy address is invalid.
    #[error("key '{ADDRESS}' is not a proxy address: {0}")]
    Address(String),
}
