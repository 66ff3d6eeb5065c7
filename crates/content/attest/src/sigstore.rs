//! Signatures of cosign, with keys and without.
//!
//! A [`KeyVerifier`] has the keys that may sign. Without keys, a certificate that was valid for
//! minutes names the signer. Such a signature counts if all of this holds:
//!
//! ```text
//! log          a trusted log holds the signature
//! timestamp    the log, or a timestamp authority, signed the time of the signature
//! certificate  a trusted authority had issued the certificate, which was valid at that time
//! sct          a trusted log of certificates knows the certificate
//! bundle       the key of the certificate signed a statement about the digest
//! identity     the certificate names an allowed issuer and subject
//! ```
//!
//! [`TrustedRoot`] names authorities and logs, [`Identities`] the allowed signers. Start at
//! [`Verifier`]. Older signatures are a payload with annotations: [`LegacySignature`].
//!
//! Parity: sigstore-go v1.2 with an observer timestamp, one log entry and one certificate
//! timestamp.

mod body;
mod bundle;
mod certificate;
mod checkpoint;
mod der;
mod identity;
mod json;
mod key;
mod keyed;
mod legacy;
mod log;
mod lookup;
mod merkle;
mod root;
mod sct;
mod timestamp;
pub mod tuf;

use sluice_digest::Digest;
use sluice_system::budget::{Budget, BudgetExceeded};

use bundle::{Bundle, Predicates};
use certificate::{CODE_SIGNING, Certificate};
pub use identity::{Identities, InvalidIdentity};
use key::Hash;
pub use key::{InvalidKey, PublicKey};
pub use keyed::KeyVerifier;
pub use legacy::LegacySignature;
use log::{Claim, Content};
pub use lookup::{LOOKUP_PATH, MAX_ANSWER_BYTES, NOT_LOGGED, promises};
pub use root::{InvalidRoot, MAX_ROOT_BYTES, PUBLIC_ROOT, TrustedRoot};
use timestamp::Timestamp;

/// Maximum number of timestamps, as in sigstore-go.
const MAX_TIMESTAMPS: usize = 32;
/// Steps of a budget for one check of a signature.
const CHECK_STEPS: u64 = 1 << 14;

/// Why a signature does not count.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Refusal {
    /// It is not a signature of a supported form. Another form may hold one.
    #[error("{0}")]
    Unreadable(String),
    /// It is not valid.
    #[error("{0}")]
    Invalid(String),
    /// The verification takes too long.
    #[error("the signatures take too long to verify: {0}")]
    Budget(#[from] BudgetExceeded),
}

impl From<String> for Refusal {
    fn from(why: String) -> Self {
        Self::Invalid(why)
    }
}

/// Verifies signatures with a trusted root and the allowed identities.
#[derive(Debug)]
pub struct Verifier {
    root: TrustedRoot,
    identities: Identities,
}

impl Verifier {
    /// Makes a verifier.
    pub const fn new(root: TrustedRoot, identities: Identities) -> Self {
        Self { root, identities }
    }

    /// Whether every identity may sign.
    pub fn allows_any_identity(&self) -> bool {
        self.identities.is_empty()
    }

    /// The address of the first log that has one. It is asked for missing promises.
    pub fn log_address(&self) -> Option<&str> {
        let mut addresses = self.root.logs.iter().map(|log| log.address.as_str());
        addresses.find(|address| !address.is_empty())
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
        let statement = bundle.statement()?;
        let leaf = Certificate::from_der(bundle.certificate()?)?;
        let claim = Claim {
            leaf: &leaf,
            signature: statement.signature,
            content: Content::Envelope {
                payload: statement.payload,
                signed: &statement.signed,
            },
        };
        let entries = &bundle.verification_material.tlog_entries;
        let count = u64::try_from(entries.len()).unwrap_or(u64::MAX);
        // A promise and a checkpoint are signed.
        budget.charge_steps(count.saturating_mul(2 * CHECK_STEPS))?;
        let stamps = self.stamped(&bundle, statement.signature, budget)?;
        let mut times = log::verify(entries, claim, &self.root, &stamps)?;
        times.extend(stamps);
        self.verify_certificate(&leaf, &times, budget)?;
        budget.charge_steps(2 * CHECK_STEPS)?;
        let key = leaf.key.as_ref();
        let key = key.ok_or_else(|| "the key of a certificate is not supported".to_owned())?;
        // Older clients signed with SHA-256 for every curve.
        let is_signed = [key.hash(), Hash::Sha256]
            .into_iter()
            .any(|hash| key.verify(hash, &statement.signed, statement.signature));
        if !is_signed {
            return Err(altered());
        }
        bundle::check_statement(statement.payload, digest, Predicates::Any)?;
        self.identities.check(&leaf.signer()?, budget)
    }

