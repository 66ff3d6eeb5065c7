//! Compares the requests of every provider with those of the reference.
//!
//! `cargo xtask vectors --only notifications` records `tests/vectors/answers.jsonl` for the
//! questions beside it. For both programs, a server gives the responses of the question.

#![expect(
    clippy::panic,
    clippy::unwrap_used,
    reason = "a test fails by panicking"
)]

#[path = "providers/brokers.rs"]
mod brokers;

use std::collections::{BTreeMap, BTreeSet};

use serde::Deserialize;
use serde_json::Value;
use sluice_api::Event;
use sluice_api::notification::ProviderType;
use sluice_dial::Sensitive;
use sluice_notification_controller::config::{DEFAULT_TIMEOUT, ObjectIdentity, ProviderConfig};
use sluice_notification_controller::error::Error;
use sluice_notification_controller::event::decode;
use sluice_notification_controller::provider::request;
use sluice_notification_controller::request::comment::CommentSearch;
use sluice_notification_controller::request::{HttpRequest, Request};
use url::Url;

#[derive(Deserialize)]
struct Questions {
    events: BTreeMap<String, Value>,
    providers: Vec<Question>,
}

#[derive(Clone, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
struct Question {
    name: String,
    #[serde(rename = "type")]
    type_: String,
    address: String,
    channel: String,
    username: String,
    password: String,
    token: String,
    headers: BTreeMap<String, String>,
    secret: BTreeMap<String, String>,
    commit_status: String,
    answers: Vec<Answer>,
}

#[derive(Clone, Deserialize)]
struct Answer {
    method: String,
    path: String,
    status: u16,
    body: Value,
}

#[derive(Debug, Deserialize)]
struct Recording {
    name: String,
    event: String,
    #[serde(default)]
    requests: Vec<SentRequest>,
    #[serde(default)]
    error: String,
}

#[derive(Clone, Debug, Deserialize)]
struct SentRequest {
    method: String,
    url: String,
    headers: BTreeMap<String, String>,
    body: String,
    #[serde(default)]
    binary: bool,
}

fn config(question: &Question) -> ProviderConfig {
    let headers = question.headers.iter();
    ProviderConfig {
        type_: ProviderType::from(question.type_.as_str()),
        identity: ObjectIdentity {
            namespace: "monitoring".into(),
            name: "provider".into(),
            uid: "0c9c2e41-d2f9-4f9b-9e47-a1d9c2ac1b6f".into(),
        },
        alert: ObjectIdentity {
            namespace: "monitoring".into(),
            name: "alert".into(),
            uid: "6f1e1a9a-8ba1-4a3e-9a35-1d4a1c3f0001".into(),
        },
        address: question.address.as_str().into(),
        channel: question.channel.clone(),
        username: question.username.clone(),
        password: question.password.as_str().into(),
        token: question.token.as_bytes().to_vec().into(),
        headers: headers
            .map(|(name, value)| (name.clone(), Sensitive::from(value.as_str())))
            .collect(),
        commit_status: question.commit_status.clone(),
        nats_credentials: secret(question, "creds"),
        nats_seed: secret(question, "nkey"),
        timeout: DEFAULT_TIMEOUT,
        ..ProviderConfig::default()
    }
}

/// Returns a key of the Secret.
fn secret(question: &Question, key: &str) -> Option<Sensitive<Vec<u8>>> {
    let value = question.secret.get(key)?;
    Some(value.clone().into_bytes().into())
}

/// Returns the questions, and the recordings in the order of the file.
fn vectors() -> (Questions, Vec<Recording>) {
    let questions = include_str!("vectors/questions.json");
    let recordings = include_str!("vectors/answers.jsonl").lines();
    let recordings = recordings.map(|line| serde_json::from_str(line).unwrap());
    (
        serde_json::from_str(questions).unwrap(),
        recordings.collect(),
    )
}

impl Questions {
    /// Returns the question of a recording, and its event.
    fn find(&self, recording: &Recording) -> (&Question, Event) {
        let mut providers = self.providers.iter();
        let question = providers.find(|question| question.name == recording.name);
        let event = self.events[&recording.event].to_string();
        (question.unwrap(), decode(event.as_bytes()).unwrap())
    }
}

