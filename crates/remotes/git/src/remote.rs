//! A repository somewhere else, and how we may reach it.

use std::fmt::Write as _;
use std::hash::{Hash, Hasher};
use std::path::PathBuf;
use std::time::Duration;

use aws_lc_rs::digest;
use sluice_dial::{Credentials, Dial, Redirects, SshIdentity};

use crate::address::{Address, Place};
use crate::error::{Error, Result};
use crate::transport::ssh::authentication::Identity;

/// Time for one operation when nobody says otherwise.
const DEFAULT_TIMEOUT: Duration = Duration::from_mins(1);

/// Where a repository is, who we are to it, and how long it may take.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Remote {
    /// Where.
    pub address: Address,
    /// Who we are.
    pub access: Access,
    /// Whoever is behind credentials that change by themselves, as tokens do: what is kept of
    /// this remote is kept for them. See [`fingerprint`].
    pub identity: Option<String>,
    /// Trust and way out.
    pub dial: Dial,
    /// Bounds every single operation from its first byte to its last.
    pub timeout: Duration,
}

/// Who we are to a remote.
#[derive(Debug, Clone, Default, PartialEq, Eq, Hash)]
pub enum Access {
    /// Whoever the address itself says, or nobody.
    #[default]
    Anonymous,
    /// Basic or bearer, over HTTP(S).
    Http(Credentials),
    /// A private key, with the host keys to expect, over SSH. There is no way to
    /// give the first without the second.
    Ssh(SshIdentity),
    /// The keys of an agent, with the host keys to expect, over SSH.
    Agent(SshAgent),
}

/// An agent that keeps keys and signs with them. Nobody looks for one: it is named.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct SshAgent {
    /// Where it listens, which is what `SSH_AUTH_SOCK` says.
    pub socket: PathBuf,
    /// Lines of a `known_hosts` file.
    pub known_hosts: String,
}

impl Access {
    /// Who we are over SSH.
    pub(crate) fn over_ssh(&self) -> Option<Identity<'_>> {
        match self {
            Self::Ssh(identity) => Some(Identity::Key(identity)),
            Self::Agent(agent) => Some(Identity::Agent(agent)),
            Self::Anonymous | Self::Http(_) => None,
        }
    }
}

impl Remote {
    /// A remote reached without credentials, within a minute.
    pub fn new(url: &str) -> Result<Self> {
        Ok(Self {
            address: Address::parse(url)?,
            access: Access::Anonymous,
            identity: None,
            dial: Dial::default(),
            timeout: DEFAULT_TIMEOUT,
        })
    }

    /// The same remote, reached as somebody.
    #[must_use]
    pub fn with_access(self, access: Access) -> Self {
        Self { access, ..self }
    }

    /// The same remote, reached another way.
    #[must_use]
    pub fn with_dial(self, dial: Dial) -> Self {
        Self { dial, ..self }
    }

    /// The same remote with another bound on every operation.
    #[must_use]
    pub fn with_timeout(self, timeout: Duration) -> Self {
        Self { timeout, ..self }
    }

    /// A name for "this repository, seen by this identity on this way", safe as the
    /// name of a file. Whoever keeps what a remote gave must keep it under this name,
    /// so that no tenant reads what another one was allowed to fetch: a client
    /// certificate is an identity as well, and behind a proxy, or under another
    /// authority, the same address may be another server.
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

    /// A name for what a connection, and what is remembered of a server, may be
    /// shared by: over SSH all repositories of a host, over HTTP(S) one. Different
    /// for another identity, trust or way out.
    pub(crate) fn connection_key(&self) -> String {
        let mut hasher = Sha256(digest::Context::new(&digest::SHA256));
        match &self.address.place {
            Place::Http { .. } => self.address.hash(&mut hasher),
            Place::Ssh {
                user, host, port, ..
            } => (user, host, port).hash(&mut hasher),
        }
        self.access.hash(&mut hasher);
        self.dial.hash(&mut hasher);
        hasher.hex()
    }

    /// Refuses credentials of one kind for an address of the other.
    pub(crate) fn check(&self) -> Result<()> {
        let refuse = |reason: &str| {
            Err(Error::InvalidCredentials {
                remote: self.address.to_string(),
                reason: reason.to_owned(),
            })
        };
        match (&self.address.place, &self.access) {
            (Place::Http { .. }, Access::Ssh(_) | Access::Agent(_)) => {
                refuse("an SSH identity is of no use over HTTP(S)")
            }
            (Place::Ssh { .. }, Access::Anonymous | Access::Http(_)) => {
                refuse("an SSH address needs an identity and known_hosts")
            }
            _ => Ok(()),
        }
    }

    /// Basic or bearer for an HTTP(S) address: the given ones, or its own.
    pub(crate) fn http_credentials(&self) -> Option<Credentials> {
        match (&self.access, &self.address.place) {
            (Access::Http(credentials), _) => Some(credentials.clone()),
            (
                Access::Anonymous,
                Place::Http {
                    embedded: Some(basic),
                    ..
                },
            ) => Some(Credentials::Basic(basic.clone())),
            _ => None,
        }
    }

    /// The way to dial with redirects left to us: they are followed on the first
    /// request of a conversation only, which the HTTP client cannot know.
    pub(crate) fn dial_without_redirects(&self) -> Dial {
        Dial {
            redirects: Redirects::Refuse,
            ..self.dial.clone()
        }
    }
}

/// A name for a value with all its secrets, that gives none of them away.
pub fn fingerprint(value: &impl Hash) -> String {
    let mut hasher = Sha256(digest::Context::new(&digest::SHA256));
    value.hash(&mut hasher);
    hasher.hex()
}

/// SHA-256 behind the interface of `derive(Hash)`: a fingerprint of a value with
/// all its secrets that gives none of them away.
struct Sha256(digest::Context);

impl Sha256 {
    fn hex(self) -> String {
        let mut text = String::with_capacity(64);
        for byte in self.0.finish().as_ref() {
            write!(text, "{byte:02x}").expect("a string takes everything");
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
    fn the_key_of_a_remote_separates_tenants() {
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
    fn credentials_of_the_wrong_kind_are_refused_before_anything_is_sent() {
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
    fn given_credentials_win_over_those_of_the_address() {
        let remote = Remote::new("https://u:p@example.com/a").unwrap();
        let user = |remote: &Remote| match remote.http_credentials() {
            Some(Credentials::Basic(basic)) => basic.username,
            _ => String::new(),
        };
        assert_eq!(user(&remote), "u");
        assert_eq!(user(&remote.with_access(basic("v", "p"))), "v");
    }
}
