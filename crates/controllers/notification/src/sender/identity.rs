//! Gets credentials that need their own request: tokens of GitHub Apps, Azure and Google Cloud.

use std::sync::Arc;
use std::time::Duration;

use http::HeaderValue;
use sluice_api::gaps::PROVIDER_ACCOUNT;
use sluice_dial::{Basic, Dial, HttpClients, Keys, Sensitive};
use sluice_golang::error::chain;
use sluice_identity::gcp::{Key, SCOPES};
use sluice_identity::{
    Environment, GithubApp, Identities, IdentityError, Level, TokenCache, Transport,
};
use sluice_system::Clock;

use super::{SendError, TRANSIENT, dial, permanent};
use crate::config::ProviderConfig;
use crate::request::{Identity, secret_header};

/// Maximum number of cached tokens.
const MAX_TOKENS: usize = 100;
/// Maximum time for which a token is cached.
const MAX_TOKEN_AGE: Duration = Duration::from_hours(1);

/// Scope of tokens for Azure DevOps.
const AZURE_DEVOPS: &str = "499b84ac-1321-427f-aa17-267ca6975798/.default";
/// Scope of tokens for Azure Event Hubs.
pub(super) const AZURE_EVENT_HUBS: &str = "https://eventhubs.azure.net/.default";

/// Gets and caches tokens.
pub(super) struct Tokens {
    clients: Arc<HttpClients>,
    clock: Arc<dyn Clock>,
    apps: TokenCache<GithubApp, Basic>,
    google: TokenCache<(Sensitive<Vec<u8>>, Dial), Sensitive<String>>,
    identities: Identities,
}

impl Tokens {
    pub(super) fn new(clients: Arc<HttpClients>, clock: Arc<dyn Clock>) -> Self {
        let identities = Identities::new(
            Arc::clone(&clients),
            Arc::clone(&clock),
            Environment::of_process(),
            TokenCache::new(MAX_TOKENS, MAX_TOKEN_AGE),
        );
        Self {
            clients,
            clock,
            apps: TokenCache::new(MAX_TOKENS, MAX_TOKEN_AGE),
            google: TokenCache::new(MAX_TOKENS, MAX_TOKEN_AGE),
            identities,
        }
    }

    /// Returns the value of `Authorization`.
    pub(super) async fn authorization(
        &self,
        identity: &Identity,
        config: &ProviderConfig,
        credentials: Option<&(dyn Keys + Sync)>,
    ) -> Result<HeaderValue, SendError> {
        match identity {
            Identity::GithubApp => {
                let app = app(credentials)?;
                let dial = dial(config);
                let now = self.clock.now().into();
                let request = || app.token(&self.clients, &dial, now);
                let token = self.apps.token(&app, now, request).await;
                let (token, _) = token.map_err(|error| failed(&error))?;
                bearer(&token.password)
            }
            Identity::AzureDevOps => {
                let token = self.azure(config, AZURE_DEVOPS).await?;
                Ok(Basic::new("", token).header())
            }
            Identity::Google { key: None } => {
                refuse_account(config)?;
                let dial = dial(config);
                let token = self.identities.gcp(Level::Controller, &dial).await;
                bearer(&token.map_err(|error| failed(&error))?.0)
            }
            Identity::Google { key: Some(key) } => {
                let text = String::from_utf8_lossy(key.expose());
                let parsed = Key::of_tenant(&text).map_err(|error| permanent(chain(&error)))?;
                let now = self.clock.now().into();
                let cached = (key.clone(), dial(config));
                let request = || {
                    let transport = Transport {
                        clients: &self.clients,
                        dial: &cached.1,
                    };
                    parsed.token(transport, &SCOPES, now)
                };
                let token = self.google.token(&cached, now, request).await;
                bearer(&token.map_err(|error| failed(&error))?.0)
            }
        }
    }

    /// Returns a token of the controller's identity in Azure.
    pub(super) async fn azure(
        &self,
        config: &ProviderConfig,
        scope: &str,
    ) -> Result<Sensitive<String>, SendError> {
        refuse_account(config)?;
        let dial = dial(config);
        let token = self.identities.azure(Level::Controller, scope, &dial).await;
        Ok(token.map_err(|error| failed(&error))?.0)
    }

    /// Returns the slug of the Secret's GitHub App.
    pub(super) async fn app_slug(
        &self,
        config: &ProviderConfig,
        credentials: Option<&(dyn Keys + Sync)>,
    ) -> Result<String, SendError> {
        let slug = app(credentials)?
            .slug(&self.clients, &dial(config), self.clock.now().into())
            .await;
        slug.map_err(|error| failed(&error))
    }
}

fn failed(error: &IdentityError) -> SendError {
    SendError {
        message: chain(error),
        failure: TRANSIENT,
    }
}

/// Rejects a service account, because the controller's own identity must not replace it.
fn refuse_account(config: &ProviderConfig) -> Result<(), SendError> {
    match &config.service_account {
        None => Ok(()),
        Some(account) => Err(permanent(PROVIDER_ACCOUNT.message(account))),
    }
}

/// Returns a token as a header value.
fn bearer(token: &Sensitive<String>) -> Result<HeaderValue, SendError> {
    let value = format!("Bearer {}", token.expose());
    secret_header("the token", value.as_bytes()).map_err(|error| permanent(error.to_string()))
}

fn app(credentials: Option<&(dyn Keys + Sync)>) -> Result<GithubApp, SendError> {
    let keys = credentials.ok_or_else(|| permanent("the GitHub App needs spec.secretRef"))?;
    GithubApp::from_keys(keys).map_err(|error| permanent(format!("invalid GitHub App: {error}")))
}
