//! Git servers with one fault each, which record their requests.
//!
//! Start at [`HostileGit::start`]. `sluice_git::serve` provides the correct behaviour, and
//! [`GitFault`] names the fault.

use std::path::Path;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use axum::Router;
use axum::body::{Body, Bytes};
use axum::extract::{Request, State};
use axum::http::{HeaderValue, Response, StatusCode, header};
use futures::StreamExt as _;
use sluice_git::serve::{self, Change, Repository, Service, Version};
use tokio::net::TcpListener;
use tokio::task::JoinHandle;

/// The fault of a Git server.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum GitFault {
    /// None.
    None,
    /// Accepts the request for references and never answers.
    SilentAtFirst,
    /// Sends a part of its capabilities and stalls.
    SilentInAdvertisement,
    /// Accepts the request for a pack and never answers.
    SilentAtFetch,
    /// Sends this many bytes of the answer with the pack and stalls.
    SilentInPack(usize),
    /// Sends this many bytes of the answer with the pack and ends it.
    Truncated(usize),
    /// Flips one bit of the pack.
    Flipped,
    /// Sends the answer byte by byte.
    Dripping,
    /// Answers with another address.
    Redirected(String),
    /// Redirects to itself.
    RedirectedInCircles,
    /// Answers with this status and a `Retry-After` of one second.
    Unavailable(u16),
    /// Answers with an HTML page.
    Page,
    /// Announces a wrong target of a tag, and also sends that commit.
    LyingPeel {
        /// The tag object.
        tag: String,
        /// The commit that it names.
        truth: String,
        /// The announced commit.
        lie: String,
    },
}

/// A Git server with a fault; dropping it stops it.
#[derive(Debug)]
pub struct HostileGit {
    base: String,
    seen: Arc<Mutex<Vec<ReceivedRequest>>>,
    _directory: Option<tempfile::TempDir>,
    task: JoinHandle<()>,
}

/// A received request.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ReceivedRequest {
    /// Method and target.
    pub line: String,
    /// Value of `Authorization`.
    pub authorization: Option<String>,
}

#[derive(Clone)]
struct Shared {
    repository: Repository,
    fault: GitFault,
    base: String,
    seen: Arc<Mutex<Vec<ReceivedRequest>>>,
}

impl HostileGit {
    /// Starts a server of one repository, `app`, with one commit on `main`.
    pub async fn start(fault: GitFault) -> Self {
        let directory = tempfile::tempdir().unwrap();
        let repository = filled(directory.path());
        Self::serve(repository, fault, Some(directory)).await
    }

    /// Starts a server of an existing repository, as `app`.
    pub async fn of(repository: Repository, fault: GitFault) -> Self {
        Self::serve(repository, fault, None).await
    }

    async fn serve(
        repository: Repository,
        fault: GitFault,
        directory: Option<tempfile::TempDir>,
    ) -> Self {
        let listener = TcpListener::bind(("127.0.0.1", 0)).await.unwrap();
        let base = format!("http://{}", listener.local_addr().unwrap());
        let seen = Arc::default();
        let shared = Shared {
            repository,
            fault,
            base: base.clone(),
            seen: Arc::clone(&seen),
        };
        let router = Router::new().fallback(answer).with_state(shared);
        let task = tokio::spawn(async move {
            axum::serve(listener, router).await.ok();
        });
        Self {
            base,
            seen,
            _directory: directory,
            task,
        }
    }

    /// The address of its repository.
    pub fn url(&self) -> String {
        format!("{}/app", self.base)
    }

    /// The requests so far.
    pub fn seen(&self) -> Vec<ReceivedRequest> {
        self.seen.lock().unwrap().clone()
    }
}

impl Drop for HostileGit {
    fn drop(&mut self) {
        self.task.abort();
    }
}

/// Returns incompressible bytes, so that a pack is long enough to be cut.
fn filled(directory: &Path) -> Repository {
    let repository = Repository::init_bare(directory.join("app"), "main").unwrap();
    let mut state: u32 = 1;
    let noise: Vec<u8> = (0..200_000)
        .map(|_| {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            state.to_be_bytes()[0]
        })
        .collect();
    let changes = [
        Change::write("a.yaml", "a: 1\n"),
        Change::write("noise", noise),
    ];
    repository.commit("main", "First", &changes).unwrap();
    repository
}

