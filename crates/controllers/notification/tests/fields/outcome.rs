//! Prints all that the controller decides about an object, so that a test can compare decisions.

use std::collections::BTreeMap;
use std::time::Duration;

use aws_lc_rs::rand::SystemRandom;
use aws_lc_rs::signature::{ECDSA_P256_SHA256_FIXED_SIGNING, EcdsaKeyPair, KeyPair as _};
use base64::Engine as _;
use base64::prelude::BASE64_URL_SAFE_NO_PAD;
use http::{HeaderMap, HeaderName, HeaderValue};
use jiff::Timestamp;
use serde_json::{Value, json};
use sluice_api::Event;
use sluice_api::notification::{Alert, Provider, Receiver};
use sluice_dial::Keys;
use sluice_notification_controller::alert::{
    Gates, Labels, combine, commit_status, dispatch, matches, pattern_budget,
};
use sluice_notification_controller::config::{ProviderConfig, Secrets, secret_names};
use sluice_notification_controller::event::decode;
use sluice_notification_controller::provider::request;
use sluice_notification_controller::receiver::{
    Call, Filters, IssuerKeys, KeySource, admit, check, targets, verify,
};
use sluice_notification_controller::request::{HttpRequest, Request};

/// Issuer of the token in [`calls`].
const ISSUER: &str = "https://issuer.example.com";

type Secret = BTreeMap<String, Vec<u8>>;

/// Returns the decisions about an object of a kind.
pub(super) fn outcome(kind: &str, spec: &Value) -> String {
    let object = json!({
        "apiVersion": "notification.toolkit.fluxcd.io/v1", "kind": kind,
        "metadata": { "name": "a", "namespace": "apps", "uid": "0c9c2e41" }, "spec": spec,
        "status": { "conditions": [{
            "type": "Ready", "status": "True", "reason": "Succeeded", "message": "",
            "lastTransitionTime": "2024-05-01T10:00:00Z",
        }] },
    });
    match kind {
        "Alert" => of_alert(&serde_json::from_value(object).unwrap()),
        "Provider" => of_provider(&serde_json::from_value(object).unwrap()),
        _ => of_receiver(&serde_json::from_value(object).unwrap()),
    }
}

fn event(kind: &str, namespace: &str, name: &str, severity: &str) -> Event {
    let event = json!({
        "involvedObject": {
            "apiVersion": "kustomize.toolkit.fluxcd.io/v1", "kind": kind,
            "namespace": namespace, "name": name,
        },
        "severity": severity, "message": "some message", "reason": "BuildFailed",
        "metadata": {
            "revision": "main@sha1:0a1b2c3d4e5f60718293a4b5c6d7e8f901234567",
        },
    });
    decode(event.to_string().as_bytes()).unwrap()
}

fn of_alert(alert: &Alert) -> String {
    let labels = BTreeMap::from([("app".to_owned(), "a".to_owned())]);
    let mut lines = Vec::new();
    for event in [
        event("Kustomization", "apps", "app", "info"),
        event("Kustomization", "apps", "app", "error"),
        event("Kustomization", "apps", "other", "info"),
        event("Kustomization", "other", "app", "info"),
        event("GitRepository", "apps", "app", "info"),
    ] {
        let matched = matches(
            alert,
            &event,
            Labels::Known(&labels),
            &pattern_budget(Duration::MAX),
        );
        let combined = combine(&event, alert).event;
        lines.push(format!("{:?} {:?}", matched.outcome, combined.metadata));
    }
    lines.join("\n")
}

/// Returns the Secret of a name. Each has other values.
fn secret(name: &str) -> Secret {
    let entries = [
        ("token", format!("token-of-{name}")),
        ("address", format!("https://{name}.example.com/a/b")),
    ];
    let entries = entries.into_iter();
    entries
        .map(|(key, value)| (key.to_owned(), value.into_bytes()))
        .collect()
}

