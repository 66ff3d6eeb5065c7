//! Compares patches, selectors and patterns with the Go libraries of kustomize and Flux.
//!
//! Recorded answers are replayed without Go; generated questions need the oracle, a Go program
//! in `oracle/`. `cargo xtask vectors` records answers, and `--compare` asks more questions.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

#[path = "differential/documents.rs"]
mod documents;
#[path = "differential/manifests.rs"]
mod manifests;
#[path = "differential/subjects.rs"]
mod subjects;

use sluice_oracle::Suite;

use subjects::Subject;

fn suite() -> Suite {
    Suite::new(concat!(env!("CARGO_MANIFEST_DIR"), "/tests"))
}

#[test]
fn json_patches_apply_as_in_go() {
    suite().assert_agreement(Subject::JsonPatch, 5000, documents::json_patch);
}

#[test]
fn merge_patches_apply_as_in_go() {
    suite().assert_agreement(Subject::MergePatch, 5000, documents::merge_patch);
}

#[test]
fn strategic_patches_apply_as_in_kyaml() {
    suite().assert_agreement(Subject::Strategic, 5000, manifests::pair);
}

#[test]
fn selectors_match_as_in_go() {
    suite().assert_agreement(Subject::Selector, 5000, documents::selector);
}

#[test]
fn patterns_match_as_in_go() {
    suite().assert_agreement(Subject::Regexp, 5000, documents::pattern);
}

#[test]
fn answers_equal_the_recorded_ones() {
    for subject in Subject::ALL {
        suite().assert_recorded(subject);
    }
}

#[test]
fn recorded_answers_are_up_to_date() {
    suite().assert_up_to_date(Subject::ALL);
}
