//! `git http-backend` as a CGI program behind a small server, with or without TLS.

use std::net::SocketAddr;
use std::path::PathBuf;
use std::process::Stdio;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use axum::body::Body;
use axum::extract::Request;
use axum::http::{HeaderName, HeaderValue, Response, StatusCode, header};
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use futures::TryStreamExt as _;
use hyper_util::rt::{TokioExecutor, TokioIo};
use hyper_util::server::conn::auto;
use hyper_util::service::TowerToHyperService;
use rustls_pki_types::pem::PemObject as _;
use rustls_pki_types::{CertificateDer, PrivateKeyDer};
use sluice_devcluster::authority::Authority;
use sluice_git::serve::Repository;
use tokio::io::{AsyncBufReadExt as _, AsyncRead, AsyncWrite, AsyncWriteExt as _, BufReader};
use tokio::net::TcpListener;
use tokio::process::{ChildStdout, Command};
use tokio::task::JoinHandle;
use tokio_rustls::TlsAcceptor;

/// Options of a [`GitBackend`].
#[derive(Debug, Clone, Default)]
pub struct HttpOptions {
    /// User and password that every request must carry.
    pub basic: Option<(String, String)>,
    /// Token that every request must carry.
    pub bearer: Option<String>,
    /// Checks `Authorization`, for credentials that change.
    pub admits: Option<fn(&str) -> bool>,
    /// Whether it speaks TLS, with a certificate of [`GitBackend::authority`].
    pub tls: bool,
    /// An additional host name, which no resolver knows.
    pub name: Option<&'static str>,
    /// Whether clients must show a certificate of that authority.
    pub client_certificate: bool,
}

/// A running server over a directory of repositories; dropping it stops it and removes them.
#[derive(Debug)]
pub struct GitBackend {
    served: Arc<ServedRepository>,
    root: tempfile::TempDir,
    address: SocketAddr,
    authority: Option<Authority>,
    task: JoinHandle<()>,
}

#[derive(Debug)]
pub(crate) struct ServedRepository {
    root: PathBuf,
    authorization: Option<String>,
    admits: Option<fn(&str) -> bool>,
    requests: AtomicUsize,
}

impl ServedRepository {
    /// Serves a directory of repositories that the caller owns.
    pub(crate) fn open(root: PathBuf) -> Self {
        Self {
            root,
            authorization: None,
            admits: None,
            requests: AtomicUsize::new(0),
        }
    }
}

impl GitBackend {
    /// Starts a server without TLS or credentials.
    pub async fn start() -> Self {
        Self::start_with(HttpOptions::default()).await
    }

    /// Starts a server on the current runtime.
    pub async fn start_with(options: HttpOptions) -> Self {
        rustls::crypto::aws_lc_rs::default_provider()
            .install_default()
            .ok();
        let root = tempfile::tempdir().unwrap();
        let listener = TcpListener::bind(("127.0.0.1", 0)).await.unwrap();
        let address = listener.local_addr().unwrap();
        let authorization = options
            .basic
            .map(|(user, password)| {
                format!("Basic {}", STANDARD.encode(format!("{user}:{password}")))
            })
            .or_else(|| options.bearer.map(|token| format!("Bearer {token}")));
        let served = Arc::new(ServedRepository {
            root: root.path().to_owned(),
            authorization,
            admits: options.admits,
            requests: AtomicUsize::new(0),
        });
        let authority = (options.tls || options.client_certificate)
            .then(|| Authority::new("git backend").unwrap());
        let acceptor = authority.as_ref().map(|authority| {
            let names = ["localhost"].into_iter().chain(options.name);
            let names: Vec<&str> = names.collect();
            acceptor(authority, &names, address, options.client_certificate)
        });
        let task = tokio::spawn(accept(listener, acceptor, Arc::clone(&served)));
        Self {
            served,
            root,
            address,
            authority,
            task,
        }
    }

    /// Creates an empty bare repository whose `HEAD` is a branch.
    pub fn create(&self, name: &str, branch: &str) -> Repository {
        super::create(self.root.path(), name, branch)
    }

    /// The directory of the repositories.
    pub fn root(&self) -> &std::path::Path {
        self.root.path()
    }

    /// Where it listens.
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// The URL of a repository.
    pub fn url(&self, name: &str) -> String {
        let scheme = if self.authority.is_some() {
            "https"
        } else {
            "http"
        };
        format!("{scheme}://{}/{name}", self.address)
    }

    /// The authority of the server's certificate, which also signs clients' certificates.
    pub fn authority(&self) -> Option<&Authority> {
        self.authority.as_ref()
    }

    /// Number of requests with valid credentials.
    pub fn requests(&self) -> usize {
        self.served.requests.load(Ordering::Relaxed)
    }
}

impl Drop for GitBackend {
    fn drop(&mut self) {
        self.task.abort();
    }
}

pub(crate) fn acceptor(
    authority: &Authority,
    names: &[&str],
    address: SocketAddr,
    client_certificate: bool,
) -> TlsAcceptor {
    let identity = authority.server("git", names, &[address.ip()]).unwrap();
    let certificate = CertificateDer::from_pem_slice(identity.certificate.as_bytes()).unwrap();
    let key = PrivateKeyDer::from_pem_slice(identity.key.as_bytes()).unwrap();
    let builder = if client_certificate {
        let mut roots = rustls::RootCertStore::empty();
        roots
            .add(CertificateDer::from_pem_slice(authority.certificate().as_bytes()).unwrap())
            .unwrap();
        let verifier = rustls::server::WebPkiClientVerifier::builder(Arc::new(roots))
            .build()
            .unwrap();
        rustls::ServerConfig::builder().with_client_cert_verifier(verifier)
    } else {
        rustls::ServerConfig::builder().with_no_client_auth()
    };
    TlsAcceptor::from(Arc::new(
        builder.with_single_cert(vec![certificate], key).unwrap(),
    ))
}

