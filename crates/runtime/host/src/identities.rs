//! Identities of objects in clouds: the controller's own, or that of a service account.
//!
//! All kinds of a controller share one [`CloudIdentities`], and with it one cache. An object that
//! names a service account needs the feature gate. The operator's default account serves the
//! objects that name none; with it, no object uses the identity of the controller.
//!
//! Parity: `pkg: auth`.

mod buckets;

use std::sync::Arc;
use std::time::SystemTime;

use sluice_dial::{Basic, Credentials, Dial, HttpClients, OnDemand, Tls};
use sluice_engine::ObjectKey;
use sluice_golang::error::chain;
use sluice_identity::{
    Credential, GithubApp, HostAllowlist, Identities, IdentityError, IdentityStep, KeyParts,
    Lookup, Owner, Provider, RegistryLogin, Token,
};
use sluice_system::Clock;
use url::Url;

use crate::accounts::{AccountError, ServiceAccounts};
use crate::args::{ArgsError, IdentityArgs};
use crate::component::Component;
use crate::gates::OBJECT_LEVEL_WORKLOAD_IDENTITY;
use crate::remote::{CountedIdentities, IdentityOptions, Requester};

/// The operation label of the tokens in the cache metrics.
const RECONCILE: &str = "reconcile";

/// Gets credentials of clouds for the objects of a controller. Cheap to clone.
#[derive(Clone)]
pub struct CloudIdentities {
    counted: CountedIdentities,
    clients: Arc<HttpClients>,
    clock: Arc<dyn Clock>,
    accounts: ServiceAccounts,
    is_object_level: bool,
}

/// The object that needs credentials.
#[derive(Debug, Clone, Copy)]
pub struct IdentityUser<'a> {
    /// Kind of the object.
    pub kind: &'a str,
    /// Its namespace and name.
    pub key: &'a ObjectKey,
    /// The namespace of its service account.
    pub namespace: &'a str,
    /// The service account that it names.
    pub account: Option<&'a str>,
}

impl<'a> IdentityUser<'a> {
    fn requester(self) -> Requester<'a> {
        Requester {
            kind: self.kind,
            key: self.key,
        }
    }
}

/// The object names a service account, but the feature gate is off.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error(
    "to use spec.serviceAccountName for provider authentication please enable the \
     ObjectLevelWorkloadIdentity feature gate in the controller"
)]
pub struct GateDisabled;

/// The provider of a registry is unknown. It must not be taken for the generic one.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("spec.provider '{0}' is unknown, must be one of: generic, aws, azure, gcp")]
pub struct UnknownProvider(String);

/// Returns the cloud whose identity logs in to a registry. `None` is the generic provider.
pub fn registry_cloud(provider: Option<&str>) -> Result<Option<Provider>, UnknownProvider> {
    match provider.unwrap_or_default() {
        "" | "generic" => Ok(None),
        "aws" => Ok(Some(Provider::Aws)),
        "azure" => Ok(Some(Provider::Azure)),
        "gcp" => Ok(Some(Provider::Gcp)),
        other => Err(UnknownProvider(other.to_owned())),
    }
}

/// The credentials for a Git repository.
#[derive(Debug, Clone)]
pub struct GitCredentials {
    /// The credentials.
    pub credentials: Credentials,
    /// Identifies their owner. Passwords change, but access to fetched objects depends on the
    /// owner.
    pub owner: [u8; 32],
}

/// Credentials could not be obtained. The messages are Flux's.
#[derive(Debug, thiserror::Error)]
pub enum CloudError {
    /// The service account cannot be used.
    #[error("{}{}", purpose.map(|it| format!("failed to get access token for {it}: ")).unwrap_or_default(), chain(source))]
    Account {
        /// Purpose of the token.
        purpose: Option<&'static str>,
        /// Cause.
        source: AccountError,
    },
    /// The Secret names an identity of the node, but the operator has a default account.
    #[error(
        "a managed identity of the node must not be used, because the operator set \
         --default-service-account: name a service account in spec.serviceAccountName"
    )]
    NodeIdentity,
    /// The cloud refused, or a setting is invalid.
    #[error("{}", chain(.0))]
    Identity(#[from] IdentityError),
}

