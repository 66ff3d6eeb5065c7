//! A document as an owned tree that can be edited and printed: values with their styles, tags,
//! anchors and comments.
//!
//! The model is the node of go-yaml v3, which kustomize and image automation use. A scalar has its
//! type in [`Tag`], its notation in [`Style`], and its text. Readers of plain values use
//! [`v2`](crate::v2) or [`v3`](crate::v3) instead.
//!
//! ```
//! use sluice_yaml::tree::{self, Indent, Node};
//!
//! let mut document = tree::parse_documents("image: app:1 # {\"setter\"}\n")?.remove(0);
//! document.set("image", Node::string("app:2"));
//! assert_eq!(tree::to_string(&document, Indent::Compact), "image: app:2 # {\"setter\"}\n");
//! # Ok::<(), sluice_yaml::Error>(())
//! ```
//!
//! Start at [`parse_documents`], [`Node::get`] and [`to_string`]. The readers limit nesting to
//! [`MAX_DEPTH`](crate::MAX_DEPTH), so recursion over a tree is safe on any thread.
//!
//! Parity: go-yaml v3: the `Node` type and the parser half of decode.go.

mod access;
mod aliases;
mod read;
mod size;
mod tag;
mod text;
mod value;
mod write;

pub use read::{Document, parse_document, parse_documents};
pub use size::Size;
pub use tag::Tag;
pub use text::{Name, Text};
pub use write::{Indent, document_to_string, indent_of, to_string};

/// One node of a tree.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Node {
    /// Content of the node.
    pub content: Content,
    /// Type of the node.
    pub tag: Tag,
    /// Notation of the node.
    pub style: Style,
    /// Name for aliases to refer to.
    pub anchor: Option<Name>,
    /// Comments of the node.
    pub comments: Option<Box<Comments>>,
    /// Start line, counted from one; zero for a node that was not read from a text.
    pub line: u32,
    /// Start column in characters, counted as the line.
    pub column: u32,
    /// Number that nodes of a tree share if a change to one applies to all; zero for none.
    /// [`Node::replace`] keeps it; readers and writers ignore it.
    pub twin: u32,
}

/// The content of a node.
#[derive(Debug, Clone, PartialEq)]
pub enum Content {
    /// The text of a scalar, unescaped and unfolded.
    Scalar(Text),
    /// The items of a sequence.
    Sequence(Vec<Node>),
    /// Keys and values in their order, with duplicates.
    Mapping(Vec<(Node, Node)>),
    /// A reference to the node with that anchor. [`Node::expand_aliases`] replaces it.
    Alias(Box<str>),
}

impl Default for Content {
    fn default() -> Self {
        Self::Scalar(Text::default())
    }
}

/// The notation of a node. Flags combine: a scalar can be tagged and quoted.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct Style(u8);

impl Style {
    /// The writer's choice: a plain scalar or an indented collection.
    pub const PLAIN: Self = Self(0);
    /// The tag is printed.
    pub const TAGGED: Self = Self(1);
    /// `"…"`
    pub const DOUBLE_QUOTED: Self = Self(2);
    /// `'…'`
    pub const SINGLE_QUOTED: Self = Self(4);
    /// `|`
    pub const LITERAL: Self = Self(8);
    /// `>`
    pub const FOLDED: Self = Self(16);
    /// A collection in brackets or braces.
    pub const FLOW: Self = Self(32);
    /// Every flag that makes a scalar a string.
    pub const TEXT: Self =
        Self(Self::DOUBLE_QUOTED.0 | Self::SINGLE_QUOTED.0 | Self::LITERAL.0 | Self::FOLDED.0);

    /// Reports whether any of the flags is set.
    pub fn has(self, marks: Self) -> bool {
        self.0 & marks.0 != 0
    }

    /// Returns the flags as go-yaml's `Style` numbers them.
    pub const fn bits(self) -> u8 {
        self.0
    }

    /// Returns the style with more flags.
    #[must_use]
    pub const fn with(self, marks: Self) -> Self {
        Self(self.0 | marks.0)
    }
}

/// The comments of a node, each with its `#`. Line feeds separate lines.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Comments {
    /// Comment on the lines before the node.
    pub head: String,
    /// Comment at the end of the node's line.
    pub line: String,
    /// Comment on the lines after the node, up to an empty one.
    pub foot: String,
    /// Comments of the document. Only the root node has them, and the writer ignores them
    /// elsewhere.
    pub document: Option<Box<DocumentComments>>,
}

/// The comments of a document as a whole.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct DocumentComments {
    /// Comment before an empty line at the top.
    pub head: String,
    /// Comment after an empty line at the end.
    pub foot: String,
}

impl Comments {
    /// Reports whether the node has no comments.
    pub fn is_empty(&self) -> bool {
        self.head.is_empty()
            && self.line.is_empty()
            && self.foot.is_empty()
            && self.document.is_none()
    }
}

#[cfg(test)]
mod tests {
    use super::Node;

    /// A build has a node for every key and value of every manifest.
    #[test]
    fn node_is_small() {
        assert_eq!(size_of::<Node>(), 80);
    }
}
