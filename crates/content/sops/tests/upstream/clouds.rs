//! Exchanges documents with `sops` through fakes of AWS KMS and Google Cloud KMS.
//!
//! A fake remembers what it wraps, so that a wrong key or context finds nothing.

use std::sync::{Arc, Mutex};
use std::time::Duration;

use async_trait::async_trait;
use axum::Router;
use axum::body::Body;
use axum::extract::{Request, State};
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde_json::{Value, json};
use sluice_dial::{HttpClients, Sensitive};
use sluice_identity::aws::AwsCredentials;
use sluice_identity::{Environment, Identities, IdentityError, KeyServices, TokenCache};
use sluice_sops::keys::Keyring;
use sluice_sops::keys::aws::{self, StaticCredentials};
use sluice_sops::keys::gcp::{self, AccessTokenSource};
use sluice_sops::{Decryptor, Format, KeyType, Metadata, Recipient};
use sluice_system::SystemClock;

use crate::differential::{PLAIN, Sops, encrypted};
use sluice_golang::error::chain;

const ARN: &str = "arn:aws:kms:eu-west-1:123456789012:alias/team/app";
const ROLE: &str = "arn:aws:iam::123456789012:role/decrypt";
const KEY: &str = "projects/p/locations/global/keyRings/r/cryptoKeys/k";

/// The wrapped keys by their number, with key and context.
#[derive(Clone, Default)]
struct Cloud {
    wrapped: Arc<Mutex<Vec<(Value, String)>>>,
    /// Number of role sessions.
    sessions: Arc<Mutex<usize>>,
}

impl Cloud {
    async fn start(self) -> String {
        let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = format!("http://{}", listener.local_addr().unwrap());
        let router = Router::new().fallback(serve).with_state(self);
        tokio::spawn(async move { axum::serve(listener, router).await });
        address
    }

    /// Wraps a text in base64 for an owner: a key with its context.
    fn wrap(&self, owner: Value, plain: &str) -> String {
        let mut wrapped = self.wrapped.lock().unwrap();
        wrapped.push((owner, plain.to_owned()));
        STANDARD.encode(format!("wrapped {}", wrapped.len() - 1))
    }

    fn unwrap(&self, owner: &Value, text: &str) -> Option<String> {
        let text = String::from_utf8(STANDARD.decode(text).ok()?).ok()?;
        let number: usize = text.strip_prefix("wrapped ")?.parse().ok()?;
        let wrapped = self.wrapped.lock().unwrap();
        let (known, plain) = wrapped.get(number)?;
        (known == owner).then(|| plain.clone())
    }
}

async fn serve(State(cloud): State<Cloud>, request: Request<Body>) -> Response {
    let (parts, body) = request.into_parts();
    let body = axum::body::to_bytes(body, 1 << 20).await.unwrap();
    let header = |name: &str| {
        let value = parts.headers.get(name);
        value.and_then(|value| value.to_str().ok()).unwrap_or("")
    };
    let path = parts.uri.path();
    let json: Value = serde_json::from_slice(&body).unwrap_or_default();
    let text = |name: &str| json[name].as_str().unwrap_or_default();
    if let Some((name, verb)) = path.rsplit_once(':') {
        assert_eq!(header("authorization"), "Bearer canary-access");
        let owner = json!(name);
        let answer = match verb {
            "encrypt" => Some(json!({ "ciphertext": cloud.wrap(owner, text("plaintext")) })),
            _ => cloud
                .unwrap(&owner, text("ciphertext"))
                .map(|plain| json!({ "plaintext": plain })),
        };
        return match answer {
            Some(answer) => {
                ([("content-type", "application/json")], answer.to_string()).into_response()
            }
            None => StatusCode::BAD_REQUEST.into_response(),
        };
    }
    let form = String::from_utf8_lossy(&body).into_owned();
    if form.contains("Action=AssumeRole&") {
        assert!(header("authorization").contains("Credential=AKID/"));
        assert!(form.contains("RoleSessionName=sops%40"), "{form}");
        *cloud.sessions.lock().unwrap() += 1;
        return "<AssumeRoleResponse xmlns=\"https://sts.amazonaws.com/doc/2011-06-15/\"><AssumeRoleResult><Credentials>\
                <AccessKeyId>ASIA</AccessKeyId><SecretAccessKey>canary-role</SecretAccessKey>\
                <SessionToken>canary-session</SessionToken><Expiration>2099-01-01T00:00:00Z</Expiration>\
                </Credentials></AssumeRoleResult></AssumeRoleResponse>"
            .into_response();
    }
    let context = match &json["EncryptionContext"] {
        Value::Null => json!({}),
        context => context.clone(),
    };
    let session = header("authorization").contains("Credential=ASIA/");
    assert_eq!(header("content-type"), "application/x-amz-json-1.1");
    let owner = json!([text("KeyId"), context, session]);
    let answer = match header("x-amz-target") {
        "TrentService.Encrypt" => {
            let blob = cloud.wrap(owner, text("Plaintext"));
            Some(json!({ "CiphertextBlob": blob, "KeyId": text("KeyId") }))
        }
        "TrentService.Decrypt" => {
            let plain = cloud.unwrap(&owner, text("CiphertextBlob"));
            plain.map(|plain| json!({ "Plaintext": plain, "KeyId": text("KeyId") }))
        }
        _ => None,
    };
    match answer {
        Some(answer) => answer.to_string().into_response(),
        None => {
            let fault = json!({"__type": "InvalidCiphertextException", "message": "no such key"});
            (StatusCode::BAD_REQUEST, fault.to_string()).into_response()
        }
    }
}

