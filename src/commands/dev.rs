//! Implements `dev`: runs a whole GitOps loop on one machine, without Docker and without a cluster.
//!
//! `stage` starts a local control plane, or uses `--kubeconfig`. It also starts the controllers in
//! this process and a Git server. `story` makes a first commit and shows its reconciliation. Then
//! it changes a file, drifts an object by hand, and prints each duration. With `--demo full`,
//! `image` then shows an image update and its alert. `--once` ends the command there. Otherwise,
//! and for a repository of the user, `live` shows states and events until Ctrl-C. Only this command
//! and `controller` know the runtime.

mod controllers;
mod image;
mod live;
mod stage;
mod story;

use std::path::PathBuf;

use crate::cluster::{Context, interruption};
use crate::error::CommandError;
use crate::flags::BooleanFlag as _;
use crate::{CommandResult, Exit};

#[derive(clap::Args, Debug)]
pub struct Args {
    /// Run a demonstration, then exit
    #[arg(long, switch = false)]
    once: bool,
    /// Demonstration: short, or full with an image update and an alert
    #[arg(long, value_enum, default_value = "short", value_name = "DEMO")]
    demo: Demo,
    /// Local repository or directory to reconcile [default: a sample]
    #[arg(long, value_name = "DIR")]
    path: Option<PathBuf>,
    /// Branch to fetch
    #[arg(long, default_value = "main", value_name = "BRANCH")]
    branch: String,
    /// Directory in the repository to apply, such as clusters/home
    #[arg(long, default_value = "./", value_name = "PATH")]
    directory: String,
}

/// The parts of the demonstration.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
enum Demo {
    Short,
    Full,
}

pub fn run(args: &Args, context: &Context) -> CommandResult {
    if args.once && args.path.is_some() {
        return Err(CommandError::user(
            "--once demonstrates on a repository of its own: it cannot be used with --path",
        ));
    }
    if args.demo == Demo::Full && args.path.is_some() {
        return Err(CommandError::user(
            "--demo=full demonstrates on a repository of its own: it cannot be used with --path",
        ));
    }
    context.block_on_at_leisure(play(args, context))?
}

async fn play(args: &Args, context: &Context) -> CommandResult {
    let ctrl_c = Ok(Exit(if args.once { 130 } else { 0 }));
    let mut stage = tokio::select! {
        // Dropping the future stops the processes that it started.
        () = interruption() => return ctrl_c,
        stage = stage::Stage::set(args, context) => stage?,
    };
    let (ended, is_interrupted) = tokio::select! {
        () = interruption() => (ctrl_c, true),
        ended = perform(&mut stage, args, context) => (ended.map(|()| Exit::SUCCESS), false),
    };
    let struck = tokio::select! {
        // Another Ctrl-C does not wait for the controllers.
        () = interruption() => Err(CommandError::user("interrupted before everything was stopped and removed")),
        struck = stage.strike(context, is_interrupted) => struck,
    };
    match ended {
        Ok(code) => struck.map(|()| code),
        Err(error) => {
            if let Err(error) = struck {
                context.progress.error(&error);
            }
            Err(error)
        }
    }
}

/// Shows the demonstration, or the repository of the user until Ctrl-C.
async fn perform(
    stage: &mut stage::Stage,
    args: &Args,
    context: &Context,
) -> Result<(), CommandError> {
    stage.open(context).await?;
    if args.path.is_none() {
        match demonstrate(stage, context).await {
            Ok(()) if args.once => return Ok(()),
            Ok(()) => {}
            Err(error) if args.once => {
                return Err(error.hint("run `sluice dev` without --once to inspect the objects"));
            }
            Err(error) => context.progress.error(&error),
        }
    }
    let live = live::Live::begin(stage, context).await?;
    if args.path.is_some() {
        story::deploy(stage, context).await?;
    }
    live.show().await
}

async fn demonstrate(stage: &stage::Stage, context: &Context) -> Result<(), CommandError> {
    story::run(stage, context).await?;
    match &stage.registry {
        Some(registry) => image::update(stage, registry, context).await,
        None => Ok(()),
    }
}
