//! Publishes to a real NATS server.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::net::{IpAddr, Ipv4Addr};
use std::sync::Arc;

use sluice_dial::{HttpClients, Sensitive, Tls, start_tls};
use sluice_notification_controller::config::{DEFAULT_TIMEOUT, ProviderConfig};
use sluice_notification_controller::request::{NatsCredentials, NatsMessage, Request};
use sluice_notification_controller::sender::{IdentityOptions, SendError, Sender};
use sluice_system::SystemClock;
use sluice_testkit::NatsServer;
use sluice_testkit::devcluster::authority::Authority;
use tokio::io::{
    AsyncBufReadExt as _, AsyncRead, AsyncReadExt as _, AsyncWrite, AsyncWriteExt as _, BufReader,
};
use tokio::net::TcpStream;

const SUBJECT: &str = "flux.events";
/// Password of the subscriber.
const PASSWORD: &str = "secret";
/// A key of 32 bytes of the value 7, as in the recordings of the reference.
const SEED: &str = "SUAAOBYHA4DQOBYHA4DQOBYHA4DQOBYHA4DQOBYHA4DQOBYHA4DQOBZ5FE";
const PUBLIC: &str = "UDVEU3DD4KOFECV66VIHWEZOYX4ZKR3WV27L464SIIPOU2IUI3JCYSJF";

/// A connection that receives the messages of the subject.
struct Subscriber<S>(BufReader<S>);

impl<S: AsyncRead + AsyncWrite + Unpin> Subscriber<S> {
    /// Subscribes on a connection that has sent `INFO`.
    async fn new(mut stream: BufReader<S>) -> Self {
        let commands = format!(
            "CONNECT {{\"verbose\":false,\"user\":\"reader\",\"pass\":\"{PASSWORD}\"}}\r\n\
             SUB {SUBJECT} 1\r\nPING\r\n"
        );
        stream.write_all(commands.as_bytes()).await.unwrap();
        stream.flush().await.unwrap();
        let mut subscriber = Self(stream);
        while subscriber.line().await != "PONG" {}
        subscriber
    }

    async fn line(&mut self) -> String {
        let mut line = String::new();
        let read = self.0.read_line(&mut line).await.unwrap();
        assert!(read > 0, "the server ended the connection");
        line.trim().to_owned()
    }

    /// Returns the next message.
    async fn message(&mut self) -> String {
        loop {
            let line = self.line().await;
            if let Some(head) = line.strip_prefix("MSG ") {
                let length = head.rsplit(' ').next().unwrap().parse().unwrap();
                let mut body = vec![0; length];
                self.0.read_exact(&mut body).await.unwrap();
                return String::from_utf8(body).unwrap();
            }
        }
    }
}

/// Connects, and reads `INFO`.
async fn connect(server: &NatsServer) -> BufReader<TcpStream> {
    let stream = TcpStream::connect(server.address()).await.unwrap();
    let mut stream = BufReader::new(stream);
    let mut info = String::new();
    stream.read_line(&mut info).await.unwrap();
    assert!(info.starts_with("INFO "), "{info}");
    stream
}

async fn publish(server: String, credentials: NatsCredentials, tls: Tls) -> Result<(), SendError> {
    let clients = Arc::new(HttpClients::new("test"));
    let sender = Sender::new(clients, Arc::new(SystemClock), IdentityOptions::default());
    let config = ProviderConfig {
        tls: Some(tls),
        timeout: DEFAULT_TIMEOUT,
        ..ProviderConfig::default()
    };
    let message = NatsMessage {
        server,
        subject: SUBJECT.into(),
        credentials,
        connection: "NATS Provider Publisher",
        body: b"hello".to_vec(),
    };
    let requests = [Request::Nats(message)];
    let sent = sender.send(&config, None, &requests);
    sent.await.map(|_| ())
}

#[tokio::test]
async fn seed_or_password_publishes_to_a_server() {
    let configuration = format!(
        "authorization {{ users: [\n\
           {{ user: reader, password: \"{PASSWORD}\" }}\n\
           {{ nkey: {PUBLIC} }}\n\
         ] }}\n"
    );
    let server = NatsServer::start(&[], &configuration).await;
    let mut subscriber = Subscriber::new(connect(&server).await).await;
    let seed = NatsCredentials::Seed(Sensitive::from(SEED.as_bytes().to_vec()));
    let login = format!("nats://reader:{PASSWORD}@{}", server.address());
    let plain = format!("nats://{}", server.address());
    for (address, credentials) in [(plain.clone(), seed), (login, NatsCredentials::Anonymous)] {
        publish(address, credentials, Tls::default()).await.unwrap();
        assert_eq!(subscriber.message().await, "hello");
    }
    let refused = publish(plain, NatsCredentials::Anonymous, Tls::default()).await;
    let error = refused.unwrap_err();
    assert_eq!(error.message, "nats: Authorization Violation");
}

#[tokio::test]
async fn certificates_publish_to_a_server_with_tls() {
    let authority = Authority::new("test").unwrap();
    let address = [IpAddr::V4(Ipv4Addr::LOCALHOST)];
    let identity = authority.server("nats", &[], &address).unwrap();
    let ca = authority.certificate();
    let files = [
        ("server.crt", identity.certificate.as_str()),
        ("server.key", identity.key.as_str()),
        ("ca.crt", ca.as_str()),
    ];
    let configuration = format!(
        "tls {{ cert_file: \"{{files}}/server.crt\", key_file: \"{{files}}/server.key\",\n\
           ca_file: \"{{files}}/ca.crt\", verify: true }}\n\
         authorization {{ user: reader, password: \"{PASSWORD}\" }}\n"
    );
    let server = NatsServer::start(&files, &configuration).await;
    let client = authority.client("flux", None).unwrap();
    let keys = std::collections::BTreeMap::from([
        ("ca.crt".to_owned(), ca.clone().into_bytes()),
        ("tls.crt".to_owned(), client.certificate.into_bytes()),
        ("tls.key".to_owned(), client.key.into_bytes()),
    ]);
    let tls = Tls::from_keys(&keys).unwrap().unwrap().replacing_system();
    let stream = connect(&server).await.into_inner();
    let stream = start_tls(&tls, "127.0.0.1", stream).await.unwrap();
    let mut subscriber = Subscriber::new(BufReader::new(stream)).await;
    let login = format!("nats://reader:{PASSWORD}@{}", server.address());
    publish(login.clone(), NatsCredentials::Anonymous, tls)
        .await
        .unwrap();
    assert_eq!(subscriber.message().await, "hello");
    let without = Tls::with_ca(ca.as_bytes()).unwrap().replacing_system();
    let refused = publish(login, NatsCredentials::Anonymous, without).await;
    refused.unwrap_err();
}
