//! age: decrypts small files for an identity.
//!
//! Supports X25519 identities and the hybrid with ML-KEM-768 of age 1.3. Plugins, SSH keys and
//! passphrases are not supported, because they need programs, files or input.
//!
//! This is an implementation of its own, with algorithms of `aws-lc-rs`. The `age` crate brings
//! sixty others, including a translation engine, and has no hybrid identities. The tests run
//! the vectors of the specification.
//!
//! Parity: the age specification, <https://c2sp.org/age>.

mod armor;
mod bech32;
mod file;
mod hybrid;
mod x25519;

use std::fmt;

use async_trait::async_trait;

use crate::data_key::DataKey;
use crate::keys::{KeyError, KeyService};
use crate::metadata::MasterKey;
use crate::recipient::Recipient;

/// The prefix of a plugin identity, and of the content of an encrypted one.
const PLUGIN: &str = "AGE-PLUGIN-";

/// The maximum number of identities in a Secret.
const MAX_IDENTITIES: usize = 1024;

/// Why an identity is rejected. Contains the line number, but not the line.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("failed to parse and add to age identities: line {line}: {reason}")]
pub struct IdentityError {
    /// The line number, starting at one.
    pub line: usize,
    /// The problem.
    pub reason: &'static str,
}

/// age identities.
#[derive(Clone, Default)]
pub struct Identities(Vec<Identity>);

#[derive(Clone)]
enum Identity {
    X25519(x25519::Identity),
    Hybrid(hybrid::Identity),
}

/// Shows the number of identities only.
impl fmt::Debug for Identities {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "[{} age identities]", self.0.len())
    }
}

impl Identities {
    /// Adds the identities of a text: one per line, with empty lines and comments.
    pub fn import(&mut self, text: &str) -> Result<(), IdentityError> {
        let mut found = Vec::new();
        for (index, line) in text.lines().enumerate() {
            let line = line.trim_end_matches('\r');
            if line.is_empty() || line.starts_with('#') {
                continue;
            }
            let refused = |reason| IdentityError {
                line: index + 1,
                reason,
            };
            found.push(Identity::parse(line).map_err(refused)?);
            if found.len() > MAX_IDENTITIES {
                return Err(refused("there are too many identities"));
            }
        }
        if found.is_empty() {
            return Err(IdentityError {
                line: text.lines().count().max(1),
                reason: "no secret keys found",
            });
        }
        self.0.append(&mut found);
        Ok(())
    }

    /// Whether the list is empty.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Returns the public keys.
    pub fn recipients(&self) -> Vec<String> {
        let recipients = self.0.iter().map(|identity| match identity {
            Identity::X25519(identity) => identity.recipient().to_string(),
            Identity::Hybrid(identity) => identity.recipient().to_string(),
        });
        recipients.collect()
    }

    /// Decrypts an armored file.
    pub fn decrypt(&self, armored: &str) -> Result<DataKey, KeyError> {
        if self.is_empty() {
            return Err(KeyError::new("there are no age identities to try"));
        }
        let bytes = armor::decode(armored).map_err(|error| KeyError::new(error.to_string()))?;
        let opened = file::open(&bytes, &|stanzas| self.file_key(stanzas));
        opened.map_err(|error| KeyError::new(error.to_string()))
    }

    fn file_key(&self, stanzas: &[file::Stanza]) -> Result<Option<file::FileKey>, file::FileError> {
        for identity in &self.0 {
            for stanza in stanzas {
                let key = match identity {
                    Identity::X25519(identity) => identity.unwrap(stanza)?,
                    Identity::Hybrid(identity) => identity.unwrap(stanza)?,
                };
                if key.is_some() {
                    return Ok(key);
                }
            }
        }
        Ok(None)
    }
}

impl Identity {
    fn parse(text: &str) -> Result<Self, &'static str> {
        if text.starts_with(PLUGIN) {
            return Err("identities of plugins are not supported");
        }
        let (kind, key) = bech32::decode(text).ok_or("malformed secret key")?;
        match kind.as_str() {
            x25519::SECRET => {
                let identity = x25519::Identity::new(key.expose());
                identity.map(Self::X25519).ok_or("malformed secret key")
            }
            hybrid::SECRET => {
                let identity = hybrid::Identity::new(key.expose());
                identity.map(Self::Hybrid).ok_or("malformed secret key")
            }
            _ => Err("unknown identity type"),
        }
    }
}

/// Encrypts a small secret for a public key into an armored file.
pub fn encrypt(recipient: &str, secret: &DataKey) -> Result<String, KeyError> {
    let refused = || KeyError::new("malformed recipient");
    let (kind, key) = bech32::decode(recipient.trim()).ok_or_else(refused)?;
    let file_key = file::FileKey::generate();
    let stanza = match kind.as_str() {
        x25519::PUBLIC => {
            let recipient = x25519::Recipient::new(key.expose()).ok_or_else(refused)?;
            recipient.wrap(&file_key)
        }
        hybrid::PUBLIC => {
            let recipient = hybrid::Recipient::new(key.expose()).ok_or_else(refused)?;
            recipient.wrap(&file_key)
        }
        _ => return Err(KeyError::new("unknown recipient type")),
    };
    let stanza = stanza.ok_or_else(refused)?;
    Ok(armor::encode(&file::seal(&file_key, &[stanza], secret)))
}

#[async_trait]
impl KeyService for Identities {
    async fn unwrap(&self, key: &MasterKey) -> Result<DataKey, KeyError> {
        self.decrypt(&key.wrapped)
    }

    async fn wrap(&self, recipient: &Recipient, part: &DataKey) -> Result<String, KeyError> {
        match recipient {
            Recipient::Age { recipient } => encrypt(recipient, part),
            _ => Err(KeyError::new("it is not an age key")),
        }
    }
}

#[cfg(test)]
mod tests;
