//! Tests the settings of a Provider that change its connections.

use std::net::{IpAddr, Ipv4Addr};
use std::sync::{Arc, Mutex};

use rustls::server::WebPkiClientVerifier;
use rustls::{RootCertStore, ServerConfig};
use rustls_pki_types::pem::PemObject as _;
use rustls_pki_types::{CertificateDer, PrivateKeyDer};
use serde_json::json;
use sluice_notification_controller::{Preview, Show};
use sluice_testkit::devcluster::authority::{Authority, Identity};
use tokio::io::{AsyncBufReadExt as _, AsyncReadExt as _, AsyncWriteExt as _, BufReader};
use tokio::net::{TcpListener, TcpStream};
use tokio_rustls::TlsAcceptor;

use super::World;
use super::sink::Sink;

/// Reads the head of a request, in lines.
async fn head<S: tokio::io::AsyncRead + Unpin>(stream: &mut BufReader<S>) -> Vec<String> {
    let mut lines = Vec::new();
    loop {
        let mut line = String::new();
        stream.read_line(&mut line).await.unwrap();
        if line.trim().is_empty() {
            return lines;
        }
        lines.push(line.trim().to_owned());
    }
}

/// Returns a TLS server that requires a certificate of the authority.
fn acceptor(identity: &Identity, authority: &str) -> TlsAcceptor {
    let provider = Arc::new(rustls::crypto::aws_lc_rs::default_provider());
    let mut roots = RootCertStore::empty();
    let authority = CertificateDer::from_pem_slice(authority.as_bytes()).unwrap();
    roots.add(authority).unwrap();
    let verifier =
        WebPkiClientVerifier::builder_with_provider(Arc::new(roots), Arc::clone(&provider));
    let chain = CertificateDer::from_pem_slice(identity.certificate.as_bytes()).unwrap();
    let key = PrivateKeyDer::from_pem_slice(identity.key.as_bytes()).unwrap();
    let config = ServerConfig::builder_with_provider(provider)
        .with_safe_default_protocol_versions()
        .unwrap()
        .with_client_cert_verifier(verifier.build().unwrap())
        .with_single_cert(vec![chain], key)
        .unwrap();
    TlsAcceptor::from(Arc::new(config))
}

/// Starts a service that requires a certificate of the authority. Returns its port.
async fn secure_service(authority: &Authority) -> u16 {
    let address = [IpAddr::V4(Ipv4Addr::LOCALHOST)];
    let identity = authority
        .server("hooks", &["hooks.invalid"], &address)
        .unwrap();
    let tls = acceptor(&identity, &authority.certificate());
    let listener = TcpListener::bind(("127.0.0.1", 0)).await.unwrap();
    let port = listener.local_addr().unwrap().port();
    tokio::spawn(async move {
        while let Ok((stream, _)) = listener.accept().await {
            let Ok(stream) = tls.accept(stream).await else {
                continue;
            };
            let mut stream = BufReader::new(stream);
            let head = head(&mut stream).await;
            let length = head.iter().find_map(|line| {
                line.to_lowercase()
                    .strip_prefix("content-length: ")?
                    .parse()
                    .ok()
            });
            let mut body = vec![0; length.unwrap_or(0)];
            stream.read_exact(&mut body).await.unwrap();
            let answer = b"HTTP/1.1 200 OK\r\ncontent-length: 0\r\nconnection: close\r\n\r\n";
            stream.write_all(answer).await.unwrap();
            stream.shutdown().await.unwrap();
        }
    });
    port
}

/// Starts a proxy that tunnels every connection to a port, and records the requests.
async fn proxy(target: u16) -> (String, Arc<Mutex<Vec<String>>>) {
    let listener = TcpListener::bind(("127.0.0.1", 0)).await.unwrap();
    let url = format!("http://{}", listener.local_addr().unwrap());
    let log = Arc::new(Mutex::new(Vec::new()));
    let requests = Arc::clone(&log);
    tokio::spawn(async move {
        while let Ok((stream, _)) = listener.accept().await {
            let requests = Arc::clone(&requests);
            tokio::spawn(async move {
                let mut stream = BufReader::new(stream);
                let head = head(&mut stream).await;
                requests.lock().unwrap().extend(head);
                let answer = b"HTTP/1.1 200 OK\r\n\r\n";
                stream.write_all(answer).await.unwrap();
                let mut service = TcpStream::connect(("127.0.0.1", target)).await.unwrap();
                drop(tokio::io::copy_bidirectional(&mut stream, &mut service).await);
            });
        }
    });
    (url, log)
}

