//! HTTP servers for the other tests.

use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use axum::Router;
use axum::body::{Body, Bytes};
use axum::extract::{Request, State};
use axum::http::{HeaderMap, HeaderName, HeaderValue, StatusCode, header};
use axum::response::Response;
use sluice_dial::HttpClients;
use sluice_git::serve::{self, Repository, Service, Version};
use sluice_git::{Client, Remote};
use tokio::io::AsyncWriteExt as _;
use tokio::net::TcpListener;
use tokio::task::JoinHandle;

/// The server implementation.
#[derive(Clone)]
pub(crate) enum Backend {
    /// `sluice_git::serve`.
    Ours,
    /// `git http-backend`, up to this protocol version.
    Real { version: u8 },
}

/// A request.
#[derive(Debug, Clone)]
pub(crate) struct RecordedRequest {
    pub(crate) line: String,
    pub(crate) authorization: Option<String>,
    pub(crate) body: Bytes,
}

/// A server for a directory of repositories, stopped on drop.
pub(crate) struct Server {
    pub(crate) base: String,
    pub(crate) root: PathBuf,
    pub(crate) backend: Backend,
    pub(crate) asked: Arc<Mutex<Vec<RecordedRequest>>>,
    _directory: Option<tempfile::TempDir>,
    task: JoinHandle<()>,
}

impl Drop for Server {
    fn drop(&mut self) {
        self.task.abort();
    }
}

#[derive(Clone)]
struct Shared {
    backend: Backend,
    root: PathBuf,
    asked: Arc<Mutex<Vec<RecordedRequest>>>,
    password: Option<String>,
}

impl Server {
    pub(crate) async fn start(backend: Backend) -> Self {
        Self::start_with(backend, None).await
    }

    /// With a password, only this value of `Authorization` is accepted.
    pub(crate) async fn start_with(backend: Backend, password: Option<&str>) -> Self {
        let directory = tempfile::tempdir().unwrap();
        let asked = Arc::new(Mutex::new(Vec::new()));
        let shared = Shared {
            backend: backend.clone(),
            root: directory.path().to_owned(),
            asked: Arc::clone(&asked),
            password: password.map(str::to_owned),
        };
        let router = Router::new().fallback(answer).with_state(shared);
        let (base, task) = listen(router).await;
        let root = directory.path().to_owned();
        Self {
            base,
            root,
            backend,
            asked,
            _directory: Some(directory),
            task,
        }
    }

    /// A server with a custom handler.
    pub(crate) async fn scripted(
        script: impl Fn(&RecordedRequest) -> Response + Clone + Send + Sync + 'static,
    ) -> Self {
        let asked = Arc::new(Mutex::new(Vec::new()));
        let log = Arc::clone(&asked);
        let router = Router::new().fallback(move |request: Request| {
            let (script, log) = (script.clone(), Arc::clone(&log));
            async move {
                let asked = note(request, &log).await.1;
                script(&asked)
            }
        });
        let (base, task) = listen(router).await;
        Self {
            base,
            root: PathBuf::new(),
            backend: Backend::Ours,
            asked,
            _directory: None,
            task,
        }
    }

    pub(crate) fn repository(&self, name: &str) -> Repository {
        Repository::init_bare(self.root.join(name), "main").unwrap()
    }

    pub(crate) fn remote(&self, name: &str) -> Remote {
        Remote::new(&format!("{}/{name}", self.base))
            .unwrap()
            .with_timeout(Duration::from_secs(30))
    }

    /// The requests since the last call, as `METHOD path?query`.
    pub(crate) fn take(&self) -> Vec<String> {
        self.asked
            .lock()
            .unwrap()
            .drain(..)
            .map(|asked| asked.line)
            .collect()
    }
}

pub(crate) fn client() -> Client {
    Client::new(Arc::new(HttpClients::new("sluice-test")))
}

async fn listen(router: Router) -> (String, JoinHandle<()>) {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let base = format!("http://{}", listener.local_addr().unwrap());
    let task = tokio::spawn(async move { axum::serve(listener, router).await.unwrap() });
    (base, task)
}

async fn note(request: Request, log: &Mutex<Vec<RecordedRequest>>) -> (HeaderMap, RecordedRequest) {
    let (parts, body) = request.into_parts();
    let body = axum::body::to_bytes(body, 1 << 30).await.unwrap();
    let authorization = parts.headers.get(header::AUTHORIZATION);
    let asked = RecordedRequest {
        line: format!("{} {}", parts.method, parts.uri),
        authorization: authorization.map(|value| value.to_str().unwrap().to_owned()),
        body,
    };
    log.lock().unwrap().push(asked.clone());
    (parts.headers, asked)
}

async fn answer(State(shared): State<Shared>, request: Request) -> Response {
    let (method, uri) = (request.method().clone(), request.uri().clone());
    let (headers, asked) = note(request, &shared.asked).await;
    if shared.password.is_some() && shared.password != asked.authorization {
        return reply(
            StatusCode::UNAUTHORIZED,
            "text/plain",
            "authentication required",
        );
    }
    let protocol = headers
        .get("git-protocol")
        .and_then(|value| value.to_str().ok());
    match shared.backend {
        Backend::Ours => ours(&shared.root, uri.path(), uri.query(), protocol, asked.body).await,
        Backend::Real { version } => {
            let protocol = protocol
                .filter(|_| version > 0)
                .map(|_| format!("version={version}"));
            let kind = headers
                .get(header::CONTENT_TYPE)
                .and_then(|value| value.to_str().ok());
            real(
                &shared.root,
                method.as_str(),
                uri.path(),
                uri.query(),
                protocol,
                kind,
                asked.body,
            )
            .await
        }
    }
}

