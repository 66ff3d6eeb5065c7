//! Keys of the transit engine of Vault and `OpenBao`.
//!
//! A document refers to a server, but its author need not be the operator of the server. So
//! the login happens only at servers that the operator lists, and redirects are not followed. An
//! allowlist limits which servers receive a token.

use std::collections::{BTreeMap, HashMap};
use std::fmt;
use std::sync::{Arc, PoisonError};
use std::time::Duration;

use async_trait::async_trait;
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde_json::{Value, json};
use sluice_dial::retry::{Attempt, is_transient, is_transient_failure};
use sluice_dial::{
    Dial, HttpClients, Method, Redirects, Retry, Sensitive, explain, hide, read_body,
};
use sluice_identity::ServiceAccount;
use url::Url;

use crate::data_key::DataKey;
use crate::keys::{KeyError, KeyService};
use crate::metadata::MasterKey;
use crate::recipient::Recipient;

/// The timeout of a request.
const REQUEST_TIMEOUT: Duration = Duration::from_secs(30);

/// The maximum size of a response, in bytes.
const MAX_RESPONSE_BYTES: usize = 1 << 20;

/// Retries transient errors twice.
const RETRY: Retry = Retry {
    retries: 2,
    wait_min: Duration::from_secs(1),
    wait_max: Duration::from_secs(4),
};

/// The key of the operator's config map.
pub const CONFIG_KEY: &str = "config.yaml";

/// Provides the token for a server.
#[async_trait]
pub trait TokenSource: Send + Sync {
    /// Returns the token for the server at an address.
    async fn token(&self, address: &str) -> Result<Sensitive<String>, KeyError>;
}

/// The same token for every server.
#[derive(Debug, Clone)]
pub struct StaticToken(pub Sensitive<String>);

#[async_trait]
impl TokenSource for StaticToken {
    async fn token(&self, _: &str) -> Result<Sensitive<String>, KeyError> {
        Ok(self.0.clone())
    }
}

/// Sends no token, because the author of a document chooses the server.
#[derive(Debug, Clone, Copy)]
pub struct WithheldToken;

#[async_trait]
impl TokenSource for WithheldToken {
    async fn token(&self, address: &str) -> Result<Sensitive<String>, KeyError> {
        Err(KeyError::new(format!(
            "the controller's VAULT_TOKEN is not sent to {address}, because the tenants of this cluster are locked \
             down: list the server in SOPS_HC_VAULT_ALLOWLIST"
        )))
    }
}

/// Provides tokens of a Kubernetes service account.
#[async_trait]
pub trait ServiceAccountTokenSource: Send + Sync {
    /// Returns a signed token of the service account for an audience.
    async fn token(&self, audience: &str) -> Result<Sensitive<String>, KeyError>;
}

/// The servers of the operator's config map, with their login paths.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct LoginPaths {
    paths: BTreeMap<String, String>,
    /// `namespace/name` of the config map, for messages.
    shown: String,
}

/// Which servers may receive a token: `SOPS_HC_VAULT_ALLOWLIST`.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub enum Allowlist {
    /// All servers.
    #[default]
    All,
    /// Servers whose address begins with one of these prefixes.
    Prefixes(Vec<String>),
}

impl Allowlist {
    /// Parses `all`, `none` or prefixes separated by commas; empty text means `all`.
    pub fn parse(text: &str) -> Result<Self, KeyError> {
        match text {
            "" | "all" => Ok(Self::All),
            "none" => Ok(Self::Prefixes(Vec::new())),
            list => {
                let entries = list.split(',').map(|entry| match entry.trim_matches(' ') {
                    "" => Err(KeyError::new("SOPS_HC_VAULT_ALLOWLIST has an empty entry")),
                    entry => Ok(with_trailing_slash(entry)),
                });
                Ok(Self::Prefixes(entries.collect::<Result<_, _>>()?))
            }
        }
    }

