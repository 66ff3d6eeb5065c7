//! Completes the typed word from the command tree and the words before it.
//!
//! Candidates from a cluster, a kubeconfig or a plugin become a request ([`Plan::Ask`],
//! [`Plan::Plugin`]), which `completer` executes. Only the typed branch of the tree is built. Start
//! at [`plan`].
//!
//! Parity: cobra's `completions.go`, whose protocol the shell scripts speak. Ours also offers the
//! values of a flag and the names in a kubeconfig.

use clap::{Arg, ArgAction, Args as _, Command};
use sluice_insight::kinds::{RESOURCES, Resource};

use super::{VERBS, branch};
use crate::globals::GlobalArgs;
use crate::misuse;

/// Name of clap's own help command.
const HELP: &str = "help";

/// Instructions to the shell besides the candidates, in cobra's bits.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Directive(pub u32);

impl Directive {
    /// The shell offers files if the list of candidates is empty.
    pub const DEFAULT: Self = Self(0);
    /// The completion failed.
    pub const ERROR: Self = Self(1);
    /// The shell does not offer files.
    pub const NO_FILES: Self = Self(4);

    /// Returns cobra's name for the directive.
    pub fn name(self) -> String {
        const NAMES: [&str; 6] = [
            "Error",
            "NoSpace",
            "NoFileComp",
            "FilterFileExt",
            "FilterDirs",
            "KeepOrder",
        ];
        if self == Self::DEFAULT {
            return "ShellCompDirectiveDefault".to_owned();
        }
        if self.0 >= 1 << NAMES.len() {
            return format!("ERROR: unexpected ShellCompDirective value: {}", self.0);
        }
        let set = NAMES.iter().enumerate();
        let set = set.filter(|(bit, _)| self.0 & (1 << bit) != 0);
        set.map(|(_, name)| format!("ShellCompDirective{name}"))
            .collect::<Vec<_>>()
            .join(", ")
    }
}

/// A matching word with a description.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Candidate {
    /// The word.
    pub word: String,
    /// Description, may be empty.
    pub description: String,
}

impl Candidate {
    /// Creates a candidate.
    pub fn new(word: impl Into<String>, description: impl Into<String>) -> Self {
        Self {
            word: word.into(),
            description: description.into(),
        }
    }
}

/// Candidates and the directive for the shell.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Completion {
    /// Words that fit.
    pub candidates: Vec<Candidate>,
    /// Directive for the shell.
    pub directive: Directive,
}

