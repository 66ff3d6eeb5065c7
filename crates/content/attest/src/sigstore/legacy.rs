//! Signatures under the tag `sha256-<hex>.sig`: a payload, and the rest in annotations.
//!
//! Parity: cosign: `pkg/cosign/verify.go`. There the digest in the payload is not compared, so a
//! signature of other content would count.

use base64::Engine as _;
use base64::prelude::BASE64_STANDARD;
use serde::Deserialize;
use sluice_digest::Digest;
use sluice_system::budget::Budget;

use super::body::Body;
use super::json::Bytes;
use super::log::{promised, verify_promise};
use super::root::TrustedRoot;
use super::{CHECK_STEPS, Refusal};

/// The type of a payload. Other tools sign payloads of other types with the same key.
const SIGNATURE_TYPE: &str = "cosign container image signature";

/// A signature under the older tag, as a registry serves it.
#[derive(Debug, Clone, Copy)]
pub struct LegacySignature<'a> {
    /// The signed payload.
    pub payload: &'a [u8],
    /// The annotation with the signature, in base64.
    pub signature: &'a str,
    /// The annotation with the certificate, in PEM.
    pub certificate: &'a str,
    /// The annotation with the promise of the log, in JSON.
    pub bundle: &'a str,
}

impl LegacySignature<'_> {
    /// The bytes of the signature.
    pub(super) fn bytes(&self) -> Result<Vec<u8>, String> {
        let decoded = BASE64_STANDARD.decode(self.signature);
        decoded.map_err(|_| "a signature is not base64".to_owned())
    }
}

/// The promise of a log.
#[derive(Deserialize)]
#[serde(rename_all = "PascalCase")]
pub(super) struct Promise {
    signed_entry_timestamp: Bytes,
    payload: PromisePayload,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct PromisePayload {
    body: String,
    integrated_time: i64,
    log_index: i64,
    #[serde(rename = "logID")]
    log_id: String,
}

#[derive(Deserialize)]
struct Payload {
    critical: Critical,
}

#[derive(Deserialize)]
struct Critical {
    image: Image,
    #[serde(rename = "type", default)]
    kind: String,
}

#[derive(Deserialize)]
struct Image {
    #[serde(rename = "docker-manifest-digest")]
    digest: String,
}

impl Promise {
    pub(super) fn parse(json: &str) -> Result<Self, String> {
        serde_json::from_str(json).map_err(|_| "the promise of a log cannot be read".to_owned())
    }

    /// The entry that the log promised.
    pub(super) fn body(&self) -> Result<Body, String> {
        let body = BASE64_STANDARD.decode(&self.payload.body);
        Body::parse(&body.map_err(|_| "a log entry is not base64")?)
    }

    /// Verifies that a trusted log made the promise. Returns its time.
    pub(super) fn verify(&self, root: &TrustedRoot, budget: &Budget) -> Result<i64, Refusal> {
        let payload = &self.payload;
        let id = hex::decode(&payload.log_id).unwrap_or_default();
        let time = payload.integrated_time;
        let signed = promised(&payload.body, time, payload.log_index, &hex::encode(&id));
        let promise = &self.signed_entry_timestamp.0;
        for log in root.logs.iter().filter(|log| log.id == id) {
            budget.charge_steps(CHECK_STEPS)?;
            if verify_promise(&signed, promise, time, log) {
                return Ok(time);
            }
        }
        let why = "a signature is in no trusted transparency log";
        Err(why.to_owned().into())
    }
}

/// Checks that a signed payload is a signature of a digest. Its repository name is ignored, because
/// images are mirrored.
pub(super) fn check_digest(payload: &[u8], digest: &Digest) -> Result<(), String> {
    let payload: Payload = serde_json::from_slice(payload)
        .map_err(|_| "a signed payload is not one of cosign's".to_owned())?;
    if payload.critical.kind != SIGNATURE_TYPE {
        return Err("a signed payload is not of the type of a signature".to_owned());
    }
    if payload.critical.image.digest == digest.to_string() {
        Ok(())
    } else {
        Err("a signature is for another digest".to_owned())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn payload_is_valid_for_its_digest_and_type_only() {
        let (this, other) = (Digest::of(b"this"), Digest::of(b"other"));
        let payload = format!(
            r#"{{"critical":{{"identity":{{"docker-reference":"x"}},"image":{{"docker-manifest-digest":"{this}"}},"type":"cosign container image signature"}},"optional":null}}"#
        );
        assert_eq!(check_digest(payload.as_bytes(), &this), Ok(()));
        let refused = "a signature is for another digest";
        assert_eq!(
            check_digest(payload.as_bytes(), &other),
            Err(refused.to_owned())
        );
        let refused = "a signed payload is not of the type of a signature";
        for other in [r#""type":"atomic container signature""#, r#""kind":"x""#] {
            let payload = payload.replace(r#""type":"cosign container image signature""#, other);
            assert_eq!(
                check_digest(payload.as_bytes(), &this),
                Err(refused.to_owned())
            );
        }
        for bad in ["", "{}", r#"{"critical":{"image":{}}}"#] {
            assert!(check_digest(bad.as_bytes(), &this).is_err());
        }
    }
}
