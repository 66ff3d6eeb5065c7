//! Public keys and the signatures that they check.

use aws_lc_rs::digest;
use aws_lc_rs::signature::{
    ECDSA_P256_SHA256_ASN1, ECDSA_P256_SHA384_ASN1, ECDSA_P256_SHA512_ASN1, ECDSA_P384_SHA256_ASN1,
    ECDSA_P384_SHA384_ASN1, ECDSA_P384_SHA512_ASN1, ECDSA_P521_SHA256_ASN1, ECDSA_P521_SHA384_ASN1,
    ECDSA_P521_SHA512_ASN1, ED25519, ParsedPublicKey, RSA_PKCS1_2048_8192_SHA256,
    RSA_PKCS1_2048_8192_SHA384, RSA_PKCS1_2048_8192_SHA512, VerificationAlgorithm,
};
use rustls_pki_types::pem::{PemObject as _, SectionKind};

use super::der::{self, NotDer, Reader, tag};

/// `rsaEncryption`, as the content of its DER.
const RSA: &[u8] = b"\x2a\x86\x48\x86\xf7\x0d\x01\x01\x01";
/// `id-ecPublicKey`.
const EC: &[u8] = b"\x2a\x86\x48\xce\x3d\x02\x01";
const P256: &[u8] = b"\x2a\x86\x48\xce\x3d\x03\x01\x07";
const P384: &[u8] = b"\x2b\x81\x04\x00\x22";
const P521: &[u8] = b"\x2b\x81\x04\x00\x23";
const EDWARDS: &[u8] = b"\x2b\x65\x70";

/// A type of key.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum KeyKind {
    P256,
    P384,
    P521,
    Rsa,
    Ed25519,
}

/// The hash function of a signature.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Hash {
    Sha256,
    Sha384,
    Sha512,
}

impl Hash {
    /// The hash function of an object identifier, as the content of its DER.
    pub(super) fn from_oid(oid: &[u8]) -> Option<Self> {
        match oid.strip_prefix(b"\x60\x86\x48\x01\x65\x03\x04\x02")? {
            [1] => Some(Self::Sha256),
            [2] => Some(Self::Sha384),
            [3] => Some(Self::Sha512),
            _ => None,
        }
    }

    pub(super) fn of(self, bytes: &[u8]) -> Vec<u8> {
        let algorithm = match self {
            Self::Sha256 => &digest::SHA256,
            Self::Sha384 => &digest::SHA384,
            Self::Sha512 => &digest::SHA512,
        };
        digest::digest(algorithm, bytes).as_ref().to_vec()
    }
}

pub(super) fn sha256(bytes: &[u8]) -> [u8; 32] {
    let mut hash = [0; 32];
    hash.copy_from_slice(digest::digest(&digest::SHA256, bytes).as_ref());
    hash
}

/// A public key: ECDSA, RSA or Ed25519.
#[derive(Clone, PartialEq, Eq)]
pub struct PublicKey {
    pub(super) kind: KeyKind,
    /// Its `SubjectPublicKeyInfo`, in DER.
    spki: Vec<u8>,
}

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

impl std::fmt::Debug for PublicKey {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(formatter, "PublicKey({:?})", self.kind)
    }
}

impl PublicKey {
    /// Parses the first key of a PEM text.
    pub fn from_pem(pem: &[u8]) -> Result<Self, InvalidKey> {
        let der = <(SectionKind, Vec<u8>)>::pem_slice_iter(pem)
            .filter_map(Result::ok)
            .find_map(|(kind, der)| matches!(kind, SectionKind::PublicKey).then_some(der))
            .ok_or(InvalidKey::Pem)?;
        Self::from_spki(&der)
            .filter(|key| ParsedPublicKey::new(key.algorithm(Hash::Sha256), &der).is_ok())
            .ok_or(InvalidKey::Algorithm)
    }

    /// Reads a `SubjectPublicKeyInfo`. Returns `None` for other types of keys.
    pub(super) fn from_spki(bytes: &[u8]) -> Option<Self> {
        let kind = kind(bytes).ok()??;
        Some(Self {
            kind,
            spki: bytes.to_vec(),
        })
    }

    /// Reads an `RSAPublicKey`.
    pub(super) fn from_pkcs1(bytes: &[u8]) -> Option<Self> {
        der::single(bytes, tag::SEQUENCE).ok()?;
        let algorithm = [der::element(tag::OBJECT_IDENTIFIER, RSA), vec![0x05, 0x00]].concat();
        let bits = [&[0], bytes].concat();
        let parts = [
            der::element(tag::SEQUENCE, &algorithm),
            der::element(0x03, &bits),
        ];
        Self::from_spki(&der::element(tag::SEQUENCE, &parts.concat()))
    }

