//! Reports bad usage as one line in pflag's words, with exit code 1. clap's text and its code 2 are
//! not used.

use std::ffi::OsString;
use std::fmt::Write as _;

use clap::error::{ContextKind, ContextValue, ErrorKind};
use clap::{Arg, Command};

use super::plugin;
use crate::error::CommandError;
use crate::{CommandResult, Exit, compat, globals, help, misuse, output};
use sluice_plugin::Plugin;

/// Global flags that the help of each command lists.
const FREQUENT: [&str; 5] = ["context", "kubeconfig", "namespace", "timeout", "verbose"];

/// Converts clap's error, or its request to print help, to ours.
pub(super) fn answer(
    program: &'static str,
    arguments: &[OsString],
    error: &clap::Error,
) -> CommandResult {
    match error.kind() {
        ErrorKind::DisplayHelp | ErrorKind::DisplayVersion => {
            let path = path(program, arguments);
            let path = match path.split_first() {
                Some((first, rest)) if first == "help" => rest,
                _ => &path,
            };
            help(program, path)
        }
        ErrorKind::MissingSubcommand | ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand => {
            help(program, &path(program, arguments))
        }
        kind => {
            let path = path(program, arguments);
            if is_help_flag(error) {
                return help(program, &path);
            }
            if kind == ErrorKind::InvalidSubcommand && !path.is_empty() && compat::is_strict() {
                return help(program, &path);
            }
            Err(explain(error, &path, program).code(misused(&path)))
        }
    }
}

/// Whether the unknown argument asks for help. `controller` has no such flag of its own, because it
/// passes flags on.
fn is_help_flag(error: &clap::Error) -> bool {
    let argument = error.get(ContextKind::InvalidArg);
    error.kind() == ErrorKind::UnknownArgument
        && matches!(argument, Some(ContextValue::String(flag)) if flag == "--help" || flag == "-h")
}

/// Returns the exit code of bad usage. Commands whose code 1 means a difference use another
/// one.
pub(super) fn misused(path: &[impl AsRef<str>]) -> u8 {
    let words: Vec<&str> = path.iter().map(AsRef::as_ref).collect();
    match words.as_slice() {
        ["diff", "kustomization" | "helmrelease"] | ["build", "image-update"] => {
            compat::misused_comparison()
        }
        _ => 1,
    }
}

/// Prints the help of the command at this path.
pub(super) fn help(program: &'static str, path: &[String]) -> CommandResult {
    let mut text = help_of(program, path);
    if path.is_empty() {
        text.push_str(&plugins());
    }
    output::stdout(&text)?;
    Ok(Exit::SUCCESS)
}

fn help_of(program: &'static str, path: &[String]) -> String {
    let mut tree = tree_at(program, path);
    let command = below(&mut tree, path);
    let mut command = super::as_documented(std::mem::take(command), path);
    if path.is_empty() {
        return help::render(&mut command);
    }
    let mut command = command.mut_args(hide_rare_global_flag);
    let text = help::render(&mut command);
    format!("{text}\n`{program} --help` lists all global flags\n")
}

/// Builds the tree with the branch of a path. Without one, the verbs have no branches.
fn tree_at(program: &'static str, path: &[String]) -> Command {
    let is_verb = |name: &&String| super::VERBS.iter().any(|verb| verb.name == name.as_str());
    match path.first().filter(is_verb) {
        Some(verb) => grown(program, &[verb]),
        // A listed verb needs only its name and description.
        None => super::command(program),
    }
}

/// Hides a global flag below a command, unless it is a frequent one.
fn hide_rare_global_flag(flag: Arg) -> Arg {
    let is_global = flag.get_help_heading() == Some(globals::HEADING);
    let is_frequent = flag.get_long().is_some_and(|name| FREQUENT.contains(&name));
    if is_global && !is_frequent {
        flag.hide(true)
    } else {
        flag
    }
}

/// Returns the deepest existing command of this path.
fn below<'c>(command: &'c mut Command, path: &[String]) -> &'c mut Command {
    match path.split_first() {
        Some((name, rest)) if command.find_subcommand(name).is_some() => {
            let next = command.find_subcommand_mut(name);
            below(next.expect("it was found before"), rest)
        }
        _ => command,
    }
}

