//! Servers of clouds on loopback, which clients reach by their real names through a proxy.
//!
//! One port is the proxy, the servers behind it with TLS, and a plain server: for metadata services
//! and endpoints that variables name. A hook answers each request. A request without an answer gets
//! the status 418.

mod buckets;

use std::collections::BTreeMap;
use std::io;
use std::net::SocketAddr;
use std::sync::{Arc, Mutex, PoisonError};

use axum::Router;
use axum::body::Body;
use axum::extract::{Request, State};
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::{IntoResponse as _, Response};
use base64::Engine as _;
use base64::prelude::BASE64_STANDARD;
use bytes::Bytes;
use rustls_pki_types::pem::PemObject as _;
use rustls_pki_types::{CertificateDer, PrivateKeyDer};
use sluice_devcluster::authority::Authority;
use sluice_dial::{Dial, HttpClients};
use tokio::io::{AsyncRead, AsyncReadExt as _, AsyncWrite, AsyncWriteExt as _};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::mpsc;
use tokio::task::JoinHandle;
use tokio_rustls::TlsAcceptor;

pub use buckets::FakeBuckets;

/// Maximum size of the body of a request.
const MAX_BODY: usize = 64 << 20;
const CONNECT: &[u8] = b"CONNECT ";

/// A running cloud. Dropping it stops it.
#[derive(Debug)]
pub struct FakeCloud {
    address: SocketAddr,
    authority: Authority,
    requests: Arc<Mutex<Vec<CloudRequest>>>,
    tasks: Vec<JoinHandle<()>>,
}

/// A request to a server of the cloud.
#[derive(Debug, Clone)]
pub struct CloudRequest {
    /// Its method.
    pub method: String,
    /// Its host, with a port that is not the default.
    pub host: String,
    /// Its path with its query.
    pub target: String,
    /// Its headers.
    pub headers: HeaderMap,
    /// Its body.
    pub body: String,
}

impl CloudRequest {
    /// The value of a header, or an empty text.
    pub fn header(&self, name: &str) -> &str {
        let value = self.headers.get(name);
        value.and_then(|value| value.to_str().ok()).unwrap_or("")
    }

    /// Method, host and path, without the query.
    pub fn line(&self) -> String {
        let path = self.target.split('?').next().unwrap_or_default();
        format!("{} {}{path}", self.method, self.host)
    }

    /// The path, and the decoded query.
    pub fn parts(&self) -> (&str, BTreeMap<String, String>) {
        let (path, query) = self.target.split_once('?').unwrap_or((&self.target, ""));
        let decode = |text: &str| {
            let text = text.replace('+', " ");
            let decoded = percent_encoding::percent_decode_str(&text);
            decoded.decode_utf8_lossy().into_owned()
        };
        let pairs = query.split('&').filter(|pair| !pair.is_empty());
        let pairs = pairs.map(|pair| pair.split_once('=').unwrap_or((pair, "")));
        let pairs = pairs.map(|(name, value)| (decode(name), decode(value)));
        (path, pairs.collect())
    }

    /// The user name and the password of `Authorization`.
    pub fn basic(&self) -> Option<(String, String)> {
        let encoded = self.header("authorization").strip_prefix("Basic ")?;
        let text = String::from_utf8(BASE64_STANDARD.decode(encoded).ok()?).ok()?;
        let (user, password) = text.split_once(':')?;
        Some((user.to_owned(), password.to_owned()))
    }
}

