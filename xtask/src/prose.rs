//! `cargo xtask prose`: comments, names, messages and documents that break the rules of plain
//! English.
//!
//! A program can judge heads of files, openings of sentences, words and names. It also judges the
//! lengths of sentences, comment lines, help texts, test names and table cells. It has no list of
//! exceptions.

mod messages;
mod names;
mod text;

use std::{
    collections::BTreeMap,
    fmt,
    path::{Path, PathBuf},
};

use anyhow::{Result, bail};
use sluice_system::fs;

use crate::source::{self, Source};

/// Report comments, names, messages and documents in riddles
#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// Only count the faults of each directory
    #[arg(long)]
    count: bool,
    /// Files and directories to check, instead of the repository
    paths: Vec<PathBuf>,
}

/// Directories with sources, scripts and documents of ours.
const DIRECTORIES: &[&str] = &[
    "src", "crates", "dev", "tests", "xtask", "docs", "action", "hooks", ".ci",
];

/// Records of measurements, and what tests read as data.
const DATA: &[&str] = &[
    "tests/bench/records",
    "tests/cases",
    "tests/fixtures",
    "tests/cli/cases",
    "tests/cli/scenes",
    "testdata",
    "docs/dev/records",
];

/// The most lines of a file whose head does not say why it is longer.
const MAX_FILE: usize = 600;

/// The most characters of a line with a comment, as of a line of code.
const MAX_COMMENT_LINE: usize = 100;

/// One place that breaks a rule.
#[derive(Debug, PartialEq, Eq)]
struct Fault {
    path: PathBuf,
    line: usize,
    message: String,
}

impl fmt::Display for Fault {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            formatter,
            "{}:{}: {}",
            self.path.display(),
            self.line,
            self.message
        )
    }
}

pub(crate) fn run(arguments: &Arguments) -> Result<()> {
    let root = crate::repository();
    let mut faults = Vec::new();
    for path in paths(root, &arguments.paths)? {
        let relative = path.strip_prefix(root).unwrap_or(&path).to_owned();
        let is_data = DATA
            .iter()
            .any(|data| relative.to_string_lossy().contains(data));
        if is_data {
            continue;
        }
        let stem = path.file_stem().and_then(|stem| stem.to_str());
        faults.extend(stem.and_then(names::check_file).map(|message| Fault {
            path: relative.clone(),
            line: 1,
            message,
        }));
        let found = match path.extension().and_then(|extension| extension.to_str()) {
            Some("rs") => rust(&fs::read_to_string(&path)?, is_product(&relative)),
            Some("md") => text::document(&fs::read_to_string(&path)?),
            Some("sh" | "toml") => script(&fs::read_to_string(&path)?),
            _ => continue,
        };
        faults.extend(found.into_iter().map(|(line, message)| Fault {
            path: relative.clone(),
            line,
            message,
        }));
    }
    if arguments.count {
        print_counts(&faults);
    } else {
        for fault in &faults {
            println!("{fault}");
        }
    }
    if !faults.is_empty() {
        bail!("{} places break the rules of plain English", faults.len());
    }
    Ok(())
}

fn paths(root: &Path, chosen: &[PathBuf]) -> Result<Vec<PathBuf>> {
    let mut paths = Vec::new();
    let directories: Vec<PathBuf> = if chosen.is_empty() {
        for entry in fs::read_dir(root)? {
            if entry.file_type.is_file() {
                paths.push(entry.path);
            }
        }
        DIRECTORIES
            .iter()
            .map(|directory| root.join(directory))
            .collect()
    } else {
        chosen.iter().map(|path| root.join(path)).collect()
    };
    for directory in directories {
        if directory.is_dir() {
            paths.extend(source::files(&directory, &["rs", "md", "sh", "toml"])?);
        } else {
            paths.push(directory);
        }
    }
    paths.sort();
    Ok(paths)
}

fn print_counts(faults: &[Fault]) {
    let mut counts: BTreeMap<PathBuf, usize> = BTreeMap::new();
    for fault in faults {
        let directory: PathBuf = fault.path.iter().take(3).collect();
        *counts.entry(directory).or_default() += 1;
    }
    for (directory, count) in counts {
        println!("{count:>6}  {}", directory.display());
    }
}

/// Returns whether a file belongs to the product, and not to its tests or tools.
fn is_product(path: &Path) -> bool {
    (path.starts_with("src") || path.starts_with("crates")) && !source::is_test_file(path)
}

