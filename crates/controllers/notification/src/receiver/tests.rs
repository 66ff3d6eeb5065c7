#![expect(
    clippy::needless_pass_by_value,
    reason = "documents of the tests are literals"
)]

use std::collections::BTreeMap;

use aws_lc_rs::hmac;
use aws_lc_rs::rand::SystemRandom;
use aws_lc_rs::signature::{ECDSA_P256_SHA256_FIXED_SIGNING, EcdsaKeyPair, KeyPair as _};
use base64::Engine as _;
use base64::prelude::{BASE64_STANDARD, BASE64_URL_SAFE_NO_PAD};
use http::HeaderMap;
use jiff::Timestamp;
use serde_json::{Value, json};
use sluice_api::notification::{Receiver, ReceiverType};

use super::*;
use crate::event::MAX_BODY_BYTES;

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
) -> Result<Verified<'a>, Refusal> {
    let call = Call { headers, body };
    verify(receiver, Some(secret), &call, &no_issuer(), now())
}

fn mac(algorithm: hmac::Algorithm, key: &str, body: &[u8]) -> String {
    hex::encode(hmac::sign(&hmac::Key::new(algorithm, key.as_bytes()), body))
}

fn sha256(key: &str, body: &[u8]) -> String {
    format!("sha256={}", mac(hmac::HMAC_SHA256, key, body))
}

#[test]
fn every_type_of_the_schema_is_verified() {
    assert_eq!(ReceiverType::WORDS.len(), 13);
    for word in ReceiverType::WORDS {
        let receiver = receiver(word, json!({}));
        let headers = HeaderMap::new();
        let found = call(&receiver, &secret("t"), &headers, b"[]");
        // Only the path protects this type.
        assert_eq!(found.is_ok(), *word == "generic", "{word}: {found:?}");
    }
    let unknown = receiver("unknown", json!({}));
    assert!(call(&unknown, &secret("t"), &HeaderMap::new(), b"{}").is_err());
}

#[test]
fn call_is_admitted_by_size_path_and_state() {
    let ready = receiver("generic", json!({}));
    let suspended = receiver("generic", json!({ "suspend": true }));
    let mut pending = ready.clone();
    pending.status = None;
    let status = |receiver, bytes| admit(receiver, bytes).map(|_| 200).map_err(Answer::status);
    assert_eq!(status(Some(&ready), MAX_BODY_BYTES), Ok(200));
    assert_eq!(status(Some(&ready), MAX_BODY_BYTES + 1), Err(413));
    assert_eq!(status(None, MAX_BODY_BYTES + 1), Err(413));
    assert_eq!(status(None, 0), Err(404));
    assert_eq!(status(Some(&suspended), 0), Err(503));
    assert_eq!(status(Some(&pending), 0), Err(503));
}

#[test]
fn missing_secret_or_token_is_refused() {
    let receiver = receiver("generic", json!({}));
    let headers = HeaderMap::new();
    let plain = Call {
        headers: &headers,
        body: b"",
    };
    let found = verify(&receiver, None, &plain, &no_issuer(), now());
    assert!(matches!(found, Err(Refusal::Setup(_))));
    let error = call(&receiver, &Secret::new(), &headers, b"").unwrap_err();
    assert_eq!(
        error.to_string(),
        "invalid \"ns/token\" secret data: required field 'token'"
    );
}