/// Names from outside the command tree.
#[derive(Clone, Copy, Debug)]
pub enum Names {
    /// Contexts of the kubeconfig.
    Contexts,
    /// Clusters of the kubeconfig.
    Clusters,
    /// Users of the kubeconfig.
    Users,
    /// Namespaces of the cluster.
    Namespaces,
    /// Objects of a kind in the selected namespace.
    Objects(&'static Resource),
}

/// Source of the answer.
#[derive(Debug)]
pub enum Plan {
    /// The command tree has the answer.
    Complete(Completion),
    /// Names with this `prefix`, requested under the typed flags.
    Ask {
        /// Requested names.
        names: Names,
        /// Typed flags.
        globals: Box<GlobalArgs>,
        /// Start of the name.
        prefix: String,
    },
    /// The plugin has the answer.
    Plugin {
        /// Name of the plugin.
        name: String,
        /// Words after the plugin's name.
        words: Vec<String>,
    },
}

/// Decides how to complete `partial` after `words`. `plugins` lists the installed plugins, and is
/// called only if needed.
///
/// # Errors Fails with a text if the line is not valid so far. Then only files can be offered.
pub fn plan(
    program: &'static str,
    words: &[String],
    partial: &str,
    plugins: &dyn Fn() -> Vec<String>,
) -> Result<Plan, String> {
    let root = branch(program, None);
    let Some(position) = command_at(&root, words) else {
        let line = Line::read(&root, words)?;
        let offers_commands = line.open.is_none() && line.arguments == 0 && !line.is_over();
        let mut plan = line.answer(partial)?;
        if let Plan::Complete(answer) = &mut plan
            && offers_commands
            && !partial.starts_with('-')
        {
            let found = plugins()
                .into_iter()
                .filter(|name| name.starts_with(partial));
            answer
                .candidates
                .extend(found.map(|name| Candidate::new(&name, format!("Runs the {name} plugin"))));
            answer.candidates.sort_by(|a, b| a.word.cmp(&b.word));
        }
        return Ok(plan);
    };
    let name = &words[position];
    if name == HELP {
        return Ok(Plan::Complete(help(
            program,
            &words[position + 1..],
            partial,
        )));
    }
    if VERBS.iter().any(|verb| verb.name == name) {
        let tree = branch(program, Some(name));
        return Line::read(&tree, words)?.answer(partial);
    }
    if plugins().contains(name) {
        let mut words = words[position + 1..].to_vec();
        words.push(partial.to_owned());
        return Ok(Plan::Plugin {
            name: name.clone(),
            words,
        });
    }
    let words = words.join(" ");
    Err(format!("unable to find a command for arguments: [{words}]"))
}

/// Returns the index of the first word that names a command. A flag unknown to the root is assumed
/// to take a value.
pub(super) fn command_at(root: &Command, words: &[String]) -> Option<usize> {
    let mut position = 0;
    while let Some(word) = words.get(position) {
        position += 1;
        if word == "--" {
            return None;
        }
        if !is_flag(word) {
            return Some(position - 1);
        }
        let last = match word.strip_prefix("--") {
            _ if word.contains('=') => continue,
            Some(name) => long(root, name),
            None => word.chars().next_back().and_then(|last| short(root, last)),
        };
        if last.is_none_or(takes_value) {
            position += 1;
        }
    }
    None
}

/// Completes the commands after `help`.
fn help(program: &'static str, words: &[String], partial: &str) -> Completion {
    let answer = |candidates| Completion {
        candidates,
        directive: Directive::NO_FILES,
    };
    let Some((verb, below)) = words.split_first() else {
        return answer(verbs(partial));
    };
    let tree = branch(program, Some(verb));
    let mut path = std::iter::once(verb).chain(below);
    match path.try_fold(&tree, |command, word| child(command, word)) {
        Some(command) => answer(children(command, partial)),
        None => answer(Vec::new()),
    }
}

/// Parsed words before the completed one.
struct Line<'t> {
    /// Commands from the root to the typed one.
    path: Vec<&'t Command>,
    arguments: usize,
    /// Typed flags with their values.
    flags: Vec<(&'t Arg, Option<String>)>,
    /// Flag whose value comes next.
    open: Option<&'t Arg>,
    /// Whether `--` ended the flags.
    ended: bool,
}

impl<'t> Line<'t> {
    fn read(root: &'t Command, words: &[String]) -> Result<Self, String> {
        let mut line = Self {
            path: vec![root],
            arguments: 0,
            flags: Vec::new(),
            open: None,
            ended: false,
        };
        for word in words {
            if let Some(flag) = line.open.take() {
                line.flags.push((flag, Some(word.clone())));
            } else if line.ended || !is_flag(word) {
                match child(line.command(), word).filter(|_| line.arguments == 0 && !line.ended) {
                    Some(child) => line.path.push(child),
                    None => line.arguments += 1,
                }
            } else if word == "--" {
                line.ended = true;
            } else {
                line.flag(word).map_err(|why| {
                    format!("error while parsing flags from args {words:?}: {why}")
                })?;
            }
        }
        Ok(line)
    }

    fn flag(&mut self, word: &str) -> Result<(), String> {
        if let Some(rest) = word.strip_prefix("--") {
            let (name, value) = match rest.split_once('=') {
                Some((name, value)) => (name, Some(value.to_owned())),
                None => (rest, None),
            };
            let flag =
                long(self.command(), name).ok_or_else(|| format!("unknown flag: --{name}"))?;
            self.add_flag(flag, value);
            return Ok(());
        }
        let mut letters = word[1..].chars();
        while let Some(letter) = letters.next() {
            let flag = short(self.command(), letter)
                .ok_or_else(|| format!("unknown shorthand flag: '{letter}' in {word}"))?;
            let rest = letters.as_str();
            if takes_value(flag) && !rest.is_empty() || rest.starts_with('=') {
                let value = rest.strip_prefix('=').unwrap_or(rest);
                self.add_flag(flag, Some(value.to_owned()));
                return Ok(());
            }
            self.add_flag(flag, None);
        }
        Ok(())
    }

