//! Credentials in JSON, as Google's tools write them.
//!
//! A file of the operator may name other files, addresses and accounts. A key that a tenant writes
//! may not: it would read a file of the controller and send it to an address of the tenant.

use std::time::{Duration, SystemTime};

use serde::Deserialize;
use serde_json::{Value, json};
use sluice_dial::Sensitive;
use sluice_system::fs;
use url::Url;

use super::SCOPES;
use super::federation::{Exchange, error_message, impersonate, request_token};
use crate::environment::MAX_TOKEN_FILE;
use crate::error::IdentityError;
use crate::jwt::{Algorithm, rsa_key, sign};
use crate::request::{Purpose, RETRY, TIMEOUT, Transport, answer};
use crate::token_cache::Token;

const TOKEN_URL: &str = "https://oauth2.googleapis.com/token";
const JWT_BEARER: &str = "urn:ietf:params:oauth:grant-type:jwt-bearer";
/// Lifetime of a statement.
const LIFETIME: Duration = Duration::from_hours(1);
/// Maximum lag of Google's clock.
const MAX_CLOCK_DRIFT: Duration = Duration::from_secs(10);

/// A URL in a file.
#[derive(Debug, Deserialize)]
#[serde(try_from = "String")]
struct Address(Url);

impl TryFrom<String> for Address {
    type Error = url::ParseError;

    fn try_from(text: String) -> Result<Self, Self::Error> {
        Url::parse(&text).map(Self)
    }
}

/// Credentials of a user or an account.
#[derive(Debug)]
pub struct Key(Kind);

#[derive(Debug, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
enum Kind {
    ServiceAccount(AccountKey),
    AuthorizedUser(UserKey),
    ExternalAccount(Box<ExternalAccount>),
    ImpersonatedServiceAccount(Impersonation),
}

#[derive(Deserialize)]
struct AccountKey {
    client_email: String,
    private_key: String,
    #[serde(default)]
    private_key_id: String,
    token_uri: Option<Address>,
}

#[derive(Deserialize)]
struct UserKey {
    client_id: String,
    client_secret: String,
    refresh_token: String,
    token_uri: Option<Address>,
}

#[derive(Debug, Deserialize)]
struct ExternalAccount {
    audience: String,
    subject_token_type: String,
    token_url: Address,
    credential_source: Source,
    service_account_impersonation_url: Option<Address>,
}

#[derive(Debug, Deserialize)]
struct Impersonation {
    service_account_impersonation_url: Address,
    #[serde(default)]
    delegates: Vec<String>,
    source_credentials: Box<Kind>,
}

/// The source of the token of an external account.
#[derive(Debug, Deserialize)]
struct Source {
    file: Option<String>,
    url: Option<Address>,
    #[serde(default)]
    headers: std::collections::BTreeMap<String, String>,
    #[serde(default)]
    format: Format,
    executable: Option<Value>,
    environment_id: Option<String>,
}

#[derive(Debug, Default, Deserialize)]
struct Format {
    #[serde(default, rename = "type")]
    kind: String,
    #[serde(default)]
    subject_token_field_name: String,
}

/// The key is in the file; it is not printed.
impl std::fmt::Debug for AccountKey {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_tuple("AccountKey")
            .field(&self.client_email)
            .finish()
    }
}

/// The secrets are in the file; they are not printed.
impl std::fmt::Debug for UserKey {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_tuple("UserKey").field(&self.client_id).finish()
    }
}

impl Drop for AccountKey {
    fn drop(&mut self) {
        sluice_dial::Wipe::wipe(&mut self.private_key);
    }
}

impl Drop for UserKey {
    fn drop(&mut self) {
        sluice_dial::Wipe::wipe(&mut self.client_secret);
        sluice_dial::Wipe::wipe(&mut self.refresh_token);
    }
}

