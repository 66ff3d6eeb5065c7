//! Remote repositories and the access to them.

use std::fmt::Write as _;
use std::hash::{Hash, Hasher};
use std::path::PathBuf;
use std::time::Duration;

use aws_lc_rs::digest;
use sluice_dial::{Credentials, Dial, Redirects, SshIdentity};

use crate::address::{Address, AddressParts};
use crate::error::{Error, Result};

/// The default timeout of an operation.
const DEFAULT_TIMEOUT: Duration = Duration::from_mins(1);

/// A remote repository with credentials, connection settings and timeout.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Remote {
    /// The address.
    pub address: Address,
    /// The credentials.
    pub access: Access,
    /// A stable identity for credentials that change, such as tokens. Caches use it instead of the
    /// credentials. See [`fingerprint`].
    pub identity: Option<String>,
    /// TLS trust and proxy.
    pub dial: Dial,
    /// Timeout of each operation.
    pub timeout: Duration,
}

/// Credentials for a remote.
#[derive(Debug, Clone, Default, PartialEq, Eq, Hash)]
pub enum Access {
    /// Credentials in the URL, or none.
    #[default]
    Anonymous,
    /// HTTP(S) credentials, basic or bearer.
    Http(Credentials),
    /// An SSH private key with the known host keys. A key without host keys is not possible.
    Ssh(SshIdentity),
    /// Keys of an SSH agent with the known host keys.
    Agent(SshAgent),
}

/// An SSH agent. It must be configured explicitly.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct SshAgent {
    /// The socket path, as in `SSH_AUTH_SOCK`.
    pub socket: PathBuf,
    /// Lines of a `known_hosts` file.
    pub known_hosts: String,
}

/// How to authenticate over SSH, and the expected host keys.
#[derive(Clone, Copy)]
pub(crate) enum SshAccess<'a> {
    Key(&'a SshIdentity),
    Agent(&'a SshAgent),
}

impl SshAccess<'_> {
    pub(crate) fn known_hosts(&self) -> &str {
        match self {
            Self::Key(identity) => &identity.known_hosts,
            Self::Agent(agent) => &agent.known_hosts,
        }
    }
}

impl Access {
    /// The SSH credentials, if there are any.
    pub(crate) fn ssh_access(&self) -> Option<SshAccess<'_>> {
        match self {
            Self::Ssh(identity) => Some(SshAccess::Key(identity)),
            Self::Agent(agent) => Some(SshAccess::Agent(agent)),
            Self::Anonymous | Self::Http(_) => None,
        }
    }
}

impl Remote {
    /// Creates a remote without credentials and with a timeout of one minute.
    pub fn new(url: &str) -> Result<Self> {
        Ok(Self {
            address: Address::parse(url)?,
            access: Access::Anonymous,
            identity: None,
            dial: Dial::default(),
            timeout: DEFAULT_TIMEOUT,
        })
    }

    /// Sets the credentials.
    #[must_use]
    pub fn with_access(self, access: Access) -> Self {
        Self { access, ..self }
    }

    /// Sets trust and proxy.
    #[must_use]
    pub fn with_dial(self, dial: Dial) -> Self {
        Self { dial, ..self }
    }

    /// Sets the timeout.
    #[must_use]
    pub fn with_timeout(self, timeout: Duration) -> Self {
        Self { timeout, ..self }
    }

    /// A key for caches, usable as a file name. It covers address, identity, trust and proxy.
    ///
    /// Caches must use this key, so that a tenant cannot read content that another tenant fetched.
    /// A client certificate is an identity, too. Behind a proxy or with another CA, the same
    /// address may be another server.
    pub fn key(&self) -> String {
        let mut hasher = Sha256(digest::Context::new(&digest::SHA256));
        self.address.hash(&mut hasher);
        match &self.identity {
            Some(identity) => identity.hash(&mut hasher),
            None => self.access.hash(&mut hasher),
        }
        self.dial.hash(&mut hasher);
        hasher.hex()
    }

    /// A key for cached connections and capabilities: one per host over SSH, one per repository
    /// over HTTP(S). It covers identity, trust and proxy.
    pub(crate) fn connection_key(&self) -> String {
        let mut hasher = Sha256(digest::Context::new(&digest::SHA256));
        match &self.address.parts {
            AddressParts::Http { .. } => self.address.hash(&mut hasher),
            AddressParts::Ssh {
                user, host, port, ..
            } => (user, host, port).hash(&mut hasher),
        }
        self.access.hash(&mut hasher);
        self.dial.hash(&mut hasher);
        hasher.hex()
    }

    /// Rejects credentials that do not fit the address.
    pub(crate) fn check(&self) -> Result<()> {
        let refuse = |reason: &str| {
            Err(Error::InvalidCredentials {
                remote: self.address.to_string(),
                reason: reason.to_owned(),
            })
        };
        match (&self.address.parts, &self.access) {
            (AddressParts::Http { .. }, Access::Ssh(_) | Access::Agent(_)) => {
                refuse("an SSH identity is of no use over HTTP(S)")
            }
            (AddressParts::Ssh { .. }, Access::Anonymous | Access::Http(_)) => {
                refuse("an SSH address needs an identity and known_hosts")
            }
            _ => Ok(()),
        }
    }

    /// The credentials for an HTTP(S) address: explicit ones, or those in the URL.
    pub(crate) fn http_credentials(&self) -> Option<Credentials> {
        match (&self.access, &self.address.parts) {
            (Access::Http(credentials), _) => Some(credentials.clone()),
            (
                Access::Anonymous,
                AddressParts::Http {
                    embedded: Some(basic),
                    ..
                },
            ) => Some(Credentials::Basic(basic.clone())),
            _ => None,
        }
    }

