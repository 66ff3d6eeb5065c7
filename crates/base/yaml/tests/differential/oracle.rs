//! The Go program that runs Go's libraries on a text, and the same operations on ours. Shared with
//! `cargo xtask differential yaml`.

use std::fmt::Write as _;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use serde_json::{Value, json};
use sluice_yaml::tree::{self, Indent};
use sluice_yaml::{Error, json as go_json, v2, v3};

/// An operation of the oracle and of this crate.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Operation {
    /// YAML to JSON in the dialect of version 2.
    Read,
    /// As `Read`, with the strict reader.
    Strict,
    /// JSON to YAML in the dialect of version 2.
    Write,
    /// JSON to JSON.
    Json,
    /// YAML to JSON in the dialect of version 3.
    V3,
    /// Read and print a tree, with sequences at the column of their key.
    Compact,
    /// As `Compact`, with indented sequences.
    Wide,
    /// Read a tree, expand its aliases and print it.
    Inflate,
    /// Convert a tree to the value that kustomize prints.
    Value,
    /// Find the indentation of sequences in a text.
    Indent,
}

impl Operation {
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Read => "read",
            Self::Strict => "strict",
            Self::Write => "write",
            Self::Json => "json",
            Self::V3 => "v3",
            Self::Compact => "compact",
            Self::Wide => "wide",
            Self::Inflate => "inflate",
            Self::Value => "value",
            Self::Indent => "indent",
        }
    }

    pub(crate) fn ours(self, text: &str) -> Answer {
        match self.try_ours(text) {
            Ok(text) => Answer {
                text,
                error: String::new(),
            },
            Err(error) => Answer {
                text: String::new(),
                error: error.to_string(),
            },
        }
    }

    fn try_ours(self, text: &str) -> Result<String, Error> {
        let print = |value: &Value| go_json::to_string(value);
        Ok(match self {
            Self::Read => print(&v2::from_str(text)?),
            Self::Strict => print(&v2::from_str_strict(text)?),
            Self::Write => v2::to_string(&go_json::from_str(text)?),
            Self::Json => print(&go_json::from_str(text)?),
            Self::V3 => print(&v3::from_str(text)?),
            Self::Compact | Self::Wide | Self::Inflate | Self::Value => {
                let Some(document) = tree::parse_document(text.as_bytes())? else {
                    return Ok(String::new());
                };
                let mut root = document.root;
                if matches!(self, Self::Inflate | Self::Value) {
                    root.expand_aliases()?;
                }
                match self {
                    Self::Value => v2::to_string(&root.to_value()?),
                    Self::Wide => tree::to_string(&root, Indent::Wide),
                    _ => tree::to_string(&root, Indent::Compact),
                }
            }
            Self::Indent => match tree::indent_of(text) {
                Indent::Compact => "compact".to_owned(),
                Indent::Wide | Indent::Four => "wide".to_owned(),
            },
        })
    }

    /// Reports whether the crate's documentation announces the difference.
    fn is_documented(self, theirs: &Answer, ours: &Answer) -> bool {
        // Upstream may panic; this crate must not.
        if theirs.error.starts_with("panic: ") {
            return true;
        }
        // This crate checks the whole text for forbidden characters first, including text after
        // another error or after the first document.
        if ours.error == CONTROL {
            return true;
        }
        // Upstream cannot read its own JSON with raw control characters; this crate prints them as
        // escapes.
        matches!(self, Self::Write | Self::Value)
            && (theirs.error == CONTROL || !theirs.error.is_empty() && ours.text.contains("\\N"))
    }
}

const CONTROL: &str = "yaml: control characters are not allowed";

/// The answer to a request.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Answer {
    pub(crate) text: String,
    pub(crate) error: String,
}

impl Answer {
    pub(crate) fn from_json(value: &Value) -> Self {
        let field = |name| value[name].as_str().unwrap_or_default().to_owned();
        Self {
            text: field("text"),
            error: field("error"),
        }
    }
}

/// A text for which Go and this crate differ.
#[derive(Debug, Clone)]
pub(crate) struct Difference {
    pub(crate) operation: Operation,
    pub(crate) text: String,
    pub(crate) theirs: Answer,
    pub(crate) ours: Answer,
}

/// Number of repeated requests, since Go's answers may be random. Go sorts the keys of a map from
/// a random start by an order that is not always transitive. Of two keys with the same text it
/// drops a random one.
const RETRIES: usize = 30;