    /// Verifies that a signature under the older tag is of a digest. It must hold the promise of a
    /// log.
    pub fn verify_legacy(
        &self,
        signature: LegacySignature<'_>,
        digest: &Digest,
        budget: &Budget,
    ) -> Result<(), Refusal> {
        let LegacySignature {
            payload,
            certificate,
            bundle,
            ..
        } = signature;
        for text in [signature.signature, certificate, bundle] {
            charge(budget, text.as_bytes())?;
        }
        charge(budget, payload)?;
        let leaf = body::certificate(certificate.as_bytes());
        let leaf = leaf.ok_or_else(|| "no certificate found on signature".to_owned())?;
        let leaf = Certificate::from_der(&leaf)?;
        let signature = signature.bytes()?;
        let promise = legacy::Promise::parse(bundle)?;
        let claim = Claim {
            leaf: &leaf,
            signature: &signature,
            content: Content::Payload(payload),
        };
        log::compare(&promise.body()?, claim)?;
        let time = promise.verify(&self.root, budget)?;
        self.verify_certificate(&leaf, &[time], budget)?;
        budget.charge_steps(CHECK_STEPS)?;
        let key = leaf.key.as_ref();
        if !key.is_some_and(|key| key.verify(Hash::Sha256, payload, &signature)) {
            return Err(altered());
        }
        legacy::check_digest(payload, digest)?;
        self.identities.check(&leaf.signer()?, budget)
    }

    /// The times that timestamp authorities signed. A timestamp that no authority of the root made
    /// is ignored.
    fn stamped(
        &self,
        bundle: &Bundle,
        signature: &[u8],
        budget: &Budget,
    ) -> Result<Vec<i64>, Refusal> {
        if bundle.timestamps().count() > MAX_TIMESTAMPS {
            return Err(format!("a bundle has more than {MAX_TIMESTAMPS} timestamps").into());
        }
        let mut times = Vec::new();
        for response in bundle.timestamps() {
            let Ok(timestamp) = Timestamp::parse(response) else {
                continue;
            };
            for stamper in &self.root.stampers {
                budget.charge_steps(CHECK_STEPS)?;
                if let Ok(time) = timestamp.verify(signature, stamper, budget) {
                    times.push(time);
                    break;
                }
            }
        }
        Ok(times)
    }

    /// Verifies that a trusted authority issued a certificate which was valid at each of the times.
    fn verify_certificate(
        &self,
        leaf: &Certificate,
        times: &[i64],
        budget: &Budget,
    ) -> Result<(), Refusal> {
        let mut issuer = None;
        for time in times {
            issuer = Some(self.issuer(leaf, *time, budget)?);
        }
        let issuer = issuer.ok_or_else(|| "a signature has no trusted time".to_owned())?;
        sct::verify(leaf, issuer, &self.root.certificate_logs, budget)
    }

    /// The issuer of a certificate in a chain that is valid at a time.
    fn issuer(
        &self,
        leaf: &Certificate,
        time: i64,
        budget: &Budget,
    ) -> Result<&Certificate, Refusal> {
        let mut reason = "no certificate authority of the trusted root is valid at this time";
        for authority in &self.root.authorities {
            if !authority.period.contains(time) {
                continue;
            }
            let (intermediates, root) = (&authority.intermediates, &authority.root);
            match leaf.chain(intermediates, root, time, CODE_SIGNING, budget) {
                Ok(chain) => {
                    return chain
                        .into_iter()
                        .next()
                        .ok_or_else(|| "a certificate has no issuer".to_owned().into());
                }
                Err(why) => reason = why,
            }
        }
        budget.charge_steps(1)?;
        Err(reason.to_owned().into())
    }
}

fn altered() -> Refusal {
    "a signature was made by another key, or altered"
        .to_owned()
        .into()
}

/// Charges the bytes of an attachment.
fn charge(budget: &Budget, bytes: &[u8]) -> Result<(), BudgetExceeded> {
    let length = u64::try_from(bytes.len()).unwrap_or(u64::MAX);
    budget.charge_bytes(length)?;
    budget.charge_steps(length)
}

#[cfg(test)]
mod tests;
