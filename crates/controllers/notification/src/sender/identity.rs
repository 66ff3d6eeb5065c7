//! Gets credentials that need their own request: tokens of GitHub Apps, Azure and Google Cloud.

use std::sync::Arc;
use std::time::Duration;

use http::HeaderValue;
use sluice_client::Cluster;
use sluice_dial::{Basic, Dial, HttpClients, Keys, Sensitive, Tls};
use sluice_engine::ObjectKey;
use sluice_engine::metrics::{TokenCache as TokenMetrics, TokenUser};
use sluice_golang::error::chain;
use sluice_host::ServiceAccounts;
use sluice_identity::gcp::{Key, SCOPES};
use sluice_identity::{
    Account, CacheKey, Credential, Environment, GithubApp, HostAllowlist, Identities,
    IdentityError, KeyParts, Level, Lookup, Provider, Token, TokenCache, Transport, azure,
    github_app,
};
use sluice_system::Clock;
use url::Url;

use super::{SendError, TRANSIENT, dial, permanent};
use crate::config::ProviderConfig;
use crate::request::{Identity, secret_header};

/// Default maximum number of cached tokens.
const MAX_TOKENS: usize = 100;
/// Default maximum time for which a token is cached.
const MAX_TOKEN_AGE: Duration = Duration::from_hours(1);
/// The operation in the metrics of the token cache, as in the reference.
const OPERATION: &str = "post";

/// Keys of a Secret that describe a GitHub App.
const APP_KEYS: [&str; 5] = [
    github_app::APP_ID,
    github_app::INSTALLATION_ID,
    github_app::INSTALLATION_OWNER,
    github_app::PRIVATE_KEY,
    github_app::BASE_URL,
];

/// Settings of the identities of Providers.
#[derive(Clone)]
pub struct IdentityOptions {
    /// The service accounts of the cluster. Without them, only the own identity is used.
    pub accounts: Option<ServiceAccounts>,
    /// Variables that name the own identity.
    pub environment: Environment,
    /// Hosts besides those of the services that may receive a token of the own identity.
    pub listed_hosts: HostAllowlist,
    /// Maximum number of cached tokens.
    pub max_tokens: usize,
    /// Maximum time for which a token is cached.
    pub max_token_age: Duration,
    /// Counts the lookups in the token cache.
    pub metrics: Option<TokenMetrics>,
}

impl Default for IdentityOptions {
    fn default() -> Self {
        Self {
            accounts: None,
            environment: Environment::of_process(),
            listed_hosts: HostAllowlist::default(),
            max_tokens: MAX_TOKENS,
            max_token_age: MAX_TOKEN_AGE,
            metrics: None,
        }
    }
}

impl IdentityOptions {
    /// Uses the service accounts of a cluster.
    pub fn of_cluster(cluster: Cluster) -> Self {
        Self {
            accounts: Some(ServiceAccounts::new(cluster, "")),
            ..Self::default()
        }
    }
}

/// Gets and caches tokens.
pub(super) struct Tokens {
    clients: Arc<HttpClients>,
    clock: Arc<dyn Clock>,
    identities: Identities,
    accounts: Option<ServiceAccounts>,
    environment: Environment,
    metrics: Option<TokenMetrics>,
}

impl Tokens {
    pub(super) fn new(
        clients: Arc<HttpClients>,
        clock: Arc<dyn Clock>,
        options: IdentityOptions,
    ) -> Self {
        let identities = Identities::new(
            Arc::clone(&clients),
            Arc::clone(&clock),
            options.environment.clone(),
            TokenCache::new(options.max_tokens, options.max_token_age),
        )
        .with_listed_hosts(options.listed_hosts);
        let identities = match options.metrics.clone() {
            None => identities,
            Some(metrics) => identities.observed(Box::new(move |provider, step, lasted| {
                metrics.observe_request(provider, step, lasted);
            })),
        };
        Self {
            clients,
            clock,
            identities,
            accounts: options.accounts,
            environment: options.environment,
            metrics: options.metrics,
        }
    }

