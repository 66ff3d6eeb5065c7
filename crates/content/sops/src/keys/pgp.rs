//! OpenPGP within the process: without gpg, agent or key ring on disk.
//!
//! Every available secret key is tried on a message, like gpg does with its key ring. The
//! fingerprint in the document is not used. Messages without authentication are rejected.

use std::fmt;
use std::io::Read as _;
use std::sync::Arc;

use async_trait::async_trait;
use pgp::composed::{
    ArmorOptions, DecryptionOptions, Deserializable as _, Message, MessageBuilder, SignedPublicKey,
    SignedPublicSubKey, SignedSecretKey, TheRing,
};
use pgp::crypto::sym::SymmetricKeyAlgorithm;
use pgp::types::Password;

use crate::data_key::DataKey;
use crate::keys::{KeyError, KeyService};
use crate::metadata::MasterKey;
use crate::recipient::Recipient;

const BEGIN: &str = "-----BEGIN PGP ";

/// The maximum size of a decrypted key, in bytes. Larger messages are compression bombs.
const MAX_PLAIN_BYTES: u64 = 4096;

/// The maximum number of keys in a Secret.
const MAX_KEYS: usize = 1024;

/// Why keys are rejected.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum PgpKeyError {
    /// The text is not armored.
    #[error("the text has no armored OpenPGP key")]
    NoArmor,
    /// The armored block is not a key.
    #[error("an armored block holds no OpenPGP secret key that can be read")]
    Unreadable,
    /// The key has a passphrase.
    #[error("OpenPGP secret keys with a passphrase are not supported")]
    Locked,
    /// There are too many keys.
    #[error("there are too many OpenPGP keys")]
    TooMany,
}

/// OpenPGP secret keys.
#[derive(Clone, Default)]
pub struct SecretKeys(Vec<Arc<SignedSecretKey>>);

/// Shows the fingerprints, which are public.
impl fmt::Debug for SecretKeys {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let fingerprints = self.0.iter().map(|key| fingerprint(&key.primary_key));
        f.debug_list().entries(fingerprints).finish()
    }
}

fn fingerprint(key: &impl pgp::types::KeyDetails) -> String {
    format!("{:X}", key.fingerprint())
}

impl SecretKeys {
    /// Adds the secret keys of an armored text with one or more blocks.
    pub fn import(&mut self, bytes: &[u8]) -> Result<(), PgpKeyError> {
        let text = str::from_utf8(bytes).map_err(|_| PgpKeyError::NoArmor)?;
        let mut starts: Vec<usize> = text.match_indices(BEGIN).map(|(at, _)| at).collect();
        if starts.is_empty() {
            return Err(PgpKeyError::NoArmor);
        }
        starts.push(text.len());
        let mut found = Vec::new();
        for block in starts.windows(2) {
            let block = &text[block[0]..block[1]];
            // A public key is allowed beside its secret key.
            if block.starts_with("-----BEGIN PGP PUBLIC KEY BLOCK") {
                continue;
            }
            let (keys, _) =
                SignedSecretKey::from_string_many(block).map_err(|_| PgpKeyError::Unreadable)?;
            for key in keys {
                let key = key.map_err(|_| PgpKeyError::Unreadable)?;
                if is_locked(&key) {
                    return Err(PgpKeyError::Locked);
                }
                found.push(Arc::new(key));
            }
        }
        if found.is_empty() {
            return Err(PgpKeyError::Unreadable);
        }
        if self.0.len() + found.len() > MAX_KEYS {
            return Err(PgpKeyError::TooMany);
        }
        self.0.append(&mut found);
        Ok(())
    }

