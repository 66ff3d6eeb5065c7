//! Our readers and our writers against Go's, on thousands of texts.
//!
//! The oracle is a small Go program beside this file, over the versions that
//! kustomize is built with. It is built where there is a Go toolchain; with
//! `REQUIRE_ORACLES=1` its absence is a failure. A sample of its answers is
//! recorded under `vectors`, so that the comparison means something without Go;
//! `REFRESH_VECTORS=1` records them anew. Millions of texts are compared by
//! `cargo xtask differential yaml`.

#![expect(
    clippy::unwrap_used,
    reason = "a helper that fails is a test that fails"
)]
#![expect(
    clippy::disallowed_methods,
    reason = "the oracle is a program of its own, the environment says what to require, \
              and the vectors lie beside the test"
)]

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use serde_json::{Value, json};

#[path = "differential/generator.rs"]
mod generator;
#[path = "differential/oracle.rs"]
#[expect(dead_code, reason = "what no test reads, a failing test prints")]
mod oracle;
#[path = "differential/written.rs"]
mod written;

use generator::Generator;
use oracle::{Answer, Do, Oracle, compare};

/// Everything that is asked.
const ALL: [Do; 10] = [
    Do::Read,
    Do::Strict,
    Do::Write,
    Do::Json,
    Do::V3,
    Do::Compact,
    Do::Wide,
    Do::Inflate,
    Do::Value,
    Do::Indent,
];

fn is_set(variable: &str) -> bool {
    std::env::var(variable).is_ok_and(|value| value == "1")
}

fn directory(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("tests")
        .join(name)
}

#[expect(clippy::print_stderr, reason = "a skipped test has to say so")]
fn oracle() -> Option<Oracle> {
    let target = Path::new(env!("CARGO_TARGET_TMPDIR"));
    match Oracle::build(&directory("oracle"), target) {
        Ok(oracle) => Some(oracle),
        Err(why) => {
            assert!(!is_set("REQUIRE_ORACLES"), "{why}");
            eprintln!("skipped: {why}");
            None
        }
    }
}

/// What longer runs found to differ, in its smallest form.
const FOUND: [(Do, &str); 12] = [
    (Do::Inflate, "7:\n- &x1 {}\n- &x3\n <<: *x1\n- <<: *x3\n"),
    (
        Do::Inflate,
        "y: &y {q: 1}\na: &x\n  <<: *y\n  r: 2\nb:\n  <<: *x\n",
    ),
    (
        Do::Inflate,
        "- &y {q: 1}\n- &x\n  <<: *y\n  r: 2\n- <<: *x\n",
    ),
    (
        Do::Inflate,
        "7:\n- &y {}\n- &x\n  <<: *y\n- c: *x\n- <<: *x\n",
    ),
    (Do::V3, "&y b: --\n*y:"),
    (Do::V3, "a:\n  &y b: x\n  *y: z\n"),
    (Do::V3, "z: &z {b: 1}\na:\n  &y b: x\n  *y: z\n  <<: *z\n"),
    (Do::Read, "?\n  a:\n  a:"),
    (Do::Read, "? {b: 1, a: 2, b: 3}\n: x"),
    (Do::V3, "?\n  a:\n  a:"),
    (Do::Value, "? !s\n a:"),
    (Do::Strict, "?\n  a: 0\n  a:"),
];

fn requests(seed: u64, scale: usize) -> Vec<(Do, String)> {
    let mut generator = Generator::new(seed);
    let found = FOUND.map(|(what, text)| (what, text.to_owned()));
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
fn go_and_we_agree_on_generated_texts() {
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

fn vectors(what: Do) -> PathBuf {
    directory("vectors").join(format!("{}.jsonl", what.name()))
}

#[test]
fn recorded_answers_of_go_are_ours() {
    if is_set("REFRESH_VECTORS") {
        record(&oracle().expect("recording needs the oracle"));
    }
    let mut count = 0;
    for what in ALL {
        let recorded = std::fs::read_to_string(vectors(what)).unwrap();
        count += recorded.lines().count();
        let differences = compare(recorded.lines().map(|line| {
            let vector: Value = serde_json::from_str(line).unwrap();
            let asked = vector["ask"].as_str().unwrap().to_owned();
            (what, asked, Answer::from_json(&vector))
        }));
        assert!(differences.is_empty(), "{differences:#?}");
    }
    assert!(count >= 4_000, "only {count} vectors");
}

/// Records every so many answers; texts that are long teach little more.
fn record(oracle: &Oracle) {
    let mut files: BTreeMap<Do, String> = BTreeMap::new();
    for what in ALL {
        let requests = requests(2, 400).into_iter();
        let sample = requests.filter(|(asked, text)| *asked == what && text.len() < 400);
        let sample: Vec<_> = sample.collect();
        let step = sample.len().div_ceil(700).max(1);
        let found = FOUND.iter().filter(|(asked, _)| *asked == what);
        let found = found.map(|(what, text)| (*what, (*text).to_owned()));
        let sample = sample.into_iter().step_by(step).chain(found).collect();
        let sample = oracle.steady(sample, Clone::clone);
        let answers = oracle.ask(&sample);
        for ((what, text), answer) in sample.into_iter().zip(answers) {
            let mut vector = json!({"ask": text, "text": answer.text});
            if !answer.error.is_empty() {
                vector["error"] = answer.error.into();
            }
            let file = files.entry(what).or_default();
            writeln!(file, "{vector}").unwrap();
        }
    }
    for (what, lines) in files {
        std::fs::write(vectors(what), lines).unwrap();
    }
}
