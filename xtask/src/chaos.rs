//! `cargo xtask chaos`: kills the processes of the crash tests at each of their calls.
//!
//! An ordinary run of these tests kills at a third of the calls, see `sample_kills` of the testkit.
//! Of the fleets with every kind, it takes one, which has a kill in each step.
//! This task walks all of them, and its results become a record.

use std::fmt::Write as _;
use std::path::PathBuf;
use std::time::Instant;

use anyhow::{Context as _, ensure};
use sluice_system::fs;

use crate::suite::{self, SuiteResult};

#[derive(clap::Args, Debug)]
pub(crate) struct Args {
    /// File of the record
    #[arg(long)]
    record: Option<PathBuf>,
    /// Run only suites whose names contain this text
    #[arg(long, default_value = "")]
    filter: String,
}

/// Names of the suites, and the words after `cargo test --package`.
const SUITES: &[(&str, &[&str])] = &[
    (
        "all controllers in one process",
        &["sluice", "--test", "cluster", "crash::"],
    ),
    (
        "fleets with every kind",
        &["sluice", "--test", "cluster", "whole::fleet_"],
    ),
    (
        "releases",
        &[
            "sluice-helm-controller",
            "--test",
            "cluster",
            "crash::",
            "--",
            "--include-ignored",
        ],
    ),
    (
        "updates of images",
        &[
            "sluice-image-automation-controller",
            "--test",
            "cluster",
            "crash::",
        ],
    ),
    (
        "stored artifacts",
        &["sluice-source-controller", "--lib", "tests::killed::"],
    ),
];

pub(crate) fn run(args: &Args) -> anyhow::Result<()> {
    let mut text = format!(
        "# Kills at every call, {}\n\n`cargo xtask chaos` killed each process at each of its calls.\n\n\
         | Suite | Result | Time |\n|---|---|---|\n",
        jiff::Zoned::now().date()
    );
    let mut failed = Vec::new();
    let is_wanted = |(name, _): &&(&str, &[&str])| name.contains(&args.filter);
    for (name, words) in SUITES.iter().filter(is_wanted) {
        println!("==> {name}");
        let begun = Instant::now();
        let arguments = [&["test", "--package"], *words].concat();
        let result = suite::run(&arguments, &[("KILLS", "all")])?;
        let shown = match result {
            SuiteResult::Tests(passed, failed) => format!("{passed} passed, {failed} failed"),
            SuiteResult::Ended(_) => "no tests".to_owned(),
        };
        let seconds = begun.elapsed().as_secs();
        writeln!(text, "| {name} | {shown} | {seconds} s |")?;
        if result.is_failure() {
            failed.push(*name);
        }
    }
    println!("{text}");
    if let Some(path) = &args.record {
        fs::write(path, text).with_context(|| format!("write {}", path.display()))?;
    }
    ensure!(failed.is_empty(), "failed: {}", failed.join(", "));
    Ok(())
}
