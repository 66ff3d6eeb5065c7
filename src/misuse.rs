//! Converts the errors of clap to the messages of pflag.

use std::num::{IntErrorKind, ParseIntError};

use clap::Command;
use clap::error::{ContextKind, ContextValue, ErrorKind};
use sluice_golang::error::chain;
use sluice_insight::kinds::{RESOURCES, by_word};

use crate::error::CommandError;
use crate::spelling;

/// Returns the error of bad usage. `place` is the program with its commands, and `both_names` adds
/// the short name of a flag. `command` is the one at `place`, if it is known.
pub(crate) fn explain(
    error: &clap::Error,
    place: &str,
    both_names: impl Fn(&str) -> String,
    command: Option<&Command>,
) -> CommandError {
    let argument = text(error, ContextKind::InvalidArg);
    let value = text(error, ContextKind::InvalidValue);
    let quoted = sluice_golang::quote::quote(&value);
    match error.kind() {
        ErrorKind::UnknownArgument if argument.starts_with("--") => suggest(
            CommandError::user(format!("unknown flag: {}", flag(&argument))),
            flag(&argument),
            &command.map(flags).unwrap_or_default(),
            FLAGS,
        ),
        ErrorKind::UnknownArgument if argument.starts_with('-') && argument.len() > 1 => {
            let letter = argument.chars().nth(1).unwrap_or('-');
            CommandError::user(format!("unknown shorthand flag: '{letter}' in {argument}"))
                .hint(FLAGS)
        }
        ErrorKind::UnknownArgument => {
            CommandError::user(format!("unknown command \"{argument}\" for \"{place}\""))
                .hint(COMMANDS)
        }
        ErrorKind::InvalidSubcommand => {
            let word = text(error, ContextKind::InvalidSubcommand);
            explain_command(&word, place, command)
        }
        ErrorKind::InvalidValue if value.is_empty() => {
            CommandError::user(format!("flag needs an argument: {}", flag(&argument))).hint(FLAGS)
        }
        ErrorKind::InvalidValue => {
            let choices = match error.get(ContextKind::ValidValue) {
                Some(ContextValue::Strings(choices)) => choices.join(", "),
                _ => String::new(),
            };
            CommandError::user(format!(
                "invalid argument {quoted} for \"{}\" flag: must be one of: {choices}",
                both_names(flag(&argument))
            ))
        }
        ErrorKind::ValueValidation => explain_value(error, &quoted, &both_names(flag(&argument))),
        ErrorKind::MissingRequiredArgument if argument.starts_with('<') => {
            CommandError::user(format!("{} is required", alternatives(&argument))).hint(FLAGS)
        }
        ErrorKind::MissingRequiredArgument => {
            CommandError::user(format!("required flag(s) {argument} not set")).hint(FLAGS)
        }
        ErrorKind::ArgumentConflict => CommandError::user(format!(
            "{} cannot be used with {}",
            flag(&argument),
            flag(&text(error, ContextKind::PriorArg))
        ))
        .hint("set only one of them"),
        ErrorKind::InvalidUtf8 => {
            CommandError::user(format!("an argument of {place} is not valid UTF-8"))
        }
        _ => {
            let rendered = error.render().to_string();
            let first = rendered.lines().next().unwrap_or_default();
            CommandError::user(first.trim_start_matches("error: ").to_owned())
        }
    }
}

/// Returns the error of an unknown command.
fn explain_command(word: &str, place: &str, command: Option<&Command>) -> CommandError {
    let explained = CommandError::user(format!("unknown command \"{word}\" for \"{place}\""));
    if word.ends_with("-controller") || word == "source-watcher" {
        return explained.hint(format!("the command `controller {word}` runs it"));
    }
    if place.ends_with(" tree") && is_kind(word) {
        return explained.hint(TREES);
    }
    let known = command.map(subcommands).unwrap_or_default();
    suggest(explained, word, &known, COMMANDS)
}

/// Returns the error of a value that a flag cannot have.
fn explain_value(error: &clap::Error, quoted: &str, names: &str) -> CommandError {
    let source = std::error::Error::source(error);
    let cause = match source.and_then(|cause| cause.downcast_ref::<ParseIntError>()) {
        Some(fault) => number_fault(quoted, fault),
        None => source.map(chain).unwrap_or_default(),
    };
    // Flux checks this flag in the command, without naming it.
    if cause.starts_with("expected status selector") {
        return CommandError::user(cause);
    }
    let explained = CommandError::user(format!(
        "invalid argument {quoted} for \"{names}\" flag: {cause}"
    ));
    match value_hint(&cause, names) {
        Some(hint) => explained.hint(hint),
        None => explained,
    }
}

