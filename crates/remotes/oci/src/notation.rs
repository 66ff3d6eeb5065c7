//! Finds the signatures of the Notary Project that are attached to a digest.
//!
//! The caller verifies them. Parity: notation-go v1.3: registry.

use bytes::Bytes;

use crate::client::{Client, Remote};
use crate::error::{Error, ErrorKind};
use crate::manifest::{Descriptor, Document};
use crate::reference::Version;
use sluice_digest::Digest;

/// The artifact type of signatures.
const ARTIFACT_TYPE: &str = "application/vnd.cncf.notary.signature";
/// Maximum number of examined referrers. Otherwise any pusher could keep the verifier busy.
const MAX_REFERRERS: usize = 1000;
/// Maximum size of an envelope, which usually has a few thousand bytes.
const ENVELOPE_LIMIT: u64 = 1 << 20;

/// The envelope of a signature.
#[derive(Debug, Clone)]
pub struct Envelope {
    /// Its format.
    pub media_type: String,
    /// Its bytes.
    pub bytes: Bytes,
}

/// Lists the signatures of a digest, in the order of the registry.
pub async fn signatures(
    client: &Client,
    remote: &Remote,
    digest: &Digest,
) -> Result<Vec<Descriptor>, Error> {
    let mut found = client.referrers(remote, digest, MAX_REFERRERS).await?;
    found.retain(|referrer| referrer.artifact_type.as_deref() == Some(ARTIFACT_TYPE));
    Ok(found)
}

/// Fetches the envelope of a signature. A broken signature is a reason, not an error, because
/// another one may be valid.
pub async fn envelope(
    client: &Client,
    remote: &Remote,
    signature: &Descriptor,
) -> Result<Result<Envelope, String>, Error> {
    let version = Version::Digest(signature.digest.clone());
    let content = match client.document(remote, &version).await {
        Ok(content) => content,
        Err(error) => return broken(error),
    };
    let Document::Manifest(manifest) = content.document else {
        return Ok(Err("signature manifest is an index".to_owned()));
    };
    let [layer] = manifest.layers.as_slice() else {
        return Ok(Err(format!(
            "signature manifest requires exactly one signature envelope blob, got {}",
            manifest.layers.len()
        )));
    };
    match client.small_blob(remote, layer, ENVELOPE_LIMIT).await {
        Ok(bytes) => Ok(Ok(Envelope {
            media_type: layer.media_type.clone(),
            bytes,
        })),
        Err(error) => broken(error),
    }
}

fn broken<T>(error: Error) -> Result<Result<T, String>, Error> {
    match error.kind() {
        ErrorKind::Transient | ErrorKind::Denied => Err(error),
        _ => Ok(Err(error.to_string())),
    }
}
