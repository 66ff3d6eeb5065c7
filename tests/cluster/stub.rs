//! A fake API server with the responses of a test. Other paths respond as if the server had no
//! kinds. It allows rare or very large responses.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use axum::Json;
use axum::Router;
use axum::http::{StatusCode, Uri};
use axum::response::IntoResponse as _;
use serde_json::{Value, json};
use sluice_system::fs;

use crate::binary::{Call, CommandResult};

/// Returns the response for a path with its query, if the test has one.
type Answers = dyn Fn(&Uri) -> Option<(u16, Value)> + Send + Sync;

pub(crate) struct Stub {
    address: String,
    directory: tempfile::TempDir,
}

impl Stub {
    pub(crate) async fn start(
        answers: impl Fn(&Uri) -> Option<(u16, Value)> + Send + Sync + 'static,
    ) -> Self {
        let listener = tokio::net::TcpListener::bind(("127.0.0.1", 0))
            .await
            .unwrap();
        let address = listener.local_addr().unwrap().to_string();
        let answers: Arc<Answers> = Arc::new(answers);
        let router = Router::new().fallback(move |uri: Uri| {
            let (status, value) = answers(&uri).unwrap_or_else(|| empty(uri.path()));
            async move { (StatusCode::from_u16(status).unwrap(), Json(value)).into_response() }
        });
        tokio::spawn(async move { axum::serve(listener, router).await });
        let directory = tempfile::tempdir().unwrap();
        Self { address, directory }
    }

    /// Returns a kubeconfig with this user.
    pub(crate) fn kubeconfig_of(&self, user: &Value) -> String {
        json!({
            "apiVersion": "v1", "kind": "Config", "current-context": "a",
            "contexts": [{ "name": "a", "context": { "cluster": "a", "user": "a" } }],
            "clusters": [{ "name": "a", "cluster": { "server": format!("http://{}", self.address) } }],
            "users": [{ "name": "a", "user": user }],
        })
        .to_string()
    }

    /// Returns a kubeconfig without a user.
    pub(crate) fn kubeconfig(&self) -> PathBuf {
        let path = self.directory.path().join("config");
        fs::write(&path, self.kubeconfig_of(&json!({}))).unwrap();
        path
    }

    pub(crate) async fn run(&self, line: &str) -> CommandResult {
        self.call(&self.kubeconfig(), line).await
    }

    pub(crate) async fn call(&self, kubeconfig: &Path, line: &str) -> CommandResult {
        Call::new(kubeconfig).run_beside(line).await
    }
}

/// Returns the response of a server without kinds.
fn empty(path: &str) -> (u16, Value) {
    match path {
        "/api" => (200, json!({ "kind": "APIVersions", "versions": ["v1"] })),
        "/api/v1" => (
            200,
            json!({ "kind": "APIResourceList", "groupVersion": "v1", "resources": [] }),
        ),
        "/apis" => (
            200,
            json!({ "kind": "APIGroupList", "apiVersion": "v1", "groups": [] }),
        ),
        _ => (
            404,
            json!({ "kind": "Status", "status": "Failure", "code": 404, "reason": "NotFound",
                "message": "the server could not find the requested resource" }),
        ),
    }
}
