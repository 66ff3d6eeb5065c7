//! Tests with a server that checks requests like Vault's transit engine.

use std::collections::BTreeMap;
use std::sync::Mutex;

use axum::Router;
use axum::extract::{Path, State};
use axum::http::{HeaderMap, StatusCode};
use axum::routing::put;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;

use super::*;

const TOKEN: &str = "s.token";

/// The received requests: path, token, namespace.
type Requests = Arc<Mutex<Vec<(String, String, String)>>>;

async fn handle(
    State(asked): State<Requests>,
    Path(path): Path<String>,
    headers: HeaderMap,
    body: axum::body::Bytes,
) -> (StatusCode, HeaderMap, String) {
    let header = |name| {
        let value = headers.get(name).map(|value| value.to_str().unwrap());
        value.unwrap_or_default().to_owned()
    };
    let token = header("X-Vault-Token");
    asked
        .lock()
        .unwrap()
        .push((path.clone(), token.clone(), header("X-Vault-Namespace")));
    let body: Value = serde_json::from_slice(&body).unwrap();
    let mut answer_headers = HeaderMap::new();
    let field = |name: &str| body[name].as_str().unwrap_or_default().to_owned();
    let (status, answer) = match path.as_str() {
        "auth/kubernetes/login" if field("role") == "apps_decryptor" => {
            (StatusCode::OK, json!({"auth": {"client_token": TOKEN}}))
        }
        // Repeats the content of the request.
        "auth/echo/login" | "echo/decrypt/k" | "echo/encrypt/k" => (
            StatusCode::BAD_REQUEST,
            json!({"errors": [format!("{token} sent {body}")]}),
        ),
        "auth/kubernetes/login" => (StatusCode::BAD_REQUEST, json!({"errors": ["invalid role"]})),
        "moved/decrypt/k" => {
            answer_headers.insert("Location", "http://elsewhere.invalid/".parse().unwrap());
            (StatusCode::TEMPORARY_REDIRECT, json!(null))
        }
        _ if token != TOKEN => (
            StatusCode::FORBIDDEN,
            json!({"errors": ["1 error occurred:\n\t* permission denied\u{1b}[31m\n\n"]}),
        ),
        "sops/encrypt/first key" => {
            let text = format!("vault:v1:{}", field("plaintext"));
            (StatusCode::OK, json!({"data": {"ciphertext": text}}))
        }
        "sops/decrypt/first key" => {
            let text = field("ciphertext");
            let plain = text.strip_prefix("vault:v1:").unwrap().to_owned();
            (StatusCode::OK, json!({"data": {"plaintext": plain}}))
        }
        "empty/decrypt/k" => (StatusCode::OK, json!({"data": {}})),
        _ => (StatusCode::NOT_FOUND, json!({"errors": []})),
    };
    (status, answer_headers, answer.to_string())
}

async fn server() -> (String, Requests) {
    // Any test may run first.
    rustls::crypto::aws_lc_rs::default_provider()
        .install_default()
        .ok();
    let asked = Requests::default();
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = format!("http://{}", listener.local_addr().unwrap());
    let router = Router::new()
        .route("/v1/{*path}", put(handle))
        .with_state(Arc::clone(&asked));
    tokio::spawn(async move { axum::serve(listener, router).await });
    (address, asked)
}

fn client() -> Client {
    Client::new(Arc::new(HttpClients::new("test")), Dial::default())
}

fn transit(token: &str) -> Transit {
    Transit::new(client(), Arc::new(StaticToken(Sensitive::from(token))))
}

fn key(address: &str, engine: &str, name: &str) -> Recipient {
    Recipient::Vault {
        address: address.to_owned(),
        engine: engine.to_owned(),
        key: name.to_owned(),
    }
}

fn wrapped(recipient: Recipient, text: &str) -> MasterKey {
    MasterKey {
        recipient,
        wrapped: text.to_owned(),
        created_at: None,
    }
}

#[tokio::test]
async fn data_key_survives_a_round_trip() {
    let (address, asked) = server().await;
    let recipient = key(&address, "/sops/", "first key");
    let secret = DataKey::generate();
    let text = transit(TOKEN).wrap(&recipient, &secret).await.unwrap();
    assert!(text.starts_with("vault:v1:"));
    let plain = transit(TOKEN).unwrap(&wrapped(recipient, &text)).await;
    assert_eq!(plain.unwrap(), secret);
    assert_eq!(asked.lock().unwrap()[1].0, "sops/decrypt/first key");
}

