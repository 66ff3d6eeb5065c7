//! [`Watcher`] against a scripted server: which requests it sends, and which events it reports.
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::collections::VecDeque;
use std::ops::ControlFlow;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use axum::Router;
use axum::extract::Request;
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use serde_json::{Value, json};
use sluice_client::watch::{Backoff, Event, Scope, Watcher};
use sluice_client::{ApiResource, Cluster, Config, Options, Resource};

const BACKOFF: Backoff = Backoff {
    first: Duration::from_millis(1),
    max: Duration::from_millis(4),
};

/// Answers each request by the next response, and the last one by a watch without events.
struct Server {
    requests: Arc<Mutex<Vec<String>>>,
    watcher: Watcher,
}

impl Server {
    async fn start(responses: Vec<Response>) -> Self {
        let responses = Arc::new(Mutex::new(VecDeque::from(responses)));
        let requests = Arc::<Mutex<Vec<String>>>::default();
        let log = Arc::clone(&requests);
        let router = Router::new().fallback(move |request: Request| {
            let (responses, log) = (Arc::clone(&responses), Arc::clone(&log));
            async move {
                log.lock().unwrap().push(summary(&request));
                let next = responses.lock().unwrap().pop_front();
                next.unwrap_or_else(|| events(&[]))
            }
        });
        let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
        let url = format!("http://{}", listener.local_addr().unwrap());
        tokio::spawn(async move { axum::serve(listener, router).await });
        let config = Config::new(url.parse().unwrap());
        let cluster = Cluster::connect(config, Options::new("test")).unwrap();
        let resource = Resource {
            api: ApiResource {
                group: String::new(),
                version: "v1".to_owned(),
                api_version: "v1".to_owned(),
                kind: "ConfigMap".to_owned(),
                plural: "configmaps".to_owned(),
            },
            namespaced: true,
            verbs: Vec::new(),
            names: Vec::new(),
        };
        let watcher = Watcher::of_resource(cluster, resource, Scope::default(), BACKOFF);
        Self { requests, watcher }
    }

    /// Runs the watcher until it has sent this many requests; returns the events in short.
    async fn run(mut self, requests: usize) -> (Vec<String>, Vec<String>) {
        let (mut events, log) = (Vec::new(), Arc::clone(&self.requests));
        let run = self.watcher.run(|event| {
            let is_over = log.lock().unwrap().len() >= requests;
            if is_over {
                return ControlFlow::Break(());
            }
            events.push(short(&event));
            ControlFlow::Continue(())
        });
        tokio::time::timeout(Duration::from_secs(30), run)
            .await
            .unwrap();
        let requests = self.requests.lock().unwrap().clone();
        (events, requests)
    }
}

/// The verb and what the request asks for.
fn summary(request: &Request) -> String {
    let query = request.uri().query().unwrap_or_default();
    let value = |name: &str| {
        url::form_urlencoded::parse(query.as_bytes())
            .find(|(key, _)| key == name)
            .map(|(_, value)| value.into_owned())
            .unwrap_or_default()
    };
    match (value("watch").as_str(), value("sendInitialEvents").as_str()) {
        ("true", "true") => "snapshot".to_owned(),
        ("true", _) => format!("watch {}", value("resourceVersion")),
        _ => "list".to_owned(),
    }
}

fn short(event: &Event) -> String {
    let name = |object: &Value| object["metadata"]["name"].as_str().unwrap().to_owned();
    match event {
        Event::Connected => "connected".to_owned(),
        Event::Restarted => "restarted".to_owned(),
        Event::Listed(object) => format!("listed {}", name(object)),
        Event::Synced { version } => format!("synced {version}"),
        Event::Applied(object) => format!("applied {}", name(object)),
        Event::Deleted(object) => format!("deleted {}", name(object)),
        Event::Failed(failure) => format!("failed {}", failure.is_refusal()),
    }
}

fn object(name: &str, version: &str) -> Value {
    json!({"apiVersion": "v1", "kind": "ConfigMap",
        "metadata": {"name": name, "namespace": "apps", "resourceVersion": version}})
}

fn event(type_: &str, name: &str, version: &str) -> Value {
    json!({"type": type_, "object": object(name, version)})
}

