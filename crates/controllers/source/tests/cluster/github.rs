//! GitHub Apps, against a server that checks the exact requests.

use std::sync::{Arc, Mutex};

use aws_lc_rs::signature::{RSA_PKCS1_2048_8192_SHA256, UnparsedPublicKey};
use axum::Router;
use axum::extract::{Request, State};
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use base64::Engine as _;
use base64::prelude::BASE64_URL_SAFE_NO_PAD;
use serde_json::{Value, json};
use sluice_testkit::GitBackend;
use sluice_testkit::git_backend::HttpOptions;

use crate::{World, commit};

/// The part of GitHub's API that an App needs.
#[derive(Clone)]
struct Github {
    asked: Arc<Mutex<Vec<String>>>,
    /// The key of the App, whose signatures are checked.
    key: Arc<rcgen::KeyPair>,
}

impl Github {
    async fn start() -> (Self, String) {
        let key = rcgen::KeyPair::generate_for(&rcgen::PKCS_RSA_SHA256).unwrap();
        let github = Self {
            asked: Arc::default(),
            key: Arc::new(key),
        };
        let router = Router::new().fallback(answer).with_state(github.clone());
        let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        tokio::spawn(async move { axum::serve(listener, router).await });
        (github, format!("http://{address}/api/v3"))
    }

    fn asked(&self) -> Vec<String> {
        self.asked.lock().unwrap().clone()
    }
}

async fn answer(State(github): State<Github>, request: Request) -> Response {
    let line = format!("{} {}", request.method(), request.uri());
    github.asked.lock().unwrap().push(line.clone());
    let header = |name| {
        request
            .headers()
            .get(name)
            .and_then(|value| value.to_str().ok())
            .unwrap_or_default()
    };
    assert_eq!(header(header::ACCEPT), "application/vnd.github+json");
    let statement = header(header::AUTHORIZATION)
        .strip_prefix("Bearer ")
        .unwrap();
    let part = |index: usize| -> Value {
        let part = statement.split('.').nth(index).unwrap();
        serde_json::from_slice(&BASE64_URL_SAFE_NO_PAD.decode(part).unwrap()).unwrap()
    };
    assert_eq!(part(0), json!({ "alg": "RS256", "typ": "JWT" }));
    let (signed, signature) = statement.rsplit_once('.').unwrap();
    let signature = BASE64_URL_SAFE_NO_PAD.decode(signature).unwrap();
    let public = UnparsedPublicKey::new(&RSA_PKCS1_2048_8192_SHA256, github.key.public_key_raw());
    let verified = public.verify(signed.as_bytes(), &signature);
    verified.expect("the App signs its statement with its key");
    let claims = part(1);
    assert_eq!(claims["iss"], "42");
    assert_eq!(
        claims["exp"].as_i64().unwrap() - claims["iat"].as_i64().unwrap(),
        120
    );
    match line.as_str() {
        "GET /api/v3/orgs/acme/installation" => {
            (StatusCode::NOT_FOUND, r#"{"message":"Not Found"}"#).into_response()
        }
        "GET /api/v3/users/acme/installation" => r#"{"id":7}"#.into_response(),
        "POST /api/v3/app/installations/7/access_tokens" => {
            let token = json!({ "token": "canary-token", "expires_at": "2099-01-01T00:00:00Z" });
            (StatusCode::CREATED, token.to_string()).into_response()
        }
        _ => (StatusCode::UNAUTHORIZED, r#"{"message":"Bad credentials"}"#).into_response(),
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn app_token_is_reused_for_many_fetches() {
    let world = World::new("github").await;
    let (github, api) = Github::start().await;
    let server = GitBackend::start_with(HttpOptions {
        basic: Some(("x-access-token".to_owned(), "canary-token".to_owned())),
        ..HttpOptions::default()
    })
    .await;
    let repository = server.create("app", "main");
    commit(&repository, "First", &[("a.yaml", "a: 1\n")]);
    let key = github.key.serialize_pem();
    let app = |name: &'static str, more: [(&'static str, &'static str); 1]| {
        let entries = [
            ("githubAppID", "42".to_owned()),
            ("githubAppPrivateKey", key.clone()),
            ("githubAppBaseURL", api.clone()),
            (more[0].0, more[0].1.to_owned()),
        ];
        (name, entries)
    };
    for (name, entries) in [
        app("owner", [("githubAppInstallationOwner", "acme")]),
        app("unknown", [("githubAppInstallationID", "8")]),
        app("half", [("other", "")]),
    ] {
        let entries: Vec<_> = entries
            .iter()
            .map(|(key, value)| (*key, value.as_str()))
            .collect();
        world.secret(name, &entries).await;
    }
    let spec = |secret: &str| json!({ "url": server.url("app"), "provider": "github", "secretRef": { "name": secret } });
    world.create("owner", &spec("owner")).await;
    world.ready("owner").await;
    commit(&repository, "Second", &[("a.yaml", "a: 2\n")]);
    let object = world.reconcile("owner").await;
    let text = serde_json::to_string(&object).unwrap();
    assert!(!text.contains("canary"), "{text}");
    assert_eq!(
        github.asked(),
        [
            "GET /api/v3/orgs/acme/installation",
            "GET /api/v3/users/acme/installation",
            "POST /api/v3/app/installations/7/access_tokens",
        ]
    );
    let metrics = world.metrics();
    for event in ["cache_miss", "cache_hit"] {
        let series = format!(
            r#"gotk_token_cache_events_total{{event_type="{event}",kind="GitRepository",name="owner",namespace="{}",operation="reconcile"}}"#,
            world.namespace
        );
        assert!(metrics.contains(&series), "missing {series}\nin {metrics}");
    }
    assert!(
        metrics.contains("\ngotk_token_cached_items 1\n"),
        "{metrics}"
    );

    world.create("unknown", &spec("unknown")).await;
    let (_, message) = world.refused("unknown", "AuthenticationFailed").await;
    assert!(
        message.contains("401 Unauthorized: Bad credentials"),
        "{message}"
    );
    world.create("half", &spec("half")).await;
    let (_, message) = world.refused("half", "AuthenticationFailed").await;
    assert!(
        message.contains("'githubAppInstallationOwner'"),
        "{message}"
    );

    // A Secret of another provider.
    let mut generic = spec("owner");
    generic["provider"] = json!("generic");
    world.create("generic", &generic).await;
    let (_, message) = world
        .refused("generic", "InvalidProviderConfiguration")
        .await;
    assert!(
        message.contains("provider is not set to github"),
        "{message}"
    );
    world
        .secret("basic", &[("username", "u"), ("password", "p")])
        .await;
    world.create("basic", &spec("basic")).await;
    world.refused("basic", "InvalidProviderConfiguration").await;
}
