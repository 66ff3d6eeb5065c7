//! The trusted root: authorities for certificates and timestamps, and logs, each for a time.
//!
//! Parity: sigstore-go: `pkg/root`. The reference accepts a root without authorities or logs, with
//! which nothing can be verified. It is refused here, because the message then names the cause.

use jiff::Timestamp;
use serde::Deserialize;

use super::certificate::Certificate;
use super::json::Bytes;
use super::key::PublicKey;

const MEDIA_TYPE: &str = "application/vnd.dev.sigstore.trustedroot+json;version=0.1";
/// The root of the public instance, as of 21 August 2026: `targets/trusted_root.json` of the
/// repository `sigstore/root-signing`.
pub const PUBLIC_ROOT: &[u8] = include_bytes!("public_root.json");
/// Maximum size of a root. The public instance has one of 7 KB.
pub const MAX_ROOT_BYTES: usize = 1 << 20;
/// The types of keys that a log may have as a `SubjectPublicKeyInfo`.
const KEY_DETAILS: [&str; 7] = [
    "PKIX_ECDSA_P256_SHA_256",
    "PKIX_ECDSA_P384_SHA_384",
    "PKIX_ECDSA_P521_SHA_512",
    "PKIX_RSA_PKCS1V15_2048_SHA256",
    "PKIX_RSA_PKCS1V15_3072_SHA256",
    "PKIX_RSA_PKCS1V15_4096_SHA256",
    "PKIX_ED25519",
];
/// Maximum number of entries of one type.
const MAX_ENTRIES: usize = 32;
/// Maximum number of certificates of an authority.
const MAX_CHAIN: usize = 10;

/// The trusted root is invalid.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct InvalidRoot(String);

fn invalid(why: impl Into<String>) -> InvalidRoot {
    InvalidRoot(why.into())
}

/// The authorities and logs that signatures are verified with.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TrustedRoot {
    pub(super) authorities: Vec<Authority>,
    pub(super) stampers: Vec<Authority>,
    pub(super) logs: Vec<Log>,
    pub(super) certificate_logs: Vec<Log>,
}

/// An authority that issues certificates.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Authority {
    pub(super) address: String,
    /// The certificate that signs timestamps, if the root names it.
    pub(super) leaf: Option<Certificate>,
    pub(super) intermediates: Vec<Certificate>,
    pub(super) root: Certificate,
    pub(super) period: Period,
}

/// A log with its key.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Log {
    pub(super) id: Vec<u8>,
    pub(super) key: PublicKey,
    pub(super) address: String,
    pub(super) period: Period,
}

/// The seconds between which an entry counts, both included.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct Period {
    start: Option<i64>,
    end: Option<i64>,
}

impl Period {
    pub(super) fn contains(self, time: i64) -> bool {
        self.start.is_none_or(|start| start <= time) && self.end.is_none_or(|end| time <= end)
    }
}

