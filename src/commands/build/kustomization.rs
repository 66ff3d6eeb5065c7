//! Implements `build kustomization`: prints the objects that the controller would apply.
//!
//! The Kustomization comes from a file or the cluster, and its manifests from `--path`. Nothing is
//! written to that directory. [`sluice_preview::kustomization`] has the steps.

use sluice_insight::kinds::by_kind;
use sluice_object::Object;
use sluice_preview::kustomization::KIND;
use sluice_yaml::v2;

use crate::build::flags::{BuildFlags, from_file};
use crate::cluster::Context;
use crate::error::CommandError;
use crate::flags::BooleanFlag as _;
use crate::{CommandResult, Exit, output};

#[derive(clap::Args, Clone, Debug)]
pub struct Args {
    #[command(flatten)]
    build: BuildFlags,
    /// Build from --kustomization-file without a cluster
    #[arg(long, switch = false)]
    dry_run: bool,
}

pub fn run(args: &Args, context: &Context) -> CommandResult {
    let name = args.build.name()?;
    let directory = args.build.directory()?;
    let file = args.build.file();
    if args.dry_run && matches!(file, Ok(None)) {
        return Err(
            CommandError::user("dry-run mode requires a kustomization file")
                .hint("set --kustomization-file"),
        );
    }
    let pipeline = args
        .build
        .pipeline((!args.dry_run).then_some(context as _), context.namespace());
    let object = match file? {
        Some(file) => from_file(file, name, &pipeline.namespace),
        None => from_cluster(context, name),
    };
    let object = object.map_err(|error| error.while_doing("failed to get kustomization object"))?;
    let objects = pipeline.build(&object, &directory)?;
    args.build.warn_of_lines(&pipeline, context.progress);
    output::data(&printed(objects))?;
    Ok(Exit::SUCCESS)
}

/// Formats the documents like Flux: each one, including the last, ends in a separator.
fn printed(objects: Vec<Object>) -> String {
    let mut text = String::new();
    for object in objects {
        text.push_str(&v2::to_string(&object.into_value()));
        text.push_str("---\n");
    }
    text
}

fn from_cluster(context: &Context, name: &str) -> Result<Object, CommandError> {
    let resource =
        by_kind(KIND).ok_or_else(|| CommandError::internal(format!("no kind is called {KIND}")))?;
    context.block_on(context.required(resource, name))?
}