    /// The `SubjectPublicKeyInfo`.
    pub(super) fn spki(&self) -> &[u8] {
        &self.spki
    }

    /// The hash function that belongs to the key by default.
    pub(super) const fn hash(&self) -> Hash {
        match self.kind {
            KeyKind::P256 | KeyKind::Rsa => Hash::Sha256,
            KeyKind::P384 => Hash::Sha384,
            KeyKind::P521 | KeyKind::Ed25519 => Hash::Sha512,
        }
    }

    /// Whether this key signed the message.
    pub(super) fn verify(&self, hash: Hash, message: &[u8], signature: &[u8]) -> bool {
        ParsedPublicKey::new(self.algorithm(hash), &self.spki)
            .is_ok_and(|key| key.verify_sig(message, signature).is_ok())
    }

    /// The algorithm of a signature. Ed25519 has a hash function of its own.
    fn algorithm(&self, hash: Hash) -> &'static dyn VerificationAlgorithm {
        match (self.kind, hash) {
            (KeyKind::P256, Hash::Sha256) => &ECDSA_P256_SHA256_ASN1,
            (KeyKind::P256, Hash::Sha384) => &ECDSA_P256_SHA384_ASN1,
            (KeyKind::P256, Hash::Sha512) => &ECDSA_P256_SHA512_ASN1,
            (KeyKind::P384, Hash::Sha256) => &ECDSA_P384_SHA256_ASN1,
            (KeyKind::P384, Hash::Sha384) => &ECDSA_P384_SHA384_ASN1,
            (KeyKind::P384, Hash::Sha512) => &ECDSA_P384_SHA512_ASN1,
            (KeyKind::P521, Hash::Sha256) => &ECDSA_P521_SHA256_ASN1,
            (KeyKind::P521, Hash::Sha384) => &ECDSA_P521_SHA384_ASN1,
            (KeyKind::P521, Hash::Sha512) => &ECDSA_P521_SHA512_ASN1,
            (KeyKind::Rsa, Hash::Sha256) => &RSA_PKCS1_2048_8192_SHA256,
            (KeyKind::Rsa, Hash::Sha384) => &RSA_PKCS1_2048_8192_SHA384,
            (KeyKind::Rsa, Hash::Sha512) => &RSA_PKCS1_2048_8192_SHA512,
            (KeyKind::Ed25519, _) => &ED25519,
        }
    }
}

fn kind(spki: &[u8]) -> Result<Option<KeyKind>, NotDer> {
    let mut parts = der::single(spki, tag::SEQUENCE)?.reader();
    let mut algorithm = parts.expect(tag::SEQUENCE)?.reader();
    let name = algorithm.expect(tag::OBJECT_IDENTIFIER)?.content;
    Ok(match name {
        RSA => Some(KeyKind::Rsa),
        EDWARDS => Some(KeyKind::Ed25519),
        EC => curve(&mut algorithm)?,
        _ => None,
    })
}

fn curve(parameters: &mut Reader<'_>) -> Result<Option<KeyKind>, NotDer> {
    let curve = parameters.expect(tag::OBJECT_IDENTIFIER)?.content;
    Ok(match curve {
        P256 => Some(KeyKind::P256),
        P384 => Some(KeyKind::P384),
        P521 => Some(KeyKind::P521),
        _ => None,
    })
}

/// The hash function in the object identifier of a signature algorithm. The key says the rest.
pub(super) fn signature_hash(oid: &[u8], key: &PublicKey) -> Option<Hash> {
    const RSA_WITH: &[u8] = b"\x2a\x86\x48\x86\xf7\x0d\x01\x01";
    const ECDSA_WITH: &[u8] = b"\x2a\x86\x48\xce\x3d\x04\x03";
    match key.kind {
        KeyKind::Rsa => match oid.strip_prefix(RSA_WITH)? {
            [0x0b] => Some(Hash::Sha256),
            [0x0c] => Some(Hash::Sha384),
            [0x0d] => Some(Hash::Sha512),
            _ => None,
        },
        KeyKind::Ed25519 => (oid == EDWARDS).then_some(Hash::Sha512),
        KeyKind::P256 | KeyKind::P384 | KeyKind::P521 => match oid.strip_prefix(ECDSA_WITH)? {
            [2] => Some(Hash::Sha256),
            [3] => Some(Hash::Sha384),
            [4] => Some(Hash::Sha512),
            _ => None,
        },
    }
}

/// Whether an object identifier names a bare type of key, as some signers of timestamps write it.
pub(super) fn is_bare_key(oid: &[u8]) -> bool {
    oid == RSA || oid == EC
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