    /// Whether the list is empty.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Decrypts an armored message.
    pub fn decrypt(&self, armored: &str) -> Result<DataKey, KeyError> {
        if self.is_empty() {
            return Err(KeyError::new("there are no OpenPGP keys to try"));
        }
        // The error of the library may quote the message.
        let malformed = || KeyError::new("its message is not an armored OpenPGP message");
        let (message, _) = Message::from_string(armored).map_err(|_| malformed())?;
        let password = Password::empty();
        let ring = TheRing {
            secret_keys: self.0.iter().map(AsRef::as_ref).collect(),
            key_passwords: vec![&password],
            // Not standardised, but authenticated, and written by newer versions of gpg.
            decrypt_options: DecryptionOptions::new().enable_gnupg_aead(),
            ..TheRing::default()
        };
        let mut message = match message.decrypt_the_ring(ring, true) {
            Ok((message, _)) => message,
            Err(pgp::errors::Error::MissingKey) => {
                return Err(KeyError::new(
                    "none of the OpenPGP keys is one that it is encrypted for",
                ));
            }
            Err(_) => return Err(KeyError::new("its message cannot be decrypted")),
        };
        if message.is_compressed() {
            message = message.decompress().map_err(|_| malformed())?;
        }
        let mut plain = Vec::new();
        let read = message.take(MAX_PLAIN_BYTES + 1).read_to_end(&mut plain);
        let key = DataKey::new(plain);
        if read.is_err() || key.expose().len() as u64 > MAX_PLAIN_BYTES {
            return Err(KeyError::new(
                "its message was changed, or is not a data key",
            ));
        }
        Ok(key)
    }
}

fn is_locked(key: &SignedSecretKey) -> bool {
    key.primary_key.secret_params().is_encrypted()
        || key
            .secret_subkeys
            .iter()
            .any(|subkey| subkey.secret_params().is_encrypted())
}

/// Encrypts a small secret for a key or its encryption subkey.
pub fn encrypt(key: &SignedPublicKey, secret: &DataKey) -> Result<String, KeyError> {
    let failed = |_| KeyError::new("the OpenPGP key cannot encrypt");
    let random = rand::rngs::OsRng;
    let builder = MessageBuilder::from_bytes("", secret.expose().to_vec());
    let mut builder = builder.seipd_v1(random, SymmetricKeyAlgorithm::AES256);
    match encrypting(key) {
        Some(subkey) => builder
            .encrypt_to_key(random, &subkey.key)
            .map_err(failed)?,
        None => builder
            .encrypt_to_key(random, &key.primary_key)
            .map_err(failed)?,
    };
    builder
        .to_armored_string(random, ArmorOptions::default())
        .map_err(failed)
}

fn encrypting(key: &SignedPublicKey) -> Option<&SignedPublicSubKey> {
    let encrypts = |subkey: &&SignedPublicSubKey| {
        subkey.signatures.iter().any(|signature| {
            let flags = signature.key_flags();
            flags.encrypt_storage() || flags.encrypt_comms()
        })
    };
    key.public_subkeys.iter().find(encrypts)
}

#[async_trait]
impl KeyService for SecretKeys {
    async fn unwrap(&self, key: &MasterKey) -> Result<DataKey, KeyError> {
        self.decrypt(&key.wrapped)
    }

    async fn wrap(&self, recipient: &Recipient, part: &DataKey) -> Result<String, KeyError> {
        let Recipient::Pgp {
            fingerprint: wanted,
        } = recipient
        else {
            return Err(KeyError::new("it is not an OpenPGP key"));
        };
        let wanted = wanted.replace(' ', "").to_uppercase();
        let is_wanted = |key: &&Arc<SignedSecretKey>| {
            let own = fingerprint(&key.primary_key);
            let parts = key.secret_subkeys.iter();
            let mut parts = parts.map(|subkey| fingerprint(&subkey.key));
            !wanted.is_empty()
                && (own.ends_with(&wanted) || parts.any(|own| own.ends_with(&wanted)))
        };
        match self.0.iter().find(is_wanted) {
            Some(key) => encrypt(&key.to_public_key(), part),
            None => Err(KeyError::new("there is no OpenPGP key of that fingerprint")),
        }
    }
}

#[cfg(test)]
mod tests;
