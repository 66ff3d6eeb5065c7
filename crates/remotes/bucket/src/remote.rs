//! A bucket of any provider.

use crate::azure::Container;
use crate::client::{Bucket, Client, ListedObject, Object};
use crate::error::Error;
use crate::google::GoogleBucket;

/// Maximum number of objects.
const MAX_OBJECTS: usize = 1_000_000;
/// Maximum length of a key in bytes, of all providers.
const MAX_KEY_BYTES: usize = 1024;

/// A bucket with the access to it.
#[derive(Debug, Clone)]
pub enum Remote {
    /// A store with the API of S3.
    S3(Bucket),
    /// Google Cloud Storage.
    Google(GoogleBucket),
    /// Azure Blob Storage.
    Azure(Container),
}

impl Remote {
    /// Whether the bucket exists.
    pub async fn exists(&self, client: &Client) -> Result<bool, Error> {
        match self {
            Self::S3(bucket) => client.exists(bucket).await,
            Self::Google(bucket) => client.google_exists(bucket).await,
            Self::Azure(container) => client.azure_exists(container).await,
        }
    }

    /// Visits all objects whose keys start with a prefix.
    pub async fn list(
        &self,
        client: &Client,
        prefix: &str,
        mut visit: impl FnMut(ListedObject<'_>),
    ) -> Result<(), Error> {
        let mut count = 0;
        let mut long_key = None;
        let mut checked = |object: ListedObject<'_>| {
            count += 1;
            if object.key.len() > MAX_KEY_BYTES {
                long_key.get_or_insert_with(|| object.key.chars().take(80).collect::<String>());
            } else if count <= MAX_OBJECTS {
                visit(object);
            }
            count <= MAX_OBJECTS
        };
        match self {
            Self::S3(bucket) => {
                let visit = |key: &str, etag: &str| {
                    checked(ListedObject {
                        key,
                        etag,
                        generation: None,
                    });
                };
                client.list(bucket, prefix, visit).await?;
            }
            Self::Google(bucket) => client.google_list(bucket, prefix, &mut checked).await?,
            Self::Azure(container) => client.azure_list(container, prefix, &mut checked).await?,
        }
        if let Some(key) = long_key {
            let key = key.escape_debug();
            return Err(Error::local(format!(
                "the key '{key}…' is longer than {MAX_KEY_BYTES} bytes"
            )));
        }
        if count > MAX_OBJECTS {
            return Err(Error::local(format!(
                "the listing has more than {MAX_OBJECTS} objects"
            )));
        }
        Ok(())
    }

    /// Begins the download of an object as it was listed. If it changed, the error has the kind
    /// [`ErrorKind::Changed`](crate::ErrorKind::Changed).
    pub async fn get(&self, client: &Client, listed: ListedObject<'_>) -> Result<Object, Error> {
        let key = listed.key;
        match self {
            Self::S3(bucket) => client.get(bucket, key, Some(listed.etag)).await,
            Self::Google(bucket) => client.google_get(bucket, listed).await,
            Self::Azure(container) => client.azure_get(container, key, Some(listed.etag)).await,
        }
    }

    /// Begins the download of an object as it is.
    pub async fn get_current(&self, client: &Client, key: &str) -> Result<Object, Error> {
        match self {
            Self::S3(bucket) => client.get(bucket, key, None).await,
            Self::Google(bucket) => client.google_get_current(bucket, key).await,
            Self::Azure(container) => client.azure_get(container, key, None).await,
        }
    }
}
