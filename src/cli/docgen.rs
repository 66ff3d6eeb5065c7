//! Implements `docgen`: writes a Markdown page for each command, in the format of Flux's site.
//! [`chapters`] has the same facts for our own documentation.
//!
//! Parity: flux2: `cmd/flux/docgen.go`; cobra: `doc/md_docs.go`.

use std::fmt::Write as _;
use std::path::PathBuf;

use clap::{Arg, Command};
use sluice_system::fs;

use crate::cluster::Context;
use crate::error::CommandError;
use crate::{CommandResult, Exit, help};
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
        fs::write(args.path.join(name), text).map_err(|error| {
            CommandError::user(chain(&error)).hint("set --path to an existing directory")
        })?;
    }
    Ok(Exit::SUCCESS)
}

/// Returns the file names and texts of our own pages: an index with the flags of every command, and
/// a page for each verb.
#[must_use]
pub fn chapters(program: &'static str) -> Vec<(String, String)> {
    let root = super::manual(program);
    let mut index = String::from("# Commands\n\n| Command | Task |\n|---|---|\n");
    let mut pages = Vec::new();
    for command in children(&root) {
        let name = command.get_name();
        let _ = writeln!(
            index,
            "| [`{program} {name}`]({name}.md) | {} |",
            about(command)
        );
        let mut text = String::new();
        chapter(&[&root, command], "#", &mut text);
        pages.push((format!("{name}.md"), text));
    }
    index.push_str("\n## Flags of every command\n\n");
    flag_block(&mut index, visible_flags(&root));
    pages.push(("README.md".to_owned(), index));
    pages
}

/// Adds the section of the path's last command and those of its subcommands.
fn chapter(path: &[&Command], level: &str, text: &mut String) {
    let Some((command, [root, ..])) = path.split_last() else {
        return;
    };
    let separator = if text.is_empty() { "" } else { "\n" };
    let _ = write!(text, "{separator}{level} `{}`\n\n", name(path));
    let _ = write!(text, "{}.\n\n{}", about(command), usage(command));
    let own: Vec<&Arg> = visible_flags(command)
        .filter(|argument| !is_inherited(argument, root))
        .collect();
    if !own.is_empty() {
        text.push('\n');
        flag_block(text, own.into_iter());
    }
    for child in children(command) {
        chapter(&[path, &[child]].concat(), "##", text);
    }
}

/// Adds the pages of the path's last command and of its subcommands.
fn add(path: &[&Command], pages: &mut Vec<(String, String)>) {
    let Some((command, above)) = path.split_last() else {
        return;
    };
    let full = name(path);
    let mut text = format!("---\ntitle: \"{full}\"\n---\n## {full}\n\n");
    let _ = write!(text, "{}\n\n{}\n", about(command), usage(command));
    let inherited = |argument: &&Arg| {
        above
            .last()
            .is_some_and(|above| is_inherited(argument, above))
    };
    let own = visible_flags(command).filter(|argument| !inherited(argument));
    options(&mut text, "Options", own);
    options(
        &mut text,
        "Options inherited from parent commands",
        visible_flags(command).filter(inherited),
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

fn about(command: &Command) -> String {
    command
        .get_about()
        .map(ToString::to_string)
        .unwrap_or_default()
}

/// Returns a block with the form of a command.
fn usage(command: &Command) -> String {
    let usage = help::say_flags(&Command::clone(command).render_usage().to_string());
    format!("```\n{}\n```\n", usage.trim_start_matches("Usage: "))
}

/// Returns the visible flags of a command in the order of their names.
fn visible_flags(command: &Command) -> impl Iterator<Item = &Arg> {
    let mut all: Vec<&Arg> = command
        .get_arguments()
        .filter(|argument| !argument.is_hide_set() && argument.get_long().is_some())
        .collect();
    all.sort_by_key(|argument| argument.get_long());
    all.into_iter()
}

/// Whether a flag comes from a command above.
fn is_inherited(argument: &Arg, above: &Command) -> bool {
    argument.is_global_set()
        && above
            .get_arguments()
            .any(|other| other.get_id() == argument.get_id())
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
    let mut arguments = arguments.peekable();
    if arguments.peek().is_none() {
        return;
    }
    let _ = write!(text, "### {title}\n\n");
    flag_block(text, arguments);
    text.push('\n');
}

/// Adds a block with a line for each flag.
fn flag_block<'a>(text: &mut String, arguments: impl Iterator<Item = &'a Arg>) {
    let lines: Vec<(String, String)> = arguments.map(line).collect();
    let width = lines
        .iter()
        .map(|(flag, _)| flag.chars().count())
        .max()
        .unwrap_or(0);
    text.push_str("```\n");
    for (flag, help) in lines {
        let _ = writeln!(text, "{flag:<width$}   {help}");
    }
    text.push_str("```\n");
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
    let help = help.lines().next().unwrap_or_default();
    let mut help = match help::split_default(help) {
        Some((text, default)) => format!("{text} (default {default})"),
        None => help.to_owned(),
    };
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

    #[test]
    fn chapter_of_a_verb_has_its_subcommands() {
        let pages = chapters("sluice");
        let page = |name: &str| {
            let found = pages.iter().find(|(file, _)| file == name);
            found.map(|(_, text)| text.as_str()).unwrap_or_default()
        };
        let get = page("get.md");
        let start = "# `sluice get`\n\n";
        assert!(get.starts_with(start), "{get}");
        let (_, sources) = get.split_once("\n## `sluice get sources git`\n").unwrap();
        assert!(
            sources.contains("\n```\nsluice get sources git"),
            "{sources}"
        );
        assert!(!get.contains("--kubeconfig"), "{get}");
        let index = page("README.md");
        assert!(index.contains("| [`sluice get`](get.md) | "), "{index}");
        assert!(index.contains("--kubeconfig"), "{index}");
        assert!(!index.contains("docgen"), "{index}");
    }
}