#[tokio::test(flavor = "multi_thread")]
async fn certificates_and_proxy_of_secrets_are_used() {
    let world = World::new("notify-tls").await;
    let authority = Authority::new("test").unwrap();
    let client = authority.client("flux", None).unwrap();
    let port = secure_service(&authority).await;
    let (url, log) = proxy(port).await;
    let ca = authority.certificate();
    let entries = [
        ("ca.crt", ca.as_str()),
        ("tls.crt", &client.certificate),
        ("tls.key", &client.key),
    ];
    world.secret("cert", &entries).await;
    let entries = [
        ("address", url.as_str()),
        ("username", "u"),
        ("password", "p"),
    ];
    world.secret("proxy", &entries).await;
    let provider = json!({
        "type": "generic", "address": "https://hooks.invalid/events",
        "certSecretRef": { "name": "cert" }, "proxySecretRef": { "name": "proxy" },
    });
    world.alert("secure", provider, json!({})).await;
    assert_eq!(world.post(json!({})).await, 202);
    world.delivered("generic", 1).await;
    let log = log.lock().unwrap().clone();
    assert_eq!(log[0], "CONNECT hooks.invalid:443 HTTP/1.1");
    // base64 of "u:p"
    assert!(
        log.iter()
            .any(|line| line.eq_ignore_ascii_case("proxy-authorization: Basic dTpw")),
        "{log:?}"
    );
    world.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn unknown_authority_is_a_warning() {
    let world = World::new("notify-ca").await;
    let authority = Authority::new("test").unwrap();
    let port = secure_service(&authority).await;
    let other = Authority::new("other").unwrap();
    world
        .secret("cert", &[("ca.crt", other.certificate().as_str())])
        .await;
    let provider = json!({
        "type": "generic", "address": format!("https://127.0.0.1:{port}/canary"),
        "certSecretRef": { "name": "cert" },
    });
    world.alert("secure", provider, json!({})).await;
    assert_eq!(world.post(json!({})).await, 202);
    let event = world
        .warning("NotificationDispatchFailed", "certificate")
        .await;
    assert!(!format!("{event:?}").contains("canary"));
    world.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn service_that_hangs_ends_at_the_timeout() {
    let world = World::with("notify-hang", &["--delivery-max-age=0s"]).await;
    // The kernel accepts the connection, and no program answers.
    let listener = TcpListener::bind(("127.0.0.1", 0)).await.unwrap();
    let address = format!("http://{}", listener.local_addr().unwrap());
    let provider = json!({ "type": "generic", "address": address, "timeout": "1s" });
    world.alert("hang", provider, json!({})).await;
    assert_eq!(world.post(json!({})).await, 202);
    world
        .warning(
            "NotificationDispatchFailed",
            "the service did not answer within 1s",
        )
        .await;
    world
        .warning("NotificationGivenUp", "of Alert 'hang'")
        .await;
    let line = r#"sluice_notifications_total{outcome="given_up",type="generic"} 1"#;
    assert!(world.metrics().contains(line), "{}", world.metrics());
    drop(listener);
    world.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn proxy_that_hangs_ends_at_the_timeout() {
    let world = World::new("notify-proxy").await;
    let listener = TcpListener::bind(("127.0.0.1", 0)).await.unwrap();
    let address = format!("http://{}", listener.local_addr().unwrap());
    world.secret("proxy", &[("address", &address)]).await;
    let provider = json!({
        "type": "generic", "address": "https://hooks.invalid", "timeout": "1s",
        "proxySecretRef": { "name": "proxy" },
    });
    world.alert("hang", provider, json!({})).await;
    assert_eq!(world.post(json!({})).await, 202);
    world
        .warning(
            "NotificationDispatchFailed",
            "the service did not answer within 1s",
        )
        .await;
    drop(listener);
    world.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn hanging_service_delays_no_other_one() {
    let world = World::new("notify-slow").await;
    let listener = TcpListener::bind(("127.0.0.1", 0)).await.unwrap();
    let address = format!("http://{}", listener.local_addr().unwrap());
    let slow = json!({ "type": "generic", "address": address, "timeout": "10m" });
    world.alert("slow", slow, json!({})).await;
    let sink = Sink::start().await;
    let fast = json!({ "type": "generic", "address": sink.url });
    world.alert("fast", fast, json!({})).await;
    for number in 0..20 {
        let event = json!({ "message": format!("message {}", "x".repeat(number)) });
        assert_eq!(world.post(event).await, 202);
    }
    sink.wait(20).await;
    drop(listener);
    world.stop().await;
}

/// `sluice dev` shows notifications this way.
#[tokio::test(flavor = "multi_thread")]
async fn preview_shows_a_message_and_sends_none() {
    let shown = Arc::new(Mutex::new(Vec::new()));
    let log = Arc::clone(&shown);
    let show: Show = Arc::new(move |preview: &Preview| log.lock().unwrap().push(preview.clone()));
    let world = World::showing("notify-preview", &[], Some(show)).await;
    let sink = Sink::start().await;
    let provider = json!({ "type": "generic", "address": sink.url });
    world.alert("generic", provider, json!({})).await;
    assert_eq!(world.post(json!({})).await, 202);
    world.delivered("generic", 1).await;
    let shown = shown.lock().unwrap().clone();
    assert_eq!(shown.len(), 1);
    assert_eq!(shown[0].provider, format!("{}/generic", world.namespace));
    let request = &shown[0].requests[0];
    assert!(request.starts_with("POST 127.0.0.1 {"), "{request}");
    assert!(request.contains("Applied revision"), "{request}");
    assert!(sink.requests().is_empty());
    world.stop().await;
}
