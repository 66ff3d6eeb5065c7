//! Signatures of artifacts: who signed a digest, and whether a policy trusts that signer.
//!
//! The crate works on bytes: it opens no connection and reads no clock. Callers find signatures in
//! a registry, and pass them with the trusted material. Start at [`sigstore::Verifier`] and
//! [`notary::Verifier`], which asks for answers about revocation through a trait.

pub mod notary;
pub mod sigstore;
