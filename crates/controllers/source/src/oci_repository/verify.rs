//! Verifies the cosign signatures of a digest with the keys of a Secret.

use sluice_api::meta::reason;
use sluice_api::source::condition::SOURCE_VERIFIED;
use sluice_engine::{Failure, Retry};
use sluice_host::Secrets;
use sluice_oci::cosign::{self, PublicKey};
use sluice_oci::{Client, Digest, Remote};

use super::deadline::Deadline;
use crate::fault::{FailureCondition, Fault};

const SUFFIX: &str = ".pub";

/// The accepted keys.
#[derive(Debug)]
pub(crate) struct Keys {
    pub(crate) keys: Vec<PublicKey>,
    /// Digest over all keys: other keys require another verification.
    pub(super) fingerprint: Digest,
}

fn refused(why: impl std::fmt::Display) -> Fault {
    let message = format!("failed to verify the signature using provider 'cosign': {why}");
    Fault {
        condition: FailureCondition::False(SOURCE_VERIFIED),
        failure: Failure::message(reason::VERIFICATION_ERROR, Retry::Backoff, message),
    }
}

/// Reads the keys of a Secret.
pub(crate) async fn keys(secrets: &Secrets, namespace: &str, secret: &str) -> Result<Keys, Fault> {
    let secret = secrets
        .get(namespace, secret)
        .await
        .map_err(|error| refused(error.server_message()))?;
    let mut keys = Vec::new();
    let mut texts = Vec::new();
    for name in secret.names().filter(|name| name.ends_with(SUFFIX)) {
        let text = secret.entry(name).unwrap_or_default();
        texts.extend_from_slice(text);
        texts.push(0);
        let key = PublicKey::from_pem(text).map_err(|error| {
            refused(format!("secret '{}', key '{name}': {error}", secret.key()))
        })?;
        keys.push(key);
    }
    if keys.is_empty() {
        return Err(refused(format!(
            "secret '{}' has no key that ends with '{SUFFIX}'",
            secret.key()
        )));
    }
    Ok(Keys {
        keys,
        fingerprint: Digest::of(&texts),
    })
}

/// Verifies that one of the keys signed a digest.
pub(super) async fn verify(
    client: &Client,
    remote: &Remote,
    digest: &Digest,
    keys: &Keys,
    deadline: &Deadline,
) -> Result<(), Fault> {
    deadline
        .within(cosign::verify(client, remote, digest, &keys.keys))
        .await
        .map_err(refused)
}
