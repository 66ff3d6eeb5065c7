//! Signs commits with an OpenPGP or SSH key.
//!
//! Each key is tested when it is read. A wrong passphrase, an expired key or a key that cannot sign
//! is an early error. The test signature must pass [`crate::TrustedKeys`].

use std::fmt;
use std::time::SystemTime;

use russh::keys::ssh_key::LineEnding;
use russh::keys::{HashAlg, PrivateKey};
use sluice_dial::Sensitive;

use crate::private_key;
use crate::signature::{SignedObject, TrustedKeys, VerificationError};

mod openpgp;

/// The namespace of commit signatures.
const NAMESPACE: &str = "git";

/// A signing key.
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

/// Why a key cannot sign. Messages of the libraries are omitted, because they may quote the key.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum SigningKeyError {
    /// The file has no readable key.
    #[error("it holds no {0} private key that can be read")]
    Unreadable(&'static str),
    /// The passphrase is missing or wrong.
    #[error("the private key cannot be opened: the passphrase is missing or wrong")]
    Locked,
    /// The key ring does not contain the requested key.
    #[error("no private key of the ring has the id '{id}'; its keys are {}", available.join(", "))]
    NotInRing {
        /// The requested ID.
        id: String,
        /// The available IDs.
        available: Vec<String>,
    },
    /// The test signature is not valid.
    #[error("{0}")]
    Unusable(String),
    /// The library failed to sign.
    #[error("the key does not sign: {0}")]
    Failed(String),
}

impl Signer {
    /// Reads an armored or binary key ring, and selects a key by ID or fingerprint, or the first
    /// one.
    pub fn openpgp(
        ring: &[u8],
        passphrase: Option<&Sensitive<String>>,
        id: Option<&str>,
        now: SystemTime,
    ) -> Result<Self, SigningKeyError> {
        let key = openpgp::Key::read(ring, passphrase, id)?;
        Self(Kind::OpenPgp(Box::new(key))).self_test(now)
    }

    /// Reads a private key in any format of OpenSSH.
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
        Self(Kind::Ssh(Box::new(key))).self_test(now)
    }

    /// Signs a test payload, and verifies the signature.
    fn self_test(self, now: SystemTime) -> Result<Self, SigningKeyError> {
        let signed = SignedObject {
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
            Err(VerificationError::Invalid { key, reason }) => Err(SigningKeyError::Unusable(
                format!("key {key} cannot sign: {reason}"),
            )),
            Err(error) => Err(SigningKeyError::Unusable(error.to_string())),
        }
    }

    /// The public key, in the format for trusted keys.
    pub fn public(&self) -> Result<String, SigningKeyError> {
        match &self.0 {
            Kind::OpenPgp(key) => key.public(),
            Kind::Ssh(key) => {
                let line = key.public_key().to_openssh();
                line.map_err(|_| SigningKeyError::Unreadable("SSH"))
            }
        }
    }

    /// Returns an armored signature of these bytes.
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