fn bookmark(version: &str, is_end: bool) -> Value {
    let annotations = if is_end {
        json!({"k8s.io/initial-events-end": "true"})
    } else {
        json!({})
    };
    json!({"type": "BOOKMARK", "object": {"apiVersion": "v1", "kind": "ConfigMap",
        "metadata": {"resourceVersion": version, "annotations": annotations}}})
}

fn events(events: &[Value]) -> Response {
    let lines: Vec<_> = events.iter().map(|event| format!("{event}\n")).collect();
    lines.concat().into_response()
}

fn failure(code: u16, reason: &str) -> Value {
    json!({"kind": "Status", "apiVersion": "v1", "metadata": {}, "status": "Failure",
        "reason": reason, "message": "on purpose", "code": code})
}

fn refused(code: u16, reason: &str) -> Response {
    let code = StatusCode::from_u16(code).unwrap();
    (code, axum::Json(failure(code.as_u16(), reason))).into_response()
}

fn snapshot(names: &[(&str, &str)], version: &str) -> Vec<Value> {
    let objects = names.iter().map(|(name, at)| event("ADDED", name, at));
    objects.chain([bookmark(version, true)]).collect()
}

#[tokio::test]
async fn ended_watch_resumes_after_the_last_version() {
    let mut first = snapshot(&[("b", "7"), ("a", "3")], "9");
    first.push(event("MODIFIED", "a", "11"));
    let second = [event("DELETED", "a", "16"), bookmark("20", false)];
    let server = Server::start(vec![events(&first), events(&second)]).await;
    let (events, requests) = server.run(3).await;
    let expected = [
        "connected",
        "restarted",
        "listed b",
        "listed a",
        "synced 9",
        "applied a",
        "connected",
        "deleted a",
    ];
    assert_eq!(events, expected);
    assert_eq!(requests, ["snapshot", "watch 11", "watch 20"]);
}

#[tokio::test]
async fn incomplete_snapshot_is_taken_again() {
    let server = Server::start(vec![
        events(&[event("ADDED", "a", "3")]),
        events(&snapshot(&[("a", "3")], "9")),
    ])
    .await;
    let (_, requests) = server.run(3).await;
    assert_eq!(requests, ["snapshot", "snapshot", "watch 9"]);
}

#[tokio::test]
async fn expired_version_starts_over() {
    let expired = json!({"type": "ERROR", "object": failure(410, "Expired")});
    let server = Server::start(vec![
        events(&snapshot(&[], "9")),
        events(&[expired]),
        events(&snapshot(&[], "30")),
        refused(410, "Expired"),
    ])
    .await;
    let (events, requests) = server.run(5).await;
    let expected = ["snapshot", "watch 9", "snapshot", "watch 30", "snapshot"];
    assert_eq!(requests, expected);
    assert!(!events.iter().any(|event| event.starts_with("failed")));
}

#[tokio::test]
async fn server_without_watch_lists_is_listed() {
    let list = json!({"kind": "ConfigMapList", "apiVersion": "v1",
        "metadata": {"resourceVersion": "12"}, "items": [object("a", "3")]});
    let server = Server::start(vec![
        refused(422, "Invalid"),
        axum::Json(list).into_response(),
        events(&[event("ADDED", "b", "13")]),
    ])
    .await;
    let (events, requests) = server.run(4).await;
    let expected = [
        "restarted",
        "listed a",
        "synced 12",
        "connected",
        "applied b",
    ];
    assert_eq!(events, expected);
    assert_eq!(requests, ["snapshot", "list", "watch 12", "watch 13"]);
}

#[tokio::test]
async fn refused_watch_is_reported_and_retried() {
    let server = Server::start(vec![
        refused(403, "Forbidden"),
        refused(404, "NotFound"),
        refused(500, "InternalError"),
    ])
    .await;
    let (events, requests) = server.run(4).await;
    assert_eq!(events, ["failed true", "failed true", "failed false"]);
    assert_eq!(requests, ["snapshot"; 4]);
}

#[tokio::test]
async fn watcher_resumes_after_a_given_version() {
    let mut server = Server::start(vec![events(&[event("ADDED", "a", "6")])]).await;
    server.watcher = server.watcher.resume_after("5");
    let (events, requests) = server.run(2).await;
    assert_eq!(events, ["connected", "applied a"]);
    assert_eq!(requests, ["watch 5", "watch 6"]);
}
