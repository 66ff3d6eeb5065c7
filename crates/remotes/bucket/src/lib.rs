//! Object stores: lists and downloads the objects of a bucket.
//!
//! The crate speaks the S3 protocol with static keys or anonymously. Stores are untrusted: answers
//! have size limits, keys are opaque text, and a page that repeats ends the listing. Errors have the
//! texts of `minio-go`, which Flux shows. The crate has no Kubernetes types.
//!
//! Start at [`Client`] for requests, [`Endpoint`] for addresses and [`Index`] for revisions.

mod client;
mod endpoint;
mod error;
mod index;
mod xml;

pub use client::{Bucket, Client, Credentials, Object};
pub use endpoint::{Endpoint, EndpointError};
pub use error::{Error, ErrorKind};
pub use index::{FilePath, Index};
