//! A client of one API server with one identity.

use std::collections::HashMap;
use std::fmt;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use http::HeaderValue;
use kube::Config;
use sluice_gvk::{GroupKind, GroupVersionKind};

use crate::connection_limit::ConnectionLimit;
use crate::discovery::{Discovery, Resource};
use crate::error::{Error, transport_reason};
use crate::fence::Fence;
use crate::identity::{Identity, IdentityError};
use crate::plugin::Plugin;
use crate::throttle::{Rate, Throttle};
use crate::tokens::TokenSource;
use crate::transport::{Observer, Shared, Transport};

/// Maximum number of cached impersonated clients. More tenants only cost new clients, not
/// connections.
const MAX_IDENTITIES: usize = 1024;

/// The options of a connection.
#[derive(Clone)]
pub struct Options {
    /// The `User-Agent` header.
    pub user_agent: String,
    /// Client-side rate limit; lifted when the server has API Priority and Fairness.
    pub rate: Option<Rate>,
    /// Timeout of one response. Watches and other streams are exempt.
    pub timeout: Duration,
    /// Maximum time for retries by `Retry-After`. Afterwards the last response is returned.
    pub max_retry_time: Duration,
    /// Maximum decoded bytes of one response. Watches limit each event instead, and other streams
    /// are exempt.
    pub max_answer_bytes: Option<usize>,
    /// Receives every attempt.
    pub observer: Option<Observer>,
    /// The source of bearer tokens, unless the configuration has a credential plugin.
    pub tokens: Option<Arc<dyn TokenSource>>,
    /// Refuses writes after the lease of the process.
    pub fence: Option<Fence>,
}

impl Options {
    /// Flux's defaults: 50 requests per second after a burst of 300, and a timeout of 30 seconds.
    pub fn new(user_agent: impl Into<String>) -> Self {
        Self {
            user_agent: user_agent.into(),
            rate: Some(Rate {
                qps: 50.0,
                burst: 300,
            }),
            timeout: Duration::from_secs(30),
            max_retry_time: Duration::MAX,
            max_answer_bytes: None,
            observer: None,
            tokens: None,
            fence: None,
        }
    }
}

impl fmt::Debug for Options {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Options")
            .field("user_agent", &self.user_agent)
            .field("rate", &self.rate)
            .field("timeout", &self.timeout)
            .field("max_retry_time", &self.max_retry_time)
            .field("max_answer_bytes", &self.max_answer_bytes)
            .finish_non_exhaustive()
    }
}

/// Why a client could not be made. Nothing was sent yet.
#[derive(Debug, thiserror::Error)]
pub enum ConnectError {
    /// The credentials, the certificates or the proxy cannot be used.
    #[error("connect to {host}: {reason}")]
    Unusable {
        /// `host:port`.
        host: String,
        /// The cause.
        reason: String,
    },
    /// The user agent has characters that a header cannot carry.
    #[error("user agent {0:?} holds characters that cannot be sent")]
    UserAgent(String),
    /// The impersonated identity is invalid.
    #[error(transparent)]
    Identity(#[from] IdentityError),
}

/// A client of one API server with one identity. Clones share connections, throttle and discovery.
#[derive(Clone)]
pub struct Cluster {
    client: kube::Client,
    identity: Option<Identity>,
    server: Arc<Server>,
    fence: Option<Fence>,
    /// Impersonated clients behind the same fence.
    by_identity: Arc<Mutex<HashMap<Identity, kube::Client>>>,
}

/// The parts that all identities share.
struct Server {
    base: kube::Client,
    shared: Arc<Shared>,
    discovery: Discovery,
    default_namespace: String,
    url: String,
}

impl Cluster {
    /// Makes a client, without a request. A credential plugin of the configuration runs once. Must
    /// be called within a Tokio runtime.
    pub fn connect(mut config: Config, options: Options) -> Result<Self, ConnectError> {
        let host = host(&config.cluster_url);
        let user_agent = HeaderValue::from_str(&options.user_agent)
            .map_err(|_| ConnectError::UserAgent(options.user_agent.clone()))?;
        let identity = take_identity(&mut config)?;
        // `Transport` retries. The retries of `kube` would go on for minutes, also without
        // `Retry-After`.
        config.default_retry = false;
        let default_namespace = config.default_namespace.clone();
        let url = config
            .cluster_url
            .to_string()
            .trim_end_matches('/')
            .to_owned();
        let unusable = |reason| ConnectError::Unusable {
            host: host.clone(),
            reason,
        };
        let plugin =
            Plugin::take(&mut config.auth_info).map_err(|error| unusable(error.to_string()))?;
        let base =
            kube::Client::try_from(config).map_err(|error| unusable(unusable_reason(&error)))?;
        let shared = Arc::new(Shared {
            throttle: Throttle::new(options.rate),
            connections: ConnectionLimit::new(),
            observer: options.observer,
            host,
            user_agent,
            timeout: options.timeout,
            max_retry_time: options.max_retry_time,
            max_answer_bytes: options.max_answer_bytes,
            plugin,
            tokens: options.tokens,
        });
        let server = Arc::new(Server {
            base,
            shared,
            discovery: Discovery::default(),
            default_namespace,
            url,
        });
        Ok(Self::new(server, identity, options.fence))
    }

