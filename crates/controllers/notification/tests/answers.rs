//! Feeds odd responses of services to the sender.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

use http::Method;
use serde_json::json;
use sluice_api::Event;
use sluice_dial::HttpClients;
use sluice_notification_controller::config::{DEFAULT_TIMEOUT, ProviderConfig, Secrets};
use sluice_notification_controller::delivery::Failure;
use sluice_notification_controller::request::{HttpRequest, Request};
use sluice_notification_controller::sender::{IdentityOptions, SendError, Sender};
use sluice_notification_controller::trial;
use sluice_system::SystemClock;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpListener;
use url::Url;

/// Secret that the service repeats.
const TOKEN: &str = "canary-token";

/// Sends a request to a service that answers with these bytes, and repeats the last ones forever if
/// `is_endless`.
async fn send(answer: &'static [u8], is_endless: bool) -> Result<(u16, usize), SendError> {
    let url = serve(answer, is_endless).await;
    let config = ProviderConfig {
        token: TOKEN.as_bytes().to_vec().into(),
        timeout: DEFAULT_TIMEOUT,
        ..ProviderConfig::default()
    };
    let request = HttpRequest::new(Method::POST, Url::parse(&url).unwrap());
    let sent = sender()
        .send(&config, None, &[Request::Http(request)])
        .await?;
    let answer = sent.unwrap();
    Ok((answer.status, answer.body.len()))
}

fn sender() -> Sender {
    let clients = Arc::new(HttpClients::new("test"));
    Sender::new(clients, Arc::new(SystemClock), IdentityOptions::default())
}

/// Starts a service that answers one request. Returns its address.
async fn serve(answer: &'static [u8], is_endless: bool) -> String {
    let listener = TcpListener::bind(("127.0.0.1", 0)).await.unwrap();
    let url = format!("http://{}/hook", listener.local_addr().unwrap());
    tokio::spawn(async move {
        let (mut stream, _) = listener.accept().await.unwrap();
        let mut request = [0; 4096];
        let _read = stream.read(&mut request).await;
        let mut written = stream.write_all(answer).await;
        while is_endless && written.is_ok() {
            written = stream.write_all(&[b'x'; 4096]).await;
        }
    });
    url
}

#[tokio::test]
async fn status_decides_about_a_retry() {
    let transient = |seconds: Option<u64>| Failure::Transient {
        retry_after: seconds.map(Duration::from_secs),
    };
    let cases: [(&[u8], Failure); 6] = [
        (
            b"HTTP/1.1 429 Too Many\r\nRetry-After: 7\r\nContent-Length: 0\r\n\r\n",
            transient(Some(7)),
        ),
        (
            b"HTTP/1.1 429 Too Many\r\nRetry-After: soon\r\nContent-Length: 0\r\n\r\n",
            transient(None),
        ),
        (
            b"HTTP/1.1 500 Broken\r\nContent-Length: 0\r\n\r\n",
            transient(None),
        ),
        (
            b"HTTP/1.1 501 Unknown\r\nContent-Length: 0\r\n\r\n",
            Failure::Permanent,
        ),
        (
            b"HTTP/1.1 403 No\r\nContent-Length: 0\r\n\r\n",
            Failure::Permanent,
        ),
        // The connection ends before the response does.
        (
            b"HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\n{}",
            transient(None),
        ),
    ];
    for (answer, expected) in cases {
        let error = send(answer, false).await.unwrap_err();
        assert_eq!(error.failure, expected, "{error}");
    }
}

#[tokio::test]
async fn endless_answer_is_cut() {
    let head = b"HTTP/1.1 200 OK\r\nContent-Length: 100000000\r\n\r\n";
    assert_eq!(send(head, true).await.unwrap(), (200, 4 << 20));
    let head = b"HTTP/1.1 400 No\r\nContent-Length: 100000000\r\n\r\n";
    let error = send(head, true).await.unwrap_err();
    assert!(error.message.len() < 5000, "{}", error.message.len());
}

#[tokio::test]
async fn odd_bytes_of_an_answer_reach_no_event() {
    let answer =
        b"HTTP/1.1 400 No\r\nContent-Length: 28\r\n\r\n\x1b[2J\xff\0 no canary-token here\n";
    let error = send(answer, false).await.unwrap_err();
    let text = &error.message;
    assert!(!text.chars().any(char::is_control), "{text:?}");
    assert!(text.contains("no ***** here"), "{text:?}");
}

#[tokio::test]
async fn answer_that_is_not_http_is_an_error() {
    let error = send(b"SSH-2.0-OpenSSH_9.0\r\n", false).await.unwrap_err();
    assert!(
        error.message.contains("failed to call the service"),
        "{error}"
    );
}

/// `sluice test provider` prints this answer.
#[tokio::test]
async fn trial_shows_the_answer_without_secrets() {
    let answer = b"HTTP/1.1 200 OK\r\nContent-Length: 35\r\n\r\n{\"ok\":true,\"token\":\"canary-token\"}\x1b";
    let url = serve(answer, false).await;
    let provider = serde_json::from_value(json!({
        "apiVersion": "notification.toolkit.fluxcd.io/v1beta3", "kind": "Provider",
        "metadata": { "name": "slack", "namespace": "apps" },
        "spec": { "type": "slack", "address": url, "secretRef": { "name": "slack" } },
    }))
    .unwrap();
    let keys = BTreeMap::from([("token".to_owned(), TOKEN.as_bytes().to_vec())]);
    let secrets = Secrets {
        credentials: Some(&keys),
        ..Secrets::default()
    };
    let event = Event::default();
    let sender = sender();
    let sent = trial::send(&sender, &provider, secrets, Some(&keys), &event);
    let sent = sent.await.unwrap();
    let (status, text) = sent.answer.unwrap();
    assert_eq!((sent.requests, status), (1, 200));
    assert!(text.starts_with(r#"{"ok":true,"token":"*****"}"#), "{text}");
    assert!(!text.chars().any(char::is_control), "{text:?}");
}
