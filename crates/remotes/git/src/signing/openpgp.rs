//! OpenPGP private keys: a key ring and the selected signing key.

use pgp::composed::{ArmorOptions, Deserializable as _, DetachedSignature, SignedSecretKey};
use pgp::crypto::hash::HashAlgorithm;
use pgp::types::{KeyDetails as _, Password};
use sluice_dial::Sensitive;

use super::SigningKeyError;

const UNREADABLE: SigningKeyError = SigningKeyError::Unreadable("OpenPGP");

/// A key and its passphrase.
#[derive(Clone)]
pub(super) struct Key {
    key: SignedSecretKey,
    passphrase: Option<Sensitive<String>>,
}

impl Key {
    pub(super) fn read(
        ring: &[u8],
        passphrase: Option<&Sensitive<String>>,
        id: Option<&str>,
    ) -> Result<Self, SigningKeyError> {
        let keys = parse_ring(ring)?;
        let wanted = id.map(|id| id.trim_start_matches("0x").to_ascii_lowercase());
        let short = |key: &SignedSecretKey| {
            let id = key.primary_key.legacy_key_id();
            id.to_string().to_uppercase()
        };
        let available: Vec<String> = keys.iter().map(short).collect();
        let found = keys.into_iter().find(|key| match &wanted {
            None => true,
            // An ID is the end of a fingerprint. The ID of a subkey selects its primary key.
            Some(wanted) => {
                let primary = key.primary_key.fingerprint().to_string();
                let parts = key.secret_subkeys.iter();
                let mut names = parts
                    .map(|part| part.key.fingerprint().to_string())
                    .chain([primary]);
                wanted.len() >= 16
                    && names.any(|name| name.to_lowercase().ends_with(wanted.as_str()))
            }
        });
        match (found, id) {
            (Some(key), _) => Ok(Self {
                key,
                passphrase: passphrase.cloned(),
            }),
            (None, Some(id)) if !available.is_empty() => Err(SigningKeyError::NotInRing {
                id: id.to_owned(),
                available,
            }),
            (None, _) => Err(UNREADABLE),
        }
    }

    pub(super) fn public(&self) -> Result<String, SigningKeyError> {
        let public = self.key.to_public_key();
        public
            .to_armored_string(ArmorOptions::default())
            .map_err(|_| UNREADABLE)
    }

    /// Signs with the last signing subkey, or with the primary key.
    pub(super) fn sign(&self, payload: &[u8]) -> Result<String, SigningKeyError> {
        let password = match &self.passphrase {
            Some(passphrase) => Password::from(passphrase.expose().as_str()),
            None => Password::empty(),
        };
        let signs = |flags: &pgp::packet::KeyFlags| flags.sign();
        let subkey = self.key.secret_subkeys.iter().rfind(|part| {
            let mut bindings = part.signatures.iter();
            bindings.any(|one| signs(&one.key_flags()))
        });
        let hash = HashAlgorithm::Sha512;
        let random = rand::thread_rng();
        let signed = match subkey {
            Some(part) => {
                DetachedSignature::sign_binary_data(random, &part.key, &password, hash, payload)
            }
            None => {
                let key = &self.key.primary_key;
                DetachedSignature::sign_binary_data(random, key, &password, hash, payload)
            }
        };
        let signature = signed.map_err(|_| SigningKeyError::Locked)?;
        signature
            .to_armored_string(ArmorOptions::default())
            .map_err(|error| SigningKeyError::Failed(error.to_string()))
    }
}

/// Parses all keys of a file, which may contain several armored blocks.
fn parse_ring(ring: &[u8]) -> Result<Vec<SignedSecretKey>, SigningKeyError> {
    let mut keys = Vec::new();
    if let Ok(text) = std::str::from_utf8(ring)
        && text.contains("-----BEGIN PGP ")
    {
        let (found, _) = SignedSecretKey::from_string_many(text).map_err(|_| UNREADABLE)?;
        for key in found {
            keys.push(key.map_err(|_| UNREADABLE)?);
        }
    } else {
        for key in SignedSecretKey::from_bytes_many(ring).map_err(|_| UNREADABLE)? {
            keys.push(key.map_err(|_| UNREADABLE)?);
        }
    }
    Ok(keys)
}
