//! Signature algorithms: those of certificates, and those of envelopes.

use aws_lc_rs::digest;
use aws_lc_rs::signature::{
    ECDSA_P256_SHA256_ASN1, ECDSA_P256_SHA256_FIXED, ECDSA_P256_SHA384_ASN1,
    ECDSA_P256_SHA512_ASN1, ECDSA_P384_SHA256_ASN1, ECDSA_P384_SHA384_ASN1,
    ECDSA_P384_SHA384_FIXED, ECDSA_P384_SHA512_ASN1, ECDSA_P521_SHA256_ASN1,
    ECDSA_P521_SHA384_ASN1, ECDSA_P521_SHA512_ASN1, ECDSA_P521_SHA512_FIXED, ED25519,
    RSA_PKCS1_2048_8192_SHA256, RSA_PKCS1_2048_8192_SHA384, RSA_PKCS1_2048_8192_SHA512,
    RSA_PSS_2048_8192_SHA256, RSA_PSS_2048_8192_SHA384, RSA_PSS_2048_8192_SHA512,
    VerificationAlgorithm,
};
use x509_cert::der::Encode as _;
use x509_cert::der::asn1::ObjectIdentifier;
use x509_cert::spki::AlgorithmIdentifierOwned;

use super::Key;

/// A hash function. Weaker ones have no value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in super::super) enum Hash {
    Sha256,
    Sha384,
    Sha512,
}

/// The algorithm of an envelope. The key of the leaf determines it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in super::super) enum SignatureScheme {
    Ps256,
    Ps384,
    Ps512,
    Es256,
    Es384,
    Es512,
}

const PSS: ObjectIdentifier = ObjectIdentifier::new_unwrap("1.2.840.113549.1.1.10");
const RSA: ObjectIdentifier = ObjectIdentifier::new_unwrap("1.2.840.113549.1.1.1");

impl Hash {
    pub(in super::super) const ALL: [Self; 3] = [Self::Sha256, Self::Sha384, Self::Sha512];

    /// The function of an algorithm identifier.
    pub(in super::super) fn of(oid: ObjectIdentifier) -> Option<Self> {
        Self::ALL.into_iter().find(|hash| hash.oid() == oid)
    }

    fn oid(self) -> ObjectIdentifier {
        ObjectIdentifier::new_unwrap(match self {
            Self::Sha256 => "2.16.840.1.101.3.4.2.1",
            Self::Sha384 => "2.16.840.1.101.3.4.2.2",
            Self::Sha512 => "2.16.840.1.101.3.4.2.3",
        })
    }

    /// Computes the digest of bytes.
    pub(in super::super) fn digest(self, bytes: &[u8]) -> digest::Digest {
        let algorithm = match self {
            Self::Sha256 => &digest::SHA256,
            Self::Sha384 => &digest::SHA384,
            Self::Sha512 => &digest::SHA512,
        };
        digest::digest(algorithm, bytes)
    }

    fn pkcs1(self) -> &'static dyn VerificationAlgorithm {
        match self {
            Self::Sha256 => &RSA_PKCS1_2048_8192_SHA256,
            Self::Sha384 => &RSA_PKCS1_2048_8192_SHA384,
            Self::Sha512 => &RSA_PKCS1_2048_8192_SHA512,
        }
    }

    fn pss(self) -> &'static dyn VerificationAlgorithm {
        match self {
            Self::Sha256 => &RSA_PSS_2048_8192_SHA256,
            Self::Sha384 => &RSA_PSS_2048_8192_SHA384,
            Self::Sha512 => &RSA_PSS_2048_8192_SHA512,
        }
    }

    /// ECDSA on the curve of a key.
    fn ecdsa(self, bits: usize) -> Option<&'static dyn VerificationAlgorithm> {
        Some(match (bits, self) {
            (256, Self::Sha256) => &ECDSA_P256_SHA256_ASN1,
            (256, Self::Sha384) => &ECDSA_P256_SHA384_ASN1,
            (256, Self::Sha512) => &ECDSA_P256_SHA512_ASN1,
            (384, Self::Sha256) => &ECDSA_P384_SHA256_ASN1,
            (384, Self::Sha384) => &ECDSA_P384_SHA384_ASN1,
            (384, Self::Sha512) => &ECDSA_P384_SHA512_ASN1,
            (521, Self::Sha256) => &ECDSA_P521_SHA256_ASN1,
            (521, Self::Sha384) => &ECDSA_P521_SHA384_ASN1,
            (521, Self::Sha512) => &ECDSA_P521_SHA512_ASN1,
            _ => return None,
        })
    }
}

impl SignatureScheme {
    const ALL: [Self; 6] = [
        Self::Ps256,
        Self::Ps384,
        Self::Ps512,
        Self::Es256,
        Self::Es384,
        Self::Es512,
    ];

