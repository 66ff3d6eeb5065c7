//! `completion SHELL`: the script with which a shell completes our command lines.
//!
//! The script knows no command and asks `__complete` for every word. An old script therefore offers the
//! commands of this binary, and the scripts of Flux's command line work with ours. The script never
//! expands the typed line, because an expansion could run commands.

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
    /// Every shell, with the extension of its scripts.
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

/// The script for one shell and program name, as `completions/` holds it.
#[must_use]
pub fn script(program: &str, shell: Shell) -> String {
    shell.template().replace("PROGRAM", program)
}

pub fn run(args: &Args, context: &Context) -> CommandResult {
    output::stdout(&script(context.program, args.shell))?;
    Ok(Exit::SUCCESS)
}
