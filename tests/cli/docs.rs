//! Compares the pages for users with the command line and the tests: every command that they show
//! exists, and every block of commands is run by a test or says why not.

use std::path::Path;

use clap::Command;

use crate::pages::{self, Mark};

/// Blocks whose commands no test runs. Each one names its reason in the page.
const NOT_RUN: usize = 4;

/// Returns the texts of all Rust files below a folder.
fn sources(folder: &Path, texts: &mut String) {
    for entry in sluice_system::fs::read_dir(folder).unwrap() {
        if entry.file_type.is_dir() {
            sources(&entry.path, texts);
        } else if entry.path.extension().is_some_and(|ending| ending == "rs") {
            *texts += &std::fs::read_to_string(&entry.path).unwrap();
        }
    }
}

#[test]
fn blocks_name_existing_tests_or_reasons() {
    let mut texts = String::new();
    for folder in ["crates", "src", "tests", "xtask"] {
        sources(
            &Path::new(env!("CARGO_MANIFEST_DIR")).join(folder),
            &mut texts,
        );
    }
    let mut reasons = Vec::new();
    for block in pages::blocks() {
        match &block.mark {
            Mark::Run => {}
            Mark::TestedBy(tests) => {
                for test in tests {
                    let is_test = texts.contains(&format!("fn {test}("));
                    assert!(is_test, "{}: no test {test}", block.place());
                }
            }
            Mark::NotRun(reason) => reasons.push(format!("{}: {reason}", block.place())),
        }
    }
    assert_eq!(reasons.len(), NOT_RUN, "{reasons:#?}");
}

#[test]
fn blocks_of_commands_have_a_language() {
    for block in pages::blocks() {
        let starts = ["$ ", "sluice ", "flux ", "kubectl ", "./"];
        let is_command = starts.iter().any(|start| block.text.starts_with(start));
        let is_known = ["sh", "console"].contains(&block.language.as_str());
        assert!(!is_command || is_known, "{}", block.place());
    }
}

/// Checks the subcommands and flags of a command line. Names and values are free.
fn check(root: &Command, line: &str) -> Result<(), String> {
    let mut command = root;
    let mut words = line.split_whitespace().skip(1).peekable();
    while let Some(word) = words.peek() {
        let Some(below) = command.find_subcommand(word) else {
            break;
        };
        command = below;
        words.next();
    }
    if command.has_subcommands() {
        return match words.next() {
            // A mention of a group, such as `sluice build`, or of a pattern, such as
            // `sluice get KIND`.
            None | Some("…") => Ok(()),
            Some(word) if word.chars().all(|letter| letter.is_ascii_uppercase()) => Ok(()),
            Some(word) if word.starts_with("--") => known(root, command, word),
            Some(word) => Err(format!("no subcommand {word}")),
        };
    }
    for word in words {
        let ends = ["|", ">", ">>", "&&", "<", ";"];
        if ends.contains(&word) {
            break;
        }
        known(root, command, word)?;
    }
    Ok(())
}

fn known(root: &Command, command: &Command, word: &str) -> Result<(), String> {
    let word = word.trim_end_matches(';');
    let Some(flag) = word.strip_prefix("--").filter(|flag| !flag.is_empty()) else {
        return Ok(());
    };
    let name = flag.split('=').next().unwrap_or_default();
    let has = |command: &Command| {
        command.get_arguments().any(|argument| {
            argument.get_long() == Some(name)
                || argument
                    .get_all_aliases()
                    .is_some_and(|aliases| aliases.contains(&name))
        })
    };
    if has(command) || has(root) || name == "help" {
        return Ok(());
    }
    Err(format!("no flag --{name}"))
}

#[test]
fn commands_of_the_pages_exist() {
    let root = sluice::cli::manual("sluice");
    let mut wrong = Vec::new();
    let mut count = 0;
    let mut judge = |place: &str, line: &str| {
        let is_ours = line.starts_with("sluice ") || line.starts_with("flux ");
        // A controller has flags of its own, and a plugin's name is not known.
        if !is_ours || line.starts_with("sluice controller ") || line.starts_with("flux version") {
            return;
        }
        count += 1;
        if let Err(error) = check(&root, line) {
            wrong.push(format!("{place}: {line}: {error}"));
        }
    };
    for block in pages::blocks() {
        for (command, _) in block.commands() {
            judge(&block.place(), &command);
        }
    }
    for (page, text) in pages::pages() {
        let mut is_code = false;
        let mut prose = String::new();
        for line in text.lines() {
            let is_fence = line.trim_start().starts_with("```");
            is_code ^= is_fence;
            if !is_code && !is_fence {
                prose += line;
                prose.push('\n');
            }
        }
        for span in prose.split('`').skip(1).step_by(2) {
            judge(&page, &span.replace('\n', " "));
        }
    }
    assert!(count > 100, "{count}");
    assert!(wrong.is_empty(), "{wrong:#?}");
}
