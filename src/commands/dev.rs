//! Implements `dev`: runs a whole GitOps loop on one machine, without Docker and without a cluster.
//!
//! `stage` starts a local control plane, or uses `--kubeconfig`. It also starts the controllers in
//! this process and a Git server. `story` makes a first commit and shows its reconciliation. Then
//! it changes a file, drifts an object by hand, and prints each duration. With `--demo full`,
//! `image` then shows an image update and its alert. `--once` ends the command there. Otherwise
//! `live` shows events until Ctrl-C. Only this command and `controller` know the runtime.

mod image;
mod live;
mod stage;
mod story;

use std::path::PathBuf;

use crate::cluster::Context;
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
    /// Directory in the repository to apply, beginning with ./
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
    let mut interrupt = std::pin::pin!(tokio::signal::ctrl_c());
    let performance = async {
        let stage = stage::Stage::set(args, context).await?;
        if args.path.is_none() {
            story::run(&stage, context).await?;
            if let Some(registry) = &stage.registry {
                image::update(&stage, registry, context).await?;
            }
        } else {
            story::first_commit(&stage, context).await?;
        }
        if !args.once {
            live::show(&stage, context).await?;
        }
        Ok::<_, CommandError>(stage)
    };
    tokio::select! {
        // Dropping the future drops the stage, which stops its processes.
        _ = &mut interrupt => Ok(Exit(if args.once { 130 } else { 0 })),
        ended = performance => {
            ended?.strike().await;
            Ok(Exit::SUCCESS)
        }
    }
}