impl CloudIdentities {
    /// Uses the identity of the process, and the service accounts of its cluster. `listed_hosts`
    /// are the entries of `--identity-host-allowlist`.
    pub fn new(
        component: &Component,
        args: &IdentityArgs,
        listed_hosts: &[String],
    ) -> Result<Self, ArgsError> {
        args.validate(component.gates())?;
        let hosts = HostAllowlist::parse(listed_hosts.iter().map(String::as_str))
            .map_err(|error| ArgsError::ListedHost(error.to_string()))?;
        let clients = Arc::new(HttpClients::new(concat!(
            "sluice/",
            env!("CARGO_PKG_VERSION")
        )));
        let options = IdentityOptions {
            hosts,
            max_tokens: args.token_cache_max_size,
            max_token_age: args.token_cache_max_duration,
        };
        let cluster = component.cluster().clone();
        Ok(Self {
            counted: CountedIdentities::with_clients(component, Arc::clone(&clients), &options),
            clients,
            clock: Arc::clone(component.clock()),
            accounts: ServiceAccounts::new(cluster, &args.default_service_account),
            is_object_level: component.gates().enabled(OBJECT_LEVEL_WORKLOAD_IDENTITY),
        })
    }

    /// Checks that an object may name its service account.
    pub fn check_gate(&self, account: Option<&str>) -> Result<(), GateDisabled> {
        let is_named = account.is_some_and(|account| !account.is_empty());
        if is_named && !self.is_object_level {
            return Err(GateDisabled);
        }
        Ok(())
    }

    /// Returns the login at the registry of a host. It is issued when the registry asks for it.
    pub async fn registry(
        &self,
        user: IdentityUser<'_>,
        provider: Provider,
        host: &str,
        dial: &Dial,
    ) -> Result<OnDemand, CloudError> {
        self.identities().check_registry(provider, host)?;
        let owner = self.owner(user, Some("artifact registry")).await?;
        let dial = issuer_dial(dial);
        let identities = Arc::clone(self.identities());
        let login = RegistryLogin::new(identities, provider, owner, host, dial)?;
        let (counted, kind, key) = (self.counted.clone(), user.kind.to_owned(), user.key.clone());
        let observer = move |lookup| {
            let (kind, key) = (kind.as_str(), &key);
            counted.count_lookup(Requester { kind, key }, RECONCILE, lookup);
        };
        Ok(OnDemand::new(login.observed(Box::new(observer))))
    }

    /// Returns the credentials for a Git repository.
    pub async fn git(
        &self,
        user: IdentityUser<'_>,
        provider: Provider,
        url: &Url,
        dial: &Dial,
    ) -> Result<GitCredentials, CloudError> {
        let owner = self.owner(user, Some("Git repository")).await?;
        let dial = issuer_dial(dial);
        let found = self.identities().git(provider, owner.level(), url, &dial);
        let credentials = self.counted(user, found.await)?;
        Ok(GitCredentials {
            credentials,
            owner: owner.fingerprint(provider),
        })
    }

    /// Returns the token of a GitHub App, as a password. `dial` reaches GitHub.
    pub async fn github(
        &self,
        user: IdentityUser<'_>,
        app: &GithubApp,
        dial: &Dial,
    ) -> Result<Basic, CloudError> {
        let key = KeyParts::new(Provider::GitHub, "app")
            .hashed("app", app)
            .dial(dial)
            .finish();
        let now = SystemTime::from(self.clock.now());
        let ask = async || {
            let issuing = app.token(&self.clients, dial, now);
            let step = IdentityStep::Exchange;
            let issued = self.identities().timed(Provider::GitHub, step, issuing);
            let token = issued.await?;
            Ok(Token {
                value: Credential::Basic(token.value),
                expires: token.expires,
            })
        };
        let found = self.identities().cache().token(&key, now, ask).await;
        match self.counted(user, found)? {
            Credential::Basic(basic) => Ok(basic),
            Credential::Bearer(_) | Credential::Aws(_) => Err(IdentityError::Unusable(
                "the token cache returned a credential of another kind".to_owned(),
            )
            .into()),
        }
    }

    /// Reads the owner of the identity of an object.
    async fn owner(
        &self,
        user: IdentityUser<'_>,
        purpose: Option<&'static str>,
    ) -> Result<Owner, CloudError> {
        let account = self.accounts.account(user.namespace, user.account);
        let account = account
            .await
            .map_err(|source| CloudError::Account { purpose, source })?;
        Ok(account.map_or(Owner::Controller, |account| Owner::Object {
            account,
            requests: Arc::new(self.accounts.clone()),
        }))
    }

    fn identities(&self) -> &Arc<Identities> {
        self.counted.uncounted()
    }

    /// Counts a lookup and returns its credentials.
    fn counted<T>(
        &self,
        user: IdentityUser<'_>,
        found: Result<(T, Lookup), IdentityError>,
    ) -> Result<T, CloudError> {
        Ok(self.counted.count(user.requester(), RECONCILE, found)?)
    }
}

/// The connection to the issuer of tokens: by the object's proxy, without its certificates. They
/// are for its own server, and could let a tenant read the controller's requests to the issuer.
fn issuer_dial(dial: &Dial) -> Dial {
    Dial {
        tls: Tls::default(),
        ..dial.clone()
    }
}
