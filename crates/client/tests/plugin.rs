//! Credential plugins: run for a person's own kubeconfig, refused in anybody else's.
#![expect(
    clippy::unwrap_used,
    reason = "a helper of a test fails by panicking, as its test does"
)]

use std::path::PathBuf;
use std::sync::{Arc, Mutex};

use axum::Router;
use axum::extract::Request;
use serde_json::json;
use sluice_client::kubeconfig::{Environment, Flags, Permit, load, sanitize};
use sluice_client::{Cluster, Config, Options};
use sluice_system::fs;

/// A server that notes who asks, a script that says who we are, and the kubeconfig of both.
struct Scene {
    directory: tempfile::TempDir,
    asked_as: Arc<Mutex<Vec<Option<String>>>>,
    url: String,
}

impl Scene {
    async fn set() -> Self {
        let asked_as: Arc<Mutex<Vec<Option<String>>>> = Arc::default();
        let log = Arc::clone(&asked_as);
        let router = Router::new().fallback(move |request: Request| {
            let given = request.headers().get("authorization");
            let given = given.map(|value| value.to_str().unwrap().to_owned());
            log.lock().unwrap().push(given);
            async { axum::Json(json!({ "kind": "APIGroupDiscoveryList", "items": [] })) }
        });
        let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
        let url = format!("http://{}", listener.local_addr().unwrap());
        tokio::spawn(async move { axum::serve(listener, router).await });
        Self {
            directory: tempfile::tempdir().unwrap(),
            asked_as,
            url,
        }
    }

    fn mark(&self) -> PathBuf {
        self.directory.path().join("mark")
    }

    /// A kubeconfig whose plugin leaves a mark and knows a token.
    fn kubeconfig(&self) -> String {
        let credential = json!({
            "apiVersion": "client.authentication.k8s.io/v1",
            "kind": "ExecCredential",
            "status": { "token": "from-the-plugin" },
        });
        let script = self.directory.path().join("plugin.sh");
        let text = format!(
            "echo run >> '{}'\necho '{credential}'\n",
            self.mark().display()
        );
        fs::write(&script, text).unwrap();
        json!({
            "apiVersion": "v1", "kind": "Config", "current-context": "c",
            "contexts": [{ "name": "c", "context": { "cluster": "c", "user": "u" } }],
            "clusters": [{ "name": "c", "cluster": { "server": self.url } }],
            "users": [{ "name": "u", "user": { "exec": {
                "apiVersion": "client.authentication.k8s.io/v1",
                "command": "/bin/sh", "args": [script], "interactiveMode": "Never",
            } } }],
        })
        .to_string()
    }

    /// Asks the server something, and gives whom it took us for.
    async fn ask(&self, config: Config) -> Option<String> {
        let cluster = Cluster::connect(config, Options::new("test")).unwrap();
        cluster.resources().await.unwrap();
        self.asked_as.lock().unwrap().last().unwrap().clone()
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_person_s_kubeconfig_runs_its_plugin() {
    let scene = Scene::set().await;
    let path = scene.directory.path().join("config");
    fs::write(&path, scene.kubeconfig()).unwrap();
    let flags = Flags {
        kubeconfig: Some(path),
        ..Flags::default()
    };
    let loaded = load(&flags, &Environment::default()).unwrap();
    let asked_as = scene.ask(loaded.config).await;
    assert_eq!(asked_as.as_deref(), Some("Bearer from-the-plugin"));
    assert!(fs::read_to_string(scene.mark()).unwrap().starts_with("run"));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_kubeconfig_out_of_a_secret_runs_nothing() {
    let scene = Scene::set().await;
    let sanitized = sanitize(&scene.kubeconfig(), Permit::default()).unwrap();
    let told: Vec<String> = sanitized
        .dropped()
        .iter()
        .map(ToString::to_string)
        .collect();
    assert_eq!(told, ["exec (allowed only by --insecure-kubeconfig-exec)"]);
    assert_eq!(scene.ask(sanitized.into_config()).await, None);
    assert!(
        fs::read_to_string(scene.mark()).is_err(),
        "the plugin was run"
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn it_runs_its_plugin_where_the_operator_says_that_this_is_insecure_and_wanted() {
    let scene = Scene::set().await;
    let permit = Permit {
        exec: true,
        ..Permit::default()
    };
    let sanitized = sanitize(&scene.kubeconfig(), permit).unwrap();
    assert!(sanitized.dropped().is_empty());
    let asked_as = scene.ask(sanitized.into_config()).await;
    assert_eq!(asked_as.as_deref(), Some("Bearer from-the-plugin"));
}
