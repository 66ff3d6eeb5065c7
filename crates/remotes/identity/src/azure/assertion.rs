//! Statements that an application signs with its certificate.

use std::time::{Duration, SystemTime};

use aws_lc_rs::digest;
use aws_lc_rs::rand::{SecureRandom as _, SystemRandom};
use aws_lc_rs::signature::{KeyPair as _, RsaKeyPair};
use base64::Engine as _;
use base64::prelude::{BASE64_STANDARD, BASE64_URL_SAFE_NO_PAD};
use rustls_pki_types::CertificateDer;
use rustls_pki_types::pem::PemObject as _;
use serde_json::json;
use sluice_dial::Sensitive;
use sluice_system::blocking;

use super::entra::Application;
use super::pkcs12::{Pkcs12, Pkcs12Error};
use crate::error::IdentityError;
use crate::jwt::{Algorithm, rsa_key, rsa_key_of_pkcs8, sign};

/// Lifetime of a statement.
const LIFETIME: Duration = Duration::from_mins(10);

/// The start of each block in PEM.
const PEM_START: &[u8] = b"-----BEGIN";

/// A certificate with its key, as a file or a Secret holds them.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct ClientCertificate {
    /// Key and certificates, PEM or PKCS#12.
    pub bytes: Sensitive<Vec<u8>>,
    /// The password of a PKCS#12 file. PEM has none.
    pub password: Option<Sensitive<String>>,
    /// Whether the issuer gets the whole chain.
    pub is_chain_sent: bool,
}

impl ClientCertificate {
    /// Signs a statement for the token endpoint of an application. A fault of the certificate is
    /// reported at its place. The password of a file costs time, so this runs on a blocking thread.
    pub(super) async fn assertion(
        &self,
        place: &str,
        application: &Application,
        now: SystemTime,
    ) -> Result<Sensitive<String>, IdentityError> {
        let (source, application) = (self.clone(), application.clone());
        let place = place.to_owned();
        let signing = blocking(move || {
            let certificate = Certificate::parse(&source)
                .map_err(|fault| IdentityError::Unusable(format!("{place}: {fault}")))?;
            certificate.assertion(&application, now)
        });
        signing.await
    }
}

/// A certificate with its key, parsed.
struct Certificate {
    key: RsaKeyPair,
    /// The certificate of the key first.
    chain: Vec<CertificateDer<'static>>,
    is_chain_sent: bool,
}

impl Certificate {
    /// Parses key and certificates. As in the reference, a file with a password is PKCS#12.
    fn parse(source: &ClientCertificate) -> Result<Self, String> {
        let bytes = source.bytes.expose();
        let password = source.password.as_ref();
        let password = password.map_or("", |password| password.expose().as_str());
        let is_pem = bytes.windows(PEM_START.len()).any(|text| text == PEM_START);
        let (key, mut chain) = if is_pem && password.is_empty() {
            let key = rsa_key(bytes)?;
            let chain: Result<Vec<_>, _> = CertificateDer::pem_slice_iter(bytes).collect();
            (key, chain.map_err(|error| error.to_string())?)
        } else {
            let file = Pkcs12::parse(bytes, password).map_err(|error| match error {
                Pkcs12Error::Structure if is_pem => {
                    "it is PEM, whose key must have no password".to_owned()
                }
                error => error.to_string(),
            })?;
            (rsa_key_of_pkcs8(file.key.expose())?, file.certificates)
        };
        if chain.is_empty() {
            return Err("it holds no certificate".to_owned());
        }
        let leaf = chain.iter().position(|der| has_key(der, &key));
        let leaf = leaf.ok_or("the key does not belong to a certificate")?;
        chain[..=leaf].rotate_right(1);
        Ok(Self {
            key,
            chain,
            is_chain_sent: source.is_chain_sent,
        })
    }

    /// Signs a statement for the token endpoint of an application.
    fn assertion(
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

/// Whether a certificate holds the public key of a pair: its encoding is part of the certificate's.
fn has_key(certificate: &CertificateDer<'_>, key: &RsaKeyPair) -> bool {
    let public = key.public_key().as_ref();
    let mut parts = certificate.windows(public.len());
    parts.any(|part| part == public)
}
