//! Connects to the clusters that objects refer to by `spec.kubeConfig`: a kubeconfig in a Secret,
//! or a config map with the address and the identity.
//!
//! A kubeconfig is sanitized ([`sluice_client::kubeconfig::sanitize()`]). A config map names a
//! provider. `generic` uses tokens of a service account whose audience is the cluster. `aws`, `gcp`
//! and `azure` use tokens of the cloud, which also names address and certificate authority.
//! [`Targets`] caches connections, and tokens are cached for most of their lifetime. Impersonation
//! happens on the remote side. References are resolved in the namespace of the requesting object.
//!
//! The author of a config map may be a tenant. [`OwnAccount`] decides which servers may receive a
//! token of the controller.
//!
//! Start at [`Clusters::connect`]. Parity: `pkg: runtime/client`, `pkg: auth/{restconfig,generic}`.

mod args;
mod config;
mod counted;
mod error;
mod token;

use std::collections::HashSet;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use sluice_api::meta::KubeConfigReference;
use sluice_client::kubeconfig::{AllowedFields, sanitize};
use sluice_client::{Cluster, Identity, Options, Rate, TokenError, TokenSource};
use sluice_dial::{Bearer, Dial};
use sluice_digest::Algorithm;
use sluice_engine::ObjectKey;
use sluice_golang::error::chain;
use sluice_identity::{
    Account, CloudCluster, ClusterAccess, HostAllowlist, IdentityError, Provider, canonical_address,
};

use crate::accounts::ServiceAccounts;
use crate::component::Component;
use crate::host::observer;
use crate::targets::{TargetKey, Targets};

pub use args::ClusterArgs;
pub use counted::{CountedIdentities, IdentityOptions};
pub use error::{AddressError, RemoteError};

use config::{ClusterConfig, host_of, kubeconfig, server_url};
use token::{IdentityTokens, Receiver, bearer};

/// The operation in the metrics of the token cache.
const FETCH_KUBECONFIG: &str = "fetch_kubeconfig";
/// The default entries of a kubeconfig in a Secret.
const DEFAULT_ENTRIES: [&str; 2] = ["value", "value.yaml"];

/// Maximum decoded bytes of an answer of a tenant's API server. Compression makes gigabytes cheap.
const MAX_ANSWER_BYTES: usize = 64 << 20;

/// Maximum time for retries of a request by `Retry-After` of a tenant's API server.
const MAX_RETRY_TIME: Duration = Duration::from_secs(30);

/// The operator settings for remote clusters.
#[derive(Debug, Clone, Default)]
pub struct ClusterOptions {
    /// The allowed features of a kubeconfig.
    pub allowed_fields: AllowedFields,
    /// The service account if a config map names none.
    pub default_service_account: Option<String>,
    /// Whether objects may name service accounts.
    pub object_level_identity: bool,
    /// The servers that may receive a token of the controller.
    pub own_account: OwnAccount,
    /// The cache of tokens, and the hosts that may receive them.
    pub identity: IdentityOptions,
}

/// The servers that may receive a token of the controller.
///
/// The author of a config map chooses address, CA and audiences. A token of the service account for
/// the audience of the local API server would make the author an administrator. An access token of
/// a cloud would give the author the permissions of the controller in that cloud.
#[derive(Debug, Clone, Default)]
pub struct OwnAccount {
    /// Whether tenants are locked down, so that only listed hosts receive a token. The servers that
    /// a cloud names for a cluster receive one too.
    pub locked_down: bool,
    /// The hosts that the operator listed.
    pub hosts: HostAllowlist,
}

impl OwnAccount {
    /// Checks that a token of the controller's service account may be sent to a server. Without a
    /// lockdown, a token is allowed whose only audience is the server itself.
    fn check(
        &self,
        config: &ObjectKey,
        server: &str,
        sets_audiences: bool,
    ) -> Result<(), RemoteError> {
        let host = host_of(server);
        if self.hosts.allows(&host) || !(self.locked_down || sets_audiences) {
            return Ok(());
        }
        let cause = if self.locked_down {
            LOCKED_DOWN
        } else {
            "'audiences' would make it valid elsewhere"
        };
        Err(denied(config, host, cause))
    }
}

