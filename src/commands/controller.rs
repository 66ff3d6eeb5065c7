//! Implements `controller NAME`: runs one controller with Flux's flags, or several in one process.
//!
//! The binary under the file name `kustomize-controller` does the same as `sluice controller
//! kustomize-controller …`. The flags are Flux's, so the `args` of a stock Deployment fit.
//! `controller all` takes shared flags once, and a controller's own flags as `--NAME.flag`. Each
//! controller keeps its own lease, feature gates and metric labels.

use std::ffi::OsString;

use crate::cluster::Context;
use crate::error::CommandError;
use crate::{CommandResult, spelling};

/// Suffix of most controller names.
const SUFFIX: &str = "-controller";
/// Controllers of this build, by the names of their Flux Deployments.
pub const NAMES: &[&str] = &[
    "source-controller",
    "kustomize-controller",
    "helm-controller",
    "notification-controller",
    "image-reflector-controller",
    "image-automation-controller",
    "source-watcher",
];

#[derive(clap::Args, Debug)]
#[command(disable_help_flag = true)]
pub struct Args {
    /// Controller to run, such as source-controller, or all
    #[arg(value_name = "NAME")]
    name: String,
    /// Controller flags; with `all`, as --CONTROLLER.flag
    #[arg(
        trailing_var_arg = true,
        allow_hyphen_values = true,
        value_name = "CONTROLLER-FLAG"
    )]
    flags: Vec<OsString>,
}

pub fn run(args: &Args, context: &Context) -> CommandResult {
    match args.name.as_str() {
        "all" => process::all(context.program, &args.flags),
        name => {
            let known = find(NAMES, name).ok_or_else(|| {
                let unknown = format!(
                    "unknown controller \"{name}\", must be one of: {}, all",
                    NAMES.join(", ")
                );
                let unknown = CommandError::user(unknown);
                match spelling::find_similar(name, NAMES.iter().copied()) {
                    Some(known) => unknown.hint(format!("did you mean {known}?")),
                    None => unknown,
                }
            })?;
            process::one(&call_of(context.program, known), known, &args.flags)
        }
    }
}

/// Returns the command that runs a controller.
fn call_of(program: &str, name: &str) -> String {
    format!("{program} controller {name}")
}

/// Finds a controller by its name, with or without `-controller`. `source-watcher` has no such
/// suffix in Flux.
fn find<'n>(names: &[&'n str], name: &str) -> Option<&'n str> {
    let is_named = |known: &&&str| **known == name || known.strip_suffix(SUFFIX) == Some(name);
    names.iter().find(is_named).copied()
}

/// Checks whether a controller of this build would start with these flags. Returns every reason
/// against it, as text for the operator.
pub fn flag_faults(name: &str, flags: &[String]) -> Vec<String> {
    process::flag_faults(name, flags)
}

/// Runs the controller of the program's file name, with these flags, until the process ends.
pub fn run_as(name: &str, flags: &[OsString]) -> CommandResult {
    process::one(name, name, flags)
}

#[cfg(feature = "controllers")]
mod process;

#[cfg(not(feature = "controllers"))]
mod process {
    use super::{CommandError, CommandResult, OsString};

    pub(super) fn flag_faults(name: &str, _: &[String]) -> Vec<String> {
        vec![format!(
            "{name} is not in this build: it was made without the feature `controllers`"
        )]
    }

    pub(super) fn one(_: &str, name: &str, _: &[OsString]) -> CommandResult {
        Err(CommandError::user(format!(
            "{name} is not in this build: it was made without the feature `controllers`"
        )))
    }

    pub(super) fn all(_: &str, _: &[OsString]) -> CommandResult {
        one("", "all", &[])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn controller_is_found_with_and_without_suffix() {
        let names = ["source-controller", "source-watcher"];
        for (name, found) in [
            ("source-controller", Some("source-controller")),
            ("source", Some("source-controller")),
            ("source-watcher", Some("source-watcher")),
            ("source-watcher-controller", None),
            ("watcher", None),
        ] {
            assert_eq!(find(&names, name), found, "{name}");
        }
    }
}
