//! Errors about fields, before the resource is known.

use std::fmt;

use sluice_yaml::tree::{self, Content, Indent, Node};

use crate::error::{Code, Error};
use crate::growth::GrowthError;

/// The kinds of nodes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum NodeKind {
    Scalar,
    Sequence,
    Mapping,
}

impl NodeKind {
    /// Returns the kind of a node; `None` for an alias.
    pub(crate) fn of(node: &Node) -> Option<Self> {
        match node.content {
            Content::Scalar(_) => Some(Self::Scalar),
            Content::Sequence(_) => Some(Self::Sequence),
            Content::Mapping(_) => Some(Self::Mapping),
            Content::Alias(_) => None,
        }
    }

    /// Creates an empty node of this kind, without a tag.
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

impl fmt::Display for NodeKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Scalar => "ScalarNode",
            Self::Sequence => "SequenceNode",
            Self::Mapping => "MappingNode",
        })
    }
}

/// Why a field could not be found or set.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct FieldError {
    message: String,
    /// Whether a node has an unexpected kind.
    pub(crate) is_wrong_kind: bool,
    /// Whether a limit of the build was exceeded.
    is_limit: bool,
}

impl FieldError {
    pub(crate) fn new(message: impl Into<String>) -> Self {
        Self {
            message: message.into(),
            is_wrong_kind: false,
            is_limit: false,
        }
    }

    /// Puts a context in front of the message.
    pub(crate) fn with_context(self, context: impl fmt::Display) -> Self {
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

impl fmt::Display for FieldError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl From<GrowthError> for FieldError {
    fn from(error: GrowthError) -> Self {
        Self {
            is_limit: true,
            ..Self::new(error.to_string())
        }
    }
}

impl From<FieldError> for Error {
    fn from(error: FieldError) -> Self {
        error.into_error(Code::FieldInvalid)
    }
}

/// Checks the kind of a node. Null passes as any kind.
pub(crate) fn expect_kind(node: &Node, wanted: NodeKind) -> Result<(), FieldError> {
    let found = NodeKind::of(node);
    if node.is_null() || found == Some(wanted) {
        return Ok(());
    }
    let found = found.map_or_else(|| "AliasNode".to_owned(), |kind| kind.to_string());
    let contents = tree::to_string(node, Indent::Compact);
    Err(FieldError {
        message: format!(
            "wrong node kind: expected {wanted} but got {found}: node contents:\n{contents}"
        ),
        is_wrong_kind: true,
        is_limit: false,
    })
}
