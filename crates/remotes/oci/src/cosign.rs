//! Finds the signatures of cosign, and asks a [`Judge`] whether they are valid.
//!
//! Only digests are verified. A tag could move between verification and pull. Signatures are
//! searched first as bundles that refer to the digest, the format of cosign 3. Without a bundle,
//! the tag `sha256-<hex>.sig` is used. Only the registry is contacted.
//!
//! Parity: cosign v3: pkg/cosign/verify.go; source-controller v1.9: internal/oci/cosign.

use std::collections::BTreeMap;
use std::future::Future;

use bytes::Bytes;

use crate::client::{Client, Remote};
use crate::error::{Error, ErrorKind};
use crate::manifest::{Descriptor, Document, Manifest};
use crate::reference::Version;
use crate::text::printable;
use sluice_digest::Digest;
use sluice_system::budget::{Budget, BudgetExceeded};

/// Maximum number of examined referrers. Otherwise any pusher could keep the verifier busy.
const MAX_REFERRERS: usize = 100;
/// Maximum number of signatures in a `.sig` manifest, as in cosign.
const MAX_SIGNATURES: usize = 1000;
/// Maximum size of a payload, which usually has a few hundred bytes.
const PAYLOAD_LIMIT: u64 = 1 << 20;
const BUNDLE_LIMIT: u64 = 8 << 20;
/// The media type of bundles, without their version.
const BUNDLE: &str = "application/vnd.dev.sigstore.bundle";
/// Maximum length of a reason. A certificate may name long subjects.
const MAX_REASON: usize = 300;

/// Why a verification failed.
#[derive(Debug, thiserror::Error)]
pub enum VerifyError {
    /// The request failed.
    #[error(transparent)]
    Registry(#[from] Error),
    /// The search takes too long.
    #[error("the signatures take too long to verify: {0}")]
    Budget(#[from] BudgetExceeded),
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

/// A signature as the registry serves it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Attachment {
    /// The JSON of a bundle.
    Bundle(Vec<u8>),
    /// A signature under the older tag.
    Tagged(TaggedSignature),
}

/// A signature under the older tag.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TaggedSignature {
    /// The signed payload.
    pub payload: Vec<u8>,
    /// The annotations of its layer, with the signature and its certificate.
    pub annotations: BTreeMap<String, String>,
}

impl TaggedSignature {
    /// The annotation with the signature, in base64.
    pub const SIGNATURE: &str = "dev.cosignproject.cosign/signature";
    /// The annotation with the certificate, in PEM.
    pub const CERTIFICATE: &str = "dev.sigstore.cosign/certificate";
    /// The annotation with the promise of a transparency log, in JSON.
    pub const BUNDLE: &str = "dev.sigstore.cosign/bundle";

    /// Returns the text of an annotation, or an empty one.
    pub fn annotation(&self, name: &str) -> &str {
        self.annotations.get(name).map_or("", String::as_str)
    }
}

/// Why an attachment is not a valid signature.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Refusal {
    /// It is not a supported bundle. The older tag may hold a signature.
    Unreadable(String),
    /// It is a signature, but not a valid one.
    Invalid(String),
}

/// Decides whether signatures of a digest are valid.
pub trait Judge: Sync {
    /// Verifies that an attachment is a valid signature of a digest.
    fn judge(
        &self,
        attachment: Attachment,
        digest: &Digest,
    ) -> impl Future<Output = Result<(), Refusal>> + Send;
}

/// Verifies that a digest has a signature which a judge accepts.
///
/// The budget counts the bytes of all downloads, and its deadline ends them. The judge charges it,
/// too: once it is spent, no other signature is looked at.
pub async fn verify(
    client: &Client,
    remote: &Remote,
    digest: &Digest,
    judge: &impl Judge,
    budget: &Budget,
) -> Result<(), VerifyError> {
    let search = Search {
        client,
        remote,
        digest,
        judge,
        budget,
    };
    budget.bound(search.verify()).await?
}

/// Adds a reason once, because many signatures fail for the same reason.
fn note(reasons: &mut Vec<String>, reason: &str) {
    let reason = printable(reason, MAX_REASON);
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

/// The search for a valid signature of a digest.
struct Search<'a, J> {
    client: &'a Client,
    remote: &'a Remote,
    digest: &'a Digest,
    judge: &'a J,
    budget: &'a Budget,
}

