//! Implements `diff kustomization`: shows the changes that the controller would make. It builds
//! local manifests and applies every object as a dry-run.
//!
//! Exit codes are Flux's, but failures are always above 1: 0 without changes, 1 with changes, and 2
//! for a failed comparison. Changes are printed in any case.

mod walk;

use std::path::Path;
use std::sync::Arc;

use sluice_apply::{Applier, ApplierSettings, Watches};
use sluice_golang::quote::quote;
use sluice_insight::kinds::KUSTOMIZE;
use sluice_object::Object;
use sluice_render::{InvalidMask, Masks};
use sluice_system::SystemClock;

use crate::build::flags::{BuildFlags, from_file};
use crate::build::{KIND, Pipeline};
use crate::cluster::Context;
use crate::error::CommandError;
use crate::flags::{self, BooleanFlag as _};
use crate::output::spinner::Spinner;
use crate::{CommandResult, Exit, compat, output};

/// Maximum concurrent requests.
const CONCURRENCY: usize = 16;

/// Exit code of a failed comparison.
const FAILED: u8 = 2;

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
    let masks = Masks::parse(&args.mask.concat()).map_err(|rule| misused(invalid_mask(&rule)))?;
    compare(args, name, &directory, file, &masks, context).map_err(failed)
}

fn invalid_mask(InvalidMask(rule): &InvalidMask) -> CommandError {
    let rule = quote(rule);
    CommandError::user(format!(
        "invalid argument {rule} for \"--mask\" flag: must be KIND/PATH"
    ))
    .hint("ConfigMap/data/password masks that entry; in names, '/' is written '~1' and '~' is written '~0'")
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
            walk::with_status_of(object, live.as_ref())
        }
        None => live.unwrap_or_else(|| Object::new("", KIND, &pipeline.namespace, name)),
    };
    let spinner = Spinner::start(
        args.progress_bar,
        "Kustomization diffing... running dry-run",
    );
    let walk = walk::Walk::new(context, &pipeline, applier(context)?, masks);
    let found = walk.compare(&owner, directory)?;
    drop(spinner);
    args.build.tell_of_lines(&pipeline, context.progress);
    output::stdout(&output::plain(&found.text))?;
    if !found.failures.is_empty() {
        return Err(CommandError::cluster(found.failures.join("\n")));
    }
    if found.changed {
        context
            .progress
            .warning("identified at least one change, exiting with non-zero exit code");
        return Ok(Exit::FAILURE);
    }
    Ok(Exit::SUCCESS)
}

/// Returns the Kustomization of the cluster.
fn live(
    pipeline: &Pipeline<'_>,
    name: &str,
    may_be_missing: bool,
) -> Result<Option<Object>, CommandError> {
    let namespace = &pipeline.namespace;
    let live = pipeline.live(&(namespace.clone(), name.to_owned()))?;
    if live.is_none() && !may_be_missing {
        return Err(CommandError::user(format!(
            "failed to get kustomization object: {KIND} object '{name}' not found in \"{namespace}\" namespace"
        ))
        .hint("set --ignore-not-found and --kustomization-file to compare a new one"));
    }
    Ok(live)
}

fn applier(context: &Context) -> Result<Applier, CommandError> {
    let mut settings = ApplierSettings::new("kustomize-controller", KUSTOMIZE);
    settings.concurrency = CONCURRENCY;
    Ok(Applier::new(
        context.cluster()?.clone(),
        Arc::new(settings),
        Watches::default(),
        Arc::new(SystemClock),
    ))
}
