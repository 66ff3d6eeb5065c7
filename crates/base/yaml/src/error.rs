//! Errors of reading YAML and JSON, with the messages of Go's libraries.

use std::fmt;

/// The class of an error.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum ErrorKind {
    /// The text is malformed.
    Syntax,
    /// The text nests too deep, or its aliases expand to too much.
    Limit,
    /// A strict reader found a duplicate key.
    Duplicate,
    /// The text is well formed, but JSON cannot represent its value.
    Value,
}

/// An error of reading a text. [`fmt::Display`] prints Go's message.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{}", Text(self))]
pub struct Error {
    kind: ErrorKind,
    origin: Origin,
    problem: String,
}

/// The library whose message format applies.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Origin {
    /// `yaml: line 3: …`, with go-yaml's line number; 0 means unknown. Version 3 prefers the line
    /// where the broken construct starts.
    Yaml { line: usize, line_in_v3: usize },
    /// The bare problem. Callers can read the byte offset.
    Json { offset: usize },
    /// The bare problem.
    Bare,
}

impl Error {
    pub(crate) fn yaml(kind: ErrorKind, line: usize, problem: impl Into<String>) -> Self {
        Self {
            kind,
            origin: Origin::Yaml {
                line,
                line_in_v3: line,
            },
            problem: problem.into(),
        }
    }

    /// An error in a construct that started at `began`; lines count from zero. go-yaml adds
    /// `step` to the line: one in the scanner, zero in the parser.
    pub(crate) fn between(
        kind: ErrorKind,
        began: usize,
        at: usize,
        step: usize,
        problem: impl Into<String>,
    ) -> Self {
        let line = match (at, began) {
            (0, began) => began,
            (at, _) => at + step,
        };
        let line_in_v3 = match (began, at) {
            (0, 0) => 0,
            (0, line) | (line, _) => line + step,
        };
        Self {
            kind,
            origin: Origin::Yaml { line, line_in_v3 },
            problem: problem.into(),
        }
    }

    /// Returns the error as go-yaml v3 reports it.
    pub(crate) fn into_v3(self) -> Self {
        match self.origin {
            Origin::Yaml { line_in_v3, .. } => Self {
                origin: Origin::Yaml {
                    line: line_in_v3,
                    line_in_v3,
                },
                ..self
            },
            Origin::Json { .. } | Origin::Bare => self,
        }
    }

    pub(crate) fn json(kind: ErrorKind, offset: usize, problem: impl Into<String>) -> Self {
        Self {
            kind,
            origin: Origin::Json { offset },
            problem: problem.into(),
        }
    }

    /// An error that prints without `yaml: `.
    pub(crate) fn bare(kind: ErrorKind, problem: impl Into<String>) -> Self {
        Self {
            kind,
            origin: Origin::Bare,
            problem: problem.into(),
        }
    }

    pub(crate) fn value(problem: impl Into<String>) -> Self {
        Self::bare(ErrorKind::Value, problem)
    }

    /// Returns the class of the error.
    pub fn kind(&self) -> ErrorKind {
        self.kind
    }

    /// Returns the line that go-yaml reports, counted from one. For some errors it is one too
    /// low; the number serves comparison with Flux.
    pub fn line(&self) -> Option<usize> {
        match self.origin {
            Origin::Yaml { line, .. } if line > 0 => Some(line),
            _ => None,
        }
    }

    /// Returns the byte offset of the error in a JSON text.
    pub fn offset(&self) -> Option<usize> {
        match self.origin {
            Origin::Json { offset } => Some(offset),
            _ => None,
        }
    }
}

struct Text<'a>(&'a Error);

impl fmt::Display for Text<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Error {
            origin, problem, ..
        } = self.0;
        match origin {
            Origin::Yaml { line: 0, .. } => write!(f, "yaml: {problem}"),
            Origin::Yaml { line, .. } => write!(f, "yaml: line {line}: {problem}"),
            Origin::Json { .. } | Origin::Bare => f.write_str(problem),
        }
    }
}
