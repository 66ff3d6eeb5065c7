//! Entries of a transparency log: the log promised or proved that it holds a signature.
//!
//! Rekor 1 signs an entry with its time, and proves that it is in the tree. Rekor 2 only proves it.
//! An entry must be about the signature at hand, so its fields or its hash are compared.
//!
//! Parity: sigstore-go: `pkg/verify/tlog.go`, `pkg/tlog`. Another entry than `hashedrekord` of
//! Rekor 2 is refused there, too.

use base64::Engine as _;
use base64::prelude::BASE64_STANDARD;
use url::Url;

use super::body::{Body, BodyContent};
use super::bundle::{Entry, Proof};
use super::certificate::Certificate;
use super::checkpoint;
use super::key::{Hash, KeyKind, PublicKey, sha256};
use super::merkle;
use super::root::{Log, TrustedRoot};

/// Maximum number of entries, as in sigstore-go.
const MAX_ENTRIES: usize = 32;

/// The signature that an entry must be about.
#[derive(Debug, Clone, Copy)]
pub(super) struct Claim<'a> {
    pub(super) leaf: &'a Certificate,
    pub(super) signature: &'a [u8],
    pub(super) content: Content<'a>,
}

/// The signed content.
#[derive(Debug, Clone, Copy)]
pub(super) enum Content<'a> {
    /// The payload of an envelope, and the bytes that were signed for it.
    Envelope { payload: &'a [u8], signed: &'a [u8] },
    /// A payload that was signed as it is.
    Payload(&'a [u8]),
}

/// Verifies the entries of a signature. Returns the times at which a trusted log signed it.
///
/// A proof without a promise has no signed time. So its log must have been valid at all `stamps`,
/// the times that timestamp authorities signed.
pub(super) fn verify(
    entries: &[Entry],
    claim: Claim<'_>,
    root: &TrustedRoot,
    stamps: &[i64],
) -> Result<Vec<i64>, String> {
    if entries.len() > MAX_ENTRIES {
        return Err(format!("a bundle has more than {MAX_ENTRIES} log entries"));
    }
    let position = |entry: &Entry| (entry.log().to_vec(), entry.log_index.0);
    for (index, entry) in entries.iter().enumerate() {
        let mut earlier = entries.iter().take(index);
        if earlier.any(|other| position(other) == position(entry)) {
            return Err("a bundle has a log entry twice".to_owned());
        }
    }
    let (mut is_logged, mut times) = (false, Vec::new());
    for entry in entries {
        // An unknown log proves nothing, and hides no other entry.
        let Some(log) = root.logs.iter().find(|log| log.id == entry.log()) else {
            continue;
        };
        is_logged |= match verify_entry(entry, claim, log)? {
            None => false,
            Some(EntryTime::Signed(time)) => {
                times.push(time);
                true
            }
            Some(EntryTime::Unsigned) => stamps.iter().all(|stamp| log.is_valid_at(*stamp)),
        };
    }
    if is_logged {
        Ok(times)
    } else {
        Err("a signature is in no trusted transparency log".to_owned())
    }
}

/// The time of a verified entry.
enum EntryTime {
    /// The log signed the time.
    Signed(i64),
    Unsigned,
}

/// Verifies an entry of a log. Returns `None` if the log did not sign its promise.
fn verify_entry(entry: &Entry, claim: Claim<'_>, log: &Log) -> Result<Option<EntryTime>, String> {
    let body = Body::parse(&entry.canonicalized_body.0)?;
    let kind = entry.kind_version.as_ref();
    let kind = kind.ok_or("a log entry has no kind")?;
    if !body.is_of(&kind.kind, &kind.version) {
        return Err("a log entry is not of the kind that it names".to_owned());
    }
    let promise = entry.promise();
    if promise.is_none() && entry.inclusion_proof.is_none() {
        return Err("a log entry has neither a promise nor a proof".to_owned());
    }
    if let Some(promise) = promise {
        let signed = signed_entry(entry, &BASE64_STANDARD.encode(&entry.canonicalized_body.0));
        if body.is_second() || !verify_promise(&signed, promise, entry.integrated_time.0, log) {
            return Ok(None);
        }
    }
    if let Some(proof) = &entry.inclusion_proof {
        verify_proof(entry, proof, &body, claim, log)?;
    } else if body.is_second() {
        return Err("a log entry of Rekor 2 has no proof".to_owned());
    }
    if !body.is_second() {
        compare(&body, claim)?;
    }
    let time = entry.integrated_time.0;
    if time != 0 && !claim.leaf.is_valid_at(time) {
        return Err("a signature was logged outside the validity of its certificate".to_owned());
    }
    Ok(Some(if promise.is_some() {
        EntryTime::Signed(time)
    } else {
        EntryTime::Unsigned
    }))
}

