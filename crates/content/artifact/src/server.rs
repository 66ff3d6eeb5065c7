//! The HTTP server for artifacts.
//!
//! It serves complete artifacts by their exact path, with ranges and conditions. It lists nothing
//! unless the operator enables that, and hides private, temporary and lock files. Links may not
//! leave the root. Like in Flux, clients need no authentication. Start at
//! [`router`].

mod condition;

use std::fs::File;
use std::io;
use std::sync::Arc;

use axum::Router;
use axum::body::Body;
use axum::extract::State;
use axum::response::{IntoResponse, Response};
use http::{HeaderMap, HeaderValue, Method, StatusCode, Uri, header};
use jiff::Timestamp;
use percent_encoding::percent_decode_str;
use rustix::fs::{FileType, Stat};
use tokio::io::{AsyncReadExt, AsyncSeekExt};
use tokio_util::io::ReaderStream;

use crate::confined::{Directory, Error};
use crate::storage::{LOCK_SUFFIX, Storage, TEMPORARY_SUFFIX, split};
use condition::{FileFacts, Selection};

/// Size of the chunks of a download. Large enough for few calls to the blocking pool. Small enough
/// that 200 concurrent downloads need little memory.
pub const CHUNK_BYTES: usize = 64 * 1024;

/// Whether directories list their entries.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Listing {
    /// An empty page, as expected by probes.
    #[default]
    Off,
    /// The names, as Flux lists them.
    On,
}

/// Creates the router.
pub fn router(storage: Arc<Storage>, listing: Listing) -> Router {
    Router::new()
        .fallback(handle)
        .with_state(ServerState { storage, listing })
}

#[derive(Clone)]
struct ServerState {
    storage: Arc<Storage>,
    listing: Listing,
}

/// A file or directory at a path.
enum Resource {
    File {
        file: File,
        stat: Stat,
        path: String,
    },
    Directory(Vec<String>),
}

async fn handle(
    State(state): State<ServerState>,
    method: Method,
    uri: Uri,
    headers: HeaderMap,
) -> Response {
    if method != Method::GET && method != Method::HEAD {
        return (
            StatusCode::METHOD_NOT_ALLOWED,
            [(header::ALLOW, "GET, HEAD")],
        )
            .into_response();
    }
    let Ok(path) = percent_decode_str(uri.path()).decode_utf8() else {
        return StatusCode::NOT_FOUND.into_response();
    };
    let path = path.trim_start_matches('/').to_owned();
    let finder = state.clone();
    let found = tokio::task::spawn_blocking(move || finder.find(&path)).await;
    match found {
        Ok(Ok(Resource::File { file, stat, path })) => {
            state.send(file, &stat, &path, &headers, &method).await
        }
        Ok(Ok(Resource::Directory(names))) => listing_page(&names),
        Ok(Err(error)) if is_not_servable(&error) => StatusCode::NOT_FOUND.into_response(),
        Ok(Err(error)) => {
            tracing::error!(%error, "failed to serve artifact");
            StatusCode::INTERNAL_SERVER_ERROR.into_response()
        }
        Err(_) => StatusCode::INTERNAL_SERVER_ERROR.into_response(),
    }
}

/// A link that is not served, a pipe and an invalid name look like missing files.
fn is_not_servable(error: &Error) -> bool {
    error.is_link()
        || matches!(
            error.kind(),
            io::ErrorKind::NotFound
                | io::ErrorKind::NotADirectory
                | io::ErrorKind::InvalidInput
                | io::ErrorKind::InvalidFilename
        )
}

fn listing_page(names: &[String]) -> Response {
    let mut body = String::new();
    if !names.is_empty() {
        body.push_str("<!doctype html>\n<pre>\n");
        for name in names {
            let escaped = name
                .replace('&', "&amp;")
                .replace('<', "&lt;")
                .replace('>', "&gt;")
                .replace('"', "&#34;");
            body.extend(["<a href=\"./", &escaped, "\">", &escaped, "</a>\n"]);
        }
        body.push_str("</pre>\n");
    }
    ([(header::CONTENT_TYPE, "text/html; charset=utf-8")], body).into_response()
}

impl ServerState {
    fn find(&self, path: &str) -> Result<Resource, Error> {
        let root = self.storage.directory();
        let directory = path.trim_end_matches('/');
        if directory.is_empty() {
            return self.list(&root);
        }
        let missing = || {
            let source = io::Error::from(io::ErrorKind::NotFound);
            Error::new("open", root.path().join(directory), source)
        };
        let (parents, name) = split(directory).ok_or_else(missing)?;
        let parent = root.descend(parents.iter().copied())?;
        let stat = parent.stat(name)?;
        match FileType::from_raw_mode(stat.st_mode) {
            FileType::Directory => self.list(&parent.open(name)?),
            FileType::Symlink => {
                let target = self
                    .resolve(&parents, &parent.read_link(name)?)
                    .ok_or_else(missing)?;
                self.open(&target)
                    .and_then(|found| found.ok_or_else(missing))
            }
            _ if path.ends_with('/') => Err(missing()),
            _ => self.open(path).and_then(|found| found.ok_or_else(missing)),
        }
    }

