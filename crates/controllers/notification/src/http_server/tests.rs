//! Tests the limits of the server with raw connections.

use prometheus::Registry;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpStream;
use tokio::task::JoinHandle;

use super::*;

/// Answers with 202.
struct Accept;

impl Handler for Accept {
    async fn handle(&self, _: WholeRequest) -> EmptyResponse {
        StatusCode::ACCEPTED.into()
    }
}

struct Server {
    address: std::net::SocketAddr,
    stop: CancellationToken,
    task: JoinHandle<()>,
}

impl Server {
    async fn start() -> Self {
        let listener = TcpListener::bind(("127.0.0.1", 0)).await.unwrap();
        let address = listener.local_addr().unwrap();
        let metrics = HttpMetrics::register(&Registry::new(), "test", None);
        let stop = CancellationToken::new();
        let task = tokio::spawn(serve(listener, Arc::new(Accept), metrics, stop.clone()));
        Self {
            address,
            stop,
            task,
        }
    }

    /// Sends bytes, and reads until the server closes the connection.
    async fn exchange(&self, bytes: &[u8]) -> String {
        let mut stream = TcpStream::connect(self.address).await.unwrap();
        // The server may close the connection before it has read everything.
        let _written = stream.write_all(bytes).await;
        let mut answer = Vec::new();
        let _read = stream.read_to_end(&mut answer).await;
        String::from_utf8_lossy(&answer).into_owned()
    }

    async fn stop(self) {
        self.stop.cancel();
        self.task.await.unwrap();
    }
}

#[tokio::test]
async fn request_is_handled_with_any_method_and_path() {
    let server = Server::start().await;
    let answer = server
        .exchange(b"BREW /any?path HTTP/1.1\r\nhost: a\r\nconnection: close\r\n\r\n")
        .await;
    assert!(answer.starts_with("HTTP/1.1 202 "), "{answer}");
    server.stop().await;
}

#[tokio::test]
async fn large_body_is_refused() {
    let server = Server::start().await;
    let length = MAX_BODY_BYTES + 1;
    let head = format!(
        "POST / HTTP/1.1\r\nhost: a\r\nconnection: close\r\ncontent-length: {length}\r\n\r\n"
    );
    let mut bytes = head.into_bytes();
    bytes.resize(bytes.len() + length, b'x');
    let answer = server.exchange(&bytes).await;
    assert!(answer.starts_with("HTTP/1.1 413 "), "{answer}");
    server.stop().await;
}

#[tokio::test]
async fn large_header_is_refused() {
    let server = Server::start().await;
    let header = "x".repeat(2 * MAX_HEADER_BYTES);
    let head = format!("POST / HTTP/1.1\r\nhost: a\r\nx: {header}\r\n\r\n");
    let answer = server.exchange(head.as_bytes()).await;
    assert!(!answer.starts_with("HTTP/1.1 202 "), "{answer}");
    server.stop().await;
}

/// Time is paused, so the limits pass at once when all tasks wait.
#[tokio::test(start_paused = true)]
async fn slow_request_is_ended() {
    let server = Server::start().await;
    let started = tokio::time::Instant::now();
    let cases: [&[u8]; 3] = [
        b"",
        b"POST / HTTP/1.1\r\nhost",
        b"POST / HTTP/1.1\r\nhost: a\r\ncontent-length: 9\r\n\r\nx",
    ];
    for bytes in cases {
        let ended = tokio::time::timeout(READ_TIMEOUT * 2, server.exchange(bytes));
        let answer = ended.await.unwrap();
        assert!(!answer.starts_with("HTTP/1.1 202 "), "{answer}");
    }
    assert!(started.elapsed() >= HEADER_TIMEOUT);
    server.stop().await;
}
