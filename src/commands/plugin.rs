//! Implements `plugin`: lists, installs, updates and removes plugins.

pub mod install;
pub mod list;
pub mod search;
pub mod uninstall;
pub mod update;

use sluice_dial::{Client, Dial, HttpClients};

use crate::error::CommandError;
use sluice_golang::error::chain;

group! {
    /// Install a plugin from the catalog
    Install(install),
    /// List installed plugins
    #[command(alias = "ls")]
    List(list),
    /// Search the plugin catalog
    Search(search),
    /// Remove a plugin
    #[command(alias = "delete")]
    Uninstall(uninstall),
    /// Update one plugin or all plugins
    #[command(alias = "upgrade")]
    Update(update),
}

/// Creates the client for the catalog and downloads.
fn client() -> Result<Client, CommandError> {
    HttpClients::new(format!("flux/{}", sluice_manifests::FLUX_VERSION))
        .get(&Dial::default())
        .map_err(|error| CommandError::user(chain(&error)))
}

/// Returns the only name argument.
fn only(given: &[String]) -> Result<&str, CommandError> {
    match given {
        [name] => Ok(name),
        _ => Err(CommandError::argument_count(given.len())),
    }
}

/// Returns the optional name argument.
fn at_most_one(given: &[String]) -> Result<Option<&str>, CommandError> {
    match given {
        [] => Ok(None),
        [name] => Ok(Some(name)),
        _ => Err(CommandError::user(format!(
            "accepts at most 1 arg(s), received {}",
            given.len()
        ))),
    }
}
