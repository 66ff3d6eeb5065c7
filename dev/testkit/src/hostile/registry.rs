//! An in-memory registry whose answers a test can change.
//!
//! Without a hook it is correct, has the referrers API and pages its lists. A hook sees each
//! request first. It may answer the request itself, or change the stored content between two
//! requests.

use std::collections::{BTreeMap, HashMap};
use std::net::SocketAddr;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use axum::Router;
use axum::body::Body;
use axum::extract::Request;
use axum::http::{HeaderMap, Method, StatusCode, header};
use axum::response::{IntoResponse as _, Response};
use bytes::Bytes;
use serde_json::{Value, json};
use sluice_digest::Digest;
use tokio::task::JoinHandle;

const MANIFEST: &str = "application/vnd.oci.image.manifest.v1+json";
const INDEX: &str = "application/vnd.oci.image.index.v1+json";

/// A request as a hook sees it.
#[derive(Debug, Clone)]
pub struct RegistryRequest {
    /// Its method.
    pub method: Method,
    /// Its path with its query.
    pub target: String,
    /// Its headers.
    pub headers: HeaderMap,
}

impl RegistryRequest {
    /// Whether the request has this method and its path contains this text.
    pub fn is(&self, method: &Method, part: &str) -> bool {
        self.method == *method && self.target.contains(part)
    }

    /// The value of `Authorization`.
    pub fn authorization(&self) -> Option<&str> {
        self.headers.get(header::AUTHORIZATION)?.to_str().ok()
    }
}

/// The stored content.
#[derive(Debug, Clone, Default)]
pub struct Content {
    /// Digests by tag.
    pub tags: BTreeMap<String, String>,
    /// Manifests and indexes by digest.
    pub manifests: HashMap<String, Bytes>,
    /// Blobs by digest.
    pub blobs: HashMap<String, Bytes>,
}

impl Content {
    /// Stores a blob and returns its digest.
    pub fn blob(&mut self, bytes: impl Into<Bytes>) -> String {
        let bytes = bytes.into();
        let digest = digest(&bytes);
        self.blobs.insert(digest.clone(), bytes);
        digest
    }

    /// Stores a manifest, under a tag if one is given, and returns its digest.
    pub fn manifest(&mut self, tag: Option<&str>, bytes: impl Into<Bytes>) -> String {
        let bytes = bytes.into();
        let digest = digest(&bytes);
        self.manifests.insert(digest.clone(), bytes);
        if let Some(tag) = tag {
            self.tags.insert(tag.to_owned(), digest.clone());
        }
        digest
    }

    /// Stores an image of one layer under a tag and returns the digest of its manifest.
    pub fn image(&mut self, tag: &str, media_type: &str, layer: impl Into<Bytes>) -> String {
        self.configured_image(tag, "application/vnd.oci.empty.v1+json", media_type, layer)
    }

    /// Like [`Self::image`], with a configuration of this type.
    pub fn configured_image(
        &mut self,
        tag: &str,
        config_type: &str,
        media_type: &str,
        layer: impl Into<Bytes>,
    ) -> String {
        let layer = layer.into();
        let described = |kind: &str, digest: String, size: usize| json!({ "mediaType": kind, "digest": digest, "size": size });
        let layer_size = layer.len();
        let layer = self.blob(layer);
        let config = self.blob("{}");
        let manifest = json!({
            "schemaVersion": 2,
            "mediaType": MANIFEST,
            "config": described(config_type, config, 2),
            "layers": [described(media_type, layer, layer_size)],
        });
        self.manifest(Some(tag), manifest.to_string())
    }
}

/// The digest of some bytes, as registries write it.
pub fn digest(bytes: &[u8]) -> String {
    Digest::of(bytes).to_string()
}

type Trick = Box<dyn Fn(&RegistryRequest, &mut Content) -> Option<Response> + Send + Sync>;

struct State {
    content: Mutex<Content>,
    asked: Mutex<Vec<RegistryRequest>>,
    trick: Trick,
}

/// A running server of one repository with any name; dropping it stops it.
pub struct HostileRegistry {
    state: Arc<State>,
    address: SocketAddr,
    task: JoinHandle<()>,
}

impl std::fmt::Debug for HostileRegistry {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter
            .debug_struct("HostileRegistry")
            .field("address", &self.address)
            .finish_non_exhaustive()
    }
}

impl HostileRegistry {
    /// Starts a server with a hook.
    pub async fn start(
        trick: impl Fn(&RegistryRequest, &mut Content) -> Option<Response> + Send + Sync + 'static,
    ) -> Self {
        let state = Arc::new(State {
            content: Mutex::default(),
            asked: Mutex::default(),
            trick: Box::new(trick),
        });
        let listener = tokio::net::TcpListener::bind(("127.0.0.1", 0))
            .await
            .unwrap();
        let address = listener.local_addr().unwrap();
        let served = Arc::clone(&state);
        let router = Router::new().fallback(move |request: Request| {
            let state = Arc::clone(&served);
            async move { state.answer(&request) }
        });
        let task = tokio::spawn(async move {
            axum::serve(listener, router).await.unwrap();
        });
        Self {
            state,
            address,
            task,
        }
    }

    /// Starts a server without a hook.
    pub async fn honest() -> Self {
        Self::start(|_, _| None).await
    }

    /// `host:port`.
    pub fn host(&self) -> String {
        self.address.to_string()
    }