    /// Returns the authority of the Azure cloud, or an empty text for the public one.
    pub(super) fn azure_authority(&self) -> &str {
        let authority = self.environment.get("AZURE_AUTHORITY_HOST");
        authority.unwrap_or_default()
    }

    /// Returns the value of `Authorization` for an address.
    pub(super) async fn authorization(
        &self,
        identity: &Identity,
        config: &ProviderConfig,
        credentials: Option<&(dyn Keys + Sync)>,
        url: &Url,
    ) -> Result<HeaderValue, SendError> {
        match identity {
            Identity::GithubApp => {
                let keys = app_secret(credentials)?;
                let app = app(keys)?;
                let dial = dial(config);
                let ask = async |now| {
                    let token = app.token(&self.clients, &dial, now).await?;
                    Ok(Token {
                        value: Credential::Basic(token.value),
                        expires: token.expires,
                    })
                };
                match self.cached(config, &app_key(keys, &dial), ask).await? {
                    Credential::Basic(token) => bearer(&token.password),
                    Credential::Bearer(_) | Credential::Aws(_) => Err(mixed_up()),
                }
            }
            Identity::AzureDevOps => {
                let token = self.azure(config, azure::Service::DevOps, url).await;
                let token =
                    token.map_err(|error| error.during("failed to acquire azure devops token"))?;
                Ok(Basic::new("", token).header())
            }
            Identity::Google { key: None } => {
                let account = self.account(config).await?;
                let level = self.level(account.as_ref());
                let found = self.identities.gcp(level, &issuer_dial(config)).await;
                bearer(&self.counted(config, found)?)
            }
            Identity::Google { key: Some(key) } => {
                let text = String::from_utf8_lossy(key.expose());
                let parsed = Key::of_tenant(&text).map_err(|error| permanent(chain(&error)))?;
                let dial = issuer_dial(config);
                let cached = KeyParts::new(Provider::Gcp, "key")
                    .text("key", &text)
                    .dial(&dial)
                    .finish();
                let transport = Transport {
                    clients: &self.clients,
                    dial: &dial,
                };
                let ask = async |now| {
                    let token = parsed.token(transport, &SCOPES, now).await?;
                    Ok(Token {
                        value: Credential::Bearer(token.value),
                        expires: token.expires,
                    })
                };
                match self.cached(config, &cached, ask).await? {
                    Credential::Bearer(token) => bearer(&token),
                    Credential::Basic(_) | Credential::Aws(_) => Err(mixed_up()),
                }
            }
        }
    }

    /// Returns the value of `Authorization` for an event hub.
    pub(super) async fn event_hub(
        &self,
        config: &ProviderConfig,
        url: &Url,
    ) -> Result<HeaderValue, SendError> {
        let token = self.azure(config, azure::Service::EventHubs, url).await;
        let action = "failed to create a eventhub using managed identity";
        bearer(&token.map_err(|error| error.during(action))?)
    }

    /// Returns a token of Azure, for the service account of the Provider or of the controller. The
    /// Provider names the address, so the controller's token goes to the service only.
    async fn azure(
        &self,
        config: &ProviderConfig,
        service: azure::Service,
        url: &Url,
    ) -> Result<Sensitive<String>, SendError> {
        let account = self.account(config).await?;
        let level = self.level(account.as_ref());
        let allowed = self.identities.check_azure(service, level, url);
        allowed.map_err(|error| failed(&error))?;
        let dial = issuer_dial(config);
        let found = self.identities.azure(level, service.scope(), &dial).await;
        self.counted(config, found)
    }

    /// Reads the service account of a Provider.
    async fn account(&self, config: &ProviderConfig) -> Result<Option<Account>, SendError> {
        let chosen = config.service_account.as_deref();
        let Some(accounts) = &self.accounts else {
            return match chosen {
                None => Ok(None),
                // The own identity must not replace the one of the account.
                Some(_) => Err(permanent(
                    "spec.serviceAccountName needs a connection to the cluster",
                )),
            };
        };
        let found = accounts.account(&config.identity.namespace, chosen).await;
        found.map_err(|error| permanent(chain(&error)).during(GET_TOKEN))
    }

