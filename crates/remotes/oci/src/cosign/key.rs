//! Public keys in the formats of cosign: PEM with ECDSA, RSA or Ed25519.

use std::fmt;

use aws_lc_rs::signature::{
    ECDSA_P256_SHA256_ASN1, ECDSA_P384_SHA256_ASN1, ECDSA_P521_SHA256_ASN1, ED25519,
    ParsedPublicKey, RSA_PKCS1_2048_8192_SHA256, VerificationAlgorithm,
};
use rustls_pki_types::pem::{PemObject as _, SectionKind};

/// Cosign uses SHA-256 for all curves.
const ALGORITHMS: [&dyn VerificationAlgorithm; 5] = [
    &ECDSA_P256_SHA256_ASN1,
    &ECDSA_P384_SHA256_ASN1,
    &ECDSA_P521_SHA256_ASN1,
    &ED25519,
    &RSA_PKCS1_2048_8192_SHA256,
];

/// A public key.
pub struct PublicKey(ParsedPublicKey);

/// An invalid or unsupported key.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum InvalidKey {
    /// It is not a PEM-encoded public key.
    #[error("it is not a PEM block of type PUBLIC KEY")]
    Pem,
    /// The key type is not supported.
    #[error("its key is neither ECDSA (P-256, P-384, P-521), RSA (2048 bits or more) nor Ed25519")]
    Algorithm,
}

impl PublicKey {
    /// Parses the first key of a PEM text.
    pub fn from_pem(pem: &[u8]) -> Result<Self, InvalidKey> {
        let der = <(SectionKind, Vec<u8>)>::pem_slice_iter(pem)
            .filter_map(Result::ok)
            .find_map(|(kind, der)| matches!(kind, SectionKind::PublicKey).then_some(der))
            .ok_or(InvalidKey::Pem)?;
        ALGORITHMS
            .into_iter()
            .find_map(|algorithm| ParsedPublicKey::new(algorithm, &der).ok())
            .map(Self)
            .ok_or(InvalidKey::Algorithm)
    }

    /// Whether this key made the signature over the message.
    pub(super) fn verify(&self, message: &[u8], signature: &[u8]) -> bool {
        self.0.verify_sig(message, signature).is_ok()
    }
}

impl fmt::Debug for PublicKey {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("PublicKey")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_public_keys_are_parsed() {
        for (pem, expected) in [
            ("", InvalidKey::Pem),
            ("ssh-ed25519 AAAA", InvalidKey::Pem),
            (
                "-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----\n",
                InvalidKey::Pem,
            ),
            (
                "-----BEGIN PUBLIC KEY-----\nAAAA\n-----END PUBLIC KEY-----\n",
                InvalidKey::Algorithm,
            ),
        ] {
            assert_eq!(
                PublicKey::from_pem(pem.as_bytes()).unwrap_err(),
                expected,
                "{pem}"
            );
        }
    }
}