/// Why a token of the controller is not sent.
const LOCKED_DOWN: &str = "the tenants of this cluster are locked down (--no-cross-namespace-refs or \
                           --default-service-account)";

fn denied(config: &ObjectKey, host: String, cause: impl Into<String>) -> RemoteError {
    RemoteError::OwnAccount {
        config: config.clone(),
        host,
        cause: cause.into(),
    }
}

/// The requesting object, for metrics and for the namespace of its references.
#[derive(Debug, Clone, Copy)]
pub struct Requester<'a> {
    /// Its kind.
    pub kind: &'a str,
    /// Its name.
    pub key: &'a ObjectKey,
}

/// Connects to the clusters that objects refer to. Cheap to clone.
#[derive(Clone)]
pub struct Clusters {
    component: Component,
    options: ClusterOptions,
    targets: Targets,
    identities: CountedIdentities,
    /// The accounts of config maps, with the operator's default.
    accounts: ServiceAccounts,
    /// The versions of config maps for which a warning was logged.
    warned: Arc<Mutex<HashSet<TargetKey>>>,
}

/// Maximum number of remembered warnings; beyond it, all are forgotten.
const MAX_WARNINGS: usize = 1024;

/// The server of a config map.
struct Server {
    url: String,
    authority: Option<Vec<u8>>,
}

impl Clusters {
    /// Serves the objects of a component.
    pub fn new(component: &Component, options: ClusterOptions) -> Self {
        let default = options.default_service_account.as_deref();
        let accounts =
            ServiceAccounts::new(component.cluster().clone(), default.unwrap_or_default());
        Self {
            component: component.clone(),
            identities: CountedIdentities::new(component, &options.identity),
            options,
            targets: Targets::default(),
            accounts,
            warned: Arc::default(),
        }
    }

    /// Returns the identities of the controller.
    pub fn identities(&self) -> &CountedIdentities {
        &self.identities
    }

    /// Returns the service accounts of the cluster, with a default for objects that name none.
    pub fn accounts_with_default(&self, default: Option<&str>) -> ServiceAccounts {
        ServiceAccounts::new(
            self.component.cluster().clone(),
            default.unwrap_or_default(),
        )
    }

    /// Connects to the cluster of an object, impersonating `identity` if there is one. Without
    /// `remote` it is the cluster of the controller.
    pub async fn connect(
        &self,
        requester: Requester<'_>,
        remote: Option<&KubeConfigReference>,
        identity: Option<&Identity>,
    ) -> Result<Cluster, RemoteError> {
        let own = self.component.cluster();
        match (remote, identity) {
            (Some(remote), _) => self.remote(requester, remote, identity).await,
            (None, Some(identity)) => Ok(own.impersonate(identity)),
            (None, None) => Ok(own.clone()),
        }
    }

    async fn remote(
        &self,
        requester: Requester<'_>,
        reference: &KubeConfigReference,
        identity: Option<&Identity>,
    ) -> Result<Cluster, RemoteError> {
        let namespace = requester.key.namespace();
        match (&reference.secret_ref, &reference.config_map_ref) {
            (Some(secret), _) => {
                let key = ObjectKey::new(namespace, &secret.name);
                let entry = secret.key.as_deref().filter(|entry| !entry.is_empty());
                self.of_secret(key, entry, identity).await
            }
            (None, Some(config)) => {
                let key = ObjectKey::new(namespace, &config.name);
                self.of_config(requester, key, identity).await
            }
            (None, None) => Err(RemoteError::Nothing),
        }
    }

