//! Connects to the clusters that objects refer to by `spec.kubeConfig`: a kubeconfig in a Secret, or
//! a config map with the address and the identity.
//!
//! A kubeconfig is sanitized ([`sluice_client::kubeconfig::sanitize()`]). The provider `generic` of
//! a config map uses tokens of a service account whose audience is the cluster. The cloud providers
//! are not implemented and rejected by name. [`Targets`] caches connections, and tokens are cached
//! for most of their lifetime. Impersonation happens on the remote side. References are resolved in
//! the namespace of the requesting object.
//!
//! Start at [`Clusters::connect`]. Parity: `pkg: runtime/client`, `pkg: auth/generic`.

mod token;

use std::sync::Arc;
use std::time::Duration;
use std::time::SystemTime;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde_json::json;
use sluice_api::meta::KubeConfigReference;
use sluice_client::kubeconfig::{AllowedFields, LoadError, sanitize};
use sluice_client::{Cluster, ConnectError, Identity, Options, Rate, TokenError, TokenSource};
use sluice_dial::Bearer;
use sluice_engine::ObjectKey;
use sluice_engine::metrics::TokenUser;
use sluice_identity::{HostAllowlist, TokenCache};
use url::Url;

use crate::component::Component;
use crate::host::observer;
use crate::secrets::ConfigData;
use crate::targets::{TargetKey, Targets};

use token::{Account, AccountTokens, TokenKey};

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
    /// Maximum number of cached tokens.
    pub max_tokens: usize,
    /// Maximum age of a cached token, regardless of its expiration.
    pub max_token_age: std::time::Duration,
}

/// The servers that may receive a token of the controller's service account.
///
/// The author of a config map chooses address, CA and audiences. A token for the audience of the
/// local API server would make the author an administrator.
#[derive(Debug, Clone, Default)]
pub struct OwnAccount {
    /// Whether tenants are locked down, so that only listed hosts receive a token.
    pub locked_down: bool,
    /// The hosts that the operator listed.
    pub hosts: HostAllowlist,
}

impl OwnAccount {
    /// Checks that a token of the controller may be sent to a server. Without a lockdown, a token
    /// is allowed whose only audience is the server itself.
    fn check(&self, config: &ObjectKey, cluster: &ClusterAddress) -> Result<(), RemoteError> {
        let host = cluster.host();
        if self.hosts.allows(&host) || !(self.locked_down || cluster.sets_audiences) {
            return Ok(());
        }
        let cause = if self.locked_down {
            "the tenants of this cluster are locked down"
        } else {
            "'audiences' would make it valid elsewhere"
        };
        Err(RemoteError::OwnAccount {
            config: config.clone(),
            host,
            cause,
        })
    }
}

/// Connects to the clusters that objects refer to. Cheap to clone.
#[derive(Clone)]
pub struct Clusters {
    component: Component,
    options: ClusterOptions,
    targets: Targets,
    tokens: Arc<TokenCache<TokenKey, Bearer>>,
}

/// The requesting object, for metrics and for the namespace of its references.
#[derive(Debug, Clone, Copy)]
pub struct Requester<'a> {
    /// Its kind.
    pub kind: &'a str,
    /// Its name.
    pub key: &'a ObjectKey,
}

