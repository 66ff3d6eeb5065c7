//! Signatures with one key, in cosign's format: ECDSA on P-256 over the SHA-256.
//!
//! The key comes from the environment and is not stored. `openssl dgst -sha256 -verify` can verify
//! the signature, so users need no cosign.

use anyhow::{Context as _, bail};
use aws_lc_rs::encoding::{AsDer as _, PublicKeyX509Der};
use aws_lc_rs::rand::SystemRandom;
use aws_lc_rs::signature::{ECDSA_P256_SHA256_ASN1_SIGNING, EcdsaKeyPair, KeyPair as _};
use base64::Engine as _;
use base64::prelude::BASE64_STANDARD;
use rustls_pki_types::PrivateKeyDer;
use rustls_pki_types::pem::PemObject as _;

/// The variable with the key as PEM.
pub(crate) const VARIABLE: &str = "SLUICE_SIGNING_KEY";

/// Signs bytes.
pub(crate) struct Signer(EcdsaKeyPair);

impl Signer {
    /// Returns the key of the environment, if set.
    pub(crate) fn from_environment() -> anyhow::Result<Option<Self>> {
        match std::env::var(VARIABLE) {
            Ok(pem) if !pem.is_empty() => Self::from_pem(&pem).map(Some),
            _ => Ok(None),
        }
    }

    /// Reads a key as `openssl genpkey -algorithm EC -pkeyopt ec_paramgen_curve:P-256` writes it.
    pub(crate) fn from_pem(pem: &str) -> anyhow::Result<Self> {
        // The error must not contain a part of the key.
        let key = PrivateKeyDer::from_pem_slice(pem.as_bytes())
            .ok()
            .with_context(|| format!("{VARIABLE} holds no private key as PEM: keys that a passphrase protects have to be opened first"))?;
        let pair = match &key {
            PrivateKeyDer::Pkcs8(key) => {
                EcdsaKeyPair::from_pkcs8(&ECDSA_P256_SHA256_ASN1_SIGNING, key.secret_pkcs8_der())
            }
            PrivateKeyDer::Sec1(key) => EcdsaKeyPair::from_private_key_der(
                &ECDSA_P256_SHA256_ASN1_SIGNING,
                key.secret_sec1_der(),
            ),
            _ => bail!("{VARIABLE} is not an ECDSA key on the curve P-256, which cosign requires"),
        };
        pair.map(Self)
            .ok()
            .with_context(|| format!("{VARIABLE} is not an ECDSA key on the curve P-256"))
    }

    /// Signs and returns the bytes of the signature.
    pub(crate) fn sign(&self, message: &[u8]) -> anyhow::Result<Vec<u8>> {
        let signature = self
            .0
            .sign(&SystemRandom::new(), message)
            .ok()
            .context("sign")?;
        Ok(signature.as_ref().to_vec())
    }

    /// Signs and returns the signature as `cosign sign-blob` prints it.
    pub(crate) fn sign_as_text(&self, message: &[u8]) -> anyhow::Result<String> {
        Ok(BASE64_STANDARD.encode(self.sign(message)?))
    }

    /// Returns the public key as PEM.
    pub(crate) fn public_key(&self) -> anyhow::Result<String> {
        let der: PublicKeyX509Der<'_> = self
            .0
            .public_key()
            .as_der()
            .ok()
            .context("write the public key")?;
        let encoded = BASE64_STANDARD.encode(der.as_ref());
        let lines: Vec<&str> = (0..encoded.len())
            .step_by(64)
            .map(|from| &encoded[from..encoded.len().min(from + 64)])
            .collect();
        Ok(format!(
            "-----BEGIN PUBLIC KEY-----\n{}\n-----END PUBLIC KEY-----\n",
            lines.join("\n")
        ))
    }
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;
    use aws_lc_rs::signature::{ECDSA_P256_SHA256_ASN1, UnparsedPublicKey};

    /// Generates a key for one test, as PEM.
    pub(crate) fn throw_away() -> String {
        let der =
            EcdsaKeyPair::generate_pkcs8(&ECDSA_P256_SHA256_ASN1_SIGNING, &SystemRandom::new())
                .unwrap();
        format!(
            "-----BEGIN PRIVATE KEY-----\n{}\n-----END PRIVATE KEY-----\n",
            BASE64_STANDARD.encode(der.as_ref())
        )
    }

    #[test]
    fn only_own_public_key_verifies_signature() {
        let signer = Signer::from_pem(&throw_away()).unwrap();
        let signature = signer.sign(b"checksums").unwrap();
        let verifies = |signer: &Signer, message: &[u8]| {
            UnparsedPublicKey::new(&ECDSA_P256_SHA256_ASN1, signer.0.public_key())
                .verify(message, &signature)
                .is_ok()
        };
        assert!(verifies(&signer, b"checksums"));
        assert!(!verifies(&signer, b"checksumz"));
        let stranger = Signer::from_pem(&throw_away()).unwrap();
        assert!(!verifies(&stranger, b"checksums"));
    }

    #[test]
    fn invalid_key_is_rejected_without_its_text() {
        for wrong in [
            "no key at all: hunter2",
            "-----BEGIN PRIVATE KEY-----\naHVudGVyMg==\n-----END PRIVATE KEY-----\n",
            "-----BEGIN RSA PRIVATE KEY-----\naHVudGVyMg==\n-----END RSA PRIVATE KEY-----\n",
            "-----BEGIN ENCRYPTED SIGSTORE PRIVATE KEY-----\naHVudGVyMg==\n-----END ENCRYPTED SIGSTORE PRIVATE KEY-----\n",
        ] {
            let error = format!("{:#}", Signer::from_pem(wrong).err().unwrap());
            assert!(error.contains(VARIABLE), "{error}");
            assert!(
                !error.contains("hunter2") && !error.contains("aHVudGVyMg"),
                "{error}"
            );
        }
    }
}
