//! The transport of every request: identity, throttle, timeout, retries, metrics.
//!
//! It is a `tower` service over the plain client. So typed [`kube::Api`]s, watches and untyped
//! requests share it, and clients of different identities share one pool of connections.

use std::future::Future;
use std::pin::{Pin, pin};
use std::sync::Arc;
use std::task::{Context, Poll};
use std::time::Duration;

use bytes::Bytes;
use http::header::{ACCEPT_ENCODING, AUTHORIZATION, CONTENT_TYPE, RETRY_AFTER, USER_AGENT};
use http::{HeaderName, HeaderValue, Method, Request, Response, StatusCode};
use http_body_util::{BodyExt as _, LengthLimitError, Limited};
use kube::client::Body;
use sluice_system::blocking;
use sluice_yaml::limits::JsonNodeCount;
use tower::{BoxError, Service};

use crate::connection_limit::ConnectionLimit;
use crate::fence::{self, Fence};
use crate::plugin::Plugin;
use crate::response_body::{IDLE_TIMEOUT, ResponseBody};
use crate::throttle::Throttle;
use crate::tokens::TokenSource;

/// Maximum retries of one request, as in client-go.
const MAX_RETRIES: u32 = 10;
/// Maximum `Retry-After` of a server.
const MAX_RETRY_AFTER: Duration = Duration::from_secs(30);
/// Retries of a read whose connection broke.
const MAX_RECONNECTS: u32 = 3;
/// The header of every response when API Priority and Fairness is on.
const FAIRNESS: HeaderName = HeaderName::from_static("x-kubernetes-pf-flowschema-uid");

/// One completed or failed request, for metrics.
#[derive(Debug, Clone, Copy)]
pub struct ObservedRequest<'a> {
    /// `GET`, `PATCH`, …
    pub method: &'a Method,
    /// The status of the response, or `None` without one.
    pub status: Option<StatusCode>,
    /// The server, `host:port`.
    pub host: &'a str,
}

impl ObservedRequest<'_> {
    /// The `code` label of `rest_client_requests_total`.
    pub fn code(&self) -> String {
        self.status.map_or_else(
            || "<error>".to_owned(),
            |status| status.as_u16().to_string(),
        )
    }
}

