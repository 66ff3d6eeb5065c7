//! The one place that builds HTTP clients.
//!
//! A client is a connection pool: building one costs a parse of the system's
//! authorities and every first request a handshake. So clients are shared by
//! everyone who dials the same way, and keyed by *all* of that way: two tenants
//! share a connection only if they hold the same certificates.

use std::collections::HashMap;
use std::error::Error as _;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use bytes::{Bytes, BytesMut};

use crate::progress::{Noting, Resolver};
use crate::proxy::Proxy;
use crate::redirect::Redirects;
use crate::tls::Tls;

/// Clients kept at most; the one unused for longest goes first.
const MAX_CLIENTS: usize = 256;
/// Patience for one TCP and TLS handshake.
const CONNECT_TIMEOUT: Duration = Duration::from_secs(30);
/// How long an idle connection is kept.
const IDLE_TIMEOUT: Duration = Duration::from_secs(90);

/// How to reach a remote, apart from its address. Credentials that travel in
/// headers are no part of it: they belong to requests.
#[derive(Debug, Clone, Default, PartialEq, Eq, Hash)]
pub struct Dial {
    /// Trust, and our certificate.
    pub tls: Tls,
    /// Way out; `None` leaves it to the environment.
    pub proxy: Option<Proxy>,
    /// Whether no proxy is used at all, as for what is beside this machine.
    pub direct: bool,
    /// Where redirects may lead.
    pub redirects: Redirects,
}

/// Why no client could be built for a [`Dial`].
#[derive(Debug, thiserror::Error)]
pub enum DialError {
    /// A certificate or key that passes for PEM and is still unusable.
    #[error("set up TLS: {reason}")]
    Tls {
        /// What the TLS library says.
        reason: String,
    },
    /// A proxy address that the client cannot use.
    #[error("set up proxy {proxy}: {reason}")]
    Proxy {
        /// Its address, without credentials.
        proxy: String,
        /// What is wrong.
        reason: String,
    },
}

/// Clients by how they dial. Share one per process.
///
/// Every client: names itself with the given user agent, speaks TLS 1.2 or
/// later, gives up on a handshake after 30 s, sends no `Referer`, follows
/// redirects by [`Redirects`], and drops `Authorization` and cookies on the way
/// to another host, port or scheme. A client certificate is shown to whoever
/// asks for one, as in Go: it proves who we are and gives nothing away.
/// There is no time limit on a whole request, since a large clone may take
/// minutes: callers set theirs.
#[derive(Debug)]
pub struct HttpClients {
    user_agent: String,
    cache: Mutex<Cache>,
}

#[derive(Debug, Default)]
struct Cache {
    clients: HashMap<Dial, (u64, reqwest::Client)>,
    used: u64,
}

impl HttpClients {
    /// An empty cache whose clients call themselves `user_agent`.
    pub fn new(user_agent: impl Into<String>) -> Self {
        Self {
            user_agent: user_agent.into(),
            cache: Mutex::new(Cache::default()),
        }
    }

    /// The client for a way to dial: the one at hand, or a new one.
    pub fn get(&self, dial: &Dial) -> Result<reqwest::Client, DialError> {
        // A panic between two statements of the guard's holder leaves a map that
        // is merely less fresh; there is no invariant to lose.
        let mut cache = self.cache.lock().unwrap_or_else(PoisonError::into_inner);
        cache.used += 1;
        let now = cache.used;
        if let Some((used, client)) = cache.clients.get_mut(dial) {
            *used = now;
            return Ok(client.clone());
        }
        let client = self.build(dial)?;
        if cache.clients.len() >= MAX_CLIENTS {
            let oldest = cache
                .clients
                .iter()
                .min_by_key(|(_, (used, _))| *used)
                .map(|(dial, _)| dial.clone());
            if let Some(oldest) = oldest {
                cache.clients.remove(&oldest);
            }
        }
        cache.clients.insert(dial.clone(), (now, client.clone()));
        Ok(client)
    }

    fn build(&self, dial: &Dial) -> Result<reqwest::Client, DialError> {
        match self.builder(dial, Roots::System)?.build() {
            Ok(client) => Ok(client),
            // No authorities on this system, as in an image without a CA bundle.
            // Plain HTTP and the given authorities must still work; what needs
            // the system's fails its handshake with an unknown issuer.
            Err(_) if !dial.tls.insecure => {
                self.builder(dial, Roots::Given)?.build().map_err(tls_error)
            }
            Err(error) => Err(tls_error(error)),
        }
    }

