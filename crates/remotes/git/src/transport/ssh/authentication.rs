//! SSH user authentication with a private key or the keys of an agent.
//!
//! An agent signs without revealing keys. Its keys are offered in its own order, and a key with a
//! certificate is offered with the certificate first.

use std::sync::Arc;

use russh::AgentAuthError;
use russh::client::{AuthResult, Handle};
use russh::keys::agent::AgentIdentity;
use russh::keys::agent::client::AgentClient;
use russh::keys::{HashAlg, PrivateKey, PrivateKeyWithHashAlg};
use sluice_dial::SshIdentity;
use tokio::net::UnixStream;

use super::HostKeyVerifier;
use crate::error::{Error, Phase, Result};
use crate::private_key;
use crate::remote::SshAccess;
use crate::transport::Deadline;

/// Credentials that are ready to use. Unusable ones are detected before the connection.
pub(super) enum Authenticator {
    Key(Arc<PrivateKey>),
    Agent(AgentClient<UnixStream>),
}

impl Authenticator {
    pub(super) async fn new(identity: SshAccess<'_>, deadline: &Deadline) -> Result<Self> {
        match identity {
            SshAccess::Key(identity) => {
                let key = private_key(identity, &deadline.remote).await?;
                Ok(Self::Key(Arc::new(key)))
            }
            SshAccess::Agent(agent) => {
                let connection = AgentClient::connect_uds(&agent.socket);
                let connection = deadline.run(Phase::Authenticate, connection).await?;
                connection.map(Self::Agent).map_err(|error| {
                    let at = agent.socket.display();
                    invalid_credentials(
                        deadline,
                        format!("the SSH agent at '{at}' cannot be reached: {error}"),
                    )
                })
            }
        }
    }

    pub(super) async fn authenticate(
        self,
        handle: &mut Handle<HostKeyVerifier>,
        user: &str,
        deadline: &Deadline,
    ) -> Result<()> {
        // Without a list of supported hashes, use SHA-512. SHA-1 is never offered.
        let hash = handle
            .best_supported_rsa_hash()
            .await
            .map_err(|error| deadline.network(Phase::Authenticate, error.to_string()))?;
        let hash = Some(hash.flatten().unwrap_or(HashAlg::Sha512));
        match self {
            Self::Key(key) => {
                let key = PrivateKeyWithHashAlg::new(key, hash);
                let ended = handle.authenticate_publickey(user, key).await;
                let ended = ended
                    .map_err(|error| deadline.network(Phase::Authenticate, error.to_string()))?;
                if ended.success() {
                    return Ok(());
                }
                let reason = format!("the server does not accept the key for user '{user}'");
                Err(rejected(deadline, &reason))
            }
            Self::Agent(agent) => {
                authenticate_with_agent(handle, agent, user, hash, deadline).await
            }
        }
    }
}

async fn authenticate_with_agent(
    handle: &mut Handle<HostKeyVerifier>,
    mut agent: AgentClient<UnixStream>,
    user: &str,
    hash: Option<HashAlg>,
    deadline: &Deadline,
) -> Result<()> {
    if let Some(binding) = handle.agent_session_binding() {
        // Some keys are restricted to hosts. An agent without this feature has no such keys.
        agent.bind_session(binding, false).await.ok();
    }
    let keys = agent.request_identities().await.map_err(|error| {
        invalid_credentials(
            deadline,
            format!("the SSH agent does not list its keys: {error}"),
        )
    })?;
    if keys.is_empty() {
        let reason = "the SSH agent has no keys, or is locked".to_owned();
        return Err(invalid_credentials(deadline, reason));
    }
    let mut offered: Vec<String> = Vec::new();
    let mut unsigned = None;
    for key in &keys {
        let public = key.public_key();
        let fingerprint = public.fingerprint(HashAlg::Sha256);
        offered.push(format!("{} {fingerprint}", public.algorithm()));
        match offer_key(handle, &mut agent, key, user, hash).await {
            Ok(AuthResult::Success) => return Ok(()),
            Ok(AuthResult::Failure { .. }) => {}
            Err(AgentAuthError::Key(error)) => unsigned = Some(error),
            Err(AgentAuthError::Send(_)) => break,
        }
        if handle.is_closed() {
            break;
        }
    }
    let (all, some) = (keys.len(), offered.len());
    let list = offered.join(", ");
    let reason = match unsigned {
        _ if handle.is_closed() => format!(
            "the server hung up after {some} of the {all} keys of the SSH agent for user '{user}': {list}"
        ),
        Some(error) => {
            format!("the SSH agent did not sign for user '{user}' ({error}); its keys are: {list}")
        }
        None => format!("the server accepts no key of the SSH agent for user '{user}': {list}"),
    };
    Err(rejected(deadline, &reason))
}

