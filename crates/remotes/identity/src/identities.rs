//! Tokens by provider and purpose, from one cache.
//!
//! This file gets the tokens of each provider. The files below it make logins, keys and clusters of
//! them.

mod clusters;
mod keys;
mod logins;

use std::fmt;
use std::future::Future;
use std::sync::Arc;
use std::time::SystemTime;

use sluice_dial::{Basic, Dial, HttpClients, Sensitive};
use sluice_system::Clock;
use tokio::time::Instant;
use url::Url;

use crate::account::{Account, TokenRequest};
use crate::allowlist::HostAllowlist;
use crate::aws::{self, AssumeRole, AwsCredentials, Sts};
use crate::azure;
use crate::cache_key::{CacheKey, KeyParts};
use crate::cluster::ClusterAccess;
use crate::environment::Environment;
use crate::error::IdentityError;
use crate::gcp;
use crate::jwt::Claims;
use crate::observer::{IdentityObserver, IdentityStep};
use crate::provider::Provider;
use crate::request::Transport;
use crate::token_cache::{Lookup, Token, TokenCache};

pub use clusters::CloudCluster;

/// A cached credential. The purpose in its key decides its form.
#[derive(Debug, Clone)]
pub enum Credential {
    /// Keys that sign requests.
    Aws(AwsCredentials),
    /// A bearer token.
    Bearer(Sensitive<String>),
    /// User name and password.
    Basic(Basic),
}

/// The owner of an identity. An object with a service account never gets the controller's.
#[derive(Clone, Copy)]
pub enum Level<'a> {
    /// This process.
    Controller,
    /// A service account in the namespace of an object.
    Object {
        /// The account.
        account: &'a Account,
        /// Issues its tokens.
        requests: &'a dyn TokenRequest,
    },
}

impl fmt::Debug for Level<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Level({self})")
    }
}

impl fmt::Display for Level<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Controller => f.write_str("the controller"),
            Self::Object { account, .. } => write!(f, "service account '{account}'"),
        }
    }
}

impl<'a> Level<'a> {
    fn account(&self) -> Option<&'a Account> {
        match self {
            Self::Controller => None,
            Self::Object { account, .. } => Some(account),
        }
    }
}

/// Region and endpoint of AWS's token service, as an object names them.
#[derive(Debug, Clone, Copy, Default)]
pub struct AwsLocation<'a> {
    /// Region. `None` uses the variable `AWS_REGION`, at the level of the controller only.
    pub region: Option<&'a str>,
    /// Endpoint in the object.
    pub sts_endpoint: Option<&'a str>,
}

/// Gets tokens of all providers. Share one per process.
pub struct Identities {
    clients: Arc<HttpClients>,
    clock: Arc<dyn Clock>,
    environment: Environment,
    google: gcp::Endpoints,
    listed_hosts: HostAllowlist,
    cluster: gcp::ClusterMetadata,
    cache: TokenCache<CacheKey, Credential>,
    /// Addresses of clusters, which are not secret.
    clusters: TokenCache<CacheKey, ClusterAccess>,
    observer: Option<IdentityObserver>,
}

impl fmt::Debug for Identities {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Identities")
            .field("environment", &self.environment)
            .finish_non_exhaustive()
    }
}

impl Identities {
    /// Creates the identities of an environment.
    pub fn new(
        clients: Arc<HttpClients>,
        clock: Arc<dyn Clock>,
        environment: Environment,
        cache: TokenCache<CacheKey, Credential>,
    ) -> Self {
        Self {
            clients,
            clock,
            environment,
            google: gcp::Endpoints::default(),
            listed_hosts: HostAllowlist::default(),
            cluster: gcp::ClusterMetadata::default(),
            clusters: cache.with_same_limits(),
            cache,
            observer: None,
        }
    }

    /// Observes how long the requests for credentials take.
    #[must_use]
    pub fn observed(self, observer: IdentityObserver) -> Self {
        Self {
            observer: Some(observer),
            ..self
        }
    }

    /// Sends the requests of a step, and observes how long they take.
    pub async fn timed<T>(
        &self,
        provider: Provider,
        step: IdentityStep,
        requests: impl Future<Output = T>,
    ) -> T {
        let began = Instant::now();
        let answer = requests.await;
        if let Some(observer) = &self.observer {
            observer(provider, step, began.elapsed());
        }
        answer
    }

