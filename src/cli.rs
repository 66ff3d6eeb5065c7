//! Defines the command tree: global flags, one line per verb, and pflag's words for bad usage.
//!
//! The parser builds only the branch of the typed verb ([`clap::Command::defer`]). This keeps the
//! start of the binary fast. To add a verb, add its module under [`crate::commands`] and a line to
//! [`VERBS`].

pub mod complete;
mod completer;
mod docgen;
mod plugin;
mod surplus;
mod usage;

pub use docgen::chapters;

use std::collections::BTreeSet;
use std::ffi::OsString;

use clap::error::ErrorKind;
use clap::{ArgAction, ArgMatches, Command, FromArgMatches as _};

use crate::cluster::Context;
use crate::commands;
use crate::error::CommandError;
use crate::globals::GlobalArgs;
use crate::{CommandResult, Exit, flags, help, output};
use sluice_plugin::{Folder, Plugin};

/// One verb: how its branch is built and how it runs.
pub struct Verb {
    /// Name on the command line.
    pub name: &'static str,
    /// Text in the list of verbs.
    pub about: &'static str,
    /// Whether the list of verbs omits it.
    pub hidden: bool,
    augment: fn(Command) -> Command,
    run: fn(&ArgMatches, &Context) -> CommandResult,
}

/// Makes a [`Verb`] of a module that holds `Args` and `run(args, &Context)`.
macro_rules! verb {
    ($module:ident, $about:literal) => {
        verb!($module, stringify!($module), $about, false)
    };
    ($module:ident, $name:expr, $about:literal, $hidden:literal) => {
        Verb {
            name: $name,
            about: $about,
            hidden: $hidden,
            augment: |command| values_as_typed(flags::add::<commands::$module::Args>(command)),
            run: |matches, context| {
                let args = commands::$module::Args::from_arg_matches(matches)
                    .map_err(|error| CommandError::user(error.to_string()))?;
                commands::$module::run(&args, context)
            },
        }
    };
}

/// Makes a [`Verb`] of a module that builds its own branch, from the registry of kinds.
macro_rules! branch {
    ($module:ident, $about:literal) => {
        Verb {
            name: stringify!($module),
            about: $about,
            hidden: false,
            augment: |command| values_as_typed(commands::$module::augment(command)),
            run: commands::$module::run,
        }
    };
}

/// Makes a [`Verb`] for a hidden command that shells call for completions.
macro_rules! completer {
    ($name:expr) => {
        Verb {
            name: $name,
            about: "Complete a command line for a shell",
            hidden: true,
            augment: <completer::Args as clap::Args>::augment_args,
            run: |matches, context| {
                let args = completer::Args::from_arg_matches(matches)
                    .map_err(|error| CommandError::user(error.to_string()))?;
                completer::run(context.program, $name, &args.words)
            },
        }
    };
}

