//! `push`: from here to a registry.

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
    /// Push manifests as an artifact to a container registry
    Artifact(artifact::Args),
}

pub fn run(args: &Args, context: &Context) -> CommandResult {
    match &args.noun {
        Noun::Artifact(args) => artifact::run(args, context),
    }
}