async fn offer_key(
    handle: &mut Handle<HostKeyVerifier>,
    agent: &mut AgentClient<UnixStream>,
    key: &AgentIdentity,
    user: &str,
    hash: Option<HashAlg>,
) -> Result<AuthResult, AgentAuthError> {
    match key {
        AgentIdentity::PublicKey { key, .. } => {
            handle
                .authenticate_publickey_with(user, key.clone(), hash, agent)
                .await
        }
        AgentIdentity::Certificate { certificate, .. } => {
            handle
                .authenticate_certificate_with(user, certificate.clone(), hash, agent)
                .await
        }
    }
}

fn invalid_credentials(deadline: &Deadline, reason: String) -> Error {
    Error::InvalidCredentials {
        remote: deadline.remote.clone(),
        reason,
    }
}

/// The server accepts no key. The first words are those of Go, on which people alert.
fn rejected(deadline: &Deadline, reason: &str) -> Error {
    Error::Authentication {
        remote: deadline.remote.clone(),
        reason: format!(
            "ssh: unable to authenticate, attempted methods [none publickey], no supported \
             methods remain: {reason}"
        ),
    }
}

/// Reads the private key. Decryption is slow by design, so it runs on the blocking pool.
async fn private_key(identity: &SshIdentity, remote: &str) -> Result<PrivateKey> {
    use russh::keys::Error as Keys;
    let identity = identity.clone();
    let decode = move || {
        let passphrase = identity
            .passphrase
            .as_ref()
            .map(|passphrase| passphrase.expose().as_str());
        let decoded = private_key::read(identity.private_key.expose(), passphrase);
        // An unnecessary passphrase is not an error.
        match (decoded, passphrase) {
            (Err(error), Some(_)) => {
                private_key::read(identity.private_key.expose(), None).map_err(|_| (error, true))
            }
            (decoded, given) => decoded.map_err(|error| (error, given.is_some())),
        }
    };
    let decoded = match tokio::task::spawn_blocking(decode).await {
        Ok(decoded) => decoded,
        Err(error) => std::panic::resume_unwind(error.into_panic()),
    };
    decoded.map_err(|(error, with_passphrase)| Error::InvalidCredentials {
        remote: remote.to_owned(),
        // The library's message is omitted, because it may quote the key.
        reason: match (error, with_passphrase) {
            (Keys::KeyIsEncrypted, _) => {
                "the private key is encrypted and no passphrase was given ('password')".to_owned()
            }
            (Keys::CouldNotReadKey, _) => {
                "the private key ('identity') is in no form that can be read".to_owned()
            }
            (_, true) => "the private key cannot be decrypted: wrong passphrase ('password'), or \
                          damaged"
                .to_owned(),
            (_, false) => {
                "the private key ('identity') cannot be read: damaged, encrypted without a \
                 passphrase ('password'), or of an unknown type"
                    .to_owned()
            }
        },
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn unreadable_key_error_does_not_quote_key() {
        let identity = |private_key: &str, passphrase: Option<&str>| SshIdentity {
            private_key: private_key.into(),
            passphrase: passphrase.map(Into::into),
            known_hosts: String::new(),
        };
        let begin = "-----BEGIN OPENSSH PRIVATE KEY-----";
        let cases = [
            (identity("hunter2", None), "in no form that can be read"),
            (
                identity(&format!("{begin}\nhunter2\n"), None),
                "cannot be read",
            ),
            (
                identity(&format!("{begin}\nhunter2\n"), Some("x")),
                "wrong passphrase",
            ),
        ];
        for (identity, reason) in cases {
            let error = private_key(&identity, "ssh://h/r")
                .await
                .unwrap_err()
                .to_string();
            assert!(
                error.contains(reason) && !error.contains("hunter2"),
                "{error}"
            );
        }
    }
}
