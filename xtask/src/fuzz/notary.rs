//! Signatures of the Notary Project: envelopes, stamps and answers about revocation.
//!
//! No input makes a reader panic, hang or use unbounded memory.

use std::sync::{Arc, LazyLock};

use base64::Engine as _;
use base64::prelude::BASE64_STANDARD;
use jiff::Timestamp;
use serde_json::{Value, json};
use sluice_attest::notary::{
    Attachment, Certificate, Fetch, Request, Requirement, SignatureRequirement, StateCache,
    Target as Artifact, Verifier,
};
use sluice_system::budget::Budget;
use tokio::runtime::Runtime;

use super::Target;

const VECTORS: &str =
    include_str!("../../../crates/content/attest/tests/oracle/notary/vectors.jsonl");
const JWS: &str = "application/jose+json";
const COSE: &str = "application/cose";

static RUNTIME: LazyLock<Runtime> = LazyLock::new(|| Runtime::new().expect("threads"));
static CASE: LazyLock<Case> = LazyLock::new(Case::read);

/// The trust of every input, and an envelope whose chain names a responder and a list.
struct Case {
    requirement: Box<SignatureRequirement>,
    target: Artifact,
    now: Timestamp,
    revocable: Vec<u8>,
}

/// One answer for all requests.
struct Answer(Option<Vec<u8>>);

impl Fetch for Answer {
    async fn fetch(&self, _: Request) -> Result<Vec<u8>, String> {
        self.0.clone().ok_or_else(|| "no answer".to_owned())
    }
}

fn lines() -> impl Iterator<Item = Value> {
    let lines = VECTORS.lines();
    lines.map(|line| serde_json::from_str(line).expect("a recorded line"))
}

fn decode(value: &Value) -> Vec<u8> {
    let text = value.as_str().unwrap_or_default();
    BASE64_STANDARD.decode(text).expect("recorded bytes")
}

impl Case {
    fn read() -> Self {
        let find = |key: &str, name: &str, field: &str| {
            let mut found = lines().filter(|line| line[key] == name);
            decode(&found.next().expect("a recorded line")[field])
        };
        let head = lines().next().expect("a first line");
        let policy = json!({
            "version": "1.0",
            "trustPolicies": [{
                "name": "a",
                "registryScopes": ["*"],
                "signatureVerification": { "level": "strict" },
                "trustStores": ["ca:a", "tsa:a", "signingAuthority:a"],
                "trustedIdentities": ["*"],
            }],
        });
        let policy = serde_json::from_value(policy).expect("a policy");
        let pool = Certificate::read_all(&find("pool", "stamps", "certificates"));
        let pool = pool.map_err(|error| error.to_string());
        let verifier = Arc::new(Verifier::new(policy, pool).expect("a valid policy"));
        let target: Artifact = serde_json::from_value(head["target"].clone()).expect("a target");
        let requirement = verifier.requirement("registry.example/app", &target.digest);
        let requirement = match requirement {
            Ok(Requirement::Signature(requirement)) => Some(requirement),
            _ => None,
        };
        let requirement = requirement.expect("the policy verifies");
        Self {
            requirement,
            target,
            now: Timestamp::from_second(head["now"].as_i64().expect("a time")).expect("a time"),
            revocable: find("envelope", "jws revocable by both", "bytes"),
        }
    }

    fn verify(&self, media_type: &str, bytes: &[u8], answer: Option<&[u8]>) {
        let attachment = Attachment {
            media_type: media_type.to_owned(),
            bytes: bytes.to_vec(),
        };
        let answer = Answer(answer.map(<[u8]>::to_vec));
        let cache = StateCache::default();
        let budget = Budget::new(1 << 28, 128 << 20);
        let verifying =
            self.requirement
                .verify(&self.target, attachment, self.now, &answer, &cache, &budget);
        drop(RUNTIME.block_on(verifying));
    }
}

/// Verifies envelopes in both formats, and a revocable one with an answer. The first byte chooses.
pub(super) const SIGNATURES: Target = Target {
    name: "notary",
    run: |bytes| {
        let case = &*CASE;
        match bytes {
            [b'j', envelope @ ..] => case.verify(JWS, envelope, None),
            [b'a', answer @ ..] => case.verify(JWS, &case.revocable, Some(answer)),
            _ => case.verify(COSE, bytes.get(1..).unwrap_or_default(), None),
        }
    },
    seeds: || {
        let mut seeds = Vec::new();
        for line in lines() {
            if line["envelope"].is_string() && line["type"].is_string() {
                let kind = if line["type"] == JWS { b'j' } else { b'c' };
                seeds.push([vec![kind], decode(&line["bytes"])].concat());
            }
            for body in line["bodies"]
                .as_object()
                .into_iter()
                .flat_map(|all| all.values())
            {
                seeds.push([vec![b'a'], decode(body)].concat());
            }
        }
        seeds
    },
    words: &[
        "\"payload\":\"",
        "\"protected\":\"",
        "\"header\":{",
        "\"x5c\":[\"",
        "\"signature\":\"",
        "io.cncf.notary.signingScheme",
        "io.cncf.notary.timestampSignature",
        "\u{12}\u{1}",
    ],
};
