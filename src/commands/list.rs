//! `list`: what a registry has.

pub mod artifacts;

use clap::Subcommand;

use crate::CommandResult;
use crate::cluster::Context;

#[derive(clap::Args, Debug)]
pub struct Args {
    #[command(subcommand)]
    noun: Noun,
}

#[derive(Debug, Subcommand)]
enum Noun {
    /// List the artifacts of a repository
    Artifacts(artifacts::Args),
}

pub fn run(args: &Args, context: &Context) -> CommandResult {
    match &args.noun {
        Noun::Artifacts(args) => artifacts::run(args, context),
    }
}