    /// Requests a token of a service account.
    async fn account_token(
        &self,
        provider: Provider,
        account: &Account,
        requests: &dyn TokenRequest,
        audiences: &[String],
    ) -> Result<Sensitive<String>, IdentityError> {
        let issuing = account.token(requests, audiences);
        self.timed(provider, IdentityStep::TokenRequest, issuing)
            .await
    }

    /// Lists hosts that may receive tokens of the controller.
    #[must_use]
    pub fn with_listed_hosts(self, listed_hosts: HostAllowlist) -> Self {
        Self {
            listed_hosts,
            ..self
        }
    }

    /// Returns the cache, for its metrics.
    pub fn cache(&self) -> &TokenCache<CacheKey, Credential> {
        &self.cache
    }

    /// Returns keys of AWS.
    pub async fn aws(
        &self,
        level: Level<'_>,
        location: AwsLocation<'_>,
        dial: &Dial,
    ) -> Result<(AwsCredentials, Lookup), IdentityError> {
        let region = self.aws_region(level, location)?;
        let role = match level.account() {
            None => String::new(),
            Some(account) => identity_of(account, aws::role(account.annotations()))?,
        };
        let key = KeyParts::new(Provider::Aws, "access")
            .list("audiences", &[aws::AUDIENCE])
            .account(level.account(), &role)
            .text("region", region)
            .text("endpoint", location.sts_endpoint.unwrap_or_default())
            .dial(dial)
            .finish();
        let (found, lookup) = self
            .cached(&key, async |now| {
                let token = match level {
                    Level::Controller => None,
                    Level::Object { account, requests } => {
                        let audiences = [aws::AUDIENCE.to_owned()];
                        let token =
                            self.account_token(Provider::Aws, account, requests, &audiences);
                        Some((account, token.await?))
                    }
                };
                let endpoint = location.sts_endpoint;
                let transport = self.transport(dial);
                let exchange =
                    self.new_aws(token.as_ref(), &role, region, endpoint, transport, now);
                let credentials = self
                    .timed(Provider::Aws, IdentityStep::Exchange, exchange)
                    .await
                    .map_err(|error| while_creating(level, error))?;
                Ok(Token {
                    // Static keys do not expire, and are not cached.
                    expires: credentials.expires.unwrap_or(now),
                    value: Credential::Aws(credentials),
                })
            })
            .await?;
        match found {
            Credential::Aws(credentials) => Ok((credentials, lookup)),
            Credential::Bearer(_) | Credential::Basic(_) => Err(mixed_up()),
        }
    }

    /// Returns a bearer token of Azure for a scope.
    pub async fn azure(
        &self,
        level: Level<'_>,
        scope: &str,
        dial: &Dial,
    ) -> Result<(Sensitive<String>, Lookup), IdentityError> {
        let identity = match level.account() {
            None => String::new(),
            Some(account) => {
                let pair = azure::identity(account);
                identity_of(
                    account,
                    pair.map(|(tenant, client)| format!("{tenant}/{client}")),
                )?
            }
        };
        let key = KeyParts::new(Provider::Azure, "access")
            .list("audiences", &[azure::AUDIENCE])
            .account(level.account(), &identity)
            .list("scopes", &[scope])
            .dial(dial)
            .finish();
        let transport = self.transport(dial);
        let (provider, step) = (Provider::Azure, IdentityStep::Exchange);
        let environment = &self.environment;
        self.bearer(&key, async |now| match level {
            Level::Controller => {
                let exchange = azure::token(environment, transport, scope, now);
                let token = self.timed(provider, step, exchange).await;
                token.map_err(|error| while_creating(level, error))
            }
            Level::Object { account, requests } => {
                let audiences = [azure::AUDIENCE.to_owned()];
                let token = self.account_token(provider, account, requests, &audiences);
                let token = token.await?;
                let exchange = azure::exchange(environment, transport, account, &token, scope, now);
                let token = self.timed(provider, step, exchange).await;
                token.map_err(|error| while_creating(level, error))
            }
        })
        .await
    }