    fn allows(&self, address: &str) -> bool {
        match self {
            Self::All => true,
            Self::Prefixes(prefixes) => {
                let address = with_trailing_slash(address);
                prefixes.iter().any(|prefix| address.starts_with(prefix))
            }
        }
    }
}

fn with_trailing_slash(address: &str) -> String {
    let slash = if address.ends_with('/') { "" } else { "/" };
    format!("{address}{slash}")
}

impl LoginPaths {
    /// Parses `instances[{address, loginPath}]`. `shown` is the config map, for messages.
    pub fn parse(config: &str, shown: impl Into<String>) -> Result<Self, KeyError> {
        let shown = shown.into();
        let refused = |reason: &str| {
            KeyError::new(format!(
                "failed to parse '{CONFIG_KEY}' in Vault ConfigMap '{shown}': {reason}"
            ))
        };
        let value =
            sluice_yaml::v2::from_str(config).map_err(|error| refused(&error.to_string()))?;
        let instances = match value.get("instances") {
            None | Some(Value::Null) => {
                return Ok(Self {
                    paths: BTreeMap::new(),
                    shown,
                });
            }
            Some(Value::Array(instances)) => instances,
            Some(_) => return Err(refused("instances is not a list")),
        };
        let mut paths = BTreeMap::new();
        for instance in instances {
            let field = |name| instance.get(name).and_then(Value::as_str);
            let address = field("address").ok_or_else(|| refused("an instance has no address"))?;
            let path = field("loginPath").unwrap_or_default();
            paths.insert(address.to_owned(), path.to_owned());
        }
        Ok(Self { paths, shown })
    }

    fn login_path(&self, address: &str) -> Result<&str, KeyError> {
        let path = self.paths.get(address).filter(|path| !path.is_empty());
        path.map(String::as_str).ok_or_else(|| {
            KeyError::new(format!(
                "no Vault login path configured for address '{address}' in ConfigMap '{}'",
                self.shown
            ))
        })
    }
}

/// Logs in with the token of a service account; the role is `{namespace}_{name}`. Caches the
/// Vault tokens during one reconciliation.
pub struct KubernetesLogin {
    client: Client,
    paths: LoginPaths,
    identity: Arc<dyn ServiceAccountTokenSource>,
    tokens: std::sync::Mutex<HashMap<String, Sensitive<String>>>,
}

impl fmt::Debug for KubernetesLogin {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("KubernetesLogin")
            .field("paths", &self.paths)
            .finish_non_exhaustive()
    }
}

impl KubernetesLogin {
    /// Creates a login for the listed servers.
    pub fn new(
        client: Client,
        paths: LoginPaths,
        identity: Arc<dyn ServiceAccountTokenSource>,
    ) -> Self {
        Self {
            client,
            paths,
            identity,
            tokens: std::sync::Mutex::default(),
        }
    }
}

#[async_trait]
impl TokenSource for KubernetesLogin {
    async fn token(&self, address: &str) -> Result<Sensitive<String>, KeyError> {
        let known = |tokens: &HashMap<String, _>| tokens.get(address).cloned();
        let tokens = || self.tokens.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(token) = known(&tokens()) {
            return Ok(token);
        }
        let path = self.paths.login_path(address)?;
        let jwt = self.identity.token(address).await?;
        let role = role(jwt.expose())?;
        let body = json!({"role": role, "jwt": jwt.expose()});
        let answer = self
            .client
            .write(address, path, None, body, Some(&jwt))
            .await;
        let answer = answer.map_err(|error| {
            KeyError::new(format!(
                "failed to authenticate with Vault '{address}' at login path '{path}' as role '{role}': {error}"
            ))
        })?;
        let token = answer.pointer("/auth/client_token").and_then(Value::as_str);
        let token = token.filter(|token| !token.is_empty()).ok_or_else(|| {
            KeyError::new(format!(
                "Vault '{address}' returned no token for login at '{path}' as role '{role}'"
            ))
        })?;
        let token = Sensitive::from(token);
        tokens().insert(address.to_owned(), token.clone());
        Ok(token)
    }
}

