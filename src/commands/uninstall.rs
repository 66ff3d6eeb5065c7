//! Implements `uninstall`: removes the controllers, their permissions and their CRDs.
//!
//! [`sluice_lifecycle::uninstall`] does the work. This module asks for confirmation.

use std::io::BufRead as _;

use sluice_lifecycle::uninstall::{Options, uninstall};

use crate::cluster::Context;
use crate::error::CommandError;
use crate::flags::BooleanFlag as _;
use crate::{CommandResult, Exit, compat, flags, output};

#[derive(clap::Args, Debug)]
pub struct Args {
    /// Show what would be deleted without deleting it
    #[arg(long, switch = false)]
    dry_run: bool,
    /// Keep the namespace
    #[arg(long, switch = false)]
    keep_namespace: bool,
    /// Ask, then first delete all objects that Flux applied
    #[arg(long, switch = false, help_heading = flags::OURS)]
    purge_workloads: bool,
    /// Skip the confirmation prompt
    #[arg(long, short, switch = false)]
    silent: bool,
}

pub fn run(args: &Args, context: &Context) -> CommandResult {
    if !args.dry_run
        && !args.silent
        && !output::confirm(
            "Are you sure you want to delete Flux and its custom resource definitions",
        )?
    {
        return Err(CommandError::user("aborting"));
    }
    if args.purge_workloads && !args.dry_run {
        confirm_purge(&context.namespace())?;
    }
    let options = Options {
        dry_run: args.dry_run,
        keep_namespace: args.keep_namespace,
        purge_workloads: args.purge_workloads,
    };
    let session = context.session()?;
    let remaining = context.block_on(uninstall(&session, options))??;
    if !remaining.is_empty() {
        let remain = CommandError::cluster(format!(
            "{} objects remain: {}",
            remaining.len(),
            remaining.join("; ")
        ))
        .hint("fix the cause and run uninstall again");
        return Err(remain.code(compat::reported_failure().0));
    }
    context.progress.success("uninstall finished");
    Ok(Exit::SUCCESS)
}

/// Asks the user to type the namespace. `--silent` does not skip this.
fn confirm_purge(namespace: &str) -> Result<(), CommandError> {
    output::stderr(&format!(
        "Everything that Kustomizations and Helm releases have applied to this cluster will be deleted.\n\
         Type the namespace of Flux ({namespace}) to go on: "
    ));
    let mut typed = String::new();
    let read = std::io::stdin().lock().read_line(&mut typed);
    if read.is_ok() && typed.trim() == namespace {
        return Ok(());
    }
    Err(CommandError::user("aborting").hint(format!(
        "type '{namespace}' at the prompt or on stdin to confirm --purge-workloads; nothing was deleted"
    )))
}
