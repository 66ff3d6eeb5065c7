//! Ignores surplus words after a command without arguments, with a warning, as Flux does.
//!
//! The first parse rejects such a line. A second parse then uses a tree whose commands accept any
//! words. Commands whose surplus words Flux rejects are excluded.
//!
//! Parity: cobra's `legacyArgs`, which applies to commands without an argument rule.

use std::ffi::OsString;

use clap::{Arg, ArgMatches, Command};

use super::VERBS;
use crate::output;

const WORDS: &str = "surplus words";

/// Top-level commands that reject surplus words in Flux too, or exist only here.
const STRICT: [&str; 8] = [
    "check",
    "dev",
    "envsubst",
    "install",
    "logs",
    "migrate",
    "stats",
    "uninstall",
];

/// Removes and reports surplus words. Returns `None` if the line has another fault.
pub(super) fn passed_over(
    program: &'static str,
    line: impl IntoIterator<Item = OsString>,
) -> Option<ArgMatches> {
    let mut root = super::tree(program, |_| false);
    for verb in VERBS {
        let command = Command::new(verb.name).about(verb.about);
        let mut command = (verb.augment)(command);
        if !STRICT.contains(&verb.name) {
            command = taking_words(command);
        }
        root = root.subcommand(command);
    }
    let matches = root.try_get_matches_from(line).ok()?;
    let mut leaf = &matches;
    while let Some((_, below)) = leaf.subcommand() {
        leaf = below;
    }
    let words = leaf.try_get_many::<OsString>(WORDS).ok()??;
    let words = words.map(|word| word.to_string_lossy());
    output::Progress::default().extra_arguments(words);
    Some(matches)
}

fn taking_words(command: Command) -> Command {
    if command.has_subcommands() {
        return command.mut_subcommands(taking_words);
    }
    if command.get_positionals().next().is_some() {
        return command;
    }
    let words = Arg::new(WORDS)
        .num_args(0..)
        .hide(true)
        .value_parser(clap::value_parser!(OsString));
    command.arg(words)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn is_passed_over(line: &str) -> bool {
        let line = line.split(' ').map(OsString::from);
        passed_over("flux", line).is_some()
    }

    #[test]
    fn words_are_skipped_as_in_flux() {
        for line in [
            "flux version --client x",
            "flux version --context x x",
            "flux plugin list x y",
            "flux completion bash x",
        ] {
            assert!(is_passed_over(line), "{line}");
        }
        for line in [
            "flux envsubst x",
            "flux get bogus",
            "flux version --bogus x",
            "flux install x",
        ] {
            assert!(!is_passed_over(line), "{line}");
        }
    }
}