    /// Returns a token of a service account in the namespace of the requester or of this process.
    /// The token is not for an API server. `operation` is its name in metrics.
    pub async fn token(
        &self,
        requester: Requester<'_>,
        account: Option<&str>,
        audience: &str,
        operation: &'static str,
    ) -> Result<Bearer, TokenError> {
        let accounts = self.accounts_with_default(None);
        let found = accounts.account(requester.key.namespace(), account).await;
        let tokens = IdentityTokens {
            identities: self.identities.clone(),
            account: found.map_err(|error| TokenError(chain(&error)))?,
            accounts,
            receiver: Receiver::Audiences(vec![audience.to_owned()]),
        };
        let found = tokens.lookup().await;
        let token = self.identities.count(requester, operation, found);
        bearer(&token.map_err(|error| TokenError(chain(&error)))?)
    }

    async fn of_secret(
        &self,
        key: ObjectKey,
        entry: Option<&str>,
        identity: Option<&Identity>,
    ) -> Result<Cluster, RemoteError> {
        let secrets = self.component.secrets();
        let secret = match secrets.get(key.namespace(), key.name()).await {
            Ok(secret) => secret,
            Err(error) if error.is_not_found() => return Err(RemoteError::NoSecret { key }),
            Err(error) => {
                let reason = sluice_golang::error::chain(&error);
                return Err(RemoteError::Secret { key, reason });
            }
        };
        let found = match entry {
            Some(entry) => secret.entry(entry).map(|text| (entry, text)),
            None => DEFAULT_ENTRIES
                .into_iter()
                .find_map(|entry| Some((entry, secret.entry(entry)?))),
        };
        let Some((entry, text)) = found else {
            let entry = entry.unwrap_or(DEFAULT_ENTRIES[0]).to_owned();
            return Err(RemoteError::Entry { key, entry });
        };
        let target = TargetKey {
            kind: "Secret",
            object: key.clone(),
            entry: entry.to_owned(),
            resource_version: secret.resource_version().to_owned(),
        };
        let text = sluice_dial::Sensitive::new(String::from_utf8_lossy(text).into_owned());
        let allowed_fields = self.options.allowed_fields;
        self.connected(target, identity, None, move || {
            let clean = sanitize(text.expose(), allowed_fields).map_err(|source| {
                RemoteError::Kubeconfig {
                    key: key.clone(),
                    source,
                }
            })?;
            for dropped in clean.dropped() {
                tracing::warn!(secret = %key, "the kubeconfig asks for {dropped}: left out");
            }
            Ok(clean.into_config())
        })
        .await
    }

    async fn of_config(
        &self,
        requester: Requester<'_>,
        key: ObjectKey,
        identity: Option<&Identity>,
    ) -> Result<Cluster, RemoteError> {
        let secrets = self.component.secrets();
        let config = match secrets.config(key.namespace(), key.name()).await {
            Ok(config) => config,
            Err(error) if error.is_not_found() => return Err(RemoteError::NoConfigMap { key }),
            Err(error) => {
                let reason = sluice_golang::error::chain(&error);
                return Err(RemoteError::ConfigMap { key, reason });
            }
        };
        let place = ClusterConfig::of(&config)?;
        let account = self.account(&key, &place).await?;
        let receiver = match place.provider {
            Provider::Generic => Receiver::Audiences(place.generic_audiences()),
            provider => Receiver::Cluster(self.cluster(provider, &place, account.is_none())?),
        };
        let tokens = IdentityTokens {
            identities: self.identities.clone(),
            accounts: self.accounts.clone(),
            account,
            receiver,
        };
        let server = self.server(requester, &key, &place, &tokens).await?;
        // Requested first, so that a failure is reported here and not by a later request.
        let found = tokens.lookup().await;
        let found = self.identities.count(requester, FETCH_KUBECONFIG, found);
        found.map_err(|error| match &tokens.receiver {
            Receiver::Audiences(_) => RemoteError::Token(chain(&error)),
            Receiver::Cluster(_) => error.into(),
        })?;
        let target = TargetKey {
            kind: "ConfigMap",
            object: key.clone(),
            entry: String::new(),
            resource_version: version(&config.resource_version, tokens.account.as_ref(), &server),
        };
        if place.provider != Provider::Generic && tokens.account.is_none() {
            self.warn(&target, &place, &server);
        }
        self.connected(target, identity, Some(Arc::new(tokens)), move || {
            let kubeconfig = kubeconfig(&server.url, server.authority.as_deref());
            let clean = sanitize(&kubeconfig, AllowedFields::default())
                .map_err(|source| RemoteError::Kubeconfig { key, source })?;
            Ok(clean.into_config())
        })
        .await
    }

