//! `suspend`: stop reconciling, leave everything as it is.

use clap::{ArgMatches, Command};
use serde_json::json;

use super::nouns::{self, Form};
use crate::cluster::{Context, ListError};
use crate::error::CommandError;
use crate::resource::Resource;
use crate::{CommandResult, Exit, flags};

pub fn augment(command: Command) -> Command {
    let command = command.arg(
        flags::switch("all")
            .global(true)
            .help("Suspend every object of the namespace"),
    );
    nouns::add(
        command,
        Form::Singular,
        |resource| resource.verbs.changes(),
        |resource, command| {
            command
                .about(format!(
                    "Suspend reconciliation of {} objects",
                    resource.kind
                ))
                .arg(nouns::names())
        },
    )
}

pub fn run(matches: &ArgMatches, context: &Context) -> CommandResult {
    let (words, leaf) = nouns::leaf(matches);
    let resource = nouns::resource(Form::Singular, &words)?;
    let namespace = context.namespace();
    let (names, missing) = select(context, resource, leaf)?;
    for name in &names {
        context.progress.action(format!(
            "suspending {} {name} in {namespace} namespace",
            resource.human
        ));
        context.block_on(context.merge_patch(
            resource,
            name,
            &json!({ "spec": { "suspend": true } }),
        ))??;
        context
            .progress
            .success(format!("{} suspended", resource.human));
    }
    Ok(if missing {
        Exit::FAILURE
    } else {
        Exit::SUCCESS
    })
}

/// The objects that were named, once each, or all of the namespace; and whether one of the names
/// was of no object, which is said at once and lets the others go on.
pub(super) fn select(
    context: &Context,
    resource: &'static Resource,
    leaf: &ArgMatches,
) -> Result<(Vec<String>, bool), CommandError> {
    let namespace = context.namespace();
    let mut names = nouns::typed(leaf);
    let mut seen = std::collections::HashSet::new();
    names.retain(|name| seen.insert(name.clone()));
    if names.is_empty() && !leaf.get_flag("all") {
        return Err(CommandError::user(format!(
            "{} name is required",
            resource.human
        )));
    }
    if names.is_empty() {
        let objects = context
            .block_on(context.list(resource, Some(&namespace), None, None))?
            .map_err(ListError::into_command)?;
        if objects.is_empty() {
            return Err(CommandError::user(format!(
                "no {} objects found in {namespace} namespace",
                resource.kind
            )));
        }
        let names = objects
            .iter()
            .map(|object| object.name().to_owned())
            .collect();
        return Ok((names, false));
    }
    let mut missing = false;
    let mut found = Vec::with_capacity(names.len());
    for name in names {
        match context.block_on(context.find(resource, &name))?? {
            Some(_) => found.push(name),
            None => {
                missing = true;
                context.progress.failure(format!(
                    "{} object '{name}' not found in \"{namespace}\" namespace",
                    resource.kind
                ));
            }
        }
    }
    Ok((found, missing))
}
