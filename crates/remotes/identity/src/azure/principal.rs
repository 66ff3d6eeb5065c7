//! Service principals that the Secret of an object describes.

use std::time::SystemTime;

use sluice_dial::Sensitive;

use super::assertion::ClientCertificate;
use super::cloud::{PUBLIC_AUTHORITY, parse_authority};
use super::entra::{Application, Proof, check_tenant};
use super::secret::check_authority;
use crate::error::IdentityError;
use crate::request::Transport;
use crate::token_cache::Token;

/// A service principal. It is the tenant's own, so the tenant also chooses who issues its tokens.
#[derive(Debug)]
pub struct ServicePrincipal<'a> {
    /// Directory.
    pub tenant: &'a str,
    /// Application.
    pub client: &'a str,
    /// Address of the issuer; `None` is that of the public cloud.
    pub authority: Option<&'a str>,
    /// Proof of the application.
    pub proof: PrincipalProof<'a>,
}

/// The proof of an application in a Secret.
#[derive(Debug)]
pub enum PrincipalProof<'a> {
    /// A client secret.
    Secret(&'a Sensitive<String>),
    /// A client certificate.
    Certificate(&'a ClientCertificate),
}

impl ServicePrincipal<'_> {
    /// Requests an access token for a scope.
    pub(crate) async fn token(
        &self,
        transport: Transport<'_>,
        scope: &str,
        now: SystemTime,
    ) -> Result<Token<Sensitive<String>>, IdentityError> {
        check_tenant(self.tenant)?;
        // A tenant may have written it.
        if let Some(authority) = self.authority {
            check_authority(authority)?;
        }
        let authority = self.authority.unwrap_or(PUBLIC_AUTHORITY);
        let mut endpoint = parse_authority("authorityHost", authority)?;
        endpoint.set_path(&format!("/{}/oauth2/v2.0/token", self.tenant));
        let application = Application {
            client: self.client.to_owned(),
            endpoint,
        };
        match &self.proof {
            PrincipalProof::Secret(secret) => {
                let proof = Proof::Secret(secret);
                application.token(transport, &proof, scope, now).await
            }
            PrincipalProof::Certificate(certificate) => {
                let place = "failed to parse client certificates";
                let assertion = certificate.assertion(place, &application, now).await?;
                let proof = Proof::Assertion(&assertion);
                application.token(transport, &proof, scope, now).await
            }
        }
    }
}