    fn level<'a>(&'a self, account: Option<&'a Account>) -> Level<'a> {
        match (account, &self.accounts) {
            (Some(account), Some(requests)) => Level::Object { account, requests },
            _ => Level::Controller,
        }
    }

    /// Returns a credential of the shared cache.
    async fn cached(
        &self,
        config: &ProviderConfig,
        key: &CacheKey,
        ask: impl AsyncFnOnce(std::time::SystemTime) -> Result<Token<Credential>, IdentityError>,
    ) -> Result<Credential, SendError> {
        let now = self.clock.now().into();
        let found = self.identities.cache().token(key, now, || ask(now)).await;
        self.counted(config, found)
    }

    /// Counts a lookup and returns its token.
    fn counted<T>(
        &self,
        config: &ProviderConfig,
        found: Result<(T, Lookup), IdentityError>,
    ) -> Result<T, SendError> {
        if let Some(metrics) = &self.metrics {
            let owner = &config.identity;
            let user = TokenUser {
                kind: "Provider",
                key: &ObjectKey::new(&owner.namespace, &owner.name),
                operation: OPERATION,
            };
            let lookup = found.as_ref().ok().map(|(_, lookup)| *lookup);
            metrics.count_lookup(self.identities.cache(), user, lookup);
        }
        let (token, _) = found.map_err(|error| failed(&error).during(GET_TOKEN))?;
        Ok(token)
    }

    /// Returns the slug of the Secret's GitHub App.
    pub(super) async fn app_slug(
        &self,
        config: &ProviderConfig,
        credentials: Option<&(dyn Keys + Sync)>,
    ) -> Result<String, SendError> {
        let slug = app(app_secret(credentials)?)?
            .slug(&self.clients, &dial(config), self.clock.now().into())
            .await;
        slug.map_err(|error| failed(&error))
    }
}

/// Step in which a token is missing, in the reference's words.
const GET_TOKEN: &str = "failed to get token";

fn failed(error: &IdentityError) -> SendError {
    let message = chain(error);
    // A retry cannot correct an annotation.
    if matches!(error, IdentityError::Unusable(_)) {
        return permanent(message);
    }
    SendError {
        message,
        failure: TRANSIENT,
    }
}

/// Certificates of a Provider are for its service, not for the issuer of tokens.
fn issuer_dial(config: &ProviderConfig) -> Dial {
    Dial {
        tls: Tls::default(),
        ..dial(config)
    }
}

/// Returns a token as a header value.
fn bearer(token: &Sensitive<String>) -> Result<HeaderValue, SendError> {
    let value = format!("Bearer {}", token.expose());
    secret_header("the token", value.as_bytes()).map_err(|error| permanent(error.to_string()))
}

fn mixed_up() -> SendError {
    permanent("the token cache holds another kind of credential")
}

fn app_secret(credentials: Option<&(dyn Keys + Sync)>) -> Result<&(dyn Keys + Sync), SendError> {
    credentials.ok_or_else(|| permanent("the GitHub App needs spec.secretRef"))
}

fn app(keys: &dyn Keys) -> Result<GithubApp, SendError> {
    GithubApp::from_keys(keys).map_err(|error| permanent(format!("invalid GitHub App: {error}")))
}

fn app_key(keys: &dyn Keys, dial: &Dial) -> CacheKey {
    let parts = KeyParts::new(Provider::GitHub, "app");
    let parts = APP_KEYS.into_iter().fold(parts, |parts, name| {
        let value = keys.key(name).unwrap_or_default();
        parts.text(name, &String::from_utf8_lossy(value))
    });
    parts.dial(dial).finish()
}

#[cfg(test)]
mod tests;