impl Log {
    pub(super) fn is_valid_at(&self, time: i64) -> bool {
        self.period.contains(time)
    }
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Document {
    media_type: String,
    #[serde(default)]
    tlogs: Vec<LogDocument>,
    #[serde(default)]
    certificate_authorities: Vec<AuthorityDocument>,
    #[serde(default)]
    ctlogs: Vec<LogDocument>,
    #[serde(default)]
    timestamp_authorities: Vec<AuthorityDocument>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct LogDocument {
    #[serde(default)]
    base_url: String,
    #[serde(default)]
    hash_algorithm: String,
    public_key: Option<KeyDocument>,
    log_id: Option<LogId>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct LogId {
    key_id: Bytes,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct KeyDocument {
    raw_bytes: Option<Bytes>,
    #[serde(default)]
    key_details: String,
    valid_for: Option<PeriodDocument>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct AuthorityDocument {
    #[serde(default)]
    uri: String,
    cert_chain: Option<ChainDocument>,
    valid_for: Option<PeriodDocument>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct ChainDocument {
    #[serde(default)]
    certificates: Vec<CertificateDocument>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct CertificateDocument {
    raw_bytes: Bytes,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct PeriodDocument {
    start: Option<Timestamp>,
    end: Option<Timestamp>,
}

impl PeriodDocument {
    fn period(&self) -> Period {
        let second = |time: &Option<Timestamp>| time.map(Timestamp::as_second);
        Period {
            start: second(&self.start),
            end: second(&self.end),
        }
    }
}

impl TrustedRoot {
    /// Parses a `trusted_root.json`.
    pub fn parse(json: &[u8]) -> Result<Self, InvalidRoot> {
        if json.len() > MAX_ROOT_BYTES {
            return Err(invalid(format!(
                "a trusted root has at most {MAX_ROOT_BYTES} bytes"
            )));
        }
        let document: Document = serde_json::from_slice(json)
            .map_err(|error| invalid(format!("failed to read the trusted root: {error}")))?;
        if document.media_type != MEDIA_TYPE {
            let media_type: String = document.media_type.chars().take(100).collect();
            return Err(invalid(format!(
                "unsupported TrustedRoot media type: {}",
                media_type.escape_debug()
            )));
        }
        let root = Self {
            authorities: authorities(
                "certificateAuthorities",
                &document.certificate_authorities,
                false,
            )?,
            stampers: authorities(
                "timestampAuthorities",
                &document.timestamp_authorities,
                true,
            )?,
            logs: logs("tlogs", &document.tlogs)?,
            certificate_logs: logs("ctlogs", &document.ctlogs)?,
        };
        for (is_empty, entries) in [
            (root.authorities.is_empty(), "certificate authorities"),
            (root.logs.is_empty(), "transparency log entries"),
            (
                root.certificate_logs.is_empty(),
                "certificate transparency logs",
            ),
        ] {
            if is_empty {
                return Err(invalid(format!("no {entries} found in trusted root")));
            }
        }
        Ok(root)
    }
}

fn check_count(field: &str, count: usize) -> Result<(), InvalidRoot> {
    if count > MAX_ENTRIES {
        return Err(invalid(format!(
            "{field} has more than {MAX_ENTRIES} entries"
        )));
    }
    Ok(())
}

fn logs(field: &str, documents: &[LogDocument]) -> Result<Vec<Log>, InvalidRoot> {
    check_count(field, documents.len())?;
    let parse = |(index, document)| {
        log(document).map_err(|why| invalid(format!("{field}[{index}]: {why}")))
    };
    documents.iter().enumerate().map(parse).collect()
}

fn log(document: &LogDocument) -> Result<Log, String> {
    if document.hash_algorithm != "SHA2_256" {
        return Err("unsupported tlog hash algorithm".to_owned());
    }
    let id = document.log_id.as_ref().ok_or("tlog missing log ID")?;
    let key = document
        .public_key
        .as_ref()
        .ok_or("tlog missing public key")?;
    let bytes = key
        .raw_bytes
        .as_ref()
        .ok_or("tlog missing public key raw bytes")?;
    let parsed = match &*key.key_details {
        "PKCS1_RSA_PKCS1V5" => PublicKey::from_pkcs1(&bytes.0),
        details if KEY_DETAILS.contains(&details) => PublicKey::from_spki(&bytes.0),
        _ => None,
    };
    let parsed = parsed.ok_or("unsupported tlog public key type")?;
    let period = key
        .valid_for
        .as_ref()
        .ok_or("tlog missing public key validity period")?
        .period();
    if period.start.is_none() {
        return Err("tlog missing public key validity period start time".to_owned());
    }
    Ok(Log {
        id: id.key_id.0.clone(),
        key: parsed,
        address: document.base_url.clone(),
        period,
    })
}

fn authorities(
    field: &str,
    documents: &[AuthorityDocument],
    has_leaf: bool,
) -> Result<Vec<Authority>, InvalidRoot> {
    check_count(field, documents.len())?;
    let parse = |(index, document)| {
        authority(document, has_leaf).map_err(|why| invalid(format!("{field}[{index}]: {why}")))
    };
    documents.iter().enumerate().map(parse).collect()
}

fn authority(document: &AuthorityDocument, has_leaf: bool) -> Result<Authority, String> {
    let chain = document
        .cert_chain
        .as_ref()
        .ok_or("CertificateAuthority missing cert chain")?;
    if chain.certificates.len() > MAX_CHAIN {
        return Err(format!("a chain has more than {MAX_CHAIN} certificates"));
    }
    let mut certificates = chain
        .certificates
        .iter()
        .map(|certificate| Certificate::from_der(&certificate.raw_bytes.0))
        .collect::<Result<Vec<_>, _>>()?;
    let root = certificates
        .pop()
        .ok_or("CertificateAuthority cert chain is empty")?;
    let leaf = match certificates.first() {
        Some(first) if has_leaf && !first.is_authority() => Some(certificates.remove(0)),
        _ => None,
    };
    let period = document.valid_for.as_ref().map(PeriodDocument::period);
    Ok(Authority {
        address: document.uri.clone(),
        leaf,
        intermediates: certificates,
        root,
        period: period.unwrap_or_default(),
    })
}
