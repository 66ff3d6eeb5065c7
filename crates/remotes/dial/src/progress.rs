//! How far a request has come: a request that is given up must say in which step.
//!
//! The HTTP client tells nobody. So the steps that it takes through us (name resolution, and
//! the connection as a whole) leave a note in the task that sends the request.

use std::future::Future;
use std::net::SocketAddr;
use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicU8, Ordering};
use std::task::{Context, Poll};

use reqwest::dns::{Addrs, Name, Resolve, Resolving};
use tower::{Layer, Service};

tokio::task_local! {
    static NOTES: Arc<AtomicU8>;
}

/// A step of a request.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Stage {
    /// The name of the host, or of the proxy, is being resolved.
    Resolve,
    /// TCP and TLS.
    Connect,
    /// The question is on its way, or its answer.
    Answer,
}

/// The progress of one request.
#[derive(Debug, Clone)]
pub struct Progress(Arc<AtomicU8>);

impl Default for Progress {
    /// A request over a connection that is open already begins with its last step.
    fn default() -> Self {
        Self(Arc::new(AtomicU8::new(Stage::Answer as u8)))
    }
}

impl Progress {
    /// Runs a request and takes note of its steps.
    pub async fn watch<F: Future>(&self, request: F) -> F::Output {
        NOTES.scope(Arc::clone(&self.0), request).await
    }

    /// The step that was begun last.
    pub fn stage(&self) -> Stage {
        match self.0.load(Ordering::Relaxed) {
            0 => Stage::Resolve,
            1 => Stage::Connect,
            _ => Stage::Answer,
        }
    }
}

/// The notes of the task, if anybody wants them.
fn notes() -> Option<Arc<AtomicU8>> {
    NOTES.try_with(Arc::clone).ok()
}

fn note(notes: Option<&Arc<AtomicU8>>, stage: Stage) {
    if let Some(notes) = notes {
        notes.store(stage as u8, Ordering::Relaxed);
    }
}

/// The system's resolver.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Resolver;

impl Resolve for Resolver {
    fn resolve(&self, name: Name) -> Resolving {
        let notes = notes();
        note(notes.as_ref(), Stage::Resolve);
        Box::pin(async move {
            let found = tokio::net::lookup_host((name.as_str(), 0)).await?;
            let found: Vec<SocketAddr> = found.collect();
            note(notes.as_ref(), Stage::Connect);
            Ok(Box::new(found.into_iter()) as Addrs)
        })
    }
}

/// Around whatever makes connections.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Noting;

impl<S> Layer<S> for Noting {
    type Service = Noted<S>;

    fn layer(&self, inner: S) -> Noted<S> {
        Noted(inner)
    }
}

#[derive(Debug, Clone)]
pub(crate) struct Noted<S>(S);

impl<R, S: Service<R>> Service<R> for Noted<S>
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
        let notes = notes();
        note(notes.as_ref(), Stage::Connect);
        let connecting = self.0.call(request);
        Box::pin(async move {
            let connected = connecting.await;
            if connected.is_ok() {
                note(notes.as_ref(), Stage::Answer);
            }
            connected
        })
    }
}
