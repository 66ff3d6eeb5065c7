//! Calls the key services of clouds, which wrap and unwrap data keys.
//!
//! The caller brings the credential, which is sent to the cloud's own hosts only. A tenant may have
//! named the key. So the name is checked before it becomes part of an address.

use std::sync::Arc;
use std::time::SystemTime;

use sluice_dial::{Dial, HttpClients, Sensitive};
use sluice_system::Clock;

use crate::allowlist::HostAllowlist;
use crate::aws::{self, AwsCredentials};
use crate::azure::{self, Cloud};
use crate::environment::Environment;
use crate::error::IdentityError;
use crate::gcp;
use crate::key_call::KeyCall;
use crate::request::Transport;

/// Clients of the key services. Cheap to clone.
#[derive(Clone)]
pub struct KeyServices {
    pub(crate) clients: Arc<HttpClients>,
    pub(crate) clock: Arc<dyn Clock>,
    pub(crate) environment: Environment,
    pub(crate) listed_hosts: HostAllowlist,
    pub(crate) dial: Dial,
}

impl std::fmt::Debug for KeyServices {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("KeyServices")
            .field("environment", &self.environment)
            .finish_non_exhaustive()
    }
}

impl KeyServices {
    /// Calls AWS KMS.
    pub async fn aws(
        &self,
        key: &aws::KmsKey,
        credentials: &AwsCredentials,
        context: &[(String, String)],
        call: KeyCall<'_>,
    ) -> Result<Sensitive<Vec<u8>>, IdentityError> {
        let (environment, now) = (&self.environment, self.now());
        key.call(
            environment,
            self.transport(),
            credentials,
            context,
            call,
            now,
        )
        .await
    }

    /// Assumes a role of AWS with other credentials.
    pub async fn assume(
        &self,
        credentials: &AwsCredentials,
        region: &str,
        role: &str,
        session: &str,
    ) -> Result<AwsCredentials, IdentityError> {
        let sts = self.environment.sts(region)?;
        sts.assume_with(self.transport(), role, session, credentials, self.now())
            .await
    }

    /// Calls Google Cloud KMS.
    pub async fn gcp(
        &self,
        key: &gcp::KmsKey,
        token: &Sensitive<String>,
        call: KeyCall<'_>,
    ) -> Result<Sensitive<Vec<u8>>, IdentityError> {
        key.call(&self.environment, self.transport(), token, call)
            .await
    }

    /// Requests a token with a key of Google in JSON.
    pub async fn gcp_token(&self, key: &gcp::Key) -> Result<Sensitive<String>, IdentityError> {
        let token = key.token(self.transport(), &gcp::SCOPES, self.now());
        Ok(token.await?.value)
    }

    /// Parses a key in a Key Vault of the cloud.
    pub fn vault_key(
        &self,
        vault: &str,
        name: &str,
        version: &str,
    ) -> Result<azure::VaultKey, IdentityError> {
        let cloud = Cloud::of(&self.environment)?;
        azure::VaultKey::parse(vault, name, version, &cloud, &self.listed_hosts)
    }

    /// Calls a Key Vault.
    pub async fn azure(
        &self,
        key: &azure::VaultKey,
        token: &Sensitive<String>,
        call: KeyCall<'_>,
    ) -> Result<Sensitive<Vec<u8>>, IdentityError> {
        key.call(self.transport(), token, call).await
    }

    /// Requests a token of Azure with credentials in a Secret.
    pub async fn azure_token(
        &self,
        credentials: &azure::SecretCredentials,
        scope: &str,
    ) -> Result<Sensitive<String>, IdentityError> {
        let now = self.now();
        let transport = self.transport();
        credentials
            .token(&self.environment, transport, scope, now)
            .await
    }

    /// Uses another authority of Azure, and with it another cloud.
    #[must_use]
    pub fn with_azure_authority(mut self, authority: &str) -> Self {
        self.environment.set("AZURE_AUTHORITY_HOST", authority);
        self
    }

    /// Uses a proxy or other certificates.
    #[must_use]
    pub fn with_dial(self, dial: Dial) -> Self {
        Self { dial, ..self }
    }

    fn transport(&self) -> Transport<'_> {
        Transport {
            clients: &self.clients,
            dial: &self.dial,
        }
    }

    fn now(&self) -> SystemTime {
        self.clock.now().into()
    }
}