impl<J: Judge> Search<'_, J> {
    async fn verify(&self) -> Result<(), VerifyError> {
        let mut reasons = Vec::new();
        let bundled = self.bundled(&mut reasons).await?;
        if bundled == BundleResult::Verified {
            return Ok(());
        }
        // Like in the reference, the older tag is only used without bundles.
        if bundled == BundleResult::None && self.tagged(&mut reasons).await? {
            return Ok(());
        }
        Err(VerifyError::NoMatch {
            reference: self
                .remote
                .repository
                .digest(self.digest.clone())
                .to_string(),
            reasons,
        })
    }

    /// Searches for a valid bundle that refers to the digest, and stops at the first one. Other
    /// referrers are ignored. Only one bundle is in memory at a time.
    async fn bundled(&self, reasons: &mut Vec<String>) -> Result<BundleResult, VerifyError> {
        let Self { client, remote, .. } = *self;
        let mut said = BundleResult::None;
        for referrer in client.referrers(remote, self.digest, MAX_REFERRERS).await? {
            let document = self.document(&Version::Digest(referrer.digest)).await;
            let manifest = match document {
                Ok(Document::Manifest(manifest)) => manifest,
                Ok(Document::Index(_)) => continue,
                Err(VerifyError::Registry(error)) if error.kind() != ErrorKind::Transient => {
                    continue;
                }
                Err(error) => return Err(error),
            };
            let [layer] = manifest.layers.as_slice() else {
                continue;
            };
            if !layer.media_type.starts_with(BUNDLE) {
                continue;
            }
            let Ok(json) = self.layer(layer, BUNDLE_LIMIT).await? else {
                continue;
            };
            match self.judge(Attachment::Bundle(json.into())).await? {
                Ok(()) => return Ok(BundleResult::Verified),
                Err(Refusal::Unreadable(reason)) => note(reasons, &reason),
                Err(Refusal::Invalid(reason)) => {
                    note(reasons, &reason);
                    said = BundleResult::Refused;
                }
            }
        }
        Ok(said)
    }

    /// Whether a signature under the older tag is valid.
    async fn tagged(&self, reasons: &mut Vec<String>) -> Result<bool, VerifyError> {
        let tag = format!("{}-{}.sig", self.digest.algorithm(), self.digest.hex());
        let manifest = match self.document(&Version::Tag(tag)).await {
            Ok(Document::Manifest(manifest)) => manifest,
            Ok(Document::Index(_)) => return Ok(false),
            Err(VerifyError::Registry(error)) if error.kind() == ErrorKind::NotFound => {
                return Ok(false);
            }
            Err(error) => return Err(error),
        };
        for layer in signatures(&manifest) {
            let payload = match self.layer(layer, PAYLOAD_LIMIT).await? {
                Ok(payload) => payload,
                // As in the reference, another signature may be valid.
                Err(error) => {
                    note(reasons, &error.to_string());
                    continue;
                }
            };
            let tagged = TaggedSignature {
                payload: payload.into(),
                annotations: layer.annotations.clone().unwrap_or_default(),
            };
            match self.judge(Attachment::Tagged(tagged)).await? {
                Ok(()) => return Ok(true),
                Err(Refusal::Unreadable(reason) | Refusal::Invalid(reason)) => {
                    note(reasons, &reason);
                }
            }
        }
        Ok(false)
    }

    /// Fetches a document, and charges its bytes.
    async fn document(&self, version: &Version) -> Result<Document, VerifyError> {
        let content = self.client.document(self.remote, version).await?;
        self.charge(u64::try_from(content.bytes.len()).unwrap_or(u64::MAX))?;
        Ok(content.document)
    }

    fn charge(&self, bytes: u64) -> Result<(), BudgetExceeded> {
        self.budget.charge_bytes(bytes)
    }

    /// Downloads a layer, and charges its bytes. The inner error is about this layer alone.
    async fn layer(
        &self,
        layer: &Descriptor,
        limit: u64,
    ) -> Result<Result<Bytes, Error>, VerifyError> {
        // A larger one is not downloaded.
        if layer.size <= limit {
            self.charge(layer.size)?;
        }
        match self.client.small_blob(self.remote, layer, limit).await {
            Err(error) if error.kind() == ErrorKind::Transient => Err(error.into()),
            found => Ok(found),
        }
    }

    /// Asks the judge. A spent budget is an error, because it refuses all other signatures, too.
    async fn judge(&self, attachment: Attachment) -> Result<Result<(), Refusal>, VerifyError> {
        let judged = self.judge.judge(attachment, self.digest).await;
        if judged.is_err() {
            self.budget.check()?;
        }
        Ok(judged)
    }
}

fn signatures(manifest: &Manifest) -> impl Iterator<Item = &Descriptor> {
    manifest.layers.iter().take(MAX_SIGNATURES)
}
