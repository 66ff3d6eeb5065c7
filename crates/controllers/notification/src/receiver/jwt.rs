//! Verifies JSON Web Tokens against the keys of an issuer: signature, audience and times.
//!
//! Only public-key signatures are valid. `none` and symmetric algorithms are rejected, even if the
//! issuer lists them.

use aws_lc_rs::signature::{self, RsaPublicKeyComponents, UnparsedPublicKey};
use base64::Engine as _;
use base64::prelude::BASE64_URL_SAFE_NO_PAD as BASE64;
use jiff::Timestamp;
use serde_json::Value;

/// The claims of a verified token.
pub type Claims = serde_json::Map<String, Value>;

/// Maximum token length.
const MAX_TOKEN_BYTES: usize = 16 * 1024;
/// Tolerance for the issuer's clock, in seconds. As in the reference, it applies only to the start
/// of validity.
const LEEWAY_SECONDS: f64 = 300.0;
/// Minimum RSA key size, in bytes of the modulus.
const MIN_MODULUS_BYTES: usize = 256;

/// The published keys of an issuer.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct IssuerKeys {
    /// Signature algorithms of the discovery document. The default is `RS256`.
    pub algorithms: Vec<String>,
    /// Keys.
    keys: Vec<Key>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
struct Key {
    id: String,
    material: Material,
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum Material {
    Rsa {
        n: Vec<u8>,
        e: Vec<u8>,
    },
    /// An uncompressed point.
    P256(Vec<u8>),
    P384(Vec<u8>),
    Ed25519(Vec<u8>),
}

/// Reason to reject a token.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum TokenError {
    /// The token is not a JWT.
    #[error("token is not a JWT: {0}")]
    Malformed(&'static str),
    /// The issuer does not sign with the algorithm.
    #[error("token is signed with unsupported algorithm {0:?}")]
    Algorithm(String),
    /// No key verifies the signature.
    #[error("failed to verify signature: no key of the issuer matches")]
    Signature,
    /// The token is for another service.
    #[error("token is for another audience")]
    Audience,
    /// The token has expired, or has no expiry.
    #[error("token is expired")]
    Expired,
    /// The token is not valid yet.
    #[error("token is not valid yet")]
    Early,
}

impl IssuerKeys {
    /// Parses a JSON Web Key Set. Keys of other types or uses are skipped.
    pub fn parse(key_set: &[u8], algorithms: Vec<String>) -> Result<Self, String> {
        let set: Value = serde_json::from_slice(key_set).map_err(|error| error.to_string())?;
        let keys = set["keys"].as_array().ok_or("the key set has no keys")?;
        let keys = keys.iter().filter_map(Key::parse).collect();
        Ok(Self { algorithms, keys })
    }

    /// Whether the set has the key id of a token. If not, the set may be stale.
    pub fn knows(&self, token: &str) -> bool {
        let header = token.split('.').next().and_then(decode_json);
        let id = header.as_ref().and_then(|header| header["kid"].as_str());
        id.is_none_or(|id| self.keys.iter().any(|key| key.id == id))
    }

    fn allows(&self, algorithm: &str) -> bool {
        match self.algorithms.as_slice() {
            [] => algorithm == "RS256",
            listed => listed.iter().any(|listed| listed == algorithm),
        }
    }
}

impl Key {
    fn parse(value: &Value) -> Option<Self> {
        if value["use"]
            .as_str()
            .is_some_and(|purpose| purpose != "sig")
        {
            return None;
        }
        let bytes = |name: &str| BASE64.decode(value[name].as_str()?).ok();
        let point = |length: usize| {
            let (x, y) = (bytes("x")?, bytes("y")?);
            let fits = x.len() == length && y.len() == length;
            fits.then(|| [&[4], x.as_slice(), &y].concat())
        };
        let material = match (value["kty"].as_str()?, value["crv"].as_str()) {
            ("RSA", _) => {
                let (n, e) = (bytes("n")?, bytes("e")?);
                if n.len() < MIN_MODULUS_BYTES {
                    return None;
                }
                Material::Rsa { n, e }
            }
            ("EC", Some("P-256")) => Material::P256(point(32)?),
            ("EC", Some("P-384")) => Material::P384(point(48)?),
            ("OKP", Some("Ed25519")) => Material::Ed25519(bytes("x")?),
            _ => return None,
        };
        let id = value["kid"].as_str().unwrap_or_default().to_owned();
        Some(Self { id, material })
    }

