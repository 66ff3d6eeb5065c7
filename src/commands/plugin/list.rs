//! Implements `plugin list`: lists installed plugins with their versions.

use crate::cluster::Context;
use crate::output::table::Table;
use crate::{CommandResult, Exit, output};
use sluice_plugin::Folder;

#[derive(clap::Args, Debug)]
pub struct Args {}

pub fn run(_args: &Args, context: &Context) -> CommandResult {
    let folder = Folder::required(context.is_builtin)?;
    let plugins = folder.plugins();
    if plugins.is_empty() {
        output::stdout("No plugins found\n")?;
        return Ok(Exit::SUCCESS);
    }
    let mut table = Table::new(["Name", "Version", "Path"]);
    for plugin in plugins {
        let receipt = folder.receipt(&plugin.name);
        let version = receipt.map_or_else(|| "manual".to_owned(), |receipt| receipt.version);
        let path = plugin.path.display().to_string();
        table.row([plugin.name, version, path]);
    }
    output::stdout(&table.render(true))?;
    Ok(Exit::SUCCESS)
}
