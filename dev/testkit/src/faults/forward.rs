//! Accepts connections, forwards requests and injects faults.

use std::convert::Infallible;
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use bytes::Bytes;
use futures::StreamExt as _;
use http::{HeaderMap, HeaderName, Request, Response, StatusCode, header};
use http_body::Frame;
use http_body_util::combinators::UnsyncBoxBody;
use http_body_util::{BodyExt as _, Full, StreamBody};
use hyper::body::Incoming;
use hyper_util::rt::TokioIo;
use rustls_pki_types::pem::PemObject as _;
use rustls_pki_types::{CertificateDer, PrivateKeyDer};
use sluice_client::Config;
use sluice_devcluster::authority::Authority;
use tokio::net::{TcpListener, TcpStream};
use tokio_rustls::TlsAcceptor;

use super::Shared;
use super::call::Call;
use super::fault::{Fault, WatchFault};

/// The token in the proxy's kubeconfig. Some clients reject a kubeconfig without credentials.
pub(super) const NO_CREDENTIAL: &str = "none";

type AnswerBody = UnsyncBoxBody<Bytes, BodyFailed>;

/// The body of the server ended early, so ours must, too.
#[derive(Debug)]
pub(super) struct BodyFailed;

impl std::fmt::Display for BodyFailed {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.write_str("the server's answer ended early")
    }
}

impl std::error::Error for BodyFailed {}

/// Closes the connection without a response.
#[derive(Debug)]
struct CloseConnection;

impl std::fmt::Display for CloseConnection {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.write_str("connection closed by a fault")
    }
}

impl std::error::Error for CloseConnection {}

/// The API server, reached by two clients.
pub(super) struct Upstream {
    /// Uses the identity of the kubeconfig.
    identified: kube::Client,
    /// Uses the credentials of the request.
    bare: kube::Client,
}

impl Upstream {
    pub(super) fn new(mut config: Config) -> Self {
        // Responses pass unchanged: without retries and decompression.
        config.default_retry = false;
        config.disable_compression = true;
        let mut bare = config.clone();
        bare.auth_info = kube::config::AuthInfo::default();
        Self {
            identified: kube::Client::try_from(config).unwrap(),
            bare: kube::Client::try_from(bare).unwrap(),
        }
    }

    async fn send(
        &self,
        head: &Head,
        body: Bytes,
    ) -> Result<Response<kube::client::Body>, kube::Error> {
        let mut request = Request::new(kube::client::Body::from(body));
        *request.method_mut() = head.method.clone();
        *request.uri_mut() = head.uri.clone();
        *request.headers_mut() = head.headers.clone();
        let own = head.headers.contains_key(header::AUTHORIZATION);
        if own {
            self.bare.send(request).await
        } else {
            self.identified.send(request).await
        }
    }
}

/// The forwarded part of a request, without its body.
struct Head {
    method: http::Method,
    uri: http::Uri,
    headers: HeaderMap,
}

pub(super) fn acceptor(authority: &Authority, address: SocketAddr) -> TlsAcceptor {
    let identity = authority
        .server("fault-proxy", &["localhost"], &[address.ip()])
        .unwrap();
    let certificate = CertificateDer::from_pem_slice(identity.certificate.as_bytes()).unwrap();
    let key = PrivateKeyDer::from_pem_slice(identity.key.as_bytes()).unwrap();
    let config = rustls::ServerConfig::builder()
        .with_no_client_auth()
        .with_single_cert(vec![certificate], key)
        .unwrap();
    TlsAcceptor::from(Arc::new(config))
}

pub(super) async fn accept(listener: TcpListener, acceptor: TlsAcceptor, shared: Arc<Shared>) {
    while let Ok((stream, _)) = listener.accept().await {
        tokio::spawn(serve(stream, acceptor.clone(), Arc::clone(&shared)));
    }
}

