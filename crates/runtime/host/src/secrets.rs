//! Access to Secrets and `ConfigMap`s: read at each use, or cached with the feature gate
//! `CacheSecretsAndConfigMaps`.
//!
//! Readers get the types of `sluice_dial`, so remotes never see a Secret. Errors name the object
//! and the key, and never hold a value.

use std::collections::BTreeMap;

use k8s_openapi::api::core::v1::{ConfigMap, Secret, ServiceAccount};
use kube::Api;
use sluice_client::{Cluster, typed};
use sluice_dial::{Credentials, Invalid, Keys, Proxy, Sensitive, SshIdentity, Tls};
use sluice_engine::{Informers, ObjectKey, Watchable};
use sluice_golang::error::chain;
use sluice_identity::GithubApp;

use crate::args::SharedArgs;
use crate::gates::{CACHE_SECRETS_AND_CONFIG_MAPS, FeatureGates};

/// Access to Secrets and `ConfigMap`s. Cheap to clone.
#[derive(Clone)]
pub struct Secrets {
    cluster: Cluster,
    cache: Option<Cache>,
}

#[derive(Clone)]
struct Cache {
    informers: Informers,
    namespace: Option<String>,
}

/// The data of one Secret. Values are wiped when dropped and never printed.
#[derive(Clone)]
pub struct SecretData {
    key: ObjectKey,
    kind: String,
    resource_version: String,
    data: BTreeMap<String, Sensitive<Vec<u8>>>,
}

/// The data of one `ConfigMap`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ConfigData {
    /// Its name.
    pub key: ObjectKey,
    /// Its version.
    pub resource_version: String,
    /// Its text entries.
    pub data: BTreeMap<String, String>,
}

