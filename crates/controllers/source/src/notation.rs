//! Verifies signatures of the Notary Project, for each kind that has them.
//!
//! The trust is in a Secret: a policy, and the certificates of all its stores. Messages are those
//! of Flux. Parity: source-controller v1.9: internal/oci/notation.

use std::sync::Arc;

use jiff::Timestamp;
use sluice_attest::notary::{
    Acceptance, Attachment, Certificate, Fetch, Request, Requirement, SignatureRequirement,
    StateCache, Target, Verifier,
};
use sluice_dial::{Dial, HttpClients, Method, Proxy, Reach, Redirects, StatusCode, printable};
use sluice_golang::error::chain;
use sluice_golang::quote::quote;
use sluice_host::Secrets;
use sluice_host::secrets::SecretData;
use sluice_oci::{Client, Descriptor, Digest, Remote, Version, notation};
use sluice_system::blocking;
use sluice_system::budget::{Budget, BudgetExceeded};
use sluice_trust_policy::TrustPolicy;

use crate::named_server;

const POLICY: &str = "trustpolicy.json";
const SUFFIXES: [&str; 2] = [".crt", ".pem"];
/// Maximum number of signatures of an artifact that are verified, as in Flux.
const MAX_SIGNATURES: usize = 3;

/// Access to the servers that know about revocation.
#[derive(Debug)]
pub(crate) struct Revocation {
    clients: Arc<HttpClients>,
    cache: StateCache,
}

/// The trust of a Secret.
#[derive(Debug, Clone)]
pub(crate) struct Trust {
    verifier: Arc<Verifier>,
    /// Digest over the policy and all certificates.
    pub(crate) fingerprint: Digest,
}

/// The result of a successful verification.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Verdict {
    /// A trusted key signed the digest.
    Verified,
    /// The policy accepts the digest without a trusted signature.
    Ignored,
}

impl Revocation {
    pub(crate) fn new(clients: Arc<HttpClients>) -> Self {
        Self {
            clients,
            cache: StateCache::default(),
        }
    }

    /// The clients that all verification shares.
    pub(crate) fn clients(&self) -> &HttpClients {
        &self.clients
    }
}

impl Trust {
    /// Reads the trust of a Secret. `what` names the artifact. The error is the message.
    pub(crate) async fn read(
        secrets: &Secrets,
        namespace: &str,
        secret: Option<&str>,
        what: &str,
    ) -> Result<Self, String> {
        let Some(name) = secret else {
            return Err(format!("verification secret cannot be empty: '{what}'"));
        };
        let secret = secrets.get(namespace, name).await;
        let secret = secret.map_err(|error| chain(&error))?;
        blocking(move || Self::parse(&secret)).await
    }

    fn parse(secret: &SecretData) -> Result<Self, String> {
        let key = secret.key();
        let text = secret.entry(POLICY);
        let text = text.ok_or_else(|| format!("'{POLICY}' not found in secret '{key}'"))?;
        let policy = serde_json::from_slice::<TrustPolicy>(text);
        let mut policy =
            policy.map_err(|error| format!("error occurred while parsing {POLICY}: {error}"))?;
        let mut texts = text.to_vec();
        let mut pool = Ok(Vec::new());
        let mut names = secret
            .names()
            .filter(|name| is_certificate(name))
            .peekable();
        if names.peek().is_none() {
            return Err(format!("no certificates found in secret '{key}'"));
        }
        for name in names {
            let text = secret.entry(name).unwrap_or_default();
            texts.push(0);
            texts.extend_from_slice(text);
            let read = Certificate::read_all(text)
                .map_err(|error| format!("failed to parse certificate '{name}': {error}"));
            pool = pool.and_then(|mut pool: Vec<Certificate>| {
                pool.extend(read?);
                Ok(pool)
            });
        }
        for name in policy.drop_unused_trust() {
            tracing::info!(
                "warning: trust policy statement '{name}' is set to skip signature verification \
                 but configured with trust stores and/or trusted identities. Ignoring trust stores \
                 and trusted identities"
            );
        }
        let verifier = Verifier::new(policy, pool).map_err(|error| error.to_string())?;
        Ok(Self {
            verifier: Arc::new(verifier),
            fingerprint: Digest::of(&texts),
        })
    }

    /// Verifies that a signature of a digest passes the policy. The error is the message.
    pub(crate) async fn verify(
        &self,
        registry: &Client,
        revocation: &Revocation,
        remote: &Remote,
        digest: &Digest,
        now: Timestamp,
        budget: &Budget,
    ) -> Result<Verdict, String> {
        let repository = remote.repository.to_string();
        let requirement = self
            .verifier
            .requirement(&repository, &digest.to_string())?;
        let requirement = match requirement {
            Requirement::Skip => return Ok(Verdict::Ignored),
            Requirement::Signature(requirement) => requirement,
        };
        let reference = remote.repository.digest(digest.clone()).to_string();
        let version = Version::Digest(digest.clone());
        let manifest = registry.document(remote, &version).await;
        let manifest = manifest.map_err(|error| error.to_string())?;
        let artifact = SignedArtifact {
            requirement,
            target: Target {
                media_type: manifest.document.media_type().to_owned(),
                digest: digest.to_string(),
                size: u64::try_from(manifest.bytes.len()).unwrap_or(u64::MAX),
            },
            reference,
            now,
            budget,
            cache: &revocation.cache,
            responders: Responders::new(&revocation.clients, remote.dial.proxy.clone()),
        };
        let verifying = artifact.verify(registry, remote, digest);
        budget.bound(verifying).await.map_err(too_long)?
    }
}

