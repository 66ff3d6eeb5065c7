//! Object stores: lists and downloads the objects of a bucket.
//!
//! The crate speaks the protocols of S3, of Google Cloud Storage and of Azure Blob Storage. Stores
//! are untrusted: answers have size limits, keys are opaque text, and a page that repeats ends the
//! listing. Errors have the texts of `minio-go`, which Flux shows. The crate has no Kubernetes
//! types.
//!
//! Start at [`Remote`] for requests, [`Endpoint`] for addresses and [`Index`] for revisions.

pub mod azure;
mod client;
mod endpoint;
mod error;
mod google;
mod index;
mod listing;
mod remote;
mod request;
mod xml;

pub use client::{Bucket, Client, Credentials, Object};
pub use endpoint::{Endpoint, EndpointError};
pub use error::{Error, ErrorKind};
pub use google::{GoogleBucket, GooglePage};
pub use index::{FilePath, Index};
pub use listing::ListedObject;
pub use remote::Remote;
pub use xml::{BlobPage, ErrorDocument, Page, XmlError};
