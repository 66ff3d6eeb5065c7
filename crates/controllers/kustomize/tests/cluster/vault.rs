//! A service account logs in at a Vault server, which asks Kubernetes who it is.
//!
//! The server stands in for Vault and `OpenBao`: its login believes a token only if the API
//! server of the test says whose it is and that it was made for this server (a `TokenReview`, as
//! their Kubernetes method does it), and its transit engine serves whoever logged in.

use std::sync::{Arc, Mutex};

use axum::Router;
use axum::extract::{Path, State};
use axum::http::{HeaderMap, StatusCode};
use axum::routing::put;
use k8s_openapi::api::authentication::v1::{TokenReview, TokenReviewSpec};
use kube::Api;
use kube::api::PostParams;
use serde_json::{Value, json};
use sluice_auth::{Dial, HttpClients, Sensitive};
use sluice_sops::keys::Keyring;
use sluice_sops::keys::vault::{Client, StaticToken, Transit};
use sluice_sops::{DataKey, Format, KeyType, Metadata, Plain, Recipient, Rule};

use crate::bed::Bed;

const PASSWORD: &str = "canary-of-vault";
/// What whoever wrote the document was given.
const AUTHOR: &str = "author-token";

/// The server.
#[derive(Clone)]
struct Vault {
    kubernetes: kube::Client,
    address: Arc<Mutex<String>>,
    /// Roles that may log in.
    roles: Arc<Mutex<Vec<String>>>,
    /// Roles that did.
    logins: Arc<Mutex<Vec<String>>>,
}

impl Vault {
    async fn start(bed: &Bed) -> Self {
        let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = format!("http://{}", listener.local_addr().unwrap());
        let vault = Self {
            kubernetes: bed.cluster.client().clone(),
            address: Arc::new(Mutex::new(address)),
            roles: Arc::default(),
            logins: Arc::default(),
        };
        let router = Router::new()
            .route("/v1/{*path}", put(serve))
            .with_state(vault.clone());
        drop(tokio::spawn(
            async move { axum::serve(listener, router).await },
        ));
        vault
    }

    fn address(&self) -> String {
        self.address.lock().unwrap().clone()
    }

    fn permit(&self, role: &str) {
        self.roles.lock().unwrap().push(role.to_owned());
    }

    fn logins(&self) -> Vec<String> {
        self.logins.lock().unwrap().clone()
    }

    /// Whether a token is of the account that a role is named after, and meant for us.
    async fn knows(&self, role: &str, jwt: &str) -> bool {
        let review = TokenReview {
            spec: TokenReviewSpec {
                token: jwt.to_owned(),
                audiences: Some(vec![self.address()]),
            },
            ..TokenReview::default()
        };
        let reviews: Api<TokenReview> = Api::all(self.kubernetes.clone());
        let review = reviews.create(&PostParams::default(), &review).await;
        let status = review.unwrap().status.unwrap_or_default();
        let user = status
            .user
            .and_then(|user| user.username)
            .unwrap_or_default();
        let account = user
            .strip_prefix("system:serviceaccount:")
            .unwrap_or_default();
        status.authenticated == Some(true) && account.replacen(':', "_", 1) == role
    }
}

async fn serve(
    State(vault): State<Vault>,
    Path(path): Path<String>,
    headers: HeaderMap,
    body: axum::body::Bytes,
) -> (StatusCode, String) {
    let body: Value = serde_json::from_slice(&body).unwrap();
    let field = |name: &str| body[name].as_str().unwrap_or_default().to_owned();
    let token = headers
        .get("X-Vault-Token")
        .map(|token| token.to_str().unwrap().to_owned());
    let token = token.unwrap_or_default();
    let refused = |why: &str| (StatusCode::FORBIDDEN, json!({"errors": [why]}).to_string());
    match path.as_str() {
        "auth/kubernetes/login" => {
            let role = field("role");
            if !vault.knows(&role, &field("jwt")).await {
                return refused("service account name not authorized");
            }
            vault.logins.lock().unwrap().push(role.clone());
            let answer = json!({"auth": {"client_token": format!("token-of-{role}")}});
            (StatusCode::OK, answer.to_string())
        }
        "sops/encrypt/key" if token == AUTHOR => {
            let text = format!("vault:v1:{}", field("plaintext"));
            (
                StatusCode::OK,
                json!({"data": {"ciphertext": text}}).to_string(),
            )
        }
        "sops/decrypt/key" => {
            let role = token.strip_prefix("token-of-").unwrap_or_default();
            if !vault
                .roles
                .lock()
                .unwrap()
                .iter()
                .any(|known| known == role)
            {
                return refused("permission denied");
            }
            let text = field("ciphertext");
            let plain = text.strip_prefix("vault:v1:").unwrap().to_owned();
            (
                StatusCode::OK,
                json!({"data": {"plaintext": plain}}).to_string(),
            )
        }
        _ => refused("permission denied"),
    }
}

