//! Builds the nouns of a verb from the registry of kinds: `source git`, `kustomization`, …
//!
//! A verb selects its kinds and the arguments of a leaf. This module builds the branches and finds
//! the kind of the parsed arguments.

use clap::{Arg, ArgMatches, Command};
use sluice_insight::kinds::{RESOURCES, Resource};

use crate::cluster::Context;
use crate::error::CommandError;
use crate::spelling;

/// Spelling of a verb's nouns.
#[derive(Clone, Copy)]
pub(super) enum Form {
    /// For example `source git`.
    Singular,
    /// For example `sources git`.
    Listed,
}

impl Form {
    fn path(self, resource: &Resource) -> &'static [&'static str] {
        match self {
            Self::Singular => resource.noun,
            Self::Listed => resource.listed,
        }
    }

    fn aliases(self, resource: &Resource) -> &'static [&'static str] {
        match self {
            Self::Singular => resource.aliases,
            Self::Listed => resource.listed_aliases,
        }
    }
}

/// Adds a leaf for every kind that `serves` accepts, below its group if it has one.
pub(super) fn add(
    command: Command,
    form: Form,
    serves: fn(&Resource) -> bool,
    leaf: fn(&Resource, Command) -> Command,
) -> Command {
    let verb = command.get_name().to_owned();
    let mut branches: Vec<Command> = Vec::new();
    let mut groups: Vec<(&'static str, Command)> = Vec::new();
    for resource in RESOURCES.iter().filter(|resource| serves(resource)) {
        let path = form.path(resource);
        let name = path.last().copied().unwrap_or_default();
        let branch = leaf(
            resource,
            Command::new(name).aliases(form.aliases(resource).iter().copied()),
        );
        match path {
            [group, _] => {
                let known = groups.iter().position(|(known, _)| known == group);
                let index = known.unwrap_or_else(|| {
                    groups.push((group, new_group(&verb, group)));
                    groups.len() - 1
                });
                let (name, grown) = groups.swap_remove(index);
                groups.push((name, grown.subcommand(branch)));
            }
            _ => branches.push(branch),
        }
    }
    branches.extend(groups.into_iter().map(|(_, group)| group));
    branches.sort_by(|left, right| left.get_name().cmp(right.get_name()));
    command
        .subcommands(branches)
        .subcommand_required(true)
        .arg_required_else_help(true)
}

fn new_group(verb: &str, name: &'static str) -> Command {
    let (action, end) = match verb {
        "delete" => ("Delete", ""),
        "export" => ("Export", " as YAML"),
        "get" => ("List", ""),
        "reconcile" => ("Reconcile", ""),
        "resume" => ("Resume reconciliation of", ""),
        _ => ("Suspend reconciliation of", ""),
    };
    let objects = match name {
        "source" | "sources" => "source objects",
        "image" | "images" => "image automation objects",
        _ => "ArtifactGenerator objects",
    };
    let command = Command::new(name)
        .about(format!("{action} {objects}{end}"))
        .subcommand_required(true)
        .arg_required_else_help(true);
    match name {
        "sources" => command.alias("source"),
        "images" => command.alias("image"),
        "artifacts" => command.alias("artifact"),
        _ => command,
    }
}

/// Returns the positional arguments of a leaf: the name, and surplus words.
pub(super) fn names() -> Arg {
    Arg::new("name")
        .num_args(0..)
        .value_name("NAME")
        .help("Name of the object")
}

/// Returns the words below the verb, and the matches of the last one.
pub(super) fn leaf(matches: &ArgMatches) -> (Vec<&str>, &ArgMatches) {
    let mut words = Vec::new();
    let mut current = matches;
    while let Some((name, below)) = current.subcommand() {
        words.push(name);
        current = below;
    }
    (words, current)
}

/// Returns the kind of these words.
pub(super) fn resource(form: Form, words: &[&str]) -> Result<&'static Resource, CommandError> {
    RESOURCES
        .iter()
        .find(|resource| form.path(resource) == words)
        .ok_or_else(|| CommandError::internal(format!("no kind is called {}", words.join(" "))))
}

/// Returns the kind of a noun in either spelling or its short form. Sources also go by their last
/// word: `git`.
pub(super) fn by_noun(words: &[&str]) -> Option<&'static Resource> {
    RESOURCES.iter().find(|resource| {
        let is_alias = |word: &&str| {
            let is_source = resource.noun.first() == Some(&"source");
            resource.aliases.contains(word) || (is_source && resource.noun.last() == Some(word))
        };
        resource.noun == words
            || resource.listed == words
            || matches!(words, [word] if is_alias(word))
    })
}

/// Returns the only name argument. Further words cause a warning, since Flux ignores them.
pub(super) fn only(matches: &ArgMatches, context: &Context) -> Option<String> {
    let mut names = typed(matches).into_iter();
    let name = names.next();
    context.progress.extra_arguments(names);
    name
}

/// Returns the error of an unknown kind. The hint is the most similar kind, or examples.
pub(super) fn unknown_kind(message: String, typed: &str) -> CommandError {
    let kinds: Vec<String> = RESOURCES
        .iter()
        .flat_map(|resource| [resource.kind.to_lowercase(), resource.plural.to_owned()])
        .collect();
    spelling::suggest(
        CommandError::user(message),
        typed,
        kinds.iter().map(String::as_str),
        "name a kind such as kustomization, helmrelease or gitrepository",
    )
}

/// Returns the typed names of a leaf.
pub(super) fn typed(matches: &ArgMatches) -> Vec<String> {
    matches
        .get_many::<String>("name")
        .map(|names| names.cloned().collect())
        .unwrap_or_default()
}