    fn new(server: Arc<Server>, identity: Option<Identity>, fence: Option<Fence>) -> Self {
        Self {
            client: client(&server, identity.as_ref(), fence.as_ref()),
            identity,
            server,
            fence,
            by_identity: Arc::default(),
        }
    }

    /// Returns a client of the same server and identity whose writes end with a lease.
    #[must_use]
    pub fn fenced(&self, fence: &Fence) -> Self {
        Self::new(
            Arc::clone(&self.server),
            self.identity.clone(),
            Some(fence.clone()),
        )
    }

    /// Returns a client of the same server with another identity. It shares connections, throttle
    /// and discovery.
    #[must_use]
    pub fn impersonate(&self, identity: &Identity) -> Self {
        let mut clients = self
            .by_identity
            .lock()
            .unwrap_or_else(PoisonError::into_inner);
        if clients.len() >= MAX_IDENTITIES && !clients.contains_key(identity) {
            clients.clear();
        }
        let client = clients
            .entry(identity.clone())
            .or_insert_with(|| client(&self.server, Some(identity), self.fence.as_ref()))
            .clone();
        Self {
            client,
            identity: Some(identity.clone()),
            server: Arc::clone(&self.server),
            fence: self.fence.clone(),
            by_identity: Arc::clone(&self.by_identity),
        }
    }

    /// A client without throttle and connection limit. It serves requests that must not wait, such
    /// as a lease renewal.
    pub fn unthrottled_client(&self) -> kube::Client {
        let server = &self.server;
        let mut transport = transport(server, self.identity.as_ref(), self.fence.as_ref());
        transport.is_throttled = false;
        kube::Client::new(transport, &server.default_namespace)
    }

    /// The client for typed access, with the same throttle and counters.
    pub const fn client(&self) -> &kube::Client {
        &self.client
    }

    /// The impersonated identity; `None` is the identity of the credentials.
    pub const fn identity(&self) -> Option<&Identity> {
        self.identity.as_ref()
    }

    /// The server's `host:port`.
    pub fn host(&self) -> &str {
        &self.server.shared.host
    }

    /// The server's URL, without a slash at its end.
    pub fn url(&self) -> &str {
        &self.server.url
    }

    /// Whether both use the same server and identity, so that they may share data.
    pub fn is_same(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.server, &other.server) && self.identity == other.identity
    }

    /// Finds the path of a kind. For an unknown kind the cached discovery is refreshed once, with
    /// this identity. The cache is shared by all identities.
    pub async fn resolve(&self, gvk: &GroupVersionKind) -> Result<Resource, Error> {
        self.server
            .discovery
            .resource(&self.client, self.host(), gvk)
            .await
    }

    /// Finds a kind in the version that the server prefers.
    pub async fn preferred(&self, kind: &GroupKind) -> Result<Resource, Error> {
        self.server
            .discovery
            .preferred(&self.client, self.host(), kind)
            .await
    }

    /// All resources that the server serves.
    pub async fn resources(&self) -> Result<Vec<Resource>, Error> {
        self.server.discovery.all(&self.client, self.host()).await
    }

    /// Finds a kind again after a path of discovery `number` was not served.
    pub(crate) async fn resolve_again(
        &self,
        gvk: &GroupVersionKind,
        number: u64,
    ) -> Result<Resource, Error> {
        self.server.discovery.invalidate_up_to(number);
        self.resolve(gvk).await
    }

