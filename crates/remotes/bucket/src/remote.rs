//! A bucket of any provider.

use crate::azure::Container;
use crate::client::{Bucket, Client, Object};
use crate::error::Error;
use crate::google::GoogleBucket;
use crate::listing::{ListedObject, Listing};

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
        visit: impl FnMut(ListedObject<'_>),
    ) -> Result<(), Error> {
        let mut listing = Listing::new(visit);
        match self {
            Self::S3(bucket) => client.s3_list(bucket, prefix, &mut listing).await,
            Self::Google(bucket) => client.google_list(bucket, prefix, &mut listing).await,
            Self::Azure(container) => client.azure_list(container, prefix, &mut listing).await,
        }
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
