//! Caches the scheme and the authorization of registries.
//!
//! The key is the whole [`Remote`]: tenants share a token only with the same credentials and
//! connection settings. Each entry may be dropped at any time.

use std::collections::HashMap;
use std::net::IpAddr;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use http::{HeaderValue, Method, StatusCode};
use serde::Deserialize;
use sluice_dial::{Bearer, Dial, Sensitive, read_body};
use tokio::time::Instant;
use url::{Host, Url};

use super::{RefusedCall, Remote, broken, check};
use crate::challenge::Challenge;
use crate::error::Error;
use crate::keychain::Login;
use crate::text::printable;

/// Delay before plain HTTP is tried in parallel to TLS.
const HEAD_START: Duration = Duration::from_millis(300);
/// The lifetime of a token without one, by the specification.
const DEFAULT_LIFE: Duration = Duration::from_mins(1);
const LONGEST_LIFE: Duration = Duration::from_hours(1);
/// The lifetime of an issued password here. Its issuer has a cache, and knows its expiry.
const ISSUED_LIFE: Duration = Duration::from_mins(1);
/// Maximum size of a token.
const TOKEN_LIMIT: usize = 64 << 10;
/// Maximum number of cached grants. The first to expire is dropped.
const MAX_GRANTS: usize = 4096;
/// The client ID for token services.
const CLIENT_ID: &str = "flux";

/// The requested permission.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum Scope {
    Pull,
    Push,
}

impl Scope {
    const fn actions(self) -> &'static str {
        match self {
            Self::Pull => "pull",
            Self::Push => "push,pull",
        }
    }
}

#[derive(Debug, Default)]
pub(super) struct Access {
    /// Whether a registry uses plain HTTP, for those that may.
    plain: Mutex<HashMap<(String, Dial), bool>>,
    grants: Mutex<HashMap<(Remote, Scope), Grant>>,
}

#[derive(Debug)]
struct Grant {
    header: HeaderValue,
    until: Option<Instant>,
}

#[derive(Deserialize, Default)]
#[serde(default)]
struct TokenResponse {
    token: Option<String>,
    /// The OAuth name of the same field.
    access_token: Option<String>,
    expires_in: Option<u64>,
}

impl Access {
    /// The base URL of a repository.
    pub(super) async fn base(
        &self,
        client: &sluice_dial::Client,
        remote: &Remote,
    ) -> Result<Url, Error> {
        let scheme = if self.is_plain(client, remote).await? {
            "http"
        } else {
            "https"
        };
        let (registry, path) = (remote.repository.registry(), remote.repository.path());
        Url::parse(&format!("{scheme}://{registry}/v2/{path}/"))
            .map_err(|_| Error::invalid(remote.repository.to_string(), "it makes no address"))
    }

    async fn is_plain(&self, client: &sluice_dial::Client, remote: &Remote) -> Result<bool, Error> {
        if !remote.plain && !remote.repository.is_local() {
            return Ok(false);
        }
        let key = (remote.repository.registry().to_owned(), remote.dial.clone());
        if let Some(plain) = lock(&self.plain).get(&key) {
            return Ok(*plain);
        }
        let plain = probe(client, &key.0).await?;
        let mut known = lock(&self.plain);
        if known.len() >= MAX_GRANTS {
            known.clear();
        }
        known.insert(key, plain);
        Ok(plain)
    }

    /// Drops the cached scheme of a registry.
    pub(super) fn forget(&self, remote: &Remote) {
        let key = (remote.repository.registry().to_owned(), remote.dial.clone());
        lock(&self.plain).remove(&key);
    }

    /// Returns the cached authorization, if it is still valid.
    pub(super) fn cached_authorization(
        &self,
        remote: &Remote,
        scope: Scope,
    ) -> Option<HeaderValue> {
        let grants = lock(&self.grants);
        let grant = grants.get(&(remote.clone(), scope))?;
        grant
            .until
            .is_none_or(|until| until > Instant::now())
            .then(|| grant.header.clone())
    }

    /// Drops the cached authorization.
    pub(super) fn revoke(&self, remote: &Remote, scope: Scope) {
        lock(&self.grants).remove(&(remote.clone(), scope));
    }

