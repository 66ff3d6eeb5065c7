//! `pull`: from a registry to here.

pub mod artifact;

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
    /// Pull an artifact and extract its content
    Artifact(artifact::Args),
}

pub fn run(args: &Args, context: &Context) -> CommandResult {
    match &args.noun {
        Noun::Artifact(args) => artifact::run(args, context),
    }
}
