//! An image registry on loopback that lists tags. It has no images, because nothing pulls them.

use std::collections::{BTreeMap, BTreeSet};
use std::io;
use std::net::{Ipv4Addr, SocketAddr};
use std::sync::{Arc, Mutex, PoisonError};

use axum::extract::State;
use axum::http::{StatusCode, Uri};
use axum::response::{IntoResponse, Response};
use axum::{Json, Router};
use serde_json::json;
use tokio::net::TcpListener;
use tokio::task::JoinHandle;

use crate::error::Error;

/// Tags by repository.
type Tags = Arc<Mutex<BTreeMap<String, BTreeSet<String>>>>;

/// A running registry; dropping it stops it.
#[derive(Debug)]
pub struct TagServer {
    tags: Tags,
    address: SocketAddr,
    task: JoinHandle<()>,
}

impl TagServer {
    /// Starts an empty registry on the current runtime.
    pub async fn start() -> Result<Self, Error> {
        let bind = SocketAddr::from((Ipv4Addr::LOCALHOST, 0));
        let listen = async {
            let listener = TcpListener::bind(bind).await?;
            let address = listener.local_addr()?;
            Ok((listener, address))
        };
        let (listener, address) = listen.await.map_err(|source: io::Error| Error::Listen {
            what: "the image registry",
            address: bind,
            source,
        })?;
        let tags = Tags::default();
        let router = Router::new().fallback(answer).with_state(Arc::clone(&tags));
        let task = tokio::spawn(async move {
            // The server ends only when the task is aborted.
            axum::serve(listener, router).await.ok();
        });
        Ok(Self {
            tags,
            address,
            task,
        })
    }

    /// `host:port`, as it stands in an image's name.
    pub fn host(&self) -> String {
        self.address.to_string()
    }

    /// Adds a tag to a repository.
    pub fn tag(&self, repository: &str, tag: &str) {
        let mut tags = self.tags.lock().unwrap_or_else(PoisonError::into_inner);
        let of_repository = tags.entry(repository.to_owned()).or_default();
        of_repository.insert(tag.to_owned());
    }
}

impl Drop for TagServer {
    fn drop(&mut self) {
        self.task.abort();
    }
}

async fn answer(State(tags): State<Tags>, uri: Uri) -> Response {
    if matches!(uri.path(), "/v2" | "/v2/") {
        return Json(json!({})).into_response();
    }
    let repository = uri.path().strip_prefix("/v2/");
    let repository = repository.and_then(|path| path.strip_suffix("/tags/list"));
    let tags = tags.lock().unwrap_or_else(PoisonError::into_inner);
    let found = repository.and_then(|name| Some((name, tags.get(name)?)));
    match found {
        Some((name, tags)) => Json(json!({ "name": name, "tags": tags })).into_response(),
        None => StatusCode::NOT_FOUND.into_response(),
    }
}
