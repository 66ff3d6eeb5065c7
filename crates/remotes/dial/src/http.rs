//! HTTP clients. Only this module builds them.
//!
//! A client is a connection pool. Building one parses the system's CA certificates, and a first
//! request needs a handshake. Clients are therefore shared by equal connection options. Two tenants
//! share a connection only with the same certificates.

use std::collections::HashMap;
use std::error::Error;
use std::io;
use std::net::SocketAddr;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use bytes::{Bytes, BytesMut};
use http::Uri;
use hyper_util::client::proxy::matcher::Matcher;
use url::Url;

use crate::progress::{ProgressLayer, ProgressResolver};
use crate::proxy::Proxy;
use crate::reach::Reach;
use crate::redirect::Redirects;
use crate::tls::Tls;

/// Maximum number of cached clients. The least recently used one is dropped first.
const MAX_CLIENTS: usize = 256;
/// Timeout of a TCP and TLS handshake.
const CONNECT_TIMEOUT: Duration = Duration::from_secs(30);
/// Maximum age of an idle connection.
const IDLE_TIMEOUT: Duration = Duration::from_secs(90);

/// Connection options of a remote: TLS, proxy and redirects. Credentials in headers belong to
/// requests.
#[derive(Debug, Clone, Default, PartialEq, Eq, Hash)]
pub struct Dial {
    /// CA certificates and client certificate.
    pub tls: Tls,
    /// Proxy. `None` uses the environment's.
    pub proxy: Option<Proxy>,
    /// Disables every proxy, for local endpoints.
    pub direct: bool,
    /// Redirect policy.
    pub redirects: Redirects,
    /// The addresses that names may have.
    pub reach: Reach,
}

impl Dial {
    /// Returns the options for a request to one target, without redirects.
    ///
    /// A proxy of the environment may have a local address: the operator chose it. It resolves the
    /// name of the target, so this client resolves none that a foreign document chose.
    #[must_use]
    pub fn for_target(&self, url: &Url) -> Self {
        self.for_target_with(url, &Matcher::from_system())
    }

    fn for_target_with(&self, url: &Url, environment: &Matcher) -> Self {
        let uri = url.as_str().parse::<Uri>().ok();
        let is_proxied = uri.is_some_and(|uri| environment.intercept(&uri).is_some());
        let mut dial = self.clone();
        if is_proxied && self.proxy.is_none() && !self.direct {
            dial.reach = Reach::Any;
        }
        dial
    }

    /// The reach of the names that this client resolves. Through a proxy, that is its own name
    /// only.
    const fn resolved_reach(&self) -> Reach {
        if self.proxy.is_some() && !self.direct {
            Reach::Any
        } else {
            self.reach
        }
    }
}

/// The client for a [`Dial`] could not be built.
#[derive(Debug, thiserror::Error)]
pub enum DialError {
    /// A certificate or key is valid PEM, but unusable.
    #[error("set up TLS: {reason}")]
    Tls {
        /// Cause.
        reason: String,
    },
    /// The proxy address is unusable.
    #[error("set up proxy {proxy}: {reason}")]
    Proxy {
        /// Address without credentials.
        proxy: String,
        /// Cause.
        reason: String,
    },
}

/// HTTP clients by connection options. Share one per process.
///
/// Every client sends the given user agent, requires TLS 1.2, and limits a handshake to 30 s. It
/// sends no `Referer` and follows redirects by [`Redirects`]. A redirect to another host, port or
/// scheme drops `Authorization` and cookies. Any server that asks gets the client certificate, as
/// in Go, which does not reveal the key. A whole request has no time limit, because a large clone
/// can take minutes: callers set one.
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
    /// Creates an empty cache with a user agent.
    ///
    /// Installs the process's default crypto provider if it has none: a client panics without one.
    pub fn new(user_agent: impl Into<String>) -> Self {
        // An error means that a provider is installed already.
        drop(rustls::crypto::aws_lc_rs::default_provider().install_default());
        Self {
            user_agent: user_agent.into(),
            cache: Mutex::new(Cache::default()),
        }
    }

    /// Returns the client for connection options, from the cache or new.
    pub fn get(&self, dial: &Dial) -> Result<reqwest::Client, DialError> {
        // A poisoned cache is still valid: it has no invariant across statements.
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
        let roots = if dial.tls.replaces_system && dial.tls.ca.is_some() {
            Roots::Given
        } else {
            Roots::System
        };
        match self.builder(dial, roots)?.build() {
            Ok(client) => Ok(client),
            // The system has no CA certificates, as in an image without a bundle. Plain HTTP and
            // given CAs must still work; other handshakes fail with an unknown issuer.
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
            .dns_resolver(ProgressResolver(dial.resolved_reach()))
            .connector_layer(ProgressLayer);
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
            let all = reqwest::Proxy::all(proxy.dial_url()).map_err(|error| DialError::Proxy {
                proxy: proxy.to_string(),
                reason: explain(&error),
            })?;
            builder = builder.proxy(all);
        }
        Ok(builder)
    }
}