/// Returns the help section about installed plugins.
fn plugins() -> String {
    let plugins = plugin::folder().map(|folder| folder.plugins());
    let mut text = String::new();
    for Plugin { name, .. } in plugins.into_iter().flatten() {
        if text.is_empty() {
            text.push_str("\nPlugins:\n");
        }
        let _ = writeln!(text, "  {name:<12}  Runs the {name} plugin");
    }
    text
}

/// Builds the tree with the branches of these verbs only. The whole tree takes three times as long
/// as the start of a command.
fn grown(program: &'static str, words: &[&str]) -> Command {
    let mut tree = super::tree(program, |verb| words.contains(&verb.name));
    if !tree.has_subcommands() {
        // clap adds `help` only to commands with other subcommands.
        tree = tree
            .disable_help_subcommand(true)
            .subcommand(Command::new("help"));
    }
    tree.build();
    tree
}

/// Returns the longest path of subcommands at the start of the arguments.
fn path(program: &'static str, arguments: &[OsString]) -> Vec<String> {
    let words: Vec<&str> = arguments
        .iter()
        .filter_map(|word| word.to_str())
        .take_while(|word| *word != "--")
        .collect();
    let tree = grown(program, &words);
    let mut command = &tree;
    let mut path = Vec::new();
    for word in words {
        if let Some(next) = command.find_subcommand(word) {
            path.push(next.get_name().to_owned());
            command = next;
        }
    }
    path
}

/// Returns `-n, --namespace` for `--namespace`, as pflag names a flag with a wrong value.
fn both_names(path: &[String], flag: &str) -> String {
    let words: Vec<&str> = path.iter().map(String::as_str).collect();
    let tree = grown("flux", &words);
    let mut command = Some(&tree);
    for word in path {
        command = command.and_then(|command| command.find_subcommand(word));
    }
    let long = flag.trim_start_matches('-');
    let short = command.and_then(|command| {
        let mut arguments = command.get_arguments();
        arguments
            .find(|argument| argument.get_long() == Some(long))?
            .get_short()
    });
    short.map_or_else(|| flag.to_owned(), |short| format!("-{short}, {flag}"))
}

