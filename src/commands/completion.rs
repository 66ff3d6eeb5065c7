//! `completion SHELL`: a script that completes commands and flags.

use clap::Subcommand;

use crate::cluster::Context;
use crate::{CommandResult, Exit, cli, output};

#[derive(clap::Args, Debug)]
pub struct Args {
    #[command(subcommand)]
    shell: Shell,
}

#[derive(Clone, Copy, Debug, Subcommand)]
enum Shell {
    /// Generate the completion script for bash
    Bash,
    /// Generate the completion script for fish
    Fish,
    /// Generate the completion script for PowerShell
    Powershell,
    /// Generate the completion script for zsh
    Zsh,
}

/// The script for one shell and program name, as `completions/` holds it.
#[must_use]
pub fn script(program: &'static str, shell: clap_complete::Shell) -> Vec<u8> {
    // `help` repeats the whole tree at every level: most of a script's size, for a word that
    // `--help` says as well.
    let mut tree = cli::command(program).disable_help_subcommand(true);
    tree.build();
    let mut script = Vec::new();
    clap_complete::generate(shell, &mut tree, program, &mut script);
    script
}

pub fn run(args: &Args, context: &Context) -> CommandResult {
    let shell = match args.shell {
        Shell::Bash => clap_complete::Shell::Bash,
        Shell::Fish => clap_complete::Shell::Fish,
        Shell::Powershell => clap_complete::Shell::PowerShell,
        Shell::Zsh => clap_complete::Shell::Zsh,
    };
    let script = script(context.program, shell);
    output::stdout(&String::from_utf8_lossy(&script))?;
    Ok(Exit::SUCCESS)
}
