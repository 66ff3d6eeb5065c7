//! Our readers and our writer against Go's, on thousands of texts.
//!
//! The oracle is a small Go program beside this file, over the versions that
//! kustomize is built with. It is built where there is a Go toolchain; with
//! `REQUIRE_ORACLES=1` its absence is a failure. A sample of its answers is
//! recorded under `vectors`, so that the comparison means something without Go;
//! `REFRESH_VECTORS=1` records them anew.

#![expect(
    clippy::unwrap_used,
    reason = "a helper that fails is a test that fails"
)]

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::Stdio;

use serde_json::{Value, json};
use sluice_yaml::{Error, json as go_json, v2, v3};

#[path = "differential/generator.rs"]
mod generator;

use generator::Generator;

/// What is asked of the oracle and of us.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Do {
    /// YAML to JSON in the second dialect.
    Read,
    /// The same, strictly.
    Strict,
    /// JSON to YAML in the second dialect.
    Write,
    /// YAML to JSON in the third dialect.
    V3,
}

impl Do {
    fn name(self) -> &'static str {
        match self {
            Self::Read => "read",
            Self::Strict => "strict",
            Self::Write => "write",
            Self::V3 => "v3",
        }
    }

    fn ours(self, text: &str) -> Answer {
        let print = |value: &Value| go_json::to_string(value);
        let answer: Result<String, Error> = match self {
            Self::Read => v2::from_str(text).map(|value| print(&value)),
            Self::Strict => v2::from_str_strict(text).map(|value| print(&value)),
            Self::Write => go_json::from_str(text).map(|value| v2::to_string(&value)),
            Self::V3 => v3::from_str(text).map(|value| print(&value)),
        };
        match answer {
            Ok(text) => Answer {
                text,
                error: String::new(),
            },
            Err(error) => Answer {
                text: String::new(),
                error: error.to_string(),
            },
        }
    }
}

#[derive(Debug, Clone, PartialEq, Eq)]
struct Answer {
    text: String,
    error: String,
}

impl Answer {
    fn from_json(value: &Value) -> Self {
        let field = |name| value[name].as_str().unwrap_or_default().to_owned();
        Self {
            text: field("text"),
            error: field("error"),
        }
    }
}

#[expect(
    clippy::disallowed_methods,
    reason = "tests are told by the environment what to require"
)]
fn is_set(variable: &str) -> bool {
    std::env::var(variable).is_ok_and(|value| value == "1")
}

fn directory(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("tests")
        .join(name)
}

/// Builds the oracle; `None` without a Go toolchain.
#[expect(
    clippy::disallowed_methods,
    reason = "the oracle is a program of its own"
)]
fn oracle() -> Option<PathBuf> {
    let binary = Path::new(env!("CARGO_TARGET_TMPDIR")).join("yaml-oracle");
    let built = std::process::Command::new("go")
        .args(["build", "-o"])
        .arg(&binary)
        .arg(".")
        .env("GOTOOLCHAIN", "local")
        .env("GOFLAGS", "-mod=readonly")
        .current_dir(directory("oracle"))
        .output();
    match built {
        Ok(output) if output.status.success() => Some(binary),
        Ok(output) => {
            let message = String::from_utf8_lossy(&output.stderr).into_owned();
            skip(&format!("the oracle does not build: {message}"))
        }
        Err(error) => skip(&format!("no Go toolchain: {error}")),
    }
}

#[expect(clippy::print_stderr, reason = "a skipped test has to say so")]
fn skip<T>(why: &str) -> Option<T> {
    assert!(!is_set("REQUIRE_ORACLES"), "{why}");
    eprintln!("skipped: {why}");
    None
}

#[expect(
    clippy::disallowed_methods,
    reason = "the oracle is a program of its own"
)]
fn ask(oracle: &Path, requests: &[(Do, String)]) -> Vec<Answer> {
    let mut child = std::process::Command::new(oracle)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut input = child.stdin.take().unwrap();
    let mut lines = String::new();
    for (what, text) in requests {
        let request = json!({"do": what.name(), "text": text});
        writeln!(lines, "{request}").unwrap();
    }
    let writer = std::thread::spawn(move || input.write_all(lines.as_bytes()).unwrap());
    let output = child.wait_with_output().unwrap();
    writer.join().unwrap();
    assert!(output.status.success());
    let answers: Vec<_> = serde_json::Deserializer::from_slice(&output.stdout)
        .into_iter::<Value>()
        .map(|value| Answer::from_json(&value.unwrap()))
        .collect();
    assert_eq!(answers.len(), requests.len());
    answers
}

/// Is a difference one that the crate's documentation announces?
fn is_announced(what: Do, text: &str, theirs: &Answer, ours: &Answer) -> bool {
    match what {
        // Upstream cannot read back its own JSON if it holds raw control
        // characters; we print them as escapes.
        Do::Write => {
            theirs.error == "yaml: control characters are not allowed"
                || !theirs.error.is_empty() && text.contains('\u{85}')
        }
        // A text that crashes upstream need not crash us.
        Do::Read | Do::Strict => theirs.error.starts_with("panic: "),
        // The third version scans comments as it goes, so that in a text with
        // two faults it may meet the other one first.
        Do::V3 => {
            theirs.error.starts_with("panic: ")
                || !theirs.error.is_empty() && !ours.error.is_empty()
        }
    }
}

