//! JSON Web Tokens: signed statements of ours, and claims of other tokens.
//!
//! A claim is not verified here: the token comes from a service that this process trusts, and its
//! receiver verifies it. No error quotes a token.

use std::time::{Duration, SystemTime};

use aws_lc_rs::error::KeyRejected;
use aws_lc_rs::rand::SystemRandom;
use aws_lc_rs::signature::{RSA_PKCS1_SHA256, RSA_PSS_SHA256, RsaEncoding, RsaKeyPair};
use base64::Engine as _;
use base64::prelude::BASE64_URL_SAFE_NO_PAD;
use rustls_pki_types::PrivateKeyDer;
use rustls_pki_types::pem::PemObject as _;
use serde_json::Value;
use sluice_dial::Sensitive;

/// A signature algorithm.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Algorithm {
    Rs256,
    Ps256,
}

/// The claims of a token.
pub(crate) struct Claims(Value);

/// The text is not a JWT.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct NotAToken;

impl Claims {
    /// Reads the claims of a token without a check of its signature.
    pub(crate) fn of_token(token: &str) -> Result<Self, NotAToken> {
        let mut parts = token.trim().split('.');
        let (Some(_), Some(payload), Some(_), None) =
            (parts.next(), parts.next(), parts.next(), parts.next())
        else {
            return Err(NotAToken);
        };
        let claims = BASE64_URL_SAFE_NO_PAD
            .decode(payload)
            .map_err(|_| NotAToken)?;
        match serde_json::from_slice(&claims) {
            Ok(claims @ Value::Object(_)) => Ok(Self(claims)),
            _ => Err(NotAToken),
        }
    }

    /// Returns the expiry.
    pub(crate) fn expires(&self) -> Option<SystemTime> {
        let seconds = self.0.get("exp")?.as_u64()?;
        SystemTime::UNIX_EPOCH.checked_add(Duration::from_secs(seconds))
    }

    /// Whether the token is for an audience.
    pub(crate) fn has_audience(&self, audience: &str) -> bool {
        match self.0.get("aud") {
            Some(Value::String(one)) => one == audience,
            Some(Value::Array(many)) => many.iter().any(|one| one == audience),
            _ => false,
        }
    }
}

/// Reads an RSA key in PEM: PKCS#1 or PKCS#8. The error is its fault.
pub(crate) fn rsa_key(pem: &[u8]) -> Result<RsaKeyPair, String> {
    let key = PrivateKeyDer::from_pem_slice(pem).map_err(|error| error.to_string())?;
    let pair = match &key {
        PrivateKeyDer::Pkcs1(der) => RsaKeyPair::from_der(der.secret_pkcs1_der()),
        PrivateKeyDer::Pkcs8(der) => RsaKeyPair::from_pkcs8(der.secret_pkcs8_der()),
        _ => return Err("it is not an RSA key".to_owned()),
    };
    pair.map_err(|rejected| key_fault(&rejected))
}

/// Reads an RSA key in PKCS#8. The error is its fault.
pub(crate) fn rsa_key_of_pkcs8(der: &[u8]) -> Result<RsaKeyPair, String> {
    RsaKeyPair::from_pkcs8(der).map_err(|rejected| key_fault(&rejected))
}

fn key_fault(rejected: &KeyRejected) -> String {
    let reason = match rejected.to_string().as_str() {
        "TooSmall" => "it is an RSA key of fewer than 2048 bits, too short to sign with",
        "TooLarge" => "it is an RSA key of more than 8192 bits, too long to sign with",
        "InvalidEncoding" => "it is not an RSA key, or it is damaged",
        _ => "it is not an RSA key that can sign",
    };
    reason.to_owned()
}

/// Signs a statement. `header` and `claims` are JSON; the header names the algorithm.
pub(crate) fn sign(
    header: &str,
    claims: &str,
    key: &RsaKeyPair,
    algorithm: Algorithm,
) -> Result<Sensitive<String>, &'static str> {
    let encode = |bytes: &[u8]| BASE64_URL_SAFE_NO_PAD.encode(bytes);
    let signed = format!(
        "{}.{}",
        encode(header.as_bytes()),
        encode(claims.as_bytes())
    );
    let padding: &'static dyn RsaEncoding = match algorithm {
        Algorithm::Rs256 => &RSA_PKCS1_SHA256,
        Algorithm::Ps256 => &RSA_PSS_SHA256,
    };
    let mut signature = vec![0; key.public_modulus_len()];
    key.sign(
        padding,
        &SystemRandom::new(),
        signed.as_bytes(),
        &mut signature,
    )
    .map_err(|_| "the key cannot sign")?;
    Ok(Sensitive::new(format!("{signed}.{}", encode(&signature))))
}

#[cfg(test)]
pub(crate) mod tests {
    use aws_lc_rs::signature::{KeyPair as _, UnparsedPublicKey};
    use aws_lc_rs::signature::{RSA_PKCS1_2048_8192_SHA256, RSA_PSS_2048_8192_SHA256};

    use super::*;

    /// A token with claims and no valid signature.
    pub(crate) fn token(claims: &str) -> String {
        format!("e30.{}.c2ln", BASE64_URL_SAFE_NO_PAD.encode(claims))
    }

    #[test]
    fn statement_verifies_with_its_public_key() {
        let pem = rcgen::KeyPair::generate_for(&rcgen::PKCS_RSA_SHA256).unwrap();
        let key = rsa_key(pem.serialize_pem().as_bytes()).unwrap();
        for algorithm in [Algorithm::Rs256, Algorithm::Ps256] {
            let signed = sign("{}", r#"{"iss":"a"}"#, &key, algorithm).unwrap();
            let (text, signature) = signed.expose().rsplit_once('.').unwrap();
            let signature = BASE64_URL_SAFE_NO_PAD.decode(signature).unwrap();
            let public = key.public_key().as_ref();
            let verified = match algorithm {
                Algorithm::Rs256 => UnparsedPublicKey::new(&RSA_PKCS1_2048_8192_SHA256, public)
                    .verify(text.as_bytes(), &signature),
                Algorithm::Ps256 => UnparsedPublicKey::new(&RSA_PSS_2048_8192_SHA256, public)
                    .verify(text.as_bytes(), &signature),
            };
            verified.unwrap();
        }
    }

    #[test]
    fn claims_need_three_parts_and_an_object() {
        let claims = Claims::of_token(&token(r#"{"exp":60,"aud":["a","b"]}"#)).unwrap();
        assert_eq!(
            claims.expires(),
            Some(SystemTime::UNIX_EPOCH + Duration::from_mins(1))
        );
        assert!(claims.has_audience("b") && !claims.has_audience("c"));
        for bad in ["", "a.b", "a.b.c.d", "a.?.c", &token("[]"), &token("x")] {
            assert!(Claims::of_token(bad).is_err(), "{bad}");
        }
        let without = Claims::of_token(&token(r#"{"exp":-1}"#)).unwrap();
        assert!(without.expires().is_none() && !without.has_audience("a"));
    }
}