/// Called once for each attempt.
pub type Observer = Arc<dyn Fn(ObservedRequest<'_>) + Send + Sync>;

/// The parts that the clients of one server share.
pub(crate) struct Shared {
    pub(crate) throttle: Throttle,
    pub(crate) connections: ConnectionLimit,
    pub(crate) observer: Option<Observer>,
    pub(crate) host: String,
    pub(crate) user_agent: HeaderValue,
    pub(crate) timeout: Duration,
    /// Maximum time for retries of one request.
    pub(crate) max_retry_time: Duration,
    /// Maximum decoded bytes of one response.
    pub(crate) max_answer_bytes: Option<usize>,
    /// The credential plugin of the kubeconfig.
    pub(crate) plugin: Option<Plugin>,
    /// The source of the token of each request.
    pub(crate) tokens: Option<Arc<dyn TokenSource>>,
}

/// The tower service that all requests pass.
#[derive(Clone)]
pub(crate) struct Transport {
    pub(crate) inner: kube::Client,
    pub(crate) shared: Arc<Shared>,
    pub(crate) identity: Arc<[(HeaderName, HeaderValue)]>,
    /// Whether its requests pass the throttle and the connection limit.
    pub(crate) is_throttled: bool,
    /// Refuses writes after the lease of the process.
    pub(crate) fence: Option<Fence>,
}

impl Service<Request<Body>> for Transport {
    type Response = Response<ResponseBody<Body>>;
    type Error = BoxError;
    type Future = Pin<Box<dyn Future<Output = Result<Self::Response, Self::Error>> + Send>>;

    fn poll_ready(&mut self, _: &mut Context<'_>) -> Poll<Result<(), Self::Error>> {
        // The inner client is a handle to a buffer; `send` waits for it to be ready.
        Poll::Ready(Ok(()))
    }

    fn call(&mut self, request: Request<Body>) -> Self::Future {
        let transport = self.clone();
        Box::pin(async move { transport.send(request).await })
    }
}

impl Transport {
    async fn send(
        &self,
        mut request: Request<Body>,
    ) -> Result<Response<ResponseBody<Body>>, BoxError> {
        let headers = request.headers_mut();
        headers.insert(USER_AGENT, self.shared.user_agent.clone());
        // The request itself must not choose the identity.
        let claimed: Vec<HeaderName> = headers
            .keys()
            .filter(|name| name.as_str().starts_with("impersonate-"))
            .cloned()
            .collect();
        for name in claimed {
            headers.remove(name);
        }
        for (name, value) in self.identity.iter() {
            headers.append(name, value.clone());
        }
        let form = ResponseForm::of(&request);
        let began = tokio::time::Instant::now();
        let mut attempt = 0;
        // The number of the plugin's credential that was rejected.
        let mut rejected = None;
        // If no attempt gets a response, the first failure is reported: it caused the others.
        let mut first: Option<BoxError> = None;
        loop {
            let retry = clone(&request);
            if self.is_throttled {
                self.shared.throttle.acquire().await;
            }
            let method = request.method().clone();
            let mut sent = None;
            let result = self.authorized(request, form, rejected, &mut sent).await;
            let status = result.as_ref().ok().map(Response::status);
            if let Some(observer) = &self.shared.observer {
                observer(ObservedRequest {
                    method: &method,
                    status,
                    host: &self.shared.host,
                });
            }
            let wait = match &result {
                // The credential was rejected: the plugin runs once more.
                Ok(response)
                    if response.status() == StatusCode::UNAUTHORIZED
                        && sent.is_some()
                        && rejected.is_none() =>
                {
                    rejected = sent;
                    Some(Duration::ZERO)
                }
                Ok(response) => {
                    if response.headers().contains_key(FAIRNESS) {
                        self.shared.throttle.lift();
                    }
                    wait_after_response(response, attempt)
                }
                Err(error) => wait_after_failure(&method, error, attempt),
            };
            // The last response says more than a timeout during the wait for the retry.
            let wait = wait.filter(|wait| began.elapsed() + *wait < self.shared.max_retry_time);
            match (wait, retry) {
                (Some(wait), Some(retry)) => {
                    tracing::debug!(?wait, attempt, %method, "retrying request");
                    if let Err(error) = result {
                        first.get_or_insert(error);
                    }
                    tokio::time::sleep(wait).await;
                    request = retry;
                    attempt += 1;
                }
                _ => return result.map_err(|error| first.unwrap_or(error)),
            }
        }
    }

    /// Sends one attempt with the credential of the plugin or of the token source. The plugin may
    /// ask a person, so it has no time limit. `sent` returns the number of its credential.
    async fn authorized(
        &self,
        mut request: Request<Body>,
        form: ResponseForm,
        rejected: Option<u64>,
        sent: &mut Option<u64>,
    ) -> Result<Response<ResponseBody<Body>>, BoxError> {
        let Shared { plugin, tokens, .. } = &*self.shared;
        let authorization = match (plugin, tokens) {
            (Some(plugin), _) => {
                let authorization = plugin.authorization(rejected).await?;
                *sent = authorization.as_ref().map(|answer| answer.number);
                authorization.map(|answer| answer.value)
            }
            (None, Some(tokens)) => Some(tokens.token().await?.header()),
            (None, None) => None,
        };
        if let Some(authorization) = authorization {
            request.headers_mut().insert(AUTHORIZATION, authorization);
        }
        let response = self.attempt(request, form).await?;
        if let (Some(plugin), Some(number)) = (plugin, *sent)
            && response.status() == StatusCode::UNAUTHORIZED
        {
            plugin.reject(number).await;
        }
        Ok(response)
    }

    /// Sends one attempt. The whole response is read within the time limit. A watch must begin
    /// within it, and continue ([`ResponseBody`]). Other streams have no limit.
    async fn attempt(
        &self,
        request: Request<Body>,
        form: ResponseForm,
    ) -> Result<Response<ResponseBody<Body>>, BoxError> {
        let answer = self.answer(request, form);
        match form {
            ResponseForm::Answer if self.is_throttled => self.shared.connections.run(answer).await,
            // These take long, or must not wait.
            ResponseForm::Answer | ResponseForm::Watch | ResponseForm::Stream => answer.await,
        }
    }

    async fn answer(
        &self,
        request: Request<Body>,
        form: ResponseForm,
    ) -> Result<Response<ResponseBody<Body>>, BoxError> {
        let limit = self.shared.timeout;
        let answer = async {
            let response = match &self.fence {
                Some(fence) if fence::is_write(request.method()) => {
                    fence.guard(self.inner.send(request)).await?
                }
                _ => self.inner.send(request).await?,
            };
            Ok(match form {
                ResponseForm::Stream => response.map(ResponseBody::unlimited),
                ResponseForm::Watch => response.map(|body| ResponseBody::watch(body, IDLE_TIMEOUT)),
                ResponseForm::Answer if response.status() == StatusCode::SWITCHING_PROTOCOLS => {
                    response.map(ResponseBody::unlimited)
                }
                ResponseForm::Answer => {
                    let (parts, body) = response.into_parts();
                    let bytes = match self.shared.max_answer_bytes {
                        Some(limit) => collect_within(limit, body).await?,
                        None => body.collect_bytes().await?,
                    };
                    Response::from_parts(parts, ResponseBody::unlimited(Body::from(bytes)))
                }
            })
        };
        if form == ResponseForm::Stream {
            return answer.await;
        }
        match tokio::time::timeout(limit, answer).await {
            Ok(result) => result,
            Err(_) => Err(Box::new(TimedOut(limit))),
        }
    }
}

/// Decompressed bytes after which other tasks get their turn.
const MAX_BYTES_AT_ONCE: usize = 256 << 10;

/// Collects the body of a server that a tenant may have chosen. The decoded bytes count, because a
/// small answer may decompress to gigabytes. Their nodes count as well, because a tree takes thirty
/// times the memory of its text.
async fn collect_within<B>(limit: usize, body: B) -> Result<Bytes, BoxError>
where
    B: http_body::Body<Data = Bytes, Error: Into<BoxError>>,
{
    let mut body = pin!(Limited::new(body, limit));
    let (mut parts, mut at_once) = (Vec::new(), 0);
    while let Some(frame) = body.frame().await {
        let frame = frame.map_err(|error| {
            if error.is::<LengthLimitError>() {
                AnswerTooLarge(limit).into()
            } else {
                error
            }
        })?;
        if let Ok(data) = frame.into_data() {
            at_once += data.len();
            parts.push(data);
        }
        // The next frames are decompressed from bytes that have arrived already.
        if at_once >= MAX_BYTES_AT_ONCE {
            at_once = 0;
            tokio::task::yield_now().await;
        }
    }
    let joining = blocking(move || {
        let bytes = match parts.len() {
            1 => parts.swap_remove(0),
            _ => Bytes::from(parts.concat()),
        };
        JsonNodeCount::of_answer().add(&bytes).map(|()| bytes)
    });
    Ok(joining.await.map_err(AnswerTooComplex)?)
}

/// The response has too many nodes for this cluster.
#[derive(Debug, thiserror::Error)]
#[error("the answer is too complex: {0}")]
struct AnswerTooComplex(sluice_yaml::Error);

/// The response is too large for this cluster.
#[derive(Debug, thiserror::Error)]
#[error("the answer is larger than {0} bytes")]
struct AnswerTooLarge(usize);

/// The response was not complete in time.
#[derive(Debug, thiserror::Error)]
#[error("no answer within {0:?}")]
pub(crate) struct TimedOut(Duration);

/// The kind of a response.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum ResponseForm {
    /// A response with an end.
    Answer,
    /// An endless response that is never idle for long.
    Watch,
    /// A response that may stay idle: followed logs, upgraded connections.
    Stream,
}