/// Compares all, and returns how many there were and what differs.
fn compare(answers: impl Iterator<Item = (Do, String, Answer)>) -> (usize, Vec<Difference>) {
    let mut count = 0;
    let mut differences = Vec::new();
    for (what, text, theirs) in answers {
        count += 1;
        let ours = what.ours(&text);
        if ours != theirs && !is_announced(what, &text, &theirs, &ours) {
            differences.push(Difference {
                what,
                text,
                theirs,
                ours,
            });
        }
    }
    (count, differences)
}

/// A text on which Go and we differ.
#[derive(Debug)]
#[expect(dead_code, reason = "what is not read is printed")]
struct Difference {
    what: Do,
    text: String,
    theirs: Answer,
    ours: Answer,
}

/// How often Go is asked again where its answer may be a matter of chance: it
/// sorts the keys of a map from a random start by an order that is not always
/// transitive, and drops one of two keys that are the same text at random.
const RETRIES: usize = 30;

/// Keeps the texts on which Go always gives the same answer.
fn stable<T>(oracle: &Path, texts: Vec<T>, key: impl Fn(&T) -> (Do, String)) -> Vec<T> {
    let again: Vec<_> = texts
        .iter()
        .flat_map(|text| std::iter::repeat_n(key(text), RETRIES))
        .collect();
    let answers = ask(oracle, &again);
    let chances = answers.chunks(RETRIES);
    let mut steady = chances.map(|answers| answers.iter().all(|answer| *answer == answers[0]));
    let mut texts = texts;
    texts.retain(|_| steady.next().unwrap());
    texts
}

fn requests(seed: u64, scale: usize) -> Vec<(Do, String)> {
    let mut generator = Generator::new(seed);
    let mut requests = Vec::new();
    for text in generator.scalars() {
        requests.push((Do::Write, go_json::to_string(&json!({ "k": text }))));
        requests.push((
            Do::Write,
            go_json::to_string(&json!({ text.as_str(): [text] })),
        ));
        for line in [
            format!("k: {text}\n"),
            format!("- {text}"),
            format!("[{text}, a]"),
        ] {
            requests.push((Do::Read, line.clone()));
            requests.push((Do::V3, line));
        }
    }
    for _ in 0..scale {
        let value = generator.tree(4);
        requests.push((Do::Write, go_json::to_string(&value)));
        // What we print, Go must read as what it was.
        let printed = v2::to_string(&value);
        requests.push((Do::Read, printed.clone()));
        requests.push((Do::V3, printed));
        let document = generator.document();
        for what in [Do::Read, Do::Strict, Do::V3] {
            requests.push((what, document.clone()));
        }
    }
    requests
}

#[test]
fn go_and_we_agree_on_generated_texts() {
    let Some(oracle) = oracle() else { return };
    let requests = requests(1, 4_000);
    let answers = ask(&oracle, &requests);
    let asked = requests.into_iter().zip(answers);
    let (count, differences) = compare(asked.map(|((what, text), answer)| (what, text, answer)));
    let differences = stable(&oracle, differences, |found| {
        (found.what, found.text.clone())
    });
    assert!(differences.is_empty(), "{differences:#?}");
    assert!(count >= 20_000, "only {count} texts");
}

fn vectors(what: Do) -> PathBuf {
    directory("vectors").join(format!("{}.jsonl", what.name()))
}

#[test]
#[expect(clippy::disallowed_methods, reason = "the vectors lie beside the test")]
fn recorded_answers_of_go_are_ours() {
    if is_set("REFRESH_VECTORS") {
        record(&oracle().expect("recording needs the oracle"));
    }
    let mut count = 0;
    for what in [Do::Read, Do::Strict, Do::Write, Do::V3] {
        let recorded = std::fs::read_to_string(vectors(what)).unwrap();
        let (compared, differences) = compare(recorded.lines().map(|line| {
            let vector: Value = serde_json::from_str(line).unwrap();
            let asked = vector["ask"].as_str().unwrap().to_owned();
            (what, asked, Answer::from_json(&vector))
        }));
        assert!(differences.is_empty(), "{differences:#?}");
        count += compared;
    }
    assert!(count >= 2_000, "only {count} vectors");
}

/// Records every so many answers; texts that are long teach little more.
#[expect(clippy::disallowed_methods, reason = "the vectors lie beside the test")]
fn record(oracle: &Path) {
    let requests = requests(2, 400);
    let sample: Vec<_> = requests
        .into_iter()
        .filter(|(_, text)| text.len() < 400)
        .step_by(9)
        .collect();
    let sample = stable(oracle, sample, Clone::clone);
    let answers = ask(oracle, &sample);
    let mut files: BTreeMap<Do, String> = BTreeMap::new();
    for ((what, text), answer) in sample.into_iter().zip(answers) {
        let mut vector = json!({"ask": text, "text": answer.text});
        if !answer.error.is_empty() {
            vector["error"] = answer.error.into();
        }
        let file = files.entry(what).or_default();
        writeln!(file, "{vector}").unwrap();
    }
    for (what, lines) in files {
        std::fs::write(vectors(what), lines).unwrap();
    }
}
