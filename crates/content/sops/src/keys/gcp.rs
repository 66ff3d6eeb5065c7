//! Keys of Google Cloud KMS.

use std::fmt;
use std::sync::Arc;

use async_trait::async_trait;
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use sluice_dial::Sensitive;
use sluice_golang::error::chain;
use sluice_identity::gcp::{Key, KmsKey};
use sluice_identity::{IdentityError, KeyCall, KeyServices};
use tokio::sync::OnceCell;

use crate::data_key::DataKey;
use crate::keys::{KeyError, KeyService};
use crate::metadata::MasterKey;
use crate::recipient::Recipient;

/// Provides an access token.
#[async_trait]
pub trait AccessTokenSource: Send + Sync {
    /// Returns a token of Google Cloud.
    async fn token(&self) -> Result<Sensitive<String>, IdentityError>;
}

/// Tokens of a key in a Secret. The token is requested once for each object.
#[derive(Debug)]
pub struct KeyTokens {
    services: KeyServices,
    key: Key,
    token: OnceCell<Sensitive<String>>,
}

impl KeyTokens {
    /// Parses a key of a tenant.
    pub fn new(services: KeyServices, json: &str) -> Result<Self, IdentityError> {
        Ok(Self {
            services,
            key: Key::of_tenant(json)?,
            token: OnceCell::new(),
        })
    }
}

#[async_trait]
impl AccessTokenSource for KeyTokens {
    async fn token(&self) -> Result<Sensitive<String>, IdentityError> {
        let request = || self.services.gcp_token(&self.key);
        self.token.get_or_try_init(request).await.cloned()
    }
}

/// The key service for Google Cloud KMS.
pub struct Kms {
    services: KeyServices,
    tokens: Arc<dyn AccessTokenSource>,
}

impl fmt::Debug for Kms {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Kms")
    }
}

impl Kms {
    /// Creates the service.
    pub fn new(services: KeyServices, tokens: Arc<dyn AccessTokenSource>) -> Self {
        Self { services, tokens }
    }

    async fn call(
        &self,
        recipient: &Recipient,
        call: KeyCall<'_>,
    ) -> Result<Sensitive<Vec<u8>>, KeyError> {
        let Recipient::GcpKms { resource_id } = recipient else {
            return Err(KeyError::new("it is not a key of Google Cloud KMS"));
        };
        let attempt = match call {
            KeyCall::Decrypt(_) => "failed to decrypt sops data key with GCP KMS key",
            KeyCall::Encrypt(_) => "failed to encrypt sops data key with GCP KMS key",
        };
        let failed = |error: &IdentityError| KeyError::new(format!("{attempt}: {}", chain(error)));
        let key = KmsKey::parse(resource_id).map_err(|error| {
            KeyError::new(format!("cannot create GCP KMS service: {}", chain(&error)))
        })?;
        let token = self.tokens.token().await;
        let token = token.map_err(|error| failed(&error))?;
        let answer = self.services.gcp(&key, &token, call).await;
        answer.map_err(|error| failed(&error))
    }
}

#[async_trait]
impl KeyService for Kms {
    async fn unwrap(&self, key: &MasterKey) -> Result<DataKey, KeyError> {
        let wrapped = STANDARD
            .decode(&key.wrapped)
            .map_err(|error| KeyError::new(error.to_string()))?;
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
