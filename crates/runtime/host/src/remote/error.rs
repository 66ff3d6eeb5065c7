//! Errors of remote clusters, in the words of Flux.

use sluice_client::ConnectError;
use sluice_engine::ObjectKey;
use sluice_golang::error::chain;
use sluice_identity::IdentityError;

use crate::accounts::AccountError;
use sluice_client::kubeconfig::LoadError;

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
    /// A key of the config map is not usable.
    #[error("config map '{config}': '{entry}' {reason}")]
    ConfigEntry {
        /// The config map.
        config: ObjectKey,
        /// The key.
        entry: &'static str,
        /// The reason.
        reason: String,
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
        cause: String,
    },
    /// The address of the provider `generic` is not usable.
    #[error(transparent)]
    Address(#[from] AddressError),
    /// No token could be requested.
    #[error("failed to get access token for cluster: {0}")]
    Token(String),
    /// The cloud did not provide a token or the cluster.
    #[error(transparent)]
    Cloud(#[from] IdentityError),
    /// No client could be made.
    #[error(transparent)]
    Connect(#[from] ConnectError),
    /// The thread that makes the client ended.
    #[error("the client for the remote cluster was not made: {0}")]
    Interrupted(String),
}

impl RemoteError {
    /// Whether the operator's flags forbid the access. A retry cannot help.
    pub fn is_denied(&self) -> bool {
        matches!(self, Self::OwnAccount { .. })
    }

    /// Whether the object with the credentials does not exist.
    pub fn is_not_found(&self) -> bool {
        matches!(self, Self::NoSecret { .. } | Self::NoConfigMap { .. })
    }
}

impl From<AccountError> for RemoteError {
    fn from(error: AccountError) -> Self {
        Self::Token(chain(&error))
    }
}

/// An invalid cluster address.
#[derive(Debug, thiserror::Error)]
pub enum AddressError {
    /// It is empty.
    #[error("cluster address is required to create a REST config")]
    Missing,
    /// It cannot be parsed, or does not use TLS.
    #[error("failed to parse cluster address {0}: {1}")]
    Invalid(String, IdentityError),
}