#[tokio::test]
async fn error_has_the_servers_words_without_the_token() {
    let (address, _) = server().await;
    let recipient = key(&address, "sops", "first key");
    let error = transit("s.canary")
        .unwrap(&wrapped(recipient, "vault:v1:x"))
        .await
        .unwrap_err();
    assert_eq!(
        error.to_string(),
        "the server answered 403 Forbidden: 1 error occurred: * permission denied[31m"
    );
}

#[tokio::test]
async fn error_hides_secrets_that_the_server_repeats() {
    let (address, _) = server().await;
    let text = |error: KeyError| {
        let error = error.to_string();
        assert!(
            error.contains("400 Bad Request: ") && error.contains("***"),
            "{error}"
        );
        error
    };
    let transit = transit("s.canary");
    let recipient = key(&address, "echo", "k");
    let unwrapped = transit.unwrap(&wrapped(recipient.clone(), "x")).await;
    let error = text(unwrapped.unwrap_err());
    assert!(!error.contains("canary"), "{error}");
    let secret = DataKey::generate();
    let error = text(transit.wrap(&recipient, &secret).await.unwrap_err());
    assert!(
        !error.contains(&STANDARD.encode(secret.expose())),
        "{error}"
    );
    let (login, account) = login(&address, "system:serviceaccount:apps:decryptor");
    let paths = format!("instances: [{{address: '{address}', loginPath: auth/echo/login}}]");
    let paths = LoginPaths::parse(&paths, "flux-system/vault").unwrap();
    let login = KubernetesLogin { paths, ..login };
    let error = text(login.token(&address).await.unwrap_err());
    let jwt = account.token(&address).await.unwrap();
    assert!(!error.contains(jwt.expose()), "{error}");
}

#[tokio::test]
async fn token_does_not_follow_a_redirect() {
    let (address, asked) = server().await;
    let recipient = key(&address, "moved", "k");
    let error = transit(TOKEN)
        .unwrap(&wrapped(recipient, "x"))
        .await
        .unwrap_err();
    assert_eq!(
        error.to_string(),
        "the server redirects, and a token does not follow"
    );
    assert_eq!(asked.lock().unwrap().len(), 1);
}

#[tokio::test]
async fn path_stays_within_its_engine() {
    let (address, asked) = server().await;
    for (engine, name) in [
        ("sops/../sys", "k"),
        ("sops", "../../sys/seal"),
        ("..", "k"),
    ] {
        let recipient = key(&address, engine, name);
        assert!(
            transit(TOKEN)
                .unwrap(&wrapped(recipient, "x"))
                .await
                .is_err()
        );
    }
    assert!(asked.lock().unwrap().is_empty());
    // A query in a name is escaped.
    let recipient = key(&address, "sops", "k?x=1#y");
    assert!(
        transit(TOKEN)
            .unwrap(&wrapped(recipient, "x"))
            .await
            .is_err()
    );
    assert_eq!(asked.lock().unwrap()[0].0, "sops/decrypt/k?x=1#y");
}

#[tokio::test]
async fn server_outside_of_the_allowlist_gets_no_token() {
    let (address, asked) = server().await;
    let recipient = key(&address, "sops", "first key");
    let token = Arc::new(StaticToken(Sensitive::from(TOKEN)));
    for (list, allowed) in [
        ("none", false),
        ("https://vault", false),
        (&address, true),
        ("all", true),
    ] {
        let client = client().with_allowlist(Allowlist::parse(list).unwrap());
        let transit = Transit::new(client, Arc::clone(&token) as Arc<dyn TokenSource>);
        let opened = transit
            .unwrap(&wrapped(recipient.clone(), "vault:v1:AAAA"))
            .await;
        assert_eq!(opened.is_ok(), allowed, "{list}");
    }
    assert_eq!(asked.lock().unwrap().len(), 2);
    assert!(Allowlist::parse("a,,b").is_err());
}

