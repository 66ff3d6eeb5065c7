//! Signing what we commit, by an OpenPGP or an SSH key.
//!
//! A key is tried when it is read: a wrong passphrase, an expired key or one that must not sign
//! is refused before anything else happens. What was signed is judged by the same rules as what
//! strangers sign ([`crate::TrustedKeys`]).

use std::fmt;
use std::time::SystemTime;

use russh::keys::ssh_key::LineEnding;
use russh::keys::{HashAlg, PrivateKey};
use sluice_dial::Sensitive;

use crate::private_key;
use crate::signature::{Signed, TrustedKeys, Unverified};

mod openpgp;

/// What signatures of commits are for.
const NAMESPACE: &str = "git";

/// A key that signs.
#[derive(Clone)]
pub struct Signer(Kind);

#[derive(Clone)]
enum Kind {
    OpenPgp(Box<openpgp::Key>),
    Ssh(Box<PrivateKey>),
}

impl fmt::Debug for Signer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let kind = match &self.0 {
            Kind::OpenPgp(_) => "OpenPGP",
            Kind::Ssh(_) => "SSH",
        };
        write!(f, "Signer({kind})")
    }
}

/// Why a key cannot sign. The libraries' own words may quote what they could not read.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum SigningKeyError {
    /// The file holds no key that can be read.
    #[error("it holds no {0} private key that can be read")]
    Unreadable(&'static str),
    /// The passphrase is missing or wrong.
    #[error("the private key cannot be opened: the passphrase is missing or wrong")]
    Locked,
    /// No key of the ring is the one that is asked for.
    #[error("no private key of the ring has the id '{id}'; its keys are {}", there.join(", "))]
    NotInRing {
        /// As it was given.
        id: String,
        /// The ids of those that are there.
        there: Vec<String>,
    },
    /// The signature would not be believed.
    #[error("{0}")]
    Unusable(String),
    /// The library refuses to sign.
    #[error("the key does not sign: {0}")]
    Failed(String),
}

impl Signer {
    /// Reads a key ring, armored or not, and takes the key with an id or a fingerprint, or the
    /// first one.
    pub fn openpgp(
        ring: &[u8],
        passphrase: Option<&Sensitive<String>>,
        id: Option<&str>,
        now: SystemTime,
    ) -> Result<Self, SigningKeyError> {
        let key = openpgp::Key::read(ring, passphrase, id)?;
        Self(Kind::OpenPgp(Box::new(key))).tried(now)
    }

    /// Reads a private key in any format that OpenSSH writes.
    pub fn ssh(
        private: &str,
        passphrase: Option<&Sensitive<String>>,
        now: SystemTime,
    ) -> Result<Self, SigningKeyError> {
        use russh::keys::Error as Keys;
        let given = passphrase.map(|passphrase| passphrase.expose().as_str());
        let key = private_key::read(private, given).map_err(|error| match (error, given) {
            (Keys::CouldNotReadKey, _) => SigningKeyError::Unreadable("SSH"),
            (Keys::KeyIsEncrypted, _) | (_, Some(_)) => SigningKeyError::Locked,
            _ => SigningKeyError::Unreadable("SSH"),
        })?;
        Self(Kind::Ssh(Box::new(key))).tried(now)
    }

    /// Signs something, and judges it as a stranger would.
    fn tried(self, now: SystemTime) -> Result<Self, SigningKeyError> {
        let signed = Signed {
            payload: b"is this key good".to_vec(),
            signature: self.sign(b"is this key good")?,
        };
        let keys = self.public()?;
        let trusted = match self.0 {
            Kind::OpenPgp(_) => TrustedKeys::read([("key.asc", keys.as_bytes())]),
            Kind::Ssh(_) => TrustedKeys::read([("key.sshpub", keys.as_bytes())]),
        };
        match trusted.verify(&signed, now) {
            Ok(_) => Ok(self),
            Err(Unverified::Invalid { key, reason }) => Err(SigningKeyError::Unusable(format!(
                "key {key} cannot sign: {reason}"
            ))),
            Err(error) => Err(SigningKeyError::Unusable(error.to_string())),
        }
    }

    /// The public half, as those write it down who trust it.
    pub fn public(&self) -> Result<String, SigningKeyError> {
        match &self.0 {
            Kind::OpenPgp(key) => key.public(),
            Kind::Ssh(key) => {
                let line = key.public_key().to_openssh();
                line.map_err(|_| SigningKeyError::Unreadable("SSH"))
            }
        }
    }

    /// The armored signature on these bytes.
    pub(crate) fn sign(&self, payload: &[u8]) -> Result<String, SigningKeyError> {
        match &self.0 {
            Kind::OpenPgp(key) => key.sign(payload),
            Kind::Ssh(key) => {
                let signed = key.sign(NAMESPACE, HashAlg::Sha512, payload);
                signed
                    .and_then(|signature| signature.to_pem(LineEnding::LF))
                    .map_err(|error| SigningKeyError::Failed(error.to_string()))
            }
        }
    }
}
