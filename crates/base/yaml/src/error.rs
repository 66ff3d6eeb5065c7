//! Why a text is no YAML or JSON, in the words of Go's libraries.

use std::fmt;

/// What class of fault a text has.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum ErrorKind {
    /// It is malformed.
    Syntax,
    /// It is nested too deep, or its aliases expand to too much.
    Limit,
    /// A strict reader found a key twice.
    Duplicate,
    /// It is well formed, but is no value that JSON can hold.
    Value,
}

/// A text that could not be read. Its [`fmt::Display`] is what Go prints.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{}", Text(self))]
pub struct Error {
    kind: ErrorKind,
    origin: Origin,
    problem: String,
}

/// Which library's way of wording applies.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Origin {
    /// `yaml: line 3: …`; the line as go-yaml counts it, which is 0 for "unknown".
    /// Its third version prefers the line where the broken thing began.
    Yaml { line: usize, line_in_v3: usize },
    /// The bare problem; the byte offset is kept for callers.
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

    /// A fault at a place, in something that began at another; lines are
    /// counted from zero. `step` is what go-yaml adds: one for what the scanner
    /// finds, nothing for what the parser does.
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

    /// The same fault as go-yaml v3 reports it.
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

    /// A fault that is printed without `yaml: `.
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

    /// The class of the fault.
    pub fn kind(&self) -> ErrorKind {
        self.kind
    }

    /// The line that go-yaml would name, counted from one. For some faults it is
    /// the line before: the number is for people who compare with Flux.
    pub fn line(&self) -> Option<usize> {
        match self.origin {
            Origin::Yaml { line, .. } if line > 0 => Some(line),
            _ => None,
        }
    }

    /// The byte at which a JSON text went wrong.
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
