//! Tests the protocol with a server that records its commands.

use aws_lc_rs::signature::{ED25519, UnparsedPublicKey};
use base64::Engine as _;
use base64::prelude::BASE64_URL_SAFE_NO_PAD;
use sluice_dial::Basic;
use tokio::net::TcpListener;
use tokio::task::JoinHandle;

use super::key::{USER_PREFIX, checksum, decode, encode};
use super::*;

fn seed() -> String {
    let mut bytes = vec![(18 << 3) | (USER_PREFIX >> 5), (USER_PREFIX & 31) << 3];
    bytes.extend_from_slice(&[7; 32]);
    bytes.extend_from_slice(&checksum(&bytes).to_le_bytes());
    encode(&bytes)
}

/// Reads commands until `PING`, and responds.
async fn converse<S: Stream>(stream: S, answer: &str) -> String {
    let mut stream = BufReader::new(stream);
    let mut all = String::new();
    loop {
        let before = all.len();
        if stream.read_line(&mut all).await.unwrap() == 0 || all[before..] == *"PING\r\n" {
            break;
        }
    }
    stream.write_all(answer.as_bytes()).await.unwrap();
    stream.flush().await.unwrap();
    all
}

/// Runs a server that sends `INFO`, reads until `PING` and responds.
async fn serve(info: &'static str, answer: &'static str) -> (String, JoinHandle<String>) {
    let listener = TcpListener::bind(("127.0.0.1", 0)).await.unwrap();
    let address = listener.local_addr().unwrap().to_string();
    let task = tokio::spawn(async move {
        let (mut stream, _) = listener.accept().await.unwrap();
        let greeting = format!("INFO {info}\r\n");
        stream.write_all(greeting.as_bytes()).await.unwrap();
        converse(stream, answer).await
    });
    (address, task)
}

/// Runs a server whose connections are encrypted after `INFO`. Returns its authority in PEM.
async fn serve_tls(info: &'static str) -> (String, String, JoinHandle<Option<String>>) {
    let made = rcgen::generate_simple_self_signed(vec!["127.0.0.1".to_owned()]).unwrap();
    let key = made.signing_key.serialize_der();
    let config = rustls::ServerConfig::builder_with_provider(std::sync::Arc::new(
        rustls::crypto::aws_lc_rs::default_provider(),
    ))
    .with_safe_default_protocol_versions()
    .unwrap()
    .with_no_client_auth()
    .with_single_cert(
        vec![made.cert.der().clone()],
        rustls_pki_types::PrivateKeyDer::Pkcs8(key.into()),
    )
    .unwrap();
    let acceptor = tokio_rustls::TlsAcceptor::from(std::sync::Arc::new(config));
    let listener = TcpListener::bind(("127.0.0.1", 0)).await.unwrap();
    let address = listener.local_addr().unwrap().to_string();
    let task = tokio::spawn(async move {
        let (mut stream, _) = listener.accept().await.unwrap();
        let greeting = format!("INFO {info}\r\n");
        stream.write_all(greeting.as_bytes()).await.unwrap();
        let stream = acceptor.accept(stream).await.ok()?;
        Some(converse(stream, "PONG\r\n").await)
    });
    (address, made.cert.pem(), task)
}

fn message(server: String, credentials: NatsCredentials) -> NatsMessage {
    NatsMessage {
        server,
        subject: "flux.events".into(),
        credentials,
        connection: "NATS Provider Publisher",
        body: b"{}".to_vec(),
    }
}

/// Returns the options of the `CONNECT` command.
fn options_of(all: &str) -> Value {
    let connect = all.lines().next().unwrap();
    serde_json::from_str(&connect["CONNECT ".len()..]).unwrap()
}

