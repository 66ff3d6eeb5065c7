//! Signatures of the Notary Project, which `notation` makes.
//!
//! A [`Verifier`] holds the trust of an object: a policy and a pool of certificates. A caller finds
//! the [`Requirement`] for a repository, and passes the attached signatures one by one. The checks
//! are those of Notation, in its order and words: integrity, authenticity, expiry, time stamp,
//! revocation. The level of the policy decides which failed check refuses the signature.
//!
//! Parity: notation-go v1.3: verifier; source-controller v1.9: internal/oci/notation.

mod certificate;
mod chain;
mod envelope;
mod revocation;
mod stamp;

use std::sync::Arc;

use jiff::Timestamp;
use sluice_golang::quote::quote;
use sluice_system::blocking;
use sluice_system::budget::Budget;
use sluice_trust_policy::{
    self as policy, Action, Check, InvalidTrustPolicy, Level, Statement, StoreKind, TrustPolicy,
};

pub use certificate::{Certificate, InvalidCertificate};
pub use envelope::Target;
use envelope::{Envelope, Scheme};
use revocation::Session;
pub use revocation::{Fetch, Request, StateCache};

const TUTORIAL: &str = "https://notaryproject.dev/docs/quickstart/#create-a-trust-policy";

/// The trust of an object.
#[derive(Debug)]
pub struct Verifier {
    policy: TrustPolicy,
    /// The certificates of every store, or why they cannot be read.
    pool: Result<Vec<Certificate>, String>,
}

/// The requirement of the policy for the artifacts of a repository.
#[derive(Debug, Clone)]
pub enum Requirement {
    /// Nothing is verified.
    Skip,
    /// A signature that passes the checks of a statement.
    Signature(Box<SignatureRequirement>),
}

/// A statement of a verifier, with its level.
#[derive(Debug, Clone)]
pub struct SignatureRequirement {
    verifier: Arc<Verifier>,
    statement: Statement,
    level: Level,
}

/// A signature that is attached to an artifact.
#[derive(Debug, Clone)]
pub struct Attachment {
    /// The media type of the envelope.
    pub media_type: String,
    /// The envelope.
    pub bytes: Vec<u8>,
}

/// An accepted signature.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Acceptance {
    /// Whether the signer is trusted. Otherwise the level of the policy accepts it all the same.
    pub is_verified: bool,
    /// The failed checks that the level only reports.
    pub warnings: Vec<Warning>,
}

/// A failed check that is only reported.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Warning {
    /// The check.
    pub check: Check,
    /// Why it failed.
    pub reason: String,
}

impl Verifier {
    /// Makes a verifier of a valid policy. Unreadable certificates fail the check of authenticity.
    pub fn new(
        policy: TrustPolicy,
        pool: Result<Vec<Certificate>, String>,
    ) -> Result<Self, InvalidTrustPolicy> {
        policy.check()?;
        Ok(Self { policy, pool })
    }

    /// Finds the statement for an artifact of a repository. The error is the message.
    pub fn requirement(
        self: &Arc<Self>,
        repository: &str,
        digest: &str,
    ) -> Result<Requirement, String> {
        policy::check_scope(repository)?;
        let statement = self.policy.statement(repository).ok_or_else(|| {
            format!(
                "artifact {} has no applicable trust policy statement. Trust policy \
                 applicability for a given artifact is determined by registryScopes. To create a \
                 trust policy, see: {TUTORIAL}",
                quote(&format!("{repository}@{digest}"))
            )
        })?;
        Ok(match statement.level() {
            None => Requirement::Skip,
            Some(level) => Requirement::Signature(Box::new(SignatureRequirement {
                verifier: Arc::clone(self),
                statement: statement.clone(),
                level,
            })),
        })
    }
}

