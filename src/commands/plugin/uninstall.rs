//! Implements `plugin uninstall`: removes a plugin and its receipt.

use super::only;
use crate::cluster::Context;
use crate::{CommandResult, Exit};
use sluice_plugin::Folder;

#[derive(clap::Args, Debug)]
pub struct Args {
    /// Name of the plugin
    #[arg(value_name = "NAME")]
    name: Vec<String>,
}

pub fn run(args: &Args, context: &Context) -> CommandResult {
    let name = only(&args.name)?;
    Folder::required(context.is_builtin)?.uninstall(name)?;
    context.progress.success(format!("uninstalled {name}"));
    Ok(Exit::SUCCESS)
}
