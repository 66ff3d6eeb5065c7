//! Implements `plugin search`: finds plugins by a word of their name or description.

use super::{at_most_one, client};
use crate::cluster::Context;
use crate::output::table::Table;
use crate::{CommandResult, Exit, output};
use sluice_plugin::Folder;
use sluice_plugin::catalog::Source;

#[derive(clap::Args, Debug)]
pub struct Args {
    /// Word to search for in names and descriptions
    #[arg(value_name = "QUERY")]
    query: Vec<String>,
}

pub fn run(args: &Args, context: &Context) -> CommandResult {
    let typed = at_most_one(&args.query)?.unwrap_or_default();
    let query = typed.to_lowercase();
    let catalog =
        context.block_on(Source::of_process(client()?, context.is_builtin).catalog())??;
    let folder = Folder::of_process(context.is_builtin);
    let mut table = Table::new(["Name", "Description", "Installed"]);
    for entry in catalog.plugins {
        let has = |text: &str| text.to_lowercase().contains(&query);
        if !has(&entry.name) && !has(&entry.description) {
            continue;
        }
        let receipt = folder
            .as_ref()
            .and_then(|folder| folder.receipt(&entry.name));
        let installed = receipt.map(|receipt| receipt.version).unwrap_or_default();
        table.row([entry.name, entry.description, installed]);
    }
    let text = if !table.is_empty() {
        table.render(true)
    } else if query.is_empty() {
        "No plugins found in catalog\n".to_owned()
    } else {
        let query = sluice_golang::quote::quote(&query);
        format!("No plugins matching {query} found in catalog\n")
    };
    output::stdout(&text)?;
    Ok(Exit::SUCCESS)
}
