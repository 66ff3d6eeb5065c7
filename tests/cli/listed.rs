//! Checks that the changelog or `PARITY.md` names each command of the tree.

use clap::Command;

const PAGES: [&str; 2] = [
    include_str!("../../CHANGELOG.md"),
    include_str!("../../PARITY.md"),
];

/// Verbs whose nouns are the kinds of Flux, which `PARITY.md` lists, or shells.
const LISTED_WITHOUT_NOUN: [&str; 8] = [
    "completion",
    "create",
    "delete",
    "export",
    "get",
    "reconcile",
    "resume",
    "suspend",
];

/// Returns the visible commands by name: a verb, or a verb and its noun.
fn commands(root: &Command) -> Vec<String> {
    let mut names = Vec::new();
    let is_shown = |command: &&Command| !command.is_hide_set() && command.get_name() != "help";
    for verb in root.get_subcommands().filter(is_shown) {
        let mut nouns: Vec<_> = verb.get_subcommands().filter(is_shown).collect();
        if LISTED_WITHOUT_NOUN.contains(&verb.get_name()) {
            nouns.clear();
        }
        if nouns.is_empty() {
            names.push(verb.get_name().to_owned());
        }
        let name = |noun: &Command| format!("{} {}", verb.get_name(), noun.get_name());
        names.extend(nouns.into_iter().map(name));
    }
    names
}

#[test]
fn every_command_is_in_changelog_or_parity() {
    let mut root = sluice::cli::command("sluice");
    root.build();
    let names = commands(&root);
    assert!(names.len() > 40, "{names:?}");
    let is_listed = |name: &String| {
        let spans = PAGES
            .iter()
            .flat_map(|page| page.split('`').skip(1).step_by(2));
        let mut spans = spans.map(|span| span.trim_start_matches("sluice "));
        spans.any(|span| span == name || span.starts_with(&format!("{name} ")))
    };
    let missing: Vec<_> = names.iter().filter(|name| !is_listed(name)).collect();
    assert!(
        missing.is_empty(),
        "add a line to CHANGELOG.md or PARITY.md for {missing:?}"
    );
}
