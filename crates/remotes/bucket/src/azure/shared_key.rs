//! Signs requests with the key of an account. Pure.

use aws_lc_rs::hmac;
use base64::Engine as _;
use base64::prelude::BASE64_STANDARD;
use http::{HeaderMap, HeaderValue, header};
use sluice_dial::Sensitive;
use url::Url;

/// The name and the key of an account.
#[derive(Debug, Clone)]
pub struct SharedKey {
    account: String,
    key: Sensitive<Vec<u8>>,
}

/// The key cannot be used. The error does not show it.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum SharedKeyError {
    /// The host names no account.
    #[error("failed to extract account name from endpoint: expected '{0}' to be a subdomain")]
    Host(String),
    /// The key is not base64.
    #[error("decode account key: it is not base64")]
    Key,
}

impl SharedKey {
    /// Creates a key. The account is the first label of the host.
    pub fn of_endpoint(endpoint: &Url, key: &str) -> Result<Self, SharedKeyError> {
        let host = endpoint.host_str().unwrap_or_default();
        let labels: Vec<&str> = host.split('.').collect();
        if labels.len() <= 2 {
            return Err(SharedKeyError::Host(host.to_owned()));
        }
        Self::of_account(labels[0], key)
    }

    /// Creates the key of an account.
    pub fn of_account(account: &str, key: &str) -> Result<Self, SharedKeyError> {
        let key = BASE64_STANDARD.decode(key.trim());
        Ok(Self {
            account: account.to_owned(),
            key: key.map_err(|_| SharedKeyError::Key)?.into(),
        })
    }

    /// Returns the value of `Authorization` for a `GET` without a body.
    pub(super) fn authorize(&self, url: &Url, headers: &HeaderMap) -> HeaderValue {
        let key = hmac::Key::new(hmac::HMAC_SHA256, self.key.expose());
        let signature = hmac::sign(&key, self.text(url, headers).as_bytes());
        let signature = BASE64_STANDARD.encode(signature);
        let value = format!("SharedKey {}:{signature}", self.account);
        // An account that a header cannot hold cannot be a host either.
        let value = HeaderValue::from_str(&value);
        let mut value = value.unwrap_or_else(|_| HeaderValue::from_static("SharedKey"));
        value.set_sensitive(true);
        value
    }

    /// The text that is signed.
    fn text(&self, url: &Url, headers: &HeaderMap) -> String {
        let value = |name: &str| {
            let value = headers.get(name).and_then(|value| value.to_str().ok());
            value.unwrap_or_default().trim().to_owned()
        };
        let mut lines = vec!["GET".to_owned()];
        // Encoding, language, length, MD5, type, date, and modification of a body.
        lines.extend(std::iter::repeat_n(String::new(), 7));
        lines.push(value(header::IF_MATCH.as_str()));
        // Other conditions, and the range.
        lines.extend(std::iter::repeat_n(String::new(), 3));
        let names = headers.keys().map(header::HeaderName::as_str);
        let mut names: Vec<&str> = names.filter(|name| name.starts_with("x-ms-")).collect();
        names.sort_unstable();
        lines.extend(names.iter().map(|name| format!("{name}:{}", value(name))));
        lines.push(format!("/{}{}", self.account, url.path()));
        let mut pairs: Vec<(String, String)> = url
            .query_pairs()
            .map(|(name, value)| (name.to_lowercase(), value.into_owned()))
            .collect();
        pairs.sort_unstable();
        lines.extend(pairs.iter().map(|(name, value)| format!("{name}:{value}")));
        lines.join("\n")
    }
}