    /// Reads the account of a config map. `None` means the identity of the controller.
    async fn account(
        &self,
        key: &ObjectKey,
        place: &ClusterConfig,
    ) -> Result<Option<Account>, RemoteError> {
        let chosen = place.account.as_deref();
        let is_object_level = chosen.is_some() || self.options.default_service_account.is_some();
        if is_object_level && !self.options.object_level_identity {
            return Err(RemoteError::Token(
                "object-level workload identity is not enabled: turn on the feature gate ObjectLevelWorkloadIdentity to \
                 use service accounts for remote clusters"
                    .to_owned(),
            ));
        }
        Ok(self.accounts.account(key.namespace(), chosen).await?)
    }

    /// Parses the cluster of a cloud. Its name counts only if the cloud must be asked.
    fn cluster(
        &self,
        provider: Provider,
        place: &ClusterConfig,
        is_controller: bool,
    ) -> Result<CloudCluster, RemoteError> {
        let is_needed = provider == Provider::Aws || self.is_described(place, is_controller);
        let name = place.cluster.as_deref().filter(|_| is_needed);
        Ok(CloudCluster::parse(provider, name)?)
    }

    /// Whether the cloud must describe a cluster.
    fn is_described(&self, place: &ClusterConfig, is_controller: bool) -> bool {
        let is_complete = place.address.is_some() && place.authority.is_some();
        !is_complete || (is_controller && self.is_checked(place))
    }

    /// Whether the address of a config map must be one that the cloud names.
    fn is_checked(&self, place: &ClusterConfig) -> bool {
        let own = &self.options.own_account;
        let is_listed = |address: &String| {
            server_url(address).is_ok_and(|server| own.hosts.allows(&host_of(&server)))
        };
        own.locked_down && !place.address.as_ref().is_some_and(is_listed)
    }

    /// Returns the server that a config map and its cloud name.
    async fn server(
        &self,
        requester: Requester<'_>,
        key: &ObjectKey,
        place: &ClusterConfig,
        tokens: &IdentityTokens,
    ) -> Result<Server, RemoteError> {
        let is_controller = tokens.account.is_none();
        let Receiver::Cluster(cluster) = &tokens.receiver else {
            let url = place.generic_server()?;
            if is_controller {
                let own = &self.options.own_account;
                own.check(key, &url, !place.audiences.is_empty())?;
            }
            let authority = place.authority.clone().map(String::into_bytes);
            return Ok(Server { url, authority });
        };
        let address = place.address.as_deref();
        let written = address.map(server_url).transpose()?;
        let described = if self.is_described(place, is_controller) {
            let identities = self.identities.uncounted();
            let (level, dial) = (tokens.level(), Dial::default());
            let found = identities
                .cluster_access(level, cluster, address, &dial)
                .await;
            let found = self.identities.count(requester, FETCH_KUBECONFIG, found);
            Some(found.map_err(|error| {
                self.described_error(key, written.as_deref(), is_controller, error)
            })?)
        } else {
            None
        };
        if is_controller
            && self.is_checked(place)
            && let (Some(written), Some(described)) = (&written, &described)
        {
            check_described(key, written, described)?;
        }
        let (named, ca) = described.map_or((None, None), |access| {
            let ca = Some(access.ca).filter(|ca| !ca.is_empty());
            (Some(access.address), ca)
        });
        let url = match (written, named) {
            (Some(written), _) => written,
            (None, Some(named)) => server_url(&named)?,
            (None, None) => return Err(AddressError::Missing.into()),
        };
        let authority = place.authority.clone().map(String::into_bytes).or(ca);
        Ok(Server { url, authority })
    }