fn signed_entry(entry: &Entry, body: &str) -> String {
    let (time, index) = (entry.integrated_time.0, entry.log_index.0);
    promised(body, time, index, &hex::encode(entry.log()))
}

/// The canonical JSON that a log signs as its promise.
pub(super) fn promised(body: &str, time: i64, index: i64, log: &str) -> String {
    format!(r#"{{"body":"{body}","integratedTime":{time},"logID":"{log}","logIndex":{index}}}"#)
}

/// Whether a log signed its promise while its key was valid.
pub(super) fn verify_promise(signed: &str, promise: &[u8], time: i64, log: &Log) -> bool {
    let is_elliptic = matches!(log.key.kind, KeyKind::P256 | KeyKind::P384 | KeyKind::P521);
    is_elliptic && log.is_valid_at(time) && log.key.verify(Hash::Sha256, signed.as_bytes(), promise)
}

fn verify_proof(
    entry: &Entry,
    proof: &Proof,
    body: &Body,
    claim: Claim<'_>,
    log: &Log,
) -> Result<(), String> {
    let checkpoint = proof.checkpoint.as_ref();
    let checkpoint = checkpoint.map_or("", |checkpoint| &checkpoint.envelope);
    let hashes: Vec<&[u8]> = proof.hashes.iter().map(|hash| hash.0.as_slice()).collect();
    let is_first = checkpoint::has_tree(checkpoint);
    if is_first && !body.is_second() {
        let root = checkpoint::verify_first(checkpoint, &log.key)?;
        if root != proof.root_hash.0 {
            return Err("a log entry has a proof for another tree".to_owned());
        }
        let leaf = merkle::leaf(&entry.canonicalized_body.0);
        return merkle::verify(
            proof.log_index.0,
            proof.tree_size.0,
            leaf,
            &hashes,
            &proof.root_hash.0,
        );
    }
    let host = Url::parse(&log.address).ok();
    let host = host.as_ref().and_then(Url::host_str);
    let host = host.ok_or("a log of Rekor 2 has no baseUrl in the trusted root")?;
    let tree = checkpoint::verify_second(checkpoint, host, &log.key)?;
    let leaf = merkle::leaf(second_body(claim)?.as_bytes());
    merkle::verify(entry.log_index.0, tree.size, leaf, &hashes, &tree.root)
}

/// The body of the entry in Rekor 2 for a signature. It holds all of the signature, so only its
/// hash is compared.
fn second_body(claim: Claim<'_>) -> Result<String, String> {
    let (details, algorithm) = match claim.leaf.key.as_ref().map(|key| key.kind) {
        Some(KeyKind::P256) => ("PKIX_ECDSA_P256_SHA_256", "SHA2_256"),
        Some(KeyKind::P384) => ("PKIX_ECDSA_P384_SHA_384", "SHA2_384"),
        Some(KeyKind::P521) => ("PKIX_ECDSA_P521_SHA_512", "SHA2_512"),
        _ => return Err("a log entry of Rekor 2 needs an ECDSA key".to_owned()),
    };
    let hash = claim
        .leaf
        .key
        .as_ref()
        .map_or(Hash::Sha256, PublicKey::hash);
    let signed = match claim.content {
        Content::Envelope { signed, .. } => signed,
        Content::Payload(payload) => payload,
    };
    let digest = BASE64_STANDARD.encode(hash.of(signed));
    let signature = BASE64_STANDARD.encode(claim.signature);
    let certificate = BASE64_STANDARD.encode(&claim.leaf.der);
    Ok(format!(
        r#"{{"apiVersion":"0.0.2","kind":"hashedrekord","spec":{{"hashedRekordV002":{{"data":{{"algorithm":"{algorithm}","digest":"{digest}"}},"signature":{{"content":"{signature}","verifier":{{"keyDetails":"{details}","x509Certificate":{{"rawBytes":"{certificate}"}}}}}}}}}}}}"#
    ))
}

/// Checks that an entry of Rekor 1 is about the signature at hand.
pub(super) fn compare(body: &Body, claim: Claim<'_>) -> Result<(), String> {
    if body.signature != claim.signature {
        return Err("a log entry is about another signature".to_owned());
    }
    if body.certificate.as_deref() != Some(claim.leaf.der.as_slice()) {
        return Err("a log entry is about another certificate".to_owned());
    }
    let hash = match (body.content, claim.content) {
        (BodyContent::Envelope, Content::Envelope { payload, .. })
        | (BodyContent::Payload, Content::Payload(payload)) => sha256(payload),
        _ => return Err("a log entry is about another type of signature".to_owned()),
    };
    if body.hash != hash {
        return Err("a log entry is about other content".to_owned());
    }
    Ok(())
}
