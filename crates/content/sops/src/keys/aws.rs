//! Keys of AWS KMS.

use std::collections::HashMap;
use std::fmt;
use std::sync::{Arc, Mutex, PoisonError};

use async_trait::async_trait;
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use sluice_dial::Sensitive;
use sluice_golang::error::chain;
use sluice_identity::aws::{AwsCredentials, KmsKey};
use sluice_identity::{IdentityError, KeyCall, KeyServices};

use crate::data_key::DataKey;
use crate::keys::{KeyError, KeyService};
use crate::metadata::MasterKey;
use crate::recipient::Recipient;

/// Maximum length of a session name.
const MAX_SESSION: usize = 64;

/// Provides credentials for a region.
#[async_trait]
pub trait CredentialSource: Send + Sync {
    /// Returns credentials for the region of a key.
    async fn credentials(&self, region: &str) -> Result<AwsCredentials, IdentityError>;
}

/// The same credentials for every region.
#[derive(Debug, Clone)]
pub struct StaticCredentials(pub AwsCredentials);

#[async_trait]
impl CredentialSource for StaticCredentials {
    async fn credentials(&self, _: &str) -> Result<AwsCredentials, IdentityError> {
        let Self(keys) = self;
        if keys.access_key.is_empty() || keys.secret_key.expose().is_empty() {
            return Err(IdentityError::Unusable(
                "static credentials are empty".to_owned(),
            ));
        }
        Ok(keys.clone())
    }
}

/// The key service for AWS KMS. Keeps the credentials of assumed roles, so it must serve one
/// object.
pub struct Kms {
    services: KeyServices,
    source: Arc<dyn CredentialSource>,
    session: String,
    /// Credentials by region and role.
    roles: Mutex<HashMap<(String, String), AwsCredentials>>,
}

impl fmt::Debug for Kms {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Kms")
            .field("session", &self.session)
            .finish_non_exhaustive()
    }
}

impl Kms {
    /// Creates the service. The host names the sessions of assumed roles.
    pub fn new(services: KeyServices, source: Arc<dyn CredentialSource>, host: &str) -> Self {
        Self {
            services,
            source,
            session: session_name(host),
            roles: Mutex::default(),
        }
    }

    async fn call(
        &self,
        recipient: &Recipient,
        call: KeyCall<'_>,
    ) -> Result<Sensitive<Vec<u8>>, KeyError> {
        let Recipient::AwsKms {
            arn, role, context, ..
        } = recipient
        else {
            return Err(KeyError::new("it is not a key of AWS KMS"));
        };
        let key = KmsKey::parse(arn).map_err(|error| KeyError::new(chain(&error)))?;
        let attempt = match call {
            KeyCall::Decrypt(_) => "failed to decrypt sops data key with AWS KMS",
            KeyCall::Encrypt(_) => "failed to encrypt sops data key with AWS KMS",
        };
        let failed = |error: &IdentityError| KeyError::new(format!("{attempt}: {}", chain(error)));
        let own = self.source.credentials(key.region()).await;
        let own = own.map_err(|error| failed(&error))?;
        let credentials = if role.is_empty() {
            own
        } else {
            self.assumed(&own, key.region(), role).await?
        };
        let answer = self.services.aws(&key, &credentials, context, call).await;
        answer.map_err(|error| failed(&error))
    }

    /// Returns the credentials of a role. Each document of a run names the same role.
    async fn assumed(
        &self,
        own: &AwsCredentials,
        region: &str,
        role: &str,
    ) -> Result<AwsCredentials, KeyError> {
        let roles = || self.roles.lock().unwrap_or_else(PoisonError::into_inner);
        let key = (region.to_owned(), role.to_owned());
        let known = roles().get(&key).cloned();
        if let Some(known) = known {
            return Ok(known);
        }
        let assumed = self.services.assume(own, region, role, &self.session).await;
        let assumed = assumed.map_err(|error| {
            let role = role.escape_debug();
            KeyError::new(format!("failed to assume role '{role}': {}", chain(&error)))
        })?;
        roles().insert(key, assumed.clone());
        Ok(assumed)
    }
}

#[async_trait]
impl KeyService for Kms {
    async fn unwrap(&self, key: &MasterKey) -> Result<DataKey, KeyError> {
        let wrapped = STANDARD.decode(&key.wrapped).map_err(|error| {
            KeyError::new(format!("error base64-decoding encrypted data key: {error}"))
        })?;
        let call = KeyCall::Decrypt(&wrapped);
        let plain = self.call(&key.recipient, call).await?;
        Ok(DataKey::new(plain.expose().clone()))
    }

    async fn wrap(&self, recipient: &Recipient, part: &DataKey) -> Result<String, KeyError> {
        let call = KeyCall::Encrypt(part.expose());
        let wrapped = self.call(recipient, call).await?;
        Ok(STANDARD.encode(wrapped.expose()))
    }
}

/// Returns the session name of a host, without the characters that AWS rejects.
fn session_name(host: &str) -> String {
    let is_valid = |c: &char| c.is_ascii_alphanumeric() || "=,.@_-".contains(*c);
    let name = format!("sops@{host}");
    name.chars().filter(is_valid).take(MAX_SESSION).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn session_name_has_valid_characters_only() {
        assert_eq!(session_name("pod-1.ns"), "sops@pod-1.ns");
        assert_eq!(session_name("p\u{f6}d/1 [x]"), "sops@pd1x");
        assert_eq!(session_name(&"a".repeat(100)).len(), MAX_SESSION);
    }
}
