//! A store with the API of S3 that counts requests. It checks no signature.

use std::fmt::Write as _;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use axum::Router;
use axum::extract::State;
use axum::http::{HeaderValue, StatusCode, Uri, header};
use axum::response::{IntoResponse as _, Response};
use bytes::Bytes;
use tokio::task::JoinHandle;

/// The name of the bucket.
pub(super) const NAME: &str = "bench";
const PAGE: usize = 1000;
const MODIFIED: HeaderValue = HeaderValue::from_static("Thu, 01 Jan 2026 00:00:00 GMT");

/// A running store. Dropping it stops it.
pub(super) struct Store {
    shared: Arc<Shared>,
    host: String,
    task: JoinHandle<()>,
}

struct Shared {
    objects: usize,
    content: Bytes,
    listings: AtomicUsize,
    downloads: AtomicUsize,
}

/// Requests since the last look.
pub(super) struct Requests {
    /// Listings, whatever the number of their pages.
    pub(super) listings: usize,
    /// Requests for objects.
    pub(super) downloads: usize,
}

impl Store {
    pub(super) async fn start(objects: usize, bytes: usize) -> anyhow::Result<Self> {
        let listener = tokio::net::TcpListener::bind(("127.0.0.1", 0)).await?;
        let host = listener.local_addr()?.to_string();
        let shared = Arc::new(Shared {
            objects,
            content: vec![b'x'; bytes].into(),
            listings: AtomicUsize::new(0),
            downloads: AtomicUsize::new(0),
        });
        let router = Router::new().fallback(serve);
        let router = router.with_state(Arc::clone(&shared));
        let task = tokio::spawn(async move {
            if let Err(error) = axum::serve(listener, router).await {
                eprintln!("the store stopped: {error}");
            }
        });
        Ok(Self { shared, host, task })
    }

    pub(super) fn host(&self) -> &str {
        &self.host
    }

    /// The address of an object.
    pub(super) fn url(&self, number: usize) -> String {
        format!("http://{}/{NAME}/{}", self.host, key(number))
    }

    /// Takes the counts since the last call.
    pub(super) fn take(&self) -> Requests {
        Requests {
            listings: self.shared.listings.swap(0, Ordering::Relaxed),
            downloads: self.shared.downloads.swap(0, Ordering::Relaxed),
        }
    }
}

impl Drop for Store {
    fn drop(&mut self) {
        self.task.abort();
    }
}

fn key(number: usize) -> String {
    format!("directory-{}/file-{number}.yaml", number / 100)
}

fn number_of(path: &str) -> Option<usize> {
    let (_, file) = path.rsplit_once("/file-")?;
    file.strip_suffix(".yaml")?.parse().ok()
}

async fn serve(State(shared): State<Arc<Shared>>, uri: Uri) -> Response {
    let path = uri.path().trim_end_matches('/');
    let query = uri.query().unwrap_or_default();
    if path == format!("/{NAME}") {
        if query.contains("location") {
            return "<LocationConstraint/>".into_response();
        }
        return shared.page(query).into_response();
    }
    match number_of(path).filter(|number| *number < shared.objects) {
        None => StatusCode::NOT_FOUND.into_response(),
        Some(number) => {
            shared.downloads.fetch_add(1, Ordering::Relaxed);
            let mut response = shared.content.clone().into_response();
            let headers = response.headers_mut();
            headers.insert(header::LAST_MODIFIED, MODIFIED);
            if let Ok(tag) = HeaderValue::from_str(&format!("\"{}\"", tag(number))) {
                headers.insert(header::ETAG, tag);
            }
            response
        }
    }
}

fn tag(number: usize) -> String {
    format!("{number:032x}")
}

impl Shared {
    /// A page of the listing. `HEAD` gets one too, without its body.
    fn page(&self, query: &str) -> String {
        let pairs = query.split('&').filter_map(|pair| pair.split_once('='));
        let mut tokens = pairs.filter(|(name, _)| *name == "continuation-token");
        let start = tokens.next().and_then(|(_, token)| token.parse().ok());
        if start.is_none() && query.contains("list-type") {
            self.listings.fetch_add(1, Ordering::Relaxed);
        }
        let start: usize = start.unwrap_or_default();
        let end = self.objects.min(start + PAGE);
        let is_truncated = end < self.objects;
        let next = if is_truncated {
            format!("<NextContinuationToken>{end}</NextContinuationToken>")
        } else {
            String::new()
        };
        let mut page = format!(
            "<ListBucketResult><Name>{NAME}</Name><KeyCount>{}</KeyCount>\
             <IsTruncated>{is_truncated}</IsTruncated>{next}",
            end - start,
        );
        for number in start..end {
            // Writing to a text cannot fail.
            let _written = write!(
                page,
                "<Contents><Key>{}</Key><LastModified>2026-01-01T00:00:00.000Z</LastModified>\
                 <ETag>\"{}\"</ETag><Size>{}</Size></Contents>",
                key(number),
                tag(number),
                self.content.len()
            );
        }
        page.push_str("</ListBucketResult>");
        page
    }
}