    fn verifies(&self, algorithm: &str, message: &[u8], code: &[u8]) -> bool {
        let is_valid = |algorithm: &'static dyn signature::VerificationAlgorithm, key: &[u8]| {
            UnparsedPublicKey::new(algorithm, key)
                .verify(message, code)
                .is_ok()
        };
        match (&self.material, algorithm) {
            (Material::Rsa { n, e }, algorithm) => {
                let parameters = match algorithm {
                    "RS256" => &signature::RSA_PKCS1_2048_8192_SHA256,
                    "RS384" => &signature::RSA_PKCS1_2048_8192_SHA384,
                    "RS512" => &signature::RSA_PKCS1_2048_8192_SHA512,
                    "PS256" => &signature::RSA_PSS_2048_8192_SHA256,
                    "PS384" => &signature::RSA_PSS_2048_8192_SHA384,
                    "PS512" => &signature::RSA_PSS_2048_8192_SHA512,
                    _ => return false,
                };
                let key = RsaPublicKeyComponents { n, e };
                key.verify(parameters, message, code).is_ok()
            }
            (Material::P256(point), "ES256") => {
                is_valid(&signature::ECDSA_P256_SHA256_FIXED, point)
            }
            (Material::P384(point), "ES384") => {
                is_valid(&signature::ECDSA_P384_SHA384_FIXED, point)
            }
            (Material::Ed25519(key), "EdDSA") => is_valid(&signature::ED25519, key),
            _ => false,
        }
    }
}

/// Verifies a token and returns its claims. The caller must compare the issuer.
pub fn verify_token(
    token: &str,
    keys: &IssuerKeys,
    audience: &str,
    now: Timestamp,
) -> Result<Claims, TokenError> {
    if token.len() > MAX_TOKEN_BYTES {
        return Err(TokenError::Malformed("it is too long"));
    }
    let parts: Vec<_> = token.split('.').collect();
    let [header, payload, code] = parts[..] else {
        return Err(TokenError::Malformed("it does not have three parts"));
    };
    let fields = decode_json(header).ok_or(TokenError::Malformed("the header is not JSON"))?;
    let algorithm = fields["alg"].as_str().unwrap_or_default();
    if !keys.allows(algorithm) {
        let start = algorithm.chars().take(20).collect();
        return Err(TokenError::Algorithm(start));
    }
    let code = BASE64
        .decode(code)
        .map_err(|_| TokenError::Malformed("the signature is not base64"))?;
    let message = &token.as_bytes()[..header.len() + 1 + payload.len()];
    let id = fields["kid"].as_str().unwrap_or_default();
    let mut candidates = keys.keys.iter().filter(|key| id.is_empty() || key.id == id);
    if !candidates.any(|key| key.verifies(algorithm, message, &code)) {
        return Err(TokenError::Signature);
    }
    let Some(Value::Object(claims)) = decode_json(payload) else {
        return Err(TokenError::Malformed("the claims are not a JSON object"));
    };
    let has_audience = match &claims.get("aud") {
        Some(Value::String(text)) => text == audience,
        Some(Value::Array(items)) => items.iter().any(|item| item == audience),
        _ => false,
    };
    if !has_audience {
        return Err(TokenError::Audience);
    }
    let time = |name: &str| claims.get(name).and_then(Value::as_f64);
    #[expect(clippy::cast_precision_loss, reason = "the seconds are far below 2^53")]
    let now = now.as_second() as f64;
    if time("exp").is_none_or(|end| now > end) {
        return Err(TokenError::Expired);
    }
    if time("nbf").is_some_and(|start| now + LEEWAY_SECONDS < start) {
        return Err(TokenError::Early);
    }
    Ok(claims)
}

/// Decodes a part of a token.
pub(super) fn decode_json(part: &str) -> Option<Value> {
    serde_json::from_slice(&BASE64.decode(part).ok()?).ok()
}
