//! Implements `plugin install`: installs a plugin of the catalog, by default its newest version.

use sluice_system::SystemClock;

use super::{client, only};
use crate::cluster::Context;
use crate::output::spinner::Spinner;
use crate::{CommandResult, Exit};
use sluice_plugin::catalog::{Source, here};
use sluice_plugin::{Folder, install};

#[derive(clap::Args, Debug)]
pub struct Args {
    /// Plugin name, with @VERSION or @DIGEST
    #[arg(value_name = "NAME[@VERSION|@DIGEST]")]
    name: Vec<String>,
}

pub fn run(args: &Args, context: &Context) -> CommandResult {
    let (name, asked) = match only(&args.name)?.split_once('@') {
        Some((name, asked)) => (name, Some(asked).filter(|asked| !asked.is_empty())),
        None => (only(&args.name)?, None),
    };
    let folder = Folder::required(context.is_builtin)?;
    let client = client()?;
    context.block_on(async {
        let manifest = Source::of_process(client.clone(), context.is_builtin)
            .manifest(name)
            .await?;
        let (version, platform) = manifest.resolve(asked, here())?;
        let spinner = Spinner::start(true, "installing");
        let installed =
            install::install(&folder, &client, &manifest, version, platform, &SystemClock).await;
        drop(spinner);
        installed?;
        context
            .progress
            .success(format!("installed {name} v{}", version.version));
        Ok(Exit::SUCCESS)
    })?
}
