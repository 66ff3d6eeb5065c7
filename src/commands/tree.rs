//! `tree`: what an object owns, as a tree.

pub mod kustomization;

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
    /// Print the objects that a Kustomization applied
    #[command(alias = "ks")]
    Kustomization(kustomization::Args),
}

pub fn run(args: &Args, context: &Context) -> CommandResult {
    match &args.noun {
        Noun::Kustomization(args) => kustomization::run(args, context),
    }
}
