//! Progress of a request, for the message of a timeout.
//!
//! The HTTP client does not report its progress. Name resolution and connection pass through hooks
//! of this module, which record the stage in the task of the request.

use std::future::Future;
use std::net::SocketAddr;
use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicU8, Ordering};
use std::task::{Context, Poll};

use reqwest::dns::{Addrs, Name, Resolve, Resolving};
use tower::{Layer, Service};

use crate::reach::{LocalAddress, Reach, is_local};

tokio::task_local! {
    static PROGRESS: Arc<AtomicU8>;
}

/// A stage of a request.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Stage {
    /// Resolving the name of the host or the proxy.
    Resolve,
    /// Connecting over TCP and TLS.
    Connect,
    /// Sending the request or waiting for the response.
    Answer,
}

/// The progress of a request.
#[derive(Debug, Clone)]
pub struct Progress(Arc<AtomicU8>);

impl Default for Progress {
    /// A request on an open connection starts with the last stage.
    fn default() -> Self {
        Self(Arc::new(AtomicU8::new(Stage::Answer as u8)))
    }
}

impl Progress {
    /// Runs a request and records its stages.
    pub async fn watch<F: Future>(&self, request: F) -> F::Output {
        PROGRESS.scope(Arc::clone(&self.0), request).await
    }

    /// Returns the current stage.
    pub fn stage(&self) -> Stage {
        match self.0.load(Ordering::Relaxed) {
            0 => Stage::Resolve,
            1 => Stage::Connect,
            _ => Stage::Answer,
        }
    }
}

/// Returns the progress of the current task, if it is recorded.
fn current_progress() -> Option<Arc<AtomicU8>> {
    PROGRESS.try_with(Arc::clone).ok()
}

fn record(progress: Option<&Arc<AtomicU8>>, stage: Stage) {
    if let Some(progress) = progress {
        progress.store(stage as u8, Ordering::Relaxed);
    }
}

/// The system's resolver with progress. It refuses a name with an address out of reach.
#[derive(Debug, Clone, Copy)]
pub(crate) struct ProgressResolver(pub(crate) Reach);

impl Resolve for ProgressResolver {
    fn resolve(&self, name: Name) -> Resolving {
        let (progress, Self(reach)) = (current_progress(), *self);
        record(progress.as_ref(), Stage::Resolve);
        Box::pin(async move {
            let found = tokio::net::lookup_host((name.as_str(), 0)).await?;
            let found: Vec<SocketAddr> = found.collect();
            let mut addresses = found.iter().map(SocketAddr::ip);
            if reach == Reach::Remote
                && let Some(local) = addresses.find(|address| is_local(*address))
            {
                return Err(LocalAddress(local).into());
            }
            record(progress.as_ref(), Stage::Connect);
            Ok(Box::new(found.into_iter()) as Addrs)
        })
    }
}

/// Layer around the connector.
#[derive(Debug, Clone, Copy)]
pub(crate) struct ProgressLayer;

impl<S> Layer<S> for ProgressLayer {
    type Service = ProgressConnector<S>;

    fn layer(&self, inner: S) -> ProgressConnector<S> {
        ProgressConnector(inner)
    }
}

#[derive(Debug, Clone)]
pub(crate) struct ProgressConnector<S>(S);

impl<R, S: Service<R>> Service<R> for ProgressConnector<S>
where
    S::Future: Send + 'static,
{
    type Response = S::Response;
    type Error = S::Error;
    type Future = Pin<Box<dyn Future<Output = Result<S::Response, S::Error>> + Send>>;

    fn poll_ready(&mut self, context: &mut Context<'_>) -> Poll<Result<(), S::Error>> {
        self.0.poll_ready(context)
    }

    fn call(&mut self, request: R) -> Self::Future {
        let progress = current_progress();
        record(progress.as_ref(), Stage::Connect);
        let connecting = self.0.call(request);
        Box::pin(async move {
            let connected = connecting.await;
            if connected.is_ok() {
                record(progress.as_ref(), Stage::Answer);
            }
            connected
        })
    }
}
