//! An artifact server that replaces source-controller in tests and benches.
//!
//! It stores archives and returns the `status.artifact` of each. The caller writes that into the
//! status of a source.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};

use axum::Router;
use axum::extract::{Path, State};
use axum::http::StatusCode;
use bytes::Bytes;
use serde_json::{Value, json};
use sluice_digest::Digest;
use tokio::net::TcpListener;
use tokio::task::JoinHandle;

use crate::archive;

#[derive(Debug, Default)]
struct Archives {
    by_name: Mutex<BTreeMap<String, Bytes>>,
    requests: AtomicUsize,
}

/// A running server; dropping it stops it.
#[derive(Debug)]
pub struct ArtifactServer {
    archives: Arc<Archives>,
    address: String,
    task: JoinHandle<()>,
}

impl ArtifactServer {
    /// Starts a server on the current runtime.
    pub async fn start() -> Self {
        let listener = TcpListener::bind(("127.0.0.1", 0)).await.unwrap();
        let address = listener.local_addr().unwrap().to_string();
        let archives = Arc::<Archives>::default();
        let router = Router::new()
            .route("/{name}", axum::routing::get(archive_called))
            .with_state(Arc::clone(&archives));
        let task = tokio::spawn(async move {
            // The server ends only when the task is aborted.
            axum::serve(listener, router).await.ok();
        });
        Self {
            archives,
            address,
            task,
        }
    }

    /// Host and port.
    pub fn address(&self) -> &str {
        &self.address
    }

    /// Serves an archive and returns its `status.artifact`. The digest may be wrong on purpose. A
    /// revision names one archive, for all sources.
    pub fn publish(&self, revision: &str, archive: Vec<u8>, digest: &str) -> Value {
        let name = name(revision);
        let url = format!("http://{}/{name}", self.address);
        let mut archives = self.archives.by_name.lock().unwrap();
        archives.insert(name.clone(), archive.into());
        json!({
            "url": url, "path": name, "digest": digest, "revision": revision,
            "lastUpdateTime": "2026-01-01T00:00:00Z",
        })
    }

    /// Serves an archive of these files.
    pub fn publish_files(&self, revision: &str, files: &[(&str, &str)]) -> Value {
        let archive = archive::tarball(files);
        let digest = Digest::of(&archive).to_string();
        self.publish(revision, archive, &digest)
    }

    /// Number of requests.
    pub fn requests(&self) -> usize {
        self.archives.requests.load(Ordering::SeqCst)
    }

    /// Removes an archive.
    pub fn remove(&self, revision: &str) {
        self.archives
            .by_name
            .lock()
            .unwrap()
            .remove(&name(revision));
    }
}

impl Drop for ArtifactServer {
    fn drop(&mut self) {
        self.task.abort();
    }
}

fn name(revision: &str) -> String {
    format!("{}.tar.gz", revision.replace([':', '/', '@'], "-"))
}

async fn archive_called(
    State(archives): State<Arc<Archives>>,
    Path(name): Path<String>,
) -> Result<Bytes, StatusCode> {
    archives.requests.fetch_add(1, Ordering::SeqCst);
    let archives = archives.by_name.lock().unwrap();
    archives.get(&name).cloned().ok_or(StatusCode::NOT_FOUND)
}
