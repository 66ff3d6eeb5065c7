//! Sends requests to registries: scheme detection, authorization, retries and errors.
//!
//! A registry without authentication needs one request. Otherwise the request is repeated with the
//! credentials that the challenge requires. The resulting authorization is cached per credentials
//! and connection settings, so later requests succeed at once. `Authorization` is only sent to the
//! registry itself, not to redirects and upload locations.

mod access;
mod blob;
mod on_demand;
mod pull;
mod push;
mod refusal;

use std::sync::Arc;

use bytes::Bytes;
use http::{HeaderName, HeaderValue, Method, StatusCode, header};
use sluice_dial::retry::{Attempt, is_transient};
use sluice_dial::{Dial, HttpClients, Response, Retry};
use url::Url;

use crate::challenge::{self, Challenge};
use crate::error::Error;
use crate::keychain::Login;
use crate::reference::Repository;
use access::Access;
pub(crate) use access::Scope;
pub use blob::Blob;
pub use pull::Content;
pub use push::Source;
use refusal::{broken, check, refusal};

/// A repository with credentials and connection settings.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Remote {
    /// The repository.
    pub repository: Repository,
    /// The credentials.
    pub login: Login,
    /// Trust and proxy.
    pub dial: Dial,
    /// Whether plain HTTP is allowed if the registry has no TLS.
    pub plain: bool,
}

impl Remote {
    /// Creates a remote without credentials.
    pub fn anonymous(repository: Repository) -> Self {
        Self {
            repository,
            login: Login::Anonymous,
            dial: Dial::default(),
            plain: false,
        }
    }
}

/// A client for all registries. It is cheap to clone. Share one per process.
#[derive(Debug, Clone)]
pub struct Client {
    http: Arc<HttpClients>,
    access: Arc<Access>,
    retry: Retry,
}

/// A request.
#[derive(Debug)]
pub(crate) struct Call {
    method: Method,
    /// The path below the repository.
    path: String,
    /// The URL of a redirect or upload location.
    url: Option<Url>,
    headers: Vec<(HeaderName, HeaderValue)>,
    body: Option<Bytes>,
    scope: Scope,
}

impl Call {
    pub(crate) fn new(method: Method, path: String, scope: Scope) -> Self {
        Self {
            method,
            path,
            url: None,
            headers: Vec::new(),
            body: None,
            scope,
        }
    }

    pub(crate) fn at(mut self, url: Url) -> Self {
        self.url = Some(url);
        self
    }

    pub(crate) fn accept(self, types: &'static str) -> Self {
        self.header(header::ACCEPT, HeaderValue::from_static(types))
    }

    pub(crate) fn header(mut self, name: HeaderName, value: HeaderValue) -> Self {
        self.headers.push((name, value));
        self
    }

    pub(crate) fn body(mut self, body: Bytes) -> Self {
        self.body = Some(body);
        self
    }
}

/// A call that the registry refused with a challenge.
pub(super) struct RefusedCall<'a> {
    client: &'a sluice_dial::Client,
    remote: &'a Remote,
    call: &'a Call,
    /// The base URL of the repository.
    base: &'a Url,
    url: &'a Url,
    challenge: Challenge,
}

impl Client {
    /// Creates a client. It retries transient errors twice, after one and two seconds or after
    /// `Retry-After`.
    pub fn new(http: Arc<HttpClients>) -> Self {
        Self {
            http,
            access: Arc::default(),
            retry: Retry {
                retries: 2,
                wait_min: std::time::Duration::from_secs(1),
                wait_max: std::time::Duration::from_secs(30),
            },
        }
    }

    /// Sets the retry policy.
    #[must_use]
    pub fn with_retry(self, retry: Retry) -> Self {
        Self { retry, ..self }
    }

    /// Sends a request with retries.
    async fn send(&self, remote: &Remote, call: &Call) -> Result<Response, Error> {
        self.retry
            .run(|_| async {
                match self.once(remote, call).await {
                    Ok(response) => Attempt::Done(response),
                    Err(error) => again(error),
                }
            })
            .await
    }

