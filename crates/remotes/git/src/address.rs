//! Parses and checks the URLs of repositories.

use std::fmt;

use percent_encoding::percent_decode_str;
use sluice_dial::Basic;
use url::Url;

use crate::error::{Error, Result, is_hidden, printable};

/// The address of a repository over HTTP(S) or SSH.
///
/// `Display` shows it without user information, fit for messages.
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct Address {
    shown: String,
    pub(crate) parts: AddressParts,
}

#[derive(Clone, PartialEq, Eq, Hash)]
pub(crate) enum AddressParts {
    Http {
        /// Without user information and trailing slash.
        base: Url,
        /// Credentials from the URL.
        embedded: Option<Basic>,
    },
    Ssh {
        user: Option<String>,
        /// Without the brackets of an IPv6 address.
        host: String,
        port: u16,
        /// The path for the server's shell, before quoting.
        path: String,
    },
}

impl Address {
    /// Parses an `http`, `https` or `ssh` URL.
    ///
    /// Rejected are other schemes, the `host:path` shorthand, a missing host or path, and hidden
    /// characters after decoding. A host, user or path must not start with `-`. A remote shell
    /// command would read it as an option.
    pub fn parse(text: &str) -> Result<Self> {
        let mut url = Url::parse(text).map_err(|error| Error::InvalidUrl {
            // An invalid URL cannot be redacted by parts.
            url: printable(text.rsplit('@').next().unwrap_or_default().as_bytes()),
            reason: error.to_string(),
        })?;
        let username = decode(url.username());
        let password = url.password().map(decode);
        // A URL that cannot have user information has nothing to remove.
        let _cleared = url.set_username("").and_then(|()| url.set_password(None));
        let refuse = |reason: &str| {
            Err(Error::InvalidUrl {
                url: printable(url.as_str().as_bytes()),
                reason: reason.to_owned(),
            })
        };
        if !matches!(url.scheme(), "http" | "https" | "ssh") {
            return refuse("the scheme must be http, https or ssh");
        }
        let Some(host) = url.host_str().filter(|host| !host.is_empty()) else {
            return refuse("it names no host");
        };
        if url.fragment().is_some() {
            return refuse("a fragment has no meaning here");
        }
        let path = decode(url.path());
        if path.trim_matches('/').is_empty() {
            return refuse("it names no repository");
        }
        if [host, &username, &path]
            .into_iter()
            .any(|part| part.chars().any(is_hidden))
        {
            return refuse("it contains control characters");
        }
        if host.starts_with('-') || username.starts_with('-') {
            return refuse("host and user must not begin with '-'");
        }
        let shown = url.as_str().trim_end_matches('/').to_owned();
        let parts = if url.scheme() == "ssh" {
            if password.is_some() {
                return refuse("a password in an SSH address is not used; give an identity");
            }
            // Like in git, `/~user/x` is relative to a home directory.
            let path = path
                .strip_prefix('/')
                .filter(|rest| rest.starts_with('~'))
                .unwrap_or(&path);
            AddressParts::Ssh {
                user: (!username.is_empty()).then_some(username),
                host: host
                    .trim_start_matches('[')
                    .trim_end_matches(']')
                    .to_ascii_lowercase(),
                port: url.port().unwrap_or(22),
                path: path.to_owned(),
            }
        } else {
            let embedded = (!username.is_empty() || password.is_some())
                .then(|| Basic::new(username, password.unwrap_or_default()));
            let trimmed = url.path().trim_end_matches('/').to_owned();
            url.set_path(&trimmed);
            AddressParts::Http {
                base: url,
                embedded,
            }
        };
        Ok(Self { shown, parts })
    }

    /// Creates an address from checked parts.
    pub(crate) fn at(parts: AddressParts) -> Self {
        let shown = match &parts {
            AddressParts::Http { base, .. } => base.as_str().trim_end_matches('/').to_owned(),
            AddressParts::Ssh {
                host, port, path, ..
            } => {
                let port = match port {
                    22 => String::new(),
                    port => format!(":{port}"),
                };
                format!("ssh://{host}{port}/{}", path.trim_start_matches('/'))
            }
        };
        Self { shown, parts }
    }

