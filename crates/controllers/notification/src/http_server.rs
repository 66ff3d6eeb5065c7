//! An HTTP server with the limits of the reference, for events and webhooks.
//!
//! A request is read completely before it is handled: headers of 256 KiB within 10 s, a body of 3
//! MiB within 30 s. The number of connections is limited.

use std::convert::Infallible;
use std::future::Future;
use std::sync::Arc;
use std::time::Instant;

use bytes::Bytes;
use http::{HeaderMap, HeaderValue, Request, Response, StatusCode};
use http_body_util::{BodyExt as _, Full, LengthLimitError, Limited};
use hyper::body::{Body as _, Incoming};
use hyper::service::service_fn;
use sluice_host::{ConnectionLimits, serve_connections};
use tokio::net::TcpListener;
use tokio::sync::{Semaphore, SemaphorePermit};
use tokio_util::sync::CancellationToken;

use crate::event::{HEADER_TIMEOUT, MAX_BODY_BYTES, MAX_HEADER_BYTES, READ_TIMEOUT};
use crate::metrics::HttpMetrics;

/// Larger bodies wait for one of [`MAX_LARGE_BODIES`] permits. Callers are not
/// authenticated yet, and all connections together must not fill the memory.
const SMALL_BODY_BYTES: u64 = 64 << 10;
/// Maximum number of large bodies in memory.
const MAX_LARGE_BODIES: usize = 32;
/// The limits of connections.
const LIMITS: ConnectionLimits = ConnectionLimits {
    buffer_bytes: MAX_HEADER_BYTES,
    header_timeout: Some(HEADER_TIMEOUT),
    connections: Some(1024),
};

/// A request with its whole body.
#[derive(Debug)]
pub(crate) struct WholeRequest {
    /// Path and query, as sent.
    pub(crate) target: String,
    pub(crate) headers: HeaderMap,
    pub(crate) body: Bytes,
}

/// Response without a body.
#[derive(Debug)]
pub(crate) struct EmptyResponse {
    pub(crate) status: StatusCode,
    pub(crate) headers: Vec<(&'static str, String)>,
}

impl From<StatusCode> for EmptyResponse {
    fn from(status: StatusCode) -> Self {
        Self {
            status,
            headers: Vec::new(),
        }
    }
}

/// Handles the requests of a server.
pub(crate) trait Handler: Send + Sync + 'static {
    /// Returns the answer to a request.
    fn handle(&self, request: WholeRequest) -> impl Future<Output = EmptyResponse> + Send;
}

/// Serves until `stop` is cancelled. Running requests then have five more seconds.
pub(crate) async fn serve<H: Handler>(
    listener: TcpListener,
    handler: Arc<H>,
    metrics: HttpMetrics,
    stop: CancellationToken,
) {
    let large_bodies = Arc::new(Semaphore::new(MAX_LARGE_BODIES));
    let service = || {
        let (handler, metrics) = (Arc::clone(&handler), metrics.clone());
        let large_bodies = Arc::clone(&large_bodies);
        service_fn(move |request: Request<Incoming>| {
            let (handler, metrics) = (Arc::clone(&handler), metrics.clone());
            let large_bodies = Arc::clone(&large_bodies);
            async move {
                let answered = answer(request, &*handler, &metrics, &large_bodies);
                Ok::<_, Infallible>(answered.await)
            }
        })
    };
    serve_connections(listener, LIMITS, service, stop).await;
}

async fn answer<H: Handler>(
    request: Request<Incoming>,
    handler: &H,
    metrics: &HttpMetrics,
    large_bodies: &Semaphore,
) -> Response<Full<Bytes>> {
    let started = Instant::now();
    let method = request.method().clone();
    let path = request.uri().path().to_owned();
    let in_flight = metrics.begin(&path);
    let answer = match read(request, large_bodies).await {
        Ok((request, _permit)) => handler.handle(request).await,
        Err(status) => status.into(),
    };
    drop(in_flight);
    metrics.end(&path, &method, answer.status, started.elapsed());
    let mut response = Response::new(Full::default());
    *response.status_mut() = answer.status;
    for (name, value) in answer.headers {
        if let Ok(value) = HeaderValue::from_str(&value) {
            response.headers_mut().insert(name, value);
        }
    }
    response
}

/// Reads the body. A large one has a permit until it is handled. An error is the status of the
/// response.
async fn read(
    request: Request<Incoming>,
    large_bodies: &Semaphore,
) -> Result<(WholeRequest, Option<SemaphorePermit<'_>>), StatusCode> {
    let (parts, body) = request.into_parts();
    let is_small = body
        .size_hint()
        .upper()
        .is_some_and(|bytes| bytes <= SMALL_BODY_BYTES);
    let permit = if is_small {
        None
    } else {
        let permit = tokio::time::timeout(READ_TIMEOUT, large_bodies.acquire()).await;
        let permit = permit.map_err(|_| StatusCode::SERVICE_UNAVAILABLE)?;
        Some(permit.expect("the semaphore is never closed"))
    };
    let body = Limited::new(body, MAX_BODY_BYTES).collect();
    let body = match tokio::time::timeout(READ_TIMEOUT, body).await {
        Ok(Ok(body)) => body.to_bytes(),
        Ok(Err(error)) if error.downcast_ref::<LengthLimitError>().is_some() => {
            tracing::error!(
                limit = MAX_BODY_BYTES,
                "request body exceeds the size limit"
            );
            return Err(StatusCode::PAYLOAD_TOO_LARGE);
        }
        Ok(Err(error)) => {
            tracing::error!(%error, "reading the request body failed");
            return Err(StatusCode::BAD_REQUEST);
        }
        Err(_) => {
            tracing::error!("reading the request body took too long");
            return Err(StatusCode::BAD_REQUEST);
        }
    };
    let target = parts.uri.path_and_query().map_or("/", |it| it.as_str());
    let request = WholeRequest {
        target: target.to_owned(),
        headers: parts.headers,
        body,
    };
    Ok((request, permit))
}

#[cfg(test)]
mod tests;
