//! A strict server for the APIs of clouds: it answers only what a test lists, and records requests.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};

use axum::Router;
use axum::body::Body;
use axum::extract::{Request, State};
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use tokio::task::JoinHandle;

/// A recorded request.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct CloudRequest {
    /// Method and path, as in `POST /token`.
    pub(crate) line: String,
    /// Query, without its question mark.
    pub(crate) query: String,
    /// Headers in lower case.
    pub(crate) headers: BTreeMap<String, String>,
    /// Body.
    pub(crate) body: String,
}

impl CloudRequest {
    /// Returns a field of a form.
    pub(crate) fn field(&self, name: &str) -> Option<String> {
        let mut pairs = self.body.split('&').filter_map(|pair| pair.split_once('='));
        let (_, value) = pairs.find(|(field, _)| *field == name)?;
        let mut decoded = Vec::new();
        let mut bytes = value.bytes();
        while let Some(byte) = bytes.next() {
            decoded.push(match byte {
                b'+' => b' ',
                b'%' => {
                    let digits = [bytes.next()?, bytes.next()?];
                    u8::from_str_radix(std::str::from_utf8(&digits).ok()?, 16).ok()?
                }
                other => other,
            });
        }
        String::from_utf8(decoded).ok()
    }
}

type Answer = dyn Fn(&CloudRequest) -> Option<(u16, String)> + Send + Sync;

struct Shared {
    answer: Box<Answer>,
    requests: Mutex<Vec<CloudRequest>>,
}

/// A running server; dropping it stops it.
pub(crate) struct CloudServer {
    shared: Arc<Shared>,
    address: String,
    serving: JoinHandle<()>,
}

impl CloudServer {
    /// Starts a server. A request without an answer gets the status 418.
    pub(crate) async fn start(
        answer: impl Fn(&CloudRequest) -> Option<(u16, String)> + Send + Sync + 'static,
    ) -> Self {
        let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap().to_string();
        let shared = Arc::new(Shared {
            answer: Box::new(answer),
            requests: Mutex::default(),
        });
        let router = Router::new()
            .fallback(serve)
            .with_state(Arc::clone(&shared));
        let serving = tokio::spawn(async move {
            axum::serve(listener, router).await.unwrap();
        });
        Self {
            shared,
            address,
            serving,
        }
    }

    /// Returns the URL of a path.
    pub(crate) fn url(&self, path: &str) -> String {
        format!("http://{}{path}", self.address)
    }

    /// Returns the requests so far with a method and path.
    pub(crate) fn requests_to(&self, line: &str) -> Vec<CloudRequest> {
        let requests = self.shared.requests.lock();
        let mut requests = requests.unwrap_or_else(PoisonError::into_inner).clone();
        requests.retain(|request| request.line == line);
        requests
    }
}

impl Drop for CloudServer {
    fn drop(&mut self) {
        self.serving.abort();
    }
}

async fn serve(State(shared): State<Arc<Shared>>, request: Request<Body>) -> Response {
    let (parts, body) = request.into_parts();
    let body = axum::body::to_bytes(body, 1 << 20).await.unwrap();
    let headers = parts.headers.iter().map(|(name, value)| {
        let value = String::from_utf8_lossy(value.as_bytes()).into_owned();
        (name.as_str().to_owned(), value)
    });
    let request = CloudRequest {
        line: format!("{} {}", parts.method, parts.uri.path()),
        query: parts.uri.query().unwrap_or_default().to_owned(),
        headers: headers.collect(),
        body: String::from_utf8_lossy(&body).into_owned(),
    };
    let requests = shared.requests.lock();
    requests
        .unwrap_or_else(PoisonError::into_inner)
        .push(request.clone());
    match (shared.answer)(&request) {
        Some((status, body)) => (StatusCode::from_u16(status).unwrap(), body).into_response(),
        None => (StatusCode::IM_A_TEAPOT, "no such answer").into_response(),
    }
}
