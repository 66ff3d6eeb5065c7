//! Credentials that need a request of their own: tokens of GitHub Apps.

use std::sync::Arc;
use std::time::Duration;

use http::HeaderValue;
use sluice_dial::{Basic, HttpClients, Keys};
use sluice_golang::error::chain;
use sluice_identity::{GithubApp, TokenCache};
use sluice_system::Clock;

use super::{SendError, TRANSIENT, dial, permanent};
use crate::config::ProviderConfig;
use crate::request::{Identity, secret_header};

/// Most cached tokens.
const MAX_TOKENS: usize = 100;
/// Longest time for which a token is cached.
const MAX_TOKEN_AGE: Duration = Duration::from_hours(1);

/// Gets and caches tokens.
pub(super) struct Tokens {
    clients: Arc<HttpClients>,
    clock: Arc<dyn Clock>,
    apps: TokenCache<GithubApp, Basic>,
}

impl Tokens {
    pub(super) fn new(clients: Arc<HttpClients>, clock: Arc<dyn Clock>) -> Self {
        Self {
            clients,
            clock,
            apps: TokenCache::new(MAX_TOKENS, MAX_TOKEN_AGE),
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
                let (token, _) = token.map_err(|error| SendError {
                    message: chain(&error),
                    failure: TRANSIENT,
                })?;
                let value = format!("Bearer {}", token.password.expose());
                secret_header("the token of the GitHub App", value.as_bytes())
                    .map_err(|error| permanent(error.to_string()))
            }
            Identity::AzureDevOps | Identity::Google { .. } => Err(permanent(format!(
                "provider {} without a token is not supported",
                config.type_
            ))),
        }
    }

    /// Returns the name in URLs of the GitHub App in the Secret.
    pub(super) async fn app_slug(
        &self,
        config: &ProviderConfig,
        credentials: Option<&(dyn Keys + Sync)>,
    ) -> Result<String, SendError> {
        let slug = app(credentials)?
            .slug(&self.clients, &dial(config), self.clock.now().into())
            .await;
        slug.map_err(|error| SendError {
            message: chain(&error),
            failure: TRANSIENT,
        })
    }
}

fn app(credentials: Option<&(dyn Keys + Sync)>) -> Result<GithubApp, SendError> {
    let keys = credentials.ok_or_else(|| permanent("the GitHub App needs spec.secretRef"))?;
    GithubApp::from_keys(keys).map_err(|error| permanent(format!("invalid GitHub App: {error}")))
}
