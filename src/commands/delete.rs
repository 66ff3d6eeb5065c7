//! Implements `delete`: deletes one object after a confirmation.

use clap::{ArgMatches, Command};

use super::nouns::{self, Form};
use crate::cluster::Context;
use crate::error::CommandError;
use crate::{CommandResult, Exit, flags, output};

pub fn augment(command: Command) -> Command {
    let command = command.arg(
        flags::switch("silent")
            .short('s')
            .global(true)
            .help("Delete without confirmation"),
    );
    nouns::add(
        command,
        Form::Singular,
        |resource| resource.verbs.changes(),
        |resource, command| {
            command
                .about(format!("Delete {} objects", resource.kind))
                .arg(nouns::names())
        },
    )
}

pub fn run(matches: &ArgMatches, context: &Context) -> CommandResult {
    let (words, leaf) = nouns::leaf(matches);
    let resource = nouns::resource(Form::Singular, &words)?;
    let Some(name) = nouns::only(leaf, context) else {
        return Err(CommandError::missing_name(format!(
            "{} name is required",
            resource.human
        )));
    };
    let namespace = context.namespace();
    context.block_on(context.required(resource, &name))??;
    if !leaf.get_flag("silent")
        && !output::confirm(&format!(
            "Are you sure you want to delete this {}",
            resource.human
        ))?
    {
        return Err(CommandError::user("aborting"));
    }
    context.progress.action(format!(
        "deleting {} {name} in {namespace} namespace",
        resource.human
    ));
    context.block_on(context.delete(resource, &name))??;
    context
        .progress
        .success(format!("{} deleted", resource.human));
    Ok(Exit::SUCCESS)
}