impl SignatureRequirement {
    /// Verifies one signature of an artifact. The error is the reason why it is refused.
    ///
    /// All computations run on blocking threads, under a budget for all signatures of the artifact.
    /// `fetch` is only asked about trusted chains, and not about states in the cache.
    pub async fn verify<F: Fetch>(
        &self,
        target: &Target,
        attachment: Attachment,
        now: Timestamp,
        fetch: &F,
        cache: &StateCache,
        budget: &Budget,
    ) -> Result<Acceptance, String> {
        let (requirement, target, shared) = (self.clone(), target.clone(), budget.clone());
        let examining = blocking(move || requirement.examine(&target, &attachment, now, &shared));
        let mut examined = examining.await?;
        let session = Session::new(fetch, cache, now, budget);
        if let Some(chain) = examined.stamp_chain.take() {
            let checked = session.check(&chain, None, "timestamping").await;
            examined.findings.add(Check::AuthenticTimestamp, checked)?;
        }
        if self.level.action(Check::Revocation) != Action::Skip {
            let checked = self.check_revocation(&examined, &session).await;
            examined.findings.add(Check::Revocation, checked)?;
        }
        Ok(Acceptance {
            is_verified: examined.is_authentic,
            warnings: examined.findings.warnings,
        })
    }

    async fn check_revocation<F: Fetch>(
        &self,
        examined: &Examination,
        session: &Session<'_, F>,
    ) -> Result<(), String> {
        let mut chain = examined.chain.iter();
        let has_addresses =
            chain.any(|found| !found.ocsp_servers().is_empty() || !found.list_points().is_empty());
        if !examined.is_authentic && has_addresses {
            let why = "unable to check revocation status, the certificate chain is not trusted";
            return Err(why.to_owned());
        }
        let time = examined.authentic_time;
        // The sender chooses what is above the trusted certificates, with the addresses in it.
        let chain = examined.chain[..examined.anchored].into();
        session.check(&chain, time, "signing").await
    }

    /// The checks that need no answers of servers.
    fn examine(
        &self,
        target: &Target,
        attachment: &Attachment,
        now: Timestamp,
        budget: &Budget,
    ) -> Result<Examination, String> {
        let envelope = Envelope::open(&attachment.media_type, &attachment.bytes, budget)?;
        if envelope.target != *target {
            return Err("content descriptor mismatch".to_owned());
        }
        let mut findings = Findings {
            level: self.level,
            warnings: Vec::new(),
        };
        let authentic = self.check_authenticity(&envelope);
        let is_authentic = authentic.is_ok();
        findings.add(Check::Authenticity, authentic)?;
        findings.add(Check::Expiry, check_expiry(&envelope, now))?;
        let stamped = self.check_time(&envelope, now);
        let stamp_chain = stamped.as_ref().ok().cloned().flatten();
        findings.add(Check::AuthenticTimestamp, stamped.map(drop))?;
        let authentic_time =
            (envelope.scheme == Scheme::SigningAuthority).then_some(envelope.signing_time);
        Ok(Examination {
            findings,
            is_authentic,
            authentic_time,
            anchored: self.anchored(&envelope),
            chain: envelope.chain.into(),
            stamp_chain,
        })
    }

    /// A certificate of the chain is in the pool, and the leaf has a trusted name.
    fn check_authenticity(&self, envelope: &Envelope) -> Result<(), String> {
        let pool = self.pool(store_of(envelope))?;
        if pool.is_empty() {
            let why = "no trusted certificates are found to verify authenticity";
            return Err(why.to_owned());
        }
        if !envelope.chain.iter().any(|found| pool.contains(found)) {
            let why = "the signature's certificate chain does not contain any trusted certificate";
            return Err(why.to_owned());
        }
        self.statement.check_identity(envelope.chain[0].subject())
    }

    /// Number of certificates up to the issuer of the highest trusted one.
    fn anchored(&self, envelope: &Envelope) -> usize {
        let pool = self.pool(store_of(envelope)).unwrap_or_default();
        let trusted = envelope
            .chain
            .iter()
            .rposition(|found| pool.contains(found));
        trusted.map_or(0, |index| envelope.chain.len().min(index + 2))
    }

    /// The certificates of the stores of a kind that the statement names.
    fn pool(&self, kind: StoreKind) -> Result<&[Certificate], String> {
        if !self.statement.has_store(kind) {
            return Ok(&[]);
        }
        match &self.verifier.pool {
            Ok(pool) => Ok(pool),
            Err(why) => Err(why.clone()),
        }
    }

