//! Tokens, the output of the scanner.

use crate::event::{Mark, ScalarStyle};

#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Token {
    pub(crate) kind: TokenKind,
    pub(crate) start: Mark,
    pub(crate) end: Mark,
}

#[derive(Debug, Clone, PartialEq)]
pub(crate) enum TokenKind {
    StreamStart,
    StreamEnd,
    /// `%YAML 1.1`
    VersionDirective {
        major: u8,
        minor: u8,
    },
    /// `%TAG !e! tag:example.com,2000:`
    TagDirective {
        handle: String,
        prefix: String,
    },
    DocumentStart,
    DocumentEnd,
    BlockSequenceStart,
    BlockMappingStart,
    /// End of a block collection.
    BlockEnd,
    FlowSequenceStart,
    FlowSequenceEnd,
    FlowMappingStart,
    FlowMappingEnd,
    /// `-`
    BlockEntry,
    /// `,`
    FlowEntry,
    /// `?`, or the start of a simple key.
    Key,
    /// `:`
    Value,
    Alias(String),
    Anchor(String),
    Tag {
        handle: String,
        suffix: String,
    },
    Scalar {
        value: String,
        style: ScalarStyle,
    },
}

impl TokenKind {
    /// Returns a token of zero length, for tokens without characters.
    pub(crate) fn at(self, mark: Mark) -> Token {
        Token {
            kind: self,
            start: mark,
            end: mark,
        }
    }
}
