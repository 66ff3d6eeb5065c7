//! Container registries: references, credentials, pull, push and signatures.
//!
//! The crate implements the distribution specification and the artifact format of Flux. Registries
//! are untrusted: content is verified by its digest, sizes are limited before reading, and headers
//! never override content. Credentials are only sent to their registry and to its token service.
//! The crate has no Kubernetes types.
//!
//! Start at [`Client`] for requests, [`Keychain`] for credentials, [`cosign`] and [`notation`] for
//! signatures, and [`package`] for `push artifact`.

mod challenge;
pub mod client;
pub mod cosign;
mod deadline;
mod error;
pub mod keychain;
pub mod manifest;
pub mod notation;
pub mod package;
pub mod reference;
mod text;

pub use client::{Blob, Client, Content, Remote};
pub use deadline::{Deadline, RequestError};
pub use error::{Error, ErrorKind};
pub use keychain::{Keychain, Login};
pub use manifest::{Descriptor, Document, Index, Manifest};
pub use reference::{Reference, Repository, Version};
pub use sluice_digest::Digest;
