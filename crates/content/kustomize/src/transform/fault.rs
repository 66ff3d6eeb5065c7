//! What goes wrong below a resource, before anybody says in which one.

use std::fmt;

use sluice_yaml::tree::{self, Content, Indent, Node};

use crate::error::{Code, Error};
use crate::growth::TooMuch;

/// The kinds of node that a path or a setter can ask for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    Scalar,
    Sequence,
    Mapping,
}

impl Kind {
    /// What a node is by its content; what stands for another node is none.
    pub(crate) fn of(node: &Node) -> Option<Self> {
        match node.content {
            Content::Scalar(_) => Some(Self::Scalar),
            Content::Sequence(_) => Some(Self::Sequence),
            Content::Mapping(_) => Some(Self::Mapping),
            Content::Alias(_) => None,
        }
    }

    /// A node of that kind, with nothing in it and without a tag.
    pub(crate) fn blank(self) -> Node {
        let content = match self {
            Self::Scalar => Content::default(),
            Self::Sequence => Content::Sequence(Vec::new()),
            Self::Mapping => Content::Mapping(Vec::new()),
        };
        Node {
            content,
            ..Node::default()
        }
    }
}

impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Scalar => "ScalarNode",
            Self::Sequence => "SequenceNode",
            Self::Mapping => "MappingNode",
        })
    }
}

/// Why a field could not be reached or set.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Fault {
    message: String,
    /// A node was of another kind than the one asked for.
    pub(crate) is_wrong_kind: bool,
    /// More was to be added than a build may add.
    is_limit: bool,
}

impl Fault {
    pub(crate) fn new(message: impl Into<String>) -> Self {
        Self {
            message: message.into(),
            is_wrong_kind: false,
            is_limit: false,
        }
    }

    /// Puts a sentence in front.
    pub(crate) fn within(self, context: impl fmt::Display) -> Self {
        Self {
            message: format!("{context}: {}", self.message),
            ..self
        }
    }

    pub(crate) fn into_error(self, code: Code) -> Error {
        let code = if self.is_limit { Code::Limit } else { code };
        Error::new(code, self.message)
    }
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl From<TooMuch> for Fault {
    fn from(too_much: TooMuch) -> Self {
        Self {
            is_limit: true,
            ..Self::new(too_much.to_string())
        }
    }
}

impl From<Fault> for Error {
    fn from(fault: Fault) -> Self {
        fault.into_error(Code::FieldInvalid)
    }
}

/// Null passes for a node of any kind.
pub(crate) fn expect_kind(node: &Node, wanted: Kind) -> Result<(), Fault> {
    let found = Kind::of(node);
    if node.is_null() || found == Some(wanted) {
        return Ok(());
    }
    let found = found.map_or_else(|| "AliasNode".to_owned(), |kind| kind.to_string());
    let contents = tree::to_string(node, Indent::Compact);
    Err(Fault {
        message: format!(
            "wrong node kind: expected {wanted} but got {found}: node contents:\n{contents}"
        ),
        is_wrong_kind: true,
        is_limit: false,
    })
}
