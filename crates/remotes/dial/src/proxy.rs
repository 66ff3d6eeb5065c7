//! Proxies.

use std::fmt;

use url::Url;

use crate::basic::Basic;
use crate::secret::{ADDRESS, Invalid, Keys, PASSWORD, USERNAME};

/// Maximum length of an address.
const MAX_ADDRESS: usize = 2048;

/// A proxy for all requests to a remote, including token requests.
///
/// Without one, the environment applies (`HTTPS_PROXY`, `HTTP_PROXY`, `ALL_PROXY`, `NO_PROXY`).
/// With one, the environment is ignored.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Proxy {
    /// Address without credentials.
    address: Url,
    /// Credentials for the proxy.
    credentials: Option<Basic>,
}

impl Proxy {
    /// Parses an address with the scheme `http`, `https` or `socks5`. Given credentials override
    /// those in the address.
    pub fn new(address: &str, credentials: Option<Basic>) -> Result<Self, Invalid> {
        let refuse = |reason: &str| Err(Invalid::Address(reason.to_owned()));
        if address.len() > MAX_ADDRESS {
            return refuse("longer than 2048 characters");
        }
        let Ok(mut url) = Url::parse(address.trim()) else {
            return refuse("not a URL");
        };
        if !matches!(url.scheme(), "http" | "https" | "socks5" | "socks5h") {
            return refuse("the scheme must be http, https or socks5");
        }
        if url.host_str().is_none_or(str::is_empty) {
            return refuse("it names no host");
        }
        let embedded = (!url.username().is_empty()).then(|| {
            Basic::new(
                decode(url.username()),
                decode(url.password().unwrap_or_default()),
            )
        });
        let cleared = url.set_username("").and_then(|()| url.set_password(None));
        if cleared.is_err() {
            return refuse("it names no host");
        }
        Ok(Self {
            address: url,
            credentials: credentials.or(embedded),
        })
    }

    /// Reads `address`, and optional `username` and `password`, from a Secret.
    pub fn from_keys(keys: &dyn Keys) -> Result<Self, Invalid> {
        let address = keys.text(ADDRESS)?.ok_or(Invalid::Missing(ADDRESS))?;
        let credentials = keys
            .text(USERNAME)?
            .map(|username| {
                let password = keys.text(PASSWORD)?.unwrap_or_default();
                Ok(Basic::new(username, password))
            })
            .transpose()?;
        Self::new(address, credentials)
    }

    /// Returns the address without credentials.
    pub const fn address(&self) -> &Url {
        &self.address
    }

    /// Credentials for the proxy.
    pub const fn credentials(&self) -> Option<&Basic> {
        self.credentials.as_ref()
    }

    /// Returns the address with credentials. The scheme lets a SOCKS proxy resolve names, because
    /// the local DNS may differ.
    pub(crate) fn dial_url(&self) -> Url {
        let mut url = self.address.clone();
        if url.scheme() == "socks5" {
            let remote = url.as_str().replacen("socks5://", "socks5h://", 1);
            url = Url::parse(&remote).expect("only the scheme of a valid URL changed");
        }
        if let Some(basic) = &self.credentials {
            url.set_username(&basic.username)
                .and_then(|()| url.set_password(Some(basic.password.expose())))
                .expect("the address has a host");
        }
        url
    }
}

impl fmt::Display for Proxy {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.address.as_str())
    }
}

/// Decodes percent-encoding. Invalid sequences stay unchanged.
fn decode(text: &str) -> String {
    let pair = format!("x={}", text.replace('+', "%2B"));
    url::form_urlencoded::parse(pair.as_bytes())
        .next()
        .map_or_else(|| text.to_owned(), |(_, value)| value.into_owned())
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::*;

    #[test]
    fn proxy_addresses_are_validated() {
        let cases = [
            ("http://proxy:3128", Ok("http://proxy:3128/")),
            (
                "https://proxy.example.com",
                Ok("https://proxy.example.com/"),
            ),
            ("socks5://10.0.0.1:1080", Ok("socks5h://10.0.0.1:1080")),
            (
                "ftp://proxy",
                Err(
                    "key 'address' is not a proxy address: the scheme must be http, https or socks5",
                ),
            ),
            (
                "proxy:3128",
                Err(
                    "key 'address' is not a proxy address: the scheme must be http, https or socks5",
                ),
            ),
            ("", Err("key 'address' is not a proxy address: not a URL")),
        ];
        for (address, expected) in cases {
            let got = Proxy::new(address, None);
            match expected {
                Ok(url) => assert_eq!(got.expect(address).dial_url().as_str(), url),
                Err(text) => assert_eq!(got.expect_err(address).to_string(), text),
            }
        }
        assert!(Proxy::new(&format!("http://{}", "a".repeat(3000)), None).is_err());
    }

    #[test]
    fn proxy_credentials_are_in_dial_url_but_not_printed() {
        let keys: BTreeMap<String, Vec<u8>> = [
            ("address", "http://old:older@proxy:3128"),
            ("username", "me"),
            ("password", "p@ss/word"),
        ]
        .into_iter()
        .map(|(k, v)| (k.to_owned(), v.as_bytes().to_vec()))
        .collect();
        let proxy = Proxy::from_keys(&keys).expect("valid");
        assert_eq!(
            proxy.dial_url().as_str(),
            "http://me:p%40ss%2Fword@proxy:3128/"
        );
        let printed = format!("{proxy} {proxy:?}");
        for secret in ["older", "p@ss", "p%40ss"] {
            assert!(!printed.contains(secret), "{printed}");
        }
    }

    #[test]
    fn explicit_proxy_credentials_override_the_address() {
        let proxy = Proxy::new("http://me:a%2Bb+c@proxy:3128", None).expect("valid");
        assert_eq!(proxy.credentials(), Some(&Basic::new("me", "a+b+c")));
    }
}
