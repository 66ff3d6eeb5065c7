//! Receives events that controllers post to `--events-addr`, and fails on demand.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use axum::Router;
use axum::body::Bytes;
use axum::extract::State;
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::{IntoResponse, Response};
use serde_json::Value;
use sluice_api::Event;
use tokio::net::TcpListener;
use tokio::sync::watch;
use tokio::task::JoinHandle;

use crate::wait;

/// A running sink; dropping it stops it.
#[derive(Debug)]
pub struct EventSink {
    shared: Arc<Mutex<ReceivedEvents>>,
    url: String,
    task: JoinHandle<()>,
}

#[derive(Debug, Default)]
struct ReceivedEvents {
    events: Vec<Event>,
    /// Bodies that are not events, with the reason.
    rejected: Vec<String>,
    headers: Vec<HeaderMap>,
    /// The next answers; then `200 OK`.
    answers: VecDeque<Answer>,
    /// Notified by every request.
    requests: watch::Sender<()>,
}

#[derive(Debug, Clone, Copy)]
struct Answer {
    status: u16,
    retry_after: Option<u32>,
}

impl EventSink {
    /// Starts a sink on the current runtime.
    pub async fn start() -> Self {
        let listener = TcpListener::bind(("127.0.0.1", 0)).await.unwrap();
        let url = format!("http://{}/", listener.local_addr().unwrap());
        let shared = Arc::new(Mutex::new(ReceivedEvents::default()));
        let router = Router::new()
            .fallback(receive)
            .with_state(Arc::clone(&shared));
        let task = tokio::spawn(async move {
            // The server ends only when the task is aborted.
            axum::serve(listener, router).await.ok();
        });
        Self { shared, url, task }
    }

    /// The value for `--events-addr`.
    pub fn url(&self) -> &str {
        &self.url
    }

    /// Answers the next `times` requests with a status and discards their events.
    pub fn refuse(&self, status: u16, retry_after: Option<u32>, times: usize) {
        let answers = std::iter::repeat_n(
            Answer {
                status,
                retry_after,
            },
            times,
        );
        self.shared.lock().unwrap().answers.extend(answers);
    }

    /// Returns all accepted events, in order of arrival.
    pub fn events(&self) -> Vec<Event> {
        self.shared.lock().unwrap().events.clone()
    }

    /// Returns the events of one object.
    pub fn about(&self, kind: &str, namespace: &str, name: &str) -> Vec<Event> {
        let mut events = self.events();
        events.retain(|event| {
            let object = &event.involved_object;
            object.kind == kind && object.namespace == namespace && object.name == name
        });
        events
    }

    /// Returns the headers of all requests, including rejected ones.
    pub fn headers(&self) -> Vec<HeaderMap> {
        self.shared.lock().unwrap().headers.clone()
    }

    /// Waits until no request arrives for this time.
    pub async fn until_quiet(&self, span: Duration) {
        let mut requests = self.shared.lock().unwrap().requests.subscribe();
        while let Ok(Ok(())) = tokio::time::timeout(span, requests.changed()).await {}
    }

    /// Waits for an event and returns it. `claim` describes the event.
    pub async fn wait_for(&self, claim: &str, matches: impl Fn(&Event) -> bool) -> Event {
        wait::eventually(claim, || async {
            let received = self.shared.lock().unwrap();
            received
                .events
                .iter()
                .find(|event| matches(event))
                .cloned()
                .ok_or_else(|| {
                    let events: Vec<String> = received.events.iter().map(line).collect();
                    format!("{}\nnot events: {:?}", events.join("\n"), received.rejected)
                })
        })
        .await
    }
}

impl Drop for EventSink {
    fn drop(&mut self) {
        self.task.abort();
    }
}

/// Formats an event for the message of a failed test.
fn line(event: &Event) -> String {
    let object = &event.involved_object;
    format!(
        "{}/{}/{}: {}: {}",
        object.kind, object.namespace, object.name, event.reason, event.message
    )
}

async fn receive(
    State(shared): State<Arc<Mutex<ReceivedEvents>>>,
    headers: HeaderMap,
    body: Bytes,
) -> Response {
    let mut received = shared.lock().unwrap();
    received.headers.push(headers);
    received.requests.send_replace(());
    if let Some(Answer {
        status,
        retry_after,
    }) = received.answers.pop_front()
    {
        let status = StatusCode::from_u16(status).unwrap();
        return match retry_after {
            Some(seconds) => (status, [(header::RETRY_AFTER, seconds.to_string())]).into_response(),
            None => status.into_response(),
        };
    }
    match serde_json::from_slice(&body) {
        Ok(event) => {
            received.events.push(event);
            StatusCode::OK.into_response()
        }
        Err(error) => {
            let body: Value = serde_json::from_slice(&body).unwrap_or_default();
            received.rejected.push(format!("{error}: {body}"));
            StatusCode::BAD_REQUEST.into_response()
        }
    }
}
