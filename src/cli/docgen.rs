//! Implements `docgen`: writes a Markdown page for each command, in the format of Flux's site.
//!
//! Parity: flux2: `cmd/flux/docgen.go`; cobra: `doc/md_docs.go`.

use std::fmt::Write as _;
use std::path::PathBuf;

use clap::{Arg, Command};
use sluice_system::fs;

use crate::cluster::Context;
use crate::error::CommandError;
use crate::{CommandResult, Exit};
use sluice_golang::error::chain;

#[derive(clap::Args, Debug)]
pub(super) struct Args {
    /// Output directory
    #[arg(long, default_value = "./docs/cmd", value_name = "DIR")]
    path: PathBuf,
}

pub(super) fn run(args: &Args, context: &Context) -> CommandResult {
    let root = super::manual(context.program);
    let mut pages = Vec::new();
    add(&[&root], &mut pages);
    for (name, text) in pages {
        fs::write(args.path.join(name), text).map_err(|error| CommandError::user(chain(&error)))?;
    }
    Ok(Exit::SUCCESS)
}

/// Adds the pages of the path's last command and of its subcommands.
fn add(path: &[&Command], pages: &mut Vec<(String, String)>) {
    let Some((command, above)) = path.split_last() else {
        return;
    };
    let full = name(path);
    let mut text = format!("---\ntitle: \"{full}\"\n---\n## {full}\n\n");
    let about = |command: &Command| {
        command
            .get_about()
            .map(ToString::to_string)
            .unwrap_or_default()
    };
    let _ = write!(text, "{}\n\n", about(command));
    let usage = Command::clone(command).render_usage().to_string();
    let usage = usage.trim_start_matches("Usage: ");
    let _ = write!(text, "```\n{usage}\n```\n\n");
    let inherited = |argument: &&Arg| {
        above.last().is_some_and(|above| {
            argument.is_global_set()
                && above
                    .get_arguments()
                    .any(|other| other.get_id() == argument.get_id())
        })
    };
    let shown = || {
        let mut all: Vec<&Arg> = command
            .get_arguments()
            .filter(|argument| !argument.is_hide_set() && argument.get_long().is_some())
            .collect();
        all.sort_by_key(|argument| argument.get_long());
        all.into_iter()
    };
    let own = shown().filter(|argument| !inherited(argument));
    options(&mut text, "Options", own);
    options(
        &mut text,
        "Options inherited from parent commands",
        shown().filter(inherited),
    );
    let below: Vec<&Command> = children(command).collect();
    if !above.is_empty() || !below.is_empty() {
        text.push_str("### SEE ALSO\n\n");
        if let Some(parent) = above.last() {
            see(&mut text, above, &about(parent));
        }
        for child in &below {
            see(&mut text, &[path, &[child]].concat(), &about(child));
        }
        text.push('\n');
    }
    pages.push((format!("{}.md", full.replace(' ', "_")), text));
    for child in below {
        add(&[path, &[child]].concat(), pages);
    }
}

fn name(path: &[&Command]) -> String {
    let names: Vec<&str> = path.iter().map(|command| command.get_name()).collect();
    names.join(" ")
}

fn children(command: &Command) -> impl Iterator<Item = &Command> {
    let mut children: Vec<&Command> = command
        .get_subcommands()
        .filter(|child| !child.is_hide_set() && child.get_name() != "help")
        .collect();
    children.sort_by_key(|child| child.get_name());
    children.into_iter()
}

fn options<'a>(text: &mut String, title: &str, arguments: impl Iterator<Item = &'a Arg>) {
    let lines: Vec<(String, String)> = arguments.map(line).collect();
    if lines.is_empty() {
        return;
    }
    let width = lines
        .iter()
        .map(|(flag, _)| flag.chars().count())
        .max()
        .unwrap_or(0);
    let _ = write!(text, "### {title}\n\n```\n");
    for (flag, help) in lines {
        let _ = writeln!(text, "{flag:<width$}   {help}");
    }
    text.push_str("```\n\n");
}

/// Returns a flag with its short name and value, and its description with the default.
fn line(argument: &Arg) -> (String, String) {
    let long = argument.get_long().unwrap_or_default();
    let mut flag = match argument.get_short() {
        Some(letter) => format!("  -{letter}, --{long}"),
        None => format!("      --{long}"),
    };
    let takes_value = argument
        .get_num_args()
        .is_some_and(|range| range.min_values() > 0);
    if takes_value && let Some([value, ..]) = argument.get_value_names() {
        let _ = write!(flag, " {value}");
    }
    let help = argument
        .get_help()
        .map(ToString::to_string)
        .unwrap_or_default();
    let mut help = help.lines().next().unwrap_or_default().to_owned();
    if !argument.is_hide_default_value_set() {
        let defaults = argument.get_default_values().iter();
        let defaults: Vec<_> = defaults.map(|value| value.to_string_lossy()).collect();
        if !defaults.is_empty() {
            let _ = write!(help, " (default {})", defaults.join(","));
        }
    }
    (flag, help)
}

fn see(text: &mut String, path: &[&Command], about: &str) {
    let name = name(path);
    let link = name.replace(' ', "_").to_lowercase();
    let _ = writeln!(text, "* [{name}](../{link}/)\t - {about}");
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn visible_commands_have_linked_pages() {
        let root = super::super::manual("flux");
        let mut pages = Vec::new();
        add(&[&root], &mut pages);
        let page = |name: &str| {
            let found = pages.iter().find(|(file, _)| file == name);
            found.map(|(_, text)| text.as_str()).unwrap_or_default()
        };
        let group = page("flux_get_sources.md");
        assert!(
            group.starts_with("---\ntitle: \"flux get sources\"\n---\n## flux get sources\n\n"),
            "{group}"
        );
        assert!(group.contains("* [flux get](../flux_get/)\t - "), "{group}");
        assert!(
            group.contains("* [flux get sources git](../flux_get_sources_git/)\t - "),
            "{group}"
        );
        let leaf = page("flux_get_kustomizations.md");
        let (own, inherited) = leaf.split_once("### Options inherited").unwrap();
        assert!(
            own.contains("--show-source") && !own.contains("--kubeconfig"),
            "{leaf}"
        );
        assert!(inherited.contains("  -n, --namespace NAMESPACE"), "{leaf}");
        assert!(
            pages
                .iter()
                .all(|(file, _)| !file.contains("__") && !file.contains("docgen"))
        );
        assert!(!page("flux.md").contains("docgen"));
    }
}
