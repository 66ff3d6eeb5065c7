//! Serves HTTP connections until the process stops.

use std::error::Error;
use std::sync::Arc;
use std::time::Duration;

use hyper::body::{Body, Incoming};
use hyper::server::conn::http1;
use hyper::service::HttpService;
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::server::graceful::GracefulShutdown;
use tokio::net::TcpListener;
use tokio::sync::Semaphore;
use tokio_util::sync::CancellationToken;

/// Time limit of running requests after shutdown starts.
const DRAIN_TIMEOUT: Duration = Duration::from_secs(5);
/// Delay after a failed accept, for example when the process has no descriptors left.
const ACCEPT_RETRY_DELAY: Duration = Duration::from_secs(1);

/// Limits of an HTTP server.
#[derive(Debug, Clone, Copy)]
pub struct ConnectionLimits {
    /// Maximum size of the read buffer of a connection, and so of its headers.
    pub buffer_bytes: usize,
    /// Maximum time to read the headers; `None` for hyper's default.
    pub header_timeout: Option<Duration>,
    /// Maximum concurrent connections. Further ones wait in the kernel's backlog.
    pub connections: Option<usize>,
}

/// Serves until `stop` is cancelled. Running requests then have five more seconds. Each connection
/// gets a service of its own.
pub async fn serve_connections<S>(
    listener: TcpListener,
    limits: ConnectionLimits,
    service: impl Fn() -> S,
    stop: CancellationToken,
) where
    S: HttpService<Incoming> + Send + 'static,
    S::Future: Send + 'static,
    S::Error: Into<Box<dyn Error + Send + Sync>>,
    S::ResBody: Send + 'static,
    <S::ResBody as Body>::Data: Send,
    <S::ResBody as Body>::Error: Into<Box<dyn Error + Send + Sync>>,
{
    let mut connections = http1::Builder::new();
    connections
        .max_buf_size(limits.buffer_bytes)
        .timer(TokioTimer::new());
    if let Some(timeout) = limits.header_timeout {
        connections.header_read_timeout(timeout);
    }
    let graceful = GracefulShutdown::new();
    let most = limits.connections.unwrap_or(Semaphore::MAX_PERMITS);
    let permits = Arc::new(Semaphore::new(most));
    loop {
        let accept = async {
            let permit = Arc::clone(&permits).acquire_owned().await;
            listener.accept().await.map(|(stream, _)| (stream, permit))
        };
        let accepted = tokio::select! {
            accepted = accept => accepted,
            () = stop.cancelled() => break,
        };
        let (stream, permit) = match accepted {
            Ok(accepted) => accepted,
            Err(error) => {
                tracing::warn!(%error, "failed to accept connection");
                tokio::time::sleep(ACCEPT_RETRY_DELAY).await;
                continue;
            }
        };
        let connection = connections.serve_connection(TokioIo::new(stream), service());
        let connection = graceful.watch(connection);
        sluice_system::spawn(async move {
            // A client that disconnects is not an error.
            drop(connection.await);
            drop(permit);
        });
    }
    drop(listener);
    drop(tokio::time::timeout(DRAIN_TIMEOUT, graceful.shutdown()).await);
}