/// The trusted CA certificates of a client.
#[derive(Clone, Copy)]
enum Roots {
    /// The system's and the given ones.
    System,
    /// Only the given ones.
    Given,
}

#[expect(clippy::needless_pass_by_value, reason = "used as a map_err function")]
fn tls_error(error: reqwest::Error) -> DialError {
    DialError::Tls {
        reason: explain(&error),
    }
}

/// Returns the cause of a failed request in one line, without the address, which may contain
/// secrets.
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
        if let Some(failure) = dial_failure(cause) {
            return failure;
        }
        let text = cause.to_string();
        // Several layers repeat the innermost text, which is used once.
        if !causes.last().is_some_and(|last| last.contains(&text)) {
            causes.push(text);
        }
        source = cause.source();
    }
    match causes.last() {
        // Texts such as "client error (Connect)" name a layer, not a cause.
        Some(_) => {
            let messages: Vec<&str> = causes
                .iter()
                .map(String::as_str)
                .filter(|text| {
                    !text.starts_with("client error (") && *text != "error trying to connect"
                })
                .collect();
            if messages.is_empty() {
                causes.join(": ")
            } else {
                messages.join(": ")
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

/// A TCP connection that failed, in Go's words. They name the address that was dialed, which may be
/// that of a proxy.
fn dial_failure(error: &(dyn Error + 'static)) -> Option<String> {
    const MESSAGE: &str = "tcp connect error";
    if error.to_string() != MESSAGE {
        return None;
    }
    let cause = error.source()?.downcast_ref::<io::Error>()?;
    let words = match cause.kind() {
        io::ErrorKind::ConnectionRefused => "connection refused",
        io::ErrorKind::HostUnreachable => "no route to host",
        io::ErrorKind::NetworkUnreachable => "network is unreachable",
        _ => return None,
    };
    // Only the debug form of this error has the address.
    let fields = format!("{error:?}");
    let fields = fields.strip_prefix(&format!("ConnectError({MESSAGE:?}, "))?;
    let address: SocketAddr = fields.split_once(", ")?.0.parse().ok()?;
    Some(format!("dial tcp {address}: connect: {words}"))
}

/// The body could not be read.
#[derive(Debug, thiserror::Error)]
pub enum BodyError {
    /// The body exceeds the limit.
    #[error("the answer is larger than {limit} bytes")]
    TooLarge {
        /// Limit in bytes.
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

/// Sends a small request. Returns status and body of the response, or the cause of the failure.
pub async fn exchange(
    request: reqwest::RequestBuilder,
    limit: usize,
) -> Result<(::http::StatusCode, Bytes), String> {
    let response = request.send().await.map_err(|error| explain(&error))?;
    let status = response.status();
    let body = read_body(response, limit).await;
    Ok((status, body.map_err(|error| error.to_string())?))
}

/// Returns a server's text without control characters and with limited length.
pub fn printable(text: &str) -> String {
    printable_within(text, 300)
}

/// Returns the first characters of a text, without control characters.
pub fn printable_within(text: &str, limit: usize) -> String {
    let plain = text.chars().filter(|character| !character.is_control());
    plain.take(limit).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn target_behind_a_proxy_of_the_environment_is_not_resolved() {
        let environment = Matcher::builder()
            .http("http://localhost:3128")
            .no("direct.example,localhost")
            .build();
        let remote = Dial {
            reach: Reach::Remote,
            ..Dial::default()
        };
        let reach = |dial: &Dial, url: &str| {
            let url = Url::parse(url).unwrap();
            dial.for_target_with(&url, &environment).resolved_reach()
        };
        for (url, expected) in [
            ("http://ocsp.example/", Reach::Any),
            // The environment has no proxy for these.
            ("https://ocsp.example/", Reach::Remote),
            ("http://direct.example/", Reach::Remote),
            ("http://localhost:8080/", Reach::Remote),
        ] {
            assert_eq!(reach(&remote, url), expected, "{url}");
        }
        let direct = Dial {
            direct: true,
            ..remote
        };
        assert_eq!(reach(&direct, "http://ocsp.example/"), Reach::Remote);
    }
}