    /// Responds to a challenge with a login. Returns `None` if it does not suit.
    pub(super) async fn grant(
        &self,
        refused: &RefusedCall<'_>,
        login: &Login,
    ) -> Result<Option<HeaderValue>, Error> {
        let RefusedCall {
            client,
            remote,
            call,
            base,
            ..
        } = *refused;
        let scope = call.scope;
        let key = (remote.clone(), scope);
        lock(&self.grants).remove(&key);
        let (header, until) = match (refused.challenge.clone(), login) {
            (_, Login::Token(token)) => (token.header(), None),
            (Challenge::Basic, Login::Basic(basic)) => {
                let is_issued = matches!(remote.login, Login::OnDemand(_));
                (
                    basic.header(),
                    is_issued.then(|| Instant::now() + ISSUED_LIFE),
                )
            }
            (Challenge::Basic, Login::Anonymous | Login::Identity(_) | Login::OnDemand(_)) => {
                return Ok(None);
            }
            (
                Challenge::Bearer {
                    realm,
                    service,
                    scope: wanted,
                },
                login,
            ) => {
                let service = TokenService {
                    client,
                    remote,
                    realm: realm_of(&realm, base, remote)?,
                    service,
                    scopes: scopes(remote, scope, wanted),
                };
                let (token, life) = service.ask(login).await?;
                let until = Instant::now() + life.min(LONGEST_LIFE) * 4 / 5;
                (token.header(), Some(until))
            }
        };
        let mut grants = lock(&self.grants);
        if grants.len() >= MAX_GRANTS {
            let now = Instant::now();
            grants.retain(|_, grant| grant.until.is_none_or(|until| until > now));
        }
        if grants.len() >= MAX_GRANTS {
            grants.clear();
        }
        let grant = Grant {
            header: header.clone(),
            until,
        };
        grants.insert(key, grant);
        Ok(Some(header))
    }
}

/// A panic while the lock is held can only lose entries.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Detects whether a registry uses only plain HTTP.
async fn probe(client: &sluice_dial::Client, registry: &str) -> Result<bool, Error> {
    let ping = |scheme: &'static str| async move {
        let address = format!("{scheme}://{registry}/v2/");
        let url =
            Url::parse(&address).map_err(|_| Error::invalid(registry, "it makes no address"))?;
        // A redirect to another scheme is a valid response, but must not be followed.
        let sent = client.get(url.clone()).send().await;
        let response = sent.map_err(|error| broken(&Method::GET, &url, &error))?;
        // A TLS server responds with this status to plain HTTP.
        if scheme == "http" && response.status() == StatusCode::BAD_REQUEST {
            return Err(Error::invalid("answer over http", "it answered 400"));
        }
        Ok(())
    };
    let mut secure = std::pin::pin!(ping("https"));
    let refused = match tokio::time::timeout(HEAD_START, &mut secure).await {
        Ok(Ok(())) => return Ok(false),
        Ok(Err(error)) => Some(error),
        Err(_) => None,
    };
    // Go joins the errors of both schemes in the same way.
    let both = |secure: &Error, plain: &Error| match secure {
        Error::Transport { action, reason, .. } => Error::Transport {
            action: action.clone(),
            reason: format!("{reason}; {plain}"),
            transient: true,
        },
        error => Error::Transport {
            action: format!("reach registry {registry}"),
            reason: format!("{error}; {plain}"),
            transient: true,
        },
    };
    let plain = std::pin::pin!(ping("http"));
    if let Some(refused) = refused {
        return match plain.await {
            Ok(()) => Ok(true),
            Err(error) => Err(both(&refused, &error)),
        };
    }
    match futures::future::select(secure, plain).await {
        futures::future::Either::Left((Ok(()), _)) => Ok(false),
        futures::future::Either::Right((Ok(()), _)) => Ok(true),
        futures::future::Either::Left((Err(refused), plain)) => match plain.await {
            Ok(()) => Ok(true),
            Err(error) => Err(both(&refused, &error)),
        },
        futures::future::Either::Right((Err(error), secure)) => match secure.await {
            Ok(()) => Ok(false),
            Err(refused) => Err(both(&refused, &error)),
        },
    }
}

/// The scopes of the challenge and of the operation.
fn scopes(remote: &Remote, scope: Scope, wanted: Option<String>) -> Vec<String> {
    let ours = format!(
        "repository:{}:{}",
        remote.repository.path(),
        scope.actions()
    );
    match wanted {
        Some(wanted) if wanted != ours => vec![wanted, ours],
        _ => vec![ours],
    }
}

/// Checks the address of a token service. The untrusted registry provides it, and it receives
/// credentials. It must be as encrypted as the registry, and not in a private network.
fn realm_of(text: &str, base: &Url, remote: &Remote) -> Result<Url, Error> {
    let refuse = |reason: &str| {
        Err(Error::Challenge {
            registry: remote.repository.registry().to_owned(),
            reason: format!(
                "token service '{}' refused: {reason}",
                printable(text.split('?').next().unwrap_or_default(), 200)
            ),
        })
    };
    let Ok(realm) = Url::parse(text) else {
        return refuse("it is not a URL");
    };
    match (realm.scheme(), base.scheme()) {
        ("https", _) | ("http", "http") => {}
        _ => return refuse("it must be https"),
    }
    if !realm.username().is_empty() || realm.password().is_some() {
        return refuse("it holds credentials");
    }
    if realm.host() != base.host() && is_inside(&realm) && !is_inside(base) {
        return refuse("it is an address of a private network");
    }
    Ok(realm)
}

