//! A registry that lists given tags.

use std::collections::BTreeMap;
use std::sync::Arc;

use axum::Router;
use axum::extract::State;
use axum::http::{StatusCode, Uri, header};
use axum::response::{IntoResponse as _, Response};
use serde_json::json;
use tokio::task::JoinHandle;

/// A running registry. Dropping it stops it.
pub(super) struct Registry {
    host: String,
    task: JoinHandle<()>,
}

impl Registry {
    /// Starts a registry with the tags of each repository. Those of `""` are for all others.
    pub(super) async fn start(tags: BTreeMap<&'static str, Vec<String>>) -> anyhow::Result<Self> {
        let listener = tokio::net::TcpListener::bind(("127.0.0.1", 0)).await?;
        let host = listener.local_addr()?.to_string();
        let router = Router::new().fallback(serve).with_state(Arc::new(tags));
        let task = tokio::spawn(async move {
            if let Err(error) = axum::serve(listener, router).await {
                eprintln!("the registry stopped: {error}");
            }
        });
        Ok(Self { host, task })
    }

    /// The image of a repository.
    pub(super) fn image(&self, name: &str) -> String {
        format!("{}/{name}", self.host)
    }
}

impl Drop for Registry {
    fn drop(&mut self) {
        self.task.abort();
    }
}

/// Makes different versions.
pub(super) fn versions(count: usize) -> Vec<String> {
    let version = |number| {
        format!(
            "v{}.{}.{}",
            number / 10_000,
            number / 100 % 100,
            number % 100
        )
    };
    (0..count).map(version).collect()
}

/// Lists the tags on one page.
async fn serve(State(tags): State<Arc<BTreeMap<&'static str, Vec<String>>>>, uri: Uri) -> Response {
    let path = uri.path();
    if path == "/v2/" {
        return StatusCode::OK.into_response();
    }
    let Some(name) = path
        .strip_prefix("/v2/")
        .and_then(|it| it.strip_suffix("/tags/list"))
    else {
        return StatusCode::NOT_FOUND.into_response();
    };
    let tags = tags.get(name).or_else(|| tags.get(""));
    let body = json!({ "name": name, "tags": tags }).to_string();
    ([(header::CONTENT_TYPE, "application/json")], body).into_response()
}