/// Returns the role for the service account of a token.
fn role(jwt: &str) -> Result<String, KeyError> {
    let account = ServiceAccount::of_token(jwt).map_err(|error| {
        KeyError::new(format!(
            "failed to derive Vault role for authentication: {error}"
        ))
    })?;
    Ok(format!("{}_{}", account.namespace, account.name))
}

/// A client for Vault servers. Cheap to clone.
#[derive(Debug, Clone)]
pub struct Client {
    http: Arc<HttpClients>,
    dial: Dial,
    namespace: Option<String>,
    allowlist: Allowlist,
}

impl Client {
    /// Creates a client with these dial options. Always rejects redirects, because the token
    /// would be sent along.
    pub fn new(http: Arc<HttpClients>, dial: Dial) -> Self {
        Self {
            http,
            dial: Dial {
                redirects: Redirects::Refuse,
                ..dial
            },
            namespace: None,
            allowlist: Allowlist::All,
        }
    }

    /// Sets the Vault namespace: `VAULT_NAMESPACE`.
    #[must_use]
    pub fn in_namespace(mut self, namespace: Option<String>) -> Self {
        self.namespace = namespace.filter(|namespace| !namespace.is_empty());
        self
    }

    /// Limits the servers.
    #[must_use]
    pub fn with_allowlist(mut self, allowlist: Allowlist) -> Self {
        self.allowlist = allowlist;
        self
    }

    /// Writes to a path and returns the response. `secret` is the secret in the body, which is
    /// removed from errors because the server may repeat it.
    async fn write(
        &self,
        address: &str,
        path: &str,
        token: Option<&Sensitive<String>>,
        body: Value,
        secret: Option<&Sensitive<String>>,
    ) -> Result<Value, KeyError> {
        if !self.allowlist.allows(address) {
            return Err(KeyError::new(format!("Allowlist does not allow {address}")));
        }
        let url = endpoint(address, path)?;
        let client = self
            .http
            .get(&self.dial)
            .map_err(|error| KeyError::new(error.to_string()))?;
        let body = Sensitive::new(body.to_string().into_bytes());
        let secrets = || {
            token
                .into_iter()
                .chain(secret)
                .map(|secret| secret.expose().as_str())
        };
        RETRY
            .run(|_| async {
                let mut request = client
                    .request(Method::PUT, url.clone())
                    .timeout(REQUEST_TIMEOUT)
                    .header("Content-Type", "application/json")
                    .header("X-Vault-Request", "true")
                    .body(body.expose().clone());
                if let Some(token) = token {
                    request = request.header("X-Vault-Token", token.expose());
                }
                if let Some(namespace) = &self.namespace {
                    request = request.header("X-Vault-Namespace", namespace);
                }
                match request.send().await {
                    Ok(response) => answer(response, |message| hide(message, secrets())).await,
                    Err(error) if is_transient_failure(&error) => Attempt::Again {
                        error: KeyError::new(explain(&error)),
                        after: None,
                    },
                    Err(error) => Attempt::Failed(KeyError::new(explain(&error))),
                }
            })
            .await
    }
}

