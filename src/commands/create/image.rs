//! Implements `create image`: scans images, selects tags and writes them to Git.

pub mod policy;
pub mod repository;
pub mod update;

use clap::{ArgMatches, Command};

use super::{Creation, group, leaf, parsed, undeclared};
use crate::CommandResult;

pub(super) fn augment() -> Command {
    group("image", "Create or update image automation objects")
        .subcommand(leaf::<policy::Args>(
            "policy",
            "Create or update an ImagePolicy",
        ))
        .subcommand(leaf::<repository::Args>(
            "repository",
            "Create or update an ImageRepository",
        ))
        .subcommand(leaf::<update::Args>(
            "update",
            "Create or update an ImageUpdateAutomation",
        ))
}

pub(super) fn run(kind: &str, leaf: &ArgMatches, creation: &Creation<'_>) -> CommandResult {
    let wanted = match kind {
        "policy" => policy::new_object(&parsed(leaf)?, creation),
        "repository" => repository::new_object(&parsed(leaf)?, creation),
        "update" => update::new_object(&parsed(leaf)?, creation),
        other => Err(undeclared(&format!("image {other}"))),
    };
    creation.finish(&wanted?)
}
