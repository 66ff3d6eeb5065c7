//! Implements `__complete`, which shell scripts call for candidates, in cobra's protocol. A line is
//! a candidate with its description after a tab. The last line is `:` and the directive.
//!
//! [`super::complete`] decides. This module queries the kubeconfig, the cluster and plugins for at
//! most a second. Failures show only in the directive, because errors would disturb the typing.
//! [`cache`] caches the cluster's answers.

mod cache;

use std::ffi::OsString;
use std::fmt::Write as _;
use std::time::{Duration, SystemTime};

use sluice_client::{GroupVersionKind, ListOptions, kubeconfig};
use sluice_system::{Clock as _, SystemClock};

use super::complete::{Candidate, Completion, Directive, Names, Plan, plan};
use super::{is_builtin, plugin};
use crate::cluster::{Context, refusal};
use crate::error::CommandError;
use crate::globals::GlobalArgs;
use crate::{CommandResult, Exit, output};
use cache::Place;
use sluice_golang::error::chain;

pub(super) const WITH_DESCRIPTIONS: &str = "__complete";
pub(super) const WITHOUT_DESCRIPTIONS: &str = "__completeNoDesc";
pub(super) const NAMES: [&str; 2] = [WITH_DESCRIPTIONS, WITHOUT_DESCRIPTIONS];

/// Timeout of a query, since the user waits at the keyboard.
const LIST_TIMEOUT: Duration = Duration::from_secs(1);
/// Maximum number of candidates.
const MOST: usize = 500;

#[derive(clap::Args, Debug)]
pub(super) struct Args {
    /// Words of the command line; the last one is incomplete
    #[arg(
        value_name = "WORD",
        trailing_var_arg = true,
        allow_hyphen_values = true
    )]
    pub(crate) words: Vec<OsString>,
}

/// Prints the answer to a completion command, one of [`NAMES`].
pub(super) fn run(program: &'static str, name: &str, words: &[OsString]) -> CommandResult {
    let mut words: Vec<String> = words
        .iter()
        .map(|word| word.to_string_lossy().into_owned())
        .collect();
    let Some(partial) = words.pop() else {
        return Err(CommandError::user(
            "requires at least 1 arg(s), only received 0",
        ));
    };
    let folder = plugin::folder();
    let plugins = || {
        let found = folder.iter().flat_map(sluice_plugin::Folder::plugins);
        found.map(|plugin| plugin.name).collect()
    };
    let answer = match plan(program, &words, &partial, &plugins) {
        Ok(Plan::Complete(answer)) => answer,
        Ok(Plan::Ask {
            names,
            globals,
            prefix,
        }) => match ask(program, names, *globals) {
            Ok(found) => Completion {
                candidates: found
                    .into_iter()
                    .filter(|name| name.starts_with(&prefix) && !name.contains(char::is_control))
                    .take(MOST)
                    .map(|name| Candidate::new(name, ""))
                    .collect(),
                directive: Directive::NO_FILES,
            },
            Err(error) => {
                output::stderr(&format!("[Error] {}\n", output::one_line(error.message())));
                Completion {
                    candidates: Vec::new(),
                    directive: Directive::ERROR,
                }
            }
        },
        Ok(Plan::Plugin { name, words }) => {
            let asked = folder.as_ref().and_then(|folder| {
                let found = folder.find(&name)?;
                Some(plugin::complete(folder, &found, &words))
            });
            asked.unwrap_or_default()
        }
        Err(why) => {
            output::stderr(&format!("{}\n", output::one_line(&why)));
            Completion::default()
        }
    };
    output::stdout(&format_answer(&answer, name == WITH_DESCRIPTIONS))?;
    output::stderr(&format!(
        "Completion ended with directive: {}\n",
        answer.directive.name()
    ));
    Ok(Exit::SUCCESS)
}

fn format_answer(answer: &Completion, with_descriptions: bool) -> String {
    let mut text = String::new();
    for Candidate { word, description } in &answer.candidates {
        text.push_str(word);
        if with_descriptions && !description.is_empty() {
            let _ = write!(text, "\t{description}");
        }
        text.push('\n');
    }
    let _ = writeln!(text, ":{}", answer.directive.0);
    text
}

fn ask(
    program: &'static str,
    names: Names,
    globals: GlobalArgs,
) -> Result<Vec<String>, CommandError> {
    let known = |select: fn(kubeconfig::Names) -> Vec<String>| {
        kubeconfig::names(
            &globals.kubeconfig(),
            &kubeconfig::Environment::of_process(),
        )
        .map(select)
        .map_err(|error| CommandError::user(chain(&error)))
    };
    match names {
        Names::Contexts => known(|names| names.contexts),
        Names::Clusters => known(|names| names.clusters),
        Names::Users => known(|names| names.users),
        Names::Namespaces => {
            let context = Context::new(program, globals, is_builtin);
            list(
                &context,
                &GroupVersionKind::gvk("", "v1", "Namespace"),
                None,
            )
        }
        Names::Objects(resource) => {
            let mut context = Context::new(program, globals, is_builtin);
            context.check()?;
            list(&context, &resource.gvk(), Some(&context.namespace()))
        }
    }
}

fn list(
    context: &Context,
    gvk: &GroupVersionKind,
    namespace: Option<&str>,
) -> Result<Vec<String>, CommandError> {
    let place = Place::of(&context.globals, &(gvk, namespace));
    let kept = place.as_ref().and_then(|place| place.recall(now()));
    if let Some(names) = kept {
        return Ok(names);
    }
    let options = ListOptions {
        metadata_only: true,
        ..ListOptions::default()
    };
    let cluster = context.cluster()?;
    let listed = context.block_on(async {
        tokio::time::timeout(LIST_TIMEOUT, cluster.list(gvk, namespace, &options)).await
    })?;
    let list = listed
        .map_err(|_| CommandError::cluster("the API server did not answer in time"))?
        .map_err(|error| refusal(&error))?;
    let names = list.items.iter();
    let names: Vec<String> = names
        .filter_map(|item| item["metadata"]["name"].as_str())
        .map(str::to_owned)
        .collect();
    if let Some(place) = place {
        place.keep(&names, now());
    }
    Ok(names)
}

fn now() -> SystemTime {
    SystemClock.now().into()
}
