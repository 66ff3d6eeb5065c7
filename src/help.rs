//! Gives every help page the same form: sorted flags, defaults on lines of their own, and Flux's
//! word for flags.

use std::collections::BTreeSet;

use clap::builder::PossibleValuesParser;
use clap::{Arg, Command};

/// clap's order of `--help`, which it adds after the flags are sorted.
const ORDER_OF_HELP: usize = 999;

/// Defaults that leave a flag off, so the help does not show them.
const OFF: [&str; 2] = ["", "false"];

/// Sorts the flags of a built command, and gives each the form of our pages.
pub(crate) fn arrange(command: Command) -> Command {
    sort_flags(command).mut_args(|argument| {
        let argument = hide_value_of_off(list_values_in_line(argument));
        if argument.get_id() == "help" {
            // Every page has the long form, so clap must not refer to the other one.
            return argument.help("Print help").long_help(None);
        }
        // The value of the variable is that of this machine.
        set_default_apart(argument).hide_env_values(true)
    })
}

/// Returns the page of an arranged command.
pub(crate) fn render(command: &mut Command) -> String {
    say_flags(&command.render_long_help().to_string())
}

/// Replaces clap's word for flags, since Flux and our messages call them flags. Alternatives in the
/// usage line lose the form of their values.
pub(crate) fn say_flags(text: &str) -> String {
    text.replacen(" [OPTIONS]", " [FLAGS]", 1)
        .replace("[=<BOOL>]|", "|")
        .replace("[=<BOOL>]>", ">")
        .replacen("\nOptions:\n", "\nFlags:\n", 1)
}

/// Splits a help text with a default that no parser knows, such as `Token [default: random]`.
pub(crate) fn split_default(help: &str) -> Option<(&str, &str)> {
    let (text, default) = help.split_once(" [default: ")?;
    Some((text, default.strip_suffix(']')?))
}

/// Moves a default that the help text names to a line of its own, where clap shows the others.
fn set_default_apart(argument: Arg) -> Arg {
    let help = argument.get_help().map(ToString::to_string);
    match help.as_deref().and_then(split_default) {
        Some((text, default)) => argument.long_help(format!("{text}\n\n[default: {default}]")),
        None => argument,
    }
}

fn hide_value_of_off(argument: Arg) -> Arg {
    match argument.get_default_values() {
        [only] if OFF.iter().any(|off| only == off) => argument.hide_default_value(true),
        _ => argument,
    }
}

/// Drops the descriptions of possible values, for which clap would make a list.
fn list_values_in_line(argument: Arg) -> Arg {
    let values = argument.get_possible_values();
    if values.iter().all(|value| value.get_help().is_none()) {
        return argument;
    }
    let values = values.into_iter().map(|value| value.help(None));
    argument.value_parser(PossibleValuesParser::new(values))
}

/// Sorts flags by their long names, as pflag does. Each heading is sorted on its own.
fn sort_flags(command: Command) -> Command {
    let names = command.get_arguments().filter_map(Arg::get_long);
    let names: BTreeSet<String> = names.map(str::to_owned).collect();
    let rank = |flag: &Arg| {
        let name = flag.get_long()?;
        let rank = names.iter().position(|other| other == name)?;
        Some(if name > "help" {
            ORDER_OF_HELP + 1 + rank
        } else {
            rank
        })
    };
    command.mut_args(|flag| match rank(&flag) {
        Some(rank) if flag.get_id() != "help" => flag.display_order(rank),
        _ => flag,
    })
}