    fn add_flag(&mut self, flag: &'t Arg, value: Option<String>) {
        if value.is_none() && takes_value(flag) {
            self.open = Some(flag);
        } else {
            self.flags.push((flag, value));
        }
    }

    fn command(&self) -> &'t Command {
        self.path.last().expect("a line begins at the root")
    }

    fn answer(self, partial: &str) -> Result<Plan, String> {
        if let Some(flag) = self.open {
            return self.value(flag, partial);
        }
        let is_flag = !self.ended && partial.starts_with('-');
        if is_flag && let Some((name, value)) = partial.split_once('=') {
            let command = self.command();
            let (name, flag) = match name.strip_prefix("--") {
                Some(name) => (name.to_owned(), long(command, name)),
                None => {
                    let letter = name.chars().next_back().unwrap_or('-');
                    (letter.to_string(), short(command, letter))
                }
            };
            let flag = flag.ok_or_else(|| {
                let command = command.get_name();
                format!("subcommand '{command}' does not support flag '{name}'")
            })?;
            return self.value(flag, value);
        }
        if self.is_over() {
            return Ok(Plan::Complete(Completion {
                candidates: Vec::new(),
                directive: Directive::NO_FILES,
            }));
        }
        if is_flag {
            return Ok(Plan::Complete(self.flag_names(partial)));
        }
        if let Some(resource) = self.resource() {
            return self.ask(Names::Objects(resource), partial);
        }
        let mut answer = Completion::default();
        let command = self.command();
        if self.arguments == 0 && (self.path.len() == 1 || has_children(command)) {
            answer.directive = Directive::NO_FILES;
            answer.candidates = if self.path.len() == 1 {
                verbs(partial)
            } else {
                children(command, partial)
            };
        }
        Ok(Plan::Complete(answer))
    }

    /// Whether help or the version was requested, so that the rest of the line does not count.
    fn is_over(&self) -> bool {
        self.flags.iter().any(|(flag, _)| {
            flag.get_id() == HELP || (self.path.len() == 1 && flag.get_id() == "version")
        })
    }

    /// Returns flags that may follow: inherited ones first, each group sorted.
    fn flag_names(&self, partial: &str) -> Completion {
        let command = self.command();
        let above = self.path.len().checked_sub(2).map(|above| self.path[above]);
        let is_inherited = |flag: &Arg| {
            // Each command has its own help flag.
            flag.is_global_set()
                && flag.get_id() != HELP
                && above.is_some_and(|above| {
                    above
                        .get_arguments()
                        .any(|other| other.get_id() == flag.get_id())
                })
        };
        let mut flags: Vec<&Arg> = command
            .get_arguments()
            .filter(|flag| !flag.is_hide_set() && flag.get_long().is_some())
            .filter(|flag| {
                matches!(flag.get_action(), ArgAction::Append)
                    || !self
                        .flags
                        .iter()
                        .any(|(given, _)| given.get_id() == flag.get_id())
            })
            .collect();
        flags.sort_by_key(|flag| (!is_inherited(flag), flag.get_long()));
        let mut candidates = Vec::new();
        for flag in flags {
            let names = flag.get_long().map(|long| format!("--{long}"));
            let names = names
                .into_iter()
                .chain(flag.get_short().map(|letter| format!("-{letter}")));
            candidates.extend(
                names
                    .filter(|name| name.starts_with(partial))
                    .map(|name| Candidate::new(name, first_line(flag.get_help()))),
            );
        }
        Completion {
            candidates,
            directive: Directive::NO_FILES,
        }
    }

    fn value(self, flag: &Arg, prefix: &str) -> Result<Plan, String> {
        let names = match flag.get_long() {
            _ if !flag.is_global_set() => None,
            Some("namespace") => Some(Names::Namespaces),
            Some("context") => Some(Names::Contexts),
            Some("cluster") => Some(Names::Clusters),
            Some("user") => Some(Names::Users),
            _ => None,
        };
        if let Some(names) = names {
            return self.ask(names, prefix);
        }
        let choices: Vec<(String, String)> = if takes_value(flag) {
            let choices = flag.get_possible_values();
            let choices = choices.iter().filter(|choice| !choice.is_hide_set());
            choices
                .map(|choice| (choice.get_name().to_owned(), first_line(choice.get_help())))
                .collect()
        } else {
            ["true", "false"]
                .map(|word| (word.to_owned(), String::new()))
                .to_vec()
        };
        if choices.is_empty() {
            return Ok(Plan::Complete(Completion::default()));
        }
        let choices = choices.into_iter();
        Ok(Plan::Complete(Completion {
            candidates: choices
                .filter(|(word, _)| word.starts_with(prefix))
                .map(|(word, description)| Candidate { word, description })
                .collect(),
            directive: Directive::NO_FILES,
        }))
    }

