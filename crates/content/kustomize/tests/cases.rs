//! Compares every case below `tests/cases` with the recorded output of the pinned kustomize.
//!
//! A case is a folder as described at [`sluice_testkit::kustomize::Case`]. Record the
//! expectation of new cases with `cargo xtask conformance refresh [FILTER]`, or, without
//! building the workspace, with
//! `CASES=FILTER cargo test -p sluice-kustomize --test cases refresh -- --ignored`.

use std::fmt::Write as _;
use std::panic::catch_unwind;
use std::path::{Path, PathBuf};

use sluice_kustomize::fs::DiskFs;
use sluice_kustomize::{Error, LoadRestrictor, Options, Reorder, build};
use sluice_testkit::kustomize::{Case, Kustomize, Outcome, class_of, compare, first_difference};

fn directory() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/cases")
}

#[expect(
    clippy::disallowed_methods,
    reason = "an environment variable selects the cases to run"
)]
fn filter() -> String {
    std::env::var("CASES").unwrap_or_default()
}

/// Builds a case with its options.
fn ours(case: &Case) -> (Outcome, Option<Error>) {
    let flags = case.options.flags;
    let mut options = Options::cli();
    match flags.reorder {
        Some("none") => options.reorder = Reorder::None,
        Some(_) => options.reorder = Reorder::Legacy,
        None => {}
    }
    if flags.unrestricted {
        options.load_restrictor = LoadRestrictor::None;
    }
    options.managed_by_label = flags.managed_by_label;
    match build(&DiskFs, &case.root(), &options) {
        Ok(built) => (Ok(built.to_yaml()), None),
        Err(error) => (case.portable(Err(error.to_string())), Some(error)),
    }
}

/// Returns what is wrong with the file and line of an error, if anything.
fn misplaced(case: &Case, error: &Error) -> Option<String> {
    let wanted = &case.options;
    let code = format!("{:?}", error.code());
    if wanted.code.as_ref().is_some_and(|wanted| *wanted != code) {
        return Some(format!("the code is {code}, not {:?}\n", wanted.code));
    }
    let chain: Vec<_> = error.chain().map(|folder| case.relative(folder)).collect();
    if wanted.chain.as_ref().is_some_and(|wanted| *wanted != chain) {
        return Some(format!("the chain is {chain:?}, not {:?}\n", wanted.chain));
    }
    let file = error.file().map(|file| case.relative(file));
    if wanted.file.is_some() && wanted.file != file {
        return Some(format!("the file is {file:?}, not {:?}\n", wanted.file));
    }
    let line = error.line();
    if wanted.line.is_some() && wanted.line != line {
        return Some(format!("the line is {line:?}, not {:?}\n", wanted.line));
    }
    None
}

/// Returns what is wrong with the outcome of a case, if anything.
fn fault(case: &Case) -> Option<String> {
    let expected = case.expected();
    let Ok((ours, error)) = catch_unwind(|| ours(case)) else {
        return Some("panics\n".to_owned());
    };
    let complaint = error.as_ref().and_then(|error| misplaced(case, error));
    if complaint.is_some() {
        return complaint;
    }
    if error.is_none() && case.options.code.is_some() {
        return Some("builds, and must not\n".to_owned());
    }
    let agrees = match (&expected, &ours) {
        (Err(theirs), Err(_)) if class_of(theirs) == "Panic" => true,
        (Err(theirs), Err(ours)) if !case.options.class_only => theirs == ours,
        _ => compare(&expected, &ours).is_agreement(),
    };
    (!agrees).then(|| first_difference(&expected, &ours))
}

#[test]
#[expect(
    clippy::print_stderr,
    reason = "the test lists cases without expectation"
)]
fn every_case_matches_kustomize() {
    let (mut faults, mut count) = (String::new(), 0);
    for case in Case::all(&directory(), &filter()) {
        count += 1;
        match (fault(&case), &case.options.pending) {
            (None, None) => {}
            (None, Some(_)) => eprintln!("{}: holds now, and need not be pending", case.name),
            (Some(_), Some(why)) => eprintln!("{}: pending: {why}", case.name),
            (Some(fault), None) => writeln!(faults, "== {}\n{fault}", case.name).unwrap(),
        }
    }
    assert!(
        faults.is_empty(),
        "of {count} cases these differ:\n{faults}"
    );
}

#[test]
#[ignore = "writes expectations: run it by name after adding cases"]
#[expect(clippy::print_stderr, reason = "the command lists the written files")]
fn refresh() {
    let kustomize = Kustomize::find().expect("the pinned kustomize exists");
    for case in Case::all(&directory(), &filter()) {
        if case.refresh(&kustomize) {
            eprintln!("wrote {}", case.name);
        }
    }
}