/// Serves one connection until it ends, is reset, or all connections break.
async fn serve(stream: TcpStream, acceptor: TlsAcceptor, shared: Arc<Shared>) {
    let mut sever = shared.sever.subscribe();
    // TLS and HTTP own the stream, so a duplicate of the socket is used to reset it. Children must
    // not inherit the duplicate, because an open one keeps the connection alive.
    let Ok(socket) = rustix::io::fcntl_dupfd_cloexec(&stream, 0) else {
        return;
    };
    let reset = Arc::new(tokio::sync::Notify::new());
    let serving = async {
        let stream = acceptor.accept(stream).await.ok()?;
        let service = hyper::service::service_fn(|request| {
            let (shared, reset) = (Arc::clone(&shared), Arc::clone(&reset));
            async move { answer(request, &shared, &reset).await }
        });
        hyper::server::conn::http1::Builder::new()
            .serve_connection(TokioIo::new(stream), service)
            .await
            .ok()
    };
    tokio::select! {
        _ = serving => {}
        () = reset.notified() => {
            rustix::net::sockopt::set_socket_linger(&socket, Some(Duration::ZERO)).ok();
        }
        _ = sever.changed() => {}
    }
}

async fn answer(
    request: Request<Incoming>,
    shared: &Arc<Shared>,
    reset: &tokio::sync::Notify,
) -> Result<Response<AnswerBody>, CloseConnection> {
    let (parts, body) = request.into_parts();
    let body = body
        .collect()
        .await
        .map_err(|_| CloseConnection)?
        .to_bytes();
    let call = Call::of(&parts, &body);
    let (number, fault) = shared.admit(call.clone());
    let watches = parts
        .uri
        .query()
        .is_some_and(|query| query.contains("watch="));
    let mut headers = forwarded(parts.headers);
    if !shared.authenticates(&mut headers) {
        shared.answered(number, 401);
        return Ok(status_object(401, None));
    }
    let head = Head {
        headers,
        method: parts.method,
        uri: parts.uri,
    };

    match fault {
        None => {}
        Some(Fault::KillBefore) => {
            shared.kill();
            return Err(CloseConnection);
        }
        Some(Fault::KillAfter) => {
            finish(shared, number, &head, body).await;
            shared.kill();
            return Err(CloseConnection);
        }
        Some(Fault::Delay(time)) => tokio::time::sleep(time).await,
        Some(Fault::Answer {
            status,
            retry_after,
        }) => {
            shared.answered(number, status);
            return Ok(status_object(status, retry_after));
        }
        Some(Fault::Drop) => return Err(CloseConnection),
        Some(Fault::LoseAnswer) => {
            finish(shared, number, &head, body).await;
            return Err(CloseConnection);
        }
        Some(Fault::SendTwice) => finish(shared, number, &head, body.clone()).await,
        Some(Fault::Reset) => {
            reset.notify_one();
            return std::future::pending().await;
        }
        Some(Fault::Hang) => return std::future::pending().await,
    }

    let answer = shared
        .upstream
        .send(&head, body)
        .await
        .map_err(|_| CloseConnection)?;
    shared.answered(number, answer.status().as_u16());
    let (mut parts, body) = answer.into_parts();
    // The body has new chunks.
    parts.headers.remove(header::CONTENT_LENGTH);
    parts.headers.remove(header::TRANSFER_ENCODING);
    parts.headers.remove(header::CONNECTION);
    let content_type = parts.headers.get(header::CONTENT_TYPE);
    // Go's clients watch metadata as Protobuf, whose events are not lines.
    let has_lines =
        content_type.is_some_and(|found| found.as_bytes().starts_with(b"application/json"));
    let body = body.map_err(|_| BodyFailed);
    let body = if watches && parts.status.is_success() {
        until_cut(body, call, shared, has_lines)
    } else {
        body.boxed_unsync()
    };
    Ok(Response::from_parts(parts, body))
}

/// Forwards the request and waits for the response.
async fn finish(shared: &Shared, number: usize, head: &Head, body: Bytes) {
    if let Ok(answer) = shared.upstream.send(head, body).await {
        shared.answered(number, answer.status().as_u16());
        answer.into_body().collect().await.ok();
    }
}

/// The body of a watch, event by event. It ends cleanly when watches are cut.
fn until_cut(
    body: impl http_body::Body<Data = Bytes, Error = BodyFailed> + Send + 'static,
    call: Call,
    shared: &Arc<Shared>,
    has_lines: bool,
) -> AnswerBody {
    let mut cut = shared.cut.subscribe();
    let frames = Box::pin(http_body_util::BodyStream::new(body));
    let events = Events {
        frames,
        pending: Vec::new(),
        has_lines,
        call,
        shared: Arc::clone(shared),
    };
    let frames = futures::stream::unfold(Some(events), async |events| events?.next().await)
        .take_until(async move { cut.changed().await.ok() });
    StreamBody::new(frames).boxed_unsync()
}

