//! Compares health with Flux, over generated objects of every kind with a rule.
//!
//! `health/vectors.jsonl` records objects, their pods, and the answers of Flux's status reader
//! (the Go program in `health/oracle`). `RECORD=1` generates and records them again; otherwise no
//! test needs Go.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]
#![expect(clippy::disallowed_methods, reason = "the oracle is a Go program")]

use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use jiff::Timestamp;
use serde_json::Value;
use sluice_object::Object;
use sluice_object::status::{self, Health, Status};
use sluice_oracle::Random;

#[path = "health/generated.rs"]
mod generated;

/// Number of recorded objects.
const COUNT: usize = 600;

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/health")
}

#[test]
fn health_equals_the_recorded_answers() {
    if std::env::var_os("RECORD").is_some() {
        record();
    }
    let vectors = std::fs::read_to_string(folder().join("vectors.jsonl")).unwrap();
    let mut differ = Vec::new();
    let (mut judged, mut statuses) = (0, std::collections::BTreeSet::new());
    for line in vectors.lines() {
        let vector: Value = serde_json::from_str(line).unwrap();
        let ours = judge(&vector);
        let theirs = (
            vector["status"].as_str().unwrap(),
            vector["message"].as_str().unwrap_or_default(),
        );
        // Error texts differ where Flux returns an error.
        let fails = vector["fails"] == true && ours.status == Status::Unknown;
        let same = (ours.status.to_string().as_str(), ours.message.as_str()) == theirs;
        let both_fail = fails && theirs.0 == "Unknown";
        if !same && !both_fail {
            differ.push(format!("{line}\nours: {} {}", ours.status, ours.message));
        }
        judged += 1;
        statuses.insert(theirs.0.to_owned());
    }
    let found = differ.len();
    differ.truncate(5);
    assert!(found == 0, "{found} differ:\n{}", differ.join("\n"));
    assert_eq!((judged, statuses.len()), (COUNT, 5), "{statuses:?}");
}

fn judge(vector: &Value) -> Health {
    let object = |value: &Value| Object::try_from(value.clone()).unwrap();
    let now: Timestamp = "2026-01-01T00:00:00Z".parse().unwrap();
    let judged = object(&vector["object"]);
    let health = status::compute(&judged, now);
    if !status::depends_on_pods(judged.group(), judged.kind()) {
        return health;
    }
    let pods = vector["pods"].as_array().into_iter().flatten();
    let pods: Vec<Object> = pods.map(object).collect();
    status::with_pods(health, &pods, now)
}

/// Generates objects and records the answers of Flux.
fn record() {
    let target = tempfile::tempdir().unwrap();
    let oracle = target.path().join("oracle");
    let built = Command::new("go")
        .args(["build", "-mod=readonly", "-o"])
        .arg(&oracle)
        .current_dir(folder().join("oracle"))
        .env("GOTOOLCHAIN", "local")
        .status()
        .unwrap();
    assert!(built.success());
    let mut random = Random::new(1);
    let mut questions = String::new();
    for _ in 0..COUNT {
        questions.push_str(&generated::question(&mut random).to_string());
        questions.push('\n');
    }
    let mut asked = Command::new(&oracle)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut stdin = asked.stdin.take().unwrap();
    let writer = std::thread::spawn(move || stdin.write_all(questions.as_bytes()));
    let answered = asked.wait_with_output().unwrap();
    writer.join().unwrap().unwrap();
    assert!(answered.status.success());
    std::fs::write(folder().join("vectors.jsonl"), answered.stdout).unwrap();
}

#[test]
fn generated_objects_cover_every_kind_with_a_rule() {
    let mut random = Random::new(2);
    let kinds: std::collections::BTreeSet<String> = (0..COUNT)
        .map(|_| generated::question(&mut random)["object"]["kind"].to_string())
        .collect();
    assert_eq!(kinds.len(), generated::KINDS.len(), "{kinds:?}");
}