/// Every verb, in the order of `--help`.
pub const VERBS: &[Verb] = &[
    completer!(completer::WITH_DESCRIPTIONS),
    completer!(completer::WITHOUT_DESCRIPTIONS),
    branch!(
        bootstrap,
        "Install Flux and sync the cluster from a Git repository"
    ),
    verb!(build, "Print or pack manifests instead of applying them"),
    branch!(check, "Check the cluster and the installed controllers"),
    verb!(completion, "Generate a completion script for a shell"),
    verb!(controller, "Run one controller, or several in one process"),
    branch!(create, "Create or update objects"),
    verb!(debug, "Show the status, variables or values of an object"),
    branch!(delete, "Delete objects"),
    #[cfg(feature = "dev")]
    verb!(
        dev,
        "Run a control plane and the controllers on this machine"
    ),
    verb!(
        diff,
        "Show differences between local manifests and the cluster"
    ),
    Verb {
        name: "docgen",
        about: "Write the documentation of every command",
        hidden: true,
        augment: |command| values_as_typed(flags::add::<docgen::Args>(command)),
        run: |matches, context| {
            let args = docgen::Args::from_arg_matches(matches)
                .map_err(|error| CommandError::user(error.to_string()))?;
            docgen::run(&args, context)
        },
    },
    verb!(
        envsubst,
        "Substitute environment variables in YAML from standard input"
    ),
    verb!(events, "Show events of the controllers"),
    branch!(export, "Export objects as YAML"),
    branch!(get, "List objects and their status"),
    verb!(
        give_back,
        "give-back",
        "Replace the controllers of sluice with Flux's",
        false
    ),
    verb!(install, "Install the controllers, or upgrade them"),
    verb!(list, "List artifacts in a container registry"),
    verb!(logs, "Show the controllers' logs"),
    verb!(
        migrate,
        "Migrate custom resources to the newest API version"
    ),
    verb!(plugin, "Manage command-line plugins"),
    verb!(pull, "Pull artifacts from a container registry"),
    verb!(push, "Push artifacts to a container registry"),
    branch!(reconcile, "Reconcile an object now"),
    branch!(resume, "Resume reconciliation"),
    verb!(stats, "Show the number of objects and their storage"),
    branch!(suspend, "Suspend reconciliation"),
    verb!(tag, "Tag artifacts in a container registry"),
    verb!(
        takeover,
        "Replace Flux's controllers with those of sluice, and nothing else"
    ),
    #[cfg(feature = "controllers")]
    verb!(test, "Send a test message"),
    verb!(trace, "Show the source of an object in the cluster"),
    verb!(tree, "Show the objects that an object manages, as a tree"),
    verb!(trigger, "Trigger a reconciliation from outside the cluster"),
    verb!(
        uninstall,
        "Remove the controllers and their custom resource definitions"
    ),
    verb!(version, "Print the client and cluster versions"),
    verb!(
        wait,
        "Wait until objects are ready or have reached a revision"
    ),
    verb!(why, "Explain why an object is not ready, and how to fix it"),
];

/// Commands with their own `--token`, which hides the global flag of that name. Their token must
/// not reach the API server.
const OWN_TOKEN: [&[&str]; 2] = [&["create", "secret", "receiver"], &["trigger", "receiver"]];

/// Whether `--token` belongs to the command. clap also copies its value to the global flag.
fn has_own_token(matches: &ArgMatches) -> bool {
    OWN_TOKEN.contains(&words(matches).as_slice())
}

/// Returns the words of the typed command.
fn words(matches: &ArgMatches) -> Vec<&str> {
    let words = std::iter::successors(matches.subcommand(), |(_, below)| below.subcommand());
    words.map(|(word, _)| word).collect()
}

/// Number of arguments that a command takes. Its parser accepts any number, to report a wrong one
/// in Flux's words.
#[derive(Clone, Copy)]
enum Arity {
    One,
    AtMostOne,
    AtLeastOne,
}

/// Commands and groups with a fixed number of arguments.
const ARITIES: [(&[&str], Arity); 23] = [
    (&["build", "chart"], Arity::One),
    (&["build", "helmrelease"], Arity::One),
    (&["build", "image-update"], Arity::One),
    (&["build", "kustomization"], Arity::One),
    (&["create"], Arity::One),
    (&["debug"], Arity::One),
    (&["delete"], Arity::One),
    (&["diff"], Arity::One),
    (&["export"], Arity::AtMostOne),
    (&["get"], Arity::AtMostOne),
    (&["list"], Arity::One),
    (&["plugin", "install"], Arity::One),
    (&["plugin", "search"], Arity::AtMostOne),
    (&["plugin", "uninstall"], Arity::One),
    (&["plugin", "update"], Arity::AtMostOne),
    (&["pull"], Arity::One),
    (&["push"], Arity::One),
    (&["reconcile"], Arity::One),
    (&["tag"], Arity::One),
    (&["tree"], Arity::One),
    (&["trigger"], Arity::One),
    (&["wait"], Arity::AtLeastOne),
    // The object is one word or two.
    (&["why"], Arity::One),
];

/// The whole command tree for manuals, with all branches and without `help`.
#[must_use]
pub fn manual(program: &'static str) -> Command {
    let mut root = command(program).disable_help_subcommand(true);
    root.build();
    as_documented(root, &[])
}

fn is_below(path: &[String], words: &[&str]) -> bool {
    path.len() >= words.len() && path.iter().zip(words).all(|(one, other)| one == other)
}

/// Description of the subcommand that clap adds.
const HELP_ABOUT: &str = "Print the help of a command";

