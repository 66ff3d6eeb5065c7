//! An in-process Git server on loopback over a directory of bare repositories.
//!
//! It serves smart HTTP with protocol versions 0 and 2 through [`sluice_git::serve`]. It starts no
//! `git` program, so a benchmark measures the client. Everyone may push: the directory belongs to
//! the developer.

use std::io::{self, Read as _, Write};
use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::path::{Component, Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use axum::Router;
use axum::body::Body;
use axum::extract::{DefaultBodyLimit, Query, State};
use axum::http::{HeaderMap, HeaderValue, Method, StatusCode, Uri, header};
use axum::response::{IntoResponse, Response};
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use bytes::Bytes;
use sluice_git::serve::{self, Repository, ServeError, Service, Version};
use tokio::net::TcpListener;
use tokio::sync::mpsc;
use tokio::task::JoinHandle;

use crate::error::Error;

/// Maximum size of a push.
const MAX_REQUEST_BYTES: usize = 256 << 20;

/// Maximum number of buffered pieces of a pack. A slow client blocks the packing thread.
const MAX_BUFFERED_PIECES: usize = 16;

/// Options of the server.
#[derive(Debug, Clone)]
pub struct GitOptions {
    /// The directory of bare repositories.
    pub root: PathBuf,
    /// The address to listen on.
    pub address: IpAddr,
    /// The port; 0 for any.
    pub port: u16,
    /// User and password that every request must carry.
    pub credentials: Option<(String, String)>,
}

impl GitOptions {
    /// Serves a directory on loopback, without credentials.
    pub fn new(root: impl Into<PathBuf>) -> Self {
        Self {
            root: root.into(),
            address: Ipv4Addr::LOCALHOST.into(),
            port: 0,
            credentials: None,
        }
    }
}

/// Numbers of requests.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Requests {
    /// Capabilities, or references in protocol version 0.
    pub advertisements: u64,
    /// Commands of a fetch: references in protocol version 2, negotiation, packs.
    pub fetches: u64,
    /// Pushes.
    pub pushes: u64,
    /// Requests without the credentials.
    pub refused: u64,
}

#[derive(Debug, Default)]
struct Counters {
    advertisements: AtomicU64,
    fetches: AtomicU64,
    pushes: AtomicU64,
    refused: AtomicU64,
}

#[derive(Debug)]
struct Shared {
    root: PathBuf,
    /// The required header.
    authorization: Option<String>,
    counters: Counters,
}

/// A running server; dropping it stops it.
#[derive(Debug)]
pub struct GitServer {
    shared: Arc<Shared>,
    address: SocketAddr,
    task: JoinHandle<()>,
}

impl GitServer {
    /// Starts to serve on the current runtime.
    pub async fn start(options: GitOptions) -> Result<Self, Error> {
        let bind = SocketAddr::new(options.address, options.port);
        let listen = async {
            let listener = TcpListener::bind(bind).await?;
            let address = listener.local_addr()?;
            Ok((listener, address))
        };
        let (listener, address) = listen.await.map_err(|source: io::Error| Error::Listen {
            what: "the Git server",
            address: bind,
            source,
        })?;
        let authorization = options.credentials.map(|(user, password)| {
            format!("Basic {}", STANDARD.encode(format!("{user}:{password}")))
        });
        let shared = Arc::new(Shared {
            root: options.root,
            authorization,
            counters: Counters::default(),
        });
        let router = Router::new()
            .fallback(handle)
            .layer(DefaultBodyLimit::max(MAX_REQUEST_BYTES))
            .with_state(Arc::clone(&shared));
        let task = tokio::spawn(async move {
            // The server ends only when the task is aborted.
            axum::serve(listener, router).await.ok();
        });
        Ok(Self {
            shared,
            address,
            task,
        })
    }

    /// Creates an empty bare repository whose `HEAD` is a branch.
    pub fn create(&self, name: &str, branch: &str) -> Result<Repository, ServeError> {
        Repository::init_bare(self.shared.root.join(name), branch)
    }

    /// The URL of a repository.
    pub fn url(&self, name: &str) -> String {
        format!("http://{}/{name}", self.address)
    }

    /// Where it listens.
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// Numbers of requests so far.
    pub fn requests(&self) -> Requests {
        let counters = &self.shared.counters;
        Requests {
            advertisements: counters.advertisements.load(Ordering::Relaxed),
            fetches: counters.fetches.load(Ordering::Relaxed),
            pushes: counters.pushes.load(Ordering::Relaxed),
            refused: counters.refused.load(Ordering::Relaxed),
        }
    }
}

impl Drop for GitServer {
    fn drop(&mut self) {
        self.task.abort();
    }
}

#[derive(Debug, Default, serde::Deserialize)]
struct Parameters {
    service: Option<String>,
}

