//! Runs cases on a real API server, one per file below `cases/recorded/`. A new case needs no Rust.
//!
//! A file starts with its claim. Sections follow, each after a line that starts with `=== `:
//!
//! | Section | Content |
//! |---|---|
//! | `objects` | YAML of existing objects, including status |
//! | `controller` | statuses by `Kind/name`, written at each reconciliation request |
//! | `file PATH` | a file below the working directory |
//! | `$ COMMAND` | arguments of the program; `-n` is added if they name no namespace |
//! | `stdout`, `stderr`, `exit N` | expected result; empty and 0 by default |
//! | `flux stdout`, `flux exit N` | Flux's result, if it differs on purpose |
//! | `because TEXT` | text of the row in `docs/differences.md` with the reason |
//! | `ours` | the command does not exist in Flux |
//!
//! Each case has its own namespace, with the name of the file. `{30m ago}` becomes a time.
//!
//! If `REFERENCE_BIN_DIR` has a `flux`, it runs first from the same state. Its stdout and exit code
//! must equal those of the file. `RECORD=1` records them and our stderr, for a review before the
//! commit. `CASES=get-` selects cases by name.

pub(crate) mod file;
pub(crate) mod stage;

use std::path::PathBuf;

use futures::StreamExt as _;
use sluice_testkit::{Reference, Testbed};

use crate::binary::{Call, CommandResult};
use file::{Case, ExpectedOutput, Run};
use stage::CaseFixture;

const DIRECTORY: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/cluster/cases/recorded");
const DIFFERENCES: &str = include_str!("../../docs/differences.md");

/// Number of concurrent cases.
const ABREAST: usize = 6;

#[tokio::test(flavor = "multi_thread")]
async fn every_case_prints_and_ends_as_written() {
    let bed = sluice_testkit::cluster().await;
    let flux = Reference::find().map(|reference| reference.binary("flux"));
    let mut paths = file::all(DIRECTORY);
    if let Some(only) = only() {
        paths.retain(|path| path.display().to_string().contains(&only));
    }
    let judged = futures::stream::iter(paths)
        .map(|path| judge(bed, flux.clone(), path))
        .buffer_unordered(ABREAST);
    let mut wrong: Vec<String> = judged.concat().await;
    wrong.sort();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// Returns the selected cases.
#[expect(
    clippy::disallowed_methods,
    reason = "this variable helps to write a case"
)]
fn only() -> Option<String> {
    std::env::var("CASES").ok()
}

/// Runs one case and returns its differences.
async fn judge(bed: &Testbed, flux: Option<PathBuf>, path: PathBuf) -> Vec<String> {
    let mut case = Case::read(&path);
    let theirs = match flux {
        Some(flux) => {
            let stage = CaseFixture::set(bed, &case).await;
            let ended = run(&stage, &Call::new(&bed.kubeconfig()).program(flux), &case).await;
            stage.clear().await;
            ended
        }
        None => Vec::new(),
    };
    let stage = CaseFixture::set(bed, &case).await;
    let ours = run(&stage, &Call::new(&bed.kubeconfig()), &case).await;
    if Reference::is_recording() {
        for (index, (run, ours)) in case.runs.iter_mut().zip(&ours).enumerate() {
            record(run, ours, theirs.get(index));
        }
        case.write();
    }
    let mut wrong = Vec::new();
    for (run, theirs) in case.runs.iter().zip(&theirs) {
        let expected = run.flux.as_ref().unwrap_or(&run.expected);
        if !run.is_ours && (expected.stdout != theirs.stdout || expected.code != theirs.code) {
            wrong.push(describe_mismatch("flux", &case, run, expected, theirs));
        }
    }
    for (run, ours) in case.runs.iter().zip(&ours) {
        let expected = &run.expected;
        let is_met = expected.stdout == ours.stdout
            && expected.code == ours.code
            && run.stderr == ours.stderr;
        if !is_met {
            wrong.push(describe_mismatch("sluice", &case, run, expected, ours));
        }
    }
    wrong
}

async fn run(stage: &CaseFixture, call: &Call, case: &Case) -> Vec<CommandResult> {
    let mut ended = Vec::with_capacity(case.runs.len());
    for run in &case.runs {
        ended.push(stage.run(call, &run.line).await);
    }
    ended
}

#[test]
fn differences_from_flux_are_explained() {
    for path in file::all(DIRECTORY) {
        for run in Case::read(&path).runs {
            let known = |because: &String| DIFFERENCES.contains(because.as_str());
            assert_eq!(
                run.flux.is_some(),
                run.because.as_ref().is_some_and(known),
                "{}: $ {}: what Flux does otherwise is in docs/differences.md, in the words behind `because`",
                path.display(),
                run.line
            );
        }
    }
}

/// Records Flux's stdout and exit code, unless the case lists them as a difference. Also records
/// our stderr.
fn record(run: &mut Run, ours: &CommandResult, theirs: Option<&CommandResult>) {
    run.stderr.clone_from(&ours.stderr);
    let expected = |ended: &CommandResult| ExpectedOutput {
        stdout: ended.stdout.clone(),
        code: ended.code,
    };
    match (theirs.filter(|_| !run.is_ours), &run.because) {
        (Some(theirs), Some(_)) => {
            run.flux = Some(expected(theirs));
            run.expected = expected(ours);
        }
        (Some(theirs), None) => run.expected = expected(theirs),
        (None, _) if run.is_ours => run.expected = expected(ours),
        (None, _) => {}
    }
}

fn describe_mismatch(
    who: &str,
    case: &Case,
    run: &Run,
    expected: &ExpectedOutput,
    ended: &CommandResult,
) -> String {
    format!(
        "{}: $ {who} {}\n--- expected, exit {}\n{}{}\n--- found, exit {}\n{}{}\n",
        case.name,
        run.line,
        expected.code,
        expected.stdout,
        run.stderr,
        ended.code,
        ended.stdout,
        ended.stderr
    )
}
