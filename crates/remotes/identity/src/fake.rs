//! A strict server for tests: it records each request as text, and answers only what a test lists.

use std::collections::HashMap;
use std::sync::{Arc, Mutex};

use axum::Router;
use axum::extract::{Request, State};
use axum::response::{IntoResponse, Response};
use http::StatusCode;

/// An answer: status, header, body.
#[derive(Clone)]
pub(crate) struct Answer {
    status: StatusCode,
    header: Option<(&'static str, &'static str)>,
    body: String,
}

/// Returns a successful answer.
pub(crate) fn ok(body: impl Into<String>) -> Answer {
    Answer {
        status: StatusCode::OK,
        header: None,
        body: body.into(),
    }
}

/// Returns an answer with a status.
pub(crate) fn status(status: u16, body: impl Into<String>) -> Answer {
    Answer {
        status: StatusCode::from_u16(status).unwrap(),
        ..ok(body)
    }
}

impl Answer {
    /// Adds a header.
    pub(crate) fn with(self, name: &'static str, value: &'static str) -> Self {
        Self {
            header: Some((name, value)),
            ..self
        }
    }
}

/// A running server.
#[derive(Clone)]
pub(crate) struct Fake {
    answers: Arc<HashMap<String, Answer>>,
    requests: Arc<Mutex<Vec<String>>>,
    address: String,
}

impl Fake {
    /// Starts a server. An answer belongs to a method with a path: `GET /token`.
    pub(crate) async fn start(answers: &[(&str, Answer)]) -> Self {
        let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
        let answers = answers.iter().cloned();
        let fake = Self {
            answers: Arc::new(
                answers
                    .map(|(line, answer)| (line.to_owned(), answer))
                    .collect(),
            ),
            requests: Arc::default(),
            address: listener.local_addr().unwrap().to_string(),
        };
        let router = Router::new().fallback(serve).with_state(fake.clone());
        tokio::spawn(async move { axum::serve(listener, router).await });
        fake
    }

    /// `host:port`.
    pub(crate) fn host(&self) -> &str {
        &self.address
    }

    pub(crate) fn url(&self, path: &str) -> String {
        format!("http://{}{path}", self.address)
    }

    /// Takes the requests: method and address, headers except those of every request, body.
    pub(crate) fn requests(&self) -> Vec<String> {
        std::mem::take(&mut *self.requests.lock().unwrap())
    }
}

async fn serve(State(fake): State<Fake>, request: Request) -> Response {
    let (parts, body) = request.into_parts();
    let body = axum::body::to_bytes(body, 1 << 16).await.unwrap();
    let mut lines = vec![format!("{} {}", parts.method, parts.uri)];
    for (name, value) in &parts.headers {
        let usual = ["host", "user-agent", "accept", "content-length"];
        if !usual.contains(&name.as_str()) {
            lines.push(format!("{name}: {}", value.to_str().unwrap()));
        }
    }
    lines[1..].sort();
    if !body.is_empty() {
        lines.push(String::from_utf8(body.to_vec()).unwrap());
    }
    fake.requests.lock().unwrap().push(lines.join("\n"));
    let line = format!("{} {}", parts.method, parts.uri.path());
    let Some(answer) = fake.answers.get(&line).cloned() else {
        return (StatusCode::IM_A_TEAPOT, "no such answer").into_response();
    };
    let mut response = (answer.status, answer.body).into_response();
    if let Some((name, value)) = answer.header {
        response.headers_mut().insert(name, value.parse().unwrap());
    }
    response
}