/// Classes S7 and S8: only the key of the Receiver makes a signature.
#[test]
fn only_a_signature_of_the_body_passes() {
    let body = br#"{"a":1}"#;
    let json = ("Content-Type", "application/json");
    for (type_, header) in [
        ("generic-hmac", "X-Signature"),
        ("github", "X-Hub-Signature-256"),
        ("github", "X-Hub-Signature"),
        ("bitbucket", "X-Hub-Signature"),
    ] {
        let receiver = receiver(type_, json!({}));
        let check = |signature: &str| {
            let headers = headers(&[(header, signature), json]);
            call(&receiver, &secret("token"), &headers, body).map(|_| ())
        };
        for algorithm in [
            ("sha1", hmac::HMAC_SHA1_FOR_LEGACY_USE_ONLY),
            ("sha256", hmac::HMAC_SHA256),
            ("sha512", hmac::HMAC_SHA512),
        ] {
            let code = mac(algorithm.1, "token", body);
            assert_eq!(check(&format!("{}={code}", algorithm.0)), Ok(()), "{type_}");
            assert!(check(&format!("md5={code}")).is_err());
            assert!(check(&code).is_err());
        }
        let right = sha256("token", body);
        for wrong in [
            "",
            "sha256=",
            "sha256=zz",
            "=",
            &right[..right.len() - 2],
            &format!("{right}00"),
            &format!("{right}=x"),
            &sha256("token", b"other body"),
            &sha256("token of another tenant", body),
            &sha256("", body),
        ] {
            let error = check(wrong).unwrap_err();
            assert!(!error.to_string().contains("token of"), "{error}");
        }
    }
}

#[test]
fn empty_token_verifies_nothing() {
    let body = b"{}";
    for blank in ["", " ", "\n", " \t\r\n"] {
        let code = mac(hmac::HMAC_SHA1_FOR_LEGACY_USE_ONLY, blank, body);
        let signature = sha256(blank, body);
        let headers = headers(&[
            ("Content-Type", "application/json"),
            ("X-Signature", &signature),
            ("X-Hub-Signature-256", &signature),
            ("X-Nexus-Webhook-Signature", &code),
        ]);
        for type_ in [
            "generic-hmac",
            "github",
            "bitbucket",
            "gitlab",
            "harbor",
            "nexus",
        ] {
            let found = call(&receiver(type_, json!({})), &secret(blank), &headers, body);
            assert!(
                matches!(found, Err(Refusal::Setup(_))),
                "{type_}: {found:?}"
            );
        }
    }
}