/// A watch whose events may have faults if each event is a line.
struct Events<F> {
    frames: F,
    /// An incomplete line.
    pending: Vec<u8>,
    has_lines: bool,
    call: Call,
    shared: Arc<Shared>,
}

impl<F> Events<F>
where
    F: futures::Stream<Item = Result<Frame<Bytes>, BodyFailed>> + Unpin,
{
    /// Returns the next events and the rest of the watch, unless the watch ends.
    async fn next(mut self) -> Option<(Result<Frame<Bytes>, BodyFailed>, Option<Self>)> {
        loop {
            let frame = match self.frames.next().await? {
                Ok(frame) => frame,
                Err(failed) => return Some((Err(failed), None)),
            };
            let Ok(data) = frame.into_data() else {
                continue;
            };
            if !self.has_lines {
                return Some((Ok(Frame::data(data)), Some(self)));
            }
            self.pending.extend_from_slice(&data);
            let mut passed = Vec::new();
            while let Some(end) = self.pending.iter().position(|byte| *byte == b'\n') {
                let line: Vec<u8> = self.pending.drain(..=end).collect();
                match self.shared.watch_fault(&self.call, &line) {
                    None => passed.extend_from_slice(&line),
                    Some(WatchFault::Repeat) => {
                        passed.extend_from_slice(&[&*line, &*line].concat());
                    }
                    Some(WatchFault::Skip) => {}
                    Some(WatchFault::Cut) if passed.is_empty() => return None,
                    Some(WatchFault::Cut) => return Some((Ok(Frame::data(passed.into())), None)),
                }
            }
            if !passed.is_empty() {
                return Some((Ok(Frame::data(passed.into())), Some(self)));
            }
        }
    }
}

impl Shared {
    /// Checks the token of a request, if the proxy does so. An accepted token is not forwarded.
    fn authenticates(&self, headers: &mut HeaderMap) -> bool {
        let accepts = self.state().accepts.clone();
        let Some(accepts) = accepts else {
            return true;
        };
        let credential = headers.remove(header::AUTHORIZATION);
        let token = credential.as_ref().and_then(|value| value.to_str().ok());
        token
            .and_then(|value| value.strip_prefix("Bearer "))
            .is_some_and(|token| accepts(token))
    }
}

/// Removes the headers of this connection and the token of the proxy's kubeconfig.
fn forwarded(mut headers: HeaderMap) -> HeaderMap {
    const OF_THE_CONNECTION: [HeaderName; 5] = [
        header::HOST,
        header::CONNECTION,
        header::CONTENT_LENGTH,
        header::TRANSFER_ENCODING,
        header::UPGRADE,
    ];
    for name in OF_THE_CONNECTION {
        headers.remove(name);
    }
    let credential = headers
        .get(header::AUTHORIZATION)
        .and_then(|value| value.to_str().ok());
    if credential.and_then(|value| value.strip_prefix("Bearer ")) == Some(NO_CREDENTIAL) {
        headers.remove(header::AUTHORIZATION);
    }
    headers
}

/// Returns a status in the form of the API server.
fn status_object(status: u16, retry_after: Option<u32>) -> Response<AnswerBody> {
    let reason = match status {
        400 => "BadRequest",
        401 => "Unauthorized",
        403 => "Forbidden",
        404 => "NotFound",
        409 => "Conflict",
        410 => "Expired",
        422 => "Invalid",
        429 => "TooManyRequests",
        503 => "ServiceUnavailable",
        504 => "Timeout",
        _ => "InternalError",
    };
    let body = serde_json::json!({
        "kind": "Status", "apiVersion": "v1", "metadata": {}, "status": "Failure",
        "message": format!("{reason} by order of the test"), "reason": reason, "code": status,
        "details": retry_after.map(|seconds| serde_json::json!({ "retryAfterSeconds": seconds })),
    });
    let body = Full::new(Bytes::from(body.to_string())).map_err(|never: Infallible| match never {});
    let mut answer = Response::new(body.boxed_unsync());
    *answer.status_mut() = StatusCode::from_u16(status).unwrap();
    let headers = answer.headers_mut();
    headers.insert(
        header::CONTENT_TYPE,
        header::HeaderValue::from_static("application/json"),
    );
    if let Some(seconds) = retry_after {
        headers.insert(header::RETRY_AFTER, seconds.into());
    }
    answer
}
