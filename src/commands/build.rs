//! `build`: what stands for a folder, printed or packed instead of applied.

pub mod artifact;
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
    /// Pack manifests as an artifact
    Artifact(artifact::Args),
    /// Print what a Kustomization applies, built from local manifests
    #[command(alias = "ks")]
    Kustomization(kustomization::Args),
    /// Print what `kustomize build` prints for a folder
    Overlay(overlay::Args),
}

pub fn run(args: &Args, context: &Context) -> CommandResult {
    match &args.noun {
        Noun::Artifact(args) => artifact::run(args, context),
        Noun::Kustomization(args) => kustomization::run(args, context),
        Noun::Overlay(args) => overlay::run(args),
    }
}
