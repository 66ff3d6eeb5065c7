//! Signatures with one key, as cosign makes and verifies them: ECDSA on P-256 over the SHA-256.
//!
//! The key comes from the environment and goes nowhere. `openssl dgst -sha256 -verify` understands
//! the same signature, so that whoever installs needs neither cosign nor us.

use anyhow::{Context as _, bail};
use aws_lc_rs::encoding::{AsDer as _, PublicKeyX509Der};
use aws_lc_rs::rand::SystemRandom;
use aws_lc_rs::signature::{ECDSA_P256_SHA256_ASN1_SIGNING, EcdsaKeyPair, KeyPair as _};
use base64::Engine as _;
use base64::prelude::BASE64_STANDARD;
use rustls_pki_types::PrivateKeyDer;
use rustls_pki_types::pem::PemObject as _;

/// Holds the key as PEM.
pub(crate) const VARIABLE: &str = "SLUICE_SIGNING_KEY";

/// Who signs.
pub(crate) struct Signer(EcdsaKeyPair);

impl Signer {
    /// The key of the environment, if there is one.
    pub(crate) fn from_environment() -> anyhow::Result<Option<Self>> {
        match std::env::var(VARIABLE) {
            Ok(pem) if !pem.is_empty() => Self::from_pem(&pem).map(Some),
            _ => Ok(None),
        }
    }

    /// A key as `openssl genpkey -algorithm EC -pkeyopt ec_paramgen_curve:P-256` writes it.
    pub(crate) fn from_pem(pem: &str) -> anyhow::Result<Self> {
        // What is wrong with a key is told without any of it.
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
            _ => bail!("{VARIABLE} is no ECDSA key: cosign signs with one on the curve P-256"),
        };
        pair.map(Self)
            .ok()
            .with_context(|| format!("{VARIABLE} is no ECDSA key on the curve P-256"))
    }

    /// The signature as bytes.
    pub(crate) fn sign(&self, message: &[u8]) -> anyhow::Result<Vec<u8>> {
        let signature = self
            .0
            .sign(&SystemRandom::new(), message)
            .ok()
            .context("sign")?;
        Ok(signature.as_ref().to_vec())
    }

    /// The signature as `cosign sign-blob` prints it.
    pub(crate) fn sign_as_text(&self, message: &[u8]) -> anyhow::Result<String> {
        Ok(BASE64_STANDARD.encode(self.sign(message)?))
    }

    /// The public half, as PEM.
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

    /// A key that nobody keeps, as PEM.
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
    fn what_is_signed_is_verified_by_the_public_half_and_by_no_other_key() {
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
    fn what_is_no_key_is_refused_without_being_shown() {
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