fn services(environment: Environment) -> KeyServices {
    let clients = Arc::new(HttpClients::new("test"));
    let cache = TokenCache::new(10, Duration::from_hours(1));
    Identities::new(clients, Arc::new(SystemClock), environment, cache).key_services()
}

fn amazon(address: &str) -> Keyring {
    let services = services([("AWS_ENDPOINT_URL", address)].into_iter().collect());
    let credentials = StaticCredentials(AwsCredentials {
        access_key: "AKID".to_owned(),
        secret_key: Sensitive::from("canary-key"),
        session_token: None,
        expires: None,
    });
    let kms = aws::Kms::new(services, Arc::new(credentials), "pod");
    Keyring::default().with(KeyType::AwsKms, Arc::new(kms))
}

fn aws_key(role: &str, context: &[(&str, &str)]) -> Recipient {
    Recipient::AwsKms {
        arn: ARN.to_owned(),
        role: role.to_owned(),
        context: context
            .iter()
            .map(|(name, value)| ((*name).to_owned(), (*value).to_owned()))
            .collect(),
        profile: String::new(),
    }
}

fn sops_of_amazon(address: &str) -> Sops {
    Sops::new()
        .with("AWS_ACCESS_KEY_ID", "AKID")
        .with("AWS_SECRET_ACCESS_KEY", "canary-key")
        .with("AWS_ENDPOINT_URL", address)
}

#[tokio::test(flavor = "multi_thread")]
async fn sops_and_this_crate_exchange_documents_with_aws() {
    let address = Cloud::default().start().await;
    let (sops, ring) = (sops_of_amazon(&address), amazon(&address));
    let groups = [vec![aws_key("", &[("App", "web"), ("Zone", "a")])]];
    for (name, text) in PLAIN {
        let ours = encrypted(name, text, &ring, &groups, Metadata::default()).await;
        sops.agrees(name, &ours, ring.clone(), "ours").await;
        let context = ["--encryption-context", "Zone:a,App:web", "--kms", ARN];
        let theirs = sops.encrypt_with(name, text, &context);
        sops.agrees(name, &theirs, ring.clone(), "theirs").await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn role_is_assumed_once_for_many_documents() {
    let cloud = Cloud::default();
    let address = cloud.clone().start().await;
    let (sops, ring) = (sops_of_amazon(&address), amazon(&address));
    let theirs = sops.encrypt_with("a.yaml", "a: b\n", &["--kms", &format!("{ARN}+{ROLE}")]);
    let before = *cloud.sessions.lock().unwrap();
    for _ in 0..3 {
        assert_eq!(opened(&ring, &theirs).await.unwrap(), "a: b\n");
    }
    assert_eq!(*cloud.sessions.lock().unwrap(), before + 1);
    let ours = encrypted(
        "a.yaml",
        "a: b\n",
        &ring,
        &[vec![aws_key(ROLE, &[])]],
        Metadata::default(),
    )
    .await;
    sops.agrees("a.yaml", &ours, ring, "ours").await;
}

#[tokio::test(flavor = "multi_thread")]
async fn wrong_context_is_refused_by_name() {
    let address = Cloud::default().start().await;
    let ring = amazon(&address);
    let groups = [vec![aws_key("", &[("App", "web")])]];
    let document = encrypted("a.yaml", "a: b\n", &ring, &groups, Metadata::default()).await;
    let document = String::from_utf8(document).unwrap();
    let changed = document.replace("App: web", "App: other");
    let error = opened(&ring, changed.as_bytes()).await.unwrap_err();
    assert_eq!(
        error,
        format!(
            "cannot get sops data key: no key decrypts it: kms {ARN}: failed to decrypt sops data \
             key with AWS KMS: call AWS KMS at {address}/: the answer is 400 Bad Request: \
             InvalidCiphertextException: no such key"
        )
    );
    let garbage = document.replace("enc: d3Jh", "enc: '?d3Jh");
    let error = opened(&ring, garbage.as_bytes()).await.unwrap_err();
    assert!(!error.contains("canary"), "{error}");
}

/// The token that both sides use.
struct Token;

#[async_trait]
impl AccessTokenSource for Token {
    async fn token(&self) -> Result<Sensitive<String>, IdentityError> {
        Ok(Sensitive::from("canary-access"))
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn sops_and_this_crate_exchange_documents_with_gcp() {
    let address = Cloud::default().start().await;
    let sops = Sops::new()
        .with("SOPS_GCP_KMS_CLIENT_TYPE", "rest")
        .with("SOPS_GCP_KMS_ENDPOINT", &address)
        .with("GOOGLE_OAUTH_ACCESS_TOKEN", "canary-access");
    let services = services(
        [("SOPS_GCP_KMS_ENDPOINT", address.as_str())]
            .into_iter()
            .collect(),
    );
    let kms = gcp::Kms::new(services, Arc::new(Token));
    let ring = Keyring::default().with(KeyType::GcpKms, Arc::new(kms));
    let groups = [vec![Recipient::GcpKms {
        resource_id: KEY.to_owned(),
    }]];
    for (name, text) in PLAIN {
        let ours = encrypted(name, text, &ring, &groups, Metadata::default()).await;
        sops.agrees(name, &ours, ring.clone(), "ours").await;
        let theirs = sops.encrypt(name, text, ["--gcp-kms", KEY]);
        sops.agrees(name, &theirs, ring.clone(), "theirs").await;
    }
}

/// Decrypts a document, or returns the error.
async fn opened(ring: &Keyring, document: &[u8]) -> Result<String, String> {
    let decrypted = Decryptor::new(ring.clone())
        .decrypt_verified(document, Format::Yaml, Format::Yaml)
        .await;
    match decrypted {
        Ok(plain) => Ok(String::from_utf8(plain.expose().clone()).unwrap()),
        Err(error) => Err(chain(&error)),
    }
}