impl Key {
    /// Parses a file of the operator.
    pub fn parse(text: &str) -> Result<Self, IdentityError> {
        let value: Value = serde_json::from_str(text)
            .map_err(|_| IdentityError::Unusable("the credentials are not JSON".to_owned()))?;
        let kind = value
            .get("type")
            .and_then(Value::as_str)
            .unwrap_or_default();
        let kind = kind.to_owned();
        let parsed = Kind::deserialize(value).map_err(|_| {
            IdentityError::Unusable(format!(
                "credentials of type '{}' are not supported, or lack a field",
                kind.escape_debug()
            ))
        })?;
        Ok(Self(parsed))
    }

    /// Parses a key of a tenant, which must not name files or addresses.
    pub fn of_tenant(text: &str) -> Result<Self, IdentityError> {
        let key = Self::parse(text)?;
        let token_url = match &key.0 {
            Kind::ServiceAccount(key) => &key.token_uri,
            Kind::AuthorizedUser(key) => &key.token_uri,
            Kind::ExternalAccount(_) | Kind::ImpersonatedServiceAccount(_) => {
                return Err(IdentityError::Unusable(format!(
                    "only credentials of the types 'service_account' and 'authorized_user' may be \
                     in a Secret: set the annotations {} and {} on a service account instead",
                    super::POOL_ANNOTATION,
                    super::EMAIL_ANNOTATION
                )));
            }
        };
        if token_url.as_ref().is_some_and(|url| !is_google(&url.0)) {
            return Err(IdentityError::Unusable(
                "token_uri of the credentials is not an address of Google".to_owned(),
            ));
        }
        Ok(key)
    }

    /// Requests an access token.
    pub async fn token(
        &self,
        transport: Transport<'_>,
        scopes: &[&str],
        now: SystemTime,
    ) -> Result<Token<Sensitive<String>>, IdentityError> {
        match &self.0 {
            // The level of impersonation is limited to one.
            Kind::ImpersonatedServiceAccount(Impersonation {
                service_account_impersonation_url: url,
                delegates,
                source_credentials,
            }) => {
                let token = source_credentials
                    .token(transport, &SCOPES[..1], now)
                    .await?;
                impersonate(&url.0, transport, &token.value, scopes, delegates).await
            }
            kind => kind.token(transport, scopes, now).await,
        }
    }
}

impl Kind {
    async fn token(
        &self,
        transport: Transport<'_>,
        scopes: &[&str],
        now: SystemTime,
    ) -> Result<Token<Sensitive<String>>, IdentityError> {
        match self {
            Self::ServiceAccount(key) => key.token(transport, scopes, now).await,
            Self::AuthorizedUser(key) => key.token(transport, now).await,
            Self::ExternalAccount(account) => account.token(transport, scopes, now).await,
            Self::ImpersonatedServiceAccount(_) => Err(IdentityError::Unusable(
                "impersonated credentials must not impersonate others".to_owned(),
            )),
        }
    }
}

impl AccountKey {
    async fn token(
        &self,
        transport: Transport<'_>,
        scopes: &[&str],
        now: SystemTime,
    ) -> Result<Token<Sensitive<String>>, IdentityError> {
        let url = token_url(self.token_uri.as_ref())?;
        let fail = |reason| IdentityError::Sign {
            signer: self.client_email.clone(),
            reason,
        };
        let since = now
            .duration_since(SystemTime::UNIX_EPOCH)
            .map_err(|_| fail("the clock is before 1970"))?;
        let issued = since.saturating_sub(MAX_CLOCK_DRIFT);
        let mut header = json!({ "alg": "RS256", "typ": "JWT" });
        if !self.private_key_id.is_empty() {
            header["kid"] = json!(self.private_key_id);
        }
        let claims = json!({
            "iss": self.client_email,
            "scope": scopes.join(" "),
            "aud": url.as_str(),
            "iat": issued.as_secs(),
            "exp": (issued + LIFETIME).as_secs(),
        });
        let key = rsa_key(self.private_key.as_bytes()).map_err(|reason| {
            IdentityError::Unusable(format!("private_key of {}: {reason}", self.client_email))
        })?;
        let statement = sign(
            &header.to_string(),
            &claims.to_string(),
            &key,
            Algorithm::Rs256,
        )
        .map_err(fail)?;
        let fields = [
            ("grant_type", JWT_BEARER),
            ("assertion", statement.expose()),
        ];
        let action = format!("get a Google token for {}", self.client_email);
        let secrets = [statement.expose().as_str()];
        request_token(&url, transport, &action, &fields, &secrets, now).await
    }
}

