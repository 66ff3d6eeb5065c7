//! Events between a text and a tree. The parser produces them, and the emitter consumes them.
//!
//! An event carries everything that a text says about a node: properties, style, position and
//! comments. Readers of values ignore most of it; editors of files need it.

use std::borrow::Cow;

/// A position in the text, counted from zero. Index and column count characters, the offset bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Mark {
    /// Number of characters before this position.
    pub index: usize,
    /// Number of lines before this position.
    pub line: usize,
    /// Number of characters before this position on its line.
    pub column: usize,
    /// Number of bytes before this position, without a byte order mark.
    pub offset: usize,
}

/// The bytes of a token, from the first one to the one after the last.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Span {
    /// Offset of the first byte, without a byte order mark.
    pub start: usize,
    /// Offset after the last byte.
    pub end: usize,
}

/// The notation of a scalar.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum ScalarStyle {
    /// Without quotes or an indicator.
    Plain,
    /// `'…'`
    SingleQuoted,
    /// `"…"`
    DoubleQuoted,
    /// `|`
    Literal,
    /// `>`
    Folded,
}

/// The notation of a sequence or mapping.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum CollectionStyle {
    /// Indented.
    Block,
    /// In brackets or braces.
    Flow,
}

/// One event of a document.
#[derive(Debug, Clone, PartialEq)]
pub struct Event<'a> {
    /// Kind and content of the event.
    pub kind: EventKind<'a>,
    /// Start position. The emitter ignores it.
    pub start: Mark,
    /// Comments of the event.
    pub comments: Option<Box<Comments<'a>>>,
}

/// Comments of an event, each with its `#`. An empty text means none.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Comments<'a> {
    /// Comment on the lines before the node.
    pub head: Cow<'a, str>,
    /// Comment at the end of the node's line.
    pub line: Cow<'a, str>,
    /// Comment on the lines after the node.
    pub foot: Cow<'a, str>,
    /// Foot comment of the previous node. The emitter needs it after that node is written.
    pub tail: Cow<'a, str>,
}

/// Kind and content of an event.
#[derive(Debug, Clone, PartialEq)]
pub enum EventKind<'a> {
    /// Start of the text.
    StreamStart,
    /// End of the text.
    StreamEnd,
    /// Start of a document.
    DocumentStart {
        /// The text has no `---`.
        implicit: bool,
    },
    /// End of a document.
    DocumentEnd {
        /// The text has no `...`.
        implicit: bool,
    },
    /// Reference to an anchor.
    Alias {
        /// Name of the anchor.
        anchor: Cow<'a, str>,
    },
    /// A scalar.
    Scalar(Scalar<'a>),
    /// Start of a sequence.
    SequenceStart {
        /// Anchor and tag.
        properties: Properties<'a>,
        /// Notation.
        style: CollectionStyle,
    },
    /// End of a sequence.
    SequenceEnd,
    /// Start of a mapping. Keys and values follow in turn.
    MappingStart {
        /// Anchor and tag.
        properties: Properties<'a>,
        /// Notation.
        style: CollectionStyle,
    },
    /// End of a mapping.
    MappingEnd,
}

/// Anchor and tag of a node.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Properties<'a> {
    /// `&anchor`
    pub anchor: Option<Cow<'a, str>>,
    /// `!tag`, with its handle resolved: `tag:yaml.org,2002:str`.
    pub tag: Option<Cow<'a, str>>,
}

/// A scalar.
#[derive(Debug, Clone, PartialEq)]
pub struct Scalar<'a> {
    /// Anchor and tag.
    pub properties: Properties<'a>,
    /// The text, unescaped and unfolded.
    pub value: Cow<'a, str>,
    /// Notation.
    pub style: ScalarStyle,
    /// The text alone decides the type: the scalar is plain without a tag, or tagged `!`.
    pub implicit: bool,
    /// The bytes of the scalar with its quotes, without anchor and tag. Empty for an omitted
    /// value, at the position to insert one. `None` if no value can stand there, and for a scalar
    /// that no text contains.
    pub span: Option<Span>,
}

impl<'a> From<EventKind<'a>> for Event<'a> {
    fn from(kind: EventKind<'a>) -> Self {
        Self {
            kind,
            start: Mark::default(),
            comments: None,
        }
    }
}