fn of_provider(provider: &Provider) -> String {
    let (alert, event) = (Alert::default(), event("Kustomization", "", "app", "error"));
    let decision = dispatch(&event, &alert, Ok(provider), Gates::default());
    let [credentials, certificate, proxy] = secret_names(provider).map(|name| name.map(secret));
    let secrets = Secrets {
        credentials: credentials.as_ref().map(|it| it as &dyn Keys),
        certificate: certificate.as_ref().map(|it| it as &dyn Keys),
        proxy: proxy.as_ref().map(|it| it as &dyn Keys),
    };
    let built = ProviderConfig::resolve(provider, &alert, secrets).and_then(|(mut config, _)| {
        config.commit_status = commit_status(provider, &alert, &event)?;
        let requests: Vec<_> = request(&config, &event)?.iter().map(printed).collect();
        Ok(format!("{config:?} {requests:?}"))
    });
    let built = built.unwrap_or_else(|error| error.to_string());
    format!("{decision:?}\n{built}")
}

fn printed(request: &Request) -> String {
    let http = |request: &HttpRequest| {
        let body = String::from_utf8_lossy(&request.body);
        let headers = request.headers.iter();
        let headers = headers.map(|(name, value)| (name, value.as_bytes()));
        let headers: Vec<_> = headers.collect();
        format!("{} {} {headers:?} {body}", request.method, request.url)
    };
    match request {
        Request::Http(request) => http(request),
        Request::CommitStatus(status) => http(&status.create),
        other => format!("{other:?}"),
    }
}

/// An issuer whose keys sign the token.
struct Issuer(EcdsaKeyPair);

impl Issuer {
    fn new() -> Self {
        let algorithm = &ECDSA_P256_SHA256_FIXED_SIGNING;
        let random = SystemRandom::new();
        let document = EcdsaKeyPair::generate_pkcs8(algorithm, &random).unwrap();
        Self(EcdsaKeyPair::from_pkcs8(algorithm, document.as_ref()).unwrap())
    }

    fn token(&self) -> String {
        let encode = |value: Value| BASE64_URL_SAFE_NO_PAD.encode(value.to_string());
        let claims = json!({
            "iss": ISSUER, "aud": "notification-controller", "exp": 9, "ref": "main",
        });
        let message = format!("{}.{}", encode(json!({ "alg": "ES256" })), encode(claims));
        let random = SystemRandom::new();
        let code = self.0.sign(&random, message.as_bytes()).unwrap();
        format!("{message}.{}", BASE64_URL_SAFE_NO_PAD.encode(code))
    }
}

impl KeySource for Issuer {
    fn keys(&self, issuer: &str) -> Result<IssuerKeys, String> {
        assert_eq!(issuer, ISSUER);
        let point = self.0.public_key().as_ref();
        let [x, y] = [&point[1..33], &point[33..]].map(|it| BASE64_URL_SAFE_NO_PAD.encode(it));
        let key = json!({ "kty": "EC", "crv": "P-256", "x": x, "y": y });
        let set = json!({ "keys": [key] }).to_string();
        IssuerKeys::parse(set.as_bytes(), vec!["ES256".into()])
    }
}

fn of_receiver(receiver: &Receiver) -> String {
    let issuer = Issuer::new();
    let bearer = format!("Bearer {}", issuer.token());
    let pairs = [
        ("content-type", "application/json"),
        ("x-gitlab-token", "token-of-a"),
        ("x-gitlab-event", "Push Hook"),
        ("authorization", &bearer),
    ];
    let mut headers = HeaderMap::new();
    for (name, value) in pairs {
        let value = HeaderValue::from_str(value).unwrap();
        headers.insert(HeaderName::from_static(name), value);
    }
    let call = Call {
        headers: &headers,
        body: br#"{"a":1}"#,
    };
    let admitted = admit(Some(receiver), call.body.len()).map(|_| ());
    let reference = receiver.spec.secret_ref.as_ref();
    let keys = reference.map(|it| secret(&it.name));
    let keys = keys.as_ref().map(|it| it as &dyn Keys);
    let verified = verify(receiver, keys, &call, &issuer, Timestamp::UNIX_EPOCH);
    let object = json!({ "metadata": { "name": "app" } });
    let accepted = verified.as_ref().map(|verified| {
        let filters = Filters::compile(receiver, verified, &call).unwrap();
        (filters.accepts(0, &object), verified.message.clone())
    });
    let (checked, targets) = (check(&receiver.spec), targets(receiver, false));
    format!("{admitted:?}\n{accepted:?}\n{checked:?}\n{targets:?}")
}
