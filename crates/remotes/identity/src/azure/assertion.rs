//! Statements that an application signs with its certificate.

use std::time::{Duration, SystemTime};

use aws_lc_rs::digest;
use aws_lc_rs::rand::{SecureRandom as _, SystemRandom};
use aws_lc_rs::signature::RsaKeyPair;
use base64::Engine as _;
use base64::prelude::{BASE64_STANDARD, BASE64_URL_SAFE_NO_PAD};
use rustls_pki_types::CertificateDer;
use rustls_pki_types::pem::PemObject as _;
use serde_json::json;
use sluice_dial::Sensitive;

use super::entra::Application;
use crate::error::IdentityError;
use crate::jwt::{Algorithm, rsa_key, sign};

/// Lifetime of a statement.
const LIFETIME: Duration = Duration::from_mins(10);

/// A certificate with its key.
pub(super) struct Certificate {
    key: RsaKeyPair,
    chain: Vec<CertificateDer<'static>>,
    is_chain_sent: bool,
}

impl Certificate {
    /// Parses key and certificates in PEM.
    pub(super) fn parse(pem: &[u8], is_chain_sent: bool) -> Result<Self, String> {
        if !pem.starts_with(b"-") && !pem.windows(10).any(|text| text == b"-----BEGIN") {
            return Err(
                "only PEM is supported: openssl pkcs12 -in FILE -nodes converts a PKCS#12 file"
                    .to_owned(),
            );
        }
        let key = rsa_key(pem)?;
        let chain: Result<Vec<_>, _> = CertificateDer::pem_slice_iter(pem).collect();
        let chain = chain.map_err(|error| error.to_string())?;
        if chain.is_empty() {
            return Err("it holds no certificate".to_owned());
        }
        Ok(Self {
            key,
            chain,
            is_chain_sent,
        })
    }

    /// Signs a statement for the token endpoint of an application.
    pub(super) fn assertion(
        &self,
        application: &Application,
        now: SystemTime,
    ) -> Result<Sensitive<String>, IdentityError> {
        let client = &application.client;
        let fail = |reason| IdentityError::Sign {
            signer: format!("Azure client {client}"),
            reason,
        };
        let mut id = [0; 16];
        SystemRandom::new()
            .fill(&mut id)
            .map_err(|_| fail("there is no randomness"))?;
        let since = now
            .duration_since(SystemTime::UNIX_EPOCH)
            .map_err(|_| fail("the clock is before 1970"))?;
        let leaf = self.chain.first().ok_or_else(|| fail("no certificate"))?;
        let thumbprint = digest::digest(&digest::SHA256, leaf);
        let mut header = json!({
            "alg": "PS256",
            "typ": "JWT",
            "x5t#S256": BASE64_URL_SAFE_NO_PAD.encode(thumbprint),
        });
        if self.is_chain_sent {
            let chain = self.chain.iter();
            let chain: Vec<String> = chain.map(|der| BASE64_STANDARD.encode(der)).collect();
            header["x5c"] = json!(chain);
        }
        let claims = json!({
            "aud": application.endpoint.as_str(),
            "iss": client,
            "sub": client,
            "jti": hex::encode(id),
            "nbf": since.as_secs(),
            "exp": (since + LIFETIME).as_secs(),
        });
        sign(
            &header.to_string(),
            &claims.to_string(),
            &self.key,
            Algorithm::Ps256,
        )
        .map_err(fail)
    }
}
