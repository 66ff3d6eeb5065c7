//! `tag`: more names for what a registry has.

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
    /// Give an artifact more tags
    Artifact(artifact::Args),
}

pub fn run(args: &Args, context: &Context) -> CommandResult {
    match &args.noun {
        Noun::Artifact(args) => artifact::run(args, context),
    }
}