    /// Checks the life of the chain, by a time stamp if the policy wants one. Returns the chain of
    /// the stamp, whose revocation is still to be checked.
    fn check_time(
        &self,
        envelope: &Envelope,
        now: Timestamp,
    ) -> Result<Option<Arc<[Certificate]>>, String> {
        if envelope.scheme == Scheme::SigningAuthority {
            return check_signing_time(envelope).map(|()| None);
        }
        let is_expired = envelope.chain.iter().any(|found| now > found.not_after());
        let wants_stamp = self.statement.has_store(StoreKind::TimeStamping)
            && (is_expired || !self.statement.stamps_after_expiry());
        if !wants_stamp {
            return check_lives(&envelope.chain, now).map(|()| None);
        }
        let token = envelope.stamp.as_deref();
        let token =
            token.ok_or("no timestamp countersignature was found in the signature envelope")?;
        let pool = self
            .pool(StoreKind::TimeStamping)
            .map_err(|why| format!("failed to load tsa trust store with error: {why}"))?;
        if pool.is_empty() {
            return Err("no trusted TSA certificate found in trust store".to_owned());
        }
        let stamp = stamp::verify(token, &envelope.signature, pool)?;
        stamp.check_lives(&envelope.chain)?;
        Ok(Some(stamp.chain.into()))
    }
}

/// The kind of the store that must have a certificate of the chain.
const fn store_of(envelope: &Envelope) -> StoreKind {
    match envelope.scheme {
        Scheme::X509 => StoreKind::Authority,
        Scheme::SigningAuthority => StoreKind::SigningAuthority,
    }
}

/// A signature after the checks that need no answers of servers.
struct Examination {
    findings: Findings,
    is_authentic: bool,
    /// The time that a signing authority states.
    authentic_time: Option<Timestamp>,
    chain: Arc<[Certificate]>,
    /// The certificates up to the issuer of the highest trusted one.
    anchored: usize,
    stamp_chain: Option<Arc<[Certificate]>>,
}

/// The failed checks that the level reports.
struct Findings {
    level: Level,
    warnings: Vec<Warning>,
}

impl Findings {
    /// Adds the result of a check. An enforced one that failed is an error.
    fn add(&mut self, check: Check, result: Result<(), String>) -> Result<(), String> {
        let Err(reason) = result else {
            return Ok(());
        };
        match self.level.action(check) {
            Action::Enforce => return Err(reason),
            Action::Log => self.warnings.push(Warning { check, reason }),
            Action::Skip => {}
        }
        Ok(())
    }
}

fn check_expiry(envelope: &Envelope, now: Timestamp) -> Result<(), String> {
    match envelope.expiry {
        Some(expiry) if now >= expiry => Err(format!(
            "digital signature has expired on {}",
            quoted_time(expiry)
        )),
        _ => Ok(()),
    }
}

fn check_signing_time(envelope: &Envelope) -> Result<(), String> {
    let time = envelope.signing_time;
    for certificate in &envelope.chain {
        if time < certificate.not_before() || time > certificate.not_after() {
            return Err(format!(
                "certificate {} was not valid when the digital signature was produced at {}",
                quote(certificate.subject()),
                quoted_time(time)
            ));
        }
    }
    Ok(())
}

fn check_lives(chain: &[Certificate], now: Timestamp) -> Result<(), String> {
    for certificate in chain {
        let subject = quote(certificate.subject());
        if now < certificate.not_before() {
            return Err(format!(
                "verification time is before certificate {subject} validity period, it will be \
                 valid from {}",
                quoted_time(certificate.not_before())
            ));
        }
        if now > certificate.not_after() {
            return Err(format!(
                "verification time is after certificate {subject} validity period, it was expired \
                 at {}",
                quoted_time(certificate.not_after())
            ));
        }
    }
    Ok(())
}

/// A time in the form of RFC 1123, as Notation prints it.
fn quoted_time(time: Timestamp) -> String {
    format!("\"{}\"", time.strftime("%a, %d %b %Y %H:%M:%S +0000"))
}

#[cfg(test)]
mod tests;
