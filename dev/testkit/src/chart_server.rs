//! A Helm repository over HTTP: files on loopback, with an index of the published charts.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::sync::{Arc, Mutex, MutexGuard};

use axum::Router;
use axum::body::Body;
use axum::extract::{Request, State};
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse as _, Response};
use base64::Engine as _;
use base64::prelude::BASE64_STANDARD;
use bytes::Bytes;
use sluice_digest::Digest;
use tokio::net::TcpListener;
use tokio::task::JoinHandle;

use crate::archive;

/// A running repository; dropping it stops it.
#[derive(Debug)]
pub struct ChartServer {
    content: Arc<Mutex<Content>>,
    address: String,
    task: JoinHandle<()>,
}

#[derive(Debug, Default)]
struct Content {
    answers: BTreeMap<String, Answer>,
    /// The entries of the index, by chart.
    entries: BTreeMap<String, String>,
    credentials: Option<String>,
    requests: Vec<ChartRequest>,
}

#[derive(Debug, Clone)]
enum Answer {
    File(Bytes),
    Redirect(String),
    Endless,
}

/// A request that the server received.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ChartRequest {
    /// The path.
    pub path: String,
    /// Whether it carried credentials.
    pub has_credentials: bool,
    /// The status of the answer.
    pub status: u16,
}

impl ChartServer {
    /// Starts an empty repository on the current runtime.
    pub async fn start() -> Self {
        let listener = TcpListener::bind(("127.0.0.1", 0)).await.unwrap();
        let address = listener.local_addr().unwrap().to_string();
        let content = Arc::<Mutex<Content>>::default();
        let router = Router::new()
            .fallback(answer)
            .with_state(Arc::clone(&content));
        let task = tokio::spawn(async move {
            // The server ends only when the task is aborted.
            axum::serve(listener, router).await.ok();
        });
        let server = Self {
            content,
            address,
            task,
        };
        server.write_index();
        server
    }

    /// The URL of the repository.
    pub fn url(&self) -> String {
        format!("http://{}", self.address)
    }

    /// Requires these credentials for each request.
    pub fn require(&self, user: &str, password: &str) {
        let pair = BASE64_STANDARD.encode(format!("{user}:{password}"));
        self.lock().credentials = Some(format!("Basic {pair}"));
    }

    /// Publishes a chart with these files besides its `Chart.yaml`, and returns the archive.
    pub fn publish(&self, name: &str, version: &str, files: &[(&str, &str)]) -> Vec<u8> {
        let archive = chart(name, version, files);
        let digest = Digest::of(&archive);
        self.publish_as(name, version, &archive, digest.hex());
        archive
    }

    /// Publishes an archive under a name, a version and a digest, which may be wrong on purpose.
    pub fn publish_as(&self, name: &str, version: &str, archive: &[u8], digest: &str) {
        let file = format!("{name}-{version}.tgz");
        self.put(&file, archive);
        let mut content = self.lock();
        let entries = content.entries.entry(name.to_owned()).or_default();
        writeln!(
            entries,
            "    - {{apiVersion: v2, name: {name}, version: {version}, urls: ['{file}'], digest: \
             '{digest}', created: '2024-01-01T00:00:00Z'}}"
        )
        .unwrap();
        drop(content);
        self.write_index();
    }

    /// Serves a file.
    pub fn put(&self, path: &str, content: &[u8]) {
        let file = Answer::File(Bytes::copy_from_slice(content));
        self.lock().answers.insert(format!("/{path}"), file);
    }

    /// Redirects a path.
    pub fn redirect(&self, path: &str, target: &str) {
        let redirect = Answer::Redirect(target.to_owned());
        self.lock().answers.insert(format!("/{path}"), redirect);
    }

    /// Answers a path without an end.
    pub fn put_endless(&self, path: &str) {
        self.lock()
            .answers
            .insert(format!("/{path}"), Answer::Endless);
    }

    /// Removes a file.
    pub fn remove(&self, path: &str) {
        self.lock().answers.remove(&format!("/{path}"));
    }

    /// The requests so far.
    pub fn requests(&self) -> Vec<ChartRequest> {
        self.lock().requests.clone()
    }

    /// The number of requests for a path so far.
    pub fn count(&self, path: &str) -> usize {
        let path = format!("/{path}");
        let content = self.lock();
        let requests = content.requests.iter();
        requests.filter(|request| request.path == path).count()
    }

    fn write_index(&self) {
        let mut index = "apiVersion: v1\ngenerated: '2024-01-01T00:00:00Z'\nentries:\n".to_owned();
        let content = self.lock();
        for (name, entries) in &content.entries {
            write!(index, "  {name}:\n{entries}").unwrap();
        }
        if content.entries.is_empty() {
            index.push_str("  {}\n");
        }
        drop(content);
        self.put("index.yaml", index.as_bytes());
    }

    fn lock(&self) -> MutexGuard<'_, Content> {
        self.content.lock().unwrap()
    }
}

impl Drop for ChartServer {
    fn drop(&mut self) {
        self.task.abort();
    }
}

/// The archive of a chart with these files besides its `Chart.yaml`.
pub fn chart(name: &str, version: &str, files: &[(&str, &str)]) -> Vec<u8> {
    let metadata = format!("apiVersion: v2\nname: {name}\nversion: {version}\n");
    let mut entries = vec![(format!("{name}/Chart.yaml"), &*metadata)];
    let files = files.iter();
    entries.extend(files.map(|(path, content)| (format!("{name}/{path}"), *content)));
    let entries: Vec<_> = entries
        .iter()
        .map(|(path, text)| (&**path, *text))
        .collect();
    archive::tarball(&entries)
}

async fn answer(State(content): State<Arc<Mutex<Content>>>, request: Request) -> Response {
    let path = request.uri().path().to_owned();
    let credentials = request.headers().get(header::AUTHORIZATION);
    let credentials = credentials.map(|value| value.to_str().unwrap().to_owned());
    let known = request.headers().get(header::IF_NONE_MATCH);
    let known = known.map(|value| value.to_str().unwrap().to_owned());
    let mut content = content.lock().unwrap();
    let is_open = content.credentials.is_none() || content.credentials == credentials;
    let response = if is_open {
        response(&content, &path, known.as_deref())
    } else {
        StatusCode::UNAUTHORIZED.into_response()
    };
    content.requests.push(ChartRequest {
        path,
        has_credentials: credentials.is_some(),
        status: response.status().as_u16(),
    });
    response
}

fn response(content: &Content, path: &str, known: Option<&str>) -> Response {
    match content.answers.get(path).cloned() {
        None => StatusCode::NOT_FOUND.into_response(),
        Some(Answer::File(bytes)) => {
            let tag = format!("\"{}\"", Digest::of(&bytes).hex());
            if known == Some(&*tag) {
                return StatusCode::NOT_MODIFIED.into_response();
            }
            ([(header::ETAG, tag)], bytes).into_response()
        }
        Some(Answer::Redirect(target)) => {
            (StatusCode::FOUND, [(header::LOCATION, target)]).into_response()
        }
        Some(Answer::Endless) => {
            let chunk = Bytes::from(vec![b' '; 64 << 10]);
            let chunks = futures::stream::repeat(Ok::<_, std::convert::Infallible>(chunk));
            Body::from_stream(chunks).into_response()
        }
    }
}
