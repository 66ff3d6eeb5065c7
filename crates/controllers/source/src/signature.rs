//! Signatures of OCI artifacts and charts: who must have signed, and whether they did.
//!
//! The spec names a Secret with public keys, or identities. Identities are verified with a trusted
//! root: that of a Secret, or that of [`KeylessSettings`]. `sluice-oci` finds the signatures, and
//! `sluice-attest` verifies them.
//!
//! Keys, patterns and roots come from tenants. They are parsed on a blocking thread, where
//! signatures are verified, too. Signatures have a [`Budget`].

mod log;
mod refresh;
mod settings;

use std::fmt::Display;
use std::sync::Arc;
use std::time::{Duration, Instant};

use jiff::Timestamp;
use sluice_api::meta::{ToolkitResource, reason};
use sluice_api::source::condition::SOURCE_VERIFIED;
use sluice_api::source::{OidcIdentity, VerificationProvider};
use sluice_attest::sigstore::{
    self, Identities, InvalidIdentity, InvalidRoot, KeyVerifier, LegacySignature, NOT_LOGGED,
    PublicKey, TrustedRoot, Verifier,
};
use sluice_dial::Reach;
use sluice_engine::{Failure, Notice, Retry};
use sluice_host::Secrets;
use sluice_host::secrets::SecretData;
use sluice_oci::cosign::{self, Attachment, Judge, Refusal, TaggedSignature, VerifyError};
use sluice_oci::{Client, Digest, Remote};
use sluice_system::blocking;
use sluice_system::budget::Budget;

use crate::fault::{FailureCondition, Fault};
use crate::notation::{Revocation, Trust, Verdict};
use log::TransparencyLog;
pub(crate) use settings::{KeylessSettings, REQUIRE_OIDC_IDENTITY};

/// The entries of a Secret that are keys.
const KEY_SUFFIX: &str = ".pub";
/// The entry of a Secret with a trusted root.
const ROOT_ENTRY: &str = "trusted_root.json";
/// A warning: its reason, and its message.
const ANY_IDENTITY: &str = "AnyIdentityAccepted";
const ANY_IDENTITY_ACCEPTED: &str =
    "spec.verify has no matchOIDCIdentity: a signature of any identity is accepted";
/// The work for all signatures of one digest: about 16,000 checks of a signature. Bytes count when
/// they are downloaded, and when they are parsed.
const MAX_STEPS: u64 = 1 << 28;
const MAX_BYTES: u64 = 256 << 20;
/// The time with all downloads.
const MAX_TIME: Duration = Duration::from_mins(1);

/// How signatures are verified.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Verification {
    /// With the public keys of a Secret.
    Keys { secret: String },
    /// With the certificate of one of these identities.
    Keyless {
        identities: Vec<OidcIdentity>,
        /// The Secret with the trusted root, if it is not that of the process.
        root: Option<String>,
    },
    /// With the trust policy of a Secret.
    Notation { secret: Option<String> },
}

impl Verification {
    /// The warning that every identity may sign which a trusted authority knows. It comes with the
    /// first verification of each generation.
    pub(crate) fn warning(&self, object: &impl ToolkitResource) -> Option<Notice> {
        let is_open = matches!(self, Self::Keyless { identities, .. } if identities.is_empty());
        let verified = object.conditions().find(SOURCE_VERIFIED);
        let generation = object.meta().generation;
        let is_repeated =
            verified.is_some_and(|verified| verified.observed_generation == generation);
        (is_open && !is_repeated).then(|| Notice::error(ANY_IDENTITY, ANY_IDENTITY_ACCEPTED))
    }

    /// The name in messages.
    pub(crate) const fn provider(&self) -> &'static str {
        match self {
            Self::Keys { .. } => "cosign",
            Self::Keyless { .. } => "cosign keyless",
            Self::Notation { .. } => "notation",
        }
    }
}

