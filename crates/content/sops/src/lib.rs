//! SOPS documents: files and objects whose values are encrypted and whose shape is not.
//!
//! ```text
//! bytes ─format→ Document ──── decrypt ────→ Plain ─format→ bytes
//!                    │            ↑            │
//!                metadata ─keys→ DataKey    verify (the code over all values)
//! ```
//!
//! The crate owns the formats, the cipher, the metadata, and the keys that need
//! nothing but themselves or an HTTP client: age, OpenPGP, Vault transit. It refuses
//! to run programs, to look at the environment, to write files and to log. What it
//! says of a failure names keys, paths and recipients, never a value.
//!
//! Start at [`Decryptor`], which is all that a reconciliation needs; below it stand
//! [`Document`], one file, and [`keys::KeyService`], one kind of key.
//!
//! Parity: `getsops/sops` 3.13, and of `fluxcd/kustomize-controller` internal/decryptor
//! and internal/sops.

mod cipher;
mod data_key;
mod decryptor;
mod document;
mod error;
mod format;
pub mod import;
pub mod keys;
mod metadata;
mod rules;
mod shamir;
mod tree;

pub use cipher::{CipherError, is_encrypted};
pub use data_key::DataKey;
pub use decryptor::{
    ANNOTATION, DecryptedFile, Decryptor, Entry, MAX_FILE, ObjectError, SourceError, SourceTree,
    TreeError, is_encrypted_object, is_encrypted_secret, is_switched_off,
};
pub use document::{Document, Plain};
pub use error::{
    DataKeyError, EmitError, Error, KeyFailure, LoadError, MacError, ValueError, ValueFault,
};
pub use format::Format;
pub use metadata::{KeyGroup, KeyType, MasterKey, Metadata, Recipient};
pub use rules::{PatternError, Rule};
pub use shamir::ShamirError;