#[tokio::test]
async fn message_is_published_with_a_signature() {
    let (server, task) = serve(r#"{"nonce":"abc"}"#, "PONG\r\n").await;
    let credentials = NatsCredentials::Seed(seed().into_bytes().into());
    let sent = message(format!("nats://{server}"), credentials);
    publish(&sent, &Tls::default()).await.unwrap();
    let all = task.await.unwrap();
    let (_, rest) = all.split_once("\r\n").unwrap();
    assert_eq!(rest, "PUB flux.events 2\r\n{}\r\nPING\r\n");
    let options = options_of(&all);
    assert_eq!(options["name"], "NATS Provider Publisher");
    assert_eq!(options["tls_required"], false);
    let public = decode(options["nkey"].as_str().unwrap().as_bytes()).unwrap();
    let signature = options["sig"].as_str().unwrap();
    let signature = BASE64_URL_SAFE_NO_PAD.decode(signature).unwrap();
    let key = UnparsedPublicKey::new(&ED25519, &public[1..33]);
    key.verify(b"abc", &signature).unwrap();
    assert!(options["nkey"].as_str().unwrap().starts_with('U'));
    assert!(seed().starts_with("SU"));
}

#[tokio::test]
async fn required_tls_encrypts_the_message() {
    let (server, ca, task) = serve_tls(r#"{"tls_required":true}"#).await;
    let tls = Tls::with_ca(ca.as_bytes()).unwrap().replacing_system();
    let basic = Basic::new("u", "p");
    let sent = message(format!("nats://{server}"), NatsCredentials::Basic(basic));
    publish(&sent, &tls).await.unwrap();
    let all = task.await.unwrap().unwrap();
    let options = options_of(&all);
    assert_eq!(
        (&options["user"], &options["pass"]),
        (&json!("u"), &json!("p"))
    );
    assert_eq!(options["tls_required"], true);
}

#[tokio::test]
async fn address_asks_for_available_tls() {
    let (server, ca, task) = serve_tls(r#"{"tls_available":true}"#).await;
    let tls = Tls::with_ca(ca.as_bytes()).unwrap();
    let sent = message(format!("tls://{server}"), NatsCredentials::Anonymous);
    publish(&sent, &tls).await.unwrap();
    assert!(task.await.unwrap().unwrap().contains("flux.events"));
    let (server, _) = serve("{}", "PONG\r\n").await;
    let sent = message(format!("tls://{server}"), NatsCredentials::Anonymous);
    let error = publish(&sent, &tls).await.unwrap_err();
    assert_eq!(error, permanent("nats: secure connection not available"));
}

#[tokio::test]
async fn unknown_authority_gets_no_credentials() {
    let (server, _, task) = serve_tls(r#"{"tls_required":true}"#).await;
    let basic = Basic::new("u", "canary");
    let sent = message(format!("nats://{server}"), NatsCredentials::Basic(basic));
    let error = publish(&sent, &Tls::default()).await.unwrap_err();
    assert!(error.message.contains("certificate"), "{error}");
    assert!(!error.message.contains("canary"), "{error}");
    assert_eq!(task.await.unwrap(), None);
}

#[tokio::test]
async fn next_server_is_used_if_one_is_down() {
    let (server, task) = serve("{}", "PONG\r\n").await;
    let sent = message(
        format!("nats://127.0.0.1:1,nats://token@{server}"),
        NatsCredentials::Basic(Basic::new("u", "p")),
    );
    publish(&sent, &Tls::default()).await.unwrap();
    let options = options_of(&task.await.unwrap());
    assert_eq!(options["auth_token"], "token");
    assert_eq!(options["user"], Value::Null);
}

#[tokio::test]
async fn refusal_of_the_server_is_permanent() {
    let (server, _) = serve("{}", "-ERR 'Authorization Violation'\r\n").await;
    let failed = publish(
        &message(server, NatsCredentials::Anonymous),
        &Tls::default(),
    )
    .await;
    assert_eq!(
        failed.unwrap_err(),
        permanent("nats: Authorization Violation")
    );
}

#[test]
fn invalid_seeds_are_refused() {
    let damaged = seed().replace('S', "T");
    for seed in ["", "SU", "not base32!", damaged.as_str()] {
        assert!(UserKey::parse(seed.as_bytes()).is_err(), "{seed}");
    }
}
