//! The settings of a Provider: its spec together with the Secrets that it names.
//!
//! Parity: notification-controller: `internal/server/event_handlers.go`. Differences:
//! - a Secret with half a pair of credentials loses only that pair, and a [`Warning`] names it
//! - the certificate Secret of every type applies, and so does the proxy

use std::collections::BTreeMap;
use std::time::Duration;

use http::HeaderValue;
use sluice_api::notification::{Alert, Provider, ProviderType};
use sluice_dial::secret::{ADDRESS, PASSWORD, USERNAME};
use sluice_dial::{Basic, Invalid, Keys, Proxy, Sensitive, Tls};

use crate::address::MAX_ADDRESS_BYTES;
use crate::error::Error;
use crate::kind;
use crate::request::secret_header;

/// Timeout of a delivery, with all its attempts, unless the Provider sets one.
pub const DEFAULT_TIMEOUT: Duration = Duration::from_secs(15);

/// Key with the token.
pub const TOKEN: &str = "token";
/// Key with additional headers.
pub const HEADERS: &str = "headers";
/// Key with the address of a proxy. Deprecated.
pub const PROXY: &str = "proxy";
/// Key with the id of a GitHub App.
pub const GITHUB_APP_ID: &str = "githubAppID";
/// Key with the content of a NATS credentials file.
pub const NATS_CREDENTIALS: &str = "creds";
/// Key with the seed of a NATS key.
pub const NATS_SEED: &str = "nkey";

/// Settings from which a provider builds requests. Debug output hides every secret.
#[derive(Clone, Debug, Default)]
pub struct ProviderConfig {
    /// Type of the service.
    pub type_: ProviderType,
    /// Object that the settings belong to.
    pub identity: ObjectIdentity,
    /// Alert that sends the event.
    pub alert: ObjectIdentity,
    /// Address. It often contains a token.
    pub address: Sensitive<String>,
    /// Channel.
    pub channel: String,
    /// User name.
    pub username: String,
    /// Password.
    pub password: Sensitive<String>,
    /// Token.
    pub token: Sensitive<Vec<u8>>,
    /// Additional headers.
    pub headers: BTreeMap<String, Sensitive<String>>,
    /// Content of a NATS credentials file.
    pub nats_credentials: Option<Sensitive<Vec<u8>>>,
    /// Seed of a NATS key.
    pub nats_seed: Option<Sensitive<Vec<u8>>>,
    /// Whether the Secret describes a GitHub App.
    pub has_github_app: bool,
    /// Service account for a workload identity.
    pub service_account: Option<String>,
    /// Id of the commit status, for the types that set one.
    pub commit_status: String,
    /// Proxy.
    pub proxy: Option<Proxy>,
    /// TLS options.
    pub tls: Option<Tls>,
    /// Timeout of a delivery, with all its attempts.
    pub timeout: Duration,
}

/// Names of an object.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ObjectIdentity {
    /// Namespace.
    pub namespace: String,
    /// Name.
    pub name: String,
    /// UID.
    pub uid: String,
}

/// The Secrets that a Provider names.
#[derive(Clone, Copy, Default)]
pub struct Secrets<'a> {
    /// `spec.secretRef`.
    pub credentials: Option<&'a dyn Keys>,
    /// `spec.certSecretRef`.
    pub certificate: Option<&'a dyn Keys>,
    /// `spec.proxySecretRef`.
    pub proxy: Option<&'a dyn Keys>,
}

/// Returns the names of the Secrets: credentials, certificate and proxy.
pub fn secret_names(provider: &Provider) -> [Option<&str>; 3] {
    let spec = &provider.spec;
    let references = [
        &spec.secret_ref,
        &spec.cert_secret_ref,
        &spec.proxy_secret_ref,
    ];
    references.map(|reference| reference.as_ref().map(|it| it.name.as_str()))
}

/// A deprecated or ignored setting.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Warning {
    /// `spec.proxy` is deprecated.
    ProxyField,
    /// The key `proxy` of the Secret is deprecated.
    ProxyKey,
    /// Credentials of the Secret are ignored, because they are invalid.
    Ignored(Invalid),
    /// `spec.serviceAccountName` has no effect for this reason.
    Account(String),
}

impl Warning {
    /// Returns the message. Deprecations have Flux's words.
    pub fn message(&self) -> String {
        match self {
            Self::ProxyField => {
                "warning: spec.proxy is deprecated, please use spec.proxySecretRef \
                 instead. Support for this field will be removed in v1."
                    .to_owned()
            }
            Self::ProxyKey => {
                "warning: specifying proxy with 'proxy' key in the referenced secret \
                 is deprecated, use spec.proxySecretRef with 'address' key instead. Support for \
                 the 'proxy' key will be removed in v1."
                    .to_owned()
            }
            Self::Ignored(invalid) => format!("credentials of the Secret are ignored: {invalid}"),
            Self::Account(reason) => {
                format!("warning: spec.serviceAccountName is ignored: {reason}")
            }
        }
    }
}