/// The built program.
pub(crate) struct Oracle {
    binary: PathBuf,
}

impl Oracle {
    /// Builds the program in `source` into `target`. Fails without a Go toolchain.
    pub(crate) fn build(source: &Path, target: &Path) -> Result<Self, String> {
        let binary = target.join("yaml-oracle");
        let built = Command::new("go")
            .args(["build", "-o"])
            .arg(&binary)
            .arg(".")
            .env("GOTOOLCHAIN", "local")
            .env("GOFLAGS", "-mod=readonly")
            .current_dir(source)
            .output();
        match built {
            Ok(output) if output.status.success() => Ok(Self { binary }),
            Ok(output) => {
                let message = String::from_utf8_lossy(&output.stderr);
                Err(format!("the oracle does not build: {message}"))
            }
            Err(error) => Err(format!("no Go toolchain: {error}")),
        }
    }

    /// Returns the path of the program.
    pub(crate) fn path(&self) -> &Path {
        &self.binary
    }

    pub(crate) fn ask(&self, requests: &[(Operation, String)]) -> Vec<Answer> {
        let mut child = Command::new(self.path())
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let mut input = child.stdin.take().unwrap();
        let mut lines = String::new();
        for (operation, text) in requests {
            let request = json!({"do": operation.name(), "text": text});
            writeln!(lines, "{request}").unwrap();
        }
        let writer = std::thread::spawn(move || input.write_all(lines.as_bytes()).unwrap());
        let output = child.wait_with_output().unwrap();
        writer.join().unwrap();
        assert!(output.status.success());
        let answers: Vec<_> = serde_json::Deserializer::from_slice(&output.stdout)
            .into_iter::<Value>()
            .map(|value| Answer::from_json(&value.unwrap()))
            .collect();
        assert_eq!(answers.len(), requests.len());
        answers
    }

    /// Runs both sides and returns the differences, without those where Go's answer varies.
    pub(crate) fn differences(&self, requests: Vec<(Operation, String)>) -> Vec<Difference> {
        let answers = self.ask(&requests);
        let asked = requests.into_iter().zip(answers);
        let found = compare(asked.map(|((operation, text), answer)| (operation, text, answer)));
        self.deterministic(found, |found| (found.operation, found.text.clone()))
    }

    /// Keeps the texts for which Go always returns the same answer.
    pub(crate) fn deterministic<T>(
        &self,
        mut texts: Vec<T>,
        key: impl Fn(&T) -> (Operation, String),
    ) -> Vec<T> {
        let again: Vec<_> = texts
            .iter()
            .flat_map(|text| std::iter::repeat_n(key(text), RETRIES))
            .collect();
        let answers = self.ask(&again);
        let mut chances = answers.chunks(RETRIES);
        texts.retain(|_| {
            let answers = chances.next().unwrap();
            answers.iter().all(|answer| *answer == answers[0])
        });
        texts
    }

    /// Returns the smallest text that still differs. Removes ever smaller parts, first lines, then
    /// characters.
    pub(crate) fn shrink(&self, found: Difference) -> Difference {
        let mut found = found;
        for by_line in [true, false] {
            let mut size = usize::MAX;
            while size > 0 {
                let pieces: Vec<&str> = if by_line {
                    found.text.split_inclusive('\n').collect()
                } else {
                    found.text.split_inclusive(|_| true).collect()
                };
                size = size.min(pieces.len().div_ceil(2));
                let without = |start: usize| {
                    let rest = &pieces[(start + size).min(pieces.len())..];
                    (found.operation, [&pieces[..start], rest].concat().concat())
                };
                let starts = (0..pieces.len()).step_by(size.max(1)).take(400);
                let mut smaller = self.differences(starts.map(without).collect());
                match smaller.pop() {
                    Some(better) => found = better,
                    None if size == 1 => break,
                    None => size /= 2,
                }
            }
        }
        found
    }
}

/// Compares recorded answers with ours and returns the differences.
pub(crate) fn compare(
    answers: impl Iterator<Item = (Operation, String, Answer)>,
) -> Vec<Difference> {
    let mut differences = Vec::new();
    for (operation, text, theirs) in answers {
        let ours = operation.ours(&text);
        if ours != theirs && !operation.is_documented(&theirs, &ours) {
            differences.push(Difference {
                operation,
                text,
                theirs,
                ours,
            });
        }
    }
    differences
}
