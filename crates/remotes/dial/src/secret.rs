//! What this crate sees of a Kubernetes Secret: named bytes.
//!
//! Key names and the rules between them (which come in pairs, which exclude each
//! other) are Flux's. The errors name the key; the caller, who knows the object,
//! puts its name before them.

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
/// SSH host keys that are trusted.
pub const KNOWN_HOSTS: &str = "known_hosts";
/// Address of a proxy.
pub const ADDRESS: &str = "address";

/// Read access to the keys of a Secret.
pub trait Keys {
    /// The bytes under a key; `None` when the key is absent.
    fn key(&self, name: &str) -> Option<&[u8]>;

    /// The bytes under a key, `None` also when it is empty.
    fn present(&self, name: &str) -> Option<&[u8]> {
        self.key(name).filter(|bytes| !bytes.is_empty())
    }

    /// The text under a key, `None` also when it is empty.
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

/// Why the keys of a Secret do not make a credential. Never holds a value.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Invalid {
    /// A key that must be there is absent or empty.
    #[error("key '{0}' not found")]
    Missing(&'static str),
    /// One of two keys that only make sense together.
    #[error("key '{present}' is set without '{absent}': both are needed")]
    Half {
        /// The key that is there.
        present: &'static str,
        /// The key that is not.
        absent: &'static str,
    },
    /// Two ways to authenticate at once.
    #[error("keys '{0}' and '{1}' exclude each other: set one of them")]
    Exclusive(&'static str, &'static str),
    /// Text where a number is expected.
    #[error("key '{0}' is no number")]
    NotNumber(&'static str),
    /// An address of GitHub's API that cannot be one.
    #[error("key 'githubAppBaseURL' is no address of an API: {0}")]
    BaseUrl(String),
    /// Bytes where text is expected.
    #[error("key '{0}' is not UTF-8 text")]
    NotText(&'static str),
    /// Text that cannot go into an HTTP header.
    #[error("key '{0}' holds characters that cannot be sent, such as a line break")]
    NotSendable(&'static str),
    /// Not the PEM that the key should hold.
    #[error("key '{key}' holds no usable PEM: {reason}")]
    Pem {
        /// Which key.
        key: &'static str,
        /// What is wrong with it.
        reason: String,
    },
    /// A private key that is not the one of the certificate.
    #[error("key '{TLS_KEY}' does not belong to the certificate in '{TLS_CERTIFICATE}'")]
    Mismatch,
    /// A proxy address that cannot be dialled.
    #[error("key '{ADDRESS}' is no proxy address: {0}")]
    Address(String),
}
