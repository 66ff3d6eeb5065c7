//! Verifies signatures that cosign made with a key.
//!
//! Only digests are verified. A tag could move between verification and pull. Signatures are
//! searched first as bundles that refer to the digest, the format of cosign 3. Without a bundle,
//! the tag `sha256-<hex>.sig` is used. A signature is valid if a trusted key signed a statement
//! about this digest. Transparency logs are not used, so only the registry is contacted.
//!
//! Parity: cosign v3: pkg/cosign/verify.go; source-controller v1.9: internal/oci/cosign. The
//! reference does not compare the digest in a `.sig` payload with the verified digest. This code
//! does, because otherwise a signature of other content would be accepted.

mod bundle;
mod key;
mod payload;

use base64::Engine as _;
use base64::prelude::BASE64_STANDARD;

use crate::client::{Client, Remote};
use crate::error::{Error, ErrorKind};
use crate::manifest::{Descriptor, Document, Manifest};
use crate::reference::Version;
use crate::text::printable;
pub use key::{InvalidKey, PublicKey};
use sluice_digest::Digest;

const SIGNATURE: &str = "dev.cosignproject.cosign/signature";
/// Maximum number of examined referrers. Otherwise any pusher could keep the verifier busy.
const MAX_REFERRERS: usize = 100;
/// Maximum number of signatures in a `.sig` manifest, as in cosign.
const MAX_SIGNATURES: usize = 1000;
/// Maximum size of a payload, which usually has a few hundred bytes.
const PAYLOAD_LIMIT: u64 = 1 << 20;
const BUNDLE_LIMIT: u64 = 8 << 20;

/// Why a verification failed.
#[derive(Debug, thiserror::Error)]
pub enum VerifyError {
    /// The request failed.
    #[error(transparent)]
    Registry(#[from] Error),
    /// No signature is valid.
    #[error(
        "no matching signatures were found for '{reference}'{}",
        because(reasons)
    )]
    NoMatch {
        /// The verified reference.
        reference: String,
        /// The problem of each signature, or empty without signatures.
        reasons: Vec<String>,
    },
}

fn because(reasons: &[String]) -> String {
    match reasons {
        [] => ": it is not signed".to_owned(),
        reasons => format!(": {}", reasons.join("; ")),
    }
}

/// Verifies that one of the keys signed a digest.
pub async fn verify(
    client: &Client,
    remote: &Remote,
    digest: &Digest,
    keys: &[PublicKey],
) -> Result<(), VerifyError> {
    let mut reasons = Vec::new();
    let bundled = bundled(client, remote, digest, keys, &mut reasons).await?;
    if bundled == BundleResult::Verified {
        return Ok(());
    }
    // Like in the reference, the older tag is only used without bundles.
    if bundled == BundleResult::None && tagged(client, remote, digest, keys, &mut reasons).await? {
        return Ok(());
    }
    Err(VerifyError::NoMatch {
        reference: remote.repository.digest(digest.clone()).to_string(),
        reasons,
    })
}

/// Adds a reason once, because many signatures fail for the same reason.
fn note(reasons: &mut Vec<String>, reason: String) {
    if reasons.len() < 3 && !reasons.contains(&reason) {
        reasons.push(reason);
    }
}

/// The result of the bundles of a digest.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum BundleResult {
    /// The digest has no bundles.
    None,
    /// All bundles are invalid.
    Refused,
    /// One bundle is valid.
    Verified,
}

/// Searches for a valid bundle that refers to a digest, and stops at the first one. Other referrers
/// are ignored. Only one bundle is in memory at a time.
async fn bundled(
    client: &Client,
    remote: &Remote,
    digest: &Digest,
    keys: &[PublicKey],
    reasons: &mut Vec<String>,
) -> Result<BundleResult, Error> {
    let mut said = BundleResult::None;
    for referrer in client.referrers(remote, digest, MAX_REFERRERS).await? {
        let version = Version::Digest(referrer.digest);
        let manifest = match client.document(remote, &version).await {
            Ok(content) => match content.document {
                Document::Manifest(manifest) => manifest,
                Document::Index(_) => continue,
            },
            Err(error) if error.kind() == ErrorKind::Transient => return Err(error),
            Err(_) => continue,
        };
        let [layer] = manifest.layers.as_slice() else {
            continue;
        };
        if !bundle::is_bundle(&layer.media_type) {
            continue;
        }
        let json = match client.small_blob(remote, layer, BUNDLE_LIMIT).await {
            Ok(json) => json,
            Err(error) if error.kind() == ErrorKind::Transient => return Err(error),
            Err(_) => continue,
        };
        let Some(bundle) = bundle::Bundle::parse(&json) else {
            continue;
        };
        match bundle.verify(digest, keys) {
            Ok(()) => return Ok(BundleResult::Verified),
            Err(reason) => note(reasons, reason),
        }
        said = BundleResult::Refused;
    }
    Ok(said)
}

/// Whether a signature under the older tag is valid.
async fn tagged(
    client: &Client,
    remote: &Remote,
    digest: &Digest,
    keys: &[PublicKey],
    reasons: &mut Vec<String>,
) -> Result<bool, Error> {
    let tag = format!("{}-{}.sig", digest.algorithm(), digest.hex());
    let manifest = match client.document(remote, &Version::Tag(tag)).await {
        Ok(content) => match content.document {
            Document::Manifest(manifest) => manifest,
            Document::Index(_) => return Ok(false),
        },
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(false),
        Err(error) => return Err(error),
    };
    for layer in signatures(&manifest) {
        let payload = match client.small_blob(remote, layer, PAYLOAD_LIMIT).await {
            Ok(payload) => payload,
            Err(error) if error.kind() == ErrorKind::Untrusted => {
                note(reasons, error.to_string());
                continue;
            }
            Err(error) => return Err(error),
        };
        let signature = layer
            .annotations
            .as_ref()
            .and_then(|annotations| annotations.get(SIGNATURE))
            .and_then(|text| BASE64_STANDARD.decode(text).ok());
        let Some(signature) = signature else {
            note(reasons, "a signature is not base64".to_owned());
            continue;
        };
        if !keys.iter().any(|key| key.verify(&payload, &signature)) {
            note(
                reasons,
                "a signature was made by another key, or altered".to_owned(),
            );
            continue;
        }
        match payload::claims(&payload, digest) {
            Ok(()) => return Ok(true),
            Err(reason) => note(reasons, printable(&reason, 200)),
        }
    }
    Ok(false)
}

fn signatures(manifest: &Manifest) -> impl Iterator<Item = &Descriptor> {
    manifest.layers.iter().take(MAX_SIGNATURES)
}
