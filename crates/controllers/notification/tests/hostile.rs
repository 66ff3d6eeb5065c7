//! Feeds mutated input to each parser, which must return without a panic.

use std::collections::BTreeMap;

use http::{HeaderMap, HeaderName, HeaderValue};
use jiff::Timestamp;
use serde_json::json;
use sluice_api::notification::{ProviderType, Receiver, ReceiverType};
use sluice_notification_controller::address::{Repository, http_url};
use sluice_notification_controller::config::ProviderConfig;
use sluice_notification_controller::event::{Sameness, clean, decode, key};
use sluice_notification_controller::provider;
use sluice_notification_controller::receiver::{Call, IssuerKeys, KeySource, verify};

const ROUNDS: usize = 3000;

/// Replaces, removes, repeats and inserts bytes.
fn mutate(random: &mut fastrand::Rng, seed: &[u8]) -> Vec<u8> {
    const PARTS: [&[u8]; 12] = [
        b"\0", b"\r\n", b"\"", b"{", b"]", b"\\u0000", b"\\ud800", b"../", b"%", b"\xff", b"1e999",
        b"=",
    ];
    let mut bytes = seed.to_vec();
    for _ in 0..random.usize(1..8) {
        let at = random.usize(0..=bytes.len());
        match random.u8(0..4) {
            0 if at < bytes.len() => bytes[at] = random.u8(..),
            1 if at < bytes.len() => drop(bytes.remove(at)),
            2 => {
                let part = bytes[at..bytes.len().min(at + 20)].to_vec();
                bytes.splice(at..at, part);
            }
            _ => {
                let part = PARTS[random.usize(0..PARTS.len())];
                bytes.splice(at..at, part.iter().copied());
            }
        }
    }
    bytes
}

struct NoKeys;

impl KeySource for NoKeys {
    fn keys(&self, _: &str) -> Result<IssuerKeys, String> {
        Ok(IssuerKeys::default())
    }
}

#[test]
fn mutated_event_reaches_every_provider() {
    let seed = json!({
        "involvedObject": {
            "kind": "Kustomization", "namespace": "a", "name": "b", "uid": "1",
            "apiVersion": "kustomize.toolkit.fluxcd.io/v1",
        },
        "severity": "error", "timestamp": "2024-05-01T10:00:00Z", "message": "m 3/5 1.2s",
        "reason": "BuildFailed", "reportingController": "c",
        "metadata": {
            "kustomize.toolkit.fluxcd.io/revision":
                "main@sha1:5394cb7f48332b2de7c17dd8b8384bbc84b7e738",
            "event.toolkit.fluxcd.io/change_request": "42",
        },
    })
    .to_string();
    let mut random = fastrand::Rng::with_seed(1);
    let mut decoded = 0;
    for _ in 0..ROUNDS {
        let body = mutate(&mut random, seed.as_bytes());
        let Ok(mut event) = decode(&body) else {
            continue;
        };
        decoded += 1;
        key(&event, Sameness::Meaning);
        clean(&mut event);
        let word = ProviderType::WORDS[random.usize(0..ProviderType::WORDS.len())];
        let text = |random: &mut fastrand::Rng, seed: &str| {
            String::from_utf8_lossy(&mutate(random, seed.as_bytes())).into_owned()
        };
        let config = ProviderConfig {
            type_: ProviderType::from(word),
            address: text(&mut random, "https://example.com/scm/acme/fleet.git").into(),
            channel: text(&mut random, "stream/topic:7"),
            username: text(&mut random, "user"),
            token: mutate(&mut random, b"user:token").into(),
            commit_status: "id".to_owned(),
            ..ProviderConfig::default()
        };
        drop(provider::request(&config, &event));
    }
    assert!(decoded > ROUNDS / 10, "{decoded}");
}

#[test]
fn mutated_address_is_read_or_refused() {
    let mut random = fastrand::Rng::with_seed(2);
    for seed in [
        "https://user:pass@host:8443/a/b.git?x=y#z",
        "git@host:a/b.git",
        "ssh://g@h/a/b",
    ] {
        for _ in 0..ROUNDS {
            let text = String::from_utf8_lossy(&mutate(&mut random, seed.as_bytes())).into_owned();
            drop(http_url("address", &text));
            if let Ok(repository) = Repository::parse(&text) {
                assert!(
                    matches!(repository.host.scheme(), "http" | "https"),
                    "{text}"
                );
                assert!(!repository.path.iter().any(|part| part == ".."), "{text}");
            }
        }
    }
}

#[test]
fn mutated_call_never_passes_a_signature() {
    let secret: BTreeMap<String, Vec<u8>> = [("token", "t"), ("email", "e"), ("audience", "a")]
        .map(|(key, value)| (key.to_owned(), value.as_bytes().to_vec()))
        .into();
    let headers: [(&str, &str); 9] = [
        ("x-signature", "sha256=00ff"),
        ("x-hub-signature", "sha1=00ff"),
        ("x-hub-signature-256", "sha512=00ff"),
        ("x-gitlab-token", "token"),
        (
            "authorization",
            "Bearer eyJhbGciOiJSUzI1NiJ9.eyJpc3MiOiJodHRwczovL2kifQ.AA",
        ),
        ("x-nexus-webhook-signature", "00ff"),
        (
            "content-type",
            "application/x-www-form-urlencoded; charset=utf-8",
        ),
        ("ce-type", "dev.cdevents.change.merged.0.2.0"),
        ("x-github-event", "push"),
    ];
    let body = r#"{"context":{"type":"dev.cdevents.change.merged.0.2.0","id":"1"},"target":{}}"#;
    let open = ["generic", "quay", "dockerhub", "acr", "cdevents"];
    let mut random = fastrand::Rng::with_seed(3);
    for round in 0..ROUNDS {
        let word = ReceiverType::WORDS[round % ReceiverType::WORDS.len()];
        let mut receiver = Receiver::default();
        receiver.spec.type_ = ReceiverType::from(word);
        receiver.spec.secret_ref = Some(sluice_api::meta::LocalObjectReference::default());
        let mut map = HeaderMap::new();
        for (name, value) in headers {
            let value = mutate(&mut random, value.as_bytes());
            if let Ok(value) = HeaderValue::from_bytes(&value) {
                map.append(HeaderName::from_static(name), value);
            }
        }
        let body = mutate(&mut random, body.as_bytes());
        let call = Call {
            headers: &map,
            body: &body,
        };
        let found = verify(
            &receiver,
            Some(&secret),
            &call,
            &NoKeys,
            Timestamp::UNIX_EPOCH,
        );
        assert!(found.is_err() || open.contains(&word), "{word}: {found:?}");
    }
}
