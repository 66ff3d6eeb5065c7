//! Differential test of our readers and writers with Go's on thousands of texts.
//!
//! The oracle is a small Go program next to this file, with the library versions of kustomize. The
//! test builds it if a Go toolchain exists; with `REQUIRE_ORACLES=1` a missing one is a failure.
//! `vectors` holds a recorded sample of its answers, so the test is useful without Go.
//! `REFRESH_VECTORS=1` records the sample again. `cargo xtask differential yaml` compares millions
//! of texts.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]
#![expect(
    clippy::disallowed_methods,
    reason = "the test runs the oracle, reads the environment and reads vectors next to it"
)]

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use serde_json::{Value, json};
use sluice_skip::{Requirement, skip};

#[path = "differential/generator.rs"]
mod generator;
#[path = "differential/handwritten.rs"]
mod handwritten;
#[path = "differential/oracle.rs"]
#[expect(dead_code, reason = "failure messages print these fields")]
mod oracle;

use generator::Generator;
use oracle::{Answer, Operation, Oracle, compare};

/// Every operation.
const ALL: [Operation; 10] = [
    Operation::Read,
    Operation::Strict,
    Operation::Write,
    Operation::Json,
    Operation::V3,
    Operation::Compact,
    Operation::Wide,
    Operation::Inflate,
    Operation::Value,
    Operation::Indent,
];

fn is_set(variable: &str) -> bool {
    std::env::var(variable).is_ok_and(|value| value == "1")
}

fn directory(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("tests")
        .join(name)
}

fn oracle() -> Option<Oracle> {
    let target = Path::new(env!("CARGO_TARGET_TMPDIR"));
    match Oracle::build(&directory("oracle"), target) {
        Ok(oracle) => Some(oracle),
        Err(why) => {
            skip(Requirement::Oracle, &why);
            None
        }
    }
}

/// Differences that longer runs found, in their smallest form.
const FOUND: [(Operation, &str); 12] = [
    (
        Operation::Inflate,
        "7:\n- &x1 {}\n- &x3\n <<: *x1\n- <<: *x3\n",
    ),
    (
        Operation::Inflate,
        "y: &y {q: 1}\na: &x\n  <<: *y\n  r: 2\nb:\n  <<: *x\n",
    ),
    (
        Operation::Inflate,
        "- &y {q: 1}\n- &x\n  <<: *y\n  r: 2\n- <<: *x\n",
    ),
    (
        Operation::Inflate,
        "7:\n- &y {}\n- &x\n  <<: *y\n- c: *x\n- <<: *x\n",
    ),
    (Operation::V3, "&y b: --\n*y:"),
    (Operation::V3, "a:\n  &y b: x\n  *y: z\n"),
    (
        Operation::V3,
        "z: &z {b: 1}\na:\n  &y b: x\n  *y: z\n  <<: *z\n",
    ),
    (Operation::Read, "?\n  a:\n  a:"),
    (Operation::Read, "? {b: 1, a: 2, b: 3}\n: x"),
    (Operation::V3, "?\n  a:\n  a:"),
    (Operation::Value, "? !s\n a:"),
    (Operation::Strict, "?\n  a: 0\n  a:"),
];

fn requests(seed: u64, scale: usize) -> Vec<(Operation, String)> {
    let mut generator = Generator::new(seed);
    let found = FOUND.map(|(operation, text)| (operation, text.to_owned()));
    let mut requests = Vec::from(found);
    for text in generator.many_scalars(5_000) {
        requests.extend(generator::requests_of_scalar(&text));
    }
    for _ in 0..scale {
        requests.extend(generator.requests_of_tree());
    }
    requests
}

#[test]
fn generated_texts_have_no_difference_from_go() {
    let Some(oracle) = oracle() else { return };
    let requests = requests(1, 2_000);
    let count = requests.len();
    let differences = oracle.differences(requests);
    let step = differences.len().div_ceil(10).max(1);
    let shown = differences.iter().step_by(step).cloned();
    let smallest: Vec<_> = shown.map(|found| oracle.shrink(found)).collect();
    assert!(smallest.is_empty(), "{}: {smallest:#?}", differences.len());
    assert!(count >= 20_000, "only {count} texts");
}

fn vectors(operation: Operation) -> PathBuf {
    directory("vectors").join(format!("{}.jsonl", operation.name()))
}

#[test]
fn recorded_answers_have_no_difference_from_go() {
    if is_set("REFRESH_VECTORS") {
        record(&oracle().expect("recording needs the oracle"));
    }
    let mut count = 0;
    for operation in ALL {
        let recorded = std::fs::read_to_string(vectors(operation)).unwrap();
        let vectors = recorded.lines().count();
        assert!(operation != Operation::Write || vectors >= 1_000);
        count += vectors;
        let differences = compare(recorded.lines().map(|line| {
            let vector: Value = serde_json::from_str(line).unwrap();
            let asked = vector["ask"].as_str().unwrap().to_owned();
            (operation, asked, Answer::from_json(&vector))
        }));
        assert!(differences.is_empty(), "{differences:#?}");
    }
    assert!(count >= 4_000, "only {count} vectors");
}

/// Records a sample of the answers. Long texts are left out, since they add little.
fn record(oracle: &Oracle) {
    let mut files: BTreeMap<Operation, String> = BTreeMap::new();
    for operation in ALL {
        let requests = requests(2, 400).into_iter();
        let sample = requests.filter(|(asked, text)| *asked == operation && text.len() < 400);
        let sample: Vec<_> = sample.collect();
        // Templates print with this writer the most.
        let wanted = if operation == Operation::Write {
            1_200
        } else {
            700
        };
        let step = sample.len().div_ceil(wanted).max(1);
        let found = FOUND.iter().filter(|(asked, _)| *asked == operation);
        let found = found.map(|(operation, text)| (*operation, (*text).to_owned()));
        let sample = sample.into_iter().step_by(step).chain(found).collect();
        let sample = oracle.deterministic(sample, Clone::clone);
        let answers = oracle.ask(&sample);
        for ((operation, text), answer) in sample.into_iter().zip(answers) {
            let mut vector = json!({"ask": text, "text": answer.text});
            if !answer.error.is_empty() {
                vector["error"] = answer.error.into();
            }
            let file = files.entry(operation).or_default();
            writeln!(file, "{vector}").unwrap();
        }
    }
    for (operation, lines) in files {
        std::fs::write(vectors(operation), lines).unwrap();
    }
}