/// The accepted signers. Patterns and roots are not parsed yet.
#[derive(Debug)]
pub(crate) struct Signers {
    accepted: SignerSet,
    /// Digest over all that the verification depends on: other signers require another one.
    pub(crate) fingerprint: Digest,
}

#[derive(Debug)]
enum SignerSet {
    Keys(Arc<KeyVerifier>),
    Keyless {
        identities: Vec<OidcIdentity>,
        root: Arc<[u8]>,
        /// The addresses that the root may name.
        reach: Reach,
    },
    Policy(Trust),
}

/// Why signatures were not verified.
#[derive(Debug, thiserror::Error)]
pub(crate) enum SignatureError {
    #[error("spec.verify.{0}")]
    Identity(#[from] InvalidIdentity),
    #[error("unable to parse trusted root: {0}")]
    Root(#[from] InvalidRoot),
    #[error(transparent)]
    Verify(#[from] VerifyError),
    #[error("{0}")]
    Policy(String),
}

impl SignatureError {
    /// A pattern needs an edit. All else may be another one at the next attempt.
    pub(crate) const fn retry(&self) -> Retry {
        match self {
            Self::Identity(_) => Retry::Stalled,
            Self::Root(_) | Self::Verify(_) | Self::Policy(_) => Retry::Backoff,
        }
    }
}

/// The message for a tool that does not exist.
pub(crate) fn unsupported(provider: &VerificationProvider) -> String {
    let provider = provider.as_str();
    let why = format!("unsupported verification provider: {provider}");
    message(provider, why)
}

fn message(provider: &str, why: impl Display) -> String {
    format!("failed to verify the signature using provider '{provider}': {why}")
}

/// The fault of a failed verification.
pub(crate) fn refused(verification: &Verification, retry: Retry, why: impl Display) -> Fault {
    let message = message(verification.provider(), why);
    Fault {
        condition: FailureCondition::False(SOURCE_VERIFIED),
        failure: Failure::message(reason::VERIFICATION_ERROR, retry, message),
    }
}

impl Signers {
    /// Reads the accepted signers from the Secrets of the object. `what` names the artifact.
    /// `unsigned` is the artifact that a message about missing keys names, as Flux does for images.
    pub(crate) async fn read(
        secrets: &Secrets,
        settings: &KeylessSettings,
        namespace: &str,
        verification: &Verification,
        what: &str,
        unsigned: Option<&str>,
    ) -> Result<Self, Fault> {
        let read = match verification {
            Verification::Notation { secret } => {
                let trust = Trust::read(secrets, namespace, secret.as_deref(), what).await;
                trust.map(|trust| Self {
                    fingerprint: trust.fingerprint.clone(),
                    accepted: SignerSet::Policy(trust),
                })
            }
            Verification::Keys { secret } => {
                let keys = keys(secrets, namespace, secret).await;
                keys.and_then(|keys| keys.ok_or_else(|| missing_keys(namespace, secret, unsigned)))
            }
            Verification::Keyless { identities, root } => {
                if identities.is_empty() && settings.requires_identity() {
                    let why = format!(
                        "spec.verify.matchOIDCIdentity is required by the feature gate \
                         {REQUIRE_OIDC_IDENTITY}"
                    );
                    return Err(refused(verification, Retry::Stalled, why));
                }
                let (root, reach) = match root {
                    Some(secret) => (root_of(secrets, namespace, secret).await, Reach::Remote),
                    None => (settings.root().await, Reach::Any),
                };
                root.map(|root| keyless(identities, root, reach))
            }
        };
        read.map_err(|why| refused(verification, Retry::Backoff, why))
    }

    /// Verifies that one of the signers signed a digest.
    pub(crate) async fn verify(
        &self,
        client: &Client,
        remote: &Remote,
        digest: &Digest,
        revocation: &Revocation,
        now: Timestamp,
    ) -> Result<Verdict, SignatureError> {
        let budget = budget();
        let (verifier, reach) = match &self.accepted {
            SignerSet::Policy(trust) => {
                let verifying = trust.verify(client, revocation, remote, digest, now, &budget);
                return verifying.await.map_err(SignatureError::Policy);
            }
            SignerSet::Keys(keys) => (CosignVerifier::Keys(Arc::clone(keys)), Reach::Remote),
            SignerSet::Keyless {
                identities,
                root,
                reach,
            } => {
                let (identities, root) = (identities.clone(), Arc::clone(root));
                let verifier = blocking(move || verifier(&identities, &root)).await?;
                (CosignVerifier::Certificates(Arc::new(verifier)), *reach)
            }
        };
        let judge = BlockingJudge {
            verifier,
            budget: budget.clone(),
            log: TransparencyLog::new(revocation.clients(), remote, reach),
        };
        cosign::verify(client, remote, digest, &judge, &budget).await?;
        Ok(Verdict::Verified)
    }
}

fn budget() -> Budget {
    match Instant::now().checked_add(MAX_TIME) {
        Some(deadline) => Budget::until(MAX_STEPS, MAX_BYTES, deadline),
        None => Budget::new(MAX_STEPS, MAX_BYTES),
    }
}

/// The keys of a Secret, or `None` if it has no key.
async fn keys(secrets: &Secrets, namespace: &str, secret: &str) -> Result<Option<Signers>, String> {
    let secret = secrets.get(namespace, secret).await;
    let secret = secret.map_err(|error| error.server_message())?;
    blocking(move || parse_keys(&secret)).await
}

fn missing_keys(namespace: &str, secret: &str, unsigned: Option<&str>) -> String {
    let missing = format!(
        "no public keys found in secret '{namespace}/{secret}': no name ends with '{KEY_SUFFIX}'"
    );
    match unsigned {
        Some(reference) => {
            format!("no matching signatures were found for '{reference}': {missing}")
        }
        None => missing,
    }
}

fn parse_keys(secret: &SecretData) -> Result<Option<Signers>, String> {
    let mut keys = Vec::new();
    let mut texts = Vec::new();
    for name in secret.names().filter(|name| name.ends_with(KEY_SUFFIX)) {
        let text = secret.entry(name).unwrap_or_default();
        texts.extend_from_slice(text);
        texts.push(0);
        let key = PublicKey::from_pem(text);
        keys.push(
            key.map_err(|error| format!("secret '{}', key '{name}': {error}", secret.key()))?,
        );
    }
    if keys.is_empty() {
        return Ok(None);
    }
    Ok(Some(Signers {
        accepted: SignerSet::Keys(Arc::new(KeyVerifier::new(keys))),
        fingerprint: Digest::of(&texts),
    }))
}

async fn root_of(secrets: &Secrets, namespace: &str, name: &str) -> Result<Arc<[u8]>, String> {
    let failed = |why: String| {
        format!("failed to read trusted root from secret '{namespace}/{name}': {why}")
    };
    let secret = secrets.get(namespace, name).await;
    let secret = secret.map_err(|error| failed(error.server_message()))?;
    let missing = || {
        failed(format!(
            "'{ROOT_ENTRY}' not found in secret '{}'",
            secret.key()
        ))
    };
    Ok(secret.entry(ROOT_ENTRY).ok_or_else(missing)?.into())
}

fn keyless(identities: &[OidcIdentity], root: Arc<[u8]>, reach: Reach) -> Signers {
    let mut texts = Vec::new();
    for identity in identities {
        for text in [&identity.issuer, &identity.subject] {
            texts.extend_from_slice(text.as_bytes());
            texts.push(0);
        }
    }
    texts.extend_from_slice(&root);
    Signers {
        fingerprint: Digest::of(&texts),
        accepted: SignerSet::Keyless {
            identities: identities.to_vec(),
            root,
            reach,
        },
    }
}

fn verifier(identities: &[OidcIdentity], root: &[u8]) -> Result<Verifier, SignatureError> {
    let pairs = identities.iter();
    let pairs = pairs.map(|identity| (&*identity.issuer, &*identity.subject));
    let identities = Identities::compile(pairs)?;
    Ok(Verifier::new(TrustedRoot::parse(root)?, identities))
}

/// Verifies signatures of cosign, of one kind.
#[derive(Debug, Clone)]
enum CosignVerifier {
    Keys(Arc<KeyVerifier>),
    Certificates(Arc<Verifier>),
}

/// Judges signatures on blocking threads.
struct BlockingJudge<'a> {
    verifier: CosignVerifier,
    budget: Budget,
    log: TransparencyLog<'a>,
}

impl Judge for BlockingJudge<'_> {
    async fn judge(&self, attachment: Attachment, digest: &Digest) -> Result<(), Refusal> {
        match (&self.verifier, attachment) {
            (CosignVerifier::Certificates(verifier), Attachment::Tagged(tagged))
                if tagged.annotation(TaggedSignature::BUNDLE).is_empty() =>
            {
                self.judge_with_log(verifier, tagged, digest).await
            }
            (_, attachment) => self.judge_alone(attachment, digest).await,
        }
    }
}

impl BlockingJudge<'_> {
    /// Verifies a signature with a promise that the log is asked for.
    async fn judge_with_log(
        &self,
        verifier: &Verifier,
        tagged: TaggedSignature,
        digest: &Digest,
    ) -> Result<(), Refusal> {
        let (tagged, question) = blocking(move || {
            let question = legacy(&tagged).question();
            (tagged, question)
        })
        .await;
        let asking = self.log.ask(verifier.log_address(), question, &self.budget);
        let promises = asking.await.map_err(Refusal::Invalid)?;
        let mut judged = Err(Refusal::Invalid(NOT_LOGGED.to_owned()));
        for promise in promises {
            let mut tagged = tagged.clone();
            let name = TaggedSignature::BUNDLE.to_owned();
            tagged.annotations.insert(name, promise);
            judged = self.judge_alone(Attachment::Tagged(tagged), digest).await;
            if judged.is_ok() {
                break;
            }
        }
        judged
    }

