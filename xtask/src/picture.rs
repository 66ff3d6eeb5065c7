//! `cargo xtask picture`: the pictures of the README, as SVG.
//!
//! `terminal` runs a command and draws what it prints. `figures` draws recorded figures beside
//! those of Flux.

pub(crate) mod figures;
mod terminal;

use std::path::PathBuf;

use anyhow::Result;
use clap::Subcommand;
use sluice_system::fs;

/// Draw the pictures of the README
#[derive(clap::Args)]
pub(crate) struct Arguments {
    #[command(subcommand)]
    picture: Picture,
}

#[derive(Subcommand)]
enum Picture {
    /// Run a command and draw its output as a terminal
    Terminal {
        /// File to write
        #[arg(long, default_value = "docs/images/demo.svg")]
        output: PathBuf,
        /// Text after the prompt, instead of the command itself
        #[arg(long)]
        prompt: Option<String>,
        /// Command to run
        #[arg(last = true, required = true)]
        command: Vec<String>,
    },
    /// Draw recorded figures beside those of Flux
    Figures {
        /// File to write
        #[arg(long, default_value = "docs/images/figures.svg")]
        output: PathBuf,
    },
}

pub(crate) fn run(arguments: &Arguments) -> Result<()> {
    let (output, svg) = match &arguments.picture {
        Picture::Terminal {
            output,
            prompt,
            command,
        } => (output, terminal::draw(prompt.as_deref(), command)?),
        Picture::Figures { output } => (output, figures::draw()?),
    };
    fs::write(crate::repository().join(output), svg)?;
    println!("wrote {}", output.display());
    Ok(())
}

/// Escapes text for SVG.
fn escape(text: &str) -> String {
    text.replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('>', "&gt;")
}
