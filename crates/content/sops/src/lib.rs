//! Decrypts and encrypts SOPS documents: files and objects with encrypted values.
//!
//! ```text
//! bytes ─format→ Document ──── decrypt ────→ PlainDocument ─format→ bytes
//!                    │            ↑            │
//!                metadata ─keys→ DataKey    verify (the code over all values)
//! ```
//!
//! The crate contains the formats, the cipher, the metadata, and the keys that need at most
//! an HTTP client: age, OpenPGP, Vault transit and the key services of clouds. It never starts
//! programs, reads environment variables, writes files or logs. Errors contain keys, paths and
//! recipients, but no values.
//!
//! Start at [`Decryptor`], which has all that a reconciliation needs. [`Document`] is a single
//! file, and [`keys::KeyService`] a kind of master key.
//!
//! Parity: `getsops/sops` 3.13, and of `fluxcd/kustomize-controller` internal/decryptor
//! and internal/sops.

mod cipher;
mod codec;
mod data_key;
mod decryptor;
mod document;
mod error;
mod format;
pub mod import;
pub mod keys;
mod metadata;
mod recipient;
mod rules;
mod shamir;
mod tree;

pub use cipher::is_encrypted;
pub use data_key::DataKey;
pub use decryptor::{
    ANNOTATION, DecryptedFile, Decryptor, MAX_FILE_BYTES, ObjectError, SourceEntry, SourceError,
    SourceTree, TreeError, is_decryption_disabled, is_encrypted_object, is_encrypted_secret,
};
pub use document::{Document, PlainDocument};
pub use error::{
    CipherError, DataKeyError, EmitError, Error, KeyFailure, LoadError, MacError, ShamirError,
    ValueError, ValueProblem,
};
pub use format::Format;
pub use metadata::{KeyGroup, MasterKey, Metadata};
pub use recipient::{KeyType, Recipient};
pub use rules::{PatternError, Rule};
