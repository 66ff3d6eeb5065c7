//! Replays the command-line tests of a checkout of Flux with our binary.
//!
//! The tables of `cmd/flux/*_test.go` name command lines, objects and golden files. [`syntax`]
//! reads the tables, [`suite`] turns them into steps, and [`play`] runs the steps on an API server.
//! A case is identical if the exit and the output or the error are. Cases with a check of another
//! form are unread. Tests with the build tag `e2e` need controllers and are left out.
//!
//! Nothing of the checkout is stored here.

mod play;
mod suite;
mod syntax;

use std::path::PathBuf;

use anyhow::{Context as _, ensure};
use sluice_system::fs;

use play::{Player, Verdict};
use suite::Step;

#[derive(clap::Args, Debug)]
pub(super) struct Args {
    /// Checkout of github.com/fluxcd/flux2
    checkout: PathBuf,
    /// Path of our command line
    #[arg(long, default_value = "target/debug/sluice")]
    program: PathBuf,
    /// Run only tests whose names contain this text
    #[arg(long, default_value = "")]
    filter: String,
    /// List unread cases
    #[arg(long)]
    unread: bool,
}

pub(super) fn run(args: &Args) -> anyhow::Result<()> {
    let program = fs::canonicalize(&args.program).context("our command line is not built")?;
    let package = fs::canonicalize(args.checkout.join("cmd/flux"))?;
    let mut files = Vec::new();
    for entry in fs::read_dir(&package)? {
        let name = entry.path.file_name().unwrap_or_default();
        let name = name.to_string_lossy().into_owned();
        if !name.ends_with("_test.go") {
            continue;
        }
        let text = fs::read_to_string(&entry.path)?;
        // Tests on a real cluster wait for controllers.
        if !text.contains("//go:build e2e") {
            files.push((name, syntax::parse(&text)));
        }
    }
    ensure!(!files.is_empty(), "{} has no tests", package.display());
    files.sort_by(|(one, _), (other, _)| one.cmp(other));
    let mut tests = suite::tests(&files);
    tests.retain(|test| test.name.contains(&args.filter));

    let runtime = tokio::runtime::Runtime::new()?;
    runtime.block_on(async {
        let player = Player::start(&program, &package).await?;
        let (mut identical, mut all, mut unread) = (0, 0, 0);
        for test in &tests {
            for step in &test.steps {
                let verdict = player.play(step).await?;
                let Step::Check(case) = step else {
                    continue;
                };
                match verdict {
                    Verdict::Unread => {
                        unread += 1;
                        if args.unread {
                            println!("unread: {}: {}", test.name, case.name);
                        }
                    }
                    Verdict::Identical => {
                        identical += 1;
                        all += 1;
                    }
                    Verdict::Different(difference) => {
                        all += 1;
                        println!(
                            "different: {}: {}\n  $ flux {}\n{difference}",
                            test.name, case.name, case.line
                        );
                    }
                }
            }
        }
        println!("identical {identical} of {all}, {unread} unread");
        Ok(())
    })
}