/// Prepares a command and those below it for readers. Sorts flags and commands by name. Shows a
/// required argument as `<NAME>`, and a default on a line of its own.
fn as_documented(command: Command, path: &[String]) -> Command {
    let command = help::arrange(command);
    let names: BTreeSet<String> = command
        .get_subcommands()
        .map(|below| below.get_name().to_owned())
        .filter(|name| name != "help")
        .collect();
    let command = command.mut_subcommands(|below| {
        let name = below.get_name().to_owned();
        if name == "help" {
            return below.about(HELP_ABOUT).display_order(names.len());
        }
        let rank = names.iter().position(|other| *other == name);
        let path = [path, &[name]].concat();
        as_documented(below, &path).display_order(rank.unwrap_or_default())
    });
    let Some((_, arity)) = ARITIES.iter().find(|(words, _)| is_below(path, words)) else {
        return command;
    };
    command.mut_args(|argument| match arity {
        _ if !argument.is_positional() => argument,
        Arity::One => argument.required(true).num_args(1).action(ArgAction::Set),
        Arity::AtMostOne => argument.num_args(1).action(ArgAction::Set),
        Arity::AtLeastOne => argument.required(true),
    })
}

/// The whole command tree, branches unbuilt.
#[must_use]
pub fn command(program: &'static str) -> Command {
    tree(program, |_| true)
}

/// Parses the arguments. Only the branch of the typed verb is built, because a full tree takes half
/// of the start-up time.
fn parse(program: &'static str, arguments: &[OsString]) -> Result<ArgMatches, clap::Error> {
    let first = arguments.first().and_then(|word| word.to_str());
    let tree = match VERBS.iter().find(|verb| Some(verb.name) == first) {
        Some(verb) => tree(program, |one| one.name == verb.name),
        None => command(program),
    };
    let program = OsString::from(program);
    tree.try_get_matches_from(std::iter::once(&program).chain(arguments))
}

/// Builds the root and at most one branch.
pub(crate) fn branch(program: &'static str, name: Option<&str>) -> Command {
    let mut tree = tree(program, |verb| Some(verb.name) == name);
    tree.build();
    tree
}

/// Accepts any text as the value of a flag, even with a leading dash, as pflag does.
fn values_as_typed(command: Command) -> Command {
    command
        .mut_args(|argument| {
            let is_flag = argument.get_long().is_some() || argument.get_short().is_some();
            if is_flag && argument.get_action().takes_values() && !argument.is_require_equals_set()
            {
                argument.allow_hyphen_values(true)
            } else {
                argument
            }
        })
        .mut_subcommands(values_as_typed)
}

fn tree(program: &'static str, grows: impl Fn(&Verb) -> bool) -> Command {
    let mut root = Command::new(program)
        .about("Build, inspect and run GitOps pipelines on Kubernetes")
        .disable_version_flag(true)
        .subcommand_required(true)
        .infer_long_args(false)
        // The last use of a repeated flag wins, as in pflag.
        .args_override_self(true)
        .arg(
            clap::Arg::new("version")
                .long("version")
                .short('v')
                .action(ArgAction::SetTrue)
                .help("Print the version"),
        );
    root = values_as_typed(flags::add::<GlobalArgs>(root));
    for verb in VERBS.iter().filter(|verb| grows(verb)) {
        root = root.subcommand(
            Command::new(verb.name)
                .about(verb.about)
                .hide(verb.hidden)
                .defer(verb.augment),
        );
    }
    root
}

/// Whether a built-in command has this name.
fn is_builtin(name: &str) -> bool {
    name == "help" || VERBS.iter().any(|verb| verb.name == name)
}

