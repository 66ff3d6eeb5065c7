//! Credentials of Azure that a Secret holds.

use std::time::SystemTime;

use sluice_dial::Sensitive;
use url::Url;

use super::assertion::ClientCertificate;
use super::entra::{Application, Proof, check_client};
use super::managed;
use crate::environment::Environment;
use crate::error::IdentityError;
use crate::request::Transport;
use crate::token_cache::Token;

/// Credentials in a Secret.
#[derive(Debug, Clone)]
pub enum SecretCredentials {
    /// An application with a secret.
    Secret {
        /// Tenant.
        tenant: String,
        /// Client.
        client: String,
        /// Secret.
        secret: Sensitive<String>,
    },
    /// An application with a certificate.
    Certificate {
        /// Tenant.
        tenant: String,
        /// Client.
        client: String,
        /// Certificate and key.
        certificate: ClientCertificate,
    },
    /// The managed identity of the machine. It does not belong to the owner of the Secret.
    Managed {
        /// Client.
        client: String,
    },
}

impl SecretCredentials {
    /// Requests a token for a scope.
    pub(crate) async fn token(
        &self,
        environment: &Environment,
        transport: Transport<'_>,
        scope: &str,
        now: SystemTime,
    ) -> Result<Sensitive<String>, IdentityError> {
        let token: Token<Sensitive<String>> = match self {
            Self::Secret {
                tenant,
                client,
                secret,
            } => {
                let application = Application::new(environment, tenant, client)?;
                let proof = Proof::Secret(secret);
                application.token(transport, &proof, scope, now).await?
            }
            Self::Certificate {
                tenant,
                client,
                certificate,
            } => {
                let application = Application::new(environment, tenant, client)?;
                let place = "clientCertificate";
                let assertion = certificate.assertion(place, &application, now).await?;
                let proof = Proof::Assertion(&assertion);
                application.token(transport, &proof, scope, now).await?
            }
            Self::Managed { client } => {
                check_client(client)?;
                managed::token(environment, transport, Some(client), scope, now).await?
            }
        };
        Ok(token.value)
    }
}

/// Checks an authority that a Secret names. A tenant must not reach services of this machine.
pub fn check_authority(authority: &str) -> Result<(), IdentityError> {
    let url = Url::parse(authority).ok();
    let is_plain = |url: &Url| {
        url.scheme() == "https"
            && matches!(url.host(), Some(url::Host::Domain(_)))
            && url.username().is_empty()
            && url.password().is_none()
    };
    if url.as_ref().is_some_and(is_plain) {
        return Ok(());
    }
    let authority = authority.escape_debug();
    Err(IdentityError::Unusable(format!(
        "authorityHost: '{authority}' is not the https address of an authority"
    )))
}
