//! Clusters that objects name by `spec.kubeConfig`: a kubeconfig in a Secret, or a config map
//! that says where a cluster is and as whom to come.
//!
//! A kubeconfig is believed only in part ([`sluice_client::kubeconfig::sanitize()`]). A config
//! map's provider `generic` is served with tokens of a service account, whose audience is the
//! cluster; those of the clouds need their identities, which are not there yet: refused by name.
//! Connections are kept by [`Targets`], tokens for most of their life, and who impersonates does
//! so on the remote side. Everything is read in the namespace of the object that asks.
//!
//! Start at [`Clusters::cluster`]. Parity: `pkg: runtime/client`, `pkg: auth/generic`.

mod token;

use std::sync::Arc;
use std::time::SystemTime;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde_json::json;
use sluice_api::meta::KubeConfigReference;
use sluice_client::kubeconfig::{LoadError, Permit, sanitize};
use sluice_client::{Cluster, ConnectError, Identity, NoToken, Options, Rate, Tokens};
use sluice_dial::{Bearer, TokenCache};
use url::Url;

use crate::component::Component;
use crate::host::observer;
use crate::key::ObjectKey;
use crate::metrics::Looker;
use crate::secrets::{ConfigData, SecretError};
use crate::targets::{TargetKey, Targets};

use token::{Account, AccountTokens, TokenKey};

/// The operation of these tokens in the metrics of the cache.
const FETCH_KUBECONFIG: &str = "fetch_kubeconfig";
/// The entries of a Secret that hold a kubeconfig where none is named.
const DEFAULT_ENTRIES: [&str; 2] = ["value", "value.yaml"];

/// What the operator decided about remote clusters.
#[derive(Debug, Clone, Default)]
pub struct ClusterOptions {
    /// What a kubeconfig may ask for.
    pub permit: Permit,
    /// Whose tokens are used where a config map names nobody.
    pub default_service_account: Option<String>,
    /// Whether objects may choose service accounts.
    pub object_level_identity: bool,
    /// How many tokens are kept at most.
    pub max_tokens: usize,
    /// How long one is kept at most, whatever its own end is.
    pub max_token_age: std::time::Duration,
}

/// Finds the clusters that objects name. Cheap to clone.
#[derive(Clone)]
pub struct Clusters {
    component: Component,
    options: ClusterOptions,
    targets: Targets,
    tokens: Arc<TokenCache<TokenKey, Bearer>>,
}

/// Who asks, for the metrics and as the namespace of what is read.
#[derive(Debug, Clone, Copy)]
pub struct Asker<'a> {
    /// Its kind.
    pub kind: &'a str,
    /// Its name.
    pub key: &'a ObjectKey,
}