async fn handle(
    State(shared): State<Arc<Shared>>,
    method: Method,
    uri: Uri,
    Query(parameters): Query<Parameters>,
    headers: HeaderMap,
    body: Bytes,
) -> Response {
    let given = headers
        .get(header::AUTHORIZATION)
        .and_then(|value| value.to_str().ok());
    if shared
        .authorization
        .as_deref()
        .is_some_and(|wanted| given != Some(wanted))
    {
        shared.counters.refused.fetch_add(1, Ordering::Relaxed);
        let challenge = [(header::WWW_AUTHENTICATE, "Basic realm=\"sluice\"")];
        return (
            StatusCode::UNAUTHORIZED,
            challenge,
            "authentication required\n",
        )
            .into_response();
    }
    let path = uri.path();
    if let (&Method::GET, Some(name)) = (&method, path.strip_suffix("/info/refs")) {
        let Some(service) = parameters.service.as_deref().and_then(Service::parse) else {
            return (StatusCode::FORBIDDEN, "only smart HTTP is supported\n").into_response();
        };
        let Some(directory) = repository(&shared.root, name) else {
            return not_found();
        };
        shared
            .counters
            .advertisements
            .fetch_add(1, Ordering::Relaxed);
        let version = Version::from_header(
            headers
                .get("git-protocol")
                .and_then(|value| value.to_str().ok()),
        );
        return advertise(directory, service, version).await;
    }
    let service = match (&method, path.rsplit_once('/')) {
        (&Method::POST, Some((name, service))) => {
            Service::parse(service).map(|service| (name, service))
        }
        _ => None,
    };
    let Some((name, service)) = service else {
        return not_found();
    };
    let Some(directory) = repository(&shared.root, name) else {
        return not_found();
    };
    match service {
        Service::UploadPack => &shared.counters.fetches,
        Service::ReceivePack => &shared.counters.pushes,
    }
    .fetch_add(1, Ordering::Relaxed);
    let compressed = headers
        .get(header::CONTENT_ENCODING)
        .is_some_and(|value| value == "gzip");
    exchange(directory, service, body, compressed)
}

async fn advertise(directory: PathBuf, service: Service, version: Version) -> Response {
    let answer = tokio::task::spawn_blocking(move || {
        serve::advertise(&Repository::open(directory)?, service, version)
    })
    .await
    .expect("an advertisement does not panic");
    match answer {
        Ok(bytes) => answer_of(service.advertisement_type(), Body::from(bytes)),
        Err(error) => failed(&error),
    }
}

/// Streams the pack: a bounded channel connects the blocking thread that writes it with the
/// connection.
fn exchange(directory: PathBuf, service: Service, body: Bytes, compressed: bool) -> Response {
    let (pieces, mut received) = mpsc::channel::<io::Result<Bytes>>(MAX_BUFFERED_PIECES);
    tokio::task::spawn_blocking(move || {
        let mut pipe = Pipe { pieces };
        let serve = || -> Result<(), ServeError> {
            let body = if compressed {
                inflated(&body)?
            } else {
                body.to_vec()
            };
            let repository = Repository::open(directory)?;
            match service {
                Service::UploadPack => serve::upload_pack(&repository, &body, &mut pipe),
                Service::ReceivePack => serve::receive_pack(&repository, &body, &mut pipe),
            }
        };
        if let Err(error) = serve() {
            // The status line is sent already; a broken body makes the client fail.
            pipe.pieces.blocking_send(Err(io::Error::other(error))).ok();
        }
    });
    let stream = futures::stream::poll_fn(move |context| received.poll_recv(context));
    answer_of(service.result_type(), Body::from_stream(stream))
}

fn inflated(body: &[u8]) -> Result<Vec<u8>, ServeError> {
    let mut plain = Vec::new();
    let limit = MAX_REQUEST_BYTES as u64;
    flate2::read::GzDecoder::new(body)
        .take(limit)
        .read_to_end(&mut plain)?;
    Ok(plain)
}

struct Pipe {
    pieces: mpsc::Sender<io::Result<Bytes>>,
}

impl Write for Pipe {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.pieces
            .blocking_send(Ok(Bytes::copy_from_slice(bytes)))
            .map_err(|_| io::Error::from(io::ErrorKind::BrokenPipe))?;
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// Returns the directory of an existing repository below the root.
fn repository(root: &Path, name: &str) -> Option<PathBuf> {
    let name = Path::new(name.trim_start_matches('/'));
    let plain = name
        .components()
        .all(|component| matches!(component, Component::Normal(_)));
    let directory = root.join(name);
    (plain && name.components().count() > 0 && directory.is_dir()).then_some(directory)
}

fn answer_of(kind: &'static str, body: Body) -> Response {
    let mut response = Response::new(body);
    response
        .headers_mut()
        .insert(header::CONTENT_TYPE, HeaderValue::from_static(kind));
    response
        .headers_mut()
        .insert(header::CACHE_CONTROL, HeaderValue::from_static("no-cache"));
    response
}

fn not_found() -> Response {
    (StatusCode::NOT_FOUND, "repository not found\n").into_response()
}

fn failed(error: &ServeError) -> Response {
    (StatusCode::INTERNAL_SERVER_ERROR, format!("{error}\n")).into_response()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn repository_stays_below_root() {
        let root = tempfile::tempdir().unwrap();
        sluice_system::fs::create_dir_all(root.path().join("team/app.git")).unwrap();
        assert_eq!(
            repository(root.path(), "/team/app.git"),
            Some(root.path().join("team/app.git"))
        );
        for name in ["", "/", "/../etc", "/team/../../etc", "/missing", "//etc"] {
            assert_eq!(repository(root.path(), name), None, "{name}");
        }
    }
}