    fn builder(&self, dial: &Dial, roots: Roots) -> Result<reqwest::ClientBuilder, DialError> {
        #[expect(
            clippy::disallowed_methods,
            reason = "this is the place that the ban points to"
        )]
        let mut builder = reqwest::Client::builder()
            .user_agent(&self.user_agent)
            .redirect(dial.redirects.policy())
            .referer(false)
            .connect_timeout(CONNECT_TIMEOUT)
            .pool_idle_timeout(IDLE_TIMEOUT)
            .tcp_keepalive(Duration::from_secs(30))
            .dns_resolver(Resolver)
            .connector_layer(Noting);
        let authorities = dial
            .tls
            .ca
            .as_deref()
            .map_or_else(|| Ok(Vec::new()), reqwest::Certificate::from_pem_bundle)
            .map_err(tls_error)?;
        builder = match roots {
            Roots::System => builder.tls_certs_merge(authorities),
            Roots::Given => builder.tls_certs_only(authorities),
        };
        if let Some(certificate) = &dial.tls.certificate {
            let mut pem = certificate.key().expose().clone();
            pem.push(b'\n');
            pem.extend_from_slice(certificate.chain());
            let identity = reqwest::Identity::from_pem(&pem).map_err(tls_error);
            crate::sensitive::Wipe::wipe(&mut pem);
            builder = builder.identity(identity?);
        }
        if dial.tls.insecure {
            builder = builder.tls_danger_accept_invalid_certs(true);
        }
        if dial.direct {
            builder = builder.no_proxy();
        } else if let Some(proxy) = &dial.proxy {
            let all = reqwest::Proxy::all(proxy.dialled()).map_err(|error| DialError::Proxy {
                proxy: proxy.to_string(),
                reason: explain(&error),
            })?;
            builder = builder.proxy(all);
        }
        Ok(builder)
    }
}

/// Which authorities a client starts from.
#[derive(Clone, Copy)]
enum Roots {
    /// The system's and the given ones.
    System,
    /// The given ones only.
    Given,
}

#[expect(clippy::needless_pass_by_value, reason = "used as a map_err function")]
fn tls_error(error: reqwest::Error) -> DialError {
    DialError::Tls {
        reason: explain(&error),
    }
}

/// Says why a request failed, in one line, without the address: its query or its
/// user information may be secret, and the caller names the remote anyway.
pub fn explain(error: &reqwest::Error) -> String {
    if error.is_timeout() {
        return if error.is_connect() {
            "connection timed out".to_owned()
        } else {
            "timed out".to_owned()
        };
    }
    let mut causes: Vec<String> = Vec::new();
    let mut source = error.source();
    while let Some(cause) = source {
        let text = cause.to_string();
        // Layers of the stack repeat the innermost text; each is said once.
        if !causes.last().is_some_and(|last| last.contains(&text)) {
            causes.push(text);
        }
        source = cause.source();
    }
    match causes.last() {
        // "client error (Connect)" and its like name a layer, not a cause.
        Some(_) => {
            let told: Vec<&str> = causes
                .iter()
                .map(String::as_str)
                .filter(|text| {
                    !text.starts_with("client error (") && *text != "error trying to connect"
                })
                .collect();
            if told.is_empty() {
                causes.join(": ")
            } else {
                told.join(": ")
            }
        }
        None => error.status().map_or_else(
            || {
                let kind = if error.is_decode() {
                    "unexpected answer"
                } else {
                    "request failed"
                };
                kind.to_owned()
            },
            |status| format!("server answered {status}"),
        ),
    }
}

/// Why a body could not be read.
#[derive(Debug, thiserror::Error)]
pub enum BodyError {
    /// The server sends more than the caller is willing to hold.
    #[error("the answer is larger than {limit} bytes")]
    TooLarge {
        /// The caller's limit.
        limit: usize,
    },
    /// The connection broke.
    #[error("read the answer: {0}")]
    Broken(String),
}

/// Reads a whole body of at most `limit` bytes into memory.
pub async fn read_body(mut response: reqwest::Response, limit: usize) -> Result<Bytes, BodyError> {
    let mut body = BytesMut::new();
    while let Some(chunk) = response
        .chunk()
        .await
        .map_err(|error| BodyError::Broken(explain(&error)))?
    {
        if body.len() + chunk.len() > limit {
            return Err(BodyError::TooLarge { limit });
        }
        body.extend_from_slice(&chunk);
    }
    Ok(body.freeze())
}

/// Sends a small question, and gives the status and the body of its answer, or what the network says.
pub(crate) async fn exchange(
    request: reqwest::RequestBuilder,
    limit: usize,
) -> Result<(::http::StatusCode, Bytes), String> {
    let response = request.send().await.map_err(|error| explain(&error))?;
    let status = response.status();
    let body = read_body(response, limit).await;
    Ok((status, body.map_err(|error| error.to_string())?))
}

/// A stranger's words, fit for a status: one line, bounded.
pub(crate) fn printable(text: &str) -> String {
    let plain = text.chars().filter(|character| !character.is_control());
    plain.take(300).collect()
}