    /// The URL of a repository, as an `OCIRepository` names it.
    pub fn url(&self, repository: &str) -> String {
        format!("oci://{}/{repository}", self.address)
    }

    /// Reads or changes the stored content.
    pub fn content(&self) -> MutexGuard<'_, Content> {
        lock(&self.state.content)
    }

    /// Requests for a repository so far, without probes of the scheme.
    pub fn asked(&self) -> Vec<RegistryRequest> {
        lock(&self.state.asked)
            .iter()
            .filter(|asked| asked.target != "/v2/")
            .cloned()
            .collect()
    }

    /// Takes the requests so far, as `METHOD target`.
    pub fn take_asked(&self) -> Vec<String> {
        let taken = std::mem::take(&mut *lock(&self.state.asked));
        taken
            .into_iter()
            .filter(|asked| asked.target != "/v2/")
            .map(|asked| format!("{} {}", asked.method, asked.target))
            .collect()
    }
}

impl Drop for HostileRegistry {
    fn drop(&mut self) {
        self.task.abort();
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl State {
    fn answer(&self, request: &Request) -> Response {
        let asked = RegistryRequest {
            method: request.method().clone(),
            target: request.uri().to_string(),
            headers: request.headers().clone(),
        };
        lock(&self.asked).push(asked.clone());
        let mut content = lock(&self.content);
        if let Some(response) = (self.trick)(&asked, &mut content) {
            return response;
        }
        honest(&asked, &content)
    }
}

fn honest(asked: &RegistryRequest, content: &Content) -> Response {
    let (path, query) = asked
        .target
        .split_once('?')
        .unwrap_or((asked.target.as_str(), ""));
    if path == "/v2/" {
        return StatusCode::OK.into_response();
    }
    let after = |part: &str| path.rsplit_once(part).map(|(_, rest)| rest);
    if let Some(reference) = after("/manifests/") {
        let digest = content
            .tags
            .get(reference)
            .map_or(reference, String::as_str);
        return match content.manifests.get(digest) {
            Some(bytes) => document(asked, digest, bytes.clone()),
            None => unknown("MANIFEST_UNKNOWN", "manifest unknown"),
        };
    }
    if let Some(digest) = after("/blobs/") {
        return match content.blobs.get(digest) {
            Some(bytes) => blob(asked, bytes),
            None => unknown("BLOB_UNKNOWN", "blob unknown to registry"),
        };
    }
    if let Some(digest) = after("/referrers/") {
        return referrers(content, digest);
    }
    if path.ends_with("/tags/list") {
        return tags(path, query, content);
    }
    unknown("NAME_UNKNOWN", "not known")
}

fn document(asked: &RegistryRequest, digest: &str, bytes: Bytes) -> Response {
    let value: Value = serde_json::from_slice(&bytes).unwrap_or_default();
    let kind = value["mediaType"].as_str().unwrap_or(MANIFEST).to_owned();
    let headers = [
        (header::CONTENT_TYPE, kind),
        (header::CONTENT_LENGTH, bytes.len().to_string()),
        (
            header::HeaderName::from_static("docker-content-digest"),
            digest.to_owned(),
        ),
    ];
    if asked.method == Method::HEAD {
        (headers, Body::empty()).into_response()
    } else {
        (headers, bytes).into_response()
    }
}

fn blob(asked: &RegistryRequest, bytes: &Bytes) -> Response {
    let start: Option<usize> = asked
        .headers
        .get(header::RANGE)
        .and_then(|value| value.to_str().ok())
        .and_then(|range| {
            range
                .strip_prefix("bytes=")?
                .strip_suffix('-')?
                .parse()
                .ok()
        });
    match start {
        Some(start) if start < bytes.len() => {
            (StatusCode::PARTIAL_CONTENT, bytes.slice(start..)).into_response()
        }
        _ => bytes.clone().into_response(),
    }
}

fn referrers(content: &Content, digest: &str) -> Response {
    let found: Vec<Value> = content
        .manifests
        .iter()
        .filter_map(|(name, bytes)| {
            let value: Value = serde_json::from_slice(bytes).ok()?;
            (value["subject"]["digest"] == *digest).then(|| {
                json!({ "mediaType": MANIFEST, "digest": name, "size": bytes.len(), "artifactType": value["artifactType"] })
            })
        })
        .collect();
    let index = json!({ "schemaVersion": 2, "mediaType": INDEX, "manifests": found });
    ([(header::CONTENT_TYPE, INDEX)], index.to_string()).into_response()
}

/// Page size of tag lists.
fn tags(path: &str, query: &str, content: &Content) -> Response {
    let last = query
        .split('&')
        .find_map(|pair| pair.strip_prefix("last="))
        .unwrap_or_default();
    let rest: Vec<&String> = content
        .tags
        .keys()
        .filter(|tag| tag.as_str() > last)
        .collect();
    let page = &rest[..rest.len().min(2)];
    let body = json!({ "name": "x", "tags": page }).to_string();
    match page.last() {
        Some(last) if rest.len() > page.len() => {
            let link = format!("<{path}?n=2&last={last}>; rel=\"next\"");
            ([(header::LINK, link)], body).into_response()
        }
        _ => body.into_response(),
    }
}

fn unknown(code: &str, message: &str) -> Response {
    let body = json!({ "errors": [{ "code": code, "message": message }] });
    (StatusCode::NOT_FOUND, body.to_string()).into_response()
}
