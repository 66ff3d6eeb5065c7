//! `build`: the manifests that a folder stands for, printed instead of applied.

pub mod kustomization;
pub mod overlay;

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
    /// Print what a Kustomization applies, built from local manifests
    #[command(alias = "ks")]
    Kustomization(kustomization::Args),
    /// Print what `kustomize build` prints for a folder
    Overlay(overlay::Args),
}

pub fn run(args: &Args, context: &Context) -> CommandResult {
    match &args.noun {
        Noun::Kustomization(args) => kustomization::run(args, context),
        Noun::Overlay(args) => overlay::run(args),
    }
}