    /// Returns the kind whose names the typed command takes.
    fn resource(&self) -> Option<&'static Resource> {
        let words: Vec<&str> = self.path[1..]
            .iter()
            .map(|command| command.get_name())
            .collect();
        let (verb, noun) = words.split_first()?;
        let is_named = |resource: &&Resource| match *verb {
            "get" => resource.listed == noun,
            "build" | "debug" | "delete" | "diff" | "export" | "reconcile" | "resume"
            | "suspend" | "tree" => resource.noun == noun,
            _ => false,
        };
        RESOURCES.iter().find(is_named)
    }

    fn ask(self, names: Names, prefix: &str) -> Result<Plan, String> {
        let command = GlobalArgs::augment_args(Command::new("flags").no_binary_name(true));
        let known: Vec<_> = command
            .get_arguments()
            .map(|flag| flag.get_id().clone())
            .collect();
        let words = self
            .flags
            .iter()
            .filter(|(flag, _)| known.contains(flag.get_id()));
        let words = words.filter_map(|(flag, value)| {
            let name = flag.get_long()?;
            Some(match value {
                Some(value) => format!("--{name}={value}"),
                None => format!("--{name}"),
            })
        });
        let globals = command
            .try_get_matches_from(words)
            .and_then(|matches| GlobalArgs::of(&matches))
            .map_err(|error| {
                misuse::explain(&error, "flags", str::to_owned, None)
                    .message()
                    .to_owned()
            })?;
        Ok(Plan::Ask {
            names,
            globals: Box::new(globals),
            prefix: prefix.to_owned(),
        })
    }
}

fn is_flag(word: &str) -> bool {
    word.len() > 1 && word.starts_with('-')
}

fn takes_value(flag: &Arg) -> bool {
    matches!(flag.get_action(), ArgAction::Set | ArgAction::Append)
        && flag
            .get_num_args()
            .is_none_or(|range| range.min_values() > 0)
}

fn long<'c>(command: &'c Command, name: &str) -> Option<&'c Arg> {
    let named = |flag: &&Arg| {
        flag.get_long() == Some(name)
            || flag
                .get_all_aliases()
                .is_some_and(|all| all.contains(&name))
    };
    command.get_arguments().find(named)
}

fn short(command: &Command, letter: char) -> Option<&Arg> {
    command
        .get_arguments()
        .find(|flag| flag.get_short() == Some(letter))
}

fn child<'c>(command: &'c Command, word: &str) -> Option<&'c Command> {
    command
        .find_subcommand(word)
        .filter(|child| child.get_name() != HELP)
}

fn has_children(command: &Command) -> bool {
    command
        .get_subcommands()
        .any(|child| child.get_name() != HELP)
}

fn children(command: &Command, partial: &str) -> Vec<Candidate> {
    let mut found: Vec<Candidate> = command
        .get_subcommands()
        .filter(|child| !child.is_hide_set() && child.get_name() != HELP)
        .filter(|child| child.get_name().starts_with(partial))
        .map(|child| Candidate::new(child.get_name(), first_line(child.get_about())))
        .collect();
    found.sort_by(|a, b| a.word.cmp(&b.word));
    found
}

/// Returns the commands below the root without building their branches.
fn verbs(partial: &str) -> Vec<Candidate> {
    let verbs = VERBS.iter().filter(|verb| !verb.hidden);
    let verbs = verbs.map(|verb| (verb.name, verb.about));
    let mut found: Vec<Candidate> = verbs
        .chain([(HELP, "Explain a command")])
        .filter(|(name, _)| name.starts_with(partial))
        .map(|(name, about)| Candidate::new(name, about))
        .collect();
    found.sort_by(|a, b| a.word.cmp(&b.word));
    found
}

fn first_line(text: Option<&clap::builder::StyledStr>) -> String {
    let text = text.map(ToString::to_string).unwrap_or_default();
    text.lines().next().unwrap_or_default().trim().to_owned()
}

#[cfg(test)]
mod tests;
