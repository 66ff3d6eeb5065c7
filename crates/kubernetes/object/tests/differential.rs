//! Patches, selectors and expressions against the libraries that kustomize and Flux use, on
//! thousands of generated questions.
//!
//! The oracle is a Go program beside this file. It is built where there is a Go toolchain; with
//! `REQUIRE_ORACLES=1` its absence is a failure. Recorded answers, which need no Go, are
//! replayed by the tests of each module; `cargo xtask differential patches` asks for longer.

#![expect(
    clippy::unwrap_used,
    clippy::print_stderr,
    clippy::disallowed_methods,
    reason = "a helper that fails is a test that fails; Go is asked by a program of its own"
)]

use std::path::Path;

#[path = "differential/documents.rs"]
mod documents;
#[path = "differential/expressions.rs"]
mod expressions;
#[path = "differential/manifests.rs"]
mod manifests;
#[path = "differential/oracle.rs"]
mod oracle;
#[path = "differential/random.rs"]
mod random;

use oracle::{Do, Oracle};
use random::Random;

/// The oracle; without Go there is nobody to ask.
fn built(target: &Path) -> Option<Oracle> {
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/oracle");
    match Oracle::build(&source, target) {
        Ok(oracle) => Some(oracle),
        Err(why) => {
            let required = std::env::var("REQUIRE_ORACLES").is_ok_and(|value| value == "1");
            assert!(!required, "{why}");
            eprintln!("skipped: {why}");
            None
        }
    }
}

/// Puts generated questions to both.
fn compare(what: Do, count: usize, generate: impl Fn(&mut Random) -> oracle::Question) {
    let target = tempfile::tempdir().unwrap();
    let Some(oracle) = built(target.path()) else {
        return;
    };
    let mut random = Random::new(1);
    let questions: Vec<_> = (0..count).map(|_| generate(&mut random)).collect();
    let mut differences = oracle.differences(what, &questions).unwrap();
    let found = differences.len();
    differences.truncate(5);
    let shown: Vec<String> = differences.iter().map(ToString::to_string).collect();
    assert!(
        found == 0,
        "{found} of {count} differ:\n{}",
        shown.join("\n")
    );
}

#[test]
fn json_patches_apply_as_in_go() {
    compare(Do::JsonPatch, 5000, documents::json_patch);
}

#[test]
fn merge_patches_apply_as_in_go() {
    compare(Do::MergePatch, 5000, documents::merge_patch);
}

#[test]
fn strategic_patches_apply_as_in_kyaml() {
    compare(Do::Strategic, 5000, manifests::pair);
}

#[test]
fn selectors_match_as_in_go() {
    compare(Do::Selector, 5000, documents::selector);
}

#[test]
fn patterns_match_as_in_go() {
    compare(Do::Regexp, 5000, documents::pattern);
}

#[test]
fn expressions_are_checked_and_evaluated_as_by_cel_go() {
    compare(Do::Cel, 3000, expressions::question);
}

/// Expressions are replayed beside their code: they name the objects that they are about.
#[test]
fn what_is_recorded_is_what_we_say() {
    for what in Do::ALL.into_iter().filter(|what| *what != Do::Cel) {
        for line in recorded(what).lines() {
            let vector = serde_json::from_str(line).unwrap();
            let (ours, theirs) = (what.ours(&vector), oracle::answer(&vector));
            assert!(what.agree(&ours, &theirs), "{line}\nours: {ours:?}");
        }
    }
}

fn recorded(what: Do) -> String {
    let file = format!("tests/vectors/{}.jsonl", what.name());
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(file);
    std::fs::read_to_string(path).unwrap()
}

#[test]
fn what_is_recorded_is_what_go_says() {
    let target = tempfile::tempdir().unwrap();
    let Some(oracle) = built(target.path()) else {
        return;
    };
    for what in Do::ALL {
        let recorded = recorded(what);
        let answered = oracle.fill_in(what, &recorded).unwrap();
        assert!(
            recorded == answered,
            "{} is stale: cargo xtask vectors",
            what.name()
        );
    }
}
