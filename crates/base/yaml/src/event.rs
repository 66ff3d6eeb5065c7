//! The events between a text and a tree, in both directions: the parser makes
//! them, the emitter takes them.
//!
//! An event carries all that a text says about a node: its properties, its
//! style, where it stands. A reader of values ignores most of that; one that
//! edits a file in place cannot do without.

use std::borrow::Cow;

/// A place in the text, all counted from zero; the index and the column count
/// characters.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Mark {
    /// Characters before this place.
    pub index: usize,
    /// Lines before this place.
    pub line: usize,
    /// Characters before this place on its line.
    pub column: usize,
}

/// How a scalar is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum ScalarStyle {
    /// Without any mark.
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

/// How a sequence or mapping is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum CollectionStyle {
    /// By indentation.
    Block,
    /// In brackets or braces.
    Flow,
}

/// One step through a document.
#[derive(Debug, Clone, PartialEq)]
pub struct Event<'a> {
    /// What happens.
    pub kind: EventKind<'a>,
    /// Where it begins; meaningless on the way out.
    pub start: Mark,
    /// The comments around it.
    pub comments: Option<Box<Comments<'a>>>,
}

/// The comments around an event, each with its `#`; empty ones are none.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Comments<'a> {
    /// On the lines before it.
    pub head: Cow<'a, str>,
    /// At the end of its line.
    pub line: Cow<'a, str>,
    /// On the lines after it.
    pub foot: Cow<'a, str>,
    /// On the lines after what comes before it, as on the way out a foot is known
    /// only when that has been written.
    pub tail: Cow<'a, str>,
}

/// What happens.
#[derive(Debug, Clone, PartialEq)]
pub enum EventKind<'a> {
    /// The text begins.
    StreamStart,
    /// The text ends.
    StreamEnd,
    /// A document begins.
    DocumentStart {
        /// There is no `---`.
        implicit: bool,
    },
    /// A document ends.
    DocumentEnd {
        /// There is no `...`.
        implicit: bool,
    },
    /// A reference to an anchor.
    Alias {
        /// The name of the anchor.
        anchor: Cow<'a, str>,
    },
    /// A scalar.
    Scalar(Scalar<'a>),
    /// A sequence begins.
    SequenceStart {
        /// Anchor and tag.
        properties: Properties<'a>,
        /// How it is written.
        style: CollectionStyle,
    },
    /// A sequence ends.
    SequenceEnd,
    /// A mapping begins; keys and values follow in turn.
    MappingStart {
        /// Anchor and tag.
        properties: Properties<'a>,
        /// How it is written.
        style: CollectionStyle,
    },
    /// A mapping ends.
    MappingEnd,
}

/// What may stand before the content of a node.
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
    /// How it is written.
    pub style: ScalarStyle,
    /// The text alone decides the type: plain without a tag, or tagged `!`.
    pub implicit: bool,
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