/// Parses the arguments and runs the command.
///
/// # Errors
///
/// Returns bad usage in pflag's words, or the error of the command.
pub fn run(program: &'static str, arguments: &[OsString]) -> CommandResult {
    // `--version` needs no tree.
    if let [only] = arguments
        && (only == "--version" || only == "-v")
    {
        output::stdout(&format!(
            "{program} version {}\n",
            commands::version::CLIENT.trim_start_matches('v')
        ))?;
        return Ok(Exit::SUCCESS);
    }
    // The words to complete must not be parsed as our flags.
    if let Some((asked, words)) = arguments.split_first()
        && let Some(name) = asked.to_str()
        && completer::NAMES.contains(&name)
    {
        return completer::run(program, name, words);
    }
    if let Some((folder, plugin, arguments)) = called_plugin(program, arguments) {
        return Err(folder.run(&plugin, &arguments).into());
    }
    let full = std::iter::once(OsString::from(program)).chain(arguments.iter().cloned());
    let matches = match parse(program, arguments) {
        Ok(matches) => matches,
        Err(error) => {
            let passed_over = (error.kind() == ErrorKind::UnknownArgument)
                .then(|| surplus::passed_over(program, full));
            match passed_over.flatten() {
                Some(matches) => matches,
                None => return usage::answer(program, arguments, &error),
            }
        }
    };
    let mut globals =
        GlobalArgs::of(&matches).map_err(|error| CommandError::user(error.to_string()))?;
    if has_own_token(&matches) {
        globals.token = None;
    }
    let Some((name, branch)) = matches.subcommand() else {
        return usage::help(program, &[]);
    };
    let verb = VERBS
        .iter()
        .find(|verb| verb.name == name)
        .ok_or_else(|| CommandError::internal(format!("command {name} is declared nowhere")))?;
    let mut context = Context::new(program, globals, is_builtin);
    context
        .check()
        .map_err(|error| error.code(usage::misused(&words(&matches))))?;
    (verb.run)(branch, &context)
}

/// Returns the called plugin and its unparsed arguments. The plugin directory is read only if the
/// first word is not a built-in command.
fn called_plugin(
    program: &'static str,
    arguments: &[OsString],
) -> Option<(Folder, Plugin, Vec<OsString>)> {
    let first = arguments.first()?.to_str();
    if first.is_some_and(is_builtin) {
        return None;
    }
    let words: Vec<String> = arguments
        .iter()
        .map(|word| word.to_string_lossy().into_owned())
        .collect();
    let position = complete::command_at(&branch(program, None), &words)?;
    let name = &words[position];
    if is_builtin(name) {
        return None;
    }
    let folder = plugin::folder()?;
    let plugin = folder.find(name)?;
    let mut arguments = arguments.to_vec();
    arguments.remove(position);
    Some((folder, plugin, arguments))
}

#[cfg(test)]
mod tests {
    use clap::Args as _;

    use super::*;

    #[test]
    fn command_tree_is_valid() {
        let mut tree = command("sluice");
        tree.build();
        tree.debug_assert();
    }

    #[test]
    fn verb_keeps_its_own_description() {
        let mut tree = command("sluice");
        tree.build();
        for verb in VERBS {
            let command = tree.find_subcommand(verb.name).unwrap();
            let about = command.get_about().map(ToString::to_string);
            assert_eq!(about.as_deref(), Some(verb.about), "{}", verb.name);
        }
        let about = tree.get_about().unwrap().to_string();
        assert!(about.starts_with("Build, inspect"), "{about}");
    }

    /// Returns the commands, by path, whose own flags hide one of these global names.
    fn hiding<'t>(
        command: &'t Command,
        names: &[String],
        words: &[&'t str],
        found: &mut Vec<(Vec<&'t str>, &'t str)>,
    ) {
        for below in command.get_subcommands() {
            let words = [words, &[below.get_name()]].concat();
            let own = below.get_arguments().filter(|flag| !flag.is_global_set());
            let own = own.filter_map(clap::Arg::get_long);
            let hidden = own.filter(|flag| names.iter().any(|name| name == flag));
            found.extend(hidden.map(|flag| (words.clone(), flag)));
            hiding(below, names, &words, found);
        }
    }

    #[test]
    fn only_known_commands_hide_a_global_flag() {
        let globals = GlobalArgs::augment_args(Command::new("globals"));
        let names: Vec<String> = globals
            .get_arguments()
            .filter_map(|flag| flag.get_long().map(str::to_owned))
            .collect();
        let mut tree = command("sluice");
        tree.build();
        let mut found = Vec::new();
        hiding(&tree, &names, &[], &mut found);
        assert!(!found.is_empty());
        for (words, flag) in found {
            let is_known = flag == "token" && OWN_TOKEN.contains(&words.as_slice());
            assert!(is_known, "{words:?} --{flag} hides a global flag");
        }
    }
}