    /// Returns a bearer token of Google Cloud.
    pub async fn gcp(
        &self,
        level: Level<'_>,
        dial: &Dial,
    ) -> Result<(Sensitive<String>, Lookup), IdentityError> {
        let transport = self.transport(dial);
        let parts = KeyParts::new(Provider::Gcp, "access");
        let (parts, audiences) = match level.account() {
            None => (parts.account(None, ""), None),
            Some(account) => {
                let audiences =
                    gcp::audiences(&self.environment, transport, &self.cluster, account)
                        .await
                        .map_err(|error| error.during("failed to get provider audience"))?;
                let email = identity_of(account, gcp::email(account))?.unwrap_or_default();
                let parts = parts
                    .account(Some(account), email)
                    .list("audiences", &[&audiences.token, &audiences.exchange]);
                (parts, Some(audiences))
            }
        };
        let key = parts.list("scopes", &gcp::SCOPES).dial(dial).finish();
        let (provider, step) = (Provider::Gcp, IdentityStep::Exchange);
        self.bearer(&key, async |now| match (level, &audiences) {
            (Level::Object { account, requests }, Some(audiences)) => {
                let wanted = [audiences.token.clone()];
                let token = self.account_token(provider, account, requests, &wanted);
                let (token, audience) = (token.await?, &audiences.exchange);
                let exchange =
                    gcp::exchange(&self.google, transport, account, &token, audience, now);
                let token = self.timed(provider, step, exchange).await;
                token.map_err(|error| while_creating(level, error))
            }
            (Level::Controller, _) => {
                let exchange = gcp::token(&self.environment, transport, now);
                let token = self.timed(provider, step, exchange).await;
                token.map_err(|error| while_creating(level, error))
            }
            (Level::Object { .. }, None) => Err(mixed_up()),
        })
        .await
    }

    /// Returns a token of a service account itself, for an audience.
    pub async fn generic(
        &self,
        account: &Account,
        requests: &dyn TokenRequest,
        audiences: &[String],
    ) -> Result<(Sensitive<String>, Lookup), IdentityError> {
        let names: Vec<&str> = audiences.iter().map(String::as_str).collect();
        let key = KeyParts::new(Provider::Generic, "access")
            .account(Some(account), "")
            .list("audiences", &names)
            .finish();
        self.bearer(&key, async |now| {
            let token = self.account_token(Provider::Generic, account, requests, audiences);
            let token = token.await?;
            let expires = Claims::of_token(token.expose())
                .ok()
                .and_then(|claims| claims.expires());
            Ok(Token {
                value: token,
                expires: expires.unwrap_or(now),
            })
        })
        .await
    }

    /// Returns a token for the blobs of Azure at an address. The controller's goes to Azure, or to
    /// a listed host.
    pub async fn blobs(
        &self,
        level: Level<'_>,
        endpoint: &Url,
        dial: &Dial,
    ) -> Result<(Sensitive<String>, Lookup), IdentityError> {
        self.check_azure(azure::Service::Blobs, level, endpoint)?;
        self.azure(level, azure::BLOBS, dial).await
    }

    /// Checks that a server may receive a token of Azure. The controller's goes to the service
    /// itself, or to a listed host.
    pub fn check_azure(
        &self,
        service: azure::Service,
        level: Level<'_>,
        url: &Url,
    ) -> Result<(), IdentityError> {
        let is_controller = matches!(level, Level::Controller);
        let cloud = azure::Cloud::of(&self.environment)?;
        service.check(url, is_controller, &cloud, &self.listed_hosts)
    }

    async fn new_aws(
        &self,
        token: Option<&(&Account, Sensitive<String>)>,
        role: &str,
        region: &str,
        endpoint: Option<&str>,
        transport: Transport<'_>,
        now: SystemTime,
    ) -> Result<AwsCredentials, IdentityError> {
        let sts = match endpoint {
            Some(address) => Sts::of_object(address, region)?,
            None => self.environment.sts(region)?,
        };
        let Some((account, token)) = token else {
            return self.environment.credentials_at(transport, &sts, now).await;
        };
        let session = aws::session_name(account.name(), account.namespace(), region);
        let who = AssumeRole {
            role,
            session: &session,
            token,
        };
        sts.assume(transport, &who).await
    }