/// Words the error like pflag.
fn explain(error: &clap::Error, path: &[String], program: &'static str) -> CommandError {
    let place = std::iter::once(program)
        .chain(path.iter().map(String::as_str))
        .collect::<Vec<_>>()
        .join(" ");
    let mut tree = tree_at(program, path);
    let command = below(&mut tree, path);
    misuse::explain(error, &place, |flag| both_names(path, flag), Some(command))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn refusal(line: &str) -> String {
        let arguments: Vec<OsString> = line.split_whitespace().map(OsString::from).collect();
        let error = super::super::parse("flux", &arguments).expect_err(line);
        explain(&error, &path("flux", &arguments), "flux")
            .message()
            .to_owned()
    }

    /// Collects the paths of all commands below one.
    fn paths(command: &Command, above: &[String], found: &mut Vec<Vec<String>>) {
        for below in command.get_subcommands() {
            let path = [above, &[below.get_name().to_owned()]].concat();
            paths(below, &path, found);
            found.push(path);
        }
    }

    #[test]
    fn single_branch_equals_branch_of_whole_tree() {
        let mut whole = super::super::command("flux");
        whole.build();
        let mut all = Vec::new();
        paths(&whole, &[], &mut all);
        assert!(all.len() > 200, "{}", all.len());
        // `help help` and deeper repetitions are the same page.
        all.retain(|words| *words != ["help", "help"]);
        for words in all {
            let line: Vec<OsString> = words.iter().map(OsString::from).collect();
            assert_eq!(path("flux", &line), words);
            if words.first().is_some_and(|first| first == "help") {
                continue;
            }
            let mut command = &mut whole;
            for word in &words {
                command = command.find_subcommand_mut(word).unwrap();
            }
            let own = super::super::as_documented(std::mem::take(command), &words);
            *command = own.mut_args(hide_rare_global_flag);
            let text = help::render(command);
            let helped = help_of("flux", &words);
            let (own, _) = helped
                .rsplit_once("\n`flux --help`")
                .unwrap_or((&helped, ""));
            assert_eq!(own, text, "{words:?}");

            // Below the first word, both commands share a branch.
            if words.len() > 1 {
                continue;
            }
            let line = [line, vec![OsString::from("--no-such-flag")]].concat();
            let refused = super::super::parse("flux", &line).map_err(|error| error.to_string());
            let full = std::iter::once(OsString::from("flux")).chain(line);
            let expected = super::super::command("flux").try_get_matches_from(full);
            let expected = expected.map_err(|error| error.to_string());
            assert_eq!(refused.err(), expected.err(), "{words:?}");
        }
    }

    #[test]
    fn help_sorts_flags_by_long_name() {
        for path in [vec![], vec!["create".to_owned(), "helmrelease".to_owned()]] {
            let text = help_of("sluice", &path);
            for section in text.split(":\n") {
                let names = section.lines().filter_map(|line| {
                    let (before, after) = line.split_once("--")?;
                    let is_flag = before.trim_start().len() <= "-x, ".len();
                    is_flag.then(|| after.split([' ', '[']).next().unwrap_or_default())
                });
                let names: Vec<&str> = names.collect();
                assert!(names.is_sorted(), "{names:?}");
            }
        }
    }

    #[test]
    fn help_shows_required_arguments_and_defaults_alike() {
        for (path, expected) in [
            ("why", "Usage: sluice why [FLAGS] <OBJECT>\n"),
            ("wait", "Usage: sluice wait [FLAGS] <OBJECT>...\n"),
            ("build chart", "Usage: sluice build chart [FLAGS] <CHART>\n"),
            ("get alerts", "Usage: sluice get alerts [FLAGS] [NAME]\n"),
            (
                "suspend alert",
                "Usage: sluice suspend alert [FLAGS] [NAME]...\n",
            ),
            (
                "takeover",
                "Usage: sluice takeover [FLAGS] <--plan|--apply>\n",
            ),
            ("takeover", "          [default: all installed]\n"),
            (
                "get",
                "  help             Print the help of a command\n\nFlags:\n",
            ),
        ] {
            let words: Vec<String> = path.split(' ').map(str::to_owned).collect();
            let text = help_of("sluice", &words);
            assert!(text.contains(expected), "{path}: {text}");
        }
    }

    #[test]
    fn swapped_letters_have_a_suggestion() {
        for (line, expected) in [
            ("dve", "did you mean dev?"),
            ("create source gti", "did you mean git?"),
            ("get kustomizaton", "did you mean kustomization?"),
            ("create source git x --ulr=y", "did you mean --url?"),
            ("get ks --namepsace x", "did you mean --namespace?"),
            (
                "tree hr x",
                "tree knows `kustomization` and `artifact generator`",
            ),
            (
                "tree source git x",
                "tree knows `kustomization` and `artifact generator`",
            ),
            ("tree kustomizaton x", "did you mean kustomization?"),
            ("bogus", "--help lists the commands"),
        ] {
            let arguments: Vec<OsString> = line.split_whitespace().map(OsString::from).collect();
            let error = super::super::parse("sluice", &arguments).expect_err(line);
            let text = explain(&error, &path("sluice", &arguments), "sluice").text();
            assert!(text.contains(expected), "{line}: {text}");
        }
    }

    #[test]
    fn bad_usage_has_texts_of_pflag() {
        let cases = [
            ("version --foo", "unknown flag: --foo"),
            ("version -x", "unknown shorthand flag: 'x' in -x"),
            ("versoin", "unknown command \"versoin\" for \"flux\""),
            ("version --namespace", "flag needs an argument: --namespace"),
            (
                "version --timeout abc",
                "invalid argument \"abc\" for \"--timeout\" flag: time: invalid duration \"abc\"",
            ),
            (
                "version --output xml",
                "invalid argument \"xml\" for \"-o, --output\" flag: must be one of: yaml, json",
            ),
        ];
        for (line, expected) in cases {
            assert_eq!(refusal(line), expected, "{line}");
        }
    }
}
