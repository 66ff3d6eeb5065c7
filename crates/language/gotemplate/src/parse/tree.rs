//! The tree of a template, flat in memory: lists and pipelines are found by their numbers.
//!
//! A tree has no nested boxes, so that dropping one does not recurse, however deep the text is.

use std::sync::{Arc, OnceLock};

use crate::value::GoString;
use crate::value::func::Func;

/// The text that trees were parsed from.
#[derive(Debug)]
pub(crate) struct Source {
    /// The name of the template that the text was parsed as.
    pub(crate) name: GoString,
    pub(crate) text: Arc<[u8]>,
    /// The places of line feeds, found with the first error. A deep recursion has many errors, and
    /// each names a place in the text.
    line_feeds: OnceLock<Vec<u32>>,
}

impl Source {
    pub(crate) const fn new(name: GoString, text: Arc<[u8]>) -> Self {
        Self {
            name,
            text,
            line_feeds: OnceLock::new(),
        }
    }

    /// The places of line feeds. No template is longer than the numbers reach.
    fn line_feeds(&self) -> &[u32] {
        self.line_feeds.get_or_init(|| {
            let places = (0..).zip(self.text.iter());
            let feeds = places.filter(|(_, byte)| **byte == b'\n');
            feeds.map(|(place, _)| place).collect()
        })
    }
}

/// A parsed template.
pub(crate) struct Tree {
    pub(crate) name: GoString,
    pub(crate) source: Arc<Source>,
    pub(crate) root: ListId,
    pub(crate) lists: Vec<Vec<Node>>,
    pub(crate) pipes: Vec<Pipe>,
    /// Whether the template has nothing but white space.
    pub(crate) is_empty: bool,
}

impl Tree {
    pub(crate) fn list(&self, id: ListId) -> &[Node] {
        self.lists.get(id.0 as usize).map_or(&[], Vec::as_slice)
    }

    pub(crate) fn pipe(&self, id: PipeId) -> &Pipe {
        &self.pipes[id.0 as usize]
    }

    /// `NAME:LINE:COLUMN` of a place, where columns count bytes from 0.
    pub(crate) fn location(&self, position: u32) -> String {
        let end = u32::try_from(self.source.text.len()).unwrap_or(u32::MAX);
        let position = position.min(end);
        let feeds = self.source.line_feeds();
        let above = feeds.partition_point(|feed| *feed < position);
        let start = feeds[..above].last().map_or(0, |feed| feed + 1);
        let (line, column) = (above + 1, position - start);
        format!("{}:{line}:{column}", self.source.name)
    }
}

/// The number of a list of nodes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct ListId(pub(crate) u32);

/// The number of a pipeline.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct PipeId(pub(crate) u32);

/// A part of a template that writes or decides.
pub(crate) enum Node {
    Text(GoString),
    Action {
        position: u32,
        pipe: PipeId,
    },
    If(Branch),
    Range(Branch),
    With(Branch),
    Template {
        position: u32,
        name: GoString,
        pipe: Option<PipeId>,
    },
    Break(u32),
    Continue(u32),
}

/// `if`, `range` or `with`.
pub(crate) struct Branch {
    pub(crate) position: u32,
    pub(crate) pipe: PipeId,
    pub(crate) list: ListId,
    pub(crate) otherwise: Option<ListId>,
}

/// Commands, each of which gets the value of the one before.
pub(crate) struct Pipe {
    pub(crate) position: u32,
    pub(crate) is_assign: bool,
    pub(crate) variables: Vec<GoString>,
    pub(crate) commands: Vec<Command>,
}

/// An operand, or a function or method and its arguments.
pub(crate) struct Command {
    pub(crate) position: u32,
    /// At least one.
    pub(crate) terms: Vec<Term>,
}

/// An operand and its place.
pub(crate) struct Term {
    pub(crate) position: u32,
    pub(crate) kind: TermKind,
}

pub(crate) enum TermKind {
    Bool(bool),
    Dot,
    Nil,
    Number(Box<Number>),
    String {
        /// As written.
        quoted: GoString,
        text: GoString,
    },
    /// `.A.B`
    Field(Vec<GoString>),
    /// `$x.A.B`
    Variable {
        name: GoString,
        fields: Vec<GoString>,
    },
    Function {
        name: GoString,
        func: Func,
    },
    /// A field of a parenthesised pipeline or of a function's value.
    Chain {
        term: Box<Term>,
        fields: Vec<GoString>,
    },
    Pipe(PipeId),
}

/// A constant, as every type that can hold it.
pub(crate) struct Number {
    pub(crate) text: GoString,
    pub(crate) int: Option<i64>,
    pub(crate) uint: Option<u64>,
    pub(crate) float: Option<f64>,
    pub(crate) complex: Option<(f64, f64)>,
}
