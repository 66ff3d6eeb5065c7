//! The service of all Providers. It counts the copies of each message.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use axum::Router;
use axum::body::Bytes;
use axum::extract::{Path, State};
use axum::http::StatusCode;
use axum::routing::post;

/// Received messages of one Provider, with the number of copies.
type Messages = HashMap<String, usize>;

pub(super) struct Service {
    address: String,
    shared: Arc<Shared>,
}

struct Shared {
    received: Vec<Mutex<Messages>>,
    /// The first Provider fails until this time.
    down_until: Mutex<Instant>,
}

impl Service {
    pub(super) async fn start(providers: usize) -> anyhow::Result<Self> {
        let listener = tokio::net::TcpListener::bind(("127.0.0.1", 0)).await?;
        let address = listener.local_addr()?.to_string();
        let shared = Arc::new(Shared {
            received: (0..providers).map(|_| Mutex::default()).collect(),
            down_until: Mutex::new(Instant::now()),
        });
        let router = Router::new()
            .route("/{provider}", post(receive))
            .with_state(Arc::clone(&shared));
        tokio::spawn(async move { axum::serve(listener, router).await });
        Ok(Self { address, shared })
    }

    pub(super) fn url(&self, provider: usize) -> String {
        format!("http://{}/{provider}", self.address)
    }

    pub(super) fn go_down(&self, time: Duration) {
        *lock(&self.shared.down_until) = Instant::now() + time;
    }

    /// Returns the number of different messages of all Providers.
    pub(super) fn delivered(&self) -> usize {
        let received = self.shared.received.iter();
        received.map(|messages| lock(messages).len()).sum()
    }

    /// Returns the copies of the message that arrived most often.
    pub(super) fn most_copies(&self) -> usize {
        let received = self.shared.received.iter();
        let most = received.map(|messages| lock(messages).values().copied().max());
        most.flatten().max().unwrap_or_default()
    }
}

async fn receive(
    State(shared): State<Arc<Shared>>,
    Path(provider): Path<usize>,
    body: Bytes,
) -> StatusCode {
    if provider == 0 && Instant::now() < *lock(&shared.down_until) {
        return StatusCode::SERVICE_UNAVAILABLE;
    }
    let Ok(event) = serde_json::from_slice::<serde_json::Value>(&body) else {
        return StatusCode::BAD_REQUEST;
    };
    let Some(messages) = shared.received.get(provider) else {
        return StatusCode::NOT_FOUND;
    };
    let message = event["message"].as_str().unwrap_or_default().to_owned();
    *lock(messages).entry(message).or_default() += 1;
    StatusCode::OK
}

fn lock<T>(mutex: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
