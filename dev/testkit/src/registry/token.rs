//! The token service of a registry: accepts user and password and issues signed tokens.

use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use aws_lc_rs::rand::SystemRandom;
use aws_lc_rs::signature::{ECDSA_P256_SHA256_FIXED_SIGNING, EcdsaKeyPair, KeyPair as _};
use axum::Router;
use axum::extract::Request;
use axum::http::{StatusCode, header};
use axum::response::IntoResponse as _;
use base64::Engine as _;
use base64::prelude::{BASE64_STANDARD, BASE64_URL_SAFE_NO_PAD};
use serde_json::json;
use sluice_system::{Clock as _, fs};
use tokio::task::JoinHandle;

use super::Registry;

const ISSUER: &str = "sluice-test";
const SERVICE: &str = "registry-test";
const KEY: &str = "key-1";

#[derive(Debug)]
pub(super) struct TokenService {
    address: SocketAddr,
    keys: PathBuf,
    given: Arc<AtomicUsize>,
    task: JoinHandle<()>,
}

impl TokenService {
    pub(super) async fn start(directory: &Path) -> Self {
        let pair = EcdsaKeyPair::generate(&ECDSA_P256_SHA256_FIXED_SIGNING).unwrap();
        let point = pair.public_key().as_ref();
        let key = json!({
            "kty": "EC", "crv": "P-256", "alg": "ES256", "use": "sig", "kid": KEY,
            "x": BASE64_URL_SAFE_NO_PAD.encode(&point[1..33]),
            "y": BASE64_URL_SAFE_NO_PAD.encode(&point[33..]),
        });
        let keys = directory.join("jwks.json");
        fs::write(&keys, json!({ "keys": [key] }).to_string()).unwrap();

        let given = Arc::<AtomicUsize>::default();
        let (pair, counter) = (Arc::new(pair), Arc::clone(&given));
        let router = Router::new().fallback(move |request: Request| {
            let (pair, counter) = (Arc::clone(&pair), Arc::clone(&counter));
            async move {
                if !is_known(&request) {
                    return StatusCode::UNAUTHORIZED.into_response();
                }
                counter.fetch_add(1, Ordering::Relaxed);
                let query = request.uri().query().unwrap_or_default();
                axum::Json(json!({ "token": token(&pair, query), "expires_in": 300 }))
                    .into_response()
            }
        });
        let listener = tokio::net::TcpListener::bind(("127.0.0.1", 0))
            .await
            .unwrap();
        let address = listener.local_addr().unwrap();
        let task = tokio::spawn(async move {
            axum::serve(listener, router).await.unwrap();
        });
        Self {
            address,
            keys,
            given,
            task,
        }
    }

    pub(super) fn given(&self) -> usize {
        self.given.load(Ordering::Relaxed)
    }

    pub(super) fn configuration(&self) -> String {
        format!(
            "auth:
  token:
    realm: http://{}/token
    service: {SERVICE}
    issuer: {ISSUER}
    jwks: {}
    signingalgorithms:
      - ES256
",
            self.address,
            self.keys.display()
        )
    }
}

impl Drop for TokenService {
    fn drop(&mut self) {
        self.task.abort();
    }
}

fn is_known(request: &Request) -> bool {
    let pair = format!("{}:{}", Registry::USER, Registry::PASSWORD);
    let expected = format!("Basic {}", BASE64_STANDARD.encode(pair));
    request
        .headers()
        .get(header::AUTHORIZATION)
        .is_some_and(|value| value.as_bytes() == expected.as_bytes())
}

/// Issues a token for all requested scopes.
fn token(pair: &EcdsaKeyPair, query: &str) -> String {
    let access: Vec<_> = query
        .split('&')
        .filter_map(|pair| pair.strip_prefix("scope="))
        .map(|scope| {
            scope
                .replace("%3A", ":")
                .replace("%2F", "/")
                .replace("%2C", ",")
        })
        .filter_map(|scope| {
            let mut parts = scope.splitn(3, ':').map(str::to_owned);
            let (kind, name, actions) = (parts.next()?, parts.next()?, parts.next()?);
            let actions: Vec<&str> = actions.split(',').collect();
            Some(json!({ "type": kind, "name": name, "actions": actions }))
        })
        .collect();
    let now = sluice_system::SystemClock.now().as_second();
    let head = json!({ "typ": "JWT", "alg": "ES256", "kid": KEY });
    let claims = json!({
        "iss": ISSUER, "aud": SERVICE, "sub": Registry::USER, "access": access,
        "iat": now, "nbf": now - 30, "exp": now + 300, "jti": now.to_string(),
    });
    let encode = |value: &serde_json::Value| BASE64_URL_SAFE_NO_PAD.encode(value.to_string());
    let signed = format!("{}.{}", encode(&head), encode(&claims));
    let signature = pair.sign(&SystemRandom::new(), signed.as_bytes()).unwrap();
    format!(
        "{signed}.{}",
        BASE64_URL_SAFE_NO_PAD.encode(signature.as_ref())
    )
}