/// Why the cluster of an object cannot be used. The messages are Flux's.
#[derive(Debug, thiserror::Error)]
pub enum RemoteError {
    /// Neither reference is set.
    #[error(
        "invalid .spec.kubeConfig, neither .spec.kubeConfig.provider nor .spec.kubeConfig.secretRef is set"
    )]
    Nothing,
    /// The Secret does not exist.
    #[error(
        "unable to read KubeConfig secret '{key}' error: secrets \"{}\" not found",
        .key.name()
    )]
    NoSecret {
        /// Its name.
        key: ObjectKey,
    },
    /// The Secret cannot be read.
    #[error("unable to read KubeConfig secret '{key}' error: {reason}")]
    Secret {
        /// Its name.
        key: ObjectKey,
        /// The reason.
        reason: String,
    },
    /// The Secret lacks the entry.
    #[error("KubeConfig secret '{key}' does not contain a '{entry}' key with a kubeconfig")]
    Entry {
        /// The Secret.
        key: ObjectKey,
        /// The entry.
        entry: String,
    },
    /// The entry is not a usable kubeconfig.
    #[error("KubeConfig secret '{key}'")]
    Kubeconfig {
        /// The Secret.
        key: ObjectKey,
        /// The reason.
        source: LoadError,
    },
    /// The config map does not exist.
    #[error("failed to get configmap {key}: configmaps \"{}\" not found", .key.name())]
    NoConfigMap {
        /// Its name.
        key: ObjectKey,
    },
    /// The config map cannot be read.
    #[error("failed to get configmap {key}: {reason}")]
    ConfigMap {
        /// Its name.
        key: ObjectKey,
        /// The reason.
        reason: String,
    },
    /// The provider is unknown.
    #[error("provider '{0}' not implemented")]
    Provider(String),
    /// The provider is not implemented.
    #[error(
        "spec.kubeConfig.configMapRef: the provider '{provider}' is not supported by this version: {missing} cannot \
         be had; use the provider 'generic', or a kubeconfig in a Secret"
    )]
    Cloud {
        /// The provider.
        provider: &'static str,
        /// The missing credential.
        missing: &'static str,
    },
    /// The token of the controller must not be sent to the server.
    #[error(
        "spec.kubeConfig.configMapRef: config map '{config}' has no serviceAccountName, and a token of the controller \
         is not sent to {host}: {cause}; set serviceAccountName, or list the host in --identity-host-allowlist"
    )]
    OwnAccount {
        /// The config map.
        config: ObjectKey,
        /// The server.
        host: String,
        /// The reason.
        cause: &'static str,
    },
    /// The address is not usable.
    #[error(transparent)]
    Address(#[from] AddressError),
    /// No token could be requested.
    #[error("failed to get access token for cluster: {0}")]
    Token(String),
    /// No client could be made.
    #[error(transparent)]
    Connect(#[from] ConnectError),
    /// The thread that makes the client ended.
    #[error("the client for the remote cluster was not made: {0}")]
    Interrupted(String),
}

impl RemoteError {
    /// Whether a retry cannot help.
    pub fn is_terminal(&self) -> bool {
        matches!(self, Self::Cloud { .. })
    }

    /// Whether the object with the credentials does not exist.
    pub fn is_not_found(&self) -> bool {
        matches!(self, Self::NoSecret { .. } | Self::NoConfigMap { .. })
    }
}

/// An invalid cluster address.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum AddressError {
    /// It is empty.
    #[error("cluster address is required to create a REST config")]
    Missing,
    /// It cannot be parsed.
    #[error("failed to parse cluster address {0}: {1}")]
    Malformed(String, String),
    /// It does not use TLS.
    #[error(
        "failed to parse cluster address {0}: the Kubernetes API server address '{0}' must use https scheme"
    )]
    Scheme(String),
}

impl Clusters {
    /// Serves the objects of a component.
    pub fn new(component: &Component, options: ClusterOptions) -> Self {
        let tokens = TokenCache::new(options.max_tokens, options.max_token_age);
        Self {
            component: component.clone(),
            options,
            targets: Targets::default(),
            tokens: Arc::new(tokens),
        }
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
        let tokens = AccountTokens {
            component: self.component.clone(),
            cache: Arc::clone(&self.tokens),
            key: TokenKey {
                namespace: requester.key.namespace().to_owned(),
                account: account.map_or(Account::OfController, |name| {
                    Account::Named(name.to_owned())
                }),
                audiences: vec![audience.to_owned()],
            },
        };
        self.lookup(requester, &tokens, operation).await
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
        let mut place = ClusterAddress::of(&config)?;
        let account = place
            .account
            .take()
            .or_else(|| self.options.default_service_account.clone());
        if account.is_none() {
            self.options.own_account.check(&key, &place)?;
        }
        let ClusterAddress {
            address,
            authority,
            audiences,
            ..
        } = place;
        if account.is_some() && !self.options.object_level_identity {
            return Err(RemoteError::Token(
                "object-level workload identity is not enabled: turn on the feature gate ObjectLevelWorkloadIdentity to \
                 use service accounts for remote clusters"
                    .to_owned(),
            ));
        }
        let tokens = Arc::new(AccountTokens {
            component: self.component.clone(),
            cache: Arc::clone(&self.tokens),
            key: TokenKey {
                namespace: key.namespace().to_owned(),
                account: account.map_or(Account::OfController, Account::Named),
                audiences,
            },
        });
        // Requested first, so that a failure is reported here and not by a later request.
        self.lookup(requester, &tokens, FETCH_KUBECONFIG)
            .await
            .map_err(|error| RemoteError::Token(error.to_string()))?;
        let target = TargetKey {
            kind: "ConfigMap",
            object: key.clone(),
            entry: String::new(),
            resource_version: config.resource_version,
        };
        self.connected(target, identity, Some(tokens), move || {
            let kubeconfig = kubeconfig(&address, authority.as_deref());
            let clean = sanitize(&kubeconfig, AllowedFields::default())
                .map_err(|source| RemoteError::Kubeconfig { key, source })?;
            Ok(clean.into_config())
        })
        .await
    }