/// Returns the faults of the comments and names of Rust code.
fn rust(code: &str, is_product: bool) -> Vec<(usize, String)> {
    let source = Source::read(code);
    let mut faults = Vec::new();
    if !code.starts_with("//!") {
        faults.push((1, "the file has no head: start it with `//!`".to_owned()));
    }
    faults.extend(unexplained_length(code));
    for comment in &source.comments {
        faults.extend(text::paragraphs(comment.line, &comment.lines));
    }
    faults.extend(wide_comment_lines(code, &source));
    let tests = source.test_lines();
    faults.extend(names::check(&source.code, |line| {
        is_product && !tests[line - 1]
    }));
    faults.extend(messages::literals(&source.literals));
    faults.extend(messages::help_texts(&source));
    faults.sort();
    faults
}

/// Returns the fault of a long file whose head does not say why.
fn unexplained_length(code: &str) -> Option<(usize, String)> {
    let length = code.lines().count();
    let head = code.lines().take_while(|line| line.starts_with("//!"));
    let head = head.collect::<Vec<_>>().join(" ").to_lowercase();
    let is_long = head
        .split_whitespace()
        .any(|word| word.trim_end_matches('.') == "long");
    let is_explained = is_long || head.contains("one file");
    (length > MAX_FILE && !is_explained).then(|| {
        let fault = format!(
            "file of {length} lines, at most {MAX_FILE}: split it, or say in its head why it is one file"
        );
        (1, fault)
    })
}

/// Returns the comment lines that are too long. Rows of tables and single addresses may be.
fn wide_comment_lines(code: &str, source: &Source) -> Vec<(usize, String)> {
    let lines: Vec<&str> = code.lines().collect();
    let mut faults = Vec::new();
    for comment in &source.comments {
        for (number, text) in (comment.line..).zip(&comment.lines) {
            let text = text.trim();
            let length = lines[number - 1].chars().count();
            if length > MAX_COMMENT_LINE && !text.starts_with('|') && text.contains(' ') {
                let fault =
                    format!("comment line of {length} characters, at most {MAX_COMMENT_LINE}");
                faults.push((number, fault));
            }
        }
    }
    faults
}

/// Returns the faults of the comments of a shell script or a TOML file.
fn script(code: &str) -> Vec<(usize, String)> {
    let mut faults = Vec::new();
    let mut block: Vec<String> = Vec::new();
    for (number, line) in (1..).zip(code.lines().chain([""])) {
        match line.trim_start().strip_prefix('#') {
            Some(comment) if !comment.starts_with('!') => block.push(comment.to_owned()),
            _ => {
                faults.extend(text::paragraphs(number - block.len(), &block));
                block.clear();
            }
        }
    }
    faults
}

#[cfg(test)]
mod tests {
    use super::*;

    fn judge(code: &str) -> Vec<(usize, String)> {
        rust(code, true)
    }

    #[test]
    fn comments_and_names_are_judged() {
        let faults = judge("//! Whoever calls it.\nfn ask_nobody() {}\nlet text = \"// is no\";\n");
        let lines: Vec<usize> = faults.iter().map(|(line, _)| *line).collect();
        assert_eq!(lines, [1, 1, 2]);
    }

    #[test]
    fn wide_comment_lines_are_reported() {
        let line = format!("//! {}", "Word. ".repeat(16));
        let address = format!("//! https://{}", "a".repeat(100));
        assert_eq!(judge(&format!("{line}\n//!\n{address}\n")), []);
        let expected = "comment line of 101 characters, at most 100".to_owned();
        assert_eq!(judge(&format!("//!\n{line}a\n")), [(2, expected)]);
    }

    #[test]
    fn file_without_a_head_is_reported() {
        let faults = judge("use std::fmt;\n");
        let expected = "the file has no head: start it with `//!`";
        assert_eq!(faults, [(1, expected.to_owned())]);
    }

    #[test]
    fn long_file_without_a_reason_is_reported() {
        let body = "use std::fmt;\n".repeat(600);
        let fault =
            "file of 601 lines, at most 600: split it, or say in its head why it is one file";
        assert_eq!(
            judge(&format!("//! Reads along.\n{body}")),
            [(1, fault.to_owned())]
        );
        assert_eq!(
            judge(&format!("//! The file is long for a reason.\n{body}")),
            []
        );
    }

    #[test]
    fn messages_and_help_texts_are_judged() {
        let help = "word ".repeat(15);
        let faults = judge(&format!(
            "//! Arguments.\n#[derive(clap::Args)]\nstruct Args {{\n    /// {help}\n    #[arg(long)]\n    one: bool,\n}}\nlet error = x.hint(\"this is no flag\");\n"
        ));
        assert_eq!(
            faults,
            [
                (4, "help text of 74 characters, at most 70".to_owned()),
                (8, "say \"not a\" instead of \"is no\"".to_owned()),
            ]
        );
    }

    #[test]
    fn script_comments_are_judged_and_shebang_is_not() {
        let faults = script("#!/bin/sh\n# This is no\n# good\nx=1 # told\n");
        assert_eq!(
            faults,
            [(2, "say \"not a\" instead of \"is no\"".to_owned())]
        );
    }
}