impl ProviderConfig {
    /// Combines a Provider with its Secrets.
    pub fn resolve(
        provider: &Provider,
        alert: &Alert,
        secrets: Secrets<'_>,
    ) -> Result<(Self, Vec<Warning>), Error> {
        let spec = &provider.spec;
        let text = |field: &Option<String>| field.clone().unwrap_or_default();
        let mut warnings = Vec::new();
        let mut config = Self {
            type_: spec.type_.clone(),
            identity: ObjectIdentity::of(&provider.metadata),
            alert: ObjectIdentity::of(&alert.metadata),
            address: text(&spec.address).into(),
            channel: text(&spec.channel),
            username: text(&spec.username),
            service_account: spec.service_account_name.clone(),
            timeout: timeout(provider)?,
            ..Self::default()
        };
        if let Some(proxy) = &spec.proxy {
            warnings.push(Warning::ProxyField);
            config.proxy =
                Some(Proxy::new(proxy, None).map_err(|error| {
                    Error::Setting(format!("spec.proxy is not usable: {error}"))
                })?);
        }
        let namespace = &config.identity.namespace;
        let named = |reference: &Option<sluice_api::meta::LocalObjectReference>| {
            let name = reference.as_ref().map_or("", |it| it.name.as_str());
            format!("{namespace}/{name}")
        };
        let credentials = named(&spec.secret_ref);
        let certificate = named(&spec.cert_secret_ref);
        let proxy = named(&spec.proxy_secret_ref);
        if let Some(keys) = secrets.credentials {
            config.read_credentials(keys, &credentials, &mut warnings)?;
        }
        warnings.extend(config.unused_account());
        let refuse = |secret: &str| {
            let secret = secret.to_owned();
            move |source| Error::Secret { secret, source }
        };
        if let Some(keys) = secrets.proxy {
            config.proxy = Some(Proxy::from_keys(keys).map_err(refuse(&proxy))?);
        }
        let tls = match (secrets.certificate, secrets.credentials) {
            (Some(keys), _) => {
                let tls = Tls::from_keys_or_legacy(keys).map_err(refuse(&certificate))?;
                Some(tls.ok_or_else(|| {
                    refuse(&certificate)(Invalid::Missing(sluice_dial::secret::CA))
                })?)
            }
            (None, Some(keys)) if kind::sets_commit_status(&config.type_) => {
                Tls::from_keys_or_legacy(keys).map_err(refuse(&credentials))?
            }
            (None, _) => None,
        };
        config.tls = tls.map(Tls::replacing_system);
        Ok((config, warnings))
    }

    /// Returns a warning about a service account that has no effect, as in the reference.
    fn unused_account(&self) -> Option<Warning> {
        let has_token = !self.token.expose().is_empty();
        let reason = match &self.type_ {
            _ if self.service_account.is_none() => return None,
            type_ if !kind::has_cloud_identity(type_) => {
                format!("the type '{}' has no cloud identity", type_.as_str())
            }
            // An event hub refuses both at once.
            ProviderType::AzureEventHub => return None,
            _ if has_token => "the key 'token' of the Secret is used".to_owned(),
            _ => return None,
        };
        Some(Warning::Account(reason))
    }

    /// Reads the Secret of `spec.secretRef`.
    fn read_credentials(
        &mut self,
        keys: &dyn Keys,
        secret: &str,
        warnings: &mut Vec<Warning>,
    ) -> Result<(), Error> {
        let refuse = |source| Error::Secret {
            secret: secret.to_owned(),
            source,
        };
        if let Some(bytes) = keys.key(ADDRESS) {
            let address = std::str::from_utf8(bytes)
                .map_err(|_| refuse(Invalid::NotText(ADDRESS)))?
                .trim();
            if address.len() > MAX_ADDRESS_BYTES {
                return Err(Error::Setting(format!(
                    "invalid 'address' in secret '{secret}': longer than 2048 bytes"
                )));
            }
            self.address = address.into();
        }
        if let Some(proxy) = keys.text(PROXY).map_err(refuse)? {
            warnings.push(Warning::ProxyKey);
            self.proxy =
                Some(Proxy::new(proxy, None).map_err(|_| {
                    Error::Setting(format!("invalid 'proxy' in secret '{secret}'"))
                })?);
        }
        if let Some(bytes) = keys.key(HEADERS) {
            self.headers = read_headers(bytes, secret)?;
        }
        if let Some(token) = keys.key(TOKEN) {
            self.token = token.to_vec().into();
        }
        let text = |key: &'static str| keys.text(key).map(Option::unwrap_or_default);
        match (text(USERNAME), text(PASSWORD)) {
            (Ok(""), Ok("")) => {}
            (Ok(username), Ok(password)) if !username.is_empty() && !password.is_empty() => {
                username.clone_into(&mut self.username);
                self.password = password.into();
            }
            (Ok(""), Ok(_)) => warnings.push(half(PASSWORD, USERNAME)),
            (Ok(_), Ok(_)) => warnings.push(half(USERNAME, PASSWORD)),
            (Err(invalid), _) | (_, Err(invalid)) => warnings.push(Warning::Ignored(invalid)),
        }
        let secret = |key| keys.present(key).map(|bytes| bytes.to_vec().into());
        self.nats_credentials = secret(NATS_CREDENTIALS);
        self.nats_seed = secret(NATS_SEED);
        self.has_github_app = keys.key(GITHUB_APP_ID).is_some();
        Ok(())
    }