    fn open(&self, path: &str) -> Result<Option<Resource>, Error> {
        let Some((parents, name)) = split(path) else {
            return Ok(None);
        };
        if is_hidden(name) {
            return Ok(None);
        }
        let (file, stat) = self.storage.directory().descend(parents)?.open_file(name)?;
        Ok(Some(Resource::File {
            file,
            stat,
            path: path.to_owned(),
        }))
    }

    /// A link must lead to a file below the root. Flux wrote absolute targets.
    fn resolve(&self, parents: &[&[u8]], target: &[u8]) -> Option<String> {
        let target = std::str::from_utf8(target).ok()?;
        if target.starts_with('/') {
            let root = self.storage.root().to_str()?.trim_end_matches('/');
            let below = target.strip_prefix(root)?.strip_prefix('/')?;
            return Some(below.to_owned());
        }
        let parents = std::str::from_utf8(&parents.join(&b'/')).ok()?.to_owned();
        Some(format!("{parents}/{target}"))
    }

    fn list(&self, directory: &Directory) -> Result<Resource, Error> {
        if self.listing == Listing::Off {
            return Ok(Resource::Directory(Vec::new()));
        }
        let names = directory
            .list(usize::MAX)?
            .into_iter()
            .filter(|entry| !is_hidden(&entry.name))
            .map(|entry| {
                let slash = if entry.is(FileType::Directory) {
                    "/"
                } else {
                    ""
                };
                format!("{}{slash}", String::from_utf8_lossy(&entry.name))
            })
            .collect();
        Ok(Resource::Directory(names))
    }

    async fn send(
        &self,
        file: File,
        stat: &Stat,
        path: &str,
        headers: &HeaderMap,
        method: &Method,
    ) -> Response {
        let size = u64::try_from(stat.st_size).unwrap_or_default();
        let facts = FileFacts {
            size,
            modified: Timestamp::from_second(stat.st_mtime).unwrap_or_default(),
            etag: self
                .storage
                .known_digest(path, stat)
                .map(|digest| format!("\"{digest}\"")),
        };
        let selection = facts.select(headers);
        let mut response = Response::new(Body::empty());
        let fields = response.headers_mut();
        fields.insert(header::ACCEPT_RANGES, HeaderValue::from_static("bytes"));
        insert(
            fields,
            header::LAST_MODIFIED,
            &condition::date(facts.modified),
        );
        if let Some(etag) = &facts.etag {
            insert(fields, header::ETAG, etag);
        }
        let (start, length) = match selection {
            Selection::NotModified => {
                *response.status_mut() = StatusCode::NOT_MODIFIED;
                return response;
            }
            Selection::Unsatisfiable => {
                insert(fields, header::CONTENT_RANGE, &format!("bytes */{size}"));
                *response.status_mut() = StatusCode::RANGE_NOT_SATISFIABLE;
                return response;
            }
            Selection::Part { start, end } => {
                insert(
                    fields,
                    header::CONTENT_RANGE,
                    &format!("bytes {start}-{end}/{size}"),
                );
                *response.status_mut() = StatusCode::PARTIAL_CONTENT;
                (start, end - start + 1)
            }
            Selection::Whole => (0, size),
        };
        let fields = response.headers_mut();
        fields.insert(header::CONTENT_TYPE, content_type(path));
        insert(fields, header::CONTENT_LENGTH, &length.to_string());
        if method == Method::HEAD {
            return response;
        }
        let mut file = tokio::fs::File::from_std(file);
        if start > 0
            && let Err(error) = file.seek(io::SeekFrom::Start(start)).await
        {
            tracing::error!(%error, path, "failed to serve artifact");
            return StatusCode::INTERNAL_SERVER_ERROR.into_response();
        }
        file.set_max_buf_size(CHUNK_BYTES);
        *response.body_mut() =
            Body::from_stream(ReaderStream::with_capacity(file.take(length), CHUNK_BYTES));
        response
    }
}

fn insert(fields: &mut HeaderMap, name: http::HeaderName, value: &str) {
    // All values consist of digits, dates and digests.
    if let Ok(value) = HeaderValue::from_str(value) {
        fields.insert(name, value);
    }
}

/// Temporary and lock files are hidden.
fn is_hidden(name: &[u8]) -> bool {
    name.starts_with(b".")
        || name.ends_with(LOCK_SUFFIX.as_bytes())
        || name.ends_with(TEMPORARY_SUFFIX.as_bytes())
}

/// The content is never declared as gzip-encoded: a client would decompress it, and the digest
/// would not match.
fn content_type(path: &str) -> HeaderValue {
    HeaderValue::from_static(match path.rsplit('.').next() {
        Some("gz" | "tgz") => "application/gzip",
        Some("json") => "application/json",
        Some("yaml" | "yml") => "application/yaml",
        _ => "application/octet-stream",
    })
}