async fn accept(
    listener: TcpListener,
    acceptor: Option<TlsAcceptor>,
    served: Arc<ServedRepository>,
) {
    while let Ok((stream, _)) = listener.accept().await {
        let (acceptor, served) = (acceptor.clone(), Arc::clone(&served));
        tokio::spawn(async move {
            match acceptor {
                None => serve(stream, served).await,
                Some(acceptor) => {
                    if let Ok(stream) = acceptor.accept(stream).await {
                        serve(stream, served).await;
                    }
                }
            }
        });
    }
}

async fn serve(
    stream: impl AsyncRead + AsyncWrite + Unpin + Send + 'static,
    served: Arc<ServedRepository>,
) {
    let router = axum::Router::new().fallback(move |request: Request| {
        let served = Arc::clone(&served);
        async move { answer(request, &served).await }
    });
    // Clients may disconnect at any time.
    auto::Builder::new(TokioExecutor::new())
        .serve_connection(TokioIo::new(stream), TowerToHyperService::new(router))
        .await
        .ok();
}

pub(crate) async fn answer(request: Request, served: &ServedRepository) -> Response<Body> {
    let (request, body) = request.into_parts();
    let given = request
        .headers
        .get(header::AUTHORIZATION)
        .and_then(|value| value.to_str().ok());
    let is_other = served
        .authorization
        .as_deref()
        .is_some_and(|wanted| given != Some(wanted));
    let is_refused = served
        .admits
        .is_some_and(|admits| !given.is_some_and(admits));
    if is_other || is_refused {
        let mut refused = Response::new(Body::from("authentication required\n"));
        *refused.status_mut() = StatusCode::UNAUTHORIZED;
        refused.headers_mut().insert(
            header::WWW_AUTHENTICATE,
            HeaderValue::from_static("Basic realm=\"git\""),
        );
        return refused;
    }
    served.requests.fetch_add(1, Ordering::Relaxed);

    let text = |name: &str| {
        request
            .headers
            .get(name)
            .and_then(|value| value.to_str().ok())
            .unwrap_or_default()
            .to_owned()
    };
    #[expect(
        clippy::disallowed_methods,
        reason = "the reference server is a program"
    )]
    let mut command = Command::new("git");
    command
        .arg("http-backend")
        .env("GIT_PROJECT_ROOT", &served.root)
        .env("GIT_HTTP_EXPORT_ALL", "1")
        // Git otherwise rejects a directory of another user.
        .envs([
            ("GIT_CONFIG_COUNT", "1"),
            ("GIT_CONFIG_KEY_0", "safe.directory"),
            ("GIT_CONFIG_VALUE_0", "*"),
        ])
        .env("GIT_CONFIG_GLOBAL", "/dev/null")
        .env("REQUEST_METHOD", request.method.as_str())
        .env("PATH_INFO", request.uri.path())
        .env("QUERY_STRING", request.uri.query().unwrap_or_default())
        .env("CONTENT_TYPE", text("content-type"))
        .env("HTTP_CONTENT_ENCODING", text("content-encoding"))
        .env("HTTP_GIT_PROTOCOL", text("git-protocol"))
        .env("GIT_PROTOCOL", text("git-protocol"))
        .env("REMOTE_ADDR", "127.0.0.1")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .kill_on_drop(true);
    if request.headers.contains_key(header::CONTENT_LENGTH) {
        command.env("CONTENT_LENGTH", text("content-length"));
    }
    let mut child = command
        .spawn()
        .unwrap_or_else(|error| panic!("start git http-backend: {error}"));
    let mut stdin = child.stdin.take().expect("stdin is piped");
    let stdout = child.stdout.take().expect("stdout is piped");
    let mut body = body.into_data_stream();
    let feeding = tokio::spawn(async move {
        while let Ok(Some(piece)) = body.try_next().await {
            if stdin.write_all(&piece).await.is_err() {
                break;
            }
        }
    });
    let (head, rest) = head(stdout).await;
    let mut answer = head.body(()).unwrap();
    answer.headers_mut().remove(header::CONTENT_LENGTH);
    let pieces =
        futures::stream::unfold((rest, child, feeding), |(mut rest, child, feeding)| async {
            let piece = rest.fill_buf().await.map(bytes::Bytes::copy_from_slice);
            let length = piece.as_ref().map_or(0, bytes::Bytes::len);
            rest.consume(length);
            (length > 0 || piece.is_err()).then_some((piece, (rest, child, feeding)))
        });
    answer.map(|()| Body::from_stream(pieces))
}

/// Reads the CGI head: header lines, including `Status`, up to an empty line.
async fn head(stdout: ChildStdout) -> (axum::http::response::Builder, BufReader<ChildStdout>) {
    let mut reader = BufReader::new(stdout);
    let mut builder = Response::builder();
    let mut line = String::new();
    while reader
        .read_line(&mut line)
        .await
        .is_ok_and(|length| length > 2)
    {
        if let Some((name, value)) = line.trim_end().split_once(": ") {
            builder = if name.eq_ignore_ascii_case("status") {
                builder.status(value.split(' ').next().unwrap_or("200"))
            } else {
                builder.header(name.parse::<HeaderName>().unwrap(), value)
            };
        }
        line.clear();
    }
    (builder, reader)
}
