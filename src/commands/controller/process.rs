//! Runs controllers in this process: one with Flux's flags, or several with the flags they share.
//!
//! `parse` reads the flags of one controller, and `shared` divides those of several. `help` has the
//! help pages, and `start` runs the process.

mod controller;
mod help;
mod parse;
mod shared;
mod start;

use std::ffi::OsString;

use self::controller::Controller;
use self::parse::{ParsedArguments, parse};
use super::{NAMES, call_of};
use crate::error::CommandError;
use crate::{CommandResult, Exit, output};

pub(super) use self::parse::flag_faults;

/// Runs one controller. `call` is the command for it, which its help names.
pub(super) fn one(call: &str, name: &str, flags: &[OsString]) -> CommandResult {
    let name = NAMES
        .iter()
        .find(|known| **known == name)
        .ok_or_else(|| CommandError::internal(format!("{name} is not in this build")))?;
    match parse(name, flags)? {
        ParsedArguments::Help => {
            output::stdout(&help::of_one(call, name))?;
            Ok(Exit::SUCCESS)
        }
        ParsedArguments::Run(controller) => start::serve(name, vec![(name, *controller)]),
    }
}

/// Runs all controllers, with the flags of the program's command `controller all`.
pub(super) fn all(program: &str, flags: &[OsString]) -> CommandResult {
    if flags.iter().any(|flag| flag == "--help" || flag == "-h") {
        output::stdout(&help::of_all(program))?;
        return Ok(Exit::SUCCESS);
    }
    let mut controllers: Vec<(&'static str, Controller)> = Vec::new();
    let (without, flags) = shared::excluded(flags)?;
    for (name, own) in shared::split(&flags)? {
        if without.contains(&name) {
            continue;
        }
        let defaults = shared::defaults(name, &controllers);
        let own: Vec<OsString> = defaults.into_iter().chain(own).collect();
        match parse(name, &own)? {
            ParsedArguments::Help => {
                output::stdout(&help::of_one(&call_of(program, name), name))?;
                return Ok(Exit::SUCCESS);
            }
            ParsedArguments::Run(controller) => controllers.push((name, *controller)),
        }
    }
    shared::check_storage(&controllers)?;
    start::serve("sluice", controllers)
}

#[cfg(test)]
fn words(text: &str) -> Vec<OsString> {
    text.split_whitespace().map(OsString::from).collect()
}