    /// The address with the user of SSH, which is not a secret, and without other user information.
    pub(crate) fn without_password(&self) -> String {
        match &self.parts {
            AddressParts::Ssh {
                user: Some(user), ..
            } => self.shown.replacen("ssh://", &format!("ssh://{user}@"), 1),
            _ => self.shown.clone(),
        }
    }

    /// The name of the host.
    pub(crate) fn host(&self) -> &str {
        match &self.parts {
            AddressParts::Http { base, .. } => base.host_str().unwrap_or_default(),
            AddressParts::Ssh { host, .. } => host,
        }
    }

    /// The port, also that of the scheme.
    pub(crate) fn port(&self) -> u16 {
        match &self.parts {
            AddressParts::Http { base, .. } => base.port_or_known_default().unwrap_or_default(),
            AddressParts::Ssh { port, .. } => *port,
        }
    }

    /// Whether this is an SSH address.
    pub const fn is_ssh(&self) -> bool {
        matches!(self.parts, AddressParts::Ssh { .. })
    }
}

fn decode(text: &str) -> String {
    percent_decode_str(text).decode_utf8_lossy().into_owned()
}

impl fmt::Display for Address {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.shown)
    }
}

impl fmt::Debug for Address {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Address({})", self.shown)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn address_is_displayed_without_secrets() {
        let address = Address::parse("https://user:hunter2@example.com/org/repo.git/").unwrap();
        assert_eq!(address.to_string(), "https://example.com/org/repo.git");
        assert!(!format!("{address:?}").contains("hunter2"));
        let AddressParts::Http { base, embedded } = &address.parts else {
            unreachable!()
        };
        assert_eq!(base.as_str(), "https://example.com/org/repo.git");
        assert_eq!(embedded.as_ref().unwrap().username, "user");
        let error = Address::parse("https//user:hunter2@example.com/x").unwrap_err();
        assert!(!error.to_string().contains("hunter2"), "{error}");
    }

    #[test]
    fn ssh_address_is_parsed_like_git() {
        let cases = [
            (
                "ssh://git@example.com/org/repo",
                Some("git"),
                "example.com",
                22,
                "/org/repo",
            ),
            ("ssh://example.com:2222/r", None, "example.com", 2222, "/r"),
            (
                "ssh://git@example.com/~me/r",
                Some("git"),
                "example.com",
                22,
                "~me/r",
            ),
            (
                "ssh://git@[::1]:22/a%20b'c",
                Some("git"),
                "::1",
                22,
                "/a b'c",
            ),
        ];
        for (text, user, host, port, path) in cases {
            let expected = AddressParts::Ssh {
                user: user.map(str::to_owned),
                host: host.to_owned(),
                port,
                path: path.to_owned(),
            };
            let parts = Address::parse(text).unwrap().parts;
            assert!(parts == expected, "{text}");
        }
    }

    #[test]
    fn misleading_addresses_are_rejected() {
        let cases = [
            ("git@example.com:org/repo", "relative URL"),
            ("file:///etc", "scheme"),
            ("oci://example.com/x", "scheme"),
            ("ssh://-oProxyCommand=x/repo", "-"),
            ("ssh://-x@example.com/repo", "begin with '-'"),
            ("https://example.com", "no repository"),
            ("https://example.com/a%0ab", "control"),
            ("ssh://example.com/a%00b", "control"),
            ("https://example.com/a#b", "fragment"),
            ("ssh://git:pw@example.com/a", "password"),
        ];
        for (text, reason) in cases {
            let error = Address::parse(text).unwrap_err().to_string();
            assert!(error.contains(reason), "{text}: {error}");
            assert!(!error.contains("pw@"), "{error}");
        }
    }
}
