//! Compares expressions with cel-go.
//!
//! The oracle is a Go program in `oracle/`. Recorded answers are replayed by the unit tests.
//! `cargo xtask vectors` records answers, and `--compare` asks more questions.

#[path = "differential/expressions.rs"]
mod expressions;
#[path = "differential/subject.rs"]
mod subject;

use sluice_oracle::Suite;

use subject::Cel;

fn suite() -> Suite {
    Suite::new(concat!(env!("CARGO_MANIFEST_DIR"), "/tests"))
}

#[test]
fn expressions_evaluate_as_in_cel_go() {
    suite().assert_agreement(Cel, 3000, expressions::question);
}

#[test]
fn recorded_answers_are_up_to_date() {
    suite().assert_up_to_date([Cel]);
}
