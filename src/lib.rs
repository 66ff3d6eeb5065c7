//! Flux CD in one binary: the command line and every controller.
//!
//! This is the top layer: flags, tables, colour and exit codes. The crates below do the work. Start
//! at [`cli`] for the command tree and at [`commands`] for each command. [`sluice_insight::kinds`]
//! lists the kinds and their verbs, and [`output`] formats values.
//!
//! The file name of the program selects its role. `sluice` and `flux` are the command line.
//! `source-controller` and its siblings are that controller, with Flux's own flags. `sluice
//! controller NAME` is the long form.

pub mod archive;
pub mod build;
pub mod cli;
pub mod cluster;
#[expect(
    missing_docs,
    reason = "doc comments on commands and flags become their help texts"
)]
pub mod commands;
pub mod compat;
pub mod error;
#[expect(
    missing_docs,
    reason = "doc comments on commands and flags become their help texts"
)]
pub mod flags;
pub mod globals;
mod help;
mod misuse;
pub mod output;
pub mod registry;
mod spelling;
pub mod terminal;

use std::ffi::OsString;
use std::path::Path;
use std::process::ExitCode;

use crate::error::CommandError;

/// Role of the program, which its file name selects.
#[derive(Debug, PartialEq, Eq)]
enum Face {
    /// The command line, under this program name.
    CommandLine(&'static str),
    /// One controller, by the name of its Flux Deployment.
    Controller(&'static str),
}

fn face(program: &OsString) -> Face {
    let stem = Path::new(program)
        .file_name()
        .and_then(|name| name.to_str())
        .unwrap_or_default();
    match stem {
        "flux" => Face::CommandLine("flux"),
        _ => commands::controller::NAMES
            .iter()
            .find(|name| **name == stem)
            .map_or(Face::CommandLine("sluice"), |name| Face::Controller(name)),
    }
}

/// Runs the program and returns its exit code. The first argument is the program's name.
#[must_use]
pub fn run(mut arguments: Vec<OsString>) -> ExitCode {
    let program = if arguments.is_empty() {
        OsString::from("sluice")
    } else {
        arguments.remove(0)
    };
    let result = match face(&program) {
        Face::CommandLine(name) => cli::run(name, &arguments),
        Face::Controller(name) => commands::controller::run_as(name, &arguments),
    };
    match result {
        Ok(exit) => exit.into(),
        Err(error) => error.report(),
    }
}

/// Exit code of a command that did its work: `0`, or a code with a meaning.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Exit(pub u8);

impl Exit {
    /// Success.
    pub const SUCCESS: Self = Self(0);
    /// General failure.
    pub const FAILURE: Self = Self(1);

    /// Returns the first of both that is not a success.
    #[must_use]
    pub fn or(self, other: Self) -> Self {
        if self == Self::SUCCESS { other } else { self }
    }
}

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> Self {
        Self::from(exit.0)
    }
}

/// The result of every command.
pub type CommandResult = Result<Exit, CommandError>;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn file_name_selects_the_role() {
        let cases = [
            ("/usr/local/bin/flux", Face::CommandLine("flux")),
            ("sluice", Face::CommandLine("sluice")),
            ("./target/debug/sluice", Face::CommandLine("sluice")),
            ("kubectl-sluice", Face::CommandLine("sluice")),
            ("/source-controller", Face::Controller("source-controller")),
            (
                "kustomize-controller",
                Face::Controller("kustomize-controller"),
            ),
        ];
        for (program, expected) in cases {
            assert_eq!(face(&OsString::from(program)), expected, "{program}");
        }
    }
}