/// Why a Secret or `ConfigMap` cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum SecretError {
    /// It does not exist.
    #[error("{} '{key}' not found", kind.to_lowercase())]
    NotFound {
        /// `Secret`, `ConfigMap` or `serviceaccount`.
        kind: &'static str,
        /// Its name.
        key: ObjectKey,
    },
    /// It could not be read.
    #[error(transparent)]
    Read(#[from] sluice_client::Error),
    /// Its keys or values are invalid.
    #[error("secret '{key}'")]
    Invalid {
        /// Its name.
        key: ObjectKey,
        /// The reason.
        source: Invalid,
    },
    /// It has neither an authority nor a client certificate.
    #[error("secret '{0}' must contain either 'ca.crt' or both 'tls.crt' and 'tls.key'")]
    WithoutTls(ObjectKey),
    /// It has a password for a Git repository, but no user name. Flux does not name the Secret.
    #[error("invalid '{0}' auth option: 'password' requires 'username' to be set")]
    WithoutUsername(&'static str),
}

impl SecretError {
    /// Whether the object does not exist.
    pub fn is_not_found(&self) -> bool {
        matches!(self, Self::NotFound { .. })
    }

    /// The message of the API server for an object that does not exist. Flux repeats it where it
    /// reads an object without its helpers.
    pub fn server_message(&self) -> String {
        match self {
            Self::NotFound { kind, key } => {
                format!("{}s \"{}\" not found", kind.to_lowercase(), key.name())
            }
            error => chain(error),
        }
    }
}

impl Secrets {
    pub(crate) fn new(
        cluster: Cluster,
        informers: Informers,
        shared: &SharedArgs,
        gates: &FeatureGates,
    ) -> Self {
        let cache = gates.enabled(CACHE_SECRETS_AND_CONFIG_MAPS).then(|| Cache {
            informers,
            namespace: shared.watched_namespace().map(str::to_owned),
        });
        Self { cluster, cache }
    }

    /// Reads a Secret.
    pub async fn get(&self, namespace: &str, name: &str) -> Result<SecretData, SecretError> {
        let key = ObjectKey::new(namespace, name);
        let secret: Secret = self.read("Secret", &key).await?;
        let data = secret.data.unwrap_or_default();
        Ok(SecretData {
            key,
            kind: secret.type_.unwrap_or_default(),
            resource_version: secret.metadata.resource_version.unwrap_or_default(),
            data: data
                .into_iter()
                .map(|(name, value)| (name, Sensitive::from(value.0)))
                .collect(),
        })
    }

    /// Reads a `ConfigMap`.
    pub async fn config(&self, namespace: &str, name: &str) -> Result<ConfigData, SecretError> {
        let key = ObjectKey::new(namespace, name);
        let config: ConfigMap = self.read("ConfigMap", &key).await?;
        Ok(ConfigData {
            key,
            resource_version: config.metadata.resource_version.unwrap_or_default(),
            data: config.data.unwrap_or_default(),
        })
    }

    /// The names of the image pull secrets of a service account.
    pub async fn image_pull_secrets(
        &self,
        namespace: &str,
        account: &str,
    ) -> Result<Vec<String>, SecretError> {
        let key = ObjectKey::new(namespace, account);
        let cluster = &self.cluster;
        let api: Api<ServiceAccount> = Api::namespaced(cluster.client().clone(), namespace);
        match typed::get(&api, account).await {
            Ok(found) => Ok(found
                .image_pull_secrets
                .unwrap_or_default()
                .into_iter()
                .map(|reference| reference.name)
                .collect()),
            Err(kube::Error::Api(status)) if status.code == 404 => Err(SecretError::NotFound {
                kind: "serviceaccount",
                key,
            }),
            Err(error) => Err(cluster
                .error(format!("get serviceaccount {key}"), error)
                .into()),
        }
    }

    async fn read<S>(&self, kind: &'static str, key: &ObjectKey) -> Result<S, SecretError>
    where
        S: Watchable,
    {
        let cache = self.cache.as_ref();
        if let Some(found) = cache.and_then(|cache| Self::cached::<S>(cache, key)) {
            return Ok(found);
        }
        let api: Api<S> = Api::namespaced(self.cluster.client().clone(), key.namespace());
        match typed::get(&api, key.name()).await {
            Ok(found) => Ok(found),
            Err(kube::Error::Api(status)) if status.code == 404 => Err(SecretError::NotFound {
                kind,
                key: key.clone(),
            }),
            Err(error) => Err(self
                .cluster
                .error(format!("get {kind} {key}"), error)
                .into()),
        }
    }

    /// Reads from the cache. An object that it lacks is read from the server, because the cache may
    /// lag behind. The first snapshot is not awaited: a service account that may read but not list
    /// would wait for ever.
    fn cached<S: Watchable>(cache: &Cache, key: &ObjectKey) -> Option<S> {
        let store = cache
            .informers
            .synced_store::<S>(cache.namespace.as_deref())?;
        Some(store.get(key)?.as_ref().clone())
    }
}

impl SecretData {
    /// Its name.
    pub fn key(&self) -> &ObjectKey {
        &self.key
    }

    /// Its type, such as `Opaque`.
    pub fn kind(&self) -> &str {
        &self.kind
    }

    /// Its version: part of the key of data that is cached from it.
    pub fn resource_version(&self) -> &str {
        &self.resource_version
    }

    /// One entry.
    pub fn entry(&self, name: &str) -> Option<&[u8]> {
        self.data.get(name).map(|value| value.expose().as_slice())
    }

    /// The names of its entries, sorted.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.data.keys().map(String::as_str)
    }

    /// The credentials of a Git repository, if it has them. `scheme` is that of the URL.
    pub fn git_credentials(
        &self,
        scheme: &'static str,
    ) -> Result<Option<Credentials>, SecretError> {
        Credentials::from_keys(self).map_err(|source| match source {
            Invalid::Half { .. } => SecretError::WithoutUsername(scheme),
            source => self.invalid(source),
        })
    }

    /// Certificate authority and client certificate, if it has them. The older key names are
    /// accepted.
    pub fn tls(&self) -> Result<Option<Tls>, SecretError> {
        Tls::from_keys_or_legacy(self).map_err(|source| self.invalid(source))
    }

    /// Like [`Self::tls`], for a Secret that must have one of them.
    pub fn required_tls(&self) -> Result<Tls, SecretError> {
        let tls = self.tls()?;
        tls.ok_or_else(|| SecretError::WithoutTls(self.key.clone()))
    }

    /// An SSH key and its known hosts.
    pub fn ssh_identity(&self) -> Result<SshIdentity, SecretError> {
        SshIdentity::from_keys(self).map_err(|source| self.invalid(source))
    }

    /// A GitHub App.
    pub fn github_app(&self) -> Result<GithubApp, SecretError> {
        GithubApp::from_keys(self).map_err(|source| self.invalid(source))
    }

    /// A proxy.
    pub fn proxy(&self) -> Result<Proxy, SecretError> {
        Proxy::from_keys(self).map_err(|source| self.invalid(source))
    }

    fn invalid(&self, source: Invalid) -> SecretError {
        SecretError::Invalid {
            key: self.key.clone(),
            source,
        }
    }
}

impl Keys for SecretData {
    fn key(&self, name: &str) -> Option<&[u8]> {
        self.entry(name)
    }
}

impl std::fmt::Debug for SecretData {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("SecretData")
            .field("key", &self.key)
            .finish_non_exhaustive()
    }
}