    /// Verifies an attachment with all that it holds.
    async fn judge_alone(&self, attachment: Attachment, digest: &Digest) -> Result<(), Refusal> {
        let (verifier, budget) = (self.verifier.clone(), self.budget.clone());
        let digest = digest.clone();
        let judged = blocking(move || verifier.verify(&attachment, &digest, &budget)).await;
        judged.map_err(|refusal| match refusal {
            sigstore::Refusal::Unreadable(why) => Refusal::Unreadable(why),
            other => Refusal::Invalid(other.to_string()),
        })
    }
}

fn legacy(tagged: &TaggedSignature) -> LegacySignature<'_> {
    LegacySignature {
        payload: &tagged.payload,
        signature: tagged.annotation(TaggedSignature::SIGNATURE),
        certificate: tagged.annotation(TaggedSignature::CERTIFICATE),
        bundle: tagged.annotation(TaggedSignature::BUNDLE),
    }
}

impl CosignVerifier {
    fn verify(
        &self,
        attachment: &Attachment,
        digest: &Digest,
        budget: &Budget,
    ) -> Result<(), sigstore::Refusal> {
        match attachment {
            Attachment::Bundle(json) => match self {
                Self::Keys(keys) => keys.verify_bundle(json, digest, budget),
                Self::Certificates(verifier) => verifier.verify_bundle(json, digest, budget),
            },
            Attachment::Tagged(tagged) => {
                let signature = legacy(tagged);
                match self {
                    Self::Keys(keys) => keys.verify_legacy(signature, digest, budget),
                    Self::Certificates(verifier) => {
                        verifier.verify_legacy(signature, digest, budget)
                    }
                }
            }
        }
    }
}

#[cfg(test)]
mod tests;
