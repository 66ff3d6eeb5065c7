//! Keys in Azure Key Vaults.

use std::collections::HashMap;
use std::fmt;
use std::sync::{Arc, Mutex, PoisonError};

use async_trait::async_trait;
use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use sluice_dial::Sensitive;
use sluice_golang::error::chain;
use sluice_identity::azure::SecretCredentials;
use sluice_identity::{IdentityError, KeyCall, KeyServices};

use crate::data_key::DataKey;
use crate::keys::{KeyError, KeyService};
use crate::metadata::MasterKey;
use crate::recipient::Recipient;

/// Provides tokens for scopes.
#[async_trait]
pub trait ScopeTokenSource: Send + Sync {
    /// Returns a token for a scope.
    async fn token(&self, scope: &str) -> Result<Sensitive<String>, IdentityError>;
}

/// Tokens of credentials in a Secret. Each is requested once for each object.
#[derive(Debug)]
pub struct SecretTokens {
    services: KeyServices,
    credentials: SecretCredentials,
    tokens: Mutex<HashMap<String, Sensitive<String>>>,
}

impl SecretTokens {
    /// Creates the source.
    pub fn new(services: KeyServices, credentials: SecretCredentials) -> Self {
        Self {
            services,
            credentials,
            tokens: Mutex::default(),
        }
    }
}

#[async_trait]
impl ScopeTokenSource for SecretTokens {
    async fn token(&self, scope: &str) -> Result<Sensitive<String>, IdentityError> {
        let tokens = || self.tokens.lock().unwrap_or_else(PoisonError::into_inner);
        let known = tokens().get(scope).cloned();
        if let Some(known) = known {
            return Ok(known);
        }
        let token = self.services.azure_token(&self.credentials, scope).await?;
        tokens().insert(scope.to_owned(), token.clone());
        Ok(token)
    }
}

/// The key service for Key Vaults.
pub struct KeyVault {
    services: KeyServices,
    tokens: Arc<dyn ScopeTokenSource>,
}

impl fmt::Debug for KeyVault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("KeyVault")
    }
}

impl KeyVault {
    /// Creates the service. The services decide which cloud has the vaults.
    pub fn new(services: KeyServices, tokens: Arc<dyn ScopeTokenSource>) -> Self {
        Self { services, tokens }
    }

    async fn call(
        &self,
        recipient: &Recipient,
        call: KeyCall<'_>,
    ) -> Result<Sensitive<Vec<u8>>, KeyError> {
        let Recipient::AzureKeyVault {
            vault_url,
            name,
            version,
        } = recipient
        else {
            return Err(KeyError::new("it is not a key of Azure Key Vault"));
        };
        let verb = match call {
            KeyCall::Decrypt(_) => "decrypt",
            KeyCall::Encrypt(_) => "encrypt",
        };
        let failed = |error: &IdentityError| {
            KeyError::new(format!(
                "failed to {verb} sops data key with Azure Key Vault key '{}/keys/{}/{}': {}",
                vault_url.escape_debug(),
                name.escape_debug(),
                version.escape_debug(),
                chain(error)
            ))
        };
        let key = self.services.vault_key(vault_url, name, version);
        let key = key.map_err(|error| failed(&error))?;
        let token = self.tokens.token(key.scope()).await;
        let token = token.map_err(|error| failed(&error))?;
        let answer = self.services.azure(&key, &token, call).await;
        answer.map_err(|error| failed(&error))
    }
}

#[async_trait]
impl KeyService for KeyVault {
    async fn unwrap(&self, key: &MasterKey) -> Result<DataKey, KeyError> {
        let wrapped = URL_SAFE_NO_PAD.decode(&key.wrapped).map_err(|error| {
            KeyError::new(format!(
                "failed to base64 decode Azure Key Vault encrypted key: {error}"
            ))
        })?;
        let call = KeyCall::Decrypt(&wrapped);
        let plain = self.call(&key.recipient, call).await?;
        Ok(DataKey::new(plain.expose().clone()))
    }

    async fn wrap(&self, recipient: &Recipient, part: &DataKey) -> Result<String, KeyError> {
        let call = KeyCall::Encrypt(part.expose());
        let wrapped = self.call(recipient, call).await?;
        Ok(URL_SAFE_NO_PAD.encode(wrapped.expose()))
    }
}
