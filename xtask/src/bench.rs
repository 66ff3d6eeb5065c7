//! `cargo xtask bench …`: figures, with the command that produced them.
//!
//! A figure is worth what it is compared with: each bench prints its floor (the same writes by a
//! bare client on the same machine) in the same run, and a ratio to it. Records of runs are kept
//! under `tests/bench/records/`. Where `REFERENCE_BIN_DIR` names the reference's controllers, `apply`,
//! `drift` and `idle` measure them too, and `cli` and `bootstrap` its command line.

use std::path::PathBuf;
use std::process::Command;

use anyhow::{Context as _, ensure};

mod apply;
mod bootstrap;
mod cli;
mod controller;
mod drift;
mod floor;
mod idle;
pub(crate) mod kustomize;
mod measure;
mod micro;
mod mttp;
mod process;
mod report;
mod sides;
mod source;
mod stage;
mod target;
mod yaml;

#[derive(clap::Args, Debug)]
pub(crate) struct Args {
    /// As it is built, without optimisation: shows that a bench works, and no figure
    #[arg(long)]
    quick: bool,
    #[command(subcommand)]
    bench: Bench,
}

/// Flags of every bench that runs controllers.
#[derive(clap::Args, Debug)]
struct Usual {
    /// Binary to measure (default: a release build of this tree)
    #[arg(long)]
    binary: Option<PathBuf>,
    /// Write the result as JSON here as well
    #[arg(long)]
    record: Option<PathBuf>,
    /// Keep the log of the last controller here
    #[arg(long)]
    log: Option<PathBuf>,
}

#[derive(Debug, clap::Subcommand)]
enum Bench {
    /// New artifacts, dependencies, encrypted Secrets and a busy queue
    Apply(apply::Args),
    /// `install --export`, a first and a further `bootstrap git`, and what it clones, beside the reference's; the image
    Bootstrap(bootstrap::Args),
    /// The command line beside the reference's: starts, builds, comparisons and lists
    Cli(cli::Args),
    /// Edits by hand, until they are undone
    Drift(drift::Args),
    /// Requests, CPU and memory while nothing happens
    Idle(idle::Args),
    /// Builds of overlays against the pinned kustomize
    Kustomize(kustomize::Args),
    /// The pieces of a reconciliation alone, without a cluster
    Micro(micro::Args),
    /// Time to ready for many pairs of a source and a Kustomization at once
    Mttp(mttp::Args),
    /// What polls, a new commit in a large repository and downloads of artifacts cost
    Source(source::Args),
    /// Reading and writing YAML, beside Go's libraries
    Yaml(yaml::Args),
}

pub(crate) fn run(args: &Args) -> anyhow::Result<()> {
    if cfg!(debug_assertions) && !args.quick {
        return again_in_release();
    }
    match &args.bench {
        Bench::Apply(args) => apply::run(args),
        Bench::Bootstrap(args) => bootstrap::run(args),
        Bench::Cli(args) => cli::run(args),
        Bench::Drift(args) => drift::run(args),
        Bench::Idle(args) => idle::run(args),
        Bench::Kustomize(args) => kustomize::run(args),
        Bench::Micro(args) => micro::run(args),
        Bench::Mttp(args) => mttp::run(args),
        Bench::Source(args) => source::run(args),
        Bench::Yaml(args) => yaml::run(args),
    }
}

/// Runs the same command from a release build: the driver shares the cores with what it measures,
/// and its floor is a figure as well.
fn again_in_release() -> anyhow::Result<()> {
    let status = Command::new("cargo")
        .args([
            "run",
            "--quiet",
            "--locked",
            "--release",
            "--package",
            "xtask",
            "--",
        ])
        .args(std::env::args_os().skip(1))
        .status()
        .context("start cargo run")?;
    ensure!(status.success(), "the bench ended with {status}");
    Ok(())
}