    /// Returns the token as text, or nothing without one.
    pub fn token_text(&self) -> Result<Option<&str>, Error> {
        if self.token.expose().is_empty() {
            return Ok(None);
        }
        let text = std::str::from_utf8(self.token.expose());
        text.map(Some).map_err(|_| unsendable())
    }

    /// Returns the token, or the password without a token.
    pub fn token_or_password(&self) -> Result<Option<&str>, Error> {
        let password = Some(self.password.expose().as_str()).filter(|text| !text.is_empty());
        Ok(self.token_text()?.or(password))
    }

    /// Returns the token as a header value after a scheme, such as `Bearer `.
    pub fn token_header(&self, scheme: &str) -> Result<HeaderValue, Error> {
        let mut value = scheme.as_bytes().to_vec();
        value.extend_from_slice(self.token.expose());
        secret_header("key 'token' of the Secret", &value)
    }

    /// Returns user name and password if both are set.
    pub fn basic(&self) -> Option<Basic> {
        let is_set = !self.username.is_empty() && !self.password.expose().is_empty();
        is_set.then(|| Basic::new(self.username.clone(), self.password.clone()))
    }

    /// Removes every secret of the settings from a text, such as an error of the service.
    pub fn hide(&self, text: &str) -> String {
        let token = String::from_utf8_lossy(self.token.expose());
        let headers = self.headers.values().map(|value| value.expose().as_str());
        let mut secrets: Vec<&str> = vec![
            self.address.expose(),
            &token,
            token.trim(),
            self.password.expose(),
        ];
        secrets.extend(headers);
        // A short text would also hide innocent words.
        secrets.retain(|secret| secret.len() >= 4);
        secrets.sort_unstable_by_key(|secret| std::cmp::Reverse(secret.len()));
        secrets.into_iter().fold(text.to_owned(), |text, secret| {
            text.replace(secret, "*****")
        })
    }
}

impl ObjectIdentity {
    /// Reads the names of an object.
    pub fn of(metadata: &k8s_openapi::apimachinery::pkg::apis::meta::v1::ObjectMeta) -> Self {
        Self {
            namespace: metadata.namespace.clone().unwrap_or_default(),
            name: metadata.name.clone().unwrap_or_default(),
            uid: metadata.uid.clone().unwrap_or_default(),
        }
    }
}

/// Returns the error about a token that cannot be sent.
pub(crate) fn unsendable() -> Error {
    Error::Unsendable {
        what: "key 'token' of the Secret".to_owned(),
    }
}

fn half(present: &'static str, absent: &'static str) -> Warning {
    Warning::Ignored(Invalid::Half { present, absent })
}

/// Returns the timeout of a Provider.
pub(crate) fn timeout(provider: &Provider) -> Result<Duration, Error> {
    let Some(timeout) = &provider.spec.timeout else {
        return Ok(DEFAULT_TIMEOUT);
    };
    let parsed = timeout.parse();
    parsed.map_err(|error| Error::Setting(format!("spec.timeout is not usable: {error}")))
}

/// Reads a YAML map of texts. Names and values must be usable in HTTP.
fn read_headers(bytes: &[u8], secret: &str) -> Result<BTreeMap<String, Sensitive<String>>, Error> {
    let refuse = |reason: String| Error::Headers {
        secret: secret.to_owned(),
        reason,
    };
    let value = sluice_yaml::v2::from_slice(bytes)
        .map_err(|_| refuse("the key 'headers' is not YAML".to_owned()))?;
    let map = match value {
        serde_json::Value::Null => return Ok(BTreeMap::new()),
        serde_json::Value::Object(map) => map,
        _ => return Err(refuse("the key 'headers' is not a map".to_owned())),
    };
    let mut headers = BTreeMap::new();
    for (name, value) in map {
        let value = match value {
            serde_json::Value::String(text) => Sensitive::from(text.as_str()),
            serde_json::Value::Null => Sensitive::from(""),
            // The reference's reader turns scalars into texts too.
            serde_json::Value::Bool(flag) => Sensitive::new(flag.to_string()),
            serde_json::Value::Number(number) => Sensitive::new(number.to_string()),
            _ => return Err(refuse(format!("the value of {name:?} is not text"))),
        };
        if http::HeaderName::from_bytes(name.as_bytes()).is_err() {
            return Err(refuse(format!("{name:?} is not the name of a header")));
        }
        if HeaderValue::from_str(value.expose()).is_err() {
            return Err(refuse(format!("the value of {name:?} cannot be sent")));
        }
        headers.insert(name, value);
    }
    Ok(headers)
}

#[cfg(test)]
mod tests;
