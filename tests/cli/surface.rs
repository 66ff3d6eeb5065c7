//! Compares every command and flag with Flux's: names, shorthands, values, defaults, choices, and
//! inheritance.
//!
//! `surface.json` records Flux 2.9.4. `surface-missing.txt` lists our gaps. `UPDATE_SURFACE=1`
//! writes that list, for a review before the commit.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use clap::builder::PossibleValue;
use clap::{Arg, Command};
use serde_json::Value;

const FLUX: &str = include_str!("surface.json");
const MISSING: &str = include_str!("surface-missing.txt");

/// Returns the differences between our flag and Flux's.
fn differences(flag: &Value, ours: &Arg) -> Vec<String> {
    let mut found = Vec::new();
    let mut differ = |what: &str, theirs: String, ours: String| {
        if theirs != ours {
            found.push(format!("{what} {theirs:?}, not {ours:?}"));
        }
    };
    let text = |field: &str| flag[field].as_str().unwrap_or_default().to_owned();
    let short = ours.get_short().map(String::from).unwrap_or_default();
    differ("shorthand", text("shorthand"), short);
    // A bool takes an optional value. clap's help and version flags take none.
    let (least, most) = ours
        .get_num_args()
        .map_or((0, 0), |range| (range.min_values(), range.max_values()));
    let takes_value = least > 0 && most > 0;
    differ(
        "takes a value:",
        (text("type") != "bool").to_string(),
        takes_value.to_string(),
    );
    let theirs = match &flag["default"] {
        Value::String(default) => default.clone(),
        Value::Array(defaults) => defaults
            .iter()
            .map(|default| default.as_str().unwrap_or_default())
            .collect::<Vec<_>>()
            .join(","),
        Value::Object(_) | Value::Null => String::new(),
        other => other.to_string(),
    };
    let defaults = ours.get_default_values().iter();
    let defaults: Vec<_> = defaults.map(|value| value.to_string_lossy()).collect();
    differ("default", normal(&theirs), normal(&defaults.join(",")));
    let theirs: Vec<&str> = flag["choices"]
        .as_array()
        .into_iter()
        .flatten()
        .filter_map(Value::as_str)
        .collect();
    let choices = ours.get_possible_values();
    let choices: Vec<&str> = choices.iter().map(PossibleValue::get_name).collect();
    if takes_value && !choices.is_empty() {
        let sorted = |mut list: Vec<&str>| {
            list.sort_unstable();
            list.join("|")
        };
        differ("choices", sorted(theirs), sorted(choices));
    }
    let is_persistent = flag["persistent"] == Value::Bool(true);
    differ(
        "holds below:",
        is_persistent.to_string(),
        ours.is_global_set().to_string(),
    );
    found
}

/// Treats a default that means "unset" as missing.
fn normal(default: &str) -> String {
    match default {
        "false" | "0s" | "[]" => String::new(),
        // `1.0` and `1` are the same number.
        other => other.strip_suffix(".0").unwrap_or(other).to_owned(),
    }
}

fn find<'c>(root: &'c Command, path: &str) -> Option<&'c Command> {
    let mut words = path.split(' ').skip(1);
    words.try_fold(root, |command, word| command.find_subcommand(word))
}

fn flag<'c>(command: &'c Command, name: &str) -> Option<&'c Arg> {
    let mut arguments = command.get_arguments();
    arguments.find(|argument| argument.get_long() == Some(name))
}

#[test]
fn flux_commands_exist_or_are_listed_as_missing() {
    let flux: BTreeMap<String, Value> = serde_json::from_str(FLUX).unwrap();
    let mut root = sluice::cli::command("flux");
    root.build();
    let mut missing = String::new();
    for (path, theirs) in &flux {
        let Some(ours) = find(&root, path) else {
            writeln!(missing, "{path}").unwrap();
            continue;
        };
        let aliases: Vec<&str> = ours.get_all_aliases().collect();
        for alias in theirs["aliases"].as_array().into_iter().flatten() {
            let alias = alias.as_str().unwrap();
            if !aliases.contains(&alias) && ours.get_name() != alias {
                writeln!(missing, "{path}: alias {alias}").unwrap();
            }
        }
        for theirs in theirs["flags"].as_array().into_iter().flatten() {
            let name = theirs["name"].as_str().unwrap();
            match flag(ours, name) {
                None => writeln!(missing, "{path} --{name}").unwrap(),
                Some(ours) => {
                    for difference in differences(theirs, ours) {
                        writeln!(missing, "{path} --{name}: {difference}").unwrap();
                    }
                }
            }
        }
    }
    #[expect(
        clippy::disallowed_methods,
        reason = "this variable enables the update of the list"
    )]
    if std::env::var_os("UPDATE_SURFACE").is_some() {
        let list = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/cli/surface-missing.txt");
        std::fs::write(list, &missing).unwrap();
        return;
    }
    let only = |one: &str, other: &str| -> Vec<String> {
        let other: Vec<&str> = other.lines().collect();
        one.lines()
            .filter(|line| !other.contains(line))
            .map(str::to_owned)
            .collect()
    };
    assert_eq!(
        (only(&missing, MISSING), only(MISSING, &missing)),
        (Vec::new(), Vec::new()),
        "left: missing and not listed; listed and not missing"
    );
}