    /// The algorithm of a key, or the reason why it has none.
    pub(in super::super) fn of(key: Key) -> Result<Self, String> {
        Ok(match key {
            Key::Rsa(2048) => Self::Ps256,
            Key::Rsa(3072) => Self::Ps384,
            Key::Rsa(4096) => Self::Ps512,
            Key::Elliptic(256) => Self::Es256,
            Key::Elliptic(384) => Self::Es384,
            Key::Elliptic(521) => Self::Es512,
            Key::Rsa(bits) => return Err(format!("rsa key size {bits} bits is not supported")),
            Key::Elliptic(bits) => {
                return Err(format!("ecdsa key size {bits} bits is not supported"));
            }
            Key::Ed25519 | Key::Other => return Err("unsupported public key type".to_owned()),
        })
    }

    /// The name in JWS.
    pub(in super::super) fn name(self) -> &'static str {
        match self {
            Self::Ps256 => "PS256",
            Self::Ps384 => "PS384",
            Self::Ps512 => "PS512",
            Self::Es256 => "ES256",
            Self::Es384 => "ES384",
            Self::Es512 => "ES512",
        }
    }

    /// The algorithm of a name in JWS.
    pub(in super::super) fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|scheme| scheme.name() == name)
    }

    /// The verification of signatures of fixed length.
    pub(in super::super) fn algorithm(self) -> &'static dyn VerificationAlgorithm {
        match self {
            Self::Ps256 => Hash::Sha256.pss(),
            Self::Ps384 => Hash::Sha384.pss(),
            Self::Ps512 => Hash::Sha512.pss(),
            Self::Es256 => &ECDSA_P256_SHA256_FIXED,
            Self::Es384 => &ECDSA_P384_SHA384_FIXED,
            Self::Es512 => &ECDSA_P521_SHA512_FIXED,
        }
    }
}

/// The verification of an algorithm identifier with a key. SHA-1 and small keys have none.
pub(super) fn find(
    identifier: &AlgorithmIdentifierOwned,
    key: Key,
) -> Option<&'static dyn VerificationAlgorithm> {
    let text = identifier.oid.to_string();
    let hash = match &*text {
        "1.2.840.113549.1.1.11" | "1.2.840.10045.4.3.2" => Some(Hash::Sha256),
        "1.2.840.113549.1.1.12" | "1.2.840.10045.4.3.3" => Some(Hash::Sha384),
        "1.2.840.113549.1.1.13" | "1.2.840.10045.4.3.4" => Some(Hash::Sha512),
        _ => None,
    };
    let is_rsa = text.starts_with("1.2.840.113549.1.1.");
    match (key, hash) {
        (Key::Rsa(_), Some(hash)) if is_rsa => Some(hash.pkcs1()),
        (Key::Rsa(_), None) if identifier.oid == PSS => pss_hash(identifier).map(Hash::pss),
        (Key::Elliptic(bits), Some(hash)) if !is_rsa => hash.ecdsa(bits),
        (Key::Ed25519, None) if text == "1.3.101.112" => Some(&ED25519),
        _ => None,
    }
}

/// The verification of a signature in a message, whose digest is apart from the signature.
pub(in super::super) fn find_with_digest(
    identifier: &AlgorithmIdentifierOwned,
    hash: Hash,
    key: Key,
) -> Option<&'static dyn VerificationAlgorithm> {
    match key {
        Key::Rsa(_) if identifier.oid == RSA => Some(hash.pkcs1()),
        _ => find(identifier, key),
    }
}

/// The hash function of PSS parameters: the same for message and mask, and as long as the salt.
fn pss_hash(identifier: &AlgorithmIdentifierOwned) -> Option<Hash> {
    let given = identifier.parameters.as_ref()?.to_der().ok()?;
    Hash::ALL.into_iter().find(|hash| {
        [true, false]
            .into_iter()
            .any(|has_null| pss_parameters(*hash, has_null) == given)
    })
}

fn pss_parameters(hash: Hash, has_null: bool) -> Vec<u8> {
    const MASK: [u8; 11] = [6, 9, 42, 134, 72, 134, 247, 13, 1, 1, 8];
    let (last, salt) = match hash {
        Hash::Sha256 => (1, 32),
        Hash::Sha384 => (2, 48),
        Hash::Sha512 => (3, 64),
    };
    let mut function = vec![6, 9, 96, 134, 72, 1, 101, 3, 4, 2, last];
    if has_null {
        function.extend([5, 0]);
    }
    let function = wrap(48, &function);
    let mask = wrap(48, &[&MASK[..], &function].concat());
    let fields = [
        wrap(160, &function),
        wrap(161, &mask),
        vec![162, 3, 2, 1, salt],
    ];
    wrap(48, &fields.concat())
}

/// An element with a short length.
fn wrap(tag: u8, content: &[u8]) -> Vec<u8> {
    let length = u8::try_from(content.len()).unwrap_or(u8::MAX);
    [&[tag, length], content].concat()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The constants of Go's crypto/x509.
    #[test]
    fn pss_parameters_are_those_of_go() {
        let expected = [
            48, 52, 160, 15, 48, 13, 6, 9, 96, 134, 72, 1, 101, 3, 4, 2, 1, 5, 0, 161, 28, 48, 26,
            6, 9, 42, 134, 72, 134, 247, 13, 1, 1, 8, 48, 13, 6, 9, 96, 134, 72, 1, 101, 3, 4, 2,
            1, 5, 0, 162, 3, 2, 1, 32,
        ];
        assert_eq!(pss_parameters(Hash::Sha256, true), expected);
    }
}