async fn answer(
    response: sluice_dial::Response,
    hidden: impl Fn(&str) -> String,
) -> Attempt<Value, KeyError> {
    let status = response.status();
    let body = match read_body(response, MAX_RESPONSE_BYTES).await {
        Ok(body) => body,
        Err(error) => return Attempt::Failed(KeyError::new(error.to_string())),
    };
    let value: Option<Value> = serde_json::from_slice(&body).ok();
    if status.is_success() {
        return match value {
            Some(value) => Attempt::Done(value),
            None => Attempt::Failed(KeyError::new("the answer is not JSON")),
        };
    }
    if status.is_redirection() {
        let error = "the server redirects, and a token does not follow";
        return Attempt::Failed(KeyError::new(error));
    }
    let errors = value.as_ref().and_then(|value| value.get("errors"));
    let errors = errors.and_then(Value::as_array).into_iter().flatten();
    let message: Vec<&str> = errors.filter_map(Value::as_str).collect();
    // Some errors have several lines, but the message must have one.
    let message = hidden(&message.join("; "));
    let message: Vec<&str> = message.split_whitespace().collect();
    let message: String = message
        .join(" ")
        .chars()
        .filter(|c| !c.is_control())
        .take(300)
        .collect();
    let error = KeyError::new(if message.is_empty() {
        format!("the server answered {status}")
    } else {
        format!("the server answered {status}: {message}")
    });
    if is_transient(status) {
        Attempt::Again { error, after: None }
    } else {
        Attempt::Failed(error)
    }
}

/// Builds the URL of a path; escapes each part.
fn endpoint(address: &str, path: &str) -> Result<Url, KeyError> {
    let refused = || KeyError::new("its address is not the URL of a Vault server");
    let mut url = Url::parse(address).map_err(|_| refused())?;
    let is_server = matches!(url.scheme(), "http" | "https")
        && url.username().is_empty()
        && url.password().is_none()
        && url.query().is_none()
        && url.fragment().is_none();
    if !is_server {
        return Err(refused());
    }
    let parts: Vec<&str> = path.split('/').filter(|part| !part.is_empty()).collect();
    if parts.iter().any(|part| matches!(*part, "." | "..")) {
        return Err(KeyError::new("its path climbs out of the engine"));
    }
    url.path_segments_mut()
        .map_err(|()| refused())?
        .pop_if_empty()
        .push("v1")
        .extend(parts);
    Ok(url)
}

/// The key service for the transit engines of all servers.
pub struct Transit {
    client: Client,
    tokens: Arc<dyn TokenSource>,
}

impl Transit {
    /// Creates the service with a source of tokens.
    pub fn new(client: Client, tokens: Arc<dyn TokenSource>) -> Self {
        Self { client, tokens }
    }

    async fn ask(
        &self,
        recipient: &Recipient,
        verb: &str,
        body: Value,
        secret: Option<&Sensitive<String>>,
        field: &str,
    ) -> Result<Sensitive<String>, KeyError> {
        let Recipient::Vault {
            address,
            engine,
            key,
        } = recipient
        else {
            return Err(KeyError::new("it is not a key of Vault"));
        };
        let path = format!("{engine}/{verb}/{key}");
        let token = self.tokens.token(address).await?;
        let answer = self
            .client
            .write(address, &path, Some(&token), body, secret)
            .await?;
        let value = answer.get("data").and_then(|data| data.get(field));
        let value = value.and_then(Value::as_str).map(Sensitive::from);
        value.ok_or_else(|| KeyError::new(format!("the answer has no {field}")))
    }
}

#[async_trait]
impl KeyService for Transit {
    async fn unwrap(&self, key: &MasterKey) -> Result<DataKey, KeyError> {
        let body = json!({"ciphertext": key.wrapped});
        let plain = self
            .ask(&key.recipient, "decrypt", body, None, "plaintext")
            .await?;
        let key = STANDARD.decode(plain.expose());
        key.map(DataKey::new)
            .map_err(|_| KeyError::new("cannot decode base64 plaintext into data key bytes"))
    }

    async fn wrap(&self, recipient: &Recipient, part: &DataKey) -> Result<String, KeyError> {
        let plain = Sensitive::new(STANDARD.encode(part.expose()));
        let body = json!({"plaintext": plain.expose()});
        let text = self
            .ask(recipient, "encrypt", body, Some(&plain), "ciphertext")
            .await?;
        Ok(text.expose().clone())
    }
}

#[cfg(test)]
mod tests;
