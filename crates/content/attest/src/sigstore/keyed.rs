//! Signatures that were made with a key: bundles, and payloads under the older tag.
//!
//! A statement about the digest by a trusted key counts, without a transparency log.
//!
//! Parity: source-controller v1.9: `internal/oci/cosign`, which ignores the log for keys. The
//! reference does not compare the digest in a payload, nor the predicate of a bundle.

use sluice_digest::Digest;
use sluice_system::budget::Budget;

use super::bundle::{self, Bundle, Predicates};
use super::key::{Hash, PublicKey};
use super::{CHECK_STEPS, LegacySignature, Refusal, altered, charge, legacy};

/// Verifies signatures with keys of which one must have signed.
#[derive(Debug)]
pub struct KeyVerifier(Vec<PublicKey>);

impl KeyVerifier {
    /// Makes a verifier. Without a key, it accepts nothing.
    pub const fn new(keys: Vec<PublicKey>) -> Self {
        Self(keys)
    }

    /// Verifies that a bundle is a signature of a digest.
    pub fn verify_bundle(
        &self,
        json: &[u8],
        digest: &Digest,
        budget: &Budget,
    ) -> Result<(), Refusal> {
        charge(budget, json)?;
        let bundle = Bundle::parse(json).map_err(Refusal::Unreadable)?;
        bundle.check_is_keyed()?;
        let statement = bundle.statement()?;
        self.check(&statement.signed, statement.signature, budget)?;
        let checked = bundle::check_statement(statement.payload, digest, Predicates::Signature);
        Ok(checked?)
    }

    /// Verifies that a signature under the older tag is of a digest. Its certificate and promise
    /// are ignored.
    pub fn verify_legacy(
        &self,
        signature: LegacySignature<'_>,
        digest: &Digest,
        budget: &Budget,
    ) -> Result<(), Refusal> {
        charge(budget, signature.payload)?;
        charge(budget, signature.signature.as_bytes())?;
        self.check(signature.payload, &signature.bytes()?, budget)?;
        Ok(legacy::check_digest(signature.payload, digest)?)
    }

    /// Checks that one of the keys signed a message. Cosign uses SHA-256 for all curves.
    fn check(&self, message: &[u8], signature: &[u8], budget: &Budget) -> Result<(), Refusal> {
        for key in &self.0 {
            budget.charge_steps(CHECK_STEPS)?;
            if key.verify(Hash::Sha256, message, signature) {
                return Ok(());
            }
        }
        Err(altered())
    }
}