fn too_long(error: BudgetExceeded) -> String {
    format!("the signatures take too long to verify: {error}")
}

fn is_certificate(name: &str) -> bool {
    SUFFIXES.iter().any(|suffix| name.ends_with(suffix))
}

/// An artifact that needs a signature.
struct SignedArtifact<'a> {
    requirement: Box<SignatureRequirement>,
    target: Target,
    reference: String,
    now: Timestamp,
    budget: &'a Budget,
    cache: &'a StateCache,
    responders: Responders<'a>,
}

impl SignedArtifact<'_> {
    async fn verify(
        &self,
        registry: &Client,
        remote: &Remote,
        digest: &Digest,
    ) -> Result<Verdict, String> {
        let attached = notation::signatures(registry, remote, digest).await;
        let attached = attached.map_err(|error| error.to_string())?;
        if attached.is_empty() {
            return Err(format!(
                "no signature is associated with {}, make sure the artifact was signed \
                 successfully",
                quote(&self.reference)
            ));
        }
        let mut refusals = Vec::new();
        for signature in attached.iter().take(MAX_SIGNATURES) {
            match self.check(registry, remote, signature).await? {
                Ok(acceptance) => return Ok(self.report(acceptance)),
                Err(why) => refusals.push(format!(
                    "failed to verify signature with digest {}, {}",
                    signature.digest,
                    printable(&why)
                )),
            }
        }
        let summary = if attached.len() < MAX_SIGNATURES {
            "signature verification failed".to_owned()
        } else {
            format!(
                "signature evaluation stopped. The configured limit of {MAX_SIGNATURES} signatures \
                 to verify per artifact exceeded"
            )
        };
        Err(format!("{summary}\n{}", refusals.join("\n")))
    }

    /// Fetches and verifies one signature. The outer error ends the verification.
    async fn check(
        &self,
        registry: &Client,
        remote: &Remote,
        signature: &Descriptor,
    ) -> Result<Result<Acceptance, String>, String> {
        let envelope = notation::envelope(registry, remote, signature).await;
        let envelope = match envelope.map_err(|error| error.to_string())? {
            Ok(envelope) => envelope,
            Err(why) => return Ok(Err(why)),
        };
        let attachment = Attachment {
            media_type: envelope.media_type,
            bytes: envelope.bytes.into(),
        };
        let verifying = self.requirement.verify(
            &self.target,
            attachment,
            self.now,
            &self.responders,
            self.cache,
            self.budget,
        );
        let verified = Box::pin(verifying).await;
        if verified.is_err() {
            self.budget.check().map_err(too_long)?;
        }
        Ok(verified)
    }

    /// Logs the failed checks that the level of the policy only reports.
    fn report(&self, acceptance: Acceptance) -> Verdict {
        for warning in acceptance.warnings {
            tracing::info!(
                "verification check for type '{}' failed for '{}' with message: '{}'",
                warning.check,
                self.reference,
                printable(&warning.reason)
            );
        }
        if acceptance.is_verified {
            Verdict::Verified
        } else {
            Verdict::Ignored
        }
    }
}

/// The servers that know about revocation. Certificates name their addresses. So redirects are
/// refused, and addresses of this machine, its link and its cloud, also behind a name.
struct Responders<'a> {
    clients: &'a HttpClients,
    dial: Dial,
}

impl<'a> Responders<'a> {
    fn new(clients: &'a HttpClients, proxy: Option<Proxy>) -> Self {
        Self {
            clients,
            dial: Dial {
                proxy,
                redirects: Redirects::Refuse,
                reach: Reach::Remote,
                ..Dial::default()
            },
        }
    }
}

impl Fetch for Responders<'_> {
    async fn fetch(&self, request: Request) -> Result<Vec<u8>, String> {
        let limit = usize::try_from(request.limit).unwrap_or(usize::MAX);
        let (url, timeout) = (request.url, request.timeout);
        let call = |client: &sluice_dial::Client, url| match request.body {
            None => client.request(Method::GET, url),
            Some(body) => client
                .request(Method::POST, url)
                .header(http::header::CONTENT_TYPE, "application/ocsp-request")
                .body(body),
        };
        let asking = named_server::ask(self.clients, &self.dial, &url, call, limit, timeout);
        match asking.await? {
            (StatusCode::OK, body) => Ok(body.into()),
            (status, _) => Err(format!("response had status code {}", status.as_u16())),
        }
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use tokio::net::TcpListener;

    use super::*;

    #[tokio::test]
    async fn certificate_cannot_name_local_address() {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let port = listener.local_addr().unwrap().port();
        let clients = HttpClients::new("t");
        let responders = Responders::new(&clients, None);
        for host in [
            "127.0.0.1",
            "localhost",
            "0.0.0.0",
            "[::1]",
            "[::ffff:127.0.0.1]",
            "169.254.169.254",
        ] {
            let request = Request {
                url: format!("http://{host}:{port}/"),
                body: None,
                timeout: Duration::from_secs(2),
                limit: 1,
            };
            let why = responders.fetch(request).await.unwrap_err();
            assert!(why.contains("local to the machine"), "{host}: {why}");
        }
        let accepted = tokio::time::timeout(Duration::from_millis(50), listener.accept()).await;
        assert!(accepted.is_err());
    }
}
