//! Implements `suspend`: stops reconciliation, and leaves all objects unchanged.

use clap::{ArgMatches, Command};
use serde_json::{Value, json};
use sluice_api::meta::annotation::RECONCILE_REQUESTED_AT;
use sluice_api::source_watcher::annotation;
use sluice_insight::kinds::Resource;
use sluice_system::Clock as _;

use super::nouns::{self, Form};
use crate::cluster::{Context, ListError};
use crate::error::{CommandError, searched};
use crate::{CommandResult, Exit, compat, flags};

pub fn augment(command: Command) -> Command {
    let command = command.arg(
        flags::switch("all")
            .global(true)
            .help("Suspend all objects in the namespace"),
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
    let is_named = !nouns::typed(leaf).is_empty();
    suspend_all(context, resource, leaf).map_err(|error| {
        if is_named {
            // Flux reports the failure and ends with 0.
            error.code(compat::reported_failure().0)
        } else {
            error
        }
    })
}

fn suspend_all(context: &Context, resource: &'static Resource, leaf: &ArgMatches) -> CommandResult {
    let missing = |name: &str, namespace: &str| {
        format!(
            "{} {name} not found in {namespace} namespace",
            resource.kind
        )
    };
    let (names, missing) = select(context, resource, leaf, missing)?;
    if names.is_empty() && !missing {
        let error = CommandError::user("no objects found");
        return Err(error.hint(searched(&context.namespace())));
    }
    for name in &names {
        suspend(context, resource, name)?;
    }
    Ok(if missing {
        compat::reported_failure()
    } else {
        Exit::SUCCESS
    })
}

fn suspend(context: &Context, resource: &Resource, name: &str) -> Result<(), CommandError> {
    let progress = context.progress;
    progress.action(format!(
        "suspending {} {name} in {} namespace",
        resource.human,
        context.namespace()
    ));
    let now = sluice_system::SystemClock.now().to_string();
    let patch = patch(resource, true, &now);
    context.block_on(context.merge_patch(resource, name, &patch))??;
    progress.success(format!("{} suspended", resource.human));
    Ok(())
}

/// The patch that suspends or resumes an object. Only an annotation suspends a generator. Its
/// removal starts no run, so the patch requests one at the time `now`.
pub(super) fn patch(resource: &Resource, is_suspended: bool, now: &str) -> Value {
    if resource.kind != "ArtifactGenerator" {
        return json!({ "spec": { "suspend": is_suspended } });
    }
    let annotations = if is_suspended {
        json!({ annotation::RECONCILE: annotation::DISABLED })
    } else {
        json!({ annotation::RECONCILE: null, RECONCILE_REQUESTED_AT: now })
    };
    json!({ "metadata": { "annotations": annotations } })
}

/// Returns the named objects without duplicates, or all of the namespace. Also returns whether a
/// name was not found. Such a name is reported with the message `not_found`, and does not stop the
/// others.
pub(super) fn select(
    context: &Context,
    resource: &'static Resource,
    leaf: &ArgMatches,
    not_found: impl Fn(&str, &str) -> String,
) -> Result<(Vec<String>, bool), CommandError> {
    let namespace = context.namespace();
    let mut names = nouns::typed(leaf);
    let mut seen = std::collections::HashSet::new();
    names.retain(|name| seen.insert(name.clone()));
    if names.is_empty() && !leaf.get_flag("all") {
        return Err(CommandError::missing_name(format!(
            "{} name is required",
            resource.human
        )));
    }
    if names.is_empty() {
        let objects = context
            .block_on(context.list(resource, Some(&namespace), None, None))?
            .map_err(ListError::into_command)?;
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
                context.progress.failure(not_found(&name, &namespace));
            }
        }
    }
    Ok((found, missing))
}