const FLAGS: &str = "--help lists the arguments and flags";
const COMMANDS: &str = "--help lists the commands";

const TREES: &str = "tree knows `kustomization` and `artifact generator`";

/// Whether a word names one of Flux's kinds, or a group of kinds.
fn is_kind(word: &str) -> bool {
    by_word(word).is_some()
        || RESOURCES
            .iter()
            .any(|resource| resource.noun.first() == Some(&word))
}

/// Adds the most similar command or flag as a hint, or else the other hint. The parser's own
/// suggestions miss swapped letters of short words.
fn suggest(
    explained: CommandError,
    typed: &str,
    known: &[String],
    otherwise: &str,
) -> CommandError {
    let known = known.iter().map(String::as_str);
    spelling::suggest(explained, typed, known, otherwise)
}

/// The flags of a command that its help shows.
fn flags(command: &Command) -> Vec<String> {
    let shown = command.get_arguments().filter(|flag| !flag.is_hide_set());
    shown
        .filter_map(|flag| flag.get_long())
        .map(|name| format!("--{name}"))
        .collect()
}

/// The commands below a command, with their aliases.
fn subcommands(command: &Command) -> Vec<String> {
    let shown = command
        .get_subcommands()
        .filter(|below| !below.is_hide_set());
    shown
        .flat_map(|below| std::iter::once(below.get_name()).chain(below.get_all_aliases()))
        .map(str::to_owned)
        .collect()
}

/// Returns the next step after a value that a Go parser refused. `names` are those of the flag.
fn value_hint(cause: &str, names: &str) -> Option<&'static str> {
    const HINTS: [(&str, &str); 9] = [
        ("must be from 1 to", "write a number of 1 or more"),
        (
            "time: ",
            "write a duration with units, such as 30s, 5m or 1h30m",
        ),
        ("a duration cannot be negative", "write 0s or more"),
        ("strconv.ParseInt", "write a whole number, such as 10"),
        ("strconv.Atoi", "write a whole number, such as 4096"),
        ("strconv.ParseFloat", "write a number, such as 50 or 0.5"),
        ("strconv.ParseBool", "write true or false"),
        (
            "parse error on line 1",
            "separate values by commas, and quote one with a comma: '\"a,b\",c'",
        ),
        (
            "must be formatted as key=value",
            "write KIND/NAMESPACE/NAME=PATH, such as GitRepository/flux-system/apps=./apps",
        ),
    ];
    if names == "--tags" {
        return Some("write NAMESPACE/POLICY=TAG, such as flux-system/app=1.2.3");
    }
    HINTS
        .into_iter()
        .find(|(part, _)| cause.starts_with(part) || cause.ends_with(part))
        .map(|(_, hint)| hint)
}

fn text(error: &clap::Error, kind: ContextKind) -> String {
    match error.get(kind) {
        Some(ContextValue::String(text)) => text.clone(),
        Some(ContextValue::Strings(texts)) => texts.join(", "),
        _ => String::new(),
    }
}

/// Words a fault of a number as Go does.
fn number_fault(quoted: &str, fault: &ParseIntError) -> String {
    let fault = match fault.kind() {
        IntErrorKind::PosOverflow | IntErrorKind::NegOverflow => "value out of range",
        _ => "invalid syntax",
    };
    format!("strconv.ParseInt: parsing {quoted}: {fault}")
}

/// Rewrites `<--plan[=<BOOL>]|--apply[=<BOOL>]>` as `--plan or --apply`, and `<NAME>` as
/// `argument <NAME>`.
fn alternatives(shown: &str) -> String {
    let inner = shown
        .strip_prefix('<')
        .and_then(|rest| rest.strip_suffix('>'));
    match inner {
        Some(inner) if inner.starts_with("--") => {
            let flags: Vec<&str> = inner.split('|').map(flag).collect();
            flags.join(" or ")
        }
        _ => format!("argument {shown}"),
    }
}

/// Reduces `--interval <DURATION>` or `-n, --namespace <…>` to the flag's name.
fn flag(shown: &str) -> &str {
    let end = shown.find([' ', '=', '[']).unwrap_or(shown.len());
    &shown[..end]
}