    /// Connection settings without redirects. The session follows them itself, and only for its
    /// first request.
    pub(crate) fn dial_without_redirects(&self) -> Dial {
        Dial {
            redirects: Redirects::Refuse,
            ..self.dial.clone()
        }
    }
}

/// A fingerprint of a value, which does not reveal its secrets.
pub fn fingerprint(value: &impl Hash) -> String {
    let mut hasher = Sha256(digest::Context::new(&digest::SHA256));
    value.hash(&mut hasher);
    hasher.hex()
}

/// SHA-256 as a hasher for `derive(Hash)`.
struct Sha256(digest::Context);

impl Sha256 {
    fn hex(self) -> String {
        let mut text = String::with_capacity(64);
        for byte in self.0.finish().as_ref() {
            write!(text, "{byte:02x}").expect("writing to a String cannot fail");
        }
        text
    }
}

impl Hasher for Sha256 {
    fn write(&mut self, bytes: &[u8]) {
        self.0.update(bytes);
    }

    fn finish(&self) -> u64 {
        let digest = self.0.clone().finish();
        digest
            .as_ref()
            .first_chunk()
            .map_or(0, |bytes| u64::from_be_bytes(*bytes))
    }
}

#[cfg(test)]
mod tests {
    use sluice_dial::{Basic, ClientCertificate, Proxy, Tls};

    use super::*;

    fn basic(user: &str, password: &str) -> Access {
        Access::Http(Credentials::Basic(Basic::new(user, password)))
    }

    #[test]
    fn remote_key_separates_tenants() {
        let remote = Remote::new("https://example.com/a").unwrap();
        let dialled = |dial: Dial| remote.clone().with_dial(dial).key();
        let through = |address, credentials| Dial {
            proxy: Some(Proxy::new(address, credentials).unwrap()),
            ..Dial::default()
        };
        let proxied = |user| through("http://proxy", Some(Basic::new(user, "p")));
        let trusting = |tls| Dial {
            tls,
            ..Dial::default()
        };
        let tls = |name: &str| {
            let key = rcgen::KeyPair::generate().unwrap();
            let made = rcgen::CertificateParams::new([name.to_owned()]).unwrap();
            let made = made.self_signed(&key).unwrap();
            let (chain, key) = (made.pem(), key.serialize_pem());
            let mine = ClientCertificate::new(chain.as_bytes(), key.as_bytes()).unwrap();
            Tls {
                certificate: Some(mine),
                ..Tls::with_ca(chain.as_bytes()).unwrap()
            }
        };
        let (mine, yours) = (tls("mine"), tls("yours"));
        let without = |certificate, ca| Tls {
            certificate,
            ca,
            ..mine.clone()
        };
        let keys = [
            dialled(trusting(mine.clone())),
            dialled(trusting(without(mine.certificate.clone(), None))),
            dialled(trusting(without(yours.certificate.clone(), None))),
            dialled(trusting(without(None, mine.ca.clone()))),
            dialled(trusting(without(None, yours.ca.clone()))),
            dialled(trusting(Tls {
                insecure: true,
                ..Tls::default()
            })),
            dialled(through("http://proxy", None)),
            dialled(through("http://another", None)),
            dialled(proxied("u")),
            dialled(proxied("v")),
            dialled(Dial {
                direct: true,
                ..Dial::default()
            }),
            remote.key(),
            Remote::new("https://example.com/b").unwrap().key(),
            Remote::new("https://u:p@example.com/a").unwrap().key(),
            remote.clone().with_access(basic("u", "p")).key(),
            remote.clone().with_access(basic("u", "q")).key(),
            remote.clone().with_access(basic("up", "")).key(),
        ];
        for (index, key) in keys.iter().enumerate() {
            assert_eq!(key.len(), 64);
            assert!(!keys[..index].contains(key), "{index}");
        }
        let token = |token: &str| Remote {
            identity: Some(fingerprint(&"app")),
            ..remote.clone().with_access(basic("x-access-token", token))
        };
        assert_eq!(token("one").key(), token("two").key());
        assert!(!keys.contains(&token("one").key()));
        let proxied = token("one").with_dial(proxied("u"));
        assert_ne!(proxied.key(), token("one").key());
        let slow = remote.clone().with_timeout(Duration::from_secs(1));
        assert_eq!(slow.key(), remote.key());
    }

    #[test]
    fn mismatched_credentials_are_rejected_early() {
        let ssh = Remote::new("ssh://git@example.com/a").unwrap();
        assert!(ssh.check().is_err());
        assert!(ssh.clone().with_access(basic("u", "p")).check().is_err());
        let identity = SshIdentity {
            private_key: "k".into(),
            passphrase: None,
            known_hosts: String::new(),
        };
        ssh.with_access(Access::Ssh(identity.clone()))
            .check()
            .unwrap();
        let http = Remote::new("https://example.com/a").unwrap();
        http.check().unwrap();
        assert!(http.with_access(Access::Ssh(identity)).check().is_err());
    }

    #[test]
    fn explicit_credentials_override_url_credentials() {
        let remote = Remote::new("https://u:p@example.com/a").unwrap();
        let user = |remote: &Remote| match remote.http_credentials() {
            Some(Credentials::Basic(basic)) => basic.username,
            _ => String::new(),
        };
        assert_eq!(user(&remote), "u");
        assert_eq!(user(&remote.with_access(basic("v", "p"))), "v");
    }
}
