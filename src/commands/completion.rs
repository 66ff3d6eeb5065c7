//! Implements `completion SHELL`: prints the completion script of a shell.
//!
//! The script calls `__complete` for every word, so it does not depend on the version of the
//! binary. Scripts of Flux's command line work as well. The script never expands the typed line,
//! because an expansion could run commands.

use clap::Subcommand;

use crate::cluster::Context;
use crate::{CommandResult, Exit, output};

#[derive(clap::Args, Debug)]
pub struct Args {
    #[command(subcommand)]
    shell: Shell,
}

/// A shell whose command lines we complete.
#[derive(Clone, Copy, Debug, Subcommand)]
pub enum Shell {
    /// Generate the completion script for bash
    Bash,
    /// Generate the completion script for fish
    Fish,
    /// Generate the completion script for PowerShell
    Powershell,
    /// Generate the completion script for zsh
    Zsh,
}

impl Shell {
    /// All shells with the file extension of their scripts.
    pub const ALL: [(Self, &'static str); 4] = [
        (Self::Bash, "bash"),
        (Self::Fish, "fish"),
        (Self::Powershell, "ps1"),
        (Self::Zsh, "zsh"),
    ];

    fn template(self) -> &'static str {
        match self {
            Self::Bash => include_str!("completion/script.bash"),
            Self::Fish => include_str!("completion/script.fish"),
            Self::Powershell => include_str!("completion/script.ps1"),
            Self::Zsh => include_str!("completion/script.zsh"),
        }
    }
}

/// Returns the script for a shell and a program name, from `completions/`.
#[must_use]
pub fn script(program: &str, shell: Shell) -> String {
    shell.template().replace("PROGRAM", program)
}

pub fn run(args: &Args, context: &Context) -> CommandResult {
    output::stdout(&script(context.program, args.shell))?;
    Ok(Exit::SUCCESS)
}
