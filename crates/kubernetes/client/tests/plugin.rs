//! Credential plugins: run for a person's own kubeconfig, refused in anybody else's.
#![expect(
    clippy::unwrap_used,
    reason = "a helper of a test fails by panicking, as its test does"
)]

use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};

use axum::Router;
use axum::extract::Request;
use serde_json::{Value, json};
use sluice_client::kubeconfig::{Environment, Flags, Permit, load, sanitize};
use sluice_client::{Cluster, Config, Options};
use sluice_system::fs;

/// A server that notes who asks, a script that says who we are, and the kubeconfig of both.
struct Scene {
    directory: tempfile::TempDir,
    asked_as: Arc<Mutex<Vec<Option<String>>>>,
    /// Whether the server accepts nobody.
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

    /// How often the plugin was run.
    fn runs(&self) -> usize {
        fs::read_to_string(self.mark()).map_or(0, |marks| marks.lines().count())
    }

    /// A kubeconfig whose plugin leaves a mark and knows a token.
    fn kubeconfig(&self) -> String {
        self.kubeconfig_printing(&credential(&json!({ "token": "from-the-plugin" })).to_string())
    }

    /// A kubeconfig whose plugin leaves a mark and prints this.
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

    /// What a person's kubeconfig with that text says.
    fn load(&self, kubeconfig: &str) -> Config {
        let path = self.directory.path().join("config");
        fs::write(&path, kubeconfig).unwrap();
        let flags = Flags {
            kubeconfig: Some(path),
            ..Flags::default()
        };
        load(&flags, &Environment::default()).unwrap().config
    }

    /// Asks the server something, and gives whom it took us for.
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

/// Asks for something that is not kept, so that the server is asked each time.
async fn get(cluster: &Cluster) {
    let request = http::Request::get("/version").body(Vec::new()).unwrap();
    cluster.client().request_text(request).await.ok();
}

#[tokio::test(flavor = "multi_thread")]
async fn a_person_s_kubeconfig_runs_its_plugin_once_for_many_requests() {
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
async fn a_token_is_used_until_it_expires() {
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
async fn a_token_that_is_refused_is_asked_for_once_more_in_each_request() {
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
async fn a_plugin_may_print_yaml() {
    let scene = Scene::set().await;
    let answer = format!("apiVersion: {VERSION}\nkind: ExecCredential\nstatus:\n  token: in-yaml");
    let config = scene.load(&scene.kubeconfig_printing(&answer));
    assert_eq!(scene.ask(config).await.as_deref(), Some("Bearer in-yaml"));
}

#[tokio::test(flavor = "multi_thread")]
async fn what_a_plugin_prints_is_never_quoted() {
    let scene = Scene::set().await;
    let older = json!({
        "apiVersion": "client.authentication.k8s.io/v1beta1", "status": { "token": "canary" },
    });
    for (answer, told) in [
        (
            "canary".to_owned(),
            "the credential plugin printed something that is no ExecCredential",
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
        assert_eq!(error.to_string(), format!("connect to {host}: {told}"));
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_plugin_that_is_not_there_is_named_with_how_to_get_it() {
    let scene = Scene::set().await;
    let mut kubeconfig: Value = serde_json::from_str(&scene.kubeconfig()).unwrap();
    let exec = &mut kubeconfig["users"][0]["user"]["exec"];
    exec["command"] = json!("no-such-plugin");
    exec["installHint"] = json!("install it with: brew install plugin\n");
    let config = scene.load(&kubeconfig.to_string());
    let error = Cluster::connect(config, Options::new("test")).unwrap_err();
    let told = "start the credential plugin \"no-such-plugin\": No such file or directory (os error 2); install it with: brew install plugin";
    assert!(error.to_string().ends_with(told), "{error}");
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
    assert_eq!(scene.runs(), 0);
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
