//! Verifies signatures and tokens in constant time.

use aws_lc_rs::constant_time::verify_slices_are_equal;
use aws_lc_rs::hmac;
use sluice_digest::Algorithm;

/// Reason to reject a signature or token.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SignatureError {
    /// The signature is missing.
    #[error("missing signature")]
    Missing,
    /// The signature is not `<algorithm>=<hexadecimal>`.
    #[error("error parsing signature")]
    Malformed,
    /// The algorithm is not supported.
    #[error("unknown hash type prefix: {0:?}")]
    Algorithm(String),
    /// The signature belongs to another body or key.
    #[error("payload signature check failed")]
    Mismatch,
}

/// Verifies `<sha1|sha256|sha512>=<hexadecimal>` over a body.
pub(super) fn verify(signature: &[u8], body: &[u8], key: &[u8]) -> Result<(), SignatureError> {
    if signature.is_empty() {
        return Err(SignatureError::Missing);
    }
    let text = std::str::from_utf8(signature).map_err(|_| SignatureError::Malformed)?;
    let mut parts = text.split('=');
    let (Some(name), Some(code), None) = (parts.next(), parts.next(), parts.next()) else {
        return Err(SignatureError::Malformed);
    };
    let algorithm = match name {
        "sha1" => hmac::HMAC_SHA1_FOR_LEGACY_USE_ONLY,
        "sha256" => hmac::HMAC_SHA256,
        "sha512" => hmac::HMAC_SHA512,
        name => {
            let start = name.chars().take(20).collect();
            return Err(SignatureError::Algorithm(start));
        }
    };
    let code = hex::decode(code).map_err(|_| SignatureError::Malformed)?;
    let key = hmac::Key::new(algorithm, key);
    hmac::verify(&key, body, &code).map_err(|_| SignatureError::Mismatch)
}

/// Verifies a HMAC-SHA1 in lower-case hexadecimal.
pub(super) fn verify_sha1_hex(signature: &[u8], body: &[u8], key: &[u8]) -> bool {
    let key = hmac::Key::new(hmac::HMAC_SHA1_FOR_LEGACY_USE_ONLY, key);
    let expected = hex::encode(hmac::sign(&key, body));
    verify_slices_are_equal(signature, expected.as_bytes()).is_ok()
}

/// Compares two secrets by their hashes, so that the duration reveals neither content nor length.
pub(super) fn is_equal(given: &[u8], wanted: &[u8]) -> bool {
    let hash = |bytes| Algorithm::Sha256.digest(bytes);
    let (given, wanted) = (hash(given), hash(wanted));
    verify_slices_are_equal(given.hex().as_bytes(), wanted.hex().as_bytes()).is_ok()
}