/// Why a cluster cannot be reached as it is named; the words are Flux's.
#[derive(Debug, thiserror::Error)]
pub enum RemoteError {
    /// Neither reference is set.
    #[error(
        "invalid .spec.kubeConfig, neither .spec.kubeConfig.provider nor .spec.kubeConfig.secretRef is set"
    )]
    Nothing,
    /// The Secret cannot be read.
    #[error("unable to read KubeConfig secret '{key}' error: {reason}")]
    Secret {
        /// Which.
        key: ObjectKey,
        /// Why.
        reason: String,
    },
    /// It has no such entry.
    #[error("KubeConfig secret '{key}' does not contain a '{entry}' key with a kubeconfig")]
    Entry {
        /// Which Secret.
        key: ObjectKey,
        /// The entry.
        entry: String,
    },
    /// The entry is no kubeconfig that can be used.
    #[error("KubeConfig secret '{key}'")]
    Kubeconfig {
        /// Which Secret.
        key: ObjectKey,
        /// What is wrong.
        source: LoadError,
    },
    /// The config map cannot be read.
    #[error("failed to get configmap {key}: {reason}")]
    ConfigMap {
        /// Which.
        key: ObjectKey,
        /// Why.
        reason: String,
    },
    /// Nobody knows the provider.
    #[error("provider '{0}' not implemented")]
    Provider(String),
    /// A provider that is known, and whose identities are not served.
    #[error(
        "spec.kubeConfig.configMapRef: the provider '{provider}' is not supported by this version: {missing} cannot \
         be had; use the provider 'generic', or a kubeconfig in a Secret"
    )]
    Cloud {
        /// Which.
        provider: &'static str,
        /// What would be needed.
        missing: &'static str,
    },
    /// There is no usable address.
    #[error(transparent)]
    Address(#[from] AddressError),
    /// No token for the cluster.
    #[error("failed to get access token for cluster: {0}")]
    Token(String),
    /// No client can be made.
    #[error(transparent)]
    Connect(#[from] ConnectError),
    /// Making it was interrupted.
    #[error("the client for the remote cluster was not made: {0}")]
    Interrupted(String),
}

impl RemoteError {
    /// Whether only this program's next version, or an edit, can lift it.
    pub fn is_terminal(&self) -> bool {
        matches!(self, Self::Cloud { .. })
    }
}

/// Why an address of a cluster is refused.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum AddressError {
    /// None is given.
    #[error("cluster address is required to create a REST config")]
    Missing,
    /// It cannot be read.
    #[error("failed to parse cluster address {0}: {1}")]
    Malformed(String, String),
    /// It is not encrypted.
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

    /// The cluster that an object names, as `identity` there, or as its credentials say.
    pub async fn cluster(
        &self,
        asker: Asker<'_>,
        reference: &KubeConfigReference,
        identity: Option<&Identity>,
    ) -> Result<Cluster, RemoteError> {
        let namespace = asker.key.namespace();
        match (&reference.secret_ref, &reference.config_map_ref) {
            (Some(secret), _) => {
                let key = ObjectKey::new(namespace, &secret.name);
                let entry = secret.key.as_deref().filter(|entry| !entry.is_empty());
                self.of_secret(key, entry, identity).await
            }
            (None, Some(config)) => {
                let key = ObjectKey::new(namespace, &config.name);
                self.of_config(asker, key, identity).await
            }
            (None, None) => Err(RemoteError::Nothing),
        }
    }

    /// A token of a service account in the asker's namespace, or of this process, for somebody
    /// else than an API server; counted as `operation`.
    pub async fn token(
        &self,
        asker: Asker<'_>,
        account: Option<&str>,
        audience: &str,
        operation: &'static str,
    ) -> Result<Bearer, NoToken> {
        let tokens = AccountTokens {
            component: self.component.clone(),
            cache: Arc::clone(&self.tokens),
            key: TokenKey {
                namespace: asker.key.namespace().to_owned(),
                account: account.map_or(Account::OfController, |name| {
                    Account::Named(name.to_owned())
                }),
                audiences: vec![audience.to_owned()],
            },
        };
        self.look(asker, &tokens, operation).await
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
            Err(error) => {
                let reason = reason("secrets", &key, &error);
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
        let permit = self.options.permit;
        self.connected(target, identity, None, move || {
            let clean =
                sanitize(text.expose(), permit).map_err(|source| RemoteError::Kubeconfig {
                    key: key.clone(),
                    source,
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
        asker: Asker<'_>,
        key: ObjectKey,
        identity: Option<&Identity>,
    ) -> Result<Cluster, RemoteError> {
        let secrets = self.component.secrets();
        let config = match secrets.config(key.namespace(), key.name()).await {
            Ok(config) => config,
            Err(error) => {
                let reason = reason("configmaps", &key, &error);
                return Err(RemoteError::ConfigMap { key, reason });
            }
        };
        let Place {
            address,
            authority,
            audiences,
            account,
        } = Place::of(&config)?;
        let account = account.or_else(|| self.options.default_service_account.clone());
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
        // Asked for once before anything else: a token that cannot be had says so here, and not
        // with the first of many requests.
        self.look(asker, &tokens, FETCH_KUBECONFIG)
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
            let clean = sanitize(&kubeconfig, Permit::default())
                .map_err(|source| RemoteError::Kubeconfig { key, source })?;
            Ok(clean.into_config())
        })
        .await
    }

    /// Asks for the token and counts that.
    async fn look(
        &self,
        asker: Asker<'_>,
        tokens: &AccountTokens,
        operation: &'static str,
    ) -> Result<Bearer, NoToken> {
        let asked = tokens.look().await;
        let looker = Looker {
            kind: asker.kind,
            key: asker.key,
            operation,
        };
        let lookup = asked.as_ref().ok().map(|(_, lookup)| *lookup);
        let metrics = self.component.metrics().tokens();
        metrics.looked(&self.tokens, looker, lookup);
        asked.map(|(token, _)| token)
    }

    /// The kept client, or one made by `configure`: on a thread that may block, since a
    /// credential plugin, where the operator allows them, is awaited.
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
        options.rate = Rate::from_flags(shared.kube_api_qps, shared.kube_api_burst);
        options.observer = Some(observer(self.component.metrics()));
        options.tokens = tokens.map(|tokens| tokens as Arc<dyn Tokens>);
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

/// What a config map says of a cluster.
#[derive(Debug, PartialEq, Eq)]
struct Place {
    address: String,
    authority: Option<String>,
    audiences: Vec<String>,
    account: Option<String>,
}

impl Place {
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
        if audiences.is_empty() {
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
            account: some("serviceAccountName"),
        })
    }
}

/// An address in the one form in which it is used: `https://host:port`.
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

/// The kubeconfig of a place, without a user: the token comes with each request.
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

/// Why something cannot be read, as client-go says it where it is missing.
fn reason(resource: &str, key: &ObjectKey, error: &SecretError) -> String {
    if error.is_not_found() {
        format!("{resource} \"{}\" not found", key.name())
    } else {
        sluice_golang::error::chain(error)
    }
}

/// The moment, as the cache of tokens counts it.
fn moment(component: &Component) -> SystemTime {
    component.clock().now().into()
}

#[cfg(test)]
mod tests;