impl ResponseForm {
    fn of(request: &Request<Body>) -> Self {
        let query = request.uri().query().unwrap_or_default();
        let flag = |name: &str| {
            query
                .split('&')
                .any(|pair| pair.strip_prefix(name) == Some("=true"))
        };
        if flag("watch") {
            Self::Watch
        } else if request.headers().contains_key(http::header::UPGRADE)
            || flag("follow")
            || request.uri().path().ends_with("/log")
        {
            Self::Stream
        } else {
            Self::Answer
        }
    }
}

/// Copies a request for a retry, if its body is in memory.
fn clone(request: &Request<Body>) -> Option<Request<Body>> {
    let mut copy = Request::new(request.body().try_clone()?);
    *copy.method_mut() = request.method().clone();
    *copy.uri_mut() = request.uri().clone();
    *copy.version_mut() = request.version();
    *copy.headers_mut() = request.headers().clone();
    *copy.extensions_mut() = request.extensions().clone();
    Some(copy)
}

/// The pause that the server asks for by `Retry-After`. Without it, the response is returned.
fn wait_after_response<B>(response: &Response<B>, attempt: u32) -> Option<Duration> {
    let status = response.status();
    if attempt >= MAX_RETRIES
        || !(status == StatusCode::TOO_MANY_REQUESTS || status.is_server_error())
    {
        return None;
    }
    let seconds: u64 = response
        .headers()
        .get(RETRY_AFTER)?
        .to_str()
        .ok()?
        .trim()
        .parse()
        .ok()?;
    Some(Duration::from_secs(seconds).min(MAX_RETRY_AFTER))
}

