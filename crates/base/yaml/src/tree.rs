//! A document as an owned tree that can be edited and written back: values with
//! their styles, tags, anchors and comments.
//!
//! The model is the node of go-yaml v3, in which kustomize and image automation
//! think: what a scalar *is* stands in its [`Tag`], how it was written in its
//! [`Style`], and its text is the text. A reader of plain values needs none of
//! this and uses [`v2`](crate::v2) or [`v3`](crate::v3).
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
//! Start at [`parse_documents`], [`Node::get`] and [`to_string`]. A tree nests at
//! most [`MAX_DEPTH`](crate::MAX_DEPTH) deep, which the readers see to, so that it
//! can be walked, cloned and dropped by plain recursion on any thread.
//!
//! Parity: go-yaml v3: the `Node` type and the parser half of decode.go.

mod access;
mod inflate;
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
    /// What it holds.
    pub content: Content,
    /// What it is.
    pub tag: Tag,
    /// How it is written.
    pub style: Style,
    /// The name that aliases refer to.
    pub anchor: Option<Name>,
    /// The comments that belong to it.
    pub comments: Option<Box<Comments>>,
    /// The line where it began, counted from one; zero for what was never read.
    pub line: u32,
    /// A number that nodes of one tree share if a change to one is meant as a
    /// change to all; zero for none. Kept by [`Node::replace`], unknown to
    /// readers and writers.
    pub twin: u32,
}

/// What a node holds.
#[derive(Debug, Clone, PartialEq)]
pub enum Content {
    /// The text of a scalar, unescaped and unfolded.
    Scalar(Text),
    /// The items of a sequence.
    Sequence(Vec<Node>),
    /// Keys and values in the order in which they are written, duplicates included.
    Mapping(Vec<(Node, Node)>),
    /// Another mention of the node with that anchor; [`Node::inflate`] replaces it.
    Alias(Box<str>),
}

impl Default for Content {
    fn default() -> Self {
        Self::Scalar(Text::default())
    }
}

/// How a node is written. Marks add up, as a scalar can be tagged and quoted.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct Style(u8);

impl Style {
    /// As the writer likes: a plain scalar, or a collection by indentation.
    pub const PLAIN: Self = Self(0);
    /// The tag is written out.
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
    /// Every mark that makes a string of a scalar.
    pub const TEXT: Self =
        Self(Self::DOUBLE_QUOTED.0 | Self::SINGLE_QUOTED.0 | Self::LITERAL.0 | Self::FOLDED.0);

    /// Has it any of those marks?
    pub fn has(self, marks: Self) -> bool {
        self.0 & marks.0 != 0
    }

    /// Both marks.
    #[must_use]
    pub const fn with(self, marks: Self) -> Self {
        Self(self.0 | marks.0)
    }
}

/// The comments of a node, each with its `#`, several lines apart by line feeds.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Comments {
    /// On the lines before it.
    pub head: String,
    /// At the end of its line.
    pub line: String,
    /// On the lines after it, up to an empty one.
    pub foot: String,
    /// What belongs to the document and to no node in it. Only the outermost node
    /// has such comments, and only there they are written.
    pub document: Option<Box<Margins>>,
}

/// The comments of a document as a whole.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Margins {
    /// Before an empty line at its top.
    pub head: String,
    /// After an empty line at its end.
    pub foot: String,
}

impl Comments {
    /// Is there none?
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

    /// A build holds a node for every key and every value of every manifest.
    #[test]
    fn a_node_is_small() {
        assert_eq!(size_of::<Node>(), 80);
    }
}
