//! What a reconciliation does with encrypted things, in order: the files that the
//! build will read, then the objects that it made.
//!
//! Files are read through a [`SourceTree`] and given back beside it; nothing is
//! written. The message authentication code is not looked at here, as in Flux:
//! kustomize has already changed the objects that it would cover.

mod object;
mod sources;

use std::collections::HashMap;
use std::fmt;
use std::sync::{Mutex, PoisonError};

use aws_lc_rs::digest::{Context, SHA256};
use sluice_auth::Sensitive;

use crate::data_key::DataKey;
use crate::document::Document;
use crate::error::Error;
use crate::format::Format;
use crate::keys::Keyring;
use crate::metadata::Metadata;

pub use object::{
    ANNOTATION, ObjectError, is_encrypted_object, is_encrypted_secret, is_switched_off,
};
pub use sources::{DecryptedFile, Entry, MAX_FILE, SourceError, SourceTree, TreeError};

/// Decrypts with one set of keys. A data key is unwrapped once, however many
/// documents of one file carry it.
#[derive(Debug)]
pub struct Decryptor {
    keyring: Keyring,
    known: Mutex<HashMap<Wrapping, DataKey>>,
}

/// The digest of all that wraps a data key.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
struct Wrapping([u8; 32]);

impl fmt::Debug for Wrapping {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&hex::encode(&self.0[..4]))
    }
}

impl Wrapping {
    fn of(metadata: &Metadata) -> Self {
        let mut digest = Context::new(&SHA256);
        let mut add = |text: &str| {
            digest.update(&(text.len() as u64).to_be_bytes());
            digest.update(text.as_bytes());
        };
        add(&metadata.threshold.to_string());
        for (index, group) in metadata.groups.iter().enumerate() {
            for key in group {
                add(&index.to_string());
                add(&format!("{:?}", key.recipient));
                add(&key.wrapped);
            }
        }
        let digest = digest.finish();
        Self(digest.as_ref().try_into().expect("SHA-256 has 32 bytes"))
    }
}

impl Decryptor {
    /// Decrypts with these keys.
    pub fn new(keyring: Keyring) -> Self {
        Self {
            keyring,
            known: Mutex::default(),
        }
    }

    /// Decrypts a text of one format and prints it in another one.
    pub async fn decrypt(
        &self,
        bytes: &[u8],
        from: Format,
        to: Format,
    ) -> Result<Sensitive<Vec<u8>>, Error> {
        let document = Document::load(bytes, from)?;
        let key = self.data_key(document.metadata()).await?;
        document.decrypt(&key)?.emit(to)
    }

    /// Does the same, and checks that the document is what was encrypted.
    pub async fn decrypt_verified(
        &self,
        bytes: &[u8],
        from: Format,
        to: Format,
    ) -> Result<Sensitive<Vec<u8>>, Error> {
        let document = Document::load(bytes, from)?;
        let metadata = document.metadata().clone();
        let key = self.data_key(&metadata).await?;
        let plain = document.decrypt(&key)?;
        plain.verify(&metadata, &key)?;
        plain.emit(to)
    }

    async fn data_key(&self, metadata: &Metadata) -> Result<DataKey, Error> {
        let wrapping = Wrapping::of(metadata);
        let known = || self.known.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(key) = known().get(&wrapping) {
            return Ok(key.clone());
        }
        let key = self
            .keyring
            .data_key(metadata)
            .await
            .map_err(Error::DataKey)?;
        known().insert(wrapping, key.clone());
        Ok(key)
    }
}
