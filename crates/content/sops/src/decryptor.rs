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
use std::sync::{Arc, Mutex, PoisonError};

use aws_lc_rs::digest::{Context, SHA256};
use sluice_dial::Sensitive;
use tokio::sync::OnceCell;

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
/// documents carry it, and however many of those are decrypted at a time.
#[derive(Debug)]
pub struct Decryptor {
    keyring: Keyring,
    known: Mutex<HashMap<Wrapping, Arc<OnceCell<DataKey>>>>,
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
        let known = {
            let mut known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
            Arc::clone(known.entry(Wrapping::of(metadata)).or_default())
        };
        // Who comes meanwhile waits for the first; where that one fails, the next one tries.
        let key = known.get_or_try_init(|| self.keyring.data_key(metadata));
        key.await.cloned().map_err(Error::DataKey)
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicUsize, Ordering};

    use async_trait::async_trait;
    use tokio::sync::Semaphore;

    use super::*;
    use crate::keys::{KeyError, KeyService};
    use crate::metadata::{KeyType, MasterKey, Recipient};

    /// Gives the wrapped text as the key, once it may, and fails the first time.
    struct Slow {
        asked: AtomicUsize,
        may: Semaphore,
    }

    #[async_trait]
    impl KeyService for Slow {
        async fn unwrap(&self, key: &MasterKey) -> Result<DataKey, KeyError> {
            let before = self.asked.fetch_add(1, Ordering::Relaxed);
            self.may.acquire().await.unwrap().forget();
            if before == 0 {
                return Err(KeyError::new("not now"));
            }
            Ok(DataKey::new(key.wrapped.clone().into_bytes()))
        }

        async fn wrap(&self, _: &Recipient, _: &DataKey) -> Result<String, KeyError> {
            Err(KeyError::new("it only unwraps"))
        }
    }

    #[tokio::test]
    async fn a_key_is_asked_for_once_by_all_who_want_it_until_it_is_had() {
        let service = Arc::new(Slow {
            asked: AtomicUsize::new(0),
            may: Semaphore::new(0),
        });
        let keyring = Keyring::default().with(KeyType::GcpKms, Arc::<Slow>::clone(&service));
        let decryptor = Decryptor::new(keyring);
        let key = MasterKey {
            recipient: Recipient::GcpKms {
                resource_id: "a".to_owned(),
            },
            wrapped: "a key".to_owned(),
            created_at: None,
        };
        let metadata = Metadata {
            groups: vec![vec![key]],
            ..Metadata::default()
        };
        let (first, second, third, ()) = tokio::join!(
            decryptor.data_key(&metadata),
            decryptor.data_key(&metadata),
            decryptor.data_key(&metadata),
            async { service.may.add_permits(2) },
        );
        assert!(matches!(first, Err(Error::DataKey(_))), "{first:?}");
        for key in [second, third] {
            assert_eq!(key.unwrap().expose(), b"a key");
        }
        assert!(decryptor.data_key(&metadata).await.is_ok());
        assert_eq!(service.asked.load(Ordering::Relaxed), 2);
    }
}