impl UserKey {
    async fn token(
        &self,
        transport: Transport<'_>,
        now: SystemTime,
    ) -> Result<Token<Sensitive<String>>, IdentityError> {
        let url = token_url(self.token_uri.as_ref())?;
        let fields = [
            ("grant_type", "refresh_token"),
            ("refresh_token", &self.refresh_token),
            ("client_id", &self.client_id),
            ("client_secret", &self.client_secret),
        ];
        let action = format!("get a Google token for the user of {}", self.client_id);
        let secrets = [self.refresh_token.as_str(), &self.client_secret];
        request_token(&url, transport, &action, &fields, &secrets, now).await
    }
}

impl ExternalAccount {
    async fn token(
        &self,
        transport: Transport<'_>,
        scopes: &[&str],
        now: SystemTime,
    ) -> Result<Token<Sensitive<String>>, IdentityError> {
        let token = self.credential_source.token(transport).await?;
        let impersonated = self.service_account_impersonation_url.as_ref();
        let exchange = Exchange {
            audience: &self.audience,
            token: &token,
            token_type: &self.subject_token_type,
            scopes: if impersonated.is_some() {
                &SCOPES[..1]
            } else {
                scopes
            },
        };
        let federated = exchange.token(&self.token_url.0, transport, now).await?;
        match impersonated {
            None => Ok(federated),
            Some(url) => impersonate(&url.0, transport, &federated.value, scopes, &[]).await,
        }
    }
}

impl Source {
    async fn token(&self, transport: Transport<'_>) -> Result<Sensitive<String>, IdentityError> {
        let unsupported = |what: &str| {
            Err(IdentityError::Unusable(format!(
                "credential_source of the credentials is {what}: set a file or a URL"
            )))
        };
        if self.executable.is_some() {
            return unsupported("an executable, which is never started");
        }
        if self.environment_id.is_some() {
            return unsupported("another cloud, which is not supported");
        }
        let text = match (&self.file, &self.url) {
            (Some(file), _) => {
                let bytes = fs::read_limited(file, MAX_TOKEN_FILE)?;
                Sensitive::new(String::from_utf8_lossy(&bytes).into_owned())
            }
            (None, Some(url)) => {
                let action = "get the token of the external account";
                // A plain address is one of this machine or its network, which no proxy may see.
                let client = match url.0.scheme() {
                    "http" => transport.local()?,
                    _ => transport.remote()?,
                };
                let mut request = client.get(url.0.clone()).timeout(TIMEOUT);
                for (name, value) in &self.headers {
                    request = request.header(name, value);
                }
                answer(request, &Purpose::new(action, error_message), RETRY).await?
            }
            (None, None) => return unsupported("empty"),
        };
        let token = if self.format.kind == "json" {
            let value: Value = serde_json::from_str(text.expose()).unwrap_or_default();
            let field = value.get(&self.format.subject_token_field_name);
            field.and_then(Value::as_str).unwrap_or_default().to_owned()
        } else {
            text.expose().trim().to_owned()
        };
        if token.is_empty() {
            return unsupported("without a token");
        }
        Ok(token.into())
    }
}

fn token_url(given: Option<&Address>) -> Result<Url, IdentityError> {
    match given {
        Some(url) => Ok(url.0.clone()),
        None => Url::parse(TOKEN_URL)
            .map_err(|error| IdentityError::Unusable(format!("{TOKEN_URL}: {error}"))),
    }
}

/// Whether an address is one that Google's keys name.
fn is_google(url: &Url) -> bool {
    let host = url.host_str().unwrap_or_default();
    url.scheme() == "https"
        && url.port().is_none()
        && url.username().is_empty()
        && url.password().is_none()
        && (host == "accounts.google.com"
            || host == "googleapis.com"
            || host.ends_with(".googleapis.com"))
}
