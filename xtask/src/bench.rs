//! `cargo xtask bench …`: figures, with the command that produced them.
//!
//! A figure is worth what it is compared with: each bench prints its floor (the same writes by a
//! bare client on the same machine) in the same run, and a ratio to it. Records of runs are kept
//! under `tests/bench/records/`.

mod floor;
mod mttp;
mod process;

#[derive(clap::Args, Debug)]
pub(crate) struct Args {
    #[command(subcommand)]
    bench: Bench,
}

#[derive(Debug, clap::Subcommand)]
enum Bench {
    /// Time from commit to ready for many GitRepository and Kustomization pairs at once
    Mttp(mttp::Args),
}

pub(crate) fn run(args: &Args) -> anyhow::Result<()> {
    match &args.bench {
        Bench::Mttp(args) => mttp::run(args),
    }
}
