//! Signatures whose promise comes from a log, which checks the question.

use axum::Json;
use axum::Router;
use axum::routing::post;
use serde_json::{Value, json};
use sluice_dial::HttpClients;
use sluice_oci::Repository;
use tokio::net::TcpListener;

use super::*;

/// Signatures of the reference, with their roots.
const VECTORS: &str = include_str!("../../../../content/attest/tests/oracle/vectors.jsonl");

fn line(holds: impl Fn(&Value) -> bool) -> Value {
    let mut lines = VECTORS
        .lines()
        .map(|line| serde_json::from_str(line).unwrap());
    lines.find(holds).unwrap()
}

/// A signature that was made with a promise, without it; and its digest.
fn unlogged() -> (TaggedSignature, Digest, Value) {
    let mut found = line(|line| line["name"] == "legacy-good");
    let legacy = found["legacy"].take();
    let text = |field: &str| legacy[field].as_str().unwrap().to_owned();
    let payload: Value = serde_json::from_str(&text("payload")).unwrap();
    let digest = payload["critical"]["image"]["docker-manifest-digest"].clone();
    let signature = TaggedSignature {
        payload: text("payload").into(),
        annotations: [
            (TaggedSignature::SIGNATURE.to_owned(), text("signature")),
            (TaggedSignature::CERTIFICATE.to_owned(), text("certificate")),
        ]
        .into(),
    };
    let promise = serde_json::from_str(&text("bundle")).unwrap();
    let digest = digest.as_str().unwrap().parse().unwrap();
    (signature, digest, promise)
}

/// The entry of a log that made a promise.
fn entry(promise: &Value) -> Value {
    let mut entry = promise["Payload"].clone();
    entry["verification"] = json!({ "signedEntryTimestamp": promise["SignedEntryTimestamp"] });
    json!({ "24296fb24b8ad77a": entry })
}

/// A log that gives one answer to questions about the payload.
async fn log(answer: Value, payload: &[u8]) -> String {
    let hash = Digest::of(payload).hex().to_owned();
    let reply = async move |Json(question): Json<Value>| {
        let data = &question["entries"][0]["spec"]["data"];
        assert_eq!(data["hash"]["value"], Value::from(hash));
        Json(answer)
    };
    let router = Router::new().route("/api/v1/log/entries/retrieve", post(reply));
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = format!("http://{}/", listener.local_addr().unwrap());
    tokio::spawn(async move { axum::serve(listener, router).await.unwrap() });
    address
}

/// Judges a signature some times, with a root that names the log.
async fn judge(
    address: &str,
    reach: Reach,
    signature: TaggedSignature,
    digest: &Digest,
    times: u32,
) -> Result<(), Refusal> {
    let mut root = line(|line| line["roots"].is_object())["roots"]["own"].take();
    for log in root["tlogs"].as_array_mut().unwrap() {
        log["baseUrl"] = address.into();
    }
    let verifier = verifier(&[], root.to_string().as_bytes()).unwrap();
    let clients = HttpClients::new("test");
    let remote = Remote::anonymous(Repository::parse("registry.example.com/app").unwrap());
    let judge = BlockingJudge {
        verifier: CosignVerifier::Certificates(Arc::new(verifier)),
        budget: budget(),
        log: TransparencyLog::new(&clients, &remote, reach),
    };
    for _ in 1..times {
        let attachment = Attachment::Tagged(signature.clone());
        assert!(judge.judge(attachment, digest).await.is_err());
    }
    judge.judge(Attachment::Tagged(signature), digest).await
}

fn said(judged: Result<(), Refusal>) -> String {
    match judged {
        Err(Refusal::Invalid(why)) => why,
        other => panic!("{other:?}"),
    }
}

#[tokio::test]
async fn log_is_asked_for_a_missing_promise() {
    let (signature, digest, promise) = unlogged();
    let address = log(json!([entry(&promise)]), &signature.payload).await;
    let judged = judge(&address, Reach::Any, signature, &digest, 1).await;
    assert_eq!(judged, Ok(()));
}

#[tokio::test]
async fn false_promise_and_empty_answer_are_refused() {
    let (signature, digest, promise) = unlogged();
    let mut false_promise = promise.clone();
    false_promise["Payload"]["integratedTime"] = 1.into();
    // A false promise does not hide a good one.
    for (entries, expected) in [
        (json!([]), Some("signature not found in transparency log")),
        (
            json!([entry(&false_promise)]),
            Some("a signature is in no trusted transparency log"),
        ),
        (json!([entry(&false_promise), entry(&promise)]), None),
    ] {
        let address = log(entries, &signature.payload).await;
        let judged = judge(&address, Reach::Any, signature.clone(), &digest, 1).await;
        match expected {
            Some(expected) => assert_eq!(said(judged), expected),
            None => assert_eq!(judged, Ok(())),
        }
    }
}

#[tokio::test]
async fn root_of_a_tenant_cannot_name_local_address() {
    let (signature, digest, promise) = unlogged();
    let address = log(json!([entry(&promise)]), &signature.payload).await;
    let why = said(judge(&address, Reach::Remote, signature, &digest, 1).await);
    assert!(
        why.starts_with("failed to ask the transparency log 'http://127.0.0.1:"),
        "{why}"
    );
    assert!(
        why.ends_with("': its address is local to the machine or its network"),
        "{why}"
    );
}

#[tokio::test]
async fn number_of_questions_is_limited() {
    let (signature, digest, _) = unlogged();
    let address = log(json!([]), &signature.payload).await;
    let why = said(judge(&address, Reach::Any, signature, &digest, 17).await);
    assert_eq!(
        why,
        "more than 16 signatures have no promise of a transparency log"
    );
}
