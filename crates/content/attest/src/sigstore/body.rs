//! The bodies of log entries: `hashedrekord`, `dsse` and `intoto` of Rekor 1, and `hashedrekord` of
//! Rekor 2.

use base64::Engine as _;
use base64::prelude::BASE64_STANDARD;
use rustls_pki_types::pem::{PemObject as _, SectionKind};
use serde::Deserialize;
use serde_json::Value;

use super::json::Bytes;

/// Maximum size of a body.
const MAX_BODY_BYTES: usize = 1 << 20;

/// The content that an entry is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum BodyContent {
    Envelope,
    Payload,
}

/// The fields of a body that are compared. Those of Rekor 2 are empty, because its hash is
/// compared.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Body {
    kind: String,
    version: String,
    pub(super) content: BodyContent,
    pub(super) signature: Vec<u8>,
    /// The certificate of the signature, in DER.
    pub(super) certificate: Option<Vec<u8>>,
    /// The SHA-256 of the content.
    pub(super) hash: Vec<u8>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Document {
    api_version: String,
    kind: String,
    spec: Value,
}

#[derive(Deserialize)]
struct HashDocument {
    algorithm: String,
    value: String,
}

#[derive(Deserialize)]
struct HashedRecord {
    data: Data,
    signature: RecordSignature,
}

#[derive(Deserialize)]
struct Data {
    hash: HashDocument,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct RecordSignature {
    content: Bytes,
    public_key: Text,
}

#[derive(Deserialize)]
struct Text {
    content: Bytes,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Dsse {
    payload_hash: HashDocument,
    signatures: Vec<DsseSignature>,
}

#[derive(Deserialize)]
struct DsseSignature {
    signature: String,
    verifier: Bytes,
}

#[derive(Deserialize)]
struct InToto {
    content: InTotoContent,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct InTotoContent {
    envelope: InTotoEnvelope,
    payload_hash: HashDocument,
}

#[derive(Deserialize)]
struct InTotoEnvelope {
    signatures: Vec<InTotoSignature>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct InTotoSignature {
    public_key: Bytes,
    /// The base64 of a base64.
    sig: Bytes,
}

impl Body {
    /// Parses a body.
    pub(super) fn parse(json: &[u8]) -> Result<Self, String> {
        let unreadable = || "a log entry cannot be read".to_owned();
        if json.len() > MAX_BODY_BYTES {
            return Err(unreadable());
        }
        let document: Document = serde_json::from_slice(json).map_err(|_| unreadable())?;
        let Document {
            api_version,
            kind,
            spec,
        } = document;
        let fields = match (&*kind, &*api_version) {
            ("hashedrekord", "0.0.1") => hashed_record(spec),
            ("dsse", "0.0.1") => dsse(spec),
            ("intoto", "0.0.2") => in_toto(spec),
            ("hashedrekord", "0.0.2") => spec
                .get("hashedRekordV002")
                .map(|_| Fields::new(BodyContent::Payload)),
            _ => return Err("a log entry is of an unsupported kind".to_owned()),
        };
        let fields = fields.ok_or_else(unreadable)?;
        Ok(Self {
            kind,
            version: api_version,
            content: fields.content,
            signature: fields.signature,
            certificate: certificate(&fields.pem),
            hash: fields.hash,
        })
    }

    pub(super) fn is_of(&self, kind: &str, version: &str) -> bool {
        self.kind == kind && self.version == version
    }

    /// Whether the entry is of Rekor 2.
    pub(super) fn is_second(&self) -> bool {
        self.is_of("hashedrekord", "0.0.2")
    }
}

/// The fields of a body.
struct Fields {
    content: BodyContent,
    signature: Vec<u8>,
    pem: Vec<u8>,
    hash: Vec<u8>,
}

impl Fields {
    const fn new(content: BodyContent) -> Self {
        Self {
            content,
            signature: Vec::new(),
            pem: Vec::new(),
            hash: Vec::new(),
        }
    }
}

fn hashed_record(spec: Value) -> Option<Fields> {
    let record: HashedRecord = serde_json::from_value(spec).ok()?;
    Some(Fields {
        signature: record.signature.content.0,
        pem: record.signature.public_key.content.0,
        hash: hash(&record.data.hash)?,
        ..Fields::new(BodyContent::Payload)
    })
}

fn dsse(spec: Value) -> Option<Fields> {
    let dsse: Dsse = serde_json::from_value(spec).ok()?;
    let [signature] = dsse.signatures.as_slice() else {
        return None;
    };
    Some(Fields {
        signature: BASE64_STANDARD.decode(&signature.signature).ok()?,
        pem: signature.verifier.0.clone(),
        hash: hash(&dsse.payload_hash)?,
        ..Fields::new(BodyContent::Envelope)
    })
}

fn in_toto(spec: Value) -> Option<Fields> {
    let InToto { content } = serde_json::from_value(spec).ok()?;
    let [signature] = content.envelope.signatures.as_slice() else {
        return None;
    };
    Some(Fields {
        signature: BASE64_STANDARD.decode(&signature.sig.0).ok()?,
        pem: signature.public_key.0.clone(),
        hash: hash(&content.payload_hash)?,
        ..Fields::new(BodyContent::Envelope)
    })
}

fn hash(document: &HashDocument) -> Option<Vec<u8>> {
    if document.algorithm != "sha256" {
        return None;
    }
    hex::decode(&document.value).ok()
}

/// The first certificate of a PEM text, in DER.
pub(super) fn certificate(pem: &[u8]) -> Option<Vec<u8>> {
    let (kind, der) = <(SectionKind, Vec<u8>)>::pem_slice_iter(pem).next()?.ok()?;
    matches!(kind, SectionKind::Certificate).then_some(der)
}