    /// The number of the cached discovery.
    pub(crate) fn discovery_number(&self) -> u64 {
        self.server.discovery.number()
    }

    /// Drops the cached discovery, because a CRD changed.
    pub fn invalidate_discovery(&self) {
        self.server.discovery.invalidate();
    }

    /// Converts an error of `kube`.
    pub fn error(&self, action: impl Into<String>, error: kube::Error) -> Error {
        Error::new(action, self.host(), error)
    }

    /// Waits until no ordinary request to the server is in flight, of any identity. Slow ones do
    /// not count. Requests that may yield to others wait here, with a limit of their own.
    pub async fn idle(&self) {
        self.server.shared.connections.idle().await;
    }

    /// Whether the client-side limit is off.
    pub fn is_throttle_lifted(&self) -> bool {
        self.server.shared.throttle.is_lifted()
    }
}

impl fmt::Debug for Cluster {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Cluster")
            .field("url", &self.server.url)
            .field("identity", &self.identity)
            .finish_non_exhaustive()
    }
}

/// Makes a client over the shared connections.
fn client(server: &Server, identity: Option<&Identity>, fence: Option<&Fence>) -> kube::Client {
    let transport = transport(server, identity, fence);
    kube::Client::new(transport, &server.default_namespace)
}

fn transport(server: &Server, identity: Option<&Identity>, fence: Option<&Fence>) -> Transport {
    Transport {
        inner: server.base.clone(),
        shared: Arc::clone(&server.shared),
        identity: identity.map(Identity::headers).unwrap_or_default().into(),
        is_throttled: true,
        fence: fence.cloned(),
    }
}

/// Moves impersonation from the configuration to an [`Identity`], which cannot be empty.
fn take_identity(config: &mut Config) -> Result<Option<Identity>, IdentityError> {
    let info = &mut config.auth_info;
    let user = info.impersonate.take();
    let groups = info.impersonate_groups.take().unwrap_or_default();
    let uid = info.impersonate_uid.take();
    let extra = info.impersonate_user_extra.take().unwrap_or_default();
    let Some(user) = user else {
        if groups.is_empty() && uid.is_none() && extra.is_empty() {
            return Ok(None);
        }
        return Err(IdentityError::Empty("user"));
    };
    let mut identity = Identity::user(&user)?;
    for group in &groups {
        identity = identity.group(group)?;
    }
    if let Some(uid) = &uid {
        identity = identity.uid(uid)?;
    }
    let mut extra: Vec<_> = extra.into_iter().collect();
    extra.sort();
    for (key, values) in &extra {
        for value in values {
            identity = identity.extra(key, value)?;
        }
    }
    Ok(Some(identity))
}

fn unusable_reason(error: &kube::Error) -> String {
    match error {
        // The message of `kube` has the whole URL, which may hold a password.
        kube::Error::ProxyProtocolUnsupported { proxy_url, .. } => format!(
            "a proxy of the scheme {:?} is not supported, only http, https and socks5 are",
            proxy_url.scheme_str().unwrap_or_default()
        ),
        error => transport_reason(error),
    }
}

fn host(url: &http::Uri) -> String {
    let host = url.host().unwrap_or_default();
    let usual = if url.scheme_str() == Some("http") {
        80
    } else {
        443
    };
    let port = url.port_u16().unwrap_or(usual);
    format!("{host}:{port}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn groups_without_a_user_are_rejected() {
        let mut config = Config::new("https://localhost:6443".parse().unwrap());
        config.auth_info.impersonate_groups = Some(vec!["system:masters".to_owned()]);
        assert_eq!(
            take_identity(&mut config),
            Err(IdentityError::Empty("user"))
        );
        let mut config = Config::new("https://localhost:6443".parse().unwrap());
        config.auth_info.impersonate = Some(String::new());
        assert_eq!(
            take_identity(&mut config),
            Err(IdentityError::Empty("user"))
        );
    }

    #[test]
    fn host_includes_the_port() {
        for (url, expected) in [
            ("https://10.0.0.1", "10.0.0.1:443"),
            ("http://localhost", "localhost:80"),
            ("https://[::1]:6443/prefix", "[::1]:6443"),
        ] {
            assert_eq!(host(&url.parse().unwrap()), expected);
        }
    }
}
