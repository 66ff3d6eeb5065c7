//! Tests genuine and forged calls of every type.

use sluice_api::notification::ReceiverType;

use super::*;
use crate::event::MAX_BODY_BYTES;

#[test]
fn every_type_of_the_schema_is_verified() {
    assert_eq!(ReceiverType::WORDS.len(), 13);
    for word in ReceiverType::WORDS {
        let receiver = receiver(word, json!({}));
        let headers = HeaderMap::new();
        let found = call(&receiver, &secret("t"), &headers, b"[]");
        // Only the secret path protects this type.
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
    let status = |receiver, bytes| {
        admit(receiver, bytes)
            .map(|_| 200)
            .map_err(CallStatus::status)
    };
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

/// Covers the classes S7 and S8: only a signature with the Receiver's key passes.
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
        // The first value of a repeated header counts, as in Go.
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
