//! Tokens for identities that the Secrets of objects describe. They are not the controller's, so
//! their owners also choose the servers.

use std::time::SystemTime;

use sluice_dial::{Basic, Dial, Sensitive};
use url::Url;

use super::{Credential, Identities, Level, mixed_up};
use crate::aws::{AwsCredentials, ldap_keys};
use crate::azure::{self, PrincipalProof, ServicePrincipal};
use crate::cache_key::{CacheKey, KeyParts};
use crate::error::IdentityError;
use crate::gcp::Key;
use crate::observer::IdentityStep;
use crate::provider::Provider;
use crate::token_cache::{Lookup, Token};

impl Identities {
    /// Returns keys of an object store for a user of LDAP.
    pub async fn ldap(
        &self,
        endpoint: &Url,
        user: &Basic,
        dial: &Dial,
    ) -> Result<(AwsCredentials, Lookup), IdentityError> {
        let key = KeyParts::new(Provider::Generic, "ldap")
            .text("endpoint", endpoint.as_str())
            .hashed("user", user)
            .dial(dial)
            .finish();
        let found = self.cached(&key, async |now| {
            let exchange = ldap_keys(self.transport(dial), endpoint, user, now);
            let step = IdentityStep::Exchange;
            let token = self.timed(Provider::Generic, step, exchange).await?;
            Ok(Token {
                value: Credential::Aws(token.value),
                expires: token.expires,
            })
        });
        match found.await? {
            (Credential::Aws(keys), lookup) => Ok((keys, lookup)),
            (Credential::Bearer(_) | Credential::Basic(_), _) => Err(mixed_up()),
        }
    }

    /// Returns a token of Google Cloud for a key in a Secret, which must not name files or servers.
    pub async fn google_key(
        &self,
        text: &str,
        scope: &str,
        dial: &Dial,
    ) -> Result<(Sensitive<String>, Lookup), IdentityError> {
        let parsed = Key::of_tenant(text)?;
        let key = secret_key(Provider::Gcp, text, scope, dial);
        self.bearer(&key, async |now| {
            let (transport, scopes) = (self.transport(dial), [scope]);
            let exchange = parsed.token(transport, &scopes, now);
            let step = IdentityStep::Exchange;
            self.timed(Provider::Gcp, step, exchange).await
        })
        .await
    }

    /// Returns a token of Azure for a service principal.
    pub async fn service_principal(
        &self,
        principal: &ServicePrincipal<'_>,
        scope: &str,
        dial: &Dial,
    ) -> Result<(Sensitive<String>, Lookup), IdentityError> {
        let parts = KeyParts::new(Provider::Azure, "principal")
            .text("tenant", principal.tenant)
            .text("client", principal.client)
            .text("authority", principal.authority.unwrap_or_default())
            .text("scope", scope)
            .dial(dial);
        let parts = match &principal.proof {
            PrincipalProof::Secret(secret) => parts.text("secret", secret.expose()),
            PrincipalProof::Certificate(certificate) => parts.hashed("certificate", certificate),
        };
        self.bearer(&parts.finish(), async |now: SystemTime| {
            let exchange = principal.token(self.transport(dial), scope, now);
            let step = IdentityStep::Exchange;
            self.timed(Provider::Azure, step, exchange).await
        })
        .await
    }

    /// Returns a token of a managed identity of this machine for the blobs at an address. As the
    /// controller's token, it goes to Azure or to a listed host only.
    pub async fn managed_blobs(
        &self,
        client: &str,
        endpoint: &Url,
    ) -> Result<(Sensitive<String>, Lookup), IdentityError> {
        self.check_azure(azure::Service::Blobs, Level::Controller, endpoint)?;
        self.managed_identity(client, azure::BLOBS).await
    }

    /// Returns a token of a managed identity of this machine, by its client.
    pub async fn managed_identity(
        &self,
        client: &str,
        scope: &str,
    ) -> Result<(Sensitive<String>, Lookup), IdentityError> {
        let dial = Dial::default();
        let key = secret_key(Provider::Azure, client, scope, &dial);
        self.bearer(&key, async |now| {
            let (environment, transport) = (&self.environment, self.transport(&dial));
            let exchange = azure::managed_token(environment, transport, client, scope, now);
            let step = IdentityStep::Exchange;
            self.timed(Provider::Azure, step, exchange).await
        })
        .await
    }
}

fn secret_key(provider: Provider, text: &str, scope: &str, dial: &Dial) -> CacheKey {
    KeyParts::new(provider, "secret")
        .text("text", text)
        .text("scope", scope)
        .dial(dial)
        .finish()
}
