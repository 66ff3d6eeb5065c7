//! Sigstore bundles of version 0.3: a statement in an envelope, and the material to verify it.
//!
//! Parity: sigstore-go: `pkg/bundle`. As there, unknown fields are refused.

use std::collections::BTreeMap;
use std::fmt;
use std::marker::PhantomData;

use serde::de::{Error as _, IgnoredAny, SeqAccess, Visitor};
use serde::{Deserialize, Deserializer};
use sluice_digest::Digest;

use super::json::{Bytes, Integer};

const MEDIA_TYPE: &str = "application/vnd.dev.sigstore.bundle";
/// The media type of in-toto statements.
const STATEMENT: &str = "application/vnd.in-toto+json";
/// The predicate of a signature. The same key may also sign other statements about an artifact,
/// such as a list of its vulnerabilities.
const SIGNATURE_PREDICATE: &str = "https://sigstore.dev/cosign/sign/v1";
/// Maximum number of subjects of a statement, and of digests of a subject, as in sigstore-go.
const MAX_SUBJECTS: usize = 1024;
const MAX_DIGESTS: usize = 32;
/// Maximum lengths of lists that are kept while a bundle is read. They are above the limits that
/// are checked later, with messages of their own.
const MAX_ENTRIES: usize = 64;
const MAX_HASHES: usize = 128;
const MAX_SIGNATURES: usize = 16;
const MAX_LISTED_SUBJECTS: usize = MAX_SUBJECTS + 1;

/// Reads a list that may have `N` items. The items of a longer one are not kept.
fn limited<'de, D, T, const N: usize>(deserializer: D) -> Result<Vec<T>, D::Error>
where
    D: Deserializer<'de>,
    T: Deserialize<'de>,
{
    struct Items<T, const N: usize>(PhantomData<T>);
    impl<'de, T: Deserialize<'de>, const N: usize> Visitor<'de> for Items<T, N> {
        type Value = Vec<T>;

        fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
            write!(formatter, "a list of at most {N} items")
        }

        fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<Vec<T>, A::Error> {
            let mut list = Vec::new();
            while let Some(item) = items.next_element()? {
                if list.len() == N {
                    return Err(A::Error::custom(format!("a list has more than {N} items")));
                }
                list.push(item);
            }
            Ok(list)
        }
    }
    deserializer.deserialize_seq(Items::<T, N>(PhantomData))
}

/// A bundle as its JSON.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(super) struct Bundle {
    media_type: String,
    pub(super) verification_material: Material,
    dsse_envelope: Option<Envelope>,
    message_signature: Option<IgnoredAny>,
}

