//! Compares the flags with the help of Flux's helm-controller.
//!
//! With its binary in `REFERENCE_BIN_DIR`, `RECORD=1` records the help again.

use std::collections::BTreeMap;
use std::path::Path;
use std::process::Command;

use clap::CommandFactory as _;
use sluice_testkit::Reference;

use crate::bed;

/// The flags of the reference, one a line: name, default.
const RECORDED: &str = include_str!("../reference/flags.txt");
/// Flags that only ours has.
const OWN: &[&str] = &[
    "identity-host-allowlist",
    "journal-dir",
    // Environment variables of the reference.
    "memory-limit",
    "runtime-namespace",
    "source-controller-localhost",
    "source-watcher-localhost",
];

/// Reads names and defaults of a help text of Go's pflag.
fn parse(help: &str) -> BTreeMap<String, String> {
    let flags = help.lines().filter_map(|line| {
        let (_, flag) = line.split_once("--")?;
        let name = flag.split([' ', '=']).next()?.to_owned();
        let default = flag.rsplit_once("(default ").map_or("", |(_, rest)| rest);
        let default = default.trim_end_matches(')').trim_matches('"');
        Some((name, default.to_owned()))
    });
    flags.collect()
}

#[test]
fn flags_and_defaults_are_those_of_flux() {
    if Reference::is_recording() {
        let binary = Reference::find().unwrap().binary("helm-controller");
        let ran = Command::new(binary).arg("--help").output().unwrap();
        let help = String::from_utf8(ran.stderr).unwrap() + &String::from_utf8(ran.stdout).unwrap();
        let lines = parse(&help);
        let lines = lines
            .iter()
            .map(|(name, default)| format!("{name} {default}").trim_end().to_owned() + "\n");
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/reference/flags.txt");
        sluice_system::fs::write(path, lines.collect::<String>()).unwrap();
        return;
    }
    let command = bed::Command::command();
    let mut ours: BTreeMap<String, String> = command
        .get_arguments()
        .filter_map(|argument| {
            let name = argument.get_long()?.to_owned();
            let defaults = argument.get_default_values().iter();
            let defaults: Vec<_> = defaults.map(|value| value.to_string_lossy()).collect();
            let default = defaults.join(",");
            let default = match sluice_golang::duration::parse(&default) {
                // Numbers have no unit.
                Ok(duration) if default.ends_with(char::is_alphabetic) => duration.to_string(),
                _ if default == "false" => String::new(),
                _ => default,
            };
            Some((name, default))
        })
        .collect();
    ours.retain(|name, _| !OWN.contains(&&**name));
    let recorded: BTreeMap<String, String> = RECORDED
        .lines()
        .map(|line| {
            let (name, default) = line.split_once(' ').unwrap_or((line, ""));
            (name.to_owned(), default.to_owned())
        })
        .collect();
    assert_eq!(ours, recorded);
}