/// Acts as the sender: sends the requests, with the responses of the question.
fn play(question: &Question, requests: &[Request]) -> (Vec<HttpRequest>, Result<(), String>) {
    let answer = |request: &HttpRequest| {
        let found = question.answers.iter().find(|answer| {
            answer.method == request.method.as_str() && request.url.path().ends_with(&answer.path)
        });
        match found {
            Some(answer) => (answer.status, answer.body.to_string()),
            None => (200, "{}".to_owned()),
        }
    };
    let mut sent = Vec::new();
    let mut outcome = Ok(());
    for request in requests {
        match request {
            Request::Http(request) => {
                let (status, body) = answer(request);
                sent.push(request.clone());
                outcome = request
                    .judge(status, body.as_bytes())
                    .map_err(|e| e.to_string());
            }
            Request::CommitStatus(wanted) => {
                let (status, body) = answer(&wanted.lookup);
                sent.push(wanted.lookup.clone());
                if !wanted.is_posted(status, body.as_bytes()).unwrap() {
                    sent.push(wanted.create.clone());
                }
            }
            Request::Comment(comment) => {
                let user = comment.user.clone().unwrap();
                let login = comment.login(200, answer(&user).1.as_bytes()).unwrap();
                let page = comment.page(1);
                let (status, body) = answer(&page);
                sent.extend([user, page]);
                sent.push(
                    match comment.find(&login, status, body.as_bytes()).unwrap() {
                        CommentSearch::Found(id) => comment.replace(id),
                        _ => comment.create.clone(),
                    },
                );
            }
            Request::Nats(_) | Request::EventHub(_) => panic!("not HTTP: {request:?}"),
        }
    }
    (sent, outcome)
}

#[test]
fn requests_equal_those_of_the_reference() {
    let (questions, recordings) = vectors();
    let (mut count, mut compared) = (0, 0);
    for recording in recordings {
        let (question, event) = questions.find(&recording);
        if brokers::TYPES.contains(&question.type_.as_str()) {
            continue;
        }
        let at = format!("{} / {}", recording.name, recording.event);
        let built = request(&config(question), &event);
        count += 1;
        let requests = match built {
            Err(error) => {
                assert!(!recording.error.is_empty(), "{at}: {error}");
                if let Error::Missing { message, .. } = error {
                    assert!(recording.error.contains(message), "{at}: {message}");
                }
                continue;
            }
            Ok(requests) => requests,
        };
        let (sent, outcome) = play(question, &requests);
        match outcome {
            Ok(()) => assert_eq!(recording.error, "", "{at}"),
            Err(error) => assert!(recording.error.ends_with(&error), "{at}: {error}"),
        }
        let wanted: Vec<_> = recording
            .requests
            .iter()
            .filter(|it| !is_setup(it))
            .collect();
        assert_eq!(sent.len(), wanted.len(), "{at}");
        for (sent, wanted) in sent.iter().zip(wanted) {
            compare(&at, &question.type_, sent, wanted);
            compared += 1;
        }
    }
    assert!(count > 180 && compared > 150, "{count} {compared}");
}

/// The types that no recording has, with the reason.
const UNRECORDED: [(&str, &str); 2] = [
    ("zoom", "not in the reference's version"),
    ("incident.io", "not in the reference's version"),
];

#[test]
fn every_type_is_recorded_or_has_a_reason() {
    let (questions, recordings) = vectors();
    let delivered = recordings.iter().filter(|it| !it.requests.is_empty());
    let recorded = delivered.map(|it| questions.find(it).0.type_.as_str());
    let unrecorded = UNRECORDED.iter().map(|(type_, _)| *type_);
    let found: BTreeSet<&str> = recorded.chain(unrecorded).collect();
    assert_eq!(found, ProviderType::WORDS.iter().copied().collect());
}

/// Whether the reference's library sent the request to learn about the server.
fn is_setup(sent: &SentRequest) -> bool {
    sent.method == "OPTIONS" || sent.url.ends_with("/api/v1/version")
}

