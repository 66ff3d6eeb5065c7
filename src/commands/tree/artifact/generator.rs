//! Implements `tree artifact generator`: prints a generator's external artifacts.

use sluice_insight::kinds::by_kind;
use sluice_insight::tree::of_generator;

use super::super::entry;
use crate::CommandResult;
use crate::cluster::Context;
use crate::error::CommandError;
use crate::output::Format;

#[derive(clap::Args, Debug)]
pub struct Args {
    /// Name of the artifact generator
    #[arg(value_name = "NAME")]
    name: Vec<String>,
    /// Output format
    #[arg(long, short, value_enum, value_name = "FORMAT")]
    output: Option<Format>,
}

pub fn run(args: &Args, context: &Context) -> CommandResult {
    let [name] = args.name.as_slice() else {
        return Err(CommandError::argument_count(args.name.len()));
    };
    let generator = by_kind("ArtifactGenerator")
        .ok_or_else(|| CommandError::internal("the registry lacks ArtifactGenerator"))?;
    let object = context.block_on(context.required(generator, name))??;
    entry::print(&of_generator(&object), args.output)
}