/// The material to verify the signature with.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(super) struct Material {
    certificate: Option<CertificateDocument>,
    x509_certificate_chain: Option<IgnoredAny>,
    public_key: Option<IgnoredAny>,
    #[serde(default, deserialize_with = "limited::<_, _, MAX_ENTRIES>")]
    pub(super) tlog_entries: Vec<Entry>,
    timestamp_verification_data: Option<Timestamps>,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct CertificateDocument {
    raw_bytes: Bytes,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct Timestamps {
    #[serde(default, deserialize_with = "limited::<_, _, MAX_ENTRIES>")]
    rfc3161_timestamps: Vec<TimestampDocument>,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct TimestampDocument {
    signed_timestamp: Bytes,
}

/// An entry of a transparency log.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(super) struct Entry {
    #[serde(default)]
    pub(super) log_index: Integer,
    log_id: Option<LogId>,
    pub(super) kind_version: Option<KindVersion>,
    #[serde(default)]
    pub(super) integrated_time: Integer,
    inclusion_promise: Option<Promise>,
    pub(super) inclusion_proof: Option<Proof>,
    #[serde(default)]
    pub(super) canonicalized_body: Bytes,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct LogId {
    key_id: Bytes,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct KindVersion {
    pub(super) kind: String,
    pub(super) version: String,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct Promise {
    #[serde(default)]
    signed_entry_timestamp: Bytes,
}

/// The proof that an entry is in the tree of its log.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(super) struct Proof {
    #[serde(default)]
    pub(super) log_index: Integer,
    #[serde(default)]
    pub(super) root_hash: Bytes,
    #[serde(default)]
    pub(super) tree_size: Integer,
    #[serde(default, deserialize_with = "limited::<_, _, MAX_HASHES>")]
    pub(super) hashes: Vec<Bytes>,
    pub(super) checkpoint: Option<Checkpoint>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Checkpoint {
    #[serde(default)]
    pub(super) envelope: String,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct Envelope {
    #[serde(default)]
    payload: Bytes,
    #[serde(default)]
    payload_type: String,
    #[serde(default, deserialize_with = "limited::<_, _, MAX_SIGNATURES>")]
    signatures: Vec<Signature>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Signature {
    #[serde(default)]
    sig: Bytes,
    #[serde(default, rename = "keyid")]
    _key: String,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Statement {
    #[serde(rename = "_type")]
    kind: String,
    #[serde(default)]
    predicate_type: String,
    #[serde(default, deserialize_with = "limited::<_, _, MAX_LISTED_SUBJECTS>")]
    subject: Vec<Subject>,
}

/// The predicates of statements that count as a signature.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Predicates {
    /// Every predicate. An identity signs only what its issuer lets it sign.
    Any,
    /// The type of a signature.
    Signature,
}

#[derive(Deserialize)]
struct Subject {
    #[serde(default)]
    digest: BTreeMap<String, String>,
}

/// The signed parts of a bundle.
#[derive(Debug)]
pub(super) struct SignedStatement<'a> {
    pub(super) payload: &'a [u8],
    /// The bytes that are signed.
    pub(super) signed: Vec<u8>,
    pub(super) signature: &'a [u8],
}

impl Entry {
    /// The identifier of the log.
    pub(super) fn log(&self) -> &[u8] {
        self.log_id.as_ref().map_or(&[], |log| &log.key_id.0)
    }

    /// The signature of the log over the entry.
    pub(super) fn promise(&self) -> Option<&[u8]> {
        let promise = self.inclusion_promise.as_ref()?;
        let promise = promise.signed_entry_timestamp.0.as_slice();
        (!promise.is_empty()).then_some(promise)
    }
}

impl Bundle {
    /// Parses a bundle, and checks its form.
    pub(super) fn parse(json: &[u8]) -> Result<Self, String> {
        let bundle: Self =
            serde_json::from_slice(json).map_err(|_| "a bundle cannot be read".to_owned())?;
        if !is_version_3(&bundle.media_type) {
            return Err("a bundle is not of version 0.3".to_owned());
        }
        if bundle.message_signature.is_some() || bundle.dsse_envelope.is_none() {
            return Err("a bundle holds no statement".to_owned());
        }
        let material = &bundle.verification_material;
        if material.x509_certificate_chain.is_some() {
            return Err("a bundle of version 0.3 has a chain of certificates".to_owned());
        }
        let entries = &material.tlog_entries;
        for entry in entries {
            let has_checkpoint = |proof: &Proof| {
                let checkpoint = proof.checkpoint.as_ref();
                checkpoint.is_some_and(|checkpoint| !checkpoint.envelope.is_empty())
            };
            if entry.log().is_empty()
                || entry.canonicalized_body.0.is_empty()
                || entry.log_index.0 < 0
            {
                return Err("a log entry is not complete".to_owned());
            }
            if !entry.inclusion_proof.as_ref().is_none_or(has_checkpoint) {
                return Err("the proof of a log entry has no checkpoint".to_owned());
            }
        }
        if !entries.is_empty() && entries.iter().all(|entry| entry.inclusion_proof.is_none()) {
            return Err("a bundle of version 0.3 has no proof of a log".to_owned());
        }
        Ok(bundle)
    }

    /// The certificate of the signature, in DER.
    pub(super) fn certificate(&self) -> Result<&[u8], String> {
        let material = &self.verification_material;
        match (&material.certificate, &material.public_key) {
            (Some(certificate), None) => Ok(&certificate.raw_bytes.0),
            (None, Some(_)) => {
                Err("a bundle was signed with a key, not with a certificate".to_owned())
            }
            _ => Err("a bundle has no certificate".to_owned()),
        }
    }

    /// Checks that the bundle was signed with a key.
    pub(super) fn check_is_keyed(&self) -> Result<(), String> {
        if self.verification_material.public_key.is_some() {
            Ok(())
        } else {
            Err("a bundle was signed with a certificate, not with a key".to_owned())
        }
    }

    /// The timestamps of authorities.
    pub(super) fn timestamps(&self) -> impl Iterator<Item = &[u8]> {
        let data = self
            .verification_material
            .timestamp_verification_data
            .iter();
        data.flat_map(|data| &data.rfc3161_timestamps)
            .map(|timestamp| timestamp.signed_timestamp.0.as_slice())
    }

    /// The signed statement.
    pub(super) fn statement(&self) -> Result<SignedStatement<'_>, String> {
        let envelope = self.dsse_envelope.as_ref();
        let envelope = envelope.ok_or("a bundle holds no statement")?;
        if envelope.payload_type != STATEMENT {
            return Err("a bundle holds no in-toto statement".to_owned());
        }
        let [signature] = envelope.signatures.as_slice() else {
            return Err("a bundle must have exactly one signature".to_owned());
        };
        let payload = envelope.payload.0.as_slice();
        Ok(SignedStatement {
            payload,
            signed: encode(&envelope.payload_type, payload),
            signature: &signature.sig.0,
        })
    }
}

/// Checks that a statement is about a digest, and has one of these predicates.
pub(super) fn check_statement(
    payload: &[u8],
    digest: &Digest,
    predicates: Predicates,
) -> Result<(), String> {
    let statement: Statement = serde_json::from_slice(payload)
        .map_err(|_| "a signed statement cannot be read".to_owned())?;
    if !statement.kind.starts_with("https://in-toto.io/Statement/") {
        return Err("a signed statement is not one of in-toto's".to_owned());
    }
    if predicates == Predicates::Signature && statement.predicate_type != SIGNATURE_PREDICATE {
        let predicate: String = statement.predicate_type.chars().take(100).collect();
        return Err(format!(
            "a signed statement is not a signature, but of type {}",
            predicate.escape_debug()
        ));
    }
    let subjects = &statement.subject;
    let has_many = |subject: &Subject| subject.digest.len() > MAX_DIGESTS;
    if subjects.len() > MAX_SUBJECTS || subjects.iter().any(has_many) {
        return Err("a signed statement has too many subjects".to_owned());
    }
    let is_named = |subject: &Subject| {
        let hex = subject.digest.get(digest.algorithm().name());
        hex.is_some_and(|hex| hex.eq_ignore_ascii_case(digest.hex()))
    };
    if subjects.iter().any(is_named) {
        Ok(())
    } else {
        Err("a signed statement is about another digest".to_owned())
    }
}

/// Encodes the signed data: type and payload with their lengths, so that they cannot be confused.
fn encode(kind: &str, payload: &[u8]) -> Vec<u8> {
    let mut encoded = format!("DSSEv1 {} {kind} {} ", kind.len(), payload.len()).into_bytes();
    encoded.extend_from_slice(payload);
    encoded
}

/// Whether a media type is that of a bundle of version 0.3.
fn is_version_3(media_type: &str) -> bool {
    let rest = media_type.strip_prefix(MEDIA_TYPE).unwrap_or_default();
    let version = rest
        .strip_prefix(".v")
        .and_then(|rest| rest.strip_suffix("+json"))
        .or_else(|| rest.strip_prefix("+json;version="));
    version.is_some_and(|version| version == "0.3" || version.starts_with("0.3."))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_lists_are_not_kept() {
        let entries = vec!["{}"; MAX_ENTRIES + 1].join(",");
        let material = format!(r#"{{"tlogEntries": [{entries}]}}"#);
        let error = serde_json::from_str::<Material>(&material).unwrap_err();
        assert!(
            error
                .to_string()
                .starts_with("a list has more than 64 items"),
            "{error}"
        );
        let hashes = vec![r#""AA==""#; MAX_HASHES + 1].join(",");
        let error = serde_json::from_str::<Proof>(&format!(r#"{{"hashes": [{hashes}]}}"#));
        assert!(error.is_err());
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
        let check = |text: &str, predicates| check_statement(text.as_bytes(), &digest, predicates);
        let signature = statement(SIGNATURE_PREDICATE, &digest);
        assert_eq!(check(&signature, Predicates::Signature), Ok(()));
        let provenance = statement("https://slsa.dev/provenance/v1", &digest);
        let error = check(&provenance, Predicates::Signature).unwrap_err();
        assert!(error.contains("https://slsa.dev/provenance/v1"), "{error}");
        assert_eq!(check(&provenance, Predicates::Any), Ok(()));
        let other = statement(SIGNATURE_PREDICATE, &Digest::of(b"other"));
        let error = check(&other, Predicates::Signature).unwrap_err();
        assert!(error.contains("another digest"), "{error}");
    }

    #[test]
    fn only_version_3_is_read() {
        for (rest, expected) in [
            (".v0.3+json", true),
            (".v0.3.1+json", true),
            ("+json;version=0.3", true),
            ("+json;version=0.2", false),
            (".v0.1+json", false),
            (".v0.4+json", false),
            (".v0.30+json", false),
            (".v1.0+json", false),
            ("", false),
        ] {
            let media_type = format!("{MEDIA_TYPE}{rest}");
            assert_eq!(is_version_3(&media_type), expected, "{media_type}");
        }
    }
}