fn compare(at: &str, type_: &str, sent: &HttpRequest, wanted: &SentRequest) {
    assert_eq!(sent.method.as_str(), wanted.method, "{at}");
    assert_eq!(sent.url, Url::parse(&wanted.url).unwrap(), "{at}");
    let is_list = sent.url.path().ends_with("/comments") && wanted.method == "GET";
    let text = |value: &http::HeaderValue| {
        String::from_utf8(value.as_bytes().to_vec())
            .unwrap()
            .trim()
            .to_owned()
    };
    let found: BTreeMap<_, _> = sent
        .headers
        .iter()
        .map(|(name, value)| (name.to_string(), text(value)))
        .filter(|(name, _)| is_compared(name, type_, is_list, sent))
        .collect();
    let expected: BTreeMap<_, _> = wanted
        .headers
        .clone()
        .into_iter()
        .filter(|(name, _)| is_compared(name, type_, is_list, sent))
        .collect();
    assert_eq!(found, expected, "{at}");
    compare_body(at, type_, &sent.body, wanted);
}

fn is_compared(name: &str, type_: &str, is_list: bool, sent: &HttpRequest) -> bool {
    match name {
        "content-type" => !sent.body.is_empty() && type_ != "azuredevops",
        // The header enables a preview of an old API.
        "accept" => !is_list,
        // The header names the client library.
        "x-sentry-auth" => false,
        _ => true,
    }
}

fn compare_body(at: &str, type_: &str, body: &[u8], wanted: &SentRequest) {
    match type_ {
        "otel" => compare_trace(at, body, wanted),
        "sentry" => compare_envelope(at, body, wanted),
        // Some client libraries escape JSON differently.
        "github" | "githubdispatch" | "githubpullrequestcomment" | "datadog" => {
            let read = |bytes: &[u8]| match bytes {
                b"" => Value::Null,
                bytes => serde_json::from_slice(bytes).unwrap(),
            };
            assert_eq!(read(body), read(wanted.body.as_bytes()), "{at}");
        }
        _ => {
            let text = std::str::from_utf8(body).unwrap();
            assert_eq!(text, wanted.body.trim_end_matches('\n'), "{at}");
        }
    }
}

/// Compares all bytes except the random id and the end of the span.
fn compare_trace(at: &str, body: &[u8], wanted: &SentRequest) {
    use base64::Engine as _;
    assert!(wanted.binary);
    let wanted = base64::prelude::BASE64_STANDARD
        .decode(&wanted.body)
        .unwrap();
    let position =
        |from: usize, wanted: &dyn Fn(usize) -> bool| (from..body.len()).find(|i| wanted(*i));
    let id = position(18, &|i| {
        body[i..].starts_with(&[0x12, 8]) && body[i - 18..].starts_with(&[0x0a, 16])
    })
    .unwrap();
    let time = position(id, &|i| body[i] == 0x39 && body[i + 9] == 0x41).unwrap();
    let masked = |bytes: &[u8]| {
        let mut bytes = bytes.to_vec();
        bytes[id + 2..id + 10].fill(0);
        bytes[time + 10..time + 18].fill(0);
        bytes
    };
    assert_eq!(masked(body), masked(&wanted), "{at}");
}

/// Compares the fields that depend on the event.
fn compare_envelope(at: &str, body: &[u8], wanted: &SentRequest) {
    let lines = |text: &str| -> Vec<Value> {
        text.lines()
            .map(|line| serde_json::from_str(line).unwrap())
            .collect()
    };
    let (found, wanted) = (
        lines(std::str::from_utf8(body).unwrap()),
        lines(&wanted.body),
    );
    assert_eq!(found.len(), 3);
    assert_eq!(found[0]["dsn"], wanted[0]["dsn"], "{at}");
    assert_eq!(found[0]["event_id"], found[2]["event_id"], "{at}");
    assert_eq!(found[1]["type"], wanted[1]["type"], "{at}");
    let stable = |item: &Value| {
        let mut item = item.clone();
        let fields = item.as_object_mut().unwrap();
        for name in ["event_id", "sdk", "modules", "platform"] {
            fields.remove(name);
        }
        if fields["level"] == "info" {
            fields.remove("server_name");
        }
        let contexts = fields["contexts"].as_object_mut().unwrap();
        for name in ["device", "os", "runtime"] {
            contexts.remove(name);
        }
        for pointer in ["/contexts/trace", "/spans/0"] {
            if let Some(span) = item.pointer_mut(pointer) {
                span["span_id"] = Value::Null;
                span["trace_id"] = Value::Null;
            }
        }
        item
    };
    assert_eq!(stable(&found[2]), stable(&wanted[2]), "{at}");
}