/// Addresses that are private to this network.
fn is_inside(url: &Url) -> bool {
    let address = match url.host() {
        Some(Host::Ipv4(address)) => IpAddr::V4(address),
        Some(Host::Ipv6(address)) => IpAddr::V6(address).to_canonical(),
        Some(Host::Domain(name)) => return name == "localhost" || name.ends_with(".localhost"),
        None => return true,
    };
    match address {
        IpAddr::V4(address) => {
            address.is_loopback()
                || address.is_private()
                || address.is_link_local()
                || address.is_unspecified()
        }
        IpAddr::V6(address) => {
            address.is_loopback()
                || address.is_unspecified()
                || address.is_unique_local()
                || address.is_unicast_link_local()
        }
    }
}

struct TokenService<'a> {
    client: &'a sluice_dial::Client,
    remote: &'a Remote,
    realm: Url,
    service: Option<String>,
    scopes: Vec<String>,
}

impl TokenService<'_> {
    async fn ask(&self, login: &Login) -> Result<(Bearer, Duration), Error> {
        if let Login::Identity(token) = login {
            match self.exchange(token).await {
                // Some services do not support this part of the protocol.
                Err(Error::Status {
                    status: StatusCode::NOT_FOUND | StatusCode::METHOD_NOT_ALLOWED,
                    ..
                }) => {}
                answer => return answer,
            }
        }
        let mut url = self.realm.clone();
        {
            let mut query = url.query_pairs_mut();
            for scope in &self.scopes {
                query.append_pair("scope", scope);
            }
            if let Some(service) = &self.service {
                query.append_pair("service", service);
            }
        }
        let mut request = self.client.get(url);
        if let Login::Basic(basic) = login {
            request = request.header(http::header::AUTHORIZATION, basic.header());
        }
        self.read(&Method::GET, request).await
    }

    async fn exchange(&self, token: &Sensitive<String>) -> Result<(Bearer, Duration), Error> {
        let form = self.exchange_form(token);
        let request = self
            .client
            .post(self.realm.clone())
            .header(
                http::header::CONTENT_TYPE,
                "application/x-www-form-urlencoded",
            )
            .body(form);
        self.read(&Method::POST, request).await
    }

    fn exchange_form(&self, token: &Sensitive<String>) -> String {
        let mut form = url::form_urlencoded::Serializer::new(String::new());
        form.append_pair("grant_type", "refresh_token")
            .append_pair("client_id", CLIENT_ID)
            .append_pair("scope", &self.scopes.join(" "))
            .append_pair("refresh_token", token.expose());
        if let Some(service) = &self.service {
            form.append_pair("service", service);
        }
        form.finish()
    }

    async fn read(
        &self,
        method: &Method,
        request: sluice_dial::RequestBuilder,
    ) -> Result<(Bearer, Duration), Error> {
        let action = format!(
            "get a token for registry {} from {}",
            self.remote.repository.registry(),
            self.realm.host_str().unwrap_or_default()
        );
        let response = request
            .send()
            .await
            .map_err(|error| broken(method, &self.realm, &error))?;
        let response = check(method, response).await?;
        let invalid = |reason: &str| Error::invalid(format!("answer to {action}"), reason);
        let body = read_body(response, TOKEN_LIMIT)
            .await
            .map_err(|error| invalid(&error.to_string()))?;
        // The parser's error would quote the token.
        let answer: TokenResponse =
            serde_json::from_slice(&body).map_err(|_| invalid("it is not a JSON object"))?;
        let text = answer
            .access_token
            .filter(|text| !text.is_empty())
            .or(answer.token)
            .map(Sensitive::new)
            .ok_or_else(|| invalid("there is no token in it"))?;
        let bearer = Bearer::new(text.expose()).map_err(|_| invalid("its token cannot be sent"))?;
        let life = answer.expires_in.map_or(DEFAULT_LIFE, Duration::from_secs);
        Ok((bearer, life.max(Duration::from_secs(1))))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::reference::Repository;

    #[test]
    fn unsafe_token_services_are_rejected() {
        let remote = Remote::anonymous(Repository::parse("registry.example.com/app").unwrap());
        let judge = |registry: &str, realm: &str| {
            realm_of(realm, &Url::parse(registry).unwrap(), &remote).is_ok()
        };
        let (tls, plain) = ("https://registry.example.com/", "http://10.0.0.1:5000/");
        for (registry, realm, allowed) in [
            (tls, "https://auth.example.com/token", true),
            (tls, "http://auth.example.com/token", false),
            (tls, "https://user:password@auth.example.com/token", false),
            (tls, "https://169.254.169.254/token", false),
            (tls, "https://[::ffff:169.254.169.254]/token", false),
            (tls, "https://127.0.0.1/token", false),
            (tls, "https://localhost/token", false),
            (tls, "file:///etc/passwd", false),
            (tls, "token", false),
            (plain, "http://10.0.0.1:5000/token", true),
            (plain, "http://10.0.0.2/token", true),
            (plain, "https://auth.example.com/token", true),
        ] {
            assert_eq!(judge(registry, realm), allowed, "{registry} {realm}");
        }
    }
}
