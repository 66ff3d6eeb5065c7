//! `plugin uninstall`: a plugin and the receipt beside it.

use super::only;
use crate::cluster::Context;
use crate::plugin;
use crate::{CommandResult, Exit};

#[derive(clap::Args, Debug)]
pub struct Args {
    /// Name of the plugin
    #[arg(value_name = "NAME")]
    name: Vec<String>,
}

pub fn run(args: &Args, context: &Context) -> CommandResult {
    let name = only(&args.name)?;
    plugin::required_folder()?.uninstall(name)?;
    context.progress.success(format!("uninstalled {name}"));
    Ok(Exit::SUCCESS)
}