    /// Returns the token and counts the lookup.
    async fn lookup(
        &self,
        requester: Requester<'_>,
        tokens: &AccountTokens,
        operation: &'static str,
    ) -> Result<Bearer, TokenError> {
        let asked = tokens.lookup().await;
        let user = TokenUser {
            kind: requester.kind,
            key: requester.key,
            operation,
        };
        let lookup = asked.as_ref().ok().map(|(_, lookup)| *lookup);
        let metrics = self.component.metrics().tokens();
        metrics.count_lookup(&self.tokens, user, lookup);
        asked.map(|(token, _)| token)
    }

    /// Returns the cached client, or connects with `configure` on a blocking thread, because a
    /// credential plugin may run.
    async fn connected(
        &self,
        target: TargetKey,
        identity: Option<&Identity>,
        tokens: Option<Arc<AccountTokens>>,
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

/// The cluster that a config map describes.
#[derive(Debug, PartialEq, Eq)]
struct ClusterAddress {
    address: String,
    authority: Option<String>,
    audiences: Vec<String>,
    /// Whether the config map chooses the audiences; otherwise the address is the only one.
    sets_audiences: bool,
    account: Option<String>,
}

impl ClusterAddress {
    fn of(config: &ConfigData) -> Result<Self, RemoteError> {
        let text = |name: &str| config.data.get(name).map(String::as_str);
        let cloud = |provider, missing| Err(RemoteError::Cloud { provider, missing });
        match text("provider").unwrap_or_default() {
            "generic" => {}
            "aws" => return cloud("aws", "a token of AWS STS for the EKS cluster"),
            "azure" => return cloud("azure", "a token of Microsoft Entra for the AKS cluster"),
            "gcp" => return cloud("gcp", "an access token of Google Cloud for the GKE cluster"),
            other => return Err(RemoteError::Provider(other.to_owned())),
        }
        let written = text("address").unwrap_or_default();
        let address = canonical(written)?;
        let listed = text("audiences").unwrap_or_default().lines();
        let mut audiences: Vec<String> = listed
            .map(str::trim)
            .filter(|audience| !audience.is_empty())
            .map(str::to_owned)
            .collect();
        let sets_audiences = !audiences.is_empty();
        if !sets_audiences {
            audiences.push(written.to_owned());
        }
        let some = |name| {
            text(name)
                .filter(|text| !text.is_empty())
                .map(str::to_owned)
        };
        Ok(Self {
            address,
            authority: some("ca.crt"),
            audiences,
            sets_audiences,
            account: some("serviceAccountName"),
        })
    }

    /// The host of the normalized address.
    fn host(&self) -> String {
        let url = Url::parse(&self.address).ok();
        url.and_then(|url| url.host_str().map(str::to_owned))
            .unwrap_or_default()
    }
}

/// Normalizes an address to `https://host:port`.
fn canonical(address: &str) -> Result<String, AddressError> {
    if address.is_empty() {
        return Err(AddressError::Missing);
    }
    let url = if address.starts_with("http") {
        address.to_owned()
    } else {
        format!("https://{address}")
    };
    let malformed = |reason: &str| AddressError::Malformed(address.to_owned(), reason.to_owned());
    let url = Url::parse(&url).map_err(|error| malformed(&error.to_string()))?;
    if url.scheme() != "https" {
        return Err(AddressError::Scheme(address.to_owned()));
    }
    let host = url.host_str().ok_or_else(|| malformed("no host"))?;
    let port = url.port_or_known_default().unwrap_or(443);
    Ok(format!("https://{host}:{port}"))
}

/// A kubeconfig without credentials: each request gets its token.
fn kubeconfig(address: &str, authority: Option<&str>) -> String {
    let mut cluster = json!({"server": address});
    if let Some(authority) = authority {
        cluster["certificate-authority-data"] = STANDARD.encode(authority).into();
    }
    json!({
        "apiVersion": "v1", "kind": "Config", "current-context": "remote",
        "contexts": [{"name": "remote", "context": {"cluster": "remote", "user": "remote"}}],
        "clusters": [{"name": "remote", "cluster": cluster}],
        "users": [{"name": "remote", "user": {}}],
    })
    .to_string()
}

/// The current time for the token cache.
fn system_time(component: &Component) -> SystemTime {
    component.clock().now().into()
}

#[cfg(test)]
mod tests;
