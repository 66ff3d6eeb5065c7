//! Container registries: references, credentials, pull, push and signatures.
//!
//! This crate owns the wire of the distribution specification and what Flux stores behind it. It
//! refuses to trust a registry: content is named by its digest and checked against it, sizes are
//! bounded before they are read, headers decide nothing that content can decide, and credentials
//! go to the registry they were given for and to the token service it names, nowhere else. It
//! knows no custom resource: credentials, keys and ways to dial come in as `auth` types.
//!
//! Start at [`Client`] for requests, at [`Keychain`] for credentials, at [`cosign`] for signatures
//! and at [`package`] for what `push artifact` makes.

mod challenge;
pub mod client;
pub mod cosign;
mod error;
pub mod keychain;
pub mod manifest;
pub mod package;
pub mod reference;

pub use client::{Blob, Client, Content, Remote};
pub use error::{Error, ErrorKind};
pub use keychain::{Keychain, Login};
pub use manifest::{Descriptor, Document, Index, Manifest};
pub use reference::{Reference, Repository, Version};
pub use sluice_digest::Digest;
