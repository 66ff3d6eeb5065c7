//! A service that records requests and sends prepared responses.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex};

use axum::Router;
use axum::body::Bytes;
use axum::extract::State;
use axum::http::{HeaderMap, Method, StatusCode, Uri};
use serde_json::Value;
use sluice_testkit::wait;
use tokio::task::JoinHandle;

/// A recorded request.
#[derive(Clone, Debug)]
pub(crate) struct RecordedRequest {
    pub(crate) method: Method,
    pub(crate) target: String,
    pub(crate) headers: HeaderMap,
    pub(crate) body: Value,
}

#[derive(Default)]
struct Shared {
    requests: Vec<RecordedRequest>,
    /// Next responses. The default is `200` with `[]`.
    answers: VecDeque<(u16, String)>,
}

/// A running service that stops when dropped.
pub(crate) struct Sink {
    shared: Arc<Mutex<Shared>>,
    pub(crate) url: String,
    task: JoinHandle<()>,
}

impl Sink {
    pub(crate) async fn start() -> Self {
        let listener = tokio::net::TcpListener::bind(("127.0.0.1", 0))
            .await
            .unwrap();
        let url = format!("http://{}", listener.local_addr().unwrap());
        let shared = Arc::new(Mutex::new(Shared::default()));
        let router = Router::new()
            .fallback(receive)
            .with_state(Arc::clone(&shared));
        let task = tokio::spawn(async move {
            axum::serve(listener, router).await.ok();
        });
        Self { shared, url, task }
    }

    /// Sets the next response.
    pub(crate) fn answer(&self, status: u16, body: &str) {
        let mut shared = self.shared.lock().unwrap();
        shared.answers.push_back((status, body.to_owned()));
    }

    pub(crate) fn requests(&self) -> Vec<RecordedRequest> {
        self.shared.lock().unwrap().requests.clone()
    }

    /// Waits for this number of requests.
    pub(crate) async fn wait(&self, count: usize) -> Vec<RecordedRequest> {
        wait::eventually(&format!("{count} requests arrive"), || async {
            let requests = self.requests();
            if requests.len() >= count {
                return Ok(requests);
            }
            Err(format!("{requests:#?}"))
        })
        .await
    }
}

impl Drop for Sink {
    fn drop(&mut self) {
        self.task.abort();
    }
}

async fn receive(
    State(shared): State<Arc<Mutex<Shared>>>,
    method: Method,
    uri: Uri,
    headers: HeaderMap,
    body: Bytes,
) -> (StatusCode, String) {
    let mut shared = shared.lock().unwrap();
    shared.requests.push(RecordedRequest {
        method,
        target: uri.to_string(),
        headers,
        body: serde_json::from_slice(&body).unwrap_or(Value::Null),
    });
    let (status, body) = shared
        .answers
        .pop_front()
        .unwrap_or_else(|| (200, "[]".to_owned()));
    (StatusCode::from_u16(status).unwrap(), body)
}