    /// Sends a request, and repeats it with the authorization that a challenge requires.
    async fn once(&self, remote: &Remote, call: &Call) -> Result<Response, Error> {
        let client = self.http.get(&remote.dial).map_err(|source| Error::Dial {
            registry: remote.repository.registry().to_owned(),
            source,
        })?;
        let base = self.access.base(&client, remote).await?;
        let url = match &call.url {
            Some(url) => url.clone(),
            None => base
                .join(&call.path)
                .map_err(|_| Error::invalid(call.path.clone(), "it makes no address"))?,
        };
        let ours = same_place(&base, &url);
        // A registry that has turned to plain HTTP gets no password of an identity.
        let is_private = base.scheme() == "https" || !matches!(remote.login, Login::OnDemand(_));
        let known = (ours && is_private)
            .then(|| self.access.cached_authorization(remote, call.scope))
            .flatten();
        let is_known = known.is_some();
        let mut response = self.exchange(&client, remote, call, &url, known).await?;
        if response.status() == StatusCode::FORBIDDEN
            && is_known
            && matches!(remote.login, Login::OnDemand(_))
        {
            // Expired passwords of ECR are forbidden, and access without credentials may end.
            self.access.revoke(remote, call.scope);
            response = self.exchange(&client, remote, call, &url, None).await?;
        }
        if response.status() == StatusCode::UNAUTHORIZED
            && ours
            && let Some(challenge) = challenge::find(response.headers())
        {
            let refused = RefusedCall {
                client: &client,
                remote,
                call,
                base: &base,
                url: &url,
                challenge,
            };
            let answer = match &remote.login {
                Login::OnDemand(source) => self.log_in(&refused, source).await?,
                login => self.authorize(&refused, login).await?,
            };
            return match answer {
                None => Err(refusal(&call.method, response).await),
                Some(response) => Ok(response),
            };
        }
        check(&call.method, response).await
    }

    /// Repeats a call with the authorization for a login. Returns `None` if the login does not suit
    /// the challenge.
    async fn authorize(
        &self,
        refused: &RefusedCall<'_>,
        login: &Login,
    ) -> Result<Option<Response>, Error> {
        let RefusedCall {
            client,
            remote,
            call,
            url,
            ..
        } = *refused;
        let Some(header) = self.access.grant(refused, login).await? else {
            return Ok(None);
        };
        let response = self
            .exchange(client, remote, call, url, Some(header))
            .await?;
        check(&call.method, response).await.map(Some)
    }

    async fn exchange(
        &self,
        client: &sluice_dial::Client,
        remote: &Remote,
        call: &Call,
        url: &Url,
        authorization: Option<HeaderValue>,
    ) -> Result<Response, Error> {
        let mut request = client.request(call.method.clone(), url.clone());
        for (name, value) in &call.headers {
            request = request.header(name, value);
        }
        if let Some(authorization) = authorization {
            request = request.header(header::AUTHORIZATION, authorization);
        }
        if let Some(body) = &call.body {
            request = request.body(body.clone());
        }
        request.send().await.map_err(|error| {
            if error.is_connect() {
                // The registry may have changed its scheme.
                self.access.forget(remote);
            }
            broken(&call.method, url, &error)
        })
    }
}

/// Whether credentials for the registry may be sent to the URL.
fn same_place(registry: &Url, url: &Url) -> bool {
    registry.scheme() == url.scheme()
        && registry.host() == url.host()
        && registry.port_or_known_default() == url.port_or_known_default()
}

fn again<T>(error: Error) -> Attempt<T, Error> {
    match &error {
        Error::Transport {
            transient: true, ..
        } => Attempt::Again { error, after: None },
        Error::Status { status, after, .. }
            if is_transient(*status) || *status == StatusCode::REQUEST_TIMEOUT =>
        {
            let after = *after;
            Attempt::Again { error, after }
        }
        _ => Attempt::Failed(error),
    }
}
