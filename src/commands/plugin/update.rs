//! Implements `plugin update`: updates every plugin from the catalog to its newest version.
//!
//! A failure is reported and does not stop the others.

use sluice_system::SystemClock;

use super::{at_most_one, client};
use crate::cluster::Context;
use crate::error::CommandError;
use crate::output::spinner::Spinner;
use crate::{CommandResult, Exit, compat, output};
use sluice_plugin::catalog::{Source, here};
use sluice_plugin::{Folder, Plugin, install};

#[derive(clap::Args, Debug)]
pub struct Args {
    /// Name of the plugin [default: all]
    #[arg(value_name = "NAME")]
    name: Vec<String>,
}

/// Result of one plugin's update.
enum UpdateResult {
    /// The plugin was not installed from the catalog.
    Manual,
    Current(String),
    Changed(String, String),
}

pub fn run(args: &Args, context: &Context) -> CommandResult {
    let name = at_most_one(&args.name)?;
    let folder = Folder::required(context.is_builtin)?;
    let mut plugins = folder.plugins();
    if plugins.is_empty() {
        output::stdout("No plugins found\n")?;
        return Ok(Exit::SUCCESS);
    }
    if let Some(name) = name {
        plugins.retain(|plugin| plugin.name == name);
        if plugins.is_empty() {
            return Err(
                CommandError::user(format!("plugin \"{name}\" is not installed"))
                    .hint("`plugin list` lists the installed plugins"),
            );
        }
    }
    let client = client()?;
    let source = Source::of_process(client.clone(), context.is_builtin);
    let progress = context.progress;
    let mut exit = Exit::SUCCESS;
    for plugin in plugins {
        let name = &plugin.name;
        match context.block_on(update(&folder, &client, &source, &plugin))? {
            Ok(UpdateResult::Manual) => {
                progress.warning(format!("skipping {name} (manually installed)"));
            }
            Ok(UpdateResult::Current(version)) => {
                progress.success(format!("{name} already up to date (v{version})"));
            }
            Ok(UpdateResult::Changed(from, to)) => {
                progress.success(format!("updated {name} v{from} → v{to}"));
            }
            Err((what, error)) => {
                progress.failure(format!("error {what} {name}: {}", error.message()));
                exit = compat::reported_failure();
            }
        }
    }
    Ok(exit)
}

async fn update(
    folder: &Folder,
    client: &sluice_dial::Client,
    source: &Source,
    plugin: &Plugin,
) -> Result<UpdateResult, (&'static str, sluice_lifecycle::Error)> {
    let checking = |error| ("checking", error);
    let Some(receipt) = folder.receipt(&plugin.name) else {
        return Ok(UpdateResult::Manual);
    };
    let manifest = source.manifest(&plugin.name).await.map_err(checking)?;
    let newest = manifest.versions.first().map(|newest| &newest.version);
    if newest == Some(&receipt.version) {
        return Ok(UpdateResult::Current(receipt.version));
    }
    let (version, platform) = manifest.resolve(None, here()).map_err(checking)?;
    let spinner = Spinner::start(true, "updating");
    let installed =
        install::install(folder, client, &manifest, version, platform, &SystemClock).await;
    drop(spinner);
    installed.map_err(|error| ("updating", error))?;
    Ok(UpdateResult::Changed(
        receipt.version,
        version.version.clone(),
    ))
}