#[test]
fn github_form_is_unpacked() {
    let receiver = receiver("github", json!({ "events": ["PUSH", "ping"] }));
    let body = b"payload=%7B%22ref%22%3A%22main%22%7D&x=y";
    let signed = |event: &str, content: &str| {
        headers(&[
            ("X-Hub-Signature-256", &sha256("token", body)),
            ("X-GitHub-Event", event),
            ("Content-Type", content),
        ])
    };
    let form = "application/x-www-form-urlencoded; charset=utf-8";
    let pushed = signed("push", form);
    let verified = call(&receiver, &secret("token"), &pushed, body).unwrap();
    assert_eq!(&*verified.body, br#"{"ref":"main"}"#);
    assert_eq!(verified.message, "handling GitHub event: push");
    let other = signed("release", form);
    let error = call(&receiver, &secret("token"), &other, body).unwrap_err();
    assert_eq!(
        error.to_string(),
        "the GitHub event \"release\" is not authorised"
    );
    for content in ["", "text/plain", "a/b; =", "\"", "application/xml"] {
        let odd = signed("push", content);
        let found = call(&receiver, &secret("token"), &odd, body);
        assert!(matches!(found, Err(Refusal::Body(_))), "{content}");
    }
}

#[test]
fn token_header_must_equal_the_token() {
    for (type_, header) in [("gitlab", "X-Gitlab-Token"), ("harbor", "Authorization")] {
        let receiver = receiver(type_, json!({}));
        for (sent, is_right) in [
            ("token", true),
            ("", false),
            ("Token", false),
            ("token2", false),
            ("toke", false),
            ("Bearer token", false),
        ] {
            let headers = headers(&[(header, sent)]);
            let found = call(&receiver, &secret("token"), &headers, b"no JSON");
            assert_eq!(found.is_ok(), is_right, "{type_} {sent}");
        }
        // The first value counts, as in Go.
        let twice = headers(&[(header, "x"), (header, "token")]);
        assert!(call(&receiver, &secret("token"), &twice, b"").is_err());
    }
    let only_push = receiver("gitlab", json!({ "events": ["Push Hook"] }));
    let sent = |event: &str| headers(&[("X-Gitlab-Token", "t"), ("X-Gitlab-Event", event)]);
    assert!(call(&only_push, &secret("t"), &sent("push hook"), b"").is_ok());
    assert!(call(&only_push, &secret("t"), &sent("Tag Push Hook"), b"").is_err());
}

#[test]
fn nexus_signature_is_hexadecimal_sha1() {
    let receiver = receiver("nexus", json!({}));
    let body = br#"{"action":"CREATED","repositoryName":"npm-proxy"}"#;
    let code = mac(hmac::HMAC_SHA1_FOR_LEGACY_USE_ONLY, "token", body);
    let check = |code: &str, body: &[u8]| {
        let headers = headers(&[("X-Nexus-Webhook-Signature", code)]);
        let found = call(&receiver, &secret("token"), &headers, body);
        found.map(|verified| verified.message)
    };
    assert_eq!(
        check(&code, body).unwrap(),
        "handling Nexus event from npm-proxy"
    );
    for wrong in ["", "00", &code.to_uppercase(), &format!("sha1={code}")] {
        assert!(check(wrong, body).is_err(), "{wrong}");
    }
    let odd = br#"{"action":5}"#;
    let code = mac(hmac::HMAC_SHA1_FOR_LEGACY_USE_ONLY, "token", odd);
    assert!(matches!(check(&code, odd), Err(Refusal::Body(_))));
}

#[test]
fn registry_bodies_have_their_shape() {
    let cases: [(&str, &str, Option<&str>); 12] = [
        (
            "quay",
            r#"{"docker_url":"quay.io/a/b","updated_tags":["latest"]}"#,
            Some("handling Quay event from quay.io/a/b"),
        ),
        ("quay", r#"{"docker_url":5}"#, None),
        ("quay", r#"{"updated_tags":[5]}"#, None),
        ("quay", "", None),
        (
            "dockerhub",
            r#"{"push_data":{"tag":"v1"},"repository":{"repo_url":"u"}} trailing"#,
            Some("handling DockerHub event from u for tag v1"),
        ),
        ("dockerhub", r#"{"push_data":[]}"#, None),
        ("dockerhub", "{", None),
        (
            "acr",
            r#"{"Action":"push","target":{"repository":"r","tag":"t"}}"#,
            Some("handling ACR event from r for tag t"),
        ),
        ("acr", "{}", Some("handling ACR event from  for tag ")),
        ("acr", "null", Some("handling ACR event from  for tag ")),
        ("acr", r#"{"target":"x"}"#, None),
        ("acr", "[]", None),
    ];
    for (type_, body, expected) in cases {
        let headers = HeaderMap::new();
        let found = call(
            &receiver(type_, json!({})),
            &secret("t"),
            &headers,
            body.as_bytes(),
        );
        let message = found.ok().map(|verified| verified.message);
        assert_eq!(message.as_deref(), expected, "{type_} {body}");
    }
}

/// From `Test_handlePayload` in the reference.
#[test]
fn cdevent_needs_context_and_subject() {
    let event = json!({
        "context": {
            "gitRepository": "a/b", "version": "0.3.0", "id": "5555", "source": "github",
            "timestamp": "2023-12-07T14:51:29.908479495Z",
            "type": "dev.cdevents.change.merged.0.2.0",
        },
        "subject": { "type": "change", "id": "5555" },
    });
    let receiver = receiver("cdevents", json!({ "events": ["cd.change.merged.v1"] }));
    let check = |event: &Value, type_: &str| {
        let headers = headers(&[("Ce-Type", type_)]);
        let body = event.to_string();
        call(&receiver, &secret("t"), &headers, body.as_bytes()).map(|_| ())
    };
    assert_eq!(check(&event, "cd.change.merged.v1"), Ok(()));
    assert!(check(&event, "cd.environment.modified.v1").is_err());
    for (path, value) in [
        ("/context/id", json!("")),
        ("/context/id", json!(5)),
        ("/context/source", json!("")),
        ("/context/version", json!(null)),
        ("/context/timestamp", json!("yesterday")),
        ("/context/type", json!("dev.cdevents.change.merged.1.0.0")),
        ("/context/type", json!("dev.cdevents.change.eaten.0.1.0")),
        ("/context/type", json!("com.example.push")),
        ("/subject/id", json!("")),
        ("/subject", json!(null)),
        ("/context", json!([])),
    ] {
        let mut broken = event.clone();
        *broken.pointer_mut(path).unwrap() = value.clone();
        let found = check(&broken, "cd.change.merged.v1");
        assert!(matches!(found, Err(Refusal::Body(_))), "{path} {value}");
    }
    let mut custom = event;
    custom["context"]["type"] = json!("dev.cdeventsx.tool-thing.done.0.1.0");
    assert_eq!(check(&custom, "cd.change.merged.v1"), Ok(()));
}

/// A key pair with its key set.
struct Signer(EcdsaKeyPair, SystemRandom);

impl Signer {
    fn new() -> Self {
        let random = SystemRandom::new();
        let algorithm = &ECDSA_P256_SHA256_FIXED_SIGNING;
        let document = EcdsaKeyPair::generate_pkcs8(algorithm, &random).unwrap();
        Self(
            EcdsaKeyPair::from_pkcs8(algorithm, document.as_ref()).unwrap(),
            random,
        )
    }

    fn keys(&self) -> IssuerKeys {
        let point = self.0.public_key().as_ref();
        let encode = |bytes: &[u8]| BASE64_URL_SAFE_NO_PAD.encode(bytes);
        let set = json!({ "keys": [
            { "kty": "oct", "k": "AAAA", "kid": "k" },
            { "kty": "EC", "crv": "P-256", "kid": "k", "use": "sig",
              "x": encode(&point[1..33]), "y": encode(&point[33..]) },
        ] });
        IssuerKeys::parse(set.to_string().as_bytes(), vec!["ES256".into()]).unwrap()
    }

    fn token(&self, header: &Value, claims: &Value) -> String {
        let encode = |value: &Value| BASE64_URL_SAFE_NO_PAD.encode(value.to_string());
        let message = format!("{}.{}", encode(header), encode(claims));
        let code = self.0.sign(&self.1, message.as_bytes()).unwrap();
        format!("{message}.{}", BASE64_URL_SAFE_NO_PAD.encode(code.as_ref()))
    }

    fn public_key(&self) -> &[u8] {
        self.0.public_key().as_ref()
    }
}

fn es256() -> Value {
    json!({ "alg": "ES256", "kid": "k" })
}

fn bearer(token: &str) -> HeaderMap {
    headers(&[("Authorization", &format!("Bearer {token}"))])
}

#[test]
fn token_is_verified_by_signature_audience_and_time() {
    let signer = Signer::new();
    let keys = signer.keys();
    let claims = json!({ "iss": "i", "aud": ["x", "me"], "exp": NOW, "nbf": NOW + 300, "a": 1 });
    let good = signer.token(&es256(), &claims);
    assert_eq!(verify_token(&good, &keys, "me", now()).unwrap()["a"], 1);
    assert!(keys.knows(&good));
    let with = |name: &str, value: Value| {
        let mut claims = claims.clone();
        claims[name] = value;
        verify_token(&signer.token(&es256(), &claims), &keys, "me", now()).unwrap_err()
    };
    assert_eq!(with("exp", json!(NOW - 1)), TokenError::Expired);
    assert_eq!(with("exp", json!(null)), TokenError::Expired);
    assert_eq!(with("exp", json!("never")), TokenError::Expired);
    assert_eq!(with("nbf", json!(NOW + 301)), TokenError::Early);
    assert_eq!(with("aud", json!("other")), TokenError::Audience);
    assert_eq!(with("aud", json!(null)), TokenError::Audience);
    assert_eq!(with("aud", json!({ "me": 1 })), TokenError::Audience);
}

/// Class S7: the attacks on JSON Web Tokens.
#[test]
fn forged_token_is_refused() {
    let signer = Signer::new();
    let keys = signer.keys();
    let claims = json!({ "iss": "i", "aud": "me", "exp": NOW });
    let good = signer.token(&es256(), &claims);
    let parts: Vec<_> = good.split('.').collect();
    let encode = |value: &Value| BASE64_URL_SAFE_NO_PAD.encode(value.to_string());
    let symmetric = format!(
        "{}.{}",
        encode(&json!({ "alg": "HS256", "kid": "k" })),
        parts[1]
    );
    let key = hmac::Key::new(hmac::HMAC_SHA256, signer.public_key());
    let code = BASE64_URL_SAFE_NO_PAD.encode(hmac::sign(&key, symmetric.as_bytes()));
    let other = encode(&json!({ "iss": "i", "aud": "me", "exp": NOW + 9 }));
    let forged = [
        format!("{symmetric}.{code}"),
        format!("{}.{}.", encode(&json!({ "alg": "none" })), parts[1]),
        format!(
            "{}.{}.{}",
            encode(&json!({ "alg": "NONE" })),
            parts[1],
            parts[2]
        ),
        format!(
            "{}.{}.{}",
            encode(&json!({ "alg": "RS256", "kid": "k" })),
            parts[1],
            parts[2]
        ),
        format!("{}.{}", parts[0], parts[1]),
        format!("{good}.x"),
        format!("{}.{other}.{}", parts[0], parts[2]),
        format!("{}.{}.", parts[0], parts[1]),
        signer.token(&json!({ "alg": "ES256", "kid": "unknown" }), &claims),
        Signer::new().token(&es256(), &claims),
        "..".to_owned(),
        String::new(),
        "a".repeat(100_000),
        format!("{}.{}.{}", "\u{ff}", parts[1], parts[2]),
    ];
    for token in &forged {
        let found = verify_token(token, &keys, "me", now());
        assert!(
            found.is_err(),
            "{}",
            &token.chars().take(40).collect::<String>()
        );
    }
    let unknown = signer.token(&json!({ "alg": "ES256", "kid": "new" }), &claims);
    assert!(!keys.knows(&unknown));
    let mut unlisted = keys;
    unlisted.algorithms.clear();
    let found = verify_token(&good, &unlisted, "me", now());
    assert_eq!(found, Err(TokenError::Algorithm("ES256".into())));
}

#[test]
fn weak_or_odd_keys_are_skipped() {
    for key in [
        json!({ "kty": "RSA", "n": "AQAB", "e": "AQAB" }),
        json!({ "kty": "EC", "crv": "P-256", "x": "AQ", "y": "AQ" }),
        json!({ "kty": "EC", "crv": "secp256k1", "x": "AQ", "y": "AQ" }),
        json!({ "kty": 5 }),
        json!(null),
        json!("x"),
    ] {
        let set = json!({ "keys": [key] }).to_string();
        let keys = IssuerKeys::parse(set.as_bytes(), Vec::new()).unwrap();
        assert!(!keys.knows(&Signer::new().token(&es256(), &json!({}))));
    }
    assert!(IssuerKeys::parse(b"{}", Vec::new()).is_err());
    assert!(IssuerKeys::parse(b"<html>", Vec::new()).is_err());
}

#[test]
fn oidc_claims_are_judged_by_expressions() {
    const ISSUER: &str = "https://issuer.example.com";
    let signer = Signer::new();
    let receiver = receiver(
        "generic-oidc",
        json!({ "oidcProviders": [{
            "issuerURL": ISSUER,
            "variables": [
                { "name": "repo", "expression": "claims.repository" },
                { "name": "short", "expression": "vars.repo.split('/')[1]" },
            ],
            "validations": [
                { "expression": "vars.short == 'fleet'", "message": "wrong repository" },
                { "expression": "claims.ref == 'refs/heads/main'", "message": "wrong branch" },
            ],
        }] }),
    );
    assert_eq!(check(&receiver.spec), Ok(()));
    let source = Issuer(ISSUER, signer.keys());
    let judge = |repository: &str, reference: Value, audience: &str, issuer: &str| {
        let claims = json!({
            "iss": issuer, "aud": audience, "exp": NOW, "repository": repository, "ref": reference,
        });
        let headers = bearer(&signer.token(&es256(), &claims));
        let call = Call {
            headers: &headers,
            body: b"",
        };
        let found = verify(&receiver, None, &call, &source, now());
        found.map(|verified| verified.claims.unwrap()["repository"].clone())
    };
    let main = || json!("refs/heads/main");
    let audience = "notification-controller";
    assert_eq!(
        judge("acme/fleet", main(), audience, ISSUER).unwrap(),
        "acme/fleet"
    );
    let error = judge("acme/x", json!("y"), audience, ISSUER).unwrap_err();
    assert_eq!(
        error.to_string(),
        "token validation failed: wrong repository; wrong branch"
    );
    let error = judge("acme", main(), audience, ISSUER)
        .unwrap_err()
        .to_string();
    assert!(
        error.starts_with("failed to evaluate variable \"short\""),
        "{error}"
    );
    assert!(judge("acme/fleet", main(), "other", ISSUER).is_err());
    let error = judge("a/b", main(), audience, "https://evil")
        .unwrap_err()
        .to_string();
    assert_eq!(
        error,
        "no oidcProvider configured for issuer \"https://evil\""
    );
    for value in [
        "",
        "Basic x",
        "Bearer ",
        "Bearer x",
        "Bearer a.b",
        "Bearer a.%%.c",
    ] {
        let headers = headers(&[("Authorization", value)]);
        let call = Call {
            headers: &headers,
            body: b"",
        };
        assert!(
            verify(&receiver, None, &call, &source, now()).is_err(),
            "{value}"
        );
    }
}

#[test]
fn google_token_must_name_account_and_audience() {
    const GOOGLE: &str = "https://accounts.google.com";
    let signer = Signer::new();
    let source = Issuer(GOOGLE, signer.keys());
    let push = json!({ "action": "INSERT", "digest": "d", "tag": "t", "extra": 1 }).to_string();
    let body = json!({ "message": { "data": BASE64_STANDARD.encode(push), "messageId": "1" } });
    let body = body.to_string();
    let receiver = receiver("gcr", json!({}));
    let full: Secret = [("token", "t"), ("email", "a@b.c"), ("audience", "me")]
        .map(|(key, value)| (key.to_owned(), value.as_bytes().to_vec()))
        .into();
    let check = |secret: &Secret, claims: Value, body: &str| {
        let headers = bearer(&signer.token(&es256(), &claims));
        let call = Call {
            headers: &headers,
            body: body.as_bytes(),
        };
        let found = verify(&receiver, Some(secret), &call, &source, now());
        found.map(|verified| String::from_utf8(verified.body.into_owned()).unwrap())
    };
    let claims = |email: &str, verified: bool, issuer: &str, audience: &str| {
        json!({
            "iss": issuer, "aud": audience, "exp": NOW, "email": email, "email_verified": verified,
        })
    };
    let good = || claims("a@b.c", true, GOOGLE, "me");
    assert_eq!(
        check(&full, good(), &body).unwrap(),
        r#"{"action":"INSERT","digest":"d","tag":"t"}"#
    );
    let bare = claims("a@b.c", true, "accounts.google.com", "me");
    assert!(check(&full, bare, &body).is_ok());
    for wrong in [
        claims("x@b.c", true, GOOGLE, "me"),
        claims("a@b.c", false, GOOGLE, "me"),
        claims("a@b.c", true, "https://evil", "me"),
        claims("a@b.c", true, GOOGLE, "other"),
        claims("", true, GOOGLE, "me"),
    ] {
        let found = check(&full, wrong.clone(), &body);
        assert!(matches!(found, Err(Refusal::Token(_))), "{wrong}");
    }
    for key in ["email", "audience", "token"] {
        let mut half = full.clone();
        half.remove(key);
        let found = check(&half, good(), &body);
        assert!(matches!(found, Err(Refusal::Setup(_))), "{key}");
    }
    for odd in ["", "{}", r#"{"message":5}"#, r#"{"message":{"data":"%"}}"#] {
        let found = check(&full, good(), odd);
        assert!(matches!(found, Err(Refusal::Body(_))), "{odd}");
    }
}

fn filters(spec: Value, content: &str, body: &[u8]) -> Result<Filters, FilterError> {
    let receiver = receiver("generic", spec);
    let headers = headers(&[("Content-Type", content)]);
    let call = Call {
        headers: &headers,
        body,
    };
    let verified = verify(&receiver, Some(&secret("t")), &call, &no_issuer(), now()).unwrap();
    Filters::compile(&receiver, &verified, &call)
}

#[test]
fn filters_are_both_needed() {
    let spec = json!({
        "resourceFilter": "req.tag == res.metadata.name",
        "resources": [
            { "kind": "GitRepository", "name": "*" },
            { "kind": "GitRepository", "name": "*", "filter": "res.metadata.namespace == 'a'" },
        ],
    });
    let object = |name: &str, namespace: &str| json!({ "kind": "GitRepository", "metadata": { "name": name, "namespace": namespace } });
    let filters = filters(spec, "application/json; charset=utf-8", br#"{"tag":"x"}"#).unwrap();
    assert_eq!(filters.accepts(0, &object("x", "b")), Ok(true));
    assert_eq!(filters.accepts(0, &object("y", "b")), Ok(false));
    assert_eq!(filters.accepts(1, &object("x", "b")), Ok(false));
    assert_eq!(filters.accepts(1, &object("x", "a")), Ok(true));
    let failed = filters.accepts(0, &json!({}));
    assert!(matches!(failed, Err(FilterError::Expression(_))));
}

#[test]
fn body_is_read_for_json_only() {
    let spec = || json!({ "resourceFilter": "has(req.tag)" });
    let accepts = |content: &str, body: &[u8]| {
        filters(spec(), content, body).and_then(|filters| filters.accepts(0, &json!({})))
    };
    assert_eq!(accepts("application/json", br#"{"tag":1}"#), Ok(true));
    assert_eq!(
        accepts("text/plain, Application/JSON", br#"{"tag":1}"#),
        Ok(true)
    );
    assert_eq!(accepts("text/plain", br#"{"tag":1}"#), Ok(false));
    assert_eq!(accepts("", b"\xff"), Ok(false));
    assert_eq!(accepts("application/json", b"null"), Ok(false));
    for body in ["", "[]", "{", "5"] {
        let found = accepts("application/json", body.as_bytes());
        assert!(matches!(found, Err(FilterError::Body(_))), "{body}");
    }
    let unfiltered = filters(json!({}), "application/json", b"{").unwrap();
    assert_eq!(unfiltered.accepts(0, &json!({})), Ok(true));
    let found = filters(json!({ "resourceFilter": "claims.admin" }), "", b"");
    assert!(matches!(found, Err(FilterError::Expression(_))));
}

#[test]
fn targets_follow_the_rules_of_their_entry() {
    let receiver = receiver(
        "generic",
        json!({ "resources": [
            { "kind": "GitRepository", "name": "a" },
            { "kind": "ImageRepository", "name": "a", "namespace": "other" },
            { "kind": "ArtifactGenerator", "name": "*", "matchLabels": { "a": "b" } },
            { "kind": "Kustomization", "name": "a" },
            { "kind": "Kustomization", "name": "a", "apiVersion": "kustomize.toolkit.fluxcd.io/v1" },
            { "kind": "Bucket", "name": "*" },
            { "kind": "Bucket", "name": "a", "matchLabels": { "a": "b" }, "namespace": "ns" },
            { "kind": "Bucket", "name": "a", "apiVersion": "v1" },
        ] }),
    );
    let name = || Selection::Name("a".to_owned());
    let target = |group: &str, version: &str, kind: &str, namespace: &str, selection| {
        Ok(Target {
            group: group.into(),
            version: version.into(),
            kind: kind.into(),
            namespace: namespace.into(),
            selection,
        })
    };
    let labels = Selection::Labels([("a".to_owned(), "b".to_owned())].into());
    let source = "source.toolkit.fluxcd.io";
    let mut expected = vec![
        target(source, "v1", "GitRepository", "ns", name()),
        target(
            "image.toolkit.fluxcd.io",
            "v1",
            "ImageRepository",
            "other",
            name(),
        ),
        target(
            "source.extensions.fluxcd.io",
            "v1beta1",
            "ArtifactGenerator",
            "ns",
            labels,
        ),
        Err(TargetError::NoVersion("Kustomization".into())),
        target(
            "kustomize.toolkit.fluxcd.io",
            "v1",
            "Kustomization",
            "ns",
            name(),
        ),
        Err(TargetError::NoLabels),
        target(source, "v1", "Bucket", "ns", name()),
        target("", "v1", "Bucket", "ns", name()),
    ];
    assert_eq!(targets(&receiver, false), expected);
    expected[1] = Err(TargetError::CrossNamespace);
    assert_eq!(targets(&receiver, true), expected);
}

#[test]
fn request_has_the_form_of_a_go_time() {
    let now: Timestamp = "2024-05-01T10:00:00.123456789Z".parse().unwrap();
    assert_eq!(requested_at(now), "2024-05-01 10:00:00.123456789 +0000 UTC");
    assert_eq!(
        patch(now)["metadata"]["annotations"]["reconcile.fluxcd.io/requestedAt"],
        "2024-05-01 10:00:00.123456789 +0000 UTC"
    );
}

/// From `TestValidateOIDCProvidersSpec` and the rules of the schema.
#[test]
fn spec_that_cannot_work_is_terminal() {
    let issuer = |extra: Value| {
        let mut issuer = json!({
            "issuerURL": "https://i",
            "validations": [{ "expression": "true", "message": "m" }],
        });
        for (key, value) in extra.as_object().unwrap() {
            issuer[key] = value.clone();
        }
        issuer
    };
    let oidc = |issuers: Value| receiver("generic-oidc", json!({ "oidcProviders": issuers }));
    let mut with_secret = oidc(json!([issuer(json!({}))]));
    with_secret.spec.secret_ref = receiver("github", json!({})).spec.secret_ref;
    let mut without = receiver("github", json!({}));
    without.spec.secret_ref = None;
    let cases = [
        (receiver("github", json!({})), None),
        (oidc(json!([issuer(json!({}))])), None),
        (
            oidc(json!([])),
            Some("must define at least one oidcProvider"),
        ),
        (with_secret, Some("secretRef cannot be set")),
        (without, Some("secretRef is required")),
        (
            receiver("github", json!({ "oidcProviders": [issuer(json!({}))] })),
            Some("can only be set when type is generic-oidc"),
        ),
        (
            oidc(json!([issuer(json!({ "issuerURL": "" }))])),
            Some("issuerURL is required"),
        ),
        (
            oidc(json!([issuer(json!({ "issuerURL": "ftp://i" }))])),
            Some("must start with http:// or https://"),
        ),
        (
            oidc(json!([issuer(json!({})), issuer(json!({}))])),
            Some("oidcProviders[1]: duplicate issuerURL"),
        ),
        (
            oidc(json!([issuer(json!({ "validations": [] }))])),
            Some("at least one validation is required"),
        ),
        (
            oidc(json!([issuer(
                json!({ "variables": [{ "name": "", "expression": "1" }] })
            )])),
            Some("variables[0]: name is required"),
        ),
        (
            oidc(json!([issuer(
                json!({ "validations": [{ "expression": "true", "message": "" }] })
            )])),
            Some("validations[0]: message is required"),
        ),
        (
            oidc(json!([issuer(json!({
                "validations": [{ "expression": "claims.admin", "message": "m" }],
            }))])),
            Some("invalid expression for validation \"m\""),
        ),
        (
            oidc(json!([issuer(
                json!({ "variables": [{ "name": "a", "expression": "x" }] })
            )])),
            Some("invalid expression for variable \"a\""),
        ),
        (
            receiver("github", json!({ "resourceFilter": "res.metadata.name" })),
            Some("output type mismatch"),
        ),
        (
            receiver(
                "github",
                json!({ "resources": [
                { "kind": "Bucket", "name": "a", "filter": "res.x == " },
            ] }),
            ),
            Some("spec.resources[0].filter"),
        ),
    ];
    for (receiver, expected) in cases {
        let found = check(&receiver.spec).err().map(|error| error.message);
        match (&found, expected) {
            (None, None) => {}
            (Some(text), Some(part)) if text.contains(part) => {}
            _ => unreachable!("{found:?} is not {expected:?}"),
        }
    }
}
