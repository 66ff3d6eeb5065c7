//! A `Cluster` against a controlled server: its requests, identities and error messages.
//!
//! All tests use the one server of this file.
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

mod discovery;
mod limits;
mod lists;
mod requests;

use std::sync::{Arc, Mutex};
use std::time::Duration;

use axum::Router;
use axum::body::Body;
use axum::extract::Request;
use axum::http::{HeaderMap, StatusCode};
use axum::response::{IntoResponse, Response};
use k8s_openapi::api::core::v1::Secret;
use serde_json::{Value, json};
use sluice_client::{
    Cluster, Config, Fence, FieldValidation, Freshness, GroupKind, GroupVersionKind, Identity,
    ListOptions, Options, PatchOptions, Rate, WatchOptions, typed,
};

type Handler = dyn Fn(&str, usize) -> Response + Send + Sync;

/// All requests: `GET /path?query`, and their headers.
type RecordedRequests = Arc<Mutex<Vec<(String, HeaderMap)>>>;

/// A server whose response depends on the request and on its number of earlier occurrences.
struct Server {
    seen: RecordedRequests,
    url: String,
}

impl Server {
    async fn start(answer: impl Fn(&str, usize) -> Response + Send + Sync + 'static) -> Self {
        let answer: Arc<Handler> = Arc::new(answer);
        let seen = RecordedRequests::default();
        let log = seen.clone();
        let router = Router::new().fallback(move |request: Request| {
            let (answer, log) = (answer.clone(), log.clone());
            async move {
                let path = request.uri().path_and_query().unwrap().as_str();
                let line = format!("{} {}", request.method(), path.trim_end_matches('?'));
                let mut log = log.lock().unwrap();
                let before = log.iter().filter(|(seen, _)| *seen == line).count();
                log.push((line.clone(), request.headers().clone()));
                answer(&line, before)
            }
        });
        let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
        let url = format!("http://{}", listener.local_addr().unwrap());
        tokio::spawn(async move { axum::serve(listener, router).await });
        Self { seen, url }
    }

    fn cluster(&self, change: impl FnOnce(&mut Options)) -> Cluster {
        let mut options = Options::new("sluice-test");
        change(&mut options);
        Cluster::connect(Config::new(self.url.parse().unwrap()), options).unwrap()
    }

    fn requests(&self) -> Vec<String> {
        self.seen
            .lock()
            .unwrap()
            .iter()
            .map(|(line, _)| line.clone())
            .collect()
    }

    fn headers(&self, line: &str) -> HeaderMap {
        self.seen
            .lock()
            .unwrap()
            .iter()
            .rev()
            .find(|(seen, _)| seen == line)
            .unwrap()
            .1
            .clone()
    }
}

fn ok(value: &Value) -> Response {
    axum::Json(value).into_response()
}

fn status(code: u16, reason: &str, message: &str) -> Response {
    let body = json!({"kind": "Status", "apiVersion": "v1", "status": "Failure", "reason": reason, "message": message, "code": code});
    (StatusCode::from_u16(code).unwrap(), axum::Json(body)).into_response()
}

/// Aggregated discovery: pods, and widgets if `with_widgets`.
fn discovery(line: &str, with_widgets: bool) -> Option<Response> {
    let group = |name: &str, version: &str, plural: &str, kind: &str, scope: &str| {
        json!({"metadata": {"name": name}, "versions": [{"version": version, "freshness": "Current", "resources": [
            {"resource": plural, "responseKind": {"group": name, "version": version, "kind": kind}, "scope": scope, "verbs": ["get", "list", "watch", "patch", "delete"]}]}]})
    };
    let items = match line {
        "GET /api" => vec![group("", "v1", "pods", "Pod", "Namespaced")],
        "GET /apis" if with_widgets => {
            vec![group("example.com", "v1", "widgets", "Widget", "Cluster")]
        }
        "GET /apis" => vec![],
        _ => return None,
    };
    Some(ok(
        &json!({"kind": "APIGroupDiscoveryList", "apiVersion": "apidiscovery.k8s.io/v2", "items": items}),
    ))
}

fn pod() -> GroupVersionKind {
    GroupVersionKind::gvk("", "v1", "Pod")
}

fn widget() -> GroupVersionKind {
    GroupVersionKind::gvk("example.com", "v1", "Widget")
}
