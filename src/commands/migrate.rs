//! Implements `migrate`: rewrites custom resources in the newest version of their kinds, before an
//! upgrade drops older ones.
//!
//! In the cluster, it migrates stored objects ([`sluice_lifecycle::storage`]). With `--path`, it
//! migrates manifest files ([`files`]).
//!
//! Parity: flux2: `cmd/flux/migrate.go`.

mod files;

use sluice_lifecycle::storage::migrate_all;

use crate::cluster::Context;
use crate::error::CommandError;
use crate::flags::BooleanFlag as _;
use crate::{CommandResult, Exit, flags};

#[derive(clap::Args, Debug)]
pub struct Args {
    /// Show the changes without writing files
    #[arg(long, switch = false)]
    dry_run: bool,
    /// Extensions of the files to migrate
    #[arg(long, short, value_parser = flags::csv, default_value = ".yaml,.yml", value_name = "EXTENSION")]
    extensions: Vec<Vec<String>>,
    /// Path below the current directory [default: objects in the cluster]
    #[arg(long, short = 'f', value_name = "PATH")]
    path: Option<String>,
    /// Target Flux version, such as 2.9 [default: the supported version]
    #[arg(long, short = 'v', value_name = "VERSION")]
    version: Option<String>,
    /// Write files without asking
    #[arg(long, short, switch = false)]
    yes: bool,
}

pub fn run(args: &Args, context: &Context) -> CommandResult {
    match args.path.as_deref().filter(|path| !path.is_empty()) {
        Some(path) => files::migrate(args, path, context),
        None if args.dry_run => Err(CommandError::user(
            "--dry-run is only applicable with --path: what the cluster stores is migrated for good",
        )),
        None => in_cluster(context),
    }
}

fn in_cluster(context: &Context) -> CommandResult {
    context
        .progress
        .action("starting migration of custom resources");
    let limit = context.timeout();
    context.block_on(async {
        let session = context.session()?;
        tokio::time::timeout(limit, migrate_all(&session))
            .await
            .map_or_else(
                |_| {
                    let limit = sluice_golang::duration::GoDuration::from_std(limit);
                    Err(CommandError::cluster(format!(
                        "the migration was not finished within {limit}"
                    ))
                    .hint("run migrate again with a longer --timeout: it continues"))
                },
                |migrated| Ok(migrated?),
            )
    })??;
    context
        .progress
        .success("custom resources migrated successfully");
    Ok(Exit::SUCCESS)
}
