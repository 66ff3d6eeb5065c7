//! The verdicts of the reference about signatures, policies, stamps and answers.

use std::collections::{BTreeMap, BTreeSet};

use base64::Engine as _;
use base64::prelude::BASE64_STANDARD;
use serde::Deserialize;
use serde_json::Value;

use super::*;

/// `tests/oracle/notary/main.go` has the recipe.
const VECTORS: &str = include_str!("../../tests/oracle/notary/vectors.jsonl");

/// The cases that sluice refuses on purpose, where the reference accepts the signature.
/// `docs/differences.md` has a row for each.
const STRICTER: [&str; 10] = [
    "jws with a critical attribute",
    "cose with a critical attribute",
    "jws with an embedded key",
    "jws with a repeated header",
    "jws with a repeated member",
    "chain with a small key above",
    "chain with 22 certificates",
    "policy with unknown field",
    "revocation by ocsp: by a leaf strict",
    "revocation by list: delta strict",
];

/// The cases whose errors are the reference's, to the letter.
const SAME_WORDS: [&str; 3] = ["policy with", "store ", "scope "];

#[derive(Deserialize)]
#[serde(untagged)]
enum Line {
    Case(Case),
    Head {
        now: i64,
        target: Target,
    },
    Pool {
        pool: String,
        certificates: Option<String>,
    },
    Answers {
        answers: String,
        bodies: BTreeMap<String, String>,
    },
    Envelope {
        envelope: String,
        #[serde(rename = "type")]
        media_type: String,
        bytes: String,
    },
}

#[derive(Deserialize)]
struct Case {
    #[serde(rename = "case")]
    name: String,
    policy: Value,
    pool: String,
    envelope: String,
    answers: String,
    repository: String,
    verdict: String,
    #[serde(default)]
    error: String,
}

/// Everything that cases name.
#[derive(Default)]
struct Inputs {
    now: Timestamp,
    target: Option<Target>,
    pools: BTreeMap<String, Vec<Certificate>>,
    answers: BTreeMap<String, Answers>,
    envelopes: BTreeMap<String, Attachment>,
}

/// Answers by addresses. A request in a path follows its address.
#[derive(Clone, Default)]
struct Answers(BTreeMap<String, Vec<u8>>);

impl Fetch for Answers {
    async fn fetch(&self, request: Request) -> Result<Vec<u8>, String> {
        let url = &request.url;
        let is_at = |address: &str| {
            url.strip_prefix(address)
                .is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
        };
        let found = self.0.iter().find(|(address, _)| is_at(address));
        found
            .map(|(_, body)| body.clone())
            .ok_or_else(|| "no answer".to_owned())
    }
}

fn budget() -> Budget {
    Budget::new(1 << 28, 1 << 26)
}

fn decode(text: &str) -> Vec<u8> {
    BASE64_STANDARD.decode(text).unwrap()
}

fn read() -> (Inputs, Vec<Case>) {
    let (mut inputs, mut cases) = (Inputs::default(), Vec::new());
    for line in VECTORS.lines() {
        match serde_json::from_str(line).unwrap() {
            Line::Head { now, target } => {
                inputs.now = Timestamp::from_second(now).unwrap();
                inputs.target = Some(target);
            }
            Line::Pool { pool, certificates } => {
                let bytes = decode(&certificates.unwrap_or_default());
                let certificates = match &*bytes {
                    [] => Vec::new(),
                    bytes => Certificate::read_all(bytes).unwrap(),
                };
                inputs.pools.insert(pool, certificates);
            }
            Line::Answers { answers, bodies } => {
                let bodies = bodies.iter().map(|(url, body)| (url.clone(), decode(body)));
                inputs.answers.insert(answers, Answers(bodies.collect()));
            }
            Line::Envelope {
                envelope,
                media_type,
                bytes,
            } => {
                let bytes = decode(&bytes);
                inputs
                    .envelopes
                    .insert(envelope, Attachment { media_type, bytes });
            }
            Line::Case(case) => cases.push(case),
        }
    }
    (inputs, cases)
}

/// The verdict about a case, and the error.
async fn judge(inputs: &Inputs, case: &Case) -> (&'static str, String) {
    match verify(inputs, case).await {
        Ok(true) => ("verified", String::new()),
        Ok(false) => ("ignored", String::new()),
        Err(error) => ("refused", error),
    }
}

async fn verify(inputs: &Inputs, case: &Case) -> Result<bool, String> {
    let mut policy: TrustPolicy =
        serde_json::from_value(case.policy.clone()).map_err(|error| error.to_string())?;
    policy.drop_unused_trust();
    let pool = inputs.pools[&case.pool].clone();
    let verifier = Verifier::new(policy, Ok(pool)).map_err(|error| error.to_string())?;
    let target = inputs.target.as_ref().unwrap();
    match Arc::new(verifier).requirement(&case.repository, &target.digest)? {
        Requirement::Skip => Ok(false),
        Requirement::Signature(requirement) => {
            let answers = inputs
                .answers
                .get(&case.answers)
                .cloned()
                .unwrap_or_default();
            let cache = StateCache::default();
            let attachment = inputs.envelopes[&case.envelope].clone();
            let (now, budget) = (inputs.now, budget());
            let accepted = requirement.verify(target, attachment, now, &answers, &cache, &budget);
            Ok(accepted.await?.is_verified)
        }
    }
}

