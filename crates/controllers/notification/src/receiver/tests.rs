//! Receivers verify calls and select the resources to reconcile.

#![expect(
    clippy::needless_pass_by_value,
    reason = "the documents are literals, which callers pass by value"
)]

use std::collections::BTreeMap;

use aws_lc_rs::hmac;
use http::HeaderMap;
use jiff::Timestamp;
use serde_json::{Value, json};
use sluice_api::notification::Receiver;

use super::*;

mod calls;
mod filters;
mod tokens;

type Secret = BTreeMap<String, Vec<u8>>;

const NOW: i64 = 1_714_557_600;

fn now() -> Timestamp {
    Timestamp::from_second(NOW).unwrap()
}

fn receiver(type_: &str, spec: Value) -> Receiver {
    let mut base = json!({
        "type": type_, "secretRef": { "name": "token" },
        "resources": [{ "kind": "GitRepository", "name": "podinfo" }],
    });
    for (key, value) in spec.as_object().unwrap() {
        base[key] = value.clone();
    }
    if type_ == "generic-oidc" {
        base.as_object_mut().unwrap().remove("secretRef");
    }
    serde_json::from_value(json!({
        "apiVersion": "notification.toolkit.fluxcd.io/v1", "kind": "Receiver",
        "metadata": { "name": "r", "namespace": "ns" }, "spec": base,
        "status": { "conditions": [{
            "type": "Ready", "status": "True", "reason": "Succeeded", "message": "",
            "lastTransitionTime": "2024-05-01T10:00:00Z",
        }] },
    }))
    .unwrap()
}

fn secret(token: &str) -> Secret {
    [("token".to_owned(), token.as_bytes().to_vec())].into()
}

fn headers(pairs: &[(&str, &str)]) -> HeaderMap {
    let mut headers = HeaderMap::new();
    for (name, value) in pairs {
        let name = http::HeaderName::from_bytes(name.as_bytes()).unwrap();
        headers.append(
            name,
            http::HeaderValue::from_bytes(value.as_bytes()).unwrap(),
        );
    }
    headers
}

/// Keys of one issuer.
struct Issuer(&'static str, IssuerKeys);

impl KeySource for Issuer {
    fn keys(&self, issuer: &str) -> Result<IssuerKeys, String> {
        if issuer == self.0 {
            Ok(self.1.clone())
        } else {
            Err("unreachable".to_owned())
        }
    }
}

fn no_issuer() -> Issuer {
    Issuer("", IssuerKeys::default())
}

fn call<'a>(
    receiver: &Receiver,
    secret: &Secret,
    headers: &'a HeaderMap,
    body: &'a [u8],
) -> Result<VerifiedCall<'a>, Refusal> {
    let call = Call { headers, body };
    verify(receiver, Some(secret), &call, &no_issuer(), now())
}

fn mac(algorithm: hmac::Algorithm, key: &str, body: &[u8]) -> String {
    hex::encode(hmac::sign(&hmac::Key::new(algorithm, key.as_bytes()), body))
}

fn sha256(key: &str, body: &[u8]) -> String {
    format!("sha256={}", mac(hmac::HMAC_SHA256, key, body))
}