#[expect(clippy::too_many_lines, reason = "one arm for each fault of a server")]
async fn answer(State(shared): State<Shared>, request: Request) -> Response<Body> {
    let (head, body) = request.into_parts();
    let seen = ReceivedRequest {
        line: format!("{} {}", head.method, head.uri),
        authorization: head
            .headers
            .get(header::AUTHORIZATION)
            .and_then(|value| value.to_str().ok())
            .map(str::to_owned),
    };
    shared.seen.lock().unwrap().push(seen);
    let service = Service::UploadPack;
    let first = head.method == "GET";
    let plain = |status: StatusCode| {
        let mut response = Response::new(Body::empty());
        *response.status_mut() = status;
        response
    };
    match &shared.fault {
        GitFault::SilentAtFirst if first => std::future::pending().await,
        GitFault::Redirected(to) if first => {
            let query = head.uri.query().unwrap_or_default();
            let mut response = plain(StatusCode::FOUND);
            let location = format!("{to}/info/refs?{query}");
            let location = HeaderValue::from_str(&location).unwrap();
            response.headers_mut().insert(header::LOCATION, location);
            return response;
        }
        GitFault::RedirectedInCircles => {
            let mut response = plain(StatusCode::FOUND);
            let location = format!("{}{}", shared.base, head.uri);
            let location = HeaderValue::from_str(&location).unwrap();
            response.headers_mut().insert(header::LOCATION, location);
            return response;
        }
        GitFault::Unavailable(status) => {
            let mut response = plain(StatusCode::from_u16(*status).unwrap());
            let after = HeaderValue::from_static("1");
            response.headers_mut().insert(header::RETRY_AFTER, after);
            return response;
        }
        GitFault::Page => {
            let mut response = Response::new(Body::from("<html>\u{1b}[2Jlog in</html>"));
            let kind = HeaderValue::from_static("text/html");
            response.headers_mut().insert(header::CONTENT_TYPE, kind);
            return response;
        }
        _ => {}
    }
    if first {
        let advertisement = serve::advertise(&shared.repository, service, Version::Two).unwrap();
        let body = if shared.fault == GitFault::SilentInAdvertisement {
            stopping(advertisement, 10)
        } else {
            Body::from(advertisement)
        };
        return typed(body, service.advertisement_type());
    }
    let mut question = axum::body::to_bytes(body, 1 << 20).await.unwrap().to_vec();
    let fetches = question
        .windows(13)
        .any(|window| window == b"command=fetch");
    if let GitFault::LyingPeel { tag, lie, .. } = &shared.fault {
        // A fetch of the tag has one packet more, because all `want` lines have the same length.
        let wanted = format!("want {tag}\n");
        let found = question
            .windows(wanted.len())
            .position(|window| window == wanted.as_bytes());
        if let Some(at) = found.map(|at| at + wanted.len()) {
            let extra = format!("0032want {lie}\n");
            question.splice(at..at, extra.into_bytes());
        }
    }
    let mut out = Vec::new();
    serve::upload_pack(&shared.repository, &question, &mut out).unwrap();
    let body = match shared.fault {
        GitFault::LyingPeel {
            ref truth, ref lie, ..
        } if !fetches => {
            let listed = String::from_utf8(out).unwrap();
            let said = format!("peeled:{truth}");
            Body::from(listed.replace(&said, &format!("peeled:{lie}")))
        }
        _ if !fetches => Body::from(out),
        GitFault::SilentAtFetch => std::future::pending().await,
        GitFault::SilentInPack(bytes) => stopping(out, bytes),
        GitFault::Truncated(bytes) => Body::from(out[..bytes.min(out.len())].to_vec()),
        GitFault::Flipped => {
            let middle = out.len() / 2;
            out[middle] ^= 1;
            Body::from(out)
        }
        GitFault::Dripping => {
            let bytes = futures::stream::iter(out).then(|byte| async move {
                tokio::time::sleep(Duration::from_millis(100)).await;
                Ok::<_, std::io::Error>(Bytes::copy_from_slice(&[byte]))
            });
            Body::from_stream(bytes)
        }
        _ => Body::from(out),
    };
    typed(body, service.result_type())
}

fn typed(body: Body, kind: &'static str) -> Response<Body> {
    let mut response = Response::new(body);
    response
        .headers_mut()
        .insert(header::CONTENT_TYPE, HeaderValue::from_static(kind));
    response
}

/// Sends this many bytes and then stalls.
fn stopping(mut bytes: Vec<u8>, at: usize) -> Body {
    bytes.truncate(at);
    let begun = futures::stream::iter([Ok::<_, std::io::Error>(Bytes::from(bytes))]);
    Body::from_stream(begun.chain(futures::stream::pending()))
}