#[tokio::test]
async fn verdicts_are_those_of_the_reference() {
    let (inputs, cases) = read();
    let mut unexplained = Vec::new();
    let mut stricter = BTreeSet::new();
    for case in &cases {
        let (verdict, error) = judge(&inputs, case).await;
        if verdict == case.verdict {
            if verdict == "refused" && SAME_WORDS.iter().any(|start| case.name.starts_with(start)) {
                assert_eq!(error, case.error, "{}", case.name);
            }
            continue;
        }
        if STRICTER.contains(&&*case.name) && verdict == "refused" {
            stricter.insert(&*case.name);
            continue;
        }
        unexplained.push(format!(
            "{}: {verdict} {error:?}, not {} {:?}",
            case.name, case.verdict, case.error
        ));
    }
    assert!(unexplained.is_empty(), "{}", unexplained.join("\n"));
    assert_eq!(stricter, BTreeSet::from(STRICTER));
    assert!(cases.len() >= 100, "{}", cases.len());
}

/// A policy of this level, which trusts one pool.
fn requirement(inputs: &Inputs, level: &str, pool: &str) -> SignatureRequirement {
    let policy = serde_json::json!({
        "version": "1.0",
        "trustPolicies": [{
            "name": "a", "registryScopes": ["*"], "signatureVerification": { "level": level },
            "trustStores": ["ca:a"], "trustedIdentities": ["*"],
        }],
    });
    let policy = serde_json::from_value(policy).unwrap();
    let verifier = Verifier::new(policy, Ok(inputs.pools[pool].clone())).unwrap();
    let target = inputs.target.as_ref().unwrap();
    match Arc::new(verifier).requirement("registry.example/app", &target.digest) {
        Ok(Requirement::Signature(requirement)) => *requirement,
        other => panic!("{other:?}"),
    }
}

/// Records requests, and answers some of them.
struct Recorder<'a> {
    answers: &'a Answers,
    requests: std::sync::Mutex<Vec<Request>>,
}

impl Fetch for Recorder<'_> {
    async fn fetch(&self, request: Request) -> Result<Vec<u8>, String> {
        self.requests.lock().unwrap().push(request.clone());
        self.answers.fetch(request).await
    }
}

impl<'a> Recorder<'a> {
    fn new(answers: &'a Answers) -> Self {
        let requests = std::sync::Mutex::default();
        Self { answers, requests }
    }

    fn take(&self) -> Vec<Request> {
        std::mem::take(&mut self.requests.lock().unwrap())
    }
}

#[tokio::test]
async fn revocation_is_asked_once_and_within_limits() {
    let (inputs, _) = read();
    let target = inputs.target.as_ref().unwrap();
    let answers = &inputs.answers["revocation by both: list good"];
    let (recorder, cache) = (Recorder::new(answers), StateCache::default());
    let attachment = inputs.envelopes["jws revocable by both"].clone();
    let trusted = requirement(&inputs, "strict", "root");
    let verify = |requirement: SignatureRequirement| {
        let attachment = attachment.clone();
        let (recorder, cache, now) = (&recorder, &cache, inputs.now);
        async move {
            requirement
                .verify(target, attachment, now, recorder, cache, &budget())
                .await
        }
    };
    assert!(verify(trusted.clone()).await.unwrap().is_verified);
    let [responder, list] = &*recorder.take() else {
        panic!("two requests");
    };
    assert!(responder.url.starts_with("http://ocsp.example/") && responder.body.is_none());
    assert_eq!(
        (responder.timeout.as_secs(), responder.limit),
        (2, 20 << 10)
    );
    assert_eq!(list.url, "http://crl.example/list");
    assert_eq!((list.timeout.as_secs(), list.limit), (5, 32 << 20));
    // The list is cached, the responder that did not answer is not.
    assert!(verify(trusted).await.unwrap().is_verified);
    let asked: Vec<String> = recorder
        .take()
        .into_iter()
        .map(|request| request.url)
        .collect();
    assert_eq!(asked, std::slice::from_ref(&responder.url));
    // The addresses of a foreign chain are its own words.
    let ignored = verify(requirement(&inputs, "audit", "empty"))
        .await
        .unwrap();
    assert!(!ignored.is_verified);
    assert_eq!(recorder.take(), []);
}

/// The decoder sorts the parts of a name by insertion, so that a name of a megabyte takes minutes.
#[test]
fn large_certificates_and_stamps_are_refused() {
    let large = vec![0x30; 33 << 10];
    let error = Certificate::from_der(&large).unwrap_err().to_string();
    assert!(error.ends_with("it is larger than 16384 bytes"), "{error}");
    let error = stamp::verify(&large, b"", &[]).unwrap_err();
    assert!(error.ends_with("it is larger than 32768 bytes"), "{error}");
}

#[tokio::test]
async fn signatures_and_lists_share_one_budget() {
    let (inputs, _) = read();
    let target = inputs.target.as_ref().unwrap();
    let answers = &inputs.answers["revocation by list: good"];
    let attachment = &inputs.envelopes["jws revocable by list"];
    let requirement = requirement(&inputs, "strict", "root");
    let verify = async |budget: &Budget| {
        let cache = StateCache::default();
        requirement
            .verify(
                target,
                attachment.clone(),
                inputs.now,
                answers,
                &cache,
                budget,
            )
            .await
    };
    let list = u64::try_from(answers.0.values().map(Vec::len).sum::<usize>()).unwrap();
    let checks = 3 * 1000 + u64::try_from(attachment.bytes.len()).unwrap();
    let enough = Budget::new(checks + list, 1 << 20);
    assert!(verify(&enough).await.unwrap().is_verified);
    let error = verify(&enough).await.unwrap_err();
    assert!(error.contains("steps"), "{error}");
    let error = verify(&Budget::new(checks + list - 1, 1 << 20)).await;
    let error = error.unwrap_err();
    assert!(
        error.contains("CRL at ") && error.contains("steps"),
        "{error}"
    );
}