/// A Secret that this server's key opens.
async fn encrypted(bed: &Bed, vault: &Vault) -> String {
    let client = Client::new(Arc::new(HttpClients::new("test")), Dial::default());
    let author = Arc::new(StaticToken(Sensitive::from(AUTHOR)));
    let transit = Transit::new(client, author);
    let keyring = Keyring::default().with(KeyType::Vault, Arc::new(transit));
    let recipient = Recipient::Vault {
        address: vault.address(),
        engine: "sops".to_owned(),
        key: "key".to_owned(),
    };
    let key = DataKey::generate();
    let now = "2026-01-01T00:00:00Z";
    let groups = [vec![recipient]];
    let groups = keyring.wrap_data_key(&key, &groups, 0, now).await;
    let metadata = Metadata {
        groups: groups.unwrap(),
        rule: Rule::EncryptedRegex("^(data|stringData)$".to_owned()),
        last_modified: now.to_owned(),
        version: "3.13.3".to_owned(),
        ..Metadata::default()
    };
    let text = format!(
        "apiVersion: v1\nkind: Secret\nmetadata: {{name: s, namespace: {}}}\nstringData: {{password: {PASSWORD}}}\n",
        bed.namespace
    );
    let document = Plain::load(text.as_bytes(), Format::Yaml).unwrap();
    let bytes = document.encrypt(metadata, &key).unwrap().emit().unwrap();
    String::from_utf8(bytes).unwrap()
}

/// A bed whose operator lists the server, and an artifact with a Secret for it.
async fn prepared(flags: &[&str]) -> (Bed, Vault) {
    let mut all = vec![
        "--sops-vault-configmap=servers",
        "--feature-gates=ObjectLevelWorkloadIdentity=true",
    ];
    all.extend(flags);
    let bed = Bed::start(&all).await;
    let vault = Vault::start(&bed).await;
    let servers = format!(
        "instances:\n- address: {}\n  loginPath: auth/kubernetes/login\n",
        vault.address()
    );
    bed.apply(
        &json!({"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "servers"},
        "data": {"config.yaml": servers}}),
    )
    .await;
    let secret = encrypted(&bed, &vault).await;
    bed.publish("1", &[("s.yaml", &secret)]).await;
    (bed, vault)
}

fn as_account(name: &str) -> Value {
    json!({"decryption": {"provider": "sops", "serviceAccountName": name}})
}

async fn password(bed: &Bed) -> Option<Value> {
    let gvk = sluice_client::GroupVersionKind::gvk("", "v1", "Secret");
    Some(bed.get(&gvk, "s").await?["data"]["password"].clone())
}

#[tokio::test]
async fn the_account_of_an_object_logs_in_and_opens_what_its_role_may() {
    let (bed, vault) = prepared(&[]).await;
    let role = format!("{}_decryptor", bed.namespace);
    bed.account("decryptor").await;
    bed.kustomization("app", as_account("decryptor")).await;
    let message = bed.until_failed("app", "BuildFailed").await;
    assert!(message.contains("permission denied"), "{message}");
    assert!(
        !message.contains("token-of") && !message.contains("eyJ"),
        "{message}"
    );
    assert_eq!(password(&bed).await, None);

    vault.permit(&role);
    bed.request("app", "now permitted").await;
    bed.until_applied("app", "1").await;
    let encoded = json!(k8s_openapi::ByteString(PASSWORD.as_bytes().to_vec()));
    assert_eq!(password(&bed).await, Some(encoded));
    assert!(
        vault.logins().iter().all(|login| *login == role),
        "{:?}",
        vault.logins()
    );
    let counted = format!(
        r#"gotk_token_cache_events_total{{event_type="cache_hit",kind="Kustomization",name="app",namespace="{}",operation="decrypt_with_vault"}}"#,
        bed.namespace
    );
    assert!(bed.metrics().contains(&counted), "{}", bed.metrics());
}

#[tokio::test]
async fn who_names_no_account_logs_in_as_the_operators_default_one() {
    let (bed, vault) = prepared(&["--default-decryption-service-account=usual"]).await;
    let role = format!("{}_usual", bed.namespace);
    vault.permit(&role);
    bed.account("usual").await;
    bed.kustomization("app", json!({"decryption": {"provider": "sops"}}))
        .await;
    bed.until_applied("app", "1").await;
    assert_eq!(vault.logins(), [role]);
}

#[tokio::test]
async fn an_account_that_is_not_there_is_named() {
    let (bed, vault) = prepared(&[]).await;
    bed.kustomization("app", as_account("nobody")).await;
    let message = bed.until_failed("app", "BuildFailed").await;
    let account = format!("service account '{}/nobody'", bed.namespace);
    assert!(message.contains(&account), "{message}");
    assert!(vault.logins().is_empty());
}