#[tokio::test]
async fn incomplete_responses_are_rejected() {
    let (address, _) = server().await;
    for (engine, reason) in [
        ("empty", "the answer has no plaintext"),
        ("gone", "the server answered 404 Not Found"),
    ] {
        let recipient = key(&address, engine, "k");
        let error = transit(TOKEN)
            .unwrap(&wrapped(recipient, "x"))
            .await
            .unwrap_err();
        assert_eq!(error.to_string(), reason);
    }
}

struct Account(&'static str, Mutex<Vec<String>>);

#[async_trait]
impl ServiceAccountTokenSource for Account {
    async fn token(&self, audience: &str) -> Result<Sensitive<String>, KeyError> {
        self.1.lock().unwrap().push(audience.to_owned());
        let claims = URL_SAFE_NO_PAD.encode(json!({"sub": self.0}).to_string());
        Ok(Sensitive::new(format!("header.{claims}.signature")))
    }
}

fn login(address: &str, subject: &'static str) -> (KubernetesLogin, Arc<Account>) {
    let config = format!(
        "instances:\n- address: {address}\n  loginPath: auth/kubernetes/login\n- address: https://other\n"
    );
    let paths = LoginPaths::parse(&config, "flux-system/vault").unwrap();
    let account = Arc::new(Account(subject, Mutex::default()));
    let identity = Arc::clone(&account) as Arc<dyn ServiceAccountTokenSource>;
    (KubernetesLogin::new(client(), paths, identity), account)
}

#[tokio::test]
async fn login_uses_the_accounts_role_and_is_cached() {
    let (address, asked) = server().await;
    let (login, account) = login(&address, "system:serviceaccount:apps:decryptor");
    let transit = Transit::new(
        client().in_namespace(Some("team".to_owned())),
        Arc::new(login),
    );
    let recipient = key(&address, "sops", "first key");
    for _ in 0..2 {
        let key = wrapped(recipient.clone(), "vault:v1:AAAA");
        assert!(transit.unwrap(&key).await.is_ok());
    }
    assert_eq!(*account.1.lock().unwrap(), [address]);
    let asked = asked.lock().unwrap();
    let paths: BTreeMap<&str, usize> =
        asked.iter().fold(BTreeMap::new(), |mut paths, (path, ..)| {
            *paths.entry(path.as_str()).or_default() += 1;
            paths
        });
    assert_eq!(paths["auth/kubernetes/login"], 1);
    assert_eq!(paths["sops/decrypt/first key"], 2);
    assert_eq!(asked.last().unwrap().2, "team");
}

#[tokio::test]
async fn login_requires_a_listed_server() {
    let (address, asked) = server().await;
    let (login, account) = login("https://listed", "system:serviceaccount:apps:decryptor");
    let error = login.token(&address).await.unwrap_err();
    assert_eq!(
        error.to_string(),
        format!(
            "no Vault login path configured for address '{address}' in ConfigMap 'flux-system/vault'"
        )
    );
    assert!(login.token("https://other").await.is_err());
    assert!(account.1.lock().unwrap().is_empty() && asked.lock().unwrap().is_empty());
}

#[tokio::test]
async fn rejected_login_is_reported_with_its_role() {
    let (address, _) = server().await;
    for (subject, text) in [
        (
            "system:serviceaccount:apps:stranger",
            "as role 'apps_stranger': the server answered 400 Bad Request: invalid role",
        ),
        ("system:node:a", "unexpected token subject 'system:node:a'"),
    ] {
        let (login, _) = login(&address, subject);
        let error = login.token(&address).await.unwrap_err().to_string();
        assert!(error.ends_with(text), "{error}");
        assert!(!error.contains("signature"), "{error}");
    }
}

#[test]
fn invalid_config_map_is_rejected_by_name() {
    for config in ["instances: x", "instances: [{}]", "a: ["] {
        let error = LoginPaths::parse(config, "flux-system/vault").unwrap_err();
        let shown = error.to_string();
        assert!(
            shown.starts_with(
                "failed to parse 'config.yaml' in Vault ConfigMap 'flux-system/vault': "
            ),
            "{shown}"
        );
    }
    assert_eq!(LoginPaths::parse("{}", "a/b").unwrap().paths.len(), 0);
}
