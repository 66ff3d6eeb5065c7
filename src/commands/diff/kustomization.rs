//! Implements `diff kustomization`: shows the changes that the controller would make. It builds
//! local manifests and applies every object as a dry-run.
//!
//! Exit codes are Flux's, but failures are always above 1: 0 without changes, 1 with changes, and 2
//! for a failed comparison. Changes are printed in any case.

use std::path::Path;

use sluice_insight::kinds::KUSTOMIZE;
use sluice_object::Object;
use sluice_preview::comparison::{Comparer, Walk, masks, with_status_of};
use sluice_preview::kustomization::{KIND, Pipeline};
use sluice_render::Masks;

use super::comparison::{FAILED, print};
use crate::build::flags::{BuildFlags, from_file};
use crate::cluster::Context;
use crate::error::CommandError;
use crate::flags::{self, BooleanFlag as _};
use crate::output::spinner::Spinner;
use crate::{CommandResult, compat, output};

/// Field manager of the controller.
const MANAGER: &str = "kustomize-controller";

#[derive(clap::Args, Clone, Debug)]
pub struct Args {
    #[command(flatten)]
    build: BuildFlags,
    /// Continue if the Kustomization does not exist in the cluster
    #[arg(long, switch = false)]
    ignore_not_found: bool,
    /// Mask values in the diff, as KIND/PATH (ConfigMap/data/password),…
    #[arg(long, value_parser = flags::csv, value_name = "KIND/PATH", help_heading = flags::OURS)]
    mask: Vec<Vec<String>>,
    /// Show a progress indicator
    #[arg(long, switch = true)]
    progress_bar: bool,
}

pub fn run(args: &Args, context: &Context) -> CommandResult {
    let misused = |error: CommandError| error.code(compat::misused_comparison());
    let failed = |error: CommandError| error.code(FAILED);
    let name = args.build.name().map_err(misused)?;
    let directory = args.build.directory().map_err(failed)?;
    let file = args.build.file().map_err(misused)?;
    let masks = masks(&args.mask).map_err(|error| misused(error.into()))?;
    compare(args, name, &directory, file, &masks, context).map_err(failed)
}

fn compare(
    args: &Args,
    name: &str,
    directory: &Path,
    file: Option<&Path>,
    masks: &Masks,
    context: &Context,
) -> CommandResult {
    if args.ignore_not_found && file.is_none() {
        return Err(CommandError::user(
            "kustomization file is required when assuming new kustomizations",
        )
        .hint("set --kustomization-file"));
    }
    let pipeline = args.build.pipeline(Some(context), context.namespace());
    let live = live(&pipeline, name, args.ignore_not_found)?;
    let owner = match file {
        Some(file) => {
            let object = from_file(file, name, &pipeline.namespace)
                .map_err(|error| error.while_doing("failed to get kustomization object"))?;
            with_status_of(object, live.as_ref())
        }
        None => live.unwrap_or_else(|| Object::new("", KIND, &pipeline.namespace, name)),
    };
    let spinner = Spinner::start(
        args.progress_bar,
        "Kustomization diffing... running dry-run",
    );
    let comparer = Comparer::new(context, MANAGER, KUSTOMIZE, masks, output::width())?;
    let walk = Walk::new(context, &pipeline, comparer);
    let found = walk.compare(&owner, directory)?;
    drop(spinner);
    args.build.warn_of_lines(&pipeline, context.progress);
    print(&found, context)
}

/// Returns the Kustomization of the cluster.
fn live(
    pipeline: &Pipeline<'_>,
    name: &str,
    may_be_missing: bool,
) -> Result<Option<Object>, CommandError> {
    let live = pipeline.live(&(pipeline.namespace.clone(), name.to_owned()))?;
    if live.is_none() && !may_be_missing {
        return Err(CommandError::user(format!(
            "failed to get kustomization object: kustomizations.kustomize.toolkit.fluxcd.io \"{name}\" not found"
        ))
        .hint("set --ignore-not-found and --kustomization-file to compare a new one"));
    }
    Ok(live)
}