    fn aws_region<'a>(
        &'a self,
        level: Level<'_>,
        location: AwsLocation<'a>,
    ) -> Result<&'a str, IdentityError> {
        let region = match (location.region, level) {
            (Some(region), _) => Ok(region),
            (None, Level::Controller) => self.environment.get("AWS_REGION").ok_or(
                "AWS_REGION environment variable is not set in the Flux controller. if you have \
                 properly configured IAM Roles for Service Accounts (IRSA) or EKS Pod Identity, \
                 please delete/replace the controller pod so the EKS admission controllers can \
                 inject this environment variable, or set it manually if the cluster is not EKS",
            ),
            (None, Level::Object { .. }) => Err(
                "an AWS region is required for authenticating with a service account. please \
                 configure one in the object spec",
            ),
        };
        let region = region.map_err(|why| IdentityError::Unusable(why.to_owned()));
        let region = region.map_err(|error| while_creating(level, error))?;
        aws::check_region(region)?;
        Ok(region)
    }

    fn transport<'a>(&'a self, dial: &'a Dial) -> Transport<'a> {
        Transport {
            clients: &self.clients,
            dial,
        }
    }

    async fn bearer(
        &self,
        key: &CacheKey,
        ask: impl AsyncFnOnce(SystemTime) -> Result<Token<Sensitive<String>>, IdentityError>,
    ) -> Result<(Sensitive<String>, Lookup), IdentityError> {
        let found = self.cached(key, async |now| {
            let token = ask(now).await?;
            Ok(Token {
                value: Credential::Bearer(token.value),
                expires: token.expires,
            })
        });
        match found.await? {
            (Credential::Bearer(token), lookup) => Ok((token, lookup)),
            (Credential::Aws(_) | Credential::Basic(_), _) => Err(mixed_up()),
        }
    }

    async fn basic(
        &self,
        key: &CacheKey,
        ask: impl AsyncFnOnce(SystemTime) -> Result<Token<Basic>, IdentityError>,
    ) -> Result<(Basic, Lookup), IdentityError> {
        let found = self.cached(key, async |now| {
            let token = ask(now).await?;
            Ok(Token {
                value: Credential::Basic(token.value),
                expires: token.expires,
            })
        });
        match found.await? {
            (Credential::Basic(basic), lookup) => Ok((basic, lookup)),
            (Credential::Aws(_) | Credential::Bearer(_), _) => Err(mixed_up()),
        }
    }

    async fn cached(
        &self,
        key: &CacheKey,
        ask: impl AsyncFnOnce(SystemTime) -> Result<Token<Credential>, IdentityError>,
    ) -> Result<(Credential, Lookup), IdentityError> {
        let now = SystemTime::from(self.clock.now());
        self.cache.token(key, now, || ask(now)).await
    }
}

/// Returns the identity that the annotations of an account name, for cache keys.
fn identity_text(provider: Provider, level: Level<'_>) -> String {
    match (provider, level.account()) {
        (Provider::Aws, _) => aws_identity(level),
        (Provider::Azure, _) => azure_identity(level),
        (Provider::Gcp, Some(account)) => gcp::identity_text(account),
        (Provider::Gcp | Provider::GitHub | Provider::Generic, _) => String::new(),
    }
}

fn aws_identity(level: Level<'_>) -> String {
    let account = level.account();
    let role = account.map(|account| aws::role(account.annotations()).unwrap_or_default());
    role.unwrap_or_default()
}

fn azure_identity(level: Level<'_>) -> String {
    let pair = level.account().map(azure::identity);
    match pair {
        Some(Ok((tenant, client))) => format!("{tenant}/{client}"),
        Some(Err(_)) | None => String::new(),
    }
}

/// Adds the account to an error about its annotations.
fn identity_of<T>(account: &Account, found: Result<T, IdentityError>) -> Result<T, IdentityError> {
    found.map_err(|error| {
        error.during(format!(
            "failed to get provider identity from service account '{account}' annotations"
        ))
    })
}

fn while_creating(level: Level<'_>, error: IdentityError) -> IdentityError {
    error.during(format!(
        "failed to create provider access token for {level}"
    ))
}

fn mixed_up() -> IdentityError {
    IdentityError::Unusable("the token cache returned a credential of another kind".to_owned())
}

mod secrets;
#[cfg(test)]
mod tests;
