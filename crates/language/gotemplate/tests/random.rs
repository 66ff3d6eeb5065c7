//! Random templates against Go's text/template and sprig.
//!
//! Each test generates templates from a seed, and asks the program in `oracle` and this engine.
//! Outputs and error texts must agree. `CASES` and `SEED` set the number and the seed, for long
//! runs: `CASES=1000000 SEED=7 cargo test --release -p sluice-gotemplate --test random`. The tests
//! are skipped without Go.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]
#![expect(
    clippy::print_stderr,
    clippy::disallowed_methods,
    reason = "Go is another program, and the test prints counts"
)]

#[path = "vectors/answer.rs"]
mod answer;
#[path = "vectors/fixture.rs"]
mod fixture;
#[path = "random/generator.rs"]
mod generator;
#[path = "random/tables.rs"]
mod tables;

use std::fmt::Write as _;
use std::path::Path;

use answer::{Answer, common_data, folder, ours, shown, theirs};
use generator::Generator;
use serde_json::{Value as Json, json};
use sluice_oracle::Oracle;
use sluice_skip::{Requirement, skip};

/// Questions that the oracle gets at once.
const BATCH: usize = 20_000;
/// The most differences that are printed.
const SHOWN: usize = 10;

fn number(variable: &str, default: u64) -> u64 {
    let value = std::env::var(variable).ok();
    value
        .and_then(|value| value.parse().ok())
        .unwrap_or(default)
}

/// Compares the answers to generated templates.
fn compare(default: u64, generate: impl Fn(&mut Generator) -> String) {
    let target = tempfile::tempdir().unwrap();
    let oracle = match Oracle::build(&folder().join("oracle"), target.path()) {
        Ok(oracle) => oracle,
        Err(problem) => return skip(Requirement::Oracle, &problem),
    };
    let (cases, seed) = (number("CASES", default), number("SEED", 1));
    let cases = usize::try_from(cases).unwrap();
    let mut generator = Generator::new(seed);
    let (mut different, mut asked, mut errors) = (Vec::new(), 0, 0);
    while asked < cases {
        let templates = (asked..cases.min(asked + BATCH)).map(|_| generate(&mut generator));
        let templates: Vec<String> = templates.collect();
        asked += templates.len();
        errors += ask(&oracle, &templates, &mut different);
    }
    eprintln!("{asked} templates, of which {errors} are errors");
    let found = different.len();
    different.truncate(SHOWN);
    assert!(
        found == 0,
        "{found} of {asked} differ:\n{}",
        different.join("\n")
    );
    // A generator whose templates all fail would prove nothing.
    assert!(errors < asked, "all {asked} are errors");
}

/// Asks both sides, and returns how many answers are errors.
fn ask(oracle: &Oracle, templates: &[String], different: &mut Vec<String>) -> usize {
    let mut questions = String::new();
    for template in templates {
        let question = json!({ "template": template, "missingkey": "zero" });
        writeln!(questions, "{question}").unwrap();
    }
    let data = folder().join("vectors/data.json");
    let answers = match oracle.fill_in(argument(&data), &questions) {
        Ok(answers) => answers,
        // A template ended the oracle, as one can end Helm.
        Err(problem) if templates.len() == 1 => {
            eprintln!("{problem}: {}", templates[0]);
            return 1;
        }
        Err(_) => {
            let (left, right) = templates.split_at(templates.len() / 2);
            return ask(oracle, left, different) + ask(oracle, right, different);
        }
    };
    let common = common_data();
    let mut errors = 0;
    for line in answers.lines() {
        let vector: Json = serde_json::from_str(line).unwrap();
        let theirs = theirs(&vector);
        errors += usize::from(matches!(theirs, Answer::Error { .. }));
        let ours = ours(&vector, &common);
        if ours != theirs && !is_excused(&ours, &theirs) {
            different.push(format!(
                "template {}\n  Go   {}\n  ours {}",
                vector["template"],
                shown(&theirs),
                shown(&ours)
            ));
        }
    }
    errors
}

fn argument(path: &Path) -> &str {
    path.to_str().unwrap()
}

/// Whether a difference is expected. The budget ends loops that Go runs without an end. Addresses
/// of fixtures differ in each run. A time with a verb for numbers prints the private fields of
/// Go's.
fn is_excused(ours: &Answer, theirs: &Answer) -> bool {
    let is_ours =
        |part: &str| matches!(ours, Answer::Error { message, .. } if message.contains(part));
    let is_theirs = |part: &str| match theirs {
        Answer::Error { message, .. } => message.contains(part),
        Answer::Output(text) => String::from_utf8_lossy(text).contains(part),
    };
    ["budget", "limit"].into_iter().any(is_ours)
        || ["fix:", "0xc0", "time.Location"].into_iter().any(is_theirs)
}

#[test]
fn random_templates_do_what_go_does() {
    compare(5_000, Generator::template);
}

#[test]
fn damaged_templates_fail_as_in_go() {
    compare(5_000, Generator::damaged);
}

#[test]
fn random_formats_print_as_by_fmt() {
    compare(5_000, Generator::format);
}
