//! `cargo xtask bench …`: benchmarks.
//!
//! Most benches also measure a lower bound, the floor, in the same run: the same writes by a bare
//! client on the same machine. `identity`, `image` and `notify` have none. Records are in
//! `tests/bench/records/`. With `REFERENCE_BIN_DIR`, some also measure the reference: `apply`,
//! `bucket`, `drift`, `helm-sources`, `idle`, `image`, `mttp`, `notify` and `whole` its
//! controllers, `cli` and `bootstrap` its command line. Those with `--check` fail beyond
//! [`limits`].

use std::path::PathBuf;
use std::process::Command;

use anyhow::{Context as _, ensure};

mod all;
mod apply;
mod bootstrap;
mod bucket;
mod cli;
mod cluster;
mod controller;
mod drift;
mod floor;
mod helm;
mod helm_sources;
mod hostile;
mod identity;
mod idle;
mod image;
mod kustomize;
mod limits;
mod measure;
mod micro;
mod mttp;
mod notify;
mod process;
mod record;
mod report;
mod sides;
mod source;
mod stage;
mod target;
mod whole;
mod yaml;

#[derive(clap::Args, Debug)]
pub(crate) struct Args {
    /// Run a debug build, to check that a bench works
    #[arg(long)]
    quick: bool,
    #[command(subcommand)]
    bench: Bench,
}

/// Flags of all benches with controllers.
#[derive(clap::Args, Debug)]
struct CommonFlags {
    /// Binary to measure (default: a release build of this tree)
    #[arg(long)]
    binary: Option<PathBuf>,
    /// Write the result as JSON to this file
    #[arg(long)]
    record: Option<PathBuf>,
    /// Write the log of the last controller to this file
    #[arg(long)]
    log: Option<PathBuf>,
}

#[derive(Debug, clap::Subcommand)]
enum Bench {
    /// Run the benches one after another, with a record each
    All(all::Args),
    /// Measure artifacts, dependencies, encrypted Secrets and a busy queue
    Apply(apply::Args),
    /// Measure `install --export`, `bootstrap git`, its clone and the image
    Bootstrap(bootstrap::Args),
    /// Measure a Bucket with many objects: first fetch, polls and memory
    Bucket(bucket::Args),
    /// Measure starts, builds, comparisons and lists of the command line
    Cli(cli::Args),
    /// Measure the correction of manual edits
    Drift(drift::Args),
    /// Measure renders of charts beside the pinned helm
    Helm(helm::Args),
    /// Measure many charts of a repository, and one of a large index
    HelmSources(helm_sources::Args),
    /// Measure how long a tenant waits while another one is hostile
    Hostile(hostile::Args),
    /// Measure the cache of tokens of clouds
    Identity(identity::Args),
    /// Measure requests, CPU and memory of idle controllers
    Idle(idle::Args),
    /// Measure selections and scans of tags, updates, and generated artifacts
    Image(image::Args),
    /// Measure builds of overlays beside the pinned kustomize
    Kustomize(kustomize::Args),
    /// Measure parts of a reconciliation without a cluster
    Micro(micro::Args),
    /// Measure time to ready of many pairs of a source and a Kustomization
    Mttp(mttp::Args),
    /// Measure notifications with an outage, webhooks and memory
    Notify(notify::Args),
    /// Measure polls, a new commit in a large repository and downloads
    Source(source::Args),
    /// Measure all controllers in one process and apart, and the image
    Whole(whole::Args),
    /// Measure reading and writing YAML beside Go's libraries
    Yaml(yaml::Args),
}

pub(crate) fn run(args: &Args) -> anyhow::Result<()> {
    if cfg!(debug_assertions) && !args.quick {
        return again_in_release();
    }
    match &args.bench {
        Bench::All(all) => all::run(all, args.quick),
        Bench::Apply(args) => apply::run(args),
        Bench::Bootstrap(args) => bootstrap::run(args),
        Bench::Bucket(args) => bucket::run(args),
        Bench::Cli(args) => cli::run(args),
        Bench::Drift(args) => drift::run(args),
        Bench::Helm(args) => helm::run(args),
        Bench::HelmSources(args) => helm_sources::run(args),
        Bench::Hostile(args) => hostile::run(args),
        Bench::Identity(args) => identity::run(args),
        Bench::Idle(args) => idle::run(args),
        Bench::Image(args) => image::run(args),
        Bench::Kustomize(args) => kustomize::run(args),
        Bench::Micro(args) => micro::run(args),
        Bench::Mttp(args) => mttp::run(args),
        Bench::Notify(args) => notify::run(args),
        Bench::Source(args) => source::run(args),
        Bench::Whole(args) => whole::run(args),
        Bench::Yaml(args) => yaml::run(args),
    }
}

/// Runs the same command from a release build: the driver shares the cores with the measured
/// program, and measures the floor.
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
