//! Tests `trigger receiver` against a local server. It acts as notification-controller and as the
//! token endpoint of a CI system.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex};

use axum::Router;
use axum::body::Bytes;
use axum::extract::State;
use axum::http::{HeaderMap, Method, StatusCode, Uri};
use sluice_testkit::Sluice;

use crate::program;

/// A recorded request.
#[derive(Clone, Debug)]
struct RecordedRequest {
    method: Method,
    uri: Uri,
    headers: HeaderMap,
    body: String,
}

impl RecordedRequest {
    fn header(&self, name: &str) -> &str {
        self.headers
            .get(name)
            .map_or("", |value| value.to_str().unwrap())
    }
}

#[derive(Default)]
struct ReceiverState {
    asked: Vec<RecordedRequest>,
    /// Next responses. The default is `200 OK`.
    answers: VecDeque<(u16, &'static str)>,
}

struct Server {
    said: Arc<Mutex<ReceiverState>>,
    url: String,
}

impl Server {
    async fn start(answers: &[(u16, &'static str)]) -> Self {
        let listener = tokio::net::TcpListener::bind(("127.0.0.1", 0))
            .await
            .unwrap();
        let url = format!("http://{}", listener.local_addr().unwrap());
        let said = Arc::new(Mutex::new(ReceiverState {
            asked: Vec::new(),
            answers: answers.iter().copied().collect(),
        }));
        let router = Router::new().fallback(answer).with_state(Arc::clone(&said));
        tokio::spawn(async move { axum::serve(listener, router).await });
        Self { said, url }
    }

    fn asked(&self) -> Vec<RecordedRequest> {
        self.said.lock().unwrap().asked.clone()
    }
}

async fn answer(
    State(said): State<Arc<Mutex<ReceiverState>>>,
    method: Method,
    uri: Uri,
    headers: HeaderMap,
    body: Bytes,
) -> (StatusCode, &'static str) {
    let mut said = said.lock().unwrap();
    let body = String::from_utf8(body.to_vec()).unwrap();
    said.asked.push(RecordedRequest {
        method,
        uri,
        headers,
        body,
    });
    let (status, text) = said.answers.pop_front().unwrap_or((200, ""));
    (StatusCode::from_u16(status).unwrap(), text)
}

async fn trigger(sluice: &Sluice, server: &Server, more: &[&str]) -> (Option<i32>, String) {
    let url = format!("--url={}", server.url);
    let mut arguments = vec!["trigger", "receiver", "web", "-n", "apps", &url];
    arguments.extend(more);
    sluice.run(&arguments).await
}

fn sluice() -> Sluice {
    Sluice::at(program::flux())
}

const DONE: &str = "► triggering Receiver apps/web\n✔ Receiver apps/web triggered\n";

#[tokio::test(flavor = "multi_thread")]
async fn payload_is_sent_to_the_receiver_path() {
    let server = Server::start(&[]).await;
    let (code, printed) = trigger(&sluice(), &server, &["--token=t", "--payload={\"a\":1}"]).await;
    assert_eq!((code, printed.as_str()), (Some(0), DONE));
    let asked = server.asked();
    let [only] = asked.as_slice() else {
        panic!("{asked:?}")
    };
    let path = sluice_api::notification::webhook::path(b"t", "web", "apps");
    assert_eq!(
        (only.method.as_str(), only.uri.path(), only.body.as_str()),
        ("POST", path.as_str(), "{\"a\":1}")
    );
    assert_eq!(only.header("content-type"), "application/json");
    assert!(
        only.header("user-agent").starts_with("flux/v2."),
        "{only:?}"
    );
    assert_eq!(
        (only.header("x-signature"), only.header("authorization")),
        ("", "")
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn signed_payload_is_read_from_a_file() {
    let server = Server::start(&[]).await;
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("payload.json");
    std::fs::write(&path, "{}").unwrap();
    let payload = format!("--payload=@{}", path.display());
    let arguments = ["--token=t", "--type=generic-hmac", &payload];
    let (code, printed) = trigger(&sluice(), &server, &arguments).await;
    assert_eq!((code, printed.as_str()), (Some(0), DONE));
    // Expected value: printf '{}' | openssl dgst -sha256 -hmac t
    let signature = "sha256=8cea346b6d932a9f665aebd284cb1a1d9b814e461a5adf9c52f8201895be3d38";
    assert_eq!(server.asked()[0].header("x-signature"), signature);
}

#[tokio::test(flavor = "multi_thread")]
async fn identity_comes_from_flag_file_or_service() {
    let server = Server::start(&[]).await;
    let oidc = "--type=generic-oidc";
    trigger(&sluice(), &server, &[oidc, "--oidc-token=given"]).await;
    let found = sluice().variable("FLUX_TRIGGER_RECEIVER_OIDC_TOKEN", "found");
    trigger(&found, &server, &[oidc]).await;

    let actions = Server::start(&[(200, "{\"value\":\"fetched\"}")]).await;
    let job = sluice()
        .variable(
            "ACTIONS_ID_TOKEN_REQUEST_URL",
            format!("{}/token?api-version=2.0", actions.url),
        )
        .variable("ACTIONS_ID_TOKEN_REQUEST_TOKEN", "job");
    let (code, printed) = trigger(&job, &server, &[oidc, "--oidc-provider=forgejo"]).await;
    assert_eq!((code, printed.as_str()), (Some(0), DONE));

    let asked = server.asked();
    let bearers: Vec<&str> = asked
        .iter()
        .map(|asked| asked.header("authorization"))
        .collect();
    assert_eq!(bearers, ["Bearer given", "Bearer found", "Bearer fetched"]);
    let path = sluice_api::notification::webhook::path(b"", "web", "apps");
    assert!(asked.iter().all(|asked| asked.uri.path() == path));
    let asked = actions.asked();
    assert_eq!(
        asked[0].uri,
        "/token?api-version=2.0&audience=notification-controller"
    );
    assert_eq!(asked[0].header("authorization"), "bearer job");
}

#[tokio::test(flavor = "multi_thread")]
async fn unavailable_identity_fails_before_sending() {
    let server = Server::start(&[]).await;
    let oidc = "--type=generic-oidc";
    let (code, printed) = trigger(&sluice(), &server, &[oidc]).await;
    assert_eq!(code, Some(1));
    assert!(
        printed.contains("no OIDC token provided: set --oidc-provider"),
        "{printed}"
    );
    let (code, printed) = trigger(&sluice(), &server, &[oidc, "--oidc-provider=github"]).await;
    assert_eq!(code, Some(1));
    assert!(
        printed.contains(
            "ACTIONS_ID_TOKEN_REQUEST_URL and ACTIONS_ID_TOKEN_REQUEST_TOKEN must be set"
        ),
        "{printed}"
    );
    for (answer, said) in [
        (
            (403, "denied"),
            "✗ OIDC token request failed with status 403 Forbidden: denied\n",
        ),
        (
            (200, "{\"value\":\"\"}"),
            "✗ the OIDC token response did not contain a token\n",
        ),
        (
            (200, "canary"),
            "✗ failed to decode the OIDC token response\n",
        ),
    ] {
        let actions = Server::start(&[answer]).await;
        let job = sluice()
            .variable("ACTIONS_ID_TOKEN_REQUEST_URL", actions.url.clone())
            .variable("ACTIONS_ID_TOKEN_REQUEST_TOKEN", "job");
        let ended = trigger(&job, &server, &[oidc, "--oidc-provider=github"]).await;
        assert_eq!(ended, (Some(1), said.to_owned()));
    }
    assert!(server.asked().is_empty());
}

#[tokio::test(flavor = "multi_thread")]
async fn transient_failure_is_retried_and_final_one_is_not() {
    let busy = [(404, ""), (503, "busy\n")];
    let server = Server::start(&busy).await;
    let (code, printed) = trigger(&sluice(), &server, &["--token=t", "--retry-delay=1ms"]).await;
    let url = format!(
        "{}{}",
        server.url,
        sluice_api::notification::webhook::path(b"t", "web", "apps")
    );
    assert_eq!(
        (code, printed),
        (
            Some(0),
            format!(
                "► triggering Receiver apps/web\n\
             ◎ request to {url} failed with status 404 Not Found; retrying in 1ms (1/10)\n\
             ◎ request to {url} failed with status 503 Service Unavailable: busy; retrying in 1ms (2/10)\n\
             ✔ Receiver apps/web triggered\n"
            )
        )
    );
    let server = Server::start(&[(401, "unauthorized")]).await;
    let (code, printed) = trigger(&sluice(), &server, &["--token=t", "--retry-delay=1ms"]).await;
    assert_eq!(code, Some(1));
    assert!(
        printed.ends_with(" failed with status 401 Unauthorized: unauthorized\n"),
        "{printed}"
    );
    assert_eq!(server.asked().len(), 1);
    let nobody = Server {
        url: "http://127.0.0.1:1".to_owned(),
        ..server
    };
    let (code, printed) = trigger(
        &sluice(),
        &nobody,
        &["--token=t", "--retries=1", "--retry-delay=1ms"],
    )
    .await;
    assert_eq!(code, Some(1));
    assert_eq!(
        printed.matches("connect: connection refused").count(),
        2,
        "{printed}"
    );
}
