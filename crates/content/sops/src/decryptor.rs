//! Decrypts the source files of a build, and then its objects.
//!
//! Files are read through a [`SourceTree`] and returned without writing them. As in Flux, the
//! message authentication code is not checked, because kustomize has already changed the
//! objects that it covers.

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
    ANNOTATION, ObjectError, is_decryption_disabled, is_encrypted_object, is_encrypted_secret,
};
pub use sources::{DecryptedFile, MAX_FILE_BYTES, SourceEntry, SourceError, SourceTree, TreeError};

/// Decrypts with one set of keys. Each data key is unwrapped once, even by concurrent
/// decryptions.
#[derive(Debug)]
pub struct Decryptor {
    keyring: Keyring,
    known: Mutex<HashMap<DataKeyId, Arc<OnceCell<DataKey>>>>,
}

/// Identifies a data key: the digest of its wrapped parts.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
struct DataKeyId([u8; 32]);

impl fmt::Debug for DataKeyId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&hex::encode(&self.0[..4]))
    }
}

impl DataKeyId {
    fn new(metadata: &Metadata) -> Self {
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
        Self(
            digest
                .as_ref()
                .try_into()
                .expect("a SHA-256 digest has 32 bytes"),
        )
    }
}

impl Decryptor {
    /// Creates a decryptor with these keys.
    pub fn new(keyring: Keyring) -> Self {
        Self {
            keyring,
            known: Mutex::default(),
        }
    }

    /// Decrypts a text of one format and renders it in another one.
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

    /// Like [`decrypt`](Self::decrypt), and also checks the message authentication code.
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
            Arc::clone(known.entry(DataKeyId::new(metadata)).or_default())
        };
        // Concurrent callers wait for the first. If it fails, the next one tries.
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
    use crate::metadata::MasterKey;
    use crate::recipient::{KeyType, Recipient};

    /// Unwraps the key once allowed, and fails the first time.
    struct SlowService {
        asked: AtomicUsize,
        may: Semaphore,
    }

    #[async_trait]
    impl KeyService for SlowService {
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
    async fn concurrent_callers_unwrap_a_key_once() {
        let service = Arc::new(SlowService {
            asked: AtomicUsize::new(0),
            may: Semaphore::new(0),
        });
        let keyring = Keyring::default().with(KeyType::GcpKms, Arc::<SlowService>::clone(&service));
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