pub(crate) fn reply(status: StatusCode, kind: &str, body: impl Into<Body>) -> Response {
    let mut response = Response::new(body.into());
    *response.status_mut() = status;
    response
        .headers_mut()
        .insert(header::CONTENT_TYPE, HeaderValue::from_str(kind).unwrap());
    response
}

async fn ours(
    root: &Path,
    path: &str,
    query: Option<&str>,
    protocol: Option<&str>,
    body: Bytes,
) -> Response {
    let version = Version::from_header(protocol);
    let (name, action) = if let Some(name) = path.strip_suffix("/info/refs") {
        let service = query.unwrap_or_default().trim_start_matches("service=");
        (name, Service::parse(service).map(|service| (service, true)))
    } else {
        let (name, service) = path.rsplit_once('/').unwrap_or_default();
        (
            name,
            Service::parse(service).map(|service| (service, false)),
        )
    };
    let (Ok(repository), Some((service, first))) = (
        Repository::open(root.join(name.trim_start_matches('/'))),
        action,
    ) else {
        return reply(StatusCode::NOT_FOUND, "text/plain", "no such repository");
    };
    let served = tokio::task::spawn_blocking(move || {
        if first {
            return serve::advertise(&repository, service, version);
        }
        let mut out = Vec::new();
        match service {
            Service::UploadPack => serve::upload_pack(&repository, &body, &mut out)?,
            Service::ReceivePack => serve::receive_pack(&repository, &body, &mut out)?,
        }
        Ok(out)
    });
    let kind = if first {
        service.advertisement_type()
    } else {
        service.result_type()
    };
    match served.await.unwrap() {
        Ok(bytes) => reply(StatusCode::OK, kind, bytes),
        Err(error) => reply(
            StatusCode::INTERNAL_SERVER_ERROR,
            "text/plain",
            error.to_string(),
        ),
    }
}

async fn real(
    root: &Path,
    method: &str,
    path: &str,
    query: Option<&str>,
    protocol: Option<String>,
    kind: Option<&str>,
    body: Bytes,
) -> Response {
    let mut command = git(root);
    command
        .arg("http-backend")
        .env("GIT_PROJECT_ROOT", root)
        .env("GIT_HTTP_EXPORT_ALL", "1")
        .env("REQUEST_METHOD", method)
        .env("PATH_INFO", path)
        .env("QUERY_STRING", query.unwrap_or_default())
        .env("CONTENT_TYPE", kind.unwrap_or_default())
        .env("REMOTE_USER", "test")
        .env("REMOTE_ADDR", "127.0.0.1")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null());
    if let Some(protocol) = protocol {
        command.env("GIT_PROTOCOL", protocol);
    }
    let mut child = command.spawn().unwrap();
    let mut input = child.stdin.take().unwrap();
    let feed = tokio::spawn(async move {
        // The backend may exit before it has read the whole body.
        input.write_all(&body).await.ok();
    });
    let output = child.wait_with_output().await.unwrap();
    feed.await.unwrap();
    let end = output
        .stdout
        .windows(4)
        .position(|four| four == b"\r\n\r\n")
        .unwrap();
    let mut response = Response::new(Body::from(output.stdout[end + 4..].to_vec()));
    for line in String::from_utf8_lossy(&output.stdout[..end]).lines() {
        let (name, value) = line.split_once(": ").unwrap();
        if name == "Status" {
            *response.status_mut() = value[..3].parse().unwrap();
        } else {
            let name = HeaderName::from_bytes(name.as_bytes()).unwrap();
            response
                .headers_mut()
                .insert(name, HeaderValue::from_str(value).unwrap());
        }
    }
    response
}

/// Git without the configuration of the user.
#[expect(
    clippy::disallowed_methods,
    reason = "the tests compare with the real git"
)]
pub(crate) fn git(directory: &Path) -> tokio::process::Command {
    let mut command = tokio::process::Command::new("git");
    command
        .current_dir(directory)
        .env("HOME", directory)
        .env("GIT_CONFIG_NOSYSTEM", "1")
        .env("GIT_TERMINAL_PROMPT", "0")
        .env("GIT_CONFIG_COUNT", "2")
        .env("GIT_CONFIG_KEY_0", "safe.directory")
        .env("GIT_CONFIG_VALUE_0", "*")
        .env("GIT_CONFIG_KEY_1", "init.defaultBranch")
        .env("GIT_CONFIG_VALUE_1", "main")
        .env("GIT_AUTHOR_NAME", "Real Git")
        .env("GIT_AUTHOR_EMAIL", "real@example.com")
        .env("GIT_COMMITTER_NAME", "Real Git")
        .env("GIT_COMMITTER_EMAIL", "real@example.com")
        .kill_on_drop(true);
    command
}

/// Runs git and returns its output.
pub(crate) async fn run(directory: &Path, arguments: &[&str]) -> String {
    run_with(directory, arguments, &[]).await
}

/// The same with additional environment variables.
pub(crate) async fn run_with(
    directory: &Path,
    arguments: &[&str],
    environment: &[(&str, &str)],
) -> String {
    let mut command = git(directory);
    command.args(arguments).envs(environment.iter().copied());
    let output = command.output().await.unwrap();
    let error = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "git {arguments:?}: {error}");
    String::from_utf8_lossy(&output.stdout).trim().to_owned()
}