/// The pause after a read whose connection broke: a restarting or balanced server drops idle
/// connections, and the next one works. Refused connections and timeouts are not retried.
fn wait_after_failure(method: &Method, error: &BoxError, attempt: u32) -> Option<Duration> {
    let broken = attempt < MAX_RECONNECTS && *method == Method::GET && is_broken(error.as_ref());
    broken.then(|| Duration::from_millis(50 << attempt))
}

fn is_broken(error: &(dyn std::error::Error + 'static)) -> bool {
    use std::io::ErrorKind;
    let mut current = Some(error);
    while let Some(error) = current {
        if let Some(io) = error.downcast_ref::<std::io::Error>()
            && matches!(
                io.kind(),
                ErrorKind::ConnectionReset
                    | ErrorKind::BrokenPipe
                    | ErrorKind::UnexpectedEof
                    | ErrorKind::ConnectionAborted
            )
        {
            return true;
        }
        if let Some(hyper) = error.downcast_ref::<hyper::Error>()
            && (hyper.is_incomplete_message() || hyper.is_closed() || hyper.is_canceled())
        {
            return true;
        }
        current = error.source();
    }
    false
}

/// Requests JSON in both directions; `kube` does so for most requests only.
pub(crate) fn json(mut request: Request<Vec<u8>>) -> Request<Vec<u8>> {
    let headers = request.headers_mut();
    headers
        .entry(http::header::ACCEPT)
        .or_insert(HeaderValue::from_static("application/json"));
    headers
        .entry(CONTENT_TYPE)
        .or_insert(HeaderValue::from_static("application/json"));
    request
}

/// Disables compression for a watch: a compressed stream arrives in blocks, late.
pub(crate) fn uncompressed(mut request: Request<Vec<u8>>) -> Request<Vec<u8>> {
    request
        .headers_mut()
        .insert(ACCEPT_ENCODING, HeaderValue::from_static("identity"));
    request
}

#[cfg(test)]
mod tests {
    use super::*;

    fn request(uri: &str) -> Request<Body> {
        Request::get(uri).body(Body::empty()).unwrap()
    }

    #[test]
    fn response_form_is_detected() {
        for (uri, form) in [
            (
                "/api/v1/pods?&watch=true&resourceVersion=0",
                ResponseForm::Watch,
            ),
            ("/api/v1/pods?watch=true", ResponseForm::Watch),
            ("/api/v1/pods?limit=500", ResponseForm::Answer),
            (
                "/api/v1/namespaces/a/pods/b/log?follow=true",
                ResponseForm::Stream,
            ),
            ("/api/v1/namespaces/a/pods/watch", ResponseForm::Answer),
        ] {
            assert_eq!(ResponseForm::of(&request(uri)), form, "{uri}");
        }
    }

    #[test]
    fn only_retry_after_causes_a_wait() {
        let answer = |status: u16, after: Option<&str>| {
            let mut response = Response::builder().status(status);
            if let Some(after) = after {
                response = response.header(RETRY_AFTER, after);
            }
            wait_after_response(&response.body(Body::empty()).unwrap(), 0)
                .map(|wait| wait.as_secs())
        };
        assert_eq!(answer(429, Some("1")), Some(1));
        assert_eq!(answer(503, Some("0")), Some(0));
        assert_eq!(answer(503, Some("86400")), Some(30));
        assert_eq!(answer(503, None), None);
        assert_eq!(answer(500, Some("soon")), None);
        assert_eq!(answer(409, Some("1")), None);
        assert_eq!(answer(200, Some("1")), None);
    }

    #[test]
    fn write_is_not_retried_after_a_broken_connection() {
        let broken: BoxError = Box::new(std::io::Error::from(std::io::ErrorKind::ConnectionReset));
        assert!(wait_after_failure(&Method::GET, &broken, 0).is_some());
        assert!(wait_after_failure(&Method::GET, &broken, MAX_RECONNECTS).is_none());
        assert!(wait_after_failure(&Method::PATCH, &broken, 0).is_none());
        let refused: BoxError =
            Box::new(std::io::Error::from(std::io::ErrorKind::ConnectionRefused));
        assert!(wait_after_failure(&Method::GET, &refused, 0).is_none());
    }
}
