//! Passes an invalid value to every flag of Flux's command line, and expects Flux's result and
//! words.
//!
//! `wrong-values.tsv` records the command line, the exit code and the line on stderr of `flux`
//! v2.9.4. `--help` after the flag prevents any other check.
//!
//! `wrong-values-ours.tsv` has the intended differences: exit code 2 for a failed comparison, early
//! errors, and flags that Flux lacks.

use std::collections::BTreeMap;
use std::process::{Command, Stdio};

use crate::program;

const FLUX: &str = include_str!("wrong-values.tsv");
const OURS: &str = include_str!("wrong-values-ours.tsv");

/// Returns exit code and message by command line.
fn recorded(text: &str) -> BTreeMap<&str, (i32, &str)> {
    text.lines()
        .map(|line| {
            let mut cells = line.splitn(3, '\t');
            let mut cell = || cells.next().unwrap();
            (cell(), (cell().parse().unwrap(), cell()))
        })
        .collect()
}

/// Ways to name a valid value.
const NEXT_STEPS: [&str; 4] = [
    "\n  hint: ",
    "must be one of: ",
    "must be in format <kind>/<name>",
    "in type=status or type!=status format",
];

/// Returns exit code and stderr.
fn run(arguments: &[&str]) -> (i32, String) {
    let output = Command::new(program::flux())
        .args(arguments)
        .env("KUBECONFIG", "/nonexistent/kubeconfig")
        .env("HOME", "/nonexistent")
        .env_remove("FLUX_COMPAT")
        .stdin(Stdio::null())
        .output()
        .unwrap();
    let told = String::from_utf8(output.stderr).unwrap();
    (output.status.code().unwrap(), told)
}

fn flux(arguments: &[&str]) -> (i32, String) {
    let (code, told) = run(arguments);
    let told = if code == 0 {
        ""
    } else {
        told.lines().next().unwrap_or_default()
    };
    (code, told.to_owned())
}

#[test]
fn every_wrong_value_is_refused_as_in_flux() {
    let (theirs, ours) = (recorded(FLUX), recorded(OURS));
    let mut wrong = Vec::new();
    for (line, expected) in &theirs {
        let expected = ours.get(line).unwrap_or(expected);
        let mut arguments: Vec<&str> = line.split(' ').collect();
        arguments.push("--help");
        let (code, told) = flux(&arguments);
        if (code, told.as_str()) != *expected {
            wrong.push(format!(
                "{line}\t{code}\t{told}\n  expected {} {}",
                expected.0, expected.1
            ));
        }
    }
    assert!(
        wrong.is_empty(),
        "{} of {}:\n{}",
        wrong.len(),
        theirs.len(),
        wrong.join("\n")
    );
}

#[test]
fn every_refusal_names_a_valid_value() {
    let lines = recorded(FLUX).into_keys().chain(recorded(OURS).into_keys());
    for line in lines {
        let mut arguments: Vec<&str> = line.split(' ').collect();
        arguments.push("--help");
        let (code, told) = run(&arguments);
        let has_next_step = NEXT_STEPS.iter().any(|step| told.contains(step));
        assert!(code == 0 || has_next_step, "{line}: {told}");
    }
}

#[test]
fn every_flag_that_takes_a_value_needs_one() {
    for line in FLUX.lines() {
        let (line, _) = line.split_once('\t').unwrap();
        let (line, value) = line.rsplit_once('=').unwrap();
        // A boolean flag needs no value.
        if value == "maybe" || line.ends_with("--add-ignore-paths") {
            continue;
        }
        let (_, flag) = line.rsplit_once(' ').unwrap();
        let arguments: Vec<&str> = line.split(' ').collect();
        let told = format!("✗ flag needs an argument: {flag}");
        let code = if line.starts_with("diff kustomization ") {
            2
        } else {
            1
        };
        assert_eq!(flux(&arguments), (code, told), "{line}");
    }
}