    /// A cloud that does not know the address of a config map denies a token of the controller.
    fn described_error(
        &self,
        key: &ObjectKey,
        written: Option<&str>,
        is_controller: bool,
        error: IdentityError,
    ) -> RemoteError {
        match (&error, written) {
            (IdentityError::OtherAddress(cause), Some(server))
                if is_controller && self.options.own_account.locked_down =>
            {
                denied(key, host_of(server), format!("{LOCKED_DOWN}, and {cause}"))
            }
            _ => error.into(),
        }
    }

    /// Logs once for each version of a config map that its author directs a token of the
    /// controller.
    fn warn(&self, target: &TargetKey, place: &ClusterConfig, server: &Server) {
        let host = host_of(&server.url);
        if place.address.is_none() || self.options.own_account.hosts.allows(&host) {
            return;
        }
        let mut warned = self.warned.lock().unwrap_or_else(PoisonError::into_inner);
        if warned.len() >= MAX_WARNINGS {
            warned.clear();
        }
        if warned.insert(target.clone()) {
            tracing::warn!(
                config_map = %target.object,
                "the controller's token of {} is sent to {host}, which the config map names: set serviceAccountName \
                 to use the identity of the tenant",
                place.provider
            );
        }
    }

    /// Returns the cached client, or connects with `configure` on a blocking thread, because a
    /// credential plugin may run.
    async fn connected(
        &self,
        target: TargetKey,
        identity: Option<&Identity>,
        tokens: Option<Arc<IdentityTokens>>,
        configure: impl FnOnce() -> Result<sluice_client::Config, RemoteError> + Send + 'static,
    ) -> Result<Cluster, RemoteError> {
        let shared = self.component.shared();
        let mut options = Options::new(format!(
            "{}/{}",
            self.component.name(),
            env!("CARGO_PKG_VERSION")
        ));
        options.rate = Rate::from_flags(shared.process.kube_api_qps, shared.process.kube_api_burst);
        options.observer = Some(observer(self.component.metrics()));
        options.max_answer_bytes = Some(MAX_ANSWER_BYTES);
        options.max_retry_time = MAX_RETRY_TIME;
        options.fence = Some(self.component.fence().clone());
        options.tokens = tokens.map(|tokens| tokens as Arc<dyn TokenSource>);
        let (targets, identity) = (self.targets.clone(), identity.cloned());
        let span = tracing::Span::current();
        let made = tokio::task::spawn_blocking(move || {
            span.in_scope(|| {
                targets.get(&target, identity.as_ref(), || {
                    Ok::<_, RemoteError>(Cluster::connect(configure()?, options)?)
                })
            })
        });
        made.await
            .map_err(|error| RemoteError::Interrupted(error.to_string()))?
    }
}

/// Checks that a cloud names the server of a config map.
fn check_described(
    key: &ObjectKey,
    written: &str,
    described: &ClusterAccess,
) -> Result<(), RemoteError> {
    let same = match (
        canonical_address(written),
        canonical_address(&described.address),
    ) {
        (Ok(written), Ok(named)) => written == named,
        _ => false,
    };
    if same {
        return Ok(());
    }
    let cause = format!(
        "{LOCKED_DOWN}, and the cluster's address is '{}'",
        described.address.escape_debug()
    );
    Err(denied(key, host_of(written), cause))
}

/// The version of everything that a client depends on. An account that is created again has another
/// UID, and one that is edited has other annotations.
fn version(config: &str, account: Option<&Account>, server: &Server) -> String {
    let account = Algorithm::Sha256.digest(format!("{account:?}").as_bytes());
    let authority = server.authority.as_deref().unwrap_or_default();
    let authority = Algorithm::Sha256.digest(authority);
    format!("{config} {account} {} {authority}", server.url)
}

#[cfg(test)]
mod tests;
