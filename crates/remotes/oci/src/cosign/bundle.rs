//! Sigstore bundles of version 0.3 or later: an in-toto statement in a DSSE envelope.

use base64::Engine as _;
use base64::prelude::BASE64_STANDARD;
use serde::Deserialize;
use std::collections::BTreeMap;

use super::PublicKey;
use crate::text::printable;
use sluice_digest::Digest;

const MEDIA_TYPE: &str = "application/vnd.dev.sigstore.bundle";
const STATEMENT: &str = "application/vnd.in-toto+json";
/// The predicate of a signature. The same key may also sign other statements about an artifact, such
/// as a list of its vulnerabilities.
const SIGNATURE_PREDICATE: &str = "https://sigstore.dev/cosign/sign/v1";

/// The fields of a bundle that verification with a key needs.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Bundle {
    media_type: String,
    verification_material: Material,
    dsse_envelope: Option<Envelope>,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
struct Material {
    public_key: Option<serde::de::IgnoredAny>,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
struct Envelope {
    payload: String,
    payload_type: String,
    signatures: Vec<Signature>,
}

#[derive(Debug, Deserialize)]
struct Signature {
    sig: String,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Statement {
    #[serde(rename = "_type")]
    kind: String,
    subject: Vec<Subject>,
    predicate_type: String,
}

#[derive(Deserialize)]
struct Subject {
    #[serde(default)]
    digest: BTreeMap<String, String>,
}

/// Whether a layer of this media type is a bundle.
pub(super) fn is_bundle(media_type: &str) -> bool {
    media_type.starts_with(MEDIA_TYPE)
}

impl Bundle {
    /// Parses a bundle. Returns `None` for other content and older versions.
    pub(super) fn parse(json: &[u8]) -> Option<Self> {
        let bundle: Self = serde_json::from_slice(json).ok()?;
        version(&bundle.media_type)
            .is_some_and(|version| version >= (0, 3))
            .then_some(bundle)
    }

    /// Verifies that one of the keys signed a statement about a digest.
    pub(super) fn verify(&self, digest: &Digest, keys: &[PublicKey]) -> Result<(), String> {
        let Some(envelope) = &self.dsse_envelope else {
            return Err("a bundle holds no statement".to_owned());
        };
        if self.verification_material.public_key.is_none() {
            return Err("a bundle was signed with a certificate, not with a key".to_owned());
        }
        if envelope.payload_type != STATEMENT {
            return Err("a bundle holds no in-toto statement".to_owned());
        }
        let ([signature], Ok(payload)) = (
            envelope.signatures.as_slice(),
            BASE64_STANDARD.decode(&envelope.payload),
        ) else {
            return Err("a bundle must have a payload and exactly one signature".to_owned());
        };
        let Ok(signature) = BASE64_STANDARD.decode(&signature.sig) else {
            return Err("a signature is not base64".to_owned());
        };
        let signed = encode(&envelope.payload_type, &payload);
        if !keys.iter().any(|key| key.verify(&signed, &signature)) {
            return Err("a signature was made by another key, or altered".to_owned());
        }
        check_statement(&payload, digest)
    }
}

/// Checks that a statement is a signature of a digest.
fn check_statement(payload: &[u8], digest: &Digest) -> Result<(), String> {
    let statement: Statement = serde_json::from_slice(payload)
        .map_err(|_| "a signed statement cannot be read".to_owned())?;
    if !statement.kind.starts_with("https://in-toto.io/Statement/") {
        return Err("a signed statement is not one of in-toto's".to_owned());
    }
    if statement.predicate_type != SIGNATURE_PREDICATE {
        return Err(format!(
            "a signed statement is not a signature, but of type {}",
            printable(&statement.predicate_type, 100)
        ));
    }
    let is_named = |subject: &Subject| {
        subject
            .digest
            .get(digest.algorithm().name())
            .is_some_and(|hex| hex == digest.hex())
    };
    if statement.subject.iter().any(is_named) {
        Ok(())
    } else {
        Err("a signed statement is about another digest".to_owned())
    }
}

/// Encodes the signed DSSE data: type and payload with their lengths, so that they cannot be
/// confused.
fn encode(kind: &str, payload: &[u8]) -> Vec<u8> {
    let mut encoded = format!("DSSEv1 {} {kind} {} ", kind.len(), payload.len()).into_bytes();
    encoded.extend_from_slice(payload);
    encoded
}

/// The version in `application/vnd.dev.sigstore.bundle.v0.3+json` or in
/// `application/vnd.dev.sigstore.bundle+json;version=0.3`.
fn version(media_type: &str) -> Option<(u32, u32)> {
    let rest = media_type.strip_prefix(MEDIA_TYPE)?;
    let text = rest
        .strip_prefix(".v")
        .and_then(|rest| rest.strip_suffix("+json"))
        .or_else(|| rest.strip_prefix("+json;version="))?;
    let mut numbers = text.split('.').map(str::parse);
    match (numbers.next(), numbers.next()) {
        (Some(Ok(major)), Some(Ok(minor))) => Some((major, minor)),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn older_bundles_are_ignored() {
        for (media_type, expected) in [
            (
                "application/vnd.dev.sigstore.bundle.v0.3+json",
                Some((0, 3)),
            ),
            (
                "application/vnd.dev.sigstore.bundle.v0.3.1+json",
                Some((0, 3)),
            ),
            (
                "application/vnd.dev.sigstore.bundle+json;version=0.2",
                Some((0, 2)),
            ),
            (
                "application/vnd.dev.sigstore.bundle.v1.0+json",
                Some((1, 0)),
            ),
            ("application/vnd.dev.sigstore.bundle", None),
            ("application/json", None),
        ] {
            assert_eq!(version(media_type), expected, "{media_type}");
        }
    }

    #[test]
    fn signed_encoding_separates_type_and_payload() {
        assert_eq!(
            encode("http://example.com/HelloWorld", b"hello world"),
            b"DSSEv1 29 http://example.com/HelloWorld 11 hello world"
        );
    }

    #[test]
    fn only_signature_predicates_count() {
        let digest = Digest::of(b"artifact");
        let statement = |predicate: &str, of: &Digest| {
            format!(
                r#"{{"_type":"https://in-toto.io/Statement/v1","predicateType":"{predicate}","predicate":{{}},
                "subject":[{{"digest":{{"sha256":"{}"}}}}]}}"#,
                of.hex()
            )
        };
        let check = |text: String| check_statement(text.as_bytes(), &digest);
        assert_eq!(check(statement(SIGNATURE_PREDICATE, &digest)), Ok(()));
        let error = check(statement("https://slsa.dev/provenance/v1", &digest)).unwrap_err();
        assert!(error.contains("https://slsa.dev/provenance/v1"), "{error}");
        let error = check(statement(SIGNATURE_PREDICATE, &Digest::of(b"other"))).unwrap_err();
        assert!(error.contains("another digest"), "{error}");
    }
}
