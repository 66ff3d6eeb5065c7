//! Credential plugins: run for the kubeconfig of a person, rejected in the kubeconfig of a tenant.
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};

use axum::Router;
use axum::extract::Request;
use serde_json::{Value, json};
use sluice_client::kubeconfig::{AllowedFields, Environment, Flags, load, sanitize};
use sluice_client::{Cluster, Config, Options};
use sluice_system::fs;

/// A server that records credentials, a plugin script, and the kubeconfig of both.
struct Scene {
    directory: tempfile::TempDir,
    asked_as: Arc<Mutex<Vec<Option<String>>>>,
    /// Whether the server rejects every credential.
    refuses: Arc<AtomicBool>,
    url: String,
}

impl Scene {
    async fn set() -> Self {
        let asked_as: Arc<Mutex<Vec<Option<String>>>> = Arc::default();
        let refuses = Arc::new(AtomicBool::new(false));
        let (log, says_no) = (Arc::clone(&asked_as), Arc::clone(&refuses));
        let router = Router::new().fallback(move |request: Request| {
            let given = request.headers().get("authorization");
            let given = given.map(|value| value.to_str().unwrap().to_owned());
            log.lock().unwrap().push(given);
            let status = if says_no.load(Ordering::SeqCst) {
                http::StatusCode::UNAUTHORIZED
            } else {
                http::StatusCode::OK
            };
            let nothing = json!({ "kind": "APIGroupDiscoveryList", "items": [] });
            async move { (status, axum::Json(nothing)) }
        });
        let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
        let url = format!("http://{}", listener.local_addr().unwrap());
        tokio::spawn(async move { axum::serve(listener, router).await });
        Self {
            directory: tempfile::tempdir().unwrap(),
            asked_as,
            refuses,
            url,
        }
    }

    fn mark(&self) -> PathBuf {
        self.directory.path().join("mark")
    }

    /// The number of runs of the plugin.
    fn runs(&self) -> usize {
        fs::read_to_string(self.mark()).map_or(0, |marks| marks.lines().count())
    }

    /// A kubeconfig whose plugin records its runs and prints a token.
    fn kubeconfig(&self) -> String {
        self.kubeconfig_printing(&credential(&json!({ "token": "from-the-plugin" })).to_string())
    }

    /// A kubeconfig whose plugin records its runs and prints this text.
    fn kubeconfig_printing(&self, answer: &str) -> String {
        let script = self.directory.path().join("plugin.sh");
        let text = format!(
            "echo run >> '{}'\ncat <<'END'\n{answer}\nEND\n",
            self.mark().display()
        );
        fs::write(&script, text).unwrap();
        json!({
            "apiVersion": "v1", "kind": "Config", "current-context": "c",
            "contexts": [{ "name": "c", "context": { "cluster": "c", "user": "u" } }],
            "clusters": [{ "name": "c", "cluster": { "server": self.url } }],
            "users": [{ "name": "u", "user": { "exec": {
                "apiVersion": VERSION,
                "command": "/bin/sh", "args": [script], "interactiveMode": "Never",
            } } }],
        })
        .to_string()
    }

    /// Loads a kubeconfig with this text.
    fn load(&self, kubeconfig: &str) -> Config {
        let path = self.directory.path().join("config");
        fs::write(&path, kubeconfig).unwrap();
        let flags = Flags {
            kubeconfig: Some(path),
            ..Flags::default()
        };
        load(&flags, &Environment::default()).unwrap().config
    }

    /// Sends a request and returns the user that the server saw.
    async fn ask(&self, config: Config) -> Option<String> {
        let cluster = Cluster::connect(config, Options::new("test")).unwrap();
        cluster.resources().await.unwrap();
        self.asked_as.lock().unwrap().last().unwrap().clone()
    }
}

const VERSION: &str = "client.authentication.k8s.io/v1";

fn credential(status: &Value) -> Value {
    json!({ "apiVersion": VERSION, "kind": "ExecCredential", "status": status })
}

/// Sends an uncached request.
async fn get(cluster: &Cluster) {
    let request = http::Request::get("/version").body(Vec::new()).unwrap();
    cluster.client().request_text(request).await.ok();
}

#[tokio::test(flavor = "multi_thread")]
async fn plugin_runs_once_for_many_requests() {
    let scene = Scene::set().await;
    let config = scene.load(&scene.kubeconfig());
    let cluster = Cluster::connect(config, Options::new("test")).unwrap();
    for _ in 0..3 {
        get(&cluster).await;
    }
    let asked_as = scene.asked_as.lock().unwrap().clone();
    let token = Some("Bearer from-the-plugin".to_owned());
    assert_eq!(asked_as, vec![token; 3]);
    assert_eq!(scene.runs(), 1);
}

