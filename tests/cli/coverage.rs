//! Checks that each Flux command has a case that succeeds and a case that fails. Commands that
//! print a table or YAML also need a byte-exact case.
//!
//! Cases are files: transcripts and tables, in this folder and in `tests/cluster`.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use clap::Command;
use serde_json::Value;

const FLUX: &str = include_str!("surface.json");
const TABLE: &str = include_str!("../cluster/exit_codes/table.md");

/// Verbs whose result is their output.
const PRINTING: [&str; 12] = [
    "build",
    "completion",
    "create",
    "debug",
    "envsubst",
    "events",
    "export",
    "get",
    "list",
    "stats",
    "trace",
    "tree",
];

/// One run of a case.
#[derive(Debug, Default)]
struct Run {
    line: String,
    code: i32,
    prints: bool,
}

/// Parses a transcript. The texts mark the start of a command and of its exit code.
fn transcript(text: &str, command: &str, code: &str, output: Option<&str>) -> Vec<Run> {
    let mut runs: Vec<Run> = Vec::new();
    for line in text.lines() {
        if let Some(line) = line.strip_prefix(command) {
            runs.push(Run {
                line: line.to_owned(),
                ..Run::default()
            });
        } else if let Some(run) = runs.last_mut() {
            match line.strip_prefix(code) {
                Some(code) => run.code = code.trim().parse().unwrap_or(1),
                None => run.prints |= output.map_or(!line.is_empty(), |output| line == output),
            }
        }
    }
    runs
}

/// Parses a case with one command per file.
fn single(text: &str) -> Run {
    let after = |key: &str| text.lines().find_map(|line| line.strip_prefix(key));
    let words: Vec<String> = serde_json::from_str(after("args = ").unwrap()).unwrap();
    let is_failure = after("status.code = ").is_some_and(|code| code != "0");
    Run {
        line: words.join(" "),
        code: i32::from(is_failure),
        prints: after("stdout = ").is_some(),
    }
}

fn runs() -> Vec<Run> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut runs = Vec::new();
    for folder in [
        "tests/cli/cases",
        "tests/cli/scenes",
        "tests/cluster/cases/recorded",
    ] {
        for entry in sluice_system::fs::read_dir(root.join(folder)).unwrap() {
            let ending = entry.path.extension().unwrap_or_default().to_string_lossy();
            let text = || sluice_system::fs::read_to_string(&entry.path).unwrap();
            match &*ending {
                "case" => runs.extend(transcript(
                    &text(),
                    "=== $ ",
                    "=== exit ",
                    Some("=== stdout"),
                )),
                "trycmd" => runs.extend(transcript(&text(), "$ sluice ", "? ", None)),
                "toml" => runs.push(single(&text())),
                _ => {}
            }
        }
    }
    // `completion.rs` compares the printed scripts with `completions/`.
    for shell in ["bash", "fish", "powershell", "zsh"] {
        runs.push(Run {
            line: format!("completion {shell}"),
            code: 0,
            prints: true,
        });
    }
    for line in TABLE.lines() {
        let cells: Vec<&str> = line.split(" | ").collect();
        if let [_, _, command, code, _] = cells.as_slice()
            && let Ok(code) = code.parse()
        {
            runs.push(Run {
                line: command.trim_matches('`').to_owned(),
                code,
                prints: false,
            });
        }
    }
    runs
}

/// Returns the full name of the command in a line.
fn called(root: &Command, line: &str) -> String {
    let mut command = root;
    let mut path = vec!["flux"];
    for word in line.split_whitespace() {
        if let Some(below) = command.find_subcommand(word) {
            path.push(below.get_name());
            command = below;
        }
    }
    path.join(" ")
}

#[test]
fn every_command_has_passing_and_failing_cases() {
    let flux: BTreeMap<String, Value> = serde_json::from_str(FLUX).unwrap();
    let mut root = sluice::cli::command("flux");
    root.build();
    let mut seen: BTreeSet<(String, &str)> = BTreeSet::new();
    for run in runs() {
        let path = called(&root, &run.line);
        if run.code != 0 {
            seen.insert((path, "failure"));
            continue;
        }
        if run.prints {
            seen.insert((path.clone(), "output"));
        }
        seen.insert((path, "success"));
    }
    let mut missing = Vec::new();
    for path in flux.keys() {
        let below = format!("{path} ");
        let is_group = flux.keys().any(|other| other.starts_with(&below));
        let is_ours = path.starts_with("flux bootstrap")
            || path.starts_with("flux __")
            || path == "flux help";
        if is_group || is_ours {
            continue;
        }
        let verb = path.split(' ').nth(1).unwrap_or_default();
        let mut wanted = vec!["success", "failure"];
        if PRINTING.contains(&verb) && !path.ends_with(" artifact") {
            wanted.push("output");
        }
        for what in wanted {
            if !seen.contains(&(path.clone(), what)) {
                missing.push(format!("{path}: {what}"));
            }
        }
    }
    assert!(missing.is_empty(), "without a case: {missing:#?}");
}