/// An answer of a server of the cloud.
#[derive(Debug, Clone)]
pub enum CloudAnswer {
    /// Status, headers and body.
    Reply(u16, Vec<(&'static str, String)>, Bytes),
    /// The answer of a plain HTTP server of this address, such as `http://127.0.0.1:5000`.
    Forward(String),
}

impl CloudAnswer {
    /// A successful answer.
    pub fn ok(body: impl Into<Bytes>) -> Self {
        Self::Reply(200, Vec::new(), body.into())
    }

    /// An answer with a status and without a body.
    pub fn status(status: u16) -> Self {
        Self::Reply(status, Vec::new(), Bytes::new())
    }

    /// A request for credentials.
    pub fn challenge(challenge: &str) -> Self {
        let header = ("www-authenticate", challenge.to_owned());
        Self::Reply(401, vec![header], Bytes::new())
    }
}

type Hook = dyn Fn(&CloudRequest) -> Option<CloudAnswer> + Send + Sync;

#[derive(Clone)]
struct Server {
    hook: Arc<Hook>,
    requests: Arc<Mutex<Vec<CloudRequest>>>,
    clients: Arc<HttpClients>,
}

impl FakeCloud {
    /// Starts a cloud with a certificate for these names.
    pub async fn start(
        names: &[&str],
        hook: impl Fn(&CloudRequest) -> Option<CloudAnswer> + Send + Sync + 'static,
    ) -> Self {
        drop(rustls::crypto::aws_lc_rs::default_provider().install_default());
        let authority = Authority::new("cloud").unwrap();
        let acceptor = acceptor(&authority, names);
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        let requests = Arc::default();
        let server = Server {
            hook: Arc::new(hook),
            requests: Arc::clone(&requests),
            clients: Arc::new(HttpClients::new("fake-cloud")),
        };
        let router = Router::new().fallback(serve).with_state(server);
        let (sender, receiver) = mpsc::channel(64);
        let accepting = tokio::spawn(async move {
            while let Ok((stream, peer)) = listener.accept().await {
                let (acceptor, sender) = (acceptor.clone(), sender.clone());
                tokio::spawn(async move {
                    if let Ok(connection) = connect(stream, &acceptor).await {
                        let _sent = sender.send((connection, peer)).await;
                    }
                });
            }
        });
        let connections = Connections { receiver, address };
        let serving = tokio::spawn(async move {
            let _served = axum::serve(connections, router).await;
        });
        Self {
            address,
            authority,
            requests,
            tasks: vec![accepting, serving],
        }
    }

    /// The address of the proxy, and of the plain server.
    pub fn url(&self) -> String {
        format!("http://{}", self.address)
    }

    /// The certificate of the authority, PEM.
    pub fn certificate(&self) -> String {
        self.authority.certificate()
    }

    /// Takes the requests since the last call.
    pub fn requests(&self) -> Vec<CloudRequest> {
        let mut requests = self.requests.lock().unwrap_or_else(PoisonError::into_inner);
        std::mem::take(&mut *requests)
    }
}

impl Drop for FakeCloud {
    fn drop(&mut self) {
        for task in &self.tasks {
            task.abort();
        }
    }
}

fn acceptor(authority: &Authority, names: &[&str]) -> TlsAcceptor {
    let identity = authority.server("cloud", names, &[]).unwrap();
    let chain = CertificateDer::from_pem_slice(identity.certificate.as_bytes()).unwrap();
    let key = PrivateKeyDer::from_pem_slice(identity.key.as_bytes()).unwrap();
    let config = rustls::ServerConfig::builder()
        .with_no_client_auth()
        .with_single_cert(vec![chain], key)
        .unwrap();
    TlsAcceptor::from(Arc::new(config))
}

trait Duplex: AsyncRead + AsyncWrite + Send + Unpin {}

impl<T: AsyncRead + AsyncWrite + Send + Unpin> Duplex for T {}

/// Answers `CONNECT`, and ends TLS behind it.
async fn connect(mut stream: TcpStream, acceptor: &TlsAcceptor) -> io::Result<Box<dyn Duplex>> {
    let mut start = [0; CONNECT.len()];
    while stream.peek(&mut start).await? < CONNECT.len() {
        stream.readable().await?;
    }
    if start != CONNECT {
        return Ok(Box::new(stream));
    }
    let mut head = Vec::new();
    while !head.ends_with(b"\r\n\r\n") {
        head.push(stream.read_u8().await?);
    }
    stream.write_all(b"HTTP/1.1 200 OK\r\n\r\n").await?;
    Ok(Box::new(acceptor.accept(stream).await?))
}

struct Connections {
    receiver: mpsc::Receiver<(Box<dyn Duplex>, SocketAddr)>,
    address: SocketAddr,
}

impl axum::serve::Listener for Connections {
    type Io = Box<dyn Duplex>;
    type Addr = SocketAddr;

    async fn accept(&mut self) -> (Self::Io, Self::Addr) {
        match self.receiver.recv().await {
            Some(connection) => connection,
            None => std::future::pending().await,
        }
    }

    fn local_addr(&self) -> io::Result<Self::Addr> {
        Ok(self.address)
    }
}

async fn serve(State(server): State<Server>, request: Request) -> Response {
    let (parts, body) = request.into_parts();
    let body = axum::body::to_bytes(body, MAX_BODY)
        .await
        .unwrap_or_default();
    let host = parts.headers.get(header::HOST);
    let host = host.and_then(|host| host.to_str().ok()).unwrap_or_default();
    let target = parts.uri.path_and_query();
    let asked = CloudRequest {
        method: parts.method.to_string(),
        host: host.to_owned(),
        target: target.map(ToString::to_string).unwrap_or_default(),
        headers: parts.headers.clone(),
        body: String::from_utf8_lossy(&body).into_owned(),
    };
    let answer = (server.hook)(&asked);
    {
        let mut requests = server
            .requests
            .lock()
            .unwrap_or_else(PoisonError::into_inner);
        requests.push(asked.clone());
    }
    match answer {
        None => (StatusCode::IM_A_TEAPOT, "no such answer").into_response(),
        Some(CloudAnswer::Reply(status, headers, body)) => {
            let mut response = Response::new(Body::from(body));
            *response.status_mut() = StatusCode::from_u16(status).unwrap();
            for (name, value) in headers {
                response.headers_mut().insert(name, value.parse().unwrap());
            }
            response
        }
        Some(CloudAnswer::Forward(base)) => forward(&server.clients, &base, &asked, body).await,
    }
}

/// Repeats a request at another server, without its credentials.
async fn forward(clients: &HttpClients, base: &str, asked: &CloudRequest, body: Bytes) -> Response {
    let client = clients.get(&Dial::default()).unwrap();
    let method = asked.method.parse().unwrap();
    let mut request = client.request(method, format!("{base}{}", asked.target));
    for (name, value) in &asked.headers {
        if ![header::HOST, header::AUTHORIZATION, header::CONTENT_LENGTH].contains(name) {
            request = request.header(name, value);
        }
    }
    let response = request.body(body).send().await.unwrap();
    let (status, headers) = (response.status(), response.headers().clone());
    let mut answer = Response::new(Body::from(response.bytes().await.unwrap()));
    *answer.status_mut() = status;
    *answer.headers_mut() = headers;
    answer.headers_mut().remove(header::TRANSFER_ENCODING);
    answer
}