#[tokio::test(flavor = "multi_thread")]
async fn token_is_used_until_it_expires() {
    for (expires, runs) in [("2999-01-01T00:00:00Z", 1), ("2001-01-01T00:00:00Z", 3)] {
        let scene = Scene::set().await;
        let status = json!({ "token": "t", "expirationTimestamp": expires });
        let config = scene.load(&scene.kubeconfig_printing(&credential(&status).to_string()));
        let cluster = Cluster::connect(config, Options::new("test")).unwrap();
        get(&cluster).await;
        get(&cluster).await;
        assert_eq!(scene.runs(), runs, "{expires}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn rejected_token_is_replaced_once_per_request() {
    let scene = Scene::set().await;
    scene.refuses.store(true, Ordering::SeqCst);
    let config = scene.load(&scene.kubeconfig());
    let cluster = Cluster::connect(config, Options::new("test")).unwrap();
    get(&cluster).await;
    scene.refuses.store(false, Ordering::SeqCst);
    get(&cluster).await;
    get(&cluster).await;
    assert_eq!(scene.runs(), 3);
}

#[tokio::test(flavor = "multi_thread")]
async fn plugin_may_print_yaml() {
    let scene = Scene::set().await;
    let answer = format!("apiVersion: {VERSION}\nkind: ExecCredential\nstatus:\n  token: in-yaml");
    let config = scene.load(&scene.kubeconfig_printing(&answer));
    assert_eq!(scene.ask(config).await.as_deref(), Some("Bearer in-yaml"));
}

#[tokio::test(flavor = "multi_thread")]
async fn plugin_output_is_never_quoted() {
    let scene = Scene::set().await;
    let older = json!({
        "apiVersion": "client.authentication.k8s.io/v1beta1", "status": { "token": "canary" },
    });
    for (answer, actual) in [
        (
            "canary".to_owned(),
            "the credential plugin printed something other than an ExecCredential",
        ),
        (
            older.to_string(),
            "the credential plugin printed a credential of \"client.authentication.k8s.io/v1beta1\" where \"client.authentication.k8s.io/v1\" was asked for",
        ),
        (
            credential(&json!({ "clientKeyData": "canary" })).to_string(),
            "the credential plugin printed neither a token nor a certificate with its key",
        ),
        (
            credential(&json!({ "token": "canary\u{1}" })).to_string(),
            "the credential plugin printed a token that no header can carry",
        ),
    ] {
        let config = scene.load(&scene.kubeconfig_printing(&answer));
        let error = Cluster::connect(config, Options::new("test")).unwrap_err();
        let host = scene.url.trim_start_matches("http://");
        assert_eq!(error.to_string(), format!("connect to {host}: {actual}"));
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn missing_plugin_shows_its_install_hint() {
    let scene = Scene::set().await;
    let mut kubeconfig: Value = serde_json::from_str(&scene.kubeconfig()).unwrap();
    let exec = &mut kubeconfig["users"][0]["user"]["exec"];
    exec["command"] = json!("no-such-plugin");
    exec["installHint"] = json!("install it with: brew install plugin\n");
    let config = scene.load(&kubeconfig.to_string());
    let error = Cluster::connect(config, Options::new("test")).unwrap_err();
    let actual = "start the credential plugin \"no-such-plugin\": No such file or directory (os error 2); install it with: brew install plugin";
    assert!(error.to_string().ends_with(actual), "{error}");
}

#[tokio::test(flavor = "multi_thread")]
async fn sanitized_kubeconfig_runs_no_plugin() {
    let scene = Scene::set().await;
    let sanitized = sanitize(&scene.kubeconfig(), AllowedFields::default()).unwrap();
    let actual: Vec<String> = sanitized
        .dropped()
        .iter()
        .map(ToString::to_string)
        .collect();
    assert_eq!(
        actual,
        ["exec (allowed only by --insecure-kubeconfig-exec)"]
    );
    assert_eq!(scene.ask(sanitized.into_config()).await, None);
    assert_eq!(scene.runs(), 0);
}

#[tokio::test(flavor = "multi_thread")]
async fn operator_flag_allows_the_plugin() {
    let scene = Scene::set().await;
    let allowed = AllowedFields {
        exec: true,
        ..AllowedFields::default()
    };
    let sanitized = sanitize(&scene.kubeconfig(), allowed).unwrap();
    assert!(sanitized.dropped().is_empty());
    let asked_as = scene.ask(sanitized.into_config()).await;
    assert_eq!(asked_as.as_deref(), Some("Bearer from-the-plugin"));
}
